//! Hosts, groups, affinities and mappings.

use arrayplane::model::{Object, Place};
use arrayplane::ops::World;
use serde_json::{Value, json};

use super::super::dice::Dice;
use super::belonging;

fn address(dice: &mut Dice) -> (&'static str, &'static str, String) {
    let number = dice.throw(10);
    match dice.throw(6) {
        0..=3 => ("fc", "wwn", format!("10000090fa0000{number:02}")),
        4 => ("iscsi", "iscsi_name", format!("iqn.1991-05.com.example:{number}")),
        _ => ("nvme", "nqn", format!("nqn.2014-08.org.example:{number}")),
    }
}

pub(super) fn host_create(world: &World, dice: &mut Dice) -> Value {
    let (protocol, field, address) = address(dice);
    json!({
        "name": dice.name("H"), "protocol": protocol, field: address, "alias": dice.maybe(6, |_| json!("alias")),
        "tenant": belonging::tenant(world, dice), "host_response": belonging::host_response(world, dice),
    })
}

pub(super) fn host_update(world: &World, dice: &mut Dice) -> Value {
    let (_, field, address) = address(dice);
    json!({
        "host": dice.of(&world.array.hosts), "name": dice.maybe(3, |dice| json!(dice.name("H"))), field: dice.maybe(2, |_| json!(address)),
        "host_response": belonging::host_response(world, dice),
    })
}

pub(super) fn host_delete(world: &World, dice: &mut Dice) -> Value {
    json!({"host": dice.of(&world.array.hosts)})
}

pub(super) fn host_group_create(world: &World, dice: &mut Dice) -> Value {
    let hosts = dice.maybe(2, |dice| json!(dice.several(&world.array.hosts, 3)));
    let mixes = world.array.personality.offer.hosts_join_many_groups && dice.once_in(3);
    let protocol = if mixes {
        json!("mixed")
    } else if hosts.is_null() {
        json!(dice.one(&["fc", "iscsi"]))
    } else {
        Value::Null
    };
    let tenant = first_owner(world, &hosts);
    json!({
        "name": dice.name("HG"), "hosts": hosts, "protocol": protocol, "tenant": tenant, "host_response": belonging::host_response(world, dice),
        "groups": inner(world, dice), "port_group": bound(world, dice),
    })
}

/// Groups to be in a group, now and then, where the array nests them.
fn inner(world: &World, dice: &mut Dice) -> Value {
    if !world.array.personality.offer.hosts_join_many_groups {
        return Value::Null;
    }
    dice.maybe(3, |dice| json!(dice.several(&world.array.host_groups, 2)))
}

/// A port group to be bound, now and then, where the array binds them.
fn bound(world: &World, dice: &mut Dice) -> Value {
    if !world.array.personality.offer.portsets {
        return Value::Null;
    }
    dice.maybe(3, |dice| json!(dice.of(&world.array.port_groups)))
}

pub(super) fn host_group_update(world: &World, dice: &mut Dice) -> Value {
    let group = dice.of(&world.array.host_groups);
    let name = dice.maybe(4, |dice| json!(dice.name("HG")));
    match dice.throw(4) {
        3 => json!({"host_group": group, "groups": inner(world, dice), "port_group": bound(world, dice)}),
        0 => json!({"host_group": group, "name": name, "add_hosts": [dice.of(&world.array.hosts)]}),
        1 => json!({"host_group": group, "name": name, "remove_hosts": [dice.of(&world.array.hosts)]}),
        _ => json!({"host_group": group, "name": name, "hosts": dice.several(&world.array.hosts, 3), "host_response": belonging::host_response(world, dice)}),
    }
}

pub(super) fn host_group_delete(world: &World, dice: &mut Dice) -> Value {
    json!({"host_group": dice.of(&world.array.host_groups)})
}

pub(super) fn port_group_create(world: &World, dice: &mut Dice) -> Value {
    if world.array.personality.offer.portsets && dice.flag() {
        let interfaces = dice.several(&world.array.interfaces, 2);
        let tenant = interfaces.first().and_then(|named| world.array.interfaces.find(named, Place::Target).ok()).and_then(|found| found.tenant);
        let tenant = tenant.map(|tenant| world.array.tenants[tenant].number().to_string());
        return json!({"name": dice.name("PG"), "interfaces": interfaces, "tenant": tenant});
    }
    json!({"name": dice.name("PG"), "ports": dice.several(&world.array.host_ports, 4)})
}

