//! `/network/ip/service-policies`: what interfaces offer. Records; every SVM has those that the array came with.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::body::{Body, Named};
use crate::collection::{Call, Collection, Row, Verb, View, refer};
use crate::fields::Want;
use crate::kept;
use crate::model::{Key, Notes, Object, Record, RecordKind, Service, Tenant};
use crate::ops;
use crate::refusal::{Outcome, Refusal};
use crate::resources::{configured, ipspace};

/// The service policies.
pub(crate) struct ServicePolicies;

/// What stands before the names of policies that every SVM has.
const EVERY_SVM: &str = "svm/";

impl Collection for ServicePolicies {
    fn path(&self) -> &'static str {
        "/network/ip/service-policies"
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Create, Verb::Update, Verb::Delete]
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        let mut rows = Vec::new();
        for record in view.array.records.iter().filter(|record| record.kind == RecordKind::ServicePolicy) {
            if is_of_every_svm(record) {
                rows.extend(view.array.tenants.iter().map(|svm| Row(record.key().raw(), svm.key().raw() + 1)));
            } else {
                rows.push(configured::row(record));
            }
        }
        Ok(rows)
    }
    fn find(&self, view: &View<'_>, keys: &[String]) -> Outcome<Option<Row>> {
        let wanted = keys.first().map(String::as_str).unwrap_or_default();
        let is_it = |row: &Row| configured::at(view, *row).is_some_and(|policy| id(policy, svm(view, policy, *row)).to_string() == wanted);
        Ok(self.rows(view)?.into_iter().find(is_it))
    }
    fn record(&self, view: &View<'_>, row: Row, _: &Want) -> Value {
        let Some(policy) = configured::at(view, row) else { return json!({}) };
        let owner = svm(view, policy, row);
        let mut record = json!({
            "uuid": id(policy, owner), "name": name(policy), "is_built_in": policy.built_in,
            "services": policy.note("services").cloned().unwrap_or(json!([])), "ipspace": ipspace::of(view, Some(policy)),
        });
        record["scope"] = json!(if owner.is_some() { "svm" } else { "cluster" });
        if let Some(svm) = owner {
            record["svm"] = refer(svm.name(), svm.id());
        }
        record
    }
    fn create(&self, call: &Call<'_>, body: &Body) -> Outcome<Row> {
        let name = body.required("name")?.to_owned();
        let mut notes = kept::said(body, &["services"]);
        notes.insert("scope".to_owned(), json!(if body.has("svm") { "svm" } else { "cluster" }));
        let (tenant, space, taken) = call.read(|view| {
            let svm = kept::svm(view, body)?;
            let space = ipspace::named(view, body, 1_967_082)?.map(kept::reference);
            let taken =
                svm.is_some() && view.array.records.named(&format!("{EVERY_SVM}{name}"), Some(Record::scope_of(RecordKind::ServicePolicy, None))).is_some();
            Ok((svm.map(|svm| svm.id().to_string()), space, taken))
        })?;
        if taken {
            return Err(Refusal::conflict(1, format!("The SVM has a service policy \"{name}\" already.")).at("name"));
        }
        if let Some(space) = space {
            notes.insert("ipspace".to_owned(), space);
        }
        configured::create(call, ops::record::Create { kind: RecordKind::ServicePolicy, name, tenant, notes: Some(notes) })
    }
    fn update(&self, call: &Call<'_>, row: Row, body: &Body) -> Outcome<()> {
        if call.read(|view| configured::at(view, row).is_some_and(|policy| policy.built_in)) && body.has("name") {
            return Err(Refusal::bad(53_281_911, "Service policies that the cluster came with are not renamed.").at("name"));
        }
        if row.1 != 0 {
            return Err(Refusal::bad(53_281_911, "Service policies that every SVM has are not changed; make one of the SVM's own."));
        }
        configured::update(call, row, body.text("name"), kept::said(body, &["services"]))
    }
    fn delete(&self, call: &Call<'_>, row: Row) -> Outcome<()> {
        configured::delete(call, row)
    }
}

fn is_of_every_svm(policy: &Record) -> bool {
    policy.tenant.is_none() && policy.name().starts_with(EVERY_SVM)
}

fn name(policy: &Record) -> &str {
    policy.name().strip_prefix(EVERY_SVM).unwrap_or_else(|| policy.name())
}

/// Whose it is in that row.
fn svm<'a>(view: &View<'a>, policy: &Record, row: Row) -> Option<&'a Tenant> {
    let key = policy.tenant.or_else(|| row.1.checked_sub(1).map(Key::from_raw))?;
    view.array.tenants.get(key)
}

/// The identifier of a policy: of those that every SVM has, each SVM's own.
fn id(policy: &Record, svm: Option<&Tenant>) -> Uuid {
    match svm.filter(|_| is_of_every_svm(policy)) {
        Some(svm) => uuid::Builder::from_random_bytes((policy.id().as_u128() ^ svm.id().as_u128()).to_be_bytes()).into_uuid(),
        None => policy.id(),
    }
}

/// A reference to a policy as an SVM, or the cluster, knows it.
pub(crate) fn refer_to(policy: &Record, svm: Option<&Tenant>) -> Value {
    refer(name(policy), id(policy, svm))
}

/// The policy that an SVM, or the cluster, knows by that name or identifier.
pub(crate) fn known<'a>(view: &View<'a>, named: &Named, svm: Option<&Tenant>) -> Option<&'a Record> {
    let of_owner = |policy: &&Record| match svm {
        Some(svm) => policy.tenant == Some(svm.key()) || is_of_every_svm(policy),
        None => policy.tenant.is_none() && !is_of_every_svm(policy),
    };
    view.array.records.iter().filter(|record| record.kind == RecordKind::ServicePolicy).filter(of_owner).find(|policy| {
        named.name.as_ref().is_none_or(|wanted| wanted == name(policy)) && named.uuid.as_ref().is_none_or(|wanted| *wanted == id(policy, svm).to_string())
    })
}

/// The words of a policy's services.
pub(crate) fn words(policy: &Record) -> Vec<&str> {
    policy.note("services").and_then(Value::as_array).map(|all| all.iter().filter_map(Value::as_str).collect()).unwrap_or_default()
}

/// What an interface with that policy is for.
pub(crate) fn services(policy: &Record) -> Vec<Service> {
    let words = words(policy);
    let has = |word: &str| words.contains(&word);
    let mut found = Vec::new();
    if has("data_iscsi") {
        found.push(Service::Iscsi);
    }
    if has("data_nvme_tcp") {
        found.push(Service::NvmeTcp);
    }
    if found.is_empty() || words.iter().any(|word| word.starts_with("management_") && !word.ends_with("_client")) {
        found.push(Service::Management);
    }
    found
}

/// The notes of an interface with that policy.
pub(crate) fn noted(policy: &Record) -> Notes {
    Notes::from([("service_policy".to_owned(), kept::reference(policy))])
}
