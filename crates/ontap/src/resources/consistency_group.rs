//! `/application/consistency-groups`: volumes whose snapshots are taken together. A group is a record; its volumes stand in its notes.

use serde_json::{Value, json};

use crate::body::Body;
use crate::collection::{Call, Collection, Row, Timing, Verb, View, refer};
use crate::fields::Want;
use crate::kept;
use crate::model::{Array, Container, Key, Object, Record, RecordKind, Volume};
use crate::ops::{self, AnyOperation};
use crate::query::Asked;
use crate::refusal::{Outcome, Refusal};
use crate::resources::consistency_group_plan::Plan;
use crate::resources::consistency_group_snapshot as snapshots;
use crate::resources::lun_path::{is_namespace, path_of};

/// What is kept as it is given.
const KEPT: [&str; 5] = ["application.type", "application.component_type", "snapshot_policy.name", "qos.policy.name", "tiering.policy"];

/// The note with the identifiers of its volumes.
const VOLUMES: &str = "volumes";

/// The groups.
pub(crate) struct Groups;

impl Collection for Groups {
    fn path(&self) -> &'static str {
        "/application/consistency-groups"
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Create, Verb::Update, Verb::Delete]
    }
    fn timing(&self, _: Verb) -> Timing {
        Timing::Job
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        Ok(all(view.array).map(row).collect())
    }
    fn index(&self, view: &View<'_>, asked: &Asked) -> Option<Vec<Row>> {
        let (_, filter) = asked.filters.iter().find(|(path, _)| path == "name")?;
        let found = filter.exacts()?.into_iter().flat_map(|name| view.array.records.all_named(name));
        Some(found.filter(|record| record.kind == RecordKind::ConsistencyGroup).map(row).collect())
    }
    fn find(&self, view: &View<'_>, keys: &[String]) -> Outcome<Option<Row>> {
        Ok(by_id(view.array, keys.first().map_or("", String::as_str)).map(row))
    }
    fn record(&self, view: &View<'_>, row: Row, want: &Want) -> Value {
        let array = view.array;
        let Some(group) = array.records.get(Key::<Record>::from_raw(row.0)) else { return json!({}) };
        let members: Vec<&Container> = volumes(array, group).collect();
        let mut record =
            json!({"uuid": group.id(), "name": group.name(), "replicated": false, "replication_source": false, "space": space(members.iter().copied())});
        if let Some(svm) = group.tenant.and_then(|key| array.tenants.get(key)) {
            record["svm"] = refer(svm.name(), svm.id());
        }
        if want.has("volumes") && !members.is_empty() {
            let one = |container: &&Container| {
                let mut shown = json!({"name": container.name(), "uuid": container.id(), "space": space(std::iter::once(*container))});
                kept::show(&mut shown, *container, &["comment"]);
                shown
            };
            record["volumes"] = members.iter().map(one).collect();
        }
        for (field, namespaces) in [("luns", false), ("namespaces", true)] {
            if want.has(field) {
                let units: Vec<Value> = units(array, &members, namespaces).map(|unit| shown_unit(view, unit)).collect();
                if !units.is_empty() {
                    record[field] = json!(units);
                }
            }
        }
        kept::show(&mut record, group, &KEPT);
        record
    }
    fn create(&self, call: &Call<'_>, body: &Body) -> Outcome<Row> {
        let operations = call.read(|view| {
            let svm = kept::required_svm(view, body)?;
            let plan = Plan::read(view, svm, body, &[])?;
            let mut notes = kept::said(body, &KEPT);
            notes.insert(VOLUMES.into(), json!(plan.members));
            let record = ops::record::Create {
                kind: RecordKind::ConsistencyGroup,
                name: body.required("name")?.to_owned(),
                tenant: Some(svm.id().to_string()),
                notes: Some(notes),
            };
            let mut operations = plan.operations;
            operations.insert(0, record.into());
            Ok(operations)
        })?;
        call.make::<Record>(operations).map(|key| Row(key.raw(), 0))
    }
    fn update(&self, call: &Call<'_>, row: Row, body: &Body) -> Outcome<()> {
        let operations = call.read(|view| {
            let Some(group) = view.array.records.get(Key::<Record>::from_raw(row.0)) else { return Ok(Vec::new()) };
            let restore = ["name", "uuid"].map(|part| call.query.get(&format!("restore_to.snapshot.{part}")));
            if let Some(wanted) = restore.into_iter().flatten().next() {
                return snapshots::restore(view, group, wanted);
            }
            let members: Vec<String> = volumes(view.array, group).map(|container| container.id().to_string()).collect();
            let svm = group.tenant.and_then(|key| view.array.tenants.get(key)).ok_or_else(Refusal::not_found)?;
            let plan = Plan::read(view, svm, body, &members)?;
            let mut notes = kept::said(body, &KEPT);
            notes.insert(VOLUMES.into(), json!(plan.members));
            let name = body.text("name").filter(|name| *name != group.name()).map(str::to_owned);
            let mut operations = plan.operations;
            operations.push(ops::record::Update { record: group.id().to_string(), name, notes: Some(notes) }.into());
            Ok(operations)
        })?;
        call.run(operations).map(drop)
    }
    fn delete(&self, call: &Call<'_>, row: Row) -> Outcome<()> {
        let operations = call.read(|view| {
            let Some(group) = view.array.records.get(Key::<Record>::from_raw(row.0)) else { return Vec::new() };
            deletion(view.array, group)
        });
        call.run(operations).map(drop)
    }
    fn absent(&self) -> Refusal {
        Refusal::missing(53_411_842, "The consistency group does not exist.")
    }
}

