//! What workloads write takes space as time passes.
//!
//! A workload that writes data fills the unwritten part of its working set and then goes over it round and round, as `volume.write` does. How
//! much it has written at an instant follows exactly from its rates; it is entered in the books from time to time: when another hundredth of a
//! working set is written, when the load changes, and at the very instant at which a pool passes a threshold or has no chunk left. What
//! finds no room is lost to the host. A volume that migrates takes nothing in until it has arrived.

use std::collections::BTreeMap;

use super::{Due, World};
use crate::model::{Array, Container, Home, Key, Layout, LoadLog, Pool, Rewrite, Table, UsedStatus, Volume, Workload, copying, space};
use crate::units::{Bytes, SimTime};

/// Parts of a byte in which rates over time are counted: billionths a second, times microseconds.
const PARTS: u128 = 1_000_000_000_000_000;
/// What is entered at once, as a share of the working set.
const SHARE: u64 = 100;

/// The writes of one workload to one volume.
struct Writer {
    volume: Key<Volume>,
    working_set: Bytes,
    /// Billionths of a byte per second.
    rate: u128,
    /// When it began to write at that rate.
    from: SimTime,
    /// Up to when its writes are entered.
    entered: SimTime,
}

impl Writer {
    /// Bytes that it has written by `time` at that rate.
    fn written(&self, time: SimTime) -> u128 {
        self.rate * u128::from(time.since(self.from).0) / PARTS
    }
    /// Those that are not entered yet.
    fn due(&self, time: SimTime) -> Bytes {
        Bytes::new(u64::try_from(self.written(time) - self.written(self.entered.min(time))).unwrap_or(u64::MAX))
    }
    /// When that many are not entered.
    fn time_of(&self, due: Bytes) -> SimTime {
        let span = (self.written(self.entered) + u128::from(due.get())).saturating_mul(PARTS).div_ceil(self.rate.max(1));
        SimTime(self.from.0.saturating_add(u64::try_from(span).unwrap_or(u64::MAX)))
    }
}

/// Who writes data since the last change, in the order of the log.
fn writers(array: &Array, workloads: &Table<Workload>, log: &LoadLog) -> Vec<Writer> {
    let Some(last) = log.last().filter(|_| workloads.iter().any(|workload| workload.writing.is_some())) else { return Vec::new() };
    let (from, entered) = (last.from, log.entered().max(last.from));
    let mut writers = Vec::new();
    for bundle in &last.bundles {
        let Some(route) = log.route(bundle.route) else { continue };
        let Some(workload) = workloads.get(route.workload).filter(|workload| workload.writing.is_some()) else { continue };
        let rate = u128::from(bundle.writes) * u128::from(route.block.get());
        for volume in route.volumes.iter().filter_map(|key| array.volumes.get(*key)).filter(|volume| takes_data(array, volume)) {
            let working_set = workload.working_set_of(volume.size);
            writers.push(Writer { volume: crate::model::Object::key(volume), working_set, rate, from, entered });
        }
    }
    writers.retain(|writer| writer.rate > 0);
    writers
}

fn takes_data(array: &Array, volume: &Volume) -> bool {
    volume.migration.is_none() && !copying::into(array, crate::model::Object::key(volume)).is_some_and(crate::model::CopySession::mirrors)
}

/// Whether a workload writes data.
pub(super) fn goes_on<O: Clone>(world: &World<O>) -> bool {
    !writers(&world.array, &world.workloads, &world.load).is_empty()
}

/// While nothing was to be entered, writes changed nothing or found no room: whatever changes that now begins with the writes from now on.
pub(super) fn forget_what_changed_nothing<O: Clone>(world: &mut World<O>) {
    if world.agenda.time_of(Due::DataArrives).is_none() && goes_on(world) {
        world.load.enter(world.clock.now);
    }
}

/// Enters what has been written until now.
pub fn fill<O: Clone>(world: &mut World<O>) {
    let now = world.now();
    for writer in writers(&world.array, &world.workloads, &world.load) {
        write(&mut world.array, &writer, writer.due(now));
    }
    world.load.enter(now);
}

