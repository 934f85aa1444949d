//! What was measured of models.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::fixtures::{CALIBRATIONS, Fixture};
use super::library::Library;
use super::{CatalogueError, Sourced};
use crate::model::{Calibration, Corner, Corners, DriveRates, DriveType, WorkloadDemand};
use crate::units::{Bytes, PartsPerMillion};

static SHELF: Library<Calibration, { CALIBRATIONS.len() }> = Library::new(CALIBRATIONS, read);

/// The calibration of that name.
pub(super) fn calibration(name: &str) -> Result<&'static Calibration, CatalogueError> {
    let missing = || CatalogueError::Fixture { file: format!("calibration/{name}.yaml"), message: "it does not exist".to_owned() };
    SHELF.get(name).unwrap_or_else(|| Err(missing()))
}

/// A fixture in `fixtures/calibration/`; parts that only the fit needs are left out.
#[derive(Debug, Deserialize)]
struct CalibrationFile {
    array: String,
    reference_layout: Layout,
    reduction: ReductionFactors,
    tail_ppm: Sourced<u64>,
    corners: CornerNames,
    workloads: Vec<Measured>,
}

#[derive(Debug, Deserialize)]
struct Layout {
    drive_type: Sourced<DriveType>,
    drive_reads_per_second: Sourced<u64>,
    drive_writes_per_second: Sourced<u64>,
    drive_read_bytes_per_second: Sourced<Bytes>,
    drive_write_bytes_per_second: Sourced<Bytes>,
    back_end_bytes_per_second: Sourced<Bytes>,
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
struct Measured {
    workload: String,
    controller_demand_ps: u64,
    base_latency_ns: u64,
    burstiness_ppm: u64,
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
    let file: CalibrationFile = serde_saphyr::from_str(fixture.text).map_err(|error| error.to_string())?;
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
    let layout = &file.reference_layout;
    let rates = DriveRates {
        read_iops: layout.drive_reads_per_second.value,
        write_iops: layout.drive_writes_per_second.value,
        read_bytes: layout.drive_read_bytes_per_second.value,
        write_bytes: layout.drive_write_bytes_per_second.value,
    };
    Ok(Calibration {
        corners,
        reduction_read_ppm: PartsPerMillion(file.reduction.read_ppm.value),
        reduction_write_ppm: PartsPerMillion(file.reduction.write_ppm.value),
        tail_ppm: PartsPerMillion(file.tail_ppm.value),
        drives: BTreeMap::from([(layout.drive_type.value, rates)]),
        back_end_link: layout.back_end_bytes_per_second.value,
        workloads,
    })
}
