//! Parts that are watched and replaced: power supplies, batteries, fans, temperature sensors, I/O modules, transceivers.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Array, Controller, Enclosure, Head, HostPort, Key, Noun, Object};

/// A part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Identity; the name is the vendor's (`CE-PSU#0`).
    pub head: Head,
    /// What it is.
    pub kind: PartKind,
    /// What it belongs to.
    pub place: PartPlace,
    /// Serial number; sensors have none of their own.
    pub serial_number: Option<String>,
    /// What is wrong with it.
    pub fault: Option<PartFault>,
    /// What it measures, if it is a sensor.
    pub temperature: Option<Temperature>,
    /// Of a battery: whether it is being charged.
    pub charging: bool,
    /// Of a battery: the month in which it should be replaced, `2099-12`.
    pub expires: Option<String>,
}

/// What a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PartKind {
    /// Power supply unit of an enclosure.
    PowerSupply,
    /// Fan of an enclosure.
    Fan,
    /// Sensor at the air inlet of an enclosure.
    InletTemperature,
    /// Sensor at the air outlet of an enclosure.
    ExhaustTemperature,
    /// I/O module: connects a drive enclosure.
    IoModule,
    /// Battery that keeps what a controller has in its cache.
    Battery,
    /// Transceiver of a host port (SFP).
    Transceiver,
}

/// What a part belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PartPlace {
    /// An enclosure.
    Enclosure(Key<Enclosure>),
    /// A controller.
    Controller(Key<Controller>),
    /// A host port.
    HostPort(Key<HostPort>),
}

/// What can be wrong with a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PartFault {
    /// It works, but should be replaced before it fails.
    Warning,
    /// It does not work.
    Error,
    /// It is taken out of service for maintenance and does not work.
    Maintenance,
    /// It has been pulled out.
    Missing,
}

/// How a part stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PartStatus {
    /// In order.
    Normal,
    /// It is not used: its enclosure, controller or port does not run.
    Unused,
    /// Under maintenance, or being charged.
    Maintenance,
    /// It should be replaced, or what it measures is too high.
    Warning,
    /// It does not work, or what it measures is much too high.
    Error,
    /// It is not there.
    Missing,
}

/// What a sensor measures, and from where on that is too much; degrees Celsius.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Temperature {
    /// Now.
    pub celsius: i32,
    /// In an air-conditioned room.
    pub usual: i32,
    /// From here on it is too high.
    pub warning: i32,
    /// From here on it is much too high.
    pub error: i32,
}

impl PartKind {
    /// In running text.
    pub const fn words(self) -> &'static str {
        match self {
            PartKind::PowerSupply => "power supply unit",
            PartKind::Fan => "fan",
            PartKind::InletTemperature => "inlet temperature sensor",
            PartKind::ExhaustTemperature => "exhaust temperature sensor",
            PartKind::IoModule => "I/O module",
            PartKind::Battery => "battery",
            PartKind::Transceiver => "transceiver",
        }
    }
}

impl PartStatus {
    /// In one word.
    pub const fn name(self) -> &'static str {
        match self {
            PartStatus::Normal => "normal",
            PartStatus::Unused => "unused",
            PartStatus::Maintenance => "maintenance",
            PartStatus::Warning => "warning",
            PartStatus::Error => "error",
            PartStatus::Missing => "missing",
        }
    }
}

impl PartFault {
    /// In one word.
    pub const fn name(self) -> &'static str {
        match self {
            PartFault::Warning => "warning",
            PartFault::Error => "error",
            PartFault::Maintenance => "maintenance",
            PartFault::Missing => "missing",
        }
    }
}

impl Temperature {
    /// Whether it is too high, and how much.
    pub const fn status(self) -> PartStatus {
        if self.celsius >= self.error {
            PartStatus::Error
        } else if self.celsius >= self.warning {
            PartStatus::Warning
        } else {
            PartStatus::Normal
        }
    }
}

impl Part {
    /// Whether it does its work.
    pub const fn works(&self) -> bool {
        matches!(self.fault, None | Some(PartFault::Warning))
    }
    /// How it stands by itself.
    pub fn condition(&self) -> PartStatus {
        match self.fault {
            Some(PartFault::Missing) => PartStatus::Missing,
            Some(PartFault::Error) => PartStatus::Error,
            Some(PartFault::Maintenance) => PartStatus::Maintenance,
            Some(PartFault::Warning) => PartStatus::Warning,
            None if self.charging => PartStatus::Maintenance,
            None => self.temperature.map_or(PartStatus::Normal, Temperature::status),
        }
    }
}

