//! Each part of the configuration moves what a workload gets, by operations and virtual time alone.

use arrayplane::catalogue;
use arrayplane::engine;
use arrayplane::ops::World;
use arrayplane::perf::report::{Report, Sample};
use arrayplane::units::SimSpan;
use serde_json::{Value, json};

use super::{named, report};
use crate::given;

/// RG0 and RG1 of CM0 and CM1 with the volumes V0 and V1, each seen by H0 through all ports of its protocol.
pub(super) fn lab(level: &str, drives: u32) -> World {
    let group = |name: &str, controller: &str| json!({"raid-group.create": {"name": name, "level": level, "drive_count": drives, "controller": controller}});
    let volume = |name: &str, group: &str| json!({"volume.create": {"name": name, "raid_group": group, "size": "200GiB"}});
    let operations = [
        json!({"clock.set": {"mode": "manual"}}),
        group("RG0", "CM0"),
        group("RG1", "CM1"),
        volume("V0", "RG0"),
        volume("V1", "RG1"),
        json!({"host.create": {"name": "H0", "protocol": "fc", "wwn": "10000090fa000001"}}),
        json!({"mapping.create": {"volume": "V0", "host": "H0"}}),
        json!({"mapping.create": {"volume": "V1", "host": "H0"}}),
    ];
    given::with("eternus-af250", &operations)
}

/// Starts a custom workload: its name, its volumes, how many requests are under way, and what else is said of it.
fn start(world: &mut World, name: &str, volumes: &[&str], outstanding: u32, more: &Value) {
    let mut fields = json!({"name": name, "profile": "custom", "volumes": volumes, "outstanding": outstanding});
    let more = more.as_object().cloned().unwrap_or_default();
    fields.as_object_mut().expect("fields").extend(more);
    given::done(world, &json!({ "workload.create": fields }));
}

fn reads(percent: u32) -> Value {
    json!({"read_percent": percent, "block_size": "8KiB"})
}

fn advance(world: &mut World, by: &str) {
    given::done(world, &json!({"clock.advance": {"by": by}}));
}

fn busy(samples: &[Sample], name: &str) -> f64 {
    named(samples, name).utilization.unwrap_or_else(|| panic!("'{name}' is no resource"))
}

fn iops(world: &World) -> f64 {
    report(world).total.iops
}

fn near(value: f64, expected: f64, percent: f64) {
    assert!((value / expected - 1.0).abs() <= percent / 100.0, "{value} is more than {percent} % from {expected}");
}

/// Busy time of RG0's drives for one I/O of 32 outstanding on V0.
fn drives_per_io(report: &Report) -> f64 {
    busy(&report.raid_groups, "RG0") / report.total.iops
}

fn on(level: &str, drives: u32, read_percent: u32) -> Report {
    let mut world = lab(level, drives);
    start(&mut world, "W0", &["V0"], 32, &reads(read_percent));
    report(&world)
}

#[test]
fn drives_and_raid_levels_cost_what_the_law_says() {
    let (mirror, parity, double) = (on("raid1+0", 8, 0), on("raid5", 8, 0), on("raid6", 8, 0));
    near(drives_per_io(&parity), 2.0 * drives_per_io(&mirror), 1e-4);
    near(drives_per_io(&double), 3.0 * drives_per_io(&mirror), 1e-4);
    assert!(mirror.total.iops > parity.total.iops && parity.total.iops > double.total.iops);
    let fewer = on("raid1+0", 4, 0);
    near(drives_per_io(&fewer), 2.0 * drives_per_io(&mirror), 1e-4);
    assert!(fewer.total.iops < mirror.total.iops);
    // Reads cost the same on all levels.
    near(drives_per_io(&on("raid6", 8, 100)), drives_per_io(&on("raid1+0", 8, 100)), 1e-4);
}

/// The life of a RAID 5 group whose member fails: whole, degraded, rebuilding, on its spare, copying back, whole.
fn life(priority: &str) -> [f64; 6] {
    let mut world = lab("raid5", 8);
    start(&mut world, "W0", &["V0"], 64, &reads(70));
    given::done(&mut world, &json!({"raid-group.update": {"raid_group": "RG0", "rebuild_priority": priority}}));
    let whole = iops(&world);
    given::done(&mut world, &json!({"drive.fail": {"drive": "0"}}));
    let degraded = iops(&world);
    given::done(&mut world, &json!({"drive.update": {"drive": "16", "spare": true}}));
    let rebuilding = iops(&world);
    given::done(&mut world, &json!({"clock.advance": {"until": "idle"}}));
    let on_spare = iops(&world);
    given::done(&mut world, &json!({"drive.replace": {"drive": "0"}}));
    let copyback = iops(&world);
    given::done(&mut world, &json!({"clock.advance": {"until": "idle"}}));
    [whole, degraded, rebuilding, on_spare, copyback, iops(&world)]
}

