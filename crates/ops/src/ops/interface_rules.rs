//! The rules of interfaces: where they can be, what they carry, under which addresses.

use crate::model::{
    Array, Dialect, Interface, InterfaceAddress, IpSetup, Key, Noun, Object, OpError, Place, PortGroup, PortProtocol, Protocol, Seat, Service, Tenant,
    ip_address, one_network, prefix_most,
};

/// Where an interface shall be: a host port or a controller, each with the field that names it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wish<'a> {
    pub(super) port: (&'static str, Option<&'a str>),
    pub(super) controller: (&'static str, Option<&'a str>),
}

impl Wish<'_> {
    /// Whether nothing is wished.
    pub(super) const fn is_empty(&self) -> bool {
        self.port.1.is_none() && self.controller.1.is_none()
    }
    /// An interface is in one place.
    pub(super) fn is_no_more_than_one(&self) -> Result<(), OpError> {
        if self.port.1.is_none() || self.controller.1.is_none() {
            return Ok(());
        }
        let fields = vec![self.port.0.to_owned(), self.controller.0.to_owned()];
        Err(OpError::Conflicting { noun: Noun::Interface, fields, because: "an interface is on a host port or at a controller".into() })
    }
    /// The place must be named once.
    pub(super) fn is_one(&self) -> Result<(), OpError> {
        self.is_no_more_than_one()?;
        if !self.is_empty() {
            return Ok(());
        }
        let because = format!("an interface is on a host port or at a controller ({})", self.controller.0);
        Err(OpError::Missing { noun: Noun::Interface, field: self.port.0.to_owned(), because })
    }
    /// What is named.
    pub(super) fn resolve(&self, array: &Array) -> Result<Seat, OpError> {
        match (self.port.1, self.controller.1) {
            (_, Some(controller)) => array.controllers.find(controller, Place::field(self.controller.0)).map(|found| Seat::Controller(found.key())),
            (port, None) => array.host_ports.find(port.unwrap_or_default(), Place::field(self.port.0)).map(|found| Seat::Port(found.key())),
        }
    }
}

/// The services must go together and be offered; answers with them in order.
pub(super) fn services(array: &Array, asked: &[Service]) -> Result<Vec<Service>, OpError> {
    let refuse = |because: String| Err(OpError::Conflicting { noun: Noun::Interface, fields: vec!["services".into()], because });
    if asked.is_empty() {
        return Err(OpError::Missing { noun: Noun::Interface, field: "services".into(), because: "an interface is for something".into() });
    }
    if let Some(place) = (1..asked.len()).find(|place| asked[..*place].contains(&asked[*place])) {
        return refuse(format!("{} is named twice", asked[place]));
    }
    if asked.len() > 1 && asked.iter().any(|service| service.by_wwn()) {
        return refuse("an interface with world-wide names carries one service".into());
    }
    if let Some(other) = asked.iter().find(|service| !array.personality.offer.services.contains(service)) {
        return Err(OpError::NotSupported { noun: Noun::Interface, field: "services".into(), what: format!("interfaces for {other}") });
    }
    let mut services = asked.to_vec();
    services.sort_unstable();
    Ok(services)
}

/// An interface is addressed as it was, by world-wide names or not, and what has them keeps its service.
pub(super) fn keeps_its_kind(interface: &Interface, services: &[Service]) -> Result<(), OpError> {
    let by_wwn = |services: &[Service]| services.iter().any(|service| service.by_wwn());
    if (!by_wwn(services) && !by_wwn(&interface.services)) || services == interface.services {
        return Ok(());
    }
    let because = "an interface for Fibre Channel keeps its service, and others do not come to it".into();
    Err(OpError::Conflicting { noun: Noun::Interface, fields: vec!["services".into()], because })
}

/// An interface in a port group goes on to be for the group's protocol.
pub(super) fn suits_its_groups(array: &Array, interface: &Interface, services: &[Service]) -> Result<(), OpError> {
    let speaks = |protocol: Protocol| services.iter().any(|service| service.protocol() == Some(protocol));
    let suits = |group: &PortGroup| [Protocol::Fc, Protocol::Iscsi].into_iter().any(|protocol| group.serves(protocol) && speaks(protocol));
    match array.port_groups.iter().find(|group| group.interfaces.contains(&interface.key()) && !suits(group)) {
        Some(group) => {
            let (name, by_name) = (interface.name().to_owned(), group.name().to_owned());
            Err(OpError::InUse { noun: Noun::Interface, name, by: Noun::PortGroup, by_name })
        }
        None => Ok(()),
    }
}

