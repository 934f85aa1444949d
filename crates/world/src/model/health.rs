//! How drives, RAID groups, pools and volumes stand, in the vendor's words: derived from facts, never stored.
//!
//! The facts are few: which drives keep data and are in their bays, whether what a member or its stand-in holds is of now, and
//! which spare stands in where. Everything else follows, also what the array does next ([`Standing::restoration`]).

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{
    Array, Drive, DriveState, DriveStatus, Enclosure, GroupStatus, Home, Key, Object, Pool, RaidGroup, RaidLevel, Redundancy, Slot, Table, Volume, VolumeHealth,
};

/// Work on one slot of a RAID group that the array does by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Restoration {
    /// What is done.
    pub kind: RestorationKind,
    /// Where.
    pub raid_group: Key<RaidGroup>,
    /// For which member.
    pub slot: u32,
    /// The drive that is written.
    pub target: Key<Drive>,
}

/// What is done for a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RestorationKind {
    /// The data of a missing member is made anew from the others.
    Rebuild,
    /// The data goes back from a spare to the member.
    Copyback,
    /// The data goes to a spare before the member fails.
    RedundantCopy,
}

/// A RAID group with the drives that it stands on.
#[derive(Clone, Copy, Debug)]
pub struct Standing<'a> {
    drives: &'a Table<Drive>,
    group: &'a RaidGroup,
}

/// Who serves a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Server {
    Member,
    StandIn,
}

