//! Workloads whose load changes as time passes, and workloads that write data.

use arrayplane::engine::{self, Due};
use arrayplane::model::{Gauge, Noun, Object, UsedStatus};
use arrayplane::ops::World;
use arrayplane::perf::history::{Metric, Subject, Window, chart};
use arrayplane::units::{Bytes, SimSpan, SimTime};
use serde_json::{Value, json};

use super::{pools, report};
use crate::given;

const TOTAL: Subject = Subject { noun: Noun::Array, key: 0, operations: 1 };

fn seconds(count: u64) -> SimTime {
    SimTime(SimSpan::seconds(count).0)
}

/// The array of the review without the users.
fn quiet() -> World {
    let mut world = pools();
    given::done(&mut world, &json!({"workload.delete": {"workload": "oltp"}}));
    world
}

fn with(workload: Value) -> World {
    let mut world = quiet();
    given::done(&mut world, &json!({"workload.create": workload}));
    world
}

/// IOPS of each minute of the first `minutes`.
fn by_minute(world: &World, minutes: u64) -> Vec<u64> {
    let window = Window { from: SimTime::START, to: seconds(60 * minutes), step: SimSpan::seconds(60) };
    let sums = chart(&world.load, world.now(), TOTAL, window, None);
    sums.iter().map(|sum| Metric::Iops.of(sum, window.step, TOTAL).expect("a rate").round() as u64).collect()
}

#[test]
fn a_ramp_changes_the_rate_step_by_step() {
    let ramp = json!({"ramp": {"from_percent": 20, "to_percent": 100, "over": "4m"}});
    let mut world = with(json!({"name": "w", "profile": "4k-random-read", "volumes": ["R0", "R1"], "rate": 10_000, "outstanding": 512, "schedule": ramp}));
    engine::advance(&mut world, seconds(600));
    assert_eq!(by_minute(&world, 7), [2_000, 4_000, 6_000, 8_000, 10_000, 10_000, 10_000]);
    assert!(world.agenda.iter().next().is_none(), "it has come to its end");
    given::done(&mut world, &json!({"workload.update": {"workload": "w", "schedule": "steady"}}));
    assert_eq!(report(&world).total.iops.round(), 10_000.0);
}

#[test]
fn steps_are_shares_of_the_most_that_the_users_get() {
    let mut world = quiet();
    given::done(&mut world, &json!({"workload.create": {"name": "w", "profile": "4k-random-read", "volumes": ["R0", "R1"]}}));
    let most = report(&world).total.iops;
    given::done(&mut world, &json!({"workload.update": {"workload": "w", "schedule": {"steps": {}}}}));
    engine::advance(&mut world, seconds(780));
    let steps = by_minute(&world, 13);
    for (step, iops) in (1..=10_u32).zip(&steps) {
        let expected = most.floor() * f64::from(step) / 10.0;
        assert!((*iops as f64 / expected - 1.0).abs() < 1e-3, "step {step}: {iops} for {expected}");
    }
    assert_eq!(steps[9].abs_diff(steps[11]), 0, "more than the most is not to be had");
    assert_eq!(steps[12], 0, "then it is over");
}

#[test]
fn on_and_off_goes_on_for_ever_and_nobody_waits_for_its_end() {
    let schedule = json!({"on_off": {"on": "1m", "off": "2m"}});
    let mut world = with(json!({"name": "w", "profile": "sqlserver-tpcc", "users": 3_000, "volumes": ["R0"], "schedule": schedule}));
    given::done(&mut world, &json!({"clock.advance": {"until": "idle"}}));
    assert_eq!(world.now(), SimTime::START);
    engine::advance(&mut world, seconds(7 * 60));
    let minutes = by_minute(&world, 7);
    assert!(minutes[0] > 0);
    assert_eq!(minutes, [minutes[0], 0, 0, minutes[0], 0, 0, minutes[0]]);
    given::done(&mut world, &json!({"workload.delete": {"workload": "w"}}));
    assert!(world.agenda.iter().next().is_none());
}

