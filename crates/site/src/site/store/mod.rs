//! Arrays on disk: one folder each, with a journal that grows and values from which it goes on.
//!
//! Owns: the data directory, its lock, file formats, and in what order things are written so that what was answered is found again.
//! Must not know: what an operation does; a record is written whole or not at all, and read back in order.
//! Read first: [`ArrayStore`], then `load`, which reads what it wrote.
//!
//! In an array's folder: `initial.checkpoint`, the value that a reset goes back to; `N.checkpoint`, the value after entry N; `N.journal`,
//! the entries behind N; `saved-N.checkpoint`, the values that somebody has saved under a name.

mod data_dir;
mod disk;
mod error;
mod frame;
mod load;
mod record;
mod saved_file;
mod sync;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use parking_lot::Mutex;

pub(super) use data_dir::DataDir;
#[cfg(test)]
pub(super) use disk::Growing;
pub(super) use disk::{Disk, RealDisk};
pub use error::StoreError;
pub(super) use load::{Loaded, load};
pub(super) use record::RecordRef;
pub(super) use saved_file::Heading;
pub(super) use sync::{Synced, Syncer, Ticket};

use crate::ops::World;

const JOURNAL_FORMAT: &str = "arrayplane-journal";
const JOURNAL_VERSION: u64 = 1;

/// The journal and the values of one array on disk. It is used under the array's lock.
pub(super) struct ArrayStore {
    disk: Arc<dyn Disk>,
    folder: PathBuf,
    journal: OpenJournal,
    /// The last write failed; until one succeeds, room is looked for before anything is changed.
    failing: bool,
    /// The newest value that is on the disk; held while one is written.
    newest: Arc<Mutex<u64>>,
    writer: Option<JoinHandle<()>>,
    synced: Option<Arc<Synced>>,
}

struct OpenJournal {
    file: Arc<dyn super::store::disk::Growing>,
    /// The number of the entry behind which it begins.
    after: u64,
    /// How much of it holds whole records.
    length: u64,
    /// Whether part of a record may stand behind that.
    torn: bool,
}

fn journal_path(folder: &Path, after: u64) -> PathBuf {
    folder.join(format!("{after:020}.journal"))
}
fn checkpoint_path(folder: &Path, sequence: u64) -> PathBuf {
    folder.join(format!("{sequence:020}.checkpoint"))
}
fn initial_path(folder: &Path) -> PathBuf {
    folder.join("initial.checkpoint")
}
fn saved_path(folder: &Path, number: u32) -> PathBuf {
    folder.join(format!("saved-{number}.checkpoint"))
}

fn first_line(after: u64, epoch: u32) -> String {
    saved_file::first_line(JOURNAL_FORMAT, JOURNAL_VERSION, &format!(" epoch {epoch} after {after}"))
}

/// Makes a journal file without entries.
fn new_journal(disk: &dyn Disk, folder: &Path, after: u64, epoch: u32) -> io::Result<OpenJournal> {
    let (path, line) = (journal_path(folder, after), first_line(after, epoch));
    disk.write(&path, line.as_bytes())?;
    Ok(OpenJournal { file: disk.open(&path)?, after, length: line.len() as u64, torn: false })
}

