//! What if: how fast an array would be, configured otherwise or under another load. Nothing is changed but a copy, which is thrown away.
//!
//! Read first: [`Question`] and [`answer`], then `remake` for what the switches of a variant do to the copy.

mod load;
mod remake;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use self::load::Load;
use super::{Actor, AnyOperation, Ctx, World, rules};
use crate::engine;
use crate::model::{Key, Noun, Object, OpError, RaidLevel, Volume, WorkUnit, Workload, WorkloadState};
use crate::perf::curve::{self, Loading, Point, curve};
use crate::perf::path::CUSTOM;

/// The most operations of one list.
const OPERATIONS_MAX: u64 = 1_000;
/// The most workloads.
const WORKLOADS_MAX: u64 = 16;
/// The most variants.
const VARIANTS_MAX: u64 = 16;
/// The steps of a curve when none are asked for: 10, 20 .. 120 %.
const STEPS: u32 = 12;
/// The most steps of a curve.
const STEPS_MAX: u32 = 120;
/// The most points of all curves together.
pub const POINTS_MAX: u32 = 480;

/// What shall be found out: these workloads, on the array after these operations, in these variants.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = WhatIfQuestion)]
pub struct Question {
    /// Operations that are done first, at most 1,000; each is one field that is called like the operation and holds its fields.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Vec<Object>)]
    pub operations: Vec<AnyOperation>,
    /// The workloads, at most 16. Without any, those that the array has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub workloads: Vec<Load>,
    /// What the array's own workloads do beside them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub others: Option<Others>,
    /// The variants that are compared, at most 16; without any, the array as it is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub compare: Vec<Variant>,
    /// Points of each curve, a multiple of 12 up to 120, of all curves together at most 480; 12 if left out: 10, 20 .. 120 % of the load.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<u32>,
}

/// What the array's own workloads do while others are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = WhatIfOthers)]
pub enum Others {
    /// They go on.
    Keep,
    /// They keep still.
    Pause,
}

/// One way in which the array could be.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = WhatIfVariant, examples(json!({"name": "reduced", "data_reduction": true})))]
pub struct Variant {
    /// Its name in the answer.
    pub name: String,
    /// Operations that are done for it, at most 1,000.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Vec<Object>)]
    pub operations: Vec<AnyOperation>,
    /// The workloads' volumes remade with data reduction, or without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data_reduction: Option<bool>,
    /// The same for those of the workloads' volumes that live in one pool, by the pool's name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub pool_reduction: BTreeMap<String, bool>,
    /// The RAID groups below the workloads' volumes remade at that level, of as many drives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raid_level: Option<RaidLevel>,
    /// The RAID groups below the workloads' volumes remade of so many drives each, as far as the model takes them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drives: Option<u32>,
    /// Through how many host ports the workloads' volumes are reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ports: Option<u32>,
    /// How many controllers run; the last ones fail, and their partners have taken over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub controllers: Option<u32>,
}

/// What was found out.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = WhatIfAnswer)]
pub struct Answer {
    /// The model of the array.
    #[schema(example = "eternus-af250")]
    pub model: String,
    /// How the curves are stepped.
    pub loading: Loading,
    /// What a request is.
    pub unit: Unit,
    /// The workloads.
    pub workloads: Vec<Studied>,
    /// What must be known to read the numbers.
    pub notes: Vec<String>,
    /// The variants in the order of the question.
    pub variants: Vec<Outcome>,
}

/// What a request is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = WhatIfUnit)]
pub enum Unit {
    /// An I/O operation: throughput is in IOPS.
    Io,
    /// A transaction: throughput is in transactions per second.
    Transaction,
    /// Some workloads do one, some the other.
    Mixed,
}

/// A workload that was looked at.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = WhatIfWorkload)]
pub struct Studied {
    /// Its name.
    pub name: String,
    /// Its profile.
    pub profile: String,
    /// Its users or threads at 100 % of the load.
    pub users: u64,
    /// Its volumes.
    pub volumes: Vec<String>,
}

/// What a variant would do.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = WhatIfOutcome)]
pub struct Outcome {
    /// Its name.
    pub name: String,
    /// At the load that was asked for: all users, or the rate; where a load generator's rate is stepped and none was asked for, the first
    /// step with the highest throughput.
    pub at_load: Point,
    /// From little load to 120 %.
    pub curve: Vec<Point>,
}

/// A refusal, and the variant that it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Its place in [`Question::compare`].
    pub variant: Option<usize>,
    /// Why.
    pub cause: OpError,
}

impl From<OpError> for Refusal {
    fn from(cause: OpError) -> Refusal {
        Refusal { variant: None, cause }
    }
}

