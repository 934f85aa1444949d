//! `/name-services/dns`: of the cluster, its name servers; of SVMs, notes: nothing is looked up.

use serde_json::{Value, json};

use crate::body::Body;
use crate::collection::{Call, Collection, Row, Verb, View, refer};
use crate::fields::Want;
use crate::kept;
use crate::model::{Notes, Object, Tenant};
use crate::ops::{self, AnyOperation};
use crate::refusal::{Outcome, Refusal};
use crate::resources::cluster;
use crate::resources::svm::at;

/// The settings of names, each an SVM's or the cluster's.
pub(crate) struct Dns;

/// The row of the cluster's own.
const CLUSTER: Row = Row(0, 1);

/// Fields that are given back as they were set.
const KEPT: [&str; 7] = ["domains", "servers", "attempts", "timeout", "packet_query_match", "source_address_match", "tld_query_enabled"];

impl Collection for Dns {
    fn path(&self) -> &'static str {
        "/name-services/dns"
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Create, Verb::Update, Verb::Delete]
    }
    fn defaults(&self) -> &'static [&'static str] {
        &["svm", "domains", "servers", "scope"]
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        let mut rows: Vec<Row> = view.array.tenants.iter().filter(|svm| svm.note("name_servers").is_some()).map(|svm| Row(svm.key().raw(), 0)).collect();
        let network = &view.array.settings.network;
        if !network.dns_servers.is_empty() || !network.domain.is_empty() {
            rows.push(CLUSTER);
        }
        Ok(rows)
    }
    fn record(&self, view: &View<'_>, row: Row, _: &Want) -> Value {
        let mut record = json!({"attempts": 1, "timeout": 2, "packet_query_match": true, "source_address_match": true, "tld_query_enabled": true});
        if row == CLUSTER {
            record["uuid"] = json!(cluster::id(view));
            record["scope"] = json!("cluster");
            record["domains"] = json!(cluster::domains(view));
            record["servers"] = json!(view.array.settings.network.dns_servers);
            return record;
        }
        let Some(svm) = at(view, row) else { return json!({}) };
        record["uuid"] = json!(svm.id());
        record["scope"] = json!("svm");
        record["svm"] = refer(svm.name(), svm.id());
        for (name, value) in svm.note("name_servers").and_then(Value::as_object).into_iter().flatten() {
            record[name] = value.clone();
        }
        record
    }
    fn create(&self, call: &Call<'_>, body: &Body) -> Outcome<Row> {
        if !body.has("domains") || !body.has("servers") {
            return Err(Refusal::required(if body.has("domains") { "servers" } else { "domains" }));
        }
        let (row, operations) = call.read(|view| {
            let row = kept::svm(view, body)?.map_or(CLUSTER, |svm| Row(svm.key().raw(), 0));
            if self.rows(view)?.contains(&row) {
                return Err(Refusal::conflict(1, "The DNS of the SVM is set up already.").at("svm.name"));
            }
            Ok((row, set(view, row, body)))
        })?;
        call.run(operations)?;
        Ok(row)
    }
    fn update(&self, call: &Call<'_>, row: Row, body: &Body) -> Outcome<()> {
        let operations = call.read(|view| set(view, row, body));
        call.run(operations).map(drop)
    }
    fn delete(&self, call: &Call<'_>, row: Row) -> Outcome<()> {
        let operations: Vec<AnyOperation> = call.read(|view| match at(view, row).filter(|_| row != CLUSTER) {
            Some(svm) => keep(svm, Value::Null).into_iter().collect(),
            None => {
                let network =
                    ops::settings::network::Update { dns_servers: Some(Vec::new()), domain: Some(String::new()), ..ops::settings::network::Update::default() };
                vec![network.into()]
            }
        });
        call.run(operations).map(drop)
    }
}

fn set(view: &View<'_>, row: Row, body: &Body) -> Vec<AnyOperation> {
    if row == CLUSTER {
        let domain = body.texts("domains").map(|domains| domains.join(" "));
        return vec![ops::settings::network::Update { dns_servers: body.texts("servers"), domain, ..ops::settings::network::Update::default() }.into()];
    }
    let Some(svm) = at(view, row) else { return Vec::new() };
    let mut all = svm.note("name_servers").cloned().unwrap_or_else(|| json!({}));
    for (name, value) in kept::said(body, &KEPT) {
        all[name] = value;
    }
    keep(svm, all).into_iter().collect()
}

fn keep(svm: &Tenant, note: Value) -> Option<AnyOperation> {
    kept::keep("tenant", &svm.id().to_string(), Notes::from([("name_servers".to_owned(), note)]))
}
