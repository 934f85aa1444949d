//! From a recipe and its figures to a calibration.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use super::bench::Bench;
use super::curves;
use super::entry::Entry;
use super::figure::{Figure, Metric};
use super::recipe::{Drives, Recipe, Tail, recipes};
use super::special;
use crate::catalogue::{CatalogueError, Sourced};
use crate::model::{self, Calibration, Corner, DriveRates, WorkloadDemand};
use crate::perf::demand;
use crate::perf::path;
use crate::units::{Bytes, PartsPerMillion};

/// A figure, by where it stands.
pub(super) type Place = (&'static str, &'static str, Metric);

/// A calibration as it is fitted.
#[derive(Debug)]
pub(super) struct Fitting {
    pub(super) recipe: &'static Recipe,
    pub(super) drives: Vec<Drives>,
    pub(super) write_ppm: Sourced<u64>,
    pub(super) tail_ppm: Sourced<u64>,
    pub(super) tail_rise_ppm: Option<Sourced<u64>>,
    /// In order of profile.
    pub(super) entries: Vec<Entry>,
    /// The figures that were used.
    pub(super) used: BTreeSet<Place>,
    /// Parameters that these figures gave.
    pub(super) parameters: u64,
    /// The median burstiness of its curves, for those that do not show theirs.
    pub(super) median_burstiness: Option<f64>,
}

/// What the parts of a fit share.
pub(super) struct Desk<'a> {
    pub(super) recipe: &'static Recipe,
    pub(super) figures: Vec<&'static Figure>,
    pub(super) bench: Bench,
    /// Those that are done already.
    pub(super) earlier: &'a [Fitting],
    pub(super) fitting: Fitting,
}

/// All calibrations, in the order of their recipes.
pub(super) fn fittings() -> Result<&'static [Fitting], CatalogueError> {
    static KEPT: OnceLock<Result<Vec<Fitting>, CatalogueError>> = OnceLock::new();
    KEPT.get_or_init(fit_all).as_deref().map_err(Clone::clone)
}

fn fit_all() -> Result<Vec<Fitting>, CatalogueError> {
    let mut done: Vec<Fitting> = Vec::new();
    for recipe in recipes()? {
        let fitting = Desk::of(recipe, &done)?.fit()?;
        done.push(fitting);
    }
    Ok(done)
}

/// A sourced number.
pub(super) fn stated(value: u64, source: impl Into<String>) -> Sourced<u64> {
    Sourced { value, source: source.into(), doubt: None, note: None }
}

