//! `/svm/svms`: tenants, each with a root volume.
//!
//! Read first: this (what is shown), then `svm_change` (what bodies become).

use serde_json::{Value, json};

use crate::body::Body;
use crate::collection::{Call, Collection, Row, Timing, Verb, View, refer};
use crate::fields::Want;
use crate::kept;
use crate::model::{Interface, InterfaceAddress, Key, Object, Pool, Protocol, Record, RecordKind, Service, Tenant, TenantState};
use crate::place;
use crate::query::Asked;
use crate::refusal::{Outcome, Refusal};
use crate::resources::{by_uuid_or_name, ipspace, service_policy, svm_change, svm_service};

/// The SVMs.
pub(crate) struct Svms;

/// Protocols of ONTAP with what the array calls them.
pub(crate) const BLOCK: [(&str, Protocol); 3] = [("iscsi", Protocol::Iscsi), ("fcp", Protocol::Fc), ("nvme", Protocol::Nvme)];

/// Protocols that may be allowed, although this array does not speak them.
pub(crate) const OTHERS: [&str; 4] = ["nfs", "cifs", "ndmp", "s3"];

/// Fields that are given back as they were set.
pub(crate) const KEPT: [&str; 12] = [
    "language",
    "max_volumes",
    "storage.limit_threshold_alert",
    "is_space_reporting_logical",
    "is_space_enforcement_logical",
    "auto_enable_analytics",
    "auto_enable_activity_tracking",
    "anti_ransomware_default_volume_state",
    "snapshot_autodelete_enabled",
    "snapshot_reserve_percent",
    "dns",
    "nsswitch",
];

impl Collection for Svms {
    fn path(&self) -> &'static str {
        "/svm/svms"
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Create, Verb::Update, Verb::Delete]
    }
    fn timing(&self, _: Verb) -> Timing {
        Timing::Job
    }
    fn lasts(&self) -> bool {
        true
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        Ok(view.array.tenants.iter().map(|svm| Row(svm.key().raw(), 0)).collect())
    }
    fn index(&self, view: &View<'_>, asked: &Asked) -> Option<Vec<Row>> {
        by_uuid_or_name(&view.array.tenants, asked)
    }
    fn find(&self, view: &View<'_>, keys: &[String]) -> Outcome<Option<Row>> {
        let key = keys.first().and_then(|key| key.parse().ok()).and_then(|id| view.array.tenants.key_of(id));
        Ok(key.map(|key| Row(key.raw(), 0)))
    }
    fn record(&self, view: &View<'_>, row: Row, want: &Want) -> Value {
        let Some(svm) = at(view, row) else { return json!({}) };
        let mut record = json!({
            "uuid": svm.id(), "name": svm.name(), "subtype": "default", "language": "c.utf_8", "comment": svm.comment, "max_volumes": "unlimited",
            "state": if svm.state == TenantState::Running { "running" } else { "stopped" },
            "is_space_reporting_logical": false, "is_space_enforcement_logical": false, "auto_enable_analytics": false,
            "auto_enable_activity_tracking": false, "anti_ransomware_default_volume_state": "disabled", "aggregates_delegated": !svm.pools.is_empty(),
            "ldap": {"enabled": false}, "nis": {"enabled": false},
            "nsswitch": {"hosts": ["files", "dns"], "group": ["files"], "passwd": ["files"], "netgroup": ["files"], "namemap": ["files"]},
            "number_of_volumes_in_recovery_queue": 0, "total_volume_size_in_recovery_queue": 0,
        });
        record["ipspace"] = ipspace::of(view, Some(svm));
        record["snapshot_policy"] = snapshot_policy(view, svm);
        record["aggregates"] = svm.pools.iter().filter_map(|key| view.array.pools.get(*key)).map(aggregate).collect();
        record["storage"] = storage(view, svm);
        for (word, protocol) in BLOCK {
            let service = svm_service::of(view, svm, protocol);
            record[word] = json!({"allowed": svm.protocols.contains(&protocol), "enabled": service == Some(true)});
            if service.is_some() {
                let family = if word == "nvme" { "nvme" } else { "san" };
                let part = if word == "nvme" { String::new() } else { format!("{word}/") };
                record[word]["_links"] = json!({"self": {"href": format!("/api/protocols/{family}/{part}services/{}", svm.id())}});
            }
        }
        for word in OTHERS {
            record[word] = json!({"allowed": svm.note(word).and_then(Value::as_bool).unwrap_or(true)});
            if word != "ndmp" {
                record[word]["enabled"] = json!(false);
            }
        }
        if want.has("ip_interfaces") || want.has("fc_interfaces") {
            interfaces(view, svm, &mut record);
        }
        if want.has("snapmirror") {
            record["snapmirror"] = json!({"is_protected": false, "protected_volumes_count": 0});
        }
        kept::show(&mut record, svm, &KEPT);
        record
    }
    fn create(&self, call: &Call<'_>, body: &Body) -> Outcome<Row> {
        svm_change::create(call, body)
    }
    fn update(&self, call: &Call<'_>, row: Row, body: &Body) -> Outcome<()> {
        svm_change::update(call, row, body)
    }
    fn delete(&self, call: &Call<'_>, row: Row) -> Outcome<()> {
        svm_change::delete(call, row)
    }
    fn absent(&self) -> Refusal {
        Refusal::missing(2_621_462, "The SVM does not exist.")
    }
}

