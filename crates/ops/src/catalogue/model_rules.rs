//! What every model must obey, and what it refuses.

use serde_json::json;

use super::{BuildOptions, CatalogueError, DriveRequest, Model, model, models};
use crate::model::{Array, Dialect, Feature, Object, Personality, PoolCapacityOffer, PortProtocol, Protocol, RaidLevel, consistency};
use crate::units::{Bytes, SimSpan};

fn built(model: &Model, seed: u64) -> Array {
    model.build(&BuildOptions { seed, ..BuildOptions::default() }).unwrap_or_else(|error| panic!("{}: {error}", model.name))
}

fn with_drives(name: &str, drives: serde_json::Value) -> Result<Array, CatalogueError> {
    let drives: DriveRequest = serde_json::from_value(drives).expect("a request");
    model(name)?.build(&BuildOptions { drives: Some(drives), ..BuildOptions::default() })
}

fn names<T: Object>(table: &crate::model::Table<T>) -> Vec<&str> {
    table.iter().map(Object::name).collect()
}

#[test]
fn every_model_builds_the_same_bytes_for_one_seed_and_others_for_another() {
    for model in models() {
        let text = |seed| serde_json::to_string(&built(model, seed)).expect("text");
        assert_eq!(text(7), text(7), "{}", model.name);
        assert_ne!(text(7), text(8), "{}", model.name);
    }
}

#[test]
fn every_new_array_is_sound_and_its_addresses_are_unique() {
    for model in models() {
        let array = built(model, 7);
        assert_eq!(consistency::problems(&array), Vec::<String>::new(), "{}", model.name);
        let ports: Vec<&str> = array.host_ports.iter().map(|port| port.wwn.as_str()).chain([array.facts.wwn.as_str()]).collect();
        let drives: Vec<&str> = array.drives.iter().map(|drive| drive.wwn.as_str()).collect();
        for mut addresses in [ports, drives] {
            assert!(addresses.iter().all(|wwn| wwn.len() == 16 && wwn.chars().all(|c| c.is_ascii_hexdigit() && !c.is_ascii_uppercase())), "{addresses:?}");
            let all = addresses.len();
            addresses.sort_unstable();
            addresses.dedup();
            assert_eq!(addresses.len(), all, "{}", model.name);
        }
        assert_eq!(array.settings.system_name, array.facts.product);
        assert!(array.host_ports.iter().all(|port| port.line_rate() > Bytes::ZERO && port.modes.iter().all(|(_, rate)| *rate > Bytes::ZERO)));
        assert!(array.host_ports.iter().all(|port| port.iscsi_name.is_some() == port.modes.iter().any(|(mode, _)| *mode == PortProtocol::Iscsi)));
        assert_eq!(array.profiles.len(), 32);
        assert_eq!(array.calibration.is_some(), model.is_calibrated());
    }
}

#[test]
fn personalities_are_sensible() {
    for model in models() {
        let (rules, name) = (&model.personality, &model.name);
        assert!(rules.volume_size_min <= rules.volume_size_max && !rules.size_unit.is_zero(), "{name}");
        assert_eq!(rules.volume_size_min.round_up(rules.size_unit), rules.volume_size_min, "{name}");
        assert!(rules.container_size_min.is_none_or(|least| least <= rules.container_size_max), "{name}");
        assert_eq!(rules.container_size_min.is_some(), rules.limits.containers > 0, "{name}");
        assert!(rules.pool_levels.iter().all(|level| rules.raid_levels.contains(level)) && !rules.pool_levels.is_empty(), "{name}");
        assert!(rules.chunk_sizes.is_sorted() && !rules.chunk_sizes.is_empty() && !rules.chunk_sizes[0].is_zero(), "{name}");
        assert!(rules.volumes_in_raid_groups || rules.volumes_in_pools || rules.container_size_min.is_some(), "{name}");
        assert_eq!(rules.reduction_domain.is_some(), rules.limits.reduction_pools > 0, "{name}");
        assert!(rules.volume_name.max > 0 && rules.short_name.max > 0 && rules.bulk_max > 0, "{name}");
        assert!(rules.limits.luns_per_group <= u64::from(rules.lun_max) + 1, "{name}");
        offers_are_sensible(rules, name);
        assert!(rules.limits.workloads > 0 && rules.limits.volumes > 0 && rules.limits.hosts_per_group > 0, "{name}");
    }
}

