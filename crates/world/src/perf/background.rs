//! The load that the array puts on itself: rebuilds, copies and expansions of RAID groups, migrations and formats of volumes,
//! migrations of containers, copies between volumes, balancing of pools.
//!
//! Their rate is the personality's and gives way to nobody (assumption: the performance model gives no formula), so each is a class that
//! asks for a fixed rate, whatever its answers take. What it costs is in [`super::inside`].

use super::demand::{self, Io};
use super::inside::{Inside, Times};
use super::net::Class;
use super::resources::Resources;
use super::stream::{groups, groups_at, number, physical_share, reduction_factor, write_cost};
use crate::model::{Array, CopyTask, Home, Object, Pool, RaidGroup, Restoration, RestorationKind, Standing, Volume, health};
use crate::units::Bytes;

/// Bytes of one request of background work; any size gives the same load.
const PIECE: f64 = 1_048_576.0;
/// Seconds that an answer may take before the rate gives way.
const PATIENCE: f64 = 1e6;
/// A piece that is read, and one that is written.
const READ: Io = Io { bytes: PIECE, read_share: 1.0, sequential_share: 1.0 };
const WRITTEN: Io = Io { read_share: 0.0, ..READ };

/// The classes of the work that goes on, in order of the names of what they work on; none while no controller runs.
pub(super) fn classes(array: &Array, resources: &Resources) -> Vec<Class> {
    if !array.is_ready() {
        return Vec::new();
    }
    let mut classes = Vec::new();
    for group in by_name(array.raid_groups.iter().filter(|group| !group.slots.is_empty() || group.expansion.is_some())) {
        of_group(array, resources, group, &mut classes);
    }
    for volume in by_name(array.volumes.iter().filter(|volume| volume.migration.is_some() || volume.formatting)) {
        of_volume(array, resources, volume, &mut classes);
    }
    for container in by_name(array.containers.iter().filter(|container| container.migration.is_some())) {
        let Some(migration) = container.migration.filter(|migration| !migration.paused) else { continue };
        let mut inside = Inside::new(array, resources);
        // Blocks go as they are, reduced already.
        inside.io(&groups_at(array, &Home::Pool(container.pool)), &READ, Times::plain(1.0));
        inside.io(&groups_at(array, &Home::Pool(migration.pool)), &WRITTEN, Times::plain(1.0));
        classes.push(class(inside, array.personality.copy_rate));
    }
    copies(array, resources, &mut classes);
    for pool in by_name(array.pools.iter().filter(|pool| pool.balancing)) {
        let mut inside = Inside::new(array, resources);
        inside.io(&groups_of_oldest(array, pool), &READ, Times::plain(1.0));
        inside.io(&groups_of_newest(array, pool), &WRITTEN, Times::plain(1.0));
        classes.push(class(inside, array.personality.copy_rate));
    }
    classes
}

fn by_name<'a, T: Object>(items: impl Iterator<Item = &'a T>) -> Vec<&'a T> {
    let mut items: Vec<&T> = items.collect();
    items.sort_by_key(|item| item.name());
    items
}

/// Rebuilds, copies for a member, expansions. Expansions read and write everything once; a copy is read once, and what is made anew is
/// read from all members that it follows from.
fn of_group(array: &Array, resources: &Resources, group: &RaidGroup, classes: &mut Vec<Class>) {
    let (sparing, standing) = (&array.personality.sparing, Standing::of(array, group));
    let serving = f64::from(group.width().saturating_sub(standing.short_of()).max(1));
    let mut add = |read: f64, written: f64, rate: Bytes| {
        let mut inside = Inside::new(array, resources);
        inside.members(group, (PIECE * read, PIECE * written), serving);
        classes.push(class(inside, rate));
    };
    for work in standing.restorations() {
        add(sources(group, &work), 1.0, sparing.rate(group.rebuild_priority));
    }
    if let Some(expansion) = group.expansion.as_ref().filter(|_| standing.is_alive()) {
        let width = group.width() + u32::try_from(expansion.drives.len()).unwrap_or(0);
        add(1.0, write_cost(expansion.level, width).full_stripe(), sparing.expansion_rate);
    }
}

