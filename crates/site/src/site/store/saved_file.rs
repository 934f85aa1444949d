//! Files that hold a whole value: a line that names format and versions, a frame with what it is, and a frame with the value.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::error::StoreError;
use super::frame::{self, Found};
use crate::ops::World;
use crate::site::keys::Keyed;
use crate::site::{CheckpointError, VERSION, checkpoint, restore};
use crate::units::SimTime;

/// The format of these files and its version.
const FORMAT: &str = "arrayplane-checkpoint";
const FORMAT_VERSION: u64 = 1;

/// What is known of a value without reading it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::site) struct Heading {
    /// The sequence number of the last entry of the journal that is in it.
    pub sequence: u64,
    /// Its epoch.
    pub epoch: u32,
    /// Its virtual time.
    pub at: SimTime,
    /// The name that somebody gave it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The number under which it is listed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u32>,
    /// The keys of requests that are remembered.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<Keyed>,
}

/// The file of a value.
pub(in crate::site) fn bytes(heading: &Heading, world: &World) -> Result<Vec<u8>, CheckpointError> {
    let mut bytes = first_line(FORMAT, FORMAT_VERSION, "").into_bytes();
    let heading = serde_json::to_vec(heading).map_err(|cause| CheckpointError::Unwritable { cause: cause.to_string() })?;
    frame::add(&mut bytes, &heading);
    frame::add(&mut bytes, checkpoint(world)?.as_bytes());
    Ok(bytes)
}

/// The line that every file begins with.
pub(super) fn first_line(format: &str, version: u64, rest: &str) -> String {
    format!("{format} {version} rules {VERSION}{rest}\n")
}

/// Reads the first line of a file: the words behind format and versions, and where the next line begins.
pub(super) fn read_first_line<'b>(path: &Path, bytes: &'b [u8], format: &str, newest: u64) -> Result<(Vec<&'b str>, usize), StoreError> {
    let damaged = |what: String| StoreError::Damaged { path: path.to_owned(), offset: 0, what };
    let end = bytes.iter().take(200).position(|byte| *byte == b'\n').ok_or_else(|| damaged(format!("it does not begin with a line '{format} ...'")))?;
    let line = str::from_utf8(&bytes[..end]).unwrap_or_default();
    let mut words = line.split(' ');
    if words.next() != Some(format) {
        return Err(damaged(format!("it begins with '{line}', not with '{format}'")));
    }
    let version: Option<u64> = words.next().and_then(|word| word.parse().ok());
    let rules: Option<u64> = words.next().filter(|word| *word == "rules").and_then(|_| words.next()?.parse().ok());
    let (Some(version), Some(rules)) = (version, rules) else {
        return Err(damaged(format!("it begins with '{line}', which names no versions")));
    };
    if version > newest || rules > VERSION {
        return Err(StoreError::Newer { path: path.to_owned(), version, rules });
    }
    Ok((words.collect(), end + 1))
}

/// Reads a file whole.
pub(in crate::site) fn read(path: &Path) -> Result<(Heading, World), StoreError> {
    let bytes = std::fs::read(path).map_err(|cause| StoreError::unusable(path, &cause))?;
    let (heading, place) = heading_of(path, &bytes)?;
    let text = content(path, &bytes, place)?.0;
    let damaged = |what: String| StoreError::Damaged { path: path.to_owned(), offset: place, what };
    let text = str::from_utf8(text).map_err(|cause| damaged(cause.to_string()))?;
    let world = restore(text).map_err(|cause| damaged(cause.to_string()))?;
    Ok((heading, world))
}

/// Reads what a file holds, not the value itself.
pub(in crate::site) fn read_heading(path: &Path) -> Result<Heading, StoreError> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|cause| StoreError::unusable(path, &cause))?;
    file.take(64 << 10).read_to_end(&mut bytes).map_err(|cause| StoreError::unusable(path, &cause))?;
    heading_of(path, &bytes).map(|(heading, _)| heading)
}

fn heading_of(path: &Path, bytes: &[u8]) -> Result<(Heading, usize), StoreError> {
    let (_, place) = read_first_line(path, bytes, FORMAT, FORMAT_VERSION)?;
    let (text, end) = content(path, bytes, place)?;
    let damaged = |cause: serde_json::Error| StoreError::Damaged { path: path.to_owned(), offset: place, what: cause.to_string() };
    Ok((serde_json::from_slice(text).map_err(damaged)?, end))
}

fn content<'b>(path: &Path, bytes: &'b [u8], place: usize) -> Result<(&'b [u8], usize), StoreError> {
    match frame::at(bytes, place) {
        Found::Frame { content, end } => Ok((content, end)),
        Found::End | Found::Torn => Err(StoreError::Damaged { path: path.to_owned(), offset: place, what: "it ends too early".to_owned() }),
        Found::Damaged => Err(StoreError::Damaged { path: path.to_owned(), offset: place, what: "its checksum is wrong".to_owned() }),
    }
}