/// The SVM of a row.
pub(crate) fn at<'a>(view: &View<'a>, row: Row) -> Option<&'a Tenant> {
    view.array.tenants.get(Key::<Tenant>::from_raw(row.0))
}

/// The snapshot policy of new volumes; `default` if nobody has named one.
fn snapshot_policy(view: &View<'_>, svm: &Tenant) -> Value {
    let usual = || view.array.records.named("default", Some(Record::scope_of(RecordKind::SnapshotPolicy, None)));
    let policy = kept::record(view.array, svm.note("snapshot_policy")).or_else(usual);
    policy.map_or(json!({"name": "default"}), |policy| refer(policy.name(), policy.id()))
}

fn aggregate(pool: &Pool) -> Value {
    let available = pool.capacity.get().saturating_sub(pool.used().get());
    json!({"name": pool.name(), "uuid": pool.id(), "available_size": available, "state": "online", "type": "ssd", "snaplock_type": "non_snaplock"})
}

/// What it may promise, and what it promises.
fn storage(view: &View<'_>, svm: &Tenant) -> Value {
    let allocated = Tenant::promised(view.array, svm.key()).get();
    let mut storage = json!({"allocated": allocated, "limit": 0, "limit_threshold_alert": 90});
    if let Some(limit) = svm.capacity_limit {
        let limit = limit.get();
        let percent = (allocated * 100).checked_div(limit).unwrap_or(0);
        let alert = svm.note("storage.limit_threshold_alert").and_then(Value::as_u64).unwrap_or(90);
        storage["limit"] = json!(limit);
        storage["available"] = json!(limit.saturating_sub(allocated));
        storage["used_percentage"] = json!(percent);
        storage["limit_threshold_exceeded"] = json!(percent >= alert);
    }
    storage
}

/// The interfaces of an SVM, in short.
fn interfaces(view: &View<'_>, svm: &Tenant, record: &mut Value) {
    let (mut ip, mut fc) = (Vec::new(), Vec::new());
    for interface in view.array.interfaces_of(Some(svm.key())) {
        match &interface.address {
            InterfaceAddress::Ip(setup) => {
                let mut shown =
                    json!({"name": interface.name(), "uuid": interface.id(), "ip": {"address": setup.address, "netmask": setup.prefix_length.to_string()}});
                if let Some(policy) = kept::record(view.array, interface.note("service_policy")) {
                    shown["service_policy"] = service_policy::refer_to(policy, Some(svm))["name"].clone();
                    shown["services"] = json!(service_policy::words(policy));
                }
                let home = place::refer(view, interface.home);
                shown["location"] = json!({"home_port": {"name": home["name"], "uuid": home["uuid"]}});
                if let Some(node) = place::node(view, interface.home) {
                    shown["location"]["home_node"] = view.refer_node(node);
                }
                ip.push(shown);
            }
            InterfaceAddress::Wwn { .. } => fc.push(fc_interface(view, interface)),
        }
    }
    record["ip_interfaces"] = json!(ip);
    record["fc_interfaces"] = json!(fc);
}

fn fc_interface(view: &View<'_>, interface: &Interface) -> Value {
    let protocol = if interface.services.contains(&Service::NvmeFc) { "fc_nvme" } else { "fcp" };
    json!({"name": interface.name(), "uuid": interface.id(), "data_protocol": protocol, "location": {"port": place::refer(view, interface.seat)}})
}
