//! Host groups: hosts that are treated as one (a cluster).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::members::Members;
use super::{Ctx, Operation, World, belonging, host_group_rules as own, host_response, paths, rules};
use crate::model::reach::{self, Link};
use crate::model::{GroupProtocol, HostGroup, HostResponse, Key, Noun, Object, OpError, Party, Place, Policy, Sharing};

/// Creates a host group. All its hosts get its host response, and so do all other groups that they are in, with their hosts.
///
/// Refused, in this order: neither hosts nor protocol; unknown tenant, host response or host; a host named twice; unknown group; a group
/// named twice; unknown port group; groups in the group, or a port group, where the array does not offer that; invalid name; name taken; protocols that the array does not mix; a host of another protocol; a
/// host of another tenant; a group of another protocol or tenant, or too deeply nested; a port group of another tenant, that does not
/// serve the hosts or is empty; too many host groups; too many hosts in it; a host response that NVMe groups cannot have; a host that
/// another group of the tenant answers otherwise, where groups have host responses of their own; a LUN that the host response does not allow.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HostGroupCreate, examples(json!({"name": "HG0", "hosts": ["H0"]})))]
pub struct Create {
    /// Its name.
    pub name: String,
    /// The protocol of all its hosts, `mixed` for Fibre Channel and iSCSI together; otherwise that of the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protocol: Option<GroupProtocol>,
    /// The hosts by id, number or name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hosts: Option<Vec<String>>,
    /// Whose it is; of the array itself if left out. Its hosts belong to the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
    /// How the array answers its hosts; as it answers the first of them if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host_response: Option<String>,
    /// The groups whose hosts are its hosts, too, by id, number or name, where the array nests groups.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groups: Option<Vec<String>>,
    /// The port group through which its hosts reach what is mapped to it, where the array binds them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port_group: Option<String>,
}

/// What [`Create`] found out.
#[derive(Debug)]
pub struct CreatePlan {
    name: String,
    group: own::Wanted,
    sharing: Sharing,
}

const fn members<'a>(all: Option<&'a [String]>, more: Option<&'a [String]>, less: Option<&'a [String]>) -> Members<'a> {
    Members { noun: Noun::HostGroup, all: ("hosts", all), more: ("add_hosts", more), less: ("remove_hosts", less) }
}

const fn inner<'a>(all: Option<&'a [String]>, more: Option<&'a [String]>, less: Option<&'a [String]>) -> Members<'a> {
    Members { noun: Noun::HostGroup, all: ("groups", all), more: ("add_groups", more), less: ("remove_groups", less) }
}

impl Operation for Create {
    const NAME: &'static str = "host-group.create";
    const POLICY: Policy = Policy::HostInterfaceManagement;
    type Plan = CreatePlan;
    type Output = Key<HostGroup>;

    fn check(&self, world: &World, _: &Ctx) -> Result<CreatePlan, OpError> {
        let (array, rule) = (&world.array, &world.array.personality);
        let given = self.hosts.as_deref().unwrap_or_default();
        if self.protocol.is_none() && given.is_empty() {
            let because = "a host group without hosts needs it".into();
            return Err(OpError::Missing { noun: Noun::HostGroup, field: "protocol".into(), because });
        }
        let tenant = belonging::of_new(array, Noun::HostGroup, self.tenant.as_deref())?;
        let asked = host_response::named(array, self.host_response.as_deref())?;
        let members = members(Some(given), None, None);
        let named = members.resolve(&array.hosts, &[])?.unwrap_or_default();
        let hosts = members.once_each(&array.hosts, &named)?;
        let inner = inner(Some(self.groups.as_deref().unwrap_or_default()), None, None);
        let groups = inner.once_each(&array.host_groups, &inner.resolve(&array.host_groups, &[])?.unwrap_or_default())?;
        let port_group = own::port_group(array, self.port_group.as_deref())?.flatten();
        own::are_offered(array, !groups.is_empty(), port_group.is_some())?;
        rules::name_is_valid(Noun::HostGroup, &self.name, &rule.short_name)?;
        rules::name_is_free_for(array, &array.host_groups, &self.name, tenant, None)?;
        let of_first = named.first().map(|(host, _)| array.hosts[*host].initiator.protocol().into());
        let protocol = self.protocol.or(of_first).unwrap_or(GroupProtocol::Fc);
        own::is_mixed_only_where_offered(array, protocol)?;
        let shares = !rule.offer.hosts_join_many_groups;
        let of_first = || named.first().and_then(|(host, _)| array.hosts[*host].host_response).filter(|_| shares);
        let host_response = asked.unwrap_or_else(of_first);
        let group = own::Wanted { protocol, hosts, groups, tenant, host_response, port_group };
        group.hosts_fit(array)?;
        group.groups_fit(array, None)?;
        group.ports_fit(array)?;
        rules::within_limit(&array.host_groups, 1, rule.limits.host_groups)?;
        group.has_room(array, &self.name)?;
        group.can_be_answered(array, None)?;
        let sharing = Sharing::with(array, &group.hosts, None);
        if shares {
            host_response::can_be_given(array, &sharing, host_response)?;
        }
        Ok(CreatePlan { name: self.name.clone(), group, sharing })
    }

