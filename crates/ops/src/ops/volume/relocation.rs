//! Volumes that go from one container to another, or are copied there: they serve at once where they go, and their data follows.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::create::identity;
use crate::model::{Array, Container, Home, Key, Noun, Object, OpError, Place, Policy, Relocation, Volume, placement, space};
use crate::ops::{Ctx, Operation, World, belonging, health_rules, room, rules};
use crate::units::{Bytes, SimSpan, SimTime};

/// Moves a volume to another container. It serves there at once, keeps its identifier, its number and its mappings, and takes all its
/// space there; what snapshots of the first container hold of it stays, as another volume.
///
/// Refused, in this order: unknown volume; it does not live in a container; a job works on it; it is not available; unknown container; the
/// one that it lives in; one of another tenant; invalid name; name taken there; no space there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = VolumeMove, examples(json!({"container": "vol2"})))]
pub struct Move {
    /// Which one.
    #[schema(ignore)]
    pub volume: String,
    /// Where it shall live.
    pub container: String,
    /// Its name there, if it gets another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl Operation for Move {
    const NAME: &'static str = "volume.move";
    const POLICY: Policy = Policy::StorageMigrationManagement;
    type Plan = (Key<Volume>, Key<Container>, String);
    type Output = Key<Volume>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Self::Plan, OpError> {
        let array = &world.array;
        let volume = array.find_volume(&self.volume, Place::Target)?;
        if volume.container().is_none() {
            return Err(super::home::unsupported("container", "moves of volumes outside containers into one"));
        }
        rules::volume_not_busy(world, volume)?;
        health_rules::volume_serves(array, volume)?;
        let container = target(array, volume, &self.container)?;
        let name = self.name.as_deref().unwrap_or_else(|| volume.name());
        rules::volume_name_is_valid(array, name, Some(container.raw()))?;
        rules::name_is_free(&array.volumes, name, Some(container.raw()), None)?;
        fits(array, volume, container)?;
        Ok((volume.key(), container, name.to_owned()))
    }

    fn apply((key, container, name): Self::Plan, world: &mut World, ctx: &Ctx) -> Key<Volume> {
        let array = &mut world.array;
        let relocation = relocation_of(array, key, false, ctx.now);
        leave(array, key);
        let (reduction, lineage) = (array.containers[container].reduction, fresh_lineage(array));
        array.volumes.rehome(key, name, |volume| {
            volume.home = Home::Container(container);
            volume.reduction = reduction;
            volume.lineage = lineage;
            volume.frozen = false;
            volume.relocation = relocation;
        });
        arrive(array, key);
        key
    }
}

/// The container that a volume shall go to: another one, of the same tenant.
pub(super) fn target(array: &Array, volume: &Volume, container: &str) -> Result<Key<Container>, OpError> {
    let target = array.containers.find(container, Place::field("container"))?;
    if volume.container() == Some(target.key()) {
        let (value, expected) = (target.name().to_owned(), "another container than the one it lives in".to_owned());
        return Err(OpError::ValueInvalid { noun: Noun::Volume, field: "container".into(), value, expected });
    }
    belonging::is_of(array, (Noun::Container, target.name()), target.tenant, volume.tenant)?;
    health_rules::container_serves(array, target.key())?;
    Ok(target.key())
}

/// The container must have room for all of the volume's data, and its pool for what that costs.
pub(super) fn fits(array: &Array, volume: &Volume, target: Key<Container>) -> Result<(), OpError> {
    let container = &array.containers[target];
    let savings = container.savings.with(volume.layout.written(), volume.reducibility);
    let after = Container { savings, reserved: container.reserved + volume.reservation(), ..container.clone() };
    if after.used() > after.size {
        return Err(OpError::ContainerFull { container: container.name().to_owned(), needed: after.used() - container.used(), free: container.free() });
    }
    room::pools_hold_container(array, container, &after)
}

/// Makes a second volume in another container, with all data anew.
pub(super) fn copy(array: &mut Array, origin: Key<Volume>, container: Key<Container>, name: String, now: SimTime) -> Key<Volume> {
    let relocation = relocation_of(array, origin, true, now);
    let (image, reduction, lineage) = (array.volumes[origin].clone(), array.containers[container].reduction, fresh_lineage(array));
    let (dialect, seeds, wwn) = (array.personality.dialect, array.identity, array.facts.wwn.clone());
    let key = array.volumes.insert(seeds, name, |head| {
        let (uid, serial_number) = identity(dialect, seeds, &wwn, &head);
        Volume {
            head: head.with_notes_of(image.head()),
            uid,
            serial_number,
            home: Home::Container(container),
            reduction,
            lineage,
            frozen: false,
            created: now,
            custom_uid: false,
            online: true,
            relocation,
            ..image
        }
    });
    arrive(array, key);
    key
}

fn relocation_of(array: &Array, key: Key<Volume>, copied: bool, now: SimTime) -> Option<Relocation> {
    let volume = &array.volumes[key];
    let container = volume.container()?;
    let ends = now + SimSpan::to_move(volume.layout.written(), array.personality.copy_rate);
    Some(Relocation { copied, container, source: (array.containers[container].name().to_owned(), volume.name().to_owned()), began: now, ends })
}

/// A lineage that nothing else has: those of volumes that were made are their keys, 32 bits.
fn fresh_lineage(array: &mut Array) -> u64 {
    array.generation += 1;
    (1 << 32) + array.generation
}

/// Takes a volume out of its container's books. Its images there become images of another volume that is gone.
fn leave(array: &mut Array, key: Key<Volume>) {
    let volume = array.volumes[key].clone();
    let Some(container) = volume.container() else { return };
    let before = space::holding(array, container, volume.lineage, space::Change::None);
    let after = space::holding(array, container, volume.lineage, space::Change::Gone(key));
    space::settle(array, container, space::Turn { before, after, added: Bytes::ZERO, ratio: crate::units::Ratio::ONE });
    placement::move_out(array, key);
    let concerned: Vec<_> = array.snapshots_of(container).filter(|snapshot| snapshot.images.iter().any(|image| image.key() == key)).map(Object::key).collect();
    if concerned.is_empty() {
        return;
    }
    let head = array.volumes.reserve(array.identity);
    let (uid, serial_number) = identity(array.personality.dialect, array.identity, &array.facts.wwn, &head);
    for snapshot in concerned {
        for image in array.snapshots.get_mut(snapshot).into_iter().flat_map(|snapshot| &mut snapshot.images).filter(|image| image.key() == key) {
            image.become_another(&head, (uid.clone(), serial_number.clone()));
        }
    }
}

/// Enters a volume into the books of the container that it lives in now.
fn arrive(array: &mut Array, key: Key<Volume>) {
    placement::move_in(array, key);
    let volume = array.volumes[key].clone();
    let Some(container) = volume.container() else { return };
    let after = space::holding(array, container, volume.lineage, space::Change::None);
    let turn = space::Turn { before: space::Holding::default(), after, added: volume.layout.written(), ratio: volume.reducibility };
    space::settle(array, container, turn);
}