#[test]
fn a_failure_costs_while_it_is_mended_and_is_forgotten_after_that() {
    let [whole, degraded, rebuilding, on_spare, copyback, again] = life("low");
    assert!(degraded < whole && rebuilding < degraded, "{whole} {degraded} {rebuilding}");
    assert!((on_spare - whole).abs() < 1e-6 && (again - whole).abs() < 1e-6, "{on_spare} {again}");
    assert!(copyback < whole && copyback > rebuilding, "{copyback}");
    let faster = life("high");
    assert!(faster[2] < rebuilding && faster[4] < copyback, "the higher the priority, the more hosts feel it: {faster:?}");
    assert!((faster[1] - degraded).abs() < 1e-9);
}

#[test]
fn one_controller_does_half_writes_wait_for_drives_and_failing_back_ends_both() {
    let mut world = lab("raid1+0", 12);
    given::done(&mut world, &json!({"workload.create": {"name": "W0", "profile": "4k-random-write", "volumes": ["V0", "V1"]}}));
    let both = report(&world);
    given::done(&mut world, &json!({"controller.fail": {"controller": "CM1"}}));
    assert_eq!(named(&report(&world).volumes, "V1").iops, 0.0, "nobody works for RG1 until it is taken over");
    advance(&mut world, "5s");
    let one = report(&world);
    near(one.total.iops, both.total.iops / 2.0, 2.0);
    assert_eq!(named(&one.controllers, "CM1").iops, 0.0);
    // Few requests see what a write through to a drive takes: one drive write more.
    given::done(&mut world, &json!({"workload.update": {"workload": "W0", "outstanding": 1}}));
    let through = report(&world).total.latency_ms.expect("latency");
    given::done(&mut world, &json!({"controller.restore": {"controller": "CM1"}}));
    given::done(&mut world, &json!({"clock.advance": {"until": "idle"}}));
    let back = report(&world).total.latency_ms.expect("latency");
    near(through - back, 1e3 / 32e3, 2.0);
    given::done(&mut world, &json!({"workload.delete": {"workload": "W0"}}));
    given::done(&mut world, &json!({"workload.create": {"name": "W0", "profile": "4k-random-write", "volumes": ["V0", "V1"]}}));
    near(iops(&world), both.total.iops, 1e-6);
}

#[test]
fn an_owner_that_has_all_the_work_halves_the_array_until_it_is_shared_out() {
    let mut world = lab("raid1+0", 12);
    given::done(&mut world, &json!({"workload.create": {"name": "W0", "profile": "4k-random-read", "volumes": ["V0", "V1"]}}));
    let balanced = iops(&world);
    given::done(&mut world, &json!({"raid-group.update": {"raid_group": "RG1", "controller": "CM0"}}));
    given::done(&mut world, &json!({"clock.advance": {"until": "idle"}}));
    let crooked = report(&world);
    near(crooked.total.iops, balanced / 2.0, 5.0);
    assert_eq!(busy(&crooked.controllers, "CM1"), 0.0);
}

/// 64 KiB sequential reads through ports so set.
fn through(changes: &[Value]) -> Report {
    let mut world = lab("raid1+0", 12);
    given::done(&mut world, &json!({"workload.create": {"name": "W0", "profile": "64k-sequential-read", "volumes": ["V0", "V1"]}}));
    for change in changes {
        given::done(&mut world, change);
    }
    report(&world)
}

