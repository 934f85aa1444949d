//! Putting volumes into their homes and taking them out: the entries in the books of RAID groups, pools and containers.

use super::{Area, Array, Home, Key, Pool, RaidGroup, Slice, Volume, space};
use crate::units::Bytes;

/// Enters a new volume, with whatever is written in it, into the books of its home.
pub fn move_in(array: &mut Array, key: Key<Volume>) {
    let volume = array.volumes[key].clone();
    match &volume.home {
        Home::RaidGroups(slices) => take_slices(array, slices),
        Home::Pool(pool) => enter_pool(array, *pool, &volume),
        Home::Container(container) => {
            if let Some(container) = array.containers.get_mut(*container) {
                container.volumes.insert(key);
                container.reserved += volume.reservation();
            }
        }
    }
}

/// Takes a volume out of the books of its home. Of a container, the data stays in the books: who deletes it settles that.
pub fn move_out(array: &mut Array, key: Key<Volume>) {
    let volume = array.volumes[key].clone();
    match &volume.home {
        Home::RaidGroups(slices) => give_slices_back(array, slices),
        Home::Pool(pool) => leave_pool(array, *pool, &volume),
        Home::Container(container) => {
            if let Some(container) = array.containers.get_mut(*container) {
                container.volumes.remove(&key);
                container.reserved -= volume.reservation();
            }
        }
    }
}

/// Sets the space at a migration's target aside.
pub fn set_aside(array: &mut Array, key: Key<Volume>) {
    let volume = array.volumes[key].clone();
    let Some(migration) = &volume.migration else { return };
    match &migration.target {
        Home::RaidGroups(slices) => take_slices(array, slices),
        Home::Pool(target) => {
            if let Some(pool) = array.pools.get_mut(*target) {
                promise(pool, volume.size, migration.reduction.is_on(), true);
                pool.allocated += space::incoming(pool, &volume, migration);
            }
        }
        Home::Container(_) => {}
    }
}

/// Gives the space at a migration's target back and ends the migration where it is.
pub fn turn_back(array: &mut Array, key: Key<Volume>) {
    let volume = array.volumes[key].clone();
    let Some(migration) = &volume.migration else { return };
    match &migration.target {
        Home::RaidGroups(slices) => give_slices_back(array, slices),
        Home::Pool(target) => {
            if let Some(pool) = array.pools.get_mut(*target) {
                promise(pool, volume.size, migration.reduction.is_on(), false);
                pool.allocated -= space::incoming(pool, &volume, migration);
            }
        }
        Home::Container(_) => {}
    }
    if let Some(volume) = array.volumes.get_mut(key) {
        volume.migration = None;
    }
}

/// Ends a migration at its target.
pub fn arrive(array: &mut Array, key: Key<Volume>) {
    let Some(migration) = array.volumes.get(key).and_then(|volume| volume.migration.clone()) else { return };
    turn_back(array, key);
    move_out(array, key);
    if let Some(volume) = array.volumes.get_mut(key) {
        volume.home = migration.target;
        volume.reduction = migration.reduction;
        volume.allocation = migration.allocation;
    }
    move_in(array, key);
}

/// The areas that a volume of `size` gets in these groups, in equal parts of whole `unit`s; `None` names the first group that has no room.
pub fn fit(groups: &[&RaidGroup], size: Bytes, unit: Bytes) -> Result<Vec<(usize, Area)>, usize> {
    let mut left = size;
    let mut areas = Vec::with_capacity(groups.len());
    for (index, group) in groups.iter().enumerate() {
        let rest = u64::try_from(groups.len() - index).unwrap_or(1);
        let part = if rest == 1 { left } else { left.divided(rest).round_up(unit).min(left) };
        if !part.is_zero() {
            areas.push((index, group.fit(part).ok_or(index)?));
        }
        left -= part;
    }
    Ok(areas)
}

fn take_slices(array: &mut Array, slices: &[Slice]) {
    for slice in slices {
        if let Some(group) = array.raid_groups.get_mut(slice.raid_group) {
            group.take(slice.area);
        }
    }
}

fn give_slices_back(array: &mut Array, slices: &[Slice]) {
    for slice in slices {
        if let Some(group) = array.raid_groups.get_mut(slice.raid_group) {
            group.give_back(slice.area);
        }
    }
}

fn enter_pool(array: &mut Array, pool: Key<Pool>, volume: &Volume) {
    let Some(pool) = array.pools.get_mut(pool) else { return };
    promise(pool, volume.size, volume.reduction.is_on(), true);
    pool.allocated += space::pool_allocation(pool, volume);
    if volume.reduction.is_on() {
        pool.savings = pool.savings.with(volume.layout.written(), volume.reducibility);
    }
}

fn leave_pool(array: &mut Array, pool: Key<Pool>, volume: &Volume) {
    let Some(pool) = array.pools.get_mut(pool) else { return };
    promise(pool, volume.size, volume.reduction.is_on(), false);
    pool.allocated -= space::pool_allocation(pool, volume);
    if volume.reduction.is_on() {
        pool.savings = pool.savings.without(volume.layout.written());
    }
}

/// Enters a promise to hosts, or takes it out.
fn promise(pool: &mut Pool, size: Bytes, reduced: bool, more: bool) {
    let reduced = if reduced { size } else { Bytes::ZERO };
    if more {
        pool.provisioned += size;
        pool.provisioned_reduced += reduced;
    } else {
        pool.provisioned -= size;
        pool.provisioned_reduced -= reduced;
    }
}

/// Makes a volume larger where it lives; in RAID groups by these areas.
pub fn grow(array: &mut Array, key: Key<Volume>, size: Bytes, more: Vec<Slice>) {
    take_slices(array, &more);
    let before = array.volumes[key].clone();
    let Some(volume) = array.volumes.get_mut(key) else { return };
    volume.size = size;
    if let Home::RaidGroups(slices) = &mut volume.home {
        slices.extend(more);
    }
    let after = volume.clone();
    match &after.home {
        Home::RaidGroups(_) => {}
        Home::Pool(pool) => {
            if let Some(pool) = array.pools.get_mut(*pool) {
                promise(pool, after.size - before.size, after.reduction.is_on(), true);
                pool.allocated = pool.allocated + space::pool_allocation(pool, &after) - space::pool_allocation(pool, &before);
            }
        }
        Home::Container(container) => {
            if let Some(container) = array.containers.get_mut(*container) {
                container.reserved = container.reserved + after.reservation() - before.reservation();
            }
        }
    }
}
