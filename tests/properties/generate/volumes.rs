//! Volumes.

use arrayplane::model::{Container, Object, Place, Pool, RaidGroup, Volume, VolumeRole, copying};
use arrayplane::ops::World;
use arrayplane::units::Bytes;
use serde_json::{Value, json};

use super::super::dice::Dice;

/// A volume that exists, and what it is called.
fn target<'a>(world: &'a World, dice: &mut Dice) -> (String, Option<&'a Volume>) {
    let reference = dice.of(&world.array.volumes);
    let volume = world.array.find_volume(&reference, Place::Target).ok();
    (reference, volume)
}

/// One that hosts could see, where there is one; now and then any.
fn seen<'a>(world: &'a World, dice: &mut Dice) -> (String, Option<&'a Volume>) {
    chosen(world, dice, |volume| volume.role != VolumeRole::SnapPool)
}

/// One that no copy session uses, where there is one; now and then any.
fn alone<'a>(world: &'a World, dice: &mut Dice) -> (String, Option<&'a Volume>) {
    chosen(world, dice, |volume| volume.role == VolumeRole::Data && copying::session_with(&world.array, volume.key()).is_none())
}

fn chosen<'a>(world: &'a World, dice: &mut Dice, like: impl Fn(&Volume) -> bool) -> (String, Option<&'a Volume>) {
    let found: Vec<&Volume> = world.array.volumes.iter().filter(|volume| like(volume)).collect();
    if found.is_empty() || dice.once_in(10) {
        return target(world, dice);
    }
    let one = dice.one(&found);
    (one.number().to_string(), Some(one))
}

/// A home for a volume: the field, and what it holds.
fn home(world: &World, dice: &mut Dice, containers: bool) -> (&'static str, Value) {
    let array = &world.array;
    if containers && !array.containers.is_empty() && !dice.once_in(20) {
        return ("container", json!(dice.of(&array.containers)));
    }
    match dice.throw(5) {
        0..=2 => ("pool", json!(dice.of(&array.pools))),
        3 => ("raid_group", json!(dice.of(&array.raid_groups))),
        _ => ("raid_groups", json!(dice.several(&array.raid_groups, 3))),
    }
}

/// Exactly what the pool offers, or nothing; now and then something else.
fn reduction(world: &World, dice: &mut Dice, home: (&str, &Value)) -> (Value, Value) {
    let pool = home.1.as_str().filter(|_| home.0 == "pool").and_then(|name| world.array.pools.find(name, Place::Target).ok());
    match pool {
        Some(pool) if !dice.once_in(3) => (json!(pool.reduction.deduplication), json!(pool.reduction.compression)),
        _ => (dice.maybe(20, |_| json!(true)), dice.maybe(20, |_| json!(true))),
    }
}

/// A size that often comes near to what the home has left.
fn size(world: &World, dice: &mut Dice, home: (&str, &Value)) -> Value {
    let (array, named) = (&world.array, home.1.as_str().unwrap_or_default());
    let free = match home.0 {
        "pool" => array.pools.find(named, Place::Target).map(Pool::free),
        "container" => array.containers.find(named, Place::Target).map(Container::free),
        "raid_group" => array.raid_groups.find(named, Place::Target).map(RaidGroup::largest_free_area),
        _ => Ok(Bytes::gib(50)),
    };
    match free {
        Ok(free) if !dice.once_in(4) => json!(dice.part_of(free)),
        _ => dice.size(),
    }
}

pub(super) fn create(world: &World, dice: &mut Dice) -> Value {
    let (field, place) = home(world, dice, true);
    let size = size(world, dice, (field, &place));
    let (deduplication, compression) = reduction(world, dice, (field, &place));
    json!({
        "name": dice.name("V"), "size": size, field: place, "deduplication": deduplication, "compression": compression,
        "count": dice.maybe(5, |dice| json!(dice.one(&[2, 3, 5, 0]))), "start_number": dice.maybe(8, |dice| json!(dice.one(&[1, 9, 65536]))),
        "digits": dice.maybe(8, |dice| json!(dice.one(&[2, 5, 6]))), "usage": dice.maybe(10, |_| json!("odx")),
        "encryption": dice.maybe(8, |_| json!(true)), "allocation": dice.maybe(3, |dice| json!(dice.one(&["thick", "thin"]))),
        "reducibility": dice.maybe(2, Dice::ratio), "attention_percent": dice.maybe(8, |dice| json!(dice.percent())),
        "tenant": owner(world, dice, (field, &place)), "qos_policy": super::belonging::qos_policy(world, dice),
        "role": dice.maybe(if field == "raid_group" { 4 } else { 60 }, |dice| json!(dice.one(&["snap_data", "snap_pool"]))),
        "own_area": dice.maybe(40, |dice| json!(dice.one(&["1GiB", "100MiB", "10TB"]))), "copy_protection": dice.maybe(10, |_| json!(true)),
    })
}

