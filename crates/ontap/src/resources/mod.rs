//! All collections, one file each: what it reads of the array, and which operations a change becomes.
//!
//! Must not know: filters, paging, links, jobs: those are the same for all.
//! Read first: `node` (reads only), then `svm`.

mod aggregate;
mod cluster;
mod consistency_group;
mod consistency_group_snapshot;
mod empty;
mod job;
mod lun;
mod lun_attribute;
mod lun_change;
pub(crate) mod lun_path;
mod node;
mod qos_policy;
mod qos_workload;

use crate::collection::{Collection, Row};
use crate::model::{Object, Table};
use crate::query::Asked;

/// All collections.
pub(crate) const COLLECTIONS: &[&dyn Collection] = &[
    &cluster::Cluster,
    &node::Nodes,
    &job::Jobs,
    &aggregate::Aggregates,
    &empty::Empty("/cluster/peers"),
    &empty::Empty("/svm/peers"),
    &empty::Empty("/svm/peer-permissions"),
    &empty::Empty("/svm/migrations"),
    &empty::Empty("/snapmirror/relationships"),
    &empty::Empty("/storage/flexcache/flexcaches"),
    &empty::Empty("/storage/flexcache/origins"),
    &empty::Empty("/storage/quota/reports"),
    &empty::Empty("/cloud/targets"),
    &empty::Empty("/storage/bridges"),
    &empty::Empty("/storage/switches"),
    &empty::Empty("/network/ethernet/switches"),
    &empty::Empty("/network/ethernet/switch/ports"),
    &empty::Empty("/protocols/san/vvol-bindings"),
    &lun::LUNS,
    &lun_attribute::Attributes,
    &lun::NAMESPACES,
    &qos_policy::Policies,
    &qos_workload::Workloads,
    &qos_workload::Options,
    &consistency_group::Groups,
    &consistency_group_snapshot::Snapshots,
    &empty::Empty("/application/applications"),
    &empty::Empty("/storage/file/clone/split-status"),
];

/// The rows that filters by identifier or name leave, where an index of the table tells.
pub(crate) fn by_uuid_or_name<T: Object>(table: &Table<T>, asked: &Asked) -> Option<Vec<Row>> {
    let exact = |field: &str| asked.filters.iter().find(|(path, _)| path == field).and_then(|(_, filter)| filter.exact());
    if let Some(id) = exact("uuid") {
        let key = id.parse().ok().and_then(|id| table.key_of(id));
        return Some(key.map(|key| Row(key.raw(), 0)).into_iter().collect());
    }
    let name = exact("name")?;
    Some(table.all_named(name).map(|item| Row(item.key().raw(), 0)).collect())
}
