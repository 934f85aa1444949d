//! One workload of a calibration, and where its numbers come from.

use crate::model::WorkloadDemand;
use crate::perf::fit::{Fit, Path};
use crate::units::PartsPerMillion;

/// What one request of a profile costs, with its source.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) profile: String,
    pub(super) demand: WorkloadDemand,
    pub(super) source: String,
    /// The curve behind it, where figures were fitted.
    pub(super) fit: Option<(Fit, Path)>,
}

impl Entry {
    /// Of a fitted curve; `reduction` is the factor on the controllers' work with which it was measured, which the plain demand is without.
    pub(super) fn fitted(profile: &str, fit: Fit, path: Path, reduction: f64, source: String) -> Entry {
        let demand = WorkloadDemand {
            controller_demand_ps: (path.controller_demand(fit.capacity) / reduction * 1e12).round() as u64,
            base_latency_ns: (fit.base_latency * 1e9).round() as u64,
            burstiness_ppm: PartsPerMillion((fit.burstiness * 1e6).round() as u64),
            population: None,
        };
        Entry { profile: profile.to_owned(), demand, source, fit: Some((fit, path)) }
    }

    /// The same demand under another name or with more capacity, as somebody says.
    pub(super) fn borrowed(&self, profile: &str, capacity: f64, says: &str) -> Entry {
        let controller_demand_ps = (self.demand.controller_demand_ps as f64 / capacity).round() as u64;
        let demand = WorkloadDemand { controller_demand_ps, population: None, ..self.demand };
        Entry { profile: profile.to_owned(), demand, source: says.to_owned(), fit: None }
    }
}
