//! Host groups: hosts of one protocol that are treated as one (a cluster).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::members::Members;
use super::{Ctx, Operation, World, belonging, host_response, paths, rules};
use crate::model::reach::{self, Link};
use crate::model::{Array, Host, HostGroup, HostResponse, Key, Noun, Object, OpError, Party, Place, Policy, Protocol, Sharing, Tenant};

/// Creates a host group. All its hosts get its host response, and so do all other groups that they are in, with their hosts.
///
/// Refused, in this order: neither hosts nor protocol; unknown tenant, host response or host; a host named twice; invalid name; name taken; a
/// host of another protocol; a host of another tenant; too many host groups; too many hosts in it; a LUN that the host response does not
/// allow.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HostGroupCreate, examples(json!({"name": "HG0", "hosts": ["H0"]})))]
pub struct Create {
    /// Its name.
    pub name: String,
    /// The protocol of all its hosts; otherwise that of the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protocol: Option<Protocol>,
    /// The hosts by id, number or name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hosts: Option<Vec<String>>,
    /// Whose it is; of the array itself if left out. Its hosts belong to the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
    /// How the array answers its hosts; as it answers the first of them if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host_response: Option<String>,
}

/// What [`Create`] found out.
#[derive(Debug)]
pub struct CreatePlan {
    name: String,
    protocol: Protocol,
    hosts: Vec<Key<Host>>,
    tenant: Option<Key<Tenant>>,
    sharing: Sharing,
    host_response: Option<Key<HostResponse>>,
}

const fn members<'a>(all: Option<&'a [String]>, more: Option<&'a [String]>, less: Option<&'a [String]>) -> Members<'a> {
    Members { noun: Noun::HostGroup, all: ("hosts", all), more: ("add_hosts", more), less: ("remove_hosts", less) }
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
        rules::name_is_valid(Noun::HostGroup, &self.name, &rule.short_name)?;
        rules::name_is_free(&array.host_groups, &self.name, None, None)?;
        let of_first = named.first().map(|(host, _)| array.hosts[*host].initiator.protocol());
        let protocol = self.protocol.or(of_first).unwrap_or(Protocol::Fc);
        hosts_speak(array, &hosts, protocol)?;
        hosts_belong(array, &hosts, tenant)?;
        rules::within_limit(&array.host_groups, 1, rule.limits.host_groups)?;
        group_has_room(array, &self.name, &hosts)?;
        let host_response = asked.unwrap_or_else(|| named.first().and_then(|(host, _)| array.hosts[*host].host_response));
        let sharing = Sharing::with(array, &hosts, None);
        host_response::can_be_given(array, &sharing, host_response)?;
        Ok(CreatePlan { name: self.name.clone(), protocol, hosts, tenant, sharing, host_response })
    }

    fn apply(plan: CreatePlan, world: &mut World, _: &Ctx) -> Key<HostGroup> {
        let array = &mut world.array;
        let CreatePlan { name, protocol, hosts, tenant, sharing, host_response } = plan;
        sharing.give(array, host_response);
        array.host_groups.insert(array.identity, name, |head| HostGroup { head, protocol, hosts, tenant, host_response })
    }
}

/// Changes a host group: `hosts` replaces all, `add_hosts` and `remove_hosts` change some. Hosts that join get its host response, and so do
/// all other groups that they are in, with their hosts; a new host response goes to all of them.
///
/// Refused, in this order: all hosts and some named together; unknown group; unknown host response; unknown host, or a host to be removed
/// that is not in the group; a host that would be in it twice; invalid name; name taken; a host of another protocol; a host of another
/// tenant; too many hosts in it; a host would have two affinities through one port; a host would see a LUN twice, once by a mapping; a port
/// would serve too many hosts; a LUN that the host response does not allow.
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
}

/// What [`Update`] found out.
#[derive(Debug)]
pub struct UpdatePlan {
    key: Key<HostGroup>,
    name: Option<String>,
    hosts: Option<Vec<Key<Host>>>,
    sharing: Sharing,
    host_response: Option<Key<HostResponse>>,
}

