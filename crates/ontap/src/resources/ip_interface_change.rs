//! What bodies of IP interfaces become.

use serde_json::{Value, json};

use crate::body::Body;
use crate::collection::{Call, Row, View};
use crate::kept;
use crate::model::{Controller, Interface, Key, Notes, Object, PortProtocol, RecordKind, Seat, Service, Tenant};
use crate::net;
use crate::ops::{self, AnyOperation};
use crate::place;
use crate::refusal::{Outcome, Refusal};
use crate::resources::ip_interface::{KEPT, owner};
use crate::resources::{ip_interface_checks as checks, ipspace, service_policy, subnet};

/// The words of services without a policy.
pub(crate) fn words(services: &[Service]) -> Vec<&'static str> {
    let word = |service: &Service| match service {
        Service::Iscsi => Some("data_iscsi"),
        Service::NvmeTcp => Some("data_nvme_tcp"),
        Service::Management => Some("management_https"),
        Service::Fc | Service::NvmeFc => None,
    };
    let data = services.iter().any(|service| service.protocol().is_some()).then_some("data_core");
    data.into_iter().chain(services.iter().filter_map(word)).collect()
}

/// Makes an interface.
pub(crate) fn create(call: &Call<'_>, body: &Body) -> Outcome<Row> {
    let operations = call.read(|view| made(view, body))?;
    call.make::<Interface>(operations).map(|key| Row(key.raw(), 0))
}

pub(crate) fn made(view: &View<'_>, body: &Body) -> Outcome<Vec<AnyOperation>> {
    let svm = kept::svm(view, body)?;
    let mut notes = kept::said(body, &KEPT);
    let space = ipspace::named(view, body, 1_967_082)?;
    if svm.is_none() && space.is_none() && body.text("scope") != Some("cluster") {
        return Err(Refusal::bad(1_967_146, "An interface belongs to an SVM (\"svm\") or to the cluster (\"ipspace\").").at("svm.name"));
    }
    notes.extend(space.map(|space| ("ipspace".to_owned(), kept::reference(space))));
    checks::references_are_there(view, body)?;
    let (services, policy) = services(view, body, svm)?;
    checks::stays_at_home(body, &services)?;
    notes.extend(policy);
    checks::has_a_place(body)?;
    checks::address_is_good(body, None)?;
    let (address, prefix_length) = address(view, body, &mut notes)?;
    let seat = home(view, body, &services)?;
    for (note, path) in [("auto_revert", "location.auto_revert"), ("failover", "location.failover")] {
        notes.extend(body.get(path).map(|value| (note.to_owned(), value.clone())));
    }
    let named = body.text("name").filter(|name| !name.is_empty()).map(str::to_owned);
    let name = named.unwrap_or_else(|| free_name(view, svm));
    let (home_port, home_controller) = names(view, seat);
    let mut operations: Vec<AnyOperation> = speaks(view, seat, &services).into_iter().collect();
    let create = ops::interface::Create {
        name,
        tenant: svm.map(|svm| svm.id().to_string()),
        services,
        home_port,
        home_controller,
        address: Some(address),
        prefix_length: Some(prefix_length),
        gateway: None,
        enabled: body.flag("enabled"),
    };
    operations.push(create.into());
    operations.extend(kept::keep("interface", "", notes));
    Ok(operations)
}

/// Changes an interface.
pub(crate) fn update(call: &Call<'_>, row: Row, body: &Body) -> Outcome<()> {
    let operations = call.read(|view| changed(view, row, body))?;
    if operations.is_empty() {
        return Ok(());
    }
    let is_held = |refusal: &Refusal| refusal.code == 8 && refusal.target.is_none();
    call.run(operations).map(drop).map_err(|refusal| if is_held(&refusal) { refusal.at("service_policy.name") } else { refusal })
}

