//! Rules that many nouns share: names, limits, and "is a job working on it".

use super::{AnyOperation, World};
use crate::engine::Work;
use crate::model::{Array, Key, NameRule, Noun, Object, OpError, Table, Volume};
use crate::units::SimSpan;

/// The name must follow the array's rule.
pub(super) fn name_is_valid(noun: Noun, name: &str, rule: &NameRule) -> Result<(), OpError> {
    rule.objection(name).map_or(Ok(()), |objection| Err(OpError::NameInvalid { noun, name: name.to_owned(), objection }))
}

/// The name must be free in its scope; `own` may keep its own.
pub(super) fn name_is_free<T: Object>(table: &Table<T>, name: &str, scope: Option<u32>, own: Option<Key<T>>) -> Result<(), OpError> {
    match table.named(name, scope) {
        Some(other) if Some(other.key()) != own => Err(OpError::NameTaken { noun: T::NOUN, name: name.to_owned() }),
        _ => Ok(()),
    }
}

/// The noun's limit must not be passed by `more`.
pub(super) fn within_limit<T: Object>(table: &Table<T>, more: usize, limit: u64) -> Result<(), OpError> {
    count_within(T::NOUN, table.len() + more, limit, "the array")
}

/// A count must not pass a limit.
pub(super) fn count_within(noun: Noun, count: usize, limit: u64, within: &str) -> Result<(), OpError> {
    if u64::try_from(count).is_ok_and(|count| count <= limit) { Ok(()) } else { Err(OpError::LimitReached { noun, limit, within: within.to_owned() }) }
}

/// A number must lie in its range.
pub(super) fn in_range(noun: Noun, field: &str, value: u64, (least, most): (u64, u64)) -> Result<(), OpError> {
    if (least..=most).contains(&value) {
        Ok(())
    } else {
        Err(OpError::OutOfRange { noun, field: field.to_owned(), value: value.to_string(), least: least.to_string(), most: most.to_string() })
    }
}

/// A text must not have more characters than that.
pub(super) fn text_is_short(noun: Noun, field: &str, text: Option<&str>, most: usize) -> Result<(), OpError> {
    let characters = text.map_or(0, |text| text.chars().count());
    if characters <= most {
        return Ok(());
    }
    let (value, most) = (format!("{characters} characters"), format!("{most} characters"));
    Err(OpError::OutOfRange { noun, field: field.to_owned(), value, least: "0".into(), most })
}

/// A span must not be longer than that.
pub(super) fn span_is_short(noun: Noun, field: &str, span: SimSpan, most: SimSpan) -> Result<(), OpError> {
    if span <= most {
        return Ok(());
    }
    Err(OpError::OutOfRange { noun, field: field.to_owned(), value: span.to_string(), least: SimSpan::ZERO.to_string(), most: most.to_string() })
}

/// A controller of the array must run.
pub(super) fn array_is_ready(array: &Array) -> Result<(), OpError> {
    if array.is_ready() {
        return Ok(());
    }
    let (name, state, expected) = (array.facts.product.clone(), "without a controller that runs".into(), "ready".into());
    Err(OpError::WrongState { noun: Noun::Array, name, state, expected })
}

/// No job must be working on what `matches` says.
pub(super) fn not_busy(world: &World, noun: Noun, name: &str, matches: impl Fn(&Work<AnyOperation>) -> bool) -> Result<(), OpError> {
    match world.job_on(matches) {
        Some(job) => Err(OpError::Busy { noun, name: name.to_owned(), doing: job.name().to_owned(), job: job.number() }),
        None => Ok(()),
    }
}

/// No job must be working on a volume.
pub(super) fn volume_not_busy(world: &World, volume: &Volume) -> Result<(), OpError> {
    let key = volume.key();
    not_busy(world, Noun::Volume, volume.name(), |work| matches!(work, Work::Format(busy) | Work::Migrate(busy) if *busy == key))
}

/// A free name made from `base`, a mark and a number from 0; the base is cut where it is too long.
pub(super) fn derived_name(base: &str, mark: char, max: usize, taken: impl Fn(&str) -> bool) -> String {
    let numbered = |number: u32| {
        let suffix = format!("{mark}{number}");
        let keep = max.saturating_sub(suffix.len());
        format!("{}{suffix}", base.chars().take(keep).collect::<String>())
    };
    (0..u32::MAX).map(numbered).find(|name| !taken(name)).unwrap_or_default()
}
