//! `/network/ethernet/broadcast-domains`: which ports hear each other. Records; ports refer to theirs by a note.

use serde_json::{Value, json};

use crate::body::Body;
use crate::collection::{Call, Collection, Row, Verb, View, refer};
use crate::fields::Want;
use crate::kept;
use crate::model::{Notes, Object, RecordKind, Seat};
use crate::ops;
use crate::place;
use crate::refusal::Outcome;
use crate::resources::{configured, ipspace};

/// The broadcast domains.
pub(crate) struct BroadcastDomains;

impl Collection for BroadcastDomains {
    fn path(&self) -> &'static str {
        "/network/ethernet/broadcast-domains"
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Create, Verb::Update, Verb::Delete]
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        Ok(configured::rows(view, RecordKind::BroadcastDomain))
    }
    fn find(&self, view: &View<'_>, keys: &[String]) -> Outcome<Option<Row>> {
        Ok(configured::find(view, RecordKind::BroadcastDomain, keys))
    }
    fn record(&self, view: &View<'_>, row: Row, want: &Want) -> Value {
        let Some(domain) = configured::at(view, row) else { return json!({}) };
        let mut record = json!({"uuid": domain.id(), "name": domain.name(), "mtu": domain.note("mtu").cloned().unwrap_or(json!(1500))});
        record["ipspace"] = ipspace::of(view, Some(domain));
        if want.has("ports") {
            let own = place::ethernet(view).into_iter().map(place::seat).filter(|seat| place::domain(view, *seat).is_some_and(|of| of.id() == domain.id()));
            let ports: Vec<Value> = own.map(|seat| place::refer(view, seat)).collect();
            if !ports.is_empty() {
                record["ports"] = json!(ports);
            }
        }
        record
    }
    fn create(&self, call: &Call<'_>, body: &Body) -> Outcome<Row> {
        let name = body.required("name")?.to_owned();
        let mut notes = kept::said(body, &["mtu"]);
        notes.entry("mtu".to_owned()).or_insert(json!(1500));
        if let Some(space) = call.read(|view| ipspace::named(view, body, 1_967_082).map(|space| space.map(kept::reference)))? {
            notes.insert("ipspace".to_owned(), space);
        }
        configured::create(call, ops::record::Create { kind: RecordKind::BroadcastDomain, name, tenant: None, notes: Some(notes) })
    }
    fn update(&self, call: &Call<'_>, row: Row, body: &Body) -> Outcome<()> {
        let mut notes = kept::said(body, &["mtu"]);
        if let Some(space) = call.read(|view| ipspace::named(view, body, 1_967_082).map(|space| space.map(kept::reference)))? {
            notes.insert("ipspace".to_owned(), space);
        }
        configured::update(call, row, body.text("name"), notes)
    }
    fn delete(&self, call: &Call<'_>, row: Row) -> Outcome<()> {
        configured::delete(call, row)
    }
}

/// The operation that puts a port into a broadcast domain, or, without one, into none.
pub(crate) fn put(view: &View<'_>, seat: Seat, domain: Option<&crate::model::Record>) -> Option<ops::AnyOperation> {
    let Seat::Port(port) = seat else { return None };
    let port = view.array.host_ports.get(port)?;
    let note = domain.map_or(Value::Null, kept::reference);
    kept::keep("host-port", &port.id().to_string(), Notes::from([("broadcast_domain".to_owned(), note)]))
}

/// A reference to a broadcast domain.
pub(crate) fn shown(view: &View<'_>, seat: Seat) -> Option<Value> {
    let domain = place::domain(view, seat)?;
    let mut shown = refer(domain.name(), domain.id());
    shown["ipspace"] = json!({"name": ipspace::of(view, Some(domain))["name"]});
    Some(shown)
}