impl ArrayStore {
    /// The store of a new array in its folder, which must be there.
    pub(super) fn begin(disk: Arc<dyn Disk>, folder: PathBuf, heading: &Heading, world: &World) -> io::Result<()> {
        let bytes = saved_file::bytes(heading, world).map_err(io::Error::other)?;
        disk.write(&initial_path(&folder), &bytes)?;
        new_journal(&*disk, &folder, heading.sequence, heading.epoch).map(drop)
    }
    /// The store of an array that has been read; a torn tail is cut off now.
    pub(super) fn open(disk: Arc<dyn Disk>, folder: PathBuf, loaded: &Loaded, syncer: Option<&Syncer>) -> io::Result<ArrayStore> {
        for path in &loaded.leftovers {
            fs::remove_file(path)?;
        }
        let journal = match &loaded.journal {
            Some(found) => {
                let file = disk.open(&found.path)?;
                if found.torn > 0 {
                    file.cut(found.length)?;
                }
                OpenJournal { file, after: found.after, length: found.length, torn: false }
            }
            None => new_journal(&*disk, &folder, loaded.sequence, loaded.world.revisions.epoch)?,
        };
        let synced = syncer.map(|syncer| syncer.for_file(Arc::clone(&journal.file)));
        let newest = Arc::new(Mutex::new(loaded.base.sequence));
        Ok(ArrayStore { disk, folder, journal, failing: false, newest, writer: None, synced })
    }
    /// Adds a record that the frame of `content` makes. When it fails nothing has been added.
    pub(super) fn append(&mut self, content: &[u8]) -> io::Result<Option<Ticket>> {
        let mut bytes = Vec::with_capacity(content.len() + 24);
        frame::add(&mut bytes, content);
        self.mend()?;
        if let Err(cause) = self.journal.file.append(&bytes) {
            (self.journal.torn, self.failing) = (true, true);
            let _ = self.mend();
            return Err(cause);
        }
        self.journal.length += bytes.len() as u64;
        self.failing = false;
        Ok(self.synced.as_ref().map(Synced::appended))
    }
    /// Whether there is room again, once a write has failed.
    pub(super) fn has_room(&mut self) -> io::Result<()> {
        const PROBE: usize = 64 << 10;
        if let Some(cause) = self.synced.as_ref().and_then(|synced| synced.failure()) {
            return Err(io::Error::other(format!("{cause}; what was written since is not sure to be there: restart the server")));
        }
        if !self.failing {
            return Ok(());
        }
        self.mend()?;
        let tried = self.journal.file.append(&[b' '; PROBE]);
        self.journal.torn = true;
        self.mend().and(tried)
    }
    /// Takes part of a record off the end.
    fn mend(&mut self) -> io::Result<()> {
        if self.journal.torn {
            self.journal.file.cut(self.journal.length)?;
            self.journal.torn = false;
        }
        Ok(())
    }
    /// Whether the value of an earlier moment is still being written.
    pub(super) fn is_writing(&self) -> bool {
        self.writer.as_ref().is_some_and(|writer| !writer.is_finished())
    }
    /// Goes on in a new journal file, and writes the value beside; what is older goes when that is on the disk.
    pub(super) fn checkpoint_beside(&mut self, heading: Heading, world: Arc<World>) -> io::Result<()> {
        self.go_on_after(heading.sequence, heading.epoch)?;
        let (disk, folder, newest) = (Arc::clone(&self.disk), self.folder.clone(), Arc::clone(&self.newest));
        let write = move || {
            if let Err(cause) = write_value(&*disk, &folder, &newest, &heading, &world) {
                tracing::error!(folder = %folder.display(), %cause, "a checkpoint cannot be written; the journal keeps everything");
            }
        };
        self.writer = Some(thread::Builder::new().name("site-checkpoint".into()).spawn(write)?);
        Ok(())
    }
    /// Writes the value as it is now, and waits until it is on the disk.
    pub(super) fn checkpoint_now(&mut self, heading: &Heading, world: &World) -> io::Result<()> {
        self.wait_for_writer();
        self.go_on_after(heading.sequence, heading.epoch)?;
        write_value(&*self.disk, &self.folder, &self.newest, heading, world)
    }
    /// Puts another value in the place of the present one. When it fails nothing has changed.
    pub(super) fn replace(&mut self, heading: &Heading, world: &World) -> io::Result<()> {
        self.wait_for_writer();
        let journal = new_journal(&*self.disk, &self.folder, heading.sequence, heading.epoch)?;
        if let Err(cause) = write_value(&*self.disk, &self.folder, &self.newest, heading, world) {
            let _ = fs::remove_file(journal_path(&self.folder, heading.sequence));
            return Err(cause);
        }
        self.switch_to(journal);
        Ok(())
    }
    fn go_on_after(&mut self, sequence: u64, epoch: u32) -> io::Result<()> {
        if self.journal.after == sequence {
            return Ok(());
        }
        self.mend()?;
        if self.synced.is_some() {
            self.journal.file.sync()?;
        }
        let journal = new_journal(&*self.disk, &self.folder, sequence, epoch)?;
        self.switch_to(journal);
        Ok(())
    }
    fn switch_to(&mut self, journal: OpenJournal) {
        if let Some(synced) = &self.synced {
            synced.switch_to(Arc::clone(&journal.file));
        }
        self.journal = journal;
    }
    /// Waits until no value is being written.
    pub(super) fn wait_for_writer(&mut self) {
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
    /// Reads the array anew, as it is on the disk.
    pub(super) fn read_back(&self) -> Result<Loaded, StoreError> {
        load(&self.folder)
    }
    /// Saves a value under a number; answers with how many bytes it takes.
    pub(super) fn save(&self, number: u32, heading: &Heading, world: &World) -> io::Result<u64> {
        let bytes = saved_file::bytes(heading, world).map_err(io::Error::other)?;
        self.disk.write(&saved_path(&self.folder, number), &bytes)?;
        Ok(bytes.len() as u64)
    }
    /// Reads what was saved under a number.
    pub(super) fn saved(&self, number: u32) -> Result<World, StoreError> {
        saved_file::read(&saved_path(&self.folder, number)).map(|(_, world)| world)
    }
    /// Forgets what was saved under a number.
    pub(super) fn forget(&self, number: u32) -> io::Result<()> {
        fs::remove_file(saved_path(&self.folder, number))
    }
    /// Reads the value that a reset goes back to.
    pub(super) fn initial(&self) -> Result<World, StoreError> {
        saved_file::read(&initial_path(&self.folder)).map(|(_, world)| world)
    }
}

impl Drop for ArrayStore {
    /// Whoever opens the folder next has it for himself.
    fn drop(&mut self) {
        self.wait_for_writer();
    }
}

/// Writes a value unless a newer one is there; then everything older goes.
fn write_value(disk: &dyn Disk, folder: &Path, newest: &Mutex<u64>, heading: &Heading, world: &World) -> io::Result<()> {
    let bytes = saved_file::bytes(heading, world).map_err(io::Error::other)?;
    let mut newest = newest.lock();
    if *newest > heading.sequence {
        return Ok(());
    }
    disk.write(&checkpoint_path(folder, heading.sequence), &bytes)?;
    *newest = heading.sequence;
    for (path, number) in load::numbered(folder, &["checkpoint", "journal"])? {
        if number < heading.sequence {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

/// Adds a frame to the bytes of a file that a test tampers with.
#[cfg(test)]
pub(super) fn frame_for_tests(bytes: &mut Vec<u8>, content: &[u8]) {
    frame::add(bytes, content);
}
