//! The rules of host groups: who goes together, what lies in what, through which ports.

use std::collections::BTreeSet;

use super::{belonging, paths, rules};
use crate::model::{Array, GroupProtocol, Host, HostGroup, HostResponse, Key, Noun, Object, OpError, Place, PortGroup, Tenant, reach};

/// A host group as it shall be.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    pub(super) protocol: GroupProtocol,
    pub(super) hosts: Vec<Key<Host>>,
    pub(super) groups: Vec<Key<HostGroup>>,
    pub(super) tenant: Option<Key<Tenant>>,
    pub(super) host_response: Option<Key<HostResponse>>,
    pub(super) port_group: Option<Key<PortGroup>>,
}

/// The port group that is asked for; an empty text stands for none. `None`: nothing is asked for.
pub(super) fn port_group(array: &Array, asked: Option<&str>) -> Result<Option<Option<Key<PortGroup>>>, OpError> {
    match asked {
        None => Ok(None),
        Some("") => Ok(Some(None)),
        Some(named) => array.port_groups.find(named, Place::field("port_group")).map(|group| Some(Some(group.key()))),
    }
}

/// Not every array nests groups, and not every one binds port groups to them.
pub(super) fn are_offered(array: &Array, nests: bool, binds: bool) -> Result<(), OpError> {
    let offer = &array.personality.offer;
    let refuse = |field: &str, what: &str| Err(OpError::NotSupported { noun: Noun::HostGroup, field: field.into(), what: what.into() });
    match (nests && !offer.hosts_join_many_groups, binds && !offer.portsets) {
        (true, _) => refuse("groups", "host groups in host groups"),
        (_, true) => refuse("port_group", "port groups of host groups"),
        _ => Ok(()),
    }
}

/// Not every array takes hosts of several protocols into one group.
pub(super) fn is_mixed_only_where_offered(array: &Array, protocol: GroupProtocol) -> Result<(), OpError> {
    if protocol != GroupProtocol::Mixed || array.personality.offer.hosts_join_many_groups {
        return Ok(());
    }
    Err(OpError::NotSupported { noun: Noun::HostGroup, field: "protocol".into(), what: "host groups of several protocols".into() })
}

