//! What a broken RAID group refuses: every operation that needs its data or its space.

use arrayplane::ops::World;
use serde_json::{Value, json};

use super::ladder::{Ladder, Refusal};
use crate::given;

pub(super) fn ladders() -> Vec<Refusal> {
    [of_volumes(), of_homes(), of_pools(), of_containers()].concat()
}

#[test]
fn what_is_broken_refuses_until_its_drives_are_put_back() {
    ladders();
}

/// RG0 and P0 are broken by a pulled drive each; V0 and V1 live in them, V2 in RG2, which serves.
fn world() -> World {
    let operations = [
        json!({"raid-group.create": {"name": "RG0", "level": "raid0", "drive_count": 2}}),
        json!({"pool.create": {"name": "P0", "level": "raid0", "drive_count": 2}}),
        json!({"raid-group.create": {"name": "RG2", "level": "raid0", "drive_count": 2}}),
        json!({"volume.create": {"name": "V0", "raid_group": "RG0", "size": "1GiB"}}),
        json!({"volume.create": {"name": "V1", "pool": "P0", "size": "1GiB"}}),
        json!({"volume.create": {"name": "V2", "raid_group": "RG2", "size": "1GiB"}}),
        json!({"drive.pull": {"drive": "0"}}),
        json!({"drive.pull": {"drive": "2"}}),
    ];
    given::with("eternus-af250", &operations)
}

fn back(drive: &str) -> [Value; 1] {
    [json!({"drive.insert": {"drive": drive}})]
}

fn of_volumes() -> Vec<Refusal> {
    let mut met = Vec::new();
    for (name, request) in [
        ("volume.write", json!({"volume": "V0", "bytes": "1MiB"})),
        ("volume.unmap", json!({"volume": "V0", "bytes": "1MiB"})),
        ("volume.format", json!({"volume": "V0"})),
        ("volume.expand", json!({"volume": "V0", "size": "2GiB"})),
        ("volume.migrate", json!({"volume": "V0", "raid_group": "RG2"})),
    ] {
        met.extend(Ladder::new(world(), name, request).refused_before(("wrong_state", "volume", ""), back("0")).done());
    }
    let mut lost = world();
    given::done(&mut lost, &json!({"drive.replace": {"drive": "0"}}));
    let request = json!({"volume": "V0", "bytes": "1MiB"});
    met.extend(Ladder::new(lost, "volume.write", request).refused(("wrong_state", "volume", ""), json!({"volume": "V2"})).done());
    met
}

fn of_homes() -> Vec<Refusal> {
    let create = |home: Value| json!({"name": "N", "size": "1GiB", "raid_group": home["raid_group"], "pool": home["pool"]});
    [
        Ladder::new(world(), "volume.create", create(json!({"raid_group": "RG0"}))).refused_before(("wrong_state", "raid-group", ""), back("0")).done(),
        Ladder::new(world(), "volume.create", create(json!({"pool": "P0"}))).refused_before(("wrong_state", "pool", ""), back("2")).done(),
        Ladder::new(world(), "volume.migrate", json!({"volume": "V2", "raid_group": "RG0"}))
            .refused(("wrong_state", "raid-group", ""), json!({"raid_group": null, "pool": "P0"}))
            .refused_before(("wrong_state", "pool", ""), back("2"))
            .done(),
    ]
    .concat()
}

fn of_pools() -> Vec<Refusal> {
    let mut growing = world();
    for operation in [
        json!({"volume.delete": {"volume": "V0"}}),
        json!({"raid-group.create": {"name": "RG3", "level": "raid0", "drive_count": 2}}),
        json!({"drive.update": {"drive": "20", "dedicated_to": "RG3"}}),
        json!({"raid-group.expand": {"raid_group": "RG3", "drive_count": 1}}),
    ] {
        given::done(&mut growing, &operation);
    }
    let create = Ladder::new(growing, "pool.create", json!({"name": "P1", "raid_groups": ["RG0", "RG3"]}))
        .refused_before(("wrong_state", "raid-group", ""), back("0"))
        .refused_before(("busy", "raid-group", ""), [json!({"clock.advance": {"until": "idle"}})])
        .refused_before(("in_use", "raid-group", ""), [json!({"drive.update": {"drive": "20", "dedicated_to": ""}})])
        .refused(("raid_groups_differ", "raid-group", "raid_groups"), json!({"raid_groups": ["RG3"]}))
        .done();
    let expand = Ladder::new(world(), "pool.expand", json!({"pool": "P0", "drive_count": 2})).refused_before(("wrong_state", "pool", ""), back("2")).done();
    let operations = [
        json!({"pool.create": {"name": "P0", "level": "raid5", "drive_count": 3}}),
        json!({"drive.update": {"drive": "3", "spare": true}}),
        json!({"drive.fail": {"drive": "0"}}),
    ];
    let delete = Ladder::new(given::with("eternus-af250", &operations), "pool.delete", json!({"pool": "P0"}))
        .refused_before(("busy", "raid-group", ""), [json!({"clock.advance": {"until": "idle"}})])
        .done();
    [create, expand, delete].concat()
}

/// Three of three members are pulled: the last one brings the pool back.
fn of_containers() -> Vec<Refusal> {
    let furnished = [
        json!({"pool.create": {"name": "P0", "level": "raid-dp", "drives": ["0", "1", "2"]}}),
        json!({"container.create": {"name": "C0", "pool": "P0", "size": "100GB"}}),
        json!({"volume.create": {"name": "V0", "container": "C0", "size": "10GB"}}),
        json!({"snapshot.create": {"container": "C0", "name": "S0"}}),
        json!({"container.clone": {"snapshot": "C0/S0", "name": "C1"}}),
    ];
    let world = || {
        let mut world = given::with("aff-a250", &furnished);
        world.array.personality.sparing.unused_drives_are_spares = false;
        for drive in ["0", "1", "2"] {
            given::done(&mut world, &json!({"drive.pull": {"drive": drive}}));
        }
        world
    };
    let mut met = Vec::new();
    for (name, noun, request) in [
        ("container.create", "pool", json!({"name": "N", "pool": "P0", "size": "1GB"})),
        ("container.clone", "pool", json!({"snapshot": "C0/S0", "name": "N"})),
        ("container.split", "pool", json!({"container": "C1"})),
        ("snapshot.create", "pool", json!({"container": "C0", "name": "N"})),
        ("snapshot.restore", "pool", json!({"snapshot": "C0/S0"})),
        ("volume.create", "pool", json!({"name": "N", "container": "C0", "size": "1GB"})),
        ("volume.clone", "volume", json!({"volume": "C0/V0", "name": "N"})),
    ] {
        met.extend(Ladder::new(world(), name, request).refused_before(("wrong_state", noun, ""), back("2")).done());
    }
    met
}
