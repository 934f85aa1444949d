//! `/protocols/san/lun-maps` and their reporting nodes: mappings of volumes to igroups.

use serde_json::{Value, json};

use crate::body::{Body, Named};
use crate::collection::{Call, Collection, Row, Verb, View, refer};
use crate::fields::Want;
use crate::kept;
use crate::model::{Controller, GroupProtocol, HostGroup, Key, Mapping, Object, Party, Tenant, Volume};
use crate::ops::{self, AnyOperation};
use crate::query::Asked;
use crate::refusal::{Outcome, Refusal};
use crate::resources::{aggregate, igroup, lun_path};

/// The operation that maps a volume to an igroup that a body names, under the number that it may say.
pub(crate) fn mapping(view: &View<'_>, volume: String, svm: Option<Key<Tenant>>, named: &Named, number: Option<u64>) -> Outcome<AnyOperation> {
    let unknown = || Refusal::bad(5_374_878, format!("The igroup \"{}\" does not exist.", named.shown())).at("igroup.name");
    let group = igroup::find(view.array, named, true, svm).ok_or_else(unknown)?;
    let lun = number.map(|number| u32::try_from(number).unwrap_or(u32::MAX));
    Ok(ops::mapping::Create { volume, host_group: Some(group.id().to_string()), lun, ..ops::mapping::Create::default() }.into())
}

/// The maps.
pub(crate) struct LunMaps;
/// The nodes that report a map's LUN.
pub(crate) struct ReportingNodes;

/// A mapping to a group, with both its ends.
pub(crate) fn ends<'a>(view: &View<'a>, row: Row) -> Option<(&'a Mapping, &'a Volume, &'a HostGroup)> {
    let mapping = view.array.mappings.get(Key::from_raw(row.0))?;
    let Party::HostGroup(group) = mapping.party else { return None };
    Some((mapping, view.array.volumes.get(mapping.volume)?, view.array.host_groups.get(group)?))
}

/// Mappings to groups of that kind.
pub(crate) fn rows(view: &View<'_>, igroups: bool) -> Vec<Row> {
    let all = view.array.mappings.iter().map(|mapping| Row(mapping.key().raw(), 0));
    all.filter(|row| ends(view, *row).is_some_and(|(_, _, group)| igroup::is_igroup(group) == igroups)).collect()
}

/// The mappings of a volume or a group that a query names, where that is quicker than looking at all.
pub(crate) fn index(view: &View<'_>, asked: &Asked, volume: &str) -> Option<Vec<Row>> {
    let exact = |field: String| asked.filters.iter().find(|(path, _)| *path == field).and_then(|(_, filter)| filter.exact());
    let is_namespace = volume == "namespace";
    let volumes: Vec<Key<Volume>> = match (exact(format!("{volume}.uuid")), exact(format!("{volume}.name"))) {
        (Some(id), _) => id.parse().ok().and_then(|id| view.array.volumes.key_of(id)).into_iter().collect(),
        (None, Some(path)) => lun_path::at(view.array, path, is_namespace).into_iter().map(Object::key).collect(),
        (None, None) => return None,
    };
    let mut found: Vec<Row> = volumes.into_iter().flat_map(|key| view.array.mappings_of(key)).map(|mapping| Row(mapping.key().raw(), 0)).collect();
    found.retain(|row| ends(view, *row).is_some_and(|(_, _, group)| igroup::is_igroup(group) != is_namespace));
    Some(found)
}

/// The node that owns a volume's aggregate, then its partner.
pub(crate) fn nodes<'a>(view: &View<'a>, volume: &Volume) -> Vec<&'a Controller> {
    let pool = volume.container().and_then(|key| view.array.containers.get(key)).and_then(|container| view.array.pools.get(container.pool));
    let owner = pool.and_then(|pool| aggregate::owner(view, pool));
    let partner = view.array.controllers.iter().find(|node| owner.is_none_or(|owner| owner.key() != node.key()));
    owner.into_iter().chain(partner).collect()
}

