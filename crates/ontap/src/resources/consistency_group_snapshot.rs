//! `/application/consistency-groups/{consistency_group.uuid}/snapshots`: snapshots of all volumes of a group at once, under one name.

use serde_json::{Value, json};

use crate::body::Body;
use crate::collection::{Call, Collection, Row, Timing, Verb, View, refer};
use crate::fields::Want;
use crate::kept;
use crate::model::{Array, Container, Key, Object, Record, RecordKind, Snapshot};
use crate::ops::{self, AnyOperation};
use crate::refusal::{Outcome, Refusal};
use crate::resources::consistency_group::{by_id, volumes};
use crate::resources::snapshot::may_go;

/// What is kept as it is given.
const KEPT: [&str; 4] = ["comment", "consistency_type", "snapmirror_label", "write_fence"];

/// The snapshots of a group. Each is a record; the snapshots of the volumes have its name.
pub(crate) struct Snapshots;

impl Collection for Snapshots {
    fn path(&self) -> &'static str {
        "/application/consistency-groups/{consistency_group.uuid}/snapshots"
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Create, Verb::Update, Verb::Delete]
    }
    fn timing(&self, _: Verb) -> Timing {
        Timing::Job
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        let row = |record: &Record| Row(record.key().raw(), 0);
        if view.is_of_all() {
            return Ok(view.array.records.iter().filter(|record| record.kind == RecordKind::ConsistencyGroupSnapshot).map(row).collect());
        }
        Ok(of(view.array, parent(view)?).map(row).collect())
    }
    fn record(&self, view: &View<'_>, row: Row, want: &Want) -> Value {
        let array = view.array;
        let Some(taken) = array.records.get(Key::<Record>::from_raw(row.0)) else { return json!({}) };
        let mut record = json!({"uuid": taken.id(), "name": name(taken), "consistency_type": "crash"});
        if let Some(group) = taken.note("group").and_then(Value::as_str).and_then(|id| by_id(array, id)) {
            record["consistency_group"] = refer(group.name(), group.id());
        }
        if let Some(svm) = taken.tenant.and_then(|key| array.tenants.get(key)) {
            record["svm"] = refer(svm.name(), svm.id());
        }
        let held: Vec<(&Container, Option<&Snapshot>)> = parts(array, taken).collect();
        if let Some(snapshot) = held.iter().find_map(|(_, snapshot)| *snapshot) {
            record["create_time"] = json!(view.stamp(snapshot.created));
        }
        if want.has("snapshot_volumes") {
            let one = |(container, snapshot): (&Container, &Snapshot)| json!({"volume": refer(container.name(), container.id()), "snapshot": refer(snapshot.name(), snapshot.id())});
            record["snapshot_volumes"] = held.iter().filter_map(|(container, snapshot)| Some(one((container, (*snapshot)?)))).collect();
        }
        let missing: Vec<Value> =
            held.iter().filter(|(_, snapshot)| snapshot.is_none()).map(|(container, _)| refer(container.name(), container.id())).collect();
        record["is_partial"] = json!(!missing.is_empty());
        if !missing.is_empty() {
            record["missing_volumes"] = json!(missing);
        }
        kept::show(&mut record, taken, &KEPT);
        record
    }
    fn create(&self, call: &Call<'_>, body: &Body) -> Outcome<Row> {
        let operations = call.read(|view| {
            let group = parent(view)?;
            let name = body.required("name")?;
            let members: Vec<String> = volumes(view.array, group).map(|container| container.id().to_string()).collect();
            if members.is_empty() {
                return Err(Refusal::conflict(53_411_918, "The consistency group has no volumes."));
            }
            let mut notes = kept::said(body, &KEPT);
            notes.extend([("name".to_owned(), json!(name)), ("group".to_owned(), json!(group.id().to_string())), ("volumes".to_owned(), json!(members))]);
            let record = ops::record::Create {
                kind: RecordKind::ConsistencyGroupSnapshot,
                name: record_name(group, name),
                tenant: group.tenant.and_then(|key| view.array.tenants.get(key)).map(|svm| svm.id().to_string()),
                notes: Some(notes),
            };
            let comment = body.text("comment").map(str::to_owned);
            let take = |container: String| ops::snapshot::Create { container, name: name.to_owned(), comment: comment.clone() }.into();
            Ok(std::iter::once(record.into()).chain(members.into_iter().map(take)).collect())
        })?;
        call.make::<Record>(operations).map(|key| Row(key.raw(), 0))
    }
    fn update(&self, call: &Call<'_>, row: Row, body: &Body) -> Outcome<()> {
        let operations = call.read(|view| {
            let Some(taken) = view.array.records.get(Key::<Record>::from_raw(row.0)) else { return Ok(Vec::new()) };
            let mut notes = kept::said(body, &KEPT);
            let mut operations: Vec<AnyOperation> = Vec::new();
            let mut record = None;
            if let Some(new) = body.text("name").filter(|new| *new != name(taken)) {
                let group = taken.note("group").and_then(Value::as_str).and_then(|id| by_id(view.array, id)).ok_or_else(Refusal::not_found)?;
                record = Some(record_name(group, new));
                notes.insert("name".into(), json!(new));
                let held = parts(view.array, taken).filter_map(|(_, snapshot)| snapshot);
                operations.extend(held.map(|held| ops::snapshot::Update { snapshot: held.id().to_string(), name: Some(new.to_owned()), comment: None }.into()));
            }
            operations.push(ops::record::Update { record: taken.id().to_string(), name: record, notes: Some(notes) }.into());
            Ok(operations)
        })?;
        call.run(operations).map(drop)
    }
    fn delete(&self, call: &Call<'_>, row: Row) -> Outcome<()> {
        let operations = call.read(|view| {
            let Some(taken) = view.array.records.get(Key::<Record>::from_raw(row.0)) else { return Ok(Vec::new()) };
            let held: Vec<&Snapshot> = parts(view.array, taken).filter_map(|(_, snapshot)| snapshot).collect();
            held.iter().try_for_each(|held| may_go(view, held))?;
            let mut operations: Vec<AnyOperation> = held.into_iter().map(|held| ops::snapshot::Delete { snapshot: held.id().to_string() }.into()).collect();
            operations.push(ops::record::Delete { record: taken.id().to_string() }.into());
            Ok(operations)
        })?;
        call.run(operations).map(drop)
    }
}

