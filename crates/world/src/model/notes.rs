//! Notes: what somebody wants to be kept beside an object although nothing in the array follows from it.

use std::collections::BTreeMap;

use serde_json::{Number, Value};
use uuid::Uuid;

use super::{Array, Noun, Object, Record, Snapshot, Table};

/// Notes by name, as JSON without fractions. Secrets do not belong here: notes are shown, and stand in the journal.
///
/// A value of the form `{"record": "<id>"}`, wherever it stands in a note, is a reference to a [`Record`].
pub type Notes = BTreeMap<String, Value>;

/// The most notes of one object.
pub const NOTES_MOST: usize = 64;
/// The most bytes of all notes of one object, as JSON.
pub const NOTES_BYTES_MOST: usize = 16 * 1024;
/// The most characters of a note's name.
pub const NOTE_NAME_MOST: usize = 64;

/// An object with notes.
#[derive(Clone, Copy, Debug)]
pub struct Annotated<'a> {
    /// Its noun.
    pub noun: Noun,
    /// Its identifier.
    pub id: Uuid,
    /// Its name.
    pub name: &'a str,
    /// Its notes.
    pub notes: &'a Notes,
}

impl Annotated<'_> {
    /// The first of these records that its notes refer to.
    pub fn refers_to(&self, records: &[Uuid]) -> Option<Uuid> {
        references(self.notes).into_iter().filter_map(record_id).find(|id| records.contains(id))
    }
}

/// Notes as they are after changes: null takes one away.
pub fn changed(present: Option<&Notes>, changes: &Notes) -> Notes {
    let mut notes = present.cloned().unwrap_or_default();
    for (name, value) in changes {
        if value.is_null() {
            notes.remove(name);
        } else {
            notes.insert(name.clone(), value.clone());
        }
    }
    notes
}

/// The texts by which notes refer to records.
pub fn references(notes: &Notes) -> Vec<&str> {
    let mut found = Vec::new();
    notes.values().for_each(|value| collect(value, &mut found));
    found
}

/// The same of one note.
pub fn references_in(value: &Value) -> Vec<&str> {
    let mut found = Vec::new();
    collect(value, &mut found);
    found
}

fn collect<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
        Value::Object(fields) => match fields.get("record") {
            Some(Value::String(reference)) if fields.len() == 1 => found.push(reference),
            _ => fields.values().for_each(|field| collect(field, found)),
        },
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The record that a reference means, if it has the form of one.
pub fn record_id(reference: &str) -> Option<Uuid> {
    Uuid::try_parse(reference).ok()
}

/// The first number with a fraction: the value holds none.
pub fn fraction(value: &Value) -> Option<&Number> {
    match value {
        Value::Number(number) => Some(number).filter(|number| !number.is_i64() && !number.is_u64()),
        Value::Array(items) => items.iter().find_map(fraction),
        Value::Object(fields) => fields.values().find_map(fraction),
        Value::Null | Value::Bool(_) | Value::String(_) => None,
    }
}

/// Adds the objects of a table that have notes.
pub fn annotated<'a, T: Object>(table: &'a Table<T>, found: &mut Vec<Annotated<'a>>) {
    let noted = table.iter().filter_map(|item| item.notes().map(|notes| Annotated { noun: T::NOUN, id: item.id(), name: item.name(), notes }));
    found.extend(noted);
}

impl Array {
    /// Everything in it that has notes.
    pub fn annotated(&self) -> Vec<Annotated<'_>> {
        let mut found = Vec::new();
        annotated(&self.enclosures, &mut found);
        annotated(&self.controllers, &mut found);
        annotated(&self.host_ports, &mut found);
        annotated(&self.drives, &mut found);
        annotated(&self.parts, &mut found);
        annotated(&self.raid_groups, &mut found);
        annotated(&self.pools, &mut found);
        annotated(&self.containers, &mut found);
        annotated(&self.snapshots, &mut found);
        annotated(&self.volumes, &mut found);
        annotated(&self.copy_sessions, &mut found);
        annotated(&self.hosts, &mut found);
        annotated(&self.host_groups, &mut found);
        annotated(&self.port_groups, &mut found);
        annotated(&self.lun_groups, &mut found);
        annotated(&self.affinities, &mut found);
        annotated(&self.mappings, &mut found);
        annotated(&self.tenants, &mut found);
        annotated(&self.interfaces, &mut found);
        annotated(&self.qos_policies, &mut found);
        annotated(&self.host_responses, &mut found);
        annotated(&self.roles, &mut found);
        annotated(&self.users, &mut found);
        annotated(&self.records, &mut found);
        found
    }
    /// Lets images of volumes forget records that go: a volume that comes back from a snapshot does not bring back a reference to nothing.
    pub fn forget_in_images(&mut self, records: &[Uuid]) {
        let refers = |value: &Value| references_in(value).into_iter().filter_map(record_id).any(|id| records.contains(&id));
        let concerned = |snapshot: &&Snapshot| snapshot.images.iter().filter_map(Object::notes).any(|notes| notes.values().any(refers));
        let snapshots: Vec<_> = self.snapshots.iter().filter(concerned).map(Object::key).collect();
        for key in snapshots {
            for image in self.snapshots.get_mut(key).into_iter().flat_map(|snapshot| &mut snapshot.images) {
                image.head_mut().forget_notes(refers);
            }
        }
    }
}

/// References to records that do not exist, one sentence each.
pub fn problems(array: &Array, annotated: &[Annotated<'_>], found: &mut Vec<String>) {
    let lost = |notes: &Notes| references(notes).into_iter().any(|reference| record_id(reference).and_then(|id| array.records.key_of(id)).is_none());
    for item in annotated.iter().filter(|item| lost(item.notes)) {
        found.push(format!("a note of the {} '{}' refers to a {} that does not exist", item.noun, item.name, Record::NOUN));
    }
    for image in array.snapshots.iter().flat_map(|snapshot| &snapshot.images).filter(|image| image.notes().is_some_and(lost)) {
        found.push(format!("a note of an image of '{}' refers to a {} that does not exist", image.name(), Record::NOUN));
    }
}
