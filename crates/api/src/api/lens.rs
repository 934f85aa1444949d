//! What views need to know of the whole array besides their object, looked up once a request.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;

use crate::engine::{Due, Job, Work};
use crate::model::{Container, CopySession, Drive, GroupStatus, Key, Object, RaidGroup, Standing, Table, Volume};
use crate::ops::{AnyOperation, World};
use crate::units::SimTime;

/// A look at the world at one moment.
pub(super) struct Lens<'a> {
    world: &'a World,
    many: bool,
    shown: OnceCell<BTreeSet<Key<Volume>>>,
    at_work: OnceCell<AtWork<'a>>,
    standing: OnceCell<BTreeMap<Key<RaidGroup>, GroupStatus>>,
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
    raid_groups: BTreeMap<Key<RaidGroup>, &'a Job<AnyOperation>>,
    drives: BTreeMap<Key<Drive>, &'a Job<AnyOperation>>,
    sessions: BTreeMap<Key<CopySession>, &'a Job<AnyOperation>>,
}

impl<'a> Lens<'a> {
    /// For one object.
    pub(super) fn on_one(world: &'a World) -> Lens<'a> {
        let (shown, at_work, standing, copied) = (OnceCell::new(), OnceCell::new(), OnceCell::new(), OnceCell::new());
        Lens { world, many: false, shown, at_work, standing, copied }
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
    /// The job that works on a RAID group; of several, the one that ends first.
    pub(super) fn job_on_raid_group(&self, group: Key<RaidGroup>) -> Option<&'a Job<AnyOperation>> {
        self.at_work().raid_groups.get(&group).copied()
    }
    /// The job that writes a drive.
    pub(super) fn job_on_drive(&self, drive: Key<Drive>) -> Option<&'a Job<AnyOperation>> {
        self.at_work().drives.get(&drive).copied()
    }
    /// How a RAID group stands.
    pub(super) fn status_of(&self, group: &RaidGroup) -> GroupStatus {
        if !self.many {
            return Standing::of(&self.world.array, group).status();
        }
        let all = || self.world.array.raid_groups.iter().map(|group| (group.key(), Standing::of(&self.world.array, group).status())).collect();
        self.standing.get_or_init(all).get(&group.key()).copied().unwrap_or_default()
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
                    Work::Split(container) | Work::MigrateContainer(container, _) => drop(found.containers.insert(container, job)),
                    Work::Restore(restoration) => {
                        found.raid_groups.entry(restoration.raid_group).or_insert(job);
                        found.drives.insert(restoration.target, job);
                    }
                    Work::Expand(group) | Work::MoveOwner(group) => drop(found.raid_groups.insert(group, job)),
                    Work::Firmware(_)
                    | Work::Boot(_)
                    | Work::TakeOver(_)
                    | Work::GiveBack(_)
                    | Work::Charge(_)
                    | Work::Balance(_)
                    | Work::Operation(_)
                    | Work::Request(_) => {}
                    Work::Copy(session) => drop(found.sessions.insert(session, job)),
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
