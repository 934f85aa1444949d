//! Parts that are fixed: enclosures, controllers, host ports, drives.

use arrayplane::model::{Array, Controller, Drive, Enclosure, HostPort, Key, RaidGroup};

use super::{exact, named, or_none, title, word, words};

pub(super) fn enclosure(enclosure: &Enclosure) -> Vec<String> {
    let Enclosure { head: _, kind, bays, serial_number, locate } = enclosure;
    vec![format!("{}: {}, {bays} bays, serial number {serial_number}, locate {locate}", title(enclosure), word(kind))]
}

pub(super) fn controller(array: &Array, controller: &Controller) -> Vec<String> {
    let Controller { head: _, enclosure, serial_number, online, locate } = controller;
    let place = named(&array.enclosures, *enclosure);
    vec![format!("{}: in {place}, serial number {serial_number}, online {online}, locate {locate}", title(controller))]
}

pub(super) fn host_port(array: &Array, port: &HostPort) -> Vec<String> {
    let HostPort { head: _, controller, protocol, modes, wwn, iscsi_name, enabled } = port;
    let owner = named(&array.controllers, *controller);
    let modes = words(modes.iter().map(|(mode, rate)| format!("{mode} ({}/s)", exact(*rate))));
    let iscsi_name = or_none(iscsi_name.as_ref());
    vec![format!("{}: of {owner}, speaks {protocol}, can speak {modes}, wwn {wwn}, iscsi name {iscsi_name}, enabled {enabled}", title(port))]
}

pub(super) fn drive(array: &Array, drive: &Drive) -> Vec<String> {
    let Drive { head: _, enclosure, bay, drive_type, capacity, self_encrypting, state, pulled, raid_group, spare, .. } = drive;
    let Drive { dedicated_to, stands_in, locate, serial_number, wwn, .. } = drive;
    let place = named(&array.enclosures, *enclosure);
    let group_of = |key: &Option<Key<RaidGroup>>| or_none(key.map(|key| named(&array.raid_groups, key)));
    let group = group_of(raid_group);
    let mut lines = vec![format!(
        "{}: {place} bay {bay}, {drive_type} {}, self-encrypting {self_encrypting}, {}, RAID group {group}, spare {spare}, locate {locate}, \
         serial number {serial_number}, wwn {wwn}",
        title(drive),
        exact(*capacity),
        word(state),
    )];
    if *pulled || dedicated_to.is_some() || stands_in.is_some() {
        lines.push(format!("    pulled {pulled}, kept for {}, stands in for {}", group_of(dedicated_to), group_of(stands_in)));
    }
    lines
}
