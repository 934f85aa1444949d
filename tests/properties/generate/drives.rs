//! RAID groups and pools.

use arrayplane::model::{Object, Place, Pool, RaidLevel};
use arrayplane::ops::World;
use serde_json::{Value, json};

use super::super::dice::Dice;

fn level(world: &World, dice: &mut Dice) -> RaidLevel {
    if dice.once_in(20) { RaidLevel::RaidTec } else { dice.one(&world.array.personality.raid_levels) }
}

/// Drives, mostly free and as many as the level takes.
fn drives(world: &World, dice: &mut Dice, level: RaidLevel) -> (Value, Value) {
    let fitting: Vec<u32> = (2..=6).filter(|count| level.accepts(*count)).collect();
    let count = if dice.once_in(10) { 7 } else { dice.one(&fitting) };
    if dice.once_in(4) {
        let free = world.array.drives.iter().filter(|drive| drive.is_free() || dice.once_in(30)).map(|drive| drive.number().to_string());
        let named: Vec<String> = free.take(usize::try_from(count).expect("a small number")).collect();
        return (json!(named), Value::Null);
    }
    (Value::Null, json!(count))
}

fn owner(world: &World, dice: &mut Dice) -> Value {
    dice.maybe(2, |dice| json!(dice.of(&world.array.controllers)))
}

pub(super) fn raid_group_create(world: &World, dice: &mut Dice) -> Value {
    let level = level(world, dice);
    let (drives, count) = drives(world, dice, level);
    json!({"name": dice.name("RG"), "level": level, "drives": drives, "drive_count": count, "controller": owner(world, dice)})
}

pub(super) fn raid_group_update(world: &World, dice: &mut Dice) -> Value {
    json!({
        "raid_group": dice.of(&world.array.raid_groups), "name": dice.maybe(2, |dice| json!(dice.name("RG"))), "controller": owner(world, dice),
        "copybackless": dice.maybe(3, |dice| json!(dice.flag())), "rebuild_priority": dice.maybe(3, |dice| json!(dice.one(&["low", "middle", "high"]))),
    })
}

pub(super) fn raid_group_expand(world: &World, dice: &mut Dice) -> Value {
    let open: Vec<String> = world.array.raid_groups.iter().filter(|group| group.pool.is_none()).map(|group| group.number().to_string()).collect();
    let group = if open.is_empty() || dice.once_in(8) { dice.of(&world.array.raid_groups) } else { dice.one(&open) };
    let level = dice.maybe(3, |dice| json!(level(world, dice)));
    json!({"raid_group": group, "drive_count": dice.one(&[json!(1), json!(2), json!(3), Value::Null]), "level": level})
}

pub(super) fn raid_group_delete(world: &World, dice: &mut Dice) -> Value {
    json!({"raid_group": dice.of(&world.array.raid_groups)})
}

pub(super) fn pool_create(world: &World, dice: &mut Dice) -> Value {
    if dice.once_in(5) {
        return json!({"name": dice.name("P"), "raid_groups": dice.several(&world.array.raid_groups, 2)});
    }
    let level = level(world, dice);
    let (drives, count) = drives(world, dice, level);
    let reduced = dice.flag();
    json!({
        "name": dice.name("P"), "level": level, "drives": drives, "drive_count": count, "controller": owner(world, dice),
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
    let pool = dice.of(&world.array.pools);
    let level = world.array.pools.find(&pool, Place::Target).map_or(RaidLevel::Raid5, |pool| pool.level);
    let (drives, count) = drives(world, dice, level);
    json!({"pool": pool, "drives": drives, "drive_count": count, "controller": owner(world, dice)})
}

pub(super) fn pool_delete(world: &World, dice: &mut Dice) -> Value {
    let array = &world.array;
    let at_rest = |pool: &Pool| pool.raid_groups.iter().all(|group| array.raid_groups[*group].is_ordinary());
    let unused = array.pools.iter().filter(|pool| pool.provisioned.get() == 0 && !pool.reduction.is_on() && at_rest(pool));
    let unused = unused.filter(|pool| !array.tenants.iter().any(|tenant| tenant.pools.contains(&pool.key())));
    let unused: Vec<String> = unused.map(|pool| pool.number().to_string()).collect();
    if !unused.is_empty() && !dice.once_in(4) {
        return json!({"pool": dice.one(&unused)});
    }
    json!({"pool": dice.of(&world.array.pools)})
}

/// Mostly one of the pools that are so; now and then any.
fn pool_that(world: &World, dice: &mut Dice, is: impl Fn(&Pool) -> bool) -> Value {
    let fitting: Vec<String> = world.array.pools.iter().filter(|pool| is(pool)).map(|pool| pool.number().to_string()).collect();
    json!({"pool": if fitting.is_empty() || dice.once_in(6) { dice.of(&world.array.pools) } else { dice.one(&fitting) }})
}

pub(super) fn pool_balance(world: &World, dice: &mut Dice) -> Value {
    pool_that(world, dice, |pool| !pool.unbalanced().is_zero() && !pool.balancing)
}

pub(super) fn pool_stop_balancing(world: &World, dice: &mut Dice) -> Value {
    pool_that(world, dice, |pool| pool.balancing)
}
