//! Where vendors differ on what parts, controllers and ports do, the difference is data here. A part of the personality.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{PortRole, WriteThrough};
use crate::units::SimSpan;

/// The rules for parts, controllers and ports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PartRules {
    /// How long it takes until the partner of a controller that has failed works for its RAID groups.
    pub takeover_time: SimSpan,
    /// How long a controller takes to start.
    pub boot_time: SimSpan,
    /// Whether a new array's controllers get their RAID groups back by themselves.
    pub giveback_automatic: bool,
    /// Whether an administrator may choose that.
    pub giveback_option: bool,
    /// How long the array waits before it gives them back by itself.
    pub giveback_delay: SimSpan,
    /// How long giving them back takes.
    pub giveback_time: SimSpan,
    /// How long a new battery takes until it is charged.
    pub battery_charge_time: SimSpan,
    /// Why writes go to drives before they are answered, where this array does that.
    pub write_through: Vec<WriteThrough>,
    /// What a host port can be for.
    pub port_roles: Vec<PortRole>,
    /// Whether ports can be set to connections, loops, frame sizes and scopes of resets.
    pub fc_parameters: bool,
    /// Whether ports have iSCSI addresses and parameters of their own, not their interfaces.
    pub iscsi_parameters: bool,
    /// The vendor's codes for the states of parts, where they are known.
    pub status_codes: BTreeMap<String, String>,
}

impl Default for PartRules {
    /// Everything at once and nothing to choose.
    fn default() -> PartRules {
        PartRules {
            takeover_time: SimSpan::ZERO,
            boot_time: SimSpan::ZERO,
            giveback_automatic: true,
            giveback_option: false,
            giveback_delay: SimSpan::ZERO,
            giveback_time: SimSpan::ZERO,
            battery_charge_time: SimSpan::ZERO,
            write_through: WriteThrough::ALL.to_vec(),
            port_roles: vec![PortRole::Host],
            fc_parameters: true,
            iscsi_parameters: true,
            status_codes: BTreeMap::new(),
        }
    }
}
