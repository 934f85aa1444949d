//! The journal: what came from outside, in order, before it took effect.

use serde::Serialize;
use uuid::Uuid;

use super::{CheckpointError, checkpoint};
use crate::ops::{Actor, AnyOperation, Reference, World};
use crate::units::{Bytes, SimTime};

/// The journal of one array, in memory. Refused operations are not in it, nor is what happens by itself: that follows from the rest.
#[derive(Clone, Debug)]
pub struct Journal {
    initial: Initial,
    entries: Vec<Entry>,
    bytes: u64,
    budget: Bytes,
    dropped: u64,
}

/// Entry 0: the whole value from which the later entries go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Initial {
    /// The sequence number of the last entry that is already in the value; 0 when none is.
    pub sequence: u64,
    /// Virtual time of the value.
    pub at: SimTime,
    /// The value as [`checkpoint`] writes it.
    pub text: String,
}

/// One operation that came from outside.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Entry {
    /// Rising by one from 1; it goes on rising when older entries are dropped.
    pub sequence: u64,
    /// Virtual time.
    pub at: SimTime,
    /// Who asked.
    pub actor: Actor,
    /// What.
    pub operation: AnyOperation,
    /// The digest of what came of it; `None` until it has been applied.
    pub outcome: Option<Outcome>,
}

/// A digest of what came of an operation: what it made or changed, how many events had been told, and what was due next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Outcome(pub Uuid);

const NAMESPACE: Uuid = Uuid::from_u128(0x1f0c_52a6_3c1e_4d0f_8b77_90d2_6f3e_5a44);

impl Outcome {
    /// The digest of what `made` and the world show right after an operation.
    pub(super) fn of(made: &[Reference], world: &World) -> Outcome {
        let mut text = format!("{} {} {:?}", world.array.events.told(), world.jobs.next_key().raw(), world.agenda.next_time());
        for reference in made {
            text.push_str(&format!("\n{} {} {} {}", reference.noun.name(), reference.id, reference.number, reference.name));
        }
        Outcome(Uuid::new_v5(&NAMESPACE, text.as_bytes()))
    }
}

impl Journal {
    /// The budget unless another is asked for.
    pub const BUDGET: Bytes = Bytes::mib(16);

    /// A journal that begins with a value.
    pub(super) fn begin(world: &World, budget: Bytes) -> Result<Journal, CheckpointError> {
        let initial = Initial { sequence: 0, at: world.now(), text: checkpoint(world)? };
        Ok(Journal { initial, entries: Vec::new(), bytes: 0, budget, dropped: 0 })
    }
    /// Appends an operation that has been checked and is about to be applied.
    pub(super) fn append(&mut self, at: SimTime, actor: Actor, operation: AnyOperation) {
        let sequence = self.last_sequence() + 1;
        let entry = Entry { sequence, at, actor, operation, outcome: None };
        self.bytes += written_length(&entry);
        self.entries.push(entry);
    }
    /// Notes what came of the entry appended last.
    pub(super) fn note(&mut self, outcome: Outcome) {
        if let Some(entry) = self.entries.last_mut() {
            entry.outcome = Some(outcome);
        }
    }
    /// When the entries have passed the budget, begins anew with the value as it is now.
    pub(super) fn keep_within_budget(&mut self, world: &World) -> Result<(), CheckpointError> {
        if self.bytes <= self.budget.get() {
            return Ok(());
        }
        self.initial = Initial { sequence: self.last_sequence(), at: world.now(), text: checkpoint(world)? };
        self.dropped += u64::try_from(self.entries.len()).unwrap_or(u64::MAX);
        self.entries = Vec::new();
        self.bytes = 0;
        Ok(())
    }
    /// An entry, to be tampered with.
    #[cfg(test)]
    pub(super) fn entry_mut(&mut self, sequence: usize) -> &mut Entry {
        &mut self.entries[sequence - 1]
    }
    /// Entry 0.
    pub const fn initial(&self) -> &Initial {
        &self.initial
    }
    /// The entries since then, oldest first.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }
    /// The sequence number of the newest entry; 0 when there never was one.
    pub fn last_sequence(&self) -> u64 {
        self.entries.last().map_or(self.initial.sequence, |entry| entry.sequence)
    }
    /// How many entries were dropped because entry 0 now contains them.
    pub const fn dropped(&self) -> u64 {
        self.dropped
    }
    /// How much the entries take, written as JSON.
    pub const fn size(&self) -> Bytes {
        Bytes::new(self.bytes)
    }
    /// How much they may take.
    pub const fn budget(&self) -> Bytes {
        self.budget
    }
}

/// How long an entry is in JSON.
fn written_length(entry: &Entry) -> u64 {
    serde_json::to_vec(entry).map_or(0, |text| u64::try_from(text.len()).unwrap_or(u64::MAX))
}
