//! Single mappings: one volume for one host or host group, under one logical unit number.

use serde::{Deserialize, Serialize};

use super::{Head, Host, HostGroup, Key, Noun, Object, PortGroup, Volume};

/// A mapping (ONTAP: LUN map, subsystem map).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mapping {
    /// Identity; the name is made from the volume's and the party's names when none is given.
    pub head: Head,
    /// What is mapped.
    pub volume: Key<Volume>,
    /// To whom.
    pub party: Party,
    /// Through which ports; `None`: all ports that serve the protocol.
    pub port_group: Option<Key<PortGroup>>,
    /// Under which number.
    pub lun: u32,
}

/// One host or one host group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Party {
    /// A host.
    Host(Key<Host>),
    /// A host group.
    HostGroup(Key<HostGroup>),
}

impl Object for Mapping {
    const NOUN: Noun = Noun::Mapping;
    fn head(&self) -> &Head {
        &self.head
    }
    fn head_mut(&mut self) -> &mut Head {
        &mut self.head
    }
    fn owner(&self) -> Option<u32> {
        Some(self.volume.raw())
    }
}
