//! `/support/ems/destinations`: whom the array would tell what passes a filter.

use serde_json::{Map, Value, json};

use crate::body::{Body, Named};
use crate::collection::{Call, Collection, Row, Verb, View};
use crate::fields::Want;
use crate::kept;
use crate::model::{Key, Notes, Object, Record, RecordKind};
use crate::ops;
use crate::refusal::{Outcome, Refusal};

/// The destinations.
pub(crate) struct Destinations;

/// What is kept as it was said.
const PLAIN: [&str; 4] = ["type", "destination", "syslog", "certificate"];

fn destinations<'a>(view: &View<'a>) -> impl Iterator<Item = &'a Record> {
    view.array.records.iter().filter(|record| record.kind == RecordKind::EmsDestination)
}

/// What a body says, as notes.
fn said(call: &Call<'_>, body: &Body) -> Outcome<Notes> {
    let mut notes = kept::said(body, &PLAIN);
    if let Some(filters) = body.bodies("filters") {
        let refer = |filter: &Body| {
            let name = filter.required("name")?;
            let named = Named { name: Some(name.to_owned()), uuid: None };
            let unknown = || Refusal::bad(983_143, format!("Event filter \"{name}\" does not exist.")).at("filters.name");
            call.read(|view| kept::find(view.array, RecordKind::EmsFilter, &named, None).map(kept::reference)).ok_or_else(unknown)
        };
        notes.insert("filters".into(), filters.iter().map(refer).collect::<Outcome<Vec<_>>>()?.into());
    }
    Ok(notes)
}

impl Collection for Destinations {
    fn path(&self) -> &'static str {
        "/support/ems/destinations"
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Create, Verb::Update, Verb::Delete]
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        Ok(destinations(view).map(|record| Row(record.key().raw(), 0)).collect())
    }
    fn find(&self, view: &View<'_>, keys: &[String]) -> Outcome<Option<Row>> {
        let name = keys.first().map(String::as_str);
        Ok(destinations(view).find(|record| Some(record.name()) == name).map(|record| Row(record.key().raw(), 0)))
    }
    fn record(&self, view: &View<'_>, row: Row, _: &Want) -> Value {
        let Some(record) = view.array.records.get(Key::<Record>::from_raw(row.0)) else { return json!({}) };
        let mut shown = Map::new();
        shown.insert("name".into(), json!(record.name()));
        for name in PLAIN {
            if let Some(value) = record.note(name) {
                shown.insert(name.into(), value.clone());
            }
        }
        let filters = record.note("filters").and_then(Value::as_array).into_iter().flatten();
        let filters: Vec<Value> = filters.filter_map(|note| kept::record(view.array, Some(note))).map(|filter| json!({"name": filter.name()})).collect();
        shown.insert("filters".into(), filters.into());
        shown.insert("system_defined".into(), json!(false));
        Value::Object(shown)
    }
    fn create(&self, call: &Call<'_>, body: &Body) -> Outcome<Row> {
        let name = body.required("name")?.to_owned();
        let kind = body.required("type")?.to_owned();
        body.required("destination")?;
        let mut notes = said(call, body)?;
        if kind == "syslog" {
            let mut syslog = json!({
                "transport": "udp_unencrypted", "port": 514,
                "format": {"message": "legacy_netapp", "timestamp_override": "no_override", "hostname_override": "no_override"},
            });
            super::setting::merge(&mut syslog, notes.get("syslog").cloned().unwrap_or_else(|| json!({})));
            notes.insert("syslog".into(), syslog);
        }
        let create = ops::record::Create { kind: RecordKind::EmsDestination, name, tenant: None, notes: Some(notes) };
        call.make::<Record>(vec![create.into()]).map(|key| Row(key.raw(), 0))
    }
    fn update(&self, call: &Call<'_>, row: Row, body: &Body) -> Outcome<()> {
        let mut notes = said(call, body)?;
        let present = call.read(|view| {
            let record = view.array.records.get(Key::<Record>::from_raw(row.0));
            record.map(|record| (record.id().to_string(), record.note("syslog").cloned()))
        });
        let (record, syslog) = present.ok_or_else(Refusal::not_found)?;
        if let (Some(mut before), Some(change)) = (syslog, notes.get("syslog").cloned()) {
            super::setting::merge(&mut before, change);
            notes.insert("syslog".into(), before);
        }
        call.run(vec![ops::record::Update { record, name: None, notes: Some(notes) }.into()]).map(drop)
    }
    fn delete(&self, call: &Call<'_>, row: Row) -> Outcome<()> {
        let record = call.read(|view| view.array.records.get(Key::<Record>::from_raw(row.0)).map(|record| record.id().to_string()));
        call.run(vec![ops::record::Delete { record: record.unwrap_or_default() }.into()]).map(drop)
    }
}