#[test]
fn ports_count_by_their_number_their_speed_and_whether_they_are_up() {
    let port = |name: &str, field: &str, value: Value| json!({"host-port.update": {"host_port": name, field: value}});
    let down = |name: &str| port(name, "enabled", json!(false));
    let (four, three) = (through(&[]), through(&[down("CM0-CA0-P0")]));
    let per_byte = |report: &Report, name: &str| busy(&report.ports, name) / report.total.bytes_per_second;
    near(per_byte(&three, "CM1-CA0-P1"), per_byte(&four, "CM1-CA0-P1") * 4.0 / 3.0, 1e-4);
    let one = through(&["CM0-CA0-P0", "CM0-CA0-P1", "CM1-CA0-P0"].map(down));
    assert!(one.total.bytes_per_second < 1.6e9 && one.total.iops < three.total.iops && three.total.iops < four.total.iops);
    assert_eq!(one.workloads[0].bottleneck.as_deref(), Some("host port CM1-CA0-P1"));
    let slow = through(&["CM0-CA0-P0", "CM0-CA0-P1", "CM1-CA0-P0", "CM1-CA0-P1"].map(|name| port(name, "transfer_rate", json!("8"))));
    near(per_byte(&slow, "CM0-CA0-P0"), 2.0 * per_byte(&four, "CM0-CA0-P0"), 1.0);
    assert!(slow.total.iops < four.total.iops);
    let failed = through(&[json!({"host-port.fail": {"host_port": "CM0-CA0-P0"}})]);
    near(failed.total.iops, three.total.iops, 1e-6);
}

#[test]
fn a_slower_protocol_is_slower() {
    let mut world = lab("raid1+0", 12);
    for operation in [
        json!({"host-port.update": {"host_port": "CM0-CA0-P1", "protocol": "iscsi", "ipv4_address": "10.0.0.1", "ipv4_mask": "255.255.255.0"}}),
        json!({"host.create": {"name": "I0", "protocol": "iscsi", "iscsi_name": "iqn.2024-01.com.example:i0"}}),
        json!({"volume.create": {"name": "V2", "raid_group": "RG0", "size": "100GiB"}}),
        json!({"mapping.create": {"volume": "V2", "host": "I0"}}),
    ] {
        given::done(&mut world, &operation);
    }
    start(&mut world, "W0", &["V2"], 4, &json!({"block_size": "64KiB", "read_percent": 100, "random_percent": 0}));
    let by_iscsi = report(&world);
    near(busy(&by_iscsi.ports, "CM0-CA0-P1"), by_iscsi.total.bytes_per_second / 1.15e9, 1e-4);
}

/// An array that nobody has measured works as fast as an AF250.
fn calibrate(world: &mut World) {
    if world.array.calibration.is_none() {
        let model = catalogue::model("eternus-af250").expect("the model is known");
        world.array.calibration = model.build(&catalogue::BuildOptions::default()).expect("it can be built").calibration;
    }
}

fn reduced_lab(model: &str) -> World {
    let operations = [
        json!({"clock.set": {"mode": "manual"}}),
        json!({"settings.update": {"data_reduction": true}}),
        json!({"pool.create": {"name": "P0", "level": "raid1+0", "drive_count": 12, "controller": "CM0", "deduplication": true, "compression": true}}),
        json!({"volume.create": {"name": "V0", "pool": "P0", "size": "1TB"}}),
        json!({"volume.create": {"name": "D0", "pool": "P0", "size": "1TB", "deduplication": true, "compression": true, "reducibility": 4}}),
        json!({"host.create": {"name": "H0", "protocol": "fc", "wwn": "10000090fa000001"}}),
        json!({"mapping.create": {"volume": "V0", "host": "H0"}}),
        json!({"mapping.create": {"volume": "D0", "host": "H0"}}),
    ];
    given::with(model, &operations)
}

#[test]
fn data_reduction_costs_controllers_and_spares_drives_as_the_data_allows() {
    let mut world = reduced_lab("eternus-af250");
    start(&mut world, "W0", &["V0"], 64, &reads(50));
    let plain = report(&world);
    given::done(&mut world, &json!({"workload.update": {"workload": "W0", "volumes": ["D0"]}}));
    let empty = report(&world);
    given::done(&mut world, &json!({"volume.write": {"volume": "D0", "bytes": "400GB"}}));
    let filled = report(&world);
    let per_io = |report: &Report, samples: &[Sample], name: &str| busy(samples, name) / report.total.iops;
    let factor = {
        let calibration = world.array.calibration.as_ref().expect("the AF250 is calibrated");
        (calibration.reduction_read_ppm.factor() + calibration.reduction_write_ppm.factor()) / 2.0
    };
    near(per_io(&filled, &filled.controllers, "CM0"), factor * per_io(&plain, &plain.controllers, "CM0"), 1e-3);
    let drives = |report: &Report| busy(&report.raid_groups, &report.raid_groups[0].name) / report.total.iops;
    near(drives(&filled), drives(&plain) / 4.0, 0.1);
    near(drives(&empty), drives(&plain), 1e-3);
    assert!(filled.total.iops < plain.total.iops);
}

