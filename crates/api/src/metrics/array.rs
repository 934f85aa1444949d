//! What is told of one array: how it stands, its space, and what it does now. Everything has the label `array`.

use super::OBJECTS_MAX;
use super::page::{Label, Page};
use crate::model::capacity::{Capacity, capacity};
use crate::model::{Condition, Object, array_status};
use crate::ops::World;
use crate::perf::report::{Report, Sample, measure};
use crate::units::{Bytes, SimTime};

/// Names of what is told of every object of a noun: operations, bytes, latency, its 99th percentile, how busy it is.
struct Names {
    noun: &'static str,
    label: &'static str,
    operations: &'static str,
    bytes: &'static str,
    latency: &'static str,
    tail: &'static str,
    utilization: Option<&'static str>,
}

macro_rules! names {
    ($noun:literal, $label:literal $(, $utilization:literal)?) => {
        Names {
            noun: $noun,
            label: $label,
            operations: concat!("arrayplane_", $label, "_operations_per_second"),
            bytes: concat!("arrayplane_", $label, "_bytes_per_second"),
            latency: concat!("arrayplane_", $label, "_latency_seconds"),
            tail: concat!("arrayplane_", $label, "_latency_p99_seconds"),
            utilization: names!(@ $($utilization)?),
        }
    };
    (@ $utilization:literal) => { Some($utilization) };
    (@) => { None };
}

const ARRAY: Names = names!("array", "array");
const CONTROLLER: Names = names!("controller", "controller", "arrayplane_controller_utilization_ratio");
const PORT: Names = names!("host-port", "host_port", "arrayplane_host_port_utilization_ratio");
const GROUP: Names = names!("raid-group", "raid_group", "arrayplane_raid_group_utilization_ratio");
const POOL: Names = names!("pool", "pool");
const VOLUME: Names = names!("volume", "volume");
const WORKLOAD: Names = names!("workload", "workload");

/// Tells of one array, and of so many of its volumes one by one.
pub(super) fn tell(page: &mut Page, name: &str, world: &World, volumes: usize) {
    standing(page, name, world);
    space(page, name, &capacity(&world.array));
    pools(page, name, world);
    let mut report = measure(&world.array, &world.workloads);
    name_volumes(&mut report, world);
    speed(page, name, &report, volumes);
}

/// Volumes in containers are called by both names: their own are not unique.
fn name_volumes(report: &mut Report, world: &World) {
    for (sample, volume) in report.volumes.iter_mut().zip(world.array.volumes.iter()) {
        if let Some(container) = volume.container().and_then(|key| world.array.containers.get(key)) {
            sample.name = format!("{}/{}", container.name(), volume.name());
        }
    }
}

fn standing(page: &mut Page, name: &str, world: &World) {
    let (array, facts) = (&world.array, &world.array.facts);
    let info = [("array", name), ("model", &facts.model), ("vendor", &facts.vendor), ("product", &facts.product), ("serial_number", &facts.serial_number)];
    page.gauge("arrayplane_array_info", "What the array is; always 1.", &info, 1.0);
    let (now, _) = array_status::of(array);
    for (word, condition) in
        [("normal", Condition::Normal), ("maintenance", Condition::Maintenance), ("warning", Condition::Warning), ("error", Condition::Error)]
    {
        let labels = [("array", name), ("status", word)];
        page.gauge("arrayplane_array_status", "How the array stands: 1 for the status that it has.", &labels, f64::from(now == condition));
    }
    let labels = [("array", name)];
    page.gauge("arrayplane_array_ready", "Whether the array can be operated.", &labels, f64::from(array.is_ready()));
    let clock = facts.epoch as f64 + world.now().since(SimTime::START).as_seconds();
    page.gauge("arrayplane_array_clock_seconds", "Virtual time of the array since unix epoch in seconds.", &labels, clock);
    let active = world.jobs.iter().filter(|job| !job.status.is_over()).count();
    page.gauge("arrayplane_array_active_jobs", "Jobs that run or wait for their turn.", &labels, active as f64);
    page.gauge("arrayplane_array_power_watts", "What the array draws on average.", &labels, array.power_watts() as f64);
    let objects = [("drive", array.drives.len()), ("volume", array.volumes.len()), ("host", array.hosts.len()), ("workload", world.workloads.len())];
    for (noun, count) in objects {
        page.gauge("arrayplane_array_objects", "How many things of a kind the array has.", &[("array", name), ("noun", noun)], count as f64);
    }
}