impl Collection for LunMaps {
    fn path(&self) -> &'static str {
        "/protocols/san/lun-maps"
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Create, Verb::Delete]
    }
    fn lasts(&self) -> bool {
        true
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        Ok(rows(view, true))
    }
    fn index(&self, view: &View<'_>, asked: &Asked) -> Option<Vec<Row>> {
        index(view, asked, "lun")
    }
    fn find(&self, view: &View<'_>, keys: &[String]) -> Outcome<Option<Row>> {
        Ok(of_path(view, keys))
    }
    fn record(&self, view: &View<'_>, row: Row, want: &Want) -> Value {
        let Some((mapping, volume, group)) = ends(view, row) else { return json!({}) };
        let mut lun = json!({"name": lun_path::path_of(view.array, volume), "uuid": volume.id()});
        let nodes = nodes(view, volume);
        if let Some(node) = nodes.first() {
            lun["node"] = view.refer_node(node);
        }
        let mut shown = refer(group.name(), group.id());
        shown["os_type"] = json!(group.host_response.and_then(|key| view.array.host_responses.get(key)).map_or("linux", Object::name));
        shown["protocol"] = json!(match group.protocol {
            GroupProtocol::Fc => "fcp",
            GroupProtocol::Iscsi => "iscsi",
            GroupProtocol::Mixed | GroupProtocol::Nvme => "mixed",
        });
        if !group.hosts.is_empty() {
            shown["initiators"] = igroup::hosts(view.array, group).map(igroup::address).collect();
        }
        let mut record = json!({"lun": lun, "igroup": shown, "logical_unit_number": mapping.lun});
        if let Some(svm) = group.tenant.and_then(|key| view.array.tenants.get(key)) {
            record["svm"] = refer(svm.name(), svm.id());
        }
        if want.has("reporting_nodes") {
            record["reporting_nodes"] = nodes.iter().filter(|node| reports(mapping, node)).map(|node| view.refer_node(node)).collect();
        }
        record
    }
    fn create(&self, call: &Call<'_>, body: &Body) -> Outcome<Row> {
        let create = call.read(|view| {
            let svm = kept::svm(view, body)?;
            let lun = body.named("lun").ok_or_else(|| Refusal::bad(5_374_901, "The LUN must be specified by \"lun.name\" or \"lun.uuid\".").at("lun"))?;
            let named = body
                .named("igroup")
                .ok_or_else(|| Refusal::bad(5_374_902, "The igroup must be specified by \"igroup.name\" or \"igroup.uuid\".").at("igroup"))?;
            let unknown = || Refusal::bad(5_374_875, format!("The LUN \"{}\" does not exist.", lun.shown())).at("lun.name");
            let volume = lun_path::find(view.array, &lun, false, svm.map(Object::key)).ok_or_else(unknown)?;
            let svm = volume.tenant.or_else(|| svm.map(Object::key));
            mapping(view, volume.id().to_string(), svm, &named, body.number("logical_unit_number"))
        })?;
        call.make::<Mapping>(vec![create]).map(|key| Row(key.raw(), 0))
    }
    fn delete(&self, call: &Call<'_>, row: Row) -> Outcome<()> {
        let mapping = call.read(|view| ends(view, row).map(|(mapping, ..)| mapping.id().to_string())).unwrap_or_default();
        call.run(vec![ops::mapping::Delete { mapping }.into()]).map(drop)
    }
    fn absent(&self) -> Refusal {
        Refusal::missing(5_374_922, "The specified LUN map does not exist.")
    }
}

fn of_path(view: &View<'_>, keys: &[String]) -> Option<Row> {
    let [lun, group] = keys else { return None };
    let volume = lun.parse().ok().and_then(|id| view.array.volumes.key_of(id))?;
    let group = group.parse().ok().and_then(|id| view.array.host_groups.key_of(id))?;
    view.array.mappings_of(volume).find(|mapping| mapping.party == Party::HostGroup(group)).map(|mapping| Row(mapping.key().raw(), 0))
}

