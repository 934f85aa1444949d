//! What was measured of a hardware model: how long its parts work for one request. Part of the value, so that a changed fixture
//! never changes an array that exists.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{DriveType, Protocol, RaidLevel};
use crate::units::{Bytes, PartsPerMillion};

/// The measured demands of a model. Absent as a whole while nobody has calibrated it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Calibration {
    /// Per named workload.
    pub workloads: BTreeMap<String, WorkloadDemand>,
    /// From which custom workloads are computed.
    pub corners: Corners,
    /// Factor on the controllers' work for a read of reduced data.
    pub reduction_read_ppm: PartsPerMillion,
    /// Factor on the controllers' work for a write of reduced data.
    pub reduction_write_ppm: PartsPerMillion,
    /// 99th percentile over mean latency while nothing is busy.
    pub tail_ppm: PartsPerMillion,
    /// By how much that grows until the controllers are always busy.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub tail_rise_ppm: PartsPerMillion,
    /// What drives can do.
    pub drives: BTreeMap<DriveType, DriveRates>,
    /// Bytes per second between one controller and its drives.
    pub back_end_link: Bytes,
    /// What was measured apart, of volumes that hosts reach in another way or that lie otherwise; the first that fits counts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variants: Vec<Variant>,
}

/// What was measured of a model under a condition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variant {
    /// Of volumes that hosts reach by this protocol only; absent: by any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protocol: Option<Protocol>,
    /// Of volumes that lie in RAID groups of this level only; absent: of any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raid_level: Option<RaidLevel>,
    /// The demands; its own variants do not count.
    pub calibration: Calibration,
}

fn is_zero(share: &PartsPerMillion) -> bool {
    share.0 == 0
}

/// What one request of a named workload costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkloadDemand {
    /// Picoseconds that the owning controller works for one request.
    pub controller_demand_ps: u64,
    /// Latency without load, in nanoseconds.
    pub base_latency_ns: u64,
    /// Burstiness.
    pub burstiness_ppm: PartsPerMillion,
    /// The population that the published peak implies, where it differs from the profile's.
    pub population: Option<u64>,
}

/// The demands of 4 KiB and 64 KiB reads and writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Corners {
    /// 4 KiB random reads.
    pub small_read: Corner,
    /// 4 KiB random writes.
    pub small_write: Corner,
    /// 64 KiB sequential reads.
    pub large_read: Corner,
    /// 64 KiB sequential writes.
    pub large_write: Corner,
    /// Share of the part that does not depend on the size that a sequential request still costs.
    pub sequential_operation_ppm: PartsPerMillion,
}

/// One of the four.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Corner {
    /// Picoseconds that the owning controller works for one operation.
    pub controller_demand_ps: u64,
    /// Latency without load, in nanoseconds.
    pub base_latency_ns: u64,
    /// Burstiness.
    pub burstiness_ppm: PartsPerMillion,
}

/// What one drive can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DriveRates {
    /// Random reads per second.
    pub read_iops: u64,
    /// Random writes per second.
    pub write_iops: u64,
    /// Bytes read per second.
    pub read_bytes: Bytes,
    /// Bytes written per second.
    pub write_bytes: Bytes,
}
