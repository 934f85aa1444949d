//! Volumes in copy sessions, and volumes for snapshots.

use arrayplane::ops::World;
use serde_json::json;

use super::copies::{copy, full, idle, larger, rules, tracking, with, world};
use super::ladder::{Ladder, Refusal};
use crate::given;

pub(super) fn ladders() -> Vec<Refusal> {
    let made = [snapshot(), snapshot_without_room(), rotate(), resync(), clone(), create()].concat();
    let kept = [initialize(), delete(), delete_generation(), changes(), special()].concat();
    [made, kept, write(), access(), cancel()].concat()
}

#[test]
fn volumes_in_copy_sessions_refuse_in_the_documented_order() {
    ladders();
}

fn snapshot() -> Vec<Refusal> {
    let mut world = with(&[
        json!({"volume.migrate": {"volume": "A", "raid_group": "RG0"}}),
        json!({"volume.snapshot": {"volume": "B", "name": "S", "pool": "P0"}}),
        copy("opc", "D", "E"),
    ]);
    world.array.personality.limits.volumes = 8;
    rules(&mut world).cascade = 1;
    Ladder::new(super::containers::world(), "volume.snapshot", json!({"volume": "X", "name": "S", "pool": "P0", "raid_group": "RG0"}))
        .refused_until(("not_supported", "copy-session", "kind"), move |old| *old = world)
        .refused(("not_found", "volume", ""), json!({"volume": "O"}))
        .refused(("not_supported", "copy-session", "volume"), json!({"volume": "A"}))
        .also(("missing", "volume", "pool"), json!({"pool": null, "raid_group": null}))
        .refused(("conflicting", "volume", "raid_group"), json!({"raid_group": null}))
        .refused_before(("busy", "volume", ""), [json!({"volume.stop-migration": {"volume": "A"}})])
        .also(("in_use", "volume", ""), json!({"volume": "S"}))
        .also(("limit_reached", "copy-session", ""), json!({"volume": "E"}))
        .refused(("name_taken", "volume", "name"), json!({"name": "S2"}))
        .refused_until(("limit_reached", "volume", ""), |world| world.array.personality.limits.volumes = 9)
        .done()
}

fn snapshot_without_room() -> Vec<Refusal> {
    let mut world = world();
    (rules(&mut world).generations, rules(&mut world).sessions_per_source) = (0, 0);
    rules(&mut world).capacity = arrayplane::units::Bytes::new(1);
    Ladder::new(world, "volume.snapshot", json!({"volume": "A", "name": "S", "raid_group": "RG0"}))
        .also(("limit_reached", "copy-session", ""), json!({"manual": true}))
        .refused_until(("limit_reached", "copy-session", ""), |world| rules(world).generations = 1)
        .refused_until(("copy_capacity", "copy-session", ""), |world| rules(world).capacity = arrayplane::units::Bytes::tib(1))
        .done()
}

fn rotate() -> Vec<Refusal> {
    let restored = json!({"copy-session.restore": {"copy_session": "A-S"}});
    let world = with(&[
        json!({"volume.snapshot": {"volume": "A", "name": "S", "pool": "P0"}}),
        json!({"volume.write": {"volume": "A", "bytes": "100GB"}}),
        restored,
        copy("quick_opc", "S", "B"),
    ]);
    Ladder::new(world, "volume.rotate-snapshots", json!({"volume": "X"}))
        .refused(("not_found", "volume", ""), json!({"volume": "B"}))
        .refused(("not_running", "volume", ""), json!({"volume": "A"}))
        .refused_before(("busy", "copy-session", ""), [idle()])
        .refused_before(("in_use", "volume", ""), [json!({"copy-session.delete": {"copy_session": "SB"}})])
        .done()
}

fn resync() -> Vec<Refusal> {
    Ladder::new(tracking(), "volume.resync", json!({"volume": "X", "backup": "X"}))
        .refused(("not_found", "volume", ""), json!({"volume": "A"}))
        .refused(("not_found", "volume", "backup"), json!({"backup": "T"}))
        .refused(("not_running", "volume", ""), json!({"backup": "B"}))
        .refused(("not_supported", "copy-session", "copy_session"), json!({"volume": "E", "backup": "T"}))
        .refused_before(("busy", "copy-session", ""), [idle()])
        .refused_before(("pool_full", "pool", ""), [larger()])
        .done()
}

