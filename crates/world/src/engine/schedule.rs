//! Workloads follow their timetables: step by step, each an entry of the agenda.

use super::{Due, World};
use crate::model::{Key, Workload};
use crate::units::PartsPerMillion;

/// Sets a workload's load to what its timetable says now, and enters the next step.
pub fn follow<O: Clone>(world: &mut World<O>, key: Key<Workload>) {
    let (now, epoch) = (world.now(), world.array.facts.epoch);
    world.agenda.forget(Due::WorkloadTurns(key.raw()));
    let Some(workload) = world.workloads.get_mut(key) else { return };
    let (level, next) = workload.timetable.as_ref().map_or((PartsPerMillion::ONE, None), |timetable| timetable.stands(now, epoch));
    workload.level = level;
    if let Some(next) = next {
        world.agenda.add(next, Due::WorkloadTurns(key.raw()));
    }
}
