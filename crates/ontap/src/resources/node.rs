//! `/cluster/nodes`: controllers.

use serde_json::{Value, json};

use crate::body::Body;
use crate::collection::{Call, Collection, Row, Timing, Verb, View};
use crate::fields::Want;
use crate::kept;
use crate::model::{Controller, Key, Noun, Object, PartKind, PartPlace};
use crate::ops::{self, AnyOperation};
use crate::refusal::{Outcome, Refusal};
use crate::resources::{cluster, ha};
use crate::statistics::BEFORE;
use crate::units::SimSpan;

/// The nodes.
pub(crate) struct Nodes;

impl Collection for Nodes {
    fn path(&self) -> &'static str {
        "/cluster/nodes"
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Update]
    }
    fn timing(&self, _: Verb) -> Timing {
        Timing::Job
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        Ok(view.array.controllers.iter().map(|node| Row(node.key().raw(), 0)).collect())
    }
    fn record(&self, view: &View<'_>, row: Row, want: &Want) -> Value {
        let Some(node) = view.array.controllers.get(Key::<Controller>::from_raw(row.0)) else { return json!({}) };
        let mut record = json!({
            "name": view.node_name(node), "uuid": node.id(), "model": view.array.facts.product.replace(' ', "-"), "serial_number": node.serial_number, "state": ha::state(node),
            "membership": "member", "version": cluster::version(view), "date": view.stamp(view.now()), "location": view.array.settings.location,
            "system_id": system_id(node), "storage_configuration": "multi_path_ha", "is_spares_low": false,
            "uptime": if node.is_online() { uptime(view, node) } else { 0 },
            "nvram": {"id": u64::try_from(node.id().as_u128() & 0x3fff_ffff).unwrap_or(0), "battery_state": battery(view, node)},
            "external_cache": {"is_enabled": false, "is_hya_enabled": true, "is_rewarm_enabled": false, "pcs_size": 256},
            "is_all_flash_optimized": true, "is_all_flash_select_optimized": false, "is_all_flash_performance_optimized": false,
        });
        if want.has("ha") {
            record["ha"] = ha::record(view, node);
        }
        if want.has("controller") {
            record["controller"] = controller(view, node);
        }
        record["service_processor"] = json!({
            "state": "online", "type": "bmc", "dhcp_enabled": false, "is_ip_configured": false, "autoupdate_enabled": true, "link_status": "down",
            "ipv4_interface": {"enabled": false}, "ipv6_interface": {"enabled": false},
        });
        if want.has("management_interfaces") {
            record["management_interfaces"] = cluster::management(view, Some(node));
        }
        record["cluster_interfaces"] = json!([]);
        kept::show(&mut record, node, &["location", "owner"]);
        record
    }
    fn update(&self, call: &Call<'_>, row: Row, body: &Body) -> Outcome<()> {
        let operations = call.read(|view| {
            let node = view.array.controllers.get(Key::<Controller>::from_raw(row.0)).ok_or_else(Refusal::not_found)?;
            let mut notes = kept::said(body, &["location", "owner"]);
            if let Some(name) = cluster::new_name(body, NAME_MOST)? {
                is_free(view, node, &name)?;
                notes.insert("name".into(), json!(name));
            }
            let mut operations: Vec<AnyOperation> = Vec::new();
            if let Some(automatic) = body.flag("ha.auto_giveback") {
                let update = ops::controller::Update { controller: node.id().to_string(), auto_giveback: Some(automatic), ..Default::default() };
                operations.push(update.into());
            }
            operations.extend(kept::keep("controller", &node.id().to_string(), notes));
            operations.extend(action(call, node)?);
            Ok(operations)
        })?;
        call.run(operations).map(drop)
    }
}

/// What the query says is to be done with a node. Nodes go down by the controls of the emulation, not by ONTAP's.
fn action(call: &Call<'_>, node: &Controller) -> Outcome<Option<AnyOperation>> {
    match call.query.get("action") {
        None => Ok(None),
        Some("giveback") => Ok(Some(ops::controller::GiveBack { controller: node.id().to_string() }.into())),
        Some(other @ ("takeover" | "shutdown" | "reboot")) => Err(Refusal::bad(3, format!("\"{other}\" is not supported.")).at("action")),
        Some(other) => Err(Refusal::bad_value("action", &json!(other), "one of: takeover, giveback, shutdown, reboot")),
    }
}

/// The most characters of a node's name.
const NAME_MOST: usize = 47;

/// No two nodes have one name.
fn is_free(view: &View<'_>, node: &Controller, name: &str) -> Outcome<()> {
    if view.array.controllers.iter().any(|other| other.key() != node.key() && view.node_name(other) == name) {
        return Err(Refusal::conflict(1, format!("A node named \"{name}\" exists already in the cluster.")).at("name"));
    }
    Ok(())
}

/// The number of a node in its HA pair.
pub(crate) fn system_id(node: &Controller) -> String {
    format!("{:010}", 538_000_000 + (node.id().as_u128() & 0xf_ffff))
}

/// Seconds since the node started: as long as its counters run, if its start was not seen.
fn uptime(view: &View<'_>, node: &Controller) -> u64 {
    let started = view.array.events.iter().rev().find(|event| event.code == "controller_online" && event.noun == Noun::Controller && event.name == node.name());
    let passed = started.map_or_else(|| view.now().0 + BEFORE.0, |event| view.now().since(event.time).0);
    passed / SimSpan::seconds(1).0
}

fn battery(view: &View<'_>, node: &Controller) -> &'static str {
    let own = |part: &&crate::model::Part| part.kind == PartKind::Battery && part.place == PartPlace::Controller(node.key());
    match view.array.parts.iter().find(own) {
        None => "battery_not_present",
        Some(part) if part.charging => "battery_partially_discharged",
        Some(part) if part.fault.is_some() => "battery_near_end_of_life",
        Some(_) => "battery_ok",
    }
}

fn controller(view: &View<'_>, node: &Controller) -> Value {
    let broken = |kind: PartKind| {
        let of_enclosure = |place: PartPlace| place == PartPlace::Enclosure(node.enclosure);
        view.array.parts.iter().filter(|part| part.kind == kind && of_enclosure(part.place) && !part.works()).count()
    };
    let frus =
        view.array.parts.iter().filter(|part| part.place == PartPlace::Enclosure(node.enclosure) && matches!(part.kind, PartKind::Fan | PartKind::PowerSupply));
    let frus: Vec<Value> = frus
        .map(|part| json!({"id": part.name(), "type": if part.kind == PartKind::Fan { "fan" } else { "psu" }, "state": if part.works() { "ok" } else { "error" }}))
        .collect();
    json!({
        "failed_fan": {"count": broken(PartKind::Fan), "message": {"message": "There are no failed fans.", "code": "111411207"}},
        "failed_power_supply": {"count": broken(PartKind::PowerSupply), "message": {"message": "There are no failed power supplies.", "code": "111411208"}},
        "over_temperature": "normal", "frus": frus,
    })
}
