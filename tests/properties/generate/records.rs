//! Notes, records, and jobs of requests that were carried out.

use arrayplane::model::{Object, Record};
use arrayplane::ops::World;
use serde_json::{Value, json};

use super::super::dice::Dice;
use super::belonging;

/// A reference, now and then to nothing.
fn reference(world: &World, dice: &mut Dice) -> Value {
    let known: Vec<&Record> = world.array.records.iter().collect();
    if known.is_empty() || dice.once_in(8) { json!({"record": "nothing"}) } else { json!({"record": known[dice.throw(known.len())].id()}) }
}

fn notes(world: &World, dice: &mut Dice) -> Value {
    match dice.throw(5) {
        0 => json!({"a": 1, "b": null}),
        1 => json!({"b": ["x", {"c": reference(world, dice)}]}),
        2 => json!({"c": reference(world, dice)}),
        3 => json!({"b": null, "c": null}),
        _ => json!({"a": null, "B": 1}),
    }
}

pub(super) fn note_set(world: &World, dice: &mut Dice) -> Value {
    let array = &world.array;
    let (noun, object) = match dice.throw(5) {
        0 => ("container", dice.of(&array.containers)),
        1 => ("tenant", dice.of(&array.tenants)),
        2 => ("host", dice.of(&array.hosts)),
        _ => ("volume", dice.of(&array.volumes)),
    };
    json!({"noun": noun, "object": object, "notes": notes(world, dice)})
}

pub(super) fn create(world: &World, dice: &mut Dice) -> Value {
    let kind = dice.one(&["schedule", "snapshot_policy"]);
    json!({"kind": kind, "name": dice.name("R"), "tenant": belonging::tenant(world, dice), "notes": dice.maybe(2, |dice| notes(world, dice))})
}

pub(super) fn update(world: &World, dice: &mut Dice) -> Value {
    let name = dice.maybe(3, |dice| json!(dice.name("R")));
    json!({"record": dice.of(&world.array.records), "name": name, "notes": dice.maybe(2, |dice| notes(world, dice))})
}

pub(super) fn delete(world: &World, dice: &mut Dice) -> Value {
    json!({"record": dice.of(&world.array.records)})
}

pub(super) fn job_note(world: &World, dice: &mut Dice) -> Value {
    json!({"description": "POST /somewhere", "noun": "volume", "object": dice.of(&world.array.volumes)})
}
