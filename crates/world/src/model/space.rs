//! The space that data takes: what writing, freezing and freeing do to the books of volumes, containers and pools.
//!
//! Everything here is exact arithmetic on [`Layout`]s. Operations ask for the books *after* a change, refuse when they do not fit,
//! and store them when they do; [`super::consistency`] computes the same books from nothing and compares.

use std::collections::BTreeSet;

use super::layout::union;
use super::snap_pool::{SnapPool, snap_pool, taken};
use super::{Allocation, Array, Claim, Container, Guarantee, Home, Key, Layout, Object, OpError, Pool, Savings, UsedStatus, Volume};
use crate::units::{Bytes, Ratio};

/// The bytes that the holders of some lineages in a container answer for, before reduction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Holding {
    /// In the container's own books.
    pub own: Bytes,
    /// Shared with the snapshot that the container was cloned from, and in that one's books.
    pub shared: Bytes,
}

/// A change of one volume's data that is being considered.
#[derive(Clone, Copy, Debug)]
pub enum Change<'a> {
    /// Nothing changes.
    None,
    /// The volume would have this layout.
    Layout(Key<Volume>, &'a Layout),
    /// The volume would go.
    Gone(Key<Volume>),
}

/// What one lineage holds in a container, if `change` were made.
pub fn holding(array: &Array, container: Key<Container>, lineage: u64, change: Change<'_>) -> Holding {
    let live = array.containers[container].volumes.iter().filter_map(|key| array.volumes.get(*key)).filter(|volume| volume.lineage == lineage);
    let live = live.filter_map(|volume| match change {
        Change::Layout(key, layout) if key == volume.key() => Some(layout),
        Change::Gone(key) if key == volume.key() => None,
        _ => Some(&volume.layout),
    });
    let frozen = array.snapshots_of(container).flat_map(|snapshot| &snapshot.images).filter(|image| image.lineage == lineage).map(|image| &image.layout);
    let holders: Vec<&Layout> = live.chain(frozen).collect();
    let total = union(holders.iter().copied());
    let origin = array.containers[container].clone.and_then(|clone| array.snapshots.get(clone.snapshot));
    let inherited: Vec<&Layout> =
        origin.into_iter().flat_map(|snapshot| &snapshot.images).filter(|image| image.lineage == lineage).map(|image| &image.layout).collect();
    if inherited.is_empty() {
        return Holding { own: total, shared: Bytes::ZERO };
    }
    let own = union(holders.iter().chain(&inherited).copied()) - union(inherited.iter().copied());
    Holding { own, shared: total - own }
}

/// What all lineages hold in a container.
pub fn container_holding(array: &Array, container: Key<Container>) -> Holding {
    let live = array.volumes_in(container).map(|volume| volume.lineage);
    let lineages: BTreeSet<u64> = live.chain(array.snapshots_of(container).flat_map(|snapshot| snapshot.images.iter().map(|image| image.lineage))).collect();
    lineages
        .into_iter()
        .map(|lineage| holding(array, container, lineage, Change::None))
        .fold(Holding::default(), |sum, one| Holding { own: sum.own + one.own, shared: sum.shared + one.shared })
}

/// Bytes that only snapshots of a container hold, before reduction.
pub fn kept_by_snapshots(array: &Array, container: Key<Container>) -> Bytes {
    if array.snapshots_of(container).next().is_none() {
        return Bytes::ZERO;
    }
    let mut live: std::collections::BTreeMap<u64, Vec<&Layout>> = std::collections::BTreeMap::new();
    array.volumes_in(container).for_each(|volume| live.entry(volume.lineage).or_default().push(&volume.layout));
    let all = container_holding(array, container);
    all.own + all.shared - live.into_values().map(|layouts| union(layouts.into_iter())).sum()
}

/// The books of a domain after a lineage went from `before` to `after` while `added` bytes of data with that ratio came in.
pub fn savings_after(books: Savings, before: Bytes, after: Bytes, added: Bytes, ratio: Ratio) -> Savings {
    books.without(before + added - after).with(added, ratio)
}

