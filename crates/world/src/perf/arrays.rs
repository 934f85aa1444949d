//! Random arrays, layouts and loads for properties: planned, then built in one order or the other.

use proptest::prelude::*;

use super::rig::{REDUCED, Rig, custom};
use crate::model::{
    CopyKind, CopyPriority, CopySession, CopyStatus, CopyTask, DriveState, FixedLimits, Home, Key, Layer, Layout, Migration, Object, QosPolicy, QosPriority,
    QosRule, RaidGroup, RaidLevel, Reduction, Savings, Table, Volume, WorkloadState,
};
use crate::units::{Bytes, PartsPerMillion, SimSpan, SimTime};

const NAMED: [&str; 6] = ["4k-random-read", "64k-sequential-write", "sql-80-20", "vdi-lc-boot", "sysbench", "sqlserver-tpcc"];
const PRIORITIES: [Option<QosPriority>; 5] = [None, Some(QosPriority::High), Some(QosPriority::Middle), Some(QosPriority::Low), Some(QosPriority::Unlimited)];

/// A RAID group: its level, its number of drives, the number of its owner, how many of its drives have failed.
type GroupPlan = (RaidLevel, u32, u32, u32);

#[derive(Clone, Copy, Debug)]
pub(super) struct VolumePlan {
    kind: u8,
    first: usize,
    second: usize,
    reduced: bool,
    ports: [bool; 4],
    policy: u8,
    priority: usize,
    /// Nothing, a migration, a format, a mirror, a snapshot or a copy to another volume.
    work: u8,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct LoadPlan {
    named: Option<usize>,
    block: u64,
    shares: (u64, u64),
    think: u64,
    population: u64,
    rate: Option<u64>,
    hits: u64,
    paused: bool,
    volumes: u8,
}

#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) groups: Vec<GroupPlan>,
    pub(super) volumes: Vec<VolumePlan>,
    pub(super) loads: Vec<LoadPlan>,
    online: [bool; 2],
    enabled: [bool; 4],
    /// Limits of the policies: operations and bytes a second.
    policies: [(u64, u64); 2],
    automatic: bool,
    /// Percent used of the pools, and of what is used, what is unbalanced.
    used: (u64, u64),
}

pub(super) fn plan() -> impl Strategy<Value = Plan> {
    let group = (proptest::sample::select(RaidLevel::ALL.to_vec()), 1..9_u32, 0..2_u32, prop_oneof![6 => Just(0_u32), 1 => 1..3_u32]);
    let mostly = || proptest::bool::weighted(0.8);
    let what = (0..4_u8, 0..9_usize, 0..9_usize, any::<bool>(), [mostly(), mostly(), mostly(), mostly()]);
    let how = (prop_oneof![4 => Just(0_u8), 1 => 1..3_u8], 0..PRIORITIES.len(), prop_oneof![4 => Just(0_u8), 3 => 1..6_u8]);
    let volume = (what, how).prop_map(|((kind, first, second, reduced, ports), (policy, priority, work))| VolumePlan {
        kind,
        first,
        second,
        reduced,
        ports,
        policy,
        priority,
        work,
    });
    let what = (proptest::option::of(0..NAMED.len()), 0..5_000_000_u64, (0..=1_000_000_u64, 0..=1_000_000_u64), 0..10_000_000_u64);
    let how_much = (
        prop_oneof![0..100_u64, 0..200_000_u64],
        proptest::option::weighted(0.3, 0..100_000_u64),
        0..=1_000_000_u64,
        prop_oneof![any::<u8>(), proptest::sample::select(vec![1_u8, 2, 4, 8, 16])],
    );
    let load = (what, how_much, proptest::bool::weighted(0.1)).prop_map(|((named, block, shares, think), (population, rate, hits, volumes), paused)| {
        LoadPlan { named, block, shares, think, population, rate, hits, paused, volumes }
    });
    let sizes = (proptest::collection::vec(group, 1..3), proptest::collection::vec(volume, 1..5), proptest::collection::vec(load, 0..4));
    let policies = [(0..200_000_u64, 0..1_000_000_000_u64), (0..20_000_u64, 0..100_000_000_u64)];
    let rest = (policies, any::<bool>(), (0..=100_u64, 0..=100_u64));
    (sizes, [mostly(), mostly()], [mostly(), mostly(), mostly(), mostly()], rest).prop_map(
        |((groups, volumes, loads), online, enabled, (policies, automatic, used))| Plan { groups, volumes, loads, online, enabled, policies, automatic, used },
    )
}

/// The indices of a list, forward or backward.
fn order(count: usize, backward: bool) -> Vec<usize> {
    if backward { (0..count).rev().collect() } else { (0..count).collect() }
}

fn key_of<T: Object>(table: &Table<T>, name: &str) -> Key<T> {
    table.iter().find(|item| item.name() == name).unwrap_or_else(|| panic!("{name}")).key()
}

