//! Expanding RAID groups (ETERNUS: Logical Device Expansion).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::engine::{Job, NewJob, Work};
use crate::model::{Array, Drive, Expansion, Key, Noun, Object, OpError, Place, Policy, RaidGroup, RaidLevel, sparing};
use crate::ops::drive_choice::{self, DriveChoice};
use crate::ops::{AnyOperation, Ctx, Operation, World, health_rules, rules};
use crate::units::{Bytes, SimSpan};

/// Expands a RAID group by drives, by another level, or by both, by a job whose length follows from its capacity. Its data stays in use; the
/// space comes when the job ends. A failure that the present or the coming layout cannot bear ends the expansion, and the RAID group stays as it is.
///
/// Refused, in this order: unknown RAID group; drives named and counted, or neither drives nor a level; unknown drive; a RAID group of a pool;
/// a level that cannot be expanded, or protects less; another RAID group is being expanded; a job works on the RAID group; a RAID
/// group that is not `available`, with a spare in use included; a controller that is offline; a volume that is striped over several RAID
/// groups; a volume that is formatted or migrates; number of drives; no gain; drives not free, not like the members, or not enough.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RaidGroupExpand, examples(json!({"drive_count": 2})))]
pub struct Expand {
    /// Which one.
    #[schema(ignore)]
    pub raid_group: String,
    /// The drives to be added, by id, number or name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drives: Option<Vec<String>>,
    /// How many drives the array shall choose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drive_count: Option<u32>,
    /// Its level afterwards; as now if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<RaidLevel>,
}

/// What [`Expand`] found out.
#[derive(Debug)]
pub struct ExpandPlan {
    key: Key<RaidGroup>,
    expansion: Expansion,
    span: SimSpan,
}

impl Operation for Expand {
    const NAME: &'static str = "raid-group.expand";
    const POLICY: Policy = Policy::RaidGroupManagement;
    type Plan = ExpandPlan;
    type Output = Key<Job<AnyOperation>>;

    fn check(&self, world: &World, _: &Ctx) -> Result<ExpandPlan, OpError> {
        let array = &world.array;
        let group = array.raid_groups.find(&self.raid_group, Place::Target)?;
        let choice = self.choice(array, group)?;
        choice.exist(array)?;
        if let Some(pool) = group.pool {
            return Err(OpError::RaidGroupInPool { raid_group: group.name().to_owned(), pool: array.pools[pool].name().to_owned() });
        }
        let level = self.level.unwrap_or(group.level);
        levels_can_be_expanded(array, group.level, level)?;
        nothing_grows(world)?;
        health_rules::group_not_busy(world, group)?;
        health_rules::group_is_available(array, group)?;
        controllers_are_online(array)?;
        volumes_stay(world, group)?;
        let added = choice.drives.as_ref().map_or(choice.drive_count.unwrap_or(0), |drives| u32::try_from(drives.len()).unwrap_or(u32::MAX));
        let width = group.width().saturating_add(added);
        drive_choice::level_takes(level, usize::try_from(width).unwrap_or(usize::MAX))?;
        let capacity = group.member_capacity().times(u64::from(level.data_drives(width)));
        if capacity <= group.capacity {
            return Err(OpError::Shrinking { noun: Noun::RaidGroup, name: group.name().to_owned(), size: group.capacity, asked: capacity });
        }
        let drives = if added == 0 { Vec::new() } else { choice.resolve(array)? };
        drives.iter().try_for_each(|drive| is_like_the_members(array, group, *drive))?;
        let span = SimSpan::to_move(group.capacity, array.personality.sparing.expansion_rate);
        Ok(ExpandPlan { key: group.key(), expansion: Expansion { level, drives }, span })
    }

