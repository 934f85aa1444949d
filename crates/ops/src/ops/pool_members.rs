//! The RAID groups that a pool takes in: made from drives, or empty ones that exist.

use super::drive_choice::{self, DriveChoice, NewGroup};
use super::{World, health_rules, rules};
use crate::model::{Area, Array, Controller, Drive, Key, Noun, Object, OpError, Place, Pool, RaidGroup, RaidLevel};
use crate::units::Bytes;

/// Drives that a RAID group of a pool takes in. Its data stays where it is, so the space is there at once.
#[derive(Debug)]
pub(super) struct Growth {
    group: Key<RaidGroup>,
    drives: Vec<Key<Drive>>,
}

impl Growth {
    /// The space that comes.
    pub(super) fn capacity(&self, array: &Array) -> Bytes {
        array.raid_groups.get(self.group).map_or(Bytes::ZERO, |group| group.member_capacity().times(self.drives.len() as u64))
    }
    /// Takes the drives in.
    pub(super) fn apply(self, array: &mut Array, pool: Key<Pool>) {
        let more = self.capacity(array);
        let Some(group) = array.raid_groups.get_mut(self.group) else { return };
        let chunk = array.pools.get(pool).map_or(Bytes::ZERO, |pool| pool.chunk_size);
        let before = group.capacity;
        group.drives.extend(self.drives.iter().copied());
        group.capacity += more;
        group.give_back(Area { start: before, length: more });
        let grown = group.capacity.round_down(chunk) - before.round_down(chunk);
        if let Some(pool) = array.pools.get_mut(pool) {
            pool.capacity += grown;
        }
        for drive in self.drives {
            if let Some(drive) = array.drives.get_mut(drive) {
                drive.raid_group = Some(self.group);
            }
        }
    }
}

/// Planned members.
#[derive(Debug)]
pub(super) enum Members {
    /// RAID groups to be made.
    New(Vec<NewGroup>, Option<Key<Controller>>),
    /// RAID groups that exist.
    Existing(Vec<Key<RaidGroup>>),
}

/// Members come in exactly one way.
pub(super) fn one_way(choice: &DriveChoice, raid_groups: Option<&Vec<String>>) -> Result<(), OpError> {
    match raid_groups {
        Some(_) if choice.drives.is_some() || choice.drive_count.is_some() => Err(OpError::Conflicting {
            noun: Noun::Pool,
            fields: vec!["raid_groups".into(), "drives".into(), "drive_count".into()],
            because: "a pool takes either drives or RAID groups at a time".into(),
        }),
        Some(groups) if groups.is_empty() => Err(OpError::Missing { noun: Noun::Pool, field: "raid_groups".into(), because: "the list is empty".into() }),
        Some(_) => Ok(()),
        None => choice.is_one_way(Noun::Pool),
    }
}

/// An owner is for new RAID groups; those that exist have one.
pub(super) fn owner_is_heard(controller: Option<&String>, raid_groups: Option<&Vec<String>>) -> Result<(), OpError> {
    if controller.is_none() || raid_groups.is_none() {
        return Ok(());
    }
    let because = "RAID groups that exist have an owner".into();
    Err(OpError::Conflicting { noun: Noun::Pool, fields: vec!["controller".into(), "raid_groups".into()], because })
}

/// The named RAID groups.
pub(super) fn find_groups(array: &Array, named: Option<&[String]>) -> Result<Vec<Key<RaidGroup>>, OpError> {
    named.unwrap_or_default().iter().map(|reference| array.raid_groups.find(reference, Place::field("raid_groups")).map(Object::key)).collect()
}

