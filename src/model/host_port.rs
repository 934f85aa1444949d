//! Host ports: the connectors through which hosts reach volumes.

use serde::{Deserialize, Serialize};

use super::{Controller, Head, Key, Noun, Object, PortProtocol};
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
    /// iSCSI name, when it can speak iSCSI.
    pub iscsi_name: Option<String>,
    /// Whether an administrator has enabled it.
    pub enabled: bool,
}

impl HostPort {
    /// Bytes per second and direction that it carries in its present protocol.
    pub fn line_rate(&self) -> Bytes {
        self.modes.iter().find(|(protocol, _)| *protocol == self.protocol).map_or(Bytes::ZERO, |(_, rate)| *rate)
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
