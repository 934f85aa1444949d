//! Notes: what is kept beside an object, and what may stand in them.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::{Actor, Ctx, LISTED, Operation, Output, Reference, World, annotate, find_listed, listed_head, rules};
use crate::model::{NOTE_NAME_MOST, NOTES_BYTES_MOST, NOTES_MOST, Notes, Noun, OpError, Place, Policy, PolicySet, notes};

/// Keeps notes beside an object: things that somebody wants to find again there, and from which nothing in the array follows. What is
/// left out stays; null takes a note away. Notes are shown to all who may read the object: secrets do not belong in them.
///
/// A value of the form `{"record": "<id>"}`, wherever it stands in a note, is a reference to a record.
///
/// Refused, in this order: unknown noun; unknown object; a name that has not 1 to 64 characters of `a-z`, `0-9`, `_`, `.` and `-`; a number
/// with a fraction; a reference to an unknown record; more than 64 notes, or more than 16 KiB of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NoteSet, examples(json!({"noun": "volume", "object": "V1", "notes": {"comment": "logs of the shop", "os_type": "linux", "old": null}})))]
pub struct Set {
    /// The noun: `volume`, `container`, `host-group`, ..
    #[schema(example = "volume")]
    pub noun: String,
    /// Which one, by id, number or name; the one that was made last if left out, which in a list of operations is the one just made.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub object: String,
    /// Notes by name.
    #[schema(value_type = Object)]
    pub notes: Notes,
}

/// An object whose notes have changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Noted {
    /// Its noun.
    pub noun: Noun,
    /// Its creation sequence.
    pub key: u32,
}

impl Output for Noted {
    fn references(&self, world: &World) -> Vec<Reference> {
        let head = listed_head(world, self.noun, self.key);
        head.map(|head| Reference { noun: self.noun, id: head.id(), number: head.number(), name: head.name().to_owned() }).into_iter().collect()
    }
}

impl Operation for Set {
    const NAME: &'static str = "note.set";
    const POLICY: Policy = Policy::StorageManagement;
    const DEMANDS_DEPEND: bool = true;
    type Plan = (Noted, Notes);
    type Output = Noted;

    fn demands(&self, _: &World, _: &Actor) -> PolicySet {
        PolicySet::of(noun(&self.noun).map_or(Self::POLICY, policy_of))
    }

    fn check(&self, world: &World, _: &Ctx) -> Result<Self::Plan, OpError> {
        let noun = noun(&self.noun)?;
        let head = find_listed(world, noun, &self.object, Place::Target)?;
        are_good(world, (noun, head.name()), head.notes(), &self.notes)?;
        Ok((Noted { noun, key: head.key() }, self.notes.clone()))
    }

    fn apply((noted, notes): Self::Plan, world: &mut World, _: &Ctx) -> Noted {
        annotate(world, noted.noun, noted.key, &notes);
        noted
    }
}

/// The noun that a text names, among those that can have notes.
pub fn noun(text: &str) -> Result<Noun, OpError> {
    LISTED.iter().find(|noun| noun.name() == text).copied().ok_or_else(|| {
        let known: Vec<&str> = LISTED.iter().map(|noun| noun.name()).collect();
        let expected = format!("one of {}", known.join(", "));
        OpError::ValueInvalid { noun: Noun::Note, field: "noun".into(), value: text.into(), expected }
    })
}

/// Who may change an object may keep notes beside it, and jobs of what was asked about it.
pub(super) const fn policy_of(noun: Noun) -> Policy {
    match noun {
        Noun::Volume | Noun::Container | Noun::Snapshot | Noun::Pool | Noun::QosPolicy => Policy::VolumeCreateModify,
        Noun::Host
        | Noun::HostGroup
        | Noun::HostPort
        | Noun::HostResponse
        | Noun::PortGroup
        | Noun::LunGroup
        | Noun::Affinity
        | Noun::Mapping
        | Noun::Interface => Policy::HostInterfaceManagement,
        Noun::User => Policy::UserManagement,
        Noun::Role => Policy::AuthenticationRole,
        Noun::Workload => Policy::Emulation,
        _ => Policy::StorageManagement,
    }
}

/// Changes of notes must be such as can be kept.
///
/// Refused, in this order: a bad name; a number with a fraction; a reference to an unknown record; too many; too much.
pub(super) fn are_good(world: &World, (noun, name): (Noun, &str), present: Option<&Notes>, changes: &Notes) -> Result<(), OpError> {
    changes.keys().try_for_each(|name| name_is_good(name))?;
    changes.iter().try_for_each(|(name, value)| is_whole(name, value))?;
    changes.iter().try_for_each(|(name, value)| refers_to_records(world, name, value))?;
    let after = notes::changed(present, changes);
    rules::count_within(Noun::Note, after.len(), NOTES_MOST as u64, &format!("the {noun} '{name}'"))?;
    let bytes = serde_json::to_vec(&after).map_or(0, |json| json.len());
    if bytes <= NOTES_BYTES_MOST {
        return Ok(());
    }
    let (value, most) = (format!("{bytes} bytes"), format!("{NOTES_BYTES_MOST} bytes"));
    Err(OpError::OutOfRange { noun: Noun::Note, field: "notes".into(), value, least: "0".into(), most })
}

fn name_is_good(name: &str) -> Result<(), OpError> {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '.' | '-');
    if (1..=NOTE_NAME_MOST).contains(&name.len()) && name.chars().all(plain) {
        return Ok(());
    }
    let expected = format!("a name of 1 to {NOTE_NAME_MOST} characters of a-z, 0-9, '_', '.' and '-'");
    Err(OpError::ValueInvalid { noun: Noun::Note, field: "notes".into(), value: name.into(), expected })
}

fn is_whole(name: &str, value: &Value) -> Result<(), OpError> {
    notes::fraction(value).map_or(Ok(()), |number| {
        let expected = "a whole number (write a fraction as text)".into();
        Err(OpError::ValueInvalid { noun: Noun::Note, field: format!("notes.{name}"), value: number.to_string(), expected })
    })
}

fn refers_to_records(world: &World, name: &str, value: &Value) -> Result<(), OpError> {
    let unknown = |reference: &&str| notes::record_id(reference).and_then(|id| world.array.records.key_of(id)).is_none();
    notes::references_in(value)
        .into_iter()
        .find(unknown)
        .map_or(Ok(()), |reference| Err(OpError::NotFound { noun: Noun::Record, reference: reference.into(), place: Place::Field(format!("notes.{name}")) }))
}
