//! What views need to know of the whole array besides their object, looked up once a request.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;

use crate::engine::{Due, Job, Work};
use crate::model::{Container, CopySession, Key, Object, RaidGroup, Table, Volume};
use crate::ops::{AnyOperation, World};
use crate::units::SimTime;

/// A look at the world at one moment.
pub(super) struct Lens<'a> {
    world: &'a World,
    many: bool,
    shown: OnceCell<BTreeSet<Key<Volume>>>,
    at_work: OnceCell<AtWork<'a>>,
    copied: OnceCell<Copied>,
}

/// The volumes that take part in copy sessions.
#[derive(Default)]
struct Copied {
    from: BTreeSet<Key<Volume>>,
    to: BTreeSet<Key<Volume>>,
}

#[derive(Default)]
struct AtWork<'a> {
    volumes: BTreeMap<Key<Volume>, &'a Job<AnyOperation>>,
    containers: BTreeMap<Key<Container>, &'a Job<AnyOperation>>,
    sessions: BTreeMap<Key<CopySession>, &'a Job<AnyOperation>>,
}

impl<'a> Lens<'a> {
    /// For one object.
    pub(super) fn on_one(world: &'a World) -> Lens<'a> {
        Lens { world, many: false, shown: OnceCell::new(), at_work: OnceCell::new(), copied: OnceCell::new() }
    }
    /// For a list: what every object asks for is collected at the first question.
    pub(super) fn on_many(world: &'a World) -> Lens<'a> {
        Lens { many: true, ..Lens::on_one(world) }
    }
    /// The world, for longer than the lens.
    pub(super) const fn world(&self) -> &'a World {
        self.world
    }
    /// An instant as RFC 3339 text.
    pub(super) fn stamp(&self, time: SimTime) -> String {
        time.stamp(self.world.array.facts.epoch)
    }
    /// The name of an object.
    pub(super) fn name<T: Object>(table: &'a Table<T>, key: Key<T>) -> &'a str {
        table.get(key).map_or("", Object::name)
    }
    /// The names of objects.
    pub(super) fn names<T: Object>(table: &'a Table<T>, keys: impl IntoIterator<Item = Key<T>>) -> Vec<&'a str> {
        keys.into_iter().map(|key| Lens::name(table, key)).collect()
    }
    /// The names of the objects that `matches` says, in order of number.
    pub(super) fn names_where<T: Object>(table: &'a Table<T>, matches: impl Fn(&T) -> bool) -> Vec<&'a str> {
        table.iter().filter(|item| matches(item)).map(Object::name).collect()
    }
    /// The distinct RAID groups in which a volume has areas, in the order of its data.
    pub(super) fn raid_groups_of(volume: &Volume) -> Vec<Key<RaidGroup>> {
        let mut groups: Vec<Key<RaidGroup>> = Vec::new();
        for slice in volume.slices() {
            if !groups.contains(&slice.raid_group) {
                groups.push(slice.raid_group);
            }
        }
        groups
    }
    /// Whether an affinity or a mapping shows a volume to hosts.
    pub(super) fn is_shown(&self, volume: Key<Volume>) -> bool {
        if self.many { self.shown.get_or_init(|| self.all_shown().collect()).contains(&volume) } else { self.all_shown().any(|shown| shown == volume) }
    }
    fn all_shown(&self) -> impl Iterator<Item = Key<Volume>> {
        let array = &self.world.array;
        let by_affinity = array.affinities.iter().flat_map(|affinity| array.lun_groups[affinity.lun_group].luns.values().copied());
        by_affinity.chain(array.mappings.iter().map(|mapping| mapping.volume))
    }
    /// The job that works on a volume.
    pub(super) fn job_on_volume(&self, volume: Key<Volume>) -> Option<&'a Job<AnyOperation>> {
        self.at_work().volumes.get(&volume).copied()
    }
    /// The job that works on a container.
    pub(super) fn job_on_container(&self, container: Key<Container>) -> Option<&'a Job<AnyOperation>> {
        self.at_work().containers.get(&container).copied()
    }
    /// The job that works for a copy session.
    pub(super) fn job_for_session(&self, session: Key<CopySession>) -> Option<&'a Job<AnyOperation>> {
        self.at_work().sessions.get(&session).copied()
    }
    /// Whether a volume is copied.
    pub(super) fn is_copied(&self, volume: Key<Volume>) -> bool {
        self.copied().from.contains(&volume)
    }
    /// Whether a volume is copied to.
    pub(super) fn is_copied_to(&self, volume: Key<Volume>) -> bool {
        self.copied().to.contains(&volume)
    }
    fn copied(&self) -> &Copied {
        self.copied.get_or_init(|| {
            let mut found = Copied::default();
            for session in self.world.array.copy_sessions.iter() {
                found.from.insert(session.source);
                found.to.insert(session.destination);
            }
            found
        })
    }
    fn at_work(&self) -> &AtWork<'a> {
        self.at_work.get_or_init(|| {
            let mut found = AtWork::default();
            for entry in self.world.agenda.iter() {
                let Due::JobEnds(job) = entry.due else { continue };
                let Some(job) = self.world.jobs.get(Key::from_raw(job)) else { continue };
                match job.work {
                    Work::Format(volume) | Work::Migrate(volume) => drop(found.volumes.insert(volume, job)),
                    Work::Split(container) => drop(found.containers.insert(container, job)),
                    Work::Copy(session) => drop(found.sessions.insert(session, job)),
                    Work::Operation(_) => {}
                }
            }
            found
        })
    }
}

impl Deref for Lens<'_> {
    type Target = World;
    fn deref(&self) -> &World {
        self.world
    }
}