/// A tenant's interfaces carry what its hosts may speak.
pub(super) fn tenant_speaks(array: &Array, tenant: Option<Key<Tenant>>, name: &str, services: &[Service]) -> Result<(), OpError> {
    let Some(tenant) = tenant.map(|key| &array.tenants[key]) else { return Ok(()) };
    let other = services.iter().find(|service| service.protocol().is_some_and(|protocol| !tenant.protocols.contains(&protocol)));
    other.map_or(Ok(()), |service| {
        let expected = tenant.protocols.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ");
        Err(OpError::ProtocolMismatch { noun: Noun::Interface, name: name.to_owned(), protocol: service.to_string(), expected })
    })
}

/// The port must speak what the services need; controllers carry administration only.
pub(super) fn seat_carries(array: &Array, seat: Seat, services: &[Service]) -> Result<(), OpError> {
    match seat {
        Seat::Controller(controller) => match services.iter().find(|service| **service != Service::Management) {
            Some(service) => {
                let (name, expected) = (array.controllers[controller].name().to_owned(), service.to_string());
                Err(OpError::ProtocolMismatch { noun: Noun::Controller, name, protocol: Service::Management.to_string(), expected })
            }
            None => Ok(()),
        },
        Seat::Port(port) => {
            let port = &array.host_ports[port];
            match services.iter().find(|service| !service.carriers().contains(&port.protocol)) {
                Some(service) => {
                    let expected = service.carriers().iter().map(PortProtocol::to_string).collect::<Vec<_>>().join(" or ");
                    Err(OpError::ProtocolMismatch { noun: Noun::HostPort, name: port.name().to_owned(), protocol: port.protocol.to_string(), expected })
                }
                None => Ok(()),
            }
        }
    }
}

/// Where an interface is to be. An array that finds places puts one that carries data on a port of the controller that is named, and chooses
/// when nothing is named: the place with the fewest interfaces, of several the first by number.
pub(super) fn placed(array: &Array, asked: Option<Seat>, services: &[Service]) -> Result<Seat, OpError> {
    let carries_data = services.iter().any(|service| service.protocol().is_some());
    let within = match asked {
        Some(Seat::Controller(controller)) if carries_data && array.personality.offer.interface_placement => Some(controller),
        Some(seat) => return Ok(seat),
        None => None,
    };
    let ports = array.host_ports.iter().filter(|port| within.is_none_or(|controller| port.controller == controller)).map(|port| Seat::Port(port.key()));
    let controllers = array.controllers.iter().map(|controller| Seat::Controller(controller.key()));
    let places: Vec<Seat> = if carries_data { ports.collect() } else { controllers.collect() };
    let crowd = |seat: &Seat| array.interfaces.iter().filter(|interface| interface.home == *seat).count();
    let found = places.into_iter().filter(|seat| seat_carries(array, *seat, services).is_ok()).min_by_key(crowd);
    let words = services.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and ");
    match (found, within) {
        (Some(seat), _) => Ok(seat),
        (None, Some(controller)) => {
            let (name, protocol) = (array.controllers[controller].name().to_owned(), Service::Management.to_string());
            Err(OpError::ProtocolMismatch { noun: Noun::Controller, name, protocol, expected: words })
        }
        (None, None) => {
            let what = format!("interfaces for {words} on any of its ports");
            Err(OpError::NotSupported { noun: Noun::Interface, field: "services".into(), what })
        }
    }
}

/// On some arrays interfaces for block I/O move only while they are disabled.
pub(super) fn may_move(array: &Array, interface: &Interface) -> Result<(), OpError> {
    if array.personality.offer.data_interfaces_stay && interface.carries_data() && interface.enabled {
        let (name, state, expected) = (interface.name().to_owned(), "enabled".to_owned(), "disabled".to_owned());
        return Err(OpError::WrongState { noun: Noun::Interface, name, state, expected });
    }
    Ok(())
}

/// What a request says about an address.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked<'a> {
    pub(super) address: Option<&'a str>,
    pub(super) prefix_length: Option<u8>,
    pub(super) gateway: Option<&'a str>,
}