fn sources(group: &RaidGroup, work: &Restoration) -> f64 {
    let copied = work.kind == RestorationKind::Copyback;
    if copied { 1.0 } else { f64::from(health::sources(group.level, group.width(), work.kind)) }
}

/// A migration reads where the volume is and writes where it goes; a format only writes.
fn of_volume(array: &Array, resources: &Resources, volume: &Volume, classes: &mut Vec<Class>) {
    if let Some(migration) = &volume.migration {
        let mut inside = Inside::new(array, resources);
        inside.io(&groups(array, volume), &READ, Times { times: 1.0, physical_share: physical_share(array, volume), reduction: 1.0 });
        let after = Volume { home: migration.target.clone(), reduction: migration.reduction, ..volume.clone() };
        let reduction = reduction_factor(array, &after, 0.0);
        inside.io(&groups_at(array, &migration.target), &WRITTEN, Times { times: 1.0, physical_share: physical_share(array, &after), reduction });
        classes.push(class(inside, array.personality.copy_rate));
    }
    if volume.formatting {
        let mut inside = Inside::new(array, resources);
        inside.io(&groups(array, volume), &WRITTEN, Times::plain(1.0));
        classes.push(class(inside, array.personality.format_rate));
    }
}

/// Copy sessions for which a task moves data: to the destination, or back from it.
fn copies(array: &Array, resources: &Resources, classes: &mut Vec<Class>) {
    let mut moving = Vec::new();
    for session in array.copy_sessions.iter() {
        let (Some(source), Some(destination)) = (array.volumes.get(session.source), array.volumes.get(session.destination)) else { continue };
        match session.task {
            Some(CopyTask::Copy | CopyTask::Catch) => moving.push((source, destination, session.priority)),
            Some(CopyTask::Restore) => moving.push((destination, source, session.priority)),
            Some(CopyTask::Clean) | None => {}
        }
    }
    moving.sort_by_key(|(from, to, _)| (from.name(), to.name()));
    for (from, to, priority) in moving {
        let times =
            |volume: &Volume, read: f64| Times { times: 1.0, physical_share: physical_share(array, volume), reduction: reduction_factor(array, volume, read) };
        let mut inside = Inside::new(array, resources);
        inside.io(&groups(array, from), &READ, times(from, 1.0));
        inside.io(&groups(array, to), &WRITTEN, times(to, 0.0));
        classes.push(class(inside, array.personality.session_rate(priority)));
    }
}

/// The RAID groups on which data lies that balancing moves, evenly by capacity.
fn groups_of_oldest<'a>(array: &'a Array, pool: &Pool) -> Vec<(&'a RaidGroup, f64)> {
    let first = pool.layers.first().map_or(0, |layer| layer.raid_groups);
    even(array, &pool.raid_groups[..usize::try_from(first).unwrap_or(0).min(pool.raid_groups.len())])
}

/// Those that it moves data to.
fn groups_of_newest<'a>(array: &'a Array, pool: &Pool) -> Vec<(&'a RaidGroup, f64)> {
    let first = pool.layers.first().map_or(0, |layer| layer.raid_groups);
    even(array, &pool.raid_groups[usize::try_from(first).unwrap_or(0).min(pool.raid_groups.len())..])
}

fn even<'a>(array: &'a Array, groups: &[crate::model::Key<RaidGroup>]) -> Vec<(&'a RaidGroup, f64)> {
    let groups: Vec<&RaidGroup> = by_name(groups.iter().filter_map(|group| array.raid_groups.get(*group)));
    let whole = number(groups.iter().map(|group| group.capacity).sum()).max(1.0);
    groups.into_iter().map(|group| (group, number(group.capacity) / whole)).collect()
}

fn class(inside: Inside<'_>, rate: Bytes) -> Class {
    let cap = number(rate) / PIECE;
    let demands = inside.demands.into_iter().collect();
    Class { population: cap * PATIENCE, think: 0.0, base_latency: demand::per(PIECE, number(rate)), burstiness: 1.0, cap, demands }
}
