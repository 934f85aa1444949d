//! One stream: the requests of one workload to one volume, where they go, and what each costs every part on the way.

use std::collections::BTreeMap;

use super::copies;
use super::demand::{self, Io, WriteCost};
use super::inside::{Inside, behind};
use super::measured;
use super::resources::{Resource, Resources};
use crate::model::{
    Array, Calibration, Container, Controller, Home, HostPort, Key, Object, Pool, RaidGroup, RaidLevel, Reduction, Volume, Workload, reach, space,
};
use crate::units::{Bytes, Ratio};

/// Where the requests of one workload to one volume go. Each list of shares adds up to 1.
pub(super) struct Stream<'a> {
    /// Whose requests they are.
    pub(super) workload: &'a Workload,
    /// The volume that they read and write.
    pub(super) volume: &'a Volume,
    /// The pool that it lives in, directly or by its container.
    pub(super) pool: Option<Key<Pool>>,
    /// The RAID groups that hold it, in order of name.
    pub(super) groups: Vec<(&'a RaidGroup, f64)>,
    /// The controllers that do the work, in order of number.
    pub(super) controllers: Vec<(Key<Controller>, f64)>,
    /// The ports through which hosts reach it now; the requests are spread evenly over them.
    pub(super) ports: Vec<Key<HostPort>>,
    /// Whether only its reads get through, because there is no space for writes.
    reads_only: bool,
}

impl<'a> Stream<'a> {
    /// The stream from a workload to one of its volumes; `None` when no request gets through: it is offline, no port is up, nothing holds the
    /// volume, no controller acts for a part of it, a RAID group that holds it is broken or cannot be reached, or there is no space for
    /// the writes without which its transactions do not end.
    pub(super) fn of(array: &'a Array, resources: &Resources, workload: &'a Workload, volume: &'a Volume) -> Option<Self> {
        let ports = reach::mapped_ports(array, volume.key());
        let container = volume.container().and_then(|key| array.containers.get(key));
        let pool = volume.pool().or(container.map(|container| container.pool));
        let groups = groups(array, volume);
        let mut work: BTreeMap<u32, (Key<Controller>, f64)> = BTreeMap::new();
        for (group, share) in &groups {
            let workers = workers(array, group);
            if workers.is_empty() {
                return None;
            }
            for worker in &workers {
                work.entry(worker.number()).or_insert((worker.key(), 0.0)).1 += share / workers.len() as f64;
            }
        }
        let controllers: Vec<(Key<Controller>, f64)> = work.into_values().collect();
        let alive = groups.iter().all(|(group, _)| resources.is_alive(group.key()));
        let open = alive && !(ports.is_empty() || groups.is_empty() || controllers.is_empty());
        let reads_only = !space::takes_writes(array, volume);
        let stream = Self { workload, volume, pool, groups, controllers, ports, reads_only };
        (open && stream.part() > 0.0).then_some(stream)
    }

    /// I/O operations of one request.
    pub(super) fn ios(&self) -> f64 {
        f64::from(self.workload.profile.ios_per_unit.max(1))
    }

    /// Bytes of one I/O operation.
    pub(super) fn block(&self) -> f64 {
        number(self.workload.profile.block_size)
    }

    /// Share of reads among the operations that get through.
    pub(super) fn read_share(&self) -> f64 {
        if self.reads_only { 1.0 } else { self.workload.profile.read_ppm.factor().min(1.0) }
    }

    /// The part of the requesters that get through. Where there is no space for writes, those that want to write wait for it; a transaction
    /// that writes waits as a whole.
    pub(super) fn part(&self) -> f64 {
        let reads = self.workload.profile.read_ppm.factor().min(1.0);
        match (self.reads_only, self.workload.profile.ios_per_unit) {
            (false, _) => 1.0,
            (true, 0 | 1) => reads,
            (true, _) => reads.floor(),
        }
    }