/// What comes in with a volume's new layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inflow {
    /// Data that is new to the domain of reduction.
    pub added: Bytes,
    /// Data that the domain holds already, and stores once.
    pub shared: Bytes,
    /// How far the new data shrinks.
    pub ratio: Ratio,
}

impl Inflow {
    /// Nothing.
    pub const NONE: Inflow = Inflow { added: Bytes::ZERO, shared: Bytes::ZERO, ratio: Ratio::ONE };
}

/// A pool's allocated space and savings if one of its volumes had another layout.
pub fn pool_after(pool: &Pool, volume: &Volume, layout: &Layout, inflow: Inflow) -> (Bytes, Savings) {
    let (before, after) = (volume.layout.written(), layout.written());
    let chunks = |written| allocation_of(pool, volume.reduction.is_on(), volume.allocation, volume.size, written);
    let kept = || pool.savings.without(before + inflow.added + inflow.shared - after);
    let savings = if volume.reduction.is_on() { kept().with(inflow.added, inflow.ratio).sharing(inflow.shared) } else { pool.savings };
    (pool.allocated + chunks(after) - chunks(before), savings)
}

/// The home of a volume outside containers must have the space for another layout.
pub fn fits(array: &Array, volume: &Volume, layout: &Layout, inflow: Inflow) -> Result<(), OpError> {
    if let Home::Pool(pool) = volume.home {
        let pool = &array.pools[pool];
        let (allocated, savings) = pool_after(pool, volume, layout, inflow);
        return pool.holds(allocated, savings);
    }
    let (before, after) = (taken(array, volume, volume.layout.written()), taken(array, volume, layout.written()));
    if after <= before {
        return Ok(());
    }
    let (needed, free) = (after - before, snap_pool(array).free());
    if needed <= free { Ok(()) } else { Err(OpError::PoolFull { pool: SnapPool::NAME.to_owned(), needed, free }) }
}

/// Stores a layout of a volume outside containers, and enters it into the books of its home.
pub fn store(array: &mut Array, key: Key<Volume>, layout: Layout, inflow: Inflow) {
    let Some(volume) = array.volumes.get_mut(key) else { return };
    if let Home::Pool(pool) = volume.home
        && let Some(pool) = array.pools.get_mut(pool)
    {
        (pool.allocated, pool.savings) = pool_after(pool, volume, &layout, inflow);
    }
    volume.layout = layout;
}

/// Chunks that a plain volume takes directly from its pool.
pub fn pool_allocation(pool: &Pool, volume: &Volume) -> Bytes {
    allocation_of(pool, volume.reduction.is_on(), volume.allocation, volume.size, volume.layout.written())
}

/// Chunks that a volume of these properties takes directly from its pool; a reduced one takes none, its data is in the pool's savings.
pub fn allocation_of(pool: &Pool, reduced: bool, allocation: Allocation, size: Bytes, written: Bytes) -> Bytes {
    match (reduced, allocation) {
        (true, _) => Bytes::ZERO,
        (false, Allocation::Thick) => pool.chunks(size),
        (false, Allocation::Thin) => pool.chunks(written),
    }
}

/// Whether hosts can write anything to a volume: what is set aside for it, or written already, can always be written; anything else needs
/// a free chunk in its pool, and room in its container.
pub fn takes_writes(array: &Array, volume: &Volume) -> bool {
    let whole = volume.layout.written() >= volume.size;
    let is_over = |pool: &Pool| pool.used_status() == UsedStatus::Over;
    let kept = volume.allocation == Allocation::Thick && (volume.container().is_some() || !volume.reduction.is_on());
    let (pool, room) = match volume.home {
        Home::RaidGroups(_) => return true,
        Home::Pool(pool) => (Some(pool), true),
        Home::Container(container) => {
            let Some(container) = array.containers.get(container) else { return true };
            let thin = container.guarantee == Guarantee::Thin;
            let pool = thin.then(|| container.pools().find(|pool| array.pools.get(*pool).is_some_and(is_over)).unwrap_or(container.pool));
            (pool, kept || container.free() >= array.personality.size_unit)
        }
    };
    let chunk = pool.and_then(|pool| array.pools.get(pool)).is_none_or(|pool| !is_over(pool));
    whole || (room && (chunk || (kept && volume.container().is_none())))
}

