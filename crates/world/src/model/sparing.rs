//! What an array does about failing drives: the rules, which spare fits, and which is taken.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Array, Drive, Key, Object, RaidGroup, RaidLevel};
use crate::units::{Bytes, SimSpan};

/// The rules of spares, rebuilds and changes of RAID groups.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sparing {
    /// Whether, in a new RAID group, a spare that stands in becomes the member.
    pub copybackless: bool,
    /// Whether every unused drive is a spare, without being made one.
    pub unused_drives_are_spares: bool,
    /// Whether a RAID group of a pool can have spares of its own.
    pub dedicated_in_pools: bool,
    /// How fast a drive is rebuilt or copied.
    pub rebuild_rates: RebuildRates,
    /// Levels that a RAID group can be expanded from and to.
    pub expandable_levels: Vec<RaidLevel>,
    /// Bytes per second at which a RAID group is laid out anew.
    pub expansion_rate: Bytes,
    /// How long a RAID group's owner takes to change.
    pub owner_change: SimSpan,
}

/// Bytes per second at which one drive is rebuilt, copied back or copied ahead, by priority.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RebuildRates {
    /// Hosts come first.
    pub low: Bytes,
    /// Between the two.
    pub middle: Bytes,
    /// The rebuild comes first.
    pub high: Bytes,
}

/// How fast a RAID group is rebuilt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RebuildPriority {
    /// Hosts come first.
    #[default]
    Low,
    /// Between the two.
    Middle,
    /// The rebuild comes first.
    High,
}

impl Sparing {
    /// Bytes per second at which one drive of such a group is rebuilt or copied.
    pub const fn rate(&self, priority: RebuildPriority) -> Bytes {
        match priority {
            RebuildPriority::Low => self.rebuild_rates.low,
            RebuildPriority::Middle => self.rebuild_rates.middle,
            RebuildPriority::High => self.rebuild_rates.high,
        }
    }
}

/// In what a drive differs from what a member of that group must be; `None`: it can stand in for one.
pub fn misfit(group: &RaidGroup, drive: &Drive) -> Option<&'static str> {
    if drive.drive_type != group.drive_type {
        Some("drive_type")
    } else if drive.self_encrypting != group.self_encrypting {
        Some("self_encrypting")
    } else if drive.capacity.round_down(Bytes::mib(1)) < group.member_capacity() {
        Some("capacity")
    } else {
        None
    }
}

/// Whether a drive is a spare for that group and waits for its turn.
pub fn is_idle_spare_for(array: &Array, group: &RaidGroup, drive: &Drive) -> bool {
    let declared = drive.spare && drive.dedicated_to.is_none_or(|own| own == group.key());
    let any = array.personality.sparing.unused_drives_are_spares && drive.is_free();
    drive.is_sound() && drive.stands_in.is_none() && drive.raid_group.is_none() && (declared || any)
}

/// The spare that such a group takes: one of its own first, then the smallest that fits, then the lowest number.
pub fn choose(array: &Array, group: &RaidGroup) -> Option<Key<Drive>> {
    let fitting = array.drives.iter().filter(|drive| is_idle_spare_for(array, group, drive) && misfit(group, drive).is_none());
    fitting.min_by_key(|drive| (drive.dedicated_to.is_none(), drive.capacity, drive.number())).map(Object::key)
}
