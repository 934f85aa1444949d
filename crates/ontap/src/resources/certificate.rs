//! `/security/certificates`: what was installed. Certificates are kept as they came; nothing is signed with them.

use serde_json::{Value, json};

use crate::body::Body;
use crate::collection::{Call, Collection, Row, Verb, View};
use crate::fields::Want;
use crate::kept;
use crate::model::{Key, Object, Record, RecordKind};
use crate::ops;
use crate::refusal::{Outcome, Refusal};

/// The certificates.
pub(crate) struct Certificates;

/// Addresses to which what administrators do is sent.
pub(crate) struct AuditDestinations;

/// What is kept as it was said. A private key is taken and not kept.
const PLAIN: [&str; 9] =
    ["type", "common_name", "public_certificate", "intermediate_certificates", "hash_function", "key_size", "expiry_time", "subject_alternatives", "scope"];

fn records<'a>(view: &View<'a>, kind: RecordKind) -> impl Iterator<Item = &'a Record> {
    view.array.records.iter().filter(move |record| record.kind == kind)
}

fn rows(view: &View<'_>, kind: RecordKind) -> Vec<Row> {
    records(view, kind).map(|record| Row(record.key().raw(), 0)).collect()
}

fn delete(call: &Call<'_>, row: Row) -> Outcome<()> {
    let record = call.read(|view| view.array.records.get(Key::<Record>::from_raw(row.0)).map(|record| record.id().to_string()));
    call.run(vec![ops::record::Delete { record: record.unwrap_or_default() }.into()]).map(drop)
}

impl Collection for Certificates {
    fn path(&self) -> &'static str {
        "/security/certificates"
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Create, Verb::Delete]
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        Ok(rows(view, RecordKind::Certificate))
    }
    fn find(&self, view: &View<'_>, keys: &[String]) -> Outcome<Option<Row>> {
        let id = keys.first().and_then(|key| key.parse().ok());
        let key = id.and_then(|id| view.array.records.key_of(id));
        let record = key.and_then(|key| view.array.records.get(key)).filter(|record| record.kind == RecordKind::Certificate);
        Ok(record.map(|record| Row(record.key().raw(), 0)))
    }
    fn record(&self, view: &View<'_>, row: Row, _: &Want) -> Value {
        let Some(record) = view.array.records.get(Key::<Record>::from_raw(row.0)) else { return json!({}) };
        let mut shown = json!({"uuid": record.id(), "name": record.name()});
        kept::show(&mut shown, record, &PLAIN);
        let serial = record.id().simple().to_string().to_uppercase();
        shown["serial_number"] = json!(&serial[..16]);
        shown["ca"] = shown["common_name"].clone();
        match record.tenant.and_then(|key| view.array.tenants.get(key)) {
            Some(tenant) => {
                shown["svm"] = json!({"name": tenant.name(), "uuid": tenant.id()});
                shown["scope"] = json!("svm");
            }
            None => shown["scope"] = json!("cluster"),
        }
        shown
    }
    fn create(&self, call: &Call<'_>, body: &Body) -> Outcome<Row> {
        let kind = body.required("type")?.to_owned();
        let common = body.text("common_name").map(str::to_owned);
        if common.is_none() && body.text("public_certificate").is_none() {
            return Err(Refusal::bad(3_735_645, "Either a common name or a public certificate is required.").at("common_name"));
        }
        let tenant = call.read(|view| kept::svm(view, body).map(|svm| svm.map(|svm| svm.id().to_string())))?;
        let common = common.unwrap_or_else(|| "unknown".into());
        let name = body.text("name").map_or_else(|| format!("{common}_{kind}"), str::to_owned);
        let mut notes = kept::said(body, &PLAIN);
        notes.remove("scope");
        notes.entry("common_name".into()).or_insert_with(|| json!(common));
        notes.entry("hash_function".into()).or_insert_with(|| json!("sha256"));
        notes.entry("key_size".into()).or_insert_with(|| json!(2048));
        if !notes.contains_key("expiry_time") {
            let expires = call.read(|view| view.stamp(view.now() + crate::units::SimSpan::days(365)));
            notes.insert("expiry_time".into(), json!(expires));
        }
        let create = ops::record::Create { kind: RecordKind::Certificate, name, tenant, notes: Some(notes) };
        call.make::<Record>(vec![create.into()]).map(|key| Row(key.raw(), 0))
    }
    fn delete(&self, call: &Call<'_>, row: Row) -> Outcome<()> {
        delete(call, row)
    }
}

/// Settings of an address, with what they are if nothing is said.
const AUDIT: [(&str, &str); 5] = [
    ("protocol", "udp_unencrypted"),
    ("facility", "user"),
    ("message_format", "legacy_netapp"),
    ("timestamp_format_override", "no_override"),
    ("hostname_format_override", "no_override"),
];

impl Collection for AuditDestinations {
    fn path(&self) -> &'static str {
        "/security/audit/destinations"
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Create, Verb::Update, Verb::Delete]
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        Ok(rows(view, RecordKind::AuditDestination))
    }
    fn record(&self, view: &View<'_>, row: Row, _: &Want) -> Value {
        let Some(record) = view.array.records.get(Key::<Record>::from_raw(row.0)) else { return json!({}) };
        let (address, port) = record.name().rsplit_once(' ').unwrap_or((record.name(), "514"));
        let mut shown = json!({"address": address, "port": port.parse::<u64>().unwrap_or(514)});
        for (name, first) in AUDIT {
            shown[name] = record.note(name).cloned().unwrap_or_else(|| json!(first));
        }
        shown["verify_server"] = record.note("verify_server").cloned().unwrap_or(json!(false));
        shown
    }
    fn create(&self, call: &Call<'_>, body: &Body) -> Outcome<Row> {
        let address = body.required("address")?;
        let port = body.number("port").unwrap_or(514);
        let mut notes = kept::said(body, &AUDIT.map(|(name, _)| name));
        notes.extend(kept::said(body, &["verify_server"]));
        let create = ops::record::Create { kind: RecordKind::AuditDestination, name: format!("{address} {port}"), tenant: None, notes: Some(notes) };
        call.make::<Record>(vec![create.into()]).map(|key| Row(key.raw(), 0))
    }
    fn update(&self, call: &Call<'_>, row: Row, body: &Body) -> Outcome<()> {
        let record = call.read(|view| view.array.records.get(Key::<Record>::from_raw(row.0)).map(|record| record.id().to_string()));
        let mut notes = kept::said(body, &AUDIT.map(|(name, _)| name));
        notes.extend(kept::said(body, &["verify_server"]));
        let update = ops::record::Update { record: record.unwrap_or_default(), name: None, notes: Some(notes) };
        call.run(vec![update.into()]).map(drop)
    }
    fn delete(&self, call: &Call<'_>, row: Row) -> Outcome<()> {
        delete(call, row)
    }
}
