//! Port groups: host ports, or interfaces on them, that are used together.

use serde::{Deserialize, Serialize};

use super::{Head, HostPort, Interface, Key, Noun, Object, PortGroupProtocol, Protocol, Tenant};

/// A port group (ETERNUS: CA port group; ONTAP: portset).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PortGroup {
    /// Identity.
    pub head: Head,
    /// The protocol of all its ports.
    pub protocol: PortGroupProtocol,
    /// Its ports, in order of number; none in a group of interfaces.
    pub ports: Vec<Key<HostPort>>,
    /// Its interfaces, in order of number: hosts go through the ports on which they are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub interfaces: Vec<Key<Interface>>,
    /// Whose it is; what has no tenant may be used by all.
    #[serde(default)]
    pub tenant: Option<Key<Tenant>>,
}

impl PortGroup {
    /// Whether it is made of interfaces: only such a group can have no port.
    pub const fn is_of_interfaces(&self) -> bool {
        self.ports.is_empty()
    }
    /// Whether hosts of that protocol can go through it. Interfaces are grouped for SCSI only.
    pub const fn serves(&self, host: Protocol) -> bool {
        self.protocol.serves(host) && !(self.is_of_interfaces() && matches!(host, Protocol::Nvme))
    }
}

impl Object for PortGroup {
    const NOUN: Noun = Noun::PortGroup;
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
