//! What the array does by itself about its drives: it takes spares, rebuilds, copies, and tells what became of its RAID groups.
//!
//! Everything follows from the facts in the value ([`Standing`]), so it is enough to look after every change: facts that follow at
//! once are noted, spares are given to who needs them most, and the jobs under way are made to agree with what is to be done.

use std::collections::BTreeMap;

use super::{Actor, Due, Job, JobStatus, NewJob, Work, World, outage};
use crate::model::{
    Area, Array, Condition, Drive, DriveState, GroupStatus, Key, Noun, Object, OpError, RaidGroup, Redundancy, Restoration, RestorationKind, Severity, StandIn,
    Standing, health, sparing,
};
use crate::units::SimSpan;

/// Looks after all RAID groups, if one of them is out of the ordinary, or has a member that will fail.
pub(super) fn watch<O: Clone>(world: &mut World<O>) {
    let will_fail = |drive: &Drive| drive.raid_group.is_some() && drive.state == DriveState::PredictiveFailure;
    if world.array.raid_groups.iter().any(|group| !group.is_ordinary()) || world.array.drives.iter().any(will_fail) {
        tend(world);
    }
}

/// Looks after all RAID groups: to be called when drives, spares or members change.
pub fn tend<O: Clone>(world: &mut World<O>) {
    let groups: Vec<Key<RaidGroup>> = world.array.raid_groups.iter().map(Object::key).collect();
    for group in &groups {
        health::settle(&mut world.array, *group);
        give_up_growing(world, *group);
    }
    while take_a_spare(&mut world.array, &groups) {}
    agree(world, &groups);
    for group in groups {
        tell(world, group);
    }
}

/// Ends an expansion that cannot come to its end any more; the drives that it took in become free.
fn give_up_growing<O: Clone>(world: &mut World<O>, key: Key<RaidGroup>) {
    let group = &world.array.raid_groups[key];
    if group.expansion.is_none() || Standing::of(&world.array, group).can_grow() {
        return;
    }
    let width = group.width();
    let Some(group) = world.array.raid_groups.get_mut(key) else { return };
    let drives = group.expansion.take().map(|expansion| expansion.drives).unwrap_or_default();
    let beyond = group.slots.split_off(&width);
    for drive in drives {
        if let Some(drive) = world.array.drives.get_mut(drive) {
            drive.raid_group = None;
        }
    }
    for spare in beyond.values().filter_map(|slot| slot.stand_in) {
        health::release(&mut world.array, spare.drive);
    }
    let refusal = not_available(&world.array, &world.array.raid_groups[key]);
    if let Some(job) = world.job_on(|work| matches!(work, Work::Expand(grown) if *grown == key)).map(Object::key) {
        world.end_job(job, JobStatus::Failed, Some(refusal));
    }
}

fn not_available(array: &Array, group: &RaidGroup) -> OpError {
    let state = Standing::of(array, group).status().to_string();
    OpError::WrongState { noun: Noun::RaidGroup, name: group.name().to_owned(), state, expected: GroupStatus::Available.to_string() }
}

/// Gives one spare to the slot that needs it most: missing members before those that will fail, little protection before more.
fn take_a_spare(array: &mut Array, groups: &[Key<RaidGroup>]) -> bool {
    let mut needs: Vec<(bool, Redundancy, usize, Key<RaidGroup>, u32)> = Vec::new();
    for (place, key) in groups.iter().enumerate() {
        let standing = Standing::of(array, &array.raid_groups[*key]);
        let protection = standing.protection();
        needs.extend(standing.needs().into_iter().map(|(slot, missing)| (missing, protection, place, *key, slot)));
    }
    needs.sort_by(|one, other| (other.0, other.1, one.2, one.4).cmp(&(one.0, one.1, other.2, other.4)));
    for (.., key, slot) in needs {
        if let Some(spare) = sparing::choose(array, &array.raid_groups[key]) {
            engage(array, key, slot, spare);
            return true;
        }
    }
    false
}

/// Lets a spare be written to stand in for a member.
pub fn engage(array: &mut Array, key: Key<RaidGroup>, place: u32, spare: Key<Drive>) {
    if let Some(group) = array.raid_groups.get_mut(key) {
        let mut slot = group.slot(place);
        slot.stand_in = Some(StandIn { drive: spare, current: false });
        group.set_slot(place, slot);
    }
    if let Some(drive) = array.drives.get_mut(spare) {
        drive.stands_in = Some(key);
    }
}

