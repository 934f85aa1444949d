//! Jobs.

use actix_web::{HttpRequest, web};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::answer::{Reply, Shown};
use super::lens::Lens;
use super::masked::Masked;
use super::problem::{Document, Problem};
use super::resource::{Answered, array, array_path};
use super::terms;
use crate::engine::{Job, JobStatus, Work};
use crate::model::Object;
use crate::ops::job::Note;
use crate::ops::{Actor, AnyOperation};
use crate::site::Tag;

/// Who asked, and how.
#[derive(Serialize, ToSchema)]
#[schema(as = Actor)]
pub(super) struct Asker<'a> {
    /// The front that the request came through.
    #[schema(example = "api")]
    front: &'a str,
    /// The user.
    #[schema(example = "admin")]
    user: &'a str,
    /// The request in one line.
    #[schema(example = "POST /v1/arrays/lab/volumes/V1/migrate")]
    request: &'a str,
}

/// A job: work that takes virtual time, or waits for its turn. Its name is the kind of work.
#[derive(Serialize, ToSchema)]
#[schema(as = Job)]
pub(super) struct View<'a> {
    /// Identifier: it stays, whatever happens to number and name.
    id: Uuid,
    /// Number: the vendor's; it can be given out again.
    number: u32,
    /// Name.
    #[schema(example = "volume.migrate")]
    name: &'a str,
    /// What it works on.
    #[schema(example = "volume")]
    noun: &'a str,
    /// The name of that when the job was made.
    #[schema(example = "V1")]
    target: &'a str,
    /// How it stands.
    status: JobStatus,
    /// How far it is.
    percent: u32,
    /// Seconds of virtual time until it ends, rounded up.
    remaining_seconds: u64,
    /// When it was made.
    #[schema(format = DateTime)]
    created_at: String,
    /// When it begins, or began.
    #[schema(format = DateTime)]
    starts_at: String,
    /// When it ends, or ended; of a queued operation, not known before its turn.
    #[schema(format = DateTime)]
    ends_at: String,
    /// Why it failed.
    #[schema(required = true)]
    error: Option<Document>,
    /// The operation that it does when its turn comes, its secrets hidden.
    #[schema(required = true, value_type = Option<Object>)]
    operation: Option<Masked>,
    /// What a request that was carried out had asked for.
    #[schema(required = true, example = json!(null))]
    description: Option<&'a str>,
    /// Who asked for it.
    actor: Asker<'a>,
}

impl Shown for Job<AnyOperation> {
    const PLURAL: &'static str = "jobs";
    const IS_JOB: bool = true;
    fn is_settled(&self) -> bool {
        self.status.is_over()
    }
    type View<'a> = View<'a>;
    fn view<'a>(&'a self, lens: &Lens<'a>) -> View<'a> {
        let operation = if let Work::Operation(operation) = &self.work { Some(Masked::of(operation)) } else { None };
        View {
            id: self.id(),
            number: self.number(),
            name: self.name(),
            noun: self.noun.name(),
            target: &self.target,
            status: self.status,
            percent: self.percent(lens.now()),
            remaining_seconds: self.remaining(lens.now()).whole_seconds(),
            created_at: lens.stamp(self.created),
            starts_at: lens.stamp(self.starts),
            ends_at: lens.stamp(self.ended.unwrap_or(self.ends)),
            error: self.error.clone().map(|refusal| Problem::from(refusal).into_document()),
            operation,
            description: if let Work::Request(text) = &self.work { Some(text) } else { None },
            actor: Asker::of(&self.actor),
        }
    }
}

/// Keeps a job of a request that was carried out.
pub(super) async fn keep(request: HttpRequest, payload: web::Payload) -> Answered {
    let array = array(&request)?;
    let (operation, terms) = terms::asked::<Note>(&request, payload, (terms::tag_of_array, String::new())).await?;
    let path = array_path(&request);
    let done = array.perform(&terms, operation, |world, key| {
        let Some(job) = world.jobs.get(key) else { return Reply::nothing().into() };
        let reply = Reply::view(201, &job.shown(&Lens::on_one(world))).tagged(Tag::of(world, job));
        reply.at(format!("{path}/{}/{}", Job::<AnyOperation>::PLURAL, job.id())).into()
    });
    Ok(Reply::from(done.await.map_err(Problem::from)?).into())
}

impl<'a> Asker<'a> {
    /// Shows an actor.
    pub(super) fn of(actor: &'a Actor) -> Asker<'a> {
        Asker { front: &actor.front, user: &actor.user, request: &actor.request }
    }
}
