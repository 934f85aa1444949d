//! Host ports are fixed; they can be enabled, disabled and set, a converged port also to another protocol, and they break on demand.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Ctx, Operation, World, part, paths, port_settings};
use crate::model::{
    Array, FcConnection, HostPort, Interface, Key, LoopIdAssignment, Noun, Object, OpError, PartFault, Place, Policy, PortFault, PortProtocol, PortRole,
    ResetScope, Seat, Severity, TransferRate,
};

/// Enables or disables a port, and sets its protocol, what it is for, and the parameters of the protocol that it then speaks. All takes
/// effect at once. Parameters of another protocol are refused; an empty text takes an address or an alias away, 0 a VLAN or a limit.
///
/// Refused, in this order: unknown port; a protocol that the port cannot speak; another protocol, or no hosts any more, while the port is
/// in a port group, or while an interface is on it or belongs there that it would no longer carry; something that ports of this array cannot be for; the port would serve too many hosts, by mappings that lead through all ports;
/// parameters that this array or port does not have; parameters of a protocol that the port does not speak; of Fibre Channel: a rate
/// above the port's, an unknown frame size, a loop id out of range, without or against its way of assignment, a loop at more than 8
/// Gbit/s; of iSCSI: an invalid address, mask, gateway, name or alias, a number out of range, a mask or gateway without an address, an
/// address of another port.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HostPortUpdate, examples(json!({"enabled": false}), json!({"protocol": "iscsi", "ipv4_address": "192.168.10.1", "ipv4_mask": "255.255.255.0", "mtu": 9000})))]
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
    /// What it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<PortRole>,
    /// Fibre Channel: how it is connected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connection: Option<FcConnection>,
    /// Fibre Channel: how it finds its number on a loop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loop_id_assignment: Option<LoopIdAssignment>,
    /// Fibre Channel: its number on a loop, 0 to 125, when it is assigned by hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loop_id: Option<u32>,
    /// Fibre Channel: its rate in Gbit/s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transfer_rate: Option<TransferRate>,
    /// Fibre Channel and FCoE: bytes of the largest frame, 512, 1024 or 2048.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame_size: Option<u32>,
    /// Fibre Channel and FCoE: what a reset by a host reaches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reset_scope: Option<ResetScope>,
    /// Fibre Channel and FCoE: whether reservations go when the chip is reset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reserve_cancel_at_chip_reset: Option<bool>,
    /// iSCSI: its name, 4 to 223 characters, begins with `iqn.` or `eui.`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iscsi_name: Option<String>,
    /// iSCSI: another name, up to 31 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alias: Option<String>,
    /// iSCSI: IPv4 address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ipv4_address: Option<String>,
    /// iSCSI: IPv4 network mask.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ipv4_mask: Option<String>,
    /// iSCSI: IPv4 gateway, in the network of the address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ipv4_gateway: Option<String>,
    /// iSCSI: IPv6 address for connections.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ipv6_address: Option<String>,
    /// iSCSI: bits of the IPv6 network, 3 to 128.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ipv6_prefix: Option<u32>,
    /// iSCSI: IPv6 gateway.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ipv6_gateway: Option<String>,
    /// iSCSI: bytes of the largest packet, 576 to 9000; above 1500: jumbo frames.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mtu: Option<u32>,
    /// iSCSI: TCP port, 1 to 65535.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tcp_port: Option<u32>,
    /// iSCSI: VLAN, 1 to 4094; 0 for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vlan_id: Option<u32>,
    /// iSCSI: whether hosts must prove who they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chap: Option<bool>,
    /// iSCSI: whether headers carry a digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header_digest: Option<bool>,
    /// iSCSI: whether data carries a digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data_digest: Option<bool>,
    /// iSCSI: the most Mbit/s that it carries, 10 to the port's speed; 0 for no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bandwidth_limit_mbit: Option<u32>,
}

