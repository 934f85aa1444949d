//! `/network/ipspaces`: spaces of addresses. Records: all addresses of the array are in one.

use serde_json::{Value, json};

use crate::body::{Body, Named};
use crate::collection::{Call, Collection, Row, Verb, View, refer};
use crate::fields::Want;
use crate::kept;
use crate::model::{Object, Record, RecordKind};
use crate::ops;
use crate::refusal::{Outcome, Refusal};
use crate::resources::configured;

/// The IPspaces.
pub(crate) struct Ipspaces;

impl Collection for Ipspaces {
    fn path(&self) -> &'static str {
        "/network/ipspaces"
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Create, Verb::Update, Verb::Delete]
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        Ok(configured::rows(view, RecordKind::Ipspace))
    }
    fn find(&self, view: &View<'_>, keys: &[String]) -> Outcome<Option<Row>> {
        Ok(configured::find(view, RecordKind::Ipspace, keys))
    }
    fn record(&self, view: &View<'_>, row: Row, _: &Want) -> Value {
        configured::at(view, row).map_or(json!({}), |space| json!({"uuid": space.id(), "name": space.name()}))
    }
    fn create(&self, call: &Call<'_>, body: &Body) -> Outcome<Row> {
        let name = body.required("name")?.to_owned();
        configured::create(call, ops::record::Create { kind: RecordKind::Ipspace, name, tenant: None, notes: None })
    }
    fn update(&self, call: &Call<'_>, row: Row, body: &Body) -> Outcome<()> {
        configured::update(call, row, body.text("name"), crate::model::Notes::new())
    }
    fn delete(&self, call: &Call<'_>, row: Row) -> Outcome<()> {
        configured::delete(call, row)
    }
}

/// The IPspace in which everything is that names none.
pub(crate) fn usual<'a>(view: &View<'a>) -> Option<&'a Record> {
    view.array.records.named("Default", Some(Record::scope_of(RecordKind::Ipspace, None)))
}

/// The IPspace that something's notes name; `Default` without one.
pub(crate) fn of(view: &View<'_>, item: Option<&impl Object>) -> Value {
    let found = item.and_then(|item| kept::record(view.array, item.note("ipspace"))).or_else(|| usual(view));
    found.map_or(json!({"name": "Default"}), |space| refer(space.name(), space.id()))
}

/// The IPspace that a body names.
pub(crate) fn named<'a>(view: &View<'a>, body: &Body, number: u32) -> Outcome<Option<&'a Record>> {
    let Some(named) = body.named("ipspace") else { return Ok(None) };
    by(view, &named).map(Some).ok_or_else(|| Refusal::bad(number, format!("IPspace \"{}\" does not exist.", named.shown())).at("ipspace.name"))
}

fn by<'a>(view: &View<'a>, named: &Named) -> Option<&'a Record> {
    kept::find(view.array, RecordKind::Ipspace, named, None)
}
