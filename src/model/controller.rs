//! Controllers: the halves of the array that own RAID groups and do the work.

use serde::{Deserialize, Serialize};

use super::{Enclosure, Head, Key, Noun, Object};

/// A controller (ETERNUS: CM; ONTAP: node).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Controller {
    /// Identity; the name is the vendor's (`CM0`).
    pub head: Head,
    /// Where it sits.
    pub enclosure: Key<Enclosure>,
    /// Serial number.
    pub serial_number: String,
    /// Whether it takes part in the work.
    pub online: bool,
    /// Whether its identification light is on.
    pub locate: bool,
}

impl Object for Controller {
    const NOUN: Noun = Noun::Controller;
    fn head(&self) -> &Head {
        &self.head
    }
    fn head_mut(&mut self) -> &mut Head {
        &mut self.head
    }
}
