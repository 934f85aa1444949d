//! The sections of the settings.

use arrayplane::ops::World;
use serde_json::{Value, json};

use super::super::dice::Dice;

pub(super) fn network(world: &World, dice: &mut Dice) -> Value {
    let ports: Vec<&String> = world.array.settings.network.ports.iter().map(|port| &port.name).collect();
    let port = if ports.is_empty() { Value::Null } else { json!(ports[dice.throw(ports.len())]) };
    let change = json!({"port": port, "address": dice.one(&["10.0.0.3", "10.0.0.200", "", "2001:db8::1"]), "prefix_length": dice.one(&[24, 16, 99])});
    let changes = if port.is_null() { Value::Null } else { dice.maybe(2, |_| json!([change])) };
    json!({
        "ports": changes, "domain": dice.maybe(3, |dice| json!(dice.one(&["example.com", ""]))), "dns_servers": dice.maybe(3, |_| json!(["10.0.0.53"])),
        "services": dice.maybe(3, |dice| json!({"https": dice.flag()})), "allowed_networks": dice.maybe(3, |dice| dice.one(&[json!(["10.0.0.0/8"]), json!([])])),
    })
}

pub(super) fn notification(_: &World, dice: &mut Dice) -> Value {
    let mail = json!({"server": "mail.example.com", "sender": "array@example.com", "recipients": ["ops@example.com"]});
    let snmp = json!({"enabled": dice.flag(), "communities": [{"community": dice.one(&["public", "a b"])}]});
    json!({
        "mail": dice.maybe(3, |_| mail), "snmp": dice.maybe(2, |_| snmp), "syslog": dice.maybe(3, |_| json!([{"server": "log.example.com"}])),
        "no_mail": dice.maybe(4, |_| json!(true)),
    })
}

fn licence(world: &World, dice: &mut Dice) -> Value {
    let names: Vec<&String> = world.array.personality.offer.licences.keys().collect();
    if names.is_empty() { json!("nothing") } else { json!(names[dice.throw(names.len())]) }
}

pub(super) fn licence_register(world: &World, dice: &mut Dice) -> Value {
    json!({"licence": licence(world, dice), "key": "ABCD-EFGH-IJKL-MNOP"})
}

pub(super) fn licence_remove(world: &World, dice: &mut Dice) -> Value {
    json!({"licence": licence(world, dice)})
}

pub(super) fn firmware(_: &World, dice: &mut Dice) -> Value {
    json!({"version": format!("V10L{}-0000", 70 + dice.throw(5))})
}

pub(super) fn certificate(_: &World, dice: &mut Dice) -> Value {
    let subject = json!({"common_name": dice.one(&["array.example.com", "10.0.0.1", "two words"]), "country": dice.maybe(3, |_| json!("DE"))});
    json!({"subject": subject.as_object().map(|fields| fields.iter().filter(|(_, value)| !value.is_null()).collect::<std::collections::BTreeMap<_, _>>()), "days": dice.maybe(3, |dice| json!(dice.one(&[365, 9999])))})
}

pub(super) fn encryption(_: &World, dice: &mut Dice) -> Value {
    json!({
        "mode": dice.maybe(2, |dice| json!(dice.one(&["controller", "off", "self_encrypting_drives"]))),
        "key_servers": dice.maybe(3, |dice| dice.one(&[json!(["kms.example.com"]), json!([])])),
    })
}

pub(super) fn thin_provisioning(world: &World, dice: &mut Dice) -> Value {
    let choices: Vec<Value> = world.array.personality.offer.pool_capacities.iter().map(|choice| json!(choice.capacity)).collect();
    let capacity = if choices.is_empty() { Value::Null } else { dice.maybe(2, |dice| dice.one(&choices)) };
    json!({"enabled": dice.maybe(4, |dice| json!(!dice.once_in(3))), "maximum_pool_capacity": capacity})
}
