//! Host groups: hosts that are treated as one (a cluster).

use serde::{Deserialize, Serialize};

use super::{Head, Host, HostResponse, Key, Noun, Object, Protocol, Tenant};

/// A host group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostGroup {
    /// Identity.
    pub head: Head,
    /// The protocol of all its hosts.
    pub protocol: Protocol,
    /// Its hosts, in order of number.
    pub hosts: Vec<Key<Host>>,
    /// Whose it is.
    #[serde(default)]
    pub tenant: Option<Key<Tenant>>,
    /// How the array answers its hosts; all of them have the same.
    #[serde(default)]
    pub host_response: Option<Key<HostResponse>>,
}

impl Object for HostGroup {
    const NOUN: Noun = Noun::HostGroup;
    fn head(&self) -> &Head {
        &self.head
    }
    fn head_mut(&mut self) -> &mut Head {
        &mut self.head
    }
}
