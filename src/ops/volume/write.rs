//! Writing and unmapping: what hosts do to the space, without any data.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::model::{Array, Container, CopySession, Home, Key, Layout, Noun, Object, OpError, Place, Policy, Savings, Volume, copying, space};
use crate::ops::{Ctx, Operation, World, health_rules, room, rules};
use crate::units::{Bytes, Ratio};

/// Writes to a volume: unwritten space first, from the beginning; then over what is there, from the beginning, round and round. No data is kept.
/// Mirrors of the volume follow, and snapshots of it keep what is overwritten; those for which there is no space break off.
///
/// Refused, in this order: unknown volume; no controller runs; a job works on it; it is not available; snap data pool volume; a mirror that is not suspended; no bytes, or more than the largest volume; its pool or container has no
/// space for what it takes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = VolumeWrite, examples(json!({"bytes": "100GB", "reducibility": 3})))]
pub struct Write {
    /// Which one.
    #[schema(ignore)]
    pub volume: String,
    /// How much.
    pub bytes: Bytes,
    /// How far it can be reduced; the volume's own figure if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reducibility: Option<Ratio>,
}

/// Gives written space back, from the end of what is written.
///
/// Refused, in this order: unknown volume; no controller runs; a job works on it; it is not available; snap data pool volume; a mirror that is not suspended; no bytes, or more than the largest volume; its container has no space for
/// what a thick volume then keeps beside what snapshots hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = VolumeUnmap, examples(json!({"bytes": "50GB"})))]
pub struct Unmap {
    /// Which one.
    #[schema(ignore)]
    pub volume: String,
    /// How much; what is not written is left alone.
    pub bytes: Bytes,
}

/// A volume's new layout, and what it does to the books of its home.
#[derive(Debug)]
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

impl Operation for Write {
    const NAME: &'static str = "volume.write";
    const POLICY: Policy = Policy::Emulation;
    type Plan = Rewrite;
    type Output = Key<Volume>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Rewrite, OpError> {
        let array = &world.array;
        let volume = target(world, &self.volume, self.bytes)?;
        let generation = if volume.frozen { array.generation + 1 } else { volume.generation };
        let (present, snapshot) = (copying::content(array, volume), snapshot_in(array, volume));
        let layout = present.after_write(self.bytes, volume.size, generation);
        let added = present.touched_by(self.bytes, volume.size);
        let ratio = if is_reduced(array, volume) { self.reducibility.unwrap_or(volume.reducibility) } else { Ratio::ONE };
        let rewrite = Rewrite { key: volume.key(), layout, generation, frozen: false, added, ratio, snapshot };
        has_room(array, volume, &rewrite)?;
        Ok(rewrite)
    }

    fn apply(plan: Rewrite, world: &mut World, _: &Ctx) -> Key<Volume> {
        world.array.generation = world.array.generation.max(plan.generation);
        rewrite(&mut world.array, plan)
    }
}

impl Operation for Unmap {
    const NAME: &'static str = "volume.unmap";
    const POLICY: Policy = Policy::Emulation;
    type Plan = Rewrite;
    type Output = Key<Volume>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Rewrite, OpError> {
        let volume = target(world, &self.volume, self.bytes)?;
        let array = &world.array;
        let snapshot = snapshot_in(array, volume);
        let rewrite = Rewrite { snapshot, ..with_layout(volume, copying::content(array, volume).after_unmap(self.bytes)) };
        has_room(&world.array, volume, &rewrite)?;
        Ok(rewrite)
    }

    fn apply(plan: Rewrite, world: &mut World, _: &Ctx) -> Key<Volume> {
        rewrite(&mut world.array, plan)
    }
}

/// Empties a volume.
pub(super) fn emptied(volume: &Volume) -> Rewrite {
    with_layout(volume, Layout::default())
}

/// Leaves a volume with a part of what it has.
fn with_layout(volume: &Volume, layout: Layout) -> Rewrite {
    Rewrite { key: volume.key(), layout, generation: volume.generation, frozen: volume.frozen, added: Bytes::ZERO, ratio: Ratio::ONE, snapshot: None }
}

/// The snapshot that a volume keeps.
fn snapshot_in(array: &Array, volume: &Volume) -> Option<Key<CopySession>> {
    copying::into(array, volume.key()).filter(|session| session.image.is_some()).map(Object::key)
}

