//! The books of the whole array: at every level what there is, what is given out, and what is left.

use serde::Serialize;
use utoipa::ToSchema;

use super::{Array, Home, RaidGroup, Volume, VolumeRole, copying, snap_pool, space};
use crate::units::Bytes;

/// Capacity at every level. At each, used and free add up to what there is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Capacity {
    /// Drives as sold.
    pub drives: DriveCapacity,
    /// RAID groups.
    pub raid_groups: RaidGroupCapacity,
    /// Pools.
    pub pools: PoolCapacity,
    /// Containers.
    pub containers: ContainerCapacity,
    /// Volumes.
    pub volumes: VolumeCapacity,
    /// The snap data pool.
    pub snap_pool: SnapPoolCapacity,
    /// Copies between volumes.
    pub copies: CopyCapacity,
}

/// Drives that are in their bays: total = in RAID groups + spare + unused + failed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct DriveCapacity {
    /// All drives.
    #[schema(value_type = u64)]
    pub total: Bytes,
    /// In RAID groups: members, and spares that stand in for them or are written to do so.
    #[schema(value_type = u64)]
    pub in_raid_groups: Bytes,
    /// Hot spares that wait.
    #[schema(value_type = u64)]
    pub spare: Bytes,
    /// Not in use.
    #[schema(value_type = u64)]
    pub unused: Bytes,
    /// Broken or taken out of service, whatever they were used for.
    #[schema(value_type = u64)]
    pub failed: Bytes,
}

/// RAID groups: raw + missing = capacity + protection; capacity = in pools + allocated + free.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct RaidGroupCapacity {
    /// Drives in them as sold.
    #[schema(value_type = u64)]
    pub raw: Bytes,
    /// Members as sold in whose place no drive is.
    #[schema(value_type = u64)]
    pub missing: Bytes,
    /// Mirrors, parity, rounding, spares beside their members, and drives that an expansion takes in.
    #[schema(value_type = u64)]
    pub protection: Bytes,
    /// Space for data.
    #[schema(value_type = u64)]
    pub capacity: Bytes,
    /// Given to pools.
    #[schema(value_type = u64)]
    pub in_pools: Bytes,
    /// Given to volumes.
    #[schema(value_type = u64)]
    pub allocated: Bytes,
    /// Left.
    #[schema(value_type = u64)]
    pub free: Bytes,
}

/// Pools: capacity = used + free; used = volumes + containers + reduced data.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct PoolCapacity {
    /// Space for data.
    #[schema(value_type = u64)]
    pub capacity: Bytes,
    /// Taken.
    #[schema(value_type = u64)]
    pub used: Bytes,
    /// Left.
    #[schema(value_type = u64)]
    pub free: Bytes,
    /// Promised to hosts.
    #[schema(value_type = u64)]
    pub provisioned: Bytes,
    /// Chunks of plain volumes, and of volumes on their way in.
    #[schema(value_type = u64)]
    pub volumes: Bytes,
    /// Given to containers, and set aside for those on their way in.
    #[schema(value_type = u64)]
    pub containers: Bytes,
    /// Chunks that hold reduced data.
    #[schema(value_type = u64)]
    pub reduced: Bytes,
    /// Data before reduction.
    #[schema(value_type = u64)]
    pub before_reduction: Bytes,
    /// Data after reduction.
    #[schema(value_type = u64)]
    pub after_reduction: Bytes,
}

/// Containers: size = used + free.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct ContainerCapacity {
    /// Sizes.
    #[schema(value_type = u64)]
    pub size: Bytes,
    /// Taken out of the sizes.
    #[schema(value_type = u64)]
    pub used: Bytes,
    /// Left.
    #[schema(value_type = u64)]
    pub free: Bytes,
    /// Kept for thick volumes.
    #[schema(value_type = u64)]
    pub reserved: Bytes,
    /// Data of their own before reduction.
    #[schema(value_type = u64)]
    pub before_reduction: Bytes,
    /// Data of their own after reduction.
    #[schema(value_type = u64)]
    pub after_reduction: Bytes,
    /// Shared with origins, in the origins' books.
    #[schema(value_type = u64)]
    pub shared: Bytes,
}

/// Volumes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct VolumeCapacity {
    /// Sizes as hosts see them.
    #[schema(value_type = u64)]
    pub provisioned: Bytes,
    /// Written by hosts.
    #[schema(value_type = u64)]
    pub written: Bytes,
    /// Chunks and areas given to them directly.
    #[schema(value_type = u64)]
    pub allocated: Bytes,
    /// Their share of the data after reduction.
    #[schema(value_type = u64)]
    pub physical: Bytes,
}

/// The snap data pool: capacity = used + free.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct SnapPoolCapacity {
    /// Elements of its volumes.
    #[schema(value_type = u64)]
    pub capacity: Bytes,
    /// Elements that snap data volumes have taken.
    #[schema(value_type = u64)]
    pub used: Bytes,
    /// Left.
    #[schema(value_type = u64)]
    pub free: Bytes,
}

