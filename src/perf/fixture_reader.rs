//! Test support: the AF250's fixtures, and its reference layout as a network.

use serde::Deserialize;

use super::custom::{Corner, Corners};
use super::demand::{Behind, DriveRates, Io, WriteCost, back_end, drives, port};
use super::fit::{Fit, Other, Qualifier};
use super::net::{Class, Net};
use crate::model;
use crate::units::{Bytes, PartsPerMillion, SimSpan};

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Stated {
    pub(super) value: u64,
    pub(super) source: String,
}

impl Stated {
    pub(super) fn number(&self) -> f64 {
        self.value as f64
    }

    fn share(&self) -> f64 {
        self.number() / 1e6
    }

    pub(super) fn bytes(&self) -> Bytes {
        Bytes::new(self.value)
    }

    fn ppm(&self) -> PartsPerMillion {
        PartsPerMillion(self.value)
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Workload {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) unit: String,
    pub(super) ios_per_unit: Stated,
    pub(super) block_size: Stated,
    pub(super) read_ppm: Stated,
    pub(super) sequential_ppm: Stated,
    pub(super) think_us: Stated,
    pub(super) population: Stated,
}

impl Workload {
    pub(super) fn io(&self) -> Io {
        Io { bytes: self.block_size.number(), read_share: self.read_ppm.share(), sequential_share: self.sequential_ppm.share() }
    }

