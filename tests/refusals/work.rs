//! Workloads, jobs and the clock.

use arrayplane::ops::World;
use serde_json::json;

use super::ladder::{Ladder, Refusal};
use crate::given;

pub(super) fn ladders() -> Vec<Refusal> {
    let workloads = [workload_create(), workload_update(), workload_delete()].concat();
    let jobs = [job_submit(), job_cancel(), job_delete()].concat();
    [workloads, jobs, clock_set(), clock_advance()].concat()
}

#[test]
fn workloads_jobs_and_the_clock_refuse_in_the_documented_order() {
    ladders();
}

/// A and B that a host sees, and C that none does; a workload on A.
fn world() -> World {
    let operations = [
        json!({"clock.set": {"mode": "manual"}}),
        json!({"raid-group.create": {"name": "RG0", "level": "raid1", "drive_count": 2}}),
        json!({"volume.create": {"name": "A", "raid_group": "RG0", "size": "100GiB"}}),
        json!({"volume.create": {"name": "B", "raid_group": "RG0", "size": "100GiB"}}),
        json!({"volume.create": {"name": "C", "raid_group": "RG0", "size": "100GiB"}}),
        json!({"host.create": {"name": "H0", "protocol": "fc", "wwn": "10000090fa000001"}}),
        json!({"mapping.create": {"volume": "A", "host": "H0"}}),
        json!({"mapping.create": {"volume": "B", "host": "H0"}}),
        json!({"workload.create": {"name": "oltp", "profile": "sqlserver-tpcc", "volumes": ["A"]}}),
        json!({"workload.create": {"name": "copy", "profile": "custom", "volumes": ["B"]}}),
    ];
    given::with("eternus-af250", &operations)
}

fn workload_create() -> Vec<Refusal> {
    let mut world = world();
    let calibration = world.array.calibration.take();
    world.array.personality.limits.workloads = 2;
    let request = json!({
        "name": "a,b", "profile": "nothing", "block_size": 1, "read_percent": 101, "random_percent": 101, "think_time": "2d", "volumes": [], "users": 0,
        "outstanding": 0, "rate": 100_000_001, "cache_hit_percent": 101,
    });
    Ladder::new(world, "workload.create", request)
        .refused(("name_invalid", "workload", "name"), json!({"name": "oltp"}))
        .refused(("name_taken", "workload", "name"), json!({"name": "more"}))
        .refused(("value_invalid", "workload", "profile"), json!({"profile": "sqlserver-tpcc"}))
        .refused(("conflicting", "workload", "block_size"), json!({"profile": "custom"}))
        .also(("out_of_range", "workload", "block_size"), json!({"block_size": "17MiB"}))
        .refused(("out_of_range", "workload", "block_size"), json!({"block_size": 512}))
        .refused(("out_of_range", "workload", "read_percent"), json!({"read_percent": 100}))
        .refused(("out_of_range", "workload", "random_percent"), json!({"random_percent": 0}))
        .refused(("out_of_range", "workload", "think_time"), json!({"think_time": "1d"}))
        .refused_until(("not_calibrated", "workload", "profile"), |world| world.array.calibration = calibration)
        .refused(("missing", "workload", "volumes"), json!({"volumes": ["X"]}))
        .refused(("not_found", "volume", "volumes"), json!({"volumes": ["C", "C"]}))
        .refused(("conflicting", "workload", "volumes"), json!({"volumes": ["C"]}))
        .refused(("not_mapped", "volume", "volumes"), json!({"volumes": ["A", "B"]}))
        .refused(("conflicting", "workload", "users"), json!({"users": null}))
        .also(("out_of_range", "workload", "users"), json!({"outstanding": null, "users": 10_000_001}))
        .refused(("out_of_range", "workload", "outstanding"), json!({"outstanding": 8}))
        .refused(("out_of_range", "workload", "rate"), json!({"rate": 0}))
        .refused(("out_of_range", "workload", "cache_hit_percent"), json!({"cache_hit_percent": 100}))
        .refused_until(("limit_reached", "workload", ""), |world| world.array.personality.limits.workloads = 3)
        .done()
}

