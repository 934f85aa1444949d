//! What reviews have published of a model, as points beside which a modelled curve can be laid.

use std::collections::BTreeMap;

use super::figure::{Figure, Metric, figures, profile_of};

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

/// What was published of a profile on a model, with data reduction or without: the peak of a load generator's curve, or every run with
/// its users. In order of throughput. Of a model that was measured over several protocols, over Fibre Channel.
#[must_use]
pub fn published(model: &str, profile: &str, data_reduction: bool) -> Vec<Published> {
    let all = figures().unwrap_or_default();
    let file = all.iter().find(|(name, _)| name.strip_prefix(model).is_some_and(|rest| rest.is_empty() || rest == "-fc"));
    let mut runs: BTreeMap<(&str, &str), BTreeMap<Metric, &'static Figure>> = BTreeMap::new();
    let of_these =
        |figure: &&Figure| figure.is_measured() && figure.data_reduction.is_none_or(|on| on == data_reduction) && profile_of(&figure.workload).0 == profile;
    for figure in file.iter().flat_map(|(_, file)| &file.figures).filter(of_these) {
        runs.entry((&figure.workload, &figure.configuration)).or_default().insert(figure.metric, figure);
    }
    let mut points: Vec<Published> = runs.values().filter_map(point).collect();
    points.sort_by(|one, other| one.throughput.total_cmp(&other.throughput));
    points
}

fn point(figures: &BTreeMap<Metric, &'static Figure>) -> Option<Published> {
    let of = |throughput: Metric, latency: Metric| Some((*figures.get(&throughput)?, *figures.get(&latency)?));
    let (throughput, latency) = of(Metric::Tps, Metric::AvgLatencyMs).or_else(|| of(Metric::PeakIops, Metric::LatencyAtPeakMs))?;
    let (_, users) = profile_of(&throughput.workload);
    Some(Published { throughput: throughput.printed(), latency_ms: latency.printed(), users, source: &throughput.source })
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
        assert_eq!(published("eternus-af250-s2", "sysbench", false).len(), 4);
        assert!(published("eternus-af250", "sql-80-20", true).is_empty() && published("unlimited", "sql", false).is_empty());
    }

    #[test]
    fn a_model_of_several_protocols_shows_fibre_channel() {
        let reads = published("aff-a250", "4k-random-read", true);
        assert_eq!(reads.iter().map(|point| point.throughput).collect::<Vec<_>>(), [594_388.0]);
    }
}
