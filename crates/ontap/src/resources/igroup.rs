//! `/protocols/san/igroups`, their initiators and the igroups inside: host groups for SCSI. An initiator is a host that belongs to no SVM, so
//! that igroups of several can have it.

use serde_json::{Value, json};

use crate::body::{Body, Named};
use crate::collection::{Call, Collection, Row, Verb, View, refer};
use crate::fields::Want;
use crate::kept;
use crate::model::{Array, GroupProtocol, Host, HostGroup, Initiator, Key, Mapping, Object, Party, Protocol, Tenant};
use crate::net;
use crate::ops::{self, AnyOperation};
use crate::query::Asked;
use crate::refusal::{Outcome, Refusal};
use crate::resources::initiator_name::protocol_of;
use crate::resources::{by_uuid_or_name, lun_path, portset};

/// The igroups.
pub(crate) struct Igroups;

/// What is kept as it is given.
const KEPT: [&str; 2] = ["comment", "delete_on_unmap"];

fn word(protocol: GroupProtocol) -> &'static str {
    match protocol {
        GroupProtocol::Fc => "fcp",
        GroupProtocol::Iscsi => "iscsi",
        GroupProtocol::Mixed | GroupProtocol::Nvme => "mixed",
    }
}

/// How ONTAP writes an initiator: WWPNs with colons, all in lower case.
pub(crate) fn address(host: &Host) -> String {
    match &host.initiator {
        Initiator::Wwn(wwn) => net::wwn(wwn),
        Initiator::Iscsi(name) | Initiator::Nqn(name) => name.clone(),
    }
}

/// The hosts of a group in order of their names.
pub(crate) fn hosts<'a>(array: &'a Array, group: &'a HostGroup) -> impl Iterator<Item = &'a Host> {
    group.hosts.iter().filter_map(|host| array.hosts.get(*host))
}

/// Groups for SCSI hosts, or NVMe subsystems.
pub(crate) fn is_igroup(group: &HostGroup) -> bool {
    group.protocol != GroupProtocol::Nvme
}

/// The igroup, or the subsystem, that a client names.
pub(crate) fn find<'a>(array: &'a Array, named: &Named, igroups: bool, svm: Option<Key<Tenant>>) -> Option<&'a HostGroup> {
    let is_it = |group: &&HostGroup| {
        is_igroup(group) == igroups
            && (svm.is_none() || group.tenant == svm)
            && named.uuid.as_ref().is_none_or(|uuid| *uuid == group.id().to_string())
            && named.name.as_ref().is_none_or(|name| name == group.name())
    };
    array.host_groups.iter().find(is_it)
}

/// igroups and subsystems of an SVM share one space of names; each has a number of its own for a name that the other has.
pub(crate) fn is_no_name_of_the_other(view: &View<'_>, name: &str, svm: &Tenant, igroups: bool) -> Outcome<()> {
    let named = Named { uuid: None, name: Some(name.to_owned()) };
    let (code, what) = if igroups { (5_376_488, "An NVMe subsystem") } else { (72_090_043, "An igroup") };
    match find(view.array, &named, !igroups, Some(svm.key())) {
        Some(_) => Err(Refusal::conflict(code, format!("{what} named \"{name}\" exists already in the SVM \"{}\".", svm.name())).at("name")),
        None => Ok(()),
    }
}

/// What is mapped to a group.
pub(crate) fn mappings<'a>(array: &'a Array, group: &'a HostGroup) -> impl Iterator<Item = &'a Mapping> {
    let party = Party::HostGroup(group.key());
    array.mappings.iter().filter(move |mapping| mapping.party == party)
}

/// The operation that an initiator needs before it can join, if the array does not know it yet, and what it is called in the next.
pub(crate) fn introduced(array: &Array, name: &str, protocol: Protocol) -> (Option<AnyOperation>, String) {
    let plain = name.to_lowercase();
    let digits: String = plain.chars().filter(|c| *c != ':').collect();
    let is_it = |host: &&Host| match &host.initiator {
        Initiator::Wwn(wwn) => *wwn == digits,
        Initiator::Iscsi(known) | Initiator::Nqn(known) => *known == plain,
    };
    if let Some(host) = array.hosts.iter().find(is_it) {
        return (None, host.id().to_string());
    }
    let mut create = ops::host::Create {
        name: plain.clone(),
        protocol,
        wwn: None,
        iscsi_name: None,
        nqn: None,
        alias: None,
        tenant: None,
        host_response: None,
        chap_user: None,
        chap_secret: None,
    };
    match protocol {
        Protocol::Fc => create.wwn = Some(digits),
        Protocol::Iscsi => create.iscsi_name = Some(plain.clone()),
        Protocol::Nvme => create.nqn = Some(name.to_owned()),
    }
    if protocol == Protocol::Nvme {
        name.clone_into(&mut create.name);
    }
    let called = create.name.clone();
    (Some(create.into()), called)
}