impl Wanted {
    /// The group with all that is wanted.
    pub(super) fn over(&self, group: &HostGroup) -> HostGroup {
        let Wanted { protocol, hosts, groups, tenant, host_response, port_group } = self.clone();
        HostGroup { head: group.head.clone(), protocol, hosts, groups, tenant, host_response, port_group }
    }
    /// All hosts of a group speak its protocol, and belong to its tenant; where hosts join many groups, those of the array itself do, too.
    pub(super) fn hosts_fit(&self, array: &Array) -> Result<(), OpError> {
        let all = || self.hosts.iter().map(|host| &array.hosts[*host]);
        if let Some(host) = all().find(|host| !self.protocol.takes(host.initiator.protocol())) {
            let (name, spoken, expected) = (host.name().to_owned(), host.initiator.protocol().to_string(), self.protocol.to_string());
            return Err(OpError::ProtocolMismatch { noun: Noun::Host, name, protocol: spoken, expected });
        }
        let many = array.personality.offer.hosts_join_many_groups;
        let mut owned = all().filter(|host| !(many && host.tenant.is_none()));
        owned.try_for_each(|host| belonging::is_of(array, (Noun::Host, host.name()), host.tenant, self.tenant))
    }
    /// Groups lie in groups of their tenant that take their hosts, not in themselves, and not too deeply.
    pub(super) fn groups_fit(&self, array: &Array, own: Option<&HostGroup>) -> Result<(), OpError> {
        for inner in self.groups.iter().map(|inner| &array.host_groups[*inner]) {
            if !self.protocol.takes_all_of(inner.protocol) {
                let (name, spoken, expected) = (inner.name().to_owned(), inner.protocol.to_string(), self.protocol.to_string());
                return Err(OpError::ProtocolMismatch { noun: Noun::HostGroup, name, protocol: spoken, expected });
            }
            belonging::is_of(array, (Noun::HostGroup, inner.name()), inner.tenant, self.tenant)?;
        }
        if self.groups.is_empty() {
            return Ok(());
        }
        let refuse = |because: String| Err(OpError::Conflicting { noun: Noun::HostGroup, fields: vec!["groups".into()], because });
        if self.protocol == GroupProtocol::Nvme {
            return refuse("groups of NVMe hosts are not nested".into());
        }
        let around = own.map_or_else(BTreeSet::new, |own| reach::groups_around(array, own.key()));
        let is_around = |inner: &&Key<HostGroup>| own.is_some_and(|own| own.key() == **inner) || around.contains(*inner);
        if let Some(inner) = self.groups.iter().find(is_around) {
            return refuse(format!("the {} '{}' would lie in itself", Noun::HostGroup, array.host_groups[*inner].name()));
        }
        let inside = self.groups.iter().map(|inner| array.host_groups[*inner].depth(array)).max().unwrap_or(0);
        let outside = own.map_or(0, |own| height(array, own.key(), HostGroup::DEPTH));
        if outside + 1 + inside > HostGroup::DEPTH {
            return refuse(format!("groups lie in groups at most {} deep, the outermost counted", HostGroup::DEPTH));
        }
        Ok(())
    }
    /// A port group that is bound belongs to the tenant or to everyone, serves some of the hosts, and is not empty.
    pub(super) fn ports_fit(&self, array: &Array) -> Result<(), OpError> {
        let Some(key) = self.port_group else { return Ok(()) };
        let ports = &array.port_groups[key];
        belonging::is_open_to(array, (Noun::PortGroup, ports.name()), ports.tenant, self.tenant)?;
        paths::ports_serve(array, key, self.protocol.protocols())?;
        if ports.ports.is_empty() && ports.interfaces.is_empty() {
            let (name, state, expected) = (ports.name().to_owned(), "empty".to_owned(), "made of at least one interface".to_owned());
            return Err(OpError::WrongState { noun: Noun::PortGroup, name, state, expected });
        }
        Ok(())
    }
    /// A group has no more hosts of its own than it may.
    pub(super) fn has_room(&self, array: &Array, name: &str) -> Result<(), OpError> {
        rules::count_within(Noun::Host, self.hosts.len(), array.personality.limits.hosts_per_group, &format!("the {} '{name}'", Noun::HostGroup))
    }
    /// NVMe groups have some host responses only; where groups have their own, no host is answered in two ways by one tenant.
    pub(super) fn can_be_answered(&self, array: &Array, changed: Option<&HostGroup>) -> Result<(), OpError> {
        let (offer, name) = (&array.personality.offer, HostResponse::of(array, self.host_response).map_or("", Object::name));
        let open = &offer.nvme_host_responses;
        if self.protocol == GroupProtocol::Nvme && !open.is_empty() && !open.iter().any(|other| other == name) {
            let what = format!("the host response '{name}' of NVMe hosts, but {}", open.join(", "));
            return Err(OpError::NotSupported { noun: Noun::HostGroup, field: "host_response".into(), what });
        }
        if !offer.hosts_join_many_groups {
            return Ok(());
        }
        let own = changed.map(Object::key);
        let inner = self.groups.iter().flat_map(|inner| reach::hosts_under(array, &array.host_groups[*inner], changed).into_owned());
        let hosts: Vec<Key<Host>> = self.hosts.iter().copied().chain(inner).collect();
        let others = array.host_groups.iter().filter(|other| Some(other.key()) != own && other.tenant == self.tenant);
        for other in others.filter(|other| other.host_response != self.host_response) {
            let theirs = reach::hosts_under(array, other, None);
            if let Some(host) = hosts.iter().find(|host| theirs.contains(host)) {
                let answered = HostResponse::of(array, other.host_response).map_or("", Object::name);
                let host = array.hosts[*host].name();
                let because = format!("the {} '{host}' is answered by '{answered}' in the {} '{}'", Noun::Host, Noun::HostGroup, other.name());
                return Err(OpError::Conflicting { noun: Noun::HostGroup, fields: vec!["host_response".into()], because });
            }
        }
        Ok(())
    }
}

/// How many groups lie around a group at most, one in the other.
fn height(array: &Array, group: Key<HostGroup>, most: usize) -> usize {
    let around = array.host_groups.iter().filter(|outer| most > 0 && outer.groups.contains(&group));
    around.map(|outer| 1 + height(array, outer.key(), most.saturating_sub(1))).max().unwrap_or(0)
}

/// What is bound to a port group: the first host group by number.
pub(super) fn bound_to(array: &Array, ports: Key<PortGroup>) -> Option<&HostGroup> {
    array.host_groups.iter().find(|group| group.port_group == Some(ports))
}
