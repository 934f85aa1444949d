//! The parameters of host ports, protocol by protocol, and the rules where each applies.

use super::host_port::Update;
use super::{address, host, rules};
use crate::model::{Array, FcConnection, HostPort, LoopIdAssignment, Noun, Object, OpError, PortProtocol, TransferRate};

const NOUN: Noun = Noun::HostPort;

/// Sets what is asked for on the changed port. Refused as [`Update`] says.
pub(super) fn set(array: &Array, asked: &Update, port: &mut HostPort) -> Result<(), OpError> {
    belong_here(array, asked, port)?;
    fibre_channel(asked, port)?;
    iscsi(asked, port)?;
    networks_are_whole(port)?;
    addresses_are_free(array, port)
}

/// The fields that were given, each with the protocols for which it is.
fn given(asked: &Update) -> impl Iterator<Item = (&'static str, &'static [PortProtocol])> {
    const FC: &[PortProtocol] = &[PortProtocol::Fc];
    const FRAMES: &[PortProtocol] = &[PortProtocol::Fc, PortProtocol::Fcoe];
    const ISCSI: &[PortProtocol] = &[PortProtocol::Iscsi];
    let all = [
        ("connection", FC, asked.connection.is_some()),
        ("loop_id_assignment", FC, asked.loop_id_assignment.is_some()),
        ("loop_id", FC, asked.loop_id.is_some()),
        ("transfer_rate", FC, asked.transfer_rate.is_some()),
        ("frame_size", FRAMES, asked.frame_size.is_some()),
        ("reset_scope", FRAMES, asked.reset_scope.is_some()),
        ("reserve_cancel_at_chip_reset", FRAMES, asked.reserve_cancel_at_chip_reset.is_some()),
        ("iscsi_name", ISCSI, asked.iscsi_name.is_some()),
        ("alias", ISCSI, asked.alias.is_some()),
        ("ipv4_address", ISCSI, asked.ipv4_address.is_some()),
        ("ipv4_mask", ISCSI, asked.ipv4_mask.is_some()),
        ("ipv4_gateway", ISCSI, asked.ipv4_gateway.is_some()),
        ("ipv6_address", ISCSI, asked.ipv6_address.is_some()),
        ("ipv6_prefix", ISCSI, asked.ipv6_prefix.is_some()),
        ("ipv6_gateway", ISCSI, asked.ipv6_gateway.is_some()),
        ("mtu", ISCSI, asked.mtu.is_some()),
        ("tcp_port", ISCSI, asked.tcp_port.is_some()),
        ("vlan_id", ISCSI, asked.vlan_id.is_some()),
        ("chap", ISCSI, asked.chap.is_some()),
        ("header_digest", ISCSI, asked.header_digest.is_some()),
        ("data_digest", ISCSI, asked.data_digest.is_some()),
        ("bandwidth_limit_mbit", ISCSI, asked.bandwidth_limit_mbit.is_some()),
    ];
    all.into_iter().filter(|(.., given)| *given).map(|(field, protocols, _)| (field, protocols))
}

/// Every field must be one that the array's ports have, of a protocol that this port can speak, and of the one that it speaks.
fn belong_here(array: &Array, asked: &Update, port: &HostPort) -> Result<(), OpError> {
    let parts = &array.personality.parts;
    let offered = |field: &str, protocols: &[PortProtocol]| {
        let of_array = if protocols.contains(&PortProtocol::Iscsi) { parts.iscsi_parameters } else { parts.fc_parameters || field == "transfer_rate" };
        of_array && port.modes.iter().any(|(mode, _)| protocols.contains(mode))
    };
    if let Some((field, _)) = given(asked).find(|(field, protocols)| !offered(field, protocols)) {
        return Err(OpError::NotSupported { noun: NOUN, field: field.into(), what: format!("{field} on the port '{}'", port.name()) });
    }
    match given(asked).find(|(_, protocols)| !protocols.contains(&port.protocol)) {
        Some((_, protocols)) => {
            let expected = protocols.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ");
            Err(OpError::WrongState { noun: NOUN, name: port.name().to_owned(), state: format!("set to {}", port.protocol), expected })
        }
        None => Ok(()),
    }
}

