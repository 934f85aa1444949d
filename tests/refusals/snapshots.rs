//! Snapshots.

use serde_json::json;

use super::containers::world;
use super::ladder::{Ladder, Refusal};
use crate::given;

pub(super) fn ladders() -> Vec<Refusal> {
    [create(), update(), delete(), restore()].concat()
}

#[test]
fn snapshots_refuse_in_the_documented_order() {
    ladders();
}

fn create() -> Vec<Refusal> {
    let mut world = world();
    world.array.personality.limits.snapshots_per_container = 1;
    Ladder::new(world, "snapshot.create", json!({"container": "X", "name": "a/b", "comment": "c".repeat(256)}))
        .refused(("not_found", "container", "container"), json!({"container": "vol1"}))
        .refused(("name_invalid", "snapshot", "name"), json!({"name": "snap1"}))
        .refused(("name_taken", "snapshot", "name"), json!({"name": "snap2"}))
        .refused(("out_of_range", "snapshot", "comment"), json!({"comment": "c".repeat(255)}))
        .refused_until(("limit_reached", "snapshot", ""), |world| world.array.personality.limits.snapshots_per_container = 2)
        .done()
}

fn update() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"snapshot.create": {"container": "vol1", "name": "snap2"}}));
    given::done(&mut world, &json!({"snapshot.create": {"container": "vol2", "name": "snap1"}}));
    Ladder::new(world, "snapshot.update", json!({"snapshot": "X", "name": "a/b", "comment": "c".repeat(256)}))
        .also(("ambiguous", "snapshot", ""), json!({"snapshot": "snap1"}))
        .refused(("not_found", "snapshot", ""), json!({"snapshot": "vol1/snap1"}))
        .refused(("name_invalid", "snapshot", "name"), json!({"name": "snap2"}))
        .refused(("name_taken", "snapshot", "name"), json!({"name": "snap3"}))
        .refused(("out_of_range", "snapshot", "comment"), json!({"comment": ""}))
        .done()
}

fn delete() -> Vec<Refusal> {
    Ladder::new(world(), "snapshot.delete", json!({"snapshot": "X"}))
        .refused(("not_found", "snapshot", ""), json!({"snapshot": "snap1"}))
        .refused_before(("in_use", "snapshot", ""), [json!({"container.delete": {"container": "vol2", "with_volumes": true}})])
        .done()
}

fn restore() -> Vec<Refusal> {
    let mut world = world();
    for operation in [
        // vol2 of a snapshot with a thick LUN that is gone, a later snapshot with a clone, a LUN since then that is mapped.
        json!({"volume.create": {"name": "thick", "container": "vol2", "size": "300GB", "allocation": "thick"}}),
        json!({"snapshot.create": {"container": "vol2", "name": "then"}}),
        json!({"snapshot.create": {"container": "vol2", "name": "later"}}),
        json!({"container.clone": {"snapshot": "vol2/later", "name": "vol3"}}),
        json!({"volume.delete": {"volume": "vol2/thick"}}),
        json!({"volume.create": {"name": "since", "container": "vol2", "size": "1GB", "allocation": "thin"}}),
        json!({"host.create": {"name": "esx", "protocol": "fc", "wwn": "10000090fa000001"}}),
        json!({"mapping.create": {"volume": "vol2/since", "host": "esx"}}),
        json!({"container.update": {"container": "vol2", "size": "200GB"}}),
        json!({"volume.format": {"volume": "vol2/lun0"}}),
        json!({"container.split": {"container": "vol2"}}),
    ] {
        given::done(&mut world, &operation);
    }
    world.array.personality.limits.volumes = 2;
    Ladder::new(world, "snapshot.restore", json!({"snapshot": "X"}))
        .refused(("not_found", "snapshot", ""), json!({"snapshot": "then"}))
        .refused_before(("in_use", "snapshot", ""), [json!({"container.delete": {"container": "vol3", "with_volumes": true}})])
        .refused_before(("busy", "volume", ""), [json!({"clock.advance": {"by": "220s"}})])
        .refused_before(("in_use", "volume", ""), [json!({"mapping.delete": {"mapping": "0"}})])
        .refused_before(("busy", "container", ""), [json!({"job.cancel": {"job": "2"}})])
        .refused_until(("limit_reached", "volume", ""), |world| world.array.personality.limits.volumes = 3)
        .refused_before(("container_full", "container", ""), [json!({"container.update": {"container": "vol2", "size": "600GB"}})])
        .done()
}