fn clone() -> Vec<Refusal> {
    let [filler, _] = full("T");
    let mut world = with(&[filler, json!({"volume.migrate": {"volume": "A", "raid_group": "RG0"}}), copy("opc", "D", "E")]);
    rules(&mut world).cascade = 1;
    rules(&mut world).sessions = 1;
    let copies = world.array.personality.copy.take();
    Ladder::new(world, "volume.clone", json!({"volume": "X", "name": "a,b"}))
        .refused(("not_found", "volume", ""), json!({"volume": "O"}))
        .refused_until(("not_supported", "copy-session", "kind"), move |world| world.array.personality.copy = copies)
        .refused(("not_supported", "copy-session", "volume"), json!({"volume": "A"}))
        .refused(("missing", "volume", "pool"), json!({"pool": "X"}))
        .refused_before(("busy", "volume", ""), [json!({"volume.stop-migration": {"volume": "A"}})])
        .also(("limit_reached", "copy-session", ""), json!({"volume": "E"}))
        .refused(("not_found", "pool", "pool"), json!({"pool": "P1"}))
        .refused(("name_invalid", "volume", "name"), json!({"name": "copy"}))
        .refused_until(("limit_reached", "copy-session", ""), |world| rules(world).sessions = 2)
        .refused_before(("pool_full", "pool", ""), [larger()])
        .done()
}

fn create() -> Vec<Refusal> {
    let world = with(&[json!({"raid-group.create": {"name": "RG1", "level": "raid1", "drive_count": 2}})]);
    let request = json!({"name": "S", "pool": "P0", "size": "100MiB", "own_area": "1TiB", "usage": "odx", "role": "data"});
    let copies = world.array.personality.copy.clone();
    let mut without = world;
    without.array.personality.copy = None;
    Ladder::new(without, "volume.create", request)
        .refused(("conflicting", "volume", "own_area"), json!({"role": "snap_data"}))
        .refused_until(("not_supported", "volume", "role"), move |world| world.array.personality.copy = copies)
        .also(("not_supported", "volume", "role"), json!({"pool": null, "raid_groups": ["RG0", "RG1"]}))
        .refused(("not_supported", "volume", "role"), json!({"pool": null, "raid_group": "RG0"}))
        .refused(("not_supported", "volume", "usage"), json!({"usage": null}))
        .also(("out_of_range", "volume", "size"), json!({"role": "snap_pool", "own_area": null}))
        .refused(("out_of_range", "volume", "own_area"), json!({"own_area": "50MiB"}))
        .done()
}

/// A snapshot of A in the snap data volume SDV, which has taken an element of the snap data pool volume SDPV.
fn snap_pool() -> World {
    with(&[
        json!({"volume.create": {"name": "SDPV", "raid_group": "RG0", "size": "40GiB", "role": "snap_pool"}}),
        json!({"volume.create": {"name": "SDPV2", "raid_group": "RG0", "size": "1GiB", "role": "snap_pool"}}),
        json!({"volume.snapshot": {"volume": "A", "name": "SDV", "raid_group": "RG0"}}),
        json!({"volume.write": {"volume": "A", "bytes": "55GB"}}),
        json!({"host.create": {"name": "H0", "protocol": "fc", "wwn": "10000090fa000001"}}),
    ])
}

fn initialize() -> Vec<Refusal> {
    Ladder::new(snap_pool(), "volume.initialize", json!({"volume": "X"}))
        .refused(("not_found", "volume", ""), json!({"volume": "A"}))
        .refused(("not_supported", "volume", "volume"), json!({"volume": "SDV"}))
        .refused_before(("in_use", "volume", ""), [json!({"copy-session.delete": {"copy_session": "A-SDV"}})])
        .done()
}

fn delete() -> Vec<Refusal> {
    Ladder::new(snap_pool(), "volume.delete", json!({"volume": "SDPV"}))
        .also(("in_use", "volume", ""), json!({"volume": "A"}))
        .also(("in_use", "volume", ""), json!({"volume": "SDV"}))
        .refused(("in_use", "volume", ""), json!({"force": true}))
        .done()
}

