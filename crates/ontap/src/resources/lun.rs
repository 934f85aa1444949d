//! `/storage/luns` and `/storage/namespaces`: volumes in containers, for SCSI and for NVMe hosts. Changes are in `lun_change`.

use serde_json::{Value, json};

use crate::body::Body;
use crate::collection::{Call, Collection, Row, Verb, View, refer};
use crate::fields::Want;
use crate::kept;
use crate::model::{Allocation, Array, Container, ContainerState, Key, Object, Party, Relocation, Standing, Volume, VolumeHealth, health, reach, space};
use crate::query::Asked;
use crate::refusal::{Outcome, Refusal};
use crate::resources::lun_path::{is_namespace, is_nvme, names_of, path_of, qtree_number};
use crate::resources::{aggregate, lun_change, lun_path};

/// The LUNs, or the namespaces.
pub(crate) struct Units {
    pub(crate) namespaces: bool,
}

/// The LUNs.
pub(crate) const LUNS: Units = Units { namespaces: false };
/// The namespaces.
pub(crate) const NAMESPACES: Units = Units { namespaces: true };

impl Units {
    /// The fields that are kept as they are given.
    pub(crate) const fn kept(&self) -> &'static [&'static str] {
        if self.namespaces {
            &["comment", "os_type", "auto_delete", "space.block_size"]
        } else {
            &["comment", "os_type", "class", "auto_delete", "attributes", "space.scsi_thin_provisioning_support_enabled"]
        }
    }
    /// The object of a row.
    pub(crate) fn get<'a>(view: &View<'a>, row: Row) -> Option<&'a Volume> {
        view.array.volumes.get(Key::from_raw(row.0))
    }
    fn has(&self, array: &Array, volume: &Volume) -> bool {
        volume.container().is_some() && is_namespace(array, volume) == self.namespaces
    }
}

impl Collection for Units {
    fn path(&self) -> &'static str {
        if self.namespaces { "/storage/namespaces" } else { "/storage/luns" }
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Create, Verb::Update, Verb::Delete]
    }
    fn lasts(&self) -> bool {
        true
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        Ok(self.rows_behind(view, None).into_iter().flatten().collect())
    }
    fn rows_behind<'v>(&self, view: &'v View<'_>, behind: Option<Row>) -> Option<Box<dyn Iterator<Item = Row> + 'v>> {
        let (array, namespaces) = (view.array, self.namespaces);
        let number = match behind {
            Some(row) => Some(Units::get(view, row)?.number()),
            None => None,
        };
        Some(Box::new(array.volumes.after(number).filter(move |volume| Units { namespaces }.has(array, volume)).map(row)))
    }
    fn index(&self, view: &View<'_>, asked: &Asked) -> Option<Vec<Row>> {
        let array = view.array;
        let values = |field: &str| asked.filters.iter().find(|(path, _)| path == field).and_then(|(_, filter)| filter.exacts());
        let mut found: Vec<&Volume> = if let Some(ids) = values("uuid") {
            ids.into_iter().filter_map(|id| array.volumes.get(array.volumes.key_of(id.parse().ok()?)?)).collect()
        } else if let Some(paths) = values("name") {
            paths.into_iter().flat_map(|path| lun_path::at(array, path, self.namespaces)).collect()
        } else if let Some(names) = values("location.volume.name") {
            names.into_iter().flat_map(|name| array.containers.all_named(name)).flat_map(|container| array.volumes_in(container.key())).collect()
        } else {
            let ids = values("location.volume.uuid")?;
            let keys = ids.into_iter().filter_map(|id| array.containers.key_of(id.parse().ok()?));
            keys.flat_map(|key| array.volumes_in(key)).collect()
        };
        found.retain(|volume| self.has(array, volume));
        found.sort_unstable_by_key(|volume| volume.number());
        found.dedup_by_key(|volume| volume.number());
        Some(found.into_iter().map(row).collect())
    }
    fn find(&self, view: &View<'_>, keys: &[String]) -> Outcome<Option<Row>> {
        let key = keys.first().and_then(|key| key.parse().ok()).and_then(|id| view.array.volumes.key_of(id));
        Ok(key.and_then(|key| view.array.volumes.get(key)).filter(|volume| self.has(view.array, volume)).map(row))
    }
    fn record(&self, view: &View<'_>, row: Row, want: &Want) -> Value {
        let array = view.array;
        let Some(volume) = Units::get(view, row) else { return json!({}) };
        let Some(container) = volume.container().and_then(|key| array.containers.get(key)) else { return json!({}) };
        let mut record = json!({"uuid": volume.id(), "name": path_of(array, volume)});
        if want.has("enabled") {
            record["enabled"] = json!(volume.online);
        }
        if want.has("os_type") {
            record["os_type"] = json!("linux");
        }
        if let Some(svm) = volume.tenant.and_then(|key| array.tenants.get(key)) {
            record["svm"] = refer(svm.name(), svm.id());
        }
        if let Some(policy) = volume.qos_policy.and_then(|key| array.qos_policies.get(key)) {
            record["qos_policy"] = refer(policy.name(), policy.id());
        }
        if want.has("create_time") {
            record["create_time"] = json!(view.stamp(volume.created));
        }
        if want.has("clone") {
            record["clone"] = json!({"created_as_clone": volume.note("created_as_clone").is_some()});
        }
        if want.has("location") {
            record["location"] = location(view, volume, container, self.namespaces);
        }
        if want.has("space") {
            record["space"] = space_of(array, volume, self.namespaces);
        }
        if want.has("status") {
            record["status"] = status(array, volume);
        }
        if self.namespaces {
            maps_of_namespace(view, volume, want, &mut record);
        } else {
            if want.has("class") {
                record["class"] = json!("regular");
            }
            if want.has("serial_number") {
                record["serial_number"] = json!(volume.serial_number);
            }
            if want.has("serial_number_hex") {
                record["serial_number_hex"] = json!(volume.serial_number.bytes().map(|byte| format!("{byte:02x}")).collect::<String>());
            }
            maps_of_lun(array, volume, want, &mut record);
            if let Some(relocation) = &volume.relocation {
                movement(view, volume, relocation, &mut record);
            }
        }
        kept::show(&mut record, volume, self.kept());
        record
    }
    fn create(&self, call: &Call<'_>, body: &Body) -> Outcome<Row> {
        lun_change::create(self, call, body)
    }
    fn update(&self, call: &Call<'_>, row: Row, body: &Body) -> Outcome<()> {
        lun_change::update(self, call, row, body)
    }
    fn delete(&self, call: &Call<'_>, row: Row) -> Outcome<()> {
        lun_change::delete(call, row)
    }
    fn absent(&self) -> Refusal {
        if self.namespaces {
            Refusal::missing(72_090_007, "The specified namespace was not found.")
        } else {
            Refusal::missing(5_374_875, "The specified LUN was not found.")
        }
    }
}