impl Operation for Update {
    const NAME: &'static str = "host-port.update";
    const POLICY: Policy = Policy::HostInterfaceManagement;
    type Plan = Box<HostPort>;
    type Output = Key<HostPort>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Box<HostPort>, OpError> {
        let array = &world.array;
        let port = array.host_ports.find(&self.host_port, Place::Target)?;
        let mut changed = port.clone();
        changed.enabled = self.enabled.unwrap_or(port.enabled);
        changed.protocol = self.protocol.unwrap_or(port.protocol);
        changed.role = self.role.unwrap_or(port.role);
        speaks(port, changed.protocol)?;
        if changed.protocol != port.protocol || !changed.role.serves_hosts() {
            is_in_no_group(array, port)?;
            is_free_of_interfaces(array, port, &changed)?;
        }
        may_be_for(array, port, changed.role)?;
        let serves_others = changed.protocol != port.protocol || changed.role.serves_hosts() != port.role.serves_hosts();
        if serves_others && changed.role.serves_hosts() {
            paths::port_may_speak(array, port.key(), changed.protocol)?;
        }
        port_settings::set(array, self, &mut changed)?;
        Ok(Box::new(changed))
    }

    fn apply(changed: Box<HostPort>, world: &mut World, ctx: &Ctx) -> Key<HostPort> {
        let (key, enabled, name) = (changed.key(), changed.enabled, changed.name().to_owned());
        let Some(port) = world.array.host_ports.get_mut(key) else { return key };
        let was_enabled = port.enabled;
        *port = *changed;
        if enabled != was_enabled {
            let (code, what) = if enabled { ("host_port_enabled", "enabled") } else { ("host_port_disabled", "disabled") };
            world.array.events.tell(ctx.now, Severity::Information, code, (Noun::HostPort, &name), format!("host port '{name}' was {what}"));
        }
        key
    }
}

/// The port must be able to speak the protocol.
fn speaks(port: &HostPort, protocol: PortProtocol) -> Result<(), OpError> {
    if port.modes.iter().any(|(mode, _)| *mode == protocol) {
        return Ok(());
    }
    Err(OpError::NotSupported { noun: Noun::HostPort, field: "protocol".into(), what: format!("{protocol} on the port '{}'", port.name()) })
}

/// Port groups have one protocol and are for hosts.
fn is_in_no_group(array: &Array, port: &HostPort) -> Result<(), OpError> {
    match array.port_groups.iter().find(|group| group.ports.contains(&port.key())) {
        Some(group) => Err(OpError::InUse { noun: Noun::HostPort, name: port.name().to_owned(), by: Noun::PortGroup, by_name: group.name().to_owned() }),
        None => Ok(()),
    }
}

/// No interface must be on the port or belong there that it would no longer carry.
fn is_free_of_interfaces(array: &Array, port: &HostPort, changed: &HostPort) -> Result<(), OpError> {
    let seat = Seat::Port(port.key());
    let is_carried =
        |interface: &Interface| changed.role.serves_hosts() && interface.services.iter().all(|service| service.carriers().contains(&changed.protocol));
    match array.interfaces.iter().find(|interface| (interface.home == seat || interface.seat == seat) && !is_carried(interface)) {
        Some(interface) => {
            Err(OpError::InUse { noun: Noun::HostPort, name: port.name().to_owned(), by: Noun::Interface, by_name: interface.name().to_owned() })
        }
        None => Ok(()),
    }
}

/// The array's ports must be able to be for that.
fn may_be_for(array: &Array, port: &HostPort, role: PortRole) -> Result<(), OpError> {
    if role == port.role || array.personality.parts.port_roles.contains(&role) {
        return Ok(());
    }
    Err(OpError::NotSupported { noun: Noun::HostPort, field: "role".into(), what: format!("host ports of the role '{}'", role.name()) })
}

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = HostPortFaultKind)]
pub enum FaultKind {
    /// Nothing answers at the other end: a cable is out, or a switch is down.
    LinkDown,
    /// The port's transceiver fails (SFP).
    Transceiver,
    /// The port itself is broken.
    Hardware,
}