fn target<'a>(world: &'a World, reference: &str, bytes: Bytes) -> Result<&'a Volume, OpError> {
    let volume = world.array.find_volume(reference, Place::Target)?;
    rules::array_is_ready(&world.array)?;
    rules::volume_not_busy(world, volume)?;
    health_rules::volume_serves(&world.array, volume)?;
    rules::is_for_hosts(volume, "volume")?;
    if let Some(mirror) = copying::into(&world.array, volume.key()).filter(|session| session.mirrors()) {
        return Err(rules::used_by_session(volume, mirror));
    }
    let most = world.array.personality.volume_size_max;
    if bytes.is_zero() || bytes > most {
        return Err(OpError::OutOfRange {
            noun: Noun::Volume,
            field: "bytes".into(),
            value: bytes.get().to_string(),
            least: "1".into(),
            most: most.get().to_string(),
        });
    }
    Ok(volume)
}

fn is_reduced(array: &Array, volume: &Volume) -> bool {
    match volume.home {
        Home::RaidGroups(_) => false,
        Home::Pool(_) => volume.reduction.is_on(),
        Home::Container(container) => array.containers[container].reduction.is_on(),
    }
}

/// The home must have the space that the rewrite takes.
pub(super) fn has_room(array: &Array, volume: &Volume, rewrite: &Rewrite) -> Result<(), OpError> {
    if let Some(snapshot) = rewrite.snapshot {
        return copying::image_fits(array, &array.copy_sessions[snapshot], &rewrite.layout);
    }
    match volume.home {
        Home::RaidGroups(_) | Home::Pool(_) => space::fits(array, volume, &rewrite.layout, rewrite.inflow()),
        Home::Container(key) => {
            let container = &array.containers[key];
            let (savings, shared) = space::books_after(container, turn(array, key, volume, rewrite));
            let reserved = container.reserved + volume.reservation_with(&rewrite.layout, volume.size) - volume.reservation();
            container_room(array, container, savings, reserved, shared)
        }
    }
}

/// The container, and then its pool, must hold the container's books after a change.
fn container_room(array: &Array, container: &Container, savings: Savings, reserved: Bytes, shared: Bytes) -> Result<(), OpError> {
    let used = container.used_with(savings, reserved, shared);
    if used > container.size && used > container.used() {
        return Err(OpError::ContainerFull { container: container.name().to_owned(), needed: used - container.used(), free: container.free() });
    }
    let mut after = container.clone();
    after.savings = savings;
    if let Some(clone) = &mut after.clone {
        clone.shared = shared;
    }
    room::pool_holds_container(array, container, &after)
}

impl Rewrite {
    fn inflow(&self) -> space::Inflow {
        space::Inflow { added: self.added, shared: Bytes::ZERO, ratio: self.ratio }
    }
}

fn turn(array: &Array, container: Key<Container>, volume: &Volume, rewrite: &Rewrite) -> space::Turn {
    let before = space::holding(array, container, volume.lineage, space::Change::None);
    let after = space::holding(array, container, volume.lineage, space::Change::Layout(rewrite.key, &rewrite.layout));
    space::Turn { before, after, added: rewrite.added, ratio: rewrite.ratio }
}

/// Stores a new layout and enters what it does into the books; copies of the volume follow.
pub(super) fn rewrite(array: &mut Array, plan: Rewrite) -> Key<Volume> {
    let inflow = plan.inflow();
    let Rewrite { key, generation, frozen, snapshot, .. } = plan;
    let volume = array.volumes[key].clone();
    if let Some(volume) = array.volumes.get_mut(key) {
        (volume.generation, volume.frozen) = (generation, frozen);
    }
    match (snapshot, &volume.home) {
        (Some(snapshot), _) => copying::set_image(array, snapshot, plan.layout),
        (None, Home::RaidGroups(_) | Home::Pool(_)) => {
            space::store(array, key, plan.layout, inflow);
            // Copies for which there is no space break off, and say so.
            drop(copying::follow(array, key));
        }
        (None, Home::Container(container)) => contain(array, *container, &volume, plan),
    }
    key
}

/// Stores the new layout of a volume in a container.
fn contain(array: &mut Array, key: Key<Container>, volume: &Volume, plan: Rewrite) {
    let turn = turn(array, key, volume, &plan);
    space::settle(array, key, turn);
    if let Some(container) = array.containers.get_mut(key) {
        container.reserved = container.reserved + volume.reservation_with(&plan.layout, volume.size) - volume.reservation();
    }
    if let Some(volume) = array.volumes.get_mut(plan.key) {
        volume.layout = plan.layout;
    }
}
