//! RAID groups: drives joined into one protected space, and where that space is given out.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Controller, Drive, DriveType, GroupStatus, Head, Key, Noun, Object, Pool, RaidLevel, RebuildPriority};
use crate::units::Bytes;

/// A RAID group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RaidGroup {
    /// Identity.
    pub head: Head,
    /// The level.
    pub level: RaidLevel,
    /// Its members: first in order of number, then as an expansion added them. The place of each is its slot.
    pub drives: Vec<Key<Drive>>,
    /// What kind of drives they are.
    pub drive_type: DriveType,
    /// Whether they encrypt themselves.
    pub self_encrypting: bool,
    /// The controller that owns it and bears its work.
    pub controller: Key<Controller>,
    /// Space for data.
    pub capacity: Bytes,
    /// The pool that it belongs to; such a group holds no volumes of its own.
    pub pool: Option<Key<Pool>>,
    /// Whether the pool made it and takes it along when it is deleted.
    pub made_by_pool: bool,
    /// Unused areas by their start.
    pub free_areas: BTreeMap<u64, Bytes>,
    /// The slots that are not served by their member alone; all others are in order.
    #[serde(default)]
    pub slots: BTreeMap<u32, Slot>,
    /// Set while it is expanded.
    #[serde(default)]
    pub expansion: Option<Expansion>,
    /// The controller that will own it, while its owner changes.
    #[serde(default)]
    pub owner_moves_to: Option<Key<Controller>>,
    /// Whether a spare that stands in becomes the member, so that nothing is copied back.
    #[serde(default)]
    pub copybackless: bool,
    /// How fast it is rebuilt.
    #[serde(default)]
    pub rebuild_priority: RebuildPriority,
    /// The state that was last told in an event.
    #[serde(default)]
    pub reported: GroupStatus,
}

/// What is out of the ordinary with one member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Slot {
    /// Whether the member has the data of now. What a drive that is out of service holds is stale as soon as the group lives on.
    pub current: bool,
    /// The spare that stands in for it.
    pub stand_in: Option<StandIn>,
}

/// A spare in the place of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StandIn {
    /// The spare.
    pub drive: Key<Drive>,
    /// Whether it has the data of now.
    pub current: bool,
}

/// An expansion under way. The data is laid out anew over more drives or at another level; the space comes at the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expansion {
    /// The level that it will have.
    pub level: RaidLevel,
    /// The drives that it takes in.
    pub drives: Vec<Key<Drive>>,
}

impl Slot {
    /// A member that serves alone.
    pub const ORDINARY: Slot = Slot { current: true, stand_in: None };
}

/// A contiguous piece of a RAID group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Area {
    /// Where it begins.
    pub start: Bytes,
    /// How long it is.
    pub length: Bytes,
}

impl RaidGroup {
    /// How a slot stands.
    pub fn slot(&self, place: u32) -> Slot {
        self.slots.get(&place).copied().unwrap_or(Slot::ORDINARY)
    }
    /// Notes how a slot stands.
    pub fn set_slot(&mut self, place: u32, slot: Slot) {
        if slot == Slot::ORDINARY {
            self.slots.remove(&place);
        } else {
            self.slots.insert(place, slot);
        }
    }
    /// Its members and those that an expansion takes in, by slot.
    pub fn members(&self) -> impl Iterator<Item = (u32, Key<Drive>)> {
        (0..).zip(self.drives.iter().chain(self.expansion.iter().flat_map(|expansion| &expansion.drives)).copied())
    }
    /// How many members it has.
    pub fn width(&self) -> u32 {
        u32::try_from(self.drives.len()).unwrap_or(u32::MAX)
    }
    /// What it uses of every member.
    pub fn member_capacity(&self) -> Bytes {
        self.capacity.divided(u64::from(self.level.data_drives(self.width()).max(1)))
    }
    /// Puts another drive in a slot.
    pub fn set_member(&mut self, place: u32, drive: Key<Drive>) {
        let added = self.expansion.iter_mut().flat_map(|expansion| &mut expansion.drives);
        if let Some(member) = usize::try_from(place).ok().and_then(|place| self.drives.iter_mut().chain(added).nth(place)) {
            *member = drive;
        }
    }
    /// The member for which a spare stands in, or is written to do so.
    pub fn stood_in_for(&self, spare: Key<Drive>) -> Option<Key<Drive>> {
        self.members().find(|(place, _)| self.slot(*place).stand_in.is_some_and(|known| known.drive == spare)).map(|(_, member)| member)
    }
    /// Whether all its members serve alone and nothing is under way, as far as it knows itself.
    pub fn is_ordinary(&self) -> bool {
        self.slots.is_empty() && self.expansion.is_none() && self.reported == GroupStatus::Available
    }
    /// Space not given out. Of a group in a pool there is none.
    pub fn free(&self) -> Bytes {
        if self.pool.is_some() { Bytes::ZERO } else { self.free_areas.values().copied().sum() }
    }
    /// The largest contiguous unused area. Of a group in a pool there is none.
    pub fn largest_free_area(&self) -> Bytes {
        if self.pool.is_some() { Bytes::ZERO } else { self.free_areas.values().copied().max().unwrap_or_default() }
    }
    /// Whether nothing has been given out.
    pub fn is_untouched(&self) -> bool {
        self.pool.is_none() && self.free() == self.capacity
    }
    /// The first unused area that holds `length`.
    pub fn fit(&self, length: Bytes) -> Option<Area> {
        if self.pool.is_some() {
            return None;
        }
        self.free_areas.iter().find(|(_, free)| **free >= length).map(|(start, _)| Area { start: Bytes::new(*start), length })
    }
    /// Gives an unused area out.
    pub fn take(&mut self, area: Area) {
        let holder = self.free_areas.range(..=area.start.get()).next_back().map(|(start, length)| (*start, *length));
        if let Some((start, length)) = holder {
            self.free_areas.remove(&start);
            let before = area.start - Bytes::new(start);
            let after = length - before - area.length;
            if !before.is_zero() {
                self.free_areas.insert(start, before);
            }
            if !after.is_zero() {
                self.free_areas.insert((area.start + area.length).get(), after);
            }
        }
    }
    /// Takes an area back and joins it with its free neighbours.
    pub fn give_back(&mut self, area: Area) {
        let (mut start, mut length) = (area.start.get(), area.length);
        if let Some((before, free)) = self.free_areas.range(..start).next_back().map(|(start, free)| (*start, *free))
            && before + free.get() == start
        {
            self.free_areas.remove(&before);
            start = before;
            length += free;
        }
        if let Some(free) = self.free_areas.remove(&(start + length.get())) {
            length += free;
        }
        self.free_areas.insert(start, length);
    }
}

impl Object for RaidGroup {
    const NOUN: Noun = Noun::RaidGroup;
    fn head(&self) -> &Head {
        &self.head
    }
    fn head_mut(&mut self) -> &mut Head {
        &mut self.head
    }
}
