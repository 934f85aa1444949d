//! Workloads: the load that hosts put on volumes.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Head, Key, Noun, Object, Timetable, Volume};
use crate::units::{Bytes, PartsPerMillion, SimSpan, SimTime};

/// A running or paused workload.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Workload {
    /// Identity.
    pub head: Head,
    /// What its requests are like.
    pub profile: Profile,
    /// The volumes over which it is spread evenly, in order of number.
    pub volumes: Vec<Key<Volume>>,
    /// Requesters (threads, users) that each wait for their answer, think, and ask again.
    pub population: u64,
    /// The most requests per second that it makes, if limited.
    pub rate_limit: Option<u64>,
    /// The share of its reads that the array's cache answers.
    #[serde(default)]
    pub cache_hits_ppm: PartsPerMillion,
    /// Whether it runs.
    pub state: WorkloadState,
    /// When it was made.
    pub created: SimTime,
    /// How its load changes as time passes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timetable: Option<Timetable>,
    /// How much of its load is on now, by its timetable.
    #[serde(default = "whole", skip_serializing_if = "is_whole")]
    pub level: PartsPerMillion,
    /// Whether its writes bring in data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub writing: Option<Writing>,
}

const fn whole() -> PartsPerMillion {
    PartsPerMillion::ONE
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_whole(level: &PartsPerMillion) -> bool {
    *level == PartsPerMillion::ONE
}

/// What a workload's writes bring in. Without it, they go over data that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Writing {
    /// What it writes to, of all its volumes together; whole volumes without it.
    pub working_set: Option<Bytes>,
}

impl Workload {
    /// The most requests per second that it makes now, in millionths, if limited.
    pub fn present_rate(&self) -> Option<u128> {
        let scaled = |rate: u64, level: PartsPerMillion| u128::from(rate) * u128::from(level.0);
        let own = |rate: u64| scaled(rate, if self.has_maximum() { PartsPerMillion::ONE } else { self.level });
        let limit = self.rate_limit.map(own);
        let maximum = self.timetable.as_ref().and_then(|timetable| timetable.maximum).map(|maximum| scaled(maximum, self.level));
        limit.into_iter().chain(maximum).min()
    }
    /// Its requesters now, in millionths of one.
    pub fn present_population(&self) -> u128 {
        let is_limited = self.rate_limit.is_some() || self.has_maximum();
        u128::from(self.population) * u128::from(if is_limited { 1_000_000 } else { self.level.0 })
    }
    fn has_maximum(&self) -> bool {
        self.timetable.as_ref().is_some_and(|timetable| timetable.maximum.is_some())
    }
    /// What of a volume it writes to.
    pub fn working_set_of(&self, size: Bytes) -> Bytes {
        let part = self.writing.and_then(|writing| writing.working_set).map(|set| set.divided(self.volumes.len() as u64));
        part.unwrap_or(size).min(size)
    }
}

/// What a workload's requests are like.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Profile {
    /// Its name, by which the model's calibration knows it; `custom` is computed from the corners.
    pub name: String,
    /// What one request is.
    pub unit: WorkUnit,
    /// I/O operations of one request.
    pub ios_per_unit: u32,
    /// Bytes of one I/O operation.
    pub block_size: Bytes,
    /// Share of reads among the operations.
    pub read_ppm: PartsPerMillion,
    /// Share of sequential operations.
    pub sequential_ppm: PartsPerMillion,
    /// Time between an answer and the next request.
    pub think: SimSpan,
    /// The population when none is asked for.
    pub population: u64,
}

/// What one request of a workload is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WorkUnit {
    /// One I/O operation.
    Io,
    /// One transaction of an application: several I/O operations.
    Transaction,
}

/// Whether a workload runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum WorkloadState {
    /// It puts its load on the array.
    Running,
    /// It keeps still.
    Paused,
}

impl Object for Workload {
    const NOUN: Noun = Noun::Workload;
    fn head(&self) -> &Head {
        &self.head
    }
    fn head_mut(&mut self) -> &mut Head {
        &mut self.head
    }
}