fn fibre_channel(asked: &Update, port: &mut HostPort) -> Result<(), OpError> {
    let highest = port.highest_gbit(PortProtocol::Fc);
    if let Some(gbit) = asked.transfer_rate.and_then(TransferRate::gbit) {
        rules::in_range(NOUN, "transfer_rate", gbit, (4, highest))?;
    }
    if let Some(size) = asked.frame_size.filter(|size| ![512, 1024, 2048].contains(size)) {
        return Err(invalid("frame_size", &size.to_string(), "512, 1024 or 2048".into()));
    }
    if let Some(id) = asked.loop_id {
        rules::in_range(NOUN, "loop_id", u64::from(id), (0, 125))?;
    }
    let fc = &mut port.fc;
    fc.connection = asked.connection.unwrap_or(fc.connection);
    fc.transfer_rate = asked.transfer_rate.unwrap_or(fc.transfer_rate);
    fc.frame_size = asked.frame_size.unwrap_or(fc.frame_size);
    fc.reset_scope = asked.reset_scope.unwrap_or(fc.reset_scope);
    fc.reserve_cancel_at_chip_reset = asked.reserve_cancel_at_chip_reset.unwrap_or(fc.reserve_cancel_at_chip_reset);
    fc.loop_id_assignment = asked.loop_id_assignment.unwrap_or(fc.loop_id_assignment);
    let by_hand = fc.loop_id_assignment == LoopIdAssignment::Manual;
    if asked.loop_id.is_some() && !by_hand {
        let because = "a loop id is given when it is assigned by hand".into();
        return Err(OpError::Conflicting { noun: NOUN, fields: vec!["loop_id".into(), "loop_id_assignment".into()], because });
    }
    fc.loop_id = asked.loop_id.and_then(|id| u8::try_from(id).ok()).or(fc.loop_id).filter(|_| by_hand);
    if by_hand && fc.loop_id.is_none() {
        let because = "a loop id that is assigned by hand must be given".into();
        return Err(OpError::Missing { noun: NOUN, field: "loop_id".into(), because });
    }
    if fc.connection == FcConnection::Loop && fc.transfer_rate.gbit().unwrap_or(highest) > 8 {
        let value = fc.transfer_rate.gbit().map_or_else(|| "auto".to_owned(), |gbit| gbit.to_string());
        return Err(invalid("transfer_rate", &value, "4 or 8, as a loop needs".into()));
    }
    Ok(())
}

fn iscsi(asked: &Update, port: &mut HostPort) -> Result<(), OpError> {
    if let Some(name) = &asked.iscsi_name {
        let expected = "4 to 223 letters, digits, '-', '.' or ':' that begin with iqn. or eui.";
        let normal = host::iscsi_name(name);
        port.iscsi_name = Some(normal.ok_or_else(|| invalid("iscsi_name", name, expected.into()))?);
    }
    rules::text_is_short(NOUN, "alias", asked.alias.as_deref(), 31)?;
    let highest = port.highest_gbit(PortProtocol::Iscsi) * 1000;
    let set = &mut port.iscsi;
    set.alias = asked.alias.clone().unwrap_or_else(|| set.alias.clone());
    change(&mut set.ipv4_address, asked.ipv4_address.as_deref(), |text| address::ipv4(NOUN, "ipv4_address", text))?;
    change(&mut set.ipv4_mask, asked.ipv4_mask.as_deref(), |text| address::ipv4_mask(NOUN, "ipv4_mask", text))?;
    change(&mut set.ipv4_gateway, asked.ipv4_gateway.as_deref(), |text| address::ipv4(NOUN, "ipv4_gateway", text))?;
    change(&mut set.ipv6_address, asked.ipv6_address.as_deref(), |text| address::ipv6(NOUN, "ipv6_address", text))?;
    change(&mut set.ipv6_gateway, asked.ipv6_gateway.as_deref(), |text| address::ipv6(NOUN, "ipv6_gateway", text))?;
    let prefix = ranged("ipv6_prefix", asked.ipv6_prefix, (3, 128))?;
    set.ipv6_prefix = prefix.and_then(|bits| u8::try_from(bits).ok()).or(set.ipv6_prefix);
    set.mtu = ranged("mtu", asked.mtu, (576, 9000))?.unwrap_or(set.mtu);
    set.tcp_port = ranged("tcp_port", asked.tcp_port, (1, 65_535))?.unwrap_or(set.tcp_port);
    change(&mut set.vlan_id, asked.vlan_id, |id| unless_none("vlan_id", id, (1, 4094)))?;
    change(&mut set.bandwidth_limit_mbit, asked.bandwidth_limit_mbit, |limit| unless_none("bandwidth_limit_mbit", limit, (10, highest)))?;
    set.chap = asked.chap.unwrap_or(set.chap);
    set.header_digest = asked.header_digest.unwrap_or(set.header_digest);
    set.data_digest = asked.data_digest.unwrap_or(set.data_digest);
    Ok(())
}

