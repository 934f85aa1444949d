//! Jobs: submit an operation whose turn comes later, keep one of a request that was carried out, cancel, delete.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::password::Salt;
use super::{Actor, AnyOperation, Ctx, Operation, World, find_listed, note, rules};
use crate::engine::{self, Job, JobStatus, NewJob, Work};
use crate::model::{DriveState, Key, Notes, Noun, Object, OpError, Place, Policy, PolicySet, RestorationKind};
use crate::units::SimSpan;

/// Queues an operation; the job keeps its outcome, refusals included. It takes the rights that the operation takes; to let it wait is for
/// the server's user.
///
/// Refused, in this order: an operation of the clock or of jobs, which cannot wait; a delay of more than ten years.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = JobSubmit, examples(json!({"operation": {"volume.write": {"volume": "R0", "bytes": "1TB"}}, "after": "10m"})))]
pub struct Submit {
    /// The operation, under its name.
    #[schema(value_type = Object)]
    pub operation: Box<AnyOperation>,
    /// How long it waits; not at all if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<SimSpan>,
}

/// The longest that anything can be put off.
pub(super) const FAR_AHEAD: SimSpan = SimSpan::days(3_650);

impl Operation for Submit {
    const NAME: &'static str = "job.submit";
    const POLICY: Policy = Policy::Emulation;
    const DEMANDS_DEPEND: bool = true;
    type Plan = (Box<AnyOperation>, SimSpan);
    type Output = Key<Job<AnyOperation>>;

    fn demands(&self, world: &World, actor: &Actor) -> PolicySet {
        let carried = self.operation.demands(world, actor);
        if self.after.is_some() { carried.and(Self::POLICY) } else { carried }
    }
    fn carries_plain_text(&self) -> bool {
        self.operation.carries_plain_text()
    }
    fn salt(&self, world: &World) -> Salt {
        self.operation.salt(world)
    }
    fn sealed(self, salt: &Salt) -> Submit {
        Submit { operation: Box::new(self.operation.sealed(salt)), ..self }
    }

    fn check(&self, _: &World, _: &Ctx) -> Result<Self::Plan, OpError> {
        let name = self.operation.name();
        if name.starts_with("clock.") || name.starts_with("job.") {
            let expected = "an operation on the array; those of the clock and of jobs cannot wait".into();
            return Err(OpError::ValueInvalid { noun: Noun::Job, field: "operation".into(), value: name.into(), expected });
        }
        let after = self.after.unwrap_or_default();
        rules::span_is_short(Noun::Job, "after", after, FAR_AHEAD)?;
        Ok((self.operation.clone(), after))
    }

    fn masked(&self) -> Submit {
        Submit { operation: Box::new(self.operation.masked()), after: self.after }
    }

    fn apply((operation, after): Self::Plan, world: &mut World, ctx: &Ctx) -> Self::Output {
        let kind = operation.name();
        let starts = world.now() + after;
        let name = world.array.facts.product.clone();
        world.queue_job(NewJob { kind, work: Work::Operation(operation), target: (Noun::Array, &name) }, starts, &ctx.actor)
    }
}

/// Cancels a job that waits or works. What it works on stays as it was.
///
/// Refused, in this order: unknown job; it is over; it is work that cannot be stopped: a format, a rebuild, a copyback, the redundant copy of
/// a drive that will fail, the expansion or the change of the owner of a RAID group, an update of the firmware, the start of a controller, a
/// change of controllers, the charging of a battery, or a copy, which is stopped by its session.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = JobCancel)]
pub struct Cancel {
    /// Which one.
    #[schema(ignore)]
    pub job: String,
}

impl Operation for Cancel {
    const NAME: &'static str = "job.cancel";
    const POLICY: Policy = Policy::Emulation;
    type Plan = Key<Job<AnyOperation>>;
    type Output = Key<Job<AnyOperation>>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Self::Plan, OpError> {
        let job = world.jobs.find(&self.job, Place::Target)?;
        if job.status.is_over() {
            return Err(OpError::NotRunning { noun: Noun::Job, name: job.number().to_string(), what: "work left to cancel".into() });
        }
        match endless(world, &job.work) {
            Some(what) => Err(OpError::NotSupported { noun: Noun::Job, field: "job".into(), what: format!("stopping {what}") }),
            None => Ok(job.key()),
        }
    }

    fn apply(key: Self::Plan, world: &mut World, _: &Ctx) -> Self::Output {
        stop(world, key);
        key
    }
}

