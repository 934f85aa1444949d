//! `/network/ip/interfaces`: interfaces with addresses of the Internet Protocol.
//!
//! Read first: this (what is shown), then `ip_interface_change` (what bodies become).

use serde_json::{Value, json};

use crate::body::Body;
use crate::collection::{Call, Collection, Row, Verb, View, refer};
use crate::fields::Want;
use crate::kept;
use crate::model::{Interface, InterfaceAddress, Key, Object, Tenant};
use crate::net;
use crate::ops;
use crate::place;
use crate::query::Asked;
use crate::refusal::Outcome;
use crate::resources::{ip_interface_change, ip_interface_checks, ipspace, service_policy};

/// The interfaces.
pub(crate) struct IpInterfaces;

/// Fields that are given back as they were set.
pub(crate) const KEPT: [&str; 4] = ["ddns_enabled", "dns_zone", "probe_port", "rdma_protocols"];

impl Collection for IpInterfaces {
    fn path(&self) -> &'static str {
        "/network/ip/interfaces"
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Create, Verb::Update, Verb::Delete]
    }
    fn lasts(&self) -> bool {
        true
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        Ok(view.array.interfaces.iter().filter(|interface| is_ip(interface)).map(row).collect())
    }
    fn index(&self, view: &View<'_>, asked: &Asked) -> Option<Vec<Row>> {
        let id = asked.filters.iter().find(|(path, _)| path == "uuid").and_then(|(_, filter)| filter.exact())?;
        let key = id.parse().ok().and_then(|id| view.array.interfaces.key_of(id));
        Some(key.and_then(|key| view.array.interfaces.get(key)).filter(|interface| is_ip(interface)).map(row).into_iter().collect())
    }
    fn find(&self, view: &View<'_>, keys: &[String]) -> Outcome<Option<Row>> {
        let key = keys.first().and_then(|key| key.parse().ok()).and_then(|id| view.array.interfaces.key_of(id));
        Ok(key.and_then(|key| view.array.interfaces.get(key)).filter(|interface| is_ip(interface)).map(row))
    }
    fn record(&self, view: &View<'_>, row: Row, _: &Want) -> Value {
        let Some(interface) = view.array.interfaces.get(Key::<Interface>::from_raw(row.0)) else { return json!({}) };
        let svm = owner(view, interface);
        let mut record = json!({
            "uuid": interface.id(), "name": place::interface_name(view, interface), "enabled": interface.enabled, "vip": false,
            "state": if interface.is_up(view.array) { "up" } else { "down" }, "scope": if svm.is_some() { "svm" } else { "cluster" },
            "ipspace": ipspace::of(view, Some(interface)), "ddns_enabled": false, "probe_port": 0,
        });
        if let InterfaceAddress::Ip(setup) = &interface.address {
            record["ip"] = json!({"address": setup.address, "netmask": setup.prefix_length.to_string(), "family": net::family(&setup.address)});
        }
        if let Some(svm) = svm {
            record["svm"] = refer(svm.name(), svm.id());
        }
        if let Some(policy) = kept::record(view.array, interface.note("service_policy")) {
            record["service_policy"] = service_policy::refer_to(policy, svm);
            record["services"] = json!(service_policy::words(policy));
        } else {
            record["services"] = json!(ip_interface_change::words(&interface.services));
        }
        if let Some(subnet) = kept::record(view.array, interface.note("subnet")) {
            record["subnet"] = refer(subnet.name(), subnet.id());
        }
        record["location"] = location(view, interface);
        let text = |name: &str| interface.note(name).cloned();
        record["location"]["auto_revert"] = text("auto_revert").unwrap_or(json!(false));
        let usual = if interface.carries_data() { "disabled" } else { "broadcast_domain_only" };
        record["location"]["failover"] = text("failover").unwrap_or(json!(usual));
        kept::show(&mut record, interface, &KEPT);
        record
    }
    fn create(&self, call: &Call<'_>, body: &Body) -> Outcome<Row> {
        ip_interface_change::create(call, body)
    }
    fn update(&self, call: &Call<'_>, row: Row, body: &Body) -> Outcome<()> {
        ip_interface_change::update(call, row, body)
    }
    fn delete(&self, call: &Call<'_>, row: Row) -> Outcome<()> {
        call.read(|view| view.array.interfaces.get(Key::from_raw(row.0)).map_or(Ok(()), |interface| ip_interface_checks::may_go(view, interface)))?;
        delete(call, row)
    }
}

/// Deletes an interface.
pub(crate) fn delete(call: &Call<'_>, row: Row) -> Outcome<()> {
    call.run(vec![ops::interface::Delete { interface: id(call, row) }.into()]).map(drop)
}

/// The identifier of a row's interface.
pub(crate) fn id(call: &Call<'_>, row: Row) -> String {
    call.read(|view| view.array.interfaces.get(Key::<Interface>::from_raw(row.0)).map_or_else(String::new, |interface| interface.id().to_string()))
}

/// The SVM of an interface.
pub(crate) fn owner<'a>(view: &View<'a>, interface: &Interface) -> Option<&'a Tenant> {
    interface.tenant.and_then(|key| view.array.tenants.get(key))
}

/// Where an interface is and where it belongs.
pub(crate) fn location(view: &View<'_>, interface: &Interface) -> Value {
    let node = |seat| place::node(view, seat).map_or(Value::Null, |node| view.refer_node(node));
    json!({
        "home_node": node(interface.home), "home_port": place::refer(view, interface.home),
        "node": node(interface.seat), "port": place::refer(view, interface.seat), "is_home": interface.is_home(),
    })
}

fn is_ip(interface: &Interface) -> bool {
    matches!(interface.address, InterfaceAddress::Ip(_))
}

fn row(interface: &Interface) -> Row {
    Row(interface.key().raw(), 0)
}
