//! Suspending, resuming, restarting and reversing.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{admission, not_working, unsupported, work, wrong_state};
use crate::engine::JobStatus;
use crate::model::{CopyKind, CopySession, CopyStatus, CopyTask, Key, Object, OpError, Place, Policy, copying};
use crate::ops::{Ctx, Operation, World};

/// Suspends a mirror: the destination stays as it is and can be used, and the session keeps track of what differs.
///
/// Refused, in this order: unknown session; not a mirror (EC); not active; still copying, unless forced.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = CopySessionSuspend, examples(json!({"force": false})))]
pub struct Suspend {
    /// Which one.
    #[schema(ignore)]
    pub copy_session: String,
    /// Whether also while it copies; the destination is then not complete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub force: Option<bool>,
}

/// Only mirrors do that.
fn is_mirror(session: &CopySession, what: &str) -> Result<(), OpError> {
    if session.kind == CopyKind::Ec { Ok(()) } else { Err(unsupported("copy_session", format!("{what} a session of the kind {}", session.kind.words()))) }
}

impl Operation for Suspend {
    const NAME: &'static str = "copy-session.suspend";
    const POLICY: Policy = Policy::CopySessionManagement;
    type Plan = Key<CopySession>;
    type Output = Key<CopySession>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Key<CopySession>, OpError> {
        let session = world.array.copy_sessions.find(&self.copy_session, Place::Target)?;
        is_mirror(session, "suspending")?;
        if session.status != CopyStatus::Active {
            return Err(wrong_state(session, session.status.words(), "active"));
        }
        if session.task.is_some() && self.force != Some(true) {
            return Err(wrong_state(session, "copying", "equivalent"));
        }
        Ok(session.key())
    }

    fn apply(key: Key<CopySession>, world: &mut World, _: &Ctx) -> Key<CopySession> {
        world.stop_copy(key, JobStatus::Canceled);
        let array = &mut world.array;
        if let Some(session) = array.copy_sessions.get_mut(key) {
            session.status = CopyStatus::Suspend;
            let (source, destination) = (session.source, session.destination);
            copying::freeze(array, source);
            copying::freeze(array, destination);
        }
        key
    }
}

/// Resumes a mirror: what differs is copied, then the destination is equivalent again.
///
/// Refused, in this order: unknown session; not a mirror (EC); not suspended; no space in the destination.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = CopySessionResume)]
pub struct Resume {
    /// Which one.
    #[schema(ignore)]
    pub copy_session: String,
}

impl Operation for Resume {
    const NAME: &'static str = "copy-session.resume";
    const POLICY: Policy = Policy::CopySessionManagement;
    type Plan = Key<CopySession>;
    type Output = Key<CopySession>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Key<CopySession>, OpError> {
        let session = world.array.copy_sessions.find(&self.copy_session, Place::Target)?;
        is_mirror(session, "resuming")?;
        if session.status == CopyStatus::Active {
            return Err(wrong_state(session, session.status.words(), "suspended"));
        }
        copying::can_take(&world.array, session.source, session.destination)?;
        Ok(session.key())
    }

    fn apply(key: Key<CopySession>, world: &mut World, ctx: &Ctx) -> Key<CopySession> {
        catch_up(world, key, ctx);
        key
    }
}

/// Restarts a QuickOPC session whose copy is complete: what differs is copied, so that the destination is again what the source is now.
///
/// Refused, in this order: unknown session; not QuickOPC; a job works for it; no space in the destination.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = CopySessionRestart)]
pub struct Restart {
    /// Which one.
    #[schema(ignore)]
    pub copy_session: String,
}

impl Operation for Restart {
    const NAME: &'static str = "copy-session.restart";
    const POLICY: Policy = Policy::CopySessionManagement;
    type Plan = Key<CopySession>;
    type Output = Key<CopySession>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Key<CopySession>, OpError> {
        let session = world.array.copy_sessions.find(&self.copy_session, Place::Target)?;
        may_restart(world, session)
    }

    fn apply(key: Key<CopySession>, world: &mut World, ctx: &Ctx) -> Key<CopySession> {
        catch_up(world, key, ctx);
        key
    }
}

/// The session must be able to copy what differs once more.
pub(in crate::ops) fn may_restart(world: &World, session: &CopySession) -> Result<Key<CopySession>, OpError> {
    if session.kind != CopyKind::QuickOpc {
        return Err(unsupported("copy_session", format!("restarting a session of the kind {}", session.kind.words())));
    }
    not_working(world, session)?;
    copying::can_take(&world.array, session.source, session.destination)?;
    Ok(session.key())
}

/// Lets the destination get what differs.
pub(in crate::ops) fn catch_up(world: &mut World, key: Key<CopySession>, ctx: &Ctx) {
    let array = &mut world.array;
    let Some(session) = array.copy_sessions.get(key) else { return };
    let (source, destination, amount) = (session.source, session.destination, session.left + copying::difference(array, session));
    if let Some(session) = array.copy_sessions.get_mut(key) {
        (session.status, session.failed, session.left) = (CopyStatus::Active, None, crate::units::Bytes::ZERO);
    }
    // What the copies of the destination have no space for breaks off, and says so.
    drop(copying::take(array, source, destination));
    work(world, key, (CopyTask::Catch, amount), ctx);
}

/// Reverses a suspended mirror: the destination becomes the source. It stays suspended until it is resumed.
///
/// Refused, in this order: unknown session; not a mirror (EC); not suspended; its copy was broken off; the source is smaller than the
/// destination; the source is protected against copies, or the destination of another session; too many copies in a row.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = CopySessionReverse)]
pub struct Reverse {
    /// Which one.
    #[schema(ignore)]
    pub copy_session: String,
}

impl Operation for Reverse {
    const NAME: &'static str = "copy-session.reverse";
    const POLICY: Policy = Policy::CopySessionManagement;
    type Plan = Key<CopySession>;
    type Output = Key<CopySession>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Key<CopySession>, OpError> {
        let array = &world.array;
        let session = array.copy_sessions.find(&self.copy_session, Place::Target)?;
        is_mirror(session, "reversing")?;
        if session.status != CopyStatus::Suspend {
            return Err(wrong_state(session, session.status.words(), "suspended"));
        }
        if !session.left.is_zero() {
            return Err(wrong_state(session, "copied in part", "resumed and equivalent once"));
        }
        let (source, destination) = (&array.volumes[session.source], &array.volumes[session.destination]);
        admission::destination_is_large_enough(array, destination, source, "copy_session")?;
        admission::is_not_protected(source)?;
        admission::is_no_destination(array, source)?;
        admission::cascade_is_short(array, (destination.key(), Some(source.key())), Some(session.key()))?;
        Ok(session.key())
    }

    fn apply(key: Key<CopySession>, world: &mut World, _: &Ctx) -> Key<CopySession> {
        if let Some(session) = world.array.copy_sessions.get_mut(key) {
            std::mem::swap(&mut session.source, &mut session.destination);
        }
        key
    }
}
