//! RAID groups.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::answer::Shown;
use super::lens::Lens;
use crate::model::{DriveType, Object, RaidGroup, RaidLevel};

/// The health of a RAID group.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = RaidGroupStatus)]
pub(super) enum Status {
    /// In order.
    Available,
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
    /// Its health.
    status: Status,
}

impl Shown for RaidGroup {
    const PLURAL: &'static str = "raid-groups";
    type View<'a> = View<'a>;
    fn view<'a>(&'a self, lens: &Lens<'a>) -> View<'a> {
        let array = &lens.world().array;
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
            status: Status::Available,
        }
    }
}