    fn apply(plan: ExpandPlan, world: &mut World, ctx: &Ctx) -> Self::Output {
        for drive in &plan.expansion.drives {
            if let Some(drive) = world.array.drives.get_mut(*drive) {
                drive.raid_group = Some(plan.key);
            }
        }
        if let Some(group) = world.array.raid_groups.get_mut(plan.key) {
            group.expansion = Some(plan.expansion);
        }
        let name = world.array.raid_groups[plan.key].name().to_owned();
        let job = NewJob { kind: Self::NAME, work: Work::Expand(plan.key), target: (Noun::RaidGroup, &name) };
        world.start_job(job, plan.span, &ctx.actor)
    }
}

impl Expand {
    /// Drives come in at most one way, and something must change. Chosen drives are as large as the smallest member.
    fn choice(&self, array: &Array, group: &RaidGroup) -> Result<DriveChoice, OpError> {
        let smallest: Option<Bytes> = group.drives.iter().map(|member| array.drives[*member].capacity).min();
        let choice = DriveChoice { drives: self.drives.clone(), drive_count: self.drive_count, drive_type: Some(group.drive_type), drive_capacity: smallest };
        let none = self.drives.as_ref().is_none_or(Vec::is_empty) && self.drive_count.unwrap_or(0) == 0;
        match (none, self.level) {
            (true, Some(_)) => Ok(DriveChoice { drives: None, drive_count: None, ..choice }),
            (true, None) => Err(OpError::Missing { noun: Noun::RaidGroup, field: "drive_count".into(), because: "drives or another level expand it".into() }),
            (false, _) => choice.is_one_way(Noun::RaidGroup).map(|()| choice),
        }
    }
}

/// The array must be able to expand groups of the level before and after, and the protection must not shrink.
fn levels_can_be_expanded(array: &Array, before: RaidLevel, after: RaidLevel) -> Result<(), OpError> {
    let offered = &array.personality.sparing.expandable_levels;
    let refuse = |what| Err(OpError::NotSupported { noun: Noun::RaidGroup, field: "level".into(), what });
    match [before, after].iter().find(|level| !offered.contains(level)) {
        Some(level) => refuse(level.refused("the expansion of RAID groups", offered)),
        None if after.bears() < before.bears() => refuse(format!("the expansion of {before} to {after}, which protects less")),
        None => Ok(()),
    }
}

/// One RAID group is expanded at a time.
fn nothing_grows(world: &World) -> Result<(), OpError> {
    world.array.raid_groups.iter().try_for_each(|group| health_rules::group_not_growing(world, group))
}

/// All controllers must take part in the work.
fn controllers_are_online(array: &Array) -> Result<(), OpError> {
    match array.controllers.iter().find(|controller| !controller.is_online()) {
        Some(controller) => {
            let (state, expected) = ("offline".into(), "online".into());
            Err(OpError::WrongState { noun: Noun::Controller, name: controller.name().to_owned(), state, expected })
        }
        None => Ok(()),
    }
}

/// No volume in the group must be striped over others, formatted or on its way.
fn volumes_stay(world: &World, group: &RaidGroup) -> Result<(), OpError> {
    let here: Vec<_> = world.array.volumes.iter().filter(|volume| volume.touches(group.key())).collect();
    if let Some(striped) = here.iter().find(|volume| volume.slices().iter().any(|slice| slice.raid_group != group.key())) {
        let by_name = striped.name().to_owned();
        return Err(OpError::InUse { noun: Noun::RaidGroup, name: group.name().to_owned(), by: Noun::Volume, by_name });
    }
    here.iter().try_for_each(|volume| rules::volume_not_busy(world, volume))
}

/// What is added must be like the members.
fn is_like_the_members(array: &Array, group: &RaidGroup, drive: Key<Drive>) -> Result<(), OpError> {
    let drive = &array.drives[drive];
    let first = group.drives.first().map(|member| array.drives[*member].name().to_owned()).unwrap_or_default();
    match sparing::misfit(group, drive) {
        Some(field) => Err(OpError::DrivesDiffer { field: field.into(), first, other: drive.name().to_owned() }),
        None => Ok(()),
    }
}
