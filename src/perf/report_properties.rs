//! What every report must obey, on random arrays under random loads.

use proptest::prelude::*;

use super::report::{Report, Sample};
use super::rig::{REDUCED, Rig, custom};
use crate::model::{Home, Key, Object, RaidGroup, RaidLevel, Reduction, Table, Volume, WorkUnit, Workload, WorkloadState, reach};
use crate::units::SimSpan;

const NAMED: [&str; 6] = ["4k-random-read", "64k-sequential-write", "sql-80-20", "vdi-lc-boot", "sysbench", "sqlserver-tpcc"];

/// A RAID group: its level, its number of drives, the number of its owner.
type GroupPlan = (RaidLevel, u32, u32);

#[derive(Clone, Copy, Debug)]
struct VolumePlan {
    kind: u8,
    first: usize,
    second: usize,
    reduced: bool,
    ports: [bool; 4],
}

#[derive(Clone, Copy, Debug)]
struct LoadPlan {
    named: Option<usize>,
    block: u64,
    shares: (u64, u64),
    think: u64,
    population: u64,
    rate: Option<u64>,
    paused: bool,
    volumes: u8,
}

#[derive(Clone, Debug)]
struct Plan {
    groups: Vec<GroupPlan>,
    volumes: Vec<VolumePlan>,
    loads: Vec<LoadPlan>,
    online: [bool; 2],
    enabled: [bool; 4],
}

fn plan() -> impl Strategy<Value = Plan> {
    let group = (proptest::sample::select(RaidLevel::ALL.to_vec()), 1..16_u32, 0..2_u32);
    let mostly = || proptest::bool::weighted(0.8);
    let volume = (0..4_u8, 0..9_usize, 0..9_usize, any::<bool>(), [mostly(), mostly(), mostly(), mostly()])
        .prop_map(|(kind, first, second, reduced, ports)| VolumePlan { kind, first, second, reduced, ports });
    let what = (proptest::option::of(0..NAMED.len()), 0..5_000_000_u64, (0..=1_000_000_u64, 0..=1_000_000_u64), 0..10_000_000_u64);
    let how_much = (prop_oneof![0..100_u64, 0..200_000_u64], proptest::option::of(0..100_000_u64), proptest::bool::weighted(0.1), any::<u8>());
    let load = (what, how_much).prop_map(|((named, block, shares, think), (population, rate, paused, volumes))| LoadPlan {
        named,
        block,
        shares,
        think,
        population,
        rate,
        paused,
        volumes,
    });
    let sizes = (proptest::collection::vec(group, 1..5), proptest::collection::vec(volume, 1..6), proptest::collection::vec(load, 0..5));
    (sizes, [mostly(), mostly()], [mostly(), mostly(), mostly(), mostly()]).prop_map(|((groups, volumes, loads), online, enabled)| Plan {
        groups,
        volumes,
        loads,
        online,
        enabled,
    })
}

/// The indices of a list, forward or backward.
fn order(count: usize, backward: bool) -> Vec<usize> {
    if backward { (0..count).rev().collect() } else { (0..count).collect() }
}

fn key_of<T: Object>(table: &Table<T>, name: &str) -> Key<T> {
    table.iter().find(|item| item.name() == name).unwrap_or_else(|| panic!("{name}")).key()
}

/// The planned array, its parts made in one order or the other. Every group also has a twin that belongs to a pool of two.
fn build(plan: &Plan, backward: bool) -> Rig {
    let mut rig = Rig::new();
    for i in order(plan.groups.len(), backward) {
        let (level, drives, owner) = plan.groups[i];
        rig.group(&format!("G{i}"), level, drives, owner);
        let twins: Vec<Key<RaidGroup>> =
            order(2, backward).into_iter().map(|twin| rig.group(&format!("T{i}-{twin}"), level, drives, (owner + twin as u32) % 2)).collect();
        rig.pool(&format!("P{i}"), &twins);
    }
    for i in order(plan.volumes.len(), backward) {
        let key = make_volume(&mut rig, plan, i);
        let ports: Vec<u32> = (0..4).filter(|port| plan.volumes[i].ports[*port as usize]).collect();
        rig.map_key(key, &ports);
    }
    for i in order(plan.loads.len(), backward) {
        start(&mut rig, plan, i);
    }
    for (number, online) in plan.online.into_iter().enumerate() {
        if !online {
            rig.lose(number as u32);
        }
    }
    for (number, enabled) in plan.enabled.into_iter().enumerate() {
        rig.array.host_ports.get_mut(Key::from_raw(number as u32)).expect("port").enabled = enabled;
    }
    rig
}

