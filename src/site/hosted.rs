//! One array, running.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use serde::Serialize;

use super::alarm::Alarm;
use super::credentials::ArrayCredentials;
use super::pace::Pace;
use super::{CheckpointError, Journal, Outcome, TimeSource};
use crate::engine;
use crate::model::{OpError, PolicySet};
use crate::ops::{self, Actor, AnyOperation, Ctx, Operation, Output, Reference, World, permission};
use crate::units::Bytes;

/// An array with its journal behind one lock. The lock is taken for the length of one closure and never handed out.
pub struct Hosted {
    name: String,
    time: Arc<dyn TimeSource>,
    alarm: Arc<Alarm>,
    credentials: ArrayCredentials,
    state: Mutex<State>,
}

struct State {
    world: World,
    journal: Journal,
    pace: Pace,
}

/// What came of one operation of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct Done {
    /// The operation's name.
    #[schema(example = "volume.create")]
    pub operation: &'static str,
    /// What it made or changed.
    pub made: Vec<Reference>,
}

impl Hosted {
    pub(super) fn new(name: &str, world: World, budget: Bytes, time: Arc<dyn TimeSource>, alarm: Arc<Alarm>) -> Result<Hosted, CheckpointError> {
        let journal = Journal::begin(&world, budget)?;
        let pace = Pace::from(time.elapsed(), &world.clock);
        Ok(Hosted { name: name.to_owned(), time, alarm, credentials: ArrayCredentials::default(), state: Mutex::new(State { world, journal, pace }) })
    }
    /// Its name. The value inside does not know it.
    pub fn name(&self) -> &str {
        &self.name
    }
    /// Shows the world as it is now. Reading changes nothing but that time has passed.
    pub fn read<R>(&self, look: impl FnOnce(&World) -> R) -> R {
        let mut state = self.state.lock();
        state.advance(self.time.elapsed());
        look(&state.world)
    }
    /// Whether an actor has one of these policies, and may do what needs it.
    pub fn allows(&self, actor: &Actor, enough: PolicySet, doing: &str) -> Result<(), OpError> {
        if actor.authority.is_server() { Ok(()) } else { self.read(|world| permission::allows_one(world, actor, enough, doing)) }
    }
    /// Does one operation and shows what came of it, or refuses it and changes nothing. What the actor may not do is refused first; a
    /// password is sealed before the lock is taken for good.
    pub fn execute<O: Operation, R>(&self, actor: Actor, operation: O, render: impl FnOnce(&World, O::Output) -> R) -> Result<R, OpError> {
        let operation = self.sealed(&actor, operation)?;
        self.change(|state| {
            let ctx = Ctx { now: state.world.now(), actor };
            permission::permit(&operation, &state.world, &ctx.actor)?;
            let plan = operation.check(&state.world, &ctx)?;
            state.journal.append(ctx.now, ctx.actor.clone(), operation.into());
            let output = ops::apply::<O>(plan, &mut state.world, &ctx);
            state.journal.note(Outcome::of(&output.references(&state.world), &state.world));
            Ok(render(&state.world, output))
        })
    }
    /// Does a list of operations, all or nothing. A refusal is [`OpError::InList`] and names the operation by its index from 0.
    pub fn batch(&self, actor: Actor, operations: Vec<AnyOperation>) -> Result<Vec<Done>, OpError> {
        let operations = self.all_sealed(&actor, operations)?;
        self.change(|state| {
            let mut trial = state.world.clone();
            let mut done = Vec::with_capacity(operations.len());
            let mut outcomes = Vec::with_capacity(operations.len());
            for (index, operation) in operations.iter().enumerate() {
                let ctx = Ctx { now: trial.now(), actor: actor.clone() };
                let refuse = |cause| OpError::InList { index, operation: operation.name().to_owned(), cause: Box::new(cause) };
                let made = permission::permit_any(operation, &trial, &ctx.actor).and_then(|()| operation.run(&mut trial, &ctx)).map_err(refuse)?;
                outcomes.push((ctx.now, Outcome::of(&made, &trial)));
                done.push(Done { operation: operation.name(), made });
            }
            for (operation, (at, outcome)) in operations.into_iter().zip(outcomes) {
                state.journal.append(at, actor.clone(), operation);
                state.journal.note(outcome);
            }
            state.world = trial;
            Ok(done)
        })
    }
    /// An operation as it may be kept. Only what the actor may do is worth a hash.
    fn sealed<O: Operation>(&self, actor: &Actor, operation: O) -> Result<O, OpError> {
        if !operation.carries_plain_text() {
            return Ok(operation);
        }
        let salt = self.read(|world| permission::permit(&operation, world, actor).map(|()| operation.salt(world)))?;
        Ok(operation.sealed(&salt))
    }
    fn all_sealed(&self, actor: &Actor, operations: Vec<AnyOperation>) -> Result<Vec<AnyOperation>, OpError> {
        let seal = |(index, operation): (usize, AnyOperation)| {
            if !operation.carries_plain_text() {
                return Ok(operation);
            }
            let refuse = |cause| OpError::InList { index, operation: operation.name().to_owned(), cause: Box::new(cause) };
            let salt = self.read(|world| permission::permit_any(&operation, world, actor).map(|()| operation.salt(world))).map_err(refuse)?;
            Ok(operation.sealed(&salt))
        };
        operations.into_iter().enumerate().map(seal).collect()
    }
    pub(super) const fn credentials(&self) -> &ArrayCredentials {
        &self.credentials
    }
    pub(super) fn wall(&self) -> Duration {
        self.time.elapsed()
    }
    /// Shows the journal.
    pub fn journal<R>(&self, look: impl FnOnce(&Journal) -> R) -> R {
        look(&self.state.lock().journal)
    }
    /// Shows the world as it was when somebody last looked.
    #[cfg(test)]
    pub(super) fn peek<R>(&self, look: impl FnOnce(&World) -> R) -> R {
        look(&self.state.lock().world)
    }
    /// Lets everything happen that is due; answers with the wall time at which something will be due next, if anything will.
    pub(super) fn catch_up(&self) -> Option<Duration> {
        let mut state = self.state.lock();
        state.advance(self.time.elapsed());
        state.next_wake()
    }

    /// Brings the world up to date, changes it, and sees to what follows from a change: clock, journal, alarm.
    fn change<R>(&self, change: impl FnOnce(&mut State) -> Result<R, OpError>) -> Result<R, OpError> {
        let mut state = self.state.lock();
        let wall = self.time.elapsed();
        state.advance(wall);
        let (clock, wake) = (state.world.clock, state.next_wake());
        let result = change(&mut state)?;
        if state.world.clock != clock {
            state.pace = Pace::from(wall, &state.world.clock);
        }
        let State { world, journal, .. } = &mut *state;
        if let Err(cause) = journal.keep_within_budget(world) {
            tracing::error!(array = self.name, %cause, "the journal has passed its budget and cannot begin anew");
        }
        let woken_at_another_time = state.next_wake() != wake;
        drop(state);
        if woken_at_another_time {
            self.alarm.ring();
        }
        Ok(result)
    }
}

impl State {
    fn advance(&mut self, wall: Duration) {
        engine::advance(&mut self.world, self.pace.at(wall));
    }
    fn next_wake(&self) -> Option<Duration> {
        self.world.agenda.next_time().and_then(|due| self.pace.wall_at(due))
    }
}

impl fmt::Debug for Hosted {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Hosted").field("name", &self.name).finish_non_exhaustive()
    }
}