impl<'a> Standing<'a> {
    /// Of a group.
    pub const fn of(array: &'a Array, group: &'a RaidGroup) -> Standing<'a> {
        Standing { drives: &array.drives, group }
    }
    fn is(&self, drive: Key<Drive>, what: impl Fn(&Drive) -> bool) -> bool {
        self.drives.get(drive).is_some_and(what)
    }
    /// Who of a slot has the data of now and is what `fit` says.
    fn holder(&self, slot: u32, member: Key<Drive>, fit: impl Fn(&Drive) -> bool) -> Option<Server> {
        let facts = self.group.slot(slot);
        if facts.current && self.is(member, &fit) {
            return Some(Server::Member);
        }
        facts.stand_in.filter(|spare| spare.current && self.is(spare.drive, &fit)).map(|_| Server::StandIn)
    }
    /// The slots that nobody serves.
    pub fn missing(&self) -> Vec<u32> {
        self.without(Drive::serves)
    }
    /// How many members of the present layout nobody serves.
    pub fn short_of(&self) -> u32 {
        let width = self.group.width();
        u32::try_from(self.missing().iter().filter(|slot| **slot < width).count()).unwrap_or(u32::MAX)
    }
    /// The slots that nobody serves when the drives of these enclosures cannot be reached.
    pub fn missing_without(&self, enclosures: &BTreeSet<Key<Enclosure>>) -> Vec<u32> {
        self.without(|drive| drive.serves() && !enclosures.contains(&drive.enclosure))
    }
    /// Whether its data can be read and written without what these slots hold.
    pub fn is_alive_without(&self, missing: &[u32]) -> bool {
        self.group.level.redundancy(self.group.width(), missing) != Redundancy::Broken
    }
    fn without(&self, fit: impl Fn(&Drive) -> bool) -> Vec<u32> {
        self.group.members().filter(|(slot, member)| self.holder(*slot, *member, &fit).is_none()).map(|(slot, _)| slot).collect()
    }
    /// What protection is left without these slots: as it is laid out now and, while it is expanded, as it will be.
    fn redundancy(&self, missing: &[u32]) -> Redundancy {
        let now = self.group.level.redundancy(self.group.width(), missing);
        self.redundancy_ahead(missing).map_or(now, |ahead| ahead.max(now))
    }
    fn redundancy_ahead(&self, missing: &[u32]) -> Option<Redundancy> {
        let expansion = self.group.expansion.as_ref()?;
        let width = self.group.width() + u32::try_from(expansion.drives.len()).unwrap_or(0);
        Some(expansion.level.redundancy(width, missing))
    }
    /// Whether its data can be read and written.
    pub fn is_alive(&self) -> bool {
        self.group.level.redundancy(self.group.width(), &self.missing()) != Redundancy::Broken
    }
    /// Whether it is broken for good: no drive that could be put back would help.
    pub fn is_lost(&self) -> bool {
        self.group.level.redundancy(self.group.width(), &self.without(Drive::keeps_data)) == Redundancy::Broken
    }
    /// Whether an expansion under way can come to its end.
    pub fn can_grow(&self) -> bool {
        self.redundancy(&self.missing()) != Redundancy::Broken
    }
    /// What protection is left now.
    pub fn protection(&self) -> Redundancy {
        self.redundancy(&self.missing())
    }
    /// What the array does for a slot now, if anything.
    pub fn restoration(&self, slot: u32, member: Key<Drive>) -> Option<Restoration> {
        let facts = self.group.slot(slot);
        if facts == Slot::ORDINARY || !self.is_alive() {
            return None;
        }
        let unready = facts.stand_in.filter(|spare| !spare.current && self.is(spare.drive, Drive::is_sound)).map(|spare| spare.drive);
        let blank = (!facts.current && self.is(member, Drive::is_sound)).then_some(member);
        let (kind, target) = match self.holder(slot, member, Drive::serves) {
            Some(Server::Member) => (RestorationKind::RedundantCopy, unready?),
            Some(Server::StandIn) => (RestorationKind::Copyback, blank?),
            None => (RestorationKind::Rebuild, unready.or(blank)?),
        };
        Some(Restoration { kind, raid_group: self.group.key(), slot, target })
    }
    /// What the array does for it now.
    pub fn restorations(&self) -> Vec<Restoration> {
        if self.group.slots.is_empty() { Vec::new() } else { self.group.members().filter_map(|(slot, member)| self.restoration(slot, member)).collect() }
    }
    /// The slots that need a spare, and whether their members are missing already: no drive is there to rebuild to, or the member
    /// says that it will fail.
    pub fn needs(&self) -> Vec<(u32, bool)> {
        if !self.is_alive() {
            return Vec::new();
        }
        let need = |(slot, member): (u32, Key<Drive>)| {
            let facts = self.group.slot(slot);
            match self.holder(slot, member, Drive::serves) {
                _ if facts.stand_in.is_some() => None,
                None if !self.is(member, Drive::is_sound) => Some((slot, true)),
                Some(Server::Member) if self.is(member, |drive| drive.state == DriveState::PredictiveFailure) => Some((slot, false)),
                _ => None,
            }
        };
        self.group.members().filter_map(need).collect()
    }
    /// The word for it.
    pub fn status(&self) -> GroupStatus {
        if self.group.is_ordinary() && self.group.drives.iter().all(|drive| self.is(*drive, Drive::serves)) {
            return GroupStatus::Available;
        }
        let missing = self.missing();
        let now = self.redundancy(&missing);
        if now == Redundancy::Broken {
            return GroupStatus::Broken;
        }
        let work = self.restorations();
        if missing.is_empty() {
            let doing = |kind| work.iter().any(|restoration| restoration.kind == kind);
            return match () {
                () if doing(RestorationKind::Copyback) => GroupStatus::Copyback,
                () if doing(RestorationKind::RedundantCopy) => GroupStatus::RedundantCopy,
                () if self.group.slots.values().any(|slot| slot.stand_in.is_some()) => GroupStatus::SpareInUse,
                () => GroupStatus::Available,
            };
        }
        let left: Vec<u32> = missing.iter().filter(|slot| !work.iter().any(|restoration| restoration.slot == **slot)).copied().collect();
        match (left.len() < missing.len(), self.redundancy(&left)) {
            (true, Redundancy::Full) => GroupStatus::Rebuild,
            (true, Redundancy::Partial) => GroupStatus::PartiallyExposedRebuild,
            (true, _) => GroupStatus::ExposedRebuild,
            (false, Redundancy::Full | Redundancy::Partial) => GroupStatus::PartiallyExposed,
            (false, _) => GroupStatus::Exposed,
        }
    }
}

