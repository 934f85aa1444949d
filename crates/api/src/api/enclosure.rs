//! Enclosures.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::answer::Shown;
use super::lens::Lens;
use crate::model::{Enclosure, EnclosureKind, Object, PartPlace};

/// An enclosure with its drive bays.
#[derive(Serialize, ToSchema)]
#[schema(as = Enclosure)]
pub(super) struct View<'a> {
    /// Identifier: it stays, whatever happens to number and name.
    id: Uuid,
    /// Number: the vendor's; it can be given out again.
    number: u32,
    /// Name.
    #[schema(example = "CE")]
    name: &'a str,
    /// Controller or drive enclosure.
    kind: EnclosureKind,
    /// Drive bays.
    bays: u32,
    /// Drives in them.
    drives: usize,
    /// Whether it has power: one of its power supply units works.
    powered: bool,
    /// Whether its drives can be reached: it has power, and one of its I/O modules works, if it has any.
    reachable: bool,
    /// Degrees Celsius at its air inlet, while the sensor works.
    #[schema(required = true, example = 24)]
    temperature_celsius: Option<i32>,
    /// What it draws on average, with all that is in it.
    power_watts: u64,
    /// Its power supply units, fans, sensors and I/O modules.
    parts: Vec<&'a str>,
    /// Serial number.
    serial_number: &'a str,
    /// Whether its identification light is on.
    locate: bool,
}

impl Shown for Enclosure {
    const PLURAL: &'static str = "enclosures";
    type View<'a> = View<'a>;
    fn view<'a>(&'a self, lens: &Lens<'a>) -> View<'a> {
        let (array, key) = (&lens.world().array, self.key());
        View {
            id: self.id(),
            number: self.number(),
            name: self.name(),
            kind: self.kind,
            bays: self.bays,
            drives: array.drives.iter().filter(|drive| drive.enclosure == key).count(),
            powered: array.enclosure_is_powered(key),
            reachable: array.enclosure_is_reachable(key),
            temperature_celsius: array.inlet_celsius(key),
            power_watts: array.power_of(self),
            parts: array.parts_at(PartPlace::Enclosure(key)).map(Object::name).collect(),
            serial_number: &self.serial_number,
            locate: self.locate,
        }
    }
}
