//! `/cluster`: the array itself.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::body::Body;
use crate::collection::{Call, Collection, Row, Shape, Timing, Verb, View};
use crate::fields::Want;
use crate::kept;
use crate::model::{InterfaceAddress, Noun, Object, Service};
use crate::ops::{self, AnyOperation};
use crate::place;
use crate::refusal::{Outcome, Refusal};
use crate::resources::ntp_server;

/// The cluster.
pub(crate) struct Cluster;

impl Collection for Cluster {
    fn path(&self) -> &'static str {
        "/cluster"
    }
    fn shape(&self) -> Shape {
        Shape::One
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Update]
    }
    fn timing(&self, _: Verb) -> Timing {
        Timing::Job
    }
    fn rows(&self, _: &View<'_>) -> Outcome<Vec<Row>> {
        Ok(vec![Row::default()])
    }
    fn record(&self, view: &View<'_>, _: Row, want: &Want) -> Value {
        let settings = &view.array.settings;
        let mut record = json!({
            "name": view.cluster(), "uuid": id(view), "version": version(view), "san_optimized": false, "disaggregated": false,
            "contact": settings.contact, "location": settings.location, "timezone": {"name": settings.time_zone},
            "dns_domains": domains(view), "name_servers": settings.network.dns_servers,
            "ntp_servers": ntp_server::names(view), "auto_enable_analytics": false, "auto_enable_activity_tracking": false,
            "peering_policy": {"authentication_required": true, "encryption_required": false, "minimum_passphrase_length": 8},
        });
        if want.has("management_interfaces") {
            record["management_interfaces"] = management(view, None);
        }
        record
    }
    fn update(&self, call: &Call<'_>, _: Row, body: &Body) -> Outcome<()> {
        let text = |path: &str| body.text(path).map(str::to_owned);
        let settings = ops::settings::Update {
            system_name: new_name(body, NAME_MOST)?.filter(|name| call.read(|view| view.cluster() != *name)),
            contact: text("contact"),
            location: text("location"),
            time_zone: text("timezone.name"),
            ..ops::settings::Update::default()
        };
        let mut operations: Vec<AnyOperation> = Vec::new();
        if settings != ops::settings::Update::default() {
            operations.push(settings.into());
        }
        let domains = body.texts("dns_domains");
        let network = ops::settings::network::Update {
            dns_servers: body.texts("name_servers"),
            domain: domains.as_ref().map(|domains| domains.join(" ")),
            ..ops::settings::network::Update::default()
        };
        if network != ops::settings::network::Update::default() {
            operations.push(network.into());
        }
        if let Some(servers) = body.texts("ntp_servers") {
            operations.extend(call.read(|view| ntp_server::replaced(view, &servers)));
        }
        call.run(operations).map(drop)
    }
}

/// The most characters of a cluster's name.
const NAME_MOST: usize = 44;

/// The name that a cluster or a node shall have: letters, digits, hyphens and underscores, a letter first and no hyphen last.
pub(crate) fn new_name(body: &Body, most: usize) -> Outcome<Option<String>> {
    let Some(name) = body.text("name") else { return Ok(None) };
    let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    if (1..=most).contains(&name.len()) && plain && name.starts_with(|c: char| c.is_ascii_alphabetic()) && !name.ends_with('-') {
        return Ok(Some(name.to_owned()));
    }
    let expected = format!("a name of 1 to {most} letters, digits, hyphens and underscores that begins with a letter and does not end with a hyphen");
    Err(Refusal::bad_value("name", &json!(name), &expected))
}

/// The cluster's identifier.
pub(crate) fn id(view: &View<'_>) -> Uuid {
    view.array.identity.uuid(Noun::Array, 0)
}

/// The release that is played.
pub(crate) fn version(view: &View<'_>) -> Value {
    let (generation, major, minor) = view.version.numbers();
    json!({"full": full_version(view), "generation": generation, "major": major, "minor": minor})
}

pub(crate) fn full_version(view: &View<'_>) -> String {
    format!("NetApp Release {}: Thu Jan 01 00:00:00 UTC 2026", view.version)
}

/// The domains of the cluster's names.
pub(crate) fn domains<'a>(view: &View<'a>) -> Vec<&'a str> {
    view.array.settings.network.domain.split_whitespace().collect()
}

/// The interfaces of the administration, of the cluster or of one node.
pub(crate) fn management(view: &View<'_>, node: Option<&crate::model::Controller>) -> Value {
    let own = view.array.interfaces_of(None).filter(|interface| interface.services.contains(&Service::Management));
    let fits = own.filter(|interface| {
        let owner = place::own_node(view, interface).map(|(owner, _)| owner.key());
        owner == node.map(Object::key)
    });
    let shown = fits.map(|interface| {
        let address = if let InterfaceAddress::Ip(setup) = &interface.address { setup.address.as_str() } else { "" };
        json!({"name": place::interface_name(view, interface), "uuid": interface.id(), "ip": {"address": address}})
    });
    shown.collect()
}

/// The operation that keeps something beside the cluster: its settings are no object, so the first node carries it.
pub(crate) fn noted(view: &View<'_>, notes: crate::model::Notes) -> Option<AnyOperation> {
    let node = view.array.controllers.iter().next()?;
    kept::keep("controller", &node.id().to_string(), notes)
}

/// What is kept beside the cluster.
pub(crate) fn note<'a>(view: &View<'a>, name: &str) -> Option<&'a Value> {
    view.array.controllers.iter().next()?.note(name)
}
