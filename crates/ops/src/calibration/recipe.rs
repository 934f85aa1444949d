//! Recipes: how the calibration of each array is fitted, on which reference layout, and what is assumed.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::Deserialize;

use super::figure::{Figure, Figures, Metric, figures, profile_of};
use crate::catalogue::{CatalogueError, Sourced};
use crate::model::DriveType;

/// A file in `fixtures/fits/`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Recipe {
    /// The calibration that it makes.
    pub(super) calibration: String,
    /// The file of its figures.
    #[serde(default)]
    pub(super) measurements: Option<String>,
    /// Who measured, for the sources of what is fitted.
    pub(super) review: String,
    pub(super) model: String,
    /// The scenario that is the reference layout.
    pub(super) scenario: String,
    /// The configurations of the figures, and the volumes that stand for them; the first is the one that is fitted.
    pub(super) runs: Vec<Run>,
    #[serde(default)]
    pub(super) drives: Vec<Drives>,
    #[serde(default)]
    pub(super) fitted_drives: Option<FittedDrives>,
    /// Another calibration, which has the same drives.
    #[serde(default)]
    pub(super) drives_of: Option<String>,
    pub(super) back_end_bytes_per_second: Sourced<u64>,
    pub(super) reduction: Reduction,
    pub(super) tail: Tail,
    pub(super) corners: Corners,
    /// Start latencies that no review states.
    #[serde(default)]
    pub(super) start_latency_us: BTreeMap<String, Sourced<u64>>,
    /// Crossings of 1 ms that are moved, because as published they have no curve.
    #[serde(default)]
    pub(super) degenerate: BTreeMap<String, Sourced<u64>>,
    #[serde(default)]
    pub(super) sysbench_base_us: Option<Sourced<u64>>,
    #[serde(default)]
    pub(super) tpcc: Option<Tpcc>,
    #[serde(default)]
    pub(super) fio: Option<Fio>,
    #[serde(default)]
    pub(super) like: Option<Like>,
    #[serde(default)]
    pub(super) renamed: Option<Renamed>,
    #[serde(default)]
    pub(super) bounds: BTreeMap<String, Bound>,
    /// Computes all other profiles from the corners; says so.
    #[serde(default)]
    pub(super) rest: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Run {
    pub(super) configuration: String,
    pub(super) volumes: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Drives {
    #[serde(rename = "type")]
    pub(super) drive_type: DriveType,
    pub(super) reads_per_second: Sourced<u64>,
    pub(super) writes_per_second: Sourced<u64>,
    pub(super) read_bytes_per_second: Sourced<u64>,
    pub(super) write_bytes_per_second: Sourced<u64>,
}

/// Drives that are the bottleneck, and the profiles that show what they can do.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FittedDrives {
    #[serde(rename = "type")]
    pub(super) drive_type: DriveType,
    pub(super) reads: String,
    pub(super) writes: String,
    pub(super) read_bytes: String,
    pub(super) write_bytes: String,
    pub(super) busy_ppm: Sourced<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Reduction {
    pub(super) read_ppm: Sourced<u64>,
    /// Fitted where it is absent.
    #[serde(default)]
    pub(super) write_ppm: Option<Sourced<u64>>,
}

/// 99th percentile over mean latency.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Tail {
    /// Fitted as `constant`, or as a `line` over the utilization.
    Fitted(TailShape),
    /// Stated.
    Stated(Sourced<u64>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum TailShape {
    Constant,
    Line,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Corners {
    pub(super) read_4k: String,
    pub(super) write_4k: String,
    pub(super) read_64k: String,
    pub(super) write_64k: String,
    pub(super) sequential_operation_ppm: Sourced<u64>,
}

/// What is assumed of TPC-C, beside its runs.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tpcc {
    #[serde(default)]
    pub(super) base_latency_us: Option<Sourced<u64>>,
    #[serde(default)]
    pub(super) capacity_tps: Option<Sourced<u64>>,
    /// Operations of sql-80-20 that a transaction is, where no capacity is given.
    #[serde(default)]
    pub(super) ios: Option<Sourced<u64>>,
    /// What the run with data reduction is aimed at.
    #[serde(default)]
    pub(super) reduced_tps: Option<Sourced<u64>>,
}

/// What is assumed of fio, beside its runs.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Fio {
    pub(super) base_latency_us: Sourced<u64>,
    /// How busy the controller is at the peak.
    pub(super) busy_ppm: Sourced<u64>,
    /// The same where the drives are the bottleneck.
    #[serde(default)]
    pub(super) drives_busy_ppm: Option<Sourced<u64>>,
}

/// Everything as another calibration, with more or less capacity.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Like {
    pub(super) calibration: String,
    pub(super) capacity_ppm: Sourced<u64>,
    pub(super) says: String,
}