/// The word for a drive.
pub fn drive_status(array: &Array, drive: &Drive) -> DriveStatus {
    let held_by = drive.raid_group.or(drive.stands_in).and_then(|group| array.raid_groups.get(group));
    let at_work = held_by.and_then(|group| {
        let work = Standing::of(array, group).restorations();
        let own = |slot: u32| group.members().any(|(place, member)| place == slot && member == drive.key());
        let source = |restoration: &&Restoration| restoration.kind == RestorationKind::RedundantCopy && own(restoration.slot);
        work.iter().find(|restoration| restoration.target == drive.key() || source(restoration)).map(|restoration| restoration.kind)
    });
    match (drive.pulled, drive.state, at_work) {
        (true, ..) => DriveStatus::NotExist,
        (_, DriveState::Failed, _) => DriveStatus::Broken,
        (_, DriveState::FailedUsable, _) => DriveStatus::FailedUsable,
        (.., Some(RestorationKind::Rebuild)) => DriveStatus::Rebuild,
        (.., Some(RestorationKind::Copyback)) => DriveStatus::Copyback,
        (.., Some(RestorationKind::RedundantCopy)) => DriveStatus::RedundantCopy,
        _ if held_by.is_some_and(|group| is_stale(group, drive)) => DriveStatus::NotAvailable,
        (_, DriveState::PredictiveFailure, _) => DriveStatus::AvailablePredictiveFailure,
        _ if held_by.is_some() => DriveStatus::Available,
        _ if drive.spare => DriveStatus::Spare,
        _ => DriveStatus::Present,
    }
}

/// Whether it is a member whose data is not of now.
fn is_stale(group: &RaidGroup, drive: &Drive) -> bool {
    !group.slots.is_empty() && group.members().any(|(slot, member)| member == drive.key() && !group.slot(slot).current)
}

/// The word for a pool: that of its worst RAID group.
pub fn pool_status(array: &Array, pool: &Pool) -> GroupStatus {
    let groups = pool.raid_groups.iter().filter_map(|group| array.raid_groups.get(*group));
    groups.map(|group| Standing::of(array, group).status()).max().unwrap_or_default()
}

/// Whether a RAID group is on its way to another controller; the array writes through meanwhile.
pub fn an_owner_changes(array: &Array) -> bool {
    array.raid_groups.iter().any(|group| group.owner_moves_to.is_some())
}

/// The RAID groups that hold a volume's data now: in order of key.
pub fn groups_of(array: &Array, volume: &Volume) -> Vec<Key<RaidGroup>> {
    let pool = match &volume.home {
        Home::RaidGroups(slices) => {
            let mut groups: Vec<Key<RaidGroup>> = slices.iter().map(|slice| slice.raid_group).collect();
            groups.sort_unstable();
            groups.dedup();
            return groups;
        }
        Home::Pool(pool) => Some(*pool),
        Home::Container(container) => array.containers.get(*container).map(|container| container.pool),
    };
    pool.and_then(|pool| array.pools.get(pool)).map(|pool| pool.raid_groups.clone()).unwrap_or_default()
}

/// How a volume stands, by the words for its RAID groups.
pub fn volume_health(array: &Array, volume: &Volume, status: impl Fn(&RaidGroup) -> GroupStatus) -> VolumeHealth {
    let of_group = |group: &RaidGroup| match status(group) {
        GroupStatus::Broken if Standing::of(array, group).is_lost() => VolumeHealth::DataLost,
        GroupStatus::Broken => VolumeHealth::NotAvailable,
        served => VolumeHealth::Served(served),
    };
    let groups = groups_of(array, volume);
    groups.iter().filter_map(|group| array.raid_groups.get(*group)).map(of_group).max().unwrap_or(VolumeHealth::Served(GroupStatus::Available))
}