/// Writes as much as there is room for.
fn write(array: &mut Array, writer: &Writer, bytes: Bytes) {
    let Some(volume) = array.volumes.get(writer.volume) else { return };
    let rewrite = |bytes: u64| Rewrite::of_write(array, volume, Bytes::new(bytes), writer.working_set, None);
    let fits = |bytes: u64| rewrite(bytes).fits(array, volume).is_ok();
    let most = if fits(bytes.get()) { bytes.get() } else { highest(bytes.get(), fits) };
    if most > 0 {
        rewrite(most).apply(array);
    }
}

/// The highest number below `limit` that holds, if all below it do.
fn highest(limit: u64, holds: impl Fn(u64) -> bool) -> u64 {
    let (mut low, mut high) = (0, limit);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if holds(middle) { low = middle } else { high = middle }
    }
    low
}

/// Enters into the agenda when what is written has to be entered next.
pub(super) fn plan<O: Clone>(world: &mut World<O>) {
    let next = next(world);
    if world.agenda.time_of(Due::DataArrives) == next {
        return;
    }
    world.agenda.forget(Due::DataArrives);
    if let Some(next) = next {
        world.agenda.add(next, Due::DataArrives);
    }
}

fn next<O: Clone>(world: &World<O>) -> Option<SimTime> {
    let (array, now) = (&world.array, world.now());
    let writers = writers(array, &world.workloads, &world.load);
    let wanted = |writer: &Writer| wanted(array, writer).map(|bytes| writer.time_of(bytes).max(SimTime(now.0.saturating_add(1))));
    let latest = writers.iter().filter_map(wanted).min()?;
    let present = statuses(array, &writers, now, false);
    let is_other = |time: SimTime| statuses(array, &writers, time, true) != present;
    if !is_other(latest) {
        return Some(latest);
    }
    let (mut before, mut after) = (now, latest);
    while after.0 - before.0 > 1 {
        let middle = SimTime(before.0 + (after.0 - before.0) / 2);
        if is_other(middle) { after = middle } else { before = middle }
    }
    Some(after)
}

/// What is to be entered at once for a writer; nothing when more writes change nothing, or find no room.
fn wanted(array: &Array, writer: &Writer) -> Option<Bytes> {
    let volume = array.volumes.get(writer.volume)?;
    let layout = copying::content(array, volume);
    let share = writer.working_set.divided(SHARE).max(Bytes::new(1));
    let room = writer.working_set - layout.written();
    let all_new = |layout: &Layout| layout.ranges().all(|(.., generation)| generation == volume.generation);
    if room.is_zero() && !volume.frozen && all_new(layout) {
        return None;
    }
    let more = if room.is_zero() { share } else { share.min(room) };
    let one = Rewrite::of_write(array, volume, Bytes::new(1), writer.working_set, None);
    one.fits(array, volume).is_ok().then_some(more)
}

/// How full the pools of the writers are, or would be if all were entered that is written by `time`.
fn statuses(array: &Array, writers: &[Writer], time: SimTime, with_due: bool) -> Vec<UsedStatus> {
    let mut books = Books::default();
    for writer in writers {
        let Some(volume) = array.volumes.get(writer.volume) else { continue };
        let due = if with_due { writer.due(time) } else { Bytes::ZERO };
        books.enter(array, volume, &Rewrite::of_write(array, volume, due, writer.working_set, None));
    }
    books.pools.values().map(Pool::used_status).collect()
}

/// Pools and containers as they would be.
#[derive(Default)]
struct Books {
    pools: BTreeMap<Key<Pool>, Pool>,
    containers: BTreeMap<Key<Container>, Container>,
}

impl Books {
    fn pool(&mut self, array: &Array, key: Key<Pool>) -> &mut Pool {
        self.pools.entry(key).or_insert_with(|| array.pools[key].clone())
    }
    fn enter(&mut self, array: &Array, volume: &Volume, rewrite: &Rewrite) {
        match volume.home {
            Home::RaidGroups(_) => {}
            Home::Pool(key) => {
                let pool = self.pool(array, key);
                (pool.allocated, pool.savings) = space::pool_after(pool, volume, rewrite.layout(), rewrite.inflow());
            }
            Home::Container(key) => {
                let container = self.containers.entry(key).or_insert_with(|| array.containers[key].clone());
                let before = container.claims();
                container.enter(space::books_after(container, rewrite.turn(array, key, volume)));
                for (before, after) in before.into_iter().zip(container.claims()) {
                    let pool = self.pool(array, after.pool);
                    pool.allocated = pool.allocated + after.taken - before.taken;
                }
            }
        }
    }
}
