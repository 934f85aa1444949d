//! What is done about drives that fail: replacing them, and copying them before they do.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{fits, in_state};
use crate::engine;
use crate::model::{Drive, DriveStatus, Key, Noun, Object, OpError, Place, Policy, RaidGroup, Severity, Slot, health, sparing};
use crate::ops::{Ctx, Operation, World, health_rules};

/// Puts a new drive of the same kind in the place of one that is broken, out of service, about to fail without serving, or not in its bay.
///
/// It has a serial number and an identifier of its own and takes over number, name and part: a member gets its data back from the spare that
/// stands in, or is rebuilt; a spare is a spare again.
/// Refused, in this order: unknown drive; it is in order, or serves.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = DriveReplace)]
pub struct Replace {
    /// Which one.
    #[schema(ignore)]
    pub drive: String,
}

impl Operation for Replace {
    const NAME: &'static str = "drive.replace";
    const POLICY: Policy = Policy::MaintenanceOperation;
    type Plan = Key<Drive>;
    type Output = Key<Drive>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Key<Drive>, OpError> {
        let drive = world.array.drives.find(&self.drive, Place::Target)?;
        let stale = health::drive_status(&world.array, drive) == DriveStatus::NotAvailable;
        let serves = drive.serves() && drive.raid_group.or(drive.stands_in).is_some() && !stale;
        if drive.is_sound() || serves {
            return Err(in_state(&world.array, drive, "broken, failed_usable or not_exist"));
        }
        Ok(drive.key())
    }

    fn apply(old: Key<Drive>, world: &mut World, ctx: &Ctx) -> Key<Drive> {
        let before = engine::place_of(&world.array, old);
        let array = &mut world.array;
        let part = array.drives.get(old).map(|drive| (drive.raid_group, drive.stands_in)).unwrap_or_default();
        let identity = array.identity;
        let Some(new) = array.drives.replace(identity, old, |head, drive| drive.successor(head, identity)) else { return old };
        if let Some(group) = part.0.and_then(|group| array.raid_groups.get_mut(group)) {
            let place = group.members().find(|(_, member)| *member == old).map_or(0, |(place, _)| place);
            let slot = Slot { current: false, ..group.slot(place) };
            group.set_member(place, new);
            group.set_slot(place, slot);
        }
        if let Some(group) = part.1.and_then(|group| array.raid_groups.get_mut(group)) {
            stand_down(group, old);
        }
        let name = array.drives[new].name().to_owned();
        let message = format!("{before} was replaced by {}", engine::place_of(array, new));
        array.events.tell(ctx.now, Severity::Information, "drive_replaced", (Noun::Drive, &name), message);
        engine::tend(world);
        new
    }
}

/// A spare stands in no longer, wherever it did.
fn stand_down(group: &mut RaidGroup, spare: Key<Drive>) {
    let places: Vec<u32> = group.slots.iter().filter(|(_, slot)| slot.stand_in.is_some_and(|known| known.drive == spare)).map(|(place, _)| *place).collect();
    for place in places {
        let slot = Slot { stand_in: None, ..group.slot(place) };
        group.set_slot(place, slot);
    }
}

/// Copies a member of a RAID group to a spare and then takes it out of service, so that it can be replaced without losing protection.
///
/// Refused, in this order: unknown drive or spare; the drive is no member of a RAID group, or does not serve; a job works on the RAID group;
/// a spare stands in for the member; the RAID group is broken; the named spare is none, is in use or kept for another RAID group, or differs
/// from the members; none is named, and no spare that fits waits.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = DriveRedundantCopy, examples(json!({"spare": "CE-Disk#23"})))]
pub struct RedundantCopy {
    /// Which one.
    #[schema(ignore)]
    pub drive: String,
    /// The spare; the array chooses one if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spare: Option<String>,
}

/// What [`RedundantCopy`] found out.
#[derive(Debug)]
pub struct CopyPlan {
    drive: Key<Drive>,
    group: Key<RaidGroup>,
    slot: u32,
    spare: Key<Drive>,
}

impl Operation for RedundantCopy {
    const NAME: &'static str = "drive.redundant-copy";
    const POLICY: Policy = Policy::MaintenanceOperation;
    type Plan = CopyPlan;
    type Output = Key<Drive>;

    fn check(&self, world: &World, _: &Ctx) -> Result<CopyPlan, OpError> {
        let array = &world.array;
        let drive = array.drives.find(&self.drive, Place::Target)?;
        let named = self.spare.as_deref().map(|named| array.drives.find(named, Place::field("spare"))).transpose()?;
        let group = drive.raid_group.filter(|_| drive.serves()).and_then(|group| array.raid_groups.get(group));
        let Some(group) = group else { return Err(in_state(array, drive, "available in a RAID group")) };
        health_rules::group_not_busy(world, group)?;
        let slot = group.members().find(|(_, member)| *member == drive.key()).map_or(0, |(slot, _)| slot);
        let facts = group.slot(slot);
        if facts != Slot::ORDINARY {
            let by_name = facts.stand_in.and_then(|spare| array.drives.get(spare.drive)).map(|spare| spare.name().to_owned()).unwrap_or_default();
            return Err(OpError::InUse { noun: Noun::Drive, name: drive.name().to_owned(), by: Noun::Drive, by_name });
        }
        health_rules::group_serves(array, group)?;
        let spare = match named {
            Some(spare) => waits_for(world, group, spare)?,
            None => sparing::choose(array, group).ok_or_else(no_spare)?,
        };
        Ok(CopyPlan { drive: drive.key(), group: group.key(), slot, spare })
    }

    fn apply(plan: CopyPlan, world: &mut World, _: &Ctx) -> Key<Drive> {
        engine::engage(&mut world.array, plan.group, plan.slot, plan.spare);
        engine::tend(world);
        plan.drive
    }
}

fn no_spare() -> OpError {
    OpError::Missing { noun: Noun::Drive, field: "spare".into(), because: "no hot spare that fits waits; make one of a free drive first".into() }
}

/// The named spare must wait for such a RAID group, and fit.
fn waits_for(world: &World, group: &RaidGroup, spare: &Drive) -> Result<Key<Drive>, OpError> {
    let array = &world.array;
    if sparing::is_idle_spare_for(array, group, spare) {
        return fits(array, spare, group).map(|()| spare.key());
    }
    match spare.raid_group.or(spare.stands_in).or(spare.dedicated_to).and_then(|holder| array.raid_groups.get(holder)) {
        Some(holder) if holder.key() != group.key() || spare.dedicated_to.is_none() || spare.stands_in.is_some() => {
            let by_name = holder.name().to_owned();
            Err(OpError::InUse { noun: Noun::Drive, name: spare.name().to_owned(), by: Noun::RaidGroup, by_name })
        }
        _ => Err(in_state(array, spare, DriveStatus::Spare.name())),
    }
}