/// The planned array, its parts made in one order or the other. Every group also has a twin that belongs to a pool of two.
pub(super) fn build(plan: &Plan, backward: bool) -> Rig {
    let mut rig = Rig::new();
    for i in order(plan.groups.len(), backward) {
        make_groups(&mut rig, plan, i, backward);
    }
    for i in order(2, backward) {
        let (iops, bytes) = plan.policies[i];
        let rule = QosRule::Fixed(FixedLimits { iops: Some(iops), bytes_per_second: Some(Bytes::new(bytes)), ..FixedLimits::default() });
        let identity = rig.array.identity;
        rig.array.qos_policies.insert(identity, format!("Q{i}"), |head| QosPolicy { head, tenant: None, shared: i == 0, rule });
    }
    for i in order(plan.volumes.len(), backward) {
        let key = make_volume(&mut rig, plan, i);
        let ports: Vec<u32> = (0..4).filter(|port| plan.volumes[i].ports[*port as usize]).collect();
        rig.map_key(key, &ports);
    }
    for i in order(plan.volumes.len(), backward) {
        begin_work(&mut rig, plan, i);
    }
    for i in order(plan.loads.len(), backward) {
        start(&mut rig, plan, i);
    }
    rig.array.settings.automatic_qos = plan.automatic;
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

fn make_groups(rig: &mut Rig, plan: &Plan, i: usize, backward: bool) {
    let (level, drives, owner, failed) = plan.groups[i];
    let group = rig.group(&format!("G{i}"), level, drives, owner);
    for drive in rig.array.raid_groups[group].drives.clone().into_iter().take(failed as usize) {
        rig.array.drives.get_mut(drive).expect("drive").state = DriveState::Failed;
    }
    let mut twins: Vec<Key<RaidGroup>> =
        order(2, backward).into_iter().map(|twin| rig.group(&format!("T{i}-{twin}"), level, drives, (owner + twin as u32) % 2)).collect();
    twins.sort_by_key(|twin| rig.array.raid_groups[*twin].name().to_owned());
    let key = rig.pool(&format!("P{i}"), &twins);
    let pool = rig.array.pools.get_mut(key).expect("pool");
    let (used, unbalanced) = plan.used;
    pool.allocated = pool.capacity.scaled(used, 100);
    pool.layers = vec![Layer { raid_groups: 1, data: pool.allocated.scaled(unbalanced, 100) }];
    pool.balancing = unbalanced % 2 == 1;
    pool.savings = Savings { before: Bytes::gib(1 + unbalanced), after: Bytes::gib(1) };
}

fn make_volume(rig: &mut Rig, plan: &Plan, i: usize) -> Key<Volume> {
    let VolumePlan { kind, first, second, reduced, policy, priority, .. } = plan.volumes[i];
    let (first, second) = (first % plan.groups.len(), second % plan.groups.len());
    let (name, reduction) = (format!("V{i}"), if reduced { REDUCED } else { Reduction::NONE });
    let group = |rig: &Rig, index: usize| key_of(&rig.array.raid_groups, &format!("G{index}"));
    let pool = key_of(&rig.array.pools, &format!("P{first}"));
    let key = match kind {
        0 => rig.volume(&name, &[group(rig, first)]),
        1 => rig.volume(&name, &[group(rig, first), group(rig, second)]),
        2 => rig.home(&name, Home::Pool(pool), reduction),
        _ => {
            let container = rig.container(&format!("C{i}"), pool, reduction);
            rig.home(&name, Home::Container(container), Reduction::NONE)
        }
    };
    let policy = (policy > 0).then(|| key_of(&rig.array.qos_policies, &format!("Q{}", policy - 1)));
    let volume = rig.array.volumes.get_mut(key).expect("volume");
    (volume.qos_policy, volume.qos_priority) = (policy, PRIORITIES[priority]);
    key
}

fn begin_work(rig: &mut Rig, plan: &Plan, i: usize) {
    let work = plan.volumes[i].work;
    let source = key_of(&rig.array.volumes, &format!("V{i}"));
    let other = key_of(&rig.array.volumes, &format!("V{}", (i + 1) % plan.volumes.len()));
    let target = rig.array.volumes[other].home.clone();
    let volume = rig.array.volumes.get_mut(source).expect("volume");
    match work {
        1 => volume.migration = Some(Migration { target, reduction: Reduction::NONE, allocation: volume.allocation }),
        2 => volume.formatting = true,
        // Copies lead from volumes to later ones, so that none leads back.
        3..=5 if i + 1 < plan.volumes.len() => {
            volume.layout = Layout::filled(Bytes::gib(10), 1);
            let (kind, task, image) = match work {
                3 => (CopyKind::Ec, None, None),
                4 => (CopyKind::SnapOpc, None, Some(Layout::filled(Bytes::gib(4), 1))),
                _ => (CopyKind::QuickOpc, Some(CopyTask::Copy), None),
            };
            let identity = rig.array.identity;
            rig.array.copy_sessions.insert(identity, format!("S{i}"), |head| CopySession {
                head,
                kind,
                source,
                destination: other,
                status: CopyStatus::Active,
                task,
                amount: Bytes::ZERO,
                left: Bytes::ZERO,
                image,
                ending: false,
                priority: CopyPriority::Middle,
                requestor: String::new(),
                created: SimTime::START,
                failed: None,
            });
        }
        _ => {}
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
    workload.cache_hits_ppm = PartsPerMillion(load.hits);
    if load.paused {
        workload.state = WorkloadState::Paused;
    }
}