impl Operation for Update {
    const NAME: &'static str = "host-group.update";
    const POLICY: Policy = Policy::HostInterfaceManagement;
    type Plan = UpdatePlan;
    type Output = Key<HostGroup>;

    fn check(&self, world: &World, _: &Ctx) -> Result<UpdatePlan, OpError> {
        let array = &world.array;
        let members = members(self.hosts.as_deref(), self.add_hosts.as_deref(), self.remove_hosts.as_deref());
        members.is_one_way()?;
        let group = array.host_groups.find(&self.host_group, Place::Target)?;
        let asked = host_response::named(array, self.host_response.as_deref())?;
        let named = members.resolve(&array.hosts, &group.hosts)?;
        let hosts = named.map(|named| members.once_each(&array.hosts, &named)).transpose()?;
        if let Some(name) = &self.name {
            rules::name_is_valid(Noun::HostGroup, name, &array.personality.short_name)?;
            rules::name_is_free(&array.host_groups, name, None, Some(group.key()))?;
        }
        if let Some(hosts) = &hosts {
            hosts_speak(array, hosts, group.protocol)?;
            hosts_belong(array, hosts, group.tenant)?;
            group_has_room(array, group.name(), hosts)?;
            let changed: Vec<Link<'_>> = reach::links_of_host_group(array, group.key()).map(|link| Link { hosts, ..link }).collect();
            paths::are_sound(array, &changed)?;
        }
        let host_response = asked.unwrap_or(group.host_response);
        let sharing = Sharing::with(array, &[], Some((group.key(), hosts.as_deref().unwrap_or(&group.hosts))));
        host_response::can_be_given(array, &sharing, host_response)?;
        Ok(UpdatePlan { key: group.key(), name: self.name.clone(), hosts, sharing, host_response })
    }

    fn apply(plan: UpdatePlan, world: &mut World, _: &Ctx) -> Key<HostGroup> {
        let groups = &mut world.array.host_groups;
        if let Some(name) = plan.name {
            groups.rename(plan.key, name);
        }
        if let (Some(group), Some(hosts)) = (groups.get_mut(plan.key), plan.hosts) {
            group.hosts = hosts;
        }
        plan.sharing.give(&mut world.array, plan.host_response);
        plan.key
    }
}

/// Deletes a host group; its hosts stay.
///
/// Refused, in this order: unknown group; an affinity uses it; a volume is mapped to it.
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
        match affinity.or(mapping) {
            Some((by, by_name)) => Err(OpError::InUse { noun: Noun::HostGroup, name: group.name().to_owned(), by, by_name: by_name.to_owned() }),
            None => Ok(group.key()),
        }
    }

    fn apply(key: Key<HostGroup>, world: &mut World, _: &Ctx) {
        world.array.host_groups.remove(key);
    }
}

/// All hosts of a group speak its protocol.
fn hosts_speak(array: &Array, hosts: &[Key<Host>], protocol: Protocol) -> Result<(), OpError> {
    match hosts.iter().map(|host| &array.hosts[*host]).find(|host| host.initiator.protocol() != protocol) {
        Some(host) => {
            let (name, spoken, expected) = (host.name().to_owned(), host.initiator.protocol().to_string(), protocol.to_string());
            Err(OpError::ProtocolMismatch { noun: Noun::Host, name, protocol: spoken, expected })
        }
        None => Ok(()),
    }
}

/// All hosts of a group belong to its tenant.
fn hosts_belong(array: &Array, hosts: &[Key<Host>], tenant: Option<Key<Tenant>>) -> Result<(), OpError> {
    let mut all = hosts.iter().map(|host| &array.hosts[*host]);
    all.try_for_each(|host| belonging::is_of(array, (Noun::Host, host.name()), host.tenant, tenant))
}

fn group_has_room(array: &Array, name: &str, hosts: &[Key<Host>]) -> Result<(), OpError> {
    rules::count_within(Noun::Host, hosts.len(), array.personality.limits.hosts_per_group, &format!("the {} '{name}'", Noun::HostGroup))
}
