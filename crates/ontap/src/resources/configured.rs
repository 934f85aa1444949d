//! What all collections of records of one kind share.

use crate::collection::{Call, Row, View};
use crate::model::{Key, Object, Record, RecordKind};
use crate::ops;
use crate::query::Asked;
use crate::refusal::Outcome;

/// The rows of the records of a kind.
pub(crate) fn rows(view: &View<'_>, kind: RecordKind) -> Vec<Row> {
    view.array.records.iter().filter(|record| record.kind == kind).map(row).collect()
}

/// The row of a record.
pub(crate) fn row(record: &Record) -> Row {
    Row(record.key().raw(), 0)
}

/// The record of that kind and identifier.
pub(crate) fn find(view: &View<'_>, kind: RecordKind, keys: &[String]) -> Option<Row> {
    let key = keys.first().and_then(|key| key.parse().ok()).and_then(|id| view.array.records.key_of(id))?;
    view.array.records.get(key).filter(|record| record.kind == kind).map(row)
}

/// The record of a row.
pub(crate) fn at<'a>(view: &View<'a>, row: Row) -> Option<&'a Record> {
    view.array.records.get(Key::<Record>::from_raw(row.0))
}

/// The identifier of a row's record.
pub(crate) fn id(call: &Call<'_>, row: Row) -> String {
    call.read(|view| at(view, row).map_or_else(String::new, |record| record.id().to_string()))
}

/// Makes a record.
pub(crate) fn create(call: &Call<'_>, create: ops::record::Create) -> Outcome<Row> {
    call.make::<Record>(vec![create.into()]).map(|key| Row(key.raw(), 0))
}

/// Changes one.
pub(crate) fn update(call: &Call<'_>, row: Row, name: Option<&str>, notes: crate::model::Notes) -> Outcome<()> {
    let update = ops::record::Update { record: id(call, row), name: name.map(str::to_owned), notes: (!notes.is_empty()).then_some(notes) };
    call.run(vec![update.into()]).map(drop)
}

/// Deletes one.
pub(crate) fn delete(call: &Call<'_>, row: Row) -> Outcome<()> {
    call.run(vec![ops::record::Delete { record: id(call, row) }.into()]).map(drop)
}

/// The rows that a filter by name leaves.
pub(crate) fn by_name(view: &View<'_>, kind: RecordKind, asked: &Asked) -> Option<Vec<Row>> {
    let name = asked.filters.iter().find(|(path, _)| path == "name").and_then(|(_, filter)| filter.exact())?;
    Some(view.array.records.all_named(name).filter(|record| record.kind == kind).map(row).collect())
}
