//! Writing and unmapping: what hosts do to the space, without any data.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::model::{Array, Container, Home, Key, Layout, Noun, Object, OpError, Place, Policy, Pool, Savings, Volume, space};
use crate::ops::{Ctx, Operation, World, health_rules, room, rules};
use crate::units::{Bytes, Ratio};

/// Writes to a volume: unwritten space first, from the beginning; then over what is there, from the beginning, round and round. No data is kept.
///
/// Refused, in this order: unknown volume; no controller runs; a job works on it; it is not available; no bytes, or more than the largest volume; its pool or container has no
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
/// Refused, in this order: unknown volume; no controller runs; a job works on it; it is not available; no bytes, or more than the largest volume; its container has no space for
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
        let layout = volume.layout.after_write(self.bytes, volume.size, generation);
        let added = volume.layout.touched_by(self.bytes, volume.size);
        let ratio = if is_reduced(array, volume) { self.reducibility.unwrap_or(volume.reducibility) } else { Ratio::ONE };
        let rewrite = Rewrite { key: volume.key(), layout, generation, frozen: false, added, ratio };
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
        let rewrite = with_layout(volume, volume.layout.after_unmap(self.bytes));
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
    Rewrite { key: volume.key(), layout, generation: volume.generation, frozen: volume.frozen, added: Bytes::ZERO, ratio: Ratio::ONE }
}

fn target<'a>(world: &'a World, reference: &str, bytes: Bytes) -> Result<&'a Volume, OpError> {
    let volume = world.array.find_volume(reference, Place::Target)?;
    rules::array_is_ready(&world.array)?;
    rules::volume_not_busy(world, volume)?;
    health_rules::volume_serves(&world.array, volume)?;
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
    match volume.home {
        Home::RaidGroups(_) => Ok(()),
        Home::Pool(key) => {
            let pool = &array.pools[key];
            let (allocated, savings) = pool_books(pool, volume, rewrite);
            room::pool_holds(pool, allocated, savings)
        }
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

fn pool_books(pool: &Pool, volume: &Volume, rewrite: &Rewrite) -> (Bytes, Savings) {
    let (before, after) = (volume.layout.written(), rewrite.layout.written());
    let chunks = |written| space::allocation_of(pool, volume.reduction.is_on(), volume.allocation, volume.size, written);
    let savings = if volume.reduction.is_on() { space::savings_after(pool.savings, before, after, rewrite.added, rewrite.ratio) } else { pool.savings };
    (pool.allocated + chunks(after) - chunks(before), savings)
}

fn turn(array: &Array, container: Key<Container>, volume: &Volume, rewrite: &Rewrite) -> space::Turn {
    let before = space::holding(array, container, volume.lineage, space::Change::None);
    let after = space::holding(array, container, volume.lineage, space::Change::Layout(rewrite.key, &rewrite.layout));
    space::Turn { before, after, added: rewrite.added, ratio: rewrite.ratio }
}

/// Stores a new layout and enters what it does into the books.
pub(super) fn rewrite(array: &mut Array, plan: Rewrite) -> Key<Volume> {
    let volume = array.volumes[plan.key].clone();
    match volume.home {
        Home::RaidGroups(_) => {}
        Home::Pool(key) => {
            if let Some(pool) = array.pools.get_mut(key) {
                (pool.allocated, pool.savings) = pool_books(pool, &volume, &plan);
            }
        }
        Home::Container(key) => {
            let turn = turn(array, key, &volume, &plan);
            space::settle(array, key, turn);
            if let Some(container) = array.containers.get_mut(key) {
                container.reserved = container.reserved + volume.reservation_with(&plan.layout, volume.size) - volume.reservation();
            }
        }
    }
    let Rewrite { key, layout, generation, frozen, .. } = plan;
    if let Some(volume) = array.volumes.get_mut(key) {
        volume.layout = layout;
        volume.generation = generation;
        volume.frozen = frozen;
    }
    key
}
