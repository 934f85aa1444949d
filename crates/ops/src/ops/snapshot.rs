//! Snapshots of containers: take, change, delete, restore.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Ctx, Operation, World, health_rules, room, rules, volume};
use crate::model::{Array, Container, Feature, Home, Key, Noun, Object, OpError, Place, Policy, Snapshot, Volume, space};
use crate::units::{Bytes, Ratio, SimTime};

/// Takes a snapshot: the container and its volumes as they are. It takes no space until something is overwritten.
///
/// Refused, in this order: unknown container; its pool is broken; invalid name; name taken in the container; comment too long; too many
/// snapshots.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SnapshotCreate, examples(json!({"container": "vol1", "name": "before_upgrade"})))]
pub struct Create {
    /// What to take a snapshot of.
    pub container: String,
    /// Its name.
    pub name: String,
    /// Free text, up to 255 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
}

impl Operation for Create {
    const NAME: &'static str = "snapshot.create";
    const POLICY: Policy = Policy::CopySessionManagement;
    type Plan = (Key<Container>, Create);
    type Output = Key<Snapshot>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Self::Plan, OpError> {
        let array = &world.array;
        let container = array.containers.find(&self.container, Place::field("container"))?;
        let key = container.key();
        health_rules::container_serves(array, key)?;
        name_is_good(array, &self.name, key, None)?;
        comment_is_good(self.comment.as_deref())?;
        rules::count_within(
            Noun::Snapshot,
            array.snapshots_of(key).count() + 1,
            array.personality.limits.snapshots_per_container,
            &format!("the container '{}'", container.name()),
        )?;
        Ok((key, self.clone()))
    }

    fn apply((container, request): Self::Plan, world: &mut World, ctx: &Ctx) -> Key<Snapshot> {
        let array = &mut world.array;
        for key in array.containers[container].volumes.clone() {
            if let Some(volume) = array.volumes.get_mut(key) {
                volume.frozen = true;
            }
        }
        let images: Vec<Volume> = array.volumes_in(container).cloned().map(|image| Volume { formatting: false, ..image }).collect();
        let comment = request.comment.unwrap_or_default();
        array.snapshots.insert(array.identity, request.name, |head| Snapshot { head, container, created: ctx.now, comment, images })
    }
}

fn name_is_good(array: &Array, name: &str, container: Key<Container>, own: Option<Key<Snapshot>>) -> Result<(), OpError> {
    rules::name_is_valid(Noun::Snapshot, name, &array.personality.volume_name)?;
    rules::name_is_free(&array.snapshots, name, Some(container.raw()), own)
}

fn comment_is_good(comment: Option<&str>) -> Result<(), OpError> {
    rules::text_is_short(Noun::Snapshot, "comment", comment, 255)
}

/// Changes a snapshot's name or comment.
///
/// Refused, in this order: unknown snapshot; invalid name; name taken in the container; comment too long.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SnapshotUpdate, examples(json!({"name": "kept"})))]
pub struct Update {
    /// Which one.
    #[schema(ignore)]
    pub snapshot: String,
    /// Its new name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its new comment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
}

impl Operation for Update {
    const NAME: &'static str = "snapshot.update";
    const POLICY: Policy = Policy::CopySessionManagement;
    type Plan = (Key<Snapshot>, Update);
    type Output = Key<Snapshot>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Self::Plan, OpError> {
        let array = &world.array;
        let snapshot = array.find_snapshot(&self.snapshot, Place::Target)?;
        if let Some(name) = &self.name {
            name_is_good(array, name, snapshot.container, Some(snapshot.key()))?;
        }
        comment_is_good(self.comment.as_deref())?;
        Ok((snapshot.key(), self.clone()))
    }

    fn apply((key, change): Self::Plan, world: &mut World, _: &Ctx) -> Key<Snapshot> {
        if let Some(name) = change.name {
            world.array.snapshots.rename(key, name);
        }
        if let (Some(snapshot), Some(comment)) = (world.array.snapshots.get_mut(key), change.comment) {
            snapshot.comment = comment;
        }
        key
    }
}

/// Deletes a snapshot; blocks that nothing else holds become free.
///
/// Refused, in this order: unknown snapshot; a clone shares its blocks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SnapshotDelete)]
pub struct Delete {
    /// Which one.
    pub snapshot: String,
}

impl Operation for Delete {
    const NAME: &'static str = "snapshot.delete";
    const POLICY: Policy = Policy::CopySessionManagement;
    type Plan = Key<Snapshot>;
    type Output = ();

    fn check(&self, world: &World, _: &Ctx) -> Result<Key<Snapshot>, OpError> {
        let snapshot = world.array.find_snapshot(&self.snapshot, Place::Target)?;
        no_clones(&world.array, snapshot)?;
        Ok(snapshot.key())
    }

    fn apply(key: Key<Snapshot>, world: &mut World, _: &Ctx) {
        let array = &mut world.array;
        let container = array.snapshots[key].container;
        let before = space::container_holding(array, container);
        array.snapshots.remove(key);
        resettle(array, container, before);
    }
}

/// No clone must share the snapshot's blocks.
pub(super) fn no_clones(array: &Array, snapshot: &Snapshot) -> Result<(), OpError> {
    match array.containers.iter().find(|container| container.clone.is_some_and(|clone| clone.snapshot == snapshot.key())) {
        Some(clone) => Err(OpError::InUse { noun: Noun::Snapshot, name: snapshot.name().to_owned(), by: Noun::Container, by_name: clone.name().to_owned() }),
        None => Ok(()),
    }
}

