//! Workloads: the load that hosts put on volumes.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Ctx, Operation, World, rules, workload_course as course};
use crate::engine;
use crate::model::{
    Array, Head, Key, Noun, Object, OpError, Place, Policy, Profile, Schedule, Table, Timetable, Volume, WorkUnit, Workload, WorkloadState, Writing, reach,
};
use crate::perf::path::{self, CUSTOM};
use crate::units::{Bytes, PartsPerMillion, SimSpan, SimTime};

/// Starts a workload: requesters that each wait for their answer, think, and ask again, spread evenly over volumes.
///
/// Refused, in this order: invalid name; name taken; unknown profile; fields of a custom profile with a named one, or out of range;
/// a model or profile without calibration; no volumes, unknown ones, or one twice; a volume that no host can reach; population in two
/// ways or out of range; rate or share of cache hits out of range; too many workloads; a number of the schedule out of range; a working set
/// without writing data, or out of range; steps of a maximum that cannot be measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = WorkloadCreate, examples(json!({"name": "oltp", "profile": "sqlserver-tpcc", "users": 60000, "volumes": ["R0", "R1"]})))]
pub struct Create {
    /// Its name.
    pub name: String,
    /// The name of a profile (see `/v1/profiles`), or `custom`.
    pub profile: String,
    /// The volumes.
    pub volumes: Vec<String>,
    /// How many users or threads, 1 to 10,000,000; the profile's own number if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub users: Option<u64>,
    /// How many requests are under way at once: the same as `users`, for workloads that do not think.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outstanding: Option<u64>,
    /// The most requests per second, 1 to 100,000,000; 0 or left out for no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<u64>,
    /// Whether it waits for a PATCH to begin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paused: Option<bool>,
    /// The share of its reads, in percent, that the array's cache answers, so that drives and their links have nothing to do with them;
    /// none if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_hit_percent: Option<u32>,
    /// Custom: bytes of one I/O operation, 512 B to 16 MiB; 4 KiB if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block_size: Option<Bytes>,
    /// Custom: share of reads in percent; 70 if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_percent: Option<u32>,
    /// Custom: share of random operations in percent; 100 if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub random_percent: Option<u32>,
    /// Custom: time between an answer and the next request, up to a day; none if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub think_time: Option<SimSpan>,
    /// How its load changes as time passes, from now on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedule: Option<Schedule>,
    /// Whether its writes bring in data, so that thin volumes fill and what snapshots hold grows; otherwise they go over data that is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub writes_data: Option<bool>,
    /// What it writes to, of all its volumes together, 1 MiB to 1 EiB; whole volumes if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub working_set: Option<Bytes>,
}

/// What [`Create`] found out.
#[derive(Clone, Debug)]
pub struct CreatePlan {
    name: String,
    profile: Profile,
    volumes: Vec<Key<Volume>>,
    population: u64,
    rate_limit: Option<u64>,
    cache_hits_ppm: PartsPerMillion,
    state: WorkloadState,
    writing: Option<Writing>,
    timetable: Option<Timetable>,
}

/// Outstanding requests of a custom workload when none are asked for.
const CUSTOM_POPULATION: u64 = 32;

impl Operation for Create {
    const NAME: &'static str = "workload.create";
    const POLICY: Policy = Policy::Emulation;
    type Plan = CreatePlan;
    type Output = Key<Workload>;

