//! What an array has counted since it began: the one place for counters of arrays.

use super::page::Page;
use crate::model::Noun;
use crate::ops::World;
use crate::perf::history::counters;

/// Tells the counters of one array. They begin anew when it is put back to an earlier state.
pub(super) fn tell(page: &mut Page, name: &str, world: &World) {
    let labels = [("array", name)];
    let changes = world.revisions.changes();
    page.counter("arrayplane_array_changes_total", "Operations that were done on the array from outside.", &labels, changes as f64);
    page.counter("arrayplane_array_events_total", "Events that the array has told.", &labels, world.array.events.told() as f64);
    let counted = counters(&world.load, world.now(), Noun::Array, 0);
    let of = |direction| [("array", name), ("direction", direction)];
    for (direction, operations, bytes, microseconds) in [
        ("read", counted.operations.read, counted.bytes.read, counted.latency_microseconds.read),
        ("write", counted.operations.write, counted.bytes.write, counted.latency_microseconds.write),
    ] {
        page.counter("arrayplane_array_operations_total", "Host I/O operations.", &of(direction), operations as f64);
        page.counter("arrayplane_array_transferred_bytes_total", "Bytes between hosts and array.", &of(direction), bytes as f64);
        page.counter(
            "arrayplane_array_latency_seconds_total",
            "Seconds that host I/O operations took together, in virtual time.",
            &of(direction),
            microseconds as f64 / 1e6,
        );
    }
}
