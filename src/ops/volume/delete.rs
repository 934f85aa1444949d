//! Deleting volumes.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::model::{Key, Noun, Object, OpError, Place, Policy, Volume, placement, reach, space};
use crate::ops::{Ctx, Operation, World, rules};
use crate::units::{Bytes, Ratio};

/// Deletes a volume and frees its space. What snapshots hold of it stays.
///
/// Refused, in this order: unknown volume; a job works on it; it is in a LUN group or mapped; a workload uses it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = VolumeDelete)]
pub struct Delete {
    /// Which one.
    pub volume: String,
}

impl Operation for Delete {
    const NAME: &'static str = "volume.delete";
    const POLICY: Policy = Policy::VolumeDeleteFormat;
    type Plan = Key<Volume>;
    type Output = ();

    fn check(&self, world: &World, _: &Ctx) -> Result<Key<Volume>, OpError> {
        let volume = world.array.find_volume(&self.volume, Place::Target)?;
        can_go(world, volume)?;
        Ok(volume.key())
    }

    fn apply(key: Key<Volume>, world: &mut World, _: &Ctx) {
        let array = &mut world.array;
        let volume = array.volumes[key].clone();
        if let Some(container) = volume.container() {
            let before = space::holding(array, container, volume.lineage, space::Change::None);
            let after = space::holding(array, container, volume.lineage, space::Change::Gone(key));
            space::settle(array, container, space::Turn { before, after, added: Bytes::ZERO, ratio: Ratio::ONE });
        }
        placement::move_out(array, key);
        array.volumes.remove(key);
    }
}

/// No job, no host and no workload must be using the volume.
pub(in crate::ops) fn can_go(world: &World, volume: &Volume) -> Result<(), OpError> {
    rules::volume_not_busy(world, volume)?;
    let in_use = |by, by_name: &str| Err(OpError::InUse { noun: Noun::Volume, name: volume.name().to_owned(), by, by_name: by_name.to_owned() });
    if let Some((by, by_name)) = reach::volume_users(&world.array, volume.key()) {
        return in_use(by, by_name);
    }
    no_workload(world, volume)
}

/// No workload must be using the volume.
pub(in crate::ops) fn no_workload(world: &World, volume: &Volume) -> Result<(), OpError> {
    match world.workloads.iter().find(|workload| workload.volumes.contains(&volume.key())) {
        Some(workload) => Err(OpError::InUse { noun: Noun::Volume, name: volume.name().to_owned(), by: Noun::Workload, by_name: workload.name().to_owned() }),
        None => Ok(()),
    }
}
