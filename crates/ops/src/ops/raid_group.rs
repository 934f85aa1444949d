//! RAID groups: create from free drives, rename, change the owner, expand, delete.

pub mod expand;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::drive_choice::{self, DriveChoice, NewGroup};
use super::{Ctx, Operation, World, health_rules, rules};
use crate::engine::{self, NewJob, Work};
use crate::model::{Array, Controller, Key, Noun, Object, OpError, Place, Policy, RaidGroup, RaidLevel, RebuildPriority, Volume};
use crate::units::{Bytes, SimSpan};

/// Creates a RAID group.
///
/// Refused, in this order: drives neither or both named and counted; a type or capacity wished of drives that are named; unknown controller
/// or drive; invalid name; name taken; level not of this array; too many RAID groups; number of drives; drives not free, not alike, or not
/// enough.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RaidGroupCreate, examples(json!({"name": "RG0", "level": "raid1+0", "drive_count": 12, "controller": "CM0"})))]
pub struct Create {
    /// Its name.
    pub name: String,
    /// Its level.
    pub level: RaidLevel,
    /// The drives by id, number or name; or give `drive_count`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drives: Option<Vec<String>>,
    /// How many drives the array shall choose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drive_count: Option<u32>,
    /// Of which type the chosen drives shall be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drive_type: Option<crate::model::DriveType>,
    /// Of which capacity the chosen drives shall be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drive_capacity: Option<Bytes>,
    /// The controller that shall own it; otherwise the one that owns the fewest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub controller: Option<String>,
}

/// What [`Create`] found out.
#[derive(Debug)]
pub struct CreatePlan {
    name: String,
    group: NewGroup,
    controller: Key<Controller>,
}

impl Create {
    fn choice(&self) -> DriveChoice {
        DriveChoice { drives: self.drives.clone(), drive_count: self.drive_count, drive_type: self.drive_type, drive_capacity: self.drive_capacity }
    }
}

impl Operation for Create {
    const NAME: &'static str = "raid-group.create";
    const POLICY: Policy = Policy::RaidGroupManagement;
    type Plan = CreatePlan;
    type Output = Key<RaidGroup>;

    fn check(&self, world: &World, _: &Ctx) -> Result<CreatePlan, OpError> {
        let (array, rule) = (&world.array, &world.array.personality);
        let choice = self.choice();
        choice.is_one_way(Noun::RaidGroup)?;
        choice.wishes_are_heard(Noun::RaidGroup, false)?;
        let controller = drive_choice::owner(world, self.controller.as_deref())?;
        choice.exist(array)?;
        rules::name_is_valid(Noun::RaidGroup, &self.name, &rule.short_name)?;
        rules::name_is_free(&array.raid_groups, &self.name, None, None)?;
        level_is_offered(array, self.level)?;
        rules::within_limit(&array.raid_groups, 1, rule.limits.raid_groups)?;
        let count = self.drives.as_ref().map_or(self.drive_count.unwrap_or(0), |drives| u32::try_from(drives.len()).unwrap_or(u32::MAX));
        drive_choice::level_takes(self.level, usize::try_from(count).unwrap_or(usize::MAX))?;
        let group = drive_choice::new_group(array, choice.resolve(array)?, self.level);
        Ok(CreatePlan { name: self.name.clone(), group, controller })
    }

    fn apply(plan: CreatePlan, world: &mut World, _: &Ctx) -> Key<RaidGroup> {
        drive_choice::make_group(world, plan.name, plan.group, plan.controller, false)
    }
}

/// The array must offer the level.
fn level_is_offered(array: &Array, level: RaidLevel) -> Result<(), OpError> {
    if array.personality.raid_levels.contains(&level) {
        return Ok(());
    }
    Err(OpError::NotSupported { noun: Noun::RaidGroup, field: "level".into(), what: RaidLevel::refused(level, "RAID groups", &array.personality.raid_levels) })
}

/// Changes a RAID group's name, its owner, and how it is rebuilt. Where the array takes its time to change an owner, a job does it.
///
/// Refused, in this order: unknown group or controller; invalid name; name taken; another rebuild priority while a member is rebuilt or
/// copied; another owner that is offline, or while a volume on the group is formatted, a job works on the group, or the group is not in order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RaidGroupUpdate, examples(json!({"name": "RG9", "controller": "CM1"})))]
pub struct Update {
    /// Which one.
    #[schema(ignore)]
    pub raid_group: String,
    /// Its new name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its new owner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub controller: Option<String>,
    /// Whether a spare that stands in becomes the member, so that nothing is copied back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copybackless: Option<bool>,
    /// How fast its members are rebuilt and copied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rebuild_priority: Option<RebuildPriority>,
}

/// What [`Update`] found out.
#[derive(Debug)]
pub struct UpdatePlan {
    key: Key<RaidGroup>,
    name: Option<String>,
    owner: Option<Key<Controller>>,
    copybackless: bool,
    rebuild_priority: RebuildPriority,
}

impl Operation for Update {
    const NAME: &'static str = "raid-group.update";
    const POLICY: Policy = Policy::RaidGroupManagement;
    type Plan = UpdatePlan;
    type Output = Key<RaidGroup>;

