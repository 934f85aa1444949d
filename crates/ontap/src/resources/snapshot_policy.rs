//! `/storage/snapshot-policies` and the schedules of each: records. What a policy says is given back; the array takes no snapshots by it.

use serde_json::{Value, json};

use crate::body::Body;
use crate::collection::{Call, Collection, Row, Verb, View, refer};
use crate::fields::Want;
use crate::kept;
use crate::model::{Array, Key, Notes, Object, Record, RecordKind, Tenant};
use crate::ops;
use crate::refusal::{Outcome, Refusal};

/// The most schedules of a policy, and the most snapshots that all of them keep.
const MOST: (usize, u64) = (5, 1023);

/// The policies.
pub(crate) struct SnapshotPolicies;

/// The schedules of one.
pub(crate) struct PolicySchedules;

impl Collection for SnapshotPolicies {
    fn path(&self) -> &'static str {
        "/storage/snapshot-policies"
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Create, Verb::Update, Verb::Delete]
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        Ok(policies(view.array).map(|policy| Row(policy.key().raw(), 0)).collect())
    }
    fn find(&self, view: &View<'_>, keys: &[String]) -> Outcome<Option<Row>> {
        Ok(keys.first().and_then(|id| policy(view.array, id)).map(|policy| Row(policy.key().raw(), 0)))
    }
    fn record(&self, view: &View<'_>, row: Row, _: &Want) -> Value {
        let Some(policy) = at(view.array, row) else { return json!({}) };
        let mut record = json!({
            "uuid": policy.id(), "name": policy.name(), "enabled": policy.note("enabled").and_then(Value::as_bool).unwrap_or(true),
            "scope": if policy.tenant.is_some() { "svm" } else { "cluster" },
            "copies": copies(policy).iter().filter_map(|copy| shown(view.array, copy)).collect::<Vec<Value>>(),
        });
        show_svm(&mut record, view.array, policy);
        kept::show(&mut record, policy, &["comment"]);
        record
    }
    fn create(&self, call: &Call<'_>, body: &Body) -> Outcome<Row> {
        let create = call.read(|view| {
            let svm = kept::svm(view, body)?;
            let name = body.required("name")?.to_owned();
            let listed = body.bodies("copies").ok_or_else(|| Refusal::bad(1_638_407, "At least one schedule is required.").at("copies"))?;
            let mut notes = kept::said(body, &["comment", "enabled"]);
            notes.insert("copies".into(), read_copies(view.array, svm, &listed)?);
            Ok(ops::record::Create { kind: RecordKind::SnapshotPolicy, name, tenant: svm.map(|svm| svm.id().to_string()), notes: Some(notes) })
        })?;
        call.make::<Record>(vec![create.into()]).map(|key| Row(key.raw(), 0))
    }
    fn update(&self, call: &Call<'_>, row: Row, body: &Body) -> Outcome<()> {
        let update = call.read(|view| {
            let policy = at(view.array, row).ok_or_else(|| self.absent())?;
            let mut notes = kept::said(body, &["comment", "enabled"]);
            if let Some(listed) = body.bodies("copies") {
                notes.insert("copies".into(), read_copies(view.array, svm_of(view.array, policy), &listed)?);
            }
            let name = body.text("name").filter(|name| *name != policy.name()).map(str::to_owned);
            Ok(ops::record::Update { record: policy.id().to_string(), name, notes: Some(notes) })
        })?;
        call.run(vec![update.into()]).map(drop)
    }
    fn delete(&self, call: &Call<'_>, row: Row) -> Outcome<()> {
        let record = call.read(|view| at(view.array, row).map(|policy| policy.id().to_string())).ok_or_else(|| self.absent())?;
        call.run(vec![ops::record::Delete { record }.into()]).map(drop)
    }
}

impl Collection for PolicySchedules {
    fn path(&self) -> &'static str {
        "/storage/snapshot-policies/{snapshot_policy.uuid}/schedules"
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Create, Verb::Update, Verb::Delete]
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        let policy = parent(view)?;
        let schedules = copies(policy).iter().filter_map(|copy| schedule(view.array, copy));
        Ok(schedules.map(|schedule| Row(policy.key().raw(), schedule.key().raw())).collect())
    }
    fn record(&self, view: &View<'_>, row: Row, _: &Want) -> Value {
        let Some(policy) = at(view.array, row) else { return json!({}) };
        let copy = copies(policy).iter().find(|copy| is_by(view.array, copy, row));
        let mut record = copy.and_then(|copy| shown(view.array, copy)).unwrap_or_else(|| json!({}));
        record["snapshot_policy"] = refer(policy.name(), policy.id());
        record
    }
    fn create(&self, call: &Call<'_>, body: &Body) -> Outcome<Row> {
        let (update, row) = call.read(|view| {
            let policy = parent(view)?;
            let svm = svm_of(view.array, policy);
            let (copy, by) = read_copy(view.array, svm, body)?;
            let mut all = copies(policy).to_vec();
            all.push(copy);
            is_allowed(view.array, &all)?;
            Ok((with_copies(policy, all), Row(policy.key().raw(), by.key().raw())))
        })?;
        call.run(vec![update.into()]).map(|_| row)
    }
    fn update(&self, call: &Call<'_>, row: Row, body: &Body) -> Outcome<()> {
        let update = call.read(|view| {
            let policy = at(view.array, row).ok_or_else(|| self.absent())?;
            let mut all = copies(policy).to_vec();
            for copy in all.iter_mut().filter(|copy| is_by(view.array, copy, row)) {
                for name in ["count", "prefix", "snapmirror_label", "retention_period"] {
                    if body.has(name) {
                        copy[name] = body.get(name).cloned().unwrap_or(Value::Null);
                    }
                }
            }
            is_allowed(view.array, &all)?;
            Ok(with_copies(policy, all))
        })?;
        call.run(vec![update.into()]).map(drop)
    }
    fn delete(&self, call: &Call<'_>, row: Row) -> Outcome<()> {
        let update = call.read(|view| {
            let policy = at(view.array, row).ok_or_else(|| self.absent())?;
            let left = copies(policy).iter().filter(|copy| !is_by(view.array, copy, row)).cloned().collect();
            Ok(with_copies(policy, left))
        })?;
        call.run(vec![update.into()]).map(drop)
    }
}

