//! What an actor must be allowed to do.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::ToSchema;

/// The policies by which an array's roles are made; the names are those of the ETERNUS management interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
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

/// Several policies: what a role allows, or what a request demands. Written as a list in the order of [`Policy::ALL`].
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct PolicySet(u32);

impl Policy {
    /// All of them.
    pub const ALL: [Policy; 16] = [
        Policy::StatusDisplay,
        Policy::RaidGroupManagement,
        Policy::VolumeCreateModify,
        Policy::VolumeDeleteFormat,
        Policy::HostInterfaceManagement,
        Policy::AdvancedCopyManagement,
        Policy::CopySessionManagement,
        Policy::StorageMigrationManagement,
        Policy::StorageManagement,
        Policy::UserManagement,
        Policy::AuthenticationRole,
        Policy::SecuritySetting,
        Policy::MaintenanceInformation,
        Policy::FirmwareManagement,
        Policy::MaintenanceOperation,
        Policy::Emulation,
    ];
    /// Its name, as it is written.
    pub const fn name(self) -> &'static str {
        match self {
            Policy::StatusDisplay => "status_display",
            Policy::RaidGroupManagement => "raid_group_management",
            Policy::VolumeCreateModify => "volume_create_modify",
            Policy::VolumeDeleteFormat => "volume_delete_format",
            Policy::HostInterfaceManagement => "host_interface_management",
            Policy::AdvancedCopyManagement => "advanced_copy_management",
            Policy::CopySessionManagement => "copy_session_management",
            Policy::StorageMigrationManagement => "storage_migration_management",
            Policy::StorageManagement => "storage_management",
            Policy::UserManagement => "user_management",
            Policy::AuthenticationRole => "authentication_role",
            Policy::SecuritySetting => "security_setting",
            Policy::MaintenanceInformation => "maintenance_information",
            Policy::FirmwareManagement => "firmware_management",
            Policy::MaintenanceOperation => "maintenance_operation",
            Policy::Emulation => "emulation",
        }
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

impl PolicySet {
    /// None.
    pub const EMPTY: PolicySet = PolicySet(0);
    /// One.
    pub const fn of(policy: Policy) -> PolicySet {
        PolicySet(1 << policy as u32)
    }
    /// These and one more.
    #[must_use]
    pub const fn and(self, policy: Policy) -> PolicySet {
        PolicySet(self.0 | 1 << policy as u32)
    }
    /// These and those.
    #[must_use]
    pub const fn joined(self, other: PolicySet) -> PolicySet {
        PolicySet(self.0 | other.0)
    }
    /// Whether this one is among them.
    pub const fn has(self, policy: Policy) -> bool {
        self.0 & (1 << policy as u32) != 0
    }
    /// Whether there are none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
    /// Whether any of those is among them.
    pub const fn meets(self, other: PolicySet) -> bool {
        self.0 & other.0 != 0
    }
    /// The first of those that is not among them.
    pub fn lacks(self, demanded: PolicySet) -> Option<Policy> {
        demanded.iter().find(|policy| !self.has(*policy))
    }
    /// Each of them, in the order of [`Policy::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Policy> {
        Policy::ALL.into_iter().filter(move |policy| self.has(*policy))
    }
}

impl FromIterator<Policy> for PolicySet {
    fn from_iter<I: IntoIterator<Item = Policy>>(policies: I) -> PolicySet {
        policies.into_iter().fold(PolicySet::EMPTY, PolicySet::and)
    }
}
impl fmt::Debug for PolicySet {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_set().entries(self.iter()).finish()
    }
}
impl Serialize for PolicySet {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_seq(self.iter())
    }
}
impl<'de> Deserialize<'de> for PolicySet {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<PolicySet, D::Error> {
        Vec::<Policy>::deserialize(input).map(PolicySet::from_iter)
    }
}

#[cfg(test)]
mod tests {
    use super::{Policy, PolicySet};

    #[test]
    fn every_policy_is_listed_once_and_written_by_its_name() {
        let all: PolicySet = Policy::ALL.into_iter().collect();
        assert_eq!(all.iter().count(), Policy::ALL.len());
        for policy in Policy::ALL {
            assert_eq!(serde_json::to_value(policy).expect("text"), policy.name());
        }
    }

    #[test]
    fn a_set_knows_what_it_lacks() {
        let reader = PolicySet::of(Policy::StatusDisplay);
        let both = reader.and(Policy::UserManagement);
        assert_eq!(reader.lacks(both), Some(Policy::UserManagement));
        assert_eq!(both.lacks(reader), None);
        assert!(both.meets(reader) && !reader.meets(PolicySet::of(Policy::Emulation)) && !PolicySet::EMPTY.meets(both));
        assert_eq!(reader.joined(PolicySet::of(Policy::UserManagement)), both);
        let text = serde_json::to_string(&both).expect("text");
        assert_eq!(text, r#"["status_display","user_management"]"#);
        assert_eq!(serde_json::from_str::<PolicySet>(r#"["user_management","status_display","user_management"]"#).expect("a set"), both);
    }
}
