//! Copy sessions.

use arrayplane::model::CopyRules;
use arrayplane::ops::World;
use arrayplane::units::Bytes;
use serde_json::{Value, json};

use super::ladder::{Ladder, Refusal};
use crate::given;

pub(super) fn ladders() -> Vec<Refusal> {
    [create(), create_where_there_are_none(), create_in_rows(), update(), suspend(), resume(), restart(), reverse(), restore(), delete(), delete_older()]
        .concat()
}

#[test]
fn copy_sessions_refuse_in_the_documented_order() {
    ladders();
}

/// P0, P1 and RG0 of 1.92 TB each; A to E of 100 GB in P0, of which 50 GB of A are written, and Small of 50 GB; a clock that stands still.
pub(super) fn world() -> World {
    let mut operations = vec![
        json!({"clock.set": {"mode": "manual"}}),
        json!({"pool.create": {"name": "P0", "level": "raid1", "drive_count": 2}}),
        json!({"pool.create": {"name": "P1", "level": "raid1", "drive_count": 2}}),
        json!({"raid-group.create": {"name": "RG0", "level": "raid1", "drive_count": 2}}),
        json!({"volume.create": {"name": "Small", "pool": "P0", "size": "50GB"}}),
        json!({"volume.create": {"name": "O", "pool": "P0", "size": "100GB", "usage": "odx"}}),
    ];
    operations.extend(["A", "B", "C", "D", "E"].map(|name| json!({"volume.create": {"name": name, "pool": "P0", "size": "100GB"}})));
    operations.push(json!({"volume.write": {"volume": "A", "bytes": "50GB"}}));
    given::with("eternus-af250", &operations)
}

pub(super) fn with(operations: &[Value]) -> World {
    let mut world = world();
    for operation in operations {
        given::done(&mut world, operation);
    }
    world
}

pub(super) fn rules(world: &mut World) -> &mut CopyRules {
    world.array.personality.copy.as_mut().expect("an ETERNUS copies")
}

pub(super) fn idle() -> Value {
    json!({"clock.advance": {"until": "idle"}})
}

pub(super) fn copy(kind: &str, source: &str, destination: &str) -> Value {
    json!({"copy-session.create": {"name": format!("{source}{destination}"), "kind": kind, "source": source, "destination": destination}})
}

fn gone(session: &str) -> Value {
    json!({"copy-session.delete": {"copy_session": session, "force": true}})
}

/// A thin volume in P1, in which so little is free that nothing of A fits.
pub(super) fn full(name: &str) -> [Value; 2] {
    [
        json!({"volume.create": {"name": "Filler", "pool": "P1", "size": "1890GB", "allocation": "thick"}}),
        json!({"volume.create": {"name": name, "pool": "P1", "size": "100GB"}}),
    ]
}

pub(super) fn larger() -> Value {
    json!({"pool.expand": {"pool": "P1", "drive_count": 2}})
}

fn create_where_there_are_none() -> Vec<Refusal> {
    let world = super::containers::world();
    Ladder::new(world, "copy-session.create", json!({"kind": "ec", "source": "X", "destination": "X"}))
        .refused_until(("not_supported", "copy-session", "kind"), |world| {
            *world = self::world();
            rules(world).kinds.retain(|kind| *kind != arrayplane::model::CopyKind::Ec);
        })
        .refused(("not_supported", "copy-session", "kind"), json!({"kind": "opc", "source": "A", "destination": "B"}))
        .done()
}

fn create() -> Vec<Refusal> {
    let [filler, target] = full("T");
    let mut world = with(&[
        filler,
        target,
        json!({"volume.create": {"name": "R", "raid_group": "RG0", "size": "100GB"}}),
        json!({"volume.update": {"volume": "T", "copy_protection": true}}),
        json!({"volume.migrate": {"volume": "A", "raid_group": "RG0"}}),
        json!({"volume.format": {"volume": "T"}}),
    ]);
    rules(&mut world).capacity = Bytes::new(150_000_000_000);
    let request = json!({"kind": "opc", "source": "X", "destination": "X", "name": "a,b"});
    Ladder::new(world, "copy-session.create", request)
        .refused(("not_found", "volume", "source"), json!({"source": "A"}))
        .refused(("not_found", "volume", "destination"), json!({"destination": "A"}))
        .refused(("conflicting", "copy-session", "source"), json!({"destination": "O"}))
        .also(("not_supported", "copy-session", "source"), json!({"source": "O", "destination": "A"}))
        .also(("not_supported", "copy-session", "destination"), json!({"kind": "snap_opc", "destination": "R"}))
        .refused(("not_supported", "copy-session", "destination"), json!({"destination": "Small"}))
        .refused(("out_of_range", "copy-session", "destination"), json!({"destination": "T"}))
        .refused_until(("wrong_state", "volume", ""), |world| set_protection(world, "T"))
        .refused_before(("busy", "volume", ""), [json!({"volume.stop-migration": {"volume": "A"}})])
        .refused_before(("busy", "volume", ""), [idle(), copy("opc", "D", "T")])
        .refused_before(("limit_reached", "copy-session", ""), [gone("DT"), copy("opc", "B", "C")])
        .refused(("name_invalid", "copy-session", "name"), json!({"name": "BC"}))
        .refused(("name_taken", "copy-session", "name"), json!({"name": "AT"}))
        .refused_until(("copy_capacity", "copy-session", ""), |world| rules(world).capacity = Bytes::tib(1))
        .refused_before(("pool_full", "pool", ""), [larger()])
        .done()
}

