//! `/cluster/counter/tables` and the rows of each.

use serde_json::{Value, json};

use crate::collection::{Collection, Row, View};
use crate::counters::{Figures, Instance, pruned, table, tables};
use crate::fields::Want;
use crate::model::{Container, Controller, Drive, HostPort, Interface, Key, Noun, Object, Pool, PortProtocol, Service, Table, Tenant, Volume};
use crate::refusal::{Outcome, Refusal};
use crate::resources::lun_path;
use crate::statistics::{Raw, Subject};

/// The tables.
pub(crate) struct Tables;

/// The rows of a table.
pub(crate) struct Rows;

/// Processors of a node; an AFF A250 has this many.
const PROCESSORS: u32 = 12;

fn unknown() -> Refusal {
    Refusal::missing(8_585_320, "The counter table is not known.")
}

impl Collection for Tables {
    fn path(&self) -> &'static str {
        "/cluster/counter/tables"
    }
    fn rows(&self, _: &View<'_>) -> Outcome<Vec<Row>> {
        Ok((0..u32::try_from(tables().len()).unwrap_or(0)).map(|place| Row(place, 0)).collect())
    }
    fn find(&self, _: &View<'_>, keys: &[String]) -> Outcome<Option<Row>> {
        Ok(keys.first().and_then(|name| table(name)).map(|(place, _)| Row(place, 0)))
    }
    fn record(&self, view: &View<'_>, row: Row, want: &Want) -> Value {
        let Some(table) = tables().get(row.0 as usize) else { return json!({}) };
        let mut record = json!({"name": table.name, "description": table.description});
        if want.has("counter_schemas") {
            record["counter_schemas"] = pruned(view, "counter_schemas.name", table.counters.iter().map(|counter| counter.schema()).collect()).into();
        }
        record
    }
    fn absent(&self) -> Refusal {
        unknown()
    }
}

impl Collection for Rows {
    fn path(&self) -> &'static str {
        "/cluster/counter/tables/{counter_table.name}/rows"
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        let (_, table) = table(view.parent()).ok_or_else(unknown)?;
        Ok(instances(view, &table.rows))
    }
    fn record(&self, view: &View<'_>, row: Row, want: &Want) -> Value {
        let Some((_, table)) = table(view.parent()) else { return json!({}) };
        let Some(instance) = instance(view, &table.rows, row, want.has("counters")) else { return json!({}) };
        let properties: Vec<Value> = instance.properties.iter().map(|(name, value)| json!({"name": name, "value": value})).collect();
        let mut record = json!({
            "counter_table": {"name": table.name}, "id": instance.id, "properties": pruned(view, "properties.name", properties),
            "aggregation": {"count": 1, "complete": true},
        });
        if want.has("counters") {
            let counters = table.counters.iter().filter(|counter| !counter.is_text()).map(|counter| counter.value(&instance.figures));
            record["counters"] = pruned(view, "counters.name", counters.collect()).into();
        }
        record
    }
}

fn each<T: Object>(table: &Table<T>, holds: impl Fn(&T) -> bool) -> Vec<Row> {
    table.iter().filter(|item| holds(item)).map(|item| Row(item.key().raw(), 0)).collect()
}

/// The rows of a kind.
fn instances(view: &View<'_>, kind: &str) -> Vec<Row> {
    let array = view.array;
    let serves = |services: &'static [Service]| each(&array.interfaces, move |interface| interface.services.iter().any(|service| services.contains(service)));
    match kind {
        "luns" => served(view, "/storage/luns").unwrap_or_else(|| each(&array.volumes, |volume| volume.container().is_some())),
        "namespaces" => served(view, "/storage/namespaces").unwrap_or_default(),
        "fc_ports" => each(&array.host_ports, |port| port.protocol == PortProtocol::Fc),
        "ethernet_ports" => each(&array.host_ports, |port| port.protocol != PortProtocol::Fc),
        "fc_lifs" => serves(&[Service::Fc]),
        "nvme_lifs" => serves(&[Service::NvmeFc, Service::NvmeTcp]),
        "iscsi_lifs" => serves(&[Service::Iscsi]),
        "ip_lifs" => each(&array.interfaces, |interface| !interface.services.iter().any(|service| service.by_wwn())),
        "disks" => each(&array.drives, |_| true),
        "nodes" | "wafl" | "cpus" | "adapters" => each(&array.controllers, |_| true),
        "processors" => array.controllers.iter().flat_map(|node| (0..PROCESSORS).map(|place| Row(node.key().raw(), place))).collect(),
        "aggregates" => each(&array.pools, |_| true),
        "volumes" | "qos_volumes" => each(&array.containers, |_| true),
        "qos" => {
            let units = array.volumes.iter().filter(|volume| volume.qos_policy.is_some()).map(|volume| Row(volume.key().raw(), OF_UNIT));
            let volumes = array.containers.iter().filter(|container| container.qos_policy.is_some()).map(|container| Row(container.key().raw(), OF_VOLUME));
            units.chain(volumes).collect()
        }
        "svms" => each(&array.tenants, |_| true),
        _ => Vec::new(),
    }
}