    fn check(&self, world: &World, _: &Ctx) -> Result<CreatePlan, OpError> {
        let array = &world.array;
        rules::name_is_valid(Noun::Workload, &self.name, &array.personality.volume_name)?;
        rules::name_is_free(&world.workloads, &self.name, None, None)?;
        let profile = self.profile(array)?;
        is_calibrated(array, &profile.name)?;
        let volumes = volumes(array, &self.volumes)?;
        let usual = path::usual_population(array, &profile.name, volumes.first().copied()).unwrap_or(profile.population);
        let population = population(self.users, self.outstanding)?.unwrap_or(usual);
        let rate_limit = rate_limit(self.rate, None)?;
        let cache_hits_ppm = cache_hits(self.cache_hit_percent, PartsPerMillion::default())?;
        rules::within_limit(&world.workloads, 1, array.personality.limits.workloads)?;
        let state = if self.paused.unwrap_or(false) { WorkloadState::Paused } else { WorkloadState::Running };
        let schedule = self.schedule.clone().unwrap_or(Schedule::Steady);
        course::schedule_is_in_range(&schedule)?;
        let writing = course::writing(self.writes_data, self.working_set, None)?;
        let mut plan = CreatePlan { name: self.name.clone(), profile, volumes, population, rate_limit, cache_hits_ppm, state, writing, timetable: None };
        let (trial, key) = plan.clone().on_trial(world);
        plan.timetable = course::timetable(world, &schedule, trial, key)?;
        Ok(plan)
    }

    fn apply(plan: CreatePlan, world: &mut World, ctx: &Ctx) -> Key<Workload> {
        let key = world.workloads.insert(world.array.identity, plan.name.clone(), |head| plan.made(head, ctx.now));
        engine::follow_timetable(world, key);
        key
    }
}

impl CreatePlan {
    fn made(self, head: Head, created: SimTime) -> Workload {
        let CreatePlan { name: _, profile, volumes, population, rate_limit, cache_hits_ppm, state, writing, timetable } = self;
        Workload { head, profile, volumes, population, rate_limit, cache_hits_ppm, state, created, timetable, level: PartsPerMillion::ONE, writing }
    }
    /// The workloads if it were among them.
    fn on_trial(self, world: &World) -> (Table<Workload>, Key<Workload>) {
        let mut trial = world.workloads.clone();
        let key = trial.insert(world.array.identity, self.name.clone(), |head| self.made(head, world.now()));
        (trial, key)
    }
}

impl Create {
    fn profile(&self, array: &Array) -> Result<Profile, OpError> {
        let custom = [
            ("block_size", self.block_size.is_some()),
            ("read_percent", self.read_percent.is_some()),
            ("random_percent", self.random_percent.is_some()),
            ("think_time", self.think_time.is_some()),
        ];
        if self.profile == CUSTOM {
            return self.custom_profile();
        }
        let Some(profile) = array.profiles.get(&self.profile) else {
            let known = array.profiles.keys().map(String::as_str).chain([CUSTOM]).collect::<Vec<_>>().join(", ");
            return Err(OpError::ValueInvalid {
                noun: Noun::Workload,
                field: "profile".into(),
                value: self.profile.clone(),
                expected: format!("one of {known}"),
            });
        };
        if let Some((field, _)) = custom.iter().find(|(_, given)| *given) {
            let because = "a named profile has its own; use the profile 'custom' to choose".into();
            return Err(OpError::Conflicting { noun: Noun::Workload, fields: vec![(*field).into(), "profile".into()], because });
        }
        Ok(profile.clone())
    }
    fn custom_profile(&self) -> Result<Profile, OpError> {
        let block_size = self.block_size.unwrap_or(Bytes::new(4096));
        rules::in_range(Noun::Workload, "block_size", block_size.get(), (512, 16 << 20))?;
        let (read, random) = (u64::from(self.read_percent.unwrap_or(70)), u64::from(self.random_percent.unwrap_or(100)));
        rules::in_range(Noun::Workload, "read_percent", read, (0, 100))?;
        rules::in_range(Noun::Workload, "random_percent", random, (0, 100))?;
        let think = self.think_time.unwrap_or_default();
        rules::span_is_short(Noun::Workload, "think_time", think, SimSpan::days(1))?;
        Ok(Profile {
            name: CUSTOM.into(),
            unit: WorkUnit::Io,
            ios_per_unit: 1,
            block_size,
            read_ppm: PartsPerMillion(read * 10_000),
            sequential_ppm: PartsPerMillion((100 - random) * 10_000),
            think,
            population: CUSTOM_POPULATION,
        })
    }
}

