//! The test bench: a reference layout as a world, a load generator on its volumes, and what is measured there.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::recipe::Recipe;
use crate::catalogue::{self, CatalogueError};
use crate::model::{Calibration, Place, Profile, RaidGroup, Table, Volume, reach};
use crate::ops::{Actor, AnyOperation, Ctx, World};
use crate::perf::fit::Path;
use crate::perf::path;
use crate::perf::report::measure;
use crate::perf::sweep::{Step, peak, sweep};

/// The name of the generator's workload.
const LOAD: &str = "load";

/// A world with nothing on it but the load that the generator puts on some volumes.
#[derive(Clone)]
pub(super) struct Bench {
    world: World,
    file: String,
}

/// What one run shows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// Requests per second.
    pub(super) throughput: f64,
    /// Mean latency in seconds.
    pub(super) latency: f64,
    /// 99th percentile of it in seconds.
    pub(super) p99: f64,
}

impl Bench {
    /// The recipe's scenario without the scenario's own load.
    pub(super) fn of(recipe: &Recipe) -> Result<Bench, CatalogueError> {
        let mut world = catalogue::scenario(&recipe.scenario)?.play(None).map_err(|error| recipe.fault(error))?;
        if world.array.facts.model != recipe.model {
            return Err(recipe.fault(format!("the scenario {} is of the model {}", recipe.scenario, world.array.facts.model)));
        }
        world.workloads = Table::new();
        Ok(Bench { world, file: format!("fits/{}.yaml", recipe.calibration) })
    }

    /// Puts another calibration in the place of the array's own.
    pub(super) fn calibrate(&mut self, calibration: Calibration) {
        self.world.array.calibration = Some(calibration);
    }

    /// The profile of that name.
    pub(super) fn profile(&self, name: &str) -> Result<Profile, CatalogueError> {
        self.world.array.profiles.get(name).cloned().ok_or_else(|| self.fault(format!("there is no profile '{name}'")))
    }

    /// All profiles.
    pub(super) fn profiles(&self) -> impl Iterator<Item = &Profile> {
        self.world.array.profiles.values()
    }

    /// The RAID groups behind volumes.
    pub(super) fn raid_groups(&self, volumes: &[String]) -> Vec<&RaidGroup> {
        let array = &self.world.array;
        let volumes = volumes.iter().filter_map(|name| array.find_volume(name, Place::Target).ok());
        let keys: BTreeSet<_> = volumes.flat_map(|volume| reach::raid_groups_of(array, volume)).collect();
        keys.into_iter().filter_map(|key| array.raid_groups.get(key)).collect()
    }

    /// Whether the first of these volumes is reduced.
    pub(super) fn is_reduced(&self, volumes: &[String]) -> bool {
        let array = &self.world.array;
        let volume = volumes.first().and_then(|name| array.find_volume(name, Place::Target).ok());
        let container = |volume: &Volume| volume.container().and_then(|key| array.containers.get(key));
        volume.is_some_and(|volume| container(volume).map_or(volume.reduction, |container| container.reduction).is_on())
    }

    /// Puts a profile on volumes, in the place of what ran before; without a population, with the usual one.
    pub(super) fn load(&mut self, profile: &str, volumes: &[String], population: Option<u64>) -> Result<(), CatalogueError> {
        if !self.world.workloads.is_empty() {
            self.execute(json!({"workload.delete": {"workload": LOAD}}))?;
        }
        self.execute(json!({"workload.create": {"name": LOAD, "profile": profile, "volumes": volumes, "outstanding": population}}))
    }

    /// Runs the load, offering so many requests per second at most.
    pub(super) fn run(&mut self, offered: Option<f64>) -> Result<Run, CatalogueError> {
        let rate = offered.map_or(0, |offered| offered.round().max(1.0) as u64);
        self.execute(json!({"workload.update": {"workload": LOAD, "rate": rate}}))?;
        let report = measure(&self.world.array, &self.world.workloads);
        let sample = report.workloads.first().ok_or_else(|| self.fault("nothing runs"))?;
        let (Some(latency), Some(p99)) = (sample.latency_ms, sample.p99_latency_ms) else { return Err(self.fault("no request gets through")) };
        Ok(Run { throughput: sample.tps.unwrap_or(sample.iops), latency: latency / 1e3, p99: p99 / 1e3 })
    }

    /// The generator's twelve steps, of the most that its requesters get when nothing limits them.
    pub(super) fn sweep(&mut self) -> Result<Vec<Step>, CatalogueError> {
        let maximum = self.run(None)?.throughput;
        let mut failed = None;
        let steps = sweep(maximum, |offered| match self.run(Some(offered)) {
            Ok(run) => (run.throughput, run.latency),
            Err(error) => {
                failed = Some(error);
                (0.0, 0.0)
            }
        });
        failed.map_or(Ok(steps), Err)
    }

    /// The offered load at which the mean latency passes so many seconds, between nothing and the most; `None` when it never does.
    pub(super) fn crossing(&mut self, latency: f64, steps: &[Step]) -> Result<Option<f64>, CatalogueError> {
        let highest = peak(steps).map_or(0.0, |step| step.throughput);
        if steps.iter().all(|step| step.latency <= latency) {
            return Ok(None);
        }
        let (mut low, mut high) = (0.0, highest);
        while high - low > 1.0 {
            let middle = 0.5 * (low + high);
            if self.run(Some(middle))?.latency > latency { high = middle } else { low = middle }
        }
        Ok(Some(0.5 * (low + high)))
    }

    /// What one request of the load passes, for the fit.
    pub(super) fn path(&self) -> Result<Path, CatalogueError> {
        path::fit_path(&self.world.array, &self.world.workloads).ok_or_else(|| self.fault("no request gets through"))
    }

    fn execute(&mut self, operation: Value) -> Result<(), CatalogueError> {
        let operation: AnyOperation = serde_json::from_value(operation).map_err(|error| self.fault(error))?;
        let ctx = Ctx { now: self.world.now(), actor: Actor::new("calibration", "admin", operation.name()) };
        operation.run(&mut self.world, &ctx).map(|_| ()).map_err(|error| self.fault(error))
    }

    fn fault(&self, message: impl std::fmt::Display) -> CatalogueError {
        CatalogueError::Fixture { file: self.file.clone(), message: message.to_string() }
    }
}