fn offers_are_sensible(rules: &Personality, name: &str) {
    let offer = &rules.offer;
    assert!(!offer.host_protocols.is_empty() && offer.host_protocols.is_sorted(), "{name}");
    let numbers: Vec<u32> = offer.host_responses.iter().map(|response| response.number).collect();
    assert!(!numbers.is_empty() && numbers.windows(2).all(|pair| pair[0] < pair[1]), "{name}: {numbers:?}");
    assert!(offer.lun_max_flat.is_none_or(|most| most > rules.lun_max), "{name}");
    assert!(offer.qos.levels.windows(2).all(|pair| pair[0].number + 1 == pair[1].number && pair[0].iops > pair[1].iops), "{name}");
    assert!(offer.qos.fixed || !offer.qos.levels.is_empty(), "{name}");
    assert!(offer.qos.iops_max > 0 && !offer.qos.bytes_unit.is_zero() && offer.qos.bytes_max >= offer.qos.bytes_unit, "{name}");
    assert!(offer.pool_capacities.windows(2).all(|pair| pair[0].capacity < pair[1].capacity), "{name}");
    let fits = |choice: &PoolCapacityOffer| choice.capacity <= rules.limits.pool_capacity && rules.chunk_sizes.contains(&choice.chunk_size);
    assert!(offer.pool_capacities.iter().all(fits), "{name}");
    assert!(offer.firmware_span > SimSpan::ZERO, "{name}");
}

#[test]
fn a_new_array_has_the_settings_and_host_responses_of_its_model() {
    let array = built(model("eternus-af250").expect("model"), 7);
    let numbered: Vec<(u32, &str)> = array.host_responses.iter().map(|response| (response.number(), response.name())).collect();
    assert_eq!((numbered[0], numbered.last()), ((0, "Default"), Some(&(253, "AIX VxVM"))));
    assert!(array.settings.thin_provisioning.enabled && array.chunk_size() == Bytes::mib(21) && array.pool_capacity_most() == Bytes::tib(768));
    assert_eq!((array.missing_licence(Feature::DataReduction), array.missing_licence(Feature::Cluster)), (None, Some("storage_cluster")));
    assert!(!array.personality.offer.host_protocols.contains(&Protocol::Nvme));
    assert!(built(model("aff-a250").expect("model"), 7).personality.offer.host_protocols.contains(&Protocol::Nvme));
    assert!(model("eternus-af250-s2").expect("model").personality.offer.qos.automatic, "a model overrides single offers");
}

#[test]
fn the_af250_is_what_its_review_says() {
    let array = built(model("eternus-af250").expect("model"), 7);
    assert_eq!(array.personality.dialect, Dialect::Eternus);
    assert_eq!((names(&array.enclosures), names(&array.controllers)), (vec!["CE"], vec!["CM0", "CM1"]));
    assert_eq!(names(&array.host_ports), ["CM0-CA0-P0", "CM0-CA0-P1", "CM1-CA0-P0", "CM1-CA0-P1"]);
    assert!(array.host_ports.iter().all(|port| port.protocol == PortProtocol::Fc && port.line_rate() == Bytes::new(1_600_000_000)));
    assert!(array.host_ports.iter().all(|port| port.wwn.starts_with("500000e0d")));
    assert_eq!((array.drives.len(), names(&array.drives)[0], names(&array.drives)[23]), (24, "CE-Disk#0", "CE-Disk#23"));
    assert!(array.drives.iter().all(|drive| drive.capacity == Bytes::new(1_920_000_000_000)));
    assert!(array.personality.raid_levels.contains(&RaidLevel::Raid50) && !array.personality.pool_levels.contains(&RaidLevel::Raid50));
    let demands = array.calibration.expect("calibrated");
    assert_eq!((demands.workloads.len(), demands.tail_ppm.0), (18, 1_788_811));
    assert_eq!(demands.corners.small_read.controller_demand_ps, demands.workloads["4k-random-read"].controller_demand_ps);
    assert_eq!(demands.drives.len(), 1);
}

