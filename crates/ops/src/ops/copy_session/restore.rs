//! Copying back.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{admission, not_working, unsupported, work, wrong_state};
use crate::model::{Array, CopyKind, CopySession, CopyStatus, CopyTask, Key, Object, OpError, Place, Policy, copying};
use crate::ops::{Ctx, Operation, World};

/// Restores the source of a snapshot, or of a QuickOPC copy that is complete, from its destination: the source is at once what the
/// destination is, and a job copies what differs. The session goes on, and so do the other generations, which keep what is overwritten.
///
/// Refused, in this order: unknown session; a kind that does not restore (copy an OPC destination back, reverse a mirror); not active; a job
/// works for it; the source is the destination of another session, or protected against copies; no space in the source, or for what
/// snapshots of it then keep.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = CopySessionRestore)]
pub struct Restore {
    /// Which one.
    #[schema(ignore)]
    pub copy_session: String,
}

impl Operation for Restore {
    const NAME: &'static str = "copy-session.restore";
    const POLICY: Policy = Policy::CopySessionManagement;
    type Plan = Key<CopySession>;
    type Output = Key<CopySession>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Key<CopySession>, OpError> {
        let array = &world.array;
        let session = array.copy_sessions.find(&self.copy_session, Place::Target)?;
        if matches!(session.kind, CopyKind::Opc | CopyKind::Ec) {
            return Err(unsupported("copy_session", format!("restoring by a session of the kind {}", session.kind.words())));
        }
        if session.status != CopyStatus::Active {
            return Err(wrong_state(session, session.status.words(), "active"));
        }
        not_working(world, session)?;
        let source = &array.volumes[session.source];
        admission::is_no_destination(array, source)?;
        admission::is_not_protected(source)?;
        copying::can_take(array, session.destination, session.source)?;
        // Whether the snapshots of the source can keep what is overwritten is found by doing it on a copy.
        copying::take(&mut Array::clone(array), session.destination, session.source)?;
        Ok(session.key())
    }

    fn apply(key: Key<CopySession>, world: &mut World, ctx: &Ctx) -> Key<CopySession> {
        let array = &mut world.array;
        let (source, destination) = (array.copy_sessions[key].source, array.copy_sessions[key].destination);
        let amount = copying::transfer(array, destination, source).0.missing_from(&array.volumes[source].layout);
        // It was tried on a copy: everything fits.
        drop(copying::take(array, destination, source));
        work(world, key, (CopyTask::Restore, amount), ctx);
        key
    }
}
