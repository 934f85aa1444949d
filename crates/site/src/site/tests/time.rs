//! Virtual time follows wall time.

use std::sync::Arc;
use std::time::Duration;

use crate::engine::{ClockMode, JobStatus};
use crate::model::Object;
use crate::ops::{AnyOperation, clock, job};
use crate::site::alarm::Timed;
use crate::site::test_site::{group, lab, now, queue, renamed, somebody, world};
use crate::site::{Hosted, Journal, checkpoint, replay};
use crate::units::{PartsPerMillion, SimSpan, SimTime};

#[test]
fn a_real_clock_shows_the_time_that_passed_outside() {
    let (time, _site, hosted) = lab(world(ClockMode::Real), Journal::BUDGET);
    assert_eq!(now(&hosted), SimTime::START);
    time.pass(90);
    assert_eq!(now(&hosted), SimTime(90_000_000));
    time.pass(1);
    assert_eq!(now(&hosted), SimTime(91_000_000));
}

#[test]
fn a_scaled_clock_runs_faster_by_its_factor() {
    let mut fast = world(ClockMode::Scaled);
    fast.clock.factor = PartsPerMillion(3_600_000_000);
    let (time, _site, hosted) = lab(fast, Journal::BUDGET);
    time.pass(2);
    assert_eq!(now(&hosted), SimTime(7_200_000_000));
}

#[test]
fn a_manual_clock_stands_still_while_time_passes_outside() {
    let (time, site, hosted) = lab(world(ClockMode::Manual), Journal::BUDGET);
    time.pass(1_000_000);
    assert_eq!(now(&hosted), SimTime::START);
    assert_eq!(site.catch_up(), None);
}

fn do_all(hosted: &Hosted, operations: Vec<AnyOperation>) {
    hosted.batch(somebody(), operations).expect("nothing is refused");
}

fn set(mode: ClockMode, factor: Option<u32>) -> AnyOperation {
    let factor = factor.map(|factor| serde_json::from_value(factor.into()).expect("a factor"));
    clock::Set { mode, factor }.into()
}

fn advance_by(seconds: u64) -> AnyOperation {
    clock::Advance { by: Some(SimSpan::seconds(seconds)), until: None }.into()
}

#[test]
fn a_clock_that_is_set_goes_on_from_the_time_it_shows() {
    let (time, site, hosted) = lab(world(ClockMode::Real), Journal::BUDGET);
    time.pass(10);
    do_all(&hosted, vec![set(ClockMode::Scaled, Some(60))]);
    time.pass(2);
    assert_eq!(now(&hosted), SimTime(130_000_000));
    do_all(&hosted, vec![set(ClockMode::Manual, None)]);
    time.pass(1000);
    assert_eq!(now(&hosted), SimTime(130_000_000));
    do_all(&hosted, vec![set(ClockMode::Real, None)]);
    time.pass(5);
    assert_eq!(now(&hosted), SimTime(135_000_000));
    assert_eq!(site.catch_up(), None);
}

#[test]
fn a_clock_that_is_advanced_goes_on_from_there_in_any_mode() {
    let (time, _site, hosted) = lab(world(ClockMode::Real), Journal::BUDGET);
    time.pass(10);
    let shown = hosted.execute(somebody(), clock::Advance { by: Some(SimSpan::seconds(600)), until: None }, |world, ()| world.now());
    assert_eq!(shown, Ok(SimTime(610_000_000)));
    time.pass(1);
    assert_eq!(now(&hosted), SimTime(611_000_000));
    do_all(&hosted, vec![set(ClockMode::Manual, None), advance_by(9), renamed("later").into(), advance_by(80)]);
    time.pass(1);
    assert_eq!(now(&hosted), SimTime(700_000_000));
    let times: Vec<u64> = hosted.journal(|journal| journal.entries().iter().map(|entry| entry.at.0 / 1_000_000).collect());
    assert_eq!(times, [10, 611, 611, 620, 620]);
    assert_eq!(hosted.journal(replay).map(|world| checkpoint(&world)), Ok(hosted.read(checkpoint)));
}

