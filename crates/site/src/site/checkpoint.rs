//! The value of an array, written down and read back.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::ops::World;

/// The format that [`checkpoint`] writes.
pub const FORMAT: &str = "arrayplane-world";
/// The version of the format and of the rules by which the value moves on.
pub const VERSION: u64 = 1;

/// Why a value cannot be written down or read back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckpointError {
    /// The text names another format, or none.
    UnknownFormat {
        /// What it names.
        format: Option<String>,
    },
    /// The text was written by a newer program.
    UnknownVersion {
        /// What it names.
        version: Option<u64>,
    },
    /// The text is no JSON, or its value is not of this shape.
    Unreadable {
        /// Where, and why.
        cause: String,
    },
    /// The value does not fit into JSON.
    Unwritable {
        /// Why.
        cause: String,
    },
}

impl fmt::Display for CheckpointError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckpointError::UnknownFormat { format: Some(format) } => write!(out, "the format is '{format}', not '{FORMAT}'"),
            CheckpointError::UnknownFormat { format: None } => write!(out, "the text names no format; a checkpoint begins with \"format\": \"{FORMAT}\""),
            CheckpointError::UnknownVersion { version: Some(version) } => {
                write!(out, "the checkpoint has version {version}; this program reads versions up to {VERSION}: use a newer one")
            }
            CheckpointError::UnknownVersion { version: None } => write!(out, "the checkpoint names no version; this program reads versions up to {VERSION}"),
            CheckpointError::Unreadable { cause } => write!(out, "the checkpoint cannot be read: {cause}"),
            CheckpointError::Unwritable { cause } => write!(out, "the value cannot be written down: {cause}"),
        }
    }
}
impl std::error::Error for CheckpointError {}

#[derive(Serialize)]
struct Written<'a> {
    format: &'a str,
    version: u64,
    world: &'a World,
}
#[derive(Deserialize)]
struct Heading {
    format: Option<String>,
    version: Option<u64>,
}
#[derive(Deserialize)]
struct Content {
    world: World,
}

/// Writes a value down as JSON: `{"format": "arrayplane-world", "version": 1, "world": {..}}`. Equal values give equal bytes.
pub fn checkpoint(world: &World) -> Result<String, CheckpointError> {
    serde_json::to_string(&Written { format: FORMAT, version: VERSION, world }).map_err(|cause| CheckpointError::Unwritable { cause: cause.to_string() })
}

/// Reads back what [`checkpoint`] wrote.
pub fn restore(text: &str) -> Result<World, CheckpointError> {
    let unreadable = |cause: serde_json::Error| CheckpointError::Unreadable { cause: cause.to_string() };
    let heading: Heading = serde_json::from_str(text).map_err(unreadable)?;
    if heading.format.as_deref() != Some(FORMAT) {
        return Err(CheckpointError::UnknownFormat { format: heading.format });
    }
    if heading.version.is_none_or(|version| version == 0 || version > VERSION) {
        return Err(CheckpointError::UnknownVersion { version: heading.version });
    }
    serde_json::from_str::<Content>(text).map(|content| content.world).map_err(unreadable)
}
