//! `/cluster/web` and `/svm/svms/{svm.uuid}/web`: the web services.

use serde_json::{Value, json};

use crate::body::Body;
use crate::collection::{Call, Collection, Row, Shape, Verb, View, refer};
use crate::fields::Want;
use crate::kept;
use crate::model::{Key, Notes, Object, RecordKind, Tenant};
use crate::refusal::{Outcome, Refusal};
use crate::resources::cluster;

/// The cluster's.
pub(crate) struct ClusterWeb;

/// An SVM's.
pub(crate) struct SvmWeb;

/// Fields that are given back as they were set.
const KEPT: [&str; 6] = ["client_enabled", "ocsp_enabled", "enabled", "http_enabled", "per_address_limit", "wait_queue_capacity"];

impl Collection for ClusterWeb {
    fn path(&self) -> &'static str {
        "/cluster/web"
    }
    fn shape(&self) -> Shape {
        Shape::One
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Update]
    }
    fn rows(&self, _: &View<'_>) -> Outcome<Vec<Row>> {
        Ok(vec![Row::default()])
    }
    fn record(&self, view: &View<'_>, _: Row, _: &Want) -> Value {
        let mut record = json!({
            "enabled": true, "state": "online", "http_enabled": false, "http_port": 80, "https_port": 443, "client_enabled": false, "ocsp_enabled": false,
            "per_address_limit": 48, "wait_queue_capacity": 192, "csrf": {"protection_enabled": true, "token": {"concurrent_limit": 500, "idle_timeout": 900, "max_timeout": 7200}},
            "hsts": {"enabled": false, "max_age": 0},
        });
        for (name, value) in cluster::note(view, "web").and_then(Value::as_object).into_iter().flatten() {
            record[name] = value.clone();
        }
        record
    }
    fn update(&self, call: &Call<'_>, _: Row, body: &Body) -> Outcome<()> {
        let operation = call.read(|view| {
            let mut all = cluster::note(view, "web").cloned().unwrap_or_else(|| json!({}));
            for (name, value) in kept::said(body, &KEPT) {
                all[name] = value;
            }
            cluster::noted(view, Notes::from([("web".to_owned(), all)]))
        });
        operation.map_or(Ok(()), |operation| call.run(vec![operation]).map(drop))
    }
}

impl Collection for SvmWeb {
    fn path(&self) -> &'static str {
        "/svm/svms/{svm.uuid}/web"
    }
    fn shape(&self) -> Shape {
        Shape::One
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Update]
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        let key = view.parent().parse().ok().and_then(|id| view.array.tenants.key_of(id));
        Ok(key.map(|key| Row(key.raw(), 0)).into_iter().collect())
    }
    fn record(&self, view: &View<'_>, row: Row, _: &Want) -> Value {
        let Some(svm) = view.array.tenants.get(Key::<Tenant>::from_raw(row.0)) else { return json!({}) };
        let mut record = json!({"svm": refer(svm.name(), svm.id()), "client_enabled": false, "ocsp_enabled": false});
        for (name, value) in svm.note("web").and_then(Value::as_object).into_iter().flatten() {
            record[name] = value.clone();
        }
        if let Some(certificate) = kept::record(view.array, svm.note("web_certificate")) {
            record["certificate"] = refer(certificate.name(), certificate.id());
        }
        record
    }
    fn update(&self, call: &Call<'_>, row: Row, body: &Body) -> Outcome<()> {
        let operation = call.read(|view| {
            let svm = view.array.tenants.get(Key::<Tenant>::from_raw(row.0)).ok_or_else(Refusal::not_found)?;
            let mut all = svm.note("web").cloned().unwrap_or_else(|| json!({}));
            for (name, value) in kept::said(body, &["client_enabled", "ocsp_enabled"]) {
                all[name] = value;
            }
            let mut notes = Notes::from([("web".to_owned(), all)]);
            if let Some(named) = body.named("certificate") {
                let found = kept::find(view.array, RecordKind::Certificate, &named, Some(svm)).map(kept::reference);
                let unknown = || Refusal::bad(9_830_442, format!("Certificate \"{}\" does not exist.", named.shown())).at("certificate.uuid");
                notes.insert("web_certificate".to_owned(), found.ok_or_else(unknown)?);
            }
            Ok(kept::keep("tenant", &svm.id().to_string(), notes))
        })?;
        operation.map_or(Ok(()), |operation| call.run(vec![operation]).map(drop))
    }
    fn absent(&self) -> Refusal {
        Refusal::missing(2_621_462, "The SVM does not exist.")
    }
}