fn policies(array: &Array) -> impl Iterator<Item = &Record> {
    array.records.iter().filter(|record| record.kind == RecordKind::SnapshotPolicy)
}

fn policy<'a>(array: &'a Array, id: &str) -> Option<&'a Record> {
    array.records.key_of(id.parse().ok()?).and_then(|key| array.records.get(key)).filter(|record| record.kind == RecordKind::SnapshotPolicy)
}

fn at(array: &Array, row: Row) -> Option<&Record> {
    array.records.get(Key::from_raw(row.0))
}

/// The policy in the path.
fn parent<'a>(view: &View<'a>) -> Outcome<&'a Record> {
    policy(view.array, view.parent()).ok_or_else(Refusal::not_found)
}

pub(crate) fn svm_of<'a>(array: &'a Array, record: &Record) -> Option<&'a Tenant> {
    record.tenant.and_then(|key| array.tenants.get(key))
}

/// Shows whose a record is; what belongs to the cluster has no SVM.
pub(crate) fn show_svm(shown: &mut Value, array: &Array, record: &Record) {
    if let Some(svm) = svm_of(array, record) {
        shown["svm"] = refer(svm.name(), svm.id());
    }
}

fn copies(policy: &Record) -> &[Value] {
    policy.note("copies").and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn schedule<'a>(array: &'a Array, copy: &Value) -> Option<&'a Record> {
    kept::record(array, copy.get("schedule"))
}

fn is_by(array: &Array, copy: &Value, row: Row) -> bool {
    schedule(array, copy).is_some_and(|schedule| schedule.key().raw() == row.1)
}

fn with_copies(policy: &Record, copies: Vec<Value>) -> ops::record::Update {
    ops::record::Update { record: policy.id().to_string(), name: None, notes: Some(Notes::from([("copies".to_owned(), Value::Array(copies))])) }
}

/// One schedule as it is shown.
fn shown(array: &Array, copy: &Value) -> Option<Value> {
    let schedule = schedule(array, copy)?;
    let said = |name: &str| copy.get(name).filter(|value| !value.is_null()).cloned();
    let mut record = json!({
        "schedule": refer(schedule.name(), schedule.id()), "count": copy["count"],
        "prefix": said("prefix").unwrap_or_else(|| json!(schedule.name())), "snapmirror_label": said("snapmirror_label").unwrap_or_else(|| json!("-")),
    });
    if let Some(period) = said("retention_period") {
        record["retention_period"] = period;
    }
    Some(record)
}

fn read_copies(array: &Array, svm: Option<&Tenant>, listed: &[Body]) -> Outcome<Value> {
    let all: Vec<Value> = listed.iter().map(|body| read_copy(array, svm, body).map(|(copy, _)| copy)).collect::<Outcome<_>>()?;
    is_allowed(array, &all)?;
    Ok(Value::Array(all))
}

/// One schedule as it is kept, and the record that it refers to.
fn read_copy<'a>(array: &'a Array, svm: Option<&Tenant>, body: &Body) -> Outcome<(Value, &'a Record)> {
    let named = body.named("schedule").ok_or_else(|| Refusal::bad(1_638_407, "The name of a schedule is required.").at("copies.schedule.name"))?;
    let count = body.number("count").ok_or_else(|| Refusal::bad(1_638_408, "The number of snapshots to keep is required.").at("copies.count"))?;
    let unknown = || Refusal::bad(1_638_413, format!("The schedule \"{}\" does not exist.", named.shown())).at("copies.schedule.name");
    let schedule = kept::find(array, RecordKind::Schedule, &named, svm).ok_or_else(unknown)?;
    let mut copy = json!({"schedule": kept::reference(schedule), "count": count});
    for name in ["prefix", "snapmirror_label", "retention_period"] {
        if let Some(text) = body.text(name).filter(|text| !text.is_empty()) {
            copy[name] = json!(text);
        }
    }
    Ok((copy, schedule))
}

/// Schedules of one policy: so many, each once, each with names of its own, and not too many snapshots in all.
fn is_allowed(array: &Array, copies: &[Value]) -> Outcome<()> {
    if copies.len() > MOST.0 {
        return Err(Refusal::bad(1_638_528, format!("A snapshot policy has at most {} schedules.", MOST.0)).at("copies"));
    }
    let total = copies.iter().filter_map(|copy| copy["count"].as_u64()).fold(0_u64, u64::saturating_add);
    if total > MOST.1 {
        return Err(Refusal::bad(1_638_451, format!("The schedules of a snapshot policy keep at most {} snapshots, not {total}.", MOST.1)).at("copies.count"));
    }
    let shown: Vec<Value> = copies.iter().filter_map(|copy| shown(array, copy)).collect();
    for (index, copy) in shown.iter().enumerate() {
        let before = &shown[..index];
        if before.iter().any(|other| other["schedule"] == copy["schedule"]) {
            return Err(Refusal::conflict(1_638_410, "The policy has that schedule already.").at("copies.schedule.name"));
        }
        if before.iter().any(|other| other["prefix"] == copy["prefix"]) {
            return Err(Refusal::bad(1_638_508, "Another schedule of the policy has that prefix.").at("copies.prefix"));
        }
    }
    Ok(())
}
