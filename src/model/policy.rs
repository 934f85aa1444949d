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
    /// What copies need: copy capacity, snap data pools.
    AdvancedCopyManagement,
    /// Snapshots and copies.
    CopySessionManagement,
    /// Moving volumes between groups and pools.
    StorageMigrationManagement,
    /// Settings of the array.
    StorageManagement,
    /// Users.
    UserManagement,
    /// Roles, and how users prove who they are.
    AuthenticationRole,
    /// Network, certificates, encryption.
    SecuritySetting,
    /// Events and logs.
    MaintenanceInformation,
    /// Firmware.
    FirmwareManagement,
    /// Parts of the array: identification lights, spares.
    MaintenanceOperation,
    /// The controls of the emulation: clock, workloads, jobs. They belong to the server's user, not to a role of the array.
    Emulation,
}
