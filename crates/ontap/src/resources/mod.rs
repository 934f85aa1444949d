//! All collections, one file each: what it reads of the array, and which operations a change becomes.
//!
//! Must not know: filters, paging, links, jobs: those are the same for all.
//! Read first: `node` (reads only), then `svm`.

mod aggregate;
mod cluster;
mod cluster_space;
mod disk;
mod efficiency;
mod efficiency_policy;
mod empty;
mod job;
mod node;
mod qtree;
mod shelf;
mod snapshot;
mod snapshot_policy;
mod volume;
mod volume_change;
mod volume_record;

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
    &volume::Volumes,
    &snapshot::Snapshots,
    &snapshot_policy::SnapshotPolicies,
    &snapshot_policy::PolicySchedules,
    &efficiency_policy::EfficiencyPolicies,
    &qtree::Qtrees,
    &aggregate::Plexes,
    &disk::Disks,
    &shelf::Shelves,
    &cluster_space::ClusterSpace,
    &empty::Empty("/storage/aggregates/{aggregate.uuid}/cloud-stores"),
    &empty::Empty("/storage/pools"),
    &empty::Empty("/storage/ports"),
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