#[test]
fn every_profile_of_a_calibration_is_known() {
    for model in models() {
        let array = built(model, 7);
        for workload in array.calibration.iter().flat_map(|demands| demands.workloads.keys()) {
            assert!(array.profiles.contains_key(workload), "{workload}");
        }
    }
}

#[test]
fn drive_enclosures_are_added_as_the_drives_need_them() {
    let array = with_drives("eternus-af250", json!(26)).expect("26 drives");
    assert_eq!(names(&array.enclosures), ["CE", "DE01"]);
    assert_eq!(names(&array.drives)[24..], ["DE01-Disk#0", "DE01-Disk#1"]);
    let array = with_drives("aff-a250", json!(48)).expect("48 drives");
    assert_eq!((names(&array.enclosures), names(&array.drives)[47]), (vec!["1.0", "1.1"], "1.1.23"));
    assert_eq!(names(&array.host_ports)[..5], ["node-01:0a", "node-01:0b", "node-01:0c", "node-01:0d", "node-01:e0a"]);
    let array = with_drives("oceanstor-dorado2100-g2", json!(100)).expect("100 drives");
    assert_eq!(names(&array.enclosures), ["CTE0", "DAE1", "DAE2", "DAE3"]);
}

#[test]
fn drives_are_put_in_as_listed() {
    let kinds = json!([
        {"count": 2, "type": "sas_ssd", "capacity": "3.84TB"},
        {"count": 1, "type": "sas_ssd", "capacity": "1.92TB", "self_encrypting": true}
    ]);
    let array = with_drives("eternus-af250", kinds).expect("three drives");
    let kinds: Vec<_> = array.drives.iter().map(|drive| (drive.capacity.get(), drive.self_encrypting)).collect();
    assert_eq!(kinds, [(3_840_000_000_000, false), (3_840_000_000_000, false), (1_920_000_000_000, true)]);
}

#[test]
fn drives_that_do_not_fit_are_refused_with_a_cure() {
    let kind = |count: u64, capacity: &str| json!({"count": count, "type": "sas_ssd", "capacity": capacity});
    for (drives, code, field, value) in [
        (json!(0), "out_of_range", "drives", "0"),
        (json!(49), "out_of_range", "drives", "49"),
        (json!([]), "out_of_range", "drives", "0"),
        (json!([kind(1, "400GB"), kind(0, "400GB")]), "out_of_range", "drives.1.count", "0"),
        (json!([kind(4_294_967_295, "400GB"), kind(4_294_967_295, "400GB")]), "out_of_range", "drives", "8589934590"),
        (json!([kind(1, "500GB")]), "drive_not_offered", "drives.0.capacity", "sas_ssd 500 GB"),
        (json!([{"count": 1, "type": "nvme_ssd", "capacity": "400GB"}]), "drive_not_offered", "drives.0.capacity", "nvme_ssd 400 GB"),
    ] {
        let refusal = with_drives("eternus-af250", drives).expect_err(code);
        assert_eq!((refusal.code(), refusal.field(), refusal.value().as_deref()), (code, Some(field), Some(value)));
        assert!(refusal.limit().is_some() && !refusal.cure().is_empty(), "{refusal}");
    }
    for text in ["-1", "\"many\"", "1.5", "[{\"count\": 1}]", "{\"count\": 1}", "4294967296"] {
        assert!(serde_json::from_str::<DriveRequest>(text).is_err(), "{text}");
    }
    let unknown = model("eternus-af260").expect_err("no such model");
    assert_eq!((unknown.code(), unknown.field()), ("unknown_model", Some("model")));
    assert!(unknown.cure().contains("eternus-af250"));
}
