//! How a host port is set, protocol by protocol.

use serde::Serialize;
use utoipa::ToSchema;

use crate::model::{FcConnection, FcParameters, HostPort, IscsiParameters, LoopIdAssignment, PortProtocol, ResetScope, TransferRate};

/// Settings of a Fibre Channel port.
#[derive(Serialize, ToSchema)]
#[schema(as = FcParameters)]
pub(super) struct FcView {
    /// How it is connected.
    connection: FcConnection,
    /// How it finds its number on a loop.
    loop_id_assignment: LoopIdAssignment,
    /// Its number on a loop, when it is assigned by hand.
    #[schema(required = true)]
    loop_id: Option<u8>,
    /// Its rate in Gbit/s.
    transfer_rate: TransferRate,
    /// Bytes of the largest frame.
    frame_size: u32,
    /// What a reset by a host reaches.
    reset_scope: ResetScope,
    /// Whether reservations go when the chip is reset.
    reserve_cancel_at_chip_reset: bool,
}

/// Settings of an iSCSI port.
#[derive(Serialize, ToSchema)]
#[schema(as = IscsiParameters)]
pub(super) struct IscsiView<'a> {
    /// Another name.
    alias: &'a str,
    /// IPv4 address.
    #[schema(required = true)]
    ipv4_address: Option<&'a str>,
    /// IPv4 network mask.
    #[schema(required = true)]
    ipv4_mask: Option<&'a str>,
    /// IPv4 gateway.
    #[schema(required = true)]
    ipv4_gateway: Option<&'a str>,
    /// IPv6 address for connections.
    #[schema(required = true)]
    ipv6_address: Option<&'a str>,
    /// Bits of the IPv6 network.
    #[schema(required = true)]
    ipv6_prefix: Option<u8>,
    /// IPv6 gateway.
    #[schema(required = true)]
    ipv6_gateway: Option<&'a str>,
    /// Bytes of the largest packet.
    mtu: u32,
    /// Whether that makes jumbo frames.
    jumbo_frames: bool,
    /// TCP port.
    tcp_port: u32,
    /// VLAN, if tagged.
    #[schema(required = true)]
    vlan_id: Option<u32>,
    /// Whether hosts must prove who they are.
    chap: bool,
    /// Whether headers carry a digest.
    header_digest: bool,
    /// Whether data carries a digest.
    data_digest: bool,
    /// The most Mbit/s that it carries, if limited.
    #[schema(required = true)]
    bandwidth_limit_mbit: Option<u32>,
}

impl FcView {
    /// Shows them.
    pub(super) const fn of(set: &FcParameters) -> FcView {
        FcView {
            connection: set.connection,
            loop_id_assignment: set.loop_id_assignment,
            loop_id: set.loop_id,
            transfer_rate: set.transfer_rate,
            frame_size: set.frame_size,
            reset_scope: set.reset_scope,
            reserve_cancel_at_chip_reset: set.reserve_cancel_at_chip_reset,
        }
    }
}

impl<'a> IscsiView<'a> {
    /// Shows them.
    pub(super) fn of(set: &'a IscsiParameters) -> IscsiView<'a> {
        IscsiView {
            alias: &set.alias,
            ipv4_address: set.ipv4_address.as_deref(),
            ipv4_mask: set.ipv4_mask.as_deref(),
            ipv4_gateway: set.ipv4_gateway.as_deref(),
            ipv6_address: set.ipv6_address.as_deref(),
            ipv6_prefix: set.ipv6_prefix,
            ipv6_gateway: set.ipv6_gateway.as_deref(),
            mtu: set.mtu,
            jumbo_frames: set.mtu > 1500,
            tcp_port: set.tcp_port,
            vlan_id: set.vlan_id,
            chap: set.chap,
            header_digest: set.header_digest,
            data_digest: set.data_digest,
            bandwidth_limit_mbit: set.bandwidth_limit_mbit,
        }
    }
}

/// The type of a port's transceiver, in the words of ETERNUS.
pub(super) fn sfp_type(port: &HostPort) -> String {
    let gbit = port.highest_gbit(port.protocol);
    match port.protocol {
        PortProtocol::Fc => format!("{gbit}G_SWL_SFP_Plus"),
        _ => format!("{gbit}G_SR_SFP_Plus"),
    }
}
