//! LUN groups: volumes under the logical unit numbers by which hosts see them.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Ctx, Operation, World, belonging, host_response, paths, rules};
use crate::model::reach::{self, Link, Target, Way};
use crate::model::{Array, Host, Key, LunGroup, Noun, Object, OpError, Place, Policy, Tenant, Volume};

/// A volume and the number under which it is seen.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = LunGroupEntry, examples(json!({"lun": 0, "volume": "R0"})))]
pub struct Entry {
    /// The logical unit number; otherwise the lowest free one, after all that are given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lun: Option<u32>,
    /// The volume by id, number or name.
    pub volume: String,
}

/// Creates a LUN group, which may be empty.
///
/// Refused, in this order: unknown tenant or volume; a snap data pool volume; invalid name; name taken; a number out of range; a volume of another tenant; too many
/// LUN groups; too many LUNs in it; a volume named twice; a number given twice; no free number left.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = LunGroupCreate, examples(json!({"name": "LG0", "luns": [{"lun": 0, "volume": "R0"}, {"volume": "R1"}]})))]
pub struct Create {
    /// Its name.
    pub name: String,
    /// The volumes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub luns: Option<Vec<Entry>>,
    /// Whose it is; of the array itself if left out. Its volumes belong to the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
}

/// What [`Create`] found out.
#[derive(Debug)]
pub struct CreatePlan {
    name: String,
    tenant: Option<Key<Tenant>>,
    luns: BTreeMap<u32, Key<Volume>>,
}

impl Operation for Create {
    const NAME: &'static str = "lun-group.create";
    const POLICY: Policy = Policy::HostInterfaceManagement;
    type Plan = CreatePlan;
    type Output = Key<LunGroup>;

    fn check(&self, world: &World, _: &Ctx) -> Result<CreatePlan, OpError> {
        let (array, rule) = (&world.array, &world.array.personality);
        let tenant = belonging::of_new(array, Noun::LunGroup, self.tenant.as_deref())?;
        let entries = resolve(array, "luns", self.luns.as_deref().unwrap_or_default())?;
        rules::name_is_valid(Noun::LunGroup, &self.name, &rule.short_name)?;
        rules::name_is_free(&array.lun_groups, &self.name, None, None)?;
        numbers_are_in_range(array, &entries)?;
        volumes_belong(array, &entries, tenant)?;
        rules::within_limit(&array.lun_groups, 1, rule.limits.lun_groups)?;
        let luns = with_entries(array, &self.name, BTreeMap::new(), &entries, &BTreeSet::new())?;
        Ok(CreatePlan { name: self.name.clone(), tenant, luns })
    }

    fn apply(CreatePlan { name, tenant, luns }: CreatePlan, world: &mut World, _: &Ctx) -> Key<LunGroup> {
        let array = &mut world.array;
        array.lun_groups.insert(array.identity, name, |head| LunGroup { head, luns, tenant })
    }
}

/// Changes a LUN group's name or LUNs: `luns` replaces all, `add_luns` and `remove_luns` change some.
///
/// Refused, in this order: all LUNs and some named together; unknown group; unknown volume, a snap data pool volume, or a number to be removed that is not in
/// the group; invalid name; name taken; a number out of range; a volume of another tenant; too many LUNs in it; a volume that would be in it
/// twice; a number that is taken; no free number left; a LUN that the host response of an affinity does not allow; a host would see a LUN
/// twice, once by a mapping.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = LunGroupUpdate, examples(json!({"add_luns": [{"lun": 4, "volume": "R2"}], "remove_luns": [0]})))]
pub struct Update {
    /// Which one.
    #[schema(ignore)]
    pub lun_group: String,
    /// Its new name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// All the volumes that it shall have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub luns: Option<Vec<Entry>>,
    /// Volumes that shall be added.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub add_luns: Option<Vec<Entry>>,
    /// Numbers that shall be removed; they are, before others are added.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remove_luns: Option<Vec<u32>>,
}

