//! `/network/ethernet/ports`: Ethernet ports of the nodes, and their management ports.

use serde_json::{Value, json};

use crate::body::Body;
use crate::collection::{Call, Collection, Row, Verb, View};
use crate::fields::Want;
use crate::kept;
use crate::model::{Array, HostPort, Key, Object, PortState, RecordKind, Seat};
use crate::ops::{self, AnyOperation};
use crate::place;
use crate::refusal::{Outcome, Refusal};
use crate::resources::broadcast_domain;

/// The ports.
pub(crate) struct EthernetPorts;

impl Collection for EthernetPorts {
    fn path(&self) -> &'static str {
        "/network/ethernet/ports"
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Update]
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        Ok(place::ethernet(view))
    }
    fn record(&self, view: &View<'_>, row: Row, want: &Want) -> Value {
        let seat = place::seat(row);
        let Some(node) = place::node(view, seat) else { return json!({}) };
        let mut record = place::refer(view, seat);
        record["node"] = view.refer_node(node);
        record["type"] = json!("physical");
        record["flowcontrol_admin"] = json!("none");
        record["reachability"] = json!("ok");
        if let Some(domain) = broadcast_domain::shown(view, seat) {
            record["reachable_broadcast_domains"] = json!([domain]);
            record["broadcast_domain"] = domain;
        }
        let mtu = place::domain(view, seat).and_then(|domain| domain.note("mtu").cloned());
        record["mtu"] = mtu.unwrap_or(json!(1500));
        match seat {
            Seat::Port(port) => {
                let Some(port) = view.array.host_ports.get(port) else { return json!({}) };
                record["enabled"] = json!(port.enabled);
                record["mac_address"] = json!(port.mac_address);
                record["speed"] = json!(port.link_gbit() * 1000);
                record["state"] = json!(if want.has("state") && is_linked(view.array, port) { "up" } else { "down" });
                kept::show(&mut record, port, &["flowcontrol_admin"]);
            }
            Seat::Controller(_) => {
                record["enabled"] = json!(true);
                record["speed"] = json!(1000);
                record["state"] = json!(if node.is_online() { "up" } else { "down" });
            }
        }
        if want.has("interface_count") {
            record["interface_count"] = json!(view.array.interfaces.iter().filter(|interface| interface.seat == seat).count());
        }
        record
    }
    fn update(&self, call: &Call<'_>, row: Row, body: &Body) -> Outcome<()> {
        let operations = call.read(|view| {
            let seat = place::seat(row);
            let Seat::Port(port) = seat else { return Err(Refusal::bad(1_376_488, "Management ports cannot be changed.")) };
            let port = view.array.host_ports.get(port).ok_or_else(Refusal::not_found)?;
            let mut operations: Vec<AnyOperation> = enabled(port, body).into_iter().collect();
            if body.has("broadcast_domain") {
                let domain = match body.named("broadcast_domain") {
                    Some(named) => {
                        let unknown = || Refusal::bad(1_967_148, format!("Broadcast domain \"{}\" does not exist.", named.shown())).at("broadcast_domain");
                        Some(kept::find(view.array, RecordKind::BroadcastDomain, &named, None).ok_or_else(unknown)?)
                    }
                    None => None,
                };
                operations.extend(broadcast_domain::put(view, seat, domain));
            }
            operations.extend(kept::keep("host-port", &port.id().to_string(), kept::said(body, &["flowcontrol_admin"])));
            Ok(operations)
        })?;
        if operations.is_empty() { Ok(()) } else { call.run(operations).map(drop) }
    }
}

/// Whether a port's link is up.
pub(crate) fn is_linked(array: &Array, port: &HostPort) -> bool {
    matches!(array.port_state(port), PortState::Normal | PortState::Unused)
}

/// The operation that enables or disables a port.
pub(crate) fn enabled(port: &HostPort, body: &Body) -> Option<AnyOperation> {
    let enabled = body.flag("enabled").filter(|enabled| *enabled != port.enabled)?;
    Some(ops::host_port::Update { host_port: port.id().to_string(), enabled: Some(enabled), ..ops::host_port::Update::default() }.into())
}

/// The port of a row.
pub(crate) fn at<'a>(view: &View<'a>, row: Row) -> Option<&'a HostPort> {
    view.array.host_ports.get(Key::<HostPort>::from_raw(row.0))
}
