//! The protocols that hosts and ports speak.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How a host is addressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// By WWN, over Fibre Channel or FCoE.
    Fc,
    /// By iSCSI name.
    Iscsi,
    /// By NVMe qualified name.
    Nvme,
}

/// What a host port speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PortProtocol {
    /// Fibre Channel.
    Fc,
    /// Fibre Channel over Ethernet.
    Fcoe,
    /// iSCSI.
    Iscsi,
    /// Ethernet for management or other use; carries no host I/O.
    Ethernet,
}

/// The protocols of the hosts in a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum GroupProtocol {
    /// Fibre Channel.
    Fc,
    /// iSCSI.
    Iscsi,
    /// NVMe.
    Nvme,
    /// Fibre Channel and iSCSI.
    Mixed,
}

/// What the ports of a group speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PortGroupProtocol {
    /// Fibre Channel.
    Fc,
    /// Fibre Channel over Ethernet.
    Fcoe,
    /// iSCSI.
    Iscsi,
    /// Fibre Channel and iSCSI.
    Mixed,
}

impl Protocol {
    /// It alone, as a list.
    pub const fn alone(self) -> &'static [Protocol] {
        match self {
            Protocol::Fc => &[Protocol::Fc],
            Protocol::Iscsi => &[Protocol::Iscsi],
            Protocol::Nvme => &[Protocol::Nvme],
        }
    }
}

impl GroupProtocol {
    /// What hosts in the group may speak.
    pub const fn protocols(self) -> &'static [Protocol] {
        match self {
            GroupProtocol::Fc => Protocol::Fc.alone(),
            GroupProtocol::Iscsi => Protocol::Iscsi.alone(),
            GroupProtocol::Nvme => Protocol::Nvme.alone(),
            GroupProtocol::Mixed => &[Protocol::Fc, Protocol::Iscsi],
        }
    }
    /// Whether a host of that protocol can be in the group.
    pub fn takes(self, host: Protocol) -> bool {
        self.protocols().contains(&host)
    }
    /// Whether all that can be in the other group can be in this one.
    pub fn takes_all_of(self, other: GroupProtocol) -> bool {
        other.protocols().iter().all(|protocol| self.takes(*protocol))
    }
}

impl From<Protocol> for GroupProtocol {
    fn from(protocol: Protocol) -> GroupProtocol {
        match protocol {
            Protocol::Fc => GroupProtocol::Fc,
            Protocol::Iscsi => GroupProtocol::Iscsi,
            Protocol::Nvme => GroupProtocol::Nvme,
        }
    }
}

impl PortGroupProtocol {
    /// That of a group of such ports; Ethernet carries no host I/O.
    pub const fn of(port: PortProtocol) -> Option<PortGroupProtocol> {
        match port {
            PortProtocol::Fc => Some(PortGroupProtocol::Fc),
            PortProtocol::Fcoe => Some(PortGroupProtocol::Fcoe),
            PortProtocol::Iscsi => Some(PortGroupProtocol::Iscsi),
            PortProtocol::Ethernet => None,
        }
    }
    /// Whether hosts of that protocol can reach the array through such ports.
    pub const fn serves(self, host: Protocol) -> bool {
        match self {
            PortGroupProtocol::Fc => PortProtocol::Fc.serves(host),
            PortGroupProtocol::Fcoe => PortProtocol::Fcoe.serves(host),
            PortGroupProtocol::Iscsi => PortProtocol::Iscsi.serves(host),
            PortGroupProtocol::Mixed => matches!(host, Protocol::Fc | Protocol::Iscsi),
        }
    }
}

impl PortProtocol {
    /// Whether a host of that protocol can reach the array through such a port. NVMe runs over Fibre Channel.
    pub const fn serves(self, host: Protocol) -> bool {
        matches!(
            (self, host),
            (PortProtocol::Fc | PortProtocol::Fcoe, Protocol::Fc) | (PortProtocol::Iscsi, Protocol::Iscsi) | (PortProtocol::Fc, Protocol::Nvme)
        )
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Protocol::Fc => "fc",
            Protocol::Iscsi => "iscsi",
            Protocol::Nvme => "nvme",
        })
    }
}
impl fmt::Display for GroupProtocol {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            GroupProtocol::Fc => "fc",
            GroupProtocol::Iscsi => "iscsi",
            GroupProtocol::Nvme => "nvme",
            GroupProtocol::Mixed => "mixed",
        })
    }
}
impl fmt::Display for PortGroupProtocol {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            PortGroupProtocol::Fc => "fc",
            PortGroupProtocol::Fcoe => "fcoe",
            PortGroupProtocol::Iscsi => "iscsi",
            PortGroupProtocol::Mixed => "mixed",
        })
    }
}
impl fmt::Display for PortProtocol {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            PortProtocol::Fc => "fc",
            PortProtocol::Fcoe => "fcoe",
            PortProtocol::Iscsi => "iscsi",
            PortProtocol::Ethernet => "ethernet",
        })
    }
}
