//! `/storage/luns/{lun.uuid}/attributes`: names and values that clients keep beside a LUN.

use serde_json::{Value, json};

use crate::body::Body;
use crate::collection::{Call, Collection, Row, Verb, View};
use crate::fields::Want;
use crate::kept;
use crate::model::{Key, Notes, Object, Volume};
use crate::refusal::{Outcome, Refusal};
use crate::resources::lun_change;

/// The attributes of a LUN.
pub(crate) struct Attributes;

impl Collection for Attributes {
    fn path(&self) -> &'static str {
        "/storage/luns/{lun.uuid}/attributes"
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Create, Verb::Update, Verb::Delete]
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        let lun = lun(view)?;
        Ok(of(lun).iter().map(|attribute| Row(lun.key().raw(), mark(attribute))).collect())
    }
    fn record(&self, view: &View<'_>, row: Row, _: &Want) -> Value {
        let Some(lun) = view.array.volumes.get(Key::<Volume>::from_raw(row.0)) else { return json!({}) };
        let mut record = of(lun).into_iter().find(|attribute| mark(attribute) == row.1).unwrap_or_else(|| json!({}));
        record["lun"] = json!({"uuid": lun.id()});
        record
    }
    fn create(&self, call: &Call<'_>, body: &Body) -> Outcome<Row> {
        let (name, value) = (body.required("name")?.to_owned(), body.required("value")?.to_owned());
        let (id, key, mut all) = call.read(read)?;
        if all.iter().any(|attribute| attribute["name"] == json!(name)) {
            return Err(Refusal::conflict(5_374_929, format!("The LUN already has an attribute \"{name}\".")).at("name"));
        }
        let attribute = json!({"name": name, "value": value});
        let row = Row(key, mark(&attribute));
        all.push(attribute);
        keep(call, &id, &all)?;
        Ok(row)
    }
    fn update(&self, call: &Call<'_>, row: Row, body: &Body) -> Outcome<()> {
        let value = body.required("value")?;
        let (id, _, mut all) = call.read(read)?;
        all.iter_mut().filter(|attribute| mark(attribute) == row.1).for_each(|attribute| attribute["value"] = json!(value));
        keep(call, &id, &all)
    }
    fn delete(&self, call: &Call<'_>, row: Row) -> Outcome<()> {
        let (id, _, mut all) = call.read(read)?;
        all.retain(|attribute| mark(attribute) != row.1);
        keep(call, &id, &all)
    }
    fn absent(&self) -> Refusal {
        Refusal::missing(5_374_931, "The specified LUN attribute was not found.")
    }
}

fn lun<'a>(view: &View<'a>) -> Outcome<&'a Volume> {
    let found = lun_change::lun_of(view, view.parent()).and_then(|key| view.array.volumes.get(key));
    found.ok_or_else(|| Refusal::missing(5_374_875, "The specified LUN was not found."))
}

fn of(lun: &Volume) -> Vec<Value> {
    lun.note("attributes").and_then(Value::as_array).cloned().unwrap_or_default()
}

/// A number that stands for an attribute's name, whatever goes before it.
fn mark(attribute: &Value) -> u32 {
    let name = attribute["name"].as_str().unwrap_or_default();
    name.bytes().fold(0x811c_9dc5, |mark, byte| (mark ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// The LUN's identifier and key, and its attributes.
fn read(view: &View<'_>) -> Outcome<(String, u32, Vec<Value>)> {
    lun(view).map(|lun| (lun.id().to_string(), lun.key().raw(), of(lun)))
}

fn keep(call: &Call<'_>, id: &str, all: &[Value]) -> Outcome<()> {
    let value = if all.is_empty() { Value::Null } else { json!(all) };
    let operations = kept::keep("volume", id, Notes::from([("attributes".to_owned(), value)]));
    call.run(operations.into_iter().collect()).map(drop)
}