/// Whether a node reports the LUN of a map: both of the pair do unless one was taken out.
fn reports(mapping: &Mapping, node: &Controller) -> bool {
    let left_out = mapping.note("silent_nodes").and_then(Value::as_array);
    !left_out.is_some_and(|nodes| nodes.contains(&json!(node.id())))
}

impl ReportingNodes {
    fn of<'a>(view: &View<'a>) -> Outcome<(&'a Mapping, Vec<&'a Controller>)> {
        let row = of_path(view, view.parents).ok_or_else(|| LunMaps.absent())?;
        let (mapping, volume, _) = ends(view, row).ok_or_else(|| LunMaps.absent())?;
        Ok((mapping, nodes(view, volume)))
    }
    /// The operation after which only these nodes are left out.
    fn left_out(mapping: &Mapping, nodes: &[&Controller]) -> Option<ops::AnyOperation> {
        let ids: Vec<Value> = nodes.iter().map(|node| json!(node.id())).collect();
        let value = if ids.is_empty() { Value::Null } else { json!(ids) };
        kept::keep("mapping", &mapping.id().to_string(), [("silent_nodes".to_owned(), value)].into())
    }
}

impl Collection for ReportingNodes {
    fn path(&self) -> &'static str {
        "/protocols/san/lun-maps/{lun.uuid}/{igroup.uuid}/reporting-nodes"
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Create, Verb::Delete]
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        let (mapping, nodes) = ReportingNodes::of(view)?;
        Ok(nodes.into_iter().filter(|node| reports(mapping, node)).map(|node| Row(mapping.key().raw(), node.key().raw())).collect())
    }
    fn record(&self, view: &View<'_>, row: Row, _: &Want) -> Value {
        let (found, node) = (ends(view, row), view.array.controllers.get(Key::<Controller>::from_raw(row.1)));
        let Some(((_, volume, group), node)) = found.zip(node) else { return json!({}) };
        json!({"uuid": node.id(), "name": view.node_name(node), "lun": {"uuid": volume.id()}, "igroup": {"uuid": group.id()}})
    }
    fn create(&self, call: &Call<'_>, body: &Body) -> Outcome<Row> {
        let (row, operation) = call.read(|view| {
            let (mapping, nodes) = ReportingNodes::of(view)?;
            let named = crate::body::Named { uuid: body.text("uuid").map(str::to_owned), name: body.text("name").map(str::to_owned) };
            let unknown = || Refusal::bad(5_374_921, format!("The node \"{}\" does not exist.", named.shown())).at("name");
            let node = view.find_node(&named).ok_or_else(unknown)?;
            if reports(mapping, node) {
                return Err(Refusal::conflict(5_374_920, format!("The node \"{}\" reports the LUN already.", view.node_name(node))));
            }
            let silent: Vec<&Controller> = nodes.into_iter().filter(|other| other.key() != node.key() && !reports(mapping, other)).collect();
            Ok((Row(mapping.key().raw(), node.key().raw()), ReportingNodes::left_out(mapping, &silent)))
        })?;
        call.run(operation.into_iter().collect()).map(|_| row)
    }
    fn delete(&self, call: &Call<'_>, row: Row) -> Outcome<()> {
        let operation = call.read(|view| {
            let (mapping, nodes) = ReportingNodes::of(view)?;
            let owner = nodes.first().map(|node| node.key());
            if owner == Some(Key::from_raw(row.1)) {
                return Err(Refusal::conflict(5_374_920, "The node that owns the LUN always reports it, and so does its partner while the LUN is mapped."));
            }
            let silent: Vec<&Controller> = nodes.into_iter().filter(|node| node.key().raw() == row.1 || !reports(mapping, node)).collect();
            Ok(ReportingNodes::left_out(mapping, &silent))
        })?;
        call.run(operation.into_iter().collect()).map(drop)
    }
}
