//! What the array's events are called in ONTAP's event log: one table, by the code of the event.
//!
//! Names of the field where there is one that means the same; what ONTAP has no word for is named `arrayplane.` and the code.

use serde_json::{Value, json};

use crate::collection::View;
use crate::model::{Event, InterfaceAddress, Noun, Object, Severity};
use crate::place;

/// A kind of message.
pub(crate) struct Message {
    /// The code of the array's event.
    pub(crate) code: &'static str,
    /// What ONTAP calls it.
    pub(crate) name: &'static str,
    pub(crate) severity: &'static str,
    /// What the parameter is called that holds the name of what it is about.
    parameter: &'static str,
    pub(crate) description: &'static str,
    pub(crate) action: &'static str,
}

const fn message(
    code: &'static str,
    name: &'static str,
    severity: &'static str,
    parameter: &'static str,
    description: &'static str,
    action: &'static str,
) -> Message {
    Message { code, name, severity, parameter, description, action }
}

const NONE: &str = "(None).";
const SPACE: &str = "Delete volumes or snapshots, or add disks to the aggregate.";
const PART: &str = "Replace the part.";

/// All of them, in order of code.
pub(crate) const MESSAGES: [Message; 41] = [
    message("array_not_ready", "mgr.boot.reason_abnormal", "notice", "reason", "The system has come up with problems.", "See what else was told."),
    message("array_ready", "mgr.boot.reason_ok", "notice", "reason", "The system has come up.", NONE),
    message("battery_charged", "nvmem.battery.capacity.normal", "informational", "battery", "The battery is charged.", NONE),
    message("container_split", "wafl.volume.clone.split.complete", "informational", "volume", "A clone no longer shares blocks.", NONE),
    message("controller_failed", "cf.fsm.partnerNotResponding", "error", "partner", "A node does not respond.", "See why the node is down."),
    message("controller_given_back", "cf.fm.givebackComplete", "notice", "node", "A node has got its aggregates back.", NONE),
    message("controller_off", "callhome.reboot.power", "alert", "node", "A node has lost power.", "Bring power back to the node."),
    message("controller_online", "cf.fsm.partnerOk", "notice", "partner", "A node responds again.", NONE),
    message("controller_restored", "cf.hwassist.recvKeepAlive", "informational", "partner", "A node was repaired.", NONE),
    message(
        "controller_taken_over",
        "cf.fm.takeoverComplete",
        "notice",
        "node",
        "The partner works for the aggregates of a node.",
        "See why the node is down.",
    ),
    message(
        "drive_disconnected",
        "raid.config.filesystem.disk.not.responding",
        "error",
        "disk_info",
        "A disk cannot be reached.",
        "Look at the cables of the shelf.",
    ),
    message("drive_failed", "raid.config.filesystem.disk.failed", "error", "disk_info", "A disk has failed.", "Replace the disk."),
    message("drive_inserted", "raid.config.disk.inserted", "informational", "disk_info", "A disk was put in.", NONE),
    message("drive_predictive_failure", "disk.readReservationFailed", "error", "disk_info", "A disk is about to fail.", "Replace the disk."),
    message("drive_pulled", "raid.config.filesystem.disk.missing", "informational", "disk_info", "A disk was taken out.", "Put the disk back."),
    message("drive_replaced", "raid.disk.replace.job.success", "notice", "disk_info", "A disk was replaced.", NONE),
    message("host_port_failed", "vifmgr.portdown", "notice", "port", "A port is down.", "Look at the cable and at the switch."),
    message("host_port_link_down", "vifmgr.portdown", "notice", "port", "A port is down.", "Look at the cable and at the switch."),
    message("host_port_restored", "vifmgr.portup", "informational", "port", "A port is up again.", NONE),
    message("interface_migrated", "vifmgr.lifsuccessfullymoved", "notice", "vifname", "An interface has moved to another port.", NONE),
    message("licence_registered", "license.add.success", "notice", "package", "A licence was added.", NONE),
    message("licence_removed", "license.remove.success", "notice", "package", "A licence was removed.", NONE),
    message("part_failed", "monitor.chassisPart.failed", "alert", "part", "A part has failed.", PART),
    message("part_missing", "monitor.chassisPart.missing", "alert", "part", "A part is not there.", PART),
    message("part_restored", "monitor.chassisPart.ok", "notice", "part", "A part works again.", NONE),
    message("part_warning", "monitor.chassisPart.degraded", "error", "part", "A part is not in order.", PART),
    message("pool_attention", "monitor.volume.nearlyFull", "error", "name", "An aggregate is nearly full.", SPACE),
    message("pool_broken", "raid.fm.takeoverFail", "emergency", "name", "An aggregate has lost a RAID group.", "Put disks back that were taken out."),
    message("pool_normal", "monitor.volume.ok", "debug", "name", "An aggregate has enough space.", NONE),
    message("pool_over", "monitor.volume.overprovisioned", "notice", "name", "More is promised than the aggregate has.", SPACE),
    message("pool_warning", "monitor.volume.full", "alert", "name", "An aggregate is full.", SPACE),
    message("raid_group_broken", "raid.vol.failed", "emergency", "rg", "A RAID group has failed.", "Put disks back that were taken out."),
    message("raid_group_degraded", "raid.rg.diskRemoveDegraded", "alert", "rg", "A RAID group lacks a disk.", "Replace the disk."),
    message("raid_group_exposed", "raid.rg.degraded", "alert", "rg", "A RAID group would not survive another disk that fails.", "Replace the disks."),
    message("raid_group_normal", "raid.rg.recons.done", "notice", "rg", "A RAID group is whole again.", NONE),
    message("rebuild_started", "raid.rg.recons.start", "notice", "rg", "A RAID group is rebuilt.", NONE),
    message("temperature_error", "monitor.temp.critical", "emergency", "sensor", "It is too hot.", "See to cooling."),
    message("temperature_normal", "monitor.temp.ok", "notice", "sensor", "The temperature is normal.", NONE),
    message("temperature_warning", "monitor.temp.warning", "alert", "sensor", "It is getting hot.", "See to cooling."),
    message("user_locked", "security.login.account.locked", "error", "user", "An account is locked.", "Unlock the account."),
    message("volume_migrated", "lun.move.complete", "informational", "lun", "A LUN has moved.", NONE),
];

