//! From an array and its workloads to the network: one stream per running workload and volume, one resource per part that serves it.
//!
//! The controllers that act for a volume's RAID groups do its work, in proportion to what of it they hold; while nobody acts for one of
//! them, the volume stands still. While writes go through to drives, a request takes longer by what its writes wait for them. Ports carry its bytes, drives and back-end links what RAID makes of them. A workload's population and
//! rate limit are split evenly over its volumes. The part of a volume that no host reaches waits: it makes no stream. What the array does
//! by itself for its drives comes behind the streams, as classes without one.

use super::background;
use super::custom::{self, Corner, Corners};
use super::fit::{Other, Path};
use super::limits::Limits;
use super::measured;
use super::net::{Class, Net, Solution};
use super::resources::Resources;
use super::stream::{Stream, number};
use crate::model::{self, Array, Calibration, Object, Profile, Table, Volume, Workload, WorkloadState};
use crate::units::PartsPerMillion;

/// The name of the profile whose cost is computed from the four corners, rough to about 25 %.
pub const CUSTOM: &str = "custom";

pub use super::measured::{computed, is_calibrated, usual_population};

/// An array under load, as the solver wants it.
pub(super) struct Network<'a> {
    /// The array.
    array: &'a Array,
    /// What the numbers of resources stand for.
    pub(super) resources: Resources,
    /// What the first classes stand for, in the same order; those behind are the array's own work.
    pub(super) streams: Vec<Stream<'a>>,
    /// The numbers.
    pub(super) net: Net,
    /// What policies let the streams do.
    pub(super) limits: Limits,
}

impl<'a> Network<'a> {
    /// Of the workloads that run. Streams are in order of the names of workload and volume, so that the order in which things
    /// were made does not move a bit of the answer.
    pub(super) fn of(array: &'a Array, workloads: &'a Table<Workload>) -> Self {
        let resources = Resources::of(array);
        let mut running: Vec<&Workload> = workloads.iter().filter(|workload| workload.state == WorkloadState::Running).collect();
        running.sort_by_key(|workload| workload.name());
        let (mut streams, mut classes) = (Vec::new(), Vec::new());
        for workload in running {
            for volume in volumes(array, workload) {
                let Some(cost) = cost(array, &workload.profile, volume) else { continue };
                if let Some(stream) = Stream::of(array, &resources, workload, volume) {
                    classes.push(class(array, &resources, &stream, &cost));
                    streams.push(stream);
                }
            }
        }
        classes.extend(background::classes(array, &resources));
        let net = Net { resources: resources.len(), classes };
        let limits = Limits::of(array, &streams);
        Self { array, resources, streams, net, limits }
    }

    /// The 99th percentile of a stream's latency over its mean: a number of the model, growing with how busy the controllers are.
    pub(super) fn tail(&self, stream: usize, solution: &Solution) -> f64 {
        let Some(calibration) = self.streams.get(stream).and_then(|stream| stream.calibration(self.array)) else { return 0.0 };
        let controllers = self.net.classes[stream].demands.iter().filter(|(number, _)| self.resources.is_controller(*number));
        let busiest = controllers.map(|(number, _)| solution.utilization[*number]).fold(0.0, f64::max);
        calibration.tail_ppm.factor() + calibration.tail_rise_ppm.factor() * busiest
    }
}

/// What one request of the only workload passes, as the fit wants it: the resources of its first volume, the controllers counted apart.
/// Controllers must be in balance. `None` while nothing runs.
#[must_use]
pub fn fit_path(array: &Array, workloads: &Table<Workload>) -> Option<Path> {
    let Network { resources, streams, net, .. } = Network::of(array, workloads);
    let classes = net.classes.get(..streams.len())?;
    let mut asked = vec![0.0; net.resources];
    for (number, demand) in classes.iter().flat_map(|class| &class.demands) {
        asked[*number] += demand / classes.len() as f64;
    }
    let controllers = asked.iter().enumerate().filter(|(number, demand)| **demand > 0.0 && resources.is_controller(*number)).count();
    let others = classes.first()?.demands.iter().filter(|(number, _)| !resources.is_controller(*number));
    let others = others.map(|&(number, demand)| Other { demand, share: if demand > 0.0 { asked[number] / demand } else { 0.0 } }).collect();
    Some(Path { controllers: controllers as f64, others })
}

fn volumes<'a>(array: &'a Array, workload: &Workload) -> Vec<&'a Volume> {
    let container = |volume: &Volume| volume.container().and_then(|key| array.containers.get(key)).map(Object::name);
    let mut volumes: Vec<&Volume> = workload.volumes.iter().filter_map(|key| array.volumes.get(*key)).collect();
    volumes.sort_by_key(|volume| (container(volume), volume.name()));
    volumes
}

fn class(array: &Array, resources: &Resources, stream: &Stream<'_>, cost: &Corner) -> Class {
    let workload = stream.workload;
    let part = stream.part() / workload.volumes.len().max(1) as f64;
    Class {
        population: part * (workload.present_population() as f64 / 1e6),
        think: workload.profile.think.0 as f64 / 1e6,
        base_latency: cost.base_latency + stream.write_through_latency(array),
        burstiness: cost.burstiness,
        cap: workload.present_rate().map_or(f64::INFINITY, |rate| part * (rate as f64 / 1e6)),
        demands: stream.demands(array, resources, cost.demand),
    }
}

/// What one request of a profile to a volume costs; computed as if custom, where the profile was not measured of volumes like this one.
/// `None` while nobody has measured the model.
fn cost(array: &Array, profile: &Profile, volume: &Volume) -> Option<Corner> {
    let calibration = measured::calibration(array, volume)?;
    let measured = calibration.workloads.get(&profile.name).filter(|_| profile.name != CUSTOM);
    let Some(measured) = measured else { return Some(custom_cost(calibration, profile)) };
    Some(corner(measured.controller_demand_ps, measured.base_latency_ns, measured.burstiness_ppm))
}

/// The operations of one custom request follow one another.
pub(super) fn custom_cost(calibration: &Calibration, profile: &Profile) -> Corner {
    let corners = corners(calibration);
    let (demand, base_latency, burstiness) =
        custom::custom_calibration(&corners, number(profile.block_size), profile.read_ppm.factor(), profile.sequential_ppm.factor());
    let ios = f64::from(profile.ios_per_unit.max(1));
    Corner { demand: ios * demand, base_latency: ios * base_latency, burstiness }
}

/// The four corners as numbers.
pub(super) fn corners(calibration: &Calibration) -> Corners {
    let of = |corner_of: &model::Corner| corner(corner_of.controller_demand_ps, corner_of.base_latency_ns, corner_of.burstiness_ppm);
    let measured = &calibration.corners;
    Corners {
        read_4k: of(&measured.small_read),
        write_4k: of(&measured.small_write),
        read_64k: of(&measured.large_read),
        write_64k: of(&measured.large_write),
        sequential_operation: measured.sequential_operation_ppm.factor(),
    }
}

fn corner(controller_demand_ps: u64, base_latency_ns: u64, burstiness: PartsPerMillion) -> Corner {
    Corner { demand: controller_demand_ps as f64 / 1e12, base_latency: base_latency_ns as f64 / 1e9, burstiness: burstiness.factor() }
}
