//! Settings and hardware.

use arrayplane::model::{ControllerState, Object, PartKind, Place, Possession, Table};
use arrayplane::ops::World;
use serde_json::{Value, json};

use super::super::dice::Dice;

/// While no controller runs, hardly anything but mending makes sense; and mending only where something is broken.
pub(super) fn makes_sense(world: &World, name: &str) -> bool {
    let array = &world.array;
    match name {
        "controller.restore" => array.controllers.iter().any(|controller| controller.state == ControllerState::Failed),
        "controller.giveback" => array.controllers.iter().any(|controller| controller.is_online() && controller.possession == Possession::Away),
        "part.restore" => array.parts.iter().any(|part| part.fault.is_some()),
        "host-port.restore" => array.host_ports.iter().any(|port| port.fault.is_some()),
        "clock.advance" | "job.submit" | "job.cancel" | "part.fail" => true,
        _ => array.is_ready(),
    }
}

pub(super) fn settings(_: &World, dice: &mut Dice) -> Value {
    let text = |dice: &mut Dice| json!("t".repeat(dice.one(&[3, 64, 257])));
    json!({"system_name": dice.maybe(4, text), "contact": dice.maybe(4, text), "data_reduction": dice.maybe(2, |dice| json!(!dice.once_in(3)))})
}

pub(super) fn enclosure(world: &World, dice: &mut Dice) -> Value {
    json!({"enclosure": dice.of(&world.array.enclosures), "locate": dice.flag()})
}

pub(super) fn enclosure_add(_: &World, _: &mut Dice) -> Value {
    json!({})
}

pub(super) fn enclosure_remove(world: &World, dice: &mut Dice) -> Value {
    let mut empty = world.array.enclosures.iter().filter(|enclosure| world.array.drives.iter().all(|drive| drive.enclosure != enclosure.key()));
    let last: Option<String> = empty.next_back().map(|enclosure| enclosure.number().to_string());
    json!({"enclosure": last.unwrap_or_else(|| dice.of(&world.array.enclosures))})
}

pub(super) fn controller(world: &World, dice: &mut Dice) -> Value {
    json!({"controller": dice.of(&world.array.controllers), "locate": dice.flag(), "auto_giveback": dice.maybe(3, |dice| json!(dice.flag()))})
}

pub(super) fn controller_fault(world: &World, dice: &mut Dice) -> Value {
    json!({"controller": dice.of(&world.array.controllers)})
}

/// Something that is in a state, if there is one.
fn in_state<T: Object>(table: &Table<T>, dice: &mut Dice, is: impl Fn(&T) -> bool) -> String {
    let found: Vec<String> = table.iter().filter(|item| is(item)).map(|item| item.number().to_string()).collect();
    if found.is_empty() { dice.of(table) } else { dice.one(&found) }
}

pub(super) fn controller_restore(world: &World, dice: &mut Dice) -> Value {
    json!({"controller": in_state(&world.array.controllers, dice, |controller| controller.state == ControllerState::Failed)})
}

pub(super) fn controller_giveback(world: &World, dice: &mut Dice) -> Value {
    json!({"controller": in_state(&world.array.controllers, dice, |controller| controller.is_online() && controller.possession == Possession::Away)})
}

pub(super) fn host_port(world: &World, dice: &mut Dice) -> Value {
    let port = dice.of(&world.array.host_ports);
    let protocol = dice.maybe(2, |dice| json!(dice.one(&["fc", "iscsi", "fcoe", "ethernet"])));
    let speaks = world.array.host_ports.find(&port, Place::Target).map_or("fc".to_owned(), |port| port.protocol.to_string());
    let speaks = protocol.as_str().map_or(speaks, str::to_owned);
    let mut asked = json!({
        "host_port": port, "protocol": protocol, "enabled": dice.maybe(3, |dice| json!(dice.flag())),
        "role": dice.maybe(6, |dice| json!(dice.one(&["host", "remote", "host_and_remote"]))),
    });
    if dice.flag() {
        let parameters = if speaks == "iscsi" { iscsi(dice) } else { fibre_channel(dice) };
        asked.as_object_mut().expect("an object").extend(parameters.as_object().expect("an object").clone());
    }
    asked
}

fn fibre_channel(dice: &mut Dice) -> Value {
    json!({
        "transfer_rate": dice.one(&["8", "4", "auto", "16", "32"]), "connection": dice.maybe(3, |dice| json!(dice.one(&["fabric", "loop", "point_to_point"]))),
        "loop_id_assignment": dice.maybe(3, |dice| json!(dice.one(&["ascending", "manual"]))), "loop_id": dice.maybe(4, |dice| json!(dice.one(&[5, 126]))),
    })
}

fn iscsi(dice: &mut Dice) -> Value {
    let address = format!("10.0.0.{}", dice.throw(4));
    json!({
        "ipv4_address": dice.maybe(2, |_| json!(address)), "ipv4_mask": "255.255.255.0", "ipv4_gateway": dice.maybe(3, |_| json!("10.0.0.250")),
        "mtu": dice.maybe(3, |dice| json!(dice.one(&[1500, 9000, 9001]))), "vlan_id": dice.maybe(3, |dice| json!(dice.one(&[0, 7]))),
        "bandwidth_limit_mbit": dice.maybe(2, |dice| json!(dice.one(&[100, 0, 9]))),
    })
}

pub(super) fn host_port_fail(world: &World, dice: &mut Dice) -> Value {
    json!({"host_port": dice.of(&world.array.host_ports), "fault": dice.maybe(2, |dice| json!(dice.one(&["link_down", "transceiver", "hardware"])))})
}

pub(super) fn host_port_restore(world: &World, dice: &mut Dice) -> Value {
    json!({"host_port": in_state(&world.array.host_ports, dice, |port| port.fault.is_some())})
}

/// A part; power supply units, on which most depends, come often.
pub(super) fn part_fail(world: &World, dice: &mut Dice) -> Value {
    let supply = in_state(&world.array.parts, dice, |part| part.kind == PartKind::PowerSupply);
    let part = if dice.once_in(3) { supply } else { dice.of(&world.array.parts) };
    json!({"part": part, "state": dice.maybe(2, |dice| json!(dice.one(&["error", "warning", "maintenance", "missing"])))})
}

pub(super) fn part_restore(world: &World, dice: &mut Dice) -> Value {
    json!({"part": in_state(&world.array.parts, dice, |part| part.fault.is_some())})
}

pub(super) fn part_temperature(world: &World, dice: &mut Dice) -> Value {
    let sensor = in_state(&world.array.parts, dice, |part| part.temperature.is_some());
    json!({"part": sensor, "celsius": dice.one(&[24, 40, 45, 62, 126])})
}

pub(super) fn drive_install(world: &World, dice: &mut Dice) -> Value {
    let roomy = in_state(&world.array.enclosures, dice, |enclosure| !world.array.empty_bays(enclosure).is_empty());
    let known = world.array.hardware.drives.get(dice.throw(3)).map(|drive| (drive.drive_type, drive.capacity, drive.self_encrypting));
    let count = dice.one(&[1, 3, 0, 200]);
    let named = dice.once_in(4);
    let mut asked =
        json!({"enclosure": roomy, "count": if named { Value::Null } else { json!(count) }, "bays": if named { json!([20, 21]) } else { Value::Null }});
    if let Some((kind, capacity, encrypting)) = known.filter(|_| dice.flag()) {
        (asked["type"], asked["capacity"], asked["self_encrypting"]) = (json!(kind), json!(capacity), json!(encrypting));
    }
    asked
}