/// Copies between volumes, each counted with its source's size: limit = used + free.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct CopyCapacity {
    /// The most that may be copied at the same time.
    #[schema(value_type = u64)]
    pub limit: Bytes,
    /// What is.
    #[schema(value_type = u64)]
    pub used: Bytes,
    /// Left.
    #[schema(value_type = u64)]
    pub free: Bytes,
    /// Bytes that snapshots keep.
    #[schema(value_type = u64)]
    pub kept_by_snapshots: Bytes,
    /// Bytes that mirrors and tracking copies have still to get.
    #[schema(value_type = u64)]
    pub differing: Bytes,
}

/// The books now.
pub fn capacity(array: &Array) -> Capacity {
    Capacity {
        drives: drives(array),
        raid_groups: raid_groups(array),
        pools: pools(array),
        containers: containers(array),
        volumes: volumes(array),
        snap_pool: snap_pool_books(array),
        copies: copies(array),
    }
}

fn drives(array: &Array) -> DriveCapacity {
    let mut sum = DriveCapacity::default();
    for drive in array.drives.iter() {
        if drive.pulled {
            continue;
        }
        sum.total += drive.capacity;
        let part = if !drive.keeps_data() {
            &mut sum.failed
        } else if drive.raid_group.or(drive.stands_in).is_some() {
            &mut sum.in_raid_groups
        } else if drive.spare {
            &mut sum.spare
        } else {
            &mut sum.unused
        };
        *part += drive.capacity;
    }
    sum
}

fn raid_groups(array: &Array) -> RaidGroupCapacity {
    let mut sum = RaidGroupCapacity::default();
    for group in array.raid_groups.iter() {
        let (raw, missing) = members(array, group);
        sum.raw += raw;
        sum.missing += missing;
        sum.capacity += group.capacity;
        if group.pool.is_some() {
            sum.in_pools += group.capacity;
        } else {
            sum.allocated += group.capacity - group.free();
            sum.free += group.free();
        }
    }
    sum.protection = sum.raw + sum.missing - sum.capacity;
    sum
}

/// The drives in a group as sold, and the members as sold in whose place no drive is.
fn members(array: &Array, group: &RaidGroup) -> (Bytes, Bytes) {
    let (mut raw, mut missing) = (Bytes::ZERO, Bytes::ZERO);
    for (slot, member) in group.members() {
        let stand_in = group.slot(slot).stand_in.map(|spare| spare.drive);
        let present: Bytes =
            std::iter::once(member).chain(stand_in).map(|key| &array.drives[key]).filter(|drive| drive.serves()).map(|drive| drive.capacity).sum();
        raw += present;
        missing += if present.is_zero() { array.drives[member].capacity } else { Bytes::ZERO };
    }
    (raw, missing)
}

fn pools(array: &Array) -> PoolCapacity {
    let mut sum = PoolCapacity::default();
    for pool in array.pools.iter() {
        sum.capacity += pool.capacity;
        sum.used += pool.used();
        sum.free += pool.free();
        sum.provisioned += pool.provisioned;
        sum.volumes += pool.allocated;
        sum.reduced += pool.chunks(pool.savings.after);
        sum.before_reduction += pool.savings.before;
        sum.after_reduction += pool.savings.after;
    }
    sum.containers = array.containers.iter().flat_map(super::Container::claims).map(|claim| claim.taken).sum();
    sum.volumes -= sum.containers;
    sum
}

fn containers(array: &Array) -> ContainerCapacity {
    let mut sum = ContainerCapacity::default();
    for container in array.containers.iter() {
        sum.size += container.size;
        sum.used += container.used();
        sum.free += container.free();
        sum.reserved += container.reserved;
        sum.before_reduction += container.savings.before;
        sum.after_reduction += container.savings.after;
        sum.shared += container.shared();
    }
    sum
}

fn volumes(array: &Array) -> VolumeCapacity {
    let mut sum = VolumeCapacity::default();
    for volume in array.volumes.iter().filter(|volume| volume.role != VolumeRole::SnapPool) {
        sum.provisioned += volume.size;
        sum.written += volume.layout.written();
        sum.allocated += allocated(array, volume);
        sum.physical += space::physical(array, volume);
    }
    sum
}

fn snap_pool_books(array: &Array) -> SnapPoolCapacity {
    let pool = snap_pool::snap_pool(array);
    SnapPoolCapacity { capacity: pool.capacity, used: pool.used, free: pool.free() }
}

fn copies(array: &Array) -> CopyCapacity {
    let (limit, used) = (array.personality.copy.as_ref().map_or(Bytes::ZERO, |rule| rule.capacity), copying::copied_capacity(array));
    CopyCapacity {
        limit,
        used,
        free: limit - used,
        kept_by_snapshots: array.copy_sessions.iter().map(|session| copying::held(array, session)).sum(),
        differing: array.copy_sessions.iter().map(|session| session.left + copying::difference(array, session)).sum(),
    }
}

/// Areas of RAID groups or chunks of a pool given to a volume directly. Reduced data and data in containers is in their books.
pub fn allocated(array: &Array, volume: &Volume) -> Bytes {
    match &volume.home {
        Home::RaidGroups(slices) => slices.iter().map(|slice| slice.area.length).sum(),
        Home::Pool(pool) => space::pool_allocation(&array.pools[*pool], volume),
        Home::Container(_) => Bytes::ZERO,
    }
}
