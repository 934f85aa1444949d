//! The whole value as text that people can read, section by section.
//!
//! Every struct of the value is taken apart without `..`: a new field does not compile until it is rendered here. The few structs
//! that keep their fields to themselves are guarded by `structs_with_private_fields_have_no_others`.

mod access;
mod belonging;
mod derived;
mod hardware;
mod rules;
mod settings;
mod space;
mod work;

use arrayplane::model::{Array, ArrayFacts, Event, Events, Head, Key, Layout, Object, Table, Tenant};
use arrayplane::ops::World;
use arrayplane::units::{Bytes, SimSpan, SimTime};
use serde::Serialize;

pub(crate) use derived::sections as derived;

/// The part of the value under one heading, one thing a line.
pub(crate) struct Section {
    /// The heading.
    pub(crate) name: &'static str,
    /// The things; what belongs to one follows it, indented.
    pub(crate) lines: Vec<String>,
}

/// The whole value.
pub(crate) fn world(world: &World) -> Vec<Section> {
    let World { array, clock, workloads, jobs, agenda, revisions: _, seen: _, load: _ } = world;
    let mut sections = array_sections(array);
    sections.push(section("clock", work::clock(clock)));
    sections.push(section("workloads", table(workloads, |item| work::workload(array, item))));
    sections.push(section("jobs", table(jobs, |item| work::job(array, item))));
    sections.push(section("agenda", work::agenda(agenda)));
    sections
}

#[expect(clippy::too_many_lines, reason = "one line for each field of an array, so that none is forgotten")]
fn array_sections(array: &Array) -> Vec<Section> {
    let Array {
        facts,
        identity,
        personality,
        calibration,
        profiles,
        settings,
        enclosures,
        controllers,
        host_ports,
        drives,
        parts,
        hardware,
        told,
        raid_groups,
        pools,
        containers,
        snapshots,
        volumes,
        copy_sessions,
        snap_pool_reported,
        hosts,
        host_groups,
        port_groups,
        lun_groups,
        affinities,
        mappings,
        host_responses,
        interfaces,
        password_policy,
        qos_policies,
        records,
        roles,
        services,
        tenants,
        users,
        events,
        generation,
    } = array;
    vec![
        section("facts", [array_facts(facts), vec![format!("seed {}", identity.seed())]].concat()),
        section("personality", rules::personality(personality)),
        section("calibration", calibration.as_ref().map_or_else(|| vec!["none".to_owned()], rules::calibration)),
        section("profiles", profiles.iter().map(|(key, profile)| format!("{key}: {}", work::profile(profile))).collect()),
        section("settings", settings::settings(settings)),
        section("enclosures", table(enclosures, hardware::enclosure)),
        section("controllers", table(controllers, |item| hardware::controller(array, item))),
        section("host ports", table(host_ports, |item| hardware::host_port(array, item))),
        section("parts", table(parts, |item| hardware::part(array, item))),
        section("drives", table(drives, |item| hardware::drive(array, item))),
        section("hardware", hardware::hardware(hardware)),
        section("told", hardware::told(array, told)),
        section("RAID groups", table(raid_groups, |item| space::raid_group(array, item))),
        section("pools", table(pools, |item| space::pool(array, item))),
        section("containers", table(containers, |item| space::container(array, item))),
        section("snapshots", table(snapshots, |item| space::snapshot(array, item))),
        section("volumes", table(volumes, |item| space::volume(array, item))),
        section("copy sessions", table(copy_sessions, |item| space::copy_session(array, item))),
        section("snap data pool", space::snap_pool(array, *snap_pool_reported)),
        section("generation", vec![generation.to_string()]),
        section("hosts", table(hosts, |item| access::host(array, item))),
        section("host groups", table(host_groups, |item| access::host_group(array, item))),
        section("port groups", table(port_groups, |item| access::port_group(array, item))),
        section("LUN groups", table(lun_groups, |item| access::lun_group(array, item))),
        section("affinities", table(affinities, |item| access::affinity(array, item))),
        section("mappings", table(mappings, |item| access::mapping(array, item))),
        section("roles", table(roles, access::role)),
        section("users", table(users, |item| access::user(array, item))),
        section("password policy", vec![rules::password_policy_line(password_policy)]),
        section("tenants", table(tenants, |item| belonging::tenant(array, item))),
        section("interfaces", table(interfaces, |item| belonging::interface(array, item))),
        section("services", table(services, |item| belonging::service(array, item))),
        section("QoS policies", table(qos_policies, |item| belonging::qos_policy(array, item))),
        section("host responses", table(host_responses, belonging::host_response)),
        section("records", table(records, |item| belonging::record(array, item))),
        section("events", event_lines(events)),
    ]
}

