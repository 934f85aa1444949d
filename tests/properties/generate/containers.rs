//! Containers and snapshots.

use arrayplane::model::{Object, Place, Pool};
use arrayplane::ops::World;
use arrayplane::units::Bytes;
use serde_json::{Value, json};

use super::super::dice::Dice;

pub(super) fn create(world: &World, dice: &mut Dice) -> Value {
    let (reduced, pool) = (dice.flag(), dice.of(&world.array.pools));
    let free = world.array.pools.find(&pool, Place::Target).map_or(Bytes::gib(50), Pool::free);
    json!({
        "name": dice.name("C"), "pool": pool, "size": dice.part_of(free),
        "guarantee": dice.maybe(2, |dice| json!(dice.one(&["thin", "thick"]))), "deduplication": reduced, "compression": reduced && dice.flag(),
        "tenant": super::belonging::tenant(world, dice), "qos_policy": super::belonging::qos_policy(world, dice),
    })
}

pub(super) fn update(world: &World, dice: &mut Dice) -> Value {
    let reference = dice.of(&world.array.containers);
    let container = world.array.containers.find(&reference, Place::Target).ok();
    let size = container.map_or(1, |container| container.used().scaled(dice.one(&[110, 100, 101, 150, 200, 99]), 100).get());
    json!({
        "container": reference, "name": dice.maybe(6, |dice| json!(dice.name("C"))), "size": dice.maybe(2, |_| json!(size)),
        "guarantee": dice.maybe(3, |dice| json!(dice.one(&["thin", "thick"]))), "deduplication": dice.maybe(4, |dice| json!(dice.flag())),
        "compression": dice.maybe(4, |dice| json!(dice.flag())),
        "state": dice.maybe(3, |dice| json!(dice.one(&["online", "online", "online", "offline", "restricted"]))),
    })
}

pub(super) fn delete(world: &World, dice: &mut Dice) -> Value {
    json!({"container": dice.of(&world.array.containers), "with_volumes": dice.flag()})
}

pub(super) fn clone(world: &World, dice: &mut Dice) -> Value {
    json!({"snapshot": dice.of(&world.array.snapshots), "name": dice.name("C")})
}

pub(super) fn split(world: &World, dice: &mut Dice) -> Value {
    let clones = world.array.containers.iter().filter(|container| container.clone.is_some());
    let clones: Vec<String> = clones.map(|container| container.name().to_owned()).collect();
    json!({"container": if clones.is_empty() { dice.of(&world.array.containers) } else { dice.one(&clones) }})
}

pub(super) fn migrate(world: &World, dice: &mut Dice) -> Value {
    json!({"container": dice.of(&world.array.containers), "pool": dice.of(&world.array.pools)})
}

pub(super) fn migrating(world: &World, dice: &mut Dice) -> Value {
    let moving = world.array.containers.iter().filter(|container| container.migration.is_some());
    let moving: Vec<String> = moving.map(|container| container.name().to_owned()).collect();
    json!({"container": if moving.is_empty() { dice.of(&world.array.containers) } else { dice.one(&moving) }})
}

pub(super) fn snapshot_create(world: &World, dice: &mut Dice) -> Value {
    json!({"container": dice.of(&world.array.containers), "name": dice.name("S"), "comment": dice.maybe(6, |dice| json!("c".repeat(dice.one(&[9, 256]))))})
}

pub(super) fn snapshot_update(world: &World, dice: &mut Dice) -> Value {
    json!({"snapshot": dice.of(&world.array.snapshots), "name": dice.maybe(2, |dice| json!(dice.name("S"))), "comment": dice.maybe(3, |_| json!("kept"))})
}

pub(super) fn snapshot_delete(world: &World, dice: &mut Dice) -> Value {
    json!({"snapshot": dice.of(&world.array.snapshots)})
}

pub(super) fn snapshot_restore(world: &World, dice: &mut Dice) -> Value {
    json!({"snapshot": dice.of(&world.array.snapshots)})
}