/// Space at every level. The states of one level add up to what there is; what does not add up has a name of its own.
fn space(page: &mut Page, name: &str, books: &Capacity) {
    let (drives, groups, pools, volumes) = (&books.drives, &books.raid_groups, &books.pools, &books.volumes);
    let levels: [(&str, &str, Bytes); 9] = [
        ("drives", "in_raid_groups", drives.in_raid_groups),
        ("drives", "spare", drives.spare),
        ("drives", "unused", drives.unused),
        ("drives", "failed", drives.failed),
        ("raid_groups", "in_pools", groups.in_pools),
        ("raid_groups", "allocated", groups.allocated),
        ("raid_groups", "free", groups.free),
        ("pools", "used", pools.used),
        ("pools", "free", pools.free),
    ];
    for (level, state, bytes) in levels {
        let labels = [("array", name), ("level", level), ("state", state)];
        page.gauge("arrayplane_array_space_bytes", "Space of the array by level and state, in bytes.", &labels, bytes.get() as f64);
    }
    let labels = [("array", name)];
    let mut tell = |name, help, bytes: Bytes| page.gauge(name, help, &labels, bytes.get() as f64);
    tell("arrayplane_array_volumes_provisioned_bytes", "Sizes of all volumes as hosts see them, in bytes.", volumes.provisioned);
    tell("arrayplane_array_volumes_written_bytes", "What hosts have written to volumes, in bytes.", volumes.written);
    tell("arrayplane_array_volumes_physical_bytes", "What the data of volumes takes after reduction, in bytes.", volumes.physical);
    tell("arrayplane_array_pools_provisioned_bytes", "What pools have promised, in bytes.", pools.provisioned);
    tell("arrayplane_array_reduction_before_bytes", "Data in pools that reduce it, before that, in bytes.", pools.before_reduction);
    tell("arrayplane_array_reduction_after_bytes", "Data in pools that reduce it, after that, in bytes.", pools.after_reduction);
}

fn pools(page: &mut Page, name: &str, world: &World) {
    for pool in world.array.pools.iter().take(OBJECTS_MAX) {
        let labels = [("array", name), ("pool", pool.name())];
        page.gauge("arrayplane_pool_capacity_bytes", "Space of a pool for data, in bytes.", &labels, pool.capacity.get() as f64);
        page.gauge("arrayplane_pool_used_bytes", "Space of a pool that is taken, in bytes.", &labels, pool.used().get() as f64);
    }
}

fn speed(page: &mut Page, name: &str, report: &Report, volumes: usize) {
    one(page, &ARRAY, &[("array", name)], &report.total);
    let all = [
        (&CONTROLLER, &report.controllers, OBJECTS_MAX),
        (&PORT, &report.ports, OBJECTS_MAX),
        (&GROUP, &report.raid_groups, OBJECTS_MAX),
        (&POOL, &report.pools, OBJECTS_MAX),
        (&WORKLOAD, &report.workloads, OBJECTS_MAX),
        (&VOLUME, &report.volumes, volumes),
    ];
    for (names, samples, most) in all {
        left_out(page, name, names.noun, samples.len(), most);
        for sample in samples.iter().take(most) {
            one(page, names, &[("array", name), (names.label, &sample.name)], sample);
        }
    }
    for sample in report.workloads.iter().take(OBJECTS_MAX) {
        let labels = [("array", name), (WORKLOAD.label, sample.name.as_str())];
        let requests = sample.tps.unwrap_or(sample.iops);
        page.gauge("arrayplane_workload_requests_per_second", "Requests that a workload gets answered: transactions, or operations.", &labels, requests);
        page.gauge("arrayplane_workload_outstanding_requests", "Requests of a workload that are under way.", &labels, sample.outstanding);
    }
}

/// What one object does.
fn one(page: &mut Page, names: &Names, labels: &[Label<'_>], sample: &Sample) {
    let mut by = labels.to_vec();
    by.push(("operation", "read"));
    let last = by.len() - 1;
    page.gauge(names.operations, "Operations of hosts in a second, by kind.", &by, sample.read_iops);
    page.gauge(names.bytes, "Bytes between hosts and array in a second, by kind.", &by, sample.read_bytes_per_second);
    by[last].1 = "write";
    page.gauge(names.operations, "Operations of hosts in a second, by kind.", &by, sample.write_iops);
    page.gauge(names.bytes, "Bytes between hosts and array in a second, by kind.", &by, sample.write_bytes_per_second);
    if let Some(latency) = sample.latency_ms {
        page.gauge(names.latency, "Mean latency in seconds; nothing while nothing is done.", labels, latency / 1e3);
    }
    if let Some(latency) = sample.p99_latency_ms {
        page.gauge(names.tail, "Ninety-ninth percentile of the latency in seconds.", labels, latency / 1e3);
    }
    if let Some((name, share)) = names.utilization.zip(sample.utilization) {
        page.gauge(name, "Share of the time that it works, 0 to 1.", labels, share);
    }
}

/// How many objects are not told of one by one.
fn left_out(page: &mut Page, name: &str, noun: &str, all: usize, most: usize) {
    let labels = [("array", name), ("noun", noun)];
    page.gauge("arrayplane_array_objects_left_out", "Things that have no series of their own here.", &labels, all.saturating_sub(most) as f64);
}
