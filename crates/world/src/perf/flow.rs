//! The traffic of every object: each stream's requests, attributed to what they pass.

use std::collections::BTreeMap;

use super::net::Solution;
use super::path::Network;
use super::stream::Stream;
use crate::model::{Controller, HostPort, Key, Object, Pool, RaidGroup, Volume, Workload};

/// Traffic per second.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Flow {
    /// Requests: I/O operations, or transactions.
    pub(super) requests: f64,
    /// I/O operations that read.
    pub(super) read_iops: f64,
    /// I/O operations that write.
    pub(super) write_iops: f64,
    /// Bytes read.
    pub(super) read_bytes: f64,
    /// Bytes written.
    pub(super) write_bytes: f64,
    /// Requests under way.
    pub(super) outstanding: f64,
    /// The same, each counted as often as its 99th percentile latency is its mean.
    pub(super) tail: f64,
}

impl Flow {
    fn of(stream: &Stream<'_>, throughput: f64, latency: f64, tail: f64) -> Self {
        let iops = throughput * stream.ios();
        let (read_iops, write_iops) = (iops * stream.read_share(), iops * (1.0 - stream.read_share()));
        let (read_bytes, write_bytes) = (read_iops * stream.block(), write_iops * stream.block());
        Self { requests: throughput, read_iops, write_iops, read_bytes, write_bytes, outstanding: throughput * latency, tail: throughput * latency * tail }
    }

    /// I/O operations.
    pub(super) fn iops(&self) -> f64 {
        self.read_iops + self.write_iops
    }

    fn add(&mut self, other: &Self, share: f64) {
        self.requests += share * other.requests;
        self.read_iops += share * other.read_iops;
        self.write_iops += share * other.write_iops;
        self.read_bytes += share * other.read_bytes;
        self.write_bytes += share * other.write_bytes;
        self.outstanding += share * other.outstanding;
        self.tail += share * other.tail;
    }
}

/// The traffic of everything that has any.
#[derive(Debug, Default)]
pub(super) struct Flows {
    pub(super) workloads: BTreeMap<Key<Workload>, Flow>,
    pub(super) volumes: BTreeMap<Key<Volume>, Flow>,
    pub(super) raid_groups: BTreeMap<Key<RaidGroup>, Flow>,
    pub(super) pools: BTreeMap<Key<Pool>, Flow>,
    pub(super) ports: BTreeMap<Key<HostPort>, Flow>,
    pub(super) controllers: BTreeMap<Key<Controller>, Flow>,
    pub(super) total: Flow,
}

impl Flows {
    /// Of a network at its equilibrium, added up in the order of its streams.
    pub(super) fn of(network: &Network<'_>, solution: &Solution) -> Self {
        let mut flows = Self::default();
        let answers = solution.throughput.iter().zip(&solution.latency);
        for (number, (stream, (throughput, latency))) in network.streams.iter().zip(answers).enumerate() {
            flows.attribute(stream, &Flow::of(stream, *throughput, *latency, network.tail(number, solution)));
        }
        flows
    }

    fn attribute(&mut self, stream: &Stream<'_>, flow: &Flow) {
        self.workloads.entry(stream.workload.key()).or_default().add(flow, 1.0);
        self.volumes.entry(stream.volume.key()).or_default().add(flow, 1.0);
        if let Some(pool) = stream.pool {
            self.pools.entry(pool).or_default().add(flow, 1.0);
        }
        for (group, share) in &stream.groups {
            self.raid_groups.entry(group.key()).or_default().add(flow, *share);
        }
        for (controller, share) in &stream.controllers {
            self.controllers.entry(*controller).or_default().add(flow, *share);
        }
        for port in &stream.ports {
            self.ports.entry(*port).or_default().add(flow, 1.0 / stream.ports.len() as f64);
        }
        self.total.add(flow, 1.0);
    }
}