#[test]
fn time_that_is_advanced_brings_what_is_due() {
    let (_time, site, hosted) = lab(world(ClockMode::Manual), Journal::BUDGET);
    let waiting = |name, seconds| job::Submit { operation: Box::new(group(name).into()), after: Some(SimSpan::seconds(seconds)) }.into();
    do_all(&hosted, vec![waiting("RG0", 60), waiting("RG1", 600), waiting("RG2", 0)]);
    let names = |hosted: &Hosted| hosted.read(|world| world.array.raid_groups.iter().map(|group| group.name().to_owned()).collect::<Vec<_>>());
    assert_eq!(names(&hosted), ["RG2"], "work that need not wait is done at once, on a manual clock too");
    do_all(&hosted, vec![advance_by(60)]);
    assert_eq!(names(&hosted), ["RG2", "RG0"]);
    do_all(&hosted, vec![clock::Advance { by: None, until: Some(clock::Until::Idle) }.into()]);
    assert_eq!((names(&hosted).len(), now(&hosted)), (3, SimTime(600_000_000)));
    assert_eq!(hosted.journal(replay).map(|world| checkpoint(&world)), Ok(hosted.read(checkpoint)));
    assert_eq!(site.catch_up(), None);
}

#[test]
fn an_array_that_comes_with_a_past_goes_on_from_there() {
    let mut old = world(ClockMode::Real);
    old.clock.now = SimTime(5_000_000);
    let (time, _site, hosted) = lab(old, Journal::BUDGET);
    time.pass(1);
    assert_eq!(now(&hosted), SimTime(6_000_000));
}

#[test]
fn reading_changes_nothing_but_that_time_has_passed() {
    let (time, _site, often) = lab(world(ClockMode::Real), Journal::BUDGET);
    let seldom = lab(world(ClockMode::Real), Journal::BUDGET);
    for _ in 0..10 {
        time.pass(1);
        seldom.0.pass(1);
        now(&often);
    }
    assert_eq!(often.read(checkpoint), seldom.2.read(checkpoint));
}

#[test]
fn what_is_due_happens_with_nobody_reading_and_the_next_due_time_is_known() {
    let mut busy = world(ClockMode::Real);
    let first = queue(&mut busy, group("RG0").into(), SimSpan::seconds(10));
    let second = queue(&mut busy, group("RG1").into(), SimSpan::seconds(30));
    let (time, site, hosted) = lab(busy, Journal::BUDGET);
    let idle = site.create("idle", world(ClockMode::Real)).expect("a free name");
    assert_eq!(site.catch_up(), Some(Duration::from_secs(10)));
    time.pass(12);
    assert_eq!(site.catch_up(), Some(Duration::from_secs(18)));
    let seen = hosted.peek(|world| (world.now(), world.jobs[first].status, world.jobs[first].ends, world.jobs[second].status));
    assert_eq!(seen, (SimTime(12_000_000), JobStatus::Succeeded, SimTime(10_000_000), JobStatus::Queued));
    time.pass(20);
    assert_eq!(site.catch_up(), None);
    assert_eq!(hosted.peek(|world| world.array.raid_groups.iter().map(|group| group.name().to_owned()).collect::<Vec<_>>()), ["RG0", "RG1"]);
    assert_eq!(idle.peek(|world| world.now()), SimTime(32_000_000));
    assert_eq!(hosted.journal(|journal| journal.entries().len()), 0, "what happens by itself is not journalled");
}

#[test]
fn a_site_can_be_dropped_while_its_thread_sleeps() {
    let site = crate::site::Site::new();
    let weak = Arc::downgrade(&site);
    site.create("lab", world(ClockMode::Real)).expect("a free name");
    drop(site);
    while weak.strong_count() > 0 {
        std::thread::yield_now();
    }
}