fn changed(view: &View<'_>, row: Row, body: &Body) -> Outcome<Vec<AnyOperation>> {
    let Some(interface) = view.array.interfaces.get(Key::<Interface>::from_raw(row.0)) else { return Err(Refusal::not_found()) };
    let own = interface.id().to_string();
    let mut notes = kept::said(body, &KEPT);
    for (note, path) in [("auto_revert", "location.auto_revert"), ("failover", "location.failover")] {
        notes.extend(body.get(path).map(|value| (note.to_owned(), value.clone())));
    }
    let mut operations = Vec::new();
    let mut update = ops::interface::Update { interface: own.clone(), ..ops::interface::Update::default() };
    if body.has("service_policy") {
        let (services, policy) = services(view, body, owner(view, interface))?;
        notes.extend(policy);
        if services != interface.services {
            update.services = Some(services);
        }
    }
    checks::references_are_there(view, body)?;
    checks::stays_at_home(body, update.services.as_deref().unwrap_or(&interface.services))?;
    checks::address_is_good(body, Some(interface))?;
    update.name = body.text("name").filter(|name| *name != place::interface_name(view, interface)).map(str::to_owned);
    update.enabled = body.flag("enabled").filter(|enabled| *enabled != interface.enabled);
    update.address = body.text("ip.address").map(str::to_owned);
    update.prefix_length = net::prefix_at(body, "ip.netmask")?;
    let kept_services = update.services.clone().unwrap_or_else(|| interface.services.clone());
    let home = place::named(view, body, "location.home_port", false)?;
    let home = match (home, place::named_node(view, body, "location.home_node")?) {
        (None, Some(node)) if place::node(view, interface.home).is_none_or(|own| own.key() != node) => Some(best(view, Some(node), None, &kept_services)?),
        (home, _) => home,
    };
    if let Some(home) = home.filter(|home| *home != interface.home) {
        checks::stays_on_its_node(view, interface, home, "location.home_port")?;
        operations.extend(speaks(view, home, &kept_services));
        (update.home_port, update.home_controller) = names(view, home);
    }
    let empty = ops::interface::Update { interface: own.clone(), ..ops::interface::Update::default() };
    if update != empty {
        operations.push(update.into());
    }
    operations.extend(moved(view, interface, body)?);
    operations.extend(kept::keep("interface", &own, notes));
    Ok(operations)
}

/// Where an interface is taken to.
fn moved(view: &View<'_>, interface: &Interface, body: &Body) -> Outcome<Option<AnyOperation>> {
    let own = interface.id().to_string();
    if body.flag("location.is_home") == Some(true) {
        return Ok((!interface.is_home()).then(|| ops::interface::Revert { interface: own }.into()));
    }
    let port = place::named(view, body, "location.port", false)?;
    let seat = match (port, place::named_node(view, body, "location.node")?) {
        (None, Some(node)) if place::node(view, interface.seat).is_none_or(|own| own.key() != node) => Some(best(view, Some(node), None, &interface.services)?),
        (port, _) => port,
    };
    let Some(seat) = seat.filter(|seat| *seat != interface.seat) else { return Ok(None) };
    checks::stays_on_its_node(view, interface, seat, "location.port")?;
    let (port, controller) = names(view, seat);
    Ok(Some(ops::interface::Migrate { interface: own, port, controller }.into()))
}

/// What the interface is for, and the policy that says so.
fn services(view: &View<'_>, body: &Body, svm: Option<&Tenant>) -> Outcome<(Vec<Service>, Notes)> {
    let usual = if svm.is_some() { "default-data-blocks" } else { "default-management" };
    let named = body.named("service_policy").unwrap_or(crate::body::Named { uuid: None, name: Some(usual.to_owned()) });
    let unknown = || Refusal::bad(1_966_373, format!("Service policy \"{}\" does not exist.", named.shown())).at("service_policy.name");
    let policy = service_policy::known(view, &named, svm).ok_or_else(unknown)?;
    Ok((service_policy::services(policy), service_policy::noted(policy)))
}

/// The address: as given, or the first that is free in the subnet.
fn address(view: &View<'_>, body: &Body, notes: &mut Notes) -> Outcome<(String, u8)> {
    if let Some(named) = body.named("subnet") {
        let unknown = || Refusal::bad(1_967_106, format!("Subnet \"{}\" does not exist.", named.shown())).at("subnet.name");
        let found = kept::find(view.array, RecordKind::Subnet, &named, None).ok_or_else(unknown)?;
        notes.insert("subnet".to_owned(), kept::reference(found));
        let (free, length) = subnet::free_address(view, found)?;
        return Ok((body.text("ip.address").map_or(free, str::to_owned), length));
    }
    let address = body.required("ip.address")?.to_owned();
    let length = net::prefix_at(body, "ip.netmask")?.ok_or_else(|| Refusal::required("ip.netmask"))?;
    Ok((address, length))
}

