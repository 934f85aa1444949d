//! Copy sessions: create, change, suspend, resume, restart, restore, reverse, delete.
//!
//! Read first: [`create`], then [`admission`] for what may be copied where.

pub(super) mod admission;
mod create;
mod delete;
mod restore;
mod run;
mod update;

pub use create::Create;
pub use delete::Delete;
pub use restore::Restore;
pub use run::{Restart, Resume, Reverse, Suspend};
pub use update::Update;

pub(super) use create::{Beginning, begin};
pub(super) use delete::{ends_with_destination, forget, is_not_copied_on};
pub(super) use run::{catch_up, may_restart};

use super::{AnyOperation, Ctx, World};
use crate::engine::{NewJob, Work};
use crate::model::{CopySession, CopyTask, Key, Noun, Object, OpError};
use crate::units::{Bytes, SimSpan};

/// Lets a job do a task for a session.
fn work(world: &mut World, key: Key<CopySession>, (task, amount): (CopyTask, Bytes), ctx: &Ctx) {
    let Some(session) = world.array.copy_sessions.get_mut(key) else { return };
    (session.task, session.amount) = (Some(task), amount);
    let (name, rate) = (session.name().to_owned(), world.array.personality.session_rate(session.priority));
    let job = NewJob { kind: "copy-session.copy", work: Work::<AnyOperation>::Copy(key), target: (Noun::CopySession, &name) };
    world.start_job(job, SimSpan::to_move(amount, rate), &ctx.actor);
}

/// No job must be working for the session.
pub(super) fn not_working(world: &World, session: &CopySession) -> Result<(), OpError> {
    match world.copy_job(session.key()) {
        Some(job) => Err(OpError::Busy { noun: Noun::CopySession, name: session.name().to_owned(), doing: doing(session).into(), job: job.number() }),
        None => Ok(()),
    }
}

/// What a job does for a session.
const fn doing(session: &CopySession) -> &'static str {
    match session.task {
        Some(CopyTask::Restore) => "it restores its source",
        Some(CopyTask::Clean) => "it is being cleared away",
        _ => "it copies",
    }
}

/// A session is in a state in which that cannot be done.
fn wrong_state(session: &CopySession, state: &str, expected: &str) -> OpError {
    OpError::WrongState { noun: Noun::CopySession, name: session.name().to_owned(), state: state.into(), expected: expected.into() }
}

/// Sessions of that kind cannot do that.
fn unsupported(field: &str, what: String) -> OpError {
    OpError::NotSupported { noun: Noun::CopySession, field: field.into(), what }
}