#[test]
fn a_containers_reduction_counts_for_the_volumes_in_it() {
    let operations = [
        json!({"pool.create": {"name": "aggr1", "level": "raid-dp", "drive_count": 8}}),
        json!({"container.create": {"name": "plain", "pool": "aggr1", "size": "1TB"}}),
        json!({"container.create": {"name": "small", "pool": "aggr1", "size": "1TB", "compression": true, "deduplication": true}}),
        json!({"volume.create": {"name": "L0", "container": "plain", "size": "100GB"}}),
        json!({"volume.create": {"name": "L1", "container": "small", "size": "100GB", "reducibility": 2}}),
        json!({"volume.write": {"volume": "small/L1", "bytes": "50GB"}}),
    ];
    let mut world = given::with("aff-a250", &operations);
    calibrate(&mut world);
    given::done(&mut world, &json!({"host.create": {"name": "H0", "protocol": "fc", "wwn": "10000090fa000001"}}));
    for volume in ["plain/L0", "small/L1"] {
        given::done(&mut world, &json!({"mapping.create": {"volume": volume, "host": "H0"}}));
    }
    start(&mut world, "W0", &["plain/L0"], 256, &reads(50));
    let plain = iops(&world);
    given::done(&mut world, &json!({"workload.update": {"workload": "W0", "volumes": ["small/L1"]}}));
    assert!(iops(&world) < plain);
}

#[test]
fn a_full_pool_lets_only_reads_through_until_it_has_space_again() {
    let mut world = reduced_lab("eternus-af250");
    given::done(&mut world, &json!({"volume.create": {"name": "fill", "pool": "P0", "size": "20TB"}}));
    start(&mut world, "W0", &["V0"], 64, &reads(75));
    assert!(report(&world).total.write_iops > 0.0);
    let free = world.array.pools.iter().next().expect("P0").free().get();
    given::done(&mut world, &json!({"volume.write": {"volume": "fill", "bytes": free}}));
    let full = report(&world);
    assert_eq!(full.total.write_iops, 0.0);
    near(full.total.outstanding, 48.0, 1e-4);
    given::done(&mut world, &json!({"volume.delete": {"volume": "fill"}}));
    assert!(report(&world).total.write_iops > 0.0);
}

#[test]
fn a_copy_session_loads_source_and_destination_while_it_copies_and_a_mirror_for_as_long_as_it_lives() {
    let mut world = lab("raid1+0", 12);
    start(&mut world, "W0", &["V0"], 16, &reads(30));
    let alone = report(&world);
    given::done(&mut world, &json!({"copy-session.create": {"source": "V0", "destination": "V1", "kind": "ec"}}));
    let copying = report(&world);
    given::done(&mut world, &json!({"clock.advance": {"until": "idle"}}));
    let mirroring = report(&world);
    let session = world.array.copy_sessions.iter().next().map(|session| arrayplane::model::Object::name(session).to_owned()).expect("a session");
    assert!(copying.total.iops < mirroring.total.iops && mirroring.total.iops < alone.total.iops, "{} {}", copying.total.iops, mirroring.total.iops);
    let write = busy(&alone.raid_groups, "RG0") / alone.total.iops;
    assert!(busy(&mirroring.raid_groups, "RG1") / mirroring.total.iops > 0.5 * write, "each write is written to V1 as well");
    assert!(busy(&copying.controllers, "CM1") > busy(&mirroring.controllers, "CM1"));
    given::done(&mut world, &json!({"copy-session.suspend": {"copy_session": session}}));
    assert_eq!(report(&world).total.iops, alone.total.iops);
}

#[test]
fn a_faster_copy_is_felt_more() {
    let run = |priority: &str| {
        let mut world = lab("raid1+0", 4);
        start(&mut world, "W0", &["V0"], 64, &reads(30));
        given::done(&mut world, &json!({"copy-session.create": {"source": "V0", "destination": "V1", "kind": "opc", "priority": priority}}));
        iops(&world)
    };
    assert!(run("high") < run("middle") && run("middle") < run("low"));
}

