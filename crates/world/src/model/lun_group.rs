//! LUN groups: volumes under the logical unit numbers by which hosts see them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Head, Key, Noun, Object, Tenant, Volume};

/// A LUN group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LunGroup {
    /// Identity.
    pub head: Head,
    /// Volume by logical unit number.
    pub luns: BTreeMap<u32, Key<Volume>>,
    /// Whose it is.
    #[serde(default)]
    pub tenant: Option<Key<Tenant>>,
}

impl Object for LunGroup {
    const NOUN: Noun = Noun::LunGroup;
    fn head(&self) -> &Head {
        &self.head
    }
    fn head_mut(&mut self) -> &mut Head {
        &mut self.head
    }
}
