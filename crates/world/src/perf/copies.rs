//! What writes to a volume cost because copies follow it.
//!
//! A mirror (EC) writes everything once more. A snapshot (SnapOPC, SnapOPC+) keeps what is overwritten for the first time: it is read and
//! written elsewhere before. So does a copy of everything (OPC, QuickOPC) for what it has not copied yet: half of it, on average over the
//! time that the copying takes (assumption). Keeping track of differences costs nothing (assumption).

use super::demand::Io;
use super::inside::{Inside, Times};
use super::stream::{groups, number, physical_share, reduction_factor};
use crate::model::{Array, CopyKind, CopySession, CopyStatus, CopyTask, Object, Volume, copying};

/// Deepest row of copies that is followed; more than any array allows.
const DEEPEST: u32 = 16;

/// What becomes of a write to the source of a session.
enum Follow {
    /// It is written to the destination as well.
    Mirrored,
    /// With this probability, what it overwrites goes to the destination before.
    Kept(f64),
    /// Nothing.
    Nothing,
}

/// Adds what copies make of `times` writes to a volume.
pub(super) fn follow(inside: &mut Inside<'_>, array: &Array, volume: &Volume, io: &Io, times: f64) {
    row(inside, array, volume, io, (times, DEEPEST));
}

fn row(inside: &mut Inside<'_>, array: &Array, source: &Volume, io: &Io, (times, depth): (f64, u32)) {
    if depth == 0 || times <= 0.0 {
        return;
    }
    let mut sessions: Vec<(&CopySession, &Volume)> = array
        .copy_sessions
        .iter()
        .filter(|session| session.source == source.key())
        .filter_map(|session| array.volumes.get(session.destination).map(|destination| (session, destination)))
        .collect();
    sessions.sort_by_key(|(_, destination)| destination.name());
    for (session, destination) in sessions {
        let written = match of(array, session, source) {
            Follow::Mirrored => times,
            Follow::Kept(share) => {
                inside.io(&groups(array, source), &Io { read_share: 1.0, ..*io }, Times { times: times * share, ..costs(array, source) });
                times * share
            }
            Follow::Nothing => continue,
        };
        inside.io(&groups(array, destination), &Io { read_share: 0.0, ..*io }, Times { times: written, ..costs(array, destination) });
        row(inside, array, destination, io, (written, depth - 1));
    }
}

fn costs(array: &Array, volume: &Volume) -> Times {
    Times { times: 0.0, physical_share: physical_share(array, volume), reduction: reduction_factor(array, volume, 0.0) }
}

fn of(array: &Array, session: &CopySession, source: &Volume) -> Follow {
    let active = session.status == CopyStatus::Active;
    match (session.kind, session.task) {
        (CopyKind::Ec, _) if session.mirrors() => Follow::Mirrored,
        (CopyKind::Opc | CopyKind::QuickOpc, Some(CopyTask::Copy | CopyTask::Catch)) if active => Follow::Kept(0.5),
        (CopyKind::SnapOpc, _) => Follow::Kept(still_shared(array, session, source)),
        (CopyKind::SnapOpcPlus, _) if copying::generations(array, source.key()).last() == Some(&session.key()) => {
            Follow::Kept(still_shared(array, session, source))
        }
        _ => Follow::Nothing,
    }
}

/// The share of what the source holds that a snapshot still needs and does not keep itself.
fn still_shared(array: &Array, session: &CopySession, source: &Volume) -> f64 {
    let Some(image) = &session.image else { return 0.0 };
    let (shared, whole) = (image.written() - copying::held(array, session), source.layout.written());
    if whole.is_zero() { 0.0 } else { (number(shared) / number(whole)).min(1.0) }
}
