//! What a model is made of, as its fixture says.

use serde::{Deserialize, Serialize};

use super::{DriveOrder, Sourced};
use crate::model::{DriveType, EnclosureKind, Pattern, PortProtocol, Temperature};
use crate::units::Bytes;

/// Enclosures of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EnclosureSpec {
    /// Controller or drive enclosure.
    pub kind: EnclosureKind,
    /// Their names; `{number}` counts all enclosures of the array from 0.
    pub name: Pattern,
    /// The names of drives in them.
    pub drive: Pattern,
    /// Drive bays of each.
    pub bays: Sourced<u32>,
    /// How many a new array has; more are added as its drives need them.
    pub new: Sourced<u32>,
    /// How many an array can have.
    pub most: Sourced<u32>,
}

/// Host ports of one kind; every controller has them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HostPortSpec {
    /// The names of one controller's ports.
    pub names: Sourced<Vec<Pattern>>,
    /// Whether each has a transceiver; they do if nothing is said.
    #[serde(default)]
    pub transceiver: Option<Sourced<bool>>,
    /// What they can be set to speak; the first is what they speak in a new array.
    pub modes: Vec<HostPortMode>,
}

/// The parts of a model that are watched and replaced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartsSpec {
    /// Power supply units of every enclosure.
    pub power_supplies: Sourced<u32>,
    /// Fans of every enclosure.
    pub fans: Sourced<u32>,
    /// Batteries of every controller.
    pub batteries: Sourced<u32>,
    /// The month in which batteries should be replaced.
    pub battery_expires: Sourced<String>,
    /// I/O modules of every drive enclosure.
    pub io_modules: Sourced<u32>,
    /// What the sensor at the air inlet of every enclosure measures.
    pub inlet: TemperatureSpec,
    /// What the sensor at the air outlet of every enclosure measures.
    pub exhaust: TemperatureSpec,
    /// What the array draws on average.
    pub power: PowerSpec,
}

/// What a sensor measures, degrees Celsius.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TemperatureSpec {
    /// In an air-conditioned room.
    pub usual: i32,
    /// From here on it is too high.
    pub warning: i32,
    /// From here on it is much too high.
    pub error: i32,
    /// Where that comes from.
    pub source: String,
    /// What else is to be said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Average draw in watts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PowerSpec {
    /// Of an enclosure without what is in it.
    pub enclosure_watts: u32,
    /// Of a controller.
    pub controller_watts: u32,
    /// Of a drive.
    pub drive_watts: u32,
    /// Where that comes from.
    pub source: String,
    /// What else is to be said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// One protocol of a port.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HostPortMode {
    /// The protocol.
    pub protocol: PortProtocol,
    /// Bytes per second and direction.
    pub rate: Bytes,
    /// Where the rate comes from.
    pub source: String,
    /// Why the source may be wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doubt: Option<String>,
    /// What else is to be said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// The drives of a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drives {
    /// Which ones there are.
    pub offered: Vec<OfferedDrive>,
    /// Which ones a new array has when nothing else is asked for; the first kind is the model's default drive.
    pub new: Vec<NewDrives>,
}

/// A drive that fits into a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfferedDrive {
    /// What kind of drive it is.
    #[serde(rename = "type")]
    pub drive_type: DriveType,
    /// Capacity as sold.
    pub capacity: Bytes,
    /// Whether it encrypts itself.
    #[serde(default)]
    pub self_encrypting: bool,
    /// Who says that it is offered.
    pub source: String,
    /// Why the source may be wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doubt: Option<String>,
    /// What else is to be said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Drives of one kind in a new array.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewDrives {
    /// How many.
    pub count: u32,
    /// What kind of drive they are.
    #[serde(rename = "type")]
    pub drive_type: DriveType,
    /// Capacity as sold.
    pub capacity: Bytes,
    /// Whether they encrypt themselves.
    #[serde(default)]
    pub self_encrypting: bool,
    /// Where that comes from.
    pub source: String,
    /// Why the source may be wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doubt: Option<String>,
    /// What else is to be said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl TemperatureSpec {
    /// The same as a new sensor shows it.
    pub(super) const fn of_new_sensor(&self) -> Temperature {
        Temperature { celsius: self.usual, usual: self.usual, warning: self.warning, error: self.error }
    }
}

impl OfferedDrive {
    /// Whether these drives are of its kind.
    pub(super) fn is(&self, order: &DriveOrder) -> bool {
        (self.drive_type, self.capacity, self.self_encrypting) == (order.drive_type, order.capacity, order.self_encrypting)
    }
}

impl NewDrives {
    /// The same as an order.
    pub(super) fn order(&self) -> DriveOrder {
        DriveOrder { count: self.count, drive_type: self.drive_type, capacity: self.capacity, self_encrypting: self.self_encrypting }
    }
}
