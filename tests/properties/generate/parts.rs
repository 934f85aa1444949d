//! Settings and fixed parts.

use arrayplane::ops::World;
use serde_json::{Value, json};

use super::super::dice::Dice;

pub(super) fn settings(_: &World, dice: &mut Dice) -> Value {
    let text = |dice: &mut Dice| json!("t".repeat(dice.one(&[3, 64, 257])));
    json!({"system_name": dice.maybe(4, text), "contact": dice.maybe(4, text), "data_reduction": dice.maybe(2, |dice| json!(!dice.once_in(3)))})
}

pub(super) fn enclosure(world: &World, dice: &mut Dice) -> Value {
    json!({"enclosure": dice.of(&world.array.enclosures), "locate": dice.flag()})
}

pub(super) fn controller(world: &World, dice: &mut Dice) -> Value {
    json!({"controller": dice.of(&world.array.controllers), "locate": dice.flag()})
}

pub(super) fn host_port(world: &World, dice: &mut Dice) -> Value {
    let protocol = dice.maybe(2, |dice| json!(dice.one(&["fc", "iscsi", "fcoe", "ethernet"])));
    json!({"host_port": dice.of(&world.array.host_ports), "protocol": protocol, "enabled": dice.maybe(3, |dice| json!(dice.flag()))})
}
