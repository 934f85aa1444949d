//! Migrating volumes between RAID groups and pools.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::home::{self, Named, Site};
use crate::engine::{Job, NewJob, Work};
use crate::model::{Allocation, Array, Home, Key, Migration, Noun, Object, OpError, Place, Policy, Volume, placement, space};
use crate::ops::{AnyOperation, Ctx, Operation, World, health_rules, job, room, rules};
use crate::units::SimSpan;

/// Moves a volume to other RAID groups or another pool, by a job whose length follows from the data to be copied. The space at the
/// target is set aside at once; hosts keep using the volume, but `volume.write` waits. Data reduction can be switched on for an existing
/// volume only by moving it.
///
/// Refused, in this order: no target or several named; unknown volume; it lives in a container; a volume for snapshots; a job works on it; it is not available; a copy session uses it; unknown target, or
/// one that takes no volumes; fewer than two different `raid_groups`; RAID group in a pool; a target that is broken; the target is where it is, or not the tenant's; allocation or data reduction that the target or the usage does not offer; too much
/// promised; no space.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = VolumeMigrate, examples(json!({"pool": "P1", "deduplication": true, "compression": true})))]
pub struct Migrate {
    /// Which one.
    #[schema(ignore)]
    pub volume: String,
    /// To this RAID group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raid_group: Option<String>,
    /// Over these RAID groups.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raid_groups: Option<Vec<String>>,
    /// To this pool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pool: Option<String>,
    /// Whether its whole size is set aside there; in a pool as it is now, or `thin` if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allocation: Option<Allocation>,
    /// Whether it is deduplicated there; as it is now if left out, in RAID groups never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deduplication: Option<bool>,
    /// Whether it is compressed there; as it is now if left out, in RAID groups never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compression: Option<bool>,
}

/// What [`Migrate`] found out.
#[derive(Debug)]
pub struct MigratePlan {
    key: Key<Volume>,
    migration: Migration,
    span: SimSpan,
}

impl Operation for Migrate {
    const NAME: &'static str = "volume.migrate";
    const POLICY: Policy = Policy::StorageMigrationManagement;
    type Plan = MigratePlan;
    type Output = Key<Job<AnyOperation>>;

    fn check(&self, world: &World, _: &Ctx) -> Result<MigratePlan, OpError> {
        let array = &world.array;
        let named = Named { raid_group: self.raid_group.as_ref(), raid_groups: self.raid_groups.as_ref(), pool: self.pool.as_ref(), container: None };
        named.is_one()?;
        let volume = array.find_volume(&self.volume, Place::Target)?;
        if volume.container().is_some() {
            return Err(OpError::NotSupported { noun: Noun::Volume, field: "volume".into(), what: "the migration of volumes in containers".into() });
        }
        rules::holds_data(volume, "the migration of volumes for snapshots")?;
        rules::volume_not_busy(world, volume)?;
        health_rules::volume_serves(array, volume)?;
        rules::volume_not_copied(world, volume)?;
        let site = named.resolve(array)?;
        is_elsewhere(array, volume, &site, &named)?;
        home::is_open_to(array, &site, volume.tenant)?;
        let now_in_pool = volume.pool().map(|_| volume.allocation);
        let allocation = home::allocation(array, &site, self.allocation.or(now_in_pool.filter(|_| matches!(site, Site::Pool(_)))))?;
        let present = if matches!(site, Site::Pool(_)) { volume.reduction } else { crate::model::Reduction::NONE };
        let wanted = (self.deduplication.or(Some(present.deduplication)), self.compression.or(Some(present.compression)));
        let reduction = home::reduction(array, &site, volume.name(), wanted, (allocation, volume.usage))?;
        let target = match site {
            Site::RaidGroups(groups) => Home::RaidGroups(home::slices(array, &groups, volume.size, 1)?.pop().unwrap_or_default()),
            Site::Pool(pool) => Home::Pool(pool),
            Site::Container(container) => Home::Container(container),
        };
        let migration = Migration { target, reduction, allocation };
        if let Home::Pool(key) = migration.target {
            let pool = &array.pools[key];
            home::pool_can_promise(array, pool, volume.size, reduction.is_on())?;
            room::pool_has(pool, space::incoming(pool, volume, &migration))?;
        }
        let copied = if volume.pool().is_some() { volume.layout.written() } else { volume.size };
        let span = SimSpan::to_move(copied, array.personality.copy_rate);
        Ok(MigratePlan { key: volume.key(), migration, span })
    }

    fn apply(plan: MigratePlan, world: &mut World, ctx: &Ctx) -> Self::Output {
        if let Some(volume) = world.array.volumes.get_mut(plan.key) {
            volume.migration = Some(plan.migration);
        }
        placement::set_aside(&mut world.array, plan.key);
        let name = world.array.volumes[plan.key].name().to_owned();
        let job = NewJob { kind: Self::NAME, work: Work::Migrate(plan.key), target: (Noun::Volume, &name) };
        world.start_job(job, plan.span, &ctx.actor)
    }
}

/// The target must not be where the volume is.
fn is_elsewhere(array: &Array, volume: &Volume, site: &Site, named: &Named<'_>) -> Result<(), OpError> {
    let refuse = |field: &str, value: &str, expected: &str| {
        Err(OpError::ValueInvalid { noun: Noun::Volume, field: field.into(), value: value.into(), expected: expected.into() })
    };
    match site {
        Site::Pool(pool) if volume.pool() == Some(*pool) => refuse("pool", array.pools[*pool].name(), "another pool than the one it lives in"),
        Site::RaidGroups(groups) => match groups.iter().find(|group| volume.touches(**group)) {
            Some(group) if named.raid_groups.is_some() => refuse("raid_groups", array.raid_groups[*group].name(), "a RAID group that it does not live in"),
            Some(group) => refuse("raid_group", array.raid_groups[*group].name(), "a RAID group that it does not live in"),
            None => Ok(()),
        },
        Site::Pool(_) | Site::Container(_) => Ok(()),
    }
}

/// Stops a migration; the volume stays where it was.
///
/// Refused, in this order: unknown volume; it does not migrate.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = VolumeStopMigration)]
pub struct StopMigration {
    /// Which one.
    #[schema(ignore)]
    pub volume: String,
}

impl Operation for StopMigration {
    const NAME: &'static str = "volume.stop-migration";
    const POLICY: Policy = Policy::StorageMigrationManagement;
    type Plan = (Key<Volume>, Key<Job<AnyOperation>>);
    type Output = Key<Volume>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Self::Plan, OpError> {
        let volume = world.array.find_volume(&self.volume, Place::Target)?;
        let key = volume.key();
        match world.job_on(|work| matches!(work, Work::Migrate(moved) if *moved == key)) {
            Some(job) => Ok((key, job.key())),
            None => Err(OpError::NotRunning { noun: Noun::Volume, name: volume.name().to_owned(), what: "migration under way".into() }),
        }
    }

    fn apply((key, running): Self::Plan, world: &mut World, _: &Ctx) -> Key<Volume> {
        job::stop(world, running);
        key
    }
}
