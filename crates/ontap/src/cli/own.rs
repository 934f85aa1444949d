//! Commands that show what no collection of the API has.

use serde_json::{Map, Value, json};

use super::Shown;
use crate::collection::View;
use crate::model::{Controller, Object, PartPlace};
use crate::resources::ha;

/// Settings of the disks of a node that can be changed, with what they are at first.
pub(super) const DISK_OPTIONS: [(&str, bool); 3] = [("autoassign", true), ("autocopy", true), ("bkg_firmware_update", true)];

/// The subsystems whose health is watched.
const SUBSYSTEMS: [&str; 8] = ["SAS-connect", "Environment", "Memory", "Service-Processor", "CIFS-NDO", "Motherboard", "IO", "MetroCluster"];

/// What a command shows, if it is one of these.
pub(super) fn shown(view: &View<'_>, command: &str) -> Option<Shown> {
    let nodes = |row: &dyn Fn(&Controller) -> Value| view.array.controllers.iter().map(row).collect::<Vec<Value>>();
    let (keys, rows): (&[&str], Vec<Value>) = match command {
        "version" => {
            let full = format!("NetApp Release {}: Thu Jan 01 00:00:00 UTC 2026", view.version);
            (&["version"], vec![json!({"version": full})])
        }
        "cluster/date" => (&["node"], nodes(&|node| json!({"node": view.node_name(node), "date": view.stamp(view.now()), "timezone": "Etc/UTC"}))),
        // What kind of system it is: a record without marks stands for the one with all protocols.
        "debug/smdb/table/OntapMode" | "debug/smdb/table/OntapPersonality" => (&["ASA_R2", "ASA_NEXT"], vec![json!({"ASA_R2": false, "ASA_NEXT": false})]),
        "storage/failover" => (&["node"], nodes(&|node| failover(view, node))),
        "storage/disk/option" => (&["node"], nodes(&|node| disk_options(view, node))),
        "system/health/subsystem" => (&["subsystem"], subsystems(view)),
        "system/controller/fru" => (&["node", "serial_number"], replaceable(view)),
        _ => return None,
    };
    Some(Shown { keys: keys.iter().map(|key| (*key).to_owned()).collect(), rows })
}

fn failover(view: &View<'_>, node: &Controller) -> Value {
    let partner = ha::partner(view, node);
    let possible = ha::obstacles(node, partner).is_empty();
    let name = partner.map(|partner| view.node_name(partner)).unwrap_or_default();
    let state = if possible { format!("Connected to {name}") } else { "Takeover is not possible".to_owned() };
    json!({"node": view.node_name(node), "partner_name": name, "enabled": true, "possible": possible, "state_description": state})
}

fn disk_options(view: &View<'_>, node: &Controller) -> Value {
    let kept = node.note("disk_options");
    let mut row = Map::new();
    row.insert("node".into(), json!(view.node_name(node)));
    for (name, first) in DISK_OPTIONS {
        row.insert(name.into(), kept.and_then(|kept| kept.get(name)).cloned().unwrap_or(json!(first)));
    }
    let policy = kept.and_then(|kept| kept.get("autoassign_policy")).cloned();
    row.insert("autoassign_policy".into(), policy.unwrap_or(json!("default")));
    Value::Object(row)
}

fn subsystems(view: &View<'_>) -> Vec<Value> {
    let broken = view.array.parts.iter().filter(|part| !part.works()).count();
    let row = |name: &&str| {
        let alerts = if *name == "Environment" { broken } else { 0 };
        let health = if alerts == 0 { "ok" } else { "degraded" };
        json!({"subsystem": name, "health": health, "init_state": "initialized", "outstanding_alert_count": alerts, "suppressed_alert_count": 0})
    };
    SUBSYSTEMS.iter().map(row).collect()
}

/// Parts with serial numbers, by the node in which they are.
fn replaceable(view: &View<'_>) -> Vec<Value> {
    let array = view.array;
    let first = array.controllers.iter().next();
    let node_of = |place: PartPlace| match place {
        PartPlace::Controller(controller) => array.controllers.get(controller),
        PartPlace::HostPort(port) => array.host_ports.get(port).and_then(|port| array.controllers.get(port.controller)),
        _ => first,
    };
    let row = |part: &crate::model::Part| {
        let node = node_of(part.place)?;
        let status = if part.works() { "ok" } else { "fault" };
        let serial = part.serial_number.clone().unwrap_or_else(|| format!("{:08}", part.number()));
        Some(json!({"node": view.node_name(node), "fru_name": part.name(), "serial_number": serial, "status": status, "subsystem": "Environment"}))
    };
    array.parts.iter().filter_map(row).collect()
}