    /// Seconds of every resource that one request uses, `controller_demand` being those of plain data on one controller.
    pub(super) fn demands(&self, array: &Array, resources: &Resources, controller_demand: f64) -> Vec<(usize, f64)> {
        let mut inside = Inside::new(array, resources);
        let reduced = reduction_factor(array, self.volume, self.read_share());
        for (controller, share) in &self.controllers {
            inside.add(Resource::Controller(*controller), share * reduced * controller_demand);
        }
        let count = u32::try_from(self.ports.len()).unwrap_or(u32::MAX);
        for port in &self.ports {
            let line_rate = array.host_ports.get(*port).map_or(Bytes::ZERO, HostPort::line_rate);
            inside.add(Resource::HostPort(*port), self.ios() * demand::port(self.block(), number(line_rate), count));
        }
        let Some(calibration) = self.calibration(array) else { return inside.demands.into_iter().collect() };
        let io = self.io();
        for (group, share) in &self.groups {
            let hits = (self.workload.cache_hits_ppm.factor().min(1.0), physical_share(array, self.volume));
            let (drives, link) = behind(calibration, resources, group, &io, hits);
            inside.add(Resource::Drives(group.key()), share * self.ios() * drives);
            let workers = workers(array, group);
            for worker in &workers {
                inside.add(Resource::BackEnd(worker.key()), share * self.ios() * link / workers.len() as f64);
            }
        }
        copies::follow(&mut inside, array, self.volume, &io, self.ios() * (1.0 - self.read_share()));
        inside.demands.into_iter().collect()
    }

    /// What was measured of volumes like its own.
    pub(super) fn calibration<'b>(&self, array: &'b Array) -> Option<&'b Calibration> {
        measured::calibration(array, self.volume)
    }

    /// One of its operations.
    fn io(&self) -> Io {
        let sequential_share = self.workload.profile.sequential_ppm.factor().min(1.0);
        Io { bytes: self.block(), read_share: self.read_share(), sequential_share }
    }

    /// Seconds by which one request takes longer because its writes are answered only when they are on drives. A write waits for a drive
    /// to write it, where there is parity also for one to read before; how long a drive takes follows from its rates (assumption).
    pub(super) fn write_through_latency(&self, array: &Array) -> f64 {
        let Some(calibration) = self.calibration(array).filter(|_| array.is_write_through()) else { return 0.0 };
        let wait = |group: &RaidGroup| {
            calibration.drives.get(&group.drive_type).map_or(0.0, |rates| {
                let write = demand::one_operation(self.block(), rates.write_iops as f64, number(rates.write_bytes));
                let read = demand::one_operation(self.block(), rates.read_iops as f64, number(rates.read_bytes));
                let members = u32::try_from(group.drives.len()).unwrap_or(u32::MAX);
                if write_cost(group.level, members).reads_before_it_writes() { read + write } else { write }
            })
        };
        self.ios() * (1.0 - self.read_share()) * self.groups.iter().map(|(group, share)| share * wait(group)).sum::<f64>()
    }
}

/// By how much data reduction multiplies the controllers' work; 1 where it is off.
pub(super) fn reduction_factor(array: &Array, volume: &Volume, read_share: f64) -> f64 {
    match measured::calibration(array, volume) {
        Some(calibration) if reduction(array, volume).is_on() => {
            demand::reduction(read_share, calibration.reduction_read_ppm.factor(), calibration.reduction_write_ppm.factor())
        }
        _ => 1.0,
    }
}

/// The reductions that are on for a volume: its own, or its container's.
fn reduction(array: &Array, volume: &Volume) -> Reduction {
    container(array, volume).map_or(volume.reduction, |container| container.reduction)
}

fn container<'a>(array: &'a Array, volume: &Volume) -> Option<&'a Container> {
    volume.container().and_then(|key| array.containers.get(key))
}

/// What reaches the drives of what hosts send: the inverse of the ratio in the books of the volume's pool or container.
pub(super) fn physical_share(array: &Array, volume: &Volume) -> f64 {
    if !reduction(array, volume).is_on() {
        return 1.0;
    }
    let pool = || volume.pool().and_then(|key| array.pools.get(key)).map(|pool| pool.savings);
    let savings = container(array, volume).map(|container| container.savings).or_else(pool);
    1000.0 / f64::from(savings.map_or(Ratio::ONE, |savings| savings.ratio()).thousandths())
}

