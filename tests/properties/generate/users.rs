//! Users, roles and the password policy. Passwords are sealed already: hashing would take most of the time.

use arrayplane::model::{Object, Policy};
use arrayplane::ops::World;
use serde_json::{Value, json};

use super::super::dice::Dice;

fn password(dice: &mut Dice) -> Value {
    let characters = dice.one(&[8, 12, 4, 64]);
    let hash = dice.one(&["AAAA", "BBBB", "CCCC", "DDDD"]);
    json!({"sealed": format!("$argon2id$v=19$m=8192,t=1,p=1$c2FsdA${hash}"), "characters": characters, "letter": !dice.once_in(9), "digit": true})
}

fn policies(dice: &mut Dice) -> Value {
    let some = (0..1 + dice.throw(3)).map(|_| dice.one(&Policy::ALL)).filter(|policy| *policy != Policy::Emulation).collect::<Vec<_>>();
    json!(some)
}

pub(super) fn create(world: &World, dice: &mut Dice) -> Value {
    let role = dice.of(&world.array.roles);
    json!({"name": dice.name("U"), "role": role, "password": password(dice), "enabled": dice.maybe(3, |dice| json!(dice.flag()))})
}

pub(super) fn update(world: &World, dice: &mut Dice) -> Value {
    json!({
        "user": dice.of(&world.array.users),
        "role": dice.maybe(3, |dice| json!(dice.of(&world.array.roles))),
        "password": dice.maybe(2, password),
        "enabled": dice.maybe(4, |dice| json!(dice.flag())),
        "locked": dice.maybe(3, |_| json!(false)),
    })
}

pub(super) fn lock(world: &World, dice: &mut Dice) -> Value {
    json!({"user": dice.of(&world.array.users)})
}

pub(super) fn delete(world: &World, dice: &mut Dice) -> Value {
    json!({"user": dice.of(&world.array.users)})
}

/// Roles of one's own come after those of the array, so the last ones are named.
fn role(world: &World, dice: &mut Dice) -> String {
    world.array.roles.iter().last().filter(|_| !dice.once_in(4)).map_or_else(|| dice.of(&world.array.roles), |role| role.number().to_string())
}

pub(super) fn role_create(_: &World, dice: &mut Dice) -> Value {
    json!({"name": dice.name("R"), "policies": policies(dice), "web_login": dice.maybe(3, |dice| json!(dice.flag()))})
}

pub(super) fn role_update(world: &World, dice: &mut Dice) -> Value {
    json!({"role": role(world, dice), "name": dice.maybe(3, |dice| json!(dice.name("R"))), "policies": dice.maybe(2, policies)})
}

pub(super) fn role_delete(world: &World, dice: &mut Dice) -> Value {
    json!({"role": role(world, dice)})
}

pub(super) fn password_policy(_: &World, dice: &mut Dice) -> Value {
    json!({
        "length_min": dice.maybe(3, |dice| json!(dice.one(&[8, 4, 12, 65]))),
        "history": dice.maybe(2, |dice| json!(dice.one(&[0, 1, 3, 24, 25]))),
        "age_days_max": dice.maybe(3, |dice| json!(dice.one(&[0, 1, 90]))),
        "lockout_minutes": dice.maybe(3, |dice| json!(dice.one(&[0, 1, 15]))),
    })
}
