//! Enclosures.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::answer::Shown;
use super::lens::Lens;
use crate::model::{Enclosure, EnclosureKind, Object};

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
    /// Serial number.
    serial_number: &'a str,
    /// Whether its identification light is on.
    locate: bool,
}

impl Shown for Enclosure {
    const PLURAL: &'static str = "enclosures";
    type View<'a> = View<'a>;
    fn view<'a>(&'a self, lens: &Lens<'a>) -> View<'a> {
        let key = self.key();
        View {
            id: self.id(),
            number: self.number(),
            name: self.name(),
            kind: self.kind,
            bays: self.bays,
            drives: lens.array.drives.iter().filter(|drive| drive.enclosure == key).count(),
            serial_number: &self.serial_number,
            locate: self.locate,
        }
    }
}
