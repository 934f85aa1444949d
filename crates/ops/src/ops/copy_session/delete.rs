//! Ending copy sessions.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{not_working, work, wrong_state};
use crate::engine::JobStatus;
use crate::model::{Array, CopyKind, CopySession, CopyTask, Key, Object, OpError, Place, Policy, copying};
use crate::ops::{Ctx, Operation, World, rules};
use crate::units::Bytes;

/// Ends a session; its volumes stay. A QuickOPC session that copies goes when the copy is complete; the newest generation of snapshots
/// goes at once, an older one is cleared away by a job, after the next older one has taken over the blocks that it needs. What is left in
/// the destination of a snapshot has no meaning.
///
/// Forced: a copy is broken off where it is, and of generations this one and all older ones end at once.
///
/// Refused, in this order: unknown session; not forced: a mirror (EC) that copies; a job that restores or clears away; a generation whose
/// destination is copied on; no space for what the next older generation would have to keep.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = CopySessionDelete)]
pub struct Delete {
    /// Which one.
    pub copy_session: String,
    /// Whether whatever it does is broken off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub force: Option<bool>,
}

/// How a session ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// At once, whatever it does; of generations all older ones, too.
    Forced,
    /// At once.
    AtOnce,
    /// When its copy is complete.
    AfterCopy,
    /// When it has been cleared away.
    AfterCleaning,
}

impl Operation for Delete {
    const NAME: &'static str = "copy-session.delete";
    const POLICY: Policy = Policy::CopySessionManagement;
    type Plan = (Key<CopySession>, Ending);
    type Output = ();

    fn check(&self, world: &World, _: &Ctx) -> Result<Self::Plan, OpError> {
        let array = &world.array;
        let session = array.copy_sessions.find(&self.copy_session, Place::Target)?;
        let key = session.key();
        if self.force == Some(true) {
            return Ok((key, Ending::Forced));
        }
        let copies = matches!(session.task, Some(CopyTask::Copy | CopyTask::Catch));
        if session.kind == CopyKind::Ec && copies {
            return Err(wrong_state(session, "copying", "equivalent or suspended"));
        }
        if copies {
            return Ok((key, if session.kind == CopyKind::Opc { Ending::AtOnce } else { Ending::AfterCopy }));
        }
        not_working(world, session)?;
        if !session.is_generation() {
            return Ok((key, Ending::AtOnce));
        }
        let newest = copying::generations(array, session.source).last() == Some(&key);
        if !newest {
            is_not_copied_on(array, session)?;
        }
        copying::forget(&mut array.clone(), key)?;
        Ok((key, if newest { Ending::AtOnce } else { Ending::AfterCleaning }))
    }

    fn apply((key, ending): Self::Plan, world: &mut World, ctx: &Ctx) {
        match ending {
            Ending::AfterCopy => {
                if let Some(session) = world.array.copy_sessions.get_mut(key) {
                    session.ending = true;
                }
            }
            Ending::AfterCleaning => clear_away(world, key, ctx),
            Ending::AtOnce => forget(world, key),
            Ending::Forced => {
                let older = copying::generations(&world.array, world.array.copy_sessions[key].source).into_iter().filter(|other| *other < key);
                let older = if world.array.copy_sessions[key].is_generation() { older.collect() } else { Vec::new() };
                older.into_iter().chain([key]).for_each(|gone| forget(world, gone));
            }
        }
    }
}

/// What is cleared away must not be copied on to other volumes.
pub(in crate::ops) fn is_not_copied_on(array: &Array, session: &CopySession) -> Result<(), OpError> {
    let destination = &array.volumes[session.destination];
    match copying::sessions_of(array, session.destination).first() {
        Some(further) => Err(rules::used_by_session(destination, &array.copy_sessions[*further])),
        None => Ok(()),
    }
}

/// The generation leaves the others; a job clears away what its destination keeps.
fn clear_away(world: &mut World, key: Key<CopySession>, ctx: &Ctx) {
    let array = &mut world.array;
    let Some(session) = array.copy_sessions.get_mut(key) else { return };
    session.image = None;
    let (source, destination) = (session.source, session.destination);
    let amount = array.volumes[destination].layout.written();
    copying::scramble(array, destination, Bytes::MAX);
    // It was tried on a copy: what the next older one has to keep fits.
    drop(copying::hold_generations(array, source));
    work(world, key, (CopyTask::Clean, amount), ctx);
}

/// Ends a session at once. Of a first copy that is broken off, the destination keeps the part from the beginning that was copied.
pub(in crate::ops) fn forget(world: &mut World, key: Key<CopySession>) {
    let Some(session) = world.array.copy_sessions.get(key) else { return };
    let (destination, amount, first) = (session.destination, session.amount, session.task == Some(CopyTask::Copy));
    let left = world.uncopied(session);
    world.stop_copy(key, JobStatus::Canceled);
    // What older generations have no space for is lost, and says so.
    drop(copying::forget(&mut world.array, key));
    if first {
        copying::cut(&mut world.array, destination, (amount - left, amount));
    }
}

/// Whether a session goes with its destination: a full copy or a snapshot in a thin volume that nothing else builds on.
pub(in crate::ops) fn ends_with_destination(world: &World, session: &CopySession) -> Result<(), OpError> {
    let array = &world.array;
    let destination = &array.volumes[session.destination];
    let generations = copying::generations(array, session.source);
    let place = generations.iter().position(|key| *key == session.key());
    let middle = place.is_some_and(|place| place > 0 && place + 1 < generations.len());
    if destination.pool().is_none() || session.kind == CopyKind::Ec || middle || session.task == Some(CopyTask::Clean) {
        return Err(rules::used_by_session(destination, session));
    }
    if session.task == Some(CopyTask::Restore) { not_working(world, session) } else { Ok(()) }
}
