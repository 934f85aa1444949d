//! Drives that fail, are pulled, put back, replaced, spared and copied.

use arrayplane::model::{Drive, DriveState, Object};
use arrayplane::ops::World;
use serde_json::{Value, json};

use super::super::dice::Dice;

/// A drive that is what `fit` says, if there is one; now and then any.
fn drive(world: &World, dice: &mut Dice, fit: impl Fn(&Drive) -> bool) -> String {
    let fitting: Vec<String> = world.array.drives.iter().filter(|drive| fit(drive)).map(|drive| drive.number().to_string()).collect();
    if fitting.is_empty() || dice.once_in(12) { dice.of(&world.array.drives) } else { dice.one(&fitting) }
}

fn in_use(drive: &Drive) -> bool {
    drive.raid_group.or(drive.stands_in).is_some()
}

/// Mostly one that serves in a RAID group.
pub(super) fn fail(world: &World, dice: &mut Dice) -> Value {
    let used = !dice.once_in(4);
    json!({"drive": drive(world, dice, |drive| drive.serves() && in_use(drive) == used)})
}

pub(super) fn predict_failure(world: &World, dice: &mut Dice) -> Value {
    json!({"drive": drive(world, dice, |drive| drive.is_sound() && in_use(drive))})
}

pub(super) fn pull(world: &World, dice: &mut Dice) -> Value {
    let used = !dice.once_in(4);
    json!({"drive": drive(world, dice, |drive| !drive.pulled && in_use(drive) == used)})
}

pub(super) fn insert(world: &World, dice: &mut Dice) -> Value {
    json!({"drive": drive(world, dice, |drive| drive.pulled)})
}

pub(super) fn replace(world: &World, dice: &mut Dice) -> Value {
    json!({"drive": drive(world, dice, |drive| drive.pulled || matches!(drive.state, DriveState::Failed | DriveState::FailedUsable))})
}

pub(super) fn redundant_copy(world: &World, dice: &mut Dice) -> Value {
    let spare = dice.maybe(4, |dice| json!(drive(world, dice, |drive| drive.spare)));
    json!({"drive": drive(world, dice, |drive| drive.serves() && drive.raid_group.is_some()), "spare": spare})
}

/// Mostly a free drive becomes a spare.
pub(super) fn update(world: &World, dice: &mut Dice) -> Value {
    if dice.once_in(4) {
        return json!({"drive": drive(world, dice, |drive| drive.spare), "spare": dice.maybe(2, |dice| json!(dice.flag())), "locate": dice.flag()});
    }
    let group = dice.maybe(3, |dice| {
        let named = dice.of(&world.array.raid_groups);
        json!(dice.one(&[named, String::new()]))
    });
    json!({"drive": drive(world, dice, Drive::is_free), "spare": dice.maybe(1, |_| json!(true)), "dedicated_to": group})
}
