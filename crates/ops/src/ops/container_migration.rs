//! Migrating containers: from one pool to another, with all that is in them, while hosts go on.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{AnyOperation, Ctx, Operation, World, belonging, health_rules, job, room, rules};
use crate::engine::{self, Job, NewJob, Work};
use crate::model::{Array, Container, ContainerMigration, Key, Noun, Object, OpError, Place, Policy, Pool, space};
use crate::units::SimSpan;

/// Moves a container with its volumes and snapshots to another pool, by a job whose length follows from its data. What it will take there
/// is set aside at once; where it was, it is freed at the end. Hosts go on meanwhile, and reach it through the controllers of the new pool
/// as soon as all data is there. A clone shares nothing with its origin any more where it arrives.
///
/// Refused, in this order: unknown container or pool; the pool that it lives in; a job works on it; it is not online, or its pool is
/// broken; clones share blocks with its snapshots; the pool is broken, or one of another tenant; too much promised; no space there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ContainerMigrate, examples(json!({"pool": "aggr2"})))]
pub struct Migrate {
    /// Which one.
    #[schema(ignore)]
    pub container: String,
    /// The pool that it shall live in.
    pub pool: String,
}

/// What [`Migrate`] found out.
#[derive(Debug)]
pub struct MigratePlan {
    key: Key<Container>,
    pool: Key<Pool>,
    span: SimSpan,
}

impl Operation for Migrate {
    const NAME: &'static str = "container.migrate";
    const POLICY: Policy = Policy::StorageMigrationManagement;
    type Plan = MigratePlan;
    type Output = Key<Job<AnyOperation>>;

    fn check(&self, world: &World, _: &Ctx) -> Result<MigratePlan, OpError> {
        let array = &world.array;
        let container = array.containers.find(&self.container, Place::Target)?;
        let pool = array.pools.find(&self.pool, Place::field("pool"))?;
        is_elsewhere(container, pool)?;
        rules::container_not_busy(world, container)?;
        health_rules::container_serves(array, container.key())?;
        array.snapshots_of(container.key()).try_for_each(|snapshot| super::snapshot::no_clones(array, snapshot))?;
        health_rules::pool_serves(array, pool)?;
        belonging::pool_is_open(array, pool, container.tenant)?;
        let after = Container { migration: Some(ContainerMigration { pool: pool.key(), paused: false }), ..container.clone() };
        room::pools_may_promise(array, container, &after)?;
        space::pools_hold(array, container, &after)?;
        let span = SimSpan::to_move(container.independent().after, array.personality.copy_rate);
        Ok(MigratePlan { key: container.key(), pool: pool.key(), span })
    }

    fn apply(MigratePlan { key, pool, span }: MigratePlan, world: &mut World, ctx: &Ctx) -> Self::Output {
        space::change(&mut world.array, key, |container| container.migration = Some(ContainerMigration { pool, paused: false }));
        let name = world.array.containers[key].name().to_owned();
        let job = NewJob { kind: Self::NAME, work: Work::MigrateContainer(key, pool), target: (Noun::Container, &name) };
        world.start_job(job, span, &ctx.actor)
    }
}

/// The pool must be another one than that in which the container lives.
fn is_elsewhere(container: &Container, pool: &Pool) -> Result<(), OpError> {
    if container.pool != pool.key() {
        return Ok(());
    }
    let expected = "another pool than the one it lives in".to_owned();
    Err(OpError::ValueInvalid { noun: Noun::Container, field: "pool".into(), value: pool.name().to_owned(), expected })
}

/// The container's migration must be under way; `paused` says how it must stand, if that matters.
fn migrates<'a>(array: &'a Array, named: &str, paused: Option<bool>) -> Result<&'a Container, OpError> {
    let container = array.containers.find(named, Place::Target)?;
    let name = container.name().to_owned();
    match (container.migration, paused) {
        (Some(migration), Some(wanted)) if migration.paused != wanted => {
            let (state, expected) = if wanted { ("migrating", "paused") } else { ("paused", "migrating") };
            Err(OpError::WrongState { noun: Noun::Container, name, state: state.into(), expected: expected.into() })
        }
        (Some(_), _) => Ok(container),
        (None, _) => Err(OpError::NotRunning { noun: Noun::Container, name, what: "migration under way".into() }),
    }
}

/// Lets the migration of a container stand still. What is set aside stays so.
///
/// Refused, in this order: unknown container; it does not migrate; that is paused already.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ContainerPauseMigration)]
pub struct PauseMigration {
    /// Which one.
    #[schema(ignore)]
    pub container: String,
}

impl Operation for PauseMigration {
    const NAME: &'static str = "container.pause-migration";
    const POLICY: Policy = Policy::StorageMigrationManagement;
    type Plan = Key<Container>;
    type Output = Key<Container>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Key<Container>, OpError> {
        migrates(&world.array, &self.container, Some(false)).map(Object::key)
    }

    fn apply(key: Key<Container>, world: &mut World, _: &Ctx) -> Key<Container> {
        engine::pause(world, key, true);
        key
    }
}

/// Lets a paused migration of a container go on where it stopped.
///
/// Refused, in this order: unknown container; it does not migrate; that is not paused.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ContainerResumeMigration)]
pub struct ResumeMigration {
    /// Which one.
    #[schema(ignore)]
    pub container: String,
}

impl Operation for ResumeMigration {
    const NAME: &'static str = "container.resume-migration";
    const POLICY: Policy = Policy::StorageMigrationManagement;
    type Plan = Key<Container>;
    type Output = Key<Container>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Key<Container>, OpError> {
        migrates(&world.array, &self.container, Some(true)).map(Object::key)
    }

    fn apply(key: Key<Container>, world: &mut World, _: &Ctx) -> Key<Container> {
        engine::pause(world, key, false);
        key
    }
}

/// Stops the migration of a container, paused or not; it stays where it was.
///
/// Refused, in this order: unknown container; it does not migrate.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ContainerStopMigration)]
pub struct StopMigration {
    /// Which one.
    #[schema(ignore)]
    pub container: String,
}

impl Operation for StopMigration {
    const NAME: &'static str = "container.stop-migration";
    const POLICY: Policy = Policy::StorageMigrationManagement;
    type Plan = Key<Container>;
    type Output = Key<Container>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Key<Container>, OpError> {
        migrates(&world.array, &self.container, None).map(Object::key)
    }

    fn apply(key: Key<Container>, world: &mut World, _: &Ctx) -> Key<Container> {
        let running = world.job_on(|work| matches!(work, Work::MigrateContainer(moved, _) if *moved == key)).map(Object::key);
        if let Some(running) = running {
            job::stop(world, running);
        }
        key
    }
}
