//! Cloning a volume: inside its container by sharing blocks, elsewhere by a copy session.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::create::{CreatePlan, identity};
use super::{Create, Made, relocation};
use crate::model::{
    Array, Container, CopyKind, CopyPriority, Feature, Key, Noun, Object, OpError, Place, Policy, Pool, Reduction, Volume, copying, placement, space,
};
use crate::ops::copy_session::{self, Beginning, admission};
use crate::ops::{Ctx, Operation, World, belonging, health_rules, room, rules};
use crate::units::Bytes;

/// Makes a second volume of a first. In a container it shares all written blocks with the first, or with what the first was in a snapshot;
/// in another container it gets all its data anew. Elsewhere it is a thin volume in a pool that
/// is copied to in the background, and can be used at once; with `data_tracking` the session goes on afterwards, so that a restart copies
/// only what differs. It has the first one's data reduction if the pool has the same, otherwise none.
///
/// Refused, in this order: unknown volume; in a container: pool or tracking; unknown container, or one of another tenant; unknown snapshot, or one without the volume; a snapshot and another container; a licence is missing; a job works on it; it is not available; invalid name; name taken; too many volumes; the tenant would have too many; the
/// container has no space for what a thick clone keeps. Elsewhere: an array without copy sessions, or without the licence; a kind of volume that cannot be copied; no
/// pool; a job works on it; it is not available; too many copies in a row; what refuses a new volume in the pool; too many sessions; copy capacity; no space.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = VolumeClone, examples(json!({"name": "Copy", "pool": "P0"})))]
pub struct Clone {
    /// Which one.
    #[schema(ignore)]
    pub volume: String,
    /// The clone's name.
    pub name: String,
    /// The pool that it shall live in; in a container it lives where the first does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pool: Option<String>,
    /// Whether the session goes on after the copy and keeps track of what differs; true if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data_tracking: Option<bool>,
    /// In a container: the snapshot, by id or name, that has the volume as it shall come back. The volume itself may be gone; it is then given by
    /// id, or by the name that it had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<String>,
    /// Of a volume in a container: another container that shall hold the second volume.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub container: Option<String>,
}

/// What [`Clone`] found out.
#[derive(Debug)]
pub enum ClonePlan {
    /// It shares blocks with that volume.
    Shared(Key<Volume>, String),
    /// It shares blocks with that image of a volume.
    Revived(Box<Volume>, String),
    /// It has all its data anew, in that container.
    Relocated(Key<Volume>, Key<Container>, String),
    /// It is copied to.
    Copied(Box<CreatePlan>, CopyKind, Key<Volume>),
}

impl Operation for Clone {
    const NAME: &'static str = "volume.clone";
    const POLICY: Policy = Policy::CopySessionManagement;
    type Plan = ClonePlan;
    type Output = Key<Volume>;

    fn check(&self, world: &World, ctx: &Ctx) -> Result<ClonePlan, OpError> {
        if let Some(snapshot) = &self.snapshot {
            return self.can_be_revived(world, snapshot);
        }
        let volume = world.array.find_volume(&self.volume, Place::Target)?;
        match (volume.container(), &self.container) {
            (Some(_), Some(container)) => {
                self.stays_in_its_container()?;
                self.can_be_relocated(world, volume, container)
            }
            (Some(container), None) => {
                self.stays_in_its_container()?;
                self.can_share(world, volume, container)
            }
            (None, Some(_)) => Err(super::home::unsupported("container", "copies of volumes outside containers into one")),
            (None, None) => self.can_be_copied(world, volume, ctx),
        }
    }

    fn apply(plan: ClonePlan, world: &mut World, ctx: &Ctx) -> Key<Volume> {
        match plan {
            ClonePlan::Shared(origin, name) => {
                if let Some(volume) = world.array.volumes.get_mut(origin) {
                    volume.frozen = true;
                }
                let image = world.array.volumes[origin].clone();
                share(&mut world.array, image, name, ctx)
            }
            ClonePlan::Revived(image, name) => share(&mut world.array, *image, name, ctx),
            ClonePlan::Relocated(origin, container, name) => relocation::copy(&mut world.array, origin, container, name, ctx.now),
            ClonePlan::Copied(plan, kind, source) => {
                let notes = world.array.volumes.get(source).and_then(Object::notes).cloned().unwrap_or_default();
                let clone = make_and_begin(*plan, kind, source, world, ctx);
                world.array.volumes.annotate(clone, &notes);
                clone
            }
        }
    }
}

impl Clone {
    fn stays_in_its_container(&self) -> Result<(), OpError> {
        let field = if self.pool.is_some() { "pool" } else { "data_tracking" };
        let refused = self.pool.is_some() || self.data_tracking.is_some();
        if refused { Err(super::home::unsupported(field, "copies of volumes in containers to elsewhere")) } else { Ok(()) }
    }

    fn can_share(&self, world: &World, volume: &Volume, container: Key<Container>) -> Result<ClonePlan, OpError> {
        self.shares(world, volume, container)?;
        Ok(ClonePlan::Shared(volume.key(), self.name.clone()))
    }

    fn shares(&self, world: &World, volume: &Volume, container: Key<Container>) -> Result<(), OpError> {
        let array = &world.array;
        rules::is_licensed(array, Feature::Clones, "a clone")?;
        rules::volume_not_busy(world, volume)?;
        health_rules::volume_serves(array, volume)?;
        self.can_be_new(array, volume, container)?;
        room::container_has(&array.containers[container], volume.reservation())
    }

