//! What copy sessions do to the space: which blocks a destination holds, and how destinations follow their sources.
//!
//! A full copy gives the destination the source's generations as they are at the start, so both hold the same data until one of them
//! is written; what differs is what one has and the other has not. A snapshot is an image: its destination holds exactly the blocks
//! that the next newer generation, or the source when there is none, no longer has.

use std::collections::BTreeSet;

use super::space::Inflow;
use super::{Array, CopyKind, CopySession, CopyStatus, Key, Layout, Object, OpError, Volume, space};
use crate::units::Bytes;

/// The session that a volume is the destination of.
pub fn into(array: &Array, volume: Key<Volume>) -> Option<&CopySession> {
    array.copy_sessions.iter().find(|session| session.destination == volume)
}

/// The sessions that a volume is the source of, in order of their beginning.
pub fn sessions_of(array: &Array, volume: Key<Volume>) -> Vec<Key<CopySession>> {
    let mut found: Vec<_> = array.copy_sessions.iter().filter(|session| session.source == volume).map(Object::key).collect();
    found.sort_unstable();
    found
}

/// The first session that a volume takes part in.
pub fn session_with(array: &Array, volume: Key<Volume>) -> Option<&CopySession> {
    array.copy_sessions.iter().find(|session| session.involves(volume))
}

/// The generations of a source, oldest first.
pub fn generations(array: &Array, source: Key<Volume>) -> Vec<Key<CopySession>> {
    let mut found: Vec<_> = array.copy_sessions.iter().filter(|session| session.source == source && session.is_generation()).map(Object::key).collect();
    found.sort_unstable();
    found
}

/// What hosts read from a volume: of a snapshot its image, of any other what is written in it.
pub fn content<'a>(array: &'a Array, volume: &'a Volume) -> &'a Layout {
    into(array, volume.key()).and_then(|session| session.image.as_ref()).unwrap_or(&volume.layout)
}

/// What stands behind a snapshot: the image of the next newer generation, or else the source.
fn behind<'a>(array: &'a Array, session: &CopySession) -> &'a Layout {
    let newer = array
        .copy_sessions
        .iter()
        .filter(|other| session.kind == CopyKind::SnapOpcPlus && other.source == session.source && other.is_generation() && other.key() > session.key());
    newer.min_by_key(|other| other.key()).and_then(|other| other.image.as_ref()).unwrap_or(&array.volumes[session.source].layout)
}

/// Bytes that a snapshot's destination must hold itself.
pub fn held(array: &Array, session: &CopySession) -> Bytes {
    session.image.as_ref().map_or(Bytes::ZERO, |image| image.missing_from(behind(array, session)))
}

/// Bytes that the source has and the destination has not, or not as they are now.
pub fn difference(array: &Array, session: &CopySession) -> Bytes {
    if session.kind.is_snapshot() {
        return Bytes::ZERO;
    }
    let (source, destination) = (&array.volumes[session.source], &array.volumes[session.destination]);
    content(array, source).missing_from(content(array, destination))
}

/// What of one volume's data another one would get, and how that comes in.
pub fn transfer(array: &Array, from: Key<Volume>, to: Key<Volume>) -> (Layout, Inflow) {
    let (from, to) = (&array.volumes[from], &array.volumes[to]);
    let layout = content(array, from).fitted(to.size);
    let coming = layout.missing_from(&to.layout);
    let shared = from.pool().is_some() && from.pool() == to.pool() && from.reduction.deduplication && to.reduction.deduplication;
    let (added, shared) = if shared { (Bytes::ZERO, coming) } else { (coming, Bytes::ZERO) };
    (layout, Inflow { added, shared, ratio: from.reducibility })
}

/// There must be room for one volume's data in another.
pub fn can_take(array: &Array, from: Key<Volume>, to: Key<Volume>) -> Result<(), OpError> {
    let (layout, inflow) = transfer(array, from, to);
    space::fits(array, &array.volumes[to], &layout, inflow)
}

/// Gives a volume the data of another as it is now; from then on, both begin a new generation with their next write.
///
/// The error says which copy of the volume that was written broke off.
pub fn take(array: &mut Array, from: Key<Volume>, to: Key<Volume>) -> Result<(), OpError> {
    let (layout, inflow) = transfer(array, from, to);
    freeze(array, from);
    space::store(array, to, layout, inflow);
    freeze(array, to);
    follow(array, to)
}

/// Lets the next write to a volume begin a new generation.
pub fn freeze(array: &mut Array, volume: Key<Volume>) {
    if let Some(volume) = array.volumes.get_mut(volume) {
        volume.frozen = true;
    }
}

