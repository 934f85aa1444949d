//! `/storage/volume-efficiency-policies`: records that volumes refer to.

use serde_json::{Value, json};

use crate::body::Body;
use crate::collection::{Call, Collection, Row, Verb, View};
use crate::fields::Want;
use crate::kept;
use crate::model::{Key, Notes, Object, Record, RecordKind, Tenant};
use crate::ops;
use crate::refusal::{Outcome, Refusal};
use crate::resources::snapshot_policy::{show_svm, svm_of};

/// Fields that are kept as they are given.
const KEPT: [&str; 6] = ["comment", "duration", "enabled", "qos_policy", "start_threshold_percent", "type"];

/// The policies.
pub(crate) struct EfficiencyPolicies;

impl Collection for EfficiencyPolicies {
    fn path(&self) -> &'static str {
        "/storage/volume-efficiency-policies"
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Create, Verb::Update, Verb::Delete]
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        let records = view.array.records.iter().filter(|record| record.kind == RecordKind::EfficiencyPolicy);
        Ok(records.map(|record| Row(record.key().raw(), 0)).collect())
    }
    fn record(&self, view: &View<'_>, row: Row, _: &Want) -> Value {
        let Some(policy) = at(view, row) else { return json!({}) };
        let mut record = json!({"uuid": policy.id(), "name": policy.name(), "type": "scheduled", "qos_policy": "best_effort", "enabled": true, "comment": ""});
        show_svm(&mut record, view.array, policy);
        kept::show(&mut record, policy, &KEPT);
        if record["type"] == "threshold" && record.get("start_threshold_percent").is_none() {
            record["start_threshold_percent"] = json!(20);
        }
        if let Some(schedule) = kept::record(view.array, policy.note("schedule")) {
            record["schedule"] = json!({"name": schedule.name()});
        }
        record
    }
    fn create(&self, call: &Call<'_>, body: &Body) -> Outcome<Row> {
        let create = call.read(|view| {
            let svm = kept::required_svm(view, body)?;
            let name = body.required("name")?.to_owned();
            let notes = Some(notes(view, Some(svm), None, body)?);
            Ok(ops::record::Create { kind: RecordKind::EfficiencyPolicy, name, tenant: Some(svm.id().to_string()), notes })
        })?;
        call.make::<Record>(vec![create.into()]).map(|key| Row(key.raw(), 0))
    }
    fn update(&self, call: &Call<'_>, row: Row, body: &Body) -> Outcome<()> {
        let update = call.read(|view| {
            let policy = at(view, row).ok_or_else(|| self.absent())?;
            let notes = Some(notes(view, svm_of(view.array, policy), Some(policy), body)?);
            let name = body.text("name").filter(|name| *name != policy.name()).map(str::to_owned);
            Ok(ops::record::Update { record: policy.id().to_string(), name, notes })
        })?;
        call.run(vec![update.into()]).map(drop)
    }
    fn delete(&self, call: &Call<'_>, row: Row) -> Outcome<()> {
        let record = call.read(|view| at(view, row).map(|policy| policy.id().to_string())).ok_or_else(|| self.absent())?;
        call.run(vec![ops::record::Delete { record }.into()]).map(drop)
    }
}

fn at<'a>(view: &View<'a>, row: Row) -> Option<&'a Record> {
    view.array.records.get(Key::from_raw(row.0))
}

/// What a body says. A policy begins by a schedule, or when enough has changed, not both.
fn notes(view: &View<'_>, svm: Option<&Tenant>, policy: Option<&Record>, body: &Body) -> Outcome<Notes> {
    let mut notes = kept::said(body, &KEPT);
    let noted = |name: &str| policy.and_then(|policy| policy.note(name)).and_then(Value::as_str);
    let by_threshold = body.text("type").or_else(|| noted("type")) == Some("threshold");
    if by_threshold && (body.named("schedule").is_some() || body.has("duration")) {
        let field = if body.has("duration") { "duration" } else { "schedule" };
        return Err(Refusal::bad(6_881_433, format!("\"{field}\" is not for policies of the type threshold.")).at(field));
    }
    if !by_threshold && body.has("start_threshold_percent") {
        return Err(Refusal::bad(6_881_435, "\"start_threshold_percent\" is only for policies of the type threshold.").at("start_threshold_percent"));
    }
    if by_threshold && policy.is_some() {
        notes.extend(["schedule", "duration"].map(|name| (name.to_owned(), Value::Null)));
    }
    let schedule = body.named("schedule").or_else(|| (policy.is_none() && !by_threshold).then(daily));
    if let Some(named) = schedule {
        let found = kept::find(view.array, RecordKind::Schedule, &named, svm);
        if found.is_none() && body.has("schedule") {
            return Err(Refusal::bad(6_881_341, format!("The schedule \"{}\" does not exist.", named.shown())).at("schedule.name"));
        }
        notes.extend(found.map(|schedule| ("schedule".to_owned(), kept::reference(schedule))));
    }
    Ok(notes)
}

/// The schedule of a policy for which none is named.
fn daily() -> crate::body::Named {
    crate::body::Named { uuid: None, name: Some("daily".to_owned()) }
}
