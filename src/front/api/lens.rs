//! What views need to know of the whole array besides their object, looked up once a request.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;

use crate::engine::{Due, Job, Work};
use crate::model::{Container, Key, Object, RaidGroup, Table, Volume};
use crate::ops::{AnyOperation, World};
use crate::units::SimTime;

/// A look at the world at one moment.
pub(super) struct Lens<'a> {
    world: &'a World,
    many: bool,
    shown: OnceCell<BTreeSet<Key<Volume>>>,
    at_work: OnceCell<AtWork<'a>>,
}

#[derive(Default)]
struct AtWork<'a> {
    volumes: BTreeMap<Key<Volume>, &'a Job<AnyOperation>>,
    containers: BTreeMap<Key<Container>, &'a Job<AnyOperation>>,
}

impl<'a> Lens<'a> {
    /// For one object.
    pub(super) fn on_one(world: &'a World) -> Lens<'a> {
        Lens { world, many: false, shown: OnceCell::new(), at_work: OnceCell::new() }
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
        let mut by_affinity = self.shown_by_affinity();
        self.world.array.mappings_of(volume).next().is_some()
            || if self.many { self.shown.get_or_init(|| by_affinity.collect()).contains(&volume) } else { by_affinity.any(|shown| shown == volume) }
    }
    fn shown_by_affinity(&self) -> impl Iterator<Item = Key<Volume>> {
        let array = &self.world.array;
        array.affinities.iter().flat_map(|affinity| array.lun_groups[affinity.lun_group].luns.values().copied())
    }
    /// The job that works on a volume.
    pub(super) fn job_on_volume(&self, volume: Key<Volume>) -> Option<&'a Job<AnyOperation>> {
        self.at_work().volumes.get(&volume).copied()
    }
    /// The job that works on a container.
    pub(super) fn job_on_container(&self, container: Key<Container>) -> Option<&'a Job<AnyOperation>> {
        self.at_work().containers.get(&container).copied()
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
                    Work::Boot(_) | Work::TakeOver(_) | Work::GiveBack(_) | Work::Charge(_) | Work::Operation(_) => {}
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