/// Bytes that a volume answers for after reduction: its share of its domain's data. Of an unreduced one, what is written.
pub fn physical(array: &Array, volume: &Volume) -> Bytes {
    let written = volume.layout.written();
    match (volume.container(), volume.pool()) {
        (Some(container), _) => {
            let books = array.containers[container].savings;
            written.scaled(books.after.get(), books.before.get()).min(written)
        }
        (None, Some(pool)) if volume.reduction.is_on() => array.pools[pool].savings.attributed(written),
        _ => written,
    }
}

/// Chunks that a pool sets aside for a volume on its way in: as much as it may take, whatever hosts write meanwhile.
pub fn incoming(pool: &Pool, volume: &Volume, migration: &super::Migration) -> Bytes {
    let whole = matches!(migration.allocation, Allocation::Thick);
    pool.chunks(if whole { volume.size } else { volume.layout.written() })
}

/// Ends a split: the clone owns what it shared.
pub fn make_independent(array: &mut Array, key: Key<Container>) {
    change(array, key, |container| (container.savings, container.clone) = (container.independent(), None));
}

/// Ends a migration of a container where it goes: the pool that it leaves gets its space back.
pub fn arrive(array: &mut Array, key: Key<Container>) {
    change(array, key, |container| {
        let Some(migration) = container.migration.take() else { return };
        container.pool = migration.pool;
        (container.savings, container.clone) = (container.independent(), None);
    });
}

/// Changes a container, and enters into the books of its pools what it takes of them then.
pub fn change(array: &mut Array, key: Key<Container>, change: impl FnOnce(&mut Container)) {
    let Some(container) = array.containers.get_mut(key) else { return };
    let before = container.claims();
    change(container);
    let now = container.claims();
    give_back(array, &before);
    claim(array, &now);
}

/// Enters what a container takes into the books of pools.
pub fn claim(array: &mut Array, claims: &[Claim]) {
    for claim in claims {
        if let Some(pool) = array.pools.get_mut(claim.pool) {
            pool.provisioned += claim.promised;
            pool.allocated += claim.taken;
        }
    }
}

/// Takes it out again.
pub fn give_back(array: &mut Array, claims: &[Claim]) {
    for claim in claims {
        if let Some(pool) = array.pools.get_mut(claim.pool) {
            pool.provisioned -= claim.promised;
            pool.allocated -= claim.taken;
        }
    }
}

/// The pools of a container must hold what it takes of them after a change; a change that takes no more than before always passes.
pub fn pools_hold(array: &Array, before: &Container, after: &Container) -> Result<(), OpError> {
    let claims = before.claims();
    let taken = |pool: Key<Pool>| claims.iter().filter(|claim| claim.pool == pool).map(|claim| claim.taken).sum::<Bytes>();
    after.claims().into_iter().try_for_each(|claim| {
        let pool = &array.pools[claim.pool];
        pool.holds(pool.allocated + claim.taken - taken(claim.pool), pool.savings)
    })
}

/// What a change does to a container's data.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// What the changed lineages hold before.
    pub before: Holding,
    /// What they hold after.
    pub after: Holding,
    /// Data that came in.
    pub added: Bytes,
    /// How far that shrinks.
    pub ratio: Ratio,
}

/// A container's savings and shared bytes after a change.
pub fn books_after(container: &Container, turn: Turn) -> (Savings, Bytes) {
    let savings = savings_after(container.savings, turn.before.own, turn.after.own, turn.added, turn.ratio);
    (savings, container.shared() + turn.after.shared - turn.before.shared)
}

/// Enters a change of data into the books of a container and its pool.
pub fn settle(array: &mut Array, key: Key<Container>, turn: Turn) {
    change(array, key, |container| container.enter(books_after(container, turn)));
}

/// Bytes that a snapshot's images hold together, before reduction.
pub fn image_bytes(snapshot: &super::Snapshot) -> Bytes {
    let lineages: BTreeSet<u64> = snapshot.images.iter().map(|image| image.lineage).collect();
    lineages.into_iter().map(|lineage| union(snapshot.images.iter().filter(|image| image.lineage == lineage).map(|image| &image.layout))).sum()
}
