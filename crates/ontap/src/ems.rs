//! What the array's events are called in ONTAP's event log: one table, by the code of the event.
//!
//! Names of the field where there is one that means the same; what ONTAP has no word for is named `arrayplane.` and the code.

use serde_json::Value;

use crate::collection::View;
use crate::model::{Controller, Event, InterfaceAddress, Noun, Object, Severity};
use crate::{place, words};

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
const SPACE: &str = "Delete volumes or snapshots, make the volume larger, or add disks to the aggregate.";
const NEARLY_FULL: &str = "An aggregate or a volume is nearly full.";
const FULL: &str = "An aggregate or a volume is full.";
const ENOUGH: &str = "An aggregate or a volume has enough space again.";
const DEGRADED: &str = "A RAID group lacks a disk.";
const DISKS: &str = "Replace the disk.";
const PART: &str = "Replace the part.";

/// All of them, in order of code.
pub(crate) const MESSAGES: [Message; 64] = [
    message("array_error", "arrayplane.system.error", "error", "reason", "The system is not in order.", "See what else was told."),
    message("array_not_ready", "mgr.boot.reason_abnormal", "notice", "reason", "The system has come up with problems.", "See what else was told."),
    message("array_ready", "mgr.boot.reason_ok", "notice", "reason", "The system has come up.", NONE),
    message("array_warning", "arrayplane.system.warning", "notice", "reason", "Something in the system is not in order.", "See what else was told."),
    message("battery_charged", "nvmem.battery.capacity.normal", "informational", "battery", "The battery is charged.", NONE),
    message("container_attention", "monitor.volume.nearlyFull", "error", "name", NEARLY_FULL, SPACE),
    message("container_migrated", "arrayplane.volume.moved", "informational", "volume", "A volume has moved to another aggregate.", NONE),
    message("container_normal", "monitor.volume.ok", "debug", "name", ENOUGH, NONE),
    message("container_split", "wafl.volume.clone.split.complete", "informational", "volume", "A clone no longer shares blocks.", NONE),
    message("container_warning", "monitor.volume.full", "alert", "name", FULL, SPACE),
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
    message("drives_installed", "arrayplane.disks.installed", "informational", "disk_info", "Disks were put in.", NONE),
    message("enclosure_added", "arrayplane.shelf.added", "informational", "shelf", "A shelf was added.", NONE),
    message("enclosure_down", "arrayplane.shelf.down", "error", "shelf", "A shelf cannot be reached.", "Look at the cables and the power of the shelf."),
    message("enclosure_removed", "arrayplane.shelf.removed", "notice", "shelf", "A shelf was removed.", NONE),
    message("enclosure_up", "arrayplane.shelf.up", "notice", "shelf", "A shelf is reached again.", NONE),
    message("host_port_disabled", "vifmgr.portdown", "notice", "port", "A port is down.", "Look at the cable and at the switch."),
    message("host_port_enabled", "vifmgr.portup", "informational", "port", "A port is up again.", NONE),
    message("host_port_failed", "vifmgr.portdown", "notice", "port", "A port is down.", "Look at the cable and at the switch."),
    message("host_port_link_down", "vifmgr.portdown", "notice", "port", "A port is down.", "Look at the cable and at the switch."),
    message("host_port_restored", "vifmgr.portup", "informational", "port", "A port is up again.", NONE),
    message("interface_migrated", "vifmgr.lifsuccessfullymoved", "notice", "vifname", "An interface has moved to another port.", NONE),
    message("job_canceled", "arrayplane.job.canceled", "notice", "job", "A job was cancelled.", NONE),
    message("job_failed", "arrayplane.job.failed", "error", "job", "A job has failed.", "See what the job says."),
    message("licence_registered", "license.add.success", "notice", "package", "A licence was added.", NONE),
    message("licence_removed", "license.remove.success", "notice", "package", "A licence was removed.", NONE),
    message("part_failed", "monitor.chassisPart.failed", "alert", "part", "A part has failed.", PART),
    message("part_maintenance", "arrayplane.part.maintenance", "notice", "part", "A part is being serviced.", NONE),
    message("part_missing", "monitor.chassisPart.missing", "alert", "part", "A part is not there.", PART),
    message("part_restored", "monitor.chassisPart.ok", "notice", "part", "A part works again.", NONE),
    message("part_warning", "monitor.chassisPart.degraded", "error", "part", "A part is not in order.", PART),
    message("pool_attention", "monitor.volume.nearlyFull", "error", "name", NEARLY_FULL, SPACE),
    message("pool_balanced", "arrayplane.aggregate.balanced", "informational", "name", "The data of an aggregate lies on all of its RAID groups.", NONE),
    message("pool_broken", "raid.fm.takeoverFail", "emergency", "name", "An aggregate has lost a RAID group.", "Put disks back that were taken out."),
    message("pool_normal", "monitor.volume.ok", "debug", "name", ENOUGH, NONE),
    message("pool_over", "monitor.volume.overprovisioned", "notice", "name", "More is promised than the aggregate has.", SPACE),
    message("pool_warning", "monitor.volume.full", "alert", "name", FULL, SPACE),
    message("raid_group_available", "arrayplane.raid.group.available", "notice", "rg", "A RAID group is whole again.", NONE),
    message("raid_group_broken", "raid.vol.failed", "emergency", "rg", "A RAID group has failed.", "Put disks back that were taken out."),
    message("raid_group_expanded", "raid.vol.disk.add.done", "notice", "rg", "Disks were added to a RAID group.", NONE),
    message("raid_group_exposed", "raid.rg.degraded", "alert", "rg", DEGRADED, DISKS),
    message("raid_group_owner_changed", "arrayplane.aggregate.relocated", "notice", "rg", "Another node works for a RAID group.", NONE),
    message("raid_group_partially_exposed", "raid.rg.degraded", "alert", "rg", DEGRADED, DISKS),
    message("rebuild_ended", "raid.rg.recons.done", "notice", "rg", "A disk of a RAID group has been rebuilt.", NONE),
    message("rebuild_started", "raid.rg.recons.start", "notice", "rg", "A RAID group is rebuilt.", NONE),
    message("temperature_error", "monitor.temp.critical", "emergency", "sensor", "It is too hot.", "See to cooling."),
    message("temperature_normal", "monitor.temp.ok", "notice", "sensor", "The temperature is normal.", NONE),
    message("temperature_warning", "monitor.temp.warning", "alert", "sensor", "It is getting hot.", "See to cooling."),
    message("user_locked", "security.login.account.locked", "error", "user", "An account is locked.", "Unlock the account."),
    message("user_unlocked", "arrayplane.account.unlocked", "notice", "user", "An account is unlocked.", NONE),
    message("volume_migrated", "lun.move.complete", "informational", "lun", "A LUN has moved.", NONE),
    message("volume_offline", "LUN.offline", "notice", "lun", "A LUN is offline.", "Bring the LUN online."),
    message("volume_online", "LUN.online", "informational", "lun", "A LUN is online.", NONE),
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

/// The node that an event is about, or on which it happened.
pub(crate) fn node<'a>(view: &View<'a>, event: &Event) -> Option<&'a Controller> {
    let is_on = |node: &&Controller| event.name.strip_prefix(node.name()).is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric()));
    view.array.controllers.iter().find(is_on)
}

