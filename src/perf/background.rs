//! The load that the array puts on its own drives: rebuilds, copies and expansions of RAID groups.
//!
//! Their rate is the personality's and gives way to nobody (assumption: the performance model gives no formula), so each is a class that
//! asks for a fixed rate, whatever its answers take. It loads the drives and the back-end link; the controllers' part is not known and
//! left out.

use super::demand;
use super::net::Class;
use super::resources::{Resource, Resources};
use super::stream::{number, workers, write_cost};
use crate::model::{Array, Object, RaidGroup, Restoration, RestorationKind, Standing, health};
use crate::units::Bytes;

/// Bytes of one request of background work; any size gives the same load.
const PIECE: f64 = 1_048_576.0;
/// Seconds that an answer may take before the rate gives way.
const PATIENCE: f64 = 1e6;

/// What is read and written for a byte of progress, in bytes.
struct Traffic {
    read: f64,
    written: f64,
    rate: Bytes,
}

/// The classes of the work that goes on, in order of the names of RAID groups.
pub(super) fn classes(array: &Array, resources: &Resources) -> Vec<Class> {
    let mut groups: Vec<&RaidGroup> = array.raid_groups.iter().filter(|group| !group.slots.is_empty() || group.expansion.is_some()).collect();
    groups.sort_by_key(|group| group.name());
    groups.into_iter().flat_map(|group| work(array, group).into_iter().map(|traffic| class(array, resources, group, &traffic))).collect()
}

fn work(array: &Array, group: &RaidGroup) -> Vec<Traffic> {
    let sparing = &array.personality.sparing;
    let standing = Standing::of(array, group);
    let mut traffic: Vec<Traffic> = standing.restorations().iter().map(|work| of_slot(group, work, sparing.rate(group.rebuild_priority))).collect();
    if let Some(expansion) = group.expansion.as_ref().filter(|_| standing.is_alive()) {
        let width = group.width() + u32::try_from(expansion.drives.len()).unwrap_or(0);
        traffic.push(Traffic { read: 1.0, written: write_cost(expansion.level, width).full_stripe(), rate: sparing.expansion_rate });
    }
    traffic
}

/// A copy is read once; what is made anew is read from all members that it follows from.
fn of_slot(group: &RaidGroup, work: &Restoration, rate: Bytes) -> Traffic {
    let copied = work.kind == RestorationKind::Copyback;
    let read = if copied { 1.0 } else { f64::from(health::sources(group.level, group.width(), work.kind)) };
    Traffic { read, written: 1.0, rate }
}

fn class(array: &Array, resources: &Resources, group: &RaidGroup, traffic: &Traffic) -> Class {
    let cap = number(traffic.rate) / PIECE;
    let serving = f64::from(group.width().saturating_sub(Standing::of(array, group).short_of()).max(1));
    let mut demands = Vec::new();
    if let Some(calibration) = &array.calibration {
        if let (Some(rates), Some(drives)) = (calibration.drives.get(&group.drive_type), resources.number(Resource::Drives(group.key()))) {
            let seconds = traffic.read * per(rates.read_bytes) + traffic.written * per(rates.write_bytes);
            demands.push((drives, PIECE * seconds / serving));
        }
        let workers = workers(array, group);
        for worker in &workers {
            if let Some(link) = resources.number(Resource::BackEnd(worker.key())) {
                demands.push((link, PIECE * (traffic.read + traffic.written) * per(calibration.back_end_link) / workers.len() as f64));
            }
        }
    }
    Class { population: cap * PATIENCE, think: 0.0, base_latency: demand::per(PIECE, number(traffic.rate)), burstiness: 1.0, cap, demands }
}

fn per(rate: Bytes) -> f64 {
    demand::per(1.0, number(rate))
}
