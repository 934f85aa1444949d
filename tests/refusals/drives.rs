//! Drives: spares, faults, replacement, redundant copies.

use arrayplane::ops::World;
use serde_json::json;

use super::ladder::{Ladder, Refusal};
use crate::given;

pub(super) fn ladders() -> Vec<Refusal> {
    [update(), fail(), predict_failure(), pull(), insert(), replace(), redundant_copy()].concat()
}

#[test]
fn drives_refuse_in_the_documented_order() {
    ladders();
}

/// 12 drives of 1.92 TB, then 8 of 960 GB; RG0 of the first four, RG1 of two small ones, P0 of two more; 4 is a spare.
fn world() -> World {
    let operations = [
        json!({"raid-group.create": {"name": "RG0", "level": "raid5", "drive_count": 4}}),
        json!({"raid-group.create": {"name": "RG1", "level": "raid1", "drives": ["12", "13"]}}),
        json!({"pool.create": {"name": "P0", "level": "raid1", "drives": ["18", "19"]}}),
        json!({"drive.update": {"drive": "4", "spare": true}}),
    ];
    given::with_drives("eternus-af250", given::two_kinds(), &operations)
}

fn update() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"drive.fail": {"drive": "0"}}));
    given::done(&mut world, &json!({"drive.fail": {"drive": "14"}}));
    Ladder::new(world, "drive.update", json!({"drive": "99", "spare": false, "dedicated_to": "X"}))
        .refused(("not_found", "drive", ""), json!({"drive": "1"}))
        .refused(("conflicting", "drive", "dedicated_to"), json!({"spare": true}))
        .refused(("not_found", "raid-group", "dedicated_to"), json!({"dedicated_to": "P0_0"}))
        .also(("in_use", "drive", ""), json!({"drive": "4", "spare": false, "dedicated_to": ""}))
        .refused(("in_use", "drive", ""), json!({"drive": "14"}))
        .refused(("wrong_state", "drive", ""), json!({"drive": "15"}))
        .refused(("raid_group_in_pool", "raid-group", ""), json!({"dedicated_to": "RG0"}))
        .refused(("drives_differ", "drive", "capacity"), json!({"dedicated_to": "RG1"}))
        .done()
}

fn fail() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"drive.pull": {"drive": "1"}}));
    given::done(&mut world, &json!({"drive.fail": {"drive": "4"}}));
    Ladder::new(world, "drive.fail", json!({"drive": "99"}))
        .refused(("not_found", "drive", ""), json!({"drive": "1"}))
        .refused(("wrong_state", "drive", ""), json!({"drive": "4"}))
        .refused(("wrong_state", "drive", ""), json!({"drive": "2"}))
        .done()
}

fn predict_failure() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"drive.predict-failure": {"drive": "1"}}));
    Ladder::new(world, "drive.predict-failure", json!({"drive": "99"}))
        .refused(("not_found", "drive", ""), json!({"drive": "1"}))
        .refused(("wrong_state", "drive", ""), json!({"drive": "2"}))
        .done()
}

fn pull() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"drive.pull": {"drive": "1"}}));
    Ladder::new(world, "drive.pull", json!({"drive": "99"}))
        .refused(("not_found", "drive", ""), json!({"drive": "1"}))
        .refused(("wrong_state", "drive", ""), json!({"drive": "2"}))
        .done()
}

fn insert() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"drive.pull": {"drive": "1"}}));
    Ladder::new(world, "drive.insert", json!({"drive": "99"}))
        .refused(("not_found", "drive", ""), json!({"drive": "0"}))
        .refused(("wrong_state", "drive", ""), json!({"drive": "1"}))
        .done()
}

fn replace() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"drive.predict-failure": {"drive": "12"}}));
    given::done(&mut world, &json!({"drive.fail": {"drive": "1"}}));
    Ladder::new(world, "drive.replace", json!({"drive": "99"}))
        .refused(("not_found", "drive", ""), json!({"drive": "0"}))
        .also(("wrong_state", "drive", ""), json!({"drive": "12"}))
        .refused(("wrong_state", "drive", ""), json!({"drive": "1"}))
        .done()
}

fn redundant_copy() -> Vec<Refusal> {
    let mut world = world();
    for operation in [
        json!({"raid-group.create": {"name": "RG2", "level": "raid0", "drives": ["14", "15"]}}),
        json!({"drive.pull": {"drive": "15"}}),
        json!({"drive.fail": {"drive": "0"}}),
        json!({"drive.update": {"drive": "5", "dedicated_to": "RG0"}}),
        json!({"drive.update": {"drive": "16", "spare": true}}),
    ] {
        given::done(&mut world, &operation);
    }
    Ladder::new(world, "drive.redundant-copy", json!({"drive": "99", "spare": "99"}))
        .refused(("not_found", "drive", ""), json!({"drive": "6"}))
        .refused(("not_found", "drive", "spare"), json!({"spare": "6"}))
        .also(("wrong_state", "drive", ""), json!({"drive": "0"}))
        .refused(("wrong_state", "drive", ""), json!({"drive": "1"}))
        .refused_before(("busy", "raid-group", ""), [json!({"clock.advance": {"until": "idle"}}), json!({"drive.redundant-copy": {"drive": "1"}})])
        .refused_before(("busy", "raid-group", ""), [json!({"clock.advance": {"until": "idle"}})])
        .refused(("wrong_state", "drive", ""), json!({"drive": "14"}))
        .refused(("wrong_state", "raid-group", ""), json!({"drive": "2"}))
        .also(("in_use", "drive", ""), json!({"spare": "4"}))
        .also(("in_use", "drive", ""), json!({"spare": "3"}))
        .refused(("wrong_state", "drive", ""), json!({"spare": null}))
        .refused(("missing", "drive", "spare"), json!({"spare": "16"}))
        .refused_before(("drives_differ", "drive", "capacity"), [json!({"drive.update": {"drive": "6", "dedicated_to": "RG1"}})])
        .refused(("drives_differ", "drive", "capacity"), json!({"spare": "6"}))
        .refused_before(("in_use", "drive", ""), [json!({"drive.update": {"drive": "6", "dedicated_to": ""}})])
        .done()
}
