//! The one place that notices when load or configuration became another, and enters it in the log of load.

use super::{Due, World, filling, watch};
use crate::perf::history;

/// Looks at load and configuration after a change, and notes how the array bears them from now on. Where nothing loads the array, and
/// nothing did, that takes no look at volumes.
pub(super) fn notice<O: Clone>(world: &mut World<O>) {
    let works = world.agenda.iter().any(|entry| matches!(entry.due, Due::JobEnds(_)));
    if world.load.is_quiet() && !works && history::is_idle(&world.array, &world.workloads) {
        return;
    }
    filling::forget_what_changed_nothing(world);
    let mut load = history::load(&world.array, &world.workloads);
    if !world.load.is_as(&load) && filling::goes_on(world) {
        filling::fill(world);
        watch(world);
        load = history::load(&world.array, &world.workloads);
    }
    world.load.turn(world.now(), load);
    filling::plan(world);
}
