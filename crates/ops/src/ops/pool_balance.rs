//! Balancing pools: spreading what lay in them before an expansion over all their RAID groups.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{AnyOperation, Ctx, Operation, World, health_rules, job, rules};
use crate::engine::{Job, NewJob, Work};
use crate::model::{Array, Key, Noun, Object, OpError, Place, Policy, Pool};
use crate::units::{Bytes, SimSpan};

/// Spreads the data of a pool evenly over all its RAID groups, by a job whose length follows from what has to be moved. Hosts go on using
/// it; the moving takes its part of the drives, of the links to them and of the controllers.
///
/// Refused, in this order: unknown pool; an array that does not balance pools; it is being balanced; a RAID group of it is broken; its data
/// lies evenly.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PoolBalance)]
pub struct Balance {
    /// Which one.
    #[schema(ignore)]
    pub pool: String,
}

impl Operation for Balance {
    const NAME: &'static str = "pool.balance";
    const POLICY: Policy = Policy::RaidGroupManagement;
    type Plan = (Key<Pool>, SimSpan);
    type Output = Key<Job<AnyOperation>>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Self::Plan, OpError> {
        let array = &world.array;
        let pool = array.pools.find(&self.pool, Place::Target)?;
        if !array.personality.offer.pool_balancing {
            return Err(OpError::NotSupported { noun: Noun::Pool, field: "pool".into(), what: "the balancing of pools".into() });
        }
        not_balancing(world, pool)?;
        health_rules::pool_serves(array, pool)?;
        if pool.unbalanced().is_zero() {
            let (name, state, expected) = (pool.name().to_owned(), "balanced".into(), "expanded since data came in".into());
            return Err(OpError::WrongState { noun: Noun::Pool, name, state, expected });
        }
        Ok((pool.key(), SimSpan::to_move(to_move(array, pool), array.personality.copy_rate)))
    }

    fn apply((key, span): Self::Plan, world: &mut World, ctx: &Ctx) -> Self::Output {
        if let Some(pool) = world.array.pools.get_mut(key) {
            pool.balancing = true;
        }
        let name = world.array.pools[key].name().to_owned();
        let job = NewJob { kind: Self::NAME, work: Work::Balance(key), target: (Noun::Pool, &name) };
        world.start_job(job, span, &ctx.actor)
    }
}

/// The pool must not be being balanced.
pub(super) fn not_balancing(world: &World, pool: &Pool) -> Result<(), OpError> {
    rules::not_busy(world, Noun::Pool, pool.name(), |work| matches!(work, Work::Balance(balanced) if *balanced == pool.key()))
}

/// The part of each layer that belongs on the RAID groups that joined after it.
fn to_move(array: &Array, pool: &Pool) -> Bytes {
    let capacity = |groups: &[Key<crate::model::RaidGroup>]| groups.iter().map(|group| array.raid_groups[*group].capacity).sum::<Bytes>();
    let whole = capacity(&pool.raid_groups);
    let of_layer = |layer: &crate::model::Layer| {
        let first = usize::try_from(layer.raid_groups).unwrap_or(usize::MAX).min(pool.raid_groups.len());
        layer.data.scaled(capacity(&pool.raid_groups[first..]).get(), whole.get().max(1))
    };
    pool.layers.iter().map(of_layer).sum::<Bytes>().min(pool.used())
}

/// Stops balancing a pool. What has been moved stays where it is.
///
/// Refused, in this order: unknown pool; it is not being balanced.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PoolStopBalancing)]
pub struct StopBalancing {
    /// Which one.
    #[schema(ignore)]
    pub pool: String,
}

impl Operation for StopBalancing {
    const NAME: &'static str = "pool.stop-balancing";
    const POLICY: Policy = Policy::RaidGroupManagement;
    type Plan = (Key<Pool>, Key<Job<AnyOperation>>);
    type Output = Key<Pool>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Self::Plan, OpError> {
        let pool = world.array.pools.find(&self.pool, Place::Target)?;
        let key = pool.key();
        match world.job_on(|work| matches!(work, Work::Balance(balanced) if *balanced == key)) {
            Some(job) => Ok((key, job.key())),
            None => Err(OpError::NotRunning { noun: Noun::Pool, name: pool.name().to_owned(), what: "balancing under way".into() }),
        }
    }

    fn apply((key, running): Self::Plan, world: &mut World, _: &Ctx) -> Key<Pool> {
        job::stop(world, running);
        key
    }
}