impl Array {
    /// How a part stands where it is.
    pub fn part_status(&self, part: &Part) -> PartStatus {
        match part.condition() {
            PartStatus::Normal if !self.is_in_service(part) => PartStatus::Unused,
            condition => condition,
        }
    }
    fn is_in_service(&self, part: &Part) -> bool {
        match part.place {
            PartPlace::Enclosure(enclosure) => self.enclosure_is_powered(enclosure),
            PartPlace::Controller(controller) => self.controllers.get(controller).is_some_and(Controller::is_online),
            PartPlace::HostPort(port) => {
                let port = self.host_ports.get(port);
                port.is_some_and(|port| port.enabled && self.controllers.get(port.controller).is_some_and(Controller::is_online))
            }
        }
    }
    /// The parts that belong to something, in order of number.
    pub fn parts_at(&self, place: PartPlace) -> impl Iterator<Item = &Part> {
        self.parts.iter().filter(move |part| part.place == place)
    }
    /// The enclosure that a part sits in.
    pub fn enclosure_of(&self, part: &Part) -> Option<Key<Enclosure>> {
        let of_controller = |controller| self.controllers.get(controller).map(|controller: &Controller| controller.enclosure);
        match part.place {
            PartPlace::Enclosure(enclosure) => Some(enclosure),
            PartPlace::Controller(controller) => of_controller(controller),
            PartPlace::HostPort(port) => self.host_ports.get(port).and_then(|port| of_controller(port.controller)),
        }
    }
    /// Whether an enclosure has power: one of its power supply units works, or none is known of.
    pub fn enclosure_is_powered(&self, enclosure: Key<Enclosure>) -> bool {
        self.has_working(enclosure, PartKind::PowerSupply)
    }
    /// Whether the drives of an enclosure can be reached: it has power, and one of its I/O modules works, if it has any.
    pub fn enclosure_is_reachable(&self, enclosure: Key<Enclosure>) -> bool {
        self.enclosure_is_powered(enclosure) && self.has_working(enclosure, PartKind::IoModule)
    }
    /// The enclosures whose drives cannot be reached.
    pub fn enclosures_down(&self) -> BTreeSet<Key<Enclosure>> {
        let suspects = self.parts.iter().filter(|part| !part.works()).filter_map(|part| match part.place {
            PartPlace::Enclosure(enclosure) => Some(enclosure),
            _ => None,
        });
        let suspects: BTreeSet<Key<Enclosure>> = suspects.collect();
        suspects.into_iter().filter(|enclosure| !self.enclosure_is_reachable(*enclosure)).collect()
    }
    fn has_working(&self, enclosure: Key<Enclosure>, kind: PartKind) -> bool {
        let mut parts = self.parts_at(PartPlace::Enclosure(enclosure)).filter(|part| part.kind == kind).peekable();
        parts.peek().is_none() || parts.any(Part::works)
    }
    /// What an enclosure draws on average, in watts; nothing without power.
    pub fn power_of(&self, enclosure: &Enclosure) -> u64 {
        if !self.enclosure_is_powered(enclosure.key()) {
            return 0;
        }
        let power = self.hardware.power;
        let controllers = self.controllers.iter().filter(|controller| controller.enclosure == enclosure.key() && controller.is_online()).count();
        let drives = self.drives.iter().filter(|drive| drive.enclosure == enclosure.key()).count();
        let count = |number: usize, watts: u32| u64::try_from(number).unwrap_or(0) * u64::from(watts);
        u64::from(power.enclosure_watts) + count(controllers, power.controller_watts) + count(drives, power.drive_watts)
    }
    /// What the whole array draws on average, in watts.
    pub fn power_watts(&self) -> u64 {
        self.enclosures.iter().map(|enclosure| self.power_of(enclosure)).sum()
    }
    /// The temperature at the air inlet of an enclosure, while its sensor works.
    pub fn inlet_celsius(&self, enclosure: Key<Enclosure>) -> Option<i32> {
        let sensor = self.parts_at(PartPlace::Enclosure(enclosure)).find(|part| part.kind == PartKind::InletTemperature && part.works());
        sensor.and_then(|sensor| sensor.temperature).map(|temperature| temperature.celsius)
    }
}

impl Object for Part {
    const NOUN: Noun = Noun::Part;
    fn head(&self) -> &Head {
        &self.head
    }
    fn head_mut(&mut self) -> &mut Head {
        &mut self.head
    }
}
