//! What every report must obey, on random arrays under random loads (performance model, section 5).
//!
//! `PROPTEST_CASES` says how many arrays are tried; `tests/run` tries 10,000.

use proptest::prelude::*;

use super::arrays::{Plan, build, plan};
use super::automatic;
use super::path::Network;
use super::report::{Report, Sample};
use super::rig::{REDUCED, Rig, custom};
use crate::model::{Home, Key, Object, Pool, QosRule, RaidLevel, Reduction, Volume, WorkUnit, Workload};

fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * a.abs().max(b.abs()) || a == b
}

fn all(report: &Report) -> Vec<&Sample> {
    let lists = [&report.workloads, &report.volumes, &report.raid_groups, &report.pools, &report.ports, &report.controllers];
    lists.into_iter().flatten().chain([&report.total]).collect()
}

/// What is said of the same things must be the same, bit for bit, whatever numbers they have.
fn says_the_same(one: &Report, other: &Report) -> Result<(), TestCaseError> {
    let sorted = |report: &Report| -> Vec<Sample> {
        let mut said: Vec<Sample> = all(report).into_iter().map(|sample| Sample { number: 0, id: uuid::Uuid::nil(), ..sample.clone() }).collect();
        said.sort_by(|one, other| one.name.cmp(&other.name));
        said
    };
    prop_assert_eq!(sorted(one), sorted(other));
    Ok(())
}

fn check_sample(sample: &Sample) -> Result<(), TestCaseError> {
    let numbers = [sample.read_iops, sample.write_iops, sample.read_bytes_per_second, sample.write_bytes_per_second, sample.outstanding];
    let optional = [sample.latency_ms, sample.p99_latency_ms, sample.utilization, sample.tps].into_iter().flatten();
    prop_assert!(numbers.into_iter().chain(optional).all(|number| number.is_finite() && number >= 0.0), "{sample:?}");
    prop_assert_eq!(sample.iops, sample.read_iops + sample.write_iops);
    prop_assert_eq!(sample.bytes_per_second, sample.read_bytes_per_second + sample.write_bytes_per_second);
    prop_assert!(sample.utilization.is_none_or(|rho| rho < 1.0), "{sample:?}");
    prop_assert_eq!(sample.latency_ms.is_some(), sample.iops > 0.0);
    prop_assert!(close(sample.tps.unwrap_or(sample.iops) * sample.latency_ms.unwrap_or(0.0) / 1e3, sample.outstanding, 1e-3), "{sample:?}");
    Ok(())
}

/// Everybody whose requests get through either waits for an answer, also where the array holds it back, or thinks, unless the rate limit
/// holds them back.
fn check_people(network: &Network<'_>, workload: &Workload, sample: &Sample) -> Result<(), TestCaseError> {
    let through = network.streams.iter().filter(|stream| stream.workload.key() == workload.key());
    let part = through.map(super::stream::Stream::part).sum::<f64>() / workload.volumes.len().max(1) as f64;
    let people = part * workload.population as f64;
    let requests = sample.iops / f64::from(workload.profile.ios_per_unit);
    let accounted = sample.outstanding + requests * workload.profile.think.0 as f64 / 1e6;
    prop_assert!(accounted <= people * 1.001, "{accounted} of {people}: {sample:?}");
    prop_assert!(workload.rate_limit.is_some() || requests == 0.0 || close(accounted, people, 1e-3), "{accounted} of {people}: {sample:?}");
    prop_assert!(workload.rate_limit.is_none_or(|rate| requests <= rate as f64 * (1.0 + 1e-12)));
    prop_assert_eq!(sample.tps.is_some(), workload.profile.unit == WorkUnit::Transaction);
    Ok(())
}

/// Volumes stay within their policies: each within Q1, all together within Q0.
fn check_limits(rig: &Rig, report: &Report) -> Result<(), TestCaseError> {
    for policy in rig.array.qos_policies.iter() {
        let QosRule::Fixed(limits) = policy.rule else { continue };
        let most = (limits.iops.unwrap_or(0).max(1) as f64, limits.bytes_per_second.unwrap_or_default().get().max(4096) as f64);
        let under = rig.array.volumes.iter().zip(&report.volumes).filter(|(volume, _)| volume.qos_policy == Some(policy.key()));
        let done: Vec<(f64, f64)> = under.map(|(_, sample)| (sample.iops, sample.bytes_per_second)).collect();
        let together = done.iter().fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        for (iops, bytes) in if policy.shared { vec![together] } else { done } {
            prop_assert!(iops <= most.0 * (1.0 + 1e-9) && bytes <= most.1 * (1.0 + 1e-9), "{iops} and {bytes} of {most:?}");
        }
    }
    Ok(())
}

fn check(rig: &Rig, report: &Report) -> Result<(), TestCaseError> {
    for sample in all(report) {
        check_sample(sample)?;
    }
    let network = Network::of(&rig.array, &rig.workloads);
    for (workload, sample) in rig.workloads.iter().zip(&report.workloads) {
        check_people(&network, workload, sample)?;
    }
    check_limits(rig, report)?;
    for samples in [&report.workloads, &report.volumes, &report.raid_groups, &report.ports, &report.controllers] {
        for part in 0..5 {
            let of =
                |sample: &Sample| [sample.read_iops, sample.write_iops, sample.read_bytes_per_second, sample.write_bytes_per_second, sample.outstanding][part];
            prop_assert!(close(samples.iter().map(of).sum(), of(&report.total), 1e-9));
        }
    }
    Ok(())
}

