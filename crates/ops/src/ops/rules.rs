//! Rules that many nouns share: names, limits, and "is a job working on it".

use super::{AnyOperation, World};
use crate::engine::Work;
use crate::model::{
    Array, Container, CopySession, EncryptionMode, Feature, Key, NameRule, Noun, Object, OpError, Secret, Table, Tenant, Volume, VolumeRole, copying,
};
use crate::units::SimSpan;

/// The name must follow the array's rule.
pub(super) fn name_is_valid(noun: Noun, name: &str, rule: &NameRule) -> Result<(), OpError> {
    rule.objection(name).map_or(Ok(()), |objection| Err(OpError::NameInvalid { noun, name: name.to_owned(), objection }))
}

/// A volume's name must follow the array's rule; in a container, it may have the name of a directory and a slash before it.
pub(super) fn volume_name_is_valid(array: &Array, name: &str, scope: Option<u32>) -> Result<(), OpError> {
    name_in(&array.personality.volume_name, name, scope)
}

/// The same by a rule.
pub(super) fn name_in(rule: &NameRule, name: &str, scope: Option<u32>) -> Result<(), OpError> {
    match name.split_once('/').filter(|_| scope.is_some() && rule.forbidden.contains('/')) {
        Some((directory, inner)) => {
            name_is_valid(Noun::Volume, directory, rule)?;
            name_is_valid(Noun::Volume, inner, rule)
        }
        None => name_is_valid(Noun::Volume, name, rule),
    }
}

/// The name must be free in its scope; `own` may keep its own.
pub(super) fn name_is_free<T: Object>(table: &Table<T>, name: &str, scope: Option<u32>, own: Option<Key<T>>) -> Result<(), OpError> {
    match table.named(name, scope) {
        Some(other) if Some(other.key()) != own => Err(OpError::NameTaken { noun: T::NOUN, name: name.to_owned() }),
        _ => Ok(()),
    }
}

/// The name must be free: in its tenant where names are unique in tenants only, otherwise in the array.
pub(super) fn name_is_free_for<T: Object>(
    array: &Array,
    table: &Table<T>,
    name: &str,
    tenant: Option<Key<Tenant>>,
    own: Option<Key<T>>,
) -> Result<(), OpError> {
    if array.personality.offer.names_per_tenant {
        return name_is_free(table, name, tenant.map(Key::raw), own);
    }
    let taken = table.all_named(name).any(|other| Some(other.key()) != own);
    if taken { Err(OpError::NameTaken { noun: T::NOUN, name: name.to_owned() }) } else { Ok(()) }
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

/// A secret has so many printable ASCII characters, and is not what stands in the place of secrets.
pub(super) fn secret_is_good(noun: Noun, field: &str, secret: &Secret, (least, most): (usize, usize)) -> Result<(), OpError> {
    let text = secret.reveal();
    if (least..=most).contains(&text.len()) && text.chars().all(|c| c.is_ascii_graphic()) && text != Secret::MASK {
        return Ok(());
    }
    let expected = format!("a secret of {least} to {most} printable ASCII characters without spaces");
    Err(OpError::ValueInvalid { noun, field: field.to_owned(), value: Secret::MASK.to_owned(), expected })
}

/// A licence that is needed for something must be registered.
pub(super) fn is_licensed(array: &Array, feature: Feature, what: &str) -> Result<(), OpError> {
    match array.missing_licence(feature) {
        Some(licence) => Err(OpError::LicenceMissing { licence: licence.to_owned(), what: what.to_owned() }),
        None => Ok(()),
    }
}

/// What shall be encrypted needs encryption to be switched on.
pub(super) fn encryption_is_on(array: &Array, wanted: Option<bool>) -> Result<(), OpError> {
    if wanted == Some(true) && array.settings.encryption.mode == EncryptionMode::Off {
        return Err(OpError::SwitchedOff { setting: "encryption".into(), field: Some("encryption".into()) });
    }
    Ok(())
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

/// No job must be working on a container.
pub(super) fn container_not_busy(world: &World, container: &Container) -> Result<(), OpError> {
    let key = container.key();
    not_busy(world, Noun::Container, container.name(), |work| matches!(work, Work::Split(busy) | Work::MigrateContainer(busy, _) if *busy == key))
}

/// The volume must not take part in a copy session.
pub(super) fn volume_not_copied(world: &World, volume: &Volume) -> Result<(), OpError> {
    copying::session_with(&world.array, volume.key()).map_or(Ok(()), |session| Err(used_by_session(volume, session)))
}

/// A volume is in use by a session.
pub(super) fn used_by_session(volume: &Volume, session: &CopySession) -> OpError {
    OpError::InUse { noun: Noun::Volume, name: volume.name().to_owned(), by: Noun::CopySession, by_name: session.name().to_owned() }
}

/// The volume must be one that holds data of hosts.
pub(super) fn holds_data(volume: &Volume, what: &str) -> Result<(), OpError> {
    if volume.role == VolumeRole::Data { Ok(()) } else { Err(OpError::NotSupported { noun: Noun::Volume, field: "volume".into(), what: what.into() }) }
}

/// Hosts must be able to see the volume; `field` names it.
pub(super) fn is_for_hosts(volume: &Volume, field: &str) -> Result<(), OpError> {
    if volume.role != VolumeRole::SnapPool {
        return Ok(());
    }
    Err(OpError::NotSupported { noun: Noun::Volume, field: field.into(), what: "access of hosts to snap data pool volumes".into() })
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