/// What an event is about, by name; nodes have those of the cluster.
fn subject(view: &View<'_>, event: &Event) -> String {
    node(view, event).map_or_else(|| event.name.clone(), |node| event.name.replacen(node.name(), &view.node_name(node), 1))
}

/// A part of what an event tells: its name and its value.
pub(crate) type Told = (&'static str, String);

/// What an event tells, part by part.
pub(crate) fn parameters(view: &View<'_>, event: &Event) -> Vec<Told> {
    let more = match event.noun {
        Noun::Pool => vec![("type", "aggregate".to_owned())],
        Noun::Container => vec![("type", "volume".to_owned())],
        Noun::Interface => of_interface(view, &event.name),
        _ => Vec::new(),
    };
    let first = (kind(event).map_or("object", |message| message.parameter), subject(view, event));
    std::iter::once(first).chain(more).collect()
}

/// The sentence of the log: what kind of thing happened, and to what.
pub(crate) fn text(view: &View<'_>, event: &Event) -> String {
    match kind(event) {
        None => words::said(&event.message, ""),
        Some(message) => {
            let told: Vec<String> = parameters(view, event).iter().map(|(name, value)| format!("{name}: {value}")).collect();
            format!("{} ({})", message.description.trim_end_matches('.'), told.join(", "))
        }
    }
}

/// Whose an interface is, its address, and where it is now; nothing of one whose name several SVMs use.
fn of_interface(view: &View<'_>, name: &str) -> Vec<Told> {
    let mut named = view.array.interfaces.all_named(name);
    let (Some(interface), None) = (named.next(), named.next()) else { return Vec::new() };
    let svm = interface.tenant.and_then(|key| view.array.tenants.get(key)).map_or_else(|| view.cluster().to_owned(), |svm| svm.name().to_owned());
    let address = match &interface.address {
        InterfaceAddress::Ip(setup) => setup.address.to_string(),
        _ => String::new(),
    };
    let port = place::refer(view, interface.seat);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    vec![("vsrvid", svm), ("vifip", address), ("tonode", text(&port["node"]["name"])), ("toport", text(&port["name"]))]
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
