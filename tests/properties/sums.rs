//! The books of the whole array: at every level what is used and what is left add up to what there is.

use arrayplane::model::Array;
use arrayplane::model::capacity::{Capacity, capacity};
use arrayplane::units::Bytes;

/// Sums that do not come out, one sentence each.
pub(crate) fn problems(array: &Array) -> Vec<String> {
    let Capacity { drives, raid_groups, pools, containers, volumes, snap_pool, copies } = capacity(array);
    let sums: [(&str, Bytes, &[Bytes]); 8] = [
        ("drives", drives.total, &[drives.in_raid_groups, drives.spare, drives.unused, drives.failed]),
        ("members of RAID groups", drives.in_raid_groups + raid_groups.missing, &[raid_groups.capacity, raid_groups.protection]),
        ("RAID groups", raid_groups.capacity, &[raid_groups.in_pools, raid_groups.allocated, raid_groups.free]),
        ("pools", pools.capacity, &[pools.used, pools.free]),
        ("used space of pools", pools.used, &[pools.volumes, pools.containers, pools.reduced]),
        ("snap data pool", snap_pool.capacity, &[snap_pool.used, snap_pool.free]),
        ("copy capacity", copies.limit, &[copies.used, copies.free]),
        ("containers", containers.size, &[containers.used, containers.free]),
    ];
    let wrong = sums.iter().filter(|(_, whole, parts)| *whole != parts.iter().copied().sum());
    let mut found: Vec<String> = wrong.map(|(what, whole, parts)| format!("{what}: {whole:?} is not the sum of {parts:?}")).collect();
    if drives.in_raid_groups != raid_groups.raw {
        found.push(format!("drives in RAID groups: {:?}, of RAID groups: {:?}", drives.in_raid_groups, raid_groups.raw));
    }
    let there: Bytes = array.drives.iter().filter(|drive| !drive.pulled).map(|drive| drive.capacity).sum();
    if drives.total != there {
        found.push(format!("drives in their bays: {there:?}, in the books: {:?}", drives.total));
    }
    if volumes.written > volumes.provisioned || pools.after_reduction > pools.before_reduction || containers.after_reduction > containers.before_reduction {
        found.push("more is written than there is room for".to_owned());
    }
    found
}
