//! The disk, as far as this room needs it: a trait, so that tests can fill it or break it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::Arc;

/// A place for files.
pub(in crate::site) trait Disk: Send + Sync {
    /// Opens a file that grows at its end; makes it when it is not there.
    fn open(&self, path: &Path) -> io::Result<Arc<dyn Growing>>;
    /// Writes a whole file, durably and at once: whoever looks sees the old one or the new one, also after the power has failed.
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;
}

/// A file that grows at its end.
pub(in crate::site) trait Growing: Send + Sync {
    /// Adds bytes. When it fails, some of them may have been added.
    fn append(&self, bytes: &[u8]) -> io::Result<()>;
    /// Cuts the file off at a length.
    fn cut(&self, length: u64) -> io::Result<()>;
    /// Waits until all that was added is on the disk.
    fn sync(&self) -> io::Result<()>;
}

/// Only the user of the server reads and writes its files: secrets of arrays are in them.
const PRIVATE: u32 = 0o600;

/// The machine's disk.
#[derive(Clone, Copy, Debug)]
pub(in crate::site) struct RealDisk;

impl Disk for RealDisk {
    fn open(&self, path: &Path) -> io::Result<Arc<dyn Growing>> {
        Ok(Arc::new(OpenOptions::new().append(true).create(true).mode(PRIVATE).open(path)?))
    }
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let beside = path.with_added_extension("new");
        let written = whole(&beside, bytes).and_then(|()| fs::rename(&beside, path));
        if written.is_err() {
            let _ = fs::remove_file(&beside);
        }
        written?;
        path.parent().map_or(Ok(()), sync_folder)
    }
}

fn whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(PRIVATE).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Waits until the names in a folder are on the disk.
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

impl Growing for File {
    fn append(&self, bytes: &[u8]) -> io::Result<()> {
        let mut file = self;
        file.write_all(bytes)
    }
    fn cut(&self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }
    fn sync(&self) -> io::Result<()> {
        self.sync_data()
    }
}
