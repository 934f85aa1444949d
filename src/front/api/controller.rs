//! Controllers.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::answer::Shown;
use super::lens::Lens;
use crate::model::{Controller, Object};

/// Whether a controller takes part in the work.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = ControllerStatus)]
pub(super) enum Status {
    /// It does.
    Online,
    /// It does not.
    Offline,
}

/// A controller: it owns RAID groups and bears their work.
#[derive(Serialize, ToSchema)]
#[schema(as = Controller)]
pub(super) struct View<'a> {
    /// Identifier: it stays, whatever happens to number and name.
    id: Uuid,
    /// Number: the vendor's; it can be given out again.
    number: u32,
    /// Name.
    #[schema(example = "CM0")]
    name: &'a str,
    /// The enclosure that it sits in.
    #[schema(example = "CE")]
    enclosure: &'a str,
    /// Whether it takes part in the work.
    status: Status,
    /// Its host ports.
    host_ports: Vec<&'a str>,
    /// The RAID groups that it owns.
    raid_groups: Vec<&'a str>,
    /// Serial number.
    serial_number: &'a str,
    /// Whether its identification light is on.
    locate: bool,
}

impl Shown for Controller {
    const PLURAL: &'static str = "controllers";
    type View<'a> = View<'a>;
    fn view<'a>(&'a self, lens: &Lens<'a>) -> View<'a> {
        let (array, key) = (&lens.world().array, self.key());
        View {
            id: self.id(),
            number: self.number(),
            name: self.name(),
            enclosure: Lens::name(&array.enclosures, self.enclosure),
            status: if self.online { Status::Online } else { Status::Offline },
            host_ports: Lens::names_where(&array.host_ports, |port| port.controller == key),
            raid_groups: Lens::names_where(&array.raid_groups, |group| group.controller == key),
            serial_number: &self.serial_number,
            locate: self.locate,
        }
    }
}