/// Work that cannot be stopped. A redundant copy can, unless the array began it because the drive will fail.
fn endless(world: &World, work: &Work<AnyOperation>) -> Option<&'static str> {
    match work {
        Work::Format(_) => Some("a format"),
        Work::Restore(work) if work.kind == RestorationKind::RedundantCopy => {
            let group = world.array.raid_groups.get(work.raid_group)?;
            let member = group.members().find(|(slot, _)| *slot == work.slot).and_then(|(_, member)| world.array.drives.get(member))?;
            (member.state == DriveState::PredictiveFailure).then_some("the redundant copy of a drive that will fail")
        }
        Work::Restore(_) => Some("a rebuild or copyback"),
        Work::Expand(_) => Some("the expansion of a RAID group"),
        Work::MoveOwner(_) => Some("the change of an owner"),
        Work::Firmware(_) => Some("an update of the firmware"),
        Work::Boot(_) => Some("the start of a controller"),
        Work::TakeOver(_) | Work::GiveBack(_) => Some("a change of controllers"),
        Work::Charge(_) => Some("the charging of a battery"),
        Work::Copy(_) => Some("a copy by its job (suspend or delete the copy session)"),
        Work::Migrate(_) | Work::MigrateContainer(..) | Work::Split(_) | Work::Balance(_) | Work::Operation(_) | Work::Request(_) => None,
    }
}

/// Stops a job and undoes what it had set aside.
pub(super) fn stop(world: &mut World, key: Key<Job<AnyOperation>>) {
    engine::undo(world, key);
    world.end_job(key, JobStatus::Canceled, None);
}

/// Forgets a job that is over.
///
/// Refused, in this order: unknown job; it is not over.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = JobDelete)]
pub struct Delete {
    /// Which one.
    pub job: String,
}

impl Operation for Delete {
    const NAME: &'static str = "job.delete";
    const POLICY: Policy = Policy::Emulation;
    type Plan = Key<Job<AnyOperation>>;
    type Output = ();

    fn check(&self, world: &World, _: &Ctx) -> Result<Self::Plan, OpError> {
        let job = world.jobs.find(&self.job, Place::Target)?;
        if !job.status.is_over() {
            return Err(OpError::Busy { noun: Noun::Job, name: job.number().to_string(), doing: job.name().to_owned(), job: job.number() });
        }
        Ok(job.key())
    }

    fn apply(key: Self::Plan, world: &mut World, _: &Ctx) {
        world.jobs.remove(key);
    }
}

/// Keeps a job of a request that was carried out: fronts whose requests all are jobs tell by it what was done. It has succeeded, unless it
/// says that it failed. It takes the rights that notes beside the object take.
///
/// Refused, in this order: no description, or one of more than 1,024 characters; unknown noun; an object without its noun; notes that
/// cannot be kept.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = JobNote, examples(json!({"description": "PATCH /api/storage/volumes/vol1", "noun": "container", "object": "vol1"})))]
pub struct Note {
    /// What was asked for.
    pub description: String,
    /// The noun of what it was about; the array if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub noun: Option<String>,
    /// Which one, by id, number or name; or how it was called, when it is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object: Option<String>,
    /// Whether the request was refused when its turn came.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub failed: bool,
    /// What is kept beside the job.
    #[serde(default, skip_serializing_if = "Notes::is_empty")]
    #[schema(value_type = Object)]
    pub notes: Notes,
}

/// What [`Note`] found out.
#[derive(Debug)]
pub struct NotePlan {
    description: String,
    about: (Noun, String),
    status: JobStatus,
    notes: Notes,
}

/// The most characters of a description.
const DESCRIPTION_MOST: usize = 1024;

impl Operation for Note {
    const NAME: &'static str = "job.note";
    const POLICY: Policy = Policy::StorageManagement;
    const DEMANDS_DEPEND: bool = true;
    type Plan = NotePlan;
    type Output = Key<Job<AnyOperation>>;

    fn demands(&self, _: &World, _: &Actor) -> PolicySet {
        let noun = self.noun.as_deref().and_then(|noun| note::noun(noun).ok());
        PolicySet::of(noun.map_or(Self::POLICY, note::policy_of))
    }

    fn check(&self, world: &World, _: &Ctx) -> Result<Self::Plan, OpError> {
        if self.description.is_empty() {
            return Err(OpError::Missing { noun: Noun::Job, field: "description".into(), because: "the job says what was asked for".into() });
        }
        rules::text_is_short(Noun::Job, "description", Some(&self.description), DESCRIPTION_MOST)?;
        let noun = self.noun.as_deref().map(note::noun).transpose()?;
        let about = match (noun, &self.object) {
            (None, Some(_)) => return Err(OpError::Missing { noun: Noun::Job, field: "noun".into(), because: "an object has a noun".into() }),
            (Some(noun), Some(object)) => {
                let found = find_listed(world, noun, object, Place::field("object"));
                (noun, found.map_or_else(|_| object.clone(), |head| head.name().to_owned()))
            }
            (noun, None) => (noun.unwrap_or(Noun::Array), world.array.facts.product.clone()),
        };
        note::are_good(world, (Noun::Job, &self.description), None, &self.notes)?;
        let status = if self.failed { JobStatus::Failed } else { JobStatus::Succeeded };
        Ok(NotePlan { description: self.description.clone(), about, status, notes: self.notes.clone() })
    }

    fn apply(plan: NotePlan, world: &mut World, ctx: &Ctx) -> Self::Output {
        let NotePlan { description, about: (noun, name), status, notes } = plan;
        let key = world.keep_job(NewJob { kind: "request", work: Work::Request(description), target: (noun, &name) }, status, &ctx.actor);
        world.jobs.annotate(key, &notes);
        key
    }
}
