//! Containers: create, change, delete, clone from a snapshot, make a clone independent.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{AnyOperation, Ctx, Operation, World, belonging, health_rules, room, rules, volume};
use crate::engine::{Job, NewJob, Work};
use crate::model::{
    Array, Container, ContainerClone, ContainerState, Feature, Guarantee, Key, Noun, Object, OpError, Place, Policy, Pool, QosPolicy, Reduction,
    ReductionDomain, Savings, Severity, Snapshot, Tenant, UsedStatus, Volume, placement, space,
};
use crate::units::{Bytes, SimSpan};

/// Creates a container in a pool.
///
/// Refused, in this order: an array without containers; unknown pool, tenant or QoS policy; no tenant where the array wants one; the pool is broken; invalid name;
/// name taken; size out of range; data reduction that the array's containers do not offer, or that is switched off; a pool or a QoS policy of
/// another tenant; too many containers; the tenant would have too much; too much promised; no space for a thick one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ContainerCreate, examples(json!({"name": "vol1", "pool": "aggr1", "size": "3TB", "deduplication": true, "compression": true})))]
pub struct Create {
    /// Its name.
    pub name: String,
    /// The pool that it shall live in.
    pub pool: String,
    /// The most that its volumes and snapshots may take, rounded up to the array's unit.
    pub size: Bytes,
    /// Whether the pool keeps its whole size for it; `thick` if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guarantee: Option<Guarantee>,
    /// Whether its volumes are deduplicated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deduplication: Option<bool>,
    /// Whether its volumes are compressed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compression: Option<bool>,
    /// Whose it is, with all volumes in it; of the array itself if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
    /// The QoS policy that limits its volumes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub qos_policy: Option<String>,
}

/// What [`Create`] found out.
#[derive(Debug)]
pub struct CreatePlan {
    name: String,
    pool: Key<Pool>,
    size: Bytes,
    guarantee: Guarantee,
    reduction: Reduction,
    tenant: Option<Key<Tenant>>,
    qos_policy: Option<Key<QosPolicy>>,
}

impl Operation for Create {
    const NAME: &'static str = "container.create";
    const POLICY: Policy = Policy::VolumeCreateModify;
    type Plan = CreatePlan;
    type Output = Key<Container>;

    fn check(&self, world: &World, _: &Ctx) -> Result<CreatePlan, OpError> {
        let (array, rule) = (&world.array, &world.array.personality);
        if rule.container_size_min.is_none() {
            return Err(OpError::NotSupported { noun: Noun::Container, field: "pool".into(), what: "containers".into() });
        }
        let pool = array.pools.find(&self.pool, Place::field("pool"))?;
        let tenant = belonging::of_new(array, Noun::Container, self.tenant.as_deref())?;
        let qos_policy = belonging::qos_policy(array, self.qos_policy.as_deref())?.flatten();
        health_rules::pool_serves(array, pool)?;
        rules::name_is_valid(Noun::Container, &self.name, &rule.volume_name)?;
        rules::name_is_free_for(array, &array.containers, &self.name, tenant, None)?;
        let size = size_is_allowed(array, self.size)?;
        let reduction = Reduction { deduplication: self.deduplication.unwrap_or(false), compression: self.compression.unwrap_or(false) };
        room::reduction_is_offered(array, reduction, ReductionDomain::Container, Noun::Container)?;
        belonging::pool_is_open(array, pool, tenant)?;
        belonging::policy_is_open(array, qos_policy, tenant)?;
        rules::within_limit(&array.containers, 1, rule.limits.containers)?;
        belonging::has_room(array, tenant, 0, size)?;
        room::pool_may_promise(pool, size)?;
        let guarantee = self.guarantee.unwrap_or(Guarantee::Thick);
        room::pool_has(pool, if guarantee == Guarantee::Thick { size } else { Bytes::ZERO })?;
        Ok(CreatePlan { name: self.name.clone(), pool: pool.key(), size, guarantee, reduction, tenant, qos_policy })
    }

    fn apply(plan: CreatePlan, world: &mut World, ctx: &Ctx) -> Key<Container> {
        let CreatePlan { name, pool, size, guarantee, reduction, tenant, qos_policy } = plan;
        insert(&mut world.array, name, |blank| Container { pool, size, guarantee, reduction, created: ctx.now, tenant, qos_policy, ..blank })
    }
}