/// Formats refuse a change of the protection, so it is changed by hand.
fn set_protection(world: &mut World, volume: &str) {
    let key = arrayplane::model::Object::key(world.array.find_volume(volume, arrayplane::model::Place::Target).expect("the volume"));
    world.array.volumes.get_mut(key).expect("the volume").copy_protection = false;
}

fn create_in_rows() -> Vec<Refusal> {
    let mut world = with(&[
        copy("quick_opc", "A", "E"),
        copy("quick_opc", "B", "A"),
        json!({"volume.snapshot": {"volume": "C", "name": "S", "pool": "P0"}}),
        json!({"volume.create": {"name": "T", "pool": "P0", "size": "100GB"}}),
    ]);
    (rules(&mut world).cascade, rules(&mut world).sessions_per_source, rules(&mut world).sessions) = (1, 1, 3);
    rules(&mut world).generations = 1;
    Ladder::new(world, "copy-session.create", json!({"kind": "ec", "source": "A", "destination": "B"}))
        .also(("in_use", "volume", ""), json!({"source": "S", "destination": "D"}))
        .also(("in_use", "volume", ""), json!({"kind": "snap_opc", "source": "D", "destination": "B"}))
        .refused_before(("in_use", "volume", ""), [gone("BA"), copy("quick_opc", "B", "D")])
        .refused_until(("limit_reached", "copy-session", ""), |world| rules(world).cascade = 2)
        .also(("limit_reached", "copy-session", ""), json!({"kind": "snap_opc_plus", "source": "C", "destination": "T"}))
        .refused_until(("limit_reached", "copy-session", ""), |world| rules(world).sessions_per_source = 2)
        .refused_until(("limit_reached", "copy-session", ""), |world| rules(world).sessions = 4)
        .done()
}

fn update() -> Vec<Refusal> {
    let world = with(&[copy("quick_opc", "A", "B"), copy("quick_opc", "A", "C")]);
    Ladder::new(world, "copy-session.update", json!({"copy_session": "X", "name": "a,b", "priority": "low"}))
        .refused(("not_found", "copy-session", ""), json!({"copy_session": "AB"}))
        .refused(("name_invalid", "copy-session", "name"), json!({"name": "AC"}))
        .refused(("name_taken", "copy-session", "name"), json!({"name": "backup"}))
        .done()
}

/// A QuickOPC session, a mirror that is suspended, and one that copies.
fn mirrors() -> World {
    with(&[copy("quick_opc", "A", "B"), copy("ec", "A", "C"), idle(), json!({"copy-session.suspend": {"copy_session": "AC"}}), copy("ec", "A", "D")])
}

fn suspend() -> Vec<Refusal> {
    Ladder::new(mirrors(), "copy-session.suspend", json!({"copy_session": "X"}))
        .refused(("not_found", "copy-session", ""), json!({"copy_session": "AB"}))
        .refused(("not_supported", "copy-session", "copy_session"), json!({"copy_session": "AC"}))
        .refused(("wrong_state", "copy-session", ""), json!({"copy_session": "AD"}))
        .refused(("wrong_state", "copy-session", ""), json!({"force": true}))
        .done()
}

fn resume() -> Vec<Refusal> {
    let [filler, target] = full("T");
    let more = [filler, target, copy("ec", "E", "T"), json!({"copy-session.suspend": {"copy_session": "ET", "force": true}})];
    let mut world = mirrors();
    for operation in more.iter().chain([&json!({"volume.write": {"volume": "E", "bytes": "60GB"}})]) {
        given::done(&mut world, operation);
    }
    Ladder::new(world, "copy-session.resume", json!({"copy_session": "X"}))
        .refused(("not_found", "copy-session", ""), json!({"copy_session": "AB"}))
        .refused(("not_supported", "copy-session", "copy_session"), json!({"copy_session": "AD"}))
        .refused(("wrong_state", "copy-session", ""), json!({"copy_session": "ET"}))
        .refused_before(("pool_full", "pool", ""), [larger()])
        .done()
}

/// A QuickOPC session to a volume in a pool in which more of the source does not fit.
pub(super) fn tracking() -> World {
    let [filler, target] = full("T");
    with(&[filler, target, copy("ec", "A", "B"), copy("quick_opc", "E", "T"), json!({"volume.write": {"volume": "E", "bytes": "60GB"}})])
}