#[test]
fn migrations_and_formats_are_felt_until_they_end() {
    let mut world = lab("raid1+0", 4);
    start(&mut world, "W0", &["V0"], 64, &reads(30));
    for operation in [
        json!({"volume.create": {"name": "M", "raid_group": "RG0", "size": "100GiB"}}),
        json!({"volume.create": {"name": "F", "raid_group": "RG0", "size": "100GiB"}}),
    ] {
        given::done(&mut world, &operation);
    }
    let quiet = report(&world);
    for work in [json!({"volume.migrate": {"volume": "M", "raid_group": "RG1"}}), json!({"volume.format": {"volume": "F"}})] {
        given::done(&mut world, &work);
        let during = report(&world);
        assert!(during.total.iops < quiet.total.iops, "{work}");
        given::done(&mut world, &json!({"clock.advance": {"until": "idle"}}));
        assert_eq!(report(&world).total.iops, quiet.total.iops, "{work}");
    }
}

#[test]
fn a_pool_that_grows_becomes_faster_when_it_is_balanced() {
    let operations = [
        json!({"clock.set": {"mode": "manual"}}),
        json!({"pool.create": {"name": "P0", "level": "raid1+0", "drive_count": 4, "controller": "CM0"}}),
        json!({"volume.create": {"name": "V0", "pool": "P0", "size": "1TB"}}),
        json!({"volume.write": {"volume": "V0", "bytes": "1TB"}}),
        json!({"host.create": {"name": "H0", "protocol": "fc", "wwn": "10000090fa000001"}}),
        json!({"mapping.create": {"volume": "V0", "host": "H0"}}),
    ];
    let mut world = given::with("eternus-af250", &operations);
    start(&mut world, "W0", &["V0"], 256, &reads(30));
    let before = iops(&world);
    given::done(&mut world, &json!({"pool.expand": {"pool": "P0", "drive_count": 4, "controller": "CM1"}}));
    assert_eq!(iops(&world), before, "what lies there stays there");
    given::done(&mut world, &json!({"pool.balance": {"pool": "P0"}}));
    assert!(iops(&world) < before, "the moving is felt");
    advance(&mut world, "10m");
    given::done(&mut world, &json!({"pool.stop-balancing": {"pool": "P0"}}));
    let (some, pool) = (iops(&world), world.array.pools.iter().next().expect("P0").clone());
    assert!(some > before && !pool.unbalanced().is_zero() && pool.unbalanced() < pool.used());
    given::done(&mut world, &json!({"pool.balance": {"pool": "P0"}}));
    given::done(&mut world, &json!({"clock.advance": {"until": "idle"}}));
    assert!(iops(&world) > 1.5 * before && world.array.pools.iter().next().expect("P0").unbalanced().is_zero());
    assert!(world.now().since(arrayplane::units::SimTime::START) > SimSpan::seconds(600));
}

#[test]
fn limits_hold_and_follow_their_policy() {
    let mut world = lab("raid1+0", 12);
    given::done(&mut world, &json!({"qos-policy.create": {"name": "silver", "level": 6}}));
    start(&mut world, "W0", &["V0"], 64, &reads(70));
    start(&mut world, "W1", &["V1"], 64, &reads(70));
    let free = report(&world);
    given::done(&mut world, &json!({"volume.update": {"volume": "V0", "qos_policy": "silver"}}));
    let held = report(&world);
    near(named(&held.volumes, "V0").iops, 3000.0, 1e-6);
    near(named(&held.volumes, "V0").latency_ms.expect("latency"), 64.0 / 3.0, 1e-4);
    assert!(named(&held.volumes, "V1").iops >= named(&free.volumes, "V1").iops);
    assert_eq!(named(&held.workloads, "W0").bottleneck.as_deref(), Some("QoS policy silver of volume V0"));
    given::done(&mut world, &json!({"qos-policy.update": {"qos_policy": "silver", "level": 15}}));
    near(named(&report(&world).volumes, "V0").iops, 60.0, 1e-6);
    given::done(&mut world, &json!({"volume.update": {"volume": "V0", "qos_policy": ""}}));
    assert_eq!(report(&world), free);
}

