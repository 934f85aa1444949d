//! The snap data pool: snap data pool volumes (SDPV) joined into one space, from which snap data volumes (SDV) take whole elements when
//! their own areas are used up.

use super::{Array, Key, Object, UsedStatus, Volume, VolumeRole, copying};
use crate::units::Bytes;

/// The pool's books, computed from its volumes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SnapPool {
    /// Whole elements of its volumes.
    pub capacity: Bytes,
    /// Elements that snap data volumes have taken.
    pub used: Bytes,
}

impl SnapPool {
    /// How it is called.
    pub const NAME: &'static str = "snap data pool";

    /// Elements left.
    pub fn free(self) -> Bytes {
        self.capacity - self.used
    }
    /// How full it is.
    pub fn used_status(self, array: &Array) -> UsedStatus {
        let (Some(rule), false) = (&array.personality.copy, self.used.is_zero()) else { return UsedStatus::Normal };
        let percent = self.used.percent_of(self.capacity);
        match percent {
            _ if self.free() < rule.snap_pool_element => UsedStatus::Over,
            percent if percent >= rule.snap_pool_warning_percent => UsedStatus::Warning,
            percent if percent >= rule.snap_pool_attention_percent => UsedStatus::Attention,
            _ => UsedStatus::Normal,
        }
    }
}

/// The size of an element.
fn element(array: &Array) -> Bytes {
    array.personality.copy.as_ref().map_or(Bytes::ZERO, |rule| rule.snap_pool_element)
}

/// What a volume gives to the pool.
pub fn share(array: &Array, volume: &Volume) -> Bytes {
    if volume.role == VolumeRole::SnapPool { volume.size.round_down(element(array)) } else { Bytes::ZERO }
}

/// What a snap data volume with so much in it takes from the pool.
pub fn taken(array: &Array, volume: &Volume, written: Bytes) -> Bytes {
    if volume.role == VolumeRole::SnapData { (written - volume.own_area()).round_up(element(array)) } else { Bytes::ZERO }
}

/// The pool now.
pub fn snap_pool(array: &Array) -> SnapPool {
    array.volumes.iter().filter(|volume| volume.role != VolumeRole::Data).fold(SnapPool::default(), |sum, volume| SnapPool {
        capacity: sum.capacity + share(array, volume),
        used: sum.used + taken(array, volume, volume.layout.written()),
    })
}

/// The first snap data volume that has taken elements.
pub fn first_taker(array: &Array) -> Option<&Volume> {
    array.volumes.iter().find(|volume| !taken(array, volume, volume.layout.written()).is_zero())
}

/// While more is taken than there is, snap data volumes lose what they keep.
pub fn shed(array: &mut Array) {
    while snap_pool(array).used > snap_pool(array).capacity {
        let Some(taker) = first_taker(array).map(Object::key) else { return };
        empty(array, taker);
    }
}

/// Empties a snap data volume; the snapshot in it, if there is one, is lost.
fn empty(array: &mut Array, volume: Key<Volume>) {
    if let Some(snapshot) = copying::into(array, volume).filter(|session| session.image.is_some()).map(Object::key) {
        copying::lose(array, snapshot);
    }
    copying::scramble(array, volume, Bytes::ZERO);
}

/// Everything that is wrong with it, one sentence each.
pub(super) fn problems(array: &Array, found: &mut Vec<String>) {
    let pool = snap_pool(array);
    if pool.used > pool.capacity {
        found.push(format!("the snap data pool holds {} of {}", pool.used, pool.capacity));
    }
    for volume in array.volumes.iter().filter(|volume| volume.role != VolumeRole::Data) {
        let name = volume.name();
        if volume.slices().is_empty() || volume.own_area() > volume.size {
            found.push(format!("the areas of volume '{name}' are none, or larger than it"));
        }
        if volume.role == VolumeRole::SnapPool && !volume.layout.written().is_zero() {
            found.push(format!("somebody has written to the snap data pool volume '{name}'"));
        }
    }
    for session in array.copy_sessions.iter() {
        let pool = [session.source, session.destination].into_iter().filter_map(|key| array.volumes.get(key)).find(|one| one.role == VolumeRole::SnapPool);
        if let Some(volume) = pool {
            found.push(format!("the snap data pool volume '{}' is copied", volume.name()));
        }
    }
}
