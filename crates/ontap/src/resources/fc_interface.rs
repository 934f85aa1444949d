//! `/network/fc/interfaces`: interfaces with world-wide names.

use serde_json::{Value, json};

use crate::body::Body;
use crate::collection::{Call, Collection, Row, Verb, View, refer};
use crate::fields::Want;
use crate::kept;
use crate::model::{Interface, InterfaceAddress, Key, Object, Seat, Service};
use crate::net;
use crate::ops::{self, AnyOperation};
use crate::place;
use crate::refusal::{Outcome, Refusal};
use crate::resources::ip_interface::{delete, id, location, owner};
use crate::resources::ip_interface_change::names;
use crate::resources::ip_interface_checks::stays_on_its_node;

/// The interfaces.
pub(crate) struct FcInterfaces;

impl Collection for FcInterfaces {
    fn path(&self) -> &'static str {
        "/network/fc/interfaces"
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Create, Verb::Update, Verb::Delete]
    }
    fn lasts(&self) -> bool {
        true
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        Ok(view.array.interfaces.iter().filter(|interface| is_fc(interface)).map(row).collect())
    }
    fn find(&self, view: &View<'_>, keys: &[String]) -> Outcome<Option<Row>> {
        let key = keys.first().and_then(|key| key.parse().ok()).and_then(|id| view.array.interfaces.key_of(id));
        Ok(key.and_then(|key| view.array.interfaces.get(key)).filter(|interface| is_fc(interface)).map(row))
    }
    fn record(&self, view: &View<'_>, row: Row, _: &Want) -> Value {
        let Some(interface) = view.array.interfaces.get(Key::<Interface>::from_raw(row.0)) else { return json!({}) };
        let mut record = json!({
            "uuid": interface.id(), "name": interface.name(), "enabled": interface.enabled, "state": if interface.is_up(view.array) { "up" } else { "down" },
            "data_protocol": if interface.services.contains(&Service::NvmeFc) { "fc_nvme" } else { "fcp" }, "location": location(view, interface),
        });
        if let InterfaceAddress::Wwn { port, node } = &interface.address {
            record["wwpn"] = json!(net::wwn(port));
            record["wwnn"] = json!(net::wwn(node));
        }
        if let Some(svm) = owner(view, interface) {
            record["svm"] = refer(svm.name(), svm.id());
        }
        kept::show(&mut record, interface, &["comment"]);
        record
    }
    fn create(&self, call: &Call<'_>, body: &Body) -> Outcome<Row> {
        let operations = call.read(|view| made(view, body))?;
        call.make::<Interface>(operations).map(|key| Row(key.raw(), 0))
    }
    fn update(&self, call: &Call<'_>, row: Row, body: &Body) -> Outcome<()> {
        let own = id(call, row);
        let (home, name) = call.read(|view| {
            let interface = view.array.interfaces.get(Key::<Interface>::from_raw(row.0)).ok_or_else(Refusal::not_found)?;
            let seat = place::named(view, body, "location.home_port", true)?;
            let seat = match (seat, place::named_node(view, body, "location.home_node")?) {
                (None, Some(node)) if place::node(view, interface.home).is_none_or(|own| own.key() != node) => {
                    Some(best(view, Some(node), interface.services.first().copied())?)
                }
                (seat, _) => seat,
            };
            let seat = seat.filter(|seat| *seat != interface.home);
            seat.map_or(Ok(()), |seat| stays_on_its_node(view, interface, seat, "location.home_port"))?;
            let home = seat.and_then(|seat| names(view, seat).0);
            Ok((home, body.text("name").filter(|name| *name != interface.name()).map(str::to_owned)))
        })?;
        let mut operations: Vec<AnyOperation> = Vec::new();
        let update =
            ops::interface::Update { interface: own.clone(), name, home_port: home, enabled: body.flag("enabled"), ..ops::interface::Update::default() };
        if update != (ops::interface::Update { interface: own.clone(), ..ops::interface::Update::default() }) {
            operations.push(update.into());
        }
        operations.extend(kept::keep("interface", &own, kept::said(body, &["comment"])));
        if operations.is_empty() { Ok(()) } else { call.run(operations).map(drop) }
    }
    fn delete(&self, call: &Call<'_>, row: Row) -> Outcome<()> {
        delete(call, row)
    }
}

pub(crate) fn made(view: &View<'_>, body: &Body) -> Outcome<Vec<AnyOperation>> {
    let svm = kept::required_svm(view, body)?;
    let name = body.required("name")?.to_owned();
    let service = match body.text("data_protocol") {
        None => return Err(Refusal::bad(5_374_871, "The \"data_protocol\" is missing: \"fcp\" or \"fc_nvme\".").at("data_protocol")),
        Some("fc_nvme") => Service::NvmeFc,
        Some(_) => Service::Fc,
    };
    let seat = match place::named(view, body, "location.home_port", true)?.or(place::named(view, body, "location.port", true)?) {
        Some(seat) => seat,
        None => match place::named_node(view, body, "location.home_node")?.or(place::named_node(view, body, "location.node")?) {
            Some(node) => best(view, Some(node), Some(service))?,
            None => return Err(Refusal::bad(5_374_873, "Either \"location.home_port\" or \"location.home_node\" is needed.").at("location.home_port.name")),
        },
    };
    let (home_port, home_controller) = names(view, seat);
    let create = ops::interface::Create {
        name,
        tenant: Some(svm.id().to_string()),
        services: vec![service],
        home_port,
        home_controller,
        enabled: body.flag("enabled"),
        ..ops::interface::Create::default()
    };
    Ok(std::iter::once(create.into()).chain(kept::keep("interface", "", kept::said(body, &["comment"]))).collect())
}

/// The FC port with the fewest interfaces.
fn best(view: &View<'_>, node: Option<Key<crate::model::Controller>>, service: Option<Service>) -> Outcome<Seat> {
    let carriers = service.map_or(&[][..], Service::carriers);
    let ports = view.array.host_ports.iter().filter(|port| node.is_none_or(|node| port.controller == node) && carriers.contains(&port.protocol));
    let found = ports.map(|port| Seat::Port(port.key())).min_by_key(|seat| place::crowd(view, *seat));
    found.ok_or_else(|| Refusal::bad(1_966_217, "The node has no FC port for the interface.").at("location.home_node"))
}

fn is_fc(interface: &Interface) -> bool {
    matches!(interface.address, InterfaceAddress::Wwn { .. })
}

fn row(interface: &Interface) -> Row {
    Row(interface.key().raw(), 0)
}
