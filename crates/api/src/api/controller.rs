//! Controllers.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::answer::Shown;
use super::lens::Lens;
use crate::model::{Controller, ControllerState, Object, PartPlace, Possession};

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
    /// Whether it runs.
    status: ControllerState,
    /// Who has the RAID groups that it shall own: itself, nobody while its partner takes them over, its partner, or its partner that is
    /// about to give them back.
    possession: Possession,
    /// Whether it gets its RAID groups back by itself when it runs again.
    auto_giveback: bool,
    /// Its host ports.
    host_ports: Vec<&'a str>,
    /// The RAID groups that it shall own.
    raid_groups: Vec<&'a str>,
    /// The RAID groups that it works for now.
    acts_for: Vec<&'a str>,
    /// Its batteries.
    batteries: Vec<&'a str>,
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
            status: self.state,
            possession: self.possession,
            auto_giveback: self.auto_giveback,
            host_ports: Lens::names_where(&array.host_ports, |port| port.controller == key),
            raid_groups: Lens::names_where(&array.raid_groups, |group| group.controller == key),
            acts_for: Lens::names_where(&array.raid_groups, |group| array.acting_owner(group) == Some(key)),
            batteries: array.parts_at(PartPlace::Controller(key)).map(Object::name).collect(),
            serial_number: &self.serial_number,
            locate: self.locate,
        }
    }
}
