//! One array, running.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};
use serde::Serialize;
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

use super::alarm::Alarm;
use super::credentials::ArrayCredentials;
use super::keys::Keyed;
use super::pace::Pace;
use super::pages::Rendered;
use super::state::State;
use super::store::Ticket;
use super::unserved::Unserved;
use super::{Answer, ChangeError, Condition, Door, Draft, Entry, Journal, Outcome, StoreError, Tag, Terms, TimeSource};
use crate::model::{OpError, PolicySet};
use crate::ops::{self, Actor, AnyOperation, Ctx, Operation, Output, Reference, World, permission};

/// An array with its journal behind one lock. The lock is taken for the length of one closure and never handed out.
pub struct Hosted {
    name: String,
    time: Arc<dyn TimeSource>,
    alarm: Arc<Alarm>,
    /// Told when something has happened, for those who wait for it.
    moved: watch::Sender<()>,
    nobody_waits: AtomicBool,
    credentials: ArrayCredentials,
    pub(super) door: Mutex<Option<Box<dyn Door>>>,
    state: Mutex<State>,
    /// What clients asked for in vain.
    pub(super) unserved: Mutex<Unserved>,
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

/// The answer to a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Performed {
    /// The answer.
    pub answer: Answer,
    /// Whether it was given before, under the same key; nothing was done now.
    pub again: bool,
}

/// What a change leaves: its entries in the journal, and its result.
type Change<R> = (Vec<Entry>, R);
/// A change whose result is an answer. One type for all operations, so that what is around it is there once.
type Deed<'a> = Box<dyn FnOnce(&mut World) -> Result<Change<Answer>, OpError> + 'a>;

