//! Drives.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::answer::Shown;
use super::lens::Lens;
use crate::model::{Drive, DriveState, DriveType, Object};

/// What a drive is used for.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum DriveUsage {
    /// Nothing yet.
    Unused,
    /// Member of a RAID group.
    Data,
    /// Global hot spare.
    Spare,
}

/// A drive in a bay.
#[derive(Serialize, ToSchema)]
#[schema(as = Drive)]
pub(super) struct View<'a> {
    /// Identifier: it stays, whatever happens to number and name.
    id: Uuid,
    /// Number: the vendor's; it can be given out again.
    number: u32,
    /// Name.
    #[schema(example = "CE-Disk#0")]
    name: &'a str,
    /// The enclosure that it sits in.
    #[schema(example = "CE")]
    enclosure: &'a str,
    /// The bay, from 0.
    bay: u32,
    /// What kind of drive it is.
    drive_type: DriveType,
    /// Capacity as sold, in bytes.
    #[schema(example = 1_920_000_000_000_u64)]
    capacity: u64,
    /// Whether it encrypts itself.
    self_encrypting: bool,
    /// Its health.
    status: DriveState,
    /// What it is used for.
    usage: DriveUsage,
    /// The RAID group that it is a member of.
    #[schema(required = true, example = "RG0")]
    raid_group: Option<&'a str>,
    /// The pool that the RAID group belongs to.
    #[schema(required = true, example = "P0")]
    pool: Option<&'a str>,
    /// Whether its identification light is on.
    locate: bool,
    /// Serial number.
    serial_number: &'a str,
    /// World-wide name, 16 hexadecimal digits.
    wwn: &'a str,
}

impl Shown for Drive {
    const PLURAL: &'static str = "drives";
    type View<'a> = View<'a>;
    fn view<'a>(&'a self, lens: &Lens<'a>) -> View<'a> {
        let array = &lens.world().array;
        let group = self.raid_group.and_then(|key| array.raid_groups.get(key));
        View {
            id: self.id(),
            number: self.number(),
            name: self.name(),
            enclosure: Lens::name(&array.enclosures, self.enclosure),
            bay: self.bay,
            drive_type: self.drive_type,
            capacity: self.capacity.get(),
            self_encrypting: self.self_encrypting,
            status: self.state,
            usage: match (group, self.spare) {
                (Some(_), _) => DriveUsage::Data,
                (None, true) => DriveUsage::Spare,
                (None, false) => DriveUsage::Unused,
            },
            raid_group: group.map(Object::name),
            pool: group.and_then(|group| group.pool).map(|pool| Lens::name(&array.pools, pool)),
            locate: self.locate,
            serial_number: &self.serial_number,
            wwn: &self.wwn,
        }
    }
}
