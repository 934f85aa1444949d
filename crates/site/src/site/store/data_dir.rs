//! The data directory: one process at a time, one folder an array.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::disk::{Disk, sync_folder};
use super::error::StoreError;
use super::saved_file::Heading;
use super::sync::Syncer;
use super::{ArrayStore, Loaded, load};
use crate::ops::World;

/// A directory that this process has for itself.
pub(in crate::site) struct DataDir {
    folder: PathBuf,
    arrays: PathBuf,
    disk: Arc<dyn Disk>,
    syncer: Option<Syncer>,
    /// The system takes the lock back when the process ends, however it ends.
    lock: File,
}

impl Drop for DataDir {
    /// Given back even where a process that is just being started holds a copy of the file.
    fn drop(&mut self) {
        let _ = self.lock.unlock();
    }
}

/// What folders are called that are no arrays: those that are being made or taken away.
const HIDDEN: char = '.';

/// The folder of the folders of arrays.
const ARRAYS: &str = "arrays";

impl DataDir {
    /// Takes a directory, and makes it when it is not there. `sync`: answers wait for the disk.
    pub(in crate::site) fn open(folder: &Path, sync: bool, disk: Arc<dyn Disk>) -> Result<DataDir, StoreError> {
        let unusable = |cause: io::Error| StoreError::unusable(folder, &cause);
        let arrays = folder.join(ARRAYS);
        DirBuilder::new().recursive(true).mode(0o700).create(&arrays).map_err(unusable)?;
        let lock = lock(folder)?;
        let syncer = if sync { Some(Syncer::start().map_err(unusable)?) } else { None };
        let data_dir = DataDir { folder: folder.to_owned(), arrays, disk, syncer, lock };
        for name in data_dir.folders().map_err(unusable)?.into_iter().filter(|name| name.starts_with(HIDDEN)) {
            fs::remove_dir_all(data_dir.arrays.join(name)).map_err(unusable)?;
        }
        Ok(data_dir)
    }
    fn folders(&self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.arrays)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                names.extend(entry.file_name().into_string());
            }
        }
        names.sort();
        Ok(names)
    }
    /// The names of the arrays that are there, in order.
    pub(in crate::site) fn names(&self) -> Result<Vec<String>, StoreError> {
        let names = self.folders().map_err(|cause| StoreError::unusable(&self.arrays, &cause))?;
        Ok(names.into_iter().filter(|name| !name.starts_with(HIDDEN)).collect())
    }
    /// Reads what the server keeps beside its arrays.
    pub(in crate::site) fn kept(&self, file: &str) -> io::Result<Option<String>> {
        match fs::read_to_string(self.folder.join(file)) {
            Ok(text) => Ok(Some(text)),
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(cause) => Err(cause),
        }
    }
    /// Keeps something beside the arrays; only the user of the server can read it.
    pub(in crate::site) fn keep(&self, file: &str, text: &str) -> io::Result<()> {
        self.disk.write(&self.folder.join(file), text.as_bytes())
    }
    /// Reads what is kept beside the journal of an array.
    pub(in crate::site) fn kept_of(&self, name: &str, file: &str) -> io::Result<Option<String>> {
        self.kept(&format!("{ARRAYS}/{name}/{file}"))
    }
    /// Keeps something beside the journal of an array; it goes with the array.
    pub(in crate::site) fn keep_of(&self, name: &str, file: &str, text: &str) -> io::Result<()> {
        self.keep(&format!("{ARRAYS}/{name}/{file}"), text)
    }
    /// Whether files of an array of that name are there.
    pub(in crate::site) fn holds(&self, name: &str) -> bool {
        self.arrays.join(name).exists()
    }
    /// Reads an array and goes on with it.
    pub(in crate::site) fn read(&self, name: &str) -> Result<(Loaded, ArrayStore), StoreError> {
        let folder = self.arrays.join(name);
        let loaded = load(&folder)?;
        let store = ArrayStore::open(Arc::clone(&self.disk), folder.clone(), &loaded, self.syncer.as_ref());
        Ok((loaded, store.map_err(|cause| StoreError::unusable(&folder, &cause))?))
    }
    /// Makes the folder of a new array, whole or not at all.
    pub(in crate::site) fn create(&self, name: &str, world: &World) -> Result<ArrayStore, StoreError> {
        let (folder, beside) = (self.arrays.join(name), self.arrays.join(format!("{HIDDEN}new-{name}")));
        let unusable = |cause: io::Error| StoreError::unusable(&folder, &cause);
        let heading = Heading { sequence: 0, epoch: world.revisions.epoch, at: world.now(), name: None, number: None, keys: Vec::new() };
        let made = fs::create_dir_all(&beside)
            .and_then(|()| ArrayStore::begin(Arc::clone(&self.disk), beside.clone(), &heading, world))
            .and_then(|()| fs::rename(&beside, &folder))
            .and_then(|()| sync_folder(&self.arrays));
        if let Err(cause) = made {
            let _ = fs::remove_dir_all(&beside);
            return Err(unusable(cause));
        }
        self.read(name).map(|(_, store)| store)
    }
    /// Takes the folder of an array away, at once: it has another name, under which no array is found.
    pub(in crate::site) fn hide(&self, name: &str) -> Result<(), StoreError> {
        let (folder, hidden) = (self.arrays.join(name), self.hidden(name));
        let gone = fs::rename(&folder, hidden).and_then(|()| sync_folder(&self.arrays));
        gone.map_err(|cause| StoreError::unusable(&folder, &cause))
    }
    /// Takes its files away; what is left over goes at the next start.
    pub(in crate::site) fn clear(&self, name: &str) {
        if let Err(cause) = fs::remove_dir_all(self.hidden(name)) {
            tracing::warn!(array = name, %cause, "files of a deleted array are left over; they go at the next start");
        }
    }
    fn hidden(&self, name: &str) -> PathBuf {
        self.arrays.join(format!("{HIDDEN}gone-{name}"))
    }
}

/// Takes the lock, or says who has it.
fn lock(folder: &Path) -> Result<File, StoreError> {
    let path = folder.join("lock");
    let unusable = |cause: io::Error| StoreError::unusable(&path, &cause);
    let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path).map_err(unusable)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut holder = String::new();
            let _ = file.read_to_string(&mut holder);
            let holder = Some(holder.trim().to_owned()).filter(|holder| !holder.is_empty());
            return Err(StoreError::InUse { folder: folder.to_owned(), holder });
        }
        Err(TryLockError::Error(cause)) => return Err(unusable(cause)),
    }
    file.set_len(0).and_then(|()| file.rewind()).and_then(|()| writeln!(file, "{}", std::process::id())).map_err(unusable)?;
    Ok(file)
}