fn parent<'a>(view: &View<'a>) -> Outcome<&'a Record> {
    by_id(view.array, view.parent()).ok_or_else(|| Refusal::missing(53_411_842, "The consistency group does not exist."))
}

fn record_name(group: &Record, name: &str) -> String {
    format!("{}/{name}", group.id())
}

fn name(taken: &Record) -> &str {
    taken.note("name").and_then(Value::as_str).unwrap_or_default()
}

/// The snapshots of a group, in order of number.
pub(crate) fn of<'a>(array: &'a Array, group: &Record) -> impl Iterator<Item = &'a Record> {
    let id = group.id().to_string();
    let of_it =
        move |record: &&Record| record.kind == RecordKind::ConsistencyGroupSnapshot && record.note("group").and_then(Value::as_str) == Some(id.as_str());
    array.records.iter().filter(of_it)
}

/// Its volumes that are there, each with its snapshot of the name.
fn parts<'a>(array: &'a Array, taken: &'a Record) -> impl Iterator<Item = (&'a Container, Option<&'a Snapshot>)> {
    let ids = taken.note("volumes").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let containers = ids.filter_map(|id| array.containers.key_of(id.parse().ok()?)).filter_map(|key| array.containers.get(key));
    containers.map(|container| (container, array.snapshots.named(name(taken), Some(container.key().raw()))))
}

/// The operations that take all volumes of a group back to one of its snapshots, given by name or identifier.
pub(crate) fn restore(view: &View<'_>, group: &Record, wanted: &str) -> Outcome<Vec<AnyOperation>> {
    let unknown = || Refusal::bad(53_411_925, format!("The consistency group has no snapshot \"{wanted}\".")).at("restore_to.snapshot");
    let taken = of(view.array, group).find(|taken| name(taken) == wanted || taken.id().to_string() == wanted).ok_or_else(unknown)?;
    let held: Vec<_> = parts(view.array, taken).collect();
    if held.iter().any(|(_, snapshot)| snapshot.is_none()) {
        return Err(Refusal::conflict(53_411_925, format!("The snapshot \"{wanted}\" is no longer there in all volumes.")).at("restore_to.snapshot"));
    }
    Ok(held.into_iter().filter_map(|(_, snapshot)| snapshot).map(|held| ops::snapshot::Restore { snapshot: held.id().to_string() }.into()).collect())
}
