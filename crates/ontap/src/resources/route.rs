//! `/network/ip/routes`: records; nothing is routed.

use serde_json::{Value, json};

use crate::body::Body;
use crate::collection::{Call, Collection, Row, Verb, View, refer};
use crate::fields::Want;
use crate::kept;
use crate::model::{Notes, Object, Record, RecordKind};
use crate::net;
use crate::ops;
use crate::refusal::{Outcome, Refusal};
use crate::resources::{configured, ipspace};

/// The routes.
pub(crate) struct Routes;

impl Collection for Routes {
    fn path(&self) -> &'static str {
        "/network/ip/routes"
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Create, Verb::Delete]
    }
    fn defaults(&self) -> &'static [&'static str] {
        &["gateway", "destination", "svm", "scope", "ipspace"]
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        Ok(configured::rows(view, RecordKind::Route))
    }
    fn find(&self, view: &View<'_>, keys: &[String]) -> Outcome<Option<Row>> {
        Ok(configured::find(view, RecordKind::Route, keys))
    }
    fn record(&self, view: &View<'_>, row: Row, _: &Want) -> Value {
        let Some(route) = configured::at(view, row) else { return json!({}) };
        let svm = route.tenant.and_then(|key| view.array.tenants.get(key));
        let mut record = json!({"uuid": route.id(), "scope": if svm.is_some() { "svm" } else { "cluster" }, "ipspace": ipspace::of(view, Some(route))});
        if let Some(svm) = svm {
            record["svm"] = refer(svm.name(), svm.id());
        }
        kept::show(&mut record, route, &["destination", "gateway", "metric"]);
        record
    }
    fn create(&self, call: &Call<'_>, body: &Body) -> Outcome<Row> {
        let gateway = body.required("gateway")?;
        let parsed: std::net::IpAddr = gateway.parse().map_err(|_| Refusal::bad_value("gateway", &json!(gateway), "an IPv4 or IPv6 address"))?;
        let gateway = parsed.to_string();
        let everywhere = if parsed.is_ipv4() {
            json!({"address": "0.0.0.0", "netmask": "0", "family": "ipv4"})
        } else {
            json!({"address": "::", "netmask": "0", "family": "ipv6"})
        };
        let destination = net::network(body, "destination")?.unwrap_or(everywhere);
        let mut notes = Notes::from([("gateway".to_owned(), json!(gateway)), ("destination".to_owned(), destination.clone())]);
        notes.insert("metric".to_owned(), json!(body.number("metric").unwrap_or(20)));
        let (tenant, space) = call.read(|view| {
            let svm = kept::svm(view, body)?;
            let space = ipspace::named(view, body, 1_967_082)?.map(kept::reference);
            Ok((svm.map(|svm| svm.id().to_string()), space))
        })?;
        if let Some(space) = space {
            notes.insert("ipspace".to_owned(), space);
        }
        let text = |part: &str| destination[part].as_str().unwrap_or_default().to_owned();
        let name = format!("{}/{} by {gateway}", text("address"), text("netmask"));
        let is_there = call.read(|view| {
            let owner = tenant.as_ref().and_then(|id| id.parse().ok()).and_then(|id| view.array.tenants.key_of(id));
            view.array.records.named(&name, Some(Record::scope_of(RecordKind::Route, owner))).is_some()
        });
        if is_there {
            return Err(Refusal::conflict(1_966_345, format!("Duplicate route exists: {name}.")).at("destination"));
        }
        configured::create(call, ops::record::Create { kind: RecordKind::Route, name, tenant, notes: Some(notes) })
    }
    fn delete(&self, call: &Call<'_>, row: Row) -> Outcome<()> {
        configured::delete(call, row)
    }
}
