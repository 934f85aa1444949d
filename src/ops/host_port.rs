//! Host ports are fixed; they can be enabled and disabled, and a converged port can be set to another protocol.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Ctx, Operation, World};
use crate::model::{HostPort, Key, Noun, Object, OpError, Place, Policy, PortProtocol, Seat};

/// Enables or disables a port, or sets its protocol.
///
/// Refused, in this order: unknown port; a protocol that the port cannot speak; another protocol while the port is in a port group, or while
/// an interface is on it or belongs there;
/// the port would serve too many hosts, by mappings that lead through all ports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HostPortUpdate, examples(json!({"enabled": false})))]
pub struct Update {
    /// Which one.
    #[schema(ignore)]
    pub host_port: String,
    /// Whether it carries I/O.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// What it speaks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protocol: Option<PortProtocol>,
}

impl Operation for Update {
    const NAME: &'static str = "host-port.update";
    const POLICY: Policy = Policy::HostInterfaceManagement;
    type Plan = (Key<HostPort>, Option<bool>, Option<PortProtocol>);
    type Output = Key<HostPort>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Self::Plan, OpError> {
        let port = world.array.host_ports.find(&self.host_port, Place::Target)?;
        if let Some(protocol) = self.protocol.filter(|protocol| *protocol != port.protocol) {
            if !port.modes.iter().any(|(mode, _)| *mode == protocol) {
                let what = format!("{protocol} on the port '{}'", port.name());
                return Err(OpError::NotSupported { noun: Noun::HostPort, field: "protocol".into(), what });
            }
            if let Some(group) = world.array.port_groups.iter().find(|group| group.ports.contains(&port.key())) {
                return Err(OpError::InUse { noun: Noun::HostPort, name: port.name().to_owned(), by: Noun::PortGroup, by_name: group.name().to_owned() });
            }
            let seat = Seat::Port(port.key());
            if let Some(interface) = world.array.interfaces.iter().find(|interface| interface.home == seat || interface.seat == seat) {
                let (name, by_name) = (port.name().to_owned(), interface.name().to_owned());
                return Err(OpError::InUse { noun: Noun::HostPort, name, by: Noun::Interface, by_name });
            }
            super::paths::port_may_speak(&world.array, port.key(), protocol)?;
        }
        Ok((port.key(), self.enabled, self.protocol))
    }

    fn apply((key, enabled, protocol): Self::Plan, world: &mut World, _: &Ctx) -> Key<HostPort> {
        if let Some(port) = world.array.host_ports.get_mut(key) {
            port.enabled = enabled.unwrap_or(port.enabled);
            port.protocol = protocol.unwrap_or(port.protocol);
        }
        key
    }
}