/// Plans members of that level; when the pool has members already, they must be like `like`.
pub(super) fn plan(
    world: &World,
    choice: &DriveChoice,
    named: &[Key<RaidGroup>],
    (level, like): (RaidLevel, Option<&RaidGroup>),
    controller: Option<Key<Controller>>,
) -> Result<Members, OpError> {
    let array = &world.array;
    if let Some(first) = named.first() {
        named.iter().try_for_each(|key| is_ready(world, &array.raid_groups[*key]))?;
        existing_are_alike(array, named, level, like.unwrap_or(&array.raid_groups[*first]))?;
        return Ok(Members::Existing(named.to_vec()));
    }
    let count = choice.drives.as_ref().map_or(choice.drive_count.unwrap_or(0), |drives| u32::try_from(drives.len()).unwrap_or(u32::MAX));
    let size = match like {
        Some(group) => members_like(group, count)?,
        None => members_per_group(level, count)?,
    };
    let drives = choice.resolve_for(array, controller)?;
    if let (Some(group), Some(drive)) = (like, drives.first()) {
        drives_are_like(array, group, *drive)?;
    }
    let groups: Vec<NewGroup> = drives.chunks(size).map(|members| drive_choice::new_group(array, members.to_vec(), level)).collect();
    rules::within_limit(&array.raid_groups, groups.len(), array.personality.limits.raid_groups)?;
    Ok(Members::New(groups, controller))
}

/// Where pools grow drive by drive: which drives the RAID groups of a pool take in until they are full, and the RAID groups that are made of the
/// rest.
pub(super) fn plan_growth(
    array: &Array,
    choice: &DriveChoice,
    pool: &Pool,
    (most, controller): (u32, Option<Key<Controller>>),
) -> Result<(Vec<Growth>, Members), OpError> {
    let drives = choice.resolve_for(array, controller)?;
    let groups = || pool.raid_groups.iter().filter_map(|group| array.raid_groups.get(*group));
    if let (Some(group), Some(drive)) = (groups().next(), drives.first()) {
        drives_are_like(array, group, *drive)?;
    }
    let mut left = drives.as_slice();
    let mut growth = Vec::new();
    for group in groups() {
        let room = usize::try_from(most.saturating_sub(group.width())).unwrap_or(0).min(left.len());
        let (taken, rest) = left.split_at(room);
        left = rest;
        if !taken.is_empty() {
            growth.push(Growth { group: group.key(), drives: taken.to_vec() });
        }
    }
    let pieces = left.len().div_ceil(usize::try_from(most).unwrap_or(1).max(1)).max(1);
    let size = left.len().div_ceil(pieces).max(1);
    left.chunks(size).try_for_each(|members| drive_choice::level_takes(pool.level, members.len()))?;
    if drives.is_empty() {
        return Err(OpError::DriveCount { level: pool.level, drives: 0, accepted: "one or more".into() });
    }
    let new: Vec<NewGroup> = left.chunks(size).map(|members| drive_choice::new_group(array, members.to_vec(), pool.level)).collect();
    rules::within_limit(&array.raid_groups, new.len(), array.personality.limits.raid_groups)?;
    Ok((growth, Members::New(new, controller)))
}

/// A group that exists must not be broken, nor be growing.
fn is_ready(world: &World, group: &RaidGroup) -> Result<(), OpError> {
    health_rules::group_serves(&world.array, group)?;
    health_rules::group_not_growing(world, group)
}

/// Existing groups must be unused and all alike.
fn existing_are_alike(array: &Array, named: &[Key<RaidGroup>], level: RaidLevel, like: &RaidGroup) -> Result<(), OpError> {
    let kind = |group: &RaidGroup, level: RaidLevel| format!("{level} of {} {}", group.drives.len(), group.drive_type);
    for (index, key) in named.iter().enumerate() {
        let group = &array.raid_groups[*key];
        if let Some(pool) = group.pool {
            return Err(OpError::RaidGroupInPool { raid_group: group.name().to_owned(), pool: array.pools[pool].name().to_owned() });
        }
        if named[..index].contains(key) {
            let because = format!("'{}' is named twice", group.name());
            return Err(OpError::Conflicting { noun: Noun::Pool, fields: vec!["raid_groups".into()], because });
        }
        let spare = array.drives.iter().find(|drive| drive.dedicated_to == Some(*key) && !array.personality.sparing.dedicated_in_pools);
        let volume = || array.volumes.iter().find(|volume| volume.touches(*key)).map(|volume| (Noun::Volume, volume.name()));
        if let Some((by, by_name)) = spare.map(|spare| (Noun::Drive, spare.name())).or_else(volume) {
            return Err(OpError::InUse { noun: Noun::RaidGroup, name: group.name().to_owned(), by, by_name: by_name.to_owned() });
        }
        let (found, expected) = (kind(group, group.level), kind(like, level));
        if found != expected || group.capacity != like.capacity {
            let (found, expected) =
                if found == expected { (format!("{found}, {}", group.capacity), format!("{expected}, {}", like.capacity)) } else { (found, expected) };
            return Err(OpError::RaidGroupsDiffer { raid_group: group.name().to_owned(), expected, found });
        }
    }
    Ok(())
}

