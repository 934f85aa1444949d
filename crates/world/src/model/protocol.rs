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