/// Answers a question about a world, which stays as it is.
///
/// Refused, in this order: too much of something; steps that are no multiple of 12; an operation; a workload; no workload at all; of each
/// variant: two of one name, one of its operations, one of its switches.
pub fn answer(world: &World, question: &Question) -> Result<Answer, Refusal> {
    let steps = question.is_small()?;
    let mut base = world.clone();
    run(&mut base, &question.operations)?;
    let studied = load::start(&mut base, &question.workloads)?;
    if question.others.unwrap_or(Others::Keep) == Others::Pause {
        pause_others(&mut base, &studied);
    }
    let plain = [Variant { name: "as it is".to_owned(), ..Variant::default() }];
    let variants = if question.compare.is_empty() { &plain[..] } else { &question.compare };
    let mut outcomes: Vec<Outcome> = Vec::with_capacity(variants.len());
    for (number, variant) in variants.iter().enumerate() {
        let refuse = |cause| Refusal { variant: Some(number), cause };
        if outcomes.iter().any(|known| known.name == variant.name) {
            return Err(refuse(OpError::Conflicting {
                noun: Noun::Array,
                fields: vec!["name".to_owned()],
                because: format!("two variants are called '{}'", variant.name),
            }));
        }
        let mut trial = base.clone();
        run(&mut trial, &variant.operations).and_then(|()| remake::remake(&mut trial, variant, &studied)).map_err(refuse)?;
        let found = curve(&trial.array, &trial.workloads, &studied, steps);
        outcomes.push(Outcome { name: variant.name.clone(), at_load: found.at_load, curve: found.points });
    }
    Ok(told(&base, &studied, outcomes))
}

impl Question {
    /// Nothing must be more than is answered in a moment; answers with the steps of each curve.
    fn is_small(&self) -> Result<u32, OpError> {
        let few = |field: &str, count: usize, most: u64| rules::in_range(Noun::Workload, field, u64::try_from(count).unwrap_or(u64::MAX), (0, most));
        let longest = self.compare.iter().map(|variant| variant.operations.len()).chain([self.operations.len()]).max().unwrap_or(0);
        few("operations", longest, OPERATIONS_MAX)?;
        few("workloads", self.workloads.len(), WORKLOADS_MAX)?;
        few("compare", self.compare.len(), VARIANTS_MAX)?;
        let steps = self.steps.unwrap_or(STEPS);
        if (STEPS..=STEPS_MAX).contains(&steps) && steps.is_multiple_of(STEPS) {
            let points = usize::try_from(steps).unwrap_or(usize::MAX).saturating_mul(self.compare.len().max(1));
            let most = u64::from(POINTS_MAX);
            let refused = || OpError::OutOfRange {
                noun: Noun::Workload,
                field: "steps".to_owned(),
                value: format!("{points} points"),
                least: "1".to_owned(),
                most: format!("{most} points of all curves together"),
            };
            return if u64::try_from(points).is_ok_and(|points| points <= most) { Ok(steps) } else { Err(refused()) };
        }
        let expected = format!("a multiple of {STEPS} up to {STEPS_MAX}");
        Err(OpError::ValueInvalid { noun: Noun::Workload, field: "steps".to_owned(), value: steps.to_string(), expected })
    }
}

/// Does a list of operations. One that carries a password is refused: it has no bearing on speed, and passwords do not belong in questions.
fn run(world: &mut World, operations: &[AnyOperation]) -> Result<(), OpError> {
    for (index, operation) in operations.iter().enumerate() {
        let refuse = |cause| OpError::InList { index, operation: operation.name().to_owned(), cause: Box::new(cause) };
        if operation.carries_plain_text() {
            let what = "passwords in a question of what would be".to_owned();
            return Err(refuse(OpError::NotSupported { noun: Noun::User, field: "password".to_owned(), what }));
        }
        let ctx = Ctx { now: world.now(), actor: Actor::new("what-if", "admin", operation.name()) };
        operation.run(world, &ctx).map_err(refuse)?;
        engine::advance(world, world.now());
    }
    Ok(())
}

fn pause_others(world: &mut World, studied: &[Key<Workload>]) {
    let others: Vec<Key<Workload>> = world.workloads.iter().map(Object::key).filter(|key| !studied.contains(key)).collect();
    for key in others {
        if let Some(workload) = world.workloads.get_mut(key) {
            workload.state = WorkloadState::Paused;
        }
    }
}

/// What an answer says beside its curves.
fn told(world: &World, studied: &[Key<Workload>], variants: Vec<Outcome>) -> Answer {
    let workloads: Vec<&Workload> = studied.iter().filter_map(|key| world.workloads.get(*key)).collect();
    let transactions = workloads.iter().filter(|workload| workload.profile.unit == WorkUnit::Transaction).count();
    let by_rate = workloads.iter().all(|workload| curve::loading(workload) == Loading::Rate);
    let volumes = |workload: &Workload| workload.volumes.iter().filter_map(|key| world.array.volumes.get(*key)).map(|volume| called(world, volume)).collect();
    let mut notes = vec!["Computed by a queueing law that is fitted to published measurements; nothing was measured here.".to_owned()];
    if workloads.iter().any(|workload| workload.profile.name == CUSTOM) {
        notes.push("Custom workloads are computed from the four corners, rough to about 25 %.".to_owned());
    }
    Answer {
        model: world.array.facts.model.clone(),
        loading: if by_rate { Loading::Rate } else { Loading::Users },
        unit: match transactions {
            0 => Unit::Io,
            all if all == workloads.len() => Unit::Transaction,
            _ => Unit::Mixed,
        },
        workloads: workloads
            .iter()
            .map(|workload| Studied {
                name: workload.name().to_owned(),
                profile: workload.profile.name.clone(),
                users: workload.population,
                volumes: volumes(workload),
            })
            .collect(),
        notes,
        variants,
    }
}

/// A volume's name, in a container behind the container's.
fn called(world: &World, volume: &Volume) -> String {
    let container = volume.container().and_then(|key| world.array.containers.get(key));
    container.map_or_else(|| volume.name().to_owned(), |container| format!("{}/{}", container.name(), volume.name()))
}