/// The rows of a collection of the API.
fn served(view: &View<'_>, path: &str) -> Option<Vec<Row>> {
    super::COLLECTIONS.iter().find(|collection| collection.path() == path)?.rows(view).ok()
}

fn instance(view: &View<'_>, kind: &str, row: Row, with_figures: bool) -> Option<Instance> {
    let array = view.array;
    let figures = |subject: Subject| if with_figures { Figures { all: Raw::of(view, &subject), ..Figures::default() } } else { Figures::default() };
    let svm =
        |tenant: Option<Key<Tenant>>| tenant.and_then(|key| array.tenants.get(key)).map_or_else(|| view.cluster().to_owned(), |svm| svm.name().to_owned());
    Some(match kind {
        "luns" | "namespaces" => {
            let volume: &Volume = array.volumes.get(Key::from_raw(row.0))?;
            let path = lun_path::path_of(array, volume);
            let id = format!("{path}:{}", volume.id());
            let properties = vec![("name", path), ("svm.name", svm(volume.tenant)), ("uuid", volume.id().to_string())];
            Instance { id, properties, figures: figures(Subject::lun(volume.key())) }
        }
        "qos" | "qos_volumes" => workload(view, row, kind == "qos_volumes" || row.1 == OF_VOLUME, &figures)?,
        "volumes" => volume(view, array.containers.get(Key::from_raw(row.0))?, &svm, &figures)?,
        "fc_ports" | "ethernet_ports" => {
            let port: &HostPort = array.host_ports.get(Key::from_raw(row.0))?;
            let node = view.node_name(array.controllers.get(port.controller)?);
            let name = view.port_name(port).to_owned();
            let mut properties = vec![("name", name.clone()), ("node.name", node.clone())];
            if kind == "ethernet_ports" {
                let state = if port.enabled && port.fault.is_none() { "up" } else { "down" };
                let speed = format!("{}M", port.link_gbit() * 1_000);
                properties.extend([("link_current_state", state.to_owned()), ("link_speed", speed), ("type", "nic_ixgbe".to_owned())]);
            } else {
                properties.push(("link.speed", format!("{}", port.link_gbit())));
            }
            let mut figures = figures(Subject::fc_port(port.key()));
            figures.link_failures = port.link_failures;
            Instance { id: format!("{node}:{name}"), properties, figures }
        }
        "fc_lifs" | "nvme_lifs" | "iscsi_lifs" | "ip_lifs" => {
            let interface: &Interface = array.interfaces.get(Key::from_raw(row.0))?;
            let port = interface.port().and_then(|port| array.host_ports.get(port));
            let node = port.and_then(|port| array.controllers.get(port.controller)).map(|node| view.node_name(node)).unwrap_or_default();
            let on = port.map(|port| view.port_name(port).to_owned()).unwrap_or_default();
            let id = format!("{node}:{}:{}", svm(interface.tenant), interface.name());
            let properties = vec![
                ("name", interface.name().to_owned()),
                ("node.name", node),
                ("svm.name", svm(interface.tenant)),
                ("port.id", on.clone()),
                ("port_id", on.clone()),
                ("current_port", on),
            ];
            Instance { id, properties, figures: figures(Subject::interface(array, interface)) }
        }
        "disks" => disk(view, array.drives.get(Key::from_raw(row.0))?, with_figures),
        "nodes" | "wafl" | "cpus" | "adapters" | "processors" => node(view, array.controllers.get(Key::from_raw(row.0))?, kind, row.1, with_figures),
        "aggregates" => {
            let pool: &Pool = array.pools.get(Key::from_raw(row.0))?;
            let node = super::aggregate::acting(view, pool).map(|node| view.node_name(node)).unwrap_or_default();
            let properties = vec![("name", pool.name().to_owned()), ("node.name", node.clone())];
            Instance { id: format!("{node}:{}:SSD:{}", pool.name(), pool.id()), properties, figures: figures(Subject::aggregate(pool.key())) }
        }
        "svms" => {
            let tenant: &Tenant = array.tenants.get(Key::from_raw(row.0))?;
            Instance { id: tenant.id().to_string(), properties: vec![("name", tenant.name().to_owned())], figures: Figures::default() }
        }
        _ => return None,
    })
}

