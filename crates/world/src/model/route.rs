//! The way that requests of one workload take through the array, and what of them counts for each thing on it.

use serde::{Deserialize, Serialize};

use super::{Amounts, Container, Controller, Gauge, HostPort, Key, Noun, Pool, RaidGroup, Volume, Workload};
use crate::units::Bytes;

/// Shares are in billionths and add up to one.
pub const WHOLE: u64 = 1_000_000_000;

/// The way of the requests of one workload to volumes that are all reached, held and served alike.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Route {
    /// Whose requests they are.
    pub workload: Key<Workload>,
    /// The volumes, in order of key.
    pub volumes: Vec<Key<Volume>>,
    /// The pool that they live in, directly or by their container.
    pub pool: Option<Key<Pool>>,
    /// The container that holds them.
    pub container: Option<Key<Container>>,
    /// The RAID groups with their shares.
    pub raid_groups: Vec<(Key<RaidGroup>, u64)>,
    /// The controllers that do the work, with their shares.
    pub controllers: Vec<(Key<Controller>, u64)>,
    /// The host ports, over which requests are spread evenly.
    pub ports: Vec<Key<HostPort>>,
    /// Bytes of one operation.
    pub block: Bytes,
}

/// The requests on a route to each of its volumes: amounts per second, in billionths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "[u64; 6]", from = "[u64; 6]")]
pub struct Bundle {
    /// The route.
    pub route: u32,
    /// Operations that read.
    pub reads: u64,
    /// Operations that write.
    pub writes: u64,
    /// Reads under way.
    pub read_wait: u64,
    /// Writes under way.
    pub write_wait: u64,
    /// 99th percentile of the latency over its mean, in millionths.
    pub tail_ppm: u64,
}

/// What of the requests on a route counts for one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Those to one volume.
    Each,
    /// All.
    All,
    /// The part between two marks of a whole.
    Between(u64, u64, u64),
}

impl From<Bundle> for [u64; 6] {
    fn from(of: Bundle) -> [u64; 6] {
        [u64::from(of.route), of.reads, of.writes, of.read_wait, of.write_wait, of.tail_ppm]
    }
}
impl From<[u64; 6]> for Bundle {
    fn from([route, reads, writes, read_wait, write_wait, tail_ppm]: [u64; 6]) -> Bundle {
        Bundle { route: u32::try_from(route).unwrap_or(u32::MAX), reads, writes, read_wait, write_wait, tail_ppm }
    }
}

impl Bundle {
    /// What flows to each volume of the route, per second.
    pub fn each(&self, route: &Route) -> Amounts {
        let bytes = |operations: u64| u128::from(operations) * u128::from(route.block.get());
        let tail = |wait: u64| u128::from(wait) * u128::from(self.tail_ppm) / 1_000_000;
        Amounts::NONE
            .with(Gauge::Reads, u128::from(self.reads))
            .with(Gauge::Writes, u128::from(self.writes))
            .with(Gauge::ReadBytes, bytes(self.reads))
            .with(Gauge::WriteBytes, bytes(self.writes))
            .with(Gauge::ReadWait, u128::from(self.read_wait))
            .with(Gauge::WriteWait, u128::from(self.write_wait))
            .with(Gauge::ReadTail, tail(self.read_wait))
            .with(Gauge::WriteTail, tail(self.write_wait))
    }
    /// What of it counts for one thing, per second.
    pub fn amounts(&self, route: &Route, part: Part) -> Amounts {
        let each = self.each(route);
        let all = || each.times(route.volumes.len() as u128);
        match part {
            Part::Each => each,
            Part::All => all(),
            Part::Between(from, to, whole) => all().between(from.into(), to.into(), whole.into()),
        }
    }
}

impl Route {
    /// Everything that requests on it count for.
    pub fn parts(&self) -> impl Iterator<Item = (Noun, u32, Part)> {
        let whole = [(Noun::Array, 0), (Noun::Workload, self.workload.raw())].into_iter();
        let spaces = self.pool.map(|pool| (Noun::Pool, pool.raw())).into_iter().chain(self.container.map(|container| (Noun::Container, container.raw())));
        let volumes = self.volumes.iter().map(|volume| (Noun::Volume, volume.raw(), Part::Each));
        let groups = shares(self.raid_groups.iter().map(|(group, share)| (Noun::RaidGroup, group.raw(), *share)), WHOLE);
        let controllers = shares(self.controllers.iter().map(|(controller, share)| (Noun::Controller, controller.raw(), *share)), WHOLE);
        let ports = shares(self.ports.iter().map(|port| (Noun::HostPort, port.raw(), 1)), self.ports.len() as u64);
        whole.chain(spaces).map(|(noun, key)| (noun, key, Part::All)).chain(volumes).chain(groups).chain(controllers).chain(ports)
    }
    /// What of the requests on it counts for that thing, if they have to do with it.
    pub fn part_of(&self, noun: Noun, key: u32) -> Option<Part> {
        match noun {
            Noun::Array => Some(Part::All),
            Noun::Volume => self.volumes.binary_search(&Key::from_raw(key)).ok().map(|_| Part::Each),
            _ => self.parts().find(|(of, other, _)| *of == noun && *other == key).map(|(.., part)| part),
        }
    }
}

/// Shares as parts that lie side by side.
fn shares(of: impl Iterator<Item = (Noun, u32, u64)>, whole: u64) -> impl Iterator<Item = (Noun, u32, Part)> {
    of.scan(0, move |reached: &mut u64, (noun, key, share)| {
        let from = *reached;
        *reached += share;
        Some((noun, key, Part::Between(from, *reached, whole)))
    })
}

/// Shares in billionths that add up to exactly one, from such that add up to about one.
pub fn billionths(parts: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut shares: Vec<u64> = parts.collect();
    let others: u64 = shares.iter().rev().skip(1).sum();
    if let Some(last) = shares.last_mut() {
        *last = WHOLE.saturating_sub(others);
    }
    shares
}
