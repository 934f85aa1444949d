//! Pools.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::answer::Shown;
use super::lens::Lens;
use crate::model::{Condition, DriveType, GroupStatus, Object, Pool, RaidLevel, UsedStatus};
use crate::units::Ratio;

/// Used share of a pool, in percent, at which it calls for attention.
#[derive(Serialize, ToSchema)]
#[schema(as = PoolThresholds)]
pub(super) struct Thresholds {
    /// The lower threshold, if it has one.
    #[schema(required = true)]
    attention_percent: Option<u32>,
    /// The upper threshold.
    warning_percent: u32,
}

/// A pool: whole RAID groups joined into one space that is given out as data comes in.
#[derive(Serialize, ToSchema)]
#[schema(as = Pool)]
pub(super) struct View<'a> {
    /// Identifier: it stays, whatever happens to number and name.
    id: Uuid,
    /// Number: the vendor's; it can be given out again.
    number: u32,
    /// Name.
    #[schema(example = "P0")]
    name: &'a str,
    /// Level of its RAID groups.
    level: RaidLevel,
    /// What kind of drives they have.
    drive_type: DriveType,
    /// Its RAID groups, in the order in which they joined.
    #[schema(example = json!(["P0_0"]))]
    raid_groups: Vec<&'a str>,
    /// Space is given out in whole chunks of this many bytes.
    #[schema(example = 22_020_096)]
    chunk_size: u64,
    /// Space for data, in bytes.
    capacity: u64,
    /// Bytes taken: chunks given out, and the chunks that hold reduced data.
    used: u64,
    /// Bytes left.
    free: u64,
    /// Used share of the capacity.
    used_percent: u64,
    /// How full it is, by its thresholds.
    used_status: UsedStatus,
    /// Sizes of all volumes and containers in it, as promised to hosts, in bytes.
    provisioned: u64,
    /// Promised share of the capacity; it can be more than 100.
    provisioned_percent: u64,
    /// The most that may be promised, in percent of the capacity; null: as much as the array's limits allow.
    #[schema(required = true)]
    over_provisioning_percent: Option<u32>,
    /// When it calls for attention.
    thresholds: Thresholds,
    /// Whether equal blocks are stored once.
    deduplication: bool,
    /// Whether blocks are compressed.
    compression: bool,
    /// Whether its data is encrypted.
    encryption: bool,
    /// Bytes of reduced volumes' data before reduction.
    data_before_reduction: u64,
    /// Bytes of that data after reduction.
    data_after_reduction: u64,
    /// Before over after.
    reduction_ratio: Ratio,
    /// Bytes that lie only on the RAID groups that were there before an expansion.
    unbalanced: u64,
    /// Whether they are being spread over all RAID groups.
    balancing: bool,
    /// How it stands: like its worst RAID group.
    status: GroupStatus,
    /// How bad that is.
    condition: Condition,
}

impl Shown for Pool {
    const PLURAL: &'static str = "pools";
    type View<'a> = View<'a>;
    fn view<'a>(&'a self, lens: &Lens<'a>) -> View<'a> {
        let groups = self.raid_groups.iter().filter_map(|group| lens.world().array.raid_groups.get(*group));
        let status = groups.map(|group| lens.status_of(group)).max().unwrap_or_default();
        View {
            id: self.id(),
            number: self.number(),
            name: self.name(),
            level: self.level,
            drive_type: self.drive_type,
            raid_groups: Lens::names(&lens.world().array.raid_groups, self.raid_groups.iter().copied()),
            chunk_size: self.chunk_size.get(),
            capacity: self.capacity.get(),
            used: self.used().get(),
            free: self.free().get(),
            used_percent: self.used().percent_of(self.capacity),
            used_status: self.used_status(),
            provisioned: self.provisioned.get(),
            provisioned_percent: self.provisioned.percent_of(self.capacity),
            over_provisioning_percent: self.over_provisioning_percent,
            thresholds: Thresholds { attention_percent: self.thresholds.attention_percent, warning_percent: self.thresholds.warning_percent },
            deduplication: self.reduction.deduplication,
            compression: self.reduction.compression,
            encryption: self.encryption,
            data_before_reduction: self.savings.before.get(),
            data_after_reduction: self.savings.after.get(),
            reduction_ratio: self.savings.ratio(),
            unbalanced: self.unbalanced().get(),
            balancing: self.balancing,
            status,
            condition: status.condition(),
        }
    }
}