/// The model must be calibrated for the profile.
fn is_calibrated(array: &Array, profile: &str) -> Result<(), OpError> {
    if path::is_calibrated(array, profile) { Ok(()) } else { Err(OpError::NotCalibrated { model: array.facts.model.clone(), profile: profile.to_owned() }) }
}

/// There must be volumes, each once, and hosts must reach them.
fn volumes(array: &Array, named: &[String]) -> Result<Vec<Key<Volume>>, OpError> {
    if named.is_empty() {
        return Err(OpError::Missing { noun: Noun::Workload, field: "volumes".into(), because: "a workload needs a volume to work on".into() });
    }
    let mut keys = BTreeSet::new();
    for reference in named {
        let volume = array.find_volume(reference, Place::field("volumes"))?;
        if !keys.insert(volume.key()) {
            let because = format!("'{}' is named twice", volume.name());
            return Err(OpError::Conflicting { noun: Noun::Workload, fields: vec!["volumes".into()], because });
        }
    }
    if let Some(unreachable) = keys.iter().find(|key| reach::volume_paths(array, **key).is_empty()) {
        return Err(OpError::NotMapped { volume: array.volumes[*unreachable].name().to_owned() });
    }
    let mut volumes: Vec<Key<Volume>> = keys.into_iter().collect();
    volumes.sort_by_key(|key| array.volumes[*key].number());
    Ok(volumes)
}

/// Users and outstanding requests are two words for one number.
fn population(users: Option<u64>, outstanding: Option<u64>) -> Result<Option<u64>, OpError> {
    if users.is_some() && outstanding.is_some() {
        let because = "they are two words for the same number".into();
        return Err(OpError::Conflicting { noun: Noun::Workload, fields: vec!["users".into(), "outstanding".into()], because });
    }
    let field = if users.is_some() { "users" } else { "outstanding" };
    match users.or(outstanding) {
        Some(population) => rules::in_range(Noun::Workload, field, population, (1, 10_000_000)).map(|()| Some(population)),
        None => Ok(None),
    }
}

fn rate_limit(asked: Option<u64>, present: Option<u64>) -> Result<Option<u64>, OpError> {
    match asked {
        None => Ok(present),
        Some(0) => Ok(None),
        Some(rate) => rules::in_range(Noun::Workload, "rate", rate, (1, 100_000_000)).map(|()| Some(rate)),
    }
}

/// The share of reads that the cache answers.
fn cache_hits(asked: Option<u32>, present: PartsPerMillion) -> Result<PartsPerMillion, OpError> {
    let Some(percent) = asked.map(u64::from) else { return Ok(present) };
    rules::in_range(Noun::Workload, "cache_hit_percent", percent, (0, 100)).map(|()| PartsPerMillion(percent * 10_000))
}

/// Changes a workload while it runs; what is left out stays.
///
/// Refused, in this order: unknown workload; invalid name; name taken; no volumes, unknown ones, or one twice; a volume that no host
/// can reach; population in two ways or out of range; rate or share of cache hits out of range; a number of the schedule out of range; a
/// working set without writing data, or out of range; steps of a maximum that cannot be measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = WorkloadUpdate, examples(json!({"volumes": ["D0", "D1"]})))]
pub struct Update {
    /// Which one.
    #[schema(ignore)]
    pub workload: String,
    /// Its new name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The volumes from now on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volumes: Option<Vec<String>>,
    /// How many users or threads from now on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub users: Option<u64>,
    /// The same, for workloads that do not think.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outstanding: Option<u64>,
    /// The most requests per second from now on; 0 for no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<u64>,
    /// The share of its reads, in percent, that the cache answers from now on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_hit_percent: Option<u32>,
    /// Whether it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<WorkloadState>,
    /// How its load changes as time passes, beginning now; `steady` for no schedule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedule: Option<Schedule>,
    /// Whether its writes bring in data, so that thin volumes fill and what snapshots hold grows; otherwise they go over data that is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub writes_data: Option<bool>,
    /// What it writes to, of all its volumes together, 1 MiB to 1 EiB; the same as before if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub working_set: Option<Bytes>,
}