/// Makes the jobs on slots agree with what is to be done.
fn agree<O: Clone>(world: &mut World<O>, groups: &[Key<RaidGroup>]) {
    let wanted: Vec<Restoration> = groups.iter().flat_map(|key| Standing::of(&world.array, &world.array.raid_groups[*key]).restorations()).collect();
    let mut running: BTreeMap<Key<Job<O>>, Restoration> = BTreeMap::new();
    for entry in world.agenda.iter() {
        let Due::JobEnds(job) = entry.due else { continue };
        if let Some(Work::Restore(restoration)) = world.jobs.get(Key::from_raw(job)).map(|job| &job.work) {
            running.insert(Key::from_raw(job), *restoration);
        }
    }
    for (job, restoration) in &running {
        if !wanted.contains(restoration) {
            let refusal = why_it_ended(&world.array, restoration);
            world.end_job(*job, JobStatus::Failed, Some(refusal));
        }
    }
    for restoration in wanted {
        if !running.values().any(|known| *known == restoration) {
            start(world, restoration);
        }
    }
}

/// What is not as the work needed it: the drive that was written, the group, or the drive that was copied.
fn why_it_ended(array: &Array, restoration: &Restoration) -> OpError {
    let group = array.raid_groups.get(restoration.raid_group);
    let source = group.and_then(|group| group.members().find(|(slot, _)| *slot == restoration.slot)).map(|(_, member)| member);
    let drive = |key: Key<Drive>| {
        let drive = array.drives.get(key)?;
        let state = health::drive_status(array, drive).to_string();
        Some(OpError::WrongState { noun: Noun::Drive, name: drive.name().to_owned(), state, expected: "available".into() })
    };
    let target = array.drives.get(restoration.target).filter(|target| !target.is_sound()).map(Object::key);
    let dead = group.filter(|group| !Standing::of(array, group).is_alive()).map(|group| not_available(array, group));
    let name = group.map(|group| group.name().to_owned()).unwrap_or_default();
    let over = OpError::NotRunning { noun: Noun::RaidGroup, name, what: "expansion under way".into() };
    target.and_then(drive).or(dead).or_else(|| source.and_then(drive)).unwrap_or(over)
}

/// Who asks for what the array does by itself.
fn itself() -> Actor {
    Actor::new("array", "array", "the array itself")
}

fn start<O: Clone>(world: &mut World<O>, restoration: Restoration) {
    let array = &world.array;
    let Some(group) = array.raid_groups.get(restoration.raid_group) else { return };
    let rate = array.personality.sparing.rate(group.rebuild_priority);
    let span = SimSpan::to_move(group.member_capacity(), rate);
    let (name, target) = (group.name().to_owned(), place_of(array, restoration.target));
    let kind = restoration.kind;
    let message = format!("the {} of RAID group '{name}' to {target} has started", kind.words());
    let now = world.now();
    world.array.events.tell(now, Severity::Information, &format!("{}_started", kind.code()), (Noun::RaidGroup, &name), message);
    let job = NewJob { kind: kind.job(), work: Work::Restore(restoration), target: (Noun::RaidGroup, &name) };
    world.start_job(job, span, &itself());
}

/// A drive as events name it: by its place and serial number.
pub fn place_of(array: &Array, drive: Key<Drive>) -> String {
    array.drives.get(drive).map_or_else(String::new, |drive| format!("drive '{}' <{}>", drive.name(), drive.serial_number))
}

/// Lets the end of work on a slot take effect.
pub(super) fn restored<O: Clone>(world: &mut World<O>, restoration: Restoration) {
    let Restoration { kind, raid_group: key, slot: place, target } = restoration;
    let Some(group) = world.array.raid_groups.get_mut(key) else { return };
    let name = group.name().to_owned();
    let member = group.members().find(|(slot, _)| *slot == place).map(|(_, member)| member);
    let mut slot = group.slot(place);
    if member == Some(target) {
        slot.current = true;
    } else if let Some(spare) = &mut slot.stand_in {
        spare.current = true;
    }
    let released = slot.stand_in.filter(|_| kind == RestorationKind::Copyback);
    if released.is_some() {
        slot.stand_in = None;
    }
    slot.current &= kind != RestorationKind::RedundantCopy;
    group.set_slot(place, slot);
    if let Some(spare) = released {
        health::release(&mut world.array, spare.drive);
    }
    let now = world.now();
    let message = format!("the {} of RAID group '{name}' to {} has ended", kind.words(), place_of(&world.array, target));
    world.array.events.tell(now, Severity::Information, &format!("{}_ended", kind.code()), (Noun::RaidGroup, &name), message);
    if kind == RestorationKind::RedundantCopy
        && let Some(member) = member
    {
        disconnect(world, member);
    }
}

