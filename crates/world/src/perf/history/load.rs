//! How the array bears its load now, as the log keeps it.

use std::collections::BTreeMap;

use super::super::automatic;
use super::super::net::Solution;
use super::super::path::Network;
use super::super::resources::Resource;
use super::super::stream::Stream;
use crate::model::{Array, Bundle, Key, Load, Noun, Object, Route, Table, Volume, Workload, WorkloadState, route};

/// Whether nothing loads the array, seen without looking at volumes: no workload runs, and no RAID group is out of the ordinary.
#[must_use]
pub fn is_idle(array: &Array, workloads: &Table<Workload>) -> bool {
    let runs = |workload: &Workload| workload.state == WorkloadState::Running;
    !workloads.iter().any(runs) && array.raid_groups.iter().all(crate::model::RaidGroup::is_ordinary)
}

/// How the array bears its load now. Pure: equal values give equal numbers, whatever the order in which things were made.
#[must_use]
pub fn load(array: &Array, workloads: &Table<Workload>) -> Load {
    let mut network = Network::of(array, workloads);
    let solution = automatic::equilibrium(array, &mut network);
    Load { bundles: bundles(&network, &solution), busy: busy(&network, &solution) }
}

/// The requests, those to volumes that are alike together, in order of the first of each.
fn bundles(network: &Network<'_>, solution: &Solution) -> Vec<(Route, Bundle)> {
    let mut places: BTreeMap<(Route, [u64; 6]), usize> = BTreeMap::new();
    let mut found: Vec<(Route, Bundle)> = Vec::new();
    let answers = solution.throughput.iter().zip(&solution.latency);
    for (place, (stream, (throughput, latency))) in network.streams.iter().zip(answers).enumerate() {
        let tail_ppm = (network.tail(place, solution) * 1e6).round() as u64;
        let (way, bundle) = (way(stream), bundle(stream, *throughput, *latency, tail_ppm));
        let place = *places.entry((way.clone(), bundle.into())).or_insert_with(|| {
            found.push((way, bundle));
            found.len() - 1
        });
        found[place].0.volumes.push(stream.volume.key());
    }
    found.iter_mut().for_each(|(route, _)| route.volumes.sort_unstable());
    found
}

/// The way of a stream, still without its volume.
fn way(stream: &Stream<'_>) -> Route {
    let shares = |parts: &mut dyn Iterator<Item = f64>| route::billionths(parts.map(billion));
    let volumes: Vec<Key<Volume>> = Vec::new();
    Route {
        workload: stream.workload.key(),
        volumes,
        pool: stream.pool,
        container: stream.volume.container(),
        raid_groups: stream.groups.iter().map(|(group, _)| group.key()).zip(shares(&mut stream.groups.iter().map(|(_, share)| *share))).collect(),
        controllers: stream.controllers.iter().map(|(key, _)| *key).zip(shares(&mut stream.controllers.iter().map(|(_, share)| *share))).collect(),
        ports: stream.ports.clone(),
        block: stream.workload.profile.block_size,
    }
}

fn bundle(stream: &Stream<'_>, throughput: f64, latency: f64, tail_ppm: u64) -> Bundle {
    let (operations, waiting, reading) = (throughput * stream.ios(), throughput * latency, stream.read_share());
    Bundle {
        route: 0,
        reads: billion(operations * reading),
        writes: billion(operations * (1.0 - reading)),
        read_wait: billion(waiting * reading),
        write_wait: billion(waiting * (1.0 - reading)),
        tail_ppm,
    }
}

fn busy(network: &Network<'_>, solution: &Solution) -> BTreeMap<Noun, Vec<(u32, u64)>> {
    let mut busy: BTreeMap<Noun, Vec<(u32, u64)>> = BTreeMap::new();
    for (resource, share) in network.resources.iter().zip(&solution.utilization) {
        let (noun, key) = match resource {
            Resource::Controller(key) => (Noun::Controller, key.raw()),
            Resource::HostPort(key) => (Noun::HostPort, key.raw()),
            Resource::Drives(key) => (Noun::RaidGroup, key.raw()),
            Resource::BackEnd(_) => continue,
        };
        if billion(*share) > 0 {
            busy.entry(noun).or_default().push((key, billion(*share)));
        }
    }
    busy
}

/// In billionths, as a whole number; a cast saturates.
fn billion(number: f64) -> u64 {
    (number * 1e9).round() as u64
}
