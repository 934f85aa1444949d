//! Reading an array back: the newest value that can be read, then the entries behind it, each with the outcome that it had.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::error::StoreError;
use super::frame::{self, Found};
use super::record::Record;
use super::saved_file::{self, Heading};
use super::{JOURNAL_FORMAT, JOURNAL_VERSION, initial_path};
use crate::engine;
use crate::ops::World;
use crate::site::Entry;
use crate::site::keys::Keyed;
use crate::site::replay::{self, ReplayError};

/// An array as it was found.
pub(in crate::site) struct Loaded {
    /// The value after the last entry.
    pub world: World,
    /// The value that the entries go on from.
    pub base: Heading,
    /// The entries behind it.
    pub entries: Vec<Entry>,
    /// How many bytes the entries take.
    pub bytes: u64,
    /// The keys of requests that are remembered.
    pub keys: Vec<Keyed>,
    /// The sequence number of the last entry.
    pub sequence: u64,
    /// The journal file that goes on.
    pub journal: Option<FoundJournal>,
    /// Files that were begun and never used.
    pub leftovers: Vec<PathBuf>,
    /// What somebody has saved, with its size.
    pub saved: Vec<(Heading, u64)>,
}

/// A journal file.
pub(in crate::site) struct FoundJournal {
    pub path: PathBuf,
    /// The number of the entry behind which it begins.
    pub after: u64,
    /// How much of it holds whole records.
    pub length: u64,
    /// How many bytes of a record that was not written to its end stand behind that.
    pub torn: u64,
}

/// The files of a folder that are called by a number and one of these extensions, in order of number.
pub(super) fn numbered(folder: &Path, extensions: &[&str]) -> io::Result<Vec<(PathBuf, u64)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let number = path.file_stem().and_then(|stem| stem.to_str()?.parse::<u64>().ok());
        let fits = path.extension().is_some_and(|extension| extensions.iter().any(|known| extension == *known));
        if let Some(number) = number.filter(|_| fits) {
            found.push((path, number));
        }
    }
    found.sort_by_key(|(_, number)| *number);
    Ok(found)
}

/// Reads an array's folder. Nothing is written.
pub(in crate::site) fn load(folder: &Path) -> Result<Loaded, StoreError> {
    let list = |extension| numbered(folder, &[extension]).map_err(|cause| StoreError::unusable(folder, &cause));
    let (base, world, unreadable) = newest_value(folder, list("checkpoint")?)?;
    let mut loaded = Loaded {
        world,
        sequence: base.sequence,
        entries: Vec::new(),
        bytes: 0,
        keys: base.keys.clone(),
        base,
        journal: None,
        leftovers: Vec::new(),
        saved: saved(folder)?,
    };
    let journals = list("journal")?;
    for (place, (path, after)) in journals.iter().enumerate() {
        let next = journals.get(place + 1).map(|(_, after)| *after);
        if next.is_none_or(|next| next > loaded.base.sequence) {
            loaded.take_journal(folder, path, *after, next.is_none())?;
        }
    }
    match unreadable {
        Some((refusal, sequence)) if sequence > loaded.sequence => Err(refusal),
        _ => Ok(loaded),
    }
}

/// The newest value that can be read, and the newest one that cannot, with the entry that it stands behind.
type Newest = (Heading, World, Option<(StoreError, u64)>);

fn newest_value(folder: &Path, checkpoints: Vec<(PathBuf, u64)>) -> Result<Newest, StoreError> {
    let mut unreadable = None;
    for (path, number) in checkpoints.into_iter().rev() {
        match saved_file::read(&path) {
            Ok((heading, world)) => return Ok((heading, world, unreadable)),
            Err(refusal) => unreadable = unreadable.or(Some((refusal, number))),
        }
    }
    match saved_file::read(&initial_path(folder)) {
        Ok((heading, world)) => Ok((heading, world, unreadable)),
        Err(StoreError::Unusable { .. }) => Err(unreadable.map_or(StoreError::NoValue { folder: folder.to_owned() }, |(refusal, _)| refusal)),
        Err(refusal) => Err(unreadable.map_or(refusal, |(refusal, _)| refusal)),
    }
}

fn saved(folder: &Path) -> Result<Vec<(Heading, u64)>, StoreError> {
    let unusable = |cause: io::Error| StoreError::unusable(folder, &cause);
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(unusable)? {
        let entry = entry.map_err(unusable)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with("saved-") && name.ends_with(".checkpoint") {
            found.push((saved_file::read_heading(&entry.path())?, entry.metadata().map_err(unusable)?.len()));
        }
    }
    found.sort_by_key(|(heading, _)| heading.number);
    Ok(found)
}

impl Loaded {
    /// Follows a journal file.
    fn take_journal(&mut self, folder: &Path, path: &Path, after: u64, is_last: bool) -> Result<(), StoreError> {
        let bytes = fs::read(path).map_err(|cause| StoreError::unusable(path, &cause))?;
        let (_, mut place) = saved_file::read_first_line(path, &bytes, JOURNAL_FORMAT, JOURNAL_VERSION)?;
        if after > self.sequence {
            if place < bytes.len() {
                return Err(StoreError::Gap { folder: folder.to_owned(), after: self.sequence, found: after + 1 });
            }
            self.leftovers.push(path.to_owned());
            return Ok(());
        }
        loop {
            let damaged = |what: &str| StoreError::Damaged { path: path.to_owned(), offset: place, what: what.to_owned() };
            match frame::at(&bytes, place) {
                Found::Frame { content, end } => {
                    let record: Record = serde_json::from_slice(content).map_err(|cause| damaged(&cause.to_string()))?;
                    self.take(folder, path, record, content.len())?;
                    place = end;
                }
                Found::End => break,
                Found::Torn if is_last => break,
                Found::Torn => return Err(damaged("a record is not whole, and another file follows")),
                Found::Damaged => return Err(damaged("a record is not what was written")),
            }
        }
        let (length, all) = (place as u64, bytes.len() as u64);
        self.journal = Some(FoundJournal { path: path.to_owned(), after, length, torn: all - length });
        Ok(())
    }
    fn take(&mut self, folder: &Path, path: &Path, record: Record, length: usize) -> Result<(), StoreError> {
        for entry in record.entries {
            if entry.sequence <= self.sequence {
                continue;
            }
            if entry.sequence != self.sequence + 1 {
                return Err(StoreError::Gap { folder: folder.to_owned(), after: self.sequence, found: entry.sequence });
            }
            replay::repeat(&mut self.world, &entry).map_err(|difference| StoreError::Differs {
                path: path.to_owned(),
                cause: ReplayError::Differs { sequence: entry.sequence, operation: entry.operation.name().to_owned(), difference },
            })?;
            self.sequence = entry.sequence;
            self.entries.push(entry);
        }
        self.bytes += length as u64;
        if let Some(mark) = record.mark {
            engine::advance(&mut self.world, mark);
        }
        self.keys.extend(record.key);
        Ok(())
    }
}
