//! Workload profiles: what the requests of known load generators are like.

use serde::{Deserialize, Serialize};

use super::fixtures::{Fixture, WORKLOADS};
use super::library::Library;
use super::{Sourced, yaml};
use crate::model::{Profile, WorkUnit};
use crate::units::{Bytes, PartsPerMillion, SimSpan};

/// A workload profile with its sources.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkloadProfile {
    /// Its name, by which workloads ask for it.
    pub name: String,
    /// What it stands for.
    pub description: String,
    /// What one request is.
    pub unit: WorkUnit,
    /// I/O operations of one request.
    pub ios_per_unit: Sourced<u32>,
    /// Bytes of one I/O operation.
    pub block_size: Sourced<Bytes>,
    /// Share of reads, in parts per million.
    pub read_ppm: Sourced<u64>,
    /// Share of sequential operations, in parts per million.
    pub sequential_ppm: Sourced<u64>,
    /// Microseconds between an answer and the next request.
    pub think_us: Sourced<u64>,
    /// Requesters when none are asked for.
    pub population: Sourced<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProfileFile {
    workloads: Vec<WorkloadProfile>,
}

static SHELF: Library<ProfileFile, { WORKLOADS.len() }> = Library::new(WORKLOADS, read);

/// All profiles, in order of name.
pub fn profiles() -> Vec<&'static WorkloadProfile> {
    let mut all: Vec<&WorkloadProfile> = SHELF.all().into_iter().flat_map(|file| &file.workloads).collect();
    all.sort_by(|one, other| one.name.cmp(&other.name));
    all
}

impl WorkloadProfile {
    /// The same without its sources, as arrays carry it.
    pub fn profile(&self) -> Profile {
        Profile {
            name: self.name.clone(),
            unit: self.unit,
            ios_per_unit: self.ios_per_unit.value,
            block_size: self.block_size.value,
            read_ppm: PartsPerMillion(self.read_ppm.value),
            sequential_ppm: PartsPerMillion(self.sequential_ppm.value),
            think: SimSpan(self.think_us.value),
            population: self.population.value,
        }
    }
}

fn read(fixture: &Fixture) -> Result<ProfileFile, String> {
    yaml::read_own(fixture.text)
}
