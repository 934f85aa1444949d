//! Rebuilding a value from its journal.

use std::fmt;

use super::{Entry, Journal, Outcome};
use crate::engine;
use crate::model::OpError;
use crate::ops::{Ctx, World};

/// Why a journal cannot be replayed to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayError {
    /// The value that it goes on from is not in memory.
    NotInMemory,
    /// An entry has another outcome than it had.
    Differs {
        /// Its sequence number.
        sequence: u64,
        /// Its operation.
        operation: String,
        /// How it differs.
        difference: Difference,
    },
}

/// How an outcome differs from the one that the journal holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// It was done then and is refused now.
    Refused(Box<OpError>),
    /// It has other results.
    Outcome {
        /// The digest in the journal.
        then: Option<Outcome>,
        /// The digest now.
        now: Outcome,
    },
    /// The entries are not in order of time.
    TimeRunsBack,
}

impl fmt::Display for ReplayError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayError::NotInMemory => out.write_str("the value that the journal goes on from is not in memory"),
            ReplayError::Differs { sequence, operation, difference } => {
                write!(out, "entry {sequence} of the journal ({operation}): ")?;
                match difference {
                    Difference::Refused(refusal) => write!(out, "it was done then and is refused now: {refusal}"),
                    Difference::Outcome { .. } => out.write_str("it has another outcome than it had"),
                    Difference::TimeRunsBack => out.write_str("it lies before the entry ahead of it"),
                }
            }
        }
    }
}
impl std::error::Error for ReplayError {}

/// Rebuilds the value right after the newest entry, and stops at the first entry whose outcome differs.
pub fn replay(journal: &Journal) -> Result<World, ReplayError> {
    let mut world = journal.initial().value.as_deref().cloned().ok_or(ReplayError::NotInMemory)?;
    for entry in journal.entries() {
        repeat(&mut world, entry).map_err(|difference| ReplayError::Differs {
            sequence: entry.sequence,
            operation: entry.operation.name().to_owned(),
            difference,
        })?;
    }
    Ok(world)
}

/// Does again what an entry says, and compares what comes of it.
pub(super) fn repeat(world: &mut World, entry: &Entry) -> Result<(), Difference> {
    if entry.at < world.now() {
        return Err(Difference::TimeRunsBack);
    }
    engine::advance(world, entry.at);
    let ctx = Ctx { now: world.now(), actor: entry.actor.clone() };
    let made = entry.operation.run(world, &ctx).map_err(|refusal| Difference::Refused(Box::new(refusal)))?;
    let now = Outcome::of(&made, world);
    let then = entry.outcome;
    if then != Some(now) {
        return Err(Difference::Outcome { then, now });
    }
    Ok(())
}
