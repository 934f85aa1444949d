//! A network made clean for the solvers: sensible ranges, used resources only, and the convex
//! dual whose gradient is the balance of every resource.
//!
//! The dual is `D(y) = sum_r R(y_r) - sum_i integral of X_i over q_i`, with `R' = rho(y)` and
//! `q_i = sum_r d_ir y_r`; its gradient is `f_r = rho(y_r) - sum_i X_i d_ir`.

use super::law::{bisect_logistic, headroom, utilization};
use super::net::{Limits, Net};

/// Shortest answer plus think time of a class, in seconds: keeps throughputs finite.
const SHORTEST: f64 = 1e-12;
/// Range in which the queueing term of a used resource is kept.
const Y_RANGE: (f64, f64) = (1e-60, 1e36);
/// Queueing scale of a shared limit, over that of a resource that works: it lets requests through at once until it is as good as reached.
const SHARP: f64 = 1e-6;

/// A class in sensible ranges, its resources renumbered to the used ones.
pub(super) struct Row {
    pub(super) population: f64,
    think: f64,
    base: f64,
    pub(super) beta: f64,
    /// The most throughput: the lower of what the requesters and the array let pass.
    cap: f64,
    /// Whether it is the array that holds requests back at the cap.
    held: bool,
    pub(super) demands: Vec<(usize, f64)>,
}

impl Row {
    /// Uses a resource for so many seconds more; the demands stay in order.
    fn add(&mut self, resource: usize, seconds: f64) {
        match self.demands.binary_search_by_key(&resource, |entry| entry.0) {
            Ok(place) => self.demands[place].1 = (self.demands[place].1 + seconds).min(1e6),
            Err(place) => self.demands.insert(place, (resource, seconds.min(1e6))),
        }
    }

    /// Lets the array hold it back at that throughput.
    fn hold(&mut self, limit: f64) {
        let limit = if limit > 0.0 { limit } else { 0.0 };
        if limit < self.cap {
            (self.cap, self.held) = (limit, true);
        }
    }

    /// Runs at all: has people and may ask.
    fn active(&self) -> bool {
        self.population > 0.0 && self.cap > 0.0
    }

    /// Seconds from one request to the next at the weighted queueing term `q`.
    pub(super) fn cycle(&self, q: f64) -> f64 {
        self.think + self.base + self.beta * q
    }

    /// Weighted queueing term: `sum_r d_r y_r`, in seconds.
    pub(super) fn queue(&self, y: &[f64]) -> f64 {
        self.demands.iter().map(|&(r, d)| d * y[r]).sum()
    }

    /// Throughput at the weighted queueing term `q`, and whether the cap binds.
    pub(super) fn throughput(&self, q: f64) -> (f64, bool) {
        let asked = self.population / self.cycle(q);
        if asked >= self.cap { (self.cap, true) } else { (asked, false) }
    }

    /// Latency at the weighted queueing term `q`; requests that the array holds back wait for as long as Little's law says.
    fn latency(&self, q: f64) -> f64 {
        match self.throughput(q) {
            (x, true) if self.held && x > 0.0 => (self.population / x - self.think).max(self.base + self.beta * q),
            _ => self.base + self.beta * q,
        }
    }

    /// Minus the integral of the throughput from 0 to `q`: this class's part of the dual.
    fn dual(&self, q: f64) -> f64 {
        let bend = ((self.population / self.cap - self.think - self.base) / self.beta).max(0.0);
        if q <= bend {
            return -self.cap * q;
        }
        let capped = if bend > 0.0 { self.cap * bend } else { 0.0 };
        -capped - self.population / self.beta * (self.cycle(q) / self.cycle(bend)).ln()
    }
}

/// The clean problem: active classes and the resources that they use.
pub(super) struct Problem {
    /// Every class of the network, in its order.
    all: Vec<Row>,
    /// Indices into `all` of the classes that run.
    active: Vec<usize>,
    /// Resources of the network, by number, that an active class uses.
    used: Vec<usize>,
    /// Queueing scale of each used resource.
    scale: Vec<f64>,
    resources: usize,
    limits: usize,
}

/// The balance of every used resource at one point.
pub(super) struct Balance {
    /// `rho(y_r) - sum_i X_i d_ir`: the gradient of the dual.
    pub(super) excess: Vec<f64>,
    /// `beta X / cycle` of each active class, 0 where its cap binds: curvature of the dual.
    pub(super) weight: Vec<f64>,
    /// Largest absolute excess.
    pub(super) worst: f64,
}

impl Problem {
    /// Cleans a network. Total: every number is moved into a range the solvers can bear.
    pub(super) fn of(net: &Net, limits: &Limits) -> Self {
        let mut all: Vec<Row> = net.classes.iter().map(|class| clean(class, net.resources)).collect();
        for (row, limit) in all.iter_mut().zip(&limits.own) {
            row.hold(*limit);
        }
        for (limit, members) in limits.shared.iter().enumerate() {
            for &(i, seconds) in members.iter().filter(|&&(i, seconds)| i < net.classes.len() && seconds > 1e-18) {
                all[i].add(net.resources + limit, seconds);
            }
        }
        Self::among(all, net.resources, limits.shared.len())
    }

    fn among(mut all: Vec<Row>, resources: usize, limits: usize) -> Self {
        let active: Vec<usize> = (0..all.len()).filter(|&i| all[i].active()).collect();
        let mut in_use = vec![false; resources + limits];
        for &i in &active {
            for &(r, _) in &all[i].demands {
                in_use[r] = true;
            }
        }
        let used: Vec<usize> = (0..resources + limits).filter(|&r| in_use[r]).collect();
        let scale = used.iter().map(|&r| if r < resources { 1.0 } else { SHARP }).collect();
        let mut place = vec![None; resources + limits];
        for (k, &r) in used.iter().enumerate() {
            place[r] = Some(k);
        }
        for row in &mut all {
            // A resource that nobody active uses has no queue: its demand adds nothing.
            row.demands = row.demands.iter().filter_map(|&(r, d)| place[r].map(|k| (k, d))).collect();
        }
        Self { all, active, used, scale, resources, limits }
    }