fn row(record: &Record) -> Row {
    Row(record.key().raw(), 0)
}

/// All groups, in order of number.
pub(crate) fn all(array: &Array) -> impl Iterator<Item = &Record> {
    array.records.iter().filter(|record| record.kind == RecordKind::ConsistencyGroup)
}

/// The group of that identifier.
pub(crate) fn by_id<'a>(array: &'a Array, id: &str) -> Option<&'a Record> {
    let record = id.parse().ok().and_then(|id| array.records.key_of(id)).and_then(|key| array.records.get(key));
    record.filter(|record| record.kind == RecordKind::ConsistencyGroup)
}

/// What deletes a group with its snapshots; its volumes stay.
fn deletion(array: &Array, group: &Record) -> Vec<AnyOperation> {
    let inner = snapshots::of(array, group).map(|snapshot| snapshot.id().to_string());
    inner.chain(std::iter::once(group.id().to_string())).map(|record| ops::record::Delete { record }.into()).collect()
}

/// What goes with a volume: the group of which it is the last one.
pub(crate) fn deletion_with(array: &Array, container: &Container) -> Vec<AnyOperation> {
    let group = group_of(array, container).filter(|group| volumes(array, group).count() == 1);
    group.map_or_else(Vec::new, |group| deletion(array, group))
}

/// The volumes of a group that are there.
pub(crate) fn volumes<'a>(array: &'a Array, group: &'a Record) -> impl Iterator<Item = &'a Container> {
    let ids = group.note(VOLUMES).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    ids.filter_map(|id| array.containers.key_of(id.parse().ok()?)).filter_map(|key| array.containers.get(key))
}

/// The group that a volume is in.
pub(crate) fn group_of<'a>(array: &'a Array, container: &Container) -> Option<&'a Record> {
    all(array).find(|group| volumes(array, group).any(|member| member.key() == container.key()))
}

fn units<'a>(array: &'a Array, members: &'a [&Container], namespaces: bool) -> impl Iterator<Item = &'a Volume> {
    members.iter().flat_map(|container| array.volumes_in(container.key())).filter(move |volume| is_namespace(array, volume) == namespaces)
}

fn shown_unit(view: &View<'_>, unit: &Volume) -> Value {
    let mut shown = json!({
        "uuid": unit.id(), "name": path_of(view.array, unit), "os_type": "linux", "enabled": unit.online, "create_time": view.stamp(unit.created),
        "space": {"size": unit.size.get(), "used": unit.layout.written().get()},
    });
    kept::show(&mut shown, unit, &["comment", "os_type"]);
    shown
}

fn space<'a>(members: impl Iterator<Item = &'a Container>) -> Value {
    let (size, used) = members.fold((0, 0), |(size, used), container| (size + container.size.get(), used + container.used().get()));
    json!({"size": size, "used": used, "available": size.saturating_sub(used)})
}
