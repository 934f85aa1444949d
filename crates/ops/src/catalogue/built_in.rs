//! What an array has configured when it leaves the factory: its own records and interfaces.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::model::{Array, Controller, Interface, InterfaceAddress, IpSetup, Key, Notes, Object, Place, PortProtocol, Record, RecordKind, Seat, Service};

/// A record that an array comes with.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BuiltInRecord {
    kind: RecordKind,
    name: String,
    /// Its notes; `{"record": "kind/name"}` refers to a record above it.
    #[serde(default)]
    notes: Notes,
    /// Whether the Ethernet ports of the array refer to it, by a note that has the name of its kind.
    #[serde(default)]
    noted_on_ethernet_ports: bool,
    /// Where it comes from.
    #[serde(rename = "source")]
    _source: String,
}

/// An interface that an array comes with.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BuiltInInterface {
    /// Its name; `{controller}` stands for the controller's.
    name: String,
    /// On which controllers there is one, by place.
    controllers: Vec<usize>,
    /// The address of the first; others follow.
    address: [u8; 4],
    prefix_length: u8,
    #[serde(default)]
    notes: Notes,
    #[serde(rename = "source")]
    _source: String,
}

/// Adds what the array has configured by itself.
pub(super) fn add(array: &mut Array, records: &[BuiltInRecord], interfaces: &[BuiltInInterface]) {
    for BuiltInRecord { kind, name, notes, noted_on_ethernet_ports, .. } in records {
        let notes = resolved(array, notes);
        let (kind, identity) = (*kind, array.identity);
        let key = array.records.insert(identity, name.clone(), |head| Record { head, kind, tenant: None, built_in: true });
        array.records.annotate(key, &notes);
        if *noted_on_ethernet_ports {
            let note = Notes::from([(kind.name().to_owned(), json!({"record": array.records[key].id()}))]);
            let ports: Vec<_> = array.host_ports.iter().filter(|port| port.modes.iter().any(|(mode, _)| *mode != PortProtocol::Fc)).map(Object::key).collect();
            ports.into_iter().for_each(|port| array.host_ports.annotate(port, &note));
        }
    }
    let controllers: Vec<(Key<Controller>, String)> = array.controllers.iter().map(|controller| (controller.key(), controller.name().to_owned())).collect();
    for BuiltInInterface { name, controllers: places, address, prefix_length, notes, .. } in interfaces {
        let notes = resolved(array, notes);
        let mut last = address[3];
        for (controller, owner) in places.iter().filter_map(|place| controllers.get(*place)) {
            let [first, second, third, _] = address;
            let setup = IpSetup { address: format!("{first}.{second}.{third}.{last}"), prefix_length: *prefix_length, gateway: None };
            let seat = Seat::Controller(*controller);
            let key = array.interfaces.insert(array.identity, name.replace("{controller}", owner), |head| Interface {
                head,
                tenant: None,
                services: vec![Service::Management],
                home: seat,
                seat,
                address: InterfaceAddress::Ip(setup),
                enabled: true,
            });
            array.interfaces.annotate(key, &notes);
            last = last.wrapping_add(1);
        }
    }
}

/// Notes whose references are identifiers.
fn resolved(array: &Array, notes: &Notes) -> Notes {
    notes.iter().map(|(name, value)| (name.clone(), with_identifiers(array, value))).collect()
}

fn with_identifiers(array: &Array, value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(|item| with_identifiers(array, item)).collect(),
        Value::Object(fields) => fields
            .iter()
            .map(|(name, inner)| {
                let found = inner.as_str().filter(|_| name == "record" && fields.len() == 1).and_then(|text| array.find_record(text, Place::Target).ok());
                (name.clone(), found.map_or_else(|| with_identifiers(array, inner), |record| json!(record.id())))
            })
            .collect(),
        other => other.clone(),
    }
}