/// As a plain number.
pub(super) fn number(bytes: Bytes) -> f64 {
    bytes.get() as f64
}

/// The RAID groups that hold a volume with their shares, in order of name: by its slices, or by what its pool's groups hold.
pub(super) fn groups<'a>(array: &'a Array, volume: &Volume) -> Vec<(&'a RaidGroup, f64)> {
    groups_at(array, &volume.home)
}

/// The same for what lives there.
pub(super) fn groups_at<'a>(array: &'a Array, home: &Home) -> Vec<(&'a RaidGroup, f64)> {
    let mut parts: BTreeMap<&str, (&RaidGroup, f64)> = BTreeMap::new();
    let mut add = |key: Key<RaidGroup>, part: f64| {
        if let Some(group) = array.raid_groups.get(key) {
            parts.entry(group.name()).or_insert((group, 0.0)).1 += part;
        }
    };
    let pool = match home {
        Home::RaidGroups(slices) => {
            slices.iter().for_each(|slice| add(slice.raid_group, number(slice.area.length)));
            None
        }
        Home::Pool(pool) => Some(*pool),
        Home::Container(container) => array.containers.get(*container).map(|container| container.pool),
    };
    if let Some(pool) = pool.and_then(|pool| array.pools.get(pool)) {
        lie_of(array, pool).into_iter().for_each(|(group, part)| add(group, part));
    }
    let whole: f64 = parts.values().map(|(_, part)| *part).sum();
    parts.into_values().filter(|(_, part)| *part > 0.0).map(|(group, part)| (group, part / whole)).collect()
}

/// How a pool's data lies on its RAID groups: evenly by capacity, but for what was there before it was expanded and has not been balanced.
fn lie_of(array: &Array, pool: &Pool) -> Vec<(Key<RaidGroup>, f64)> {
    let capacities: Vec<f64> = pool.raid_groups.iter().map(|key| array.raid_groups.get(*key).map_or(0.0, |group| number(group.capacity))).collect();
    let mut parts = vec![0.0; capacities.len()];
    let mut spread = |first: usize, data: f64| {
        let first = first.min(capacities.len());
        let whole: f64 = capacities[..first].iter().sum();
        parts.iter_mut().zip(&capacities[..first]).for_each(|(part, capacity)| *part += data * capacity / whole.max(1.0));
    };
    let (used, old) = (number(pool.used()), number(pool.layers.iter().map(|layer| layer.data).sum()));
    if used <= 0.0 || old <= 0.0 {
        return pool.raid_groups.iter().copied().zip(capacities).collect();
    }
    let kept = (used / old).min(1.0);
    for layer in &pool.layers {
        spread(usize::try_from(layer.raid_groups).unwrap_or(usize::MAX), kept * number(layer.data));
    }
    spread(usize::MAX, used - kept * old);
    pool.raid_groups.iter().copied().zip(parts).collect()
}

/// The controllers that do a group's work: the one that acts for it, or none.
pub(super) fn workers<'a>(array: &'a Array, group: &RaidGroup) -> Vec<&'a Controller> {
    array.acting_owner(group).and_then(|acting| array.controllers.get(acting)).into_iter().collect()
}

pub(super) fn write_cost(level: RaidLevel, members: u32) -> WriteCost {
    let parity = members.saturating_sub(level.data_drives(members));
    match level {
        RaidLevel::Raid0 => WriteCost::Striped,
        RaidLevel::Raid1 | RaidLevel::Raid10 => WriteCost::Mirrored,
        RaidLevel::Raid5 | RaidLevel::Raid50 => WriteCost::SingleParity { members, parity },
        RaidLevel::Raid6 => WriteCost::DoubleParity { members, parity },
        RaidLevel::RaidDp | RaidLevel::RaidTec => WriteCost::LogStructured { members, parity },
    }
}
