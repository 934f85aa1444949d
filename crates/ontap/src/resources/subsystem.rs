//! `/protocols/nvme/subsystems`, their hosts, and subsystem maps: host groups of NVMe, and what is mapped to them.

use serde_json::{Value, json};

use crate::body::Body;
use crate::collection::{Call, Collection, Row, Verb, View, refer};
use crate::fields::Want;
use crate::kept;
use crate::model::{GroupProtocol, HostGroup, Key, Mapping, Noun, Object, Party, Protocol};
use crate::ops::{self, AnyOperation};
use crate::query::Asked;
use crate::refusal::{Outcome, Refusal};
use crate::resources::initiator_name::is_nqn;
use crate::resources::{by_uuid_or_name, igroup, lun_map, lun_path};

/// The subsystems.
pub(crate) struct Subsystems;
/// The hosts of one.
pub(crate) struct Hosts;
/// What is mapped to them.
pub(crate) struct SubsystemMaps;

/// What is kept as it is given.
const KEPT: [&str; 3] = ["comment", "delete_on_unmap", "vendor_uuids"];

fn get<'a>(view: &View<'a>, row: Row) -> Option<&'a HostGroup> {
    view.array.host_groups.get(Key::from_raw(row.0))
}

/// How NVMe writes the number of a namespace.
fn nsid(lun: u32) -> String {
    format!("{lun:08X}h")
}

/// The name by which hosts address a subsystem.
fn target_nqn(view: &View<'_>, group: &HostGroup) -> String {
    let tenant = group.tenant.and_then(|key| view.array.tenants.get(key)).map_or_else(|| view.array.identity.uuid(Noun::Array, 0), Object::id);
    format!("nqn.1992-08.com.netapp:sn.{}:subsystem.{}", tenant.simple(), group.name())
}

/// The serial number: 20 characters out of the subsystem's identifier.
fn serial_number(group: &HostGroup) -> String {
    let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bits = group.id().as_u128();
    (0..20).map(|place| char::from(letters[usize::try_from((bits >> (place * 6)) & 63).unwrap_or(0)])).collect()
}

impl Collection for Subsystems {
    fn path(&self) -> &'static str {
        "/protocols/nvme/subsystems"
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Create, Verb::Update, Verb::Delete]
    }
    fn lasts(&self) -> bool {
        true
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        Ok(view.array.host_groups.iter().filter(|group| !igroup::is_igroup(group)).map(|group| Row(group.key().raw(), 0)).collect())
    }
    fn index(&self, view: &View<'_>, asked: &Asked) -> Option<Vec<Row>> {
        let rows = by_uuid_or_name(&view.array.host_groups, asked)?;
        Some(rows.into_iter().filter(|row| get(view, *row).is_some_and(|group| !igroup::is_igroup(group))).collect())
    }
    fn record(&self, view: &View<'_>, row: Row, want: &Want) -> Value {
        let array = view.array;
        let Some(group) = get(view, row) else { return json!({}) };
        let mut record = json!({
            "uuid": group.id(), "name": group.name(), "target_nqn": target_nqn(view, group), "serial_number": serial_number(group),
            "io_queue": {"default": {"count": 4, "depth": 32}},
        });
        record["os_type"] = json!(group.host_response.and_then(|key| array.host_responses.get(key)).map_or("linux", Object::name));
        if let Some(svm) = group.tenant.and_then(|key| array.tenants.get(key)) {
            record["svm"] = refer(svm.name(), svm.id());
        }
        kept::show(&mut record, group, &KEPT);
        if !group.hosts.is_empty() {
            record["hosts"] = igroup::hosts(array, group).map(|host| json!({"nqn": host.initiator.address(), "priority": priority(host)})).collect();
        }
        if want.has("subsystem_maps") {
            let maps = igroup::mappings(array, group).filter_map(|mapping| array.volumes.get(mapping.volume).map(|volume| (mapping, volume)));
            let maps: Vec<Value> = maps
                .map(|(mapping, volume)| json!({"nsid": nsid(mapping.lun), "namespace": {"name": lun_path::path_of(array, volume), "uuid": volume.id()}}))
                .collect();
            if !maps.is_empty() {
                record["subsystem_maps"] = json!(maps);
            }
        }
        record
    }
    fn create(&self, call: &Call<'_>, body: &Body) -> Outcome<Row> {
        let operations = call.read(|view| {
            let svm = kept::required_svm(view, body)?;
            let name = body.required("name")?.to_owned();
            igroup::is_no_name_of_the_other(view, &name, svm, false)?;
            let os_type = body.required("os_type")?.to_owned();
            let (mut operations, hosts) = joining(view, &body.bodies("hosts").unwrap_or_default())?;
            let create = ops::host_group::Create {
                name,
                protocol: Some(GroupProtocol::Nvme),
                hosts: (!hosts.is_empty()).then_some(hosts),
                tenant: Some(svm.id().to_string()),
                host_response: Some(os_type),
                ..ops::host_group::Create::default()
            };
            operations.push(create.into());
            operations.extend(kept::keep("host-group", "", kept::said(body, &KEPT)));
            Ok(operations)
        })?;
        call.make::<HostGroup>(operations).map(|key| Row(key.raw(), 0))
    }
    fn update(&self, call: &Call<'_>, row: Row, body: &Body) -> Outcome<()> {
        let group = call.read(|view| get(view, row).map(|group| group.id().to_string())).unwrap_or_default();
        call.run(kept::keep("host-group", &group, kept::said(body, &KEPT)).into_iter().collect()).map(drop)
    }
    fn delete(&self, call: &Call<'_>, row: Row) -> Outcome<()> {
        let (with_maps, with_hosts) = (call.is_on("allow_delete_while_mapped"), call.is_on("allow_delete_with_hosts"));
        let operations = call.read(|view| {
            let Some(group) = get(view, row) else { return Err(self.absent()) };
            if !with_maps && igroup::mappings(view.array, group).next().is_some() {
                return Err(Refusal::conflict(72_090_023, format!("The NVMe subsystem \"{}\" has mapped namespaces.", group.name())));
            }
            if !with_hosts && !group.hosts.is_empty() {
                return Err(Refusal::conflict(72_090_024, format!("The NVMe subsystem \"{}\" has hosts.", group.name())));
            }
            Ok(igroup::ending(view.array, group, with_maps))
        })?;
        call.run(operations).map(drop)
    }
    fn absent(&self) -> Refusal {
        Refusal::missing(72_090_001, "The NVMe subsystem does not exist.")
    }
}

