//! Target services: by which protocols a tenant serves its hosts.

use serde::{Deserialize, Serialize};

use super::{Array, Head, Key, Noun, Object, Protocol, Tenant};
use crate::units::SimTime;

/// A target service of a tenant (ONTAP: iSCSI, FC and NVMe services of an SVM): one for each protocol at most.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TargetService {
    /// Identity; the name is the tenant's and the protocol, joined by a slash.
    pub head: Head,
    /// Whose it is.
    pub tenant: Key<Tenant>,
    /// What it speaks.
    pub protocol: Protocol,
    /// Whether it serves.
    pub enabled: bool,
    /// Under which name hosts find it: an iSCSI name, or the world-wide name of a node; NVMe has none.
    pub target: Option<String>,
    /// A second name, over iSCSI.
    pub alias: String,
    /// When it was made.
    pub created: SimTime,
}

impl TargetService {
    /// Its name.
    pub fn name_for(tenant: &str, protocol: Protocol) -> String {
        format!("{tenant}/{protocol}")
    }
}

impl Array {
    /// A tenant's service for a protocol.
    pub fn service(&self, tenant: Key<Tenant>, protocol: Protocol) -> Option<&TargetService> {
        self.services.owned_by(tenant.raw()).find(|service| service.protocol == protocol)
    }
}

impl Object for TargetService {
    const NOUN: Noun = Noun::Service;
    fn head(&self) -> &Head {
        &self.head
    }
    fn head_mut(&mut self) -> &mut Head {
        &mut self.head
    }
    fn owner(&self) -> Option<u32> {
        Some(self.tenant.raw())
    }
}
