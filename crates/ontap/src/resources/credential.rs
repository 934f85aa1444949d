//! `/protocols/san/iscsi/credentials`: how initiators prove who they are. Every SVM with iSCSI has one for `default`; others are records.
//! Secrets are taken and never kept: nobody logs in here.

use serde_json::{Map, Value, json};

use crate::body::Body;
use crate::collection::{Call, Collection, Row, Verb, View, refer};
use crate::fields::Want;
use crate::kept;
use crate::model::{GroupProtocol, Key, Notes, Object, Protocol, Record, RecordKind, TargetService, Tenant};
use crate::ops;
use crate::refusal::{Outcome, Refusal};
use crate::resources::initiator_name::protocol_of;

/// The credentials.
pub(crate) struct Credentials;

/// The initiator for whom no other credential is.
const DEFAULT: &str = "default";

/// A credential: that of everybody, from the service, or one of its own.
enum Found<'a> {
    OfService(&'a TargetService),
    Own(&'a Record),
}

impl Found<'_> {
    fn of<'a>(view: &View<'a>, row: Row) -> Option<Found<'a>> {
        if row.1 == 0 {
            return view.array.services.get(Key::from_raw(row.0)).map(Found::OfService);
        }
        view.array.records.get(Key::from_raw(row.1)).map(Found::Own)
    }
    fn note(&self, name: &str) -> Option<&Value> {
        match self {
            Found::OfService(service) => service.note(name),
            Found::Own(record) => record.note(name),
        }
    }
    fn tenant(&self) -> Option<Key<Tenant>> {
        match self {
            Found::OfService(service) => Some(service.tenant),
            Found::Own(record) => record.tenant,
        }
    }
    fn initiator(&self) -> &str {
        match self {
            Found::OfService(_) => DEFAULT,
            Found::Own(record) => record.name(),
        }
    }
    fn keep(&self, notes: Notes) -> Option<ops::AnyOperation> {
        match self {
            Found::OfService(service) => kept::keep("service", &service.id().to_string(), notes),
            Found::Own(record) => kept::keep("record", &record.id().to_string(), notes),
        }
    }
}

/// What a body says, without its secrets. CHAP needs a user and a secret.
fn notes(body: &Body, present: Option<&Found<'_>>) -> Outcome<Notes> {
    let mut notes = Notes::new();
    if let Some(kind) = body.text("authentication_type") {
        notes.insert("authentication_type".into(), json!(kind));
    }
    for way in ["inbound", "outbound"] {
        let (user, password) = (body.text(&format!("chap.{way}.user")), body.text(&format!("chap.{way}.password")));
        if user.is_some() && password.is_none() {
            return Err(Refusal::bad(5_374_885, format!("A CHAP user needs a password: \"chap.{way}.password\".")).at(&format!("chap.{way}.password")));
        }
        if let Some(user) = user {
            notes.insert(format!("chap.{way}.user"), json!(user));
        }
    }
    let becomes_chap = body.text("authentication_type") == Some("chap");
    let has_user = notes.contains_key("chap.inbound.user") || present.is_some_and(|found| found.note("chap.inbound.user").is_some());
    if becomes_chap && !has_user {
        return Err(Refusal::required("chap.inbound.user"));
    }
    if matches!(body.text("authentication_type"), Some("none" | "deny")) {
        notes.insert("chap.inbound.user".into(), Value::Null);
        notes.insert("chap.outbound.user".into(), Value::Null);
    }
    if let Some(addresses) = body.get("initiator_address") {
        notes.insert("initiator_address".into(), addresses.clone());
    }
    Ok(notes)
}

impl Collection for Credentials {
    fn path(&self) -> &'static str {
        "/protocols/san/iscsi/credentials"
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Create, Verb::Update, Verb::Delete]
    }
    fn defaults(&self) -> &'static [&'static str] {
        &["authentication_type", "chap"]
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        let services = view.array.services.iter().filter(|service| service.protocol == Protocol::Iscsi);
        let mut rows: Vec<Row> = services.map(|service| Row(service.key().raw(), 0)).collect();
        rows.extend(view.array.records.iter().filter(|record| record.kind == RecordKind::Credential).map(|record| Row(0, record.key().raw())));
        Ok(rows)
    }
    fn record(&self, view: &View<'_>, row: Row, _: &Want) -> Value {
        let Some(found) = Found::of(view, row) else { return json!({}) };
        let mut record = json!({
            "initiator": found.initiator(),
            "authentication_type": found.note("authentication_type").cloned().unwrap_or_else(|| json!("none")),
        });
        if let Some(svm) = found.tenant().and_then(|key| view.array.tenants.get(key)) {
            record["svm"] = refer(svm.name(), svm.id());
        }
        let users: Map<String, Value> =
            ["inbound", "outbound"].iter().filter_map(|way| Some(((*way).to_owned(), json!({"user": found.note(&format!("chap.{way}.user"))?})))).collect();
        if !users.is_empty() {
            record["chap"] = Value::Object(users);
        }
        if let Some(addresses) = found.note("initiator_address") {
            record["initiator_address"] = addresses.clone();
        }
        record
    }
    fn create(&self, call: &Call<'_>, body: &Body) -> Outcome<Row> {
        let create = call.read(|view| {
            let svm = kept::required_svm(view, body)?;
            let initiator = body.required("initiator")?.to_lowercase();
            if view.array.service(svm.key(), Protocol::Iscsi).is_none() {
                return Err(Refusal::bad(5_374_078, format!("The SVM \"{}\" does not have an iSCSI service.", svm.name())).at("svm"));
            }
            if initiator == DEFAULT {
                return Err(Refusal::conflict(5_374_895, "The credential of the initiator \"default\" exists already."));
            }
            protocol_of(&initiator, GroupProtocol::Iscsi).map_err(|refusal| refusal.at("initiator"))?;
            let kind = body.required("authentication_type")?;
            let mut notes = notes(body, None)?;
            notes.retain(|_, value| !value.is_null());
            notes.insert("authentication_type".into(), json!(kind));
            Ok(ops::record::Create { kind: RecordKind::Credential, name: initiator, tenant: Some(svm.id().to_string()), notes: Some(notes) })
        })?;
        call.make::<Record>(vec![create.into()]).map(|key| Row(0, key.raw()))
    }
    fn update(&self, call: &Call<'_>, row: Row, body: &Body) -> Outcome<()> {
        let operation = call.read(|view| {
            let Some(found) = Found::of(view, row) else { return Err(self.absent()) };
            Ok(found.keep(notes(body, Some(&found))?))
        })?;
        call.run(operation.into_iter().collect()).map(drop)
    }
    fn delete(&self, call: &Call<'_>, row: Row) -> Outcome<()> {
        let operation = call.read(|view| match Found::of(view, row) {
            Some(Found::Own(record)) => Ok(ops::record::Delete { record: record.id().to_string() }.into()),
            Some(Found::OfService(_)) => Err(Refusal::conflict(5_374_898, "The credential of the initiator \"default\" cannot be deleted; change it instead.")),
            None => Err(self.absent()),
        })?;
        call.run(vec![operation]).map(drop)
    }
}