/// A workload on one volume whose own requesters become more gets no less done, and its answers do not come sooner. (The parts of one on
/// several volumes that cost differently shift among each other; there the law promises it of each part with the others held still.)
fn check_growth(plan: &Plan, rig: &mut Rig, before: &Report, factor: u64) -> Result<(), TestCaseError> {
    if plan.loads.is_empty() || rig.array.settings.automatic_qos {
        return Ok(());
    }
    let grown: Key<Workload> = Key::from_raw(factor as u32 % plan.loads.len() as u32);
    let workload = rig.workloads.get_mut(grown).expect("workload");
    if workload.volumes.len() != 1 {
        return Ok(());
    }
    workload.population = workload.population.saturating_mul(1 + factor);
    let (old, new) = (&before.workloads[grown.raw() as usize], &rig.measure().workloads[grown.raw() as usize]);
    prop_assert!(new.iops >= old.iops * (1.0 - 1e-6), "{old:?} {new:?}");
    prop_assert!(new.latency_ms.unwrap_or(0.0) >= old.latency_ms.unwrap_or(0.0) * (1.0 - 1e-6), "{old:?} {new:?}");
    Ok(())
}

/// A single workload on one volume: its block, its shares of reads and sequential requests, the layout, and what there is more of.
#[derive(Clone, Debug)]
struct Single {
    block: u64,
    shares: (u64, u64),
    level: RaidLevel,
    drives: u32,
    ports: u32,
    more: u32,
}

fn single() -> impl Strategy<Value = Single> {
    let level = proptest::sample::select(RaidLevel::ALL.to_vec());
    (512..2_000_000_u64, (0..=1_000_000_u64, 0..=1_000_000_u64), level, 2..8_u32, 1..4_u32, 1..4_u32)
        .prop_map(|(block, shares, level, drives, ports, more)| Single { block, shares, level, drives, ports, more })
}

/// What a single workload gets.
struct Got {
    iops: f64,
    /// Seconds that controllers work for one operation.
    work: f64,
    /// How busy the busiest part is.
    busiest: f64,
}

/// A volume on RAID groups with so many drives each, owned in turn by so many controllers, through so many ports, and a crowd of requesters.
fn layout(plan: &Single, (drives, ports, controllers): (u32, u32, u32)) -> Rig {
    let mut rig = Rig::new();
    let groups = [0, 1].map(|number| rig.group(&format!("G{number}"), plan.level, drives, number % controllers));
    let pool: Key<Pool> = rig.pool("P0", &groups);
    let key: Key<Volume> = rig.home("V0", Home::Pool(pool), Reduction::NONE);
    rig.map_key(key, &(0..ports).collect::<Vec<u32>>());
    rig.start_on("W0", custom(plan.block, plan.shares.0, plan.shares.1), 1_000_000_000, vec![key]);
    rig
}

fn got(rig: &Rig) -> Got {
    let mut network = Network::of(&rig.array, &rig.workloads);
    let solution = automatic::equilibrium(&rig.array, &mut network);
    let (iops, classes) = (solution.throughput[0], &network.net.classes[0]);
    let controllers = [0, 1].map(|number| solution.utilization[number]);
    let busiest = classes.demands.iter().map(|(resource, _)| solution.utilization[*resource]).fold(0.0, f64::max);
    Got { iops, work: controllers.iter().sum::<f64>() / iops, busiest }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_report_adds_up_obeys_littles_law_and_does_not_depend_on_the_order_of_making(plan in plan(), factor in 1..50_u64) {
        let mut rig = build(&plan, false);
        let report = rig.measure();
        check(&rig, &report)?;
        says_the_same(&report, &build(&plan, true).measure())?;
        check_growth(&plan, &mut rig, &report, factor)?;
    }

    #[test]
    fn a_single_workload_comes_up_to_its_bottleneck_and_is_never_slower_with_more_of_anything(plan in single()) {
        let (drives, ports) = (plan.drives, plan.ports);
        let of = |layout_of| got(&layout(&plan, layout_of));
        let mut rig = layout(&plan, (drives, ports, 1));
        let base = got(&rig);
        let whole = 1.0 - 1e-6;
        prop_assert!(of((drives + plan.more, ports, 1)).iops >= base.iops * whole, "drives");
        prop_assert!(of((drives, 4, 1)).iops >= base.iops * whole, "ports");
        prop_assert!(of((drives, ports, 2)).iops >= base.iops * whole, "controllers");
        prop_assert!(base.busiest > 0.999 && base.busiest < 1.0, "from below: {}", base.busiest);
        rig.workloads.get_mut(Key::from_raw(0)).expect("workload").population = 10;
        let few = got(&rig);
        prop_assert!(few.iops <= base.iops * (1.0 + 1e-9) && few.busiest < base.busiest + 1e-9);
        rig.array.volumes.get_mut(Key::<Volume>::from_raw(0)).expect("volume").reduction = REDUCED;
        let reduced = got(&rig);
        prop_assert!(reduced.work >= few.work * (1.0 - 1e-9), "data reduction");
    }
}
