//! Host groups: hosts that are treated as one (a cluster).

use serde::{Deserialize, Serialize};

use super::{Array, GroupProtocol, Head, Host, HostResponse, Key, Noun, Object, PortGroup, Tenant};

/// A host group (ONTAP: igroup, NVMe subsystem).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostGroup {
    /// Identity.
    pub head: Head,
    /// The protocols of its hosts.
    pub protocol: GroupProtocol,
    /// Its own hosts, in order of number.
    pub hosts: Vec<Key<Host>>,
    /// The groups in it, whose hosts are its hosts, too, in order of number.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<Key<HostGroup>>,
    /// Whose it is.
    #[serde(default)]
    pub tenant: Option<Key<Tenant>>,
    /// How the array answers its hosts; all of them have the same.
    #[serde(default)]
    pub host_response: Option<Key<HostResponse>>,
    /// Through which ports its hosts reach what is mapped to it; `None`: all that serve them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port_group: Option<Key<PortGroup>>,
}

impl HostGroup {
    /// How deeply groups lie in groups at most, the outermost counted.
    pub const DEPTH: usize = 3;
    /// How deeply groups lie in it, itself counted; too deep is one more than may be.
    pub fn depth(&self, array: &Array) -> usize {
        self.depth_to(array, HostGroup::DEPTH)
    }
    fn depth_to(&self, array: &Array, more: usize) -> usize {
        let inner = self.groups.iter().filter(|_| more > 0).map(|inner| array.host_groups[*inner].depth_to(array, more.saturating_sub(1)));
        1 + inner.max().unwrap_or(0)
    }
}

impl Object for HostGroup {
    const NOUN: Noun = Noun::HostGroup;
    fn head(&self) -> &Head {
        &self.head
    }
    fn head_mut(&mut self) -> &mut Head {
        &mut self.head
    }
    fn scope(&self) -> Option<u32> {
        self.tenant.map(Key::raw)
    }
}
