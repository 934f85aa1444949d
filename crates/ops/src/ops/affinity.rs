//! Host affinities: a host group sees a LUN group through a port group.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Ctx, Operation, World, belonging, default_name, host_response, paths, rules};
use crate::model::reach::{self, Way};
use crate::model::{Affinity, Array, Head, HostGroup, Key, LunGroup, Noun, Object, OpError, Place, Policy, PortGroup};

/// Creates a host affinity.
///
/// Refused, in this order: unknown host group, port group or LUN group; invalid name; name taken; ports that do not serve the hosts'
/// protocol; groups of several tenants; too many affinities; a LUN that the host response does not allow; a host would have two affinities through one port; a host would see a LUN twice, once by a
/// mapping; a port would serve too many hosts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AffinityCreate, examples(json!({"host_group": "HG0", "port_group": "PG0", "lun_group": "LG0"})))]
pub struct Create {
    /// Its name; otherwise the host group's and the port group's, joined by a hyphen, cut and numbered where needed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The hosts, by id, number or name of their group.
    pub host_group: String,
    /// The ports, likewise.
    pub port_group: String,
    /// The volumes, likewise.
    pub lun_group: String,
}

/// What [`Create`] found out.
#[derive(Debug)]
pub struct CreatePlan {
    name: String,
    groups: Groups,
}

/// What an affinity joins.
#[derive(Clone, Copy, Debug)]
struct Groups {
    hosts: Key<HostGroup>,
    ports: Key<PortGroup>,
    luns: Key<LunGroup>,
}

impl Groups {
    /// All belong to one tenant; the ports may be everyone's.
    fn belong_together(self, array: &Array) -> Result<(), OpError> {
        let (tenant, ports, luns) = (array.host_groups[self.hosts].tenant, &array.port_groups[self.ports], &array.lun_groups[self.luns]);
        belonging::is_open_to(array, (Noun::PortGroup, ports.name()), ports.tenant, tenant)?;
        belonging::is_of(array, (Noun::LunGroup, luns.name()), luns.tenant, tenant)
    }
    /// Judges what an affinity with these groups would open.
    fn are_sound(self, array: &Array, affinity: Key<Affinity>) -> Result<(), OpError> {
        let (hosts, luns) = (&array.host_groups[self.hosts], &array.lun_groups[self.luns]);
        host_response::allows(array, hosts.host_response, luns.luns.keys().copied(), &format!("the {} '{}'", Noun::LunGroup, luns.name()))?;
        paths::are_sound(array, &reach::group_links(array, Way::Affinity(affinity), (self.hosts, self.ports, self.luns)).collect::<Vec<_>>())
    }
    fn affinity(self, head: Head) -> Affinity {
        Affinity { head, host_group: self.hosts, port_group: self.ports, lun_group: self.luns }
    }
}

impl Operation for Create {
    const NAME: &'static str = "affinity.create";
    const POLICY: Policy = Policy::HostInterfaceManagement;
    type Plan = CreatePlan;
    type Output = Key<Affinity>;

    fn check(&self, world: &World, _: &Ctx) -> Result<CreatePlan, OpError> {
        let (array, rule) = (&world.array, &world.array.personality);
        let hosts = array.host_groups.find(&self.host_group, Place::field("host_group"))?;
        let ports = array.port_groups.find(&self.port_group, Place::field("port_group"))?;
        let luns = array.lun_groups.find(&self.lun_group, Place::field("lun_group"))?;
        if let Some(name) = &self.name {
            rules::name_is_valid(Noun::Affinity, name, &rule.short_name)?;
            rules::name_is_free(&array.affinities, name, None, None)?;
        }
        paths::ports_serve(array, ports.key(), hosts.protocol.protocols())?;
        let groups = Groups { hosts: hosts.key(), ports: ports.key(), luns: luns.key() };
        groups.belong_together(array)?;
        rules::within_limit(&array.affinities, 1, rule.limits.affinities)?;
        groups.are_sound(array, array.affinities.next_key())?;
        let made = || default_name::joined(&array.affinities, &rule.short_name, hosts.name(), ports.name());
        Ok(CreatePlan { name: self.name.clone().unwrap_or_else(made), groups })
    }

