//! `/protocols/san/portsets` and their interfaces: port groups made of interfaces.

use serde_json::{Value, json};

use crate::body::{Body, Named};
use crate::collection::{Call, Collection, Row, Verb, View, refer};
use crate::fields::Want;
use crate::kept;
use crate::model::{Interface, InterfaceAddress, Key, Object, PortGroup, PortGroupProtocol, Tenant};
use crate::net;
use crate::ops::{self, AnyOperation};
use crate::refusal::{Outcome, Refusal};

/// The portsets.
pub(crate) struct Portsets;
/// Interfaces of one.
pub(crate) struct Interfaces;

fn get<'a>(view: &View<'a>, row: Row) -> Option<&'a PortGroup> {
    view.array.port_groups.get(Key::from_raw(row.0))
}

fn word(protocol: PortGroupProtocol) -> &'static str {
    match protocol {
        PortGroupProtocol::Fc | PortGroupProtocol::Fcoe => "fcp",
        PortGroupProtocol::Iscsi => "iscsi",
        PortGroupProtocol::Mixed => "mixed",
    }
}

/// How operations find a portset that a client names.
pub(crate) fn reference(view: &View<'_>, named: &Named, svm: &Tenant) -> Outcome<String> {
    let found = crate::collection::resolve(&view.array.port_groups, named, |group| group.tenant == Some(svm.key()));
    found
        .map(|group| group.id().to_string())
        .ok_or_else(|| Refusal::bad(5_374_911, format!("The portset \"{}\" does not exist.", named.shown())).at("portset.name"))
}

fn shown(interface: &Interface) -> Value {
    let mut inner = refer(interface.name(), interface.id());
    match &interface.address {
        InterfaceAddress::Ip(setup) => {
            inner["ip"] = json!({"address": setup.address});
            json!({"uuid": interface.id(), "ip": inner})
        }
        InterfaceAddress::Wwn { port, .. } => {
            inner["wwpn"] = json!(net::wwn(port));
            json!({"uuid": interface.id(), "fc": inner})
        }
    }
}

/// How operations find the interface that an element of a list names.
fn interface(view: &View<'_>, item: &Body, svm: Option<Key<Tenant>>) -> Outcome<String> {
    let named = item.named("ip").or_else(|| item.named("fc")).or_else(|| item.text("uuid").map(|uuid| Named { uuid: Some(uuid.to_owned()), name: None }));
    let named =
        named.or_else(|| item.text("name").map(|name| Named { uuid: None, name: Some(name.to_owned()) })).ok_or_else(|| Refusal::required("interfaces"))?;
    let found = crate::collection::resolve(&view.array.interfaces, &named, |interface| interface.tenant == svm);
    let unknown = || Refusal::bad(5_374_906, format!("The network interface \"{}\" does not exist.", named.shown())).at("interfaces");
    found.map(|interface| interface.id().to_string()).ok_or_else(unknown)
}