/// Takes a drive out of service whose data a spare has.
fn disconnect<O: Clone>(world: &mut World<O>, key: Key<Drive>) {
    let now = world.now();
    let Some(drive) = world.array.drives.get_mut(key) else { return };
    drive.state = DriveState::FailedUsable;
    let name = drive.name().to_owned();
    let message = format!("{} was taken out of service; replace it", place_of(&world.array, key));
    world.array.events.tell(now, Severity::Warning, "drive_disconnected", (Noun::Drive, &name), message);
}

/// Lets the end of an expansion take effect: more members, perhaps another level, more free space.
pub(super) fn expanded<O: Clone>(world: &mut World<O>, key: Key<RaidGroup>) {
    let now = world.now();
    let Some(group) = world.array.raid_groups.get_mut(key) else { return };
    let (each, before) = (group.member_capacity(), group.capacity);
    let Some(expansion) = group.expansion.take() else { return };
    group.drives.extend(expansion.drives);
    group.level = expansion.level;
    group.capacity = each.times(u64::from(group.level.data_drives(group.width())));
    let more = group.capacity - before;
    group.give_back(Area { start: before, length: more });
    let (name, message) = (group.name().to_owned(), format!("RAID group '{}' was expanded to {} of {} drives", group.name(), group.level, group.drives.len()));
    world.array.events.tell(now, Severity::Information, "raid_group_expanded", (Noun::RaidGroup, &name), message);
}

/// Lets a RAID group's new owner take over.
pub(super) fn owner_changed<O: Clone>(world: &mut World<O>, key: Key<RaidGroup>) {
    let now = world.now();
    let Some(group) = world.array.raid_groups.get_mut(key) else { return };
    let Some(owner) = group.owner_moves_to.take() else { return };
    group.controller = owner;
    let name = group.name().to_owned();
    let owner = world.array.controllers.get(owner).map(Object::name).unwrap_or_default();
    let message = format!("RAID group '{name}' is now owned by '{owner}'");
    world.array.events.tell(now, Severity::Information, "raid_group_owner_changed", (Noun::RaidGroup, &name), message);
}

/// Tells an event for a RAID group that does not stand as it was last told to, and stops what cannot go on when it is broken.
fn tell<O: Clone>(world: &mut World<O>, key: Key<RaidGroup>) {
    let now = world.now();
    let group = &world.array.raid_groups[key];
    let status = Standing::of(&world.array, group).status();
    if status == group.reported {
        return;
    }
    let (name, pool) = (group.name().to_owned(), group.pool);
    if let Some(group) = world.array.raid_groups.get_mut(key) {
        group.reported = status;
    }
    let (severity, message) = sentence(status, &name);
    world.array.events.tell(now, severity, &format!("raid_group_{}", status.name()), (Noun::RaidGroup, &name), message);
    if status == GroupStatus::Broken {
        if let Some(pool) = pool.and_then(|pool| world.array.pools.get(pool)).map(|pool| pool.name().to_owned()) {
            let message = format!("pool '{pool}' is broken with RAID group '{name}': its volumes are not available");
            world.array.events.tell(now, Severity::Error, "pool_broken", (Noun::Pool, &pool), message);
        }
        outage::stop_work(world, key);
    }
}

fn sentence(status: GroupStatus, name: &str) -> (Severity, String) {
    let severity = match status.condition() {
        Condition::Normal | Condition::Maintenance => Severity::Information,
        Condition::Warning => Severity::Warning,
        Condition::Error => Severity::Error,
    };
    let words = match status {
        GroupStatus::Available => "is in order again",
        GroupStatus::SpareInUse => "has its protection, with a spare in use",
        GroupStatus::RedundantCopy => "copies a member to a spare before it fails",
        GroupStatus::Copyback => "copies the data of a spare back",
        GroupStatus::Rebuild => "is being rebuilt",
        GroupStatus::PartiallyExposedRebuild => "is being rebuilt in part: a member will still be missing, and another failure can be borne then",
        GroupStatus::PartiallyExposed => "is partially exposed: another failure can be borne",
        GroupStatus::ExposedRebuild => "is being rebuilt in part: a member will still be missing, and the next failure breaks it",
        GroupStatus::Exposed => "is exposed: the next failure breaks it",
        GroupStatus::Broken => "is broken: its volumes are not available",
    };
    (severity, format!("RAID group '{name}' {words}"))
}
