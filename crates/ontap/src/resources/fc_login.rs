//! `/network/fc/logins`: hosts that have reached an FC interface: those that a host group of its SVM names, while the interface is up.

use serde_json::{Value, json};

use crate::collection::{Collection, Row, View, refer};
use crate::fields::Want;
use crate::model::{Host, Initiator, Interface, InterfaceAddress, Key, Object, Protocol, Service};
use crate::net;
use crate::refusal::Outcome;
use crate::resources::ip_interface::owner;

/// The logins.
pub(crate) struct FcLogins;

impl Collection for FcLogins {
    fn path(&self) -> &'static str {
        "/network/fc/logins"
    }
    fn defaults(&self) -> &'static [&'static str] {
        &["interface", "initiator.wwpn", "svm"]
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        let array = view.array;
        let interfaces = array.interfaces.iter().filter(|interface| interface.services.contains(&Service::Fc) && interface.is_up(array));
        let mut rows = Vec::new();
        for interface in interfaces {
            let groups = array.host_groups.iter().filter(|group| group.tenant == interface.tenant);
            let mut hosts: Vec<Key<Host>> = groups.flat_map(|group| group.hosts.iter().copied()).collect();
            hosts.sort_unstable();
            hosts.dedup();
            let speaks = |host: &Key<Host>| array.hosts.get(*host).is_some_and(|host| host.initiator.protocol() == Protocol::Fc);
            rows.extend(hosts.into_iter().filter(speaks).map(|host| Row(interface.key().raw(), host.raw())));
        }
        Ok(rows)
    }
    fn record(&self, view: &View<'_>, row: Row, _: &Want) -> Value {
        let array = view.array;
        let (interface, host) = (array.interfaces.get(Key::<Interface>::from_raw(row.0)), array.hosts.get(Key::<Host>::from_raw(row.1)));
        let (Some(interface), Some(host)) = (interface, host) else { return json!({}) };
        let Initiator::Wwn(wwn) = &host.initiator else { return json!({}) };
        let mut shown = refer(interface.name(), interface.id());
        if let InterfaceAddress::Wwn { port, .. } = &interface.address {
            shown["wwpn"] = json!(net::wwn(port));
        }
        let groups = array.host_groups.iter().filter(|group| group.tenant == interface.tenant && group.hosts.contains(&host.key()));
        let groups: Vec<Value> = groups.map(|group| refer(group.name(), group.id())).collect();
        let mut record = json!({"interface": shown, "initiator": {"wwpn": net::wwn(wwn)}, "protocol": "fcp", "igroups": groups});
        if let Some(svm) = owner(view, interface) {
            record["svm"] = refer(svm.name(), svm.id());
        }
        record
    }
}
