//! What stands behind an array's lock: the value, and everything that keeps it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use super::journal::length_of;
use super::keys::{Keyed, Keys};
use super::pace::Pace;
use super::pages::Pages;
use super::saved::Saved;
use super::store::{ArrayStore, Heading, Loaded, RecordRef, Ticket};
use super::{ChangeError, Entry, Initial, Journal, StoreError, replay};
use crate::engine;
use crate::model::OpError;
use crate::ops::World;
use crate::units::{Bytes, SimTime};

/// The inside of a [`super::Hosted`].
pub(super) struct State {
    pub(super) world: World,
    pub(super) journal: Journal,
    pub(super) pace: Pace,
    pub(super) keys: Keys,
    pub(super) pages: Pages,
    pub(super) saved: Vec<Saved>,
    pub(super) store: Option<ArrayStore>,
    /// The value that a reset goes back to, when no file holds it.
    origin: Option<Arc<World>>,
    /// Why nothing can be changed any more.
    broken: Option<String>,
    /// When an instant was written down last: by the wall and by the array.
    marked: (Duration, SimTime),
}

/// How often an instant is written down while somebody looks and nothing else happens.
const MARK_EVERY: Duration = Duration::from_secs(1);

impl State {
    /// A new array; the store, if there is one, holds it already.
    pub(super) fn new(world: World, budget: Bytes, wall: Duration, store: Option<ArrayStore>) -> State {
        let origin = store.is_none().then(|| Arc::new(world.clone()));
        let initial = Initial { sequence: 0, at: world.now(), value: origin.clone() };
        State {
            journal: Journal::begin(initial, budget),
            pace: Pace::from(wall, &world.clock),
            keys: Keys::default(),
            pages: Pages::default(),
            saved: Vec::new(),
            store,
            origin,
            broken: None,
            marked: (wall, world.now()),
            world,
        }
    }
    /// An array as it was found on disk.
    pub(super) fn found(loaded: Loaded, budget: Bytes, wall: Duration, store: ArrayStore) -> State {
        let initial = Initial { sequence: loaded.base.sequence, at: loaded.base.at, value: None };
        let mut journal = Journal::begin(initial, budget);
        journal.add(loaded.entries, loaded.bytes);
        State {
            journal,
            pace: Pace::from(wall, &loaded.world.clock),
            keys: loaded.keys.into_iter().collect(),
            pages: Pages::default(),
            saved: loaded.saved.into_iter().map(|(heading, bytes)| Saved::found(heading, bytes)).collect(),
            store: Some(store),
            origin: None,
            broken: None,
            marked: (wall, loaded.world.now()),
            world: loaded.world,
        }
    }
    /// Lets time pass until now; answers whether something happened. Whoever sees that sees it again after a restart: the instant is
    /// written down first.
    pub(super) fn advance(&mut self, wall: Duration) -> bool {
        let to = self.pace.at(wall);
        let happens = self.world.agenda.next_time().is_some_and(|due| due <= to);
        engine::advance(&mut self.world, to);
        if self.store.is_some() && (happens || wall.saturating_sub(self.marked.0) >= MARK_EVERY) && self.world.now() > self.marked.1 {
            self.mark(wall);
        }
        happens
    }
    fn mark(&mut self, wall: Duration) {
        let record = RecordRef { entries: &[], mark: Some(self.world.now()), key: None };
        let (Some(store), Ok(content)) = (&mut self.store, serde_json::to_vec(&record)) else { return };
        match store.append(&content) {
            Ok(_) => {
                self.journal.add(Vec::new(), content.len() as u64);
                self.marked = (wall, self.world.now());
            }
            Err(cause) => {
                tracing::warn!(%cause, "virtual time cannot be written down; after a restart it may be earlier than it was seen");
                self.marked.0 = wall;
            }
        }
    }
    /// When something is due next by the wall.
    pub(super) fn next_wake(&self) -> Option<Duration> {
        self.world.agenda.next_time().and_then(|due| self.pace.wall_at(due))
    }
    /// It must be whole, and what is changed must be able to be written down.
    pub(super) fn can_be_changed(&mut self) -> Result<(), ChangeError> {
        if let Some(cause) = &self.broken {
            return Err(ChangeError::Broken { cause: cause.clone() });
        }
        let room = self.store.as_mut().map_or(Ok(()), ArrayStore::has_room);
        room.map_err(|cause| ChangeError::NotWritten { cause: cause.to_string() })
    }
    /// Tries a change. If the program breaks meanwhile, the value is put back.
    pub(super) fn attempt<R>(&mut self, wall: Duration, what: &str, change: impl FnOnce(&mut World) -> Result<R, OpError>) -> Result<R, ChangeError> {
        match catch_unwind(AssertUnwindSafe(|| change(&mut self.world))) {
            Ok(done) => done.map_err(ChangeError::from),
            Err(_) => {
                self.put_back(wall);
                Err(ChangeError::BrokeOff { what: what.to_owned() })
            }
        }
    }
    /// Writes down what has been done. If that fails, it has not been done.
    pub(super) fn write(&mut self, wall: Duration, mut entries: Vec<Entry>, key: Option<Keyed>) -> Result<Option<Ticket>, ChangeError> {
        for (entry, sequence) in entries.iter_mut().zip(self.journal.last_sequence() + 1..) {
            entry.sequence = sequence;
        }
        let record = RecordRef { entries: &entries, mark: None, key: key.as_ref() };
        let (bytes, ticket) = match &mut self.store {
            None => (length_of(&record), None),
            Some(store) => {
                let content = serde_json::to_vec(&record).map_err(|cause| cause.to_string());
                let written =
                    content.and_then(|content| store.append(&content).map(|ticket| (content.len() as u64, ticket)).map_err(|cause| cause.to_string()));
                match written {
                    Ok(written) => written,
                    Err(cause) => {
                        self.put_back(wall);
                        return Err(ChangeError::NotWritten { cause });
                    }
                }
            }
        };
        if let Some(last) = entries.last() {
            self.marked = (wall, last.at);
        }
        self.journal.add(entries, bytes);
        key.into_iter().for_each(|key| self.keys.keep(key));
        Ok(ticket)
    }
    /// Rebuilds the value from what was written down.
    fn put_back(&mut self, wall: Duration) {
        let value = match &self.store {
            Some(store) => store.read_back().map(|loaded| loaded.world).map_err(|cause| cause.to_string()),
            None => replay(&self.journal).map_err(|cause| cause.to_string()),
        };
        match value {
            Ok(mut world) => {
                engine::advance(&mut world, self.pace.at(wall));
                self.world = world;
            }
            Err(cause) => {
                tracing::error!(%cause, "an array can neither be changed nor be put back");
                self.broken = Some(cause);
            }
        }
    }
    /// What a file of the present value says about it.
    pub(super) fn heading(&self) -> Heading {
        let (sequence, at) = (self.journal.last_sequence(), self.world.now());
        Heading { sequence, epoch: self.world.revisions.epoch, at, name: None, number: None, keys: self.keys.all(at) }
    }
    /// When the journal has grown past its budget, begins it anew with the value as it is now, and answers with the one so far.
    pub(super) fn keep_within_budget(&mut self) -> Option<Journal> {
        if !self.journal.is_past_budget() || self.store.as_ref().is_some_and(ArrayStore::is_writing) {
            return None;
        }
        let (heading, value) = (self.heading(), Arc::new(self.world.clone()));
        let (sequence, at) = (heading.sequence, heading.at);
        let value = match &mut self.store {
            None => Some(value),
            Some(store) => {
                if let Err(cause) = store.checkpoint_beside(heading, value) {
                    tracing::error!(%cause, "a checkpoint cannot be written; the journal keeps everything");
                }
                None
            }
        };
        Some(self.journal.begin_anew(Initial { sequence, at, value }))
    }
    /// Puts another value in the place of this one: a new epoch begins.
    pub(super) fn replace(&mut self, wall: Duration, mut world: World) -> Result<(), ChangeError> {
        world.begin_epoch(self.world.revisions.epoch + 1);
        let (sequence, at) = (self.journal.last_sequence() + 1, world.now());
        let heading = Heading { sequence, epoch: world.revisions.epoch, at, name: None, number: None, keys: Vec::new() };
        if let Some(store) = &mut self.store {
            store.replace(&heading, &world).map_err(|cause| ChangeError::NotWritten { cause: cause.to_string() })?;
        }
        let value = self.store.is_none().then(|| Arc::new(world.clone()));
        drop(self.journal.begin_anew(Initial { sequence, at, value }));
        self.pace = Pace::from(wall, &world.clock);
        (self.world, self.keys, self.broken, self.marked) = (world, Keys::default(), None, (wall, at));
        Ok(())
    }
    /// The value that a reset goes back to.
    pub(super) fn origin(&self) -> Result<World, ChangeError> {
        let found = match (&self.origin, &self.store) {
            (Some(origin), _) => return Ok(World::clone(origin)),
            (None, Some(store)) => store.initial().map_err(|cause| cause.to_string()),
            (None, None) => Err("the initial value is gone".to_owned()),
        };
        found.map_err(|cause| ChangeError::Broken { cause })
    }
    /// Writes the value to the disk; nothing can be changed from then on.
    pub(super) fn close(&mut self, why: &str) -> std::io::Result<()> {
        let heading = self.heading();
        let Some(mut store) = self.store.take() else { return Ok(()) };
        let written = store.checkpoint_now(&heading, &self.world);
        self.broken = Some(why.to_owned());
        written
    }
    /// Lets the files go by `remove`. If that fails, everything is as it was.
    pub(super) fn let_go(&mut self, remove: impl FnOnce() -> Result<(), StoreError>) -> Result<(), StoreError> {
        self.store.iter_mut().for_each(ArrayStore::wait_for_writer);
        remove()?;
        self.store = None;
        self.broken = Some("the array was deleted".to_owned());
        Ok(())
    }
}
