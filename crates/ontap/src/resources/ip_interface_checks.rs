//! What is asked of IP interfaces besides what the array asks of them: what they refer to, where they are, under which addresses, and which stay.

use std::net::IpAddr;

use serde_json::json;

use crate::body::Body;
use crate::collection::View;
use crate::kept;
use crate::model::{Interface, InterfaceAddress, Object, RecordKind, Seat, Service};
use crate::net;
use crate::place;
use crate::refusal::{Outcome, Refusal};
use crate::resources::ipspace;

/// What a body refers to besides ports and nodes is there.
pub(crate) fn references_are_there(view: &View<'_>, body: &Body) -> Outcome<()> {
    ipspace::named(view, body, 1_967_082)?;
    for (field, kind, code, what) in
        [("location.broadcast_domain", RecordKind::BroadcastDomain, 1_967_082, "Broadcast domain"), ("subnet", RecordKind::Subnet, 1_967_106, "Subnet")]
    {
        let Some(named) = body.named(field) else { continue };
        let unknown = || Refusal::bad(code, format!("{what} \"{}\" does not exist.", named.shown())).at(&format!("{field}.name"));
        kept::find(view.array, kind, &named, None).ok_or_else(unknown)?;
    }
    Ok(())
}

/// A new interface says where it shall be: a node, a port, a broadcast domain, or the subnet of one.
pub(crate) fn has_a_place(body: &Body) -> Outcome<()> {
    let places = ["location.home_node", "location.home_port", "location.node", "location.port", "location.broadcast_domain", "subnet"];
    if places.into_iter().any(|field| body.named(field).is_some()) {
        return Ok(());
    }
    let message = "A home node must be specified by at least one of \"location.home_node\", \"location.home_port\" and \"location.broadcast_domain\".";
    Err(Refusal::bad(1_967_111, message).at("location"))
}

/// Interfaces for block I/O do not move by themselves, so they do not come back by themselves.
pub(crate) fn stays_at_home(body: &Body, services: &[Service]) -> Outcome<()> {
    let is_for_blocks = services.iter().any(|service| service.protocol().is_some());
    if is_for_blocks && body.flag("location.auto_revert") == Some(true) {
        return Err(Refusal::bad_value("location.auto_revert", &json!(true), "false for an interface that serves blocks"));
    }
    Ok(())
}

/// The address is one that an interface can have, and the mask goes with it.
pub(crate) fn address_is_good(body: &Body, present: Option<&Interface>) -> Outcome<()> {
    let known = match present.map(|interface| &interface.address) {
        Some(InterfaceAddress::Ip(setup)) => Some(setup.address.as_str()),
        _ => None,
    };
    let Some(text) = body.text("ip.address").or(known) else { return Ok(()) };
    let address = text.parse::<IpAddr>().ok().filter(is_of_one_machine);
    let invalid = || Refusal::bad(1_376_663, format!("The IP address \"{text}\" is not one that an interface can have.")).at("ip.address");
    let address = address.ok_or_else(invalid)?;
    let Some(length) = net::prefix_at(body, "ip.netmask")? else { return Ok(()) };
    let (range, code) = if address.is_ipv4() { (4..=32, 1_966_269) } else { (4..=128, 1_966_267) };
    if range.contains(&length) {
        return Ok(());
    }
    let message = format!("A netmask of {length} bits does not go with the address \"{text}\": {} to {}.", range.start(), range.end());
    Err(Refusal::bad(code, message).at("ip.netmask"))
}

fn is_of_one_machine(address: &IpAddr) -> bool {
    let is_broadcast = matches!(address, IpAddr::V4(address) if address.is_broadcast());
    !(address.is_unspecified() || address.is_multicast() || address.is_loopback() || is_broadcast)
}

/// An interface that is in a portset stays on its node: it has to leave the portset first.
pub(crate) fn stays_on_its_node(view: &View<'_>, interface: &Interface, seat: Seat, field: &str) -> Outcome<()> {
    let node = |seat: Seat| place::node(view, seat).map(Object::key);
    match view.array.port_groups.iter().find(|group| group.interfaces.contains(&interface.key()) && node(seat) != node(interface.home)) {
        Some(group) => {
            let message = format!("The interface \"{}\" is in the portset \"{}\": take it out before it goes to another node.", interface.name(), group.name());
            Err(Refusal::conflict(8, message).at(field))
        }
        None => Ok(()),
    }
}

/// The cluster keeps an interface for its management, and so does each node.
pub(crate) fn may_go(view: &View<'_>, interface: &Interface) -> Outcome<()> {
    let is_management = |interface: &Interface| interface.tenant.is_none() && interface.services.contains(&Service::Management);
    let node = |interface: &Interface| place::own_node(view, interface).map(|(node, _)| node.key());
    let is_alike = |other: &Interface| other.key() != interface.key() && is_management(other) && node(other) == node(interface);
    if !is_management(interface) || view.array.interfaces.iter().any(is_alike) {
        return Ok(());
    }
    let whose = if node(interface).is_some() { "of its node" } else { "of the cluster" };
    let message = format!("The interface \"{}\" is the last management interface {whose}.", place::interface_name(view, interface));
    Err(Refusal::conflict(1_966_465, message))
}
