//! The vendor's words for how drives, RAID groups, pools and volumes stand, and how bad each is.
//!
//! Source of the words and of the four conditions: ETERNUS CLI and RESTful API, status and detail status.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How bad it is, in four words that all nouns share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Condition {
    /// In order.
    #[default]
    Normal,
    /// The array is at work on it.
    Maintenance,
    /// Somebody should look.
    Warning,
    /// It does not serve.
    Error,
}

/// How a drive stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DriveStatus {
    /// It serves.
    Available,
    /// It serves, but says that it will fail.
    AvailablePredictiveFailure,
    /// Not in use.
    Present,
    /// A hot spare that waits.
    Spare,
    /// It gets the data of a missing member.
    Rebuild,
    /// It gets its data back from a spare.
    Copyback,
    /// Its data is copied to a spare before it fails, or it is that spare.
    RedundantCopy,
    /// A member in order whose data is not of now, and nothing is done about it: the RAID group is broken.
    NotAvailable,
    /// Taken out of service before it failed.
    FailedUsable,
    /// Broken.
    Broken,
    /// Taken out of its bay.
    NotExist,
}

/// How a RAID group or a pool stands, best first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum GroupStatus {
    /// In order.
    #[default]
    Available,
    /// In order, with a spare in the place of a member.
    SpareInUse,
    /// A member's data is copied to a spare before it fails.
    RedundantCopy,
    /// A member gets its data back from a spare.
    Copyback,
    /// All missing members are being rebuilt.
    Rebuild,
    /// Missing members are being rebuilt; what is left to do will leave it partially exposed.
    PartiallyExposedRebuild,
    /// A member is missing; another failure can be borne.
    PartiallyExposed,
    /// Missing members are being rebuilt; what is left to do will leave it exposed.
    ExposedRebuild,
    /// A member is missing; the next failure breaks it.
    Exposed,
    /// More members are missing than it bears: it serves nothing.
    Broken,
}

/// How a volume stands, by the RAID groups that hold it, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum VolumeHealth {
    /// As the worst of its RAID groups, which all serve.
    Served(GroupStatus),
    /// A RAID group is broken, but would serve again if drives were put back.
    NotAvailable,
    /// A RAID group is broken, and its data is gone.
    DataLost,
}

impl Condition {
    /// In one word.
    pub const fn name(self) -> &'static str {
        match self {
            Condition::Normal => "normal",
            Condition::Maintenance => "maintenance",
            Condition::Warning => "warning",
            Condition::Error => "error",
        }
    }
}

impl DriveStatus {
    /// How bad it is.
    pub const fn condition(self) -> Condition {
        match self {
            DriveStatus::Available | DriveStatus::Present | DriveStatus::Spare => Condition::Normal,
            DriveStatus::Rebuild | DriveStatus::Copyback | DriveStatus::RedundantCopy => Condition::Maintenance,
            DriveStatus::AvailablePredictiveFailure | DriveStatus::NotAvailable => Condition::Warning,
            DriveStatus::FailedUsable | DriveStatus::Broken | DriveStatus::NotExist => Condition::Error,
        }
    }
    /// The word.
    pub const fn name(self) -> &'static str {
        match self {
            DriveStatus::Available => "available",
            DriveStatus::AvailablePredictiveFailure => "available_predictive_failure",
            DriveStatus::Present => "present",
            DriveStatus::Spare => "spare",
            DriveStatus::Rebuild => "rebuild",
            DriveStatus::Copyback => "copyback",
            DriveStatus::RedundantCopy => "redundant_copy",
            DriveStatus::NotAvailable => "not_available",
            DriveStatus::FailedUsable => "failed_usable",
            DriveStatus::Broken => "broken",
            DriveStatus::NotExist => "not_exist",
        }
    }
}

impl GroupStatus {
    /// How bad it is.
    pub const fn condition(self) -> Condition {
        match self {
            GroupStatus::Available => Condition::Normal,
            GroupStatus::RedundantCopy | GroupStatus::Copyback | GroupStatus::Rebuild => Condition::Maintenance,
            GroupStatus::SpareInUse
            | GroupStatus::PartiallyExposedRebuild
            | GroupStatus::PartiallyExposed
            | GroupStatus::ExposedRebuild
            | GroupStatus::Exposed => Condition::Warning,
            GroupStatus::Broken => Condition::Error,
        }
    }
    /// The word.
    pub const fn name(self) -> &'static str {
        match self {
            GroupStatus::Available => "available",
            GroupStatus::SpareInUse => "spare_in_use",
            GroupStatus::RedundantCopy => "redundant_copy",
            GroupStatus::Copyback => "copyback",
            GroupStatus::Rebuild => "rebuild",
            GroupStatus::PartiallyExposedRebuild => "partially_exposed_rebuild",
            GroupStatus::PartiallyExposed => "partially_exposed",
            GroupStatus::ExposedRebuild => "exposed_rebuild",
            GroupStatus::Exposed => "exposed",
            GroupStatus::Broken => "broken",
        }
    }
}

impl VolumeHealth {
    /// How bad it is.
    pub const fn condition(self) -> Condition {
        match self {
            VolumeHealth::Served(group) => group.condition(),
            VolumeHealth::NotAvailable | VolumeHealth::DataLost => Condition::Error,
        }
    }
    /// The word.
    pub const fn name(self) -> &'static str {
        match self {
            VolumeHealth::Served(group) => group.name(),
            VolumeHealth::NotAvailable => "not_available",
            VolumeHealth::DataLost => "data_lost",
        }
    }
}

impl fmt::Display for DriveStatus {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}
impl fmt::Display for GroupStatus {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}
