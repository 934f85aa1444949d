//! Enclosures: the boxes that hold controllers and drives.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Head, Noun, Object};

/// An enclosure with its drive bays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enclosure {
    /// Identity; the name is the vendor's (`CE`, `DE01`).
    pub head: Head,
    /// Controller or drive enclosure.
    pub kind: EnclosureKind,
    /// Drive bays.
    pub bays: u32,
    /// Serial number.
    pub serial_number: String,
    /// Whether its identification light is on.
    pub locate: bool,
}

/// What an enclosure is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum EnclosureKind {
    /// Holds the controllers (and drives).
    Controller,
    /// Holds drives only.
    Drive,
}

impl Object for Enclosure {
    const NOUN: Noun = Noun::Enclosure;
    fn head(&self) -> &Head {
        &self.head
    }
    fn head_mut(&mut self) -> &mut Head {
        &mut self.head
    }
}
