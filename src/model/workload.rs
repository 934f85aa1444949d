//! Workloads: the load that hosts put on volumes.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Head, Key, Noun, Object, Volume};
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
