//! Port groups: host ports that are used together.

use serde::{Deserialize, Serialize};

use super::{Head, HostPort, Key, Noun, Object, PortProtocol, Tenant};

/// A port group (ETERNUS: CA port group; ONTAP: portset).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PortGroup {
    /// Identity.
    pub head: Head,
    /// The protocol of all its ports.
    pub protocol: PortProtocol,
    /// Its ports, in order of number.
    pub ports: Vec<Key<HostPort>>,
    /// Whose it is; what has no tenant may be used by all.
    #[serde(default)]
    pub tenant: Option<Key<Tenant>>,
}

impl Object for PortGroup {
    const NOUN: Noun = Noun::PortGroup;
    fn head(&self) -> &Head {
        &self.head
    }
    fn head_mut(&mut self) -> &mut Head {
        &mut self.head
    }
}
