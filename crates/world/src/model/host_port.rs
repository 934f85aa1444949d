//! Host ports: the connectors through which hosts reach volumes.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Array, Controller, FcParameters, Head, IscsiParameters, Key, Noun, Object, PartKind, PartPlace, PortProtocol, PortRole, reach};
use crate::units::Bytes;

/// A host port (ETERNUS: CA port).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostPort {
    /// Identity; the name is the vendor's (`CM0-CA0-P0`).
    pub head: Head,
    /// The controller that it belongs to.
    pub controller: Key<Controller>,
    /// What it speaks now.
    pub protocol: PortProtocol,
    /// What it can be set to speak, with the line rate per second and direction that it then has.
    pub modes: Vec<(PortProtocol, Bytes)>,
    /// World-wide name, 16 hexadecimal digits.
    pub wwn: String,
    /// MAC address.
    #[serde(default)]
    pub mac_address: String,
    /// iSCSI name, when it can speak iSCSI.
    pub iscsi_name: Option<String>,
    /// Whether an administrator has enabled it.
    pub enabled: bool,
    /// What it is for.
    #[serde(default)]
    pub role: PortRole,
    /// How it is set when it speaks Fibre Channel.
    #[serde(default)]
    pub fc: FcParameters,
    /// How it is set when it speaks iSCSI.
    #[serde(default)]
    pub iscsi: IscsiParameters,
    /// What is wrong with it.
    #[serde(default)]
    pub fault: Option<PortFault>,
    /// How often its link went down by a fault.
    #[serde(default)]
    pub link_failures: u64,
}

/// What can be wrong with a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PortFault {
    /// Nothing answers at the other end: a cable is out, or a switch is down.
    LinkDown,
    /// The port itself is broken.
    Hardware,
}

/// How a port stands. The first that applies, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PortState {
    /// It or its transceiver is broken.
    Error,
    /// Its controller does not run.
    Offline,
    /// An administrator has disabled it.
    Disabled,
    /// Nothing answers at the other end.
    LinkDown,
    /// In order, but nothing is mapped through it.
    Unused,
    /// In order.
    Normal,
}

/// Bytes per second and direction of 1 Gbit/s of Fibre Channel: 16 Gbit/s are 1.6 GB/s.
const FC_GBIT: Bytes = Bytes::new(100_000_000);
/// Bytes per second and direction of 1 Gbit/s of Ethernet as the iSCSI of the performance model uses it: 10 Gbit/s are 1.15 GB/s.
const ETHERNET_GBIT: Bytes = Bytes::new(115_000_000);
/// Bytes per second of 1 Mbit/s.
const MBIT: Bytes = Bytes::new(125_000);

impl HostPort {
    /// A port in order, speaking the first of its modes.
    pub fn new(head: Head, controller: Key<Controller>, modes: Vec<(PortProtocol, Bytes)>, wwn: String, iscsi_name: Option<String>) -> HostPort {
        HostPort {
            head,
            controller,
            protocol: modes.first().map_or(PortProtocol::Ethernet, |(protocol, _)| *protocol),
            modes,
            wwn,
            mac_address: String::new(),
            iscsi_name,
            enabled: true,
            role: PortRole::default(),
            fc: FcParameters::default(),
            iscsi: IscsiParameters::default(),
            fault: None,
            link_failures: 0,
        }
    }
    /// Bytes per second and direction that it carries in its present protocol as it is set: at the transfer rate of Fibre Channel,
    /// within the bandwidth limit of iSCSI.
    pub fn line_rate(&self) -> Bytes {
        let highest = self.highest_rate(self.protocol);
        let set = match self.protocol {
            PortProtocol::Fc => self.fc.transfer_rate.gbit().map(|gbit| FC_GBIT.times(gbit)),
            PortProtocol::Iscsi => self.iscsi.bandwidth_limit_mbit.map(|limit| MBIT.times(u64::from(limit))),
            PortProtocol::Fcoe | PortProtocol::Ethernet => None,
        };
        set.map_or(highest, |set| set.min(highest))
    }
    /// Bytes per second and direction that it can carry in a protocol; none if it does not speak it.
    pub fn highest_rate(&self, protocol: PortProtocol) -> Bytes {
        self.modes.iter().find(|(mode, _)| *mode == protocol).map_or(Bytes::ZERO, |(_, rate)| *rate)
    }
    /// The highest nominal speed in a protocol, in Gbit/s.
    pub fn highest_gbit(&self, protocol: PortProtocol) -> u64 {
        nominal_gbit(protocol, self.highest_rate(protocol))
    }
    /// The nominal speed of its link, in Gbit/s.
    pub fn link_gbit(&self) -> u64 {
        match self.protocol {
            PortProtocol::Fc => nominal_gbit(self.protocol, self.line_rate()),
            other => self.highest_gbit(other),
        }
    }
    /// Whether hosts of a protocol can reach volumes through it, when it is up.
    pub const fn serves(&self, host: super::Protocol) -> bool {
        self.role.serves_hosts() && self.protocol.serves(host)
    }
}

