//! What a page of metrics must be: each family once, no series twice, and no more of them than is said, however large arrays are.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Asked, OBJECTS_MAX, text};
use crate::catalogue;
use crate::http::Requests;
use crate::model::Object;
use crate::ops::{Actor, AnyOperation, Ctx, World};
use crate::site::Site;

fn played(scenario: &str) -> World {
    catalogue::scenario(scenario).expect("it is known").play(None).expect("it can be played")
}

fn page(site: &Arc<Site>, volumes: usize) -> String {
    text(&site.arrays(), &Asked { array: None, volumes }, Requests::default())
}

/// Names of families and all series, without their values. Fails on a family or a series that comes twice, or that comes without its head.
fn series(text: &str) -> BTreeSet<String> {
    let (mut heads, mut all, mut family) = (BTreeSet::new(), BTreeSet::new(), String::new());
    for line in text.lines() {
        if let Some(head) = line.strip_prefix("# TYPE ") {
            family = head.split(' ').next().unwrap_or_default().to_owned();
            assert!(heads.insert(family.clone()), "{family} comes twice");
            assert_eq!(head.ends_with(" counter"), family.ends_with("_total"), "{head}");
        } else if !line.starts_with("# HELP ") {
            let (name, value) = line.rsplit_once(' ').expect("a value");
            assert!(value.parse::<f64>().is_ok_and(f64::is_finite), "{line}");
            assert_eq!(name.split('{').next(), Some(family.as_str()), "{line}");
            assert!(all.insert(name.to_owned()), "{name} comes twice");
        }
    }
    all
}

fn value(text: &str, series: &str) -> f64 {
    let line = text.lines().find_map(|line| line.strip_prefix(series)).unwrap_or_else(|| panic!("no {series}"));
    line.trim().parse().expect("a number")
}

#[test]
fn an_array_tells_its_speed_and_its_space_in_base_units() {
    let site = Site::new();
    site.create("demo", played("af250")).expect("a free name");
    let text = page(&site, 0);
    let told = |series: &str| value(&text, series);
    assert!((told("arrayplane_workload_latency_seconds{array=\"demo\",workload=\"oltp\"}") / 0.0098 - 1.0).abs() < 0.01);
    assert!((told("arrayplane_workload_requests_per_second{array=\"demo\",workload=\"oltp\"}") / 12_622.5 - 1.0).abs() < 0.001);
    let operations = |kind: &str| told(&format!("arrayplane_array_operations_per_second{{array=\"demo\",operation=\"{kind}\"}}"));
    assert!(((operations("read") + operations("write")) / 126_225.0 - 1.0).abs() < 0.001);
    assert_eq!(told("arrayplane_array_status{array=\"demo\",status=\"normal\"}"), 1.0);
    let provisioned = told("arrayplane_array_volumes_provisioned_bytes{array=\"demo\"}");
    assert!((provisioned / 16e12 - 1.0).abs() < 1e-6, "{provisioned}");
    assert_eq!(told("arrayplane_array_changes_total{array=\"demo\"}"), played("af250").revisions.changes() as f64);
    assert_eq!(told("arrayplane_arrays"), 1.0);
    assert!(!text.contains("arrayplane_volume_") && page(&site, 2).contains("arrayplane_volume_latency_seconds{array=\"demo\",volume=\"R0\"}"));
    series(&text);
}

#[test]
fn series_do_not_grow_with_volumes_and_none_comes_twice() {
    let site = Site::new();
    let (before, mut world) = (played("af250"), played("af250"));
    let make = serde_json::json!({"volume.create": {"name": "many-", "raid_group": "RG0", "size": "1GiB", "count": 300, "digits": 3}});
    let make: AnyOperation = serde_json::from_value(make).expect("an operation");
    let ctx = Ctx { now: world.now(), actor: Actor::new("test", "tester", "a test") };
    make.run(&mut world, &ctx).expect("there is room");
    site.create("large", world).expect("a free name");
    let large = series(&page(&site, 0)).len();
    site.remove("large").expect("it is there");
    site.create("small", before).expect("a free name");
    assert_eq!(series(&page(&site, 0)).len(), large);
    assert!(large < 20 * OBJECTS_MAX);
}

#[test]
fn volumes_of_containers_are_told_apart() {
    let site = Site::new();
    let world = played("aff-a250");
    let volumes: BTreeSet<String> = world.array.volumes.iter().map(|volume| volume.name().to_owned()).collect();
    assert!(!volumes.is_empty());
    site.create("netapp", world).expect("a free name");
    assert!(series(&page(&site, 100)).iter().any(|name| name.starts_with("arrayplane_volume_operations_per_second") && name.contains('/')));
}

#[test]
fn two_hundred_arrays_are_told_in_one_page_of_bounded_size() {
    let site = Site::new();
    let world = played("af250");
    for number in 0..200 {
        site.create(&format!("array-{number:03}"), world.clone()).expect("a free name");
    }
    let all = series(&page(&site, 0)).len();
    assert!(all > 200 * 50 && all < 200 * 250, "{all} series");
}