    fn apply(CreatePlan { name, groups }: CreatePlan, world: &mut World, _: &Ctx) -> Key<Affinity> {
        let array = &mut world.array;
        array.affinities.insert(array.identity, name, |head| groups.affinity(head))
    }
}

/// Changes an affinity's name, ports or volumes.
///
/// Refused, in this order: unknown affinity, port group or LUN group; invalid name; name taken; ports that do not serve the hosts'
/// protocol; groups of several tenants; a LUN that the host response does not allow; a host would have two affinities through one port; a host would see a LUN twice, once by a mapping; a port would serve
/// too many hosts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AffinityUpdate, examples(json!({"port_group": "PG1"})))]
pub struct Update {
    /// Which one.
    #[schema(ignore)]
    pub affinity: String,
    /// Its new name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its new ports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port_group: Option<String>,
    /// Its new volumes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lun_group: Option<String>,
}

/// What [`Update`] found out.
#[derive(Debug)]
pub struct UpdatePlan {
    key: Key<Affinity>,
    name: Option<String>,
    groups: Groups,
}

impl Operation for Update {
    const NAME: &'static str = "affinity.update";
    const POLICY: Policy = Policy::HostInterfaceManagement;
    type Plan = UpdatePlan;
    type Output = Key<Affinity>;

    fn check(&self, world: &World, _: &Ctx) -> Result<UpdatePlan, OpError> {
        let array = &world.array;
        let affinity = array.affinities.find(&self.affinity, Place::Target)?;
        let ports = self.port_group.as_deref().map(|named| array.port_groups.find(named, Place::field("port_group"))).transpose()?;
        let luns = self.lun_group.as_deref().map(|named| array.lun_groups.find(named, Place::field("lun_group"))).transpose()?;
        if let Some(name) = &self.name {
            rules::name_is_valid(Noun::Affinity, name, &array.personality.short_name)?;
            rules::name_is_free(&array.affinities, name, None, Some(affinity.key()))?;
        }
        let groups =
            Groups { hosts: affinity.host_group, ports: ports.map_or(affinity.port_group, Object::key), luns: luns.map_or(affinity.lun_group, Object::key) };
        paths::ports_serve(array, groups.ports, array.host_groups[groups.hosts].protocol.protocols())?;
        groups.belong_together(array)?;
        groups.are_sound(array, affinity.key())?;
        Ok(UpdatePlan { key: affinity.key(), name: self.name.clone(), groups })
    }

    fn apply(plan: UpdatePlan, world: &mut World, _: &Ctx) -> Key<Affinity> {
        let affinities = &mut world.array.affinities;
        if let Some(name) = plan.name {
            affinities.rename(plan.key, name);
        }
        if let Some(affinity) = affinities.get_mut(plan.key) {
            affinity.port_group = plan.groups.ports;
            affinity.lun_group = plan.groups.luns;
        }
        plan.key
    }
}

/// Deletes an affinity; its groups stay, and the hosts no longer see the volumes by it.
///
/// Refused: unknown affinity.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AffinityDelete)]
pub struct Delete {
    /// Which one.
    pub affinity: String,
}

impl Operation for Delete {
    const NAME: &'static str = "affinity.delete";
    const POLICY: Policy = Policy::HostInterfaceManagement;
    type Plan = Key<Affinity>;
    type Output = ();

    fn check(&self, world: &World, _: &Ctx) -> Result<Key<Affinity>, OpError> {
        Ok(world.array.affinities.find(&self.affinity, Place::Target)?.key())
    }

    fn apply(key: Key<Affinity>, world: &mut World, _: &Ctx) {
        world.array.affinities.remove(key);
    }
}