/// Makes a volume hold that many bytes of no meaning, under a generation that nobody else knows.
pub fn scramble(array: &mut Array, volume: Key<Volume>, bytes: Bytes) {
    array.generation += 1;
    let generation = array.generation;
    let Some(present) = array.volumes.get(volume) else { return };
    let bytes = bytes.min(present.layout.written());
    space::store(array, volume, Layout::filled(bytes, generation), Inflow::NONE);
    if let Some(volume) = array.volumes.get_mut(volume) {
        (volume.generation, volume.frozen) = (generation, false);
    }
}

/// Brings all copies of a volume in line with what it holds now: mirrors get the same, snapshots keep what it no longer has. Those for
/// which there is no space break off; the error is the first of them.
pub fn follow(array: &mut Array, changed: Key<Volume>) -> Result<(), OpError> {
    let mut outcome = Ok(());
    let mut changed = vec![changed];
    while let Some(volume) = changed.pop() {
        for key in sessions_of(array, volume) {
            let session = &array.copy_sessions[key];
            if session.mirrors() {
                let destination = session.destination;
                match mirror(array, key) {
                    Ok(true) => changed.push(destination),
                    Ok(false) => {}
                    Err(refusal) => outcome = outcome.and(Err(refusal)),
                }
            } else if session.kind == CopyKind::SnapOpc {
                outcome = outcome.and(hold(array, key));
            }
        }
        if let Some(newest) = generations(array, volume).pop() {
            outcome = outcome.and(hold(array, newest));
        }
    }
    outcome
}

/// Lets a mirror get what its source has; tells whether it changed.
fn mirror(array: &mut Array, key: Key<CopySession>) -> Result<bool, OpError> {
    let (source, destination) = (array.copy_sessions[key].source, array.copy_sessions[key].destination);
    let (layout, inflow) = transfer(array, source, destination);
    if array.volumes[destination].layout == layout {
        return Ok(false);
    }
    let room = space::fits(array, &array.volumes[destination], &layout, inflow);
    if room.is_ok() {
        space::store(array, destination, layout, inflow);
        freeze(array, destination);
    } else {
        freeze(array, source);
        set_status(array, key, CopyStatus::ErrorSuspend);
    }
    room.map(|()| true)
}

fn set_status(array: &mut Array, key: Key<CopySession>, status: CopyStatus) {
    if let Some(session) = array.copy_sessions.get_mut(key) {
        session.status = status;
    }
}

/// How a destination's space would change if it held that many bytes of a snapshot.
fn holding(array: &Array, session: &CopySession, bytes: Bytes) -> (Layout, Inflow) {
    let destination = &array.volumes[session.destination];
    let added = bytes - destination.layout.written();
    let inflow = Inflow { added, shared: Bytes::ZERO, ratio: array.volumes[session.source].reducibility };
    (Layout::filled(bytes, destination.generation), inflow)
}

/// There must be room for what a snapshot's destination would hold with this image.
pub fn image_fits(array: &Array, session: &CopySession, image: &Layout) -> Result<(), OpError> {
    let (layout, inflow) = holding(array, session, image.missing_from(behind(array, session)));
    space::fits(array, &array.volumes[session.destination], &layout, inflow)
}

/// Lets a snapshot's destination hold what it must; if there is no space, the snapshot and all that build on it are lost.
fn hold(array: &mut Array, key: Key<CopySession>) -> Result<(), OpError> {
    let session = &array.copy_sessions[key];
    if session.image.is_none() {
        return Ok(());
    }
    let destination = session.destination;
    let (layout, inflow) = holding(array, session, held(array, session));
    if layout.written() == array.volumes[destination].layout.written() {
        return Ok(());
    }
    let room = space::fits(array, &array.volumes[destination], &layout, inflow);
    if room.is_ok() {
        space::store(array, destination, layout, inflow);
        return Ok(());
    }
    lose(array, key);
    room
}

/// A volume of a session is out of reach: a snapshot is lost, every other copy is suspended by the error.
pub fn break_off(array: &mut Array, key: Key<CopySession>) {
    let session = &array.copy_sessions[key];
    let source = session.source;
    if session.status.is_failure() {
        return;
    }
    if session.image.is_some() {
        lose(array, key);
    } else {
        freeze(array, source);
        set_status(array, key, CopyStatus::ErrorSuspend);
    }
}

/// A snapshot is lost, and with it all older generations, which build on it; their destinations keep blocks of no meaning.
pub fn lose(array: &mut Array, key: Key<CopySession>) {
    let session = &array.copy_sessions[key];
    let lost = if session.kind == CopyKind::SnapOpcPlus { generations(array, session.source) } else { vec![key] };
    for key in lost.into_iter().filter(|other| *other <= key) {
        let Some(session) = array.copy_sessions.get_mut(key).filter(|session| session.image.is_some()) else { continue };
        (session.image, session.status) = (None, CopyStatus::Error);
        let destination = session.destination;
        scramble(array, destination, Bytes::MAX);
    }
}