fn restart() -> Vec<Refusal> {
    Ladder::new(tracking(), "copy-session.restart", json!({"copy_session": "X"}))
        .refused(("not_found", "copy-session", ""), json!({"copy_session": "AB"}))
        .refused(("not_supported", "copy-session", "copy_session"), json!({"copy_session": "ET"}))
        .refused_before(("busy", "copy-session", ""), [idle()])
        .refused_before(("pool_full", "pool", ""), [larger()])
        .done()
}

fn reverse() -> Vec<Refusal> {
    let mut world = mirrors();
    let operations = [
        json!({"volume.create": {"name": "Large", "pool": "P0", "size": "200GB"}}),
        json!({"volume.create": {"name": "F", "pool": "P0", "size": "100GB"}}),
        json!({"copy-session.delete": {"copy_session": "AC"}}),
        json!({"copy-session.delete": {"copy_session": "AB", "force": true}}),
        copy("ec", "C", "Large"),
        copy("ec", "E", "F"),
        json!({"volume.update": {"volume": "A", "copy_protection": true}}),
    ];
    for operation in &operations {
        given::done(&mut world, operation);
    }
    let suspend = |session: &str, force: bool| json!({"copy-session.suspend": {"copy_session": session, "force": force}});
    Ladder::new(world, "copy-session.reverse", json!({"copy_session": "X"}))
        .refused(("not_found", "copy-session", ""), json!({"copy_session": "AD"}))
        .refused_before(("wrong_state", "copy-session", ""), [suspend("AD", true)])
        .refused_before(("wrong_state", "copy-session", ""), [json!({"copy-session.resume": {"copy_session": "AD"}}), idle(), suspend("AD", false)])
        .refused_before(
            ("wrong_state", "volume", ""),
            [suspend("CLarge", false), json!({"volume.update": {"volume": "A", "copy_protection": false}}), copy("quick_opc", "B", "A")],
        )
        .also(("out_of_range", "copy-session", "copy_session"), json!({"copy_session": "CLarge"}))
        .refused_before(("limit_reached", "copy-session", ""), [gone("BA")])
        .done()
}

fn restore() -> Vec<Refusal> {
    let [filler, target] = full("T");
    let world = with(&[
        filler,
        target,
        copy("ec", "A", "B"),
        copy("quick_opc", "A", "C"),
        copy("quick_opc", "B", "D"),
        json!({"volume.snapshot": {"volume": "A", "name": "S", "pool": "P1"}}),
        json!({"volume.write": {"volume": "A", "bytes": "100GB"}}),
        json!({"volume.snapshot": {"volume": "A", "name": "S2", "pool": "P0"}}),
        json!({"volume.update": {"volume": "A", "copy_protection": true}}),
        json!({"volume.write": {"volume": "C", "bytes": "100GB"}}),
    ]);
    let protected = json!({"volume.update": {"volume": "A", "copy_protection": false}});
    Ladder::new(world, "copy-session.restore", json!({"copy_session": "X"}))
        .refused(("not_found", "copy-session", ""), json!({"copy_session": "AB"}))
        .refused(("not_supported", "copy-session", "copy_session"), json!({"copy_session": "A-S"}))
        .refused(("wrong_state", "copy-session", ""), json!({"copy_session": "AC"}))
        .refused_before(("busy", "copy-session", ""), [idle()])
        .also(("limit_reached", "copy-session", ""), json!({"copy_session": "BD"}))
        .refused_before(("wrong_state", "volume", ""), [protected])
        .done()
}

fn delete() -> Vec<Refusal> {
    let world = with(&[
        copy("ec", "A", "B"),
        json!({"volume.snapshot": {"volume": "A", "name": "S", "pool": "P0"}}),
        json!({"volume.write": {"volume": "A", "bytes": "100GB"}}),
        json!({"copy-session.restore": {"copy_session": "A-S"}}),
    ]);
    Ladder::new(world, "copy-session.delete", json!({"copy_session": "X"}))
        .refused(("not_found", "copy-session", ""), json!({"copy_session": "AB"}))
        .also(("busy", "copy-session", ""), json!({"copy_session": "A-S"}))
        .refused(("wrong_state", "copy-session", ""), json!({"force": true}))
        .done()
}

fn delete_older() -> Vec<Refusal> {
    let [filler, _] = full("T");
    let world = with(&[
        json!({"volume.snapshot": {"volume": "A", "name": "S1", "pool": "P1"}}),
        json!({"volume.snapshot": {"volume": "A", "name": "S2", "pool": "P0"}}),
        json!({"volume.snapshot": {"volume": "A", "name": "S3", "pool": "P0"}}),
        json!({"volume.write": {"volume": "A", "bytes": "100GB"}}),
        json!({"volume.snapshot": {"volume": "A", "name": "S4", "pool": "P0"}}),
        copy("quick_opc", "S3", "B"),
        json!({"copy-session.delete": {"copy_session": "A-S2"}}),
        idle(),
        filler,
    ]);
    Ladder::new(world, "copy-session.delete", json!({"copy_session": "A-S3"}))
        .refused_before(("in_use", "volume", ""), [gone("S3B")])
        .refused_before(("pool_full", "pool", ""), [larger()])
        .done()
}
