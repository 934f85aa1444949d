//! The rules of port groups: what they are made of.

use super::{belonging, host_group_rules};
use crate::model::{Array, HostPort, Interface, Key, Noun, Object, OpError, PortGroup, PortGroupProtocol, PortProtocol, Protocol, Tenant};

/// A port group is made of ports or of interfaces.
pub(super) fn is_of_one_kind(ports: bool, interfaces: bool, field: &str) -> Result<(), OpError> {
    if !(ports && interfaces) {
        return Ok(());
    }
    let because = "a port group is made of ports, whose protocol it has, or of interfaces".into();
    Err(OpError::Conflicting { noun: Noun::PortGroup, fields: vec![field.into(), "ports".into()], because })
}

/// A port group stays what it is made of.
pub(super) fn is_of_that_kind(group: &PortGroup, ports: Option<&str>, interfaces: Option<&str>) -> Result<(), OpError> {
    let (other, own) = if group.is_of_interfaces() { (ports, "interfaces") } else { (interfaces, "ports") };
    other.map_or(Ok(()), |field| {
        let because = format!("the {} '{}' is made of {own}", Noun::PortGroup, group.name());
        Err(OpError::Conflicting { noun: Noun::PortGroup, fields: vec![field.into()], because })
    })
}

/// Not every array groups interfaces.
pub(super) fn interfaces_are_grouped(array: &Array, wanted: bool) -> Result<(), OpError> {
    if wanted && !array.personality.offer.portsets {
        return Err(OpError::NotSupported { noun: Noun::PortGroup, field: "interfaces".into(), what: "port groups made of interfaces".into() });
    }
    Ok(())
}

/// Interfaces are grouped by Fibre Channel, iSCSI, or both.
pub(super) fn interfaces_speak_so(of_interfaces: bool, protocol: PortGroupProtocol) -> Result<(), OpError> {
    if of_interfaces && protocol == PortGroupProtocol::Fcoe {
        return Err(OpError::NotSupported { noun: Noun::PortGroup, field: "protocol".into(), what: "port groups made of interfaces for fcoe".into() });
    }
    Ok(())
}

/// All interfaces of a group belong to its tenant and are for its protocol.
pub(super) fn interfaces_fit(array: &Array, interfaces: &[Key<Interface>], protocol: PortGroupProtocol, tenant: Option<Key<Tenant>>) -> Result<(), OpError> {
    for interface in interfaces.iter().map(|key| &array.interfaces[*key]) {
        belonging::is_of(array, (Noun::Interface, interface.name()), interface.tenant, tenant)?;
        let fits = [Protocol::Fc, Protocol::Iscsi].into_iter().any(|spoken| protocol.serves(spoken) && interface.speaks(spoken));
        if !fits {
            let spoken = interface.services.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and ");
            let expected = if protocol == PortGroupProtocol::Mixed { "fc or iscsi".to_owned() } else { protocol.to_string() };
            return Err(OpError::ProtocolMismatch { noun: Noun::Interface, name: interface.name().to_owned(), protocol: spoken, expected });
        }
    }
    Ok(())
}

/// While a host group is bound to it, a group keeps an interface.
pub(super) fn stays_useful(array: &Array, group: &PortGroup, interfaces: &[Key<Interface>]) -> Result<(), OpError> {
    match host_group_rules::bound_to(array, group.key()).filter(|_| interfaces.is_empty()) {
        Some(bound) => {
            let (name, by_name) = (group.name().to_owned(), bound.name().to_owned());
            Err(OpError::InUse { noun: Noun::PortGroup, name, by: Noun::HostGroup, by_name })
        }
        None => Ok(()),
    }
}

/// A group of ports is never empty.
pub(super) fn has_a_port<T>(ports: &[T]) -> Result<(), OpError> {
    if !ports.is_empty() {
        return Ok(());
    }
    Err(OpError::Missing { noun: Noun::PortGroup, field: "ports".into(), because: "a port group has at least one port".into() })
}

/// Ports set to Ethernet carry no host I/O, nor do ports that are for other arrays only.
pub(super) fn ports_carry_host_io(array: &Array, ports: &[Key<HostPort>]) -> Result<(), OpError> {
    let mut ports = ports.iter().map(|port| &array.host_ports[*port]);
    match ports.find(|port| port.protocol == PortProtocol::Ethernet || !port.role.serves_hosts()) {
        Some(port) if port.role.serves_hosts() => Err(mismatch(port, "fc, fcoe or iscsi".into())),
        Some(port) => {
            let (name, state) = (port.name().to_owned(), format!("of the role '{}'", port.role.name()));
            Err(OpError::WrongState { noun: Noun::HostPort, name, state, expected: "for hosts".into() })
        }
        None => Ok(()),
    }
}

/// All ports of a group speak its protocol.
pub(super) fn ports_speak(array: &Array, ports: &[Key<HostPort>], protocol: PortGroupProtocol) -> Result<(), OpError> {
    let other = ports.iter().map(|port| &array.host_ports[*port]).find(|port| PortGroupProtocol::of(port.protocol) != Some(protocol));
    other.map_or(Ok(()), |port| Err(mismatch(port, protocol.to_string())))
}

fn mismatch(port: &HostPort, expected: String) -> OpError {
    OpError::ProtocolMismatch { noun: Noun::HostPort, name: port.name().to_owned(), protocol: port.protocol.to_string(), expected }
}
