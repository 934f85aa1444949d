//! What data that moves inside the array costs its parts: copies, migrations, formats, rebuilds, balancing.
//!
//! Drives and back-end links bear it as they bear a host's data. Controllers bear a part of what a host's bytes add to their work: there is
//! no protocol, no checking of rights, and pieces are large. How large that part is no source tells (assumption).

use std::collections::BTreeMap;

use super::custom;
use super::demand::{self, Behind, DriveRates, Io};
use super::path::corners;
use super::resources::{Resource, Resources};
use super::stream::{number, workers, write_cost};
use crate::model::{Array, Calibration, Object, RaidGroup};

/// What of a host's bytes' work is left to controllers where data only moves (assumption).
const CONTROLLERS_PART: f64 = 0.25;

/// Seconds of every resource that a piece of work uses.
pub(super) struct Inside<'a> {
    array: &'a Array,
    resources: &'a Resources,
    /// The seconds, by number of resource.
    pub(super) demands: BTreeMap<usize, f64>,
}

/// How often something is done for one request, and what of its bytes is left after data reduction.
#[derive(Clone, Copy)]
pub(super) struct Times {
    /// How often.
    pub(super) times: f64,
    /// Bytes that reach the drives, of those that are sent.
    pub(super) physical_share: f64,
    /// By how much data reduction multiplies the controllers' work.
    pub(super) reduction: f64,
}

impl Times {
    /// Of plain data.
    pub(super) const fn plain(times: f64) -> Self {
        Self { times, physical_share: 1.0, reduction: 1.0 }
    }
}

impl<'a> Inside<'a> {
    pub(super) const fn new(array: &'a Array, resources: &'a Resources) -> Self {
        Self { array, resources, demands: BTreeMap::new() }
    }

    pub(super) fn add(&mut self, resource: Resource, seconds: f64) {
        if let Some(number) = self.resources.number(resource) {
            *self.demands.entry(number).or_default() += seconds;
        }
    }

    /// Reads or writes inside RAID groups, which hold the shares that are said.
    pub(super) fn io(&mut self, groups: &[(&RaidGroup, f64)], io: &Io, times: Times) {
        let Some(calibration) = &self.array.calibration else { return };
        let (read, write) = custom::per_byte(&corners(calibration));
        let bytes = io.bytes * (io.read_share * read + (1.0 - io.read_share) * write);
        for (group, share) in groups {
            let (drives, link) = behind(calibration, self.resources, group, io, (0.0, times.physical_share));
            self.add(Resource::Drives(group.key()), times.times * share * drives);
            self.work(group, times.times * share * link, times.times * share * times.reduction * bytes);
        }
    }

    /// So many bytes that are read from, and written to, the members of a group themselves, `serving` of which are there.
    pub(super) fn members(&mut self, group: &RaidGroup, (read, written): (f64, f64), serving: f64) {
        let Some(calibration) = &self.array.calibration else { return };
        if let Some(rates) = calibration.drives.get(&group.drive_type) {
            let seconds = demand::per(read, number(rates.read_bytes)) + demand::per(written, number(rates.write_bytes));
            self.add(Resource::Drives(group.key()), seconds / serving);
        }
        let (read_byte, write_byte) = custom::per_byte(&corners(calibration));
        let link = demand::per(read + written, number(calibration.back_end_link));
        self.work(group, link, read * read_byte + written * write_byte);
    }

    /// The link and the controller of whoever works for a group.
    fn work(&mut self, group: &RaidGroup, link: f64, bytes: f64) {
        let workers = workers(self.array, group);
        for worker in &workers {
            self.add(Resource::BackEnd(worker.key()), link / workers.len() as f64);
            self.add(Resource::Controller(worker.key()), CONTROLLERS_PART * bytes / workers.len() as f64);
        }
    }
}

/// Seconds of a group's drives and of a back-end link that one operation uses if all of it goes to that group.
pub(super) fn behind(calibration: &Calibration, resources: &Resources, group: &RaidGroup, io: &Io, (read_hits, physical_share): (f64, f64)) -> (f64, f64) {
    let members = group.width();
    let failed = resources.short_of(group.key());
    let write = write_cost(group.level, members);
    let behind = Behind { read_hits, physical_share, ..Behind::degraded(write, members, failed) };
    let drives = calibration.drives.get(&group.drive_type).map_or(0.0, |rates| {
        let rates = DriveRates {
            reads: rates.read_iops as f64,
            writes: rates.write_iops as f64,
            read_bytes: number(rates.read_bytes),
            write_bytes: number(rates.write_bytes),
        };
        demand::drives(io, &rates, members.saturating_sub(failed), write, &behind)
    });
    (drives, demand::back_end(io, number(calibration.back_end_link), write, &behind))
}
