//! Port groups: host ports of one protocol that are used together.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::members::Members;
use super::{Ctx, Operation, World, belonging, paths, rules};
use crate::model::reach::{self, Link};
use crate::model::{Array, HostPort, Key, Noun, Object, OpError, Place, Policy, PortGroup, PortProtocol, Tenant};

/// Creates a port group. A port may be in several.
///
/// Refused, in this order: no port named; unknown tenant or port; a port named twice; invalid name; name taken; a port that carries no host
/// I/O; ports of several protocols; too many port groups.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PortGroupCreate, examples(json!({"name": "PG0", "ports": ["CM0-CA0-P0", "CM1-CA0-P0"]})))]
pub struct Create {
    /// Its name.
    pub name: String,
    /// The host ports by id, number or name, at least one.
    pub ports: Vec<String>,
    /// Whose it is; everyone's if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
}

/// What [`Create`] found out.
#[derive(Debug)]
pub struct CreatePlan {
    name: String,
    tenant: Option<Key<Tenant>>,
    protocol: PortProtocol,
    ports: Vec<Key<HostPort>>,
}

const fn members<'a>(all: Option<&'a [String]>, more: Option<&'a [String]>, less: Option<&'a [String]>) -> Members<'a> {
    Members { noun: Noun::PortGroup, all: ("ports", all), more: ("add_ports", more), less: ("remove_ports", less) }
}

impl Operation for Create {
    const NAME: &'static str = "port-group.create";
    const POLICY: Policy = Policy::HostInterfaceManagement;
    type Plan = CreatePlan;
    type Output = Key<PortGroup>;

    fn check(&self, world: &World, _: &Ctx) -> Result<CreatePlan, OpError> {
        let (array, rule) = (&world.array, &world.array.personality);
        has_a_port(&self.ports)?;
        let tenant = belonging::of_new(array, Noun::PortGroup, self.tenant.as_deref())?;
        let members = members(Some(&self.ports), None, None);
        let named = members.resolve(&array.host_ports, &[])?.unwrap_or_default();
        let ports = members.once_each(&array.host_ports, &named)?;
        rules::name_is_valid(Noun::PortGroup, &self.name, &rule.short_name)?;
        rules::name_is_free(&array.port_groups, &self.name, None, None)?;
        let protocol = named.first().map_or(PortProtocol::Fc, |(port, _)| array.host_ports[*port].protocol);
        ports_carry_host_io(array, &ports)?;
        ports_speak(array, &ports, protocol)?;
        rules::within_limit(&array.port_groups, 1, rule.limits.port_groups)?;
        Ok(CreatePlan { name: self.name.clone(), tenant, protocol, ports })
    }

    fn apply(CreatePlan { name, tenant, protocol, ports }: CreatePlan, world: &mut World, _: &Ctx) -> Key<PortGroup> {
        let array = &mut world.array;
        array.port_groups.insert(array.identity, name, |head| PortGroup { head, protocol, ports, tenant })
    }
}

/// Changes a port group's name or ports: `ports` replaces all, `add_ports` and `remove_ports` change some. Its protocol stays.
///
/// Refused, in this order: all ports and some named together; unknown group; unknown port, or a port to be removed that is not in
/// the group; a port that would be in it twice; no port left; invalid name; name taken; a port that carries no host I/O; a port of
/// another protocol; a host would have two affinities through one port; a port would serve too many hosts.
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
}

/// What [`Update`] found out.
#[derive(Debug)]
pub struct UpdatePlan {
    key: Key<PortGroup>,
    name: Option<String>,
    ports: Option<Vec<Key<HostPort>>>,
}

impl Operation for Update {
    const NAME: &'static str = "port-group.update";
    const POLICY: Policy = Policy::HostInterfaceManagement;
    type Plan = UpdatePlan;
    type Output = Key<PortGroup>;

    fn check(&self, world: &World, _: &Ctx) -> Result<UpdatePlan, OpError> {
        let array = &world.array;
        let members = members(self.ports.as_deref(), self.add_ports.as_deref(), self.remove_ports.as_deref());
        members.is_one_way()?;
        let group = array.port_groups.find(&self.port_group, Place::Target)?;
        let named = members.resolve(&array.host_ports, &group.ports)?;
        let ports = named.map(|named| members.once_each(&array.host_ports, &named)).transpose()?;
        ports.as_deref().map_or(Ok(()), has_a_port)?;
        if let Some(name) = &self.name {
            rules::name_is_valid(Noun::PortGroup, name, &array.personality.short_name)?;
            rules::name_is_free(&array.port_groups, name, None, Some(group.key()))?;
        }
        if let Some(ports) = &ports {
            ports_carry_host_io(array, ports)?;
            ports_speak(array, ports, group.protocol)?;
            let links = reach::links_of_port_group(array, group.key());
            paths::are_sound(array, &links.map(|link| Link { ports: ports.into(), ..link }).collect::<Vec<_>>())?;
        }
        Ok(UpdatePlan { key: group.key(), name: self.name.clone(), ports })
    }

    fn apply(plan: UpdatePlan, world: &mut World, _: &Ctx) -> Key<PortGroup> {
        let groups = &mut world.array.port_groups;
        if let Some(name) = plan.name {
            groups.rename(plan.key, name);
        }
        if let (Some(group), Some(ports)) = (groups.get_mut(plan.key), plan.ports) {
            group.ports = ports;
        }
        plan.key
    }
}

/// Deletes a port group; its ports stay.
///
/// Refused, in this order: unknown group; an affinity uses it; a mapping uses it.
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
        match affinity.or(mapping) {
            Some((by, by_name)) => Err(OpError::InUse { noun: Noun::PortGroup, name: group.name().to_owned(), by, by_name: by_name.to_owned() }),
            None => Ok(group.key()),
        }
    }

    fn apply(key: Key<PortGroup>, world: &mut World, _: &Ctx) {
        world.array.port_groups.remove(key);
    }
}

/// A port group is never empty.
fn has_a_port<T>(ports: &[T]) -> Result<(), OpError> {
    if !ports.is_empty() {
        return Ok(());
    }
    Err(OpError::Missing { noun: Noun::PortGroup, field: "ports".into(), because: "a port group has at least one port".into() })
}

/// Ports set to Ethernet carry no host I/O, nor do ports that are for other arrays only.
fn ports_carry_host_io(array: &Array, ports: &[Key<HostPort>]) -> Result<(), OpError> {
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
fn ports_speak(array: &Array, ports: &[Key<HostPort>], protocol: PortProtocol) -> Result<(), OpError> {
    let other = ports.iter().map(|port| &array.host_ports[*port]).find(|port| port.protocol != protocol);
    other.map_or(Ok(()), |port| Err(mismatch(port, protocol.to_string())))
}

fn mismatch(port: &HostPort, expected: String) -> OpError {
    OpError::ProtocolMismatch { noun: Noun::HostPort, name: port.name().to_owned(), protocol: port.protocol.to_string(), expected }
}