/// Inserts a container that `make` completes, and enters it into its pool's books.
fn insert(array: &mut Array, name: String, make: impl FnOnce(Container) -> Container) -> Key<Container> {
    let key = array.containers.insert(array.identity, name, |head| {
        make(Container {
            head,
            pool: Key::from_raw(0),
            size: Bytes::ZERO,
            guarantee: Guarantee::Thin,
            reduction: Reduction::NONE,
            savings: Savings::default(),
            reserved: Bytes::ZERO,
            volumes: std::collections::BTreeSet::new(),
            clone: None,
            created: crate::units::SimTime::START,
            tenant: None,
            qos_policy: None,
            state: ContainerState::Online,
            migration: None,
            reported: UsedStatus::Normal,
        })
    });
    let claims = array.containers[key].claims();
    space::claim(array, &claims);
    key
}

/// The size, rounded up to the array's unit, must lie in the array's range.
fn size_is_allowed(array: &Array, size: Bytes) -> Result<Bytes, OpError> {
    let rule = &array.personality;
    let (least, most) = (rule.container_size_min.unwrap_or_default(), rule.container_size_max);
    let rounded = size.round_up(rule.size_unit);
    if (least..=most).contains(&rounded) {
        return Ok(rounded);
    }
    Err(OpError::OutOfRange { noun: Noun::Container, field: "size".into(), value: size.to_string(), least: least.to_string(), most: most.to_string() })
}

/// Changes a container; what is left out stays. It may become smaller, down to what is used. Data reduction counts for what is written
/// from then on. While it is offline or restricted, hosts do not reach the volumes in it; mappings stay.
///
/// Refused, in this order: unknown container or QoS policy; invalid name; name taken; a job works on what shall not be online any more; another
/// size of what is not online; size out of range or below what is used; data reduction
/// that the array does not offer, or that is switched off; a QoS policy of another tenant; the tenant would have too much; too much promised;
/// no space in the pool.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ContainerUpdate, examples(json!({"size": "4TB"})))]
pub struct Update {
    /// Which one.
    #[schema(ignore)]
    pub container: String,
    /// Its new name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its new size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<Bytes>,
    /// Whether the pool keeps its whole size for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guarantee: Option<Guarantee>,
    /// Whether its volumes are deduplicated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deduplication: Option<bool>,
    /// Whether its volumes are compressed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compression: Option<bool>,
    /// The QoS policy that limits its volumes; empty for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub qos_policy: Option<String>,
    /// Whether its volumes are served.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<ContainerState>,
}

/// What [`Update`] found out.
#[derive(Debug)]
pub struct UpdatePlan {
    key: Key<Container>,
    name: Option<String>,
    size: Bytes,
    guarantee: Guarantee,
    reduction: Reduction,
    qos_policy: Option<Key<QosPolicy>>,
    state: ContainerState,
}

impl Operation for Update {
    const NAME: &'static str = "container.update";
    const POLICY: Policy = Policy::VolumeCreateModify;
    type Plan = UpdatePlan;
    type Output = Key<Container>;

    fn check(&self, world: &World, _: &Ctx) -> Result<UpdatePlan, OpError> {
        let array = &world.array;
        let container = array.containers.find(&self.container, Place::Target)?;
        let qos_policy = belonging::qos_policy(array, self.qos_policy.as_deref())?.unwrap_or(container.qos_policy);
        if let Some(name) = &self.name {
            rules::name_is_valid(Noun::Container, name, &array.personality.volume_name)?;
            rules::name_is_free_for(array, &array.containers, name, container.tenant, Some(container.key()))?;
        }
        let state = self.state.unwrap_or(container.state);
        if !state.is_online() {
            rules::container_not_busy(world, container)?;
        }
        self.size.map_or(Ok(()), |_| health_rules::is_online(Noun::Container, container.name(), state))?;
        let size = self.size.map_or(Ok(container.size), |size| size_is_allowed(array, size))?;
        if size < container.used() {
            let (least, most) = (container.used().to_string(), array.personality.container_size_max.to_string());
            return Err(OpError::OutOfRange { noun: Noun::Container, field: "size".into(), value: size.to_string(), least, most });
        }
        let reduction = Reduction {
            deduplication: self.deduplication.unwrap_or(container.reduction.deduplication),
            compression: self.compression.unwrap_or(container.reduction.compression),
        };
        if reduction != container.reduction {
            room::reduction_is_offered(array, reduction, ReductionDomain::Container, Noun::Container)?;
        }
        belonging::policy_is_open(array, qos_policy, container.tenant)?;
        if size > container.size {
            belonging::has_room(array, container.tenant, 0, size - container.size)?;
        }
        let guarantee = self.guarantee.unwrap_or(container.guarantee);
        let after = Container { size, guarantee, ..container.clone() };
        room::pools_may_promise(array, container, &after)?;
        room::pools_hold_container(array, container, &after)?;
        Ok(UpdatePlan { key: container.key(), name: self.name.clone(), size, guarantee, reduction, qos_policy, state })
    }