fn change<A, T>(setting: &mut Option<T>, asked: Option<A>, read: impl Fn(A) -> Result<Option<T>, OpError>) -> Result<(), OpError> {
    if let Some(asked) = asked {
        *setting = read(asked)?;
    }
    Ok(())
}

fn ranged(field: &str, asked: Option<u32>, range: (u64, u64)) -> Result<Option<u32>, OpError> {
    asked.map_or(Ok(()), |asked| rules::in_range(NOUN, field, u64::from(asked), range)).map(|()| asked)
}

/// 0 stands for none.
fn unless_none(field: &str, asked: u32, range: (u64, u64)) -> Result<Option<u32>, OpError> {
    if asked == 0 { Ok(None) } else { ranged(field, Some(asked), range) }
}

/// An address has a mask, and a gateway lies in its network.
fn networks_are_whole(port: &HostPort) -> Result<(), OpError> {
    let set = &port.iscsi;
    let needed = [
        ("ipv4_mask", set.ipv4_address.is_some() && set.ipv4_mask.is_none(), "an IPv4 address has a network mask"),
        ("ipv4_address", set.ipv4_address.is_none() && set.ipv4_gateway.is_some(), "an IPv4 gateway belongs to an address"),
        ("ipv6_prefix", set.ipv6_address.is_some() && set.ipv6_prefix.is_none(), "an IPv6 address has a network"),
        ("ipv6_address", set.ipv6_address.is_none() && set.ipv6_gateway.is_some(), "an IPv6 gateway belongs to an address"),
    ];
    if let Some((field, _, because)) = needed.into_iter().find(|(_, missing, _)| *missing) {
        return Err(OpError::Missing { noun: NOUN, field: field.into(), because: because.into() });
    }
    match (&set.ipv4_address, &set.ipv4_gateway, &set.ipv4_mask) {
        (Some(one), Some(gateway), Some(mask)) if !address::in_one_network(one, gateway, mask) => {
            Err(invalid("ipv4_gateway", gateway, format!("an address in the network of {one} with the mask {mask}")))
        }
        _ => Ok(()),
    }
}

/// No other port must have the address.
fn addresses_are_free(array: &Array, port: &HostPort) -> Result<(), OpError> {
    let others = || array.host_ports.iter().filter(|other| other.key() != port.key());
    let is_taken = |field: &str, address: Option<&String>, of: fn(&HostPort) -> Option<&String>| {
        let owner = address.and_then(|address| others().find(|other| of(other) == Some(address)).map(|other| (address, other.name())));
        owner.map_or(Ok(()), |(address, name)| Err(invalid(field, address, format!("a free address: the port '{name}' has it"))))
    };
    is_taken("ipv4_address", port.iscsi.ipv4_address.as_ref(), |other| other.iscsi.ipv4_address.as_ref())?;
    is_taken("ipv6_address", port.iscsi.ipv6_address.as_ref(), |other| other.iscsi.ipv6_address.as_ref())
}

fn invalid(field: &str, value: &str, expected: String) -> OpError {
    OpError::ValueInvalid { noun: NOUN, field: field.into(), value: value.to_owned(), expected }
}
