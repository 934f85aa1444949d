//! Copy sessions.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::answer::Shown;
use super::lens::Lens;
use crate::engine::Job;
use crate::model::{CopyKind, CopyPhase, CopyPriority, CopySession, CopyStatus, Object, copying};
use crate::ops::AnyOperation;
use crate::units::Bytes;

/// A copy session: a volume that is copied to another volume of the array.
#[derive(Serialize, ToSchema)]
#[schema(as = CopySession)]
pub(super) struct View<'a> {
    /// Identifier: it stays, whatever happens to number and name.
    id: Uuid,
    /// Number: the vendor's; it can be given out again.
    number: u32,
    /// Name.
    #[schema(example = "R0-R0-copy")]
    name: &'a str,
    /// How it copies.
    kind: CopyKind,
    /// The volume that is copied.
    #[schema(example = "R0")]
    source: &'a str,
    /// The volume that it is copied to.
    #[schema(example = "R0-copy")]
    destination: &'a str,
    /// How it stands.
    status: CopyStatus,
    /// Where it is on its way.
    phase: CopyPhase,
    /// How far a full copy, or a restore, is, in percent.
    #[schema(required = true)]
    progress: Option<u32>,
    /// How much of the source is copied: always all of it.
    #[schema(example = "totally")]
    range: &'static str,
    /// The source's size in bytes.
    size: u64,
    /// Bytes that are still to be copied by what is going on, or were left when it was broken off.
    uncopied: u64,
    /// Bytes that the source has and the destination has not as they are now. Of a snapshot and of a mirror that follows: none.
    tracking: u64,
    /// Bytes that a snapshot keeps because nothing newer has them.
    kept: u64,
    /// Which generation of snapshots it is, from 1, the oldest.
    #[schema(required = true)]
    generation: Option<usize>,
    /// How many generations there are.
    #[schema(required = true)]
    generations: Option<usize>,
    /// How fast it copies.
    priority: CopyPriority,
    /// Whether it goes as soon as its copy is complete.
    ending: bool,
    /// The front that it was asked for through.
    #[schema(example = "api")]
    requestor: &'a str,
    /// Seconds of virtual time since it began.
    elapsed_seconds: u64,
    /// The job that works for it.
    #[schema(required = true)]
    job: Option<u32>,
    /// When it began; of a copy that is made once, of a snapshot: the moment that its data is of.
    #[schema(format = DateTime)]
    created_at: String,
    /// When it failed.
    #[schema(required = true, format = DateTime)]
    failed_at: Option<String>,
}

impl Shown for CopySession {
    const PLURAL: &'static str = "copy-sessions";
    type View<'a> = View<'a>;
    fn view<'a>(&'a self, lens: &Lens<'a>) -> View<'a> {
        let array = &lens.world().array;
        let job = lens.job_for_session(self.key());
        let generations = if self.is_generation() { copying::generations(array, self.source) } else { Vec::new() };
        let place = generations.iter().position(|key| *key == self.key()).map(|place| place + 1);
        View {
            id: self.id(),
            number: self.number(),
            name: self.name(),
            kind: self.kind,
            source: Lens::name(&array.volumes, self.source),
            destination: Lens::name(&array.volumes, self.destination),
            status: self.status,
            phase: self.phase(),
            progress: progress(self, job, lens),
            range: "totally",
            size: array.volumes[self.source].size.get(),
            uncopied: job.map_or(self.left, |job| job.left(self.amount, lens.now())).get(),
            tracking: copying::difference(array, self).get(),
            kept: copying::held(array, self).get(),
            generation: place,
            generations: place.map(|_| generations.len()),
            priority: self.priority,
            ending: self.ending,
            requestor: &self.requestor,
            elapsed_seconds: lens.now().since(self.created).0 / 1_000_000,
            job: job.map(Object::number),
            created_at: lens.stamp(self.created),
            failed_at: self.failed.map(|time| lens.stamp(time)),
        }
    }
}

fn progress(session: &CopySession, job: Option<&Job<AnyOperation>>, lens: &Lens<'_>) -> Option<u32> {
    match job {
        Some(job) => Some(job.percent(lens.now())),
        None if session.kind.is_snapshot() => None,
        None if session.left == Bytes::ZERO => Some(100),
        None => u32::try_from((session.amount - session.left).percent_of(session.amount)).ok(),
    }
}
