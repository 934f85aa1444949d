//! Host affinities: which hosts see which volumes through which ports.

use serde::{Deserialize, Serialize};

use super::{Head, HostGroup, Key, LunGroup, Noun, Object, PortGroup};

/// A host affinity: host group x port group -> LUN group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Affinity {
    /// Identity; the name is made from the groups' names when none is given.
    pub head: Head,
    /// The hosts.
    pub host_group: Key<HostGroup>,
    /// The ports.
    pub port_group: Key<PortGroup>,
    /// The volumes.
    pub lun_group: Key<LunGroup>,
}

impl Object for Affinity {
    const NOUN: Noun = Noun::Affinity;
    fn head(&self) -> &Head {
        &self.head
    }
    fn head_mut(&mut self) -> &mut Head {
        &mut self.head
    }
}
