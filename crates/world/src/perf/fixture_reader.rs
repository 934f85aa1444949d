//! Test support: the AF250's fixtures.

use serde::Deserialize;

use crate::model;
use crate::units::{Bytes, PartsPerMillion, SimSpan};

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Stated {
    pub(super) value: u64,
}

impl Stated {
    pub(super) fn bytes(&self) -> Bytes {
        Bytes::new(self.value)
    }

    fn ppm(&self) -> PartsPerMillion {
        PartsPerMillion(self.value)
    }
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Workload {
    pub(super) name: String,
    pub(super) unit: String,
    pub(super) ios_per_unit: Stated,
    pub(super) block_size: Stated,
    pub(super) read_ppm: Stated,
    pub(super) sequential_ppm: Stated,
    pub(super) think_us: Stated,
    pub(super) population: Stated,
}

impl Workload {
    /// As an array holds it.
    pub(super) fn profile(&self) -> model::Profile {
        model::Profile {
            name: self.name.clone(),
            unit: if self.unit == "io" { model::WorkUnit::Io } else { model::WorkUnit::Transaction },
            ios_per_unit: self.ios_per_unit.value as u32,
            block_size: self.block_size.bytes(),
            read_ppm: self.read_ppm.ppm(),
            sequential_ppm: self.sequential_ppm.ppm(),
            think: SimSpan(self.think_us.value),
            population: self.population.value,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Workloads {
    workloads: Vec<Workload>,
}

/// A published figure; what the tests of this room do not need is left out.
#[derive(Clone, Debug, Deserialize)]
struct Measurement {
    workload: String,
    data_reduction: Option<bool>,
    metric: String,
    value: u64,
    unit: String,
    #[serde(default = "yes")]
    preferred: bool,
}

const fn yes() -> bool {
    true
}

#[derive(Deserialize)]
pub(super) struct Measurements {
    figures: Vec<Measurement>,
}

impl Measurements {
    /// Value in seconds or operations per second.
    pub(super) fn get(&self, workload: &str, reduced: bool, metric: &str) -> Option<f64> {
        let is_it = |row: &&Measurement| row.preferred && row.workload == workload && row.data_reduction == Some(reduced) && row.metric == metric;
        let row = self.figures.iter().find(is_it)?;
        let scale = match row.unit.as_str() {
            "us" => 1e-6,
            "milli-tps" | "milli-gbps" => 1e-3,
            "iops" => 1.0,
            other => panic!("unit {other}"),
        };
        Some(row.value as f64 * scale)
    }

    pub(super) fn value(&self, workload: &str, metric: &str) -> f64 {
        self.get(workload, false, metric).unwrap_or_else(|| panic!("{workload} {metric}"))
    }
}

#[derive(Clone, Debug, Deserialize)]
struct Drives {
    reads_per_second: Stated,
    writes_per_second: Stated,
    read_bytes_per_second: Stated,
    write_bytes_per_second: Stated,
}

#[derive(Clone, Debug, Deserialize)]
struct Entry {
    workload: String,
    controller_demand_ps: u64,
    base_latency_ns: u64,
    burstiness_ppm: u64,
    population: Option<Stated>,
}

impl Entry {
    fn demand(&self) -> model::WorkloadDemand {
        model::WorkloadDemand {
            controller_demand_ps: self.controller_demand_ps,
            base_latency_ns: self.base_latency_ns,
            burstiness_ppm: PartsPerMillion(self.burstiness_ppm),
            population: self.population.as_ref().map(|population| population.value),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reduction {
    read_ppm: Stated,
    write_ppm: Stated,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CornerNames {
    read_4k: String,
    write_4k: String,
    read_64k: String,
    write_64k: String,
    sequential_operation_ppm: Stated,
}

#[derive(Deserialize)]
pub(super) struct Calibration {
    drives: Vec<Drives>,
    back_end_bytes_per_second: Stated,
    reduction: Reduction,
    tail_ppm: Stated,
    corners: CornerNames,
    workloads: Vec<Entry>,
}

impl Calibration {
    fn entry(&self, workload: &str) -> &Entry {
        self.workloads.iter().find(|entry| entry.workload == workload).unwrap_or_else(|| panic!("{workload}"))
    }

    /// As an array holds it; the drives are SAS SSDs.
    pub(super) fn model(&self) -> model::Calibration {
        let corner = |name: &str| {
            let entry = self.entry(name);
            model::Corner {
                controller_demand_ps: entry.controller_demand_ps,
                base_latency_ns: entry.base_latency_ns,
                burstiness_ppm: PartsPerMillion(entry.burstiness_ppm),
            }
        };
        model::Calibration {
            workloads: self.workloads.iter().map(|entry| (entry.workload.clone(), entry.demand())).collect(),
            corners: model::Corners {
                small_read: corner(&self.corners.read_4k),
                small_write: corner(&self.corners.write_4k),
                large_read: corner(&self.corners.read_64k),
                large_write: corner(&self.corners.write_64k),
                sequential_operation_ppm: self.corners.sequential_operation_ppm.ppm(),
            },
            reduction_read_ppm: self.reduction.read_ppm.ppm(),
            reduction_write_ppm: self.reduction.write_ppm.ppm(),
            tail_ppm: self.tail_ppm.ppm(),
            tail_rise_ppm: PartsPerMillion(0),
            drives: [(model::DriveType::SasSsd, self.drives[0].rates())].into(),
            back_end_link: self.back_end_bytes_per_second.bytes(),
            variants: Vec::new(),
        }
    }
}

fn read<T: for<'de> Deserialize<'de>>(text: &str) -> T {
    serde_saphyr::from_str(text).unwrap_or_else(|error| panic!("{error}"))
}

pub(super) fn workloads() -> Vec<Workload> {
    let files = [
        include_str!("../../../../fixtures/workloads/four-corners.yaml"),
        include_str!("../../../../fixtures/workloads/databases.yaml"),
        include_str!("../../../../fixtures/workloads/virtual-desktops.yaml"),
        include_str!("../../../../fixtures/workloads/transactions.yaml"),
    ];
    files.into_iter().flat_map(|file| read::<Workloads>(file).workloads).collect()
}

pub(super) fn workload(name: &str) -> Workload {
    workloads().into_iter().find(|workload| workload.name == name).unwrap_or_else(|| panic!("{name}"))
}

pub(super) fn measurements() -> Measurements {
    read(include_str!("../../../../fixtures/measurements/eternus-af250.yaml"))
}

pub(super) fn calibration() -> Calibration {
    read(include_str!("../../../../fixtures/calibration/eternus-af250.yaml"))
}

impl Drives {
    fn rates(&self) -> model::DriveRates {
        model::DriveRates {
            read_iops: self.reads_per_second.value,
            write_iops: self.writes_per_second.value,
            read_bytes: self.read_bytes_per_second.bytes(),
            write_bytes: self.write_bytes_per_second.bytes(),
        }
    }
}