impl Asked<'_> {
    fn first_field(&self) -> Option<&'static str> {
        let given = [("address", self.address.is_some()), ("prefix_length", self.prefix_length.is_some()), ("gateway", self.gateway.is_some())];
        given.into_iter().find(|(_, given)| *given).map(|(field, _)| field)
    }
}

/// The address as it would be; `None`: by world-wide names, or unchanged.
pub(super) fn address(asked: Asked<'_>, present: Option<&InterfaceAddress>, services: &[Service]) -> Result<Option<IpSetup>, OpError> {
    let first = asked.first_field();
    if services.iter().any(|service| service.by_wwn()) {
        return match first {
            Some(field) => {
                let because = "an interface for Fibre Channel has world-wide names, which come from the array".into();
                Err(OpError::Conflicting { noun: Noun::Interface, fields: vec![field.into(), "services".into()], because })
            }
            None => Ok(None),
        };
    }
    let before = if let Some(InterfaceAddress::Ip(setup)) = present { Some(setup) } else { None };
    if before.is_some() && first.is_none() {
        return Ok(None);
    }
    ip_setup(Noun::Interface, asked, before).map(Some)
}

/// An address of the Internet Protocol, with what is left out as it was before.
pub(super) fn ip_setup(noun: Noun, asked: Asked<'_>, before: Option<&IpSetup>) -> Result<IpSetup, OpError> {
    let missing = |field: &str, because: &str| OpError::Missing { noun, field: field.into(), because: because.into() };
    let invalid =
        |field: &str, value: &str, expected: &str| OpError::ValueInvalid { noun, field: field.into(), value: value.into(), expected: expected.into() };
    let given = asked.address.or(before.map(|setup| setup.address.as_str())).ok_or_else(|| missing("address", "it answers under an address"))?;
    let address = ip_address(given).ok_or_else(|| invalid("address", given, "an IPv4 or IPv6 address that one machine can have"))?;
    let prefix = asked.prefix_length.or(before.map(|setup| setup.prefix_length));
    let prefix_length = prefix.ok_or_else(|| missing("prefix_length", "it says which addresses are in the same network"))?;
    super::rules::in_range(noun, "prefix_length", u64::from(prefix_length), (1, u64::from(prefix_most(&address))))?;
    let gateway = match asked.gateway {
        None => before.and_then(|setup| setup.gateway.clone()),
        Some("") => None,
        Some(text) => Some(ip_address(text).ok_or_else(|| invalid("gateway", text, "an IPv4 or IPv6 address that one machine can have"))?),
    };
    if let Some(gateway) = gateway.as_deref().filter(|gateway| !one_network(gateway, &address, prefix_length) || **gateway == address) {
        return Err(invalid("gateway", gateway, "another address in the network of the interface"));
    }
    Ok(IpSetup { address, prefix_length, gateway })
}

/// Nothing else in the array has that address.
pub(super) fn address_is_free(array: &Array, address: &str, except: Option<Key<Interface>>) -> Result<(), OpError> {
    if let Some(other) = array.interfaces.iter().find(|other| other.address() == address && Some(other.key()) != except) {
        return Err(OpError::AddressTaken { field: "address".into(), address: address.to_owned(), noun: Noun::Interface, by: other.name().to_owned() });
    }
    let port = array.settings.network.ports.iter().find(|port| port.address.as_ref().is_some_and(|setup| setup.address == address));
    port.map_or(Ok(()), |port| {
        let (field, by) = ("address".to_owned(), port.name.clone());
        Err(OpError::AddressTaken { field, address: address.to_owned(), noun: Noun::Settings, by })
    })
}

/// World-wide names of a new interface, from the seed; a tenant's interfaces share the node's.
pub(super) fn wwn(array: &Array, interface: Key<Interface>, tenant: Option<Key<Tenant>>) -> InterfaceAddress {
    let owner = tenant.map_or_else(|| "array".to_owned(), |tenant| tenant.raw().to_string());
    let (node, port) = (format!("interface-node:{owner}"), format!("interface-port:{}", interface.raw()));
    let name = |place: u32, what: &str| {
        let bits = array.identity.bits(what);
        match array.personality.dialect {
            Dialect::Ontap => format!("2{:03x}00a098{:06x}", place & 0xfff, bits & 0x00ff_ffff),
            Dialect::Eternus | Dialect::Generic => format!("2{:015x}", bits & 0x0fff_ffff_ffff_ffff),
        }
    };
    InterfaceAddress::Wwn { port: name(interface.raw() + 1, &port), node: name(0, &node) }
}