/// The fio runs of another calibration under other names.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Renamed {
    pub(super) calibration: String,
    pub(super) suffix: String,
    pub(super) says: String,
}

/// A demand that nobody measured.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Bound {
    pub(super) capacity: u64,
    pub(super) base_latency_us: u64,
    pub(super) burstiness_ppm: u64,
    pub(super) source: String,
}

macro_rules! texts {
    ($($name:literal),+ $(,)?) => {
        [$( ($name, include_str!(concat!("../../../../fixtures/fits/", $name, ".yaml"))) ),+]
    };
}

/// The embedded files, in the order in which one needs another.
pub(super) const FITS: [(&str, &str); 10] = texts!(
    "eternus-af250",
    "eternus-af250-s2",
    "aff-a250-fc",
    "aff-a250-nvme",
    "aff-a200",
    "flachesan1l-d-raw",
    "flachesan1l-d",
    "eternus-dx200f",
    "oceanstor-dorado2100-g2",
    "esds-s16f"
);

/// All recipes, in the order in which one needs another.
pub(super) fn recipes() -> Result<&'static [Recipe], CatalogueError> {
    static KEPT: OnceLock<Result<Vec<Recipe>, CatalogueError>> = OnceLock::new();
    let read = |(name, text): (&str, &str)| {
        let fault = |message: String| CatalogueError::Fixture { file: format!("fits/{name}.yaml"), message };
        let recipe: Recipe = serde_saphyr::from_str(text).map_err(|error| fault(error.to_string()))?;
        if recipe.calibration == name && !recipe.runs.is_empty() { Ok(recipe) } else { Err(fault("it is another's, or has no runs".to_owned())) }
    };
    KEPT.get_or_init(|| FITS.into_iter().map(read).collect()).as_deref().map_err(Clone::clone)
}

impl Recipe {
    /// All figures of its file.
    pub(super) fn file(&self) -> Result<Option<&'static Figures>, CatalogueError> {
        let Some(name) = &self.measurements else { return Ok(None) };
        Ok(figures()?.iter().find(|(file, _)| file == name).map(|(_, figures)| figures))
    }

    /// The measured figures of its configurations, in the order of the file.
    pub(super) fn figures(&self) -> Result<Vec<&'static Figure>, CatalogueError> {
        let of_it = |figure: &&Figure| figure.is_measured() && self.runs.iter().any(|run| run.configuration == figure.configuration);
        Ok(self.file()?.map(|file| file.figures.iter().filter(of_it).collect()).unwrap_or_default())
    }

    /// The volumes that stand for a configuration.
    pub(super) fn volumes(&self, configuration: &str) -> &[String] {
        let run = self.runs.iter().find(|run| run.configuration == configuration).or(self.runs.first());
        run.map(|run| run.volumes.as_slice()).unwrap_or_default()
    }

    /// A refusal that names this recipe.
    pub(super) fn fault(&self, message: impl std::fmt::Display) -> CatalogueError {
        CatalogueError::Fixture { file: format!("fits/{}.yaml", self.calibration), message: message.to_string() }
    }
}

/// The figure of a workload among these.
pub(super) fn find(figures: &[&'static Figure], workload: &str, metric: Metric) -> Option<&'static Figure> {
    figures.iter().find(|figure| figure.workload == workload && figure.metric == metric).copied()
}

/// The names of the runs of a profile among these, each with its population, smallest first.
pub(super) fn runs_of(figures: &[&'static Figure], profile: &str) -> Vec<(&'static str, u64)> {
    let mut runs: Vec<(&str, u64)> = Vec::new();
    for figure in figures {
        let (of, population) = profile_of(&figure.workload);
        if of == profile && !runs.iter().any(|(name, _)| *name == figure.workload) {
            runs.push((&figure.workload, population.unwrap_or(0)));
        }
    }
    runs.sort_by_key(|(_, population)| *population);
    runs
}
