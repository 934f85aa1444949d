//! The past: charts and counters that are computed from the log of changes, never sampled.

use arrayplane::engine;
use arrayplane::model::{Amounts, Noun, Object};
use arrayplane::ops::World;
use arrayplane::perf::history::{Metric, Noise, Subject, Window, chart, counters};
use arrayplane::perf::report::{Report, Sample};
use arrayplane::units::{SimSpan, SimTime};
use serde_json::{Value, json};

use super::{pools, report};
use crate::given;

fn minutes(count: u64) -> SimTime {
    SimTime(SimSpan::seconds(60 * count).0)
}

/// Two pools on two controllers, 60,000 users on two volumes, and more load on four ports for five hours of changes. Answers with what
/// was measured from each change to the next.
fn a_day_of_changes() -> (World, Vec<(SimTime, Report)>) {
    let mut world = pools();
    let mut pieces = vec![(SimTime::START, report(&world))];
    let steps = [
        json!({"workload.create": {"name": "noise", "profile": "64k-sequential-read", "volumes": ["R0", "D1"], "outstanding": 16}}),
        json!({"workload.update": {"workload": "oltp", "volumes": ["D0", "D1"]}}),
        json!({"controller.fail": {"controller": "CM1"}}),
        json!({"workload.update": {"workload": "noise", "state": "paused"}}),
        json!({"controller.restore": {"controller": "CM1"}}),
        json!({"volume.delete": {"volume": "D0", "force": true}}),
    ];
    for (hour, step) in (1..).zip(steps) {
        engine::advance(&mut world, minutes(60 * hour));
        let ctx = given::ctx(&world);
        if given::operation(&step).run(&mut world, &ctx).is_ok() {
            pieces.push((world.now(), report(&world)));
        }
    }
    engine::advance(&mut world, minutes(420));
    (world, pieces)
}

fn window(from: SimTime, to: SimTime, step: SimSpan) -> Window {
    Window { from, to, step }
}

fn subject(noun: Noun, key: u32, operations: u32) -> Subject {
    Subject { noun, key, operations }
}

fn total() -> Subject {
    subject(Noun::Array, 0, 1)
}

fn drawn(world: &World, of: Subject, window: Window) -> Vec<Amounts> {
    chart(&world.load, world.now(), of, window, None)
}

/// Every object of a kind.
fn all(world: &World, noun: Noun) -> Vec<Subject> {
    let array = &world.array;
    let keys: Vec<u32> = match noun {
        Noun::Controller => array.controllers.iter().map(|item| item.key().raw()).collect(),
        Noun::HostPort => array.host_ports.iter().map(|item| item.key().raw()).collect(),
        Noun::RaidGroup => array.raid_groups.iter().map(|item| item.key().raw()).collect(),
        Noun::Pool => array.pools.iter().map(|item| item.key().raw()).collect(),
        Noun::Volume => array.volumes.iter().map(|item| item.key().raw()).collect(),
        Noun::Workload => world.workloads.iter().map(|item| item.key().raw()).collect(),
        _ => vec![0],
    };
    let operations = |key: &u32| if noun == Noun::Workload { world.workloads[arrayplane::model::Key::from_raw(*key)].profile.ios_per_unit } else { 1 };
    keys.iter().map(|key| subject(noun, *key, operations(key))).collect()
}

fn same(what: &str, drawn: Option<f64>, measured: Option<f64>) {
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-6 * a.abs().max(b.abs()).max(1e-3);
    let agree = match (drawn, measured) {
        (Some(drawn), Some(measured)) => near(drawn, measured),
        (drawn, measured) => drawn.or(measured).is_none(),
    };
    assert!(agree, "{what}: {drawn:?} drawn, {measured:?} measured");
}

fn as_measured(world: &World, (noun, samples): (Noun, &[Sample]), window: Window) {
    for (of, sample) in all(world, noun).into_iter().zip(samples) {
        let sums = drawn(world, of, window);
        let span = window.to.since(window.from);
        let value = |metric: Metric| metric.of(&sums[0], span, of);
        let figures = [
            (Metric::Iops, Some(sample.iops)),
            (Metric::ReadIops, Some(sample.read_iops)),
            (Metric::WriteBytesPerSecond, Some(sample.write_bytes_per_second)),
            (Metric::LatencyMs, sample.latency_ms),
            (Metric::P99LatencyMs, sample.p99_latency_ms),
            (Metric::Outstanding, Some(sample.outstanding)),
        ];
        for (metric, measured) in figures {
            same(&format!("{noun} {} {} from {:?}", sample.name, metric.name(), window.from), value(metric), measured);
        }
        if let Some(busy) = sample.utilization {
            same(&format!("{noun} {} utilization", sample.name), value(Metric::Utilization), Some(busy));
        }
        if let Some(tps) = sample.tps {
            same(&format!("{noun} {} tps", sample.name), value(Metric::Tps), Some(tps));
        }
    }
}