/// Where the interface belongs: as named, or the place with the fewest interfaces of the node or the broadcast domain that is named.
fn home(view: &View<'_>, body: &Body, services: &[Service]) -> Outcome<Seat> {
    let path = if body.has("location.home_port") { "location.home_port" } else { "location.port" };
    if let Some(seat) = place::named(view, body, path, false)? {
        let is_for_data = services.iter().any(|service| service.protocol().is_some());
        if is_for_data && matches!(seat, Seat::Controller(_)) {
            return Err(Refusal::bad(1_966_217, "Hosts are not served at the management port of a node; choose another port.").at(path));
        }
        return Ok(seat);
    }
    let node = match place::named_node(view, body, "location.home_node")? {
        Some(node) => Some(node),
        None => place::named_node(view, body, "location.node")?,
    };
    let domain = match body.named("location.broadcast_domain") {
        Some(named) => {
            let unknown = || Refusal::bad(1_967_082, format!("Broadcast domain \"{}\" does not exist.", named.shown())).at("location.broadcast_domain.name");
            Some(kept::find(view.array, RecordKind::BroadcastDomain, &named, None).ok_or_else(unknown)?.id())
        }
        None => None,
    };
    best(view, node, domain, services)
}

/// The place with the fewest interfaces.
fn best(view: &View<'_>, node: Option<Key<Controller>>, domain: Option<uuid::Uuid>, services: &[Service]) -> Outcome<Seat> {
    let data = services.iter().any(|service| service.protocol().is_some());
    let fits = |seat: &Seat| {
        node.is_none_or(|node| place::node(view, *seat).is_some_and(|owner| owner.key() == node))
            && domain.is_none_or(|domain| place::domain(view, *seat).is_some_and(|of| of.id() == domain))
            && match seat {
                Seat::Port(port) => view
                    .array
                    .host_ports
                    .get(*port)
                    .is_some_and(|port| services.iter().all(|service| port.modes.iter().any(|(mode, _)| service.carriers().contains(mode)))),
                Seat::Controller(_) => !data,
            }
    };
    let is_management = |seat: &Seat| u8::from(matches!(seat, Seat::Port(_)) && !data);
    let found = place::ethernet(view).into_iter().map(place::seat).filter(fits).min_by_key(|seat| (is_management(seat), place::crowd(view, *seat)));
    found.ok_or_else(|| Refusal::bad(1_967_153, "No port for the interface was found with the node and broadcast domain that are named.").at("location"))
}

/// A place as operations name it.
pub(crate) fn names(view: &View<'_>, seat: Seat) -> (Option<String>, Option<String>) {
    match seat {
        Seat::Port(port) => (view.array.host_ports.get(port).map(|port| port.id().to_string()), None),
        Seat::Controller(node) => (None, view.array.controllers.get(node).map(|node| node.id().to_string())),
    }
}

/// An Ethernet port that is to carry block I/O is set to do so.
fn speaks(view: &View<'_>, seat: Seat, services: &[Service]) -> Option<AnyOperation> {
    let Seat::Port(port) = seat else { return None };
    let port = view.array.host_ports.get(port)?;
    let needs = services.iter().any(|service| service.protocol().is_some());
    let can = port.protocol == PortProtocol::Ethernet && port.modes.iter().any(|(mode, _)| *mode == PortProtocol::Iscsi);
    let update = ops::host_port::Update { host_port: port.id().to_string(), protocol: Some(PortProtocol::Iscsi), ..ops::host_port::Update::default() };
    (needs && can).then(|| update.into())
}

/// A name of an interface for which nobody gave one.
fn free_name(view: &View<'_>, svm: Option<&Tenant>) -> String {
    let base = svm.map_or_else(|| view.cluster().to_owned(), |svm| svm.name().to_owned());
    let numbered = (1_u32..).map(|number| format!("lif_{base}_{number}"));
    numbered.into_iter().find(|name| view.array.interfaces.all_named(name).next().is_none()).unwrap_or_else(|| json!(Value::Null).to_string())
}
