//! A curve: the same array under more and more of the same load.
//!
//! What does not think, and asks for single I/O operations, is stepped as a load generator does it: its rate goes from a part of the most
//! that it gets to 120 % of that. Of users who think, and of applications that ask for transactions, the number of users is stepped.

use serde::Serialize;
use utoipa::ToSchema;

use super::report::{Report, Sample, measure};
use super::sweep;
use crate::model::{Array, Key, Object, Table, WorkUnit, Workload};
use crate::units::PartsPerMillion;

/// How the load of a workload grows along a curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Loading {
    /// The load generator offers more requests per second, up to 120 % of the most that it gets.
    Rate,
    /// There are more users, up to 120 % of those that were asked for.
    Users,
}

/// One point of a curve.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Point {
    /// The load, in percent of what was asked for.
    pub load_percent: f64,
    /// Users or threads.
    pub users: u64,
    /// Requests per second that are offered: by the load generator's rate, or what so many users would ask of an array without load.
    pub offered: f64,
    /// Requests per second that are completed: I/O operations, or transactions.
    pub throughput: f64,
    /// Mean latency of a request in milliseconds; none while nothing is done.
    pub latency_ms: Option<f64>,
    /// 99th percentile of the latency in milliseconds; of several workloads the highest.
    pub p99_latency_ms: Option<f64>,
    /// I/O operations per second.
    pub iops: f64,
    /// Bytes per second between hosts and array.
    pub bytes_per_second: f64,
    /// The busiest part of the array.
    pub bottleneck: Option<String>,
    /// How busy parts are, the busiest first, at most sixteen; parts that do nothing are left out.
    pub utilizations: Vec<Busy>,
    /// The workloads, in order of number.
    pub workloads: Vec<Share>,
}

/// How busy a part of the array is.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Busy {
    /// Which part.
    #[schema(example = "controller CM0")]
    pub part: String,
    /// Share of the time that it works, 0 to 1.
    pub utilization: f64,
}

/// What one workload does at a point.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Share {
    /// Its name.
    pub name: String,
    /// Its users or threads.
    pub users: u64,
    /// Requests per second that it offers.
    pub offered: f64,
    /// Requests per second that are completed.
    pub throughput: f64,
    /// Mean latency of a request in milliseconds.
    pub latency_ms: Option<f64>,
    /// 99th percentile of that.
    pub p99_latency_ms: Option<f64>,
    /// The busiest part on its paths.
    pub bottleneck: Option<String>,
}

/// A curve, and its point at the load that was asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// The point at the load that was asked for: all users, or the rate; where only rates are stepped and none was asked for, the first of
    /// the steps with the highest throughput.
    pub at_load: Point,
    /// All points, from little load to 120 %.
    pub points: Vec<Point>,
}

/// How many parts a point tells of.
const PARTS: usize = 16;
/// The last step, in percent.
const LAST: u32 = 120;

/// How a workload is stepped.
#[must_use]
pub fn loading(workload: &Workload) -> Loading {
    if workload.profile.unit == WorkUnit::Io && workload.profile.think.0 == 0 { Loading::Rate } else { Loading::Users }
}

/// The curve of the workloads `studied` in `steps` steps, all other workloads going on as they are. Pure and total.
#[must_use]
pub fn curve(array: &Array, workloads: &Table<Workload>, studied: &[Key<Workload>], steps: u32) -> Curve {
    let sweeper = Sweeper::of(array, workloads, studied);
    let points: Vec<Point> = (1..=steps.max(1)).map(|step| sweeper.at(step * LAST, steps.max(1))).collect();
    let at_load = if sweeper.plans.iter().all(|plan| plan.loading == Loading::Rate && !plan.asked) { first_peak(&points) } else { None };
    Curve { at_load: at_load.cloned().unwrap_or_else(|| sweeper.at(100, 1)), points }
}

/// The first of the steps with the highest throughput.
fn first_peak(points: &[Point]) -> Option<&Point> {
    let steps: Vec<sweep::Step> = points.iter().map(|point| sweep::Step { offered: point.offered, throughput: point.throughput, latency: 0.0 }).collect();
    let peak = sweep::peak(&steps)?;
    points.iter().find(|point| point.offered.to_bits() == peak.offered.to_bits())
}

/// How one workload is stepped.
struct Plan {
    key: Key<Workload>,
    loading: Loading,
    /// Whether somebody asked for a rate.
    asked: bool,
    /// All users.
    users: u64,
    /// Requests per second at 100 %, of what is stepped by rate.
    full_rate: f64,
    /// Seconds between two requests of one user on an array without load.
    cycle: f64,
}

struct Sweeper<'a> {
    array: &'a Array,
    workloads: Table<Workload>,
    plans: Vec<Plan>,
}

impl<'a> Sweeper<'a> {
    fn of(array: &'a Array, workloads: &Table<Workload>, studied: &[Key<Workload>]) -> Self {
        let mut known: Vec<&Workload> = studied.iter().filter_map(|key| workloads.get(*key)).collect();
        known.sort_by_key(|workload| workload.number());
        let workloads = steady(workloads, &known);
        let idle = measure(array, &alone(&workloads, &known));
        let full = measure(array, &workloads);
        let plan = |workload: &&Workload| {
            let latency = sample(&idle, workload).and_then(|sample| sample.latency_ms).unwrap_or(0.0) / 1e3;
            Plan {
                key: workload.key(),
                loading: loading(workload),
                asked: workload.rate_limit.is_some(),
                users: workload.population,
                full_rate: workload.rate_limit.map_or_else(|| sample(&full, workload).map_or(0.0, requests), |rate| rate as f64),
                cycle: workload.profile.think.as_seconds() + latency,
            }
        };
        let plans = known.iter().map(plan).collect();
        Self { array, workloads, plans }
    }

