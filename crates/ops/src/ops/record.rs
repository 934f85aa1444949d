//! Records: create, change, delete.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{Ctx, Operation, World, note, rules};
use crate::model::{Annotated, Key, Notes, Noun, Object, OpError, Place, Policy, Record, RecordKind, Tenant};

/// The most characters of a record's name.
const NAME_MOST: usize = 255;

/// Creates a record: configuration that has a name and is referred to, and from which nothing in the array follows. All that it says
/// stands in its notes.
///
/// Refused, in this order: unknown tenant; invalid name; name taken by a record of the same kind and tenant; notes that cannot be kept, as
/// `note.set` refuses them; too many records.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RecordCreate, examples(json!({"kind": "schedule", "name": "hourly", "notes": {"minutes": [5]}})))]
pub struct Create {
    /// What kind of thing it is.
    pub kind: RecordKind,
    /// Its name, 1 to 255 characters.
    pub name: String,
    /// Whose it is; the array's own if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
    /// Notes by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub notes: Option<Notes>,
}

/// What [`Create`] found out.
#[derive(Debug)]
pub struct CreatePlan {
    request: Create,
    tenant: Option<Key<Tenant>>,
}

impl Operation for Create {
    const NAME: &'static str = "record.create";
    const POLICY: Policy = Policy::StorageManagement;
    type Plan = CreatePlan;
    type Output = Key<Record>;

    fn check(&self, world: &World, _: &Ctx) -> Result<CreatePlan, OpError> {
        let array = &world.array;
        let tenant = self.tenant.as_ref().map(|named| array.tenants.find(named, Place::field("tenant")).map(Object::key)).transpose()?;
        name_is_good(&self.name)?;
        rules::name_is_free(&array.records, &self.name, Some(Record::scope_of(self.kind, tenant)), None)?;
        self.notes.as_ref().map_or(Ok(()), |notes| note::are_good(world, (Noun::Record, &self.name), None, notes))?;
        rules::within_limit(&array.records, 1, array.personality.limits.records)?;
        Ok(CreatePlan { request: self.clone(), tenant })
    }

    fn apply(CreatePlan { request, tenant }: CreatePlan, world: &mut World, _: &Ctx) -> Key<Record> {
        let array = &mut world.array;
        let key = array.records.insert(array.identity, request.name, |head| Record { head, kind: request.kind, tenant, built_in: false });
        array.records.annotate(key, &request.notes.unwrap_or_default());
        key
    }
}

/// Changes a record; what is left out stays. Of its notes, null takes one away.
///
/// Refused, in this order: unknown record; invalid name; name taken; notes that cannot be kept.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RecordUpdate, examples(json!({"notes": {"minutes": [5, 35], "comment": null}})))]
pub struct Update {
    /// Which one.
    #[schema(ignore)]
    pub record: String,
    /// Its new name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Notes by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub notes: Option<Notes>,
}

impl Operation for Update {
    const NAME: &'static str = "record.update";
    const POLICY: Policy = Policy::StorageManagement;
    type Plan = (Key<Record>, Update);
    type Output = Key<Record>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Self::Plan, OpError> {
        let record = world.array.find_record(&self.record, Place::Target)?;
        if let Some(name) = &self.name {
            name_is_good(name)?;
            rules::name_is_free(&world.array.records, name, record.scope(), Some(record.key()))?;
        }
        self.notes.as_ref().map_or(Ok(()), |notes| note::are_good(world, (Noun::Record, record.name()), record.notes(), notes))?;
        Ok((record.key(), self.clone()))
    }

    fn apply((key, change): Self::Plan, world: &mut World, _: &Ctx) -> Key<Record> {
        let records = &mut world.array.records;
        if let Some(name) = change.name {
            records.rename(key, name);
        }
        records.annotate(key, &change.notes.unwrap_or_default());
        key
    }
}

/// Deletes a record.
///
/// Refused, in this order: unknown record; a record of the array itself; a note of something else refers to it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RecordDelete)]
pub struct Delete {
    /// Which one.
    pub record: String,
}

impl Operation for Delete {
    const NAME: &'static str = "record.delete";
    const POLICY: Policy = Policy::StorageManagement;
    type Plan = Key<Record>;
    type Output = ();

    fn check(&self, world: &World, _: &Ctx) -> Result<Key<Record>, OpError> {
        let record = world.array.find_record(&self.record, Place::Target)?;
        if record.built_in {
            let what = format!("deleting its own record '{}'", record.name());
            return Err(OpError::NotSupported { noun: Noun::Record, field: "record".into(), what });
        }
        nobody_refers_to(world, &[record.id()], |_| false)?;
        Ok(record.key())
    }

    fn apply(key: Key<Record>, world: &mut World, _: &Ctx) {
        if let Some(gone) = world.array.records.remove(key) {
            world.array.forget_in_images(&[gone.id()]);
        }
    }
}

/// Who refers to one of these records in its notes, first found, and to which. Records themselves, and what `goes` with them, do not count.
fn user_of<'a>(world: &'a World, records: &[Uuid], goes: impl Fn(&Annotated<'_>) -> bool) -> Option<(Annotated<'a>, Uuid)> {
    let others = world.annotated().into_iter().filter(|user| !records.contains(&user.id) && !goes(user));
    others.filter_map(|user| user.refers_to(records).map(|record| (user, record))).next()
}

/// Nothing that stays must refer to records that go.
pub(super) fn nobody_refers_to(world: &World, records: &[Uuid], goes: impl Fn(&Annotated<'_>) -> bool) -> Result<(), OpError> {
    let Some((user, record)) = user_of(world, records, goes) else { return Ok(()) };
    let name = world.array.records.key_of(record).map_or_else(String::new, |key| world.array.records[key].name().to_owned());
    Err(OpError::InUse { noun: Noun::Record, name, by: user.noun, by_name: user.name.to_owned() })
}

/// A name has 1 to 255 characters, none of which is a control character.
fn name_is_good(name: &str) -> Result<(), OpError> {
    let objection = match name.chars().count() {
        0 => "it is empty".to_owned(),
        count if count > NAME_MOST => format!("it has {count} characters; at most {NAME_MOST} are allowed"),
        _ if name.chars().any(char::is_control) => "it has a control character".to_owned(),
        _ => return Ok(()),
    };
    Err(OpError::NameInvalid { noun: Noun::Record, name: name.to_owned(), objection })
}