    fn apply(CreatePlan { name, group, sharing }: CreatePlan, world: &mut World, _: &Ctx) -> Key<HostGroup> {
        let array = &mut world.array;
        if !array.personality.offer.hosts_join_many_groups {
            sharing.give(array, group.host_response);
        }
        let own::Wanted { protocol, hosts, groups, tenant, host_response, port_group } = group;
        array.host_groups.insert(array.identity, name, |head| HostGroup { head, protocol, hosts, groups, tenant, host_response, port_group })
    }
}

/// Changes a host group: `hosts` replaces all, `add_hosts` and `remove_hosts` change some, and so do `groups`, `add_groups` and
/// `remove_groups`. Hosts that join get its host response, and so do
/// all other groups that they are in, with their hosts; a new host response goes to all of them.
///
/// Refused, in this order: all hosts and some named together, or all groups and some; unknown group; unknown host response; unknown host, or a
/// host to be removed that is not in the group; a host that would be in it twice; the same of groups; unknown port group; groups in
/// the group, or a port group, where the array does not offer that; invalid name; name taken; a host of another protocol; a host of another tenant; a group of
/// another protocol or tenant, in which the group lies, or too deeply nested; a port group of another tenant, that does not serve the
/// hosts or is empty; too many hosts in it; a host response that NVMe groups cannot have; a host that another group of the tenant answers
/// otherwise, where groups have host responses of their own; a host would have two affinities through one port; a host would see a volume
/// twice, where hosts join many groups; a host would see a LUN twice, once by a mapping; a port would serve too many hosts; a LUN that the
/// host response does not allow.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HostGroupUpdate, examples(json!({"add_hosts": ["H1"], "remove_hosts": ["H0"]})))]
pub struct Update {
    /// Which one.
    #[schema(ignore)]
    pub host_group: String,
    /// Its new name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// All the hosts that it shall have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hosts: Option<Vec<String>>,
    /// Hosts that shall join.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub add_hosts: Option<Vec<String>>,
    /// Hosts that shall leave; they leave before others join.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remove_hosts: Option<Vec<String>>,
    /// How the array answers its hosts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host_response: Option<String>,
    /// All the groups that shall be in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groups: Option<Vec<String>>,
    /// Groups that shall join.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub add_groups: Option<Vec<String>>,
    /// Groups that shall leave; they leave before others join.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remove_groups: Option<Vec<String>>,
    /// The port group through which its hosts reach what is mapped to it; empty for all ports that serve them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port_group: Option<String>,
}

/// What [`Update`] found out.
#[derive(Debug)]
pub struct UpdatePlan {
    key: Key<HostGroup>,
    name: Option<String>,
    group: Box<HostGroup>,
    sharing: Sharing,
    host_response: Option<Key<HostResponse>>,
}

impl Update {
    fn members(&self) -> (Members<'_>, Members<'_>) {
        let hosts = members(self.hosts.as_deref(), self.add_hosts.as_deref(), self.remove_hosts.as_deref());
        (hosts, inner(self.groups.as_deref(), self.add_groups.as_deref(), self.remove_groups.as_deref()))
    }
}

impl Operation for Update {
    const NAME: &'static str = "host-group.update";
    const POLICY: Policy = Policy::HostInterfaceManagement;
    type Plan = UpdatePlan;
    type Output = Key<HostGroup>;