    fn check(&self, world: &World, _: &Ctx) -> Result<UpdatePlan, OpError> {
        let array = &world.array;
        let group = array.raid_groups.find(&self.raid_group, Place::Target)?;
        let key = group.key();
        let controller = self.controller.as_deref().map(|named| drive_choice::owner(world, Some(named))).transpose()?;
        if let Some(name) = &self.name {
            rules::name_is_valid(Noun::RaidGroup, name, &array.personality.short_name)?;
            rules::name_is_free(&array.raid_groups, name, None, Some(key))?;
        }
        let rebuild_priority = self.rebuild_priority.unwrap_or(group.rebuild_priority);
        if rebuild_priority != group.rebuild_priority {
            rules::not_busy(world, Noun::RaidGroup, group.name(), |work| matches!(work, Work::Restore(restoration) if restoration.raid_group == key))?;
        }
        let owner = controller.filter(|controller| *controller != group.controller);
        if let Some(owner) = owner {
            owner_can_change(world, group, owner)?;
        }
        let copybackless = self.copybackless.unwrap_or(group.copybackless);
        Ok(UpdatePlan { key, name: self.name.clone(), owner, copybackless, rebuild_priority })
    }

    fn apply(plan: UpdatePlan, world: &mut World, ctx: &Ctx) -> Key<RaidGroup> {
        let key = plan.key;
        if let Some(name) = plan.name {
            world.array.raid_groups.rename(key, name);
        }
        if let Some(group) = world.array.raid_groups.get_mut(key) {
            (group.copybackless, group.rebuild_priority) = (plan.copybackless, plan.rebuild_priority);
        }
        if let Some(owner) = plan.owner {
            move_owner(world, key, owner, ctx);
        }
        engine::tend(world);
        key
    }
}

/// The new owner must be online; no volume on the group is formatted, no job works on it, and it is in order.
fn owner_can_change(world: &World, group: &RaidGroup, owner: Key<Controller>) -> Result<(), OpError> {
    let controller = &world.array.controllers[owner];
    if !controller.is_online() {
        let (name, state, expected) = (controller.name().to_owned(), "offline".into(), "online".into());
        return Err(OpError::WrongState { noun: Noun::Controller, name, state, expected });
    }
    nothing_is_formatted(world, group)?;
    health_rules::group_not_busy(world, group)?;
    health_rules::group_is_whole(&world.array, group)
}

/// Gives the group to another controller: at once, or by a job where that takes time.
fn move_owner(world: &mut World, key: Key<RaidGroup>, owner: Key<Controller>, ctx: &Ctx) {
    let span = world.array.personality.sparing.owner_change;
    let Some(group) = world.array.raid_groups.get_mut(key) else { return };
    if span == SimSpan::ZERO {
        group.controller = owner;
        return;
    }
    group.owner_moves_to = Some(owner);
    let name = group.name().to_owned();
    let job = NewJob { kind: "raid-group.change-owner", work: Work::MoveOwner(key), target: (Noun::RaidGroup, &name) };
    world.start_job(job, span, &ctx.actor);
}

/// No volume in the group, in its pool or in the pool's containers must be being formatted.
fn nothing_is_formatted(world: &World, group: &RaidGroup) -> Result<(), OpError> {
    let array = &world.array;
    let lives_on = |volume: &&Volume| {
        let pool = volume.pool().or_else(|| volume.container().map(|container| array.containers[container].pool));
        volume.touches(group.key()) || (pool.is_some() && pool == group.pool)
    };
    array.volumes.iter().filter(lives_on).try_for_each(|volume| {
        let key = volume.key();
        rules::not_busy(world, Noun::Volume, volume.name(), |work| matches!(work, Work::Format(formatted) if *formatted == key))
    })
}

/// Deletes a RAID group; its drives become free, and so do the spares that it had for itself.
///
/// Refused, in this order: unknown group; it belongs to a pool; volumes live in it or are on their way to it; a job works on it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RaidGroupDelete)]
pub struct Delete {
    /// Which one.
    pub raid_group: String,
}

impl Operation for Delete {
    const NAME: &'static str = "raid-group.delete";
    const POLICY: Policy = Policy::RaidGroupManagement;
    type Plan = Key<RaidGroup>;
    type Output = ();

    fn check(&self, world: &World, _: &Ctx) -> Result<Key<RaidGroup>, OpError> {
        let array = &world.array;
        let group = array.raid_groups.find(&self.raid_group, Place::Target)?;
        if let Some(pool) = group.pool {
            return Err(OpError::RaidGroupInPool { raid_group: group.name().to_owned(), pool: array.pools[pool].name().to_owned() });
        }
        if let Some(volume) = array.volumes.iter().find(|volume| volume.touches(group.key())) {
            return Err(OpError::InUse { noun: Noun::RaidGroup, name: group.name().to_owned(), by: Noun::Volume, by_name: volume.name().to_owned() });
        }
        health_rules::group_not_busy(world, group)?;
        Ok(group.key())
    }

    fn apply(key: Key<RaidGroup>, world: &mut World, _: &Ctx) {
        drive_choice::dissolve(world, key);
    }
}
