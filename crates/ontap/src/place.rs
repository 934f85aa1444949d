//! Where interfaces are: on Ethernet and FC ports, and on the management ports of nodes, which the array has as places but not as ports.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::body::Body;
use crate::collection::{Row, View};
use crate::kept;
use crate::model::{Controller, HostPort, Interface, Key, Object, PortProtocol, Record, RecordKind, Seat};
use crate::refusal::{Outcome, Refusal};

/// What the management port of a node is called.
pub(crate) const MANAGEMENT: &str = "e0M";

/// The identifier of a node's management port.
pub(crate) fn management_id(node: &Controller) -> Uuid {
    Uuid::from_u128(node.id().as_u128() ^ 0x0e0)
}

/// Whether a port is one of Ethernet.
pub(crate) fn is_ethernet(port: &HostPort) -> bool {
    port.modes.iter().all(|(mode, _)| *mode != PortProtocol::Fc)
}

/// The node of a place.
pub(crate) fn node<'a>(view: &View<'a>, seat: Seat) -> Option<&'a Controller> {
    let controller = match seat {
        Seat::Port(port) => view.array.host_ports.get(port)?.controller,
        Seat::Controller(controller) => controller,
    };
    view.array.controllers.get(controller)
}

/// A reference to a node without its identifier's links.
fn node_name(view: &View<'_>, seat: Seat) -> String {
    node(view, seat).map_or_else(String::new, |node| view.node_name(node))
}

/// A reference to a port.
pub(crate) fn refer(view: &View<'_>, seat: Seat) -> Value {
    let node = json!({"name": node_name(view, seat)});
    match seat {
        Seat::Port(port) => view.array.host_ports.get(port).map_or(Value::Null, |port| json!({"name": view.port_name(port), "uuid": port.id(), "node": node})),
        Seat::Controller(key) => {
            view.array.controllers.get(key).map_or(Value::Null, |owner| json!({"name": MANAGEMENT, "uuid": management_id(owner), "node": node}))
        }
    }
}

/// All places with Ethernet: host ports, and one management port a node.
pub(crate) fn ethernet(view: &View<'_>) -> Vec<Row> {
    let ports = view.array.host_ports.iter().filter(|port| is_ethernet(port)).map(|port| row(Seat::Port(port.key())));
    let mut all: Vec<Row> = ports.collect();
    all.extend(view.array.controllers.iter().map(|node| row(Seat::Controller(node.key()))));
    all
}

/// A place as a row.
pub(crate) fn row(seat: Seat) -> Row {
    match seat {
        Seat::Port(port) => Row(port.raw(), 0),
        Seat::Controller(node) => Row(node.raw(), 1),
    }
}

/// The place of a row.
pub(crate) fn seat(row: Row) -> Seat {
    if row.1 == 0 { Seat::Port(Key::from_raw(row.0)) } else { Seat::Controller(Key::from_raw(row.0)) }
}

/// The identifier of a place's port.
pub(crate) fn id(view: &View<'_>, seat: Seat) -> Option<Uuid> {
    match seat {
        Seat::Port(port) => view.array.host_ports.get(port).map(Object::id),
        Seat::Controller(node) => view.array.controllers.get(node).map(management_id),
    }
}

/// The broadcast domain of a place. Management ports are in `Default`.
pub(crate) fn domain<'a>(view: &View<'a>, seat: Seat) -> Option<&'a Record> {
    match seat {
        Seat::Port(port) => kept::record(view.array, view.array.host_ports.get(port)?.note("broadcast_domain")),
        Seat::Controller(_) => view.array.records.named("Default", Some(Record::scope_of(RecordKind::BroadcastDomain, None))),
    }
}

/// The port that a body names by identifier, or by its name and that of its node.
pub(crate) fn named(view: &View<'_>, body: &Body, path: &str, fc: bool) -> Outcome<Option<Seat>> {
    let Some(port) = body.named(path) else { return Ok(None) };
    let node = body.named(&format!("{path}.node")).or_else(|| body.named(&path.replace("port", "node")));
    let node = node.map(|named| view.find_node(&named).map(Object::key).ok_or_else(|| unknown_node(named.shown(), path))).transpose()?;
    let ports = view.array.host_ports.iter().filter(|port| is_ethernet(port) != fc).map(|port| Seat::Port(port.key()));
    let nodes = view.array.controllers.iter().filter(|_| !fc).map(|node| Seat::Controller(node.key()));
    let name = |seat: Seat| refer(view, seat)["name"].as_str().map(str::to_owned);
    let fits = |seat: &Seat| {
        port.uuid.as_ref().is_none_or(|uuid| id(view, *seat).is_some_and(|id| id.to_string() == *uuid))
            && port.name.as_ref().is_none_or(|wanted| name(*seat).as_ref() == Some(wanted))
            && node.is_none_or(|key| self::node(view, *seat).is_some_and(|node| node.key() == key))
    };
    let found = ports.chain(nodes).find(fits);
    let number = if fc { 1_966_217 } else { 1_967_130 };
    found.map(Some).ok_or_else(|| Refusal::bad(number, format!("Port \"{}\" does not exist.", port.shown())).at(&format!("{path}.name")))
}

/// The node that a body names.
pub(crate) fn named_node(view: &View<'_>, body: &Body, path: &str) -> Outcome<Option<Key<Controller>>> {
    let Some(named) = body.named(path) else { return Ok(None) };
    view.find_node(&named).map(|node| Some(node.key())).ok_or_else(|| unknown_node(named.shown(), path))
}

fn unknown_node(name: &str, path: &str) -> Refusal {
    Refusal::bad(1_967_111, format!("Node \"{name}\" is not a member of the cluster.")).at(path)
}

/// How many interfaces belong on a place.
pub(crate) fn crowd(view: &View<'_>, seat: Seat) -> usize {
    view.array.interfaces.iter().filter(|interface| interface.home == seat).count()
}

/// What an interface is called: the management interfaces that nodes came with as their nodes were called then.
pub(crate) fn interface_name(view: &View<'_>, interface: &Interface) -> String {
    match own_node(view, interface) {
        Some((node, rest)) => format!("{}{rest}", view.first_node_name(node)),
        None => interface.name().to_owned(),
    }
}

/// The node whose management interface it is, and what follows the node in its name.
pub(crate) fn own_node<'a>(view: &View<'a>, interface: &'a Interface) -> Option<(&'a Controller, &'a str)> {
    let Seat::Controller(node) = interface.home else { return None };
    let node = view.array.controllers.get(node)?;
    interface.name().strip_prefix(node.name()).map(|rest| (node, rest))
}