/// Breaks a port, its link or its transceiver.
///
/// Refused, in this order: unknown port; a transceiver where there is none; it is broken already.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HostPortFail, examples(json!({"fault": "transceiver"})))]
pub struct Fail {
    /// Which one.
    #[schema(ignore)]
    pub host_port: String,
    /// What goes wrong; `link_down` if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<FaultKind>,
}

impl Operation for Fail {
    const NAME: &'static str = "host-port.fail";
    const POLICY: Policy = Policy::Emulation;
    type Plan = (Key<HostPort>, FaultKind);
    type Output = Key<HostPort>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Self::Plan, OpError> {
        let array = &world.array;
        let port = array.host_ports.find(&self.host_port, Place::Target)?;
        let fault = self.fault.unwrap_or(FaultKind::LinkDown);
        let broken = match fault {
            FaultKind::LinkDown => port.fault.is_some(),
            FaultKind::Hardware => port.fault == Some(PortFault::Hardware),
            FaultKind::Transceiver => {
                let refusal = || OpError::NotSupported { noun: Noun::HostPort, field: "fault".into(), what: format!("a transceiver of '{}'", port.name()) };
                array.transceiver(port.key()).ok_or_else(refusal)?.fault == Some(PartFault::Error)
            }
        };
        if broken { Err(wrong_state(port, "broken already", "in order")) } else { Ok((port.key(), fault)) }
    }

    fn apply((key, fault): Self::Plan, world: &mut World, ctx: &Ctx) -> Key<HostPort> {
        let transceiver = world.array.transceiver(key).map(Object::key);
        let Some(port) = world.array.host_ports.get_mut(key) else { return key };
        let name = port.name().to_owned();
        port.link_failures += 1;
        let (severity, code, message) = match fault {
            FaultKind::LinkDown => {
                port.fault = Some(PortFault::LinkDown);
                (Severity::Warning, "host_port_link_down", format!("host port '{name}' has lost its link"))
            }
            FaultKind::Hardware => {
                port.fault = Some(PortFault::Hardware);
                (Severity::Error, "host_port_failed", format!("host port '{name}' has failed"))
            }
            FaultKind::Transceiver => {
                if let Some(transceiver) = transceiver {
                    part::break_part(world, transceiver, PartFault::Error, ctx);
                }
                (Severity::Error, "host_port_failed", format!("host port '{name}' has lost its transceiver"))
            }
        };
        world.array.events.tell(ctx.now, severity, code, (Noun::HostPort, &name), message);
        key
    }
}

/// Mends a port, its link and its transceiver.
///
/// Refused, in this order: unknown port; nothing is wrong with it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HostPortRestore)]
pub struct Restore {
    /// Which one.
    #[schema(ignore)]
    pub host_port: String,
}

impl Operation for Restore {
    const NAME: &'static str = "host-port.restore";
    const POLICY: Policy = Policy::Emulation;
    type Plan = Key<HostPort>;
    type Output = Key<HostPort>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Self::Plan, OpError> {
        let port = world.array.host_ports.find(&self.host_port, Place::Target)?;
        let sound = world.array.transceiver(port.key()).is_none_or(|transceiver| transceiver.fault.is_none());
        if port.fault.is_none() && sound { Err(wrong_state(port, "in order", "broken")) } else { Ok(port.key()) }
    }

    fn apply(key: Self::Plan, world: &mut World, ctx: &Ctx) -> Key<HostPort> {
        let broken = world.array.transceiver(key).filter(|transceiver| transceiver.fault.is_some()).map(Object::key);
        if let Some(transceiver) = broken {
            part::mend(world, transceiver, ctx);
        }
        let Some(port) = world.array.host_ports.get_mut(key) else { return key };
        port.fault = None;
        let name = port.name().to_owned();
        world.array.events.tell(ctx.now, Severity::Information, "host_port_restored", (Noun::HostPort, &name), format!("host port '{name}' is in order again"));
        key
    }
}

fn wrong_state(port: &HostPort, state: &str, expected: &str) -> OpError {
    OpError::WrongState { noun: Noun::HostPort, name: port.name().to_owned(), state: state.into(), expected: expected.into() }
}
