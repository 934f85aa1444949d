//! What the equilibrium of a network costs: 10 workloads on 20 resources, many random nets one by one, and 1,000 workloads.
//!
//! `cargo bench -- network`

use std::hint::black_box;
use std::time::Instant;

use arrayplane::perf::net::{Class, Net};
use arrayplane::perf::solve::solve;
use criterion::{BenchmarkId, Criterion};

/// Nets whose times are looked at one by one.
const NETS: u64 = 5000;

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    /// From 0 to 1.
    fn share(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        f64::from(u32::try_from(self.0 >> 32).unwrap_or(0)) / f64::from(u32::MAX)
    }

    /// Evenly between the powers of ten.
    fn decade(&mut self, from: f64, to: f64) -> f64 {
        10f64.powf(from + (to - from) * self.share())
    }

    fn below(&mut self, count: usize) -> usize {
        usize::try_from(self.0 >> 33).unwrap_or(0).wrapping_add((self.share() * 1e6) as usize) % count
    }
}

/// Workloads that each use 3 to 7 resources; loads from next to nothing to far more than there is.
fn net(seed: u64, workloads: usize, resources: usize) -> Net {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0xdead_beef);
    let classes = (0..workloads).map(|_| class(&mut dice, resources)).collect();
    Net { resources, classes }
}

fn class(dice: &mut Dice, resources: usize) -> Class {
    let mut demands = std::collections::BTreeMap::new();
    for _ in 0..3 + dice.below(5) {
        demands.insert(dice.below(resources), dice.decade(-6.5, -4.0));
    }
    Class {
        population: dice.decade(0.0, 4.0),
        think: if dice.share() < 0.3 { dice.decade(-3.0, 1.0) } else { 0.0 },
        base_latency: dice.decade(-4.0, -3.0),
        burstiness: dice.decade(0.0, 1.3),
        cap: if dice.share() < 0.2 { dice.decade(2.0, 5.0) } else { f64::INFINITY },
        demands: demands.into_iter().collect(),
    }
}

/// Solves many nets one by one, and prints mean, 99th percentile and longest in microseconds.
fn one_by_one(workloads: usize, resources: usize) {
    let mut times: Vec<f64> = Vec::new();
    for seed in 0..NETS {
        let net = net(seed, workloads, resources);
        let start = Instant::now();
        black_box(solve(black_box(&net)));
        times.push(start.elapsed().as_secs_f64() * 1e6);
    }
    times.sort_by(f64::total_cmp);
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    let (p99, longest) = (times[times.len() * 99 / 100], times[times.len() - 1]);
    println!("{workloads} workloads x {resources} resources, {NETS} nets: mean {mean:.1} us, 99 % below {p99:.1} us, longest {longest:.1} us");
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args().sample_size(30);
    let mut group = criterion.benchmark_group("network");
    for (workloads, resources) in [(10, 20), (1000, 20), (1000, 200)] {
        let nets: Vec<Net> = (0..16).map(|seed| net(seed, workloads, resources)).collect();
        let mut next = nets.iter().cycle();
        group.bench_function(BenchmarkId::new("solve", format!("{workloads}x{resources}")), |bench| {
            bench.iter(|| solve(black_box(next.next().unwrap_or(&nets[0]))))
        });
    }
    group.finish();
    one_by_one(10, 20);
    criterion.final_summary();
}
