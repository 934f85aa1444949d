//! Beginning copy sessions.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{admission, work};
use crate::model::{Array, CopyKind, CopyPriority, CopySession, CopyStatus, CopyTask, Key, Layout, Noun, Object, OpError, Place, Policy, Volume, copying};
use crate::ops::{Ctx, Operation, World, default_name, rules};
use crate::units::Bytes;

/// Begins to copy a volume to another one that exists. A full copy takes its space in the destination at once, and the destination can
/// be used at once; a job tells how far it is. A snapshot keeps in the destination what is overwritten in the source from now on. What
/// was in the destination before is gone.
///
/// Refused, in this order: an array without such copies; unknown source or destination; both the same; a kind of volume that cannot be
/// copied, or copied to; destination smaller than the source; destination protected against copies; a job works on one of them; the
/// destination of another session; a copy of a snapshot that is not made once, a snapshot into a copied volume, or a circle; too many
/// copies in a row; invalid name; name taken; too many generations or sessions of the source, or sessions of the array; copy capacity; no
/// space in the destination.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = CopySessionCreate, examples(json!({"kind": "quick_opc", "source": "R0", "destination": "R0-copy"})))]
pub struct Create {
    /// Its name; otherwise the source's and the destination's, joined by a hyphen, cut and numbered where needed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// How it copies.
    pub kind: CopyKind,
    /// The volume that is copied.
    pub source: String,
    /// The volume that it is copied to.
    pub destination: String,
    /// How fast it copies; `middle` if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<CopyPriority>,
}

/// A session that is to begin.
#[derive(Debug)]
pub struct Beginning {
    pub(in crate::ops) name: Option<String>,
    pub(in crate::ops) kind: CopyKind,
    pub(in crate::ops) source: Key<Volume>,
    pub(in crate::ops) destination: Key<Volume>,
    pub(in crate::ops) priority: CopyPriority,
}

impl Operation for Create {
    const NAME: &'static str = "copy-session.create";
    const POLICY: Policy = Policy::CopySessionManagement;
    type Plan = Beginning;
    type Output = Key<CopySession>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Beginning, OpError> {
        let array = &world.array;
        let rule = admission::kind_is_offered(array, self.kind)?;
        let source = array.find_volume(&self.source, Place::field("source"))?;
        let destination = array.find_volume(&self.destination, Place::field("destination"))?;
        are_two(source, destination)?;
        admission::source_is_data(source, "source")?;
        admission::destination_is_fit(destination, self.kind)?;
        admission::destination_is_large_enough(array, source, destination, "destination")?;
        admission::is_not_protected(destination)?;
        rules::volume_not_busy(world, source)?;
        rules::volume_not_busy(world, destination)?;
        admission::is_no_destination(array, destination)?;
        admission::can_follow(array, source, Some(destination), self.kind)?;
        admission::cascade_is_short(array, (source.key(), Some(destination.key())), None)?;
        if let Some(name) = &self.name {
            rules::name_is_valid(Noun::CopySession, name, &array.personality.volume_name)?;
            rules::name_is_free(&array.copy_sessions, name, None, None)?;
        }
        admission::within_limits(array, rule, source, self.kind)?;
        if !self.kind.is_snapshot() {
            copying::can_take(array, source.key(), destination.key())?;
        }
        Ok(Beginning {
            name: self.name.clone(),
            kind: self.kind,
            source: source.key(),
            destination: destination.key(),
            priority: self.priority.unwrap_or_default(),
        })
    }

    fn apply(plan: Beginning, world: &mut World, ctx: &Ctx) -> Key<CopySession> {
        begin(plan, world, ctx)
    }
}

/// Nothing is copied to itself.
fn are_two(source: &Volume, destination: &Volume) -> Result<(), OpError> {
    if source.key() != destination.key() {
        return Ok(());
    }
    let fields = vec!["source".to_owned(), "destination".to_owned()];
    Err(OpError::Conflicting { noun: Noun::CopySession, fields, because: format!("'{}' cannot be copied to itself", source.name()) })
}

/// Bytes that a first copy moves: of a thin volume what is written, of any other all of it. There always is something to do, so that a
/// session can be seen before it is over.
fn amount(array: &Array, source: &Volume) -> Bytes {
    let whole = if source.pool().is_some() { copying::content(array, source).written() } else { source.size };
    whole.max(array.personality.size_unit)
}

/// Begins a session. Its volumes obey all rules.
pub(in crate::ops) fn begin(plan: Beginning, world: &mut World, ctx: &Ctx) -> Key<CopySession> {
    let Beginning { name, kind, source, destination, priority } = plan;
    let array = &mut world.array;
    let amount = if kind.is_snapshot() { Bytes::ZERO } else { amount(array, &array.volumes[source]) };
    let image = kind.is_snapshot().then(|| snapshot(array, source, destination));
    if !kind.is_snapshot() {
        // What the copies of the destination have no space for breaks off, and says so.
        drop(copying::take(array, source, destination));
    }
    let rule = &array.personality.volume_name;
    let made = || default_name::joined(&array.copy_sessions, rule, array.volumes[source].name(), array.volumes[destination].name());
    let name = name.unwrap_or_else(made);
    let key = array.copy_sessions.insert(array.identity, name, |head| CopySession {
        head,
        kind,
        source,
        destination,
        status: CopyStatus::Active,
        task: None,
        amount,
        left: Bytes::ZERO,
        image,
        ending: false,
        priority,
        requestor: ctx.actor.front.clone(),
        created: ctx.now,
        failed: None,
    });
    if !kind.is_snapshot() {
        work(world, key, (CopyTask::Copy, amount), ctx);
    }
    key
}

/// The source as it is; the destination is emptied.
fn snapshot(array: &mut Array, source: Key<Volume>, destination: Key<Volume>) -> Layout {
    copying::scramble(array, destination, Bytes::ZERO);
    copying::freeze(array, source);
    copying::content(array, &array.volumes[source]).clone()
}
