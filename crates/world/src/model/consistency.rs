//! The check that the value agrees with itself: references lead somewhere, nothing is given out twice, and the books kept step by
//! step equal the books computed from nothing.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Array, Drive, Home, Key, Object, Policy, Pool, RaidGroup, Slice, Slot, Standing, Table, User, VolumeRole, connectivity, copying, parts_check, space,
    tenancy,
};
use crate::units::Bytes;

/// Everything that is wrong, one sentence each; empty when all is well.
pub fn problems(array: &Array) -> Vec<String> {
    let mut found = Vec::new();
    drives(array, &mut found);
    raid_groups(array, &mut found);
    pools(array, &mut found);
    containers(array, &mut found);
    volumes(array, &mut found);
    copying::problems(array, &mut found);
    connectivity::problems(array, &mut found);
    tenancy::problems(array, &mut found);
    parts_check::problems(array, &mut found);
    accounts(array, &mut found);
    found
}

fn expect<T: PartialEq + std::fmt::Debug>(found: &mut Vec<String>, what: &str, kept: T, computed: T) {
    if kept != computed {
        found.push(format!("{what}: kept {kept:?}, computed {computed:?}"));
    }
}

/// Whether a reference leads nowhere; says so.
pub(super) fn dangling<T: Object>(found: &mut Vec<String>, table: &Table<T>, key: Key<T>, from: &str) -> bool {
    let missing = !table.contains(key);
    if missing {
        found.push(format!("{from} refers to a {} that does not exist ({key:?})", T::NOUN));
    }
    missing
}

fn drives(array: &Array, found: &mut Vec<String>) {
    let mut member: BTreeMap<_, Key<RaidGroup>> = BTreeMap::new();
    let mut standing_in: BTreeMap<_, Key<RaidGroup>> = BTreeMap::new();
    for group in array.raid_groups.iter() {
        for (_, drive) in group.members() {
            if dangling(found, &array.drives, drive, group.name()) {
                continue;
            }
            if member.insert(drive, group.key()).is_some() {
                found.push(format!("drive '{}' is in two RAID groups", array.drives[drive].name()));
            }
        }
        for spare in group.slots.values().filter_map(|slot| slot.stand_in) {
            if !dangling(found, &array.drives, spare.drive, group.name()) && standing_in.insert(spare.drive, group.key()).is_some() {
                found.push(format!("drive '{}' stands in twice", array.drives[spare.drive].name()));
            }
        }
        slots(array, group, found);
    }
    let mut bays = BTreeSet::new();
    for drive in array.drives.iter() {
        expect(found, &format!("RAID group of drive '{}'", drive.name()), drive.raid_group, member.get(&drive.key()).copied());
        expect(found, &format!("RAID group in which drive '{}' stands in", drive.name()), drive.stands_in, standing_in.get(&drive.key()).copied());
        if (drive.spare || drive.stands_in.is_some()) && drive.raid_group.is_some() {
            found.push(format!("drive '{}' is both a spare and in a RAID group", drive.name()));
        }
        if let Some(own) = drive.dedicated_to
            && !dangling(found, &array.raid_groups, own, drive.name())
            && !drive.spare
        {
            found.push(format!("drive '{}' is kept for a RAID group, but is no spare", drive.name()));
        }
        if !bays.insert((drive.enclosure, drive.bay)) {
            found.push(format!("bay {} of one enclosure holds two drives", drive.bay));
        }
    }
}

