//! Expanding volumes.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::create::size_is_allowed;
use super::home;
use crate::model::{Allocation, Array, Home, Key, Noun, Object, OpError, Place, Policy, RaidGroup, Slice, Volume, placement};
use crate::ops::{Ctx, Operation, World, belonging, health_rules, room, rules};
use crate::units::Bytes;

/// Makes a volume larger; in RAID groups by areas that are joined to those it has.
///
/// Refused, in this order: unknown volume; a volume for snapshots; a job works on it; it is not available; a copy session uses it; size not larger; size out of range; the tenant would have too much; too much
/// promised; no space.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = VolumeExpand, examples(json!({"size": "5TB"})))]
pub struct Expand {
    /// Which one.
    #[schema(ignore)]
    pub volume: String,
    /// The new total size, rounded up to the array's unit.
    pub size: Bytes,
}

/// What [`Expand`] found out.
#[derive(Debug)]
pub struct ExpandPlan {
    key: Key<Volume>,
    size: Bytes,
    slices: Vec<Slice>,
}

impl Operation for Expand {
    const NAME: &'static str = "volume.expand";
    const POLICY: Policy = Policy::VolumeCreateModify;
    type Plan = ExpandPlan;
    type Output = Key<Volume>;

    fn check(&self, world: &World, _: &Ctx) -> Result<ExpandPlan, OpError> {
        let array = &world.array;
        let volume = array.find_volume(&self.volume, Place::Target)?;
        rules::holds_data(volume, "larger volumes for snapshots")?;
        rules::volume_not_busy(world, volume)?;
        health_rules::volume_serves(array, volume)?;
        rules::volume_not_copied(world, volume)?;
        if self.size.round_up(array.personality.size_unit) <= volume.size {
            return Err(OpError::Shrinking { noun: Noun::Volume, name: volume.name().to_owned(), size: volume.size, asked: self.size });
        }
        let size = size_is_allowed(array, self.size, volume.usage)?;
        if volume.container().is_none() {
            belonging::has_room(array, volume.tenant, 0, size - volume.size)?;
        }
        let slices = room(array, volume, size - volume.size)?;
        Ok(ExpandPlan { key: volume.key(), size, slices })
    }

    fn apply(plan: ExpandPlan, world: &mut World, _: &Ctx) -> Key<Volume> {
        placement::grow(&mut world.array, plan.key, plan.size, plan.slices);
        plan.key
    }
}

/// There must be room for `more`; in RAID groups, these areas.
fn room(array: &Array, volume: &Volume, more: Bytes) -> Result<Vec<Slice>, OpError> {
    match &volume.home {
        Home::RaidGroups(slices) => {
            let mut groups: Vec<Key<RaidGroup>> = slices.iter().map(|slice| slice.raid_group).collect();
            groups.sort_unstable();
            groups.dedup();
            Ok(home::slices(array, &groups, more, 1)?.pop().unwrap_or_default())
        }
        Home::Pool(pool) => {
            let pool = &array.pools[*pool];
            home::pool_can_promise(array, pool, more, volume.reduction.is_on())?;
            let needed = if volume.allocation == Allocation::Thick && !volume.reduction.is_on() {
                pool.chunks(volume.size + more) - pool.chunks(volume.size)
            } else {
                Bytes::ZERO
            };
            room::pool_has(pool, needed).map(|()| Vec::new())
        }
        Home::Container(container) => {
            let container = &array.containers[*container];
            let needed = if volume.allocation == Allocation::Thick { more } else { Bytes::ZERO };
            room::container_has(container, needed).map(|()| Vec::new())
        }
    }
}