#[test]
fn history_is_what_was_measured_from_change_to_change() {
    let (world, pieces) = a_day_of_changes();
    for (place, (from, measured)) in pieces.iter().enumerate() {
        let next = pieces.get(place + 1).map_or(world.now(), |(next, _)| *next);
        // What follows by itself (a takeover, a giveback) comes minutes after a change: look at the first seconds.
        let window = window(*from, next.min(*from + SimSpan::seconds(2)), SimSpan::seconds(2));
        as_measured(&world, (Noun::Array, std::slice::from_ref(&measured.total)), window);
        as_measured(&world, (Noun::HostPort, &measured.ports), window);
        as_measured(&world, (Noun::Controller, &measured.controllers), window);
        as_measured(&world, (Noun::RaidGroup, &measured.raid_groups), window);
        as_measured(&world, (Noun::Pool, &measured.pools), window);
        if measured.volumes.len() == world.array.volumes.len() {
            as_measured(&world, (Noun::Volume, &measured.volumes), window);
        }
        as_measured(&world, (Noun::Workload, &measured.workloads), window);
    }
    let different = pieces.windows(2).filter(|pair| pair[0].1.total != pair[1].1.total).count();
    assert!(different >= 4, "only {different} changes change the total");
}

#[test]
fn a_bucket_is_the_sum_of_the_finer_ones_in_it() {
    let (world, _) = a_day_of_changes();
    let (from, to) = (SimTime(1_234_567), minutes(419));
    for of in [Noun::Array, Noun::HostPort, Noun::Volume, Noun::Controller, Noun::Workload].into_iter().flat_map(|noun| all(&world, noun)) {
        let coarse = drawn(&world, of, window(from, to, SimSpan::seconds(7 * 3600)));
        for step in [1_800_000_000, 60_000_000, 13_777_777_777] {
            let mut sum = Amounts::NONE;
            drawn(&world, of, window(from, to, SimSpan(step))).iter().for_each(|one| sum.add(one));
            let names = [sum, coarse[0]].map(|amounts| format!("{amounts:?}"));
            assert_eq!(names[0], names[1], "{of:?} in steps of {step}");
        }
    }
}

#[test]
fn volumes_ports_groups_and_controllers_add_up_in_every_bucket() {
    let (world, _) = a_day_of_changes();
    let window = window(SimTime::START, minutes(300), SimSpan::seconds(777));
    let whole = drawn(&world, total(), window);
    assert!(whole.iter().all(|one| !one.is_none()));
    for noun in [Noun::Volume, Noun::HostPort, Noun::RaidGroup, Noun::Controller, Noun::Pool, Noun::Workload] {
        let mut sums = vec![Amounts::NONE; whole.len()];
        for of in all(&world, noun) {
            sums.iter_mut().zip(drawn(&world, of, window)).for_each(|(sum, one)| sum.add(&one));
        }
        for (sum, whole) in sums.iter().zip(&whole) {
            let without_work = |amounts: &Amounts| amounts.with(arrayplane::model::Gauge::Busy, 0);
            assert_eq!(without_work(sum), without_work(whole), "{noun}");
        }
    }
}

#[test]
fn noise_moves_buckets_and_keeps_all_sums() {
    let (world, _) = a_day_of_changes();
    let window = window(minutes(5), minutes(415), SimSpan::seconds(60));
    let noise = Some(Noise { seed: 1, amplitude_ppm: 100_000 });
    let sum = |sums: &[Amounts]| {
        sums.iter().fold(Amounts::NONE, |mut sum, one| {
            sum.add(one);
            sum
        })
    };
    let noisy = |of: Subject| chart(&world.load, world.now(), of, window, noise);
    let whole = noisy(total());
    assert_ne!(whole, drawn(&world, total(), window));
    assert_eq!(whole, noisy(total()), "the same question has the same answer");
    assert_eq!(sum(&whole), sum(&drawn(&world, total(), window)), "the mean stays");
    let mut volumes = vec![Amounts::NONE; whole.len()];
    for of in all(&world, Noun::HostPort) {
        volumes.iter_mut().zip(noisy(of)).for_each(|(sum, one)| sum.add(&one.with(arrayplane::model::Gauge::Busy, 0)));
        let busy = noisy(of).iter().filter_map(|sum| Metric::Utilization.of(sum, window.step, of)).fold(0.0, f64::max);
        assert!(busy < 1.0, "{busy}");
    }
    assert_eq!(volumes, whole, "ports still add up to the total in every bucket");
    let (first, second) = (Metric::Iops.of(&whole[3], window.step, total()), Metric::Iops.of(&whole[4], window.step, total()));
    let plain = Metric::Iops.of(&drawn(&world, total(), window)[3], window.step, total());
    let (first, second, plain) = (first.unwrap(), second.unwrap(), plain.unwrap());
    assert!(first != second && (first / plain - 1.0).abs() <= 0.1 && (second / plain - 1.0).abs() <= 0.1, "{first} {second} {plain}");
}