/// What [`Update`] found out.
#[derive(Debug)]
pub struct UpdatePlan {
    key: Key<LunGroup>,
    name: Option<String>,
    luns: BTreeMap<u32, Key<Volume>>,
}

impl Update {
    fn is_one_way(&self) -> Result<(), OpError> {
        let parts = [("add_luns", self.add_luns.is_some()), ("remove_luns", self.remove_luns.is_some())];
        let given: Vec<String> = parts.into_iter().filter(|(_, given)| *given).map(|(field, _)| field.to_owned()).collect();
        if self.luns.is_none() || given.is_empty() {
            return Ok(());
        }
        let fields = std::iter::once("luns".to_owned()).chain(given).collect();
        Err(OpError::Conflicting { noun: Noun::LunGroup, fields, because: "the LUNs are either given as a whole or added and removed".into() })
    }
    /// What is left of the group's LUNs before others come.
    fn remaining(&self, group: &LunGroup) -> Result<BTreeMap<u32, Key<Volume>>, OpError> {
        let mut luns = if self.luns.is_some() { BTreeMap::new() } else { group.luns.clone() };
        for lun in self.remove_luns.as_deref().unwrap_or_default() {
            let absent = || OpError::NotFound { noun: Noun::Volume, reference: lun.to_string(), place: Place::field("remove_luns") };
            luns.remove(lun).ok_or_else(absent)?;
        }
        Ok(luns)
    }
}

impl Operation for Update {
    const NAME: &'static str = "lun-group.update";
    const POLICY: Policy = Policy::HostInterfaceManagement;
    type Plan = UpdatePlan;
    type Output = Key<LunGroup>;

    fn check(&self, world: &World, _: &Ctx) -> Result<UpdatePlan, OpError> {
        let array = &world.array;
        self.is_one_way()?;
        let group = array.lun_groups.find(&self.lun_group, Place::Target)?;
        let mut entries = resolve(array, "luns", self.luns.as_deref().unwrap_or_default())?;
        entries.extend(resolve(array, "add_luns", self.add_luns.as_deref().unwrap_or_default())?);
        let remaining = self.remaining(group)?;
        if let Some(name) = &self.name {
            rules::name_is_valid(Noun::LunGroup, name, &array.personality.short_name)?;
            rules::name_is_free(&array.lun_groups, name, None, Some(group.key()))?;
        }
        numbers_are_in_range(array, &entries)?;
        volumes_belong(array, &entries, group.tenant)?;
        let hosts: Vec<Key<Host>> = reach::links_of_lun_group(array, group.key()).flat_map(|link| link.hosts.into_owned()).collect();
        let target = Target { tenant: group.tenant.filter(|_| array.personality.offer.tenants_serve), subsystem: None };
        let avoid = paths::luns_seen(array, &hosts, target, |way| matches!(way, Way::Mapping(_)));
        let luns = with_entries(array, group.name(), remaining, &entries, &avoid)?;
        if luns != group.luns {
            let within = format!("the {} '{}'", Noun::LunGroup, group.name());
            for affinity in array.affinities.iter().filter(|affinity| affinity.lun_group == group.key()) {
                let response = array.host_groups[affinity.host_group].host_response;
                host_response::allows(array, response, luns.keys().copied(), &within)?;
            }
            let links = reach::links_of_lun_group(array, group.key());
            paths::are_sound(array, &links.map(|link| Link { luns: std::borrow::Cow::Borrowed(&luns), ..link }).collect::<Vec<_>>())?;
        }
        Ok(UpdatePlan { key: group.key(), name: self.name.clone(), luns })
    }

    fn apply(plan: UpdatePlan, world: &mut World, _: &Ctx) -> Key<LunGroup> {
        let groups = &mut world.array.lun_groups;
        if let Some(name) = plan.name {
            groups.rename(plan.key, name);
        }
        if let Some(group) = groups.get_mut(plan.key) {
            group.luns = plan.luns;
        }
        plan.key
    }
}