impl Collection for Portsets {
    fn path(&self) -> &'static str {
        "/protocols/san/portsets"
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Create, Verb::Update, Verb::Delete]
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        Ok(view.array.port_groups.iter().map(|group| Row(group.key().raw(), 0)).collect())
    }
    fn find(&self, view: &View<'_>, keys: &[String]) -> Outcome<Option<Row>> {
        let id = keys.first().and_then(|key| key.parse().ok());
        Ok(id.and_then(|id| view.array.port_groups.key_of(id)).map(|key| Row(key.raw(), 0)))
    }
    fn record(&self, view: &View<'_>, row: Row, want: &Want) -> Value {
        let array = view.array;
        let Some(group) = get(view, row) else { return json!({}) };
        let mut record = json!({"uuid": group.id(), "name": group.name(), "protocol": word(group.protocol)});
        if let Some(svm) = group.tenant.and_then(|key| array.tenants.get(key)) {
            record["svm"] = refer(svm.name(), svm.id());
        }
        if !group.interfaces.is_empty() {
            record["interfaces"] = group.interfaces.iter().filter_map(|key| array.interfaces.get(*key)).map(shown).collect();
        }
        if want.has("igroups") {
            let bound: Vec<Value> =
                array.host_groups.iter().filter(|igroup| igroup.port_group == Some(group.key())).map(|igroup| refer(igroup.name(), igroup.id())).collect();
            if !bound.is_empty() {
                record["igroups"] = json!(bound);
            }
        }
        record
    }
    fn create(&self, call: &Call<'_>, body: &Body) -> Outcome<Row> {
        let create = call.read(|view| {
            let svm = kept::required_svm(view, body)?;
            let listed = body.bodies("interfaces").unwrap_or_default();
            let protocol = match body.text("protocol") {
                Some("fcp") => PortGroupProtocol::Fc,
                Some("iscsi") => PortGroupProtocol::Iscsi,
                _ => PortGroupProtocol::Mixed,
            };
            Ok(ops::port_group::Create {
                name: body.required("name")?.to_owned(),
                tenant: Some(svm.id().to_string()),
                interfaces: Some(listed.iter().map(|item| interface(view, item, Some(svm.key()))).collect::<Outcome<_>>()?),
                protocol: Some(protocol),
                ..ops::port_group::Create::default()
            })
        })?;
        call.make::<PortGroup>(vec![create.into()]).map(|key| Row(key.raw(), 0))
    }
    fn update(&self, call: &Call<'_>, row: Row, body: &Body) -> Outcome<()> {
        let update = call.read(|view| {
            let Some(group) = get(view, row) else { return Err(self.absent()) };
            let listed = body.bodies("interfaces").map(|listed| listed.iter().map(|item| interface(view, item, group.tenant)).collect::<Outcome<Vec<_>>>());
            Ok(ops::port_group::Update {
                port_group: group.id().to_string(),
                name: body.text("name").map(str::to_owned),
                interfaces: listed.transpose()?,
                ..ops::port_group::Update::default()
            })
        })?;
        call.run(vec![update.into()]).map(drop)
    }
    fn delete(&self, call: &Call<'_>, row: Row) -> Outcome<()> {
        let unbind = call.is_on("allow_delete_while_bound");
        let operations = call.read(|view| {
            let Some(group) = get(view, row) else { return Vec::new() };
            let bound = view.array.host_groups.iter().filter(|igroup| unbind && igroup.port_group == Some(group.key()));
            let mut operations: Vec<AnyOperation> = bound
                .map(|igroup| {
                    ops::host_group::Update { host_group: igroup.id().to_string(), port_group: Some(String::new()), ..ops::host_group::Update::default() }
                        .into()
                })
                .collect();
            operations.push(ops::port_group::Delete { port_group: group.id().to_string() }.into());
            operations
        });
        call.run(operations).map(drop)
    }
    fn absent(&self) -> Refusal {
        Refusal::missing(5_374_908, "The portset does not exist.")
    }
}

fn above<'a>(view: &View<'a>) -> Outcome<&'a PortGroup> {
    let key = view.parent().parse().ok().and_then(|id| view.array.port_groups.key_of(id));
    key.and_then(|key| view.array.port_groups.get(key)).ok_or_else(|| Portsets.absent())
}

impl Collection for Interfaces {
    fn path(&self) -> &'static str {
        "/protocols/san/portsets/{portset.uuid}/interfaces"
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Create, Verb::Delete]
    }
    fn defaults(&self) -> &'static [&'static str] {
        &["ip", "fc"]
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        let groups: Vec<&PortGroup> = if view.is_of_all() { view.array.port_groups.iter().collect() } else { vec![above(view)?] };
        Ok(groups.iter().flat_map(|group| group.interfaces.iter().map(|interface| Row(group.key().raw(), interface.raw()))).collect())
    }
    fn record(&self, view: &View<'_>, row: Row, _: &Want) -> Value {
        let (group, interface) = (get(view, row), view.array.interfaces.get(Key::<Interface>::from_raw(row.1)));
        let Some((group, interface)) = group.zip(interface) else { return json!({}) };
        let mut record = shown(interface);
        record["portset"] = json!({"uuid": group.id()});
        record
    }
    fn create(&self, call: &Call<'_>, body: &Body) -> Outcome<Row> {
        let (group, id, update) = call.read(|view| {
            let group = above(view)?;
            let id = interface(view, body, group.tenant)?;
            let add = Some(vec![id.clone()]);
            Ok((group.key(), id, ops::port_group::Update { port_group: group.id().to_string(), add_interfaces: add, ..ops::port_group::Update::default() }))
        })?;
        call.run(vec![update.into()])?;
        let key = call.read(|view| id.parse().ok().and_then(|id| view.array.interfaces.key_of(id)));
        Ok(Row(group.raw(), key.map_or(0, Key::raw)))
    }
    fn delete(&self, call: &Call<'_>, row: Row) -> Outcome<()> {
        let update = call.read(|view| {
            let group = get(view, row).map(|group| group.id().to_string()).unwrap_or_default();
            let interface = view.array.interfaces.get(Key::from_raw(row.1)).map(|interface| interface.id().to_string()).unwrap_or_default();
            ops::port_group::Update { port_group: group, remove_interfaces: Some(vec![interface]), ..ops::port_group::Update::default() }
        });
        call.run(vec![update.into()]).map(drop)
    }
}
