//! Drives.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::answer::Shown;
use super::lens::Lens;
use crate::model::{Condition, Drive, DriveStatus, DriveType, Object, health};

/// What a drive is used for.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum DriveUsage {
    /// Nothing yet.
    Unused,
    /// Member of a RAID group.
    Data,
    /// Hot spare.
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
    /// How it stands.
    status: DriveStatus,
    /// How bad that is.
    condition: Condition,
    /// What it is used for.
    usage: DriveUsage,
    /// The RAID group that it is a member of, or in which it stands in for one.
    #[schema(required = true, example = "RG0")]
    raid_group: Option<&'a str>,
    /// The member that it stands in for.
    #[schema(required = true, example = json!(null))]
    stands_in_for: Option<&'a str>,
    /// The only RAID group that it is a spare for.
    #[schema(required = true, example = json!(null))]
    dedicated_to: Option<&'a str>,
    /// The pool that the RAID group belongs to.
    #[schema(required = true, example = "P0")]
    pool: Option<&'a str>,
    /// The job that writes it: a rebuild, a copyback or a redundant copy.
    #[schema(required = true)]
    job: Option<u32>,
    /// How far that is, in percent.
    #[schema(required = true)]
    progress: Option<u32>,
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
        let group = self.raid_group.or(self.stands_in).and_then(|key| array.raid_groups.get(key));
        let status = health::drive_status(array, self);
        let job = lens.job_on_drive(self.key());
        View {
            id: self.id(),
            number: self.number(),
            name: self.name(),
            enclosure: Lens::name(&array.enclosures, self.enclosure),
            bay: self.bay,
            drive_type: self.drive_type,
            capacity: self.capacity.get(),
            self_encrypting: self.self_encrypting,
            status,
            condition: status.condition(),
            usage: match (self.raid_group, self.spare || self.stands_in.is_some()) {
                (Some(_), _) => DriveUsage::Data,
                (None, true) => DriveUsage::Spare,
                (None, false) => DriveUsage::Unused,
            },
            raid_group: group.map(Object::name),
            stands_in_for: group
                .filter(|_| self.raid_group.is_none())
                .and_then(|group| group.stood_in_for(self.key()))
                .map(|key| Lens::name(&array.drives, key)),
            dedicated_to: self.dedicated_to.map(|key| Lens::name(&array.raid_groups, key)),
            pool: group.and_then(|group| group.pool).map(|pool| Lens::name(&array.pools, pool)),
            job: job.map(Object::number),
            progress: job.map(|job| job.percent(lens.now())),
            locate: self.locate,
            serial_number: &self.serial_number,
            wwn: &self.wwn,
        }
    }
}