fn workload_update() -> Vec<Refusal> {
    let request = json!({"workload": "X", "name": "a,b", "volumes": [], "users": 0, "outstanding": 0, "rate": 100_000_001, "cache_hit_percent": 101});
    Ladder::new(world(), "workload.update", request)
        .refused(("not_found", "workload", ""), json!({"workload": "oltp"}))
        .refused(("name_invalid", "workload", "name"), json!({"name": "copy"}))
        .refused(("name_taken", "workload", "name"), json!({"name": "oltp"}))
        .refused(("missing", "workload", "volumes"), json!({"volumes": ["X"]}))
        .refused(("not_found", "volume", "volumes"), json!({"volumes": ["C", "C"]}))
        .refused(("conflicting", "workload", "volumes"), json!({"volumes": ["C"]}))
        .refused(("not_mapped", "volume", "volumes"), json!({"volumes": ["A", "B"]}))
        .refused(("conflicting", "workload", "users"), json!({"outstanding": null}))
        .refused(("out_of_range", "workload", "users"), json!({"users": 1}))
        .refused(("out_of_range", "workload", "rate"), json!({"rate": 1}))
        .refused(("out_of_range", "workload", "cache_hit_percent"), json!({"cache_hit_percent": 0}))
        .done()
}

fn workload_delete() -> Vec<Refusal> {
    Ladder::new(world(), "workload.delete", json!({"workload": "X"})).refused(("not_found", "workload", ""), json!({"workload": "oltp"})).done()
}

fn job_submit() -> Vec<Refusal> {
    Ladder::new(world(), "job.submit", json!({"operation": {"clock.advance": {"by": "1h"}}, "after": "3651d"}))
        .also(("value_invalid", "job", "operation"), json!({"operation": {"job.delete": {"job": "1"}}}))
        .refused(("value_invalid", "job", "operation"), json!({"operation": {"volume.delete": {"volume": "C"}}}))
        .refused(("out_of_range", "job", "after"), json!({"after": "3650d"}))
        .done()
}

fn job_cancel() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"job.submit": {"operation": {"volume.delete": {"volume": "X"}}}}));
    given::done(&mut world, &json!({"volume.format": {"volume": "C"}}));
    given::done(&mut world, &json!({"job.submit": {"operation": {"volume.delete": {"volume": "C"}}, "after": "1h"}}));
    Ladder::new(world, "job.cancel", json!({"job": "X"}))
        .refused(("not_found", "job", ""), json!({"job": "1"}))
        .refused(("not_running", "job", ""), json!({"job": "2"}))
        .refused(("not_supported", "job", "job"), json!({"job": "3"}))
        .done()
}

fn job_delete() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"volume.format": {"volume": "C"}}));
    Ladder::new(world, "job.delete", json!({"job": "X"}))
        .refused(("not_found", "job", ""), json!({"job": "1"}))
        .refused_before(("busy", "job", ""), [json!({"clock.advance": {"until": "idle"}})])
        .done()
}

fn clock_set() -> Vec<Refusal> {
    Ladder::new(world(), "clock.set", json!({"mode": "scaled"}))
        .also(("conflicting", "clock", "factor"), json!({"mode": "real", "factor": 0}))
        .refused(("missing", "clock", "factor"), json!({"factor": 0}))
        .also(("out_of_range", "clock", "factor"), json!({"factor": 1_000_001}))
        .refused(("out_of_range", "clock", "factor"), json!({"factor": 0.001}))
        .done()
}

fn clock_advance() -> Vec<Refusal> {
    Ladder::new(world(), "clock.advance", json!({"by": "3651d", "until": "idle"}))
        .also(("missing", "clock", "by"), json!({"by": null, "until": null}))
        .refused(("conflicting", "clock", "by"), json!({"until": null}))
        .refused(("out_of_range", "clock", "by"), json!({"by": "3650d"}))
        .done()
}
