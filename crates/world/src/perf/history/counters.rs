//! Counters that only rise, for clients that read raw ones and make rates of them.

use serde::Serialize;
use utoipa::ToSchema;

use crate::model::{Amounts, Gauge, LoadLog, Noun};
use crate::units::SimTime;

/// What something has done since the array's history began: whole numbers, rounded down, that never fall within an epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Counters {
    /// Operations.
    pub operations: Count,
    /// Bytes.
    pub bytes: Count,
    /// Microseconds that operations took together.
    pub latency_microseconds: Count,
    /// Microseconds of work; controllers, host ports and (their drives) RAID groups only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub busy_microseconds: Option<u64>,
}

/// A counter of reads and writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Count {
    /// Reads.
    pub read: u64,
    /// Writes.
    pub write: u64,
    /// Both: rounded down by itself, so it can be one more than the sum of the two.
    pub total: u64,
}

/// The counters of a thing at the present time.
#[must_use]
pub fn counters(log: &LoadLog, now: SimTime, noun: Noun, key: u32) -> Counters {
    let tally = log.tally(noun, key, now);
    let count = |read, write, unit: u128| {
        let (read, write) = (tally.get(read), tally.get(write));
        let whole = |amount: u128| u64::try_from(amount / unit).unwrap_or(u64::MAX);
        Count { read: whole(read), write: whole(write), total: whole(read + write) }
    };
    let works = matches!(noun, Noun::Controller | Noun::HostPort | Noun::RaidGroup);
    Counters {
        operations: count(Gauge::Reads, Gauge::Writes, Amounts::PARTS),
        bytes: count(Gauge::ReadBytes, Gauge::WriteBytes, Amounts::PARTS),
        latency_microseconds: count(Gauge::ReadWait, Gauge::WriteWait, MICRO),
        busy_microseconds: works.then(|| u64::try_from(tally.get(Gauge::Busy) / MICRO).unwrap_or(u64::MAX)),
    }
}

/// A microsecond in parts of a second.
const MICRO: u128 = Amounts::PARTS / 1_000_000;