const fn section(name: &'static str, lines: Vec<String>) -> Section {
    Section { name, lines }
}

fn table<T: Object>(table: &Table<T>, render: impl Fn(&T) -> Vec<String>) -> Vec<String> {
    table.iter().flat_map(render).collect()
}

/// A thing's identity: number, name, key and identifier.
fn title<T: Object>(item: &T) -> String {
    let head: &Head = item.head();
    let notes = item.notes().map_or_else(String::new, |notes| format!(", notes {}", word(notes)));
    format!("{} '{}' ({:?}, {}{notes})", head.number(), item.name(), item.key(), item.id())
}

/// The name of what a key stands for.
fn named<T: Object>(table: &Table<T>, key: Key<T>) -> String {
    table.get(key).map_or_else(|| format!("missing {} {key:?}", T::NOUN), |item| item.name().to_owned())
}

fn names<'a, T: Object + 'a>(table: &Table<T>, keys: impl IntoIterator<Item = &'a Key<T>>) -> String {
    words(keys.into_iter().map(|key| named(table, *key)))
}

fn words(parts: impl IntoIterator<Item = String>) -> String {
    let all = parts.into_iter().collect::<Vec<_>>().join(" ");
    if all.is_empty() { "none".to_owned() } else { all }
}

/// A word of the value as it is written in answers.
fn word(value: &impl Serialize) -> String {
    match serde_json::to_value(value).expect("a value is data") {
        serde_json::Value::String(text) => text,
        other => other.to_string(),
    }
}

fn or_none<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(|| "none".to_owned(), |value| value.to_string())
}

/// A size to the byte, in the largest unit that divides it.
fn exact(size: Bytes) -> String {
    const UNITS: [(u64, &str); 8] =
        [(1 << 40, "TiB"), (1_000_000_000_000, "TB"), (1 << 30, "GiB"), (1_000_000_000, "GB"), (1 << 20, "MiB"), (1_000_000, "MB"), (1 << 10, "KiB"), (1, "B")];
    let bytes = size.get();
    let (unit, name) = UNITS.into_iter().find(|(unit, _)| bytes >= *unit && bytes.is_multiple_of(*unit)).unwrap_or((1, "B"));
    format!("{} {name}", bytes / unit)
}

fn time(time: SimTime) -> String {
    SimSpan(time.0).to_string()
}

fn array_facts(facts: &ArrayFacts) -> Vec<String> {
    let ArrayFacts { model, vendor, product, serial_number, wwn, firmware, epoch } = facts;
    vec![format!("{model}: {vendor} {product}, serial number {serial_number}, wwn {wwn}, firmware {firmware}, epoch {epoch}")]
}

/// Whose something is; nothing when it is the array's own.
fn of_tenant(array: &Array, tenant: Option<Key<Tenant>>) -> String {
    tenant.map_or_else(String::new, |tenant| format!(", tenant {}", named(&array.tenants, tenant)))
}

fn event_lines(events: &Events) -> Vec<String> {
    std::iter::once(format!("{} told", events.told())).chain(events.iter().map(event)).collect()
}

/// One event.
pub(crate) fn event(event: &Event) -> String {
    let Event { epoch: _, number, time: at, severity, code, noun, name, message } = event;
    format!("{number} at {}: {} {code}, {noun} '{name}': {message}", time(*at), word(severity))
}

/// The fields that a struct writes.
fn written_fields(value: &impl Serialize) -> Vec<String> {
    let value = serde_json::to_value(value).expect("a value is data");
    value.as_object().map(|fields| fields.keys().cloned().collect()).unwrap_or_default()
}

#[test]
fn structs_with_private_fields_have_no_others() {
    let world = crate::given::model("eternus-af250", 1);
    let drive = world.array.drives.iter().next().expect("there are drives");
    assert_eq!(written_fields(drive.head()), ["key", "id", "number", "name"]);
    assert_eq!(written_fields(&world.array.drives), ["next_key", "fresh", "items"]);
    assert_eq!(written_fields(&world.array.events), ["told", "kept"]);
    assert_eq!(written_fields(&world.agenda), ["entered", "entries"]);
    assert_eq!(written_fields(&Layout::default()), ["extents", "cursor"]);
}
