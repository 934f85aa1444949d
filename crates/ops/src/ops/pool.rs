//! Pools: create from drives or RAID groups, change, expand, delete.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::drive_choice::{self, DriveChoice};
use super::pool_members::{self, Members};
use super::{Ctx, Operation, World, health_rules, pool_balance, room, rules};
use crate::model::{
    Array, DriveType, Key, Layer, Noun, Object, OpError, Place, Policy, Pool, RaidGroup, RaidLevel, Reduction, ReductionDomain, Savings, Thresholds, UsedStatus,
};
use crate::units::Bytes;

/// Creates a pool from free drives, which it joins into RAID groups of its own, or from empty RAID groups.
///
/// Refused, in this order: thin provisioning switched off; members neither or in two ways; a type, capacity or owner wished of members that have their own; unknown
/// controller, drive or RAID group; invalid name; name taken; level missing or not of this array's pools; chunk size not of this array;
/// thresholds out of range; attention not below warning; over-provisioning out of range; data reduction not of this array's pools, switched
/// off, or in too many pools; encryption switched off; too many pools; RAID groups that are broken or growing; number of drives; RAID groups of a pool, named twice, in
/// use, with spares of their own, or unlike; drives not free, not
/// alike or not enough; too many RAID groups; capacity of all pools.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PoolCreate, examples(json!({"name": "P0", "level": "raid1+0", "drive_count": 12, "controller": "CM0", "deduplication": true, "compression": true})))]
pub struct Create {
    /// Its name.
    pub name: String,
    /// The level of its RAID groups; not needed when `raid_groups` are named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<RaidLevel>,
    /// The drives by id, number or name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drives: Option<Vec<String>>,
    /// How many drives the array shall choose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drive_count: Option<u32>,
    /// Of which type the chosen drives shall be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drive_type: Option<DriveType>,
    /// Of which capacity the chosen drives shall be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drive_capacity: Option<Bytes>,
    /// Empty RAID groups of one level, drive type and number of drives, instead of drives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raid_groups: Option<Vec<String>>,
    /// The controller that shall own the new RAID groups; otherwise each goes to the one that owns the fewest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub controller: Option<String>,
    /// Space is given out in chunks of this size; one of the model's, the one that follows from the most capacity of all pools if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chunk_size: Option<Bytes>,
    /// The lower threshold in percent, 5 to 80; 0 for none; 75 if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attention_percent: Option<u32>,
    /// The upper threshold in percent, 5 to 99; 90 if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warning_percent: Option<u32>,
    /// The most that may be promised, in percent of the capacity, 100 to 10,000; 0 or left out for no such limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over_provisioning_percent: Option<u32>,
    /// Whether its reduced volumes are deduplicated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deduplication: Option<bool>,
    /// Whether its reduced volumes are compressed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compression: Option<bool>,
    /// Whether its data is encrypted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encryption: Option<bool>,
}

/// What [`Create`] found out.
#[derive(Debug)]
pub struct CreatePlan {
    name: String,
    members: Members,
    level: RaidLevel,
    chunk_size: Bytes,
    thresholds: Thresholds,
    over_provisioning_percent: Option<u32>,
    reduction: Reduction,
    encryption: bool,
}

impl Operation for Create {
    const NAME: &'static str = "pool.create";
    const POLICY: Policy = Policy::RaidGroupManagement;
    type Plan = CreatePlan;
    type Output = Key<Pool>;

