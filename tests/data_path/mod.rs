//! The data path end to end: the layouts of the published AF250 review, made by operations, and the figures that the review saw.
//!
//! Source: StorageReview, Fujitsu ETERNUS AF250: SQL Server TPC-C, 12,622 transactions a second at 9.8 ms on plain volumes, 9,837 at
//! 1,374 ms with data reduction; the law of one curve gives 1,356 ms.

mod clusters;
mod history;
mod knobs;
mod machines;
mod schedules;
mod what_if;

use arrayplane::catalogue;
use arrayplane::ops::World;
use arrayplane::perf::report::{Report, Sample, measure};
use serde_json::{Value, json};

use crate::given;

fn report(world: &World) -> Report {
    measure(&world.array, &world.workloads)
}

fn named<'a>(samples: &'a [Sample], name: &str) -> &'a Sample {
    samples.iter().find(|sample| sample.name == name).unwrap_or_else(|| panic!("no sample of '{name}'"))
}

/// A value must lie within some percent of what is expected.
fn near(what: &str, value: Option<f64>, expected: f64, percent: f64) {
    let value = value.unwrap_or_else(|| panic!("{what}: nothing was measured"));
    assert!((value / expected - 1.0).abs() <= percent / 100.0, "{what}: {value} is more than {percent} % from {expected}");
}

fn raw_figures(world: &World) {
    let report = report(world);
    let oltp = named(&report.workloads, "oltp");
    near("tps", oltp.tps, 12_622.0, 0.5);
    near("latency", oltp.latency_ms, 9.8, 5.0);
}

fn reduced_figures(world: &World, workload: &str) {
    let report = report(world);
    let oltp = named(&report.workloads, workload);
    near("tps", oltp.tps, 9_837.0, 1.0);
    near("latency", oltp.latency_ms, 1_356.0, 3.0);
}

/// Hosts that see four volumes, and 60,000 users on two of them.
fn users(volumes: [&str; 4]) -> Vec<Value> {
    let luns: Vec<Value> = volumes.iter().enumerate().map(|(lun, volume)| json!({"lun": lun, "volume": volume})).collect();
    vec![
        json!({"host.create": {"name": "H0", "protocol": "fc", "wwn": "10000090fa000001"}}),
        json!({"host-group.create": {"name": "HG0", "hosts": ["H0"]}}),
        json!({"port-group.create": {"name": "PG0", "ports": ["CM0-CA0-P0", "CM0-CA0-P1", "CM1-CA0-P0", "CM1-CA0-P1"]}}),
        json!({"lun-group.create": {"name": "LG0", "luns": luns}}),
        json!({"affinity.create": {"host_group": "HG0", "port_group": "PG0", "lun_group": "LG0"}}),
        json!({"workload.create": {"name": "oltp", "profile": "sqlserver-tpcc", "users": 60000, "volumes": volumes[..2]}}),
    ]
}

fn pools() -> World {
    let pool = |name: &str, controller: &str| {
        json!({"pool.create": {
            "name": name, "level": "raid1+0", "drive_count": 12, "controller": controller, "deduplication": true, "compression": true,
        }})
    };
    let reduced = |name: &str, pool: &str| json!({"volume.create": {"name": name, "pool": pool, "size": "4TB", "deduplication": true, "compression": true}});
    let storage = vec![
        json!({"settings.update": {"data_reduction": true}}),
        pool("P0", "CM0"),
        pool("P1", "CM1"),
        json!({"volume.create": {"name": "R0", "pool": "P0", "size": "4TB"}}),
        json!({"volume.create": {"name": "R1", "pool": "P1", "size": "4TB"}}),
        reduced("D0", "P0"),
        reduced("D1", "P1"),
    ];
    given::with("eternus-af250", &[storage, users(["R0", "R1", "D0", "D1"])].concat())
}

