//! `/cluster/schedules`: when things are done again. Records: nothing runs by them.

use serde_json::{Value, json};

use crate::body::Body;
use crate::collection::{Call, Collection, Row, Verb, View, refer};
use crate::fields::Want;
use crate::kept;
use crate::model::{Notes, Object, RecordKind};
use crate::ops;
use crate::query::Asked;
use crate::refusal::{Outcome, Refusal};
use crate::resources::configured;

/// The schedules.
pub(crate) struct Schedules;

/// The parts of a cron line, with what each may be.
const CRON: [(&str, i64, i64); 5] = [("minutes", 0, 59), ("hours", 0, 23), ("days", 1, 31), ("weekdays", 0, 6), ("months", 1, 12)];

impl Collection for Schedules {
    fn path(&self) -> &'static str {
        "/cluster/schedules"
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Create, Verb::Update, Verb::Delete]
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        Ok(configured::rows(view, RecordKind::Schedule))
    }
    fn index(&self, view: &View<'_>, asked: &Asked) -> Option<Vec<Row>> {
        configured::by_name(view, RecordKind::Schedule, asked)
    }
    fn find(&self, view: &View<'_>, keys: &[String]) -> Outcome<Option<Row>> {
        Ok(configured::find(view, RecordKind::Schedule, keys))
    }
    fn record(&self, view: &View<'_>, row: Row, _: &Want) -> Value {
        let Some(schedule) = configured::at(view, row) else { return json!({}) };
        let mut record = json!({"uuid": schedule.id(), "name": schedule.name(), "cluster": refer(view.cluster(), super::cluster::id(view))});
        match schedule.tenant.and_then(|key| view.array.tenants.get(key)) {
            Some(svm) => {
                record["svm"] = refer(svm.name(), svm.id());
                record["scope"] = json!("svm");
            }
            None => record["scope"] = json!("cluster"),
        }
        record["type"] = json!(if schedule.note("interval").is_some() { "interval" } else { "cron" });
        kept::show(&mut record, schedule, &["cron", "interval"]);
        record
    }
    fn create(&self, call: &Call<'_>, body: &Body) -> Outcome<Row> {
        let name = body.required("name")?.to_owned();
        let tenant = call.read(|view| kept::svm(view, body).map(|svm| svm.map(|svm| svm.id().to_string())))?;
        let notes = when(body)?;
        if notes.len() != 1 {
            return Err(Refusal::bad(459_763, "A schedule has either a \"cron\" or an \"interval\".").at("cron"));
        }
        configured::create(call, ops::record::Create { kind: RecordKind::Schedule, name, tenant, notes: Some(notes) })
    }
    fn update(&self, call: &Call<'_>, row: Row, body: &Body) -> Outcome<()> {
        let notes = when(body)?;
        let is_interval = call.read(|view| configured::at(view, row).is_some_and(|schedule| schedule.note("interval").is_some()));
        if notes.keys().any(|kind| (kind == "interval") != is_interval) {
            return Err(Refusal::bad(459_760, "A schedule of intervals has no \"cron\", and the other way round."));
        }
        configured::update(call, row, body.text("name"), notes)
    }
    fn delete(&self, call: &Call<'_>, row: Row) -> Outcome<()> {
        configured::delete(call, row)
    }
}

/// What a body says of when.
fn when(body: &Body) -> Outcome<Notes> {
    let mut notes = Notes::new();
    if let Some(cron) = body.get("cron") {
        let mut parts = serde_json::Map::new();
        for (part, least, most) in CRON {
            let path = format!("cron.{part}");
            let Some(values) = body.list(&path) else { continue };
            let mut values: Vec<i64> = values.iter().filter_map(Value::as_i64).collect();
            if let Some(wrong) = values.iter().find(|value| **value < least || **value > most) {
                return Err(Refusal::bad_value(&path, &json!(wrong), &format!("a number from {least} to {most}")));
            }
            values.sort_unstable();
            values.dedup();
            if !values.is_empty() {
                parts.insert(part.to_owned(), json!(values));
            }
        }
        if parts.get("minutes").is_none() {
            return Err(Refusal::bad(458_788, "A cron schedule names at least one minute.").at("cron.minutes"));
        }
        if !cron.is_null() {
            notes.insert("cron".to_owned(), Value::Object(parts));
        }
    }
    if let Some(interval) = body.text("interval") {
        if !is_duration(interval) {
            return Err(Refusal::bad(458_788, format!("\"{interval}\" is not a duration of ISO 8601, such as P1DT2H3M4S.")).at("interval"));
        }
        notes.insert("interval".to_owned(), json!(interval));
    }
    Ok(notes)
}

fn is_duration(text: &str) -> bool {
    text.strip_prefix('P').is_some_and(|rest| rest.chars().any(|c| c.is_ascii_digit()) && rest.chars().all(|c| c.is_ascii_digit() || "YMWDTHS".contains(c)))
}
