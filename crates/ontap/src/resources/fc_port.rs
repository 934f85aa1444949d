//! `/network/fc/ports`: Fibre Channel ports of the nodes.

use serde_json::{Value, json};

use crate::body::Body;
use crate::collection::{Call, Collection, Row, Verb, View};
use crate::fields::Want;
use crate::model::{Object, PartKind, PortProtocol, PortState, Seat, TransferRate};
use crate::net;
use crate::place;
use crate::refusal::{Outcome, Refusal};
use crate::resources::ethernet_port::{at, enabled};

/// The ports.
pub(crate) struct FcPorts;

impl Collection for FcPorts {
    fn path(&self) -> &'static str {
        "/network/fc/ports"
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Update]
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        Ok(view.array.host_ports.iter().filter(|port| !place::is_ethernet(port)).map(|port| Row(port.key().raw(), 0)).collect())
    }
    fn record(&self, view: &View<'_>, row: Row, _: &Want) -> Value {
        let Some(port) = at(view, row) else { return json!({}) };
        let state = view.array.port_state(port);
        let online = matches!(state, PortState::Normal | PortState::Unused);
        let words = match state {
            PortState::Normal | PortState::Unused => "online",
            PortState::Error => "offlined_by_system",
            PortState::Offline => "node_offline",
            PortState::Disabled => "offlined_by_user",
            PortState::LinkDown => "link_not_connected",
        };
        let gbit = port.highest_gbit(PortProtocol::Fc);
        let configured = if port.fc.transfer_rate == TransferRate::default() { "auto".to_owned() } else { port.link_gbit().to_string() };
        let mut record = json!({
            "uuid": port.id(), "name": view.port_name(port), "description": format!("Fibre Channel Target Adapter {}", view.port_name(port)),
            "enabled": port.enabled, "state": words, "wwpn": net::wwn(&port.wwn), "physical_protocol": "fibre_channel",
            "supported_protocols": ["fcp", "fc_nvme"], "speed": {"maximum": gbit.to_string(), "configured": configured},
            "topology": {"configured": "fabric", "supported": ["fabric"]}, "fabric": {"connected": online},
            "interface_count": view.array.interfaces.iter().filter(|interface| interface.seat == Seat::Port(port.key())).count(),
        });
        if online {
            record["fabric"]["connected_speed"] = json!(port.link_gbit());
        }
        if let Some(node) = view.array.controllers.get(port.controller) {
            record["node"] = view.refer_node(node);
            record["wwnn"] = json!(net::wwn(&format!("500a0980{:08x}", node.id().as_u128() & 0xffff_ffff)));
        }
        if view.array.transceiver(port.key()).is_some_and(|part| part.kind == PartKind::Transceiver) {
            record["transceiver"] = json!({"form_factor": "sfp", "capabilities": [gbit]});
        }
        record
    }
    fn update(&self, call: &Call<'_>, row: Row, body: &Body) -> Outcome<()> {
        let operations = call.read(|view| at(view, row).map(|port| enabled(port, body)).ok_or_else(Refusal::not_found))?;
        operations.map_or(Ok(()), |operation| call.run(vec![operation]).map(drop))
    }
}
