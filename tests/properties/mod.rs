//! What holds for every sequence of operations: random ones, of all operations, on three kinds of array.
//!
//! `PROPTEST_CASES` raises the number of sequences. A failure prints the operations that led to it, as a list that can be replayed.

mod dice;
mod failures;
pub(crate) mod generate;
mod layout;
mod past;
mod start;
mod sums;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use arrayplane::engine::{self, JobStatus};
use arrayplane::ops::{AnyOperation, World};
use arrayplane::site::{self, Options, Site, TimeSource};
use arrayplane::units::{SimSpan, SimTime};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use serde_json::json;

use crate::given;
use dice::Dice;
use start::Start;

/// A beginning and what is done then.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) start: Start,
    pub(crate) steps: Vec<Dice>,
}

pub(crate) fn cases() -> impl Strategy<Value = Case> {
    (Start::any(), prop::collection::vec(Dice::any(), 30..=80)).prop_map(|(start, steps)| Case { start, steps })
}

/// 64 cases unless `PROPTEST_CASES` asks for others.
pub(crate) fn config() -> Config {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    Config { cases: asked.unwrap_or(64), failure_persistence: None, ..Config::default() }
}

/// What has been done so far, for the message of a failure.
#[derive(Default)]
struct History(Vec<AnyOperation>);

impl History {
    /// Fails with what led here.
    fn failure(&self, what: impl std::fmt::Display) -> TestCaseError {
        let lines: Vec<String> = self.0.iter().map(|operation| format!("- {}", given::written(operation))).collect();
        TestCaseError::fail(format!("{what}\nafter\n{}", lines.join("\n")))
    }
    /// Fails where two worlds differ.
    fn same(&self, what: &str, one: &World, other: &World) -> Result<(), TestCaseError> {
        let (one, other) = (given::bytes(one), given::bytes(other));
        if one == other {
            return Ok(());
        }
        let place = one.bytes().zip(other.bytes()).take_while(|(left, right)| left == right).count();
        let around = |text: &str| text.get(place.saturating_sub(200)..(place + 200).min(text.len())).unwrap_or_default().to_owned();
        Err(self.failure(format!("{what}:\n{}\n{}", around(&one), around(&other))))
    }
}

/// Plays a case; `each` sees every operation before it is done, and does it.
fn play(case: &Case, world: &mut World, mut each: impl FnMut(&mut World, &History, &AnyOperation) -> Result<(), TestCaseError>) -> Result<(), TestCaseError> {
    let mut history = History::default();
    for dice in &case.steps {
        let operation = generate::operation(world, dice);
        history.0.push(operation.clone());
        each(world, &history, &operation)?;
    }
    Ok(())
}

/// Does an operation, whatever comes of it.
fn simply(world: &mut World, operation: &AnyOperation) {
    let ctx = given::ctx(world);
    drop(operation.run(world, &ctx));
}

#[test]
fn every_operation_is_generated_so_that_it_is_done_as_well_as_refused() {
    let mut runner = TestRunner::deterministic();
    let mut counts: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
    for _ in 0..500 {
        let case = cases().new_tree(&mut runner).expect("a case is made").current();
        let mut world = case.start.world();
        for dice in &case.steps {
            let operation = generate::operation(&world, dice);
            let ctx = given::ctx(&world);
            let (done, refused) = counts.entry(operation.name()).or_default();
            if operation.run(&mut world, &ctx).is_ok() { *done += 1 } else { *refused += 1 }
        }
    }
    let never: Vec<_> = counts.iter().filter(|(_, (done, _))| *done == 0).collect();
    assert!(never.is_empty(), "never done: {never:?}");
    let (done, refused) = counts.values().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    assert!(done > refused, "{done} done, {refused} refused: {counts:?}");
}

#[test]
fn thousands_of_operations_due_at_one_time_need_no_deep_stack() {
    let mut world = given::model("esds-s16f", 1);
    let submit = given::operation(&json!({"job.submit": {"operation": {"settings.update": {"contact": "somebody"}}, "after": "1m"}}));
    for _ in 0..3000 {
        simply(&mut world, &submit);
    }
    engine::advance(&mut world, SimTime::START + SimSpan::seconds(60));
    assert!(world.jobs.iter().all(|job| job.status == JobStatus::Succeeded));
    assert_eq!(engine::problems(&world), Vec::<String>::new());
}

