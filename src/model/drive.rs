//! Drives.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Enclosure, Head, Key, Noun, Object, RaidGroup};
use crate::units::Bytes;

/// A drive in a bay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Drive {
    /// Identity; the name is the vendor's location (`CE-Disk#0`).
    pub head: Head,
    /// The enclosure.
    pub enclosure: Key<Enclosure>,
    /// The bay, from 0.
    pub bay: u32,
    /// What kind of drive it is.
    pub drive_type: DriveType,
    /// Capacity as sold.
    pub capacity: Bytes,
    /// Whether it encrypts itself.
    pub self_encrypting: bool,
    /// Health.
    pub state: DriveState,
    /// The RAID group that it is a member of.
    pub raid_group: Option<Key<RaidGroup>>,
    /// Whether it is kept as a global hot spare.
    pub spare: bool,
    /// Whether its identification light is on.
    pub locate: bool,
    /// Serial number.
    pub serial_number: String,
    /// World-wide name, 16 hexadecimal digits.
    pub wwn: String,
}

/// The kind of a drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DriveType {
    /// SAS solid-state drive.
    SasSsd,
    /// SATA solid-state drive.
    SataSsd,
    /// NVMe solid-state drive.
    NvmeSsd,
}

/// The health of a drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DriveState {
    /// In order.
    Available,
    /// Broken; it serves nothing.
    Failed,
}

impl Drive {
    /// Whether it can be taken into a RAID group: in order, in none, and no spare.
    pub const fn is_free(&self) -> bool {
        matches!(self.state, DriveState::Available) && self.raid_group.is_none() && !self.spare
    }
}

impl fmt::Display for DriveType {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            DriveType::SasSsd => "sas_ssd",
            DriveType::SataSsd => "sata_ssd",
            DriveType::NvmeSsd => "nvme_ssd",
        })
    }
}

impl Object for Drive {
    const NOUN: Noun = Noun::Drive;
    fn head(&self) -> &Head {
        &self.head
    }
    fn head_mut(&mut self) -> &mut Head {
        &mut self.head
    }
}