impl<'a> Desk<'a> {
    fn of(recipe: &'static Recipe, earlier: &'a [Fitting]) -> Result<Desk<'a>, CatalogueError> {
        let (tail_ppm, write_ppm) = match (&recipe.tail, &recipe.reduction.write_ppm) {
            (Tail::Stated(tail), write) => (tail.clone(), write.clone()),
            (Tail::Fitted(_), write) => (stated(1_000_000, ""), write.clone()),
        };
        let fitting = Fitting {
            recipe,
            drives: recipe.drives.clone(),
            write_ppm: write_ppm.unwrap_or_else(|| stated(1_000_000, "")),
            tail_ppm,
            tail_rise_ppm: None,
            entries: Vec::new(),
            used: BTreeSet::new(),
            parameters: 0,
            median_burstiness: None,
        };
        Ok(Desk { recipe, figures: recipe.figures()?, bench: Bench::of(recipe)?, earlier, fitting })
    }

    /// The desk of a finished fit, its calibration on the bench.
    pub(super) fn again(fitting: &Fitting) -> Result<Desk<'static>, CatalogueError> {
        let mut desk = Desk::of(fitting.recipe, &[])?;
        desk.bench.calibrate(fitting.calibration()?);
        Ok(desk)
    }

    fn fit(mut self) -> Result<Fitting, CatalogueError> {
        special::drives(&mut self)?;
        self.bench.calibrate(self.placeholder());
        curves::fit(&mut self)?;
        special::fio(&mut self)?;
        special::sysbench(&mut self)?;
        special::tpcc(&mut self)?;
        self.borrow()?;
        self.bound()?;
        special::tail(&mut self)?;
        self.compute_rest()?;
        self.fitting.entries.sort_by(|one, other| one.profile.cmp(&other.profile));
        Ok(self.fitting)
    }

    /// A calibration with this one's drives, in which every profile takes a microsecond of the controllers.
    fn placeholder(&self) -> Calibration {
        let demand = WorkloadDemand { controller_demand_ps: 1_000_000, base_latency_ns: 0, burstiness_ppm: PartsPerMillion::ONE, population: None };
        let workloads = self.bench.profiles().map(|profile| (profile.name.clone(), demand)).collect();
        let corner = Corner { controller_demand_ps: 1_000_000, base_latency_ns: 0, burstiness_ppm: PartsPerMillion::ONE };
        self.fitting.as_held(workloads, [corner; 4])
    }

    /// What another calibration says of what this one's figures do not.
    fn borrow(&mut self) -> Result<(), CatalogueError> {
        if let Some(like) = &self.recipe.like {
            let capacity = like.capacity_ppm.value as f64 / 1e6;
            for entry in &self.other(&like.calibration)?.entries {
                if self.entry(&entry.profile).is_none() {
                    self.fitting.entries.push(entry.borrowed(&entry.profile, capacity, &like.says));
                }
            }
        }
        if let Some(renamed) = &self.recipe.renamed {
            for entry in self.other(&renamed.calibration)?.entries.iter().filter(|entry| entry.profile.starts_with("fio-")) {
                self.fitting.entries.push(entry.borrowed(&format!("{}{}", entry.profile, renamed.suffix), 1.0, &renamed.says));
            }
        }
        Ok(())
    }

    /// What nobody measured, but something bounds.
    fn bound(&mut self) -> Result<(), CatalogueError> {
        for (profile, bound) in &self.recipe.bounds {
            self.bench.load(profile, self.volumes(), None)?;
            let path = self.bench.path()?;
            let demand = WorkloadDemand {
                controller_demand_ps: (path.controllers / bound.capacity.max(1) as f64 * 1e12).round() as u64,
                base_latency_ns: 1000 * bound.base_latency_us,
                burstiness_ppm: PartsPerMillion(bound.burstiness_ppm),
                population: None,
            };
            self.fitting.entries.push(Entry { profile: profile.clone(), demand, source: bound.source.clone(), fit: None });
        }
        Ok(())
    }

    /// All profiles that are left, from the corners.
    fn compute_rest(&mut self) -> Result<(), CatalogueError> {
        let Some(says) = &self.recipe.rest else { return Ok(()) };
        let held = self.fitting.calibration()?;
        let own_fio = self.recipe.fio.is_some();
        let wanted = |name: &str| if name.starts_with("fio-") { own_fio && !name.ends_with("-smb3") } else { true };
        let left: Vec<_> = self.bench.profiles().filter(|profile| wanted(&profile.name) && self.entry(&profile.name).is_none()).cloned().collect();
        for profile in left {
            let demand = path::computed(&held, &profile);
            self.fitting.entries.push(Entry { profile: profile.name, demand, source: says.clone(), fit: None });
        }
        Ok(())
    }

    pub(super) fn other(&self, name: &str) -> Result<&'a Fitting, CatalogueError> {
        let found = self.earlier.iter().find(|fitting| fitting.recipe.calibration == name);
        found.ok_or_else(|| self.recipe.fault(format!("{name} is not fitted before")))
    }

    pub(super) fn entry(&self, profile: &str) -> Option<&Entry> {
        self.fitting.entries.iter().find(|entry| entry.profile == profile)
    }

    /// The volumes of the configuration that is fitted.
    pub(super) fn volumes(&self) -> &'static [String] {
        self.recipe.runs.first().map(|run| run.volumes.as_slice()).unwrap_or_default()
    }

    /// The factor that data reduction puts on the controllers' work of a profile on the volumes of the fit.
    pub(super) fn reduction(&self, profile: &str) -> Result<f64, CatalogueError> {
        if !self.bench.is_reduced(self.volumes()) {
            return Ok(1.0);
        }
        let read_share = self.bench.profile(profile)?.read_ppm.factor();
        Ok(demand::reduction(read_share, self.recipe.reduction.read_ppm.value as f64 / 1e6, self.fitting.write_ppm.value as f64 / 1e6))
    }

    /// Notes that a figure is used.
    pub(super) fn uses(&mut self, figure: &'static Figure) {
        self.fitting.used.insert(figure.place());
    }

    /// "StorageReview AF250 review, fitted: ..".
    pub(super) fn says(&self, how: &str) -> String {
        format!("{}, fitted: {how}", self.recipe.review)
    }
}

impl Fitting {
    /// As an array holds it.
    pub(super) fn calibration(&self) -> Result<Calibration, CatalogueError> {
        let workloads: BTreeMap<_, _> = self.entries.iter().map(|entry| (entry.profile.clone(), entry.demand)).collect();
        let corner = |name: &str| {
            let found: &WorkloadDemand = workloads.get(name).ok_or_else(|| self.recipe.fault(format!("the corner '{name}' is not fitted")))?;
            let WorkloadDemand { controller_demand_ps, base_latency_ns, burstiness_ppm, .. } = *found;
            Ok::<Corner, CatalogueError>(Corner { controller_demand_ps, base_latency_ns, burstiness_ppm })
        };
        let names = &self.recipe.corners;
        let corners = [corner(&names.read_4k)?, corner(&names.write_4k)?, corner(&names.read_64k)?, corner(&names.write_64k)?];
        Ok(self.as_held(workloads, corners))
    }

    fn as_held(&self, workloads: BTreeMap<String, WorkloadDemand>, corners: [Corner; 4]) -> Calibration {
        let [small_read, small_write, large_read, large_write] = corners;
        let rates = |drives: &Drives| DriveRates {
            read_iops: drives.reads_per_second.value,
            write_iops: drives.writes_per_second.value,
            read_bytes: Bytes::new(drives.read_bytes_per_second.value),
            write_bytes: Bytes::new(drives.write_bytes_per_second.value),
        };
        Calibration {
            workloads,
            corners: model::Corners {
                small_read,
                small_write,
                large_read,
                large_write,
                sequential_operation_ppm: PartsPerMillion(self.recipe.corners.sequential_operation_ppm.value),
            },
            reduction_read_ppm: PartsPerMillion(self.recipe.reduction.read_ppm.value),
            reduction_write_ppm: PartsPerMillion(self.write_ppm.value),
            tail_ppm: PartsPerMillion(self.tail_ppm.value),
            tail_rise_ppm: PartsPerMillion(self.tail_rise_ppm.as_ref().map_or(0, |rise| rise.value)),
            drives: self.drives.iter().map(|drives| (drives.drive_type, rates(drives))).collect(),
            back_end_link: Bytes::new(self.recipe.back_end_bytes_per_second.value),
            variants: Vec::new(),
        }
    }
}

impl Figure {
    /// Where it stands.
    pub(super) fn place(&'static self) -> Place {
        (&self.configuration, &self.workload, self.metric)
    }
}