    fn check(&self, world: &World, _: &Ctx) -> Result<CreatePlan, OpError> {
        let (array, rule) = (&world.array, &world.array.personality);
        if !array.settings.thin_provisioning.enabled {
            return Err(OpError::SwitchedOff { setting: "thin provisioning".into(), field: None });
        }
        let choice =
            DriveChoice { drives: self.drives.clone(), drive_count: self.drive_count, drive_type: self.drive_type, drive_capacity: self.drive_capacity };
        pool_members::one_way(&choice, self.raid_groups.as_ref())?;
        choice.wishes_are_heard(Noun::Pool, self.raid_groups.is_some())?;
        pool_members::owner_is_heard(self.controller.as_ref(), self.raid_groups.as_ref())?;
        let controller = self.controller.as_deref().map(|named| drive_choice::owner(world, Some(named))).transpose()?;
        choice.exist(array)?;
        let named = pool_members::find_groups(array, self.raid_groups.as_deref())?;
        rules::name_is_valid(Noun::Pool, &self.name, &rule.short_name)?;
        rules::name_is_free(&array.pools, &self.name, None, None)?;
        let level = level_is_offered(array, self.level, &named)?;
        let chunk_size = chunk_size_is_offered(array, self.chunk_size)?;
        let thresholds = thresholds(self.attention_percent, self.warning_percent, Thresholds { attention_percent: Some(75), warning_percent: 90 })?;
        let over_provisioning_percent = over_provisioning(self.over_provisioning_percent, None)?;
        let reduction = Reduction { deduplication: self.deduplication.unwrap_or(false), compression: self.compression.unwrap_or(false) };
        reduction_is_possible(array, reduction, None)?;
        rules::encryption_is_on(array, self.encryption)?;
        rules::within_limit(&array.pools, 1, rule.limits.pools)?;
        let members = pool_members::plan(world, &choice, &named, (level, None), controller)?;
        pool_members::capacity_is_allowed(array, members.capacity(array, chunk_size))?;
        let encryption = self.encryption.unwrap_or(false);
        Ok(CreatePlan { name: self.name.clone(), members, level, chunk_size, thresholds, over_provisioning_percent, reduction, encryption })
    }

    fn apply(plan: CreatePlan, world: &mut World, _: &Ctx) -> Key<Pool> {
        let groups = plan.members.make(world, &plan.name);
        let array = &mut world.array;
        let drive_type = groups.first().map_or(DriveType::SasSsd, |group| array.raid_groups[*group].drive_type);
        let CreatePlan { name, level, chunk_size, thresholds, over_provisioning_percent, reduction, encryption, .. } = plan;
        let key = array.pools.insert(array.identity, name, |head| Pool {
            head,
            raid_groups: Vec::new(),
            level,
            drive_type,
            chunk_size,
            capacity: Bytes::ZERO,
            thresholds,
            over_provisioning_percent,
            reduction,
            encryption,
            allocated: Bytes::ZERO,
            savings: Savings::default(),
            provisioned: Bytes::ZERO,
            provisioned_reduced: Bytes::ZERO,
            reported: UsedStatus::Normal,
            layers: Vec::new(),
            balancing: false,
        });
        pool_members::join(array, key, &groups);
        key
    }
}

/// The level must be one of the array's pools'. Named RAID groups bring it along.
fn level_is_offered(array: &Array, level: Option<RaidLevel>, named: &[Key<RaidGroup>]) -> Result<RaidLevel, OpError> {
    let brought = named.first().map(|group| array.raid_groups[*group].level);
    let Some(level) = level.or(brought) else {
        return Err(OpError::Missing { noun: Noun::Pool, field: "level".into(), because: "the array has to know how to protect the drives".into() });
    };
    if array.personality.pool_levels.contains(&level) {
        return Ok(level);
    }
    Err(OpError::NotSupported { noun: Noun::Pool, field: "level".into(), what: RaidLevel::refused(level, "pools", &array.personality.pool_levels) })
}

