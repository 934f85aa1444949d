//! Records: what one request left in a journal file, whole or not at all.

use serde::{Deserialize, Serialize};

use crate::site::Entry;
use crate::site::keys::Keyed;
use crate::units::SimTime;

/// A record as it is written.
#[derive(Serialize)]
pub(in crate::site) struct RecordRef<'a> {
    /// What came from outside: one operation, or all of a list.
    #[serde(skip_serializing_if = "<[Entry]>::is_empty")]
    pub entries: &'a [Entry],
    /// An instant that somebody may have seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<SimTime>,
    /// The key of the request, with its answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<&'a Keyed>,
}

/// A record as it is read.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::site) struct Record {
    #[serde(default)]
    pub entries: Vec<Entry>,
    #[serde(default)]
    pub mark: Option<SimTime>,
    #[serde(default)]
    pub key: Option<Keyed>,
}