/// The lowest usual speed that carries a rate, in Gbit/s.
fn nominal_gbit(protocol: PortProtocol, rate: Bytes) -> u64 {
    let (speeds, gbit): (&[u64], Bytes) = match protocol {
        PortProtocol::Fc => (&[4, 8, 16, 32, 64], FC_GBIT),
        _ => (&[1, 10, 25, 40, 56, 100], ETHERNET_GBIT),
    };
    let tenths = rate.get().saturating_mul(10) / gbit.get();
    let fits = |speed: &&u64| **speed * 11 >= tenths;
    speeds.iter().find(fits).or(speeds.last()).copied().unwrap_or(0)
}

impl Array {
    /// How a port stands.
    pub fn port_state(&self, port: &HostPort) -> PortState {
        if port.fault == Some(PortFault::Hardware) || !self.transceiver_works(port.key()) {
            PortState::Error
        } else if !self.controllers[port.controller].is_online() {
            PortState::Offline
        } else if !port.enabled {
            PortState::Disabled
        } else if port.fault == Some(PortFault::LinkDown) {
            PortState::LinkDown
        } else if reach::links(self).any(|link| link.ports.contains(&port.key())) {
            PortState::Normal
        } else {
            PortState::Unused
        }
    }
    /// Whether the transceiver of a port works, or it needs none.
    pub fn transceiver_works(&self, port: Key<HostPort>) -> bool {
        self.parts.iter().filter(|part| part.kind == PartKind::Transceiver && part.place == PartPlace::HostPort(port)).all(super::Part::works)
    }
    /// Whether hosts see through a port only what they have been given (ETERNUS: host affinity mode): an affinity uses it.
    pub fn has_host_affinity(&self, port: Key<HostPort>) -> bool {
        self.affinities.iter().any(|affinity| self.port_groups[affinity.port_group].ports.contains(&port))
    }
}

impl Object for HostPort {
    const NOUN: Noun = Noun::HostPort;
    fn head(&self) -> &Head {
        &self.head
    }
    fn head_mut(&mut self) -> &mut Head {
        &mut self.head
    }
}

#[cfg(test)]
mod tests {
    use super::nominal_gbit;
    use crate::model::PortProtocol::{Fc, Iscsi};
    use crate::units::Bytes;

    #[test]
    fn rates_have_their_nominal_speed() {
        for (protocol, rate, gbit) in [
            (Fc, 800_000_000, 8),
            (Fc, 1_600_000_000, 16),
            (Fc, 3_200_000_000, 32),
            (Iscsi, 125_000_000, 1),
            (Iscsi, 1_150_000_000, 10),
            (Iscsi, 2_875_000_000, 25),
            (Iscsi, 7_000_000_000, 56),
        ] {
            assert_eq!(nominal_gbit(protocol, Bytes::new(rate)), gbit, "{rate}");
        }
    }
}
