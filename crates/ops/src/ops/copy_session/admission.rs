//! What may be copied where: the rules that every way to begin a copy shares, in the order in which they are checked.

use crate::model::{Array, CopyKind, CopyRules, CopySession, Feature, Key, Noun, Object, OpError, Usage, Volume, VolumeKind, VolumeRole, copying};
use crate::ops::rules;

/// The array must have copies between volumes, of that kind, and the licence for them.
pub(in crate::ops) fn kind_is_offered(array: &Array, kind: CopyKind) -> Result<&CopyRules, OpError> {
    match &array.personality.copy {
        None => Err(super::unsupported("kind", "copy sessions between volumes".into())),
        Some(rule) if !rule.kinds.contains(&kind) => Err(super::unsupported("kind", format!("{} sessions", kind.words()))),
        Some(rule) => rules::is_licensed(array, Feature::Copies, "a copy session").map(|()| rule),
    }
}

/// The source must hold data of hosts, outside containers and buffers.
pub(in crate::ops) fn source_is_data(source: &Volume, field: &str) -> Result<(), OpError> {
    let plain = source.role == VolumeRole::Data && source.usage == Usage::Block && source.container().is_none();
    if plain { Ok(()) } else { Err(super::unsupported(field, format!("copies of {}", kind_of(source)))) }
}

/// Full copies go to volumes like their source, snapshots to thin volumes and snap data volumes.
pub(in crate::ops) fn destination_is_fit(destination: &Volume, kind: CopyKind) -> Result<(), OpError> {
    let plain = destination.usage == Usage::Block;
    let fit = match destination.kind() {
        VolumeKind::Thin => plain,
        VolumeKind::SnapData => kind.is_snapshot(),
        VolumeKind::Standard | VolumeKind::WideStriped => plain && !kind.is_snapshot(),
        VolumeKind::Contained | VolumeKind::SnapDataPool => false,
    };
    let what = || format!("{} copies to {}", kind.words(), kind_of(destination));
    if fit { Ok(()) } else { Err(super::unsupported("destination", what())) }
}

fn kind_of(volume: &Volume) -> &'static str {
    match volume.kind() {
        _ if volume.usage == Usage::Odx => "buffers for offloaded data transfer",
        VolumeKind::Standard => "volumes in a RAID group",
        VolumeKind::WideStriped => "volumes striped over RAID groups",
        VolumeKind::Thin => "thin volumes",
        VolumeKind::Contained => "volumes in containers",
        VolumeKind::SnapData => "snap data volumes",
        VolumeKind::SnapDataPool => "snap data pool volumes",
    }
}

/// The destination must be as large as the source; `field` names it.
pub(in crate::ops) fn destination_is_large_enough(array: &Array, source: &Volume, destination: &Volume, field: &str) -> Result<(), OpError> {
    if destination.size >= source.size {
        return Ok(());
    }
    Err(OpError::OutOfRange {
        noun: Noun::CopySession,
        field: field.into(),
        value: format!("a volume of {}", destination.size),
        least: source.size.to_string(),
        most: array.personality.volume_size_max.to_string(),
    })
}

/// The volume must not be protected against being copied to.
pub(in crate::ops) fn is_not_protected(volume: &Volume) -> Result<(), OpError> {
    if !volume.copy_protection {
        return Ok(());
    }
    let (state, expected) = ("protected against copies".into(), "open to copies".into());
    Err(OpError::WrongState { noun: Noun::Volume, name: volume.name().to_owned(), state, expected })
}

/// The volume must not be the destination of another session.
pub(in crate::ops) fn is_no_destination(array: &Array, volume: &Volume) -> Result<(), OpError> {
    let other = copying::into(array, volume.key()).is_some();
    rules::count_within(Noun::CopySession, usize::from(other) + 1, 1, &format!("the destination '{}'", volume.name()))
}

/// Snapshots are copied on only by full copies that are made once, and no copy may lead back to its source.
pub(in crate::ops) fn can_follow(array: &Array, source: &Volume, destination: Option<&Volume>, kind: CopyKind) -> Result<(), OpError> {
    let above = copying::into(array, source.key()).filter(|session| session.kind.is_snapshot());
    if let Some(snapshot) = above.filter(|_| !matches!(kind, CopyKind::Opc | CopyKind::QuickOpc)) {
        return Err(rules::used_by_session(source, snapshot));
    }
    let Some(destination) = destination else { return Ok(()) };
    let below = copying::sessions_of(array, destination.key());
    let circle = copying::leads_to(array, destination.key(), source.key());
    match below.first().filter(|_| circle || kind.is_snapshot()) {
        Some(session) => Err(rules::used_by_session(destination, &array.copy_sessions[*session])),
        None => Ok(()),
    }
}

/// Not too many sessions may come in a row; `but` is one that goes.
pub(in crate::ops) fn cascade_is_short(
    array: &Array,
    (source, destination): (Key<Volume>, Option<Key<Volume>>),
    but: Option<Key<CopySession>>,
) -> Result<(), OpError> {
    let Some(rule) = &array.personality.copy else { return Ok(()) };
    let below = destination.map_or(0, |destination| copying::depth_below(array, destination, but));
    let depth = copying::depth_above(array, source, but) + 1 + below;
    if depth <= rule.cascade {
        return Ok(());
    }
    Err(OpError::LimitReached { noun: Noun::CopySession, limit: rule.cascade, within: "a row of copies".into() })
}

/// The source, the array and its copy capacity must allow one more session.
pub(in crate::ops) fn within_limits(array: &Array, rule: &CopyRules, source: &Volume, kind: CopyKind) -> Result<(), OpError> {
    let within = format!("the source '{}'", source.name());
    let snapshots = |wanted: bool| {
        let of_source = array.copy_sessions.iter().filter(|session| session.source == source.key());
        of_source.filter(|session| (session.kind == CopyKind::SnapOpcPlus) == wanted).count() + 1
    };
    if kind == CopyKind::SnapOpcPlus {
        rules::count_within(Noun::CopySession, snapshots(true), rule.generations, &format!("{within} (generations)"))?;
    } else {
        rules::count_within(Noun::CopySession, snapshots(false), rule.sessions_per_source, &within)?;
    }
    rules::within_limit(&array.copy_sessions, 1, rule.sessions)?;
    let capacity = copying::copied_capacity(array) + source.size;
    if capacity <= rule.capacity { Ok(()) } else { Err(OpError::CopyCapacity { capacity, limit: rule.capacity }) }
}