    fn check(&self, world: &World, _: &Ctx) -> Result<UpdatePlan, OpError> {
        let array = &world.array;
        let (members, inner) = self.members();
        members.is_one_way()?;
        inner.is_one_way()?;
        let group = array.host_groups.find(&self.host_group, Place::Target)?;
        let asked = host_response::named(array, self.host_response.as_deref())?;
        let named = members.resolve(&array.hosts, &group.hosts)?;
        let hosts = named.map(|named| members.once_each(&array.hosts, &named)).transpose()?;
        let named = inner.resolve(&array.host_groups, &group.groups)?;
        let groups = named.map(|named| inner.once_each(&array.host_groups, &named)).transpose()?;
        let bound = own::port_group(array, self.port_group.as_deref())?;
        own::are_offered(array, groups.as_ref().is_some_and(|groups| !groups.is_empty()), bound.flatten().is_some())?;
        if let Some(name) = &self.name {
            rules::name_is_valid(Noun::HostGroup, name, &array.personality.short_name)?;
            rules::name_is_free_for(array, &array.host_groups, name, group.tenant, Some(group.key()))?;
        }
        let wanted = own::Wanted {
            protocol: group.protocol,
            hosts: hosts.clone().unwrap_or_else(|| group.hosts.clone()),
            groups: groups.clone().unwrap_or_else(|| group.groups.clone()),
            tenant: group.tenant,
            host_response: asked.unwrap_or(group.host_response),
            port_group: bound.unwrap_or(group.port_group),
        };
        wanted.hosts_fit(array)?;
        wanted.groups_fit(array, Some(group))?;
        wanted.ports_fit(array)?;
        let changed = wanted.over(group);
        if hosts.is_some() {
            wanted.has_room(array, group.name())?;
        }
        wanted.can_be_answered(array, Some(&changed))?;
        if hosts.is_some() || groups.is_some() || bound.is_some() {
            paths::are_sound(array, &reach::links_if(array, &changed).collect::<Vec<Link<'_>>>())?;
        }
        let sharing = Sharing::with(array, &[], Some((group.key(), &changed.hosts)));
        host_response::can_be_given(array, &sharing, wanted.host_response)?;
        Ok(UpdatePlan { key: group.key(), name: self.name.clone(), group: Box::new(changed), sharing, host_response: wanted.host_response })
    }

    fn apply(plan: UpdatePlan, world: &mut World, _: &Ctx) -> Key<HostGroup> {
        let groups = &mut world.array.host_groups;
        if let Some(group) = groups.get_mut(plan.key) {
            *group = *plan.group;
        }
        if let Some(name) = plan.name {
            groups.rename(plan.key, name);
        }
        plan.sharing.give(&mut world.array, plan.host_response);
        plan.key
    }
}

/// Deletes a host group; its hosts stay.
///
/// Refused, in this order: unknown group; an affinity uses it; a volume is mapped to it; another group has it in it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HostGroupDelete)]
pub struct Delete {
    /// Which one.
    pub host_group: String,
}

impl Operation for Delete {
    const NAME: &'static str = "host-group.delete";
    const POLICY: Policy = Policy::HostInterfaceManagement;
    type Plan = Key<HostGroup>;
    type Output = ();

    fn check(&self, world: &World, _: &Ctx) -> Result<Key<HostGroup>, OpError> {
        let array = &world.array;
        let group = array.host_groups.find(&self.host_group, Place::Target)?;
        let affinity = array.affinities.iter().find(|affinity| affinity.host_group == group.key()).map(|affinity| (Noun::Affinity, affinity.name()));
        let mapping = array.mappings.iter().find(|mapping| mapping.party == Party::HostGroup(group.key())).map(|mapping| (Noun::Mapping, mapping.name()));
        let outer = array.host_groups.iter().find(|outer| outer.groups.contains(&group.key())).map(|outer| (Noun::HostGroup, outer.name()));
        match affinity.or(mapping).or(outer) {
            Some((by, by_name)) => Err(OpError::InUse { noun: Noun::HostGroup, name: group.name().to_owned(), by, by_name: by_name.to_owned() }),
            None => Ok(group.key()),
        }
    }

    fn apply(key: Key<HostGroup>, world: &mut World, _: &Ctx) {
        world.array.host_groups.remove(key);
    }
}