/// Notes what follows at once from the state of the drives: what is out of service in a group that lives is no longer of now,
/// and a spare that cannot stand in does not; where nothing is copied back, a spare that stands in becomes the member.
pub fn settle(array: &mut Array, key: Key<RaidGroup>) {
    let Some(group) = array.raid_groups.get(key) else { return };
    let standing = Standing::of(array, group);
    let alive = standing.is_alive();
    let mut changes = Vec::new();
    for (place, member) in group.members() {
        let mut slot = group.slot(place);
        let out = |drive: Key<Drive>| !standing.is(drive, Drive::keeps_data) || (alive && !standing.is(drive, Drive::serves));
        slot.current &= !out(member);
        slot.stand_in = slot.stand_in.filter(|spare| if spare.current { !out(spare.drive) } else { alive && standing.is(spare.drive, Drive::is_sound) });
        changes.push((place, member, slot));
    }
    let copybackless = group.copybackless;
    for (place, member, slot) in changes {
        let before = array.raid_groups[key].slot(place).stand_in;
        if let Some(released) = before.filter(|_| slot.stand_in.is_none()) {
            release(array, released.drive);
        }
        let taken_over = slot.stand_in.filter(|spare| copybackless && spare.current && !slot.current && array.drives[spare.drive].serves());
        if let Some(group) = array.raid_groups.get_mut(key) {
            group.set_slot(place, if taken_over.is_some() { Slot::ORDINARY } else { slot });
        }
        if let Some(spare) = taken_over {
            swap(array, key, place, member, spare.drive);
        }
    }
}

/// A spare stands in no longer.
pub fn release(array: &mut Array, drive: Key<Drive>) {
    if let Some(drive) = array.drives.get_mut(drive) {
        drive.stands_in = None;
    }
}

/// A spare becomes the member, and the member takes over its part as a spare.
fn swap(array: &mut Array, group: Key<RaidGroup>, place: u32, member: Key<Drive>, spare: Key<Drive>) {
    let part = array.drives.get(spare).map(|drive| (drive.spare, drive.dedicated_to)).unwrap_or_default();
    if let Some(drive) = array.drives.get_mut(spare) {
        (drive.spare, drive.dedicated_to, drive.stands_in, drive.raid_group) = (false, None, None, Some(group));
    }
    if let Some(drive) = array.drives.get_mut(member) {
        (drive.spare, drive.dedicated_to) = part;
        drive.raid_group = None;
    }
    if let Some(group) = array.raid_groups.get_mut(group) {
        group.set_member(place, spare);
    }
}

/// How many drives the work on a slot reads: those from which the data is made anew, or the one that is copied.
pub fn sources(level: RaidLevel, width: u32, kind: RestorationKind) -> u32 {
    match kind {
        RestorationKind::Copyback => 1,
        RestorationKind::Rebuild | RestorationKind::RedundantCopy => level.read_for_rebuild(width),
    }
}

impl RestorationKind {
    /// The name of its job.
    pub const fn job(self) -> &'static str {
        match self {
            RestorationKind::Rebuild => "raid-group.rebuild",
            RestorationKind::Copyback => "raid-group.copyback",
            RestorationKind::RedundantCopy => "raid-group.redundant-copy",
        }
    }
    /// What it is called in running text.
    pub const fn words(self) -> &'static str {
        match self {
            RestorationKind::Rebuild => "rebuild",
            RestorationKind::Copyback => "copyback",
            RestorationKind::RedundantCopy => "redundant copy",
        }
    }
    /// What its events' codes begin with.
    pub const fn code(self) -> &'static str {
        match self {
            RestorationKind::Rebuild => "rebuild",
            RestorationKind::Copyback => "copyback",
            RestorationKind::RedundantCopy => "redundant_copy",
        }
    }
}