    /// The point at `part / whole` percent of the load.
    fn at(&self, part: u32, whole: u32) -> Point {
        let percent = f64::from(part) / f64::from(whole);
        let mut workloads = self.workloads.clone();
        let mut offers = Vec::with_capacity(self.plans.len());
        for plan in &self.plans {
            let Some(workload) = workloads.get_mut(plan.key) else { continue };
            let offered = match plan.loading {
                Loading::Rate => {
                    let rate = whole_part(plan.full_rate * percent / 100.0).max(1);
                    workload.rate_limit = Some(rate);
                    rate as f64
                }
                Loading::Users => {
                    workload.population = (plan.users.saturating_mul(u64::from(part))).div_ceil(100 * u64::from(whole)).max(1);
                    let wanted = if plan.cycle > 0.0 { workload.population as f64 / plan.cycle } else { 0.0 };
                    workload.rate_limit.map_or(wanted, |rate| wanted.min(rate as f64))
                }
            };
            offers.push((plan.key, offered));
        }
        let report = measure(self.array, &workloads);
        point(percent, &report, &offers, &workloads)
    }
}

/// The smallest whole number that is not below a rate: at 100 % the limit must not bind.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a cast saturates, and NaN becomes 0")]
fn whole_part(rate: f64) -> u64 {
    rate.ceil() as u64
}

/// The workloads that are studied without their schedules: the steps of the curve are their schedule.
fn steady(workloads: &Table<Workload>, studied: &[&Workload]) -> Table<Workload> {
    let mut all = workloads.clone();
    for workload in studied {
        if let Some(workload) = all.get_mut(workload.key()) {
            (workload.level, workload.timetable) = (PartsPerMillion::ONE, None);
        }
    }
    all
}

/// The same workloads with one user each, nothing else running.
fn alone(workloads: &Table<Workload>, studied: &[&Workload]) -> Table<Workload> {
    let mut all = workloads.clone();
    let keys: Vec<Key<Workload>> = workloads.iter().map(Object::key).filter(|key| studied.iter().all(|workload| workload.key() != *key)).collect();
    for key in keys {
        all.remove(key);
    }
    for workload in studied {
        if let Some(workload) = all.get_mut(workload.key()) {
            (workload.population, workload.rate_limit) = (1, None);
        }
    }
    all
}

fn sample<'r>(report: &'r Report, workload: &Workload) -> Option<&'r Sample> {
    report.workloads.iter().find(|sample| sample.id == workload.id())
}

/// Requests per second of a workload: transactions, where it makes them.
fn requests(sample: &Sample) -> f64 {
    sample.tps.unwrap_or(sample.iops)
}

fn point(load_percent: f64, report: &Report, offers: &[(Key<Workload>, f64)], workloads: &Table<Workload>) -> Point {
    let mut shares = Vec::with_capacity(offers.len());
    let (mut iops, mut bytes) = (0.0, 0.0);
    for (key, offered) in offers {
        let Some((workload, sample)) = workloads.get(*key).and_then(|workload| Some((workload, sample(report, workload)?))) else { continue };
        (iops, bytes) = (iops + sample.iops, bytes + sample.bytes_per_second);
        shares.push(Share {
            name: workload.name().to_owned(),
            users: workload.population,
            offered: *offered,
            throughput: requests(sample),
            latency_ms: sample.latency_ms,
            p99_latency_ms: sample.p99_latency_ms,
            bottleneck: sample.bottleneck.clone(),
        });
    }
    let throughput: f64 = shares.iter().map(|share| share.throughput).sum();
    let waited: f64 = shares.iter().filter_map(|share| Some(share.throughput * share.latency_ms?)).sum();
    Point {
        load_percent,
        users: shares.iter().map(|share| share.users).sum(),
        offered: shares.iter().map(|share| share.offered).sum(),
        throughput,
        latency_ms: (throughput > 0.0).then(|| waited / throughput),
        p99_latency_ms: shares.iter().filter_map(|share| share.p99_latency_ms).reduce(f64::max),
        iops,
        bytes_per_second: bytes,
        bottleneck: busiest(&shares, report),
        utilizations: utilizations(report),
        workloads: shares,
    }
}

/// The bottleneck of the workload if there is one only, else that of the whole array.
fn busiest(shares: &[Share], report: &Report) -> Option<String> {
    if let [only] = shares { only.bottleneck.clone() } else { report.total.bottleneck.clone() }
}

fn utilizations(report: &Report) -> Vec<Busy> {
    let kinds = [("controller ", &report.controllers, ""), ("host port ", &report.ports, ""), ("RAID group ", &report.raid_groups, ", drives")];
    let parts = kinds.into_iter().flat_map(|(kind, samples, rest)| {
        let busy =
            move |sample: &Sample| Some(Busy { part: format!("{kind}{}{rest}", sample.name), utilization: sample.utilization.filter(|share| *share > 0.0)? });
        samples.iter().filter_map(busy)
    });
    let mut parts: Vec<Busy> = parts.collect();
    parts.sort_by(|one, other| other.utilization.total_cmp(&one.utilization));
    parts.truncate(PARTS);
    parts
}