#[test]
fn counters_rise_by_rate_times_time_and_never_fall() {
    let mut world = pools();
    let of = |world: &World| counters(&world.load, world.now(), Noun::Array, 0);
    let mut last = of(&world);
    assert_eq!(last.operations.total, 0);
    let steps = [
        (7, json!({"controller.fail": {"controller": "CM0"}})),
        (60, json!({"controller.restore": {"controller": "CM0"}})),
        (90, json!({"workload.update": {"workload": "oltp", "state": "paused"}})),
        (100, json!({"workload.update": {"workload": "oltp", "state": "running"}})),
        (101, json!({"workload.delete": {"workload": "oltp"}})),
    ];
    for (minute, step) in steps {
        let (measured, since) = (report(&world).total, world.now());
        engine::advance(&mut world, since + SimSpan(1_500_001));
        let here = of(&world);
        let seconds = 1.500_001;
        let near = |from: u64, to: u64, rate: f64| assert!(((to - from) as f64 - rate * seconds).abs() <= 1.0, "{from} to {to} at {rate}");
        near(last.operations.total, here.operations.total, measured.iops);
        near(last.operations.read, here.operations.read, measured.read_iops);
        near(last.bytes.total, here.bytes.total, measured.bytes_per_second);
        near(last.latency_microseconds.total, here.latency_microseconds.total, measured.outstanding * 1e6);
        engine::advance(&mut world, minutes(minute));
        given::done(&mut world, &step);
        let now = of(&world);
        assert!(now.operations.total >= here.operations.total && now.latency_microseconds.write >= here.latency_microseconds.write);
        last = now;
    }
    engine::advance(&mut world, minutes(200));
    assert_eq!(of(&world), last, "nothing runs any more");
    let volumes: u64 = all(&world, Noun::Volume).iter().map(|one| counters(&world.load, world.now(), Noun::Volume, one.key).operations.total).sum();
    assert!(last.operations.total - volumes <= 4, "{volumes} of {}", last.operations.total);
}

#[test]
fn equal_runs_leave_equal_bytes_and_stopping_on_the_way_changes_nothing() {
    let (one, _) = a_day_of_changes();
    let (other, _) = a_day_of_changes();
    assert_eq!(given::bytes(&one), given::bytes(&other));
    let read: World = serde_json::from_str(&given::bytes(&one)).expect("a world is read back");
    assert_eq!(read.load, one.load);
    assert!(!given::bytes(&one).contains("\"load\":{}"), "the log is in the value");
    let (mut straight, mut halting) = (pools(), pools());
    for world in [&mut straight, &mut halting] {
        given::done(world, &json!({"controller.fail": {"controller": "CM1"}}));
    }
    engine::advance(&mut straight, minutes(100));
    for minute in 0..=100 {
        engine::advance(&mut halting, minutes(minute));
    }
    assert_eq!(given::bytes(&straight), given::bytes(&halting));
}

#[test]
fn an_array_without_load_keeps_no_log() {
    let mut world = given::model("eternus-af250", 7);
    given::done(&mut world, &json!({"pool.create": {"name": "P0", "level": "raid6", "drive_count": 12}}));
    given::done(&mut world, &json!({"volume.create": {"name": "V", "pool": "P0", "size": "1TB", "count": 20}}));
    engine::advance(&mut world, minutes(60));
    assert!(world.load.is_new());
    let value: Value = serde_json::from_str(&given::bytes(&world)).expect("JSON");
    assert!(value.get("load").is_none());
    let idle = drawn(&world, total(), window(SimTime::START, minutes(60), SimSpan::seconds(60)));
    assert!(idle.len() == 60 && idle.iter().all(Amounts::is_none));
}
