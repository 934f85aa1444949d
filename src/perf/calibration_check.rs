//! The AF250's calibration: the fixture is what the fit says, and the whole network says what
//! the review says.

use super::custom::custom_calibration;
use super::demand::reduction;
use super::fit::{self, Fit, Published, aim, closed_loop_latency, controller_factor, curve, one_point, three_points, write_factor};
use super::fixture_reader::{Calibration, Entry, Inferred, Measurements, Workload, calibration, measurements, workload, workloads};
use super::solve::solve;
use super::sweep::{peak, sweep};

/// Assumed capacity (TPS) and base latency (s) of TPC-C (performance model, section 3).
const TPCC: (f64, f64) = (20_100.0, 0.003);
/// Throughput of TPC-C with data reduction on: between the two published figures, which
/// differ because the review averages over unequal virtual machines.
const REDUCED_TPS: f64 = 9_822.0;
/// What of the profile's nominal population a published peak may miss and still lie on it.
const ON_NOMINAL: f64 = 0.01;
/// A population that never binds.
const MANY: f64 = 1e9;

const FROM_CURVE: &str = "StorageReview AF250 review, fitted: start, 1 ms and peak";
const FROM_TWO: &str = "StorageReview AF250 review, fitted: start and peak; burstiness: assumption, the median of the array's 15 other curves";
const FROM_RUNS: &str = "StorageReview AF250 review, fitted: 4, 8 and 16 virtual machines";
const FROM_TPCC: &str = "StorageReview AF250 review, fitted: the raw run; capacity 20,100 TPS and base latency 3 ms: assumption (performance model, section 3)";
const INFERRED: &str = "inferred from peak";

fn published(all: &Measurements, name: &str) -> Published {
    let aimed = |metric: &str| all.get(name, false, metric).map(|(value, qualifier)| (aim(value, qualifier), qualifier));
    let value = |metric: &str| aimed(metric).unwrap_or_else(|| panic!("{name} {metric}")).0;
    Published {
        start_latency: value("start_latency"),
        at_1ms: aimed("iops_at_1ms").filter(|found| found.1 != fit::Qualifier::NeverAbove).map(|found| found.0),
        peak: value("peak_iops"),
        peak_latency: value("latency_at_peak"),
    }
}

/// The population of a peak off its nominal one.
fn inferred(all: &Measurements, work: &Workload) -> Option<Inferred> {
    let held = all.value(&work.name, "peak_iops") * all.value(&work.name, "latency_at_peak");
    let on_nominal = (held / work.population.number() - 1.0).abs() <= ON_NOMINAL;
    let aimed = published(all, &work.name);
    (!on_nominal).then(|| Inferred { value: (aimed.peak * aimed.peak_latency).round() as u64, source: INFERRED.into() })
}

fn entry(name: &str, fit: &Fit, population: Option<Inferred>, source: &str) -> Entry {
    Entry {
        workload: name.into(),
        controller_demand_ps: (fit.controller_demand() * 1e12).round() as u64,
        base_latency_ns: (fit.base_latency * 1e9).round() as u64,
        burstiness_ppm: (fit.burstiness * 1e6).round() as u64,
        source: source.into(),
        population,
    }
}

fn is_vdbench(work: &Workload) -> bool {
    work.unit == "io"
}

fn vdbench(all: &Measurements, facts: &Calibration) -> Vec<Entry> {
    let profiles: Vec<Workload> = workloads().into_iter().filter(is_vdbench).collect();
    let fit_one = |work: &Workload, assumed: Option<f64>| curve(&published(all, &work.name), assumed, &facts.reference_layout.others(work));
    let mut known: Vec<f64> = profiles.iter().filter_map(|work| fit_one(work, None).ok()).map(|fit| fit.burstiness).collect();
    known.sort_by(f64::total_cmp);
    assert_eq!(known.len(), 15);
    let median = known[known.len() / 2];
    let finished = |work: &Workload| {
        let fit = fit_one(work, Some(median)).expect("a curve");
        let source = if published(all, &work.name).at_1ms.is_some() { FROM_CURVE } else { FROM_TWO };
        entry(&work.name, &fit, inferred(all, work), source)
    };
    profiles.iter().map(finished).collect()
}

fn sysbench_fit(all: &Measurements, facts: &Calibration) -> Fit {
    let run = |machines: u32| {
        let tps = all.value(&format!("sysbench-{machines}vm"), "tps");
        (tps, closed_loop_latency(f64::from(32 * machines), 0.0, tps))
    };
    three_points([4, 8, 16].map(run), &facts.reference_layout.others(&workload("sysbench"))).expect("sysbench")
}