#[test]
fn automatic_qos_of_the_s2_keeps_the_high_volumes_fast() {
    let mut world = given::model("eternus-af250-s2", 7);
    calibrate(&mut world);
    for operation in [
        json!({"raid-group.create": {"name": "RG0", "level": "raid1+0", "drive_count": 8, "controller": "CM0"}}),
        json!({"volume.create": {"name": "V0", "raid_group": "RG0", "size": "200GiB", "qos_priority": "high"}}),
        json!({"volume.create": {"name": "V1", "raid_group": "RG0", "size": "200GiB", "qos_priority": "low"}}),
        json!({"host.create": {"name": "H0", "protocol": "fc", "wwn": "10000090fa000001"}}),
        json!({"mapping.create": {"volume": "V0", "host": "H0"}}),
        json!({"mapping.create": {"volume": "V1", "host": "H0"}}),
    ] {
        given::done(&mut world, &operation);
    }
    start(&mut world, "first", &["V0"], 32, &reads(70));
    start(&mut world, "noisy", &["V1"], 4000, &reads(70));
    let off = report(&world);
    given::done(&mut world, &json!({"settings.update": {"automatic_qos": true}}));
    let on = report(&world);
    let latency = |report: &Report| named(&report.workloads, "first").latency_ms.expect("latency");
    assert!(latency(&on) < 0.5 * latency(&off), "{} {}", latency(&on), latency(&off));
    assert!(named(&on.workloads, "noisy").iops < named(&off.workloads, "noisy").iops);
    given::done(&mut world, &json!({"volume.update": {"volume": "V1", "qos_priority": "unlimited"}}));
    assert_eq!(report(&world), off);
}

#[test]
fn a_noisy_neighbour_is_felt_on_every_part_that_is_shared_and_on_no_other() {
    // Of V0: a controller, ports and drives with N0; a controller and ports with N1 on other drives; ports only with V1.
    let run = |neighbour: Option<&str>, ports: bool| {
        let mut world = lab("raid1+0", 8);
        let mut operations = vec![
            json!({"raid-group.create": {"name": "RG2", "level": "raid1+0", "drive_count": 8, "controller": "CM0"}}),
            json!({"volume.create": {"name": "N0", "raid_group": "RG0", "size": "100GiB"}}),
            json!({"volume.create": {"name": "N1", "raid_group": "RG2", "size": "100GiB"}}),
            json!({"port-group.create": {"name": "PG0", "ports": ["CM0-CA0-P0"]}}),
            json!({"port-group.create": {"name": "PG1", "ports": ["CM1-CA0-P0"]}}),
            json!({"mapping.create": {"volume": "N0", "host": "H0"}}),
            json!({"mapping.create": {"volume": "N1", "host": "H0"}}),
        ];
        if !ports {
            operations.extend(["V0", "V1"].map(|volume| json!({"mapping.delete": {"mapping": format!("{volume}-H0")}})));
            operations.push(json!({"mapping.create": {"volume": "V0", "host": "H0", "port_group": "PG0"}}));
            operations.push(json!({"mapping.create": {"volume": "V1", "host": "H0", "port_group": "PG1"}}));
        }
        operations.iter().for_each(|operation| drop(given::done(&mut world, operation)));
        start(&mut world, "W0", &["V0"], 8, &reads(30));
        if let Some(neighbour) = neighbour {
            start(&mut world, "noisy", &[neighbour], 1000, &json!({"read_percent": 0, "block_size": "64KiB"}));
        }
        assert_eq!(engine::problems(&world), Vec::<String>::new());
        named(&report(&world).workloads, "W0").latency_ms.expect("latency")
    };
    let quiet = run(None, true);
    let (drives, controller, ports) = (run(Some("N0"), true), run(Some("N1"), true), run(Some("V1"), true));
    assert!(drives > controller && controller > ports && ports > quiet, "{drives} {controller} {ports} {quiet}");
    assert_eq!(run(Some("V1"), false), run(None, false));
}

#[test]
fn cache_hits_spare_the_drives() {
    let mut world = lab("raid5", 4);
    start(&mut world, "W0", &["V0"], 32, &json!({"read_percent": 100, "cache_hit_percent": 0}));
    let none = drives_per_io(&report(&world));
    given::done(&mut world, &json!({"workload.update": {"workload": "W0", "cache_hit_percent": 75}}));
    near(drives_per_io(&report(&world)), none / 4.0, 1e-4);
    given::done(&mut world, &json!({"workload.update": {"workload": "W0", "cache_hit_percent": 100}}));
    assert_eq!(drives_per_io(&report(&world)), 0.0);
}