fn make_volume(rig: &mut Rig, plan: &Plan, i: usize) -> Key<Volume> {
    let VolumePlan { kind, first, second, reduced, .. } = plan.volumes[i];
    let (first, second) = (first % plan.groups.len(), second % plan.groups.len());
    let (name, reduction) = (format!("V{i}"), if reduced { REDUCED } else { Reduction::NONE });
    let group = |rig: &Rig, index: usize| key_of(&rig.array.raid_groups, &format!("G{index}"));
    let pool = key_of(&rig.array.pools, &format!("P{first}"));
    match kind {
        0 => rig.volume(&name, &[group(rig, first)]),
        1 => rig.volume(&name, &[group(rig, first), group(rig, second)]),
        2 => rig.home(&name, Home::Pool(pool), reduction),
        _ => {
            let container = rig.container(&format!("C{i}"), pool, reduction);
            rig.home(&name, Home::Container(container), Reduction::NONE)
        }
    }
}

fn start(rig: &mut Rig, plan: &Plan, i: usize) {
    let load = plan.loads[i];
    let mut profile = load.named.map_or_else(|| custom(load.block, load.shares.0, load.shares.1), |named| rig.array.profiles[NAMED[named]].clone());
    if load.named.is_none() {
        profile.think = SimSpan(load.think);
    }
    let chosen = |volume: &usize| load.volumes & (1 << volume) != 0;
    let volumes = (0..plan.volumes.len()).filter(chosen).map(|volume| key_of(&rig.array.volumes, &format!("V{volume}"))).collect();
    let key = rig.start_on(&format!("W{i}"), profile, load.population, volumes);
    let workload = rig.workloads.get_mut(key).expect("workload");
    workload.rate_limit = load.rate;
    if load.paused {
        workload.state = WorkloadState::Paused;
    }
}

fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * a.abs().max(b.abs()) || a == b
}

fn all(report: &Report) -> Vec<&Sample> {
    let lists = [&report.workloads, &report.volumes, &report.raid_groups, &report.pools, &report.ports, &report.controllers];
    lists.into_iter().flatten().chain([&report.total]).collect()
}

/// What a sample says, without how its object is numbered. Equal text means equal bits.
fn said(report: &Report) -> Vec<String> {
    let mut said: Vec<String> = all(report).into_iter().map(|sample| format!("{:?}", Sample { number: 0, id: uuid::Uuid::nil(), ..sample.clone() })).collect();
    said.sort();
    said
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

/// Everybody of the part that hosts can reach either waits for an answer or thinks, unless the rate limit holds them back.
fn check_people(rig: &Rig, workload: &Workload, sample: &Sample) -> Result<(), TestCaseError> {
    let reached = workload.volumes.iter().filter(|volume| !reach::mapped_ports(&rig.array, **volume).is_empty()).count();
    let part = reached as f64 / workload.volumes.len().max(1) as f64;
    let people = if workload.state == WorkloadState::Running { part * workload.population as f64 } else { 0.0 };
    let requests = sample.iops / f64::from(workload.profile.ios_per_unit);
    let accounted = sample.outstanding + requests * workload.profile.think.0 as f64 / 1e6;
    prop_assert!(accounted <= people * 1.001, "{accounted} of {people}: {sample:?}");
    prop_assert!(workload.rate_limit.is_some() || close(accounted, people, 1e-3), "{accounted} of {people}: {sample:?}");
    prop_assert!(workload.rate_limit.is_none_or(|rate| requests <= rate as f64 * (1.0 + 1e-12)));
    prop_assert_eq!(sample.tps.is_some(), workload.profile.unit == WorkUnit::Transaction);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_report_adds_up_and_obeys_littles_law(plan in plan()) {
        let rig = build(&plan, false);
        let report = rig.measure();
        for sample in all(&report) {
            check_sample(sample)?;
        }
        for (workload, sample) in rig.workloads.iter().zip(&report.workloads) {
            check_people(&rig, workload, sample)?;
        }
        for samples in [&report.workloads, &report.volumes, &report.raid_groups, &report.ports, &report.controllers] {
            for part in 0..4 {
                let of = |sample: &Sample| [sample.read_iops, sample.write_iops, sample.bytes_per_second, sample.outstanding][part];
                prop_assert!(close(samples.iter().map(of).sum(), of(&report.total), 1e-9));
            }
        }
        prop_assert_eq!(&report, &rig.measure());
    }

    #[test]
    fn the_order_in_which_things_were_made_moves_no_bit(plan in plan()) {
        prop_assert_eq!(said(&build(&plan, false).measure()), said(&build(&plan, true).measure()));
    }
}