fn raid_groups() -> World {
    let group = |name: &str, controller: &str| json!({"raid-group.create": {"name": name, "level": "raid1+0", "drive_count": 12, "controller": controller}});
    let volume = |name: &str, group: &str| json!({"volume.create": {"name": name, "raid_group": group, "size": "4TB"}});
    let storage = vec![group("RG0", "CM0"), group("RG1", "CM1"), volume("R0", "RG0"), volume("R1", "RG1"), volume("S0", "RG0"), volume("S1", "RG1")];
    given::with("eternus-af250", &[storage, users(["R0", "R1", "S0", "S1"])].concat())
}

#[test]
fn plain_volumes_in_pools_give_the_published_raw_figures() {
    raw_figures(&pools());
}

#[test]
fn thick_volumes_in_raid_groups_give_the_published_raw_figures() {
    raw_figures(&raid_groups());
}

#[test]
fn moving_the_users_to_reduced_volumes_gives_the_published_reduced_figures() {
    let mut world = pools();
    given::done(&mut world, &json!({"workload.update": {"workload": "oltp", "volumes": ["D0", "D1"]}}));
    reduced_figures(&world, "oltp");
    given::done(&mut world, &json!({"workload.update": {"workload": "oltp", "volumes": ["R0", "R1"]}}));
    raw_figures(&world);
}

#[test]
fn wide_striped_volumes_give_the_published_raw_figures() {
    let mut world = raid_groups();
    for operation in [
        json!({"workload.delete": {"workload": "oltp"}}),
        json!({"volume.create": {"name": "W", "raid_groups": ["RG0", "RG1"], "size": "2TB", "count": 2}}),
        json!({"lun-group.update": {"lun_group": "LG0", "luns": [{"volume": "W0"}, {"volume": "W1"}]}}),
        json!({"workload.create": {"name": "oltp", "profile": "sqlserver-tpcc", "users": 60000, "volumes": ["W0", "W1"]}}),
    ] {
        given::done(&mut world, &operation);
    }
    raw_figures(&world);
}

#[test]
fn the_scenario_af250_starts_with_the_raw_figures_and_room_in_its_raid_groups() {
    let world = catalogue::scenario("af250").expect("the scenario is known").play(None).expect("it can be played");
    raw_figures(&world);
    for name in ["RG0", "RG1"] {
        let group = world.array.raid_groups.named(name, None).expect("the RAID group is there");
        assert!(group.largest_free_area().get() >= 1_000_000_000_000, "{name} has room for 1 TB");
    }
}

#[test]
fn the_scenario_af250_dr_starts_with_the_reduced_figures() {
    let world = catalogue::scenario("af250-dr").expect("the scenario is known").play(None).expect("it can be played");
    let workload = world.workloads.iter().next().map(|workload| arrayplane::model::Object::name(workload).to_owned()).expect("a workload runs");
    reduced_figures(&world, &workload);
}

#[test]
fn a_paused_workload_and_one_whose_ports_are_down_do_nothing() {
    let mut world = pools();
    for port in ["CM0-CA0-P0", "CM0-CA0-P1", "CM1-CA0-P0", "CM1-CA0-P1"] {
        given::done(&mut world, &json!({"host-port.update": {"host_port": port, "enabled": false}}));
    }
    let down = report(&world);
    assert_eq!((named(&down.workloads, "oltp").iops, down.total.iops), (0.0, 0.0));
    for port in ["CM0-CA0-P0", "CM1-CA0-P0"] {
        given::done(&mut world, &json!({"host-port.update": {"host_port": port, "enabled": true}}));
    }
    raw_figures(&world);
    given::done(&mut world, &json!({"workload.update": {"workload": "oltp", "state": "paused"}}));
    assert_eq!(report(&world).total.iops, 0.0);
}

#[test]
fn measuring_changes_nothing_and_gives_the_same_bits_twice() {
    let world = pools();
    let before = given::bytes(&world);
    assert_eq!(report(&world), report(&world));
    assert_eq!(given::bytes(&world), before);
}