    pub(super) fn think(&self) -> f64 {
        self.think_us.share()
    }

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

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Measurement {
    pub(super) workload: String,
    #[serde(rename = "configuration")]
    _configuration: String,
    pub(super) data_reduction: Option<bool>,
    pub(super) metric: String,
    pub(super) value: u64,
    pub(super) unit: String,
    #[serde(rename = "resolution")]
    _resolution: u64,
    pub(super) qualifier: String,
    #[serde(rename = "source")]
    _source: String,
    #[serde(rename = "doubt")]
    _doubt: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Measurements {
    #[serde(rename = "array")]
    _array: String,
    pub(super) measurements: Vec<Measurement>,
}

impl Measurements {
    /// Value in seconds or operations per second, with its qualifier.
    pub(super) fn get(&self, workload: &str, reduced: bool, metric: &str) -> Option<(f64, Qualifier)> {
        let row = self.measurements.iter().find(|row| row.workload == workload && row.data_reduction == Some(reduced) && row.metric == metric)?;
        let scale = match row.unit.as_str() {
            "us" => 1e-6,
            "milli-tps" | "milli-gbps" => 1e-3,
            "iops" => 1.0,
            other => panic!("unit {other}"),
        };
        let qualifier = match row.qualifier.as_str() {
            "exact" => Qualifier::Exact,
            "about" => Qualifier::About,
            "over" => Qualifier::Over,
            "just_under" => Qualifier::JustUnder,
            "never_above" => Qualifier::NeverAbove,
            other => panic!("qualifier {other}"),
        };
        Some((row.value as f64 * scale, qualifier))
    }

    pub(super) fn value(&self, workload: &str, metric: &str) -> f64 {
        self.get(workload, false, metric).map_or_else(|| panic!("{workload} {metric}"), |found| found.0)
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Layout {
    pub(super) controllers: Stated,
    pub(super) host_ports: Stated,
    pub(super) host_port_bytes_per_second: Stated,
    pub(super) raid_groups: Stated,
    pub(super) drives_per_group: Stated,
    pub(super) raid_level: Named,
    #[serde(rename = "drive_type")]
    _drive_type: Named,
    pub(super) drive_reads_per_second: Stated,
    pub(super) drive_writes_per_second: Stated,
    pub(super) drive_read_bytes_per_second: Stated,
    pub(super) drive_write_bytes_per_second: Stated,
    pub(super) back_end_bytes_per_second: Stated,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Named {
    pub(super) value: String,
    #[serde(rename = "source")]
    _source: String,
}

#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    pub(super) workload: String,
    pub(super) controller_demand_ps: u64,
    pub(super) base_latency_ns: u64,
    pub(super) burstiness_ppm: u64,
    pub(super) source: String,
    pub(super) population: Option<Inferred>,
}

#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub(super) struct Inferred {
    pub(super) value: u64,
    pub(super) source: String,
}

impl Entry {
    pub(super) fn fit(&self) -> Fit {
        Fit { base_latency: self.base_latency_ns as f64 / 1e9, capacity: 2e12 / self.controller_demand_ps as f64, burstiness: self.burstiness_ppm as f64 / 1e6 }
    }

    fn demand(&self) -> model::WorkloadDemand {
        model::WorkloadDemand {
            controller_demand_ps: self.controller_demand_ps,
            base_latency_ns: self.base_latency_ns,
            burstiness_ppm: PartsPerMillion(self.burstiness_ppm),
            population: self.population.as_ref().map(|population| population.value),
        }
    }

    fn corner(&self) -> Corner {
        let fit = self.fit();
        Corner { demand: fit.controller_demand(), base_latency: fit.base_latency, burstiness: fit.burstiness }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Reduction {
    pub(super) read_ppm: Stated,
    pub(super) write_ppm: Stated,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CornerNames {
    read_4k: String,
    write_4k: String,
    read_64k: String,
    write_64k: String,
    pub(super) sequential_operation_ppm: Stated,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Calibration {
    #[serde(rename = "array")]
    _array: String,
    pub(super) reference_layout: Layout,
    pub(super) reduction: Reduction,
    pub(super) tail_ppm: Stated,
    pub(super) corners: CornerNames,
    pub(super) workloads: Vec<Entry>,
}

impl Calibration {
    pub(super) fn entry(&self, workload: &str) -> &Entry {
        self.workloads.iter().find(|entry| entry.workload == workload).unwrap_or_else(|| panic!("{workload}"))
    }

    pub(super) fn corners(&self) -> Corners {
        let corner = |name: &str| self.entry(name).corner();
        Corners {
            read_4k: corner(&self.corners.read_4k),
            write_4k: corner(&self.corners.write_4k),
            read_64k: corner(&self.corners.read_64k),
            write_64k: corner(&self.corners.write_64k),
            sequential_operation: self.corners.sequential_operation_ppm.share(),
        }
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
            drives: [(model::DriveType::SasSsd, self.reference_layout.drive_rates())].into(),
            back_end_link: self.reference_layout.back_end_bytes_per_second.bytes(),
        }
    }
}

fn read<T: for<'de> Deserialize<'de>>(text: &str) -> T {
    serde_saphyr::from_str(text).unwrap_or_else(|error| panic!("{error}"))
}

pub(super) fn workloads() -> Vec<Workload> {
    let files = [
        include_str!("../../fixtures/workloads/four-corners.yaml"),
        include_str!("../../fixtures/workloads/databases.yaml"),
        include_str!("../../fixtures/workloads/virtual-desktops.yaml"),
        include_str!("../../fixtures/workloads/transactions.yaml"),
    ];
    files.into_iter().flat_map(|file| read::<Workloads>(file).workloads).collect()
}

pub(super) fn workload(name: &str) -> Workload {
    workloads().into_iter().find(|workload| workload.name == name).unwrap_or_else(|| panic!("{name}"))
}

pub(super) fn measurements() -> Measurements {
    read(include_str!("../../fixtures/measurements/eternus-af250.yaml"))
}

pub(super) fn calibration() -> Calibration {
    read(include_str!("../../fixtures/calibration/eternus-af250.yaml"))
}

impl Layout {
    fn drive_rates(&self) -> model::DriveRates {
        model::DriveRates {
            read_iops: self.drive_reads_per_second.value,
            write_iops: self.drive_writes_per_second.value,
            read_bytes: self.drive_read_bytes_per_second.bytes(),
            write_bytes: self.drive_write_bytes_per_second.bytes(),
        }
    }

    /// Demands of one unit of work that goes through volume `volume`, the controller left out:
    /// resources 0 and 1 are the controllers, then ports, drive groups, back-end links.
    fn path(&self, workload: &Workload, volume: usize) -> Vec<(usize, f64)> {
        assert_eq!((self.raid_level.value.as_str(), self.controllers.value, self.raid_groups.value), ("RAID1+0", 2, 2));
        let (io, ios) = (workload.io(), workload.ios_per_unit.number());
        let rates = DriveRates {
            reads: self.drive_reads_per_second.number(),
            writes: self.drive_writes_per_second.number(),
            read_bytes: self.drive_read_bytes_per_second.number(),
            write_bytes: self.drive_write_bytes_per_second.number(),
        };
        let ports = self.host_ports.value as u32;
        let through_port = ios * port(io.bytes, self.host_port_bytes_per_second.number(), ports);
        let mut path: Vec<(usize, f64)> = (2..2 + ports as usize).map(|r| (r, through_port)).collect();
        let group = 2 + ports as usize + volume;
        path.push((group, ios * drives(&io, &rates, self.drives_per_group.value as u32, WriteCost::Mirrored, &Behind::PLAIN)));
        path.push((group + 2, ios * back_end(&io, self.back_end_bytes_per_second.number(), WriteCost::Mirrored, &Behind::PLAIN)));
        path
    }

    /// The same, as the fit wants it.
    pub(super) fn others(&self, workload: &Workload) -> Vec<Other> {
        let ports = self.host_ports.value as usize;
        let share = |r: usize| if r < 2 + ports { 1.0 } else { 0.5 };
        self.path(workload, 0).into_iter().map(|(r, demand)| Other { demand, share: share(r) }).collect()
    }

    /// The whole network: the workload split evenly over two volumes, `population` and `cap`
    /// in total, the controllers' demand multiplied by `factor`.
    pub(super) fn net(&self, workload: &Workload, fit: &Fit, population: f64, cap: f64, factor: f64) -> Net {
        let class = |volume: usize| {
            let mut demands = vec![(volume, factor * fit.controller_demand())];
            demands.extend(self.path(workload, volume));
            Class { population: population / 2.0, think: workload.think(), base_latency: fit.base_latency, burstiness: fit.burstiness, cap: cap / 2.0, demands }
        };
        Net { resources: 2 + self.host_ports.value as usize + 4, classes: vec![class(0), class(1)] }
    }
}