    fn apply(plan: UpdatePlan, world: &mut World, ctx: &Ctx) -> Key<Container> {
        let array = &mut world.array;
        if let Some(name) = plan.name {
            array.containers.rename(plan.key, name);
        }
        space::change(array, plan.key, |container| {
            (container.size, container.guarantee) = (plan.size, plan.guarantee);
            (container.reduction, container.qos_policy) = (plan.reduction, plan.qos_policy);
        });
        turn(array, plan.key, plan.state, ctx);
        plan.key
    }
}

/// Gives a container another state, and tells of it.
fn turn(array: &mut Array, key: Key<Container>, state: ContainerState, ctx: &Ctx) {
    let Some(container) = array.containers.get_mut(key).filter(|container| container.state != state) else { return };
    container.state = state;
    let (name, severity) = (container.name().to_owned(), if state.is_online() { Severity::Information } else { Severity::Warning });
    let code = format!("container_{}", state.name());
    array.events.tell(ctx.now, severity, &code, (Noun::Container, &name), format!("container '{name}' was brought {}", state.name()));
}

/// Deletes a container with its snapshots.
///
/// Refused, in this order: unknown container; volumes live in it (without `with_volumes`), or one of them is mapped or in use; a clone
/// shares blocks with one of its snapshots; a job works on it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ContainerDelete)]
pub struct Delete {
    /// Which one.
    #[schema(ignore)]
    pub container: String,
    /// Whether the volumes in it go with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub with_volumes: Option<bool>,
}

impl Operation for Delete {
    const NAME: &'static str = "container.delete";
    const POLICY: Policy = Policy::VolumeDeleteFormat;
    type Plan = Key<Container>;
    type Output = ();

    fn check(&self, world: &World, _: &Ctx) -> Result<Key<Container>, OpError> {
        let array = &world.array;
        let container = array.containers.find(&self.container, Place::Target)?;
        let key = container.key();
        for inside in array.volumes_in(key) {
            if !self.with_volumes.unwrap_or(false) {
                return Err(OpError::InUse { noun: Noun::Container, name: container.name().to_owned(), by: Noun::Volume, by_name: inside.name().to_owned() });
            }
            volume::can_go(world, inside)?;
        }
        for snapshot in array.snapshots_of(key) {
            super::snapshot::no_clones(array, snapshot)?;
        }
        rules::container_not_busy(world, container)?;
        Ok(key)
    }

    fn apply(key: Key<Container>, world: &mut World, _: &Ctx) {
        let array = &mut world.array;
        let volumes: Vec<Key<Volume>> = array.volumes_in(key).map(Object::key).collect();
        let snapshots: Vec<Key<Snapshot>> = array.snapshots_of(key).map(Object::key).collect();
        for volume in volumes {
            array.volumes.remove(volume);
        }
        for snapshot in snapshots {
            array.snapshots.remove(snapshot);
        }
        if let Some(gone) = array.containers.remove(key) {
            space::give_back(array, &gone.claims());
        }
    }
}

/// Makes a container from a snapshot: the volumes as they were, sharing all blocks with it. A clone is thin.
///
/// Refused, in this order: unknown snapshot; a licence is missing; its pool is broken; its container migrates; invalid name; name taken; too many containers or volumes; the tenant would
/// have too much; too much promised; the volumes, with what thick ones keep, would not fit into the container's present size.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ContainerClone, examples(json!({"name": "vol1_copy"})))]
pub struct Clone {
    /// The snapshot.
    #[schema(ignore)]
    pub snapshot: String,
    /// The clone's name.
    pub name: String,
}

