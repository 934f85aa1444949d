//! Charts over a log that has grown past its bounds.

use std::collections::BTreeMap;

use super::{Metric, Subject, Window, chart};
use crate::model::{Amounts, Bundle, Gauge, Key, Load, LoadLog, Noun, Route};
use crate::units::{Bytes, SimSpan, SimTime};

fn load(volumes: u32, reads: u64) -> Load {
    let route = Route {
        workload: Key::from_raw(0),
        volumes: (0..volumes).map(Key::from_raw).collect(),
        pool: None,
        container: None,
        raid_groups: vec![(Key::from_raw(0), 1_000_000_000)],
        controllers: vec![(Key::from_raw(0), 333_333_333), (Key::from_raw(1), 666_666_667)],
        ports: vec![Key::from_raw(0), Key::from_raw(1), Key::from_raw(2)],
        block: Bytes::new(4096),
    };
    let bundle = Bundle { route: 0, reads, writes: 7, read_wait: reads / 3, write_wait: 1, tail_ppm: 2_000_000 };
    Load { bundles: vec![(route, bundle)], busy: BTreeMap::from([(Noun::Controller, vec![(0, 500_000_000)])]) }
}

/// A log with a change a minute.
fn log(changes: u64) -> (LoadLog, SimTime) {
    let mut log = LoadLog::default();
    for minute in 0..changes {
        log.turn(SimTime(minute * 60_000_000), load(3, 1_000_000_000 + minute));
    }
    (log, SimTime(changes * 60_000_000))
}

fn of(noun: Noun, key: u32) -> Subject {
    Subject { noun, key, operations: 1 }
}

fn sum(sums: &[Amounts]) -> Amounts {
    sums.iter().fold(Amounts::NONE, |mut sum, one| {
        sum.add(one);
        sum
    })
}

#[test]
fn merging_the_oldest_segments_keeps_all_totals() {
    let changes = LoadLog::SEGMENTS as u64 + 500;
    let (log, now) = log(changes);
    assert_eq!(log.segments().count(), LoadLog::SEGMENTS);
    assert_eq!(log.merged(), Some((SimTime::START, SimTime(500 * 60_000_000))));
    let reads: u128 = (0..changes).map(|minute| 3 * u128::from(1_000_000_000 + minute) * 60_000_000).sum();
    let whole = Window { from: SimTime::START, to: now, step: SimSpan::seconds(3_333) };
    let (array, third) = (chart(&log, now, of(Noun::Array, 0), whole, None), chart(&log, now, of(Noun::Volume, 1), whole, None));
    assert_eq!(sum(&array).get(Gauge::Reads), reads);
    assert_eq!(sum(&third).get(Gauge::Reads), reads / 3);
    assert_eq!(sum(&array), log.tally(Noun::Array, 0, now));
    let controllers = [0, 1].map(|key| sum(&chart(&log, now, of(Noun::Controller, key), whole, None)));
    assert_eq!(controllers.iter().map(|sum| sum.get(Gauge::Reads)).sum::<u128>(), reads);
    let first = Window { from: SimTime::START, to: SimTime(500 * 60_000_000), step: SimSpan::seconds(30_000) };
    let mean = Metric::Iops.of(&chart(&log, now, of(Noun::Array, 0), first, None)[0], first.step, of(Noun::Array, 0)).expect("a rate");
    let expected = (3.0 * (1e9 + 249.5) + 21.0) / 1e9;
    assert!((mean / expected - 1.0).abs() < 1e-9, "{mean} for {expected}");
    let half = Metric::Utilization.of(&chart(&log, now, of(Noun::Controller, 0), first, None)[0], first.step, of(Noun::Controller, 0));
    assert_eq!(half, Some(0.5));
}

#[test]
fn a_log_of_many_bundles_is_bounded_too() {
    let mut log = LoadLog::default();
    for minute in 0..300_u64 {
        let mut many = load(1, minute + 1);
        let (route, bundle) = many.bundles[0].clone();
        many.bundles = (0..5_000).map(|key| (Route { volumes: vec![Key::from_raw(key)], ..route.clone() }, bundle)).collect();
        log.turn(SimTime(minute * 60_000_000), many);
    }
    assert_eq!(log.segments().map(|segment| segment.bundles.len()).sum::<usize>(), LoadLog::BUNDLES);
    assert_eq!(log.routes().count(), 5_000);
}

#[test]
fn changes_at_one_instant_are_one_and_changing_back_is_none() {
    let mut log = LoadLog::default();
    let at = |second: u64| SimTime(second * 1_000_000);
    log.turn(at(0), load(1, 5));
    log.turn(at(10), load(1, 6));
    log.turn(at(10), load(2, 6));
    assert_eq!(log.segments().map(|segment| segment.from).collect::<Vec<_>>(), [at(0), at(10)]);
    log.turn(at(10), load(1, 5));
    assert_eq!(log.segments().map(|segment| segment.from).collect::<Vec<_>>(), [at(0)]);
    log.turn(at(20), Load::default());
    log.turn(at(30), load(1, 5));
    assert_eq!(log.routes().count(), 1, "a route that comes back is known");
    assert_eq!(log.tally(Noun::Array, 0, at(40)).get(Gauge::Reads), 5 * 30_000_000);
    assert_eq!(serde_json::from_str::<LoadLog>(&serde_json::to_string(&log).expect("data")).expect("data"), log);
}
