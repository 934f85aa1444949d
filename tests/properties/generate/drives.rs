//! RAID groups and pools.

use arrayplane::ops::World;
use serde_json::{Value, json};

use super::super::dice::Dice;

fn level(world: &World, dice: &mut Dice) -> Value {
    let levels = &world.array.personality.raid_levels;
    if dice.once_in(20) { json!("raid-tec") } else { json!(dice.one(levels)) }
}

/// Drives, mostly as many as some level takes.
fn drives(world: &World, dice: &mut Dice) -> (Value, Value) {
    if dice.once_in(4) {
        return (json!(dice.several(&world.array.drives, 6)), Value::Null);
    }
    (Value::Null, json!(dice.one(&[4, 2, 6, 3, 8, 5])))
}

fn owner(world: &World, dice: &mut Dice) -> Value {
    dice.maybe(2, |dice| json!(dice.of(&world.array.controllers)))
}

pub(super) fn raid_group_create(world: &World, dice: &mut Dice) -> Value {
    let (drives, count) = drives(world, dice);
    json!({"name": dice.name("RG"), "level": level(world, dice), "drives": drives, "drive_count": count, "controller": owner(world, dice)})
}

pub(super) fn raid_group_update(world: &World, dice: &mut Dice) -> Value {
    json!({"raid_group": dice.of(&world.array.raid_groups), "name": dice.maybe(2, |dice| json!(dice.name("RG"))), "controller": owner(world, dice)})
}

pub(super) fn raid_group_delete(world: &World, dice: &mut Dice) -> Value {
    json!({"raid_group": dice.of(&world.array.raid_groups)})
}

pub(super) fn pool_create(world: &World, dice: &mut Dice) -> Value {
    if dice.once_in(5) {
        return json!({"name": dice.name("P"), "raid_groups": dice.several(&world.array.raid_groups, 2)});
    }
    let (drives, count) = drives(world, dice);
    let reduced = dice.flag();
    json!({
        "name": dice.name("P"), "level": level(world, dice), "drives": drives, "drive_count": count, "controller": owner(world, dice),
        "chunk_size": dice.maybe(4, |dice| { let sizes = world.array.personality.chunk_sizes.clone(); json!(dice.one(&sizes)) }),
        "over_provisioning_percent": dice.maybe(3, |dice| json!(dice.one(&[100, 200, 0, 50]))),
        "attention_percent": dice.maybe(3, |dice| json!(dice.percent())), "warning_percent": dice.maybe(3, |dice| json!(dice.percent())),
        "deduplication": reduced && dice.flag(), "compression": reduced, "encryption": dice.maybe(5, |_| json!(true)),
    })
}

pub(super) fn pool_update(world: &World, dice: &mut Dice) -> Value {
    json!({
        "pool": dice.of(&world.array.pools), "name": dice.maybe(6, |dice| json!(dice.name("P"))),
        "over_provisioning_percent": dice.maybe(3, |dice| json!(dice.one(&[100, 200, 0, 50]))),
        "attention_percent": dice.maybe(3, |dice| json!(dice.percent())), "warning_percent": dice.maybe(3, |dice| json!(dice.percent())),
        "deduplication": dice.maybe(4, |dice| json!(dice.flag())), "compression": dice.maybe(4, |dice| json!(dice.flag())),
    })
}

pub(super) fn pool_expand(world: &World, dice: &mut Dice) -> Value {
    if dice.once_in(3) {
        return json!({"pool": dice.of(&world.array.pools), "raid_groups": dice.several(&world.array.raid_groups, 2)});
    }
    let (drives, count) = drives(world, dice);
    json!({"pool": dice.of(&world.array.pools), "drives": drives, "drive_count": count, "controller": owner(world, dice)})
}

pub(super) fn pool_delete(world: &World, dice: &mut Dice) -> Value {
    json!({"pool": dice.of(&world.array.pools)})
}