/// Deletes a LUN group; its volumes stay.
///
/// Refused, in this order: unknown group; an affinity uses it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = LunGroupDelete)]
pub struct Delete {
    /// Which one.
    pub lun_group: String,
}

impl Operation for Delete {
    const NAME: &'static str = "lun-group.delete";
    const POLICY: Policy = Policy::HostInterfaceManagement;
    type Plan = Key<LunGroup>;
    type Output = ();

    fn check(&self, world: &World, _: &Ctx) -> Result<Key<LunGroup>, OpError> {
        let array = &world.array;
        let group = array.lun_groups.find(&self.lun_group, Place::Target)?;
        match array.affinities.iter().find(|affinity| affinity.lun_group == group.key()) {
            Some(affinity) => {
                let (name, by_name) = (group.name().to_owned(), affinity.name().to_owned());
                Err(OpError::InUse { noun: Noun::LunGroup, name, by: Noun::Affinity, by_name })
            }
            None => Ok(group.key()),
        }
    }

    fn apply(key: Key<LunGroup>, world: &mut World, _: &Ctx) {
        world.array.lun_groups.remove(key);
    }
}

/// A volume that comes into a group, and the number that was asked for.
type Planned = (Option<u32>, Key<Volume>);

fn resolve(array: &Array, field: &str, entries: &[Entry]) -> Result<Vec<Planned>, OpError> {
    let find = |entry: &Entry| {
        let volume = array.find_volume(&entry.volume, Place::field(field))?;
        rules::is_for_hosts(volume, field).map(|()| (entry.lun, volume.key()))
    };
    entries.iter().map(find).collect()
}

fn numbers_are_in_range(array: &Array, entries: &[Planned]) -> Result<(), OpError> {
    entries.iter().filter_map(|(lun, _)| *lun).try_for_each(|lun| paths::lun_is_in_range(Noun::LunGroup, lun, (0, array.lun_most())))
}

/// All volumes of a LUN group belong to its tenant.
fn volumes_belong(array: &Array, entries: &[Planned], tenant: Option<Key<Tenant>>) -> Result<(), OpError> {
    let mut volumes = entries.iter().map(|(_, volume)| &array.volumes[*volume]);
    volumes.try_for_each(|volume| belonging::is_of(array, (Noun::Volume, volume.name()), volume.tenant, tenant))
}

/// The LUNs with the new ones. Those that come without a number get, in their order, the lowest that is free and not in `avoid`.
fn with_entries(
    array: &Array,
    name: &str,
    mut luns: BTreeMap<u32, Key<Volume>>,
    entries: &[Planned],
    avoid: &BTreeSet<u32>,
) -> Result<BTreeMap<u32, Key<Volume>>, OpError> {
    let within = format!("the {} '{name}'", Noun::LunGroup);
    rules::count_within(Noun::Volume, luns.len() + entries.len(), array.personality.limits.luns_per_group, &within)?;
    let mut volumes: BTreeSet<Key<Volume>> = luns.values().copied().collect();
    if let Some((_, twice)) = entries.iter().find(|(_, volume)| !volumes.insert(*volume)) {
        return Err(OpError::AlreadyMapped { volume: array.volumes[*twice].name().to_owned(), within });
    }
    for (lun, volume) in entries.iter().filter_map(|(lun, volume)| lun.map(|lun| (lun, *volume))) {
        if let Some(other) = luns.insert(lun, volume) {
            return Err(OpError::LunTaken { lun, within, by: array.volumes[other].name().to_owned() });
        }
    }
    let mut taken: BTreeSet<u32> = luns.keys().chain(avoid).copied().collect();
    for (_, volume) in entries.iter().filter(|(lun, _)| lun.is_none()) {
        let lun = paths::lowest_lun((0, array.personality.lun_max), &taken, &within)?;
        taken.insert(lun);
        luns.insert(lun, *volume);
    }
    Ok(luns)
}
