//! Snapshots: a container as it was, with its volumes.

use serde::{Deserialize, Serialize};

use super::{Container, Head, Key, Noun, Object, Volume};
use crate::units::SimTime;

/// A frozen container.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// Identity; the name is unique in its container.
    pub head: Head,
    /// What it is a snapshot of.
    pub container: Key<Container>,
    /// When it was taken.
    pub created: SimTime,
    /// Free text.
    pub comment: String,
    /// The volumes as they were, in order of number.
    pub images: Vec<Volume>,
}

impl Object for Snapshot {
    const NOUN: Noun = Noun::Snapshot;
    fn head(&self) -> &Head {
        &self.head
    }
    fn head_mut(&mut self) -> &mut Head {
        &mut self.head
    }
    fn scope(&self) -> Option<u32> {
        Some(self.container.raw())
    }
    fn owner(&self) -> Option<u32> {
        Some(self.container.raw())
    }
}
