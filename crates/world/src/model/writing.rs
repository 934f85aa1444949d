//! Writing to a volume: its new layout, what that does to the books, whether there is room, and doing it. Operations and the workloads of
//! hosts write alike.

use super::{Array, Container, CopySession, Home, Key, Layout, Object, OpError, Savings, Volume, copying, space};
use crate::units::{Bytes, Ratio};

/// A volume's new layout, and what it does to the books of its home.
#[derive(Clone, Debug)]
pub struct Rewrite {
    key: Key<Volume>,
    layout: Layout,
    generation: u64,
    frozen: bool,
    added: Bytes,
    ratio: Ratio,
    /// The snapshot whose image it is that changes, not what its destination holds.
    snapshot: Option<Key<CopySession>>,
}

impl Rewrite {
    /// After `bytes` have been written to a volume as far as `size`, data of that reducibility or else the volume's own.
    pub fn of_write(array: &Array, volume: &Volume, bytes: Bytes, size: Bytes, reducibility: Option<Ratio>) -> Rewrite {
        let generation = if volume.frozen { array.generation + 1 } else { volume.generation };
        let (present, snapshot) = (copying::content(array, volume), snapshot_in(array, volume));
        let layout = present.after_write(bytes, size, generation);
        let added = present.touched_by(bytes, size);
        let ratio = if is_reduced(array, volume) { reducibility.unwrap_or(volume.reducibility) } else { Ratio::ONE };
        Rewrite { key: volume.key(), layout, generation, frozen: false, added, ratio, snapshot }
    }
    /// After the last `bytes` of what is written have been given back.
    pub fn of_unmap(array: &Array, volume: &Volume, bytes: Bytes) -> Rewrite {
        let snapshot = snapshot_in(array, volume);
        Rewrite { snapshot, ..Rewrite::with_layout(volume, copying::content(array, volume).after_unmap(bytes)) }
    }
    /// Empties a volume.
    pub fn emptied(volume: &Volume) -> Rewrite {
        Rewrite::with_layout(volume, Layout::default())
    }
    /// Leaves a volume with a part of what it has.
    fn with_layout(volume: &Volume, layout: Layout) -> Rewrite {
        Rewrite { key: volume.key(), layout, generation: volume.generation, frozen: volume.frozen, added: Bytes::ZERO, ratio: Ratio::ONE, snapshot: None }
    }
    /// The home must have the space that it takes.
    pub fn fits(&self, array: &Array, volume: &Volume) -> Result<(), OpError> {
        if let Some(snapshot) = self.snapshot {
            return copying::image_fits(array, &array.copy_sessions[snapshot], &self.layout);
        }
        match volume.home {
            Home::RaidGroups(_) | Home::Pool(_) => space::fits(array, volume, &self.layout, self.inflow()),
            Home::Container(key) => {
                let container = &array.containers[key];
                let (savings, shared) = space::books_after(container, self.turn(array, key, volume));
                let reserved = container.reserved + volume.reservation_with(&self.layout, volume.size) - volume.reservation();
                container_room(array, container, savings, reserved, shared)
            }
        }
    }
    /// Stores the new layout and enters what it does into the books; copies of the volume follow.
    pub fn apply(self, array: &mut Array) -> Key<Volume> {
        let (key, inflow) = (self.key, self.inflow());
        let volume = array.volumes[key].clone();
        array.generation = array.generation.max(self.generation);
        if let Some(volume) = array.volumes.get_mut(key) {
            (volume.generation, volume.frozen) = (self.generation, self.frozen);
        }
        match (self.snapshot, &volume.home) {
            (Some(snapshot), _) => copying::set_image(array, snapshot, self.layout),
            (None, Home::RaidGroups(_) | Home::Pool(_)) => {
                space::store(array, key, self.layout, inflow);
                // Copies for which there is no space break off, and say so.
                drop(copying::follow(array, key));
            }
            (None, Home::Container(container)) => self.contain(array, *container, &volume),
        }
        key
    }
    /// What the volume would hold.
    pub const fn layout(&self) -> &Layout {
        &self.layout
    }
    /// What comes in with it.
    pub const fn inflow(&self) -> space::Inflow {
        space::Inflow { added: self.added, shared: Bytes::ZERO, ratio: self.ratio }
    }
    /// What it does to the data of the container that holds the volume.
    pub fn turn(&self, array: &Array, container: Key<Container>, volume: &Volume) -> space::Turn {
        let before = space::holding(array, container, volume.lineage, space::Change::None);
        let after = space::holding(array, container, volume.lineage, space::Change::Layout(self.key, &self.layout));
        space::Turn { before, after, added: self.added, ratio: self.ratio }
    }
    /// Stores the new layout of a volume in a container.
    fn contain(self, array: &mut Array, key: Key<Container>, volume: &Volume) {
        let turn = self.turn(array, key, volume);
        space::settle(array, key, turn);
        if let Some(container) = array.containers.get_mut(key) {
            container.reserved = container.reserved + volume.reservation_with(&self.layout, volume.size) - volume.reservation();
        }
        if let Some(volume) = array.volumes.get_mut(self.key) {
            volume.layout = self.layout;
        }
    }
}

/// The snapshot that a volume keeps.
fn snapshot_in(array: &Array, volume: &Volume) -> Option<Key<CopySession>> {
    copying::into(array, volume.key()).filter(|session| session.image.is_some()).map(Object::key)
}

/// Whether what is written to a volume is reduced.
fn is_reduced(array: &Array, volume: &Volume) -> bool {
    match volume.home {
        Home::RaidGroups(_) => false,
        Home::Pool(_) => volume.reduction.is_on(),
        Home::Container(container) => array.containers[container].reduction.is_on(),
    }
}

/// The container, and then its pool, must hold the container's books after a change.
fn container_room(array: &Array, container: &Container, savings: Savings, reserved: Bytes, shared: Bytes) -> Result<(), OpError> {
    let used = container.used_with(savings, reserved, shared);
    if used > container.size && used > container.used() {
        return Err(OpError::ContainerFull { container: container.name().to_owned(), needed: used - container.used(), free: container.free() });
    }
    let mut after = container.clone();
    after.enter((savings, shared));
    space::pools_hold(array, container, &after)
}
