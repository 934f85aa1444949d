//! Every machine of the reviews under load: what its scenario shows, and by what the calibration is chosen.
//!
//! Source: the published figures in `fixtures/measurements/`.

use arrayplane::catalogue;
use arrayplane::model::Object;
use arrayplane::ops::World;
use arrayplane::perf::report::{Sample, measure};
use serde_json::{Value, json};

use super::near;
use crate::given;

fn scene(name: &str) -> World {
    let mut world = catalogue::scenario(name).expect(name).play(None).unwrap_or_else(|error| panic!("{name}: {error}"));
    if world.workloads.iter().any(|workload| workload.name() == "oltp") {
        given::done(&mut world, &json!({"workload.delete": {"workload": "oltp"}}));
    }
    world
}

/// What a new workload does.
fn load(world: &mut World, profile: &str, volumes: &[&str], users: Option<u64>) -> Sample {
    given::done(world, &json!({"workload.create": {"name": "load", "profile": profile, "volumes": volumes, "users": users}}));
    let report = measure(&world.array, &world.workloads);
    given::done(world, &json!({"workload.delete": {"workload": "load"}}));
    report.workloads.into_iter().next().expect("the workload is there")
}

/// The profiles for which an array is calibrated.
fn profiles(world: &World) -> Vec<String> {
    world.array.calibration.as_ref().map(|own| own.workloads.keys().cloned().collect()).unwrap_or_default()
}

#[test]
fn every_scenario_starts_with_a_calibrated_data_path() {
    for scenario in catalogue::scenarios().into_iter().filter(|scenario| !scenario.operations.is_empty()) {
        let mut world = scene(&scenario.name);
        let known = profiles(&world);
        assert!(known.len() >= 18, "{}: {known:?}", scenario.name);
        let volumes: Vec<String> = world.array.volumes.iter().map(|volume| volume.id().to_string()).collect();
        for profile in known.iter().map(String::as_str).chain(["custom"]) {
            let sample = load(&mut world, profile, &[&volumes[0]], None);
            assert!(sample.iops > 0.0 && sample.latency_ms.is_some_and(|latency| latency > 0.0), "{} {profile}", scenario.name);
        }
    }
}

#[test]
fn measured_machines_show_their_published_peaks() {
    for (scenario, volumes, profile, users, published) in [
        ("af250-s2", ["V0", "V1"], "4k-random-read", None, 221_327.0),
        ("af250-s2", ["V0", "V1"], "sysbench", Some(768), 17_237.0),
        ("aff-a250", ["vol1/lun0", "vol2/lun1"], "4k-random-read", None, 594_388.0),
        ("aff-a250", ["vol1/lun0", "vol2/lun1"], "sysbench", Some(512), 16_149.0),
        ("aff-a250", ["vol1/ns0", "vol2/ns1"], "4k-random-read", None, 787_910.0),
        ("aff-a250", ["vol1/ns0", "vol2/ns1"], "sysbench", Some(512), 17_537.0),
        ("aff-a200", ["vol1/lun0", "vol2/lun1"], "sysbench", Some(512), 9_035.0),
    ] {
        let sample = load(&mut scene(scenario), profile, &volumes, users);
        near(&format!("{scenario} {profile}"), Some(sample.tps.unwrap_or(sample.iops)), published, 1.0);
    }
}

#[test]
fn the_flachesan_is_bound_by_its_drives_when_raw_and_by_its_target_over_iscsi() {
    let raw: Vec<String> = (0..8).map(|number| format!("raw{number}")).collect();
    let luns: Vec<String> = (0..8).map(|number| format!("lun{number}")).collect();
    let names = |list: &[String]| list.iter().map(|name| name.to_owned()).collect::<Vec<_>>();
    for (scenario, volumes, profile, published, bottleneck) in [
        ("flachesan1l-d-raw", names(&raw), "fio-4k-read", 1_037_200.0, "drives of RAID group RG0"),
        ("flachesan1l-d-raw", names(&raw), "fio-4k-write", 742_662.0, "drives of RAID group RG0"),
        ("flachesan1l-d-raw", names(&raw), "fio-8k-70-30", 535_166.0, "controller controller-0"),
        ("flachesan1l-d", names(&luns), "fio-4k-read", 52_430.0, "controller controller-0"),
        ("flachesan1l-d", names(&luns), "fio-4k-write", 43_063.0, "controller controller-0"),
    ] {
        let volumes: Vec<&str> = volumes.iter().map(String::as_str).collect();
        let sample = load(&mut scene(scenario), profile, &volumes, None);
        near(&format!("{scenario} {profile}"), Some(sample.iops), published, 1.0);
        near("latency", sample.latency_ms, 256e3 / published, 1.0);
        assert_eq!(sample.bottleneck.as_deref(), Some(bottleneck), "{scenario} {profile}");
    }
}