/// Enters what a container's holders let go into the books.
fn resettle(array: &mut Array, container: Key<Container>, before: space::Holding) {
    let after = space::container_holding(array, container);
    space::settle(array, container, space::Turn { before, after, added: Bytes::ZERO, ratio: Ratio::ONE });
}

/// Takes a container back to a snapshot: its volumes are again what they were; volumes made since go, deleted ones come back, mappings
/// of the others stay. Later snapshots are dropped.
///
/// Refused, in this order: unknown snapshot; a licence is missing; its pool is broken; a clone shares blocks with a later snapshot; a job works on a volume of the container; a
/// volume that would go is mapped or in use; a job works on the container; too many volumes; the container has no space for what thick
/// volumes of then keep.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SnapshotRestore)]
pub struct Restore {
    /// Which one.
    #[schema(ignore)]
    pub snapshot: String,
}

impl Operation for Restore {
    const NAME: &'static str = "snapshot.restore";
    const POLICY: Policy = Policy::CopySessionManagement;
    type Plan = Key<Snapshot>;
    type Output = Key<Container>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Key<Snapshot>, OpError> {
        let array = &world.array;
        let snapshot = array.find_snapshot(&self.snapshot, Place::Target)?;
        let (key, container) = (snapshot.key(), snapshot.container);
        rules::is_licensed(array, Feature::Restore, "taking a container back to a snapshot")?;
        health_rules::container_serves(array, container)?;
        for later in array.snapshots_of(container).filter(|other| other.key() > key) {
            no_clones(array, later)?;
        }
        array.volumes_in(container).try_for_each(|live| rules::volume_not_busy(world, live))?;
        let going = || array.volumes_in(container).filter(|live| !snapshot.images.iter().any(|image| image.key() == live.key()));
        going().try_for_each(|live| volume::can_go(world, live))?;
        rules::container_not_busy(world, &array.containers[container])?;
        let returning = snapshot.images.iter().filter(|image| !array.volumes.contains(image.key())).count();
        let volumes = array.volumes.len() + returning - going().count();
        rules::count_within(Noun::Volume, volumes, array.personality.limits.volumes, "the array")?;
        fits_after_restore(array, snapshot)?;
        Ok(key)
    }

    fn apply(key: Key<Snapshot>, world: &mut World, _: &Ctx) -> Key<Container> {
        restore(&mut world.array, key)
    }
}

/// The container must hold its books after the restore, which are found by doing it on a copy.
fn fits_after_restore(array: &Array, snapshot: &Snapshot) -> Result<(), OpError> {
    let mut after = array.clone();
    restore(&mut after, snapshot.key());
    let (container, before) = (&after.containers[snapshot.container], &array.containers[snapshot.container]);
    if container.used() > container.size && container.used() > before.used() {
        let needed = container.used() - before.used();
        return Err(OpError::ContainerFull { container: before.name().to_owned(), needed, free: before.free() });
    }
    let pool = &after.pools[container.pool];
    room::pool_holds(&array.pools[container.pool], pool.allocated, pool.savings)
}

fn restore(array: &mut Array, key: Key<Snapshot>) -> Key<Container> {
    let snapshot = array.snapshots[key].clone();
    let container = snapshot.container;
    let before = space::container_holding(array, container);
    let later: Vec<Key<Snapshot>> = array.snapshots_of(container).map(Object::key).filter(|other| *other > key).collect();
    for gone in later {
        array.snapshots.remove(gone);
    }
    let live: BTreeMap<Key<Volume>, u32> = array.volumes_in(container).map(|volume| (volume.key(), volume.number())).collect();
    for gone in live.keys() {
        array.volumes.remove(*gone);
    }
    let (staying, returning): (Vec<Volume>, Vec<Volume>) = snapshot.images.into_iter().partition(|image| live.contains_key(&image.key()));
    for image in staying.into_iter().chain(returning) {
        let number = live.get(&image.key()).copied();
        array.volumes.reinsert(image, number);
    }
    let inside: BTreeSet<Key<Volume>> = array.volumes.iter().filter(|volume| volume.container() == Some(container)).map(Object::key).collect();
    let reserved = inside.iter().map(|key| array.volumes[*key].reservation()).sum();
    if let Some(container) = array.containers.get_mut(container) {
        container.volumes = inside;
        container.reserved = reserved;
    }
    resettle(array, container, before);
    container
}

/// A new volume that has an image's data, in another container.
pub(super) fn copy_of(array: &mut Array, image: Volume, container: Key<Container>, now: SimTime) -> Key<Volume> {
    let (dialect, seeds, wwn) = (array.personality.dialect, array.identity, array.facts.wwn.clone());
    let name = image.name().to_owned();
    array.volumes.insert(seeds, name, |head| {
        let (uid, serial_number) = volume::identity(dialect, seeds, &wwn, &head);
        Volume {
            head: head.with_notes_of(image.head()),
            uid,
            serial_number,
            home: Home::Container(container),
            created: now,
            frozen: true,
            custom_uid: false,
            online: true,
            relocation: None,
            ..image
        }
    })
}