impl Hosted {
    pub(super) fn new(name: &str, time: Arc<dyn TimeSource>, alarm: Arc<Alarm>, state: impl FnOnce(Duration) -> State) -> Hosted {
        let state = Mutex::new(state(time.elapsed()));
        let (moved, nobody_waits, credentials) = (watch::Sender::new(()), AtomicBool::new(false), ArrayCredentials::default());
        Hosted { name: name.to_owned(), time, alarm, moved, nobody_waits, credentials, door: Mutex::default(), state, unserved: Mutex::default() }
    }
    /// Its name. The value inside does not know it.
    pub fn name(&self) -> &str {
        &self.name
    }
    /// Shows the world as it is now. Reading changes nothing but that time has passed.
    pub fn read<R>(&self, look: impl FnOnce(&World) -> R) -> R {
        let (state, _) = self.begin();
        look(&state.world)
    }
    /// Shows what follows from the value alone, never from the time, as bytes; the same bytes again while nothing has happened.
    pub fn page<E>(&self, asked: &str, render: impl FnOnce(&World) -> Result<Rendered, E>) -> Result<Rendered, E> {
        let (mut state, _) = self.begin();
        let State { pages, world, .. } = &mut *state;
        pages.page(asked, world, render)
    }
    /// Does one operation and shows what came of it, or refuses it and changes nothing. What the actor may not do is refused first; a
    /// password is sealed before the lock is taken for good. Blocks until it is on the disk, where that was asked for.
    pub fn execute<O: Operation, R>(&self, actor: Actor, operation: O, render: impl FnOnce(&World, O::Output) -> R) -> Result<R, ChangeError> {
        let operation = self.sealed(&actor, operation)?;
        let (state, wall) = self.begin();
        let (result, ticket) = self.commit(state, wall, O::NAME, |world| done(world, actor, operation, render), |_, _| None)?;
        ticket.map_or(Ok(()), Ticket::durable_now)?;
        Ok(result)
    }
    /// The same on the terms of a request: once under its key, and only while its condition holds. Waits until it is on the disk, where
    /// that was asked for.
    pub fn perform<'a, O: Operation>(
        &'a self,
        terms: &'a Terms,
        operation: O,
        render: impl FnOnce(&World, O::Output) -> Answer + 'a,
    ) -> impl Future<Output = Result<Performed, ChangeError>> {
        let sealed = self.sealed(&terms.actor, operation);
        let change = sealed.map(|operation| -> Deed<'a> { Box::new(|world| done(world, terms.actor.clone(), operation, render)) });
        self.on_terms(terms, O::NAME, change)
    }
    /// Does a list of operations, all or nothing. A refusal is [`OpError::InList`] and names the operation by its index from 0.
    pub fn batch(&self, actor: Actor, operations: Vec<AnyOperation>) -> Result<Vec<Done>, ChangeError> {
        let operations = self.all_sealed(&actor, operations)?;
        let (state, wall) = self.begin();
        let (result, ticket) = self.commit(state, wall, LIST, |world| all_done(world, &actor, operations), |_, _| None)?;
        ticket.map_or(Ok(()), Ticket::durable_now)?;
        Ok(result)
    }
    /// A copy on which operations can be tried before they are done here.
    pub fn draft(&self, actor: Actor) -> Draft {
        self.read(|world| Draft::of(world, actor))
    }
    /// Does what was done on a copy, all or nothing; not when an operation has changed the array since it was copied.
    pub fn carry_out(&self, draft: Draft) -> Result<Vec<Done>, ChangeError> {
        let (actor, seen, operations) = draft.into_parts();
        let operations = self.all_sealed(&actor, operations)?;
        let (state, wall) = self.begin();
        let is = Tag::of_array(&state.world);
        if is != seen {
            return Err(ChangeError::TagDiffers { is: is.to_string(), asked: seen.to_string() });
        }
        let (result, ticket) = self.commit(state, wall, LIST, |world| all_done(world, &actor, operations), |_, _| None)?;
        ticket.map_or(Ok(()), Ticket::durable_now)?;
        Ok(result)
    }
    /// Does a list of operations on the terms of a request, all or nothing.
    pub async fn perform_all(&self, terms: &Terms, operations: Vec<AnyOperation>, render: impl FnOnce(Vec<Done>) -> Answer) -> Result<Performed, ChangeError> {
        let operations = self.all_sealed(&terms.actor, operations)?;
        let deed = Box::new(|world: &mut World| all_done(world, &terms.actor, operations).map(|(entries, done)| (entries, render(done))));
        self.on_terms(terms, LIST, Ok(deed)).await
    }
    /// Whether an actor has one of these policies, and may do what needs it.
    pub fn allows(&self, actor: &Actor, enough: PolicySet, doing: &str) -> Result<(), OpError> {
        if actor.authority.is_server() { Ok(()) } else { self.read(|world| permission::allows_one(world, actor, enough, doing)) }
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
    /// Waits until `look` finds something, at most so long by the wall; then it looks a last time. Nothing is held while waiting.
    pub async fn wait_for<R>(&self, at_most: Duration, mut look: impl FnMut(&World) -> Option<R>) -> Option<R> {
        let mut moved = self.moved.subscribe();
        let deadline = Instant::now() + at_most;
        loop {
            moved.mark_unchanged();
            if let Some(found) = self.read(&mut look) {
                return Some(found);
            }
            let over = self.nobody_waits.load(Ordering::Acquire) || !matches!(timeout_at(deadline, moved.changed()).await, Ok(Ok(())));
            if over {
                return self.read(look);
            }
        }
    }
    /// Whoever waits gets an answer now, and nobody waits any more.
    pub(super) fn end_waiting(&self) {
        self.nobody_waits.store(true, Ordering::Release);
        self.moved.send_replace(());
    }
    /// Shows the world as it was when somebody last looked.
    #[cfg(test)]
    pub(super) fn peek<R>(&self, look: impl FnOnce(&World) -> R) -> R {
        look(&self.state.lock().world)
    }
    /// The inside, to be tampered with.
    #[cfg(test)]
    pub(super) fn inside<R>(&self, look: impl FnOnce(&mut State) -> R) -> R {
        look(&mut self.state.lock())
    }
    /// Lets everything happen that is due; answers with the wall time at which something will be due next, if anything will.
    pub(super) fn catch_up(&self) -> Option<Duration> {
        self.begin().0.next_wake()
    }
    /// Writes the value to the disk, where it is kept there; nothing can be changed from then on.
    pub(super) fn close(&self) -> std::io::Result<()> {
        self.end_waiting();
        self.begin().0.close("the server is ending")
    }
    /// Whether a condition holds now.
    pub fn meets(&self, condition: Option<&Condition>) -> Result<(), ChangeError> {
        condition.map_or(Ok(()), |condition| self.read(|world| condition.holds(world)))
    }
    /// Lets the array go while a condition holds: its files go by `remove`, and nothing can be changed from then on.
    pub(super) fn let_go(&self, condition: Option<&Condition>, remove: impl FnOnce() -> Result<(), StoreError>) -> Result<Result<(), StoreError>, ChangeError> {
        let (mut state, _) = self.begin();
        condition.map_or(Ok(()), |condition| condition.holds(&state.world))?;
        let removed = state.let_go(remove);
        drop(state);
        self.end_waiting();
        Ok(removed)
    }

    /// Takes the lock and brings the world up to date.
    pub(super) fn begin(&self) -> (MutexGuard<'_, State>, Duration) {
        let mut state = self.state.lock();
        let wall = self.time.elapsed();
        if state.advance(wall) {
            self.moved.send_replace(());
        }
        (state, wall)
    }
    async fn on_terms(&self, terms: &Terms, what: &str, deed: Result<Deed<'_>, OpError>) -> Result<Performed, ChangeError> {
        let deed = deed?;
        let (answer, ticket) = {
            let (state, wall) = self.begin();
            if let Some(key) = &terms.key
                && let Some(answer) = state.keys.find(key, state.world.now())?
            {
                return Ok(Performed { answer, again: true });
            }
            terms.condition.iter().try_for_each(|condition| condition.holds(&state.world))?;
            let keyed = |world: &World, answer: &Answer| terms.key.as_ref().map(|key| key.answered(world.now(), answer.clone()));
            self.commit(state, wall, what, deed, keyed)?
        };
        if let Some(ticket) = ticket {
            ticket.durable().await?;
        }
        Ok(Performed { answer, again: false })
    }
    /// Changes the world, writes that down, and sees to what follows from a change: clock, journal, alarm, those who wait.
    fn commit<R>(
        &self,
        mut state: MutexGuard<'_, State>,
        wall: Duration,
        what: &str,
        change: impl FnOnce(&mut World) -> Result<Change<R>, OpError>,
        keyed: impl FnOnce(&World, &R) -> Option<Keyed>,
    ) -> Result<(R, Option<Ticket>), ChangeError> {
        state.can_be_changed()?;
        let (clock, wake) = (state.world.clock, state.next_wake());
        let (entries, result) = state.attempt(wall, what, change)?;
        let key = keyed(&state.world, &result);
        let ticket = state.write(wall, entries, key)?;
        if state.world.clock != clock {
            state.pace = Pace::from(wall, &state.world.clock);
        }
        // Dropped at the end, when others have the lock already.
        let _journal_so_far = state.keep_within_budget();
        let woken_at_another_time = state.next_wake() != wake;
        drop(state);
        self.moved.send_replace(());
        if woken_at_another_time {
            self.alarm.ring();
        }
        Ok((result, ticket))
    }
    /// Does something with the array as a whole on the terms of a request.
    pub(super) async fn administer(
        &self,
        terms: &Terms,
        act: impl FnOnce(&mut State, Duration) -> Result<Answer, ChangeError>,
    ) -> Result<Performed, ChangeError> {
        let (answer, ticket) = {
            let (mut state, wall) = self.begin();
            if let Some(key) = &terms.key
                && let Some(answer) = state.keys.find(key, state.world.now())?
            {
                return Ok(Performed { answer, again: true });
            }
            terms.condition.iter().try_for_each(|condition| condition.holds(&state.world))?;
            let answer = act(&mut state, wall)?;
            let keyed = terms.key.as_ref().map(|key| key.answered(state.world.now(), answer.clone()));
            let ticket = if keyed.is_some() { state.write(wall, Vec::new(), keyed)? } else { None };
            (answer, ticket)
        };
        self.moved.send_replace(());
        self.alarm.ring();
        if let Some(ticket) = ticket {
            ticket.durable().await?;
        }
        Ok(Performed { answer, again: false })
    }
}

/// What a list of operations is called where a name is needed.
const LIST: &str = "a list of operations";

/// Checks and applies an operation, and shows what came of it.
fn done<O: Operation, R>(world: &mut World, actor: Actor, operation: O, render: impl FnOnce(&World, O::Output) -> R) -> Result<Change<R>, OpError> {
    let ctx = Ctx { now: world.now(), actor };
    permission::permit(&operation, world, &ctx.actor)?;
    let plan = ops::plan(&operation, world, &ctx)?;
    let output = ops::apply::<O>(plan, world, &ctx);
    let outcome = Outcome::of(&output.references(world), world);
    let entry = Entry::of(ctx.now, ctx.actor, operation.into(), outcome);
    Ok((vec![entry], render(world, output)))
}

/// Checks and applies all operations of a list, or none.
fn all_done(world: &mut World, actor: &Actor, operations: Vec<AnyOperation>) -> Result<Change<Vec<Done>>, OpError> {
    let mut trial = world.clone();
    let mut done = Vec::with_capacity(operations.len());
    let mut entries = Vec::with_capacity(operations.len());
    for (index, operation) in operations.into_iter().enumerate() {
        let (entry, made) = one_of_list(&mut trial, actor, index, operation)?;
        entries.push(entry);
        done.push(made);
    }
    *world = trial;
    Ok((entries, done))
}

/// Checks and applies one operation of a list.
pub(super) fn one_of_list(world: &mut World, actor: &Actor, index: usize, operation: AnyOperation) -> Result<(Entry, Done), OpError> {
    let ctx = Ctx { now: world.now(), actor: actor.clone() };
    let name = operation.name();
    let refuse = |cause| OpError::InList { index, operation: name.to_owned(), cause: Box::new(cause) };
    let made = permission::permit_any(&operation, world, &ctx.actor).and_then(|()| operation.run(world, &ctx)).map_err(refuse)?;
    Ok((Entry::of(ctx.now, ctx.actor, operation, Outcome::of(&made, world)), Done { operation: name, made }))
}

impl fmt::Debug for Hosted {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Hosted").field("name", &self.name).finish_non_exhaustive()
    }
}