/// A tenant where volumes can have one of their own.
fn owner(world: &World, dice: &mut Dice, (field, _): (&str, &Value)) -> Value {
    if field == "pool" { super::belonging::tenant(world, dice) } else { Value::Null }
}

pub(super) fn write(world: &World, dice: &mut Dice) -> Value {
    let (reference, volume) = seen(world, dice);
    let bytes = volume.map_or(1, |volume| dice.part_of(volume.size));
    json!({"volume": reference, "bytes": bytes, "reducibility": dice.maybe(3, Dice::ratio)})
}

pub(super) fn unmap(world: &World, dice: &mut Dice) -> Value {
    let (reference, volume) = seen(world, dice);
    json!({"volume": reference, "bytes": volume.map_or(1, |volume| dice.part_of(volume.layout.written()))})
}

pub(super) fn update(world: &World, dice: &mut Dice) -> Value {
    json!({
        "volume": target(world, dice).0, "name": dice.maybe(4, |dice| json!(dice.name("V"))),
        "allocation": dice.maybe(2, |dice| json!(dice.one(&["thick", "thin"]))), "reducibility": dice.maybe(4, Dice::ratio),
        "online": dice.maybe(6, |dice| json!(dice.flag())), "copy_protection": dice.maybe(8, |dice| json!(dice.flag())),
        "usage": dice.maybe(8, |dice| json!(dice.one(&["odx", "block"]))), "encryption": dice.maybe(8, |dice| json!(dice.flag())),
        "attention_percent": dice.maybe(8, |dice| json!(dice.percent())), "qos_policy": super::belonging::qos_policy(world, dice),
        "uid": dice.maybe(8, |dice| json!(dice.one(&["6a".repeat(16), "6b".repeat(16), String::new()]))),
        "alua": dice.maybe(6, |dice| json!(dice.one(&["active_active", "follow_host_response"]))), "qos_priority": dice.maybe(8, |_| json!("high")),
    })
}

pub(super) fn delete(world: &World, dice: &mut Dice) -> Value {
    json!({"volume": target(world, dice).0, "force": dice.maybe(6, |_| json!(true))})
}

pub(super) fn expand(world: &World, dice: &mut Dice) -> Value {
    let (reference, volume) = alone(world, dice);
    let size = volume.map_or(1, |volume| volume.size.get() + dice.part_of(volume.size));
    json!({"volume": reference, "size": size})
}

pub(super) fn format(world: &World, dice: &mut Dice) -> Value {
    json!({"volume": alone(world, dice).0})
}

pub(super) fn relocate(world: &World, dice: &mut Dice) -> Value {
    json!({"volume": dice.of(&world.array.volumes), "container": dice.of(&world.array.containers)})
}

pub(super) fn migrate(world: &World, dice: &mut Dice) -> Value {
    let (field, place) = home(world, dice, false);
    let (deduplication, compression) = reduction(world, dice, (field, &place));
    json!({
        "volume": alone(world, dice).0, field: place, "deduplication": deduplication, "compression": compression,
        "allocation": dice.maybe(5, |dice| json!(dice.one(&["thick", "thin"]))),
    })
}

pub(super) fn stop_migration(world: &World, dice: &mut Dice) -> Value {
    let moving: Vec<String> = world.array.volumes.iter().filter(|volume| volume.migration.is_some()).map(|volume| volume.number().to_string()).collect();
    let volume = if moving.is_empty() { target(world, dice).0 } else { dice.one(&moving) };
    json!({"volume": volume})
}

pub(super) fn clone(world: &World, dice: &mut Dice) -> Value {
    let pool = if world.array.personality.copy.is_some() { json!(dice.of(&world.array.pools)) } else { Value::Null };
    json!({"volume": target(world, dice).0, "name": dice.name(if pool.is_null() { "V" } else { "K" }), "pool": pool, "data_tracking": dice.maybe(4, |dice| json!(dice.flag()))})
}
