//! What a client sets and finds again although nothing follows from it: it stands in the notes of the object, under the dotted path of its field.
//! And references to records, which stand in notes as well.

use serde_json::{Map, Value, json};

use crate::body::{Body, Named};
use crate::collection::View;
use crate::model::{Array, Notes, Object, Record, RecordKind, Tenant};
use crate::ops::{self, AnyOperation};
use crate::refusal::{Outcome, Refusal};

/// What a body says of such fields; null takes a note away.
pub(crate) fn said(body: &Body, paths: &[&str]) -> Notes {
    let each = paths.iter().filter(|path| body.has(path)).map(|path| ((*path).to_owned(), body.get(path).cloned().unwrap_or(Value::Null)));
    each.collect()
}

/// Shows the notes of such fields where a record has them.
pub(crate) fn show(record: &mut Value, item: &impl Object, paths: &[&str]) {
    for path in paths {
        if let Some(value) = item.note(path) {
            put(record, path, value.clone());
        }
    }
}

/// Puts a value at a dotted path.
pub(crate) fn put(record: &mut Value, path: &str, value: Value) {
    let mut place = record;
    for name in path.split('.') {
        if !place.is_object() {
            *place = Value::Object(Map::new());
        }
        place = &mut place[name];
    }
    *place = value;
}

/// The operation that keeps notes beside an object; without a name, beside the one that was made last. Nothing to keep is no operation.
pub(crate) fn keep(noun: &str, object: &str, notes: Notes) -> Option<AnyOperation> {
    (!notes.is_empty()).then(|| ops::note::Set { noun: noun.to_owned(), object: object.to_owned(), notes }.into())
}

/// A reference to a record, as it stands in notes.
pub(crate) fn reference(record: &Record) -> Value {
    json!({"record": record.id()})
}

/// The record that a note refers to.
pub(crate) fn record<'a>(array: &'a Array, note: Option<&Value>) -> Option<&'a Record> {
    let id = note?.get("record")?.as_str()?.parse().ok()?;
    array.records.key_of(id).and_then(|key| array.records.get(key))
}

/// A record of that kind by identifier or name: one of the SVM, or of the cluster.
pub(crate) fn find<'a>(array: &'a Array, kind: RecordKind, named: &Named, svm: Option<&Tenant>) -> Option<&'a Record> {
    let svm = svm.map(Object::key);
    let fits = |record: &&Record| {
        record.kind == kind
            && (record.tenant.is_none() || record.tenant == svm)
            && named.uuid.as_ref().is_none_or(|uuid| *uuid == record.id().to_string())
            && named.name.as_ref().is_none_or(|name| name == record.name())
    };
    array.records.iter().filter(fits).max_by_key(|record| record.tenant.is_some())
}

/// The SVM that a body names.
pub(crate) fn svm<'a>(view: &View<'a>, body: &Body) -> Outcome<Option<&'a Tenant>> {
    let Some(named) = body.named("svm") else { return Ok(None) };
    let fits = |tenant: &&Tenant| {
        named.uuid.as_ref().is_none_or(|uuid| *uuid == tenant.id().to_string()) && named.name.as_ref().is_none_or(|name| name == tenant.name())
    };
    let unknown = || Refusal::bad(2_621_462, format!("SVM \"{}\" does not exist.", named.shown())).at("svm.name");
    view.array.tenants.iter().find(fits).map(Some).ok_or_else(unknown)
}

/// The same where an SVM has to be named.
pub(crate) fn required_svm<'a>(view: &View<'a>, body: &Body) -> Outcome<&'a Tenant> {
    svm(view, body)?.ok_or_else(|| Refusal::bad(2_621_707, "No SVM was specified. Either \"svm.name\" or \"svm.uuid\" must be supplied.").at("svm.name"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_find_their_place() {
        let mut record = json!({"space": {"size": 1}});
        put(&mut record, "space.snapshot.reserve_percent", json!(5));
        put(&mut record, "comment", json!("x"));
        assert_eq!(record, json!({"space": {"size": 1, "snapshot": {"reserve_percent": 5}}, "comment": "x"}));
        let body = Body(json!({"comment": null, "space": {"size": 3}}));
        assert_eq!(said(&body, &["comment", "space.size", "language"]), Notes::from([("comment".into(), Value::Null), ("space.size".into(), json!(3))]));
    }
}