/// What [`Update`] found out.
#[derive(Clone, Debug)]
pub struct UpdatePlan {
    key: Key<Workload>,
    name: Option<String>,
    volumes: Option<Vec<Key<Volume>>>,
    population: Option<u64>,
    rate_limit: Option<u64>,
    cache_hits_ppm: PartsPerMillion,
    state: Option<WorkloadState>,
    writing: Option<Writing>,
    /// What becomes of its timetable, if anything.
    timetable: Option<Option<Timetable>>,
}

impl Operation for Update {
    const NAME: &'static str = "workload.update";
    const POLICY: Policy = Policy::Emulation;
    type Plan = UpdatePlan;
    type Output = Key<Workload>;

    fn check(&self, world: &World, _: &Ctx) -> Result<UpdatePlan, OpError> {
        let workload = world.workloads.find(&self.workload, Place::Target)?;
        if let Some(name) = &self.name {
            rules::name_is_valid(Noun::Workload, name, &world.array.personality.volume_name)?;
            rules::name_is_free(&world.workloads, name, None, Some(workload.key()))?;
        }
        let volumes = self.volumes.as_ref().map(|named| volumes(&world.array, named)).transpose()?;
        let population = population(self.users, self.outstanding)?;
        let rate_limit = rate_limit(self.rate, workload.rate_limit)?;
        let cache_hits_ppm = cache_hits(self.cache_hit_percent, workload.cache_hits_ppm)?;
        self.schedule.iter().try_for_each(course::schedule_is_in_range)?;
        let writing = course::writing(self.writes_data, self.working_set, workload.writing)?;
        let (key, name, state) = (workload.key(), self.name.clone(), self.state);
        let mut plan = UpdatePlan { key, name, volumes, population, rate_limit, cache_hits_ppm, state, writing, timetable: None };
        if let Some(schedule) = &self.schedule {
            let mut trial = world.workloads.clone();
            if let Some(workload) = trial.get_mut(key) {
                plan.clone().change(workload);
            }
            plan.timetable = Some(course::timetable(world, schedule, trial, key)?);
        }
        Ok(plan)
    }

    fn apply(plan: UpdatePlan, world: &mut World, _: &Ctx) -> Key<Workload> {
        let key = plan.key;
        engine::fill(world);
        if let Some(name) = plan.name.clone() {
            world.workloads.rename(key, name);
        }
        if let Some(workload) = world.workloads.get_mut(key) {
            plan.change(workload);
        }
        engine::follow_timetable(world, key);
        key
    }
}

impl UpdatePlan {
    fn change(self, workload: &mut Workload) {
        workload.volumes = self.volumes.unwrap_or_else(|| workload.volumes.clone());
        workload.population = self.population.unwrap_or(workload.population);
        workload.rate_limit = self.rate_limit;
        workload.cache_hits_ppm = self.cache_hits_ppm;
        workload.state = self.state.unwrap_or(workload.state);
        workload.writing = self.writing;
        workload.timetable = self.timetable.unwrap_or_else(|| workload.timetable.clone());
    }
}

/// Ends a workload.
///
/// Refused: unknown workload.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = WorkloadDelete)]
pub struct Delete {
    /// Which one.
    pub workload: String,
}

impl Operation for Delete {
    const NAME: &'static str = "workload.delete";
    const POLICY: Policy = Policy::Emulation;
    type Plan = Key<Workload>;
    type Output = ();

    fn check(&self, world: &World, _: &Ctx) -> Result<Key<Workload>, OpError> {
        world.workloads.find(&self.workload, Place::Target).map(Object::key)
    }

    fn apply(key: Key<Workload>, world: &mut World, _: &Ctx) {
        engine::fill(world);
        world.workloads.remove(key);
        engine::follow_timetable(world, key);
    }
}
