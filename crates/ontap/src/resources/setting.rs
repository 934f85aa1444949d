//! Settings that stand alone at their paths and from which nothing in the array follows: what a client sets, it finds again.

use serde_json::{Map, Value, json};

use crate::body::Body;
use crate::collection::{Call, Collection, Row, Shape, Verb, View};
use crate::fields::Want;
use crate::model::{Notes, Object, Record, RecordKind};
use crate::ops;
use crate::refusal::Outcome;

/// A group of settings. They are a record that has the path for its name, made with the first change.
pub(crate) struct Setting {
    path: &'static str,
    /// What is set at first.
    first: fn() -> Value,
    /// Fields that are taken and never shown.
    secret: &'static [&'static str],
}

/// Where events are sent.
pub(crate) const EMS: Setting = Setting {
    path: "/support/ems",
    first: || json!({"mail_from": "admin@localhost", "mail_server": "localhost", "proxy_url": "", "proxy_user": "", "pubsub_enabled": true}),
    secret: &["mail_server_password", "proxy_password"],
};
/// What is sent to the vendor.
pub(crate) const AUTOSUPPORT: Setting = Setting {
    path: "/support/autosupport",
    first: || {
        json!({
            "enabled": true, "is_minimal": false, "contact_support": true, "ondemand_enabled": true, "transport": "https", "mail_hosts": ["mailhost"],
            "from": "Postmaster", "to": [], "partner_addresses": [], "proxy_url": "", "smtp_encryption": "start_tls",
        })
    },
    secret: &[],
};
/// Whether updates are fetched.
pub(crate) const AUTO_UPDATE: Setting = Setting { path: "/support/auto-update", first: || json!({"enabled": false, "eula": {"accepted": false}}), secret: &[] };
/// Security of the whole.
pub(crate) const SECURITY: Setting = Setting {
    path: "/security",
    first: || {
        json!({
            "fips": {"enabled": false}, "management_protocols": {"rsh_enabled": false, "telnet_enabled": false},
            "tls": {"protocol_versions": ["TLSv1.3", "TLSv1.2"], "cipher_suites": ["TLS_AES_256_GCM_SHA384", "TLS_AES_128_GCM_SHA256", "TLS_CHACHA20_POLY1305_SHA256"], "offload_enabled": false},
            "software_data_encryption": {"disabled_by_default": false, "encryption_state": "unencrypted"},
            "onboard_key_manager_configurable_status": {"supported": true, "code": 0, "message": ""},
        })
    },
    secret: &[],
};
/// The secure shell.
pub(crate) const SSH: Setting = Setting { path: "/security/ssh", first: shell, secret: &[] };
/// What is written down of what administrators do.
pub(crate) const AUDIT: Setting = Setting { path: "/security/audit", first: || json!({"cli": false, "http": false, "ontapi": false}), secret: &[] };

/// What the secure shell speaks at first.
pub(crate) fn shell() -> Value {
    json!({
        "ciphers": ["aes256_ctr", "aes192_ctr", "aes128_ctr", "aes128_gcm", "aes256_gcm"],
        "key_exchange_algorithms": ["diffie_hellman_group_exchange_sha256", "ecdh_sha2_nistp256", "ecdh_sha2_nistp384", "ecdh_sha2_nistp521", "curve25519_sha256"],
        "mac_algorithms": ["hmac_sha2_256", "hmac_sha2_512", "hmac_sha2_256_etm", "hmac_sha2_512_etm", "umac_128", "umac_128_etm"],
        "max_authentication_retry_count": 4, "connections_per_second": 10, "max_instances": 64, "per_source_limit": 32,
    })
}

/// The record that keeps the settings of a path.
pub(crate) fn kept<'a>(view: &View<'a>, path: &str) -> Option<&'a Record> {
    view.array.records.named(path, Some(Record::scope_of(RecordKind::ClusterSetting, None)))
}

/// Keeps changes of the settings of a path: the record is made when there is none.
pub(crate) fn keep(call: &Call<'_>, path: &str, changes: &Map<String, Value>) -> Outcome<()> {
    let present = call.read(|view| kept(view, path).map(|record| (record.id().to_string(), record.notes().cloned().unwrap_or_default())));
    let before = present.as_ref().map(|(_, notes)| notes.clone()).unwrap_or_default();
    let merged = |(name, value): (&String, &Value)| {
        let mut all = before.get(name).cloned().unwrap_or(Value::Null);
        merge(&mut all, value.clone());
        (name.clone(), all)
    };
    let notes: Notes = changes.iter().map(merged).collect();
    let operation = match present {
        Some((record, _)) => ops::record::Update { record, notes: Some(notes), ..ops::record::Update::default() }.into(),
        None => ops::record::Create { kind: RecordKind::ClusterSetting, name: path.to_owned(), tenant: None, notes: Some(notes) }.into(),
    };
    call.run(vec![operation]).map(drop)
}

/// Lays one value over another.
pub(crate) fn merge(into: &mut Value, from: Value) {
    match (into, from) {
        (Value::Object(into), Value::Object(from)) => from.into_iter().for_each(|(name, value)| merge(into.entry(name).or_insert(Value::Null), value)),
        (into, from) => *into = from,
    }
}

impl Collection for Setting {
    fn path(&self) -> &'static str {
        self.path
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
        let mut record = (self.first)();
        for (name, value) in kept(view, self.path).and_then(Object::notes).into_iter().flatten() {
            merge(&mut record[name.as_str()], value.clone());
        }
        record
    }
    fn update(&self, call: &Call<'_>, _: Row, body: &Body) -> Outcome<()> {
        let mut changes = body.0.as_object().cloned().unwrap_or_default();
        changes.retain(|name, _| !self.secret.contains(&name.as_str()));
        keep(call, self.path, &changes)
    }
}