    fn can_be_new(&self, array: &Array, volume: &Volume, container: Key<Container>) -> Result<(), OpError> {
        rules::volume_name_is_valid(array, &self.name, Some(container.raw()))?;
        rules::name_is_free(&array.volumes, &self.name, Some(container.raw()), None)?;
        rules::within_limit(&array.volumes, 1, array.personality.limits.volumes)?;
        belonging::has_room(array, volume.tenant, 1, Bytes::ZERO)
    }

    fn can_be_revived(&self, world: &World, snapshot: &str) -> Result<ClonePlan, OpError> {
        self.stays_in_its_container()?;
        if self.container.is_some() {
            let fields = vec!["snapshot".into(), "container".into()];
            return Err(OpError::Conflicting { noun: Noun::Volume, fields, because: "what comes from a snapshot stays in its container".into() });
        }
        let snapshot = world.array.find_snapshot(snapshot, Place::field("snapshot"))?;
        let is_it = |image: &&Volume| image.id().to_string() == self.volume || image.name() == self.volume;
        let unknown = || OpError::NotFound { noun: Noun::Volume, reference: self.volume.clone(), place: Place::Target };
        let image = snapshot.images.iter().find(is_it).ok_or_else(unknown)?;
        self.shares(world, image, snapshot.container)?;
        Ok(ClonePlan::Revived(Box::new(image.clone()), self.name.clone()))
    }

    fn can_be_relocated(&self, world: &World, volume: &Volume, container: &str) -> Result<ClonePlan, OpError> {
        let array = &world.array;
        let target = relocation::target(array, volume, container)?;
        rules::volume_not_busy(world, volume)?;
        health_rules::volume_serves(array, volume)?;
        self.can_be_new(array, volume, target)?;
        relocation::fits(array, volume, target)?;
        Ok(ClonePlan::Relocated(volume.key(), target, self.name.clone()))
    }

    fn can_be_copied(&self, world: &World, source: &Volume, ctx: &Ctx) -> Result<ClonePlan, OpError> {
        let array = &world.array;
        let kind = if self.data_tracking == Some(false) { CopyKind::Opc } else { CopyKind::QuickOpc };
        let rule = admission::kind_is_offered(array, kind)?;
        admission::source_is_data(source, "volume")?;
        let Some(pool) = &self.pool else {
            return Err(OpError::Missing { noun: Noun::Volume, field: "pool".into(), because: "the clone is a new volume in a pool".into() });
        };
        rules::volume_not_busy(world, source)?;
        health_rules::volume_serves(array, source)?;
        admission::cascade_is_short(array, (source.key(), None), None)?;
        let offered = array.pools.find(pool, Place::field("pool"))?;
        let reduction = if offered.reduction == source.reduction { source.reduction } else { Reduction::NONE };
        let request = Create {
            name: self.name.clone(),
            size: source.size,
            pool: Some(pool.clone()),
            deduplication: Some(reduction.deduplication),
            compression: Some(reduction.compression),
            reducibility: Some(source.reducibility),
            tenant: source.tenant.and_then(|tenant| array.tenants.get(tenant)).map(|tenant| tenant.name().to_owned()),
            ..Create::default()
        };
        let plan = request.check(world, ctx)?;
        admission::within_limits(array, rule, source, kind)?;
        pool_has_room(array, source, offered, reduction)?;
        Ok(ClonePlan::Copied(Box::new(plan), kind, source.key()))
    }
}

/// The pool must have room for all that is written in the source.
fn pool_has_room(array: &Array, source: &Volume, pool: &Pool, reduction: Reduction) -> Result<(), OpError> {
    let written = copying::content(array, source).written();
    let shared = source.pool() == Some(pool.key()) && reduction.deduplication;
    let savings = match (reduction.is_on(), shared) {
        (false, _) => pool.savings,
        (true, true) => pool.savings.sharing(written),
        (true, false) => pool.savings.with(written, source.reducibility),
    };
    let thin = crate::model::Allocation::Thin;
    pool.holds(pool.allocated + space::allocation_of(pool, reduction.is_on(), thin, source.size, written), savings)
}

/// Makes the destination and begins the session.
pub(super) fn make_and_begin(plan: CreatePlan, kind: CopyKind, source: Key<Volume>, world: &mut World, ctx: &Ctx) -> Key<Volume> {
    let destination = match Create::apply(plan, world, ctx) {
        Made::One(key) => key,
        Made::Many(keys) => keys.first().copied().unwrap_or(source),
    };
    copy_session::begin(Beginning { name: None, kind, source, destination, priority: CopyPriority::default() }, world, ctx);
    destination
}

fn share(array: &mut Array, image: Volume, name: String, ctx: &Ctx) -> Key<Volume> {
    let (dialect, seeds, wwn) = (array.personality.dialect, array.identity, array.facts.wwn.clone());
    let key = array.volumes.insert(seeds, name, |head| {
        let (uid, serial_number) = identity(dialect, seeds, &wwn, &head);
        Volume {
            head: head.with_notes_of(&image.head),
            uid,
            serial_number,
            created: ctx.now,
            frozen: true,
            custom_uid: false,
            formatting: false,
            online: true,
            relocation: None,
            ..image
        }
    });
    placement::move_in(array, key);
    key
}
