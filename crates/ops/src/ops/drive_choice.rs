//! Which drives a new RAID group takes: those that are named, or so many chosen by the array.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::World;
use crate::engine;
use crate::model::{Array, Controller, Drive, DriveType, GroupStatus, Key, Noun, Object, OpError, Place, RaidGroup, RaidLevel, RebuildPriority, health};
use crate::units::Bytes;

/// Drives for one or several RAID groups: either `drives` or `drive_count`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DriveChoice {
    /// The drives by id, number or name.
    pub drives: Option<Vec<String>>,
    /// How many the array shall choose.
    pub drive_count: Option<u32>,
    /// Of which type they shall be.
    pub drive_type: Option<DriveType>,
    /// Of which capacity they shall be.
    pub drive_capacity: Option<Bytes>,
}

/// One RAID group to be made.
#[derive(Clone, Debug)]
pub struct NewGroup {
    /// Its drives, in order of number.
    pub drives: Vec<Key<Drive>>,
    /// Their type.
    pub drive_type: DriveType,
    /// Whether they encrypt themselves.
    pub self_encrypting: bool,
    /// Space for data.
    pub capacity: Bytes,
    /// Its level.
    pub level: RaidLevel,
}

impl DriveChoice {
    /// Exactly one of the two ways must be used.
    pub(super) fn is_one_way(&self, noun: Noun) -> Result<(), OpError> {
        match (&self.drives, self.drive_count) {
            (Some(_), Some(_)) => {
                Err(OpError::Conflicting { noun, fields: vec!["drives".into(), "drive_count".into()], because: "drives are either named or counted".into() })
            }
            (None, None) => {
                Err(OpError::Missing { noun, field: "drive_count".into(), because: "drives are either named (drives) or counted (drive_count)".into() })
            }
            _ => Ok(()),
        }
    }
    /// A wish about type or capacity is for drives that the array chooses, not for those that are named, nor for RAID groups.
    pub(super) fn wishes_are_heard(&self, noun: Noun, groups_named: bool) -> Result<(), OpError> {
        let wishes = [("drive_type", self.drive_type.is_some()), ("drive_capacity", self.drive_capacity.is_some())];
        let named = if groups_named { Some("raid_groups") } else { self.drives.as_ref().map(|_| "drives") };
        match (wishes.iter().find(|(_, wished)| *wished), named) {
            (Some((wish, _)), Some(named)) => {
                let because = "the first is for drives that the array chooses".into();
                Err(OpError::Conflicting { noun, fields: vec![(*wish).into(), named.into()], because })
            }
            _ => Ok(()),
        }
    }
    /// Drives that are named must exist.
    pub(super) fn exist(&self, array: &Array) -> Result<(), OpError> {
        self.drives.iter().flatten().try_for_each(|reference| array.drives.find(reference, Place::field("drives")).map(drop))
    }
    /// The drives, all alike and free, in order of number.
    pub(super) fn resolve(&self, array: &Array) -> Result<Vec<Key<Drive>>, OpError> {
        self.resolve_for(array, None)
    }
    /// The same for RAID groups of a controller: where drives have homes, its own come first.
    pub(super) fn resolve_for(&self, array: &Array, owner: Option<Key<Controller>>) -> Result<Vec<Key<Drive>>, OpError> {
        match (&self.drives, self.drive_count) {
            (Some(named), _) => named_drives(array, named),
            (None, count) => self.chosen_drives(array, count.unwrap_or(0), owner.filter(|_| array.personality.offer.drives_have_homes)),
        }
    }
    fn chosen_drives(&self, array: &Array, count: u32, home: Option<Key<Controller>>) -> Result<Vec<Key<Drive>>, OpError> {
        let wanted = |drive: &&Drive| {
            drive.is_free()
                && self.drive_type.is_none_or(|wanted| wanted == drive.drive_type)
                && self.drive_capacity.is_none_or(|wanted| wanted == drive.capacity)
        };
        let mut kinds: BTreeMap<(DriveType, Bytes, bool), Vec<Key<Drive>>> = BTreeMap::new();
        for drive in array.drives.iter().filter(wanted) {
            kinds.entry((drive.drive_type, drive.capacity, drive.self_encrypting)).or_default().push(drive.key());
        }
        let needed = usize::try_from(count).unwrap_or(usize::MAX);
        let first_fitting = kinds.values().filter(|drives| drives.len() >= needed).min_by_key(|drives| drives.first().map(|key| array.drives[*key].number()));
        if let Some(drives) = first_fitting {
            let mut drives = drives.clone();
            if home.is_some() {
                drives.sort_by_key(|key| array.home_of(&array.drives[*key]) != home);
            }
            drives.truncate(needed);
            drives.sort_by_key(|key| array.drives[*key].number());
            return Ok(drives);
        }
        let available = kinds.values().map(Vec::len).max().unwrap_or(0);
        let kind = self.drive_type.map_or_else(|| "any type".to_owned(), |kind| kind.to_string());
        Err(OpError::NotEnoughDrives { needed: count, available: u32::try_from(available).unwrap_or(u32::MAX), kind })
    }
}

