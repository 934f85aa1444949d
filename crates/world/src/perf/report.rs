//! What the array does now: a sample of every workload and every part, from the equilibrium of its network.
//!
//! Host I/O is attributed: every I/O counts once in its volume, pool and workload, and in ports, controllers and RAID groups by
//! the shares with which its stream uses them. So volumes, ports, controllers and RAID groups each add up to the total.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::automatic;
use super::flow::{Flow, Flows};
use super::net::Solution;
use super::path::Network;
use super::resources::Resource;
use super::stream::Stream;
use crate::model::{Array, Key, Noun, Object, Table, WorkUnit, Workload};

/// The performance of an array. Every object appears, also an idle one, in order of number.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Report {
    /// Workloads, running and paused.
    pub workloads: Vec<Sample>,
    /// Volumes.
    pub volumes: Vec<Sample>,
    /// RAID groups: host I/O attributed to them, and how busy their drives are.
    pub raid_groups: Vec<Sample>,
    /// Pools: what their volumes and the volumes in their containers do.
    pub pools: Vec<Sample>,
    /// Host ports.
    pub ports: Vec<Sample>,
    /// Controllers.
    pub controllers: Vec<Sample>,
    /// The whole array.
    pub total: Sample,
}

/// What one object does.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Sample {
    /// The object's identifier.
    pub id: Uuid,
    /// The object's number.
    pub number: u32,
    /// The object's name.
    pub name: String,
    /// Host I/O operations per second.
    pub iops: f64,
    /// Reads per second.
    pub read_iops: f64,
    /// Writes per second.
    pub write_iops: f64,
    /// Bytes per second between hosts and array.
    pub bytes_per_second: f64,
    /// Bytes read per second.
    pub read_bytes_per_second: f64,
    /// Bytes written per second.
    pub write_bytes_per_second: f64,
    /// Mean latency in milliseconds; none while nothing is done. Of a workload: of one request, for application profiles of one
    /// transaction. Of everything else: of one I/O operation, weighted by operations; the operations of a transaction follow one
    /// another, so each takes its even part of the transaction's time.
    pub latency_ms: Option<f64>,
    /// 99th percentile of the latency in milliseconds.
    pub p99_latency_ms: Option<f64>,
    /// Requests under way, on average: throughput times latency.
    pub outstanding: f64,
    /// Share of the time that the object is busy, 0 to 1; host ports, controllers and (their drives) RAID groups only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub utilization: Option<f64>,
    /// What holds a workload back most: the busiest part on its paths, such as `controller CM0`, or a limit that it has reached, such as
    /// `QoS policy gold of volume V0`; for the total the busiest part of all. None while nothing is done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bottleneck: Option<String>,
    /// Transactions per second; workloads with an application profile only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tps: Option<f64>,
}

/// Utilizations this close count as equal; the first in order is then named as the bottleneck.
const AS_BUSY: f64 = 1e-6;

/// The performance of `array` under `workloads` now. Pure and total: equal values give equal bits, and every number is finite.
#[must_use]
pub fn measure(array: &Array, workloads: &Table<Workload>) -> Report {
    let mut network = Network::of(array, workloads);
    let solution = automatic::equilibrium(array, &mut network);
    let flows = Flows::of(&network, &solution);
    let teller = Teller { array, network, solution };
    Report {
        workloads: workloads.iter().map(|workload| teller.workload(workload, &flows)).collect(),
        volumes: teller.parts(&array.volumes, &flows.volumes, |_| None),
        raid_groups: teller.parts(&array.raid_groups, &flows.raid_groups, |key| Some(Resource::Drives(key))),
        pools: teller.parts(&array.pools, &flows.pools, |_| None),
        ports: teller.parts(&array.host_ports, &flows.ports, |key| Some(Resource::HostPort(key))),
        controllers: teller.parts(&array.controllers, &flows.controllers, |key| Some(Resource::Controller(key))),
        total: teller.total(&flows),
    }
}

/// Turns flows into samples.
struct Teller<'a> {
    array: &'a Array,
    network: Network<'a>,
    solution: Solution,
}

impl Teller<'_> {
    fn parts<T: Object>(&self, table: &Table<T>, flows: &BTreeMap<Key<T>, Flow>, resource: impl Fn(Key<T>) -> Option<Resource>) -> Vec<Sample> {
        let one = |part: &T| {
            let flow = flows.get(&part.key()).copied().unwrap_or_default();
            let utilization = resource(part.key()).and_then(|resource| self.network.resources.number(resource)).map(|number| self.utilization(number));
            Sample { utilization, ..self.sample((part.id(), part.number(), part.name()), &flow, flow.iops()) }
        };
        table.iter().map(one).collect()
    }

    fn workload(&self, workload: &Workload, flows: &Flows) -> Sample {
        let flow = flows.workloads.get(&workload.key()).copied().unwrap_or_default();
        Sample {
            bottleneck: self.limit(workload).or_else(|| self.bottleneck(|stream| stream.workload.key() == workload.key())),
            tps: (workload.profile.unit == WorkUnit::Transaction).then_some(flow.requests),
            ..self.sample((workload.id(), workload.number(), workload.name()), &flow, flow.requests)
        }
    }

    fn total(&self, flows: &Flows) -> Sample {
        let id = self.array.identity.uuid(Noun::Array, 0);
        Sample { bottleneck: self.bottleneck(|_| true), ..self.sample((id, 0, "total"), &flows.total, flows.total.iops()) }
    }

    /// A sample whose latency is that of one of `answers` per second.
    fn sample(&self, (id, number, name): (Uuid, u32, &str), flow: &Flow, answers: f64) -> Sample {
        let latency_ms = (answers > 0.0).then(|| 1e3 * flow.outstanding / answers);
        Sample {
            id,
            number,
            name: name.to_owned(),
            iops: flow.iops(),
            read_iops: flow.read_iops,
            write_iops: flow.write_iops,
            bytes_per_second: flow.read_bytes + flow.write_bytes,
            read_bytes_per_second: flow.read_bytes,
            write_bytes_per_second: flow.write_bytes,
            latency_ms,
            p99_latency_ms: (answers > 0.0).then(|| 1e3 * flow.tail / answers),
            outstanding: flow.outstanding,
            utilization: None,
            bottleneck: None,
            tps: None,
        }
    }

    fn utilization(&self, number: usize) -> f64 {
        self.solution.utilization.get(number).copied().unwrap_or(0.0)
    }

    /// The limit that holds a workload's first stream back for which there is one.
    fn limit(&self, workload: &Workload) -> Option<String> {
        let own = self.network.streams.iter().enumerate().filter(|(_, stream)| stream.workload.key() == workload.key());
        let (limits, solution) = (&self.network.limits, &self.solution);
        own.filter_map(|(place, _)| limits.holding(place, solution.throughput[place], &solution.limit_utilization)).next().map(str::to_owned)
    }

    /// The busiest resource on the paths of these streams, in words; the first in order of those that are as busy.
    fn bottleneck(&self, is_theirs: impl Fn(&Stream<'_>) -> bool) -> Option<String> {
        let theirs = self.network.streams.iter().zip(&self.network.net.classes).filter(|(stream, _)| is_theirs(stream));
        let used: BTreeSet<usize> = theirs.flat_map(|(_, class)| class.demands.iter().map(|(number, _)| *number)).collect();
        let highest = used.iter().map(|number| self.utilization(*number)).fold(0.0, f64::max);
        let first = used.into_iter().find(|number| highest > 0.0 && self.utilization(*number) >= highest - AS_BUSY)?;
        self.network.resources.words(self.array, first)
    }
}
