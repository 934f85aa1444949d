//! Port groups: host ports of one protocol, or interfaces on them, that are used together.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::members::Members;
use super::{Ctx, Operation, World, belonging, host_group_rules, paths, port_group_rules as own, rules};
use crate::model::reach::{self, Link};
use crate::model::{HostPort, Interface, Key, Noun, Object, OpError, Place, Policy, PortGroup, PortGroupProtocol, Tenant};

/// Creates a port group, of ports, or, where the array offers that, of interfaces, whose ports follow them. A port or an interface may be in
/// several. A group of interfaces may be empty.
///
/// Refused, in this order: ports and interfaces, or a protocol of ports, together; a group of interfaces where the array does not offer it;
/// neither ports nor interfaces nor a protocol; unknown tenant, port or interface; a port or interface named twice; invalid name; name
/// taken; a port that carries no host I/O; ports of several protocols; a protocol that interfaces are not grouped by; an interface of another
/// tenant, or that is for something else; too many port groups.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PortGroupCreate, examples(json!({"name": "PG0", "ports": ["CM0-CA0-P0", "CM1-CA0-P0"]})))]
pub struct Create {
    /// Its name.
    pub name: String,
    /// The host ports by id, number or name, at least one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ports: Vec<String>,
    /// Whose it is; everyone's if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
    /// Instead of ports: the interfaces by id, number or name, for Fibre Channel or iSCSI.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interfaces: Option<Vec<String>>,
    /// What the interfaces of a group of interfaces are for; both Fibre Channel and iSCSI (`mixed`) if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protocol: Option<PortGroupProtocol>,
}

/// What [`Create`] found out.
#[derive(Debug)]
pub struct CreatePlan {
    name: String,
    tenant: Option<Key<Tenant>>,
    protocol: PortGroupProtocol,
    ports: Vec<Key<HostPort>>,
    interfaces: Vec<Key<Interface>>,
}

const fn members<'a>(all: Option<&'a [String]>, more: Option<&'a [String]>, less: Option<&'a [String]>) -> Members<'a> {
    Members { noun: Noun::PortGroup, all: ("ports", all), more: ("add_ports", more), less: ("remove_ports", less) }
}

const fn through<'a>(all: Option<&'a [String]>, more: Option<&'a [String]>, less: Option<&'a [String]>) -> Members<'a> {
    Members { noun: Noun::PortGroup, all: ("interfaces", all), more: ("add_interfaces", more), less: ("remove_interfaces", less) }
}

impl Operation for Create {
    const NAME: &'static str = "port-group.create";
    const POLICY: Policy = Policy::HostInterfaceManagement;
    type Plan = CreatePlan;
    type Output = Key<PortGroup>;

    fn check(&self, world: &World, _: &Ctx) -> Result<CreatePlan, OpError> {
        let (array, rule) = (&world.array, &world.array.personality);
        let of_interfaces = self.interfaces.is_some() || self.protocol.is_some();
        own::is_of_one_kind(!self.ports.is_empty(), of_interfaces, if self.interfaces.is_some() { "interfaces" } else { "protocol" })?;
        own::interfaces_are_grouped(array, of_interfaces)?;
        if !of_interfaces {
            own::has_a_port(&self.ports)?;
        }
        let tenant = belonging::of_new(array, Noun::PortGroup, self.tenant.as_deref())?;
        let members = members(Some(&self.ports), None, None);
        let named = members.resolve(&array.host_ports, &[])?.unwrap_or_default();
        let ports = members.once_each(&array.host_ports, &named)?;
        let through = through(Some(self.interfaces.as_deref().unwrap_or_default()), None, None);
        let interfaces = through.once_each(&array.interfaces, &through.resolve(&array.interfaces, &[])?.unwrap_or_default())?;
        rules::name_is_valid(Noun::PortGroup, &self.name, &rule.short_name)?;
        rules::name_is_free_for(array, &array.port_groups, &self.name, tenant, None)?;
        own::ports_carry_host_io(array, &ports)?;
        let of_first = named.first().and_then(|(port, _)| PortGroupProtocol::of(array.host_ports[*port].protocol));
        let protocol = self.protocol.or(of_first).unwrap_or(PortGroupProtocol::Mixed);
        own::ports_speak(array, &ports, protocol)?;
        own::interfaces_speak_so(of_interfaces, protocol)?;
        own::interfaces_fit(array, &interfaces, protocol, tenant)?;
        rules::within_limit(&array.port_groups, 1, rule.limits.port_groups)?;
        Ok(CreatePlan { name: self.name.clone(), tenant, protocol, ports, interfaces })
    }

    fn apply(CreatePlan { name, tenant, protocol, ports, interfaces }: CreatePlan, world: &mut World, _: &Ctx) -> Key<PortGroup> {
        let array = &mut world.array;
        array.port_groups.insert(array.identity, name, |head| PortGroup { head, protocol, ports, interfaces, tenant })
    }
}