/// The operations by which hosts that a body lists are known, and what they are called.
fn joining(view: &View<'_>, listed: &[Body]) -> Outcome<(Vec<AnyOperation>, Vec<String>)> {
    let (mut operations, mut names) = (Vec::new(), Vec::new());
    for item in listed {
        let nqn = item.required("nqn")?;
        is_nqn(nqn)?;
        let (made, called) = igroup::introduced(view.array, nqn, Protocol::Nvme);
        let is_new = made.is_some();
        operations.extend(made);
        operations.extend(kept::keep("host", if is_new { "" } else { &called }, kept::said(item, &["priority"])));
        names.push(called);
    }
    Ok((operations, names))
}

fn priority(host: &crate::model::Host) -> Value {
    host.note("priority").cloned().unwrap_or_else(|| json!("regular"))
}

impl Collection for Hosts {
    fn path(&self) -> &'static str {
        "/protocols/nvme/subsystems/{subsystem.uuid}/hosts"
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Create, Verb::Delete]
    }
    fn defaults(&self) -> &'static [&'static str] {
        &["subsystem"]
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        let groups = igroup::all_above(view, false)?;
        Ok(groups.iter().flat_map(|group| group.hosts.iter().map(|host| Row(group.key().raw(), host.raw()))).collect())
    }
    fn record(&self, view: &View<'_>, row: Row, _: &Want) -> Value {
        let (group, host) = (get(view, row), view.array.hosts.get(Key::from_raw(row.1)));
        let Some((group, host)) = group.zip(host) else { return json!({}) };
        json!({
            "nqn": host.initiator.address(), "subsystem": {"name": group.name(), "uuid": group.id()}, "priority": priority(host),
            "io_queue": {"count": 4, "depth": 32},
        })
    }
    fn create(&self, call: &Call<'_>, body: &Body) -> Outcome<Row> {
        let nqn = body.required("nqn")?.to_owned();
        let operations = call.read(|view| {
            let group = igroup::above(view, false)?;
            if igroup::hosts(view.array, group).any(|host| host.initiator.address() == nqn) {
                return Err(Refusal::conflict(72_089_705, format!("The NVMe host \"{nqn}\" is in the subsystem \"{}\" already.", group.name())).at("nqn"));
            }
            let (mut operations, hosts) = joining(view, std::slice::from_ref(body))?;
            let update = ops::host_group::Update { host_group: group.id().to_string(), add_hosts: Some(hosts), ..ops::host_group::Update::default() };
            operations.push(update.into());
            Ok(operations)
        })?;
        call.run(operations)?;
        call.read(|view| self.find(view, &[nqn]))?.ok_or_else(|| self.absent())
    }
    fn delete(&self, call: &Call<'_>, row: Row) -> Outcome<()> {
        let operations = call.read(|view| {
            let Some(group) = get(view, row) else { return Vec::new() };
            let host = Key::from_raw(row.1);
            let named = view.array.hosts.get(host).map(|host| host.id().to_string()).unwrap_or_default();
            let leave = ops::host_group::Update { host_group: group.id().to_string(), remove_hosts: Some(vec![named]), ..ops::host_group::Update::default() };
            let mut operations = vec![leave.into()];
            operations.extend(igroup::forgotten(view.array, &[host], group.key()));
            operations
        });
        call.run(operations).map(drop)
    }
    fn absent(&self) -> Refusal {
        Refusal::missing(72_090_003, "The NVMe host does not exist in the subsystem.")
    }
}