/// Into the fewest equal groups that the level takes.
fn members_per_group(level: RaidLevel, drives: u32) -> Result<usize, OpError> {
    let fits = |groups: &u32| drives.is_multiple_of(*groups) && level.accepts(drives / groups);
    match (1..=drives.min(65_536)).find(fits) {
        Some(groups) => Ok(usize::try_from(drives / groups).unwrap_or(1)),
        None => Err(OpError::DriveCount { level, drives, accepted: format!("a whole number of equal groups, each of {}", level.accepted_counts()) }),
    }
}

/// Whole groups of as many drives as the pool's groups have.
fn members_like(group: &RaidGroup, drives: u32) -> Result<usize, OpError> {
    let size = group.drives.len();
    let accepted = || format!("a multiple of {size}, as the pool's RAID groups have");
    let whole = usize::try_from(drives).is_ok_and(|drives| drives > 0 && drives.is_multiple_of(size));
    if whole { Ok(size) } else { Err(OpError::DriveCount { level: group.level, drives, accepted: accepted() }) }
}

/// Drives that are added must be like those that are there.
fn drives_are_like(array: &Array, group: &RaidGroup, drive: Key<Drive>) -> Result<(), OpError> {
    let other = &array.drives[drive];
    let smallest = group.drives.iter().map(|member| &array.drives[*member]).min_by_key(|member| (member.capacity, member.number()));
    match smallest {
        Some(first) if first.drive_type != other.drive_type || first.capacity != other.capacity => {
            let field = if first.drive_type == other.drive_type { "capacity" } else { "drive_type" };
            Err(OpError::DrivesDiffer { field: field.into(), first: first.name().to_owned(), other: other.name().to_owned() })
        }
        _ => Ok(()),
    }
}

/// All pools together must stay within the array's limit.
pub(super) fn capacity_is_allowed(array: &Array, more: Bytes) -> Result<(), OpError> {
    let capacity = array.pools.iter().map(|pool| pool.capacity).sum::<Bytes>() + more;
    let limit = array.pool_capacity_most();
    if capacity <= limit { Ok(()) } else { Err(OpError::PoolCapacity { capacity, limit }) }
}

impl Members {
    /// Space for data in whole chunks.
    pub(super) fn capacity(&self, array: &Array, chunk: Bytes) -> Bytes {
        match self {
            Members::New(groups, _) => groups.iter().map(|group| group.capacity.round_down(chunk)).sum(),
            Members::Existing(groups) => groups.iter().map(|group| array.raid_groups[*group].capacity.round_down(chunk)).sum(),
        }
    }
    /// Makes what has to be made, under names that follow the pool's.
    pub(super) fn make(self, world: &mut World, pool: &str) -> Vec<Key<RaidGroup>> {
        let (groups, controller) = match self {
            Members::Existing(groups) => return groups,
            Members::New(groups, controller) => (groups, controller),
        };
        let mut made = Vec::with_capacity(groups.len());
        for group in groups {
            let max = world.array.personality.short_name.max;
            let name = rules::derived_name(pool, '_', max, |name| world.array.raid_groups.named(name, None).is_some());
            let owner = controller.or_else(|| drive_choice::owner(world, None).ok()).unwrap_or(Key::from_raw(0));
            made.push(drive_choice::make_group(world, name, group, owner, true));
        }
        made
    }
}

/// Enters RAID groups as members of a pool.
pub(super) fn join(array: &mut Array, key: Key<Pool>, groups: &[Key<RaidGroup>]) {
    for group in groups {
        let Some(group) = array.raid_groups.get_mut(*group) else { continue };
        group.pool = Some(key);
        if let Some(pool) = array.pools.get_mut(key) {
            pool.raid_groups.push(Object::key(&*group));
            pool.capacity += group.capacity.round_down(pool.chunk_size);
        }
    }
}