/// Changes a port group's name or ports: `ports` replaces all, `add_ports` and `remove_ports` change some, and so do `interfaces`,
/// `add_interfaces` and `remove_interfaces` in a group of interfaces. Its protocol stays.
///
/// Refused, in this order: all ports and some named together, or all interfaces and some; unknown group; ports for a group of interfaces, or
/// interfaces for one of ports; unknown port, or a port to be removed that is not in the group; a port that would be in it twice; the
/// same of interfaces; no port left; no interface left while a host group is bound to it; invalid name; name taken; a port that carries no
/// host I/O; a port of another protocol; an interface of another tenant, or that is for something else; a host would have two affinities through one port; a port would serve too many hosts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PortGroupUpdate, examples(json!({"add_ports": ["CM0-CA0-P1", "CM1-CA0-P1"]})))]
pub struct Update {
    /// Which one.
    #[schema(ignore)]
    pub port_group: String,
    /// Its new name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// All the ports that it shall have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ports: Option<Vec<String>>,
    /// Ports that shall join.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub add_ports: Option<Vec<String>>,
    /// Ports that shall leave; they leave before others join.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remove_ports: Option<Vec<String>>,
    /// All the interfaces that it shall have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interfaces: Option<Vec<String>>,
    /// Interfaces that shall join.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub add_interfaces: Option<Vec<String>>,
    /// Interfaces that shall leave; they leave before others join.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remove_interfaces: Option<Vec<String>>,
}

/// What [`Update`] found out.
#[derive(Debug)]
pub struct UpdatePlan {
    key: Key<PortGroup>,
    name: Option<String>,
    ports: Option<Vec<Key<HostPort>>>,
    interfaces: Option<Vec<Key<Interface>>>,
}

impl Update {
    fn members(&self) -> (Members<'_>, Members<'_>) {
        let ports = members(self.ports.as_deref(), self.add_ports.as_deref(), self.remove_ports.as_deref());
        (ports, through(self.interfaces.as_deref(), self.add_interfaces.as_deref(), self.remove_interfaces.as_deref()))
    }
}

impl Operation for Update {
    const NAME: &'static str = "port-group.update";
    const POLICY: Policy = Policy::HostInterfaceManagement;
    type Plan = UpdatePlan;
    type Output = Key<PortGroup>;

    fn check(&self, world: &World, _: &Ctx) -> Result<UpdatePlan, OpError> {
        let array = &world.array;
        let (members, through) = self.members();
        members.is_one_way()?;
        through.is_one_way()?;
        let group = array.port_groups.find(&self.port_group, Place::Target)?;
        own::is_of_that_kind(group, members.first_field(), through.first_field())?;
        let named = members.resolve(&array.host_ports, &group.ports)?;
        let ports = named.map(|named| members.once_each(&array.host_ports, &named)).transpose()?;
        let named = through.resolve(&array.interfaces, &group.interfaces)?;
        let interfaces = named.map(|named| through.once_each(&array.interfaces, &named)).transpose()?;
        ports.as_deref().map_or(Ok(()), own::has_a_port)?;
        interfaces.as_deref().map_or(Ok(()), |interfaces| own::stays_useful(array, group, interfaces))?;
        if let Some(name) = &self.name {
            rules::name_is_valid(Noun::PortGroup, name, &array.personality.short_name)?;
            rules::name_is_free_for(array, &array.port_groups, name, group.tenant, Some(group.key()))?;
        }
        if let Some(ports) = &ports {
            own::ports_carry_host_io(array, ports)?;
            own::ports_speak(array, ports, group.protocol)?;
            let links = reach::links_of_port_group(array, group.key());
            paths::are_sound(array, &links.map(|link| Link { ports: ports.into(), ..link }).collect::<Vec<_>>())?;
        }
        interfaces.as_deref().map_or(Ok(()), |interfaces| own::interfaces_fit(array, interfaces, group.protocol, group.tenant))?;
        Ok(UpdatePlan { key: group.key(), name: self.name.clone(), ports, interfaces })
    }

    fn apply(plan: UpdatePlan, world: &mut World, _: &Ctx) -> Key<PortGroup> {
        let groups = &mut world.array.port_groups;
        if let Some(name) = plan.name {
            groups.rename(plan.key, name);
        }
        if let Some(group) = groups.get_mut(plan.key) {
            group.ports = plan.ports.unwrap_or_else(|| group.ports.clone());
            group.interfaces = plan.interfaces.unwrap_or_else(|| group.interfaces.clone());
        }
        plan.key
    }
}

/// Deletes a port group; its ports and interfaces stay.
///
/// Refused, in this order: unknown group; an affinity uses it; a mapping uses it; a host group is bound to it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PortGroupDelete)]
pub struct Delete {
    /// Which one.
    pub port_group: String,
}

impl Operation for Delete {
    const NAME: &'static str = "port-group.delete";
    const POLICY: Policy = Policy::HostInterfaceManagement;
    type Plan = Key<PortGroup>;
    type Output = ();

    fn check(&self, world: &World, _: &Ctx) -> Result<Key<PortGroup>, OpError> {
        let array = &world.array;
        let group = array.port_groups.find(&self.port_group, Place::Target)?;
        let affinity = array.affinities.iter().find(|affinity| affinity.port_group == group.key()).map(|affinity| (Noun::Affinity, affinity.name()));
        let mapping = array.mappings.iter().find(|mapping| mapping.port_group == Some(group.key())).map(|mapping| (Noun::Mapping, mapping.name()));
        let bound = host_group_rules::bound_to(array, group.key()).map(|bound| (Noun::HostGroup, bound.name()));
        match affinity.or(mapping).or(bound) {
            Some((by, by_name)) => Err(OpError::InUse { noun: Noun::PortGroup, name: group.name().to_owned(), by, by_name: by_name.to_owned() }),
            None => Ok(group.key()),
        }
    }

    fn apply(key: Key<PortGroup>, world: &mut World, _: &Ctx) {
        world.array.port_groups.remove(key);
    }
}
