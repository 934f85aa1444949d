//! `/security/login/messages`: one of the cluster, and one of each SVM; and the secure shell of each SVM.

use serde_json::{Map, Value, json};

use super::account::cluster_id;
use super::setting;
use crate::body::Body;
use crate::collection::{Call, Collection, Row, Verb, View};
use crate::fields::Want;
use crate::model::{Key, Notes, Object, Tenant};
use crate::ops;
use crate::refusal::Outcome;

/// The messages.
pub(crate) struct Messages;

/// The secure shells of SVMs.
pub(crate) struct Shells;

const PATH: &str = "/security/login/messages";

/// The row of the cluster's own message.
const CLUSTER: Row = Row(0, 1);

fn tenant<'a>(view: &View<'a>, row: Row) -> Option<&'a Tenant> {
    if row == CLUSTER { None } else { view.array.tenants.get(Key::from_raw(row.0)) }
}

impl Collection for Messages {
    fn path(&self) -> &'static str {
        PATH
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Update]
    }
    fn defaults(&self) -> &'static [&'static str] {
        &["scope"]
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        let own = [CLUSTER].into_iter();
        Ok(own.chain(view.array.tenants.iter().map(|tenant| Row(tenant.key().raw(), 0))).collect())
    }
    fn record(&self, view: &View<'_>, row: Row, _: &Want) -> Value {
        let tenant = tenant(view, row);
        let (mut record, said) = match tenant {
            None => {
                let said = setting::kept(view, PATH).and_then(Object::notes).and_then(|notes| notes.get("said").cloned());
                (json!({"uuid": cluster_id(view), "scope": "cluster"}), said)
            }
            Some(tenant) => {
                let svm = json!({"name": tenant.name(), "uuid": tenant.id()});
                (json!({"uuid": tenant.id(), "scope": "svm", "svm": svm}), tenant.note("login_message").cloned())
            }
        };
        record["show_cluster_message"] = json!(true);
        if let Some(said) = said {
            setting::merge(&mut record, said);
        }
        for name in ["banner", "message"] {
            if record.get(name).is_none() {
                record[name] = json!("");
            }
        }
        record
    }
    fn update(&self, call: &Call<'_>, row: Row, body: &Body) -> Outcome<()> {
        let mut said = Map::new();
        for name in ["banner", "message", "show_cluster_message"] {
            if let Some(value) = body.get(name) {
                said.insert(name.into(), value.clone());
            }
        }
        let svm = call.read(|view| tenant(view, row).map(|tenant| (tenant.id().to_string(), tenant.note("login_message").cloned())));
        let Some((object, before)) = svm else {
            return setting::keep(call, PATH, &Map::from_iter([("said".to_owned(), Value::Object(said))]));
        };
        let mut all = before.unwrap_or(Value::Null);
        setting::merge(&mut all, Value::Object(said));
        let notes = Notes::from([("login_message".to_owned(), all)]);
        call.run(vec![ops::note::Set { noun: "tenant".into(), object, notes }.into()]).map(drop)
    }
}

impl Collection for Shells {
    fn path(&self) -> &'static str {
        "/security/ssh/svms"
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        Ok(view.array.tenants.iter().map(|tenant| Row(tenant.key().raw(), 0)).collect())
    }
    fn record(&self, view: &View<'_>, row: Row, _: &Want) -> Value {
        let Some(tenant) = tenant(view, row) else { return json!({}) };
        let shell = setting::shell();
        json!({
            "svm": {"name": tenant.name(), "uuid": tenant.id()}, "ciphers": shell["ciphers"], "key_exchange_algorithms": shell["key_exchange_algorithms"],
            "mac_algorithms": shell["mac_algorithms"], "max_authentication_retry_count": 6,
        })
    }
}