fn row(volume: &Volume) -> Row {
    Row(volume.key().raw(), 0)
}

fn location(view: &View<'_>, volume: &Volume, container: &Container, namespaces: bool) -> Value {
    let (qtree, leaf) = names_of(volume.name());
    let mut location = json!({"volume": refer(container.name(), container.id())});
    location[if namespaces { "namespace" } else { "logical_unit" }] = json!(leaf);
    if let Some(node) = view.array.pools.get(container.pool).and_then(|pool| aggregate::acting(view, pool)) {
        location["node"] = view.refer_node(node);
    }
    if let Some(qtree) = qtree {
        location["qtree"] = json!({"name": qtree, "id": qtree_number(view.array, container, qtree)});
    }
    location
}

fn space_of(array: &Array, volume: &Volume, namespaces: bool) -> Value {
    let thick = volume.allocation == Allocation::Thick;
    let mut shown = json!({
        "size": volume.size.get(), "used": volume.layout.written().get(), "guarantee": {"requested": thick, "reserved": thick},
        "physical_used": space::physical(array, volume).get(),
    });
    if namespaces {
        shown["block_size"] = json!(4096);
    } else {
        shown["scsi_thin_provisioning_support_enabled"] = json!(false);
    }
    shown
}

fn status(array: &Array, volume: &Volume) -> Value {
    let served = matches!(health::volume_health(array, volume, |group| Standing::of(array, group).status()), VolumeHealth::Served(_));
    let open = volume.container().and_then(|key| array.containers.get(key)).is_none_or(|container| container.state == ContainerState::Online);
    let state = if volume.online && served && open { "online" } else { "offline" };
    let container = match (served, open) {
        (false, _) => "aggregate_offline",
        (true, false) => "volume_offline",
        (true, true) => "online",
    };
    json!({"state": state, "container_state": container, "read_only": false, "mapped": reach::volume_users(array, volume.key()).is_some()})
}

/// The igroups to which it is mapped.
fn maps_of_lun(array: &Array, volume: &Volume, want: &Want, record: &mut Value) {
    if !want.has("lun_maps") {
        return;
    }
    let one = |mapping: &crate::model::Mapping| {
        let Party::HostGroup(group) = mapping.party else { return None };
        let group = &array.host_groups[group];
        Some(json!({"igroup": refer(group.name(), group.id()), "logical_unit_number": mapping.lun}))
    };
    let maps: Vec<Value> = array.mappings_of(volume.key()).filter(|mapping| !is_nvme(array, mapping.party)).filter_map(one).collect();
    if !maps.is_empty() {
        record["lun_maps"] = json!(maps);
    }
}

/// The subsystem to which it is mapped.
fn maps_of_namespace(view: &View<'_>, volume: &Volume, want: &Want, record: &mut Value) {
    let array = view.array;
    if !want.has("subsystem_map") {
        return;
    }
    let Some((mapping, group)) = array.mappings_of(volume.key()).find_map(|mapping| match mapping.party {
        Party::HostGroup(group) => Some((mapping, &array.host_groups[group])),
        Party::Host(_) => None,
    }) else {
        return;
    };
    let container = volume.container().and_then(|key| array.containers.get(key));
    let node = container.and_then(|container| array.pools.get(container.pool)).and_then(|pool| aggregate::owner(view, pool));
    record["subsystem_map"] = json!({
        "nsid": format!("{:08X}h", mapping.lun), "anagrpid": format!("{:08X}h", node.map_or(1, |node| node.number() + 1)),
        "subsystem": refer(group.name(), group.id()),
    });
}

/// How far a move or a copy is: the LUN serves at once, and its data follows.
fn movement(view: &View<'_>, volume: &Volume, relocation: &Relocation, record: &mut Value) {
    let Relocation { copied, source: (container, name), began, ends, .. } = relocation;
    let (now, source) = (view.now().min(*ends), format!("/vol/{container}/{name}"));
    let (passed, whole) = (now.since(*began), ends.since(*began));
    let state = if view.now() >= *ends { "complete" } else { "replicating" };
    let percent = if view.now() >= *ends { 100 } else { (passed.whole_seconds() * 100).checked_div(whole.whole_seconds()).unwrap_or(0).min(99) };
    let progress = json!({"state": state, "percent_complete": percent, "elapsed": passed.whole_seconds(), "volume_snapshot_blocked": false});
    if *copied {
        record["copy"] = json!({"source": {"name": source, "max_throughput": 0, "progress": progress}});
    } else {
        record["movement"] = json!({"max_throughput": 0, "paths": {"source": source, "destination": path_of(view.array, volume)}, "progress": progress});
    }
}
