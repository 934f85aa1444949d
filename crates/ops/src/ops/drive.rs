//! Drives: kept as hot spares, replaced, copied before they fail; and how they fail.

pub mod fault;
pub mod maintenance;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Ctx, Operation, World};
use crate::engine;
use crate::model::{Array, Drive, DriveStatus, Key, Noun, Object, OpError, Place, Policy, RaidGroup, health, sparing};

/// Makes a drive a hot spare, for all RAID groups or for one of its own, or no longer one, and switches its identification light.
///
/// Refused, in this order: unknown drive; a RAID group to be kept for by a drive that shall be no spare; unknown RAID group; where the part of
/// the drive changes: a member of a RAID group, a spare that stands in, a drive that is not in order; a RAID group of a pool (where the array
/// keeps no spares for those); a drive of another type or encryption or smaller than the RAID group's members.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = DriveUpdate, examples(json!({"spare": true, "dedicated_to": "RG0"})))]
pub struct Update {
    /// Which one.
    #[schema(ignore)]
    pub drive: String,
    /// Whether it is kept as a hot spare.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spare: Option<bool>,
    /// The only RAID group that it is a spare for; empty: for all. A drive that is kept for one becomes a spare.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dedicated_to: Option<String>,
    /// Whether its identification light is on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locate: Option<bool>,
}

/// What [`Update`] found out.
#[derive(Debug)]
pub struct UpdatePlan {
    key: Key<Drive>,
    spare: bool,
    dedicated_to: Option<Key<RaidGroup>>,
    locate: Option<bool>,
}

impl Operation for Update {
    const NAME: &'static str = "drive.update";
    const POLICY: Policy = Policy::RaidGroupManagement;
    type Plan = UpdatePlan;
    type Output = Key<Drive>;

    fn check(&self, world: &World, _: &Ctx) -> Result<UpdatePlan, OpError> {
        let array = &world.array;
        let drive = array.drives.find(&self.drive, Place::Target)?;
        let named = self.dedicated_to.as_deref().filter(|named| !named.is_empty());
        if named.is_some() && self.spare == Some(false) {
            let because = "only a spare is kept for a RAID group".into();
            return Err(OpError::Conflicting { noun: Noun::Drive, fields: vec!["dedicated_to".into(), "spare".into()], because });
        }
        let named = named.map(|named| array.raid_groups.find(named, Place::field("dedicated_to"))).transpose()?;
        let spare = self.spare.unwrap_or(drive.spare || named.is_some());
        let kept = if self.dedicated_to.is_some() { named.map(Object::key) } else { drive.dedicated_to };
        let dedicated_to = kept.filter(|_| spare);
        if (spare, dedicated_to) != (drive.spare, drive.dedicated_to) {
            part_can_change(array, drive, spare)?;
            named.map_or(Ok(()), |group| can_be_kept_for(array, drive, group))?;
        }
        Ok(UpdatePlan { key: drive.key(), spare, dedicated_to, locate: self.locate })
    }

    fn apply(plan: UpdatePlan, world: &mut World, _: &Ctx) -> Key<Drive> {
        if let Some(drive) = world.array.drives.get_mut(plan.key) {
            (drive.spare, drive.dedicated_to) = (plan.spare, plan.dedicated_to);
            drive.locate = plan.locate.unwrap_or(drive.locate);
        }
        engine::tend(world);
        plan.key
    }
}

/// Members and spares that stand in keep their part; what becomes a spare must be in order.
fn part_can_change(array: &Array, drive: &Drive, spare: bool) -> Result<(), OpError> {
    if let Some(group) = drive.raid_group.or(drive.stands_in) {
        let by_name = array.raid_groups[group].name().to_owned();
        return Err(OpError::InUse { noun: Noun::Drive, name: drive.name().to_owned(), by: Noun::RaidGroup, by_name });
    }
    if spare && !drive.is_sound() { Err(in_state(array, drive, DriveStatus::Present.name())) } else { Ok(()) }
}

/// The array must keep spares for such a RAID group, and the drive must be like its members.
fn can_be_kept_for(array: &Array, drive: &Drive, group: &RaidGroup) -> Result<(), OpError> {
    if let Some(pool) = group.pool.filter(|_| !array.personality.sparing.dedicated_in_pools) {
        return Err(OpError::RaidGroupInPool { raid_group: group.name().to_owned(), pool: array.pools[pool].name().to_owned() });
    }
    fits(array, drive, group)
}

/// The drive must be able to stand in for a member of the group.
fn fits(array: &Array, drive: &Drive, group: &RaidGroup) -> Result<(), OpError> {
    let first = group.drives.first().map(|member| array.drives[*member].name().to_owned()).unwrap_or_default();
    match sparing::misfit(group, drive) {
        Some(field) => Err(OpError::DrivesDiffer { field: field.into(), first, other: drive.name().to_owned() }),
        None => Ok(()),
    }
}

/// The drive is in a state in which that cannot be done.
fn in_state(array: &Array, drive: &Drive, expected: &str) -> OpError {
    let state = health::drive_status(array, drive).to_string();
    OpError::WrongState { noun: Noun::Drive, name: drive.name().to_owned(), state, expected: expected.to_owned() }
}