/// The kinds of workloads.
const OF_UNIT: u32 = 1;
const OF_VOLUME: u32 = 2;

/// A workload: its number and identifier are those of `/storage/qos/workloads`.
fn workload(view: &View<'_>, row: Row, of_volume: bool, figures: &dyn Fn(Subject) -> Figures) -> Option<Instance> {
    let array = view.array;
    let (name, noun, number, subject) = if of_volume {
        let container: &Container = array.containers.get(Key::from_raw(row.0))?;
        (container.name(), Noun::Container, 10_001 + 2 * row.0, Subject::volume(container.key()))
    } else {
        let volume: &Volume = array.volumes.get(Key::from_raw(row.0))?;
        (volume.name().rsplit('/').next()?, Noun::Volume, 10_000 + 2 * row.0, Subject::lun(volume.key()))
    };
    let uuid = array.identity.uuid(noun, row.0 | (1 << 31));
    let name = format!("{name}-wid{number}");
    Some(Instance { id: format!("{name}:{uuid}"), properties: vec![("name", name), ("uuid", uuid.to_string())], figures: figures(subject) })
}

fn volume(view: &View<'_>, volume: &Container, svm: &dyn Fn(Option<Key<Tenant>>) -> String, figures: &dyn Fn(Subject) -> Figures) -> Option<Instance> {
    let pool = view.array.pools.get(volume.pool)?;
    let node = super::aggregate::acting(view, pool).map(|node| view.node_name(node)).unwrap_or_default();
    let id = format!("{node}:{}:{}:{}", svm(volume.tenant), volume.name(), volume.id());
    let properties = vec![
        ("uuid", volume.id().to_string()),
        ("name", volume.name().to_owned()),
        ("node.name", node),
        ("parent_aggregate", pool.name().to_owned()),
        ("svm.name", svm(volume.tenant)),
    ];
    Some(Instance { id, properties, figures: figures(Subject::volume(volume.key())) })
}

fn disk(view: &View<'_>, drive: &Drive, with_figures: bool) -> Instance {
    let array = view.array;
    let group = drive.raid_group.and_then(|group| array.raid_groups.get(group));
    let pool = group.and_then(|group| group.pool).and_then(|pool| array.pools.get(pool));
    let raid = match (group, pool) {
        (Some(group), Some(pool)) => {
            let place = pool.raid_groups.iter().position(|key| *key == group.key()).unwrap_or(0);
            format!("/{}/plex0/rg{place}", pool.name())
        }
        _ => String::new(),
    };
    let node = group.and_then(|group| array.acting_owner(group)).or_else(|| array.controllers.iter().next().map(Object::key));
    let node = node.and_then(|key| array.controllers.get(key)).map(|node| view.node_name(node)).unwrap_or_default();
    let mut figures = Figures { capacity: drive.capacity.get(), ..Figures::default() };
    if with_figures {
        let count = group.map_or(1, |group| group.drives.len() as u64);
        let all = group.map(|group| Raw::of(view, &Subject::raid_group(group.key())));
        figures.all = all.unwrap_or_else(|| Raw::of(view, &Subject::qtree())).of_one_in(count);
    }
    let properties = vec![
        ("name", drive.name().to_owned()),
        ("node.name", node.clone()),
        ("physical_disk_id", drive.wwn.clone()),
        ("physical_disk_name", drive.name().to_owned()),
        ("raid.type", if group.is_some() { "data" } else { "spare" }.to_owned()),
        ("raid_group", raid),
        ("speed", "0".to_owned()),
    ];
    Instance { id: format!("{node}:{}", drive.wwn), properties, figures }
}

fn node(view: &View<'_>, node: &Controller, kind: &str, place: u32, with_figures: bool) -> Instance {
    let name = view.node_name(node);
    let (id, own) = match kind {
        "wafl" => (format!("{name}:wafl"), "wafl".to_owned()),
        "cpus" => (format!("{name}:CPU_{name}"), format!("CPU_{name}")),
        "adapters" => (format!("{name}:0n"), "0n".to_owned()),
        "processors" => (format!("{name}:processor{place}"), format!("processor{place}")),
        _ => (format!("{name}:{}", node.id()), name.clone()),
    };
    let mut figures = Figures::default();
    if with_figures {
        figures.all = Raw::of(view, &Subject::node(node.key()));
        let ports = |is_fc: bool| {
            let fitting = view.array.host_ports.iter().filter(|port| port.controller == node.key() && (port.protocol == PortProtocol::Fc) == is_fc);
            Raw::of(view, &Subject::ports(fitting.map(Object::key)))
        };
        (figures.fc, figures.ip) = (ports(true), ports(false));
    }
    Instance { id, properties: vec![("node.name", name), ("name", own)], figures }
}
