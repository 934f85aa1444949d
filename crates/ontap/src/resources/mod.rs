//! All collections, one file each: what it reads of the array, and which operations a change becomes.
//!
//! Must not know: filters, paging, links, jobs: those are the same for all.
//! Read first: `node` (reads only), then `svm`.

mod cluster;
mod empty;
mod job;
mod node;

use crate::collection::Collection;

/// All collections.
pub(crate) const COLLECTIONS: &[&dyn Collection] = &[
    &cluster::Cluster,
    &node::Nodes,
    &job::Jobs,
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
];
