//! How often the value was changed from outside: what tags of objects are made of.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::model::Noun;

/// Counts of changes from outside. What happens by itself does not move them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Revisions {
    /// How often the value was put back to an earlier one: by restoring a checkpoint or by a reset.
    #[serde(default)]
    pub epoch: u32,
    /// How many operations have been done in the history of this value.
    #[serde(default)]
    changes: u64,
    /// Of what there is only one in an array (settings, clock): which operation changed it last.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    singletons: BTreeMap<Noun, u64>,
}

impl Revisions {
    /// Whether nothing was counted yet.
    pub fn is_new(&self) -> bool {
        *self == Revisions::default()
    }
    /// Counts an operation; the count is the revision of what it changes.
    pub fn count(&mut self) -> u64 {
        self.changes += 1;
        self.changes
    }
    /// How many operations have been done.
    pub const fn changes(&self) -> u64 {
        self.changes
    }
    /// Notes which operation changed something last of which there is only one.
    pub fn touch(&mut self, noun: Noun, revision: u64) {
        self.singletons.insert(noun, revision);
    }
    /// The revision of something of which there is only one.
    pub fn of(&self, noun: Noun) -> u64 {
        self.singletons.get(&noun).copied().unwrap_or(0)
    }
}