/// Wall time that stands still.
#[derive(Debug)]
struct Still;

impl TimeSource for Still {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn the_checker_stays_silent_and_a_refused_operation_changes_nothing(case in cases()) {
        let mut world = case.start.world();
        play(&case, &mut world, |world, history, operation| {
            let before = world.clone();
            let ctx = given::ctx(world);
            if operation.run(world, &ctx).is_err() {
                history.same("refused, yet changed", &before, world)?;
            }
            let problems = [engine::problems(world), sums::problems(&world.array)].concat();
            if problems.is_empty() { Ok(()) } else { Err(history.failure(problems.join("\n"))) }
        })?;
    }

    #[test]
    fn operations_are_read_back_as_they_were_written(case in cases()) {
        let mut world = case.start.world();
        play(&case, &mut world, |world, history, operation| {
            let read: AnyOperation = serde_json::from_str(&given::written(operation)).map_err(|error| history.failure(error))?;
            if read != *operation || given::written(&read) != given::written(operation) {
                return Err(history.failure(given::written(&read)));
            }
            simply(world, operation);
            Ok(())
        })?;
    }

    #[test]
    fn the_same_seed_gives_the_same_bytes(case in cases()) {
        let (mut world, mut twin) = (case.start.world(), case.start.world());
        play(&case, &mut world, |world, history, operation| {
            simply(world, operation);
            simply(&mut twin, operation);
            if history.0.len() % 10 == 0 { history.same("two runs differ", world, &twin) } else { Ok(()) }
        })?;
        prop_assert_eq!(given::bytes(&world), given::bytes(&twin));
    }

    #[test]
    fn a_restored_checkpoint_is_the_value_and_goes_on_like_it(case in cases()) {
        let mut world = case.start.world();
        let mut restored = world.clone();
        play(&case, &mut world, |world, history, operation| {
            simply(world, operation);
            // It looks at everything each time, the other one only at what has changed.
            restored.seen = None;
            simply(&mut restored, operation);
            if history.0.len() % 7 == 0 {
                history.same("a restored value goes on otherwise", world, &restored)?;
                let text = site::checkpoint(world).map_err(|error| history.failure(error))?;
                restored = site::restore(&text).map_err(|error| history.failure(error))?;
                history.same("a checkpoint does not hold everything", world, &restored)?;
            }
            Ok(())
        })?;
    }

    #[test]
    fn a_replayed_journal_gives_the_same_bytes(case in cases()) {
        let site = Site::on(Arc::new(Still), Options::default());
        let hosted = site.create("lab", case.start.world()).map_err(|error| TestCaseError::fail(error.to_string()))?;
        for dice in &case.steps {
            let (operation, actor) = hosted.read(|world| (generate::operation(world, dice), given::ctx(world).actor));
            drop(hosted.batch(actor, vec![operation]));
        }
        let kept = hosted.read(World::clone);
        let replayed = hosted.journal(site::replay).map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(given::bytes(&kept), given::bytes(&replayed));
    }

    #[test]
    fn advancing_in_two_steps_is_advancing_at_once(case in cases(), minutes in (0_u64..3000, 0_u64..3000)) {
        let mut world = case.start.world();
        play(&case, &mut world, |world, history, operation| {
            simply(world, operation);
            if history.0.len() % 5 != 0 {
                return Ok(());
            }
            let (mut halved, mut whole) = (world.clone(), world.clone());
            let between = world.now() + SimSpan::seconds(60 * minutes.0);
            let end = between + SimSpan::seconds(60 * minutes.1);
            engine::advance(&mut halved, between);
            engine::advance(&mut halved, end);
            engine::advance(&mut whole, end);
            history.same("it matters where time stopped", &halved, &whole)?;
            let problems = engine::problems(&whole);
            if problems.is_empty() { Ok(()) } else { Err(history.failure(problems.join("\n"))) }
        })?;
    }
}