/// The slots of a group: only those that are out of the ordinary are kept, and what a drive without data holds is not of now.
fn slots(array: &Array, group: &RaidGroup, found: &mut Vec<String>) {
    let name = group.name();
    let (standing, unit) = (Standing::of(array, group), Bytes::mib(1));
    let members: BTreeMap<u32, Key<Drive>> = group.members().collect();
    for (place, slot) in &group.slots {
        let Some(member) = members.get(place) else {
            found.push(format!("RAID group '{name}' has no slot {place}"));
            continue;
        };
        if *slot == Slot::ORDINARY {
            found.push(format!("slot {place} of RAID group '{name}' is in order, but kept"));
        }
        for (drive, current) in std::iter::once((*member, slot.current)).chain(slot.stand_in.map(|spare| (spare.drive, spare.current))) {
            let Some(drive) = array.drives.get(drive) else { continue };
            if current && (!drive.keeps_data() || (standing.is_alive() && !drive.serves())) {
                found.push(format!("drive '{}' of RAID group '{name}' is out of service, but has the data of now", drive.name()));
            }
        }
    }
    for drive in members.values().filter_map(|drive| array.drives.get(*drive)) {
        if drive.drive_type != group.drive_type || drive.capacity.round_down(unit) < group.member_capacity() {
            found.push(format!("drive '{}' is too small for RAID group '{name}', or of another type", drive.name()));
        }
    }
    expect(found, &format!("capacity of RAID group '{name}'"), group.capacity, group.member_capacity().times(group.level.data_drives(group.width()).into()));
    if let Some(to) = group.owner_moves_to {
        dangling(found, &array.controllers, to, name);
    }
}

/// All slices of volumes, present and coming, by RAID group.
fn slices(array: &Array) -> BTreeMap<Key<RaidGroup>, Vec<Slice>> {
    let mut by_group: BTreeMap<Key<RaidGroup>, Vec<Slice>> = BTreeMap::new();
    for volume in array.volumes.iter() {
        let coming = volume.migration.iter().map(|migration| &migration.target);
        for home in std::iter::once(&volume.home).chain(coming) {
            if let Home::RaidGroups(slices) = home {
                for slice in slices {
                    by_group.entry(slice.raid_group).or_default().push(*slice);
                }
            }
        }
    }
    by_group
}

fn raid_groups(array: &Array, found: &mut Vec<String>) {
    let mut by_group = slices(array);
    for group in array.raid_groups.iter() {
        let name = group.name();
        dangling(found, &array.controllers, group.controller, name);
        if let Some(pool) = group.pool
            && !dangling(found, &array.pools, pool, name)
            && !array.pools[pool].raid_groups.contains(&group.key())
        {
            found.push(format!("RAID group '{name}' names a pool that does not name it"));
        }
        let given: Vec<Slice> = by_group.remove(&group.key()).unwrap_or_default();
        let given = given.iter().map(|slice| (slice.area.start.get(), slice.area.length));
        let mut areas: Vec<(u64, Bytes)> = given.chain(group.free_areas.iter().map(|(start, length)| (*start, *length))).collect();
        areas.sort_unstable();
        let mut end = 0;
        for (start, length) in areas {
            if start != end || length.is_zero() {
                found.push(format!("RAID group '{name}': used and free areas do not meet at {end}"));
            }
            end = start + length.get();
        }
        expect(found, &format!("areas of RAID group '{name}'"), Bytes::new(end), group.capacity);
    }
    for (group, _) in by_group {
        dangling(found, &array.raid_groups, group, "a volume");
    }
}

fn pools(array: &Array, found: &mut Vec<String>) {
    for pool in array.pools.iter() {
        let name = pool.name();
        let mut capacity = Bytes::ZERO;
        for group in &pool.raid_groups {
            if !dangling(found, &array.raid_groups, *group, name) {
                let group = &array.raid_groups[*group];
                capacity += group.capacity.round_down(pool.chunk_size);
                expect(found, &format!("pool of RAID group '{}'", group.name()), group.pool, Some(pool.key()));
            }
        }
        expect(found, &format!("capacity of pool '{name}'"), pool.capacity, capacity);
        let books = pool_books(array, pool);
        expect(found, &format!("allocated space of pool '{name}'"), pool.allocated, books.allocated);
        expect(found, &format!("provisioned space of pool '{name}'"), pool.provisioned, books.provisioned);
        expect(found, &format!("provisioned reduced space of pool '{name}'"), pool.provisioned_reduced, books.provisioned_reduced);
        expect(found, &format!("data before reduction of pool '{name}'"), pool.savings.before, books.reduced);
        if pool.used() > pool.capacity {
            found.push(format!("pool '{name}' holds {} of {}", pool.used(), pool.capacity));
        }
        if pool.savings.after > pool.savings.before {
            found.push(format!("pool '{name}': reduced data is larger than the data"));
        }
    }
}

