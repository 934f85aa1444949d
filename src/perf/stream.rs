//! One stream: the requests of one workload to one volume, where they go, and what each costs every part on the way.

use std::collections::BTreeMap;

use super::demand::{self, Behind, Io, WriteCost};
use super::measured;
use super::resources::{Resource, Resources};
use crate::model::{
    Array, Calibration, Container, Controller, Home, HostPort, Key, Object, Pool, RaidGroup, RaidLevel, Reduction, Standing, Volume, Workload, reach,
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
}

impl<'a> Stream<'a> {
    /// The stream from a workload to one of its volumes; `None` when no request gets through: no port is up, nothing holds the
    /// volume, no controller acts for a part of it, or a RAID group that holds it is broken.
    pub(super) fn of(array: &'a Array, workload: &'a Workload, volume: &'a Volume) -> Option<Self> {
        let ports = reach::mapped_ports(array, volume.key());
        let container = volume.container().and_then(|key| array.containers.get(key));
        let pool = volume.pool().or(container.map(|container| container.pool));
        let groups = groups(array, volume, pool);
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
        let alive = groups.iter().all(|(group, _)| Standing::of(array, group).is_alive());
        let open = alive && !(ports.is_empty() || groups.is_empty() || controllers.is_empty());
        open.then_some(Self { workload, volume, pool, groups, controllers, ports })
    }

    /// I/O operations of one request.
    pub(super) fn ios(&self) -> f64 {
        f64::from(self.workload.profile.ios_per_unit.max(1))
    }

    /// Bytes of one I/O operation.
    pub(super) fn block(&self) -> f64 {
        number(self.workload.profile.block_size)
    }

    /// Share of reads among the operations.
    pub(super) fn read_share(&self) -> f64 {
        self.workload.profile.read_ppm.factor().min(1.0)
    }

    /// Seconds of every resource that one request uses, `controller_demand` being those of plain data on one controller.
    pub(super) fn demands(&self, array: &Array, resources: &Resources, controller_demand: f64) -> Vec<(usize, f64)> {
        let mut demands: BTreeMap<usize, f64> = BTreeMap::new();
        let mut add = |resource: Resource, seconds: f64| {
            if let Some(number) = resources.number(resource) {
                *demands.entry(number).or_default() += seconds;
            }
        };
        let reduced = self.reduction_factor(array);
        for (controller, share) in &self.controllers {
            add(Resource::Controller(*controller), share * reduced * controller_demand);
        }
        let count = u32::try_from(self.ports.len()).unwrap_or(u32::MAX);
        for port in &self.ports {
            let line_rate = array.host_ports.get(*port).map_or(Bytes::ZERO, HostPort::line_rate);
            add(Resource::HostPort(*port), self.ios() * demand::port(self.block(), number(line_rate), count));
        }
        for (group, share) in &self.groups {
            let (drives, link) = self.behind_controllers(array, group);
            add(Resource::Drives(group.key()), share * drives);
            let workers = workers(array, group);
            for worker in &workers {
                add(Resource::BackEnd(worker.key()), share * link / workers.len() as f64);
            }
        }
        demands.into_iter().collect()
    }

    /// Seconds of a group's drives and of a back-end link that one request uses if all of it goes to that group.
    fn behind_controllers(&self, array: &Array, group: &RaidGroup) -> (f64, f64) {
        let Some(calibration) = self.calibration(array) else { return (0.0, 0.0) };
        let profile = &self.workload.profile;
        let io = Io { bytes: self.block(), read_share: self.read_share(), sequential_share: profile.sequential_ppm.factor().min(1.0) };
        let members = u32::try_from(group.drives.len()).unwrap_or(u32::MAX);
        let failed = Standing::of(array, group).short_of();
        let write = write_cost(group.level, members);
        let behind = Behind { read_cost: write.degraded_read(failed), physical_share: self.physical_share(array), ..Behind::PLAIN };
        let drives = calibration.drives.get(&group.drive_type).map_or(0.0, |rates| {
            let rates = demand::DriveRates {
                reads: rates.read_iops as f64,
                writes: rates.write_iops as f64,
                read_bytes: number(rates.read_bytes),
                write_bytes: number(rates.write_bytes),
            };
            demand::drives(&io, &rates, members.saturating_sub(failed), write, &behind)
        });
        (self.ios() * drives, self.ios() * demand::back_end(&io, number(calibration.back_end_link), write, &behind))
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

    /// By how much data reduction multiplies the controllers' work; 1 where it is off.
    fn reduction_factor(&self, array: &Array) -> f64 {
        match self.calibration(array) {
            Some(calibration) if self.reduction(array).is_on() => {
                demand::reduction(self.read_share(), calibration.reduction_read_ppm.factor(), calibration.reduction_write_ppm.factor())
            }
            _ => 1.0,
        }
    }

    /// What was measured of volumes like this one.
    pub(super) fn calibration<'b>(&self, array: &'b Array) -> Option<&'b Calibration> {
        measured::calibration(array, self.volume)
    }

    /// The reductions that are on for the volume: its own, or its container's.
    fn reduction(&self, array: &Array) -> Reduction {
        self.container(array).map_or(self.volume.reduction, |container| container.reduction)
    }

    fn container<'b>(&self, array: &'b Array) -> Option<&'b Container> {
        self.volume.container().and_then(|key| array.containers.get(key))
    }

    /// What reaches the drives of what hosts send: the inverse of the ratio in the books of the volume's pool or container.
    fn physical_share(&self, array: &Array) -> f64 {
        if !self.reduction(array).is_on() {
            return 1.0;
        }
        let pool = || self.pool.and_then(|key| array.pools.get(key)).map(|pool| pool.savings);
        let savings = self.container(array).map(|container| container.savings).or_else(pool);
        1000.0 / f64::from(savings.map_or(Ratio::ONE, |savings| savings.ratio()).thousandths())
    }
}

/// As a plain number.
pub(super) fn number(bytes: Bytes) -> f64 {
    bytes.get() as f64
}

/// The RAID groups that hold a volume with their shares, in order of name: by its slices, or by the capacities of its pool's groups.
fn groups<'a>(array: &'a Array, volume: &Volume, pool: Option<Key<Pool>>) -> Vec<(&'a RaidGroup, f64)> {
    let mut parts: BTreeMap<&str, (&RaidGroup, Bytes)> = BTreeMap::new();
    let mut add = |key: Key<RaidGroup>, part: Option<Bytes>| {
        if let Some(group) = array.raid_groups.get(key) {
            parts.entry(group.name()).or_insert((group, Bytes::ZERO)).1 += part.unwrap_or(group.capacity);
        }
    };
    if let Home::RaidGroups(slices) = &volume.home {
        slices.iter().for_each(|slice| add(slice.raid_group, Some(slice.area.length)));
    } else if let Some(pool) = pool.and_then(|key| array.pools.get(key)) {
        pool.raid_groups.iter().for_each(|key| add(*key, None));
    }
    let whole = number(parts.values().map(|(_, part)| *part).sum());
    parts.into_values().filter(|(_, part)| !part.is_zero()).map(|(group, part)| (group, number(part) / whole)).collect()
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
