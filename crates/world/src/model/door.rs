//! Doors: through which ports hosts of one protocol get at the volumes of a tenant, or of the array.
//!
//! Where each tenant is a target of its own ([`super::Offer::tenants_serve`]), its volumes are reached through its interfaces, while its target
//! service is enabled. All other volumes are reached through ports, whatever interfaces are on them.

use std::borrow::Cow;

use super::{Array, HostPort, Interface, Key, Object, PortGroup, Protocol, Tenant, reach};

/// Where hosts come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Door {
    /// Whose volumes lie behind it.
    pub tenant: Option<Key<Tenant>>,
    /// Through which ports; `None`: all that there are.
    pub port_group: Option<Key<PortGroup>>,
    /// What the hosts speak.
    pub protocol: Protocol,
}

impl Door {
    /// Whether a tenant's target service serves behind it.
    fn is_served(self, array: &Array) -> Option<Key<Tenant>> {
        self.tenant.filter(|_| array.personality.offer.tenants_serve)
    }
    /// Whether its ports are those of interfaces.
    pub fn follows_interfaces(self, array: &Array) -> bool {
        self.is_served(array).is_some() || self.port_group.is_some_and(|group| array.port_groups[group].is_of_interfaces())
    }
    /// The interfaces that lead through it, up or not, where its ports are those of interfaces.
    pub fn interfaces(self, array: &Array) -> Vec<&Interface> {
        let group = self.port_group.map(|group| &array.port_groups[group]);
        let named = group.filter(|group| group.is_of_interfaces()).map(|group| group.interfaces.iter().map(|key| &array.interfaces[*key]).collect());
        let own = || self.tenant.into_iter().flat_map(|tenant| array.interfaces.owned_by(tenant.raw())).collect();
        let mut all: Vec<&Interface> = named.unwrap_or_else(own);
        let ports = group.filter(|group| !group.is_of_interfaces()).map(|group| &group.ports);
        all.retain(|interface| interface.speaks(self.protocol) && interface.port().is_some_and(|port| ports.is_none_or(|ports| ports.contains(&port))));
        all
    }
    /// The ports behind it, up or not, in order of number.
    pub fn ports(self, array: &Array) -> Cow<'_, [Key<HostPort>]> {
        if self.follows_interfaces(array) {
            return Cow::Owned(ports_of(array, self.interfaces(array).into_iter()));
        }
        match self.port_group {
            Some(group) => Cow::Borrowed(&array.port_groups[group].ports),
            None => array.host_ports.iter().filter(|port| port.serves(self.protocol)).map(Object::key).collect(),
        }
    }
    /// The ports through which host I/O can flow now, in order of number: up; behind an enabled target service, under an interface that is up.
    pub fn open_ports(self, array: &Array) -> Vec<Key<HostPort>> {
        if self.is_served(array).is_some_and(|tenant| !array.service(tenant, self.protocol).is_some_and(|service| service.enabled)) {
            return Vec::new();
        }
        if self.follows_interfaces(array) {
            return ports_of(array, self.interfaces(array).into_iter().filter(|interface| interface.is_up(array)));
        }
        self.ports(array).iter().copied().filter(|port| reach::is_up(array, *port)).collect()
    }
}

/// The ports on which interfaces are, in order of number.
pub(super) fn ports_of<'a>(array: &Array, interfaces: impl Iterator<Item = &'a Interface>) -> Vec<Key<HostPort>> {
    let mut ports: Vec<Key<HostPort>> = interfaces.filter_map(Interface::port).collect();
    ports.sort_by_key(|port| array.host_ports[*port].number());
    ports.dedup();
    ports
}

impl PortGroup {
    /// Its ports, in order of number: of interfaces, those on which they are.
    pub fn all_ports(&self, array: &Array) -> Cow<'_, [Key<HostPort>]> {
        if self.is_of_interfaces() {
            return Cow::Owned(ports_of(array, self.interfaces.iter().map(|key| &array.interfaces[*key])));
        }
        Cow::Borrowed(&self.ports)
    }
}
