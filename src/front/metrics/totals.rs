//! What an array has counted since it began: the one place for counters of arrays.

use super::page::Page;
use crate::ops::World;

/// Tells the counters of one array. They begin anew when it is put back to an earlier state.
pub(super) fn tell(page: &mut Page, name: &str, world: &World) {
    let labels = [("array", name)];
    let changes = world.revisions.changes();
    page.counter("arrayplane_array_changes_total", "Operations that were done on the array from outside.", &labels, changes as f64);
    page.counter("arrayplane_array_events_total", "Events that the array has told.", &labels, world.array.events.told() as f64);
}
