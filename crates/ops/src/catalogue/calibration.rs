//! What was measured of models.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::fixtures::{CALIBRATIONS, Fixture};
use super::library::Library;
use super::{CatalogueError, Sourced, yaml};
use crate::model::{Calibration, Corner, Corners, DriveRates, DriveType, Protocol, RaidLevel, Variant, WorkloadDemand};
use crate::units::{Bytes, PartsPerMillion};

static SHELF: Library<Calibration, { CALIBRATIONS.len() }> = Library::new(CALIBRATIONS, read);

/// Another calibration of a model, and the volumes of which it counts.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct VariantSpec {
    calibration: String,
    #[serde(default)]
    protocol: Option<Protocol>,
    #[serde(default)]
    raid_level: Option<RaidLevel>,
}

impl VariantSpec {
    pub(super) fn variant(&self) -> Result<Variant, CatalogueError> {
        Ok(Variant { protocol: self.protocol, raid_level: self.raid_level, calibration: calibration(&self.calibration)?.clone() })
    }
}

/// The calibration of that name.
pub fn calibration(name: &str) -> Result<&'static Calibration, CatalogueError> {
    let missing = || CatalogueError::Fixture { file: format!("calibration/{name}.yaml"), message: "it does not exist".to_owned() };
    SHELF.get(name).unwrap_or_else(|| Err(missing()))
}

/// The text of the fixture of that name.
pub fn calibration_text(name: &str) -> Option<&'static str> {
    CALIBRATIONS.iter().find(|fixture| fixture.name == name).map(|fixture| fixture.text)
}

/// A fixture in `fixtures/calibration/`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CalibrationFile {
    array: String,
    drives: Vec<Drives>,
    back_end_bytes_per_second: Sourced<Bytes>,
    reduction: ReductionFactors,
    tail_ppm: Sourced<u64>,
    #[serde(default)]
    tail_rise_ppm: Option<Sourced<u64>>,
    corners: CornerNames,
    workloads: Vec<Measured>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Drives {
    #[serde(rename = "type")]
    drive_type: DriveType,
    reads_per_second: Sourced<u64>,
    writes_per_second: Sourced<u64>,
    read_bytes_per_second: Sourced<Bytes>,
    write_bytes_per_second: Sourced<Bytes>,
}

impl Drives {
    fn rates(&self) -> DriveRates {
        DriveRates {
            read_iops: self.reads_per_second.value,
            write_iops: self.writes_per_second.value,
            read_bytes: self.read_bytes_per_second.value,
            write_bytes: self.write_bytes_per_second.value,
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ReductionFactors {
    read_ppm: Sourced<u64>,
    write_ppm: Sourced<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CornerNames {
    read_4k: String,
    write_4k: String,
    read_64k: String,
    write_64k: String,
    sequential_operation_ppm: Sourced<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Measured {
    workload: String,
    controller_demand_ps: u64,
    base_latency_ns: u64,
    burstiness_ppm: u64,
    #[serde(rename = "source")]
    _source: String,
    #[serde(default)]
    population: Option<Sourced<u64>>,
}

impl Measured {
    fn demand(&self) -> WorkloadDemand {
        WorkloadDemand {
            controller_demand_ps: self.controller_demand_ps,
            base_latency_ns: self.base_latency_ns,
            burstiness_ppm: PartsPerMillion(self.burstiness_ppm),
            population: self.population.as_ref().map(|population| population.value),
        }
    }
}

fn read(fixture: &Fixture) -> Result<Calibration, String> {
    let file: CalibrationFile = yaml::read_own(fixture.text)?;
    if file.array != fixture.name {
        return Err(format!("it is of the model '{}'", file.array));
    }
    let workloads: BTreeMap<String, WorkloadDemand> = file.workloads.iter().map(|entry| (entry.workload.clone(), entry.demand())).collect();
    let corner = |name: &str| {
        let found = workloads.get(name).ok_or_else(|| format!("the corner '{name}' is no workload of it"))?;
        Ok::<Corner, String>(Corner {
            controller_demand_ps: found.controller_demand_ps,
            base_latency_ns: found.base_latency_ns,
            burstiness_ppm: found.burstiness_ppm,
        })
    };
    let corners = Corners {
        small_read: corner(&file.corners.read_4k)?,
        small_write: corner(&file.corners.write_4k)?,
        large_read: corner(&file.corners.read_64k)?,
        large_write: corner(&file.corners.write_64k)?,
        sequential_operation_ppm: PartsPerMillion(file.corners.sequential_operation_ppm.value),
    };
    Ok(Calibration {
        corners,
        reduction_read_ppm: PartsPerMillion(file.reduction.read_ppm.value),
        reduction_write_ppm: PartsPerMillion(file.reduction.write_ppm.value),
        tail_ppm: PartsPerMillion(file.tail_ppm.value),
        tail_rise_ppm: PartsPerMillion(file.tail_rise_ppm.as_ref().map_or(0, |rise| rise.value)),
        drives: file.drives.iter().map(|drives| (drives.drive_type, drives.rates())).collect(),
        back_end_link: file.back_end_bytes_per_second.value,
        workloads,
        variants: Vec::new(),
    })
}