pub(super) fn port_group_update(world: &World, dice: &mut Dice) -> Value {
    let group = dice.of(&world.array.port_groups);
    match dice.throw(4) {
        3 => json!({"port_group": group, "interfaces": dice.several(&world.array.interfaces, 2)}),
        0 => json!({"port_group": group, "add_ports": [dice.of(&world.array.host_ports)]}),
        1 => json!({"port_group": group, "remove_ports": [dice.of(&world.array.host_ports)]}),
        _ => json!({"port_group": group, "name": dice.maybe(2, |dice| json!(dice.name("PG"))), "ports": dice.several(&world.array.host_ports, 3)}),
    }
}

pub(super) fn port_group_delete(world: &World, dice: &mut Dice) -> Value {
    json!({"port_group": dice.of(&world.array.port_groups)})
}

/// The tenant of the first of these hosts.
fn first_owner(world: &World, hosts: &Value) -> Value {
    let host = hosts[0].as_str().and_then(|host| world.array.hosts.find(host, Place::Target).ok());
    host.and_then(|host| host.tenant).map_or(Value::Null, |tenant| json!(world.array.tenants[tenant].number().to_string()))
}

fn luns(world: &World, dice: &mut Dice) -> Value {
    let volumes = dice.several(&world.array.volumes, 3);
    let entries = volumes.into_iter().map(|volume| json!({"volume": volume, "lun": dice.maybe(2, |dice| json!(dice.one(&[0, 1, 2, 3, 300, 5000])))}));
    entries.collect()
}

pub(super) fn lun_group_create(world: &World, dice: &mut Dice) -> Value {
    let luns = luns(world, dice);
    let volume = luns[0]["volume"].as_str().and_then(|volume| world.array.volumes.find(volume, Place::Target).ok());
    let tenant = volume.and_then(|volume| volume.tenant).map(|tenant| world.array.tenants[tenant].number().to_string());
    json!({"name": dice.name("LG"), "luns": luns, "tenant": tenant})
}

pub(super) fn lun_group_update(world: &World, dice: &mut Dice) -> Value {
    let group = dice.of(&world.array.lun_groups);
    match dice.throw(3) {
        0 => json!({"lun_group": group, "add_luns": luns(world, dice)}),
        1 => json!({"lun_group": group, "remove_luns": [dice.throw(4)]}),
        _ => json!({"lun_group": group, "name": dice.maybe(2, |dice| json!(dice.name("LG"))), "luns": luns(world, dice)}),
    }
}

pub(super) fn lun_group_delete(world: &World, dice: &mut Dice) -> Value {
    json!({"lun_group": dice.of(&world.array.lun_groups)})
}

pub(super) fn affinity_create(world: &World, dice: &mut Dice) -> Value {
    let array = &world.array;
    json!({
        "host_group": dice.of(&array.host_groups), "port_group": dice.of(&array.port_groups), "lun_group": dice.of(&array.lun_groups),
        "name": dice.maybe(4, |dice| json!(dice.name("A"))),
    })
}

pub(super) fn affinity_update(world: &World, dice: &mut Dice) -> Value {
    let array = &world.array;
    json!({
        "affinity": dice.of(&array.affinities), "name": dice.maybe(4, |dice| json!(dice.name("A"))),
        "port_group": dice.maybe(3, |dice| json!(dice.of(&array.port_groups))), "lun_group": dice.maybe(3, |dice| json!(dice.of(&array.lun_groups))),
    })
}

pub(super) fn affinity_delete(world: &World, dice: &mut Dice) -> Value {
    json!({"affinity": dice.of(&world.array.affinities)})
}

fn lun(dice: &mut Dice) -> Value {
    dice.maybe(3, |dice| json!(dice.one(&[0, 1, 2, 3, 300, 5000])))
}

pub(super) fn mapping_create(world: &World, dice: &mut Dice) -> Value {
    let array = &world.array;
    let (field, party) = if dice.flag() { ("host_group", dice.of(&array.host_groups)) } else { ("host", dice.of(&array.hosts)) };
    json!({
        "volume": dice.of(&array.volumes), field: party, "lun": lun(dice), "name": dice.maybe(6, |dice| json!(dice.name("M"))),
        "port_group": dice.maybe(3, |dice| json!(dice.of(&array.port_groups))),
    })
}

pub(super) fn mapping_update(world: &World, dice: &mut Dice) -> Value {
    let array = &world.array;
    json!({
        "mapping": dice.of(&array.mappings), "lun": lun(dice), "name": dice.maybe(6, |dice| json!(dice.name("M"))),
        "port_group": dice.maybe(3, |dice| json!(dice.of(&array.port_groups))),
    })
}

pub(super) fn mapping_delete(world: &World, dice: &mut Dice) -> Value {
    json!({"mapping": dice.of(&world.array.mappings)})
}
