//! Hosts: what connects from outside, one initiator each.

use serde::{Deserialize, Serialize};

use super::{Head, HostResponse, Key, Noun, Object, Protocol, Secret, Tenant};

/// A host: one initiator, not a server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Host {
    /// Identity.
    pub head: Head,
    /// How it is addressed.
    pub initiator: Initiator,
    /// A second name for the administrator's use.
    pub alias: String,
    /// Whose it is.
    #[serde(default)]
    pub tenant: Option<Key<Tenant>>,
    /// How the array answers it; `None`: by the standard host response.
    #[serde(default)]
    pub host_response: Option<Key<HostResponse>>,
    /// By what it proves who it is, over iSCSI.
    #[serde(default)]
    pub chap: Option<Chap>,
}

/// By what a host proves who it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chap {
    /// The user.
    pub user: String,
    /// The secret.
    pub secret: Secret,
}

/// The address of a host, in its normal form.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Initiator {
    /// World-wide name: 16 lower-case hexadecimal digits.
    Wwn(String),
    /// iSCSI name in lower case.
    Iscsi(String),
    /// NVMe qualified name.
    Nqn(String),
}

impl Initiator {
    /// How it reaches the array.
    pub const fn protocol(&self) -> Protocol {
        match self {
            Initiator::Wwn(_) => Protocol::Fc,
            Initiator::Iscsi(_) => Protocol::Iscsi,
            Initiator::Nqn(_) => Protocol::Nvme,
        }
    }
    /// The address itself.
    pub fn address(&self) -> &str {
        match self {
            Initiator::Wwn(address) | Initiator::Iscsi(address) | Initiator::Nqn(address) => address,
        }
    }
}

impl Object for Host {
    const NOUN: Noun = Noun::Host;
    fn head(&self) -> &Head {
        &self.head
    }
    fn head_mut(&mut self) -> &mut Head {
        &mut self.head
    }
}
