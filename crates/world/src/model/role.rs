//! Roles: sets of policies that users have together.

use serde::{Deserialize, Serialize};

use super::{Head, Noun, Object, PolicySet};

/// A role.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Role {
    /// Identity.
    pub head: Head,
    /// What it allows.
    pub policies: PolicySet,
    /// Whether it came with the array, so that nobody can change it.
    pub built_in: bool,
    /// Whether its users can log in to the web page.
    pub web_login: bool,
}

impl Object for Role {
    const NOUN: Noun = Noun::Role;
    fn head(&self) -> &Head {
        &self.head
    }
    fn head_mut(&mut self) -> &mut Head {
        &mut self.head
    }
}
