//! Published figures.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::catalogue::CatalogueError;
use crate::perf::fit;
pub use crate::perf::fit::Qualifier;

/// What a figure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Metric {
    /// Operations per second at which the mean latency passes 1 ms.
    #[serde(rename = "iops_at_1ms")]
    IopsAt1ms,
    /// Most operations per second.
    PeakIops,
    /// Mean latency there.
    LatencyAtPeakMs,
    /// Mean latency at the first step of the load.
    StartLatencyMs,
    /// Bytes per second at which the mean latency passes 1 ms, as the review counts them.
    #[serde(rename = "bandwidth_gbps_at_1ms")]
    BandwidthGbpsAt1ms,
    /// Most bytes per second, as the review counts them.
    BandwidthGbpsAtPeak,
    /// Transactions per second.
    Tps,
    /// Mean latency.
    AvgLatencyMs,
    /// 99th percentile of the latency.
    P99LatencyMs,
    /// Longest latency.
    MaxLatencyMs,
    /// Standard deviation of the latency.
    StddevMs,
    /// Transactions per second of the slowest virtual machine.
    VmMinTps,
    /// Transactions per second of the fastest virtual machine.
    VmMaxTps,
    /// Mean latency of the fastest virtual machine.
    VmMinLatencyMs,
    /// Mean latency of the slowest virtual machine.
    VmMaxLatencyMs,
    /// What the vendor quotes.
    QuotedIops,
    /// What the vendor quotes.
    QuotedMinLatencyMs,
    /// What the vendor quotes.
    QuotedThroughputGbitS,
    /// On the server itself.
    IopsLocal,
    /// A result of the SPC-1 benchmark.
    #[serde(rename = "spc1_iops")]
    Spc1Iops,
}

impl Metric {
    /// Why the model has no such number; `None`: it has.
    pub const fn why_not_modelled(self) -> Option<&'static str> {
        match self {
            Metric::VmMinTps | Metric::VmMaxTps | Metric::VmMinLatencyMs | Metric::VmMaxLatencyMs => {
                Some("the model has one population, not virtual machines that differ")
            }
            Metric::MaxLatencyMs => Some("the law has a mean and a tail, not a longest latency"),
            Metric::StddevMs => Some("the law has a mean and a tail; the standard deviation between samples is the review's"),
            _ => None,
        }
    }
    /// The word for it.
    pub fn word(self) -> String {
        serde_json::to_value(self).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
    }
}

/// A published figure.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Figure {
    pub(super) workload: String,
    pub(super) configuration: String,
    pub(super) data_reduction: Option<bool>,
    pub(super) metric: Metric,
    value: u64,
    unit: Unit,
    resolution: u64,
    pub(super) qualifier: Qualifier,
    /// What of one I/O the review's "GB/s" counts.
    #[serde(default)]
    pub(super) counted_bytes: Option<u64>,
    #[serde(default = "yes")]
    preferred: bool,
    #[serde(default)]
    derived: bool,
    pub(super) source: String,
    #[serde(default)]
    pub(super) doubt: Option<String>,
    /// Why it contradicts another figure of the same source.
    #[serde(default)]
    pub(super) contradiction: Option<String>,
}

const fn yes() -> bool {
    true
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Unit {
    Iops,
    Us,
    MilliTps,
    MilliGbps,
    Gbit,
}

impl Figure {
    /// As printed: operations or transactions per second, milliseconds, "GB/s".
    pub(super) fn printed(&self) -> f64 {
        self.scaled(self.value)
    }
    /// One unit of its last printed digit.
    pub(super) fn digit(&self) -> f64 {
        self.scaled(self.resolution)
    }
    fn scaled(&self, value: u64) -> f64 {
        match self.unit {
            Unit::Iops | Unit::Gbit => value as f64,
            Unit::Us | Unit::MilliTps | Unit::MilliGbps => value as f64 / 1e3,
        }
    }
    /// In seconds, or per second.
    pub(super) fn plain(&self) -> f64 {
        if self.unit == Unit::Us { self.printed() / 1e3 } else { self.printed() }
    }
    /// What a fit aims at, in the same units.
    pub(super) fn aim(&self) -> f64 {
        fit::aim(self.plain(), self.qualifier)
    }
    /// Whether it was measured and is stated directly: neither a vendor's promise nor a repetition, nor computed from others.
    pub(super) fn is_measured(&self) -> bool {
        let promised = matches!(self.metric, Metric::QuotedIops | Metric::QuotedMinLatencyMs | Metric::QuotedThroughputGbitS | Metric::Spc1Iops);
        self.preferred && !self.derived && !promised
    }
}

/// The figures of one array.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Figures {
    /// How reports call the array.
    pub(super) key: String,
    pub(super) figures: Vec<Figure>,
}

macro_rules! texts {
    ($($name:literal),+ $(,)?) => {
        [$( ($name, include_str!(concat!("../../../../fixtures/measurements/", $name, ".yaml"))) ),+]
    };
}

/// The embedded files, in the order of reports.
pub(super) const MEASUREMENTS: [(&str, &str); 8] =
    texts!("eternus-af250", "eternus-af250-s2", "aff-a250-fc", "aff-a250-nvme", "aff-a200", "flachesan1l-d", "eternus-dx200f", "oceanstor-dorado2100-g2");

/// The figures of all arrays by file name, in the order of reports.
pub(super) fn figures() -> Result<&'static [(&'static str, Figures)], CatalogueError> {
    static KEPT: OnceLock<Result<Vec<(&'static str, Figures)>, CatalogueError>> = OnceLock::new();
    let read = |(name, text): (&'static str, &str)| {
        let fault = |error: serde_saphyr::Error| CatalogueError::Fixture { file: format!("measurements/{name}.yaml"), message: error.to_string() };
        serde_saphyr::from_str(text).map(|figures| (name, figures)).map_err(fault)
    };
    KEPT.get_or_init(|| MEASUREMENTS.into_iter().map(read).collect()).as_deref().map_err(Clone::clone)
}

/// What a review's name of a run stands for: a profile, and its population if the name says one.
pub(super) fn profile_of(workload: &str) -> (String, Option<u64>) {
    let machines = |prefix: &str| workload.strip_prefix(prefix)?.strip_suffix("vm")?.parse::<u64>().ok();
    if let Some(count) = machines("sysbench-") {
        return ("sysbench".to_owned(), Some(32 * count));
    }
    if let Some(count) = machines("sqlserver-tpcc-") {
        return ("sqlserver-tpcc".to_owned(), Some(15_000 * count));
    }
    if workload == "sqlserver-tpcc-30k-users" {
        return ("sqlserver-tpcc".to_owned(), Some(30_000));
    }
    let fio = ["4k-read", "4k-write", "8k-read", "8k-write", "8k-70-30", "128k-read", "128k-write"].contains(&workload);
    (if fio { format!("fio-{workload}") } else { workload.to_owned() }, None)
}
