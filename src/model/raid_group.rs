//! RAID groups: drives joined into one protected space, and where that space is given out.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Controller, Drive, DriveType, Head, Key, Noun, Object, Pool, RaidLevel};
use crate::units::Bytes;

/// A RAID group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RaidGroup {
    /// Identity.
    pub head: Head,
    /// The level.
    pub level: RaidLevel,
    /// Its drives, in order of number.
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
