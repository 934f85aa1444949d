//! The journal: what came from outside, in order.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

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
#[derive(Clone, Debug)]
pub struct Initial {
    /// The sequence number of the last entry that is already in the value; 0 when none is.
    pub sequence: u64,
    /// Virtual time of the value.
    pub at: SimTime,
    /// The value; of an array that is kept on disk, it is there.
    pub value: Option<Arc<World>>,
}

/// One operation that came from outside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Rising by one from 1; it goes on rising when older entries are dropped.
    pub sequence: u64,
    /// Virtual time.
    pub at: SimTime,
    /// Who asked.
    pub actor: Actor,
    /// What.
    pub operation: AnyOperation,
    /// The digest of what came of it.
    pub outcome: Option<Outcome>,
}

/// A digest of what came of an operation: what it made or changed, how many events had been told, and what was due next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Outcome(pub Uuid);

const NAMESPACE: Uuid = Uuid::from_u128(0x1f0c_52a6_3c1e_4d0f_8b77_90d2_6f3e_5a44);

impl Outcome {
    /// The digest of what `made` and the world show right after an operation.
    pub(super) fn of(made: &[Reference], world: &World) -> Outcome {
        let mut text = format!("{} {} {:?}", world.array.events.told(), world.jobs.next_key().raw(), world.agenda.next_time());
        for reference in made {
            let _ = write!(text, "\n{} {} {} {}", reference.noun.name(), reference.id, reference.number, reference.name);
        }
        Outcome(Uuid::new_v5(&NAMESPACE, text.as_bytes()))
    }
}

impl Entry {
    /// What has just been done. Its number is given when it is written down.
    pub(super) fn of(at: SimTime, actor: Actor, operation: AnyOperation, outcome: Outcome) -> Entry {
        Entry { sequence: 0, at, actor, operation, outcome: Some(outcome) }
    }
}

impl Journal {
    /// The budget unless another is asked for.
    pub const BUDGET: Bytes = Bytes::mib(16);

    /// A journal that begins with a value.
    pub(super) const fn begin(initial: Initial, budget: Bytes) -> Journal {
        Journal { initial, entries: Vec::new(), bytes: 0, budget, dropped: 0 }
    }
    /// Adds what has been written down in so many bytes.
    pub(super) fn add(&mut self, entries: Vec<Entry>, bytes: u64) {
        self.bytes += bytes;
        self.entries.extend(entries);
    }
    /// Whether the entries take more than they may.
    pub(super) const fn is_past_budget(&self) -> bool {
        self.bytes > self.budget.get()
    }
    /// Begins anew with a value, with room for as many entries; answers with the journal so far, which takes a while to be dropped.
    pub(super) fn begin_anew(&mut self, initial: Initial) -> Journal {
        let dropped = self.dropped + u64::try_from(self.entries.len()).unwrap_or(u64::MAX);
        let entries = Vec::with_capacity(self.entries.len());
        std::mem::replace(self, Journal { entries, dropped, ..Journal::begin(initial, self.budget) })
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

/// How long something is in JSON, which is not kept.
pub(super) fn length_of<T: Serialize>(value: &T) -> u64 {
    let mut count = Count(0);
    serde_json::to_writer(&mut count, value).map_or(0, |()| count.0)
}

struct Count(u64);

impl Write for Count {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
