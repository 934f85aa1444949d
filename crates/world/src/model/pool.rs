//! Pools: whole RAID groups joined into one space from which volumes and containers are given chunks as they are written.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{DriveType, Head, Key, Noun, Object, OpError, RaidGroup, RaidLevel, Reduction, Savings};
use crate::units::Bytes;

/// A pool (ETERNUS: Thin Provisioning Pool; ONTAP: aggregate, local tier).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pool {
    /// Identity.
    pub head: Head,
    /// Its RAID groups, in the order in which they joined; all of one level, drive type and member count.
    pub raid_groups: Vec<Key<RaidGroup>>,
    /// Their level.
    pub level: RaidLevel,
    /// Their drives.
    pub drive_type: DriveType,
    /// Space is given out in whole chunks of this size.
    pub chunk_size: Bytes,
    /// Space for data: the whole chunks of its RAID groups.
    pub capacity: Bytes,
    /// When to call for attention.
    pub thresholds: Thresholds,
    /// The most that may be provisioned, in percent of the capacity; `None`: as much as the array's limits allow.
    pub over_provisioning_percent: Option<u32>,
    /// Which reductions are on.
    pub reduction: Reduction,
    /// Whether its data is encrypted.
    pub encryption: bool,
    /// Whole chunks and containers given out, without the reduced data.
    pub allocated: Bytes,
    /// The reduced volumes' data, when the pool is the domain of reduction.
    pub savings: Savings,
    /// Sizes of all volumes or containers in it, as promised to hosts.
    pub provisioned: Bytes,
    /// The part of it that reduced volumes promise.
    pub provisioned_reduced: Bytes,
    /// The status that was last told in an event.
    pub reported: UsedStatus,
    /// Data that lies only on the RAID groups that were there before an expansion, one entry for each; empty when all lies evenly.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub layers: Vec<Layer>,
    /// Whether that data is being spread over all RAID groups.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub balancing: bool,
}

/// Data of a pool that lies evenly on its first RAID groups only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layer {
    /// How many RAID groups, in the order in which they joined.
    pub raid_groups: u32,
    /// How much data, as it was at the expansion.
    pub data: Bytes,
}

/// Used space, in percent of the capacity, at which a pool calls for attention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thresholds {
    /// The lower one, 5 to 80; it may be left out.
    pub attention_percent: Option<u32>,
    /// The upper one, 5 to 99.
    pub warning_percent: u32,
}

/// How full a pool is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum UsedStatus {
    /// Below its thresholds.
    #[default]
    Normal,
    /// At or above the attention threshold.
    Attention,
    /// At or above the warning threshold.
    Warning,
    /// No chunk is left.
    Over,
}

impl UsedStatus {
    /// Whether nothing need be told of it.
    pub const fn is_normal(&self) -> bool {
        matches!(self, UsedStatus::Normal)
    }
}

impl Pool {
    /// Space taken: chunks given out, and the chunks that hold reduced data.
    pub fn used(&self) -> Bytes {
        self.used_with(self.allocated, self.savings)
    }
    /// Space taken if these were the books.
    pub fn used_with(&self, allocated: Bytes, savings: Savings) -> Bytes {
        allocated + savings.after.round_up(self.chunk_size)
    }
    /// It must hold its books after a change; a change that takes no more than before always passes.
    pub fn holds(&self, allocated: Bytes, savings: Savings) -> Result<(), OpError> {
        let used = self.used_with(allocated, savings);
        if used <= self.capacity || used <= self.used() {
            return Ok(());
        }
        Err(OpError::PoolFull { pool: self.name().to_owned(), needed: used - self.used(), free: self.free() })
    }
    /// Space left.
    pub fn free(&self) -> Bytes {
        self.capacity - self.used()
    }
    /// Data that does not lie on all of its RAID groups; never more than all data.
    pub fn unbalanced(&self) -> Bytes {
        self.layers.iter().map(|layer| layer.data).sum::<Bytes>().min(self.used())
    }
    /// The whole chunks that `bytes` take.
    pub fn chunks(&self, bytes: Bytes) -> Bytes {
        bytes.round_up(self.chunk_size)
    }
    /// How full it is.
    pub fn used_status(&self) -> UsedStatus {
        let percent = self.used().percent_of(self.capacity);
        if self.free() < self.chunk_size {
            UsedStatus::Over
        } else if percent >= u64::from(self.thresholds.warning_percent) {
            UsedStatus::Warning
        } else if self.thresholds.attention_percent.is_some_and(|attention| percent >= u64::from(attention)) {
            UsedStatus::Attention
        } else {
            UsedStatus::Normal
        }
    }
    /// The most that may be provisioned.
    pub fn provisioning_limit(&self) -> Option<Bytes> {
        self.over_provisioning_percent.map(|percent| self.capacity.scaled(u64::from(percent), 100))
    }
}

impl Object for Pool {
    const NOUN: Noun = Noun::Pool;
    fn head(&self) -> &Head {
        &self.head
    }
    fn head_mut(&mut self) -> &mut Head {
        &mut self.head
    }
}
