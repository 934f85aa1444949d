//! Workloads, jobs and the clock.

use arrayplane::model::{Object, reach};
use arrayplane::ops::World;
use serde_json::{Value, json};

use super::super::dice::Dice;

/// Volumes that hosts reach; now and then any.
fn volumes(world: &World, dice: &mut Dice) -> Vec<String> {
    let reached = world.array.volumes.iter().filter(|volume| !reach::volume_paths(&world.array, volume.key()).is_empty());
    let reached: Vec<String> = reached.map(|volume| volume.number().to_string()).collect();
    if reached.is_empty() || dice.once_in(6) { dice.several(&world.array.volumes, 3) } else { vec![dice.one(&reached)] }
}

pub(super) fn workload_create(world: &World, dice: &mut Dice) -> Value {
    let volumes = volumes(world, dice);
    if dice.flag() {
        return json!({
            "name": dice.name("W"), "profile": "custom", "volumes": volumes, "outstanding": dice.maybe(2, |_| json!(64)),
            "block_size": dice.maybe(3, Dice::size), "read_percent": dice.maybe(3, |dice| json!(dice.percent())),
            "think_time": dice.maybe(4, |_| json!("10ms")), "paused": dice.flag(), "rate": dice.maybe(2, |_| json!(2_000)),
            "schedule": dice.maybe(3, schedule), "writes_data": dice.maybe(2, |_| json!(true)),
            "working_set": dice.maybe(5, |dice| json!(dice.one(&["100GB", "1TB"]))),
        });
    }
    let known: Vec<&String> = world.array.profiles.keys().collect();
    json!({"name": dice.name("W"), "profile": dice.one(&known), "volumes": volumes, "users": dice.maybe(3, |_| json!(500)), "cache_hit_percent": dice.maybe(3, |dice| json!(dice.percent())), "rate": dice.maybe(3, |_| json!(9))})
}

pub(super) fn workload_update(world: &World, dice: &mut Dice) -> Value {
    json!({
        "workload": dice.of(&world.workloads), "volumes": dice.maybe(2, |dice| json!(volumes(world, dice))),
        "users": dice.maybe(3, |_| json!(9)), "rate": dice.maybe(3, |dice| json!(dice.one(&[0, 7]))),
        "state": dice.maybe(2, |dice| json!(dice.one(&["paused", "running"]))), "schedule": dice.maybe(5, schedule),
        "writes_data": dice.maybe(5, |dice| json!(dice.flag())),
    })
}

fn schedule(dice: &mut Dice) -> Value {
    dice.one(&[
        json!("steady"),
        json!({"ramp": {"from_percent": 0, "to_percent": 200, "over": "5m"}}),
        json!({"day": {"low_percent": 10, "high_percent": 100, "step": "3h"}}),
        json!({"steps": {"percents": [0, 50, 100], "each": "7m"}}),
        json!({"on_off": {"on": "1h", "off": "13h"}}),
        json!({"on_off": {"on": "1s", "off": "1h"}}),
    ])
}

pub(super) fn workload_delete(world: &World, dice: &mut Dice) -> Value {
    json!({"workload": dice.of(&world.workloads)})
}

pub(super) fn job_submit(world: &World, dice: &mut Dice) -> Value {
    let after = dice.one(&[json!("10m"), Value::Null, json!("1h 30m"), json!("2d"), json!("400d"), json!("4000d")]);
    json!({"operation": super::any_operation(world, dice), "after": after})
}

pub(super) fn job_cancel(world: &World, dice: &mut Dice) -> Value {
    json!({"job": dice.of(&world.jobs)})
}

pub(super) fn job_delete(world: &World, dice: &mut Dice) -> Value {
    json!({"job": dice.of(&world.jobs)})
}

pub(super) fn clock_set(_: &World, dice: &mut Dice) -> Value {
    dice.one(&[json!({"mode": "manual"}), json!({"mode": "real"}), json!({"mode": "scaled", "factor": 2.5}), json!({"mode": "scaled"})])
}

pub(super) fn clock_advance(_: &World, dice: &mut Dice) -> Value {
    if dice.once_in(6) { json!({"until": "idle"}) } else { json!({"by": dice.one(&["1m", "10m", "1h", "0s", "1s", "3h", "2d"])}) }
}