#[test]
fn a_day_has_its_peak_in_the_afternoon() {
    let schedule = json!({"day": {"low_percent": 10, "high_percent": 100}});
    let mut world = with(json!({"name": "w", "profile": "4k-random-read", "volumes": ["R0"], "rate": 1_000, "outstanding": 64, "schedule": schedule}));
    engine::advance(&mut world, seconds(2 * 86_400));
    let window = Window { from: SimTime::START, to: world.now(), step: SimSpan::seconds(3_600) };
    let sums = chart(&world.load, world.now(), TOTAL, window, None);
    let hours: Vec<u64> = sums.iter().map(|sum| Metric::Iops.of(sum, window.step, TOTAL).expect("a rate") as u64).collect();
    assert_eq!(hours[..24], hours[24..], "day after day");
    assert!(hours[13] > 990 && hours[14] > 990 && hours[2] < 110 && hours[8] == hours[19], "{hours:?}");
    assert!(hours[2..14].is_sorted(), "{hours:?}");
}

#[test]
fn a_schedule_out_of_range_is_refused() {
    let create = |schedule: Value| json!({"workload.create": {"name": "w", "profile": "4k-random-read", "volumes": ["R0"], "schedule": schedule}});
    for (schedule, field) in [
        (json!({"ramp": {"from_percent": 0, "to_percent": 1_001, "over": "1h"}}), "schedule.ramp.to_percent"),
        (json!({"ramp": {"from_percent": 0, "to_percent": 10, "over": "10001m"}}), "schedule.ramp.over"),
        (json!({"day": {"low_percent": 0, "high_percent": 10, "peak_hour": 24}}), "schedule.day.peak_hour"),
        (json!({"day": {"low_percent": 0, "high_percent": 10, "step": "7m"}}), "schedule.day.step"),
        (json!({"steps": {"percents": []}}), "schedule.steps.percents"),
        (json!({"steps": {"each": "0s"}}), "schedule.steps.each"),
        (json!({"on_off": {"on": "1s", "off": "1h"}}), "schedule.on_off.on"),
    ] {
        let refusal = given::attempt(&mut quiet(), &given::operation(&create(schedule))).expect_err(field);
        assert_eq!(refusal.field(), Some(field), "{refusal}");
    }
    let writes = json!({"workload.create": {"name": "w", "profile": "4k-random-read", "volumes": ["R0"], "writes_data": false, "working_set": "1GiB"}});
    assert_eq!(given::attempt(&mut quiet(), &given::operation(&writes)).expect_err("both").field(), Some("writes_data"));
}

/// Writes of 64 KiB, 800 a second, to the only volume of a pool of two drives.
fn filling(reduced: bool) -> World {
    given::with(
        "eternus-af250",
        &[
            json!({"settings.update": {"data_reduction": true}}),
            json!({"pool.create": {"name": "S", "level": "raid1", "drive_count": 2, "deduplication": reduced, "compression": reduced}}),
            json!({"volume.create": {"name": "T", "pool": "S", "size": "3TB", "deduplication": reduced, "compression": reduced}}),
            json!({"host.create": {"name": "H0", "protocol": "fc", "wwn": "10000090fa000001"}}),
            json!({"host-group.create": {"name": "HG0", "hosts": ["H0"]}}),
            json!({"port-group.create": {"name": "PG0", "ports": ["CM0-CA0-P0", "CM1-CA0-P0"]}}),
            json!({"lun-group.create": {"name": "LG0", "luns": [{"volume": "T"}]}}),
            json!({"affinity.create": {"host_group": "HG0", "port_group": "PG0", "lun_group": "LG0"}}),
            json!({"workload.create": {"name": "w", "profile": "custom", "block_size": 65_536, "read_percent": 20, "outstanding": 8, "rate": 1_000,
                "volumes": ["T"], "writes_data": true}}),
        ],
    )
}

/// The instants of events of that code.
fn told(world: &World, code: &str) -> Vec<SimTime> {
    world.array.events.iter().filter(|event| event.code == code).map(|event| event.time).collect()
}