impl Collection for SubsystemMaps {
    fn path(&self) -> &'static str {
        "/protocols/nvme/subsystem-maps"
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Create, Verb::Delete]
    }
    fn defaults(&self) -> &'static [&'static str] {
        &["nsid", "subsystem", "namespace"]
    }
    fn lasts(&self) -> bool {
        true
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        Ok(lun_map::rows(view, false))
    }
    fn index(&self, view: &View<'_>, asked: &Asked) -> Option<Vec<Row>> {
        lun_map::index(view, asked, "namespace")
    }
    fn find(&self, view: &View<'_>, keys: &[String]) -> Outcome<Option<Row>> {
        let [group, namespace] = keys else { return Ok(None) };
        let group = group.parse().ok().and_then(|id| view.array.host_groups.key_of(id));
        let volume = namespace.parse().ok().and_then(|id| view.array.volumes.key_of(id));
        let Some((group, volume)) = group.zip(volume) else { return Ok(None) };
        let found = view.array.mappings_of(volume).find(|mapping| mapping.party == Party::HostGroup(group));
        Ok(found.map(|mapping| Row(mapping.key().raw(), 0)))
    }
    fn record(&self, view: &View<'_>, row: Row, want: &Want) -> Value {
        let Some((mapping, volume, group)) = lun_map::ends(view, row) else { return json!({}) };
        let mut namespace = refer(&lun_path::path_of(view.array, volume), volume.id());
        if let Some(node) = lun_map::nodes(view, volume).first() {
            namespace["node"] = view.refer_node(node);
        }
        let mut record = json!({"namespace": namespace, "subsystem": refer(group.name(), group.id()), "nsid": nsid(mapping.lun)});
        if let Some(svm) = group.tenant.and_then(|key| view.array.tenants.get(key)) {
            record["svm"] = refer(svm.name(), svm.id());
        }
        if want.has("anagrpid") {
            let node = lun_map::nodes(view, volume).first().map_or(0, |node| node.number());
            record["anagrpid"] = json!(nsid(node + 1));
        }
        record
    }
    fn create(&self, call: &Call<'_>, body: &Body) -> Outcome<Row> {
        let create = call.read(|view| {
            let svm = kept::svm(view, body)?;
            let namespace = body.named("namespace").ok_or_else(|| Refusal::required("namespace"))?;
            let named = body.named("subsystem").ok_or_else(|| Refusal::required("subsystem"))?;
            let unknown = |code: u32, what: &str, name: &str, field: &str| Refusal::bad(code, format!("The {what} \"{name}\" does not exist.")).at(field);
            let volume = lun_path::find(view.array, &namespace, true, svm.map(Object::key))
                .ok_or_else(|| unknown(72_090_006, "NVMe namespace", namespace.shown(), "namespace.name"))?;
            let svm = volume.tenant.or_else(|| svm.map(Object::key));
            let group = igroup::find(view.array, &named, false, svm).ok_or_else(|| unknown(72_090_001, "NVMe subsystem", named.shown(), "subsystem.name"))?;
            Ok(ops::mapping::Create { volume: volume.id().to_string(), host_group: Some(group.id().to_string()), ..ops::mapping::Create::default() })
        })?;
        call.make::<Mapping>(vec![create.into()]).map(|key| Row(key.raw(), 0))
    }
    fn delete(&self, call: &Call<'_>, row: Row) -> Outcome<()> {
        let mapping = call.read(|view| lun_map::ends(view, row).map(|(mapping, ..)| mapping.id().to_string())).unwrap_or_default();
        call.run(vec![ops::mapping::Delete { mapping }.into()]).map(drop)
    }
    fn absent(&self) -> Refusal {
        Refusal::missing(72_090_019, "The NVMe namespace is not mapped to the subsystem.")
    }
}