    /// Number of used resources.
    pub(super) fn size(&self) -> usize {
        self.used.len()
    }

    /// The classes that run.
    pub(super) fn rows(&self) -> impl Iterator<Item = &Row> {
        self.active.iter().map(|&i| &self.all[i])
    }

    /// How busy a used resource is at the queueing term `y`, and the share of the time that is left.
    pub(super) fn load(&self, r: usize, y: f64) -> (f64, f64) {
        let g = y / self.scale[r];
        (utilization(g), headroom(g))
    }

    /// How fast the queueing term grows with the utilization: `g'(rho) = rho (2 - rho) / (1 - rho)^2`, times the scale.
    pub(super) fn slope(&self, r: usize, y: f64) -> f64 {
        let (rho, free) = self.load(r, y);
        self.scale[r] * (rho * (1.0 + free) / free / free)
    }

    /// The queueing term of a used resource that is busy the share `rho` of the time, which leaves `free`.
    pub(super) fn term(&self, r: usize, rho: f64, free: f64) -> f64 {
        keep(self.scale[r] * (rho * rho / free))
    }

    /// The queueing term of a used resource at which an increasing function of it changes its sign.
    pub(super) fn bisect(&self, r: usize, excess: impl Fn(f64) -> f64) -> f64 {
        let scale = self.scale[r];
        keep(scale * bisect_logistic(|g| excess(scale * g)))
    }

    /// Where the solvers begin: utilizations as if nobody waited, bent below 1.
    pub(super) fn start(&self) -> Vec<f64> {
        let mut asked = vec![0.0; self.size()];
        for row in self.rows() {
            let (x, _) = row.throughput(0.0);
            for &(r, d) in &row.demands {
                asked[r] += x * d;
            }
        }
        asked.iter().zip(&self.scale).map(|(&u, scale)| keep(scale * u * (u / (1.0 + u)))).collect()
    }

    /// The balance at `y`.
    pub(super) fn balance(&self, y: &[f64]) -> Balance {
        let mut excess: Vec<f64> = y.iter().enumerate().map(|(r, &term)| self.load(r, term).0).collect();
        let mut weight = Vec::with_capacity(self.active.len());
        for row in self.rows() {
            let q = row.queue(y);
            let (x, capped) = row.throughput(q);
            weight.push(if capped { 0.0 } else { row.beta * x / row.cycle(q) });
            for &(r, d) in &row.demands {
                excess[r] -= x * d;
            }
        }
        let worst = excess.iter().fold(0.0_f64, |worst, f| worst.max(f.abs()));
        Balance { excess, weight, worst }
    }

    /// The convex dual at `y`.
    pub(super) fn dual(&self, y: &[f64]) -> f64 {
        let resources: f64 = y.iter().zip(&self.scale).map(|(&term, scale)| scale * resource_dual(term / scale)).sum();
        resources + self.rows().map(|row| row.dual(row.queue(y))).sum::<f64>()
    }

    /// Throughput, latency and utilization of everything at `y`.
    pub(super) fn answer(&self, y: &[f64]) -> super::net::Solution {
        let mut utilizations = vec![0.0; self.resources + self.limits];
        for (k, (&r, &term)) in self.used.iter().zip(y).enumerate() {
            utilizations[r] = self.load(k, term).0.min(1.0 - f64::EPSILON);
        }
        let limit_utilization = utilizations.split_off(self.resources);
        let queues = self.all.iter().map(|row| (row, row.queue(y)));
        let (throughput, latency) = queues
            .map(|(row, q)| {
                let x = if row.active() { row.throughput(q).0 } else { 0.0 };
                (x, row.latency(q))
            })
            .unzip();
        super::net::Solution { throughput, latency, utilization: utilizations, limit_utilization }
    }
}

/// Keeps a queueing term in the range that the solvers can bear.
pub(super) fn keep(y: f64) -> f64 {
    y.clamp(Y_RANGE.0, Y_RANGE.1)
}

/// `R(y)`, the integral of `rho` from 0 to `y`: `rho y - H(rho)`,
/// `H(rho) = -ln(1 - rho) - rho - rho^2 / 2`.
fn resource_dual(y: f64) -> f64 {
    let rho = utilization(y);
    let h = if rho < 0.1 { (3..16).rev().fold(0.0, |sum, k| sum * rho + 1.0 / f64::from(k)) * rho.powi(3) } else { -headroom(y).ln() - rho - rho * rho / 2.0 };
    rho * y - h
}

/// A class in sensible ranges: NaN becomes the lower end, duplicates are added up, demands
/// that are not positive or name no resource are dropped.
fn clean(class: &super::net::Class, resources: usize) -> Row {
    let within = |value: f64, low: f64, high: f64| if value > low { value.min(high) } else { low };
    let think = within(class.think, 0.0, 1e9);
    let base = within(class.base_latency, 0.0, 1e9).max(SHORTEST - think);
    let mut row = Row {
        population: within(class.population, 0.0, 1e15),
        think,
        base,
        beta: within(class.burstiness, 1e-6, 1e9),
        cap: within(class.cap, 0.0, f64::INFINITY),
        held: false,
        demands: Vec::with_capacity(class.demands.len()),
    };
    for &(r, d) in class.demands.iter().filter(|&&(r, d)| r < resources && d > 1e-18) {
        row.add(r, d);
    }
    row
}