/// The kind of an event.
fn kind(event: &Event) -> Option<&'static Message> {
    MESSAGES.iter().find(|message| message.code == event.code)
}

/// What ONTAP calls an event.
pub(crate) fn name(event: &Event) -> String {
    kind(event).map_or_else(|| format!("arrayplane.{}", event.code.replace('_', ".")), |message| message.name.to_owned())
}

/// How bad ONTAP says it is.
pub(crate) fn severity(event: &Event) -> &'static str {
    kind(event).map_or(
        match event.severity {
            Severity::Information => "informational",
            Severity::Warning => "notice",
            Severity::Error => "error",
        },
        |message| message.severity,
    )
}

/// What an event is about, by name.
pub(crate) fn parameters(view: &View<'_>, event: &Event) -> Vec<Value> {
    let subject = match event.noun {
        Noun::Controller => view.array.controllers.iter().find(|node| node.name() == event.name).map(|node| view.node_name(node)),
        _ => None,
    };
    let subject = subject.unwrap_or_else(|| event.name.clone());
    let mut all = vec![json!({"name": kind(event).map_or("object", |message| message.parameter), "value": subject})];
    match event.noun {
        Noun::Pool => all.push(json!({"name": "type", "value": "aggregate"})),
        Noun::Interface => all.extend(of_interface(view, &event.name)),
        _ => {}
    }
    all
}

/// Whose an interface is, its address, and where it is now; nothing of one whose name several SVMs use.
fn of_interface(view: &View<'_>, name: &str) -> Vec<Value> {
    let mut named = view.array.interfaces.all_named(name);
    let (Some(interface), None) = (named.next(), named.next()) else { return Vec::new() };
    let svm = interface.tenant.and_then(|key| view.array.tenants.get(key)).map_or_else(|| view.cluster().to_owned(), |svm| svm.name().to_owned());
    let address = match &interface.address {
        InterfaceAddress::Ip(setup) => setup.address.to_string(),
        _ => String::new(),
    };
    let port = place::refer(view, interface.seat);
    let each = [("vsrvid", json!(svm)), ("vifip", json!(address)), ("tonode", port["node"]["name"].clone()), ("toport", port["name"].clone())];
    each.into_iter().map(|(name, value)| json!({"name": name, "value": value})).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_stands_once() {
        let mut codes: Vec<&str> = MESSAGES.iter().map(|message| message.code).collect();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), MESSAGES.len());
        let severities = ["emergency", "alert", "error", "notice", "informational", "debug"];
        assert!(MESSAGES.iter().all(|message| severities.contains(&message.severity)));
    }
}
