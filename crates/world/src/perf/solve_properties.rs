//! What every solution must obey, on random networks.

use proptest::num::f64::ANY;
use proptest::prelude::*;

use super::net::{Class, Limits, Net, Solution};
use super::problem::Problem;
use super::solve::{solve, solve_within};
use super::{descent, newton};

fn class(resources: usize) -> impl Strategy<Value = Class> {
    let demands = proptest::collection::btree_map(0..resources, -7.0..-2.0_f64, 0..=resources.min(8));
    let cap = prop_oneof![2 => Just(f64::INFINITY), 1 => (1.0..6.0_f64).prop_map(|e| 10f64.powf(e))];
    let think = prop_oneof![Just(0.0), (0.0..10.0_f64)];
    (0.0..5.0_f64, think, -5.0..-1.0_f64, -2.0..2.5_f64, cap, demands).prop_map(|(population, think, base, beta, cap, demands)| Class {
        population: 10f64.powf(population),
        think,
        base_latency: 10f64.powf(base),
        burstiness: 10f64.powf(beta),
        cap,
        demands: demands.into_iter().map(|(r, d)| (r, 10f64.powf(d))).collect(),
    })
}

fn net() -> impl Strategy<Value = Net> {
    (1..=16_usize).prop_flat_map(|resources| proptest::collection::vec(class(resources), 0..12).prop_map(move |classes| Net { resources, classes }))
}

fn loads(net: &Net, solution: &Solution) -> Vec<f64> {
    let mut loads = vec![0.0; net.resources];
    for (class, x) in net.classes.iter().zip(&solution.throughput) {
        for &(r, d) in &class.demands {
            loads[r] += x * d;
        }
    }
    loads
}

fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * a.abs().max(b.abs()) || a == b
}

/// Limits of a few classes for themselves, and of several together.
fn limits() -> impl Strategy<Value = Limits> {
    let own = prop_oneof![3 => Just(f64::INFINITY), 1 => (-1.0..6.0_f64).prop_map(|e| 10f64.powf(e))];
    let shared = proptest::collection::vec((0..12_usize, -6.0..0.0_f64), 1..5).prop_map(|members| {
        let members: std::collections::BTreeMap<usize, f64> = members.into_iter().collect();
        members.into_iter().map(|(class, e)| (class, 10f64.powf(e))).collect()
    });
    (proptest::collection::vec(own, 0..12), proptest::collection::vec(shared, 0..4)).prop_map(|(own, shared)| Limits { own, shared })
}