/// The chunk size must be one of the model's.
fn chunk_size_is_offered(array: &Array, asked: Option<Bytes>) -> Result<Bytes, OpError> {
    let offered = &array.personality.chunk_sizes;
    let chunk = asked.unwrap_or_else(|| array.chunk_size());
    if asked.is_none() || offered.contains(&chunk) {
        return Ok(chunk);
    }
    let expected = format!("one of {}", offered.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "));
    Err(OpError::ValueInvalid { noun: Noun::Pool, field: "chunk_size".into(), value: chunk.to_string(), expected })
}

/// Thresholds must lie in their ranges, attention below warning.
fn thresholds(attention: Option<u32>, warning: Option<u32>, present: Thresholds) -> Result<Thresholds, OpError> {
    let attention = match attention {
        Some(0) => None,
        Some(percent) => {
            rules::in_range(Noun::Pool, "attention_percent", u64::from(percent), (5, 80))?;
            Some(percent)
        }
        None => present.attention_percent,
    };
    let warning = warning.unwrap_or(present.warning_percent);
    rules::in_range(Noun::Pool, "warning_percent", u64::from(warning), (5, 99))?;
    match attention {
        Some(attention) if attention >= warning => Err(OpError::ThresholdOrder { attention, warning }),
        attention_percent => Ok(Thresholds { attention_percent, warning_percent: warning }),
    }
}

/// The over-provisioning limit must be at least the capacity.
fn over_provisioning(asked: Option<u32>, present: Option<u32>) -> Result<Option<u32>, OpError> {
    match asked {
        None => Ok(present),
        Some(0) => Ok(None),
        Some(percent) => rules::in_range(Noun::Pool, "over_provisioning_percent", u64::from(percent), (100, 10_000)).map(|()| Some(percent)),
    }
}

/// Pools of this array must be able to reduce data, the array's switch must be on, and not too many pools may do so.
fn reduction_is_possible(array: &Array, wanted: Reduction, own: Option<Key<Pool>>) -> Result<(), OpError> {
    room::reduction_is_offered(array, wanted, ReductionDomain::Pool, Noun::Pool)?;
    if !wanted.is_on() {
        return Ok(());
    }
    let others = array.pools.iter().filter(|pool| pool.reduction.is_on() && Some(pool.key()) != own).count();
    rules::count_within(Noun::Pool, others + 1, array.personality.limits.reduction_pools, "the array's data reduction")
}

/// Changes a pool; what is left out stays.
///
/// Refused, in this order: unknown pool; invalid name; name taken; thresholds out of range; attention not below warning; over-provisioning
/// out of range; more already promised than the new limit; data reduction not of this array's pools, switched off, in too many pools, or to
/// be changed while reduced volumes live in the pool or are on their way to it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PoolUpdate, examples(json!({"attention_percent": 60, "warning_percent": 80})))]
pub struct Update {
    /// Which one.
    #[schema(ignore)]
    pub pool: String,
    /// Its new name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The lower threshold in percent, 5 to 80; 0 for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attention_percent: Option<u32>,
    /// The upper threshold in percent, 5 to 99.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warning_percent: Option<u32>,
    /// The most that may be promised, in percent of the capacity, 100 to 10,000; 0 for no such limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over_provisioning_percent: Option<u32>,
    /// Whether its reduced volumes are deduplicated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deduplication: Option<bool>,
    /// Whether its reduced volumes are compressed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compression: Option<bool>,
}

/// What [`Update`] found out.
#[derive(Debug)]
pub struct UpdatePlan {
    key: Key<Pool>,
    name: Option<String>,
    thresholds: Thresholds,
    over_provisioning_percent: Option<u32>,
    reduction: Reduction,
}

impl Operation for Update {
    const NAME: &'static str = "pool.update";
    const POLICY: Policy = Policy::RaidGroupManagement;
    type Plan = UpdatePlan;
    type Output = Key<Pool>;

    fn check(&self, world: &World, _: &Ctx) -> Result<UpdatePlan, OpError> {
        let array = &world.array;
        let pool = array.pools.find(&self.pool, Place::Target)?;
        if let Some(name) = &self.name {
            rules::name_is_valid(Noun::Pool, name, &array.personality.short_name)?;
            rules::name_is_free(&array.pools, name, None, Some(pool.key()))?;
        }
        let thresholds = thresholds(self.attention_percent, self.warning_percent, pool.thresholds)?;
        let over_provisioning_percent = over_provisioning(self.over_provisioning_percent, pool.over_provisioning_percent)?;
        let limit = Pool { over_provisioning_percent, ..pool.clone() }.provisioning_limit();
        room::promise_is_within(pool, limit, Bytes::ZERO)?;
        let reduction = Reduction {
            deduplication: self.deduplication.unwrap_or(pool.reduction.deduplication),
            compression: self.compression.unwrap_or(pool.reduction.compression),
        };
        if reduction != pool.reduction {
            reduction_is_possible(array, reduction, Some(pool.key()))?;
            no_reduced_volumes(array, pool)?;
        }
        Ok(UpdatePlan { key: pool.key(), name: self.name.clone(), thresholds, over_provisioning_percent, reduction })
    }

    fn apply(plan: UpdatePlan, world: &mut World, _: &Ctx) -> Key<Pool> {
        if let Some(name) = plan.name {
            world.array.pools.rename(plan.key, name);
        }
        if let Some(pool) = world.array.pools.get_mut(plan.key) {
            pool.thresholds = plan.thresholds;
            pool.over_provisioning_percent = plan.over_provisioning_percent;
            pool.reduction = plan.reduction;
        }
        plan.key
    }
}

/// No reduced volume must live in the pool or be on its way to it.
fn no_reduced_volumes(array: &Array, pool: &Pool) -> Result<(), OpError> {
    if pool.provisioned_reduced.is_zero() {
        return Ok(());
    }
    let reduced = array.volumes.iter().find(|volume| {
        let here = volume.pool() == Some(pool.key()) && volume.reduction.is_on();
        here || volume.migration.as_ref().is_some_and(|coming| coming.target == crate::model::Home::Pool(pool.key()) && coming.reduction.is_on())
    });
    let by_name = reduced.map(|volume| volume.name().to_owned()).unwrap_or_default();
    Err(OpError::ReductionInUse { noun: Noun::Pool, name: pool.name().to_owned(), by: Noun::Volume, by_name })
}

/// Expands a pool by whole RAID groups like those it has. Data stays on the RAID groups where it lies until the pool is balanced.
///
/// Refused, in this order: unknown pool; it is being balanced; members neither or in two ways; an owner wished of RAID groups that have one; unknown controller,
/// drive or RAID group; a RAID group of the pool is broken; RAID groups that are broken or growing; number of drives; RAID groups of a pool,
/// named twice, in use, with spares of their own, or unlike; drives not free, not alike, not enough or unlike the pool's; too many RAID groups;
/// capacity of all pools.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PoolExpand, examples(json!({"drive_count": 12})))]
pub struct Expand {
    /// Which one.
    #[schema(ignore)]
    pub pool: String,
    /// The drives by id, number or name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drives: Option<Vec<String>>,
    /// How many drives the array shall choose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drive_count: Option<u32>,
    /// Empty RAID groups instead of drives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raid_groups: Option<Vec<String>>,
    /// The controller that shall own the new RAID groups.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub controller: Option<String>,
}

/// What [`Expand`] found out.
#[derive(Debug)]
pub struct ExpandPlan {
    key: Key<Pool>,
    growth: Vec<pool_members::Growth>,
    members: Members,
}

impl Operation for Expand {
    const NAME: &'static str = "pool.expand";
    const POLICY: Policy = Policy::RaidGroupManagement;
    type Plan = ExpandPlan;
    type Output = Key<Pool>;

    fn check(&self, world: &World, _: &Ctx) -> Result<ExpandPlan, OpError> {
        let array = &world.array;
        let pool = array.pools.find(&self.pool, Place::Target)?;
        pool_balance::not_balancing(world, pool)?;
        let like = pool.raid_groups.first().map(|group| &array.raid_groups[*group]);
        let capacity = like.and_then(|group| group.drives.iter().map(|drive| array.drives[*drive].capacity).min());
        let choice = DriveChoice { drives: self.drives.clone(), drive_count: self.drive_count, drive_type: Some(pool.drive_type), drive_capacity: capacity };
        pool_members::one_way(&choice, self.raid_groups.as_ref())?;
        pool_members::owner_is_heard(self.controller.as_ref(), self.raid_groups.as_ref())?;
        let controller = self.controller.as_deref().map(|named| drive_choice::owner(world, Some(named))).transpose()?;
        choice.exist(array)?;
        let named = pool_members::find_groups(array, self.raid_groups.as_deref())?;
        health_rules::pool_serves(array, pool)?;
        let controller = controller.or(like.filter(|_| array.personality.offer.drives_have_homes).map(|group| group.controller));
        let (growth, members) = match array.personality.offer.pool_group_most.filter(|_| named.is_empty()) {
            Some(most) => pool_members::plan_growth(array, &choice, pool, (most, controller))?,
            None => (Vec::new(), pool_members::plan(world, &choice, &named, (pool.level, like), controller)?),
        };
        let grown: Bytes = growth.iter().map(|growth| growth.capacity(array)).sum();
        pool_members::capacity_is_allowed(array, grown + members.capacity(array, pool.chunk_size))?;
        Ok(ExpandPlan { key: pool.key(), growth, members })
    }

    fn apply(plan: ExpandPlan, world: &mut World, _: &Ctx) -> Key<Pool> {
        let name = world.array.pools[plan.key].name().to_owned();
        plan.growth.into_iter().for_each(|growth| growth.apply(&mut world.array, plan.key));
        let groups = plan.members.make(world, &name);
        if let Some(pool) = world.array.pools.get_mut(plan.key).filter(|_| !groups.is_empty()) {
            // What lies in the pool stays where it is until the pool is balanced.
            let data = pool.used() - pool.unbalanced();
            if !data.is_zero() {
                pool.layers.push(Layer { raid_groups: u32::try_from(pool.raid_groups.len()).unwrap_or(u32::MAX), data });
            }
        }
        pool_members::join(&mut world.array, plan.key, &groups);
        plan.key
    }
}

/// Deletes a pool. The RAID groups that it made go with it; the others become free.
///
/// Refused, in this order: unknown pool; volumes live in it or are on their way to it; containers do; it is assigned to a tenant; its
/// data reduction is on; it is being balanced; a job works on a RAID group that would go with it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PoolDelete)]
pub struct Delete {
    /// Which one.
    pub pool: String,
}

impl Operation for Delete {
    const NAME: &'static str = "pool.delete";
    const POLICY: Policy = Policy::RaidGroupManagement;
    type Plan = Key<Pool>;
    type Output = ();

    fn check(&self, world: &World, _: &Ctx) -> Result<Key<Pool>, OpError> {
        let array = &world.array;
        let pool = array.pools.find(&self.pool, Place::Target)?;
        let key = pool.key();
        let volume = array.volumes.iter().find(|volume| volume.touches_pool(key)).map(|volume| (Noun::Volume, volume.name()));
        let container =
            || array.containers.iter().find(|container| container.pools().any(|pool| pool == key)).map(|container| (Noun::Container, container.name()));
        let tenant = || array.tenants.iter().find(|tenant| tenant.pools.contains(&key)).map(|tenant| (Noun::Tenant, tenant.name()));
        if let Some((by, by_name)) = volume.or_else(container).or_else(tenant) {
            return Err(OpError::InUse { noun: Noun::Pool, name: pool.name().to_owned(), by, by_name: by_name.to_owned() });
        }
        if pool.reduction.is_on() {
            return Err(OpError::ReductionOn { pool: pool.name().to_owned() });
        }
        pool_balance::not_balancing(world, pool)?;
        let own = pool.raid_groups.iter().map(|group| &array.raid_groups[*group]).filter(|group| group.made_by_pool);
        own.into_iter().try_for_each(|group| health_rules::group_not_busy(world, group))?;
        Ok(key)
    }

    fn apply(key: Key<Pool>, world: &mut World, _: &Ctx) {
        let groups = world.array.pools.remove(key).map(|pool| pool.raid_groups).unwrap_or_default();
        for group in groups {
            if world.array.raid_groups[group].made_by_pool {
                drive_choice::dissolve(world, group);
            } else if let Some(group) = world.array.raid_groups.get_mut(group) {
                group.pool = None;
            }
        }
    }
}
