//! Deleting volumes.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::engine::JobStatus;
use crate::model::{Array, CopySession, Key, Noun, Object, OpError, Place, Policy, Volume, VolumeRole, copying, placement, reach, snap_pool, space};
use crate::ops::{Ctx, Operation, World, copy_session, rules};
use crate::units::{Bytes, Ratio};

/// Deletes a volume and frees its space. What snapshots of its container hold of it stays. The destination of a full copy, or of a snapshot in
/// a thin volume that is not between other generations, takes its copy session with it.
///
/// Refused, in this order: unknown volume; a job works on it; it is in a LUN group or mapped; a workload uses it; snap data volumes need its
/// part of the snap data pool, unless forced; it is copied; a copy session that does not go with it; no space for what the next older
/// generation would have to keep.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = VolumeDelete)]
pub struct Delete {
    /// Which one.
    pub volume: String,
    /// Of a snap data pool volume: whether also while it is needed; snapshots are then lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub force: Option<bool>,
}

impl Operation for Delete {
    const NAME: &'static str = "volume.delete";
    const POLICY: Policy = Policy::VolumeDeleteFormat;
    type Plan = Key<Volume>;
    type Output = ();

    fn check(&self, world: &World, _: &Ctx) -> Result<Key<Volume>, OpError> {
        let volume = world.array.find_volume(&self.volume, Place::Target)?;
        can_go(world, volume)?;
        if self.force != Some(true) {
            snap_pool_can_do_without(&world.array, volume)?;
        }
        copies_can_do_without(world, volume)?;
        Ok(volume.key())
    }

    fn apply(key: Key<Volume>, world: &mut World, _: &Ctx) {
        let session = copying::into(&world.array, key).map(Object::key);
        if let Some(session) = session {
            world.stop_copy(session, JobStatus::Canceled);
        }
        let array = &mut world.array;
        let volume = array.volumes[key].clone();
        if let Some(container) = volume.container() {
            let before = space::holding(array, container, volume.lineage, space::Change::None);
            let after = space::holding(array, container, volume.lineage, space::Change::Gone(key));
            space::settle(array, container, space::Turn { before, after, added: Bytes::ZERO, ratio: Ratio::ONE });
        }
        // Of a copy's destination it was tried on a copy of the array: what older generations have to keep fits.
        drop(remove(array, key, session));
        if volume.role == VolumeRole::SnapPool {
            snap_pool::shed(array);
        }
    }
}

/// Takes a volume out, and the session that it is the destination of.
fn remove(array: &mut Array, key: Key<Volume>, session: Option<Key<CopySession>>) -> Result<(), OpError> {
    let session = session.and_then(|session| array.copy_sessions.remove(session));
    placement::move_out(array, key);
    array.volumes.remove(key);
    session.map_or(Ok(()), |session| copying::hold_generations(array, session.source))
}

/// What snap data volumes have taken must be in other snap data pool volumes.
fn snap_pool_can_do_without(array: &Array, volume: &Volume) -> Result<(), OpError> {
    let share = snap_pool::share(array, volume);
    if share.is_zero() {
        return Ok(());
    }
    let pool = snap_pool::snap_pool(array);
    match snap_pool::first_taker(array).filter(|_| share > pool.free()) {
        Some(taker) => Err(OpError::InUse { noun: Noun::Volume, name: volume.name().to_owned(), by: Noun::Volume, by_name: taker.name().to_owned() }),
        None => Ok(()),
    }
}

/// The volume must not be copied, and the session that it is the destination of must be able to go with it.
fn copies_can_do_without(world: &World, volume: &Volume) -> Result<(), OpError> {
    let array = &world.array;
    if let Some(session) = copying::sessions_of(array, volume.key()).first() {
        return Err(rules::used_by_session(volume, &array.copy_sessions[*session]));
    }
    let Some(session) = copying::into(array, volume.key()) else { return Ok(()) };
    copy_session::ends_with_destination(world, session)?;
    if session.is_generation() { remove(&mut array.clone(), volume.key(), Some(session.key())) } else { Ok(()) }
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