/// The operations that let hosts go that nobody has any more.
pub(crate) fn forgotten(array: &Array, leaving: &[Key<Host>], from: Key<HostGroup>) -> Vec<AnyOperation> {
    let is_elsewhere = |host: Key<Host>| array.host_groups.iter().any(|group| group.key() != from && group.hosts.contains(&host));
    let is_mapped = |host: Key<Host>| array.mappings.iter().any(|mapping| mapping.party == Party::Host(host));
    let gone = leaving.iter().filter(|host| !is_elsewhere(**host) && !is_mapped(**host)).filter_map(|host| array.hosts.get(*host));
    gone.map(|host| ops::host::Delete { host: host.id().to_string() }.into()).collect()
}

impl Igroups {
    pub(crate) fn get<'a>(view: &View<'a>, row: Row) -> Option<&'a HostGroup> {
        view.array.host_groups.get(Key::from_raw(row.0))
    }
    /// The operations by which initiators that a body lists are known, and what they are called.
    pub(crate) fn joining(array: &Array, listed: &[Body], protocol: GroupProtocol) -> Outcome<(Vec<AnyOperation>, Vec<String>)> {
        let (mut operations, mut names) = (Vec::new(), Vec::new());
        for item in listed {
            let name = item.required("name").map_err(|refusal| refusal.at("initiators.name"))?;
            let (made, called) = introduced(array, name, protocol_of(name, protocol)?);
            let is_new = made.is_some();
            operations.extend(made);
            if item.has("comment") {
                let notes = [("comment".to_owned(), item.get("comment").cloned().unwrap_or(Value::Null))].into();
                operations.extend(kept::keep("host", if is_new { "" } else { &called }, notes));
            }
            names.push(called);
        }
        Ok((operations, names))
    }
}

impl Collection for Igroups {
    fn path(&self) -> &'static str {
        "/protocols/san/igroups"
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Create, Verb::Update, Verb::Delete]
    }
    fn lasts(&self) -> bool {
        true
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        Ok(view.array.host_groups.iter().filter(|group| is_igroup(group)).map(|group| Row(group.key().raw(), 0)).collect())
    }
    fn index(&self, view: &View<'_>, asked: &Asked) -> Option<Vec<Row>> {
        let rows = by_uuid_or_name(&view.array.host_groups, asked)?;
        Some(rows.into_iter().filter(|row| Igroups::get(view, *row).is_some_and(is_igroup)).collect())
    }
    fn find(&self, view: &View<'_>, keys: &[String]) -> Outcome<Option<Row>> {
        let named = Named { uuid: keys.first().cloned(), name: None };
        Ok(find(view.array, &named, true, None).map(|group| Row(group.key().raw(), 0)))
    }
    fn record(&self, view: &View<'_>, row: Row, want: &Want) -> Value {
        let array = view.array;
        let Some(group) = Igroups::get(view, row) else { return json!({}) };
        let mut record = json!({"uuid": group.id(), "name": group.name(), "protocol": word(group.protocol), "supports_igroups": true});
        record["os_type"] = json!(group.host_response.and_then(|key| array.host_responses.get(key)).map_or("linux", Object::name));
        if let Some(svm) = group.tenant.and_then(|key| array.tenants.get(key)) {
            record["svm"] = refer(svm.name(), svm.id());
        }
        kept::show(&mut record, group, &KEPT);
        if !group.hosts.is_empty() {
            record["initiators"] = hosts(array, group).map(initiator).collect();
        }
        if want.has("igroups") && !group.groups.is_empty() {
            let inner = group.groups.iter().filter_map(|inner| array.host_groups.get(*inner));
            record["igroups"] = inner.map(|inner| refer(inner.name(), inner.id())).collect();
        }
        if want.has("parent_igroups") {
            let around: Vec<Value> =
                array.host_groups.iter().filter(|outer| outer.groups.contains(&group.key())).map(|outer| refer(outer.name(), outer.id())).collect();
            if !around.is_empty() {
                record["parent_igroups"] = json!(around);
            }
        }
        if let Some(ports) = group.port_group.and_then(|key| array.port_groups.get(key)) {
            record["portset"] = refer(ports.name(), ports.id());
        }
        if want.has("lun_maps") {
            let maps = mappings(array, group).filter_map(|mapping| array.volumes.get(mapping.volume).map(|volume| (mapping, volume)));
            let maps: Vec<Value> = maps
                .map(|(mapping, volume)| json!({"logical_unit_number": mapping.lun, "lun": {"name": lun_path::path_of(array, volume), "uuid": volume.id()}}))
                .collect();
            if !maps.is_empty() {
                record["lun_maps"] = json!(maps);
            }
        }
        if want.has("target") {
            record["target"] = json!({"firmware_revision": format!("{:02}{:02}", view.version.numbers().0, view.version.numbers().1), "product_id": "LUN C-Mode", "vendor_id": "NETAPP"});
        }
        record
    }
    fn create(&self, call: &Call<'_>, body: &Body) -> Outcome<Row> {
        let operations = call.read(|view| {
            let svm = kept::required_svm(view, body)?;
            let name = body.required("name")?.to_owned();
            is_no_name_of_the_other(view, &name, svm, true)?;
            let os_type = body.required("os_type")?.to_owned();
            let listed = body.bodies("initiators").unwrap_or_default();
            let (mut operations, hosts) = Igroups::joining(view.array, &listed, protocol(body.text("protocol")))?;
            let inner = body.bodies("igroups").unwrap_or_default();
            let inner = inner.iter().map(|inner| inside(view, inner, svm)).collect::<Outcome<Vec<String>>>()?;
            let ports = body.named("portset").map(|named| portset::reference(view, &named, svm)).transpose()?;
            let create = ops::host_group::Create {
                name,
                protocol: Some(protocol(body.text("protocol"))),
                hosts: (!hosts.is_empty()).then_some(hosts),
                tenant: Some(svm.id().to_string()),
                host_response: Some(os_type),
                groups: (!inner.is_empty()).then_some(inner),
                port_group: ports,
            };
            operations.push(create.into());
            operations.extend(kept::keep("host-group", "", kept::said(body, &KEPT)));
            Ok(operations)
        })?;
        call.make::<HostGroup>(operations).map(|key| Row(key.raw(), 0))
    }
    fn update(&self, call: &Call<'_>, row: Row, body: &Body) -> Outcome<()> {
        let operations = call.read(|view| {
            let Some(group) = Igroups::get(view, row) else { return Err(self.absent()) };
            let svm = group.tenant.and_then(|key| view.array.tenants.get(key));
            let mut operations: Vec<AnyOperation> = Vec::new();
            let ports = match (body.has("portset"), body.named("portset"), svm) {
                (true, Some(named), Some(svm)) => Some(portset::reference(view, &named, svm)?),
                (true, ..) => Some(String::new()),
                _ => None,
            };
            let update = ops::host_group::Update {
                host_group: group.id().to_string(),
                name: body.text("name").map(str::to_owned),
                host_response: body.text("os_type").map(str::to_owned),
                port_group: ports,
                ..ops::host_group::Update::default()
            };
            operations.push(update.into());
            operations.extend(kept::keep("host-group", &group.id().to_string(), kept::said(body, &KEPT)));
            Ok(operations)
        })?;
        call.run(operations).map(drop).map_err(|refusal| if refusal.code == 5_374_732 { Refusal { code: 5_374_733, ..refusal } } else { refusal })
    }
    fn delete(&self, call: &Call<'_>, row: Row) -> Outcome<()> {
        let with_maps = call.is_on("allow_delete_while_mapped");
        call.run(call.read(|view| Igroups::get(view, row).map(|group| ending(view.array, group, with_maps)).unwrap_or_default())).map(drop)
    }
    fn absent(&self) -> Refusal {
        Refusal::missing(5_374_852, "The igroup does not exist.")
    }
}