/// Who waits in the array is counted: nobody is lost, nothing passes a limit, no limit slows anybody before it is as good as reached.
fn is_kept(net: &Net, limits: &Limits, solution: &Solution) -> Result<(), TestCaseError> {
    for (i, class) in net.classes.iter().enumerate() {
        let (x, l) = (solution.throughput[i], solution.latency[i]);
        let own = limits.own.get(i).copied().unwrap_or(f64::INFINITY);
        prop_assert!(x <= own && x <= class.cap && l.is_finite(), "{x} of {own}");
        let held = x * (l + class.think);
        prop_assert!(held <= class.population * (1.0 + 1e-6), "{held} of {}", class.population);
        prop_assert!(x >= class.cap || close(held, class.population, 1e-6), "{held} of {}", class.population);
    }
    for (members, rho) in limits.shared.iter().zip(&solution.limit_utilization) {
        let used: f64 = members.iter().filter(|(i, _)| *i < net.classes.len()).map(|(i, seconds)| solution.throughput[*i] * seconds).sum();
        prop_assert!(used <= 1.0 + 1e-9 && *rho < 1.0 && (used - rho).abs() <= 1e-9, "{used} {rho}");
    }
    for (load, rho) in loads(net, solution).iter().zip(&solution.utilization) {
        prop_assert!((load - rho).abs() <= 1e-9 && *rho < 1.0, "{load} {rho}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_solution_is_an_equilibrium(net in net()) {
        let solution = solve(&net);
        for (class, (x, l)) in net.classes.iter().zip(solution.throughput.iter().zip(&solution.latency)) {
            prop_assert!(x.is_finite() && l.is_finite() && *l >= class.base_latency * (1.0 - 1e-12));
            prop_assert!(*x <= class.cap);
            let held = x * (l + class.think);
            prop_assert!(held <= class.population * (1.0 + 1e-6));
            prop_assert!(*x >= class.cap || close(held, class.population, 1e-6), "{held} {}", class.population);
            for &(_, d) in &class.demands {
                prop_assert!(x * d <= 1.0 + 1e-9);
            }
        }
        for (load, rho) in loads(&net, &solution).iter().zip(&solution.utilization) {
            prop_assert!((0.0..1.0).contains(rho));
            prop_assert!((load - rho).abs() <= 1e-9, "{load} {rho}");
        }
    }

    #[test]
    fn the_order_of_classes_does_not_matter(net in net(), turn in 0..12_usize) {
        let mut other = net.clone();
        other.classes.reverse();
        let n = other.classes.len();
        if n > 0 {
            other.classes.rotate_left(turn % n);
        }
        let (a, b) = (solve(&net), solve(&other));
        for i in 0..n {
            let j = (n - 1 - i + n - turn % n) % n;
            prop_assert_eq!(&net.classes[i], &other.classes[j]);
            prop_assert!(close(a.throughput[i], b.throughput[j], 1e-9), "{} {}", a.throughput[i], b.throughput[j]);
            prop_assert!(close(a.latency[i], b.latency[j], 1e-9), "{} {}", a.latency[i], b.latency[j]);
        }
    }

    #[test]
    fn a_class_that_grows_does_not_complete_less(net in net(), pick in 0..12_usize, factor in 1.0..50.0_f64) {
        if net.classes.is_empty() {
            return Ok(());
        }
        let i = pick % net.classes.len();
        let before = solve(&net);
        let mut grown = net.clone();
        grown.classes[i].population *= factor;
        let after = solve(&grown);
        prop_assert!(after.throughput[i] >= before.throughput[i] * (1.0 - 1e-9));
        prop_assert!(after.latency[i] >= before.latency[i] * (1.0 - 1e-9));
    }

    #[test]
    fn no_limit_is_passed_and_nobody_is_lost(net in net(), limits in limits()) {
        is_kept(&net, &limits, &solve_within(&net, &limits))?;
    }

    #[test]
    fn any_numbers_at_all_give_finite_answers(
        numbers in proptest::collection::vec((ANY, ANY, ANY, ANY, ANY, ANY), 0..5),
        resources in 0..4_usize,
    ) {
        let classes = numbers.into_iter().map(|(population, think, base_latency, burstiness, cap, d)| Class {
            population, think, base_latency, burstiness, cap, demands: vec![(0, d), (1, d), (9, 1.0), (1, 1e-5)],
        }).collect();
        let solution = solve(&Net { resources, classes });
        prop_assert!(solution.throughput.iter().chain(&solution.latency).all(|v| v.is_finite() && *v >= 0.0));
        prop_assert!(solution.utilization.iter().all(|rho| (0.0..1.0).contains(rho)));
    }
}

/// The fallback is slow: a twentieth of the cases.
fn twentieth() -> ProptestConfig {
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    ProptestConfig { cases: config.cases.div_ceil(20), ..config }
}

proptest! {
    #![proptest_config(twentieth())]

    #[test]
    fn the_fallback_finds_the_same_equilibrium(net in net()) {
        let problem = Problem::of(&net, &Limits::default());
        let mut by_descent = problem.start();
        descent::close(&problem, &mut by_descent);
        newton::polish(&problem, &mut by_descent);
        let (a, b) = (solve(&net), problem.answer(&by_descent));
        for (x, y) in a.throughput.iter().zip(&b.throughput) {
            prop_assert!(close(*x, *y, 1e-6), "{x} {y}");
        }
    }

    #[test]
    fn the_fallback_finds_the_same_equilibrium_under_limits(net in net(), limits in limits()) {
        let problem = Problem::of(&net, &limits);
        let mut by_descent = problem.start();
        descent::close(&problem, &mut by_descent);
        newton::polish(&problem, &mut by_descent);
        let (a, b) = (solve_within(&net, &limits), problem.answer(&by_descent));
        for (x, y) in a.throughput.iter().zip(&b.throughput) {
            prop_assert!(close(*x, *y, 1e-6), "{x} {y}");
        }
    }
}

fn plain(population: f64, demands: Vec<(usize, f64)>) -> Class {
    Class { population, think: 0.0, base_latency: 0.0003, burstiness: 5.0, cap: f64::INFINITY, demands }
}

#[test]
fn empty_networks_have_empty_answers() {
    assert_eq!(solve(&Net::default()), Solution::default());
    let idle = solve(&Net { resources: 3, classes: vec![] });
    assert_eq!(idle.utilization, vec![0.0; 3]);
    let no_resources = solve(&Net { resources: 0, classes: vec![plain(3.0, vec![(0, 1.0)])] });
    assert!(close(no_resources.throughput[0], 10_000.0, 1e-12));
}

#[test]
fn a_class_with_nobody_or_a_cap_of_zero_sees_the_queues_and_completes_nothing() {
    let busy = plain(64.0, vec![(0, 1e-5)]);
    let nobody = Class { population: 0.0, ..busy.clone() };
    let stopped = Class { cap: 0.0, ..busy.clone() };
    let solution = solve(&Net { resources: 1, classes: vec![nobody, busy.clone(), stopped] });
    assert!(close(solution.throughput[1], solve(&Net { resources: 1, classes: vec![busy] }).throughput[0], 1e-9));
    assert_eq!((solution.throughput[0], solution.throughput[2]), (0.0, 0.0));
    assert!(close(solution.latency[0], solution.latency[1], 1e-12));
    assert!(close(solution.latency[2], solution.latency[1], 1e-12));
}

#[test]
fn identical_classes_share_alike() {
    let classes = vec![plain(100.0, vec![(0, 1e-5), (1, 2e-5)]); 7];
    let solution = solve(&Net { resources: 2, classes });
    assert!(solution.throughput.iter().all(|x| *x == solution.throughput[0]));
    assert!(solution.throughput[0] * 7.0 < 50_000.0);
}

#[test]
fn many_requesters_approach_the_bottleneck_and_never_pass_it() {
    let mut last = 0.0;
    for exponent in 0..14 {
        let net = Net { resources: 2, classes: vec![plain(10f64.powi(exponent), vec![(0, 1e-5), (1, 3e-6)])] };
        let x = solve(&net).throughput[0];
        assert!(x >= last && x <= 100_000.0 * (1.0 + 1e-12), "{x}");
        last = x;
    }
    assert!(last > 99_999.999);
}

#[test]
fn a_capped_class_waits_only_for_the_queues_of_others() {
    let capped = Class { cap: 1000.0, ..plain(1e6, vec![(0, 1e-5)]) };
    let solution = solve(&Net { resources: 1, classes: vec![capped] });
    assert_eq!(solution.throughput[0], 1000.0);
    assert!(close(solution.latency[0], 0.0003 + 5.0 * 1e-5 * super::law::g(0.01), 1e-9));
}

#[test]
fn scales_far_apart_still_balance() {
    let slow = Class { think: 1e6, base_latency: 1e3, ..plain(1e9, vec![(0, 1e-9), (1, 10.0)]) };
    let fast = Class { burstiness: 1e-3, base_latency: 1e-9, ..plain(1e7, vec![(0, 1e-9), (2, 1e-12)]) };
    let net = Net { resources: 3, classes: vec![slow, fast] };
    let solution = solve(&net);
    for (load, rho) in loads(&net, &solution).iter().zip(&solution.utilization) {
        assert!((load - rho).abs() <= 1e-9);
    }
}

#[test]
fn a_limit_of_one_class_alone_is_exact_and_a_shared_one_all_but_reached() {
    let net = Net { resources: 1, classes: vec![plain(64.0, vec![(0, 1e-5)]); 2] };
    let own = solve_within(&net, &Limits { own: vec![1000.0], shared: vec![] });
    assert_eq!(own.throughput[0], 1000.0);
    assert!(close(own.latency[0], 0.064, 1e-12) && own.throughput[1] > 10_000.0);
    let shared = solve_within(&net, &Limits { own: vec![], shared: vec![vec![(0, 1e-3), (1, 1e-3)]] });
    assert!(close(shared.throughput[0], 500.0, 1e-5) && shared.throughput[0] <= 500.0, "{shared:?}");
    let loose = solve_within(&net, &Limits { own: vec![1e9], shared: vec![vec![(0, 1e-9), (1, 1e-9)]] });
    assert!(close(loose.latency[0], solve(&net).latency[0], 1e-6));
}
