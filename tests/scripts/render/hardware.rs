//! Hardware: enclosures, controllers, host ports, parts, drives, and what can be added.

use arrayplane::model::{
    Array, Controller, Drive, DriveModel, Enclosure, EnclosureModel, FcParameters, Hardware, HostPort, IscsiParameters, Key, Makes, Part, PartModel, PartPlace,
    PowerModel, RaidGroup, Temperature, Told, array_status,
};

use super::{exact, named, names, or_none, title, word, words};

pub(super) fn enclosure(enclosure: &Enclosure) -> Vec<String> {
    let Enclosure { head: _, kind, bays, serial_number, locate } = enclosure;
    vec![format!("{}: {}, {bays} bays, serial number {serial_number}, locate {locate}", title(enclosure), word(kind))]
}

pub(super) fn controller(array: &Array, controller: &Controller) -> Vec<String> {
    let Controller { head: _, enclosure, serial_number, state, possession, auto_giveback, locate } = controller;
    let place = named(&array.enclosures, *enclosure);
    let (state, possession) = (word(state), word(possession));
    vec![format!(
        "{}: in {place}, serial number {serial_number}, {state}, RAID groups {possession}, automatic giveback {auto_giveback}, locate {locate}",
        title(controller)
    )]
}

pub(super) fn host_port(array: &Array, port: &HostPort) -> Vec<String> {
    let HostPort { head: _, controller, protocol, modes, wwn, mac_address, iscsi_name, enabled, role, fc, iscsi, fault, link_failures } = port;
    let owner = named(&array.controllers, *controller);
    let modes = words(modes.iter().map(|(mode, rate)| format!("{mode} ({}/s)", exact(*rate))));
    let iscsi_name = or_none(iscsi_name.as_ref());
    vec![
        format!("{}: of {owner}, speaks {protocol}, can speak {modes}, wwn {wwn}, iscsi name {iscsi_name}, enabled {enabled}", title(port)),
        format!("    mac {mac_address}, role {}, fault {}, {link_failures} link failures", word(role), or_none(fault.map(|fault| word(&fault)))),
        format!("    {}", fibre_channel(fc)),
        format!("    {}", iscsi_port(iscsi)),
    ]
}

fn fibre_channel(fc: &FcParameters) -> String {
    let FcParameters { connection, loop_id_assignment, loop_id, transfer_rate, frame_size, reset_scope, reserve_cancel_at_chip_reset } = fc;
    let (connection, assignment, rate, scope) = (word(connection), word(loop_id_assignment), word(transfer_rate), word(reset_scope));
    let id = or_none(*loop_id);
    format!("fc: {connection}, loop id {assignment} {id}, rate {rate}, frames {frame_size}, reset {scope}, reserve cancel {reserve_cancel_at_chip_reset}")
}

fn iscsi_port(iscsi: &IscsiParameters) -> String {
    let IscsiParameters {
        ipv4_address,
        ipv4_mask,
        ipv4_gateway,
        ipv6_address,
        ipv6_prefix,
        ipv6_gateway,
        mtu,
        tcp_port,
        alias,
        vlan_id,
        chap,
        header_digest,
        data_digest,
        bandwidth_limit_mbit,
    } = iscsi;
    let four = [ipv4_address, ipv4_mask, ipv4_gateway].map(|part| or_none(part.as_ref())).join(" ");
    let six = format!("{} {} {}", or_none(ipv6_address.as_ref()), or_none(*ipv6_prefix), or_none(ipv6_gateway.as_ref()));
    let (vlan, limit) = (or_none(*vlan_id), or_none(*bandwidth_limit_mbit));
    format!(
        "iscsi: {four}, {six}, mtu {mtu}, port {tcp_port}, alias '{alias}', vlan {vlan}, chap {chap}, digests {header_digest} {data_digest}, limit {limit} Mbit/s"
    )
}

pub(super) fn part(array: &Array, part: &Part) -> Vec<String> {
    let Part { head: _, kind, place, serial_number, fault, temperature, charging, expires } = part;
    let place = match place {
        PartPlace::Enclosure(key) => named(&array.enclosures, *key),
        PartPlace::Controller(key) => named(&array.controllers, *key),
        PartPlace::HostPort(key) => named(&array.host_ports, *key),
    };
    let fault = or_none(fault.map(|fault| word(&fault)));
    let measures = or_none(temperature.map(|Temperature { celsius, usual, warning, error }| format!("{celsius} of {usual} {warning} {error} °C")));
    let (serial, expires) = (or_none(serial_number.as_ref()), or_none(expires.as_ref()));
    vec![format!(
        "{}: {} of {place}, serial number {serial}, fault {fault}, temperature {measures}, charging {charging}, expires {expires}",
        title(part),
        word(kind)
    )]
}

pub(super) fn told(array: &Array, told: &Told) -> Vec<String> {
    let Told { status, not_ready, write_through, enclosures_down } = told;
    let down = names(&array.enclosures, enclosures_down);
    vec![format!("{}, not ready {not_ready}, write-through {write_through}, enclosures down {down}", word(status))]
}

/// How the array stands, and why.
pub(super) fn status(array: &Array) -> Vec<String> {
    let (status, detail) = array_status::of(array);
    let reasons = words(array.write_through_reasons().iter().map(word));
    let mut lines = vec![format!("{} ({}), ready {}, write-through for {reasons}, {} W", word(&status), word(&detail), array.is_ready(), array.power_watts())];
    lines.extend(array_status::contributions(array).map(|one| format!("    {} {}, {} '{}'", word(&one.status), word(&one.detail), one.noun, one.name)));
    lines
}

pub(super) fn hardware(hardware: &Hardware) -> Vec<String> {
    let Hardware { enclosures, drives, parts, power, makes } = hardware;
    let mut lines: Vec<String> = enclosures
        .iter()
        .map(|EnclosureModel { kind, name, drive, bays, most }| format!("{most} {} enclosures '{name}' of {bays} bays with drives '{drive}'", word(kind)))
        .collect();
    lines.extend(
        drives
            .iter()
            .map(|DriveModel { drive_type, capacity, self_encrypting }| format!("drive {drive_type} {}, self-encrypting {self_encrypting}", exact(*capacity))),
    );
    lines.extend(parts.iter().map(|PartModel { kind, count, name, temperature, expires }| {
        let usual = or_none(temperature.map(|temperature| format!("{} {} {}", temperature.usual, temperature.warning, temperature.error)));
        format!("{count} {} '{name}', temperature {usual}, expires {}", word(kind), or_none(expires.as_ref()))
    }));
    let PowerModel { enclosure_watts, controller_watts, drive_watts } = power;
    lines.push(format!("an enclosure draws {enclosure_watts} W, a controller {controller_watts} W, a drive {drive_watts} W"));
    let Makes { enclosure_serial, drive_serial, drive_wwn, part_serial } = makes;
    lines.push(format!("serial numbers '{enclosure_serial}' '{drive_serial}' '{part_serial}', wwn '{drive_wwn}'"));
    lines
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