/// The operations that delete a group: its maps if they may go, the group, and hosts that nobody has any more.
pub(crate) fn ending(array: &Array, group: &HostGroup, with_maps: bool) -> Vec<AnyOperation> {
    let mut operations: Vec<AnyOperation> = Vec::new();
    if with_maps {
        operations.extend(mappings(array, group).map(|mapping| AnyOperation::from(ops::mapping::Delete { mapping: mapping.id().to_string() })));
    }
    operations.push(ops::host_group::Delete { host_group: group.id().to_string() }.into());
    operations.extend(forgotten(array, &group.hosts, group.key()));
    operations
}

fn protocol(word: Option<&str>) -> GroupProtocol {
    match word {
        Some("fcp") => GroupProtocol::Fc,
        Some("iscsi") => GroupProtocol::Iscsi,
        _ => GroupProtocol::Mixed,
    }
}

pub(crate) fn initiator(host: &Host) -> Value {
    let mut shown = json!({"name": address(host)});
    if let Some(comment) = host.note("comment") {
        shown["comment"] = comment.clone();
    }
    shown
}

fn inside(view: &View<'_>, named: &Body, svm: &Tenant) -> Outcome<String> {
    let named = Named { uuid: named.text("uuid").map(str::to_owned), name: named.text("name").map(str::to_owned) };
    let found = find(view.array, &named, true, Some(svm.key())).map(|group| group.id().to_string());
    found.ok_or_else(|| Refusal::bad(5_374_852, format!("The igroup \"{}\" does not exist.", named.shown())).at("igroups.name"))
}

/// The igroup, or the subsystem, above a collection in the path.
pub(crate) fn above<'a>(view: &View<'a>, igroups: bool) -> Outcome<&'a HostGroup> {
    let named = Named { uuid: Some(view.parent().to_owned()), name: None };
    let absent = || if igroups { Igroups.absent() } else { Refusal::missing(72_090_001, "The NVMe subsystem does not exist.") };
    find(view.array, &named, igroups, None).ok_or_else(absent)
}

/// All igroups, or subsystems, above a collection in the path: one, or each.
pub(crate) fn all_above<'a>(view: &View<'a>, igroups: bool) -> Outcome<Vec<&'a HostGroup>> {
    if view.is_of_all() {
        return Ok(view.array.host_groups.iter().filter(|group| is_igroup(group) == igroups).collect());
    }
    above(view, igroups).map(|group| vec![group])
}
