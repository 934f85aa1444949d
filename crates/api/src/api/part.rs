//! Parts that are watched and replaced.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::answer::Shown;
use super::lens::Lens;
use crate::engine::Work;
use crate::model::{Object, Part, PartKind, PartPlace, PartStatus};

/// A part: a power supply unit, fan, temperature sensor, I/O module, battery or transceiver.
#[derive(Serialize, ToSchema)]
#[schema(as = Part)]
pub(super) struct View<'a> {
    /// Identifier: it stays, whatever happens to number and name.
    id: Uuid,
    /// Number: the vendor's; it can be given out again.
    number: u32,
    /// Name.
    #[schema(example = "CE-PSU#0")]
    name: &'a str,
    /// What it is.
    kind: PartKind,
    /// The enclosure that it sits in.
    #[schema(example = "CE")]
    enclosure: &'a str,
    /// The controller that it belongs to.
    #[schema(required = true, example = "CM0")]
    controller: Option<&'a str>,
    /// The host port that it belongs to.
    #[schema(required = true, example = "CM0-CA0-P0")]
    host_port: Option<&'a str>,
    /// How it stands.
    status: PartStatus,
    /// The vendor's code for that, where it is known.
    #[schema(required = true, example = "0xE001")]
    status_code: Option<&'a str>,
    /// Of a sensor: degrees Celsius now, and from where on that is a warning or an error.
    #[schema(required = true)]
    temperature: Option<TemperatureView>,
    /// Of a battery: how far it is charged.
    #[schema(required = true, example = 100)]
    charge_percent: Option<u32>,
    /// Of a battery: the month in which it should be replaced.
    #[schema(required = true, example = "2099-12")]
    expires: Option<&'a str>,
    /// Serial number; sensors have none.
    #[schema(required = true)]
    serial_number: Option<&'a str>,
}

/// What a sensor measures.
#[derive(Serialize, ToSchema)]
#[schema(as = Temperature)]
pub(super) struct TemperatureView {
    /// Degrees Celsius now.
    celsius: i32,
    /// From here on it is a warning.
    warning: i32,
    /// From here on it is an error.
    error: i32,
}

impl Shown for Part {
    const PLURAL: &'static str = "parts";
    type View<'a> = View<'a>;
    fn view<'a>(&'a self, lens: &Lens<'a>) -> View<'a> {
        let array = &lens.world().array;
        let status = array.part_status(self);
        let host_port = if let PartPlace::HostPort(key) = self.place { Some(key) } else { None };
        let of_port = host_port.and_then(|key| array.host_ports.get(key)).map(|port| port.controller);
        let controller = if let PartPlace::Controller(key) = self.place { Some(key) } else { of_port };
        View {
            id: self.id(),
            number: self.number(),
            name: self.name(),
            kind: self.kind,
            enclosure: array.enclosure_of(self).map(|key| Lens::name(&array.enclosures, key)).unwrap_or_default(),
            controller: controller.map(|key| Lens::name(&array.controllers, key)),
            host_port: host_port.map(|key| Lens::name(&array.host_ports, key)),
            status,
            status_code: array.personality.parts.status_codes.get(status.name()).map(String::as_str),
            temperature: self.temperature.map(|is| TemperatureView { celsius: is.celsius, warning: is.warning, error: is.error }),
            charge_percent: (self.kind == PartKind::Battery).then(|| charge(self, lens)),
            expires: self.expires.as_deref(),
            serial_number: self.serial_number.as_deref(),
        }
    }
}

/// How far a battery is charged.
fn charge(battery: &Part, lens: &Lens<'_>) -> u32 {
    let job = lens.world().job_on(|work| matches!(work, Work::Charge(charged) if *charged == battery.key()));
    match job {
        Some(job) => job.percent(lens.now()),
        None if battery.works() => 100,
        None => 0,
    }
}
