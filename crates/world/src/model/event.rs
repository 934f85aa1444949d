//! Events: what the array says happened.

use std::collections::VecDeque;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Noun;
use crate::units::SimTime;

/// One event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// Rising from 1.
    pub number: u64,
    /// The epoch of the array in which it was told: with the number it names one event for ever, also after a restore.
    #[serde(default, skip_serializing_if = "is_first")]
    pub epoch: u32,
    /// When it happened.
    pub time: SimTime,
    /// How bad it is.
    pub severity: Severity,
    /// What happened, as a stable word (`pool_warning`).
    pub code: String,
    /// What it is about.
    pub noun: Noun,
    /// The name of the thing at that time.
    pub name: String,
    /// A sentence.
    pub message: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_first(epoch: &u32) -> bool {
    *epoch == 0
}

impl Event {
    /// What names it for ever: epoch and number, as in `0-17`.
    pub fn id(&self) -> String {
        format!("{}-{}", self.epoch, self.number)
    }
}

/// How bad an event is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// For the record.
    Information,
    /// Somebody should look.
    Warning,
    /// Something is broken or refused.
    Error,
}

/// The newest events, at most [`Events::KEPT`]. A clone shares them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Events {
    told: u64,
    #[serde(default, skip_serializing_if = "is_first")]
    epoch: u32,
    kept: VecDeque<Arc<Event>>,
}

impl Events {
    /// How many are kept.
    pub const KEPT: usize = 10_000;

    /// Adds one; the oldest goes when there are too many.
    pub fn tell(&mut self, time: SimTime, severity: Severity, code: &str, (noun, name): (Noun, &str), message: String) {
        self.told += 1;
        if self.kept.len() == Events::KEPT {
            self.kept.pop_front();
        }
        let (number, epoch) = (self.told, self.epoch);
        self.kept.push_back(Arc::new(Event { number, epoch, time, severity, code: code.to_owned(), noun, name: name.to_owned(), message }));
    }
    /// Those told from now on belong to that epoch.
    pub fn begin_epoch(&mut self, epoch: u32) {
        self.epoch = epoch;
    }
    /// The kept ones, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Event> + ExactSizeIterator {
        self.kept.iter().map(Arc::as_ref)
    }
    /// How many were ever told.
    pub const fn told(&self) -> u64 {
        self.told
    }
}
