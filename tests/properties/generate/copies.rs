//! Copy sessions, and snapshots of volumes.

use arrayplane::model::{CopyKind, CopySession, CopyStatus, Object, Volume, VolumeRole};
use arrayplane::ops::World;
use serde_json::{Value, json};

use super::super::dice::Dice;

const KINDS: [&str; 5] = ["quick_opc", "ec", "snap_opc_plus", "opc", "snap_opc"];

/// A volume that is like this, where there is one; now and then any.
fn volume(world: &World, dice: &mut Dice, like: impl Fn(&Volume) -> bool) -> String {
    let found: Vec<String> = world.array.volumes.iter().filter(|volume| like(volume)).map(|volume| volume.number().to_string()).collect();
    if found.is_empty() || dice.once_in(12) { dice.of(&world.array.volumes) } else { dice.one(&found) }
}

/// A session that is like this, where there is one; now and then any.
fn session(world: &World, dice: &mut Dice, like: impl Fn(&CopySession) -> bool) -> String {
    let found: Vec<String> = world.array.copy_sessions.iter().filter(|session| like(session)).map(|session| session.number().to_string()).collect();
    if found.is_empty() || dice.once_in(8) { dice.of(&world.array.copy_sessions) } else { dice.one(&found) }
}

/// Whether there is anything that such an operation could be done to.
pub(super) fn makes_sense(world: &World, name: &str) -> bool {
    let array = &world.array;
    match name.rsplit('.').next() {
        Some("create") => array.volumes.iter().filter(|volume| volume.role == VolumeRole::Data).count() > 2,
        Some("suspend") => array.copy_sessions.iter().any(can_be_suspended),
        Some("resume") => array.copy_sessions.iter().any(can_be_resumed),
        Some("reverse") => array.copy_sessions.iter().any(can_be_reversed),
        Some("restart" | "resync") => array.copy_sessions.iter().any(can_be_restarted),
        Some("restore") => array.copy_sessions.iter().any(can_be_restored),
        Some("rotate-snapshots") => array.copy_sessions.iter().any(CopySession::is_generation),
        Some("initialize") => array.volumes.iter().any(|volume| is_idle_snap_data(world, volume)),
        _ => !array.copy_sessions.is_empty(),
    }
}

fn is_idle_snap_data(world: &World, volume: &Volume) -> bool {
    volume.role == VolumeRole::SnapData && !world.array.copy_sessions.iter().any(|session| session.destination == volume.key())
}

fn can_be_suspended(session: &CopySession) -> bool {
    session.kind == CopyKind::Ec && session.status == CopyStatus::Active
}

fn can_be_resumed(session: &CopySession) -> bool {
    session.kind == CopyKind::Ec && session.status != CopyStatus::Active
}

fn can_be_reversed(session: &CopySession) -> bool {
    session.kind == CopyKind::Ec && session.status == CopyStatus::Suspend && session.left.is_zero()
}

fn can_be_restarted(session: &CopySession) -> bool {
    session.kind == CopyKind::QuickOpc && session.task.is_none()
}

fn can_be_restored(session: &CopySession) -> bool {
    session.task.is_none() && session.kind != CopyKind::Ec && session.status == CopyStatus::Active
}

pub(super) fn create(world: &World, dice: &mut Dice) -> Value {
    let source = volume(world, dice, |volume| volume.role == VolumeRole::Data);
    let size = world.array.find_volume(&source, arrayplane::model::Place::Target).map(|volume| volume.size).unwrap_or_default();
    let kind = dice.one(&KINDS);
    let snapshot = kind.starts_with("snap");
    let fits = |volume: &Volume| {
        volume.size >= size && volume.number().to_string() != source && (!snapshot || volume.pool().is_some() || volume.role == VolumeRole::SnapData)
    };
    let free = |volume: &Volume| fits(volume) && !world.array.copy_sessions.iter().any(|session| session.destination == volume.key());
    json!({
        "kind": kind, "source": source, "destination": volume(world, dice, free), "name": dice.maybe(6, |dice| json!(dice.name("S"))),
        "priority": dice.maybe(3, |dice| json!(dice.one(&["low", "high", "middle"]))),
    })
}

pub(super) fn update(world: &World, dice: &mut Dice) -> Value {
    json!({"copy_session": session(world, dice, |_| true), "name": dice.maybe(3, |dice| json!(dice.name("S"))), "priority": dice.maybe(2, |_| json!("high"))})
}

pub(super) fn suspend(world: &World, dice: &mut Dice) -> Value {
    json!({"copy_session": session(world, dice, can_be_suspended), "force": dice.once_in(4)})
}

pub(super) fn resume(world: &World, dice: &mut Dice) -> Value {
    json!({"copy_session": session(world, dice, can_be_resumed)})
}

pub(super) fn restart(world: &World, dice: &mut Dice) -> Value {
    json!({"copy_session": session(world, dice, can_be_restarted)})
}

pub(super) fn restore(world: &World, dice: &mut Dice) -> Value {
    json!({"copy_session": session(world, dice, can_be_restored)})
}

pub(super) fn reverse(world: &World, dice: &mut Dice) -> Value {
    json!({"copy_session": session(world, dice, can_be_reversed)})
}

pub(super) fn delete(world: &World, dice: &mut Dice) -> Value {
    json!({"copy_session": session(world, dice, |_| true), "force": dice.maybe(3, |_| json!(true))})
}

pub(super) fn snapshot(world: &World, dice: &mut Dice) -> Value {
    let open: Vec<String> = world.array.raid_groups.iter().filter(|group| group.pool.is_none()).map(|group| group.number().to_string()).collect();
    let in_group = !open.is_empty() && dice.once_in(3);
    let (home, place) = if in_group { ("raid_group", dice.one(&open)) } else { ("pool", dice.of(&world.array.pools)) };
    let source = volume(world, dice, |volume| volume.role == VolumeRole::Data);
    json!({"volume": source, "name": dice.name("K"), home: place, "manual": dice.maybe(4, |_| json!(true))})
}

pub(super) fn rotate(world: &World, dice: &mut Dice) -> Value {
    json!({"volume": volume(world, dice, |volume| world.array.copy_sessions.iter().any(|session| session.is_generation() && session.source == volume.key()))})
}

pub(super) fn resync(world: &World, dice: &mut Dice) -> Value {
    let sessions: Vec<&CopySession> = world.array.copy_sessions.iter().filter(|session| can_be_restarted(session)).collect();
    if sessions.is_empty() || dice.once_in(6) {
        return json!({"volume": dice.of(&world.array.volumes), "backup": dice.of(&world.array.volumes)});
    }
    let number = |key| world.array.volumes[key].number().to_string();
    let chosen = dice.one(&sessions);
    json!({"volume": number(chosen.source), "backup": number(chosen.destination)})
}

pub(super) fn initialize(world: &World, dice: &mut Dice) -> Value {
    json!({"volume": volume(world, dice, |volume| is_idle_snap_data(world, volume))})
}