fn tpcc_fit(all: &Measurements, facts: &Calibration) -> Fit {
    let raw = (all.value("sqlserver-tpcc-4vm", "tps"), all.value("sqlserver-tpcc-4vm", "avg_latency"));
    one_point(raw, TPCC.1, TPCC.0, &facts.reference_layout.others(&workload("sqlserver-tpcc"))).expect("tpcc")
}

fn fitted(all: &Measurements, facts: &Calibration) -> Vec<Entry> {
    let mut entries = vdbench(all, facts);
    entries.push(entry("sysbench", &sysbench_fit(all, facts), None, FROM_RUNS));
    entries.push(entry("sqlserver-tpcc", &tpcc_fit(all, facts), None, FROM_TPCC));
    entries
}

/// The entries as they stand in the fixture, to be pasted there after a change.
fn rendered(entries: &[Entry]) -> String {
    let mut text = String::new();
    for entry in entries {
        text += &format!(
            "  - workload: {}\n    controller_demand_ps: {}\n    base_latency_ns: {}\n    burstiness_ppm: {}\n    source: \"{}\"\n",
            entry.workload, entry.controller_demand_ps, entry.base_latency_ns, entry.burstiness_ppm, entry.source
        );
        if let Some(population) = &entry.population {
            text += &format!("    population: {{ value: {}, source: \"{}\" }}\n", population.value, population.source);
        }
    }
    text
}

fn within(got: f64, expected: f64, tolerance: f64, what: &str) {
    let error = got / expected - 1.0;
    assert!(error.abs() <= tolerance, "{what}: {got} for {expected}");
}

/// Total throughput and latency of `work` on the whole network, from the fixture's integers.
fn run(facts: &Calibration, work: &Workload, population: f64, cap: f64, factor: f64) -> (f64, f64) {
    let solution = solve(&facts.reference_layout.net(work, &facts.entry(&work.name).fit(), population, cap, factor));
    assert!(solution.utilization.iter().all(|rho| *rho < 1.0));
    within(solution.latency[0], solution.latency[1], 1e-9, "balance");
    (solution.throughput.iter().sum(), solution.latency[0])
}

#[test]
fn the_fixture_is_what_the_fit_says() {
    let facts = calibration();
    let entries = fitted(&measurements(), &facts);
    let near = |a: u64, b: u64| a.abs_diff(b) <= 1;
    let same = entries.len() == facts.workloads.len()
        && entries.iter().zip(&facts.workloads).all(|(a, b)| {
            let numbers =
                near(a.controller_demand_ps, b.controller_demand_ps) && near(a.base_latency_ns, b.base_latency_ns) && near(a.burstiness_ppm, b.burstiness_ppm);
            numbers && (&a.workload, &a.population, &a.source) == (&b.workload, &b.population, &b.source)
        });
    assert!(same, "the fit says:\nworkloads:\n{}", rendered(&entries));
}

#[test]
fn the_reduction_factors_are_what_the_fit_says() {
    let facts = calibration();
    let (work, fit) = (workload("sqlserver-tpcc"), tpcc_fit(&measurements(), &facts));
    let latency = closed_loop_latency(work.population.number(), work.think(), REDUCED_TPS);
    let factor = controller_factor(&fit, REDUCED_TPS, latency, &facts.reference_layout.others(&work)).expect("a factor");
    let read = facts.reduction.read_ppm.number() / 1e6;
    let write = write_factor(factor, work.io().read_share, read);
    assert!((write * 1e6 - facts.reduction.write_ppm.number()).abs() <= 1.0, "write_ppm {:.0}", write * 1e6);
}

#[test]
fn every_fitted_point_comes_back_from_the_whole_network() {
    let (facts, all) = (calibration(), measurements());
    for work in workloads().iter().filter(|work| is_vdbench(work)) {
        let points = published(&all, &work.name);
        let at = |x: f64| run(&facts, work, MANY, x, 1.0).1;
        within(at(0.1 * points.peak), points.start_latency, 0.01, &format!("{} start", work.name));
        if let Some(crossing) = points.at_1ms {
            within(at(crossing), 1e-3, 0.01, &format!("{} 1 ms", work.name));
        }
        within(at(points.peak), points.peak_latency, 0.01, &format!("{} peak", work.name));
    }
}