#[test]
fn one_hba_carries_no_more_than_its_port_and_smb3_no_more_than_the_drives() {
    let mut world = scene("flachesan1l-d-raw");
    let raw = ["raw0", "raw1", "raw2", "raw3", "raw4", "raw5", "raw6", "raw7"];
    let two = load(&mut world, "fio-128k-read", &raw, None);
    given::done(&mut world, &json!({"port-group.update": {"port_group": "ports", "ports": ["controller-0-p0"]}}));
    let one = load(&mut world, "fio-128k-read", &raw, None);
    near("two HBAs", Some(two.bytes_per_second), 8.3e9, 1.0);
    assert!(one.bytes_per_second < 7e9 && one.bytes_per_second > 6e9, "{}", one.bytes_per_second);
    let mut world = scene("flachesan1l-d");
    let (smb3, iscsi) = (load(&mut world, "fio-4k-read-smb3", &["lun0", "lun1"], None), load(&mut world, "fio-4k-read", &["lun0", "lun1"], None));
    assert!(smb3.iops > iscsi.iops && smb3.iops < 1_037_200.0, "{}", smb3.iops);
}

#[test]
fn the_a250_answers_with_the_calibration_of_the_protocol_that_its_volumes_are_mapped_by() {
    let mut world = scene("aff-a250");
    let fc = load(&mut world, "4k-random-read", &["vol1/lun0", "vol2/lun1"], Some(2048));
    let nvme = load(&mut world, "4k-random-read", &["vol1/ns0", "vol2/ns1"], Some(2048));
    assert!(nvme.iops > 1.2 * fc.iops, "{} over NVMe/FC, {} over FC", nvme.iops, fc.iops);
    assert!(nvme.p99_latency_ms < fc.p99_latency_ms);
    // A volume that hosts reach both ways is as fast as by Fibre Channel; half a load each way is in between.
    let mixed = load(&mut world, "4k-random-read", &["vol1/lun0", "vol2/ns1"], Some(2048));
    assert!(mixed.iops > fc.iops && mixed.iops < nvme.iops, "{}", mixed.iops);
    for (number, name) in ["vol1/ns0", "vol2/ns1"].into_iter().enumerate() {
        given::done(&mut world, &json!({"mapping.create": {"volume": name, "host_group": "esx", "lun": 10 + number}}));
    }
    let both = load(&mut world, "4k-random-read", &["vol1/ns0", "vol2/ns1"], Some(2048));
    near("both ways", Some(both.iops), fc.iops, 0.1);
}

#[test]
fn plain_data_on_the_a250_is_faster_than_reduced_data_as_which_it_was_measured() {
    let layout = |reduced: bool| -> Vec<Value> {
        let mut operations = vec![json!({"host.create": {"name": "H", "protocol": "fc", "wwn": "10000090fa000001"}})];
        for node in ["01", "02"] {
            let (pool, container) = (format!("aggr_{node}"), format!("vol_{node}"));
            operations.push(json!({"pool.create": {"name": pool, "level": "raid-dp", "drive_count": 6, "controller": format!("node-{node}")}}));
            operations.push(json!({"container.create":
                {"name": container, "pool": pool, "size": "1TB", "guarantee": "thin", "deduplication": reduced, "compression": reduced}}));
            operations.push(json!({"volume.create": {"name": "lun", "container": container, "size": "100GB", "allocation": "thin"}}));
            operations.push(json!({"mapping.create": {"volume": format!("{container}/lun"), "host": "H", "lun": node.parse::<u32>().expect("a number")}}));
        }
        operations
    };
    let run = |reduced: bool, profile: &str| load(&mut given::with("aff-a250", &layout(reduced)), profile, &["vol_01/lun", "vol_02/lun"], None).iops;
    near("reduced", Some(run(true, "4k-random-write")), 169_543.0, 1.0);
    assert!(run(false, "4k-random-write") > 1.5 * run(true, "4k-random-write"), "until the drives are the bottleneck");
    assert!(run(false, "4k-random-read") > 1.2 * run(true, "4k-random-read"));
}

#[test]
fn a_tail_that_grows_with_the_load_is_longer_under_more_load() {
    let mut world = scene("af250-s2");
    let mut tail = |threads: u64| {
        let sample = load(&mut world, "sysbench", &["V0", "V1"], Some(threads));
        sample.p99_latency_ms.zip(sample.latency_ms).map(|(p99, mean)| p99 / mean)
    };
    near("4 virtual machines", tail(128), 28.16 / 15.36, 5.0);
    near("24 virtual machines", tail(768), 93.52 / 44.59, 5.0);
}