#[derive(Default)]
struct PoolBooks {
    allocated: Bytes,
    provisioned: Bytes,
    provisioned_reduced: Bytes,
    reduced: Bytes,
}

fn pool_books(array: &Array, pool: &Pool) -> PoolBooks {
    let mut books = PoolBooks::default();
    for volume in array.volumes.iter() {
        if volume.pool() == Some(pool.key()) {
            books.provisioned += volume.size;
            books.allocated += space::pool_allocation(pool, volume);
            if volume.reduction.is_on() {
                books.provisioned_reduced += volume.size;
                books.reduced += volume.layout.written();
            }
        }
        if let Some(migration) = volume.migration.as_ref().filter(|migration| migration.target == Home::Pool(pool.key())) {
            books.provisioned += volume.size;
            books.provisioned_reduced += if migration.reduction.is_on() { volume.size } else { Bytes::ZERO };
            books.allocated += space::incoming(pool, volume, migration);
        }
    }
    for claim in array.containers.iter().flat_map(super::Container::claims).filter(|claim| claim.pool == pool.key()) {
        books.provisioned += claim.promised;
        books.allocated += claim.taken;
    }
    books
}

fn containers(array: &Array, found: &mut Vec<String>) {
    for container in array.containers.iter() {
        let (name, key) = (container.name(), container.key());
        for pool in container.pools() {
            dangling(found, &array.pools, pool, name);
        }
        if container.migration.is_some_and(|migration| migration.pool == container.pool) {
            found.push(format!("container '{name}' migrates to where it is"));
        }
        if let Some(clone) = container.clone {
            dangling(found, &array.snapshots, clone.snapshot, name);
        }
        let inside: BTreeSet<_> = array.volumes.iter().filter(|volume| volume.container() == Some(key)).map(Object::key).collect();
        expect(found, &format!("volumes of container '{name}'"), &container.volumes, &inside);
        let holding = space::container_holding(array, key);
        expect(found, &format!("data of container '{name}'"), container.savings.before, holding.own);
        expect(found, &format!("shared data of container '{name}'"), container.shared(), holding.shared);
        let reserved: Bytes = array.volumes_in(key).map(super::Volume::reservation).sum();
        expect(found, &format!("reserved space of container '{name}'"), container.reserved, reserved);
        if container.savings.after > container.savings.before {
            found.push(format!("container '{name}': reduced data is larger than the data"));
        }
        if container.used() > container.size {
            found.push(format!("container '{name}' holds {} of {}", container.used(), container.size));
        }
    }
    for snapshot in array.snapshots.iter() {
        dangling(found, &array.containers, snapshot.container, snapshot.name());
    }
}

fn accounts(array: &Array, found: &mut Vec<String>) {
    for user in array.users.iter() {
        dangling(found, &array.roles, user.role, user.name());
        if user.former.len() > User::FORMER {
            found.push(format!("user '{}' remembers {} former passwords", user.name(), user.former.len()));
        }
    }
    for role in array.roles.iter().filter(|role| role.policies.has(Policy::Emulation)) {
        found.push(format!("role '{}' allows what belongs to the server's user", role.name()));
    }
    if !array.users.is_empty() && array.administrators().next().is_none() {
        found.push("no user that can log in can manage users".to_owned());
    }
}

fn volumes(array: &Array, found: &mut Vec<String>) {
    for volume in array.volumes.iter() {
        let name = volume.name();
        let size: Option<Bytes> = match &volume.home {
            Home::Pool(pool) => {
                dangling(found, &array.pools, *pool, name);
                None
            }
            Home::Container(container) => {
                dangling(found, &array.containers, *container, name);
                None
            }
            Home::RaidGroups(slices) => Some(slices.iter().map(|slice| slice.area.length).sum()),
        };
        if let Some(slices) = size.filter(|_| volume.role != VolumeRole::SnapData) {
            expect(found, &format!("areas of volume '{name}'"), slices, volume.size);
        }
        if volume.layout.written() > volume.size {
            found.push(format!("volume '{name}' has more written than its size"));
        }
        if volume.layout.cursor() > volume.layout.written() {
            found.push(format!("volume '{name}' would overwrite what is not written"));
        }
    }
}
