//! What an actor must be allowed to do.

use serde::{Deserialize, Serialize};

/// The policies by which an array's roles are made; the names are those of the ETERNUS management interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Policy {
    /// Read the state of the array.
    StatusDisplay,
    /// Create, change and delete RAID groups and pools.
    RaidGroupManagement,
    /// Create and change volumes and containers.
    VolumeCreateModify,
    /// Delete and format volumes and containers.
    VolumeDeleteFormat,
    /// Hosts, groups, affinities, mappings and ports.
    HostInterfaceManagement,
    /// Snapshots and copies.
    CopySessionManagement,
    /// Moving volumes between groups and pools.
    StorageMigrationManagement,
    /// Settings of the array.
    StorageManagement,
    /// Parts of the array: identification lights, spares.
    MaintenanceOperation,
    /// The controls of the emulation: clock, workloads, jobs. They belong to the server's user, not to a role of the array.
    Emulation,
}
