//! Why a data directory cannot be used.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::site::ReplayError;

/// A refusal about a data directory. Nothing in it has been changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreError {
    /// Another process uses it.
    InUse {
        /// The directory.
        folder: PathBuf,
        /// The process, if it has left its number.
        holder: Option<String>,
    },
    /// The system refuses to read or write.
    Unusable {
        /// What.
        path: PathBuf,
        /// Why.
        cause: String,
    },
    /// A file does not hold what it should.
    Damaged {
        /// The file.
        path: PathBuf,
        /// The byte at which the trouble begins, from 0.
        offset: usize,
        /// What is wrong.
        what: String,
    },
    /// A file was written by a newer program.
    Newer {
        /// The file.
        path: PathBuf,
        /// Its format's version.
        version: u64,
        /// The version of its rules.
        rules: u64,
    },
    /// Entries of the journal are not there.
    Gap {
        /// The folder of the array.
        folder: PathBuf,
        /// The last entry that is there.
        after: u64,
        /// The next one that is there, or that a checkpoint contains.
        found: u64,
    },
    /// No value of the array is there from which its journal could go on.
    NoValue {
        /// The folder of the array.
        folder: PathBuf,
    },
    /// The journal does not lead where it led.
    Differs {
        /// The file.
        path: PathBuf,
        /// Which entry, and how.
        cause: ReplayError,
    },
}

impl StoreError {
    /// The system refused something.
    pub(super) fn unusable(path: &Path, cause: &io::Error) -> StoreError {
        StoreError::Unusable { path: path.to_owned(), cause: cause.to_string() }
    }
    /// One sentence that says what to do.
    pub const fn cure(&self) -> &'static str {
        match self {
            StoreError::InUse { .. } => "end the other process, or give another --data-dir",
            StoreError::Unusable { .. } => "see to it that this user may read and write there, and that there is space",
            StoreError::Damaged { .. } | StoreError::Gap { .. } | StoreError::NoValue { .. } => {
                "put the file back from a copy, or start with --skip-array and the array's name to leave it as it is"
            }
            StoreError::Newer { .. } => "use the newer program, or start with --skip-array and the array's name",
            StoreError::Differs { .. } => "use the program that wrote it, or start with --skip-array and the array's name to leave it as it is",
        }
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::InUse { folder, holder: Some(holder) } => {
                write!(out, "the data directory {} is in use by another arrayplane (process {holder})", folder.display())
            }
            StoreError::InUse { folder, holder: None } => write!(out, "the data directory {} is in use by another arrayplane", folder.display()),
            StoreError::Unusable { path, cause } => write!(out, "{}: {cause}", path.display()),
            StoreError::Damaged { path, offset, what } => write!(out, "{} is damaged at byte {offset}: {what}; nothing was changed", path.display()),
            StoreError::Newer { path, version, rules } => {
                write!(out, "{} was written by a newer program (format {version}, rules {rules})", path.display())
            }
            StoreError::Gap { folder, after, found } => {
                write!(out, "{}: the entries of the journal between {after} and {found} are not there; nothing was changed", folder.display())
            }
            StoreError::NoValue { folder } => write!(out, "{}: no checkpoint can be read; nothing was changed", folder.display()),
            StoreError::Differs { path, cause } => write!(out, "{}: {cause}; nothing was changed", path.display()),
        }
    }
}
impl std::error::Error for StoreError {}
