//! Tenants, interfaces, QoS policies and host responses.

use arrayplane::model::{Object, PortProtocol, Seat, Table};
use arrayplane::ops::World;
use serde_json::{Value, json};

use super::super::dice::Dice;

/// Something that exists, now and then; nothing when there is none.
fn perhaps<T: Object>(dice: &mut Dice, times: usize, table: &Table<T>) -> Value {
    if table.is_empty() { Value::Null } else { dice.maybe(times, |dice| json!(dice.of(table))) }
}

/// A tenant, now and then.
pub(super) fn tenant(world: &World, dice: &mut Dice) -> Value {
    perhaps(dice, 4, &world.array.tenants)
}

/// A QoS policy, now and then.
pub(super) fn qos_policy(world: &World, dice: &mut Dice) -> Value {
    perhaps(dice, 3, &world.array.qos_policies)
}

/// A host response, now and then.
pub(super) fn host_response(world: &World, dice: &mut Dice) -> Value {
    perhaps(dice, 3, &world.array.host_responses)
}

fn protocols(dice: &mut Dice) -> Value {
    dice.maybe(4, |dice| dice.one(&[json!(["fc"]), json!(["fc", "iscsi"]), json!(["iscsi"]), json!([])]))
}

pub(super) fn tenant_create(world: &World, dice: &mut Dice) -> Value {
    json!({
        "name": dice.name("T"), "pools": dice.several(&world.array.pools, 2), "protocols": protocols(dice),
        "capacity_limit": dice.maybe(4, Dice::size), "volume_limit": dice.maybe(4, |dice| json!(dice.one(&[1, 3, 0]))),
    })
}

pub(super) fn tenant_update(world: &World, dice: &mut Dice) -> Value {
    json!({
        "tenant": dice.of(&world.array.tenants), "name": dice.maybe(4, |dice| json!(dice.name("T"))), "protocols": protocols(dice),
        "state": dice.maybe(3, |dice| json!(dice.one(&["running", "stopped"]))), "pools": dice.maybe(3, |dice| json!(dice.several(&world.array.pools, 3))),
        "capacity_limit": dice.maybe(4, Dice::size), "volume_limit": dice.maybe(4, |dice| json!(dice.one(&[1, 3, 0]))),
    })
}

pub(super) fn tenant_delete(world: &World, dice: &mut Dice) -> Value {
    json!({"tenant": dice.of(&world.array.tenants), "with_contents": dice.maybe(2, |dice| json!(dice.flag()))})
}

pub(super) fn service_create(world: &World, dice: &mut Dice) -> Value {
    let protocol = dice.one(&["fc", "iscsi", "nvme"]);
    json!({"tenant": dice.of(&world.array.tenants), "protocol": protocol, "enabled": dice.maybe(3, |dice| json!(dice.flag()))})
}

pub(super) fn service_update(world: &World, dice: &mut Dice) -> Value {
    json!({"service": dice.of(&world.array.services), "enabled": dice.flag(), "alias": dice.maybe(6, |_| json!("alias"))})
}

pub(super) fn service_delete(world: &World, dice: &mut Dice) -> Value {
    let disabled = world.array.services.iter().find(|service| !service.enabled).map(|service| service.number().to_string());
    json!({"service": disabled.unwrap_or_else(|| dice.of(&world.array.services))})
}

fn ip(dice: &mut Dice) -> String {
    format!("10.0.0.{}", 1 + dice.throw(12))
}

/// What the port speaks now, as a service that it can carry; now and then another.
fn service(dice: &mut Dice, spoken: Option<PortProtocol>) -> &'static str {
    match spoken {
        _ if dice.once_in(12) => dice.one(&["nvme_tcp", "nvme_fc", "management"]),
        None | Some(PortProtocol::Ethernet) => "management",
        Some(PortProtocol::Fc | PortProtocol::Fcoe) => "fc",
        Some(PortProtocol::Iscsi) => "iscsi",
    }
}

pub(super) fn interface_create(world: &World, dice: &mut Dice) -> Value {
    let array = &world.array;
    if dice.flag() {
        let controller = dice.of(&array.controllers);
        return json!({
            "name": dice.name("I"), "services": [service(dice, None)], "home_controller": controller, "address": ip(dice), "prefix_length": 24,
            "gateway": dice.maybe(4, |dice| json!(dice.one(&["10.0.0.254", "10.0.1.254"]))),
        });
    }
    let ports: Vec<_> = array.host_ports.iter().collect();
    let port = ports[dice.throw(ports.len())];
    let carried = service(dice, Some(port.protocol));
    let by_wwn = matches!(carried, "fc" | "nvme_fc");
    let address = if by_wwn { Value::Null } else { json!(ip(dice)) };
    let prefix = if by_wwn { Value::Null } else { json!(24) };
    json!({
        "name": dice.name("I"), "services": [carried], "home_port": port.number().to_string(), "address": address, "prefix_length": prefix,
        "tenant": tenant(world, dice),
    })
}