#[test]
fn the_generator_finds_the_published_peaks() {
    let (facts, all) = (calibration(), measurements());
    for work in workloads().iter().filter(|work| is_vdbench(work)) {
        let points = published(&all, &work.name);
        let own = facts.entry(&work.name).population.as_ref();
        let population = own.map_or(work.population.number(), |own| own.value as f64);
        let steps = sweep(points.peak, |offered| run(&facts, work, population, offered, 1.0));
        let top = peak(&steps).expect("twelve steps");
        within(top.throughput, points.peak, 0.05, &format!("{} peak throughput", work.name));
        let (kind, tolerance) = if own.is_some() { ("read back", 0.01) } else { ("predicted", 0.03) };
        within(top.latency, points.peak_latency, tolerance, &format!("{} latency at peak, {kind}", work.name));
        if points.at_1ms.is_none() {
            assert!(steps.iter().all(|step| step.latency < 1e-3));
        }
    }
}

#[test]
fn sysbench_alone_has_the_parameters_of_the_performance_model() {
    let all = measurements();
    let run = |machines: u32| (all.value(&format!("sysbench-{machines}vm"), "tps"), all.value(&format!("sysbench-{machines}vm"), "avg_latency"));
    let fit = three_points([4, 8, 16].map(run), &[]).expect("sysbench");
    within(fit.base_latency, 0.016_05, 0.005, "T");
    within(fit.queueing(), 0.002_789, 0.01, "w");
    within(fit.capacity, 12_233.0, 0.001, "C");
}

#[test]
fn sysbench_runs_come_back() {
    let (facts, all, work) = (calibration(), measurements(), workload("sysbench"));
    for machines in [4, 8, 16] {
        let name = format!("sysbench-{machines}vm");
        let (tps, latency) = run(&facts, &work, f64::from(32 * machines), f64::INFINITY, 1.0);
        within(tps, all.value(&name, "tps"), 0.01, &format!("{name} tps"));
        within(latency, all.value(&name, "avg_latency"), 0.01, &format!("{name} latency"));
        if let Some((p99, _)) = all.get(&name, false, "p99_latency") {
            within(latency * facts.tail_ppm.number() / 1e6, p99, 0.01, &format!("{name} p99"));
        }
    }
}

#[test]
fn tpcc_comes_back_raw_and_with_data_reduction() {
    let (facts, all, work) = (calibration(), measurements(), workload("sqlserver-tpcc"));
    let users = work.population.number();
    let (tps, latency) = run(&facts, &work, users, f64::INFINITY, 1.0);
    within(tps, all.value("sqlserver-tpcc-4vm", "tps"), 0.005, "raw tps");
    within(latency, all.value("sqlserver-tpcc-4vm", "avg_latency"), 0.05, "raw latency");
    let factors = (facts.reduction.read_ppm.number() / 1e6, facts.reduction.write_ppm.number() / 1e6);
    let factor = reduction(work.io().read_share, factors.0, factors.1);
    let (tps, latency) = run(&facts, &work, users, f64::INFINITY, factor);
    let reduced = |metric: &str| all.get("sqlserver-tpcc-4vm", true, metric).expect("published").0;
    within(tps, reduced("tps"), 0.01, "reduced tps");
    within(latency, reduced("avg_latency"), 0.01, "reduced latency");
    within(latency, closed_loop_latency(users, work.think(), reduced("tps")), 0.03, "reduced latency from the published tps");
}

#[test]
fn the_corners_of_custom_workloads_are_the_measured_ones() {
    let facts = calibration();
    for name in ["4k-random-read", "4k-random-write", "64k-sequential-read", "64k-sequential-write"] {
        let (io, fit) = (workload(name).io(), facts.entry(name).fit());
        let (demand, base, beta) = custom_calibration(&facts.corners(), io.bytes, io.read_share, io.sequential_share);
        within(demand, fit.controller_demand(), 1e-9, name);
        within(base, fit.base_latency, 1e-9, name);
        within(beta, fit.burstiness, 1e-9, name);
    }
}

#[test]
fn every_number_of_every_profile_names_its_source() {
    for work in workloads() {
        assert!(!work.description.is_empty());
        let numbers = [&work.ios_per_unit, &work.block_size, &work.read_ppm, &work.sequential_ppm, &work.think_us, &work.population];
        assert!(numbers.iter().all(|number| !number.source.is_empty()), "{}", work.name);
        assert!(work.read_ppm.value <= 1_000_000 && work.sequential_ppm.value <= 1_000_000);
    }
}