fn named_drives(array: &Array, named: &[String]) -> Result<Vec<Key<Drive>>, OpError> {
    let mut drives: Vec<&Drive> = Vec::with_capacity(named.len());
    for reference in named {
        let drive = array.drives.find(reference, Place::field("drives"))?;
        if drives.iter().any(|other| other.key() == drive.key()) {
            return Err(OpError::DriveNotFree { drive: drive.name().to_owned(), state: "it is named twice".into() });
        }
        if !drive.is_free() {
            return Err(OpError::DriveNotFree { drive: drive.name().to_owned(), state: why_not_free(array, drive) });
        }
        drives.push(drive);
    }
    for pair in drives.windows(2) {
        if let Some(field) = difference(pair[0], pair[1]) {
            return Err(OpError::DrivesDiffer { field: field.into(), first: pair[0].name().to_owned(), other: pair[1].name().to_owned() });
        }
    }
    drives.sort_by_key(|drive| drive.number());
    Ok(drives.into_iter().map(Object::key).collect())
}

fn why_not_free(array: &Array, drive: &Drive) -> String {
    match (drive.raid_group.or(drive.stands_in), drive.spare) {
        (Some(group), _) => format!("it belongs to the RAID group '{}'", array.raid_groups[group].name()),
        (None, true) => "it is a hot spare".into(),
        (None, false) => format!("it is {}", health::drive_status(array, drive)),
    }
}

fn difference(one: &Drive, other: &Drive) -> Option<&'static str> {
    if one.drive_type != other.drive_type {
        Some("drive_type")
    } else if one.capacity != other.capacity {
        Some("capacity")
    } else if one.self_encrypting != other.self_encrypting {
        Some("self_encrypting")
    } else {
        None
    }
}

/// A group of that level over those drives, which are alike. Space for data: every drive gives its capacity in whole MiB.
pub(super) fn new_group(array: &Array, drives: Vec<Key<Drive>>, level: RaidLevel) -> NewGroup {
    let first = &array.drives[drives[0]];
    let count = u32::try_from(drives.len()).unwrap_or(u32::MAX);
    let capacity = first.capacity.round_down(Bytes::mib(1)).times(u64::from(level.data_drives(count)));
    NewGroup { drive_type: first.drive_type, self_encrypting: first.self_encrypting, capacity, level, drives }
}

/// The level must take that many drives.
pub(super) fn level_takes(level: RaidLevel, drives: usize) -> Result<(), OpError> {
    let drives = u32::try_from(drives).unwrap_or(u32::MAX);
    if level.accepts(drives) { Ok(()) } else { Err(OpError::DriveCount { level, drives, accepted: level.accepted_counts() }) }
}

/// The controller that owns a new group: the named one, or the one that owns the fewest, lowest number first.
pub(super) fn owner(world: &World, named: Option<&str>) -> Result<Key<Controller>, OpError> {
    let array = &world.array;
    if let Some(reference) = named {
        return array.controllers.find(reference, Place::field("controller")).map(Object::key);
    }
    let owned = |controller: &Controller| array.raid_groups.iter().filter(|group| group.controller == controller.key()).count();
    let least = array.controllers.iter().min_by_key(|controller| (owned(controller), controller.number()));
    least.map(Object::key).ok_or_else(|| OpError::NotFound { noun: Noun::Controller, reference: String::new(), place: Place::field("controller") })
}

/// Makes a planned group.
pub(super) fn make_group(world: &mut World, name: String, group: NewGroup, controller: Key<Controller>, made_by_pool: bool) -> Key<RaidGroup> {
    let array = &mut world.array;
    let NewGroup { drives, drive_type, self_encrypting, capacity, level } = group;
    let members = drives.clone();
    let copybackless = array.personality.sparing.copybackless;
    let key = array.raid_groups.insert(array.identity, name, |head| RaidGroup {
        head,
        level,
        drives,
        drive_type,
        self_encrypting,
        controller,
        capacity,
        pool: None,
        made_by_pool,
        free_areas: BTreeMap::from([(0, capacity)]),
        slots: BTreeMap::new(),
        expansion: None,
        owner_moves_to: None,
        copybackless,
        rebuild_priority: RebuildPriority::default(),
        reported: GroupStatus::Available,
    });
    for drive in members {
        if let Some(drive) = array.drives.get_mut(drive) {
            drive.raid_group = Some(key);
        }
    }
    key
}

/// Dissolves a group; its drives become free, and so do the spares that it had for itself.
pub(super) fn dissolve(world: &mut World, key: Key<RaidGroup>) {
    let array = &mut world.array;
    if array.raid_groups.remove(key).is_none() {
        return;
    }
    let concerned = |drive: &Drive| [drive.raid_group, drive.stands_in, drive.dedicated_to].contains(&Some(key));
    let drives: Vec<Key<Drive>> = array.drives.iter().filter(|drive| concerned(drive)).map(Object::key).collect();
    for drive in drives {
        let Some(drive) = array.drives.get_mut(drive) else { continue };
        drive.spare &= drive.dedicated_to != Some(key);
        drive.dedicated_to = drive.dedicated_to.filter(|own| *own != key);
        (drive.raid_group, drive.stands_in) = (None, None);
    }
    engine::tend(world);
}