fn delete_generation() -> Vec<Refusal> {
    let [filler, _] = full("T");
    let world = with(&[
        json!({"volume.snapshot": {"volume": "A", "name": "S1", "pool": "P1"}}),
        json!({"volume.snapshot": {"volume": "A", "name": "S2", "pool": "P0"}}),
        json!({"volume.write": {"volume": "A", "bytes": "100GB"}}),
        json!({"volume.snapshot": {"volume": "A", "name": "S3", "pool": "P0"}}),
        copy("ec", "D", "E"),
        filler,
    ]);
    Ladder::new(world, "volume.delete", json!({"volume": "S2"}))
        .also(("in_use", "volume", ""), json!({"volume": "E"}))
        .refused_before(("in_use", "volume", ""), [json!({"volume.delete": {"volume": "S3"}})])
        .refused_before(("pool_full", "pool", ""), [larger()])
        .done()
}

fn changes() -> Vec<Refusal> {
    let mirrored = || with(&[copy("ec", "A", "B"), idle()]);
    let gone = || json!({"copy-session.delete": {"copy_session": "AB"}});
    let met = |name, request| Ladder::new(mirrored(), name, request).refused_before(("in_use", "volume", ""), [gone()]).done();
    [
        met("volume.expand", json!({"volume": "A", "size": "200GB"})),
        met("volume.format", json!({"volume": "B"})),
        met("volume.migrate", json!({"volume": "B", "pool": "P1"})),
        met("volume.update", json!({"volume": "A", "usage": "odx"})),
        met("volume.update", json!({"volume": "B", "copy_protection": true})),
    ]
    .concat()
}

fn special() -> Vec<Refusal> {
    let met = |name, request, field, cure| Ladder::new(snap_pool(), name, request).refused(("not_supported", "volume", field), cure).done();
    [
        met("volume.expand", json!({"volume": "SDPV", "size": "200GB"}), "volume", json!({"volume": "B", "size": "200GB"})),
        met("volume.format", json!({"volume": "SDPV"}), "volume", json!({"volume": "B"})),
        met("volume.migrate", json!({"volume": "SDV", "pool": "P1"}), "volume", json!({"volume": "B"})),
        met("volume.update", json!({"volume": "SDV", "usage": "odx"}), "usage", json!({"usage": "block"})),
    ]
    .concat()
}

fn write() -> Vec<Refusal> {
    let mut world = snap_pool();
    given::done(&mut world, &copy("ec", "B", "C"));
    let written = Ladder::new(world, "volume.write", json!({"volume": "SDPV", "bytes": 0}))
        .refused(("not_supported", "volume", "volume"), json!({"volume": "C"}))
        .refused_before(("in_use", "volume", ""), [json!({"copy-session.suspend": {"copy_session": "BC", "force": true}})])
        .refused(("out_of_range", "volume", "bytes"), json!({"volume": "SDV", "bytes": "100GB"}));
    let unmapped = Ladder::new(snap_pool(), "volume.unmap", json!({"volume": "SDPV", "bytes": 1}))
        .refused(("not_supported", "volume", "volume"), json!({"volume": "A"}))
        .done();
    [written.refused(("pool_full", "pool", ""), json!({"bytes": "1GB"})).done(), unmapped].concat()
}

fn access() -> Vec<Refusal> {
    let mapping = Ladder::new(snap_pool(), "mapping.create", json!({"volume": "SDPV", "host": "H0"}))
        .refused(("not_supported", "volume", "volume"), json!({"volume": "SDV"}))
        .done();
    let group = Ladder::new(snap_pool(), "lun-group.create", json!({"name": "LG", "luns": [{"volume": "SDPV"}]}))
        .refused(("not_supported", "volume", "luns"), json!({"luns": [{"volume": "SDV"}]}))
        .done();
    let mut world = snap_pool();
    given::done(&mut world, &json!({"lun-group.create": {"name": "LG"}}));
    let more = Ladder::new(world, "lun-group.update", json!({"lun_group": "LG", "add_luns": [{"volume": "SDPV"}]}))
        .refused(("not_supported", "volume", "add_luns"), json!({"add_luns": null}))
        .done();
    [mapping, group, more].concat()
}

fn cancel() -> Vec<Refusal> {
    let world = with(&[copy("opc", "A", "B"), json!({"job.submit": {"operation": {"volume.delete": {"volume": "C"}}, "after": "1h"}})]);
    Ladder::new(world, "job.cancel", json!({"job": "1"})).refused(("not_supported", "job", "job"), json!({"job": "2"})).done()
}