/// Lets all generations of a source hold what they must, newest first; the error is the first that was lost.
pub fn hold_generations(array: &mut Array, source: Key<Volume>) -> Result<(), OpError> {
    let mut outcome = Ok(());
    for key in generations(array, source).into_iter().rev() {
        outcome = outcome.and(hold(array, key));
    }
    outcome
}

/// Gives a snapshot another image, which hosts have made of it.
pub fn set_image(array: &mut Array, key: Key<CopySession>, image: Layout) {
    let Some(session) = array.copy_sessions.get_mut(key) else { return };
    session.image = Some(image);
    let source = session.source;
    // What an older generation now has to keep itself may not fit; that one is lost then, and says so.
    drop(hold(array, key));
    drop(hold_generations(array, source));
}

/// Ends a session where it is. A snapshot's destination keeps blocks of no meaning; what older generations need of them, they take over.
pub fn forget(array: &mut Array, key: Key<CopySession>) -> Result<(), OpError> {
    let Some(session) = array.copy_sessions.remove(key) else { return Ok(()) };
    if session.image.is_none() {
        return Ok(());
    }
    scramble(array, session.destination, Bytes::MAX);
    hold_generations(array, session.source)
}

/// Leaves a volume with a part of what is written in it, from the beginning: so much of so much.
pub fn cut(array: &mut Array, volume: Key<Volume>, (part, whole): (Bytes, Bytes)) {
    let layout = &array.volumes[volume].layout;
    let layout = layout.fitted(layout.written().scaled(part.get(), whole.get()));
    space::store(array, volume, layout, Inflow::NONE);
    // Less data fits wherever more did, except in snapshots of it, which are lost then and say so.
    drop(follow(array, volume));
}

/// Bytes of all copies that may go on at the same time: each counts its source's size.
pub fn copied_capacity(array: &Array) -> Bytes {
    array.copy_sessions.iter().filter_map(|session| array.volumes.get(session.source)).map(|source| source.size).sum()
}

/// How many sessions in a row lead to a volume, leaving one out.
pub fn depth_above(array: &Array, volume: Key<Volume>, but: Option<Key<CopySession>>) -> u64 {
    let above = array.copy_sessions.iter().filter(|session| session.destination == volume && Some(session.key()) != but);
    above.map(|session| 1 + depth_above(array, session.source, but)).max().unwrap_or(0)
}

/// How many sessions in a row lead on from a volume, leaving one out.
pub fn depth_below(array: &Array, volume: Key<Volume>, but: Option<Key<CopySession>>) -> u64 {
    let below = array.copy_sessions.iter().filter(|session| session.source == volume && Some(session.key()) != but);
    below.map(|session| 1 + depth_below(array, session.destination, but)).max().unwrap_or(0)
}

/// Whether a volume is copied, perhaps by way of others, to another.
pub fn leads_to(array: &Array, from: Key<Volume>, to: Key<Volume>) -> bool {
    array.copy_sessions.iter().filter(|session| session.source == from).any(|session| session.destination == to || leads_to(array, session.destination, to))
}

/// Everything that is wrong with copies, one sentence each.
pub(super) fn problems(array: &Array, found: &mut Vec<String>) {
    let mut destinations = BTreeSet::new();
    for session in array.copy_sessions.iter() {
        let name = session.name();
        let (Some(source), Some(destination)) = (array.volumes.get(session.source), array.volumes.get(session.destination)) else {
            found.push(format!("copy session '{name}' refers to a volume that does not exist"));
            continue;
        };
        if session.source == session.destination || !destinations.insert(session.destination) {
            found.push(format!("copy session '{name}' copies to its own source, or to another session's destination"));
        }
        if [source, destination].into_iter().any(|volume| volume.migration.is_some() || volume.container().is_some()) {
            found.push(format!("a volume of the copy session '{name}' moves, or lives in a container"));
        }
        if destination.size < source.size {
            found.push(format!("the destination of the copy session '{name}' is too small"));
        }
        if session.mirrors() && content(array, source).fitted(destination.size) != destination.layout {
            found.push(format!("the mirror '{name}' differs from its source"));
        }
        if session.image.is_some() && destination.layout.written() != held(array, session) {
            found.push(format!("snapshot '{name}': kept {}, computed {}", destination.layout.written(), held(array, session)));
        }
        let alive = session.kind.is_snapshot() && session.status == CopyStatus::Active && session.task != Some(super::CopyTask::Clean);
        if session.image.is_some() != alive {
            found.push(format!("the copy session '{name}' has an image and should not, or the other way round"));
        }
    }
    super::snap_pool::problems(array, found);
}
