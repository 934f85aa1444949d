//! RAID groups.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::answer::Shown;
use super::lens::Lens;
use crate::engine::Work;
use crate::model::{Array, Condition, Drive, DriveStatus, DriveType, GroupStatus, Key, Object, RaidGroup, RaidLevel, RebuildPriority, Standing, health};
use crate::ops::AnyOperation;
use crate::units::Bytes;

/// A member of a RAID group, with what stands in for it.
#[derive(Serialize, ToSchema)]
#[schema(as = RaidGroupMember)]
pub(super) struct Member<'a> {
    /// Its place, from 0. In RAID 1+0, 0 and 1 mirror one another, 2 and 3, and so on; RAID 5+0 has two halves.
    slot: u32,
    /// The drive.
    #[schema(example = "CE-Disk#0")]
    drive: &'a str,
    /// How that stands.
    status: DriveStatus,
    /// Whether its data is there: on the drive, or on the spare.
    served: bool,
    /// The spare that stands in for it, or is written to do so.
    #[schema(required = true, example = json!(null))]
    spare: Option<&'a str>,
}

/// An expansion under way.
#[derive(Serialize, ToSchema)]
#[schema(as = RaidGroupExpansion)]
pub(super) struct Growth<'a> {
    /// The level that the RAID group will have.
    level: RaidLevel,
    /// The drives that it takes in.
    drives: Vec<&'a str>,
}

/// A RAID group: drives joined into one protected space.
#[derive(Serialize, ToSchema)]
#[schema(as = RaidGroup)]
pub(super) struct View<'a> {
    /// Identifier: it stays, whatever happens to number and name.
    id: Uuid,
    /// Number: the vendor's; it can be given out again.
    number: u32,
    /// Name.
    #[schema(example = "RG0")]
    name: &'a str,
    /// Level.
    level: RaidLevel,
    /// Its drives.
    #[schema(example = json!(["CE-Disk#0", "CE-Disk#1"]))]
    drives: Vec<&'a str>,
    /// How many they are.
    drive_count: usize,
    /// What kind of drives they are.
    drive_type: DriveType,
    /// Whether they encrypt themselves.
    self_encrypting: bool,
    /// The controller that owns it and bears its work.
    #[schema(example = "CM0")]
    controller: &'a str,
    /// Space for data, in bytes.
    capacity: u64,
    /// Bytes given to volumes, or all of it to the pool.
    used: u64,
    /// Bytes not given out; of a group in a pool there are none.
    free: u64,
    /// The largest contiguous unused area, in bytes.
    largest_free_area: u64,
    /// The pool that it belongs to; such a group holds no volumes of its own.
    #[schema(required = true, example = json!(null))]
    pool: Option<&'a str>,
    /// How it stands.
    status: GroupStatus,
    /// How bad that is.
    condition: Condition,
    /// Its members, by slot.
    members: Vec<Member<'a>>,
    /// The spares that are kept for it alone.
    dedicated_spares: Vec<&'a str>,
    /// Whether a spare that stands in becomes the member, so that nothing is copied back.
    copybackless: bool,
    /// How fast its members are rebuilt and copied.
    rebuild_priority: RebuildPriority,
    /// The expansion under way.
    #[schema(required = true, example = json!(null))]
    expansion: Option<Growth<'a>>,
    /// The controller that takes it over, while its owner changes.
    #[schema(required = true, example = json!(null))]
    next_controller: Option<&'a str>,
    /// The job that works on it: a rebuild, a copyback, a redundant copy, an expansion or a change of its owner.
    #[schema(required = true)]
    job: Option<u32>,
    /// How far that is, in percent.
    #[schema(required = true)]
    progress: Option<u32>,
    /// How fast it goes, in bytes per second.
    #[schema(required = true)]
    bytes_per_second: Option<u64>,
}

impl Shown for RaidGroup {
    const PLURAL: &'static str = "raid-groups";
    type View<'a> = View<'a>;
    fn view<'a>(&'a self, lens: &Lens<'a>) -> View<'a> {
        let array = &lens.world().array;
        let (status, job) = (lens.status_of(self), lens.job_on_raid_group(self.key()));
        View {
            id: self.id(),
            number: self.number(),
            name: self.name(),
            level: self.level,
            drives: Lens::names(&array.drives, self.drives.iter().copied()),
            drive_count: self.drives.len(),
            drive_type: self.drive_type,
            self_encrypting: self.self_encrypting,
            controller: Lens::name(&array.controllers, self.controller),
            capacity: self.capacity.get(),
            used: (self.capacity - self.free()).get(),
            free: self.free().get(),
            largest_free_area: self.largest_free_area().get(),
            pool: self.pool.map(|pool| Lens::name(&array.pools, pool)),
            status,
            condition: status.condition(),
            members: members(array, self),
            dedicated_spares: Lens::names_where(&array.drives, |drive| drive.dedicated_to == Some(self.key())),
            copybackless: self.copybackless,
            rebuild_priority: self.rebuild_priority,
            expansion: self.expansion.as_ref().map(|growth| Growth { level: growth.level, drives: Lens::names(&array.drives, growth.drives.iter().copied()) }),
            next_controller: self.owner_moves_to.map(|key| Lens::name(&array.controllers, key)),
            job: job.map(Object::number),
            progress: job.map(|job| job.percent(lens.now())),
            bytes_per_second: job.and_then(|job| speed(array, self, &job.work)).map(Bytes::get),
        }
    }
}

fn members<'a>(array: &'a Array, group: &'a RaidGroup) -> Vec<Member<'a>> {
    let missing = Standing::of(array, group).missing();
    let member = |(slot, key): (u32, Key<Drive>)| {
        let drive = array.drives.get(key)?;
        let spare = group.slot(slot).stand_in.map(|spare| Lens::name(&array.drives, spare.drive));
        Some(Member { slot, drive: drive.name(), status: health::drive_status(array, drive), served: !missing.contains(&slot), spare })
    };
    group.members().filter_map(member).collect()
}

fn speed(array: &Array, group: &RaidGroup, work: &Work<AnyOperation>) -> Option<Bytes> {
    let sparing = &array.personality.sparing;
    match work {
        Work::Restore(_) => Some(sparing.rate(group.rebuild_priority)),
        Work::Expand(_) => Some(sparing.expansion_rate),
        _ => None,
    }
}