pub(super) fn interface_update(world: &World, dice: &mut Dice) -> Value {
    json!({
        "interface": dice.of(&world.array.interfaces), "name": dice.maybe(3, |dice| json!(dice.name("I"))), "enabled": dice.flag(),
        "address": dice.maybe(4, |dice| json!(ip(dice))), "home_port": dice.maybe(4, |dice| json!(dice.of(&world.array.host_ports))),
    })
}

pub(super) fn interface_migrate(world: &World, dice: &mut Dice) -> Value {
    let array = &world.array;
    let interface = dice.of(&array.interfaces);
    let managed = array.interfaces.iter().find(|interface| matches!(interface.home, Seat::Controller(_))).map(|interface| interface.name().to_owned());
    if let Some(name) = managed.filter(|_| !dice.once_in(3)) {
        json!({"interface": name, "controller": dice.of(&array.controllers)})
    } else if dice.flag() {
        json!({"interface": interface, "controller": dice.of(&array.controllers)})
    } else {
        json!({"interface": interface, "port": dice.of(&array.host_ports)})
    }
}

pub(super) fn interface_revert(world: &World, dice: &mut Dice) -> Value {
    let away = world.array.interfaces.iter().find(|interface| interface.home != interface.seat).map(|interface| interface.name().to_owned());
    json!({"interface": away.map_or_else(|| json!(dice.of(&world.array.interfaces)), |name| json!(name))})
}

pub(super) fn interface_delete(world: &World, dice: &mut Dice) -> Value {
    json!({"interface": dice.of(&world.array.interfaces)})
}

/// Limits of a kind that the array has: the field and what it holds.
fn limits(world: &World, dice: &mut Dice) -> (&'static str, Value) {
    let offer = &world.array.personality.offer.qos;
    if !offer.fixed {
        return ("level", json!(1 + dice.throw(16)));
    }
    if dice.once_in(3) {
        let expected = 1 + dice.throw(100);
        return ("adaptive", json!({"expected_iops_per_tib": expected, "peak_iops_per_tib": expected + dice.throw(50)}));
    }
    ("fixed", json!({"iops": 1 + dice.throw(10_000), "bytes_per_second": dice.maybe(2, Dice::size), "least_iops": dice.maybe(4, |_| json!(1))}))
}

pub(super) fn qos_policy_create(world: &World, dice: &mut Dice) -> Value {
    let (kind, limits) = limits(world, dice);
    json!({"name": dice.name("Q"), kind: limits, "tenant": tenant(world, dice), "shared": dice.maybe(6, |dice| json!(dice.flag()))})
}

pub(super) fn qos_policy_update(world: &World, dice: &mut Dice) -> Value {
    let (kind, limits) = limits(world, dice);
    let policy = dice.of(&world.array.qos_policies);
    let name = dice.maybe(3, |dice| json!(dice.name("Q")));
    if dice.flag() { json!({"qos_policy": policy, "name": name, kind: limits}) } else { json!({"qos_policy": policy, "name": name}) }
}

pub(super) fn qos_policy_delete(world: &World, dice: &mut Dice) -> Value {
    json!({"qos_policy": dice.of(&world.array.qos_policies), "force": dice.maybe(2, |_| json!(true))})
}

fn manners(dice: &mut Dice) -> Value {
    json!({
        "flat_space_addressing": dice.maybe(2, |dice| json!(dice.flag())), "alua": dice.maybe(3, |dice| json!(dice.one(&["active_active", "preferred_path"]))),
        "command_timeout_seconds": dice.maybe(4, |dice| json!(dice.one(&[30, 5, 300]))),
    })
}

pub(super) fn host_response_create(_: &World, dice: &mut Dice) -> Value {
    json!({"name": dice.name("R"), "manners": manners(dice)})
}

pub(super) fn host_response_update(world: &World, dice: &mut Dice) -> Value {
    json!({"host_response": own_response(world, dice), "name": dice.maybe(3, |dice| json!(dice.name("R"))), "manners": manners(dice)})
}

pub(super) fn host_response_delete(world: &World, dice: &mut Dice) -> Value {
    json!({"host_response": own_response(world, dice)})
}

/// Mostly one that the array does not come with.
fn own_response(world: &World, dice: &mut Dice) -> String {
    let own: Vec<_> = world.array.host_responses.iter().filter(|response| !response.built_in).collect();
    if own.is_empty() || dice.once_in(12) { dice.of(&world.array.host_responses) } else { own[dice.throw(own.len())].number().to_string() }
}
