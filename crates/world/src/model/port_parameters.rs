//! How a host port is set, protocol by protocol.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a port is for (ETERNUS: port mode).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PortRole {
    /// Hosts (ETERNUS: CA).
    #[default]
    Host,
    /// Copies to other arrays (ETERNUS: RA).
    Remote,
    /// Both (ETERNUS: CA/RA).
    HostAndRemote,
}

/// Settings of a Fibre Channel port; frame size, reset scope and reserve cancellation hold for FCoE, too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FcParameters {
    /// How it is connected.
    pub connection: FcConnection,
    /// How it finds its number on a loop.
    pub loop_id_assignment: LoopIdAssignment,
    /// The number on a loop that was assigned by hand.
    pub loop_id: Option<u8>,
    /// The rate at which it runs.
    pub transfer_rate: TransferRate,
    /// Bytes of the largest frame.
    pub frame_size: u32,
    /// What a reset by a host reaches.
    pub reset_scope: ResetScope,
    /// Whether reservations go when the chip is reset.
    pub reserve_cancel_at_chip_reset: bool,
}

/// How a Fibre Channel port is connected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FcConnection {
    /// To a switch.
    #[default]
    Fabric,
    /// In an arbitrated loop (FC-AL).
    Loop,
    /// Straight to one host.
    PointToPoint,
}

/// How a port finds its number on a loop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LoopIdAssignment {
    /// By hand.
    Manual,
    /// From the lowest free one upward.
    #[default]
    Ascending,
    /// From the highest free one downward.
    Descending,
}

/// The rate of a Fibre Channel port in Gbit/s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum TransferRate {
    /// The highest that the port has.
    #[default]
    #[serde(rename = "auto")]
    Auto,
    /// 4 Gbit/s.
    #[serde(rename = "4")]
    Gbit4,
    /// 8 Gbit/s.
    #[serde(rename = "8")]
    Gbit8,
    /// 16 Gbit/s.
    #[serde(rename = "16")]
    Gbit16,
    /// 32 Gbit/s.
    #[serde(rename = "32")]
    Gbit32,
}

/// What a reset by a host reaches: the commands of that initiator on the volume, or all commands on the volume.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum ResetScope {
    /// Initiator, target, LUN.
    #[default]
    #[serde(rename = "i_t_l")]
    InitiatorTargetLun,
    /// Target, LUN.
    #[serde(rename = "t_l")]
    TargetLun,
}

/// Settings of an iSCSI port. Addresses are text in their usual form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct IscsiParameters {
    /// IPv4 address.
    pub ipv4_address: Option<String>,
    /// IPv4 network mask.
    pub ipv4_mask: Option<String>,
    /// IPv4 gateway.
    pub ipv4_gateway: Option<String>,
    /// IPv6 address for connections.
    pub ipv6_address: Option<String>,
    /// Bits of the IPv6 network.
    pub ipv6_prefix: Option<u8>,
    /// IPv6 gateway.
    pub ipv6_gateway: Option<String>,
    /// Bytes of the largest packet; above 1500: jumbo frames.
    pub mtu: u32,
    /// TCP port.
    pub tcp_port: u32,
    /// Another name.
    pub alias: String,
    /// VLAN, if tagged.
    pub vlan_id: Option<u32>,
    /// Whether hosts must prove who they are.
    pub chap: bool,
    /// Whether headers carry a digest.
    pub header_digest: bool,
    /// Whether data carries a digest.
    pub data_digest: bool,
    /// The most Mbit/s that it carries, if limited.
    pub bandwidth_limit_mbit: Option<u32>,
}

impl PortRole {
    /// Whether hosts reach volumes through such a port.
    pub const fn serves_hosts(self) -> bool {
        matches!(self, PortRole::Host | PortRole::HostAndRemote)
    }
    /// In one word.
    pub const fn name(self) -> &'static str {
        match self {
            PortRole::Host => "host",
            PortRole::Remote => "remote",
            PortRole::HostAndRemote => "host_and_remote",
        }
    }
}

impl TransferRate {
    /// In Gbit/s; `None`: the highest that the port has.
    pub const fn gbit(self) -> Option<u64> {
        match self {
            TransferRate::Auto => None,
            TransferRate::Gbit4 => Some(4),
            TransferRate::Gbit8 => Some(8),
            TransferRate::Gbit16 => Some(16),
            TransferRate::Gbit32 => Some(32),
        }
    }
}

impl Default for FcParameters {
    fn default() -> FcParameters {
        FcParameters {
            connection: FcConnection::default(),
            loop_id_assignment: LoopIdAssignment::default(),
            loop_id: None,
            transfer_rate: TransferRate::default(),
            frame_size: 2048,
            reset_scope: ResetScope::default(),
            reserve_cancel_at_chip_reset: true,
        }
    }
}

impl Default for IscsiParameters {
    fn default() -> IscsiParameters {
        IscsiParameters {
            ipv4_address: None,
            ipv4_mask: None,
            ipv4_gateway: None,
            ipv6_address: None,
            ipv6_prefix: None,
            ipv6_gateway: None,
            mtu: 1500,
            tcp_port: 3260,
            alias: String::new(),
            vlan_id: None,
            chap: false,
            header_digest: false,
            data_digest: false,
            bandwidth_limit_mbit: None,
        }
    }
}
