//! What reviews have published of a model, as points beside which a modelled curve can be laid.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::fixtures::{Fixture, MEASUREMENTS};
use super::library::Library;

/// A point that a review has published.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Published {
    /// Requests per second: I/O operations or transactions.
    pub throughput: f64,
    /// Mean latency in milliseconds.
    pub latency_ms: f64,
    /// The users that asked, where the review says how many.
    pub users: Option<u64>,
    /// Who has published it.
    pub source: &'static str,
}

#[derive(Debug, Deserialize)]
struct File {
    #[serde(alias = "figures")]
    measurements: Vec<Figure>,
}

#[derive(Debug, Deserialize)]
struct Figure {
    workload: String,
    data_reduction: bool,
    metric: String,
    value: u64,
    #[serde(default = "yes")]
    preferred: bool,
    source: String,
}

const fn yes() -> bool {
    true
}

static SHELF: Library<File, { MEASUREMENTS.len() }> = Library::new(MEASUREMENTS, read);

/// Users of one virtual machine, by profile: reviews name runs by their machines.
const PER_MACHINE: [(&str, u64); 2] = [("sqlserver-tpcc", 15_000), ("sysbench", 32)];

/// What was published of a profile on a model, with data reduction or without: the peak of a load generator's curve, or every run with
/// its users. In order of throughput.
#[must_use]
pub fn published(model: &str, profile: &str, data_reduction: bool) -> Vec<Published> {
    let Some(Ok(file)) = SHELF.get(model) else { return Vec::new() };
    let mut runs: BTreeMap<&str, BTreeMap<&str, &'static Figure>> = BTreeMap::new();
    for figure in file.measurements.iter().filter(|figure| figure.preferred && figure.data_reduction == data_reduction) {
        runs.entry(&figure.workload).or_default().insert(figure.metric.trim_end_matches("_ms"), figure);
    }
    let mut points: Vec<Published> = runs.into_iter().filter_map(|(run, figures)| point(run, profile, &figures)).collect();
    points.sort_by(|one, other| one.throughput.total_cmp(&other.throughput));
    points
}

fn point(run: &str, profile: &str, figures: &BTreeMap<&str, &'static Figure>) -> Option<Published> {
    let value = |metric: &str| figures.get(metric).map(|figure| figure.value as f64);
    if run == profile {
        let (throughput, latency) = (value("peak_iops")?, value("latency_at_peak")?);
        return Some(Published { throughput, latency_ms: latency / 1e3, users: None, source: &figures.get("peak_iops")?.source });
    }
    let machines: u64 = run.strip_prefix(profile)?.strip_prefix('-')?.strip_suffix("vm")?.parse().ok()?;
    let users = PER_MACHINE.iter().find(|(name, _)| *name == profile).map(|(_, each)| each * machines);
    Some(Published { throughput: value("tps")? / 1e3, latency_ms: value("avg_latency")? / 1e3, users, source: &figures.get("tps")?.source })
}

fn read(fixture: &Fixture) -> Result<File, String> {
    serde_saphyr::from_str(fixture.text).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::published;

    #[test]
    fn runs_are_found_with_their_users_and_peaks_without() {
        let users =
            |reduced| published("eternus-af250", "sqlserver-tpcc", reduced).iter().map(|run| (run.users, run.throughput, run.latency_ms)).collect::<Vec<_>>();
        assert_eq!(users(false), [(Some(60_000), 12_622.1, 9.8)]);
        assert_eq!(users(true), [(Some(60_000), 9_836.6, 1_374.3)]);
        let machines: Vec<_> = published("eternus-af250", "sysbench", false).iter().map(|run| run.users).collect();
        assert_eq!(machines, [Some(128), Some(256), Some(512)]);
        assert_eq!(published("eternus-af250", "sql-80-20", false).len(), 1);
        assert!(published("eternus-af250", "sql-80-20", true).is_empty() && published("unlimited", "sql", false).is_empty());
    }
}