impl Operation for Clone {
    const NAME: &'static str = "container.clone";
    const POLICY: Policy = Policy::CopySessionManagement;
    type Plan = (Key<Snapshot>, String);
    type Output = Key<Container>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Self::Plan, OpError> {
        let (array, limits) = (&world.array, &world.array.personality.limits);
        let snapshot = array.find_snapshot(&self.snapshot, Place::Target)?;
        let origin = &array.containers[snapshot.container];
        rules::is_licensed(array, Feature::Clones, "a clone")?;
        health_rules::container_serves(array, origin.key())?;
        if origin.migration.is_some() {
            rules::container_not_busy(world, origin)?;
        }
        rules::name_is_valid(Noun::Container, &self.name, &array.personality.volume_name)?;
        rules::name_is_free_for(array, &array.containers, &self.name, origin.tenant, None)?;
        rules::within_limit(&array.containers, 1, limits.containers)?;
        rules::within_limit(&array.volumes, snapshot.images.len(), limits.volumes)?;
        belonging::has_room(array, origin.tenant, snapshot.images.len(), origin.size)?;
        room::pool_may_promise(&array.pools[origin.pool], origin.size)?;
        let shared = space::image_bytes(snapshot);
        let needed = origin.reduced(shared) + snapshot.images.iter().map(Volume::reservation).sum();
        if needed > origin.size {
            return Err(OpError::ContainerFull { container: origin.name().to_owned(), needed, free: origin.size });
        }
        Ok((snapshot.key(), self.name.clone()))
    }

    fn apply((snapshot, name): Self::Plan, world: &mut World, ctx: &Ctx) -> Key<Container> {
        let array = &mut world.array;
        let frozen = array.snapshots[snapshot].clone();
        let origin = array.containers[frozen.container].clone();
        let shared = space::image_bytes(&frozen);
        let books = Savings { before: shared, after: origin.reduced(shared) };
        let link = ContainerClone { snapshot, shared, origin: books, splitting: false };
        let key = insert(array, name, |blank| Container {
            pool: origin.pool,
            size: origin.size,
            guarantee: Guarantee::Thin,
            reduction: origin.reduction,
            clone: Some(link),
            created: ctx.now,
            tenant: origin.tenant,
            qos_policy: origin.qos_policy,
            ..blank
        });
        for image in frozen.images {
            let copy = super::snapshot::copy_of(array, image, key, ctx.now);
            placement::move_in(array, copy);
        }
        key
    }
}

/// Makes a clone independent of its origin, by a job that copies what they share. The pool sets the space aside at once.
///
/// Refused, in this order: unknown container; it is no clone; a job works on it; its pool is broken; no space in the pool.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ContainerSplit)]
pub struct Split {
    /// Which one.
    #[schema(ignore)]
    pub container: String,
}

impl Operation for Split {
    const NAME: &'static str = "container.split";
    const POLICY: Policy = Policy::CopySessionManagement;
    type Plan = Key<Container>;
    type Output = Key<Job<AnyOperation>>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Key<Container>, OpError> {
        let array = &world.array;
        let container = array.containers.find(&self.container, Place::Target)?;
        let key = container.key();
        let Some(clone) = container.clone else {
            return Err(OpError::NotRunning { noun: Noun::Container, name: container.name().to_owned(), what: "origin that it shares blocks with".into() });
        };
        rules::container_not_busy(world, container)?;
        health_rules::container_serves(array, key)?;
        let after = Container { clone: Some(ContainerClone { splitting: true, ..clone }), ..container.clone() };
        room::pools_hold_container(array, container, &after)?;
        Ok(key)
    }

    fn apply(key: Key<Container>, world: &mut World, ctx: &Ctx) -> Self::Output {
        let array = &mut world.array;
        let shared = array.containers[key].shared();
        space::change(array, key, |container| {
            if let Some(clone) = &mut container.clone {
                clone.splitting = true;
            }
        });
        let (span, name) = (SimSpan::to_move(shared, array.personality.copy_rate), array.containers[key].name().to_owned());
        let job = NewJob { kind: Self::NAME, work: Work::Split(key), target: (Noun::Container, &name) };
        world.start_job(job, span, &ctx.actor)
    }
}