#[test]
fn a_thin_pool_fills_and_passes_its_thresholds_at_the_very_instant() {
    let mut world = filling(false);
    let (begun, bundle) = (world.load.last().expect("load").from, world.load.last().expect("load").bundles[0]);
    let rate = u128::from(bundle.writes) * 65_536;
    engine::advance(&mut world, seconds(40 * 3_600));
    let pool = world.array.pools.named("S", None).expect("the pool");
    let (chunk, capacity) = (pool.chunk_size.get(), pool.capacity.get());
    let first_byte_of = |chunks: u64| {
        let bytes = u128::from((chunks - 1) * chunk + 1);
        SimTime(begun.0 + u64::try_from((bytes * 1_000_000_000_000_000).div_ceil(rate)).expect("a time"))
    };
    let at_percent = |percent: u64| (1..).find(|chunks| chunks * chunk * 100 / capacity >= percent).map(first_byte_of).expect("a number");
    let thresholds = (pool.thresholds.attention_percent.expect("a threshold"), pool.thresholds.warning_percent);
    assert_eq!(told(&world, "pool_attention"), [at_percent(u64::from(thresholds.0))]);
    assert_eq!(told(&world, "pool_warning"), [at_percent(u64::from(thresholds.1))]);
    assert_eq!(told(&world, "pool_over"), [first_byte_of(capacity / chunk)]);
    assert_eq!(pool.used_status(), UsedStatus::Over);
    let volume = world.array.volumes.named("T", None).expect("the volume");
    let (written, last) = (volume.layout.written().get(), capacity / chunk);
    assert!(written > (last - 1) * chunk && written <= last * chunk, "what finds no room is lost: {written}");
    assert_eq!(world.agenda.time_of(Due::DataArrives), None, "nothing more can come in");
    assert_eq!(engine::problems(&world), Vec::<String>::new());
}

#[test]
fn what_is_in_the_books_is_what_was_written() {
    for reduced in [false, true] {
        let mut world = filling(reduced);
        engine::advance(&mut world, seconds(3_600));
        given::done(&mut world, &json!({"workload.update": {"workload": "w", "state": "paused"}}));
        let volume = world.array.volumes.named("T", None).expect("the volume");
        let tally = world.load.tally(Noun::Volume, volume.key().raw(), world.now());
        let written = tally.get(Gauge::WriteBytes) / arrayplane::model::Amounts::PARTS;
        assert!(u128::from(volume.layout.written().get()).abs_diff(written) <= 1, "{} of {written}", volume.layout.written().get());
        assert!(volume.layout.written() > Bytes::gib(100));
        if reduced {
            let savings = world.array.pools.named("S", None).expect("the pool").savings;
            assert_eq!(savings.before, volume.layout.written());
        }
    }
}

#[test]
fn a_working_set_is_filled_once_and_written_again_behind_a_snapshot() {
    let mut world = quiet();
    let steps = [
        json!({"workload.create": {"name": "w", "profile": "64k-sequential-write", "rate": 1_000, "volumes": ["R0", "R1"], "working_set": "200GB"}}),
        json!({"clock.advance": {"by": "1d"}}),
    ];
    steps.iter().for_each(|step| drop(given::done(&mut world, step)));
    let written = |world: &World, name: &str| world.array.volumes.named(name, None).expect(name).layout.written().get();
    assert_eq!(["R0", "R1"].map(|name| written(&world, name)), [100_000_000_000; 2]);
    assert_eq!(world.agenda.time_of(Due::DataArrives), None, "going over it again changes nothing");
    given::done(&mut world, &json!({"volume.snapshot": {"volume": "R0", "name": "mon", "pool": "P0"}}));
    assert_eq!(written(&world, "mon"), 0);
    let snapped = world.now();
    // 500 writes of 64 KiB a second on this volume: half of its working set in 25 minutes.
    engine::advance(&mut world, snapped + SimSpan::seconds(1_526));
    let half = written(&world, "mon");
    assert!((48_000_000_000..=51_000_000_000).contains(&half), "{half}");
    given::done(&mut world, &json!({"clock.advance": {"by": "1d"}}));
    assert_eq!(written(&world, "mon"), 100_000_000_000, "everything that it froze is written over");
    assert_eq!(world.agenda.time_of(Due::DataArrives), None);
}

#[test]
fn writing_workloads_leave_equal_bytes_wherever_time_halts() {
    let (mut straight, mut halting, mut copy) = (filling(true), filling(true), filling(true));
    engine::advance(&mut straight, seconds(30_000));
    for step in 1..=30 {
        engine::advance(&mut halting, seconds(step * 1_000 - 7));
        copy = serde_json::from_str(&given::bytes(&copy)).expect("a world");
        engine::advance(&mut copy, seconds(step * 1_000));
    }
    engine::advance(&mut halting, seconds(30_000));
    assert_eq!(given::bytes(&straight), given::bytes(&halting));
    assert_eq!(given::bytes(&straight), given::bytes(&copy), "read back and gone on");
}

#[test]
fn writes_that_bring_no_data_fill_nothing() {
    let mut world = with(json!({"name": "w", "profile": "64k-sequential-write", "rate": 1_000, "volumes": ["R0"]}));
    engine::advance(&mut world, seconds(86_400));
    assert!(world.array.volumes.named("R0", None).expect("R0").layout.written().is_zero());
}
