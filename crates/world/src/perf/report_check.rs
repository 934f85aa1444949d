//! The AF250 as an array: what the review saw, and what its configuration moves.

use super::fixture_reader::{measurements, workload, workloads};
use super::path::{Network, fit_path, is_calibrated};
use super::report::{Report, Sample};
use super::rig::{REDUCED, Rig, custom};
use crate::model::{ControllerState, DriveState, Home, Key, Object, Possession, RaidLevel, RebuildPriority, Reduction, Savings, WorkloadState};
use crate::units::Bytes;

fn within(got: f64, wanted: f64, tolerance: f64, what: &str) {
    assert!((got / wanted - 1.0).abs() <= tolerance, "{what}: {got} instead of {wanted}");
}

fn named<'a>(samples: &'a [Sample], name: &str) -> &'a Sample {
    samples.iter().find(|sample| sample.name == name).unwrap_or_else(|| panic!("{name}"))
}

fn latency(sample: &Sample) -> f64 {
    sample.latency_ms.unwrap_or_else(|| panic!("{} is idle", sample.name))
}

fn utilization(samples: &[Sample], name: &str) -> f64 {
    named(samples, name).utilization.unwrap_or_else(|| panic!("{name} is no resource"))
}

/// Throughput and latency of one workload of 4 KiB random writes on one RAID group of CM0.
fn random_writes(level: RaidLevel, drives: u32) -> (Report, Sample) {
    let mut rig = Rig::new();
    let group = rig.group("RG0", level, drives, 0);
    rig.volume("V0", &[group]);
    rig.map("V0", &[0, 1, 2, 3]);
    rig.run("W0", "4k-random-write", None, &["V0"]);
    (rig.measure(), rig.workload())
}

#[test]
fn the_reference_layout_costs_what_the_performance_model_says() {
    let mut rig = Rig::reference();
    rig.run("W0", "4k-random-write", Some(1000), &["V0", "V1"]);
    let network = Network::of(&rig.array, &rig.workloads);
    let own = rig.array.calibration.as_ref().expect("calibrated").workloads["4k-random-write"].controller_demand_ps as f64 / 1e12;
    let port = 4096.0 / 6.4e9;
    let wanted = [(0, own), (2, port), (3, port), (4, port), (5, port), (6, 2.0 / 32e3 / 12.0), (8, 2.0 * 4096.0 / 4.8e9)];
    let first = &network.net.classes[0];
    assert_eq!((network.net.resources, network.net.classes.len(), first.demands.len(), first.population), (10, 2, wanted.len(), 500.0));
    for (got, wanted) in first.demands.iter().zip(wanted) {
        assert_eq!(got.0, wanted.0);
        within(got.1, wanted.1, 1e-12, "demand");
    }
    let path = fit_path(&rig.array, &rig.workloads).expect("a path");
    let shares: Vec<f64> = path.others.iter().map(|other| other.share).collect();
    assert_eq!((path.controllers, shares), (2.0, vec![1.0, 1.0, 1.0, 1.0, 0.5, 0.5]));
}

#[test]
fn tpcc_on_plain_volumes_is_as_the_review_says() {
    let mut rig = Rig::reference();
    rig.run("oltp", "sqlserver-tpcc", Some(60_000), &["V0", "V1"]);
    let sample = rig.workload();
    let tps = sample.tps.expect("transactions");
    within(tps, 12_622.0, 0.005, "tps");
    within(latency(&sample), 9.8, 0.05, "latency");
    within(sample.iops, 10.0 * tps, 1e-12, "operations");
    assert_eq!(sample.bottleneck.as_deref(), Some("controller CM0"));
    let volumes = rig.measure().volumes;
    within(latency(&volumes[0]), latency(&sample) / 10.0, 1e-9, "latency of an operation");
}

#[test]
fn tpcc_on_reduced_volumes_is_as_the_review_says() {
    for ratio in [1, 5] {
        let mut rig = Rig::reduced();
        for number in 0..2 {
            let pool = rig.array.pools.get_mut(Key::from_raw(number)).expect("pool");
            pool.savings = Savings { before: Bytes::tib(ratio), after: Bytes::tib(1) };
        }
        rig.run("oltp", "sqlserver-tpcc", Some(60_000), &["D0", "D1"]);
        let sample = rig.workload();
        within(sample.tps.expect("transactions"), 9_837.0, 0.01, "tps");
        within(latency(&sample), 1_356.0, 0.03, "latency");
    }
}

#[test]
fn plain_volumes_in_pools_are_as_fast_as_in_raid_groups() {
    let (mut pooled, mut grouped) = (Rig::new(), Rig::reference());
    for number in 0..2 {
        let group = pooled.group(&format!("RG{number}"), RaidLevel::Raid10, 12, number);
        let pool = pooled.pool(&format!("P{number}"), &[group]);
        pooled.home(&format!("V{number}"), Home::Pool(pool), Reduction::NONE);
        pooled.map(&format!("V{number}"), &[0, 1, 2, 3]);
    }
    for rig in [&mut pooled, &mut grouped] {
        rig.run("oltp", "sqlserver-tpcc", None, &["V0", "V1"]);
    }
    assert_eq!(pooled.workload(), grouped.workload());
}

#[test]
fn sysbench_runs_are_as_the_review_says() {
    let all = measurements();
    for machines in [4, 8, 16] {
        let mut rig = Rig::reference();
        rig.run("W0", "sysbench", Some(32 * machines), &["V0", "V1"]);
        let (sample, name) = (rig.workload(), format!("sysbench-{machines}vm"));
        within(sample.tps.expect("transactions"), all.value(&name, "tps"), 0.01, &name);
        within(latency(&sample) / 1e3, all.value(&name, "avg_latency_ms"), 0.01, &name);
        if let Some(p99) = all.get(&name, false, "p99_latency_ms") {
            within(sample.p99_latency_ms.expect("tail") / 1e3, p99, 0.01, &name);
        }
    }
}

#[test]
fn peaks_are_as_the_review_says() {
    let all = measurements();
    for work in workloads().iter().filter(|work| work.unit == "io") {
        let mut rig = Rig::reference();
        rig.run("W0", &work.name, None, &["V0", "V1"]);
        let (sample, peak) = (rig.workload(), all.value(&work.name, "peak_iops"));
        within(sample.iops, peak, 0.05, &work.name);
        assert_eq!(sample.tps, None);
    }
}

#[test]
fn a_custom_workload_at_a_corner_is_the_measured_one() {
    for (name, block, read) in [("4k-random-read", 4096, 1_000_000), ("4k-random-write", 4096, 0)] {
        let (mut named, mut computed) = (Rig::reference(), Rig::reference());
        named.run("W0", name, Some(500), &["V0", "V1"]);
        computed.start("W0", custom(block, read, 0), 500, &["V0", "V1"]);
        within(computed.workload().iops, named.workload().iops, 1e-9, name);
        within(latency(&computed.workload()), latency(&named.workload()), 1e-9, name);
    }
}

#[test]
fn two_volumes_on_one_controller_are_slower_than_balanced_ones() {
    let mut balanced = Rig::reference();
    let mut crooked = Rig::reference();
    let owner = crooked.array.controllers.iter().next().expect("CM0").key();
    for number in 0..2 {
        crooked.array.raid_groups.get_mut(Key::from_raw(number)).expect("group").controller = owner;
    }
    for rig in [&mut balanced, &mut crooked] {
        rig.run("W0", "4k-random-read", None, &["V0", "V1"]);
    }
    let report = crooked.measure();
    assert!(crooked.workload().iops < 0.55 * balanced.workload().iops);
    assert!(latency(&crooked.workload()) > latency(&balanced.workload()));
    assert_eq!((utilization(&report.controllers, "CM1"), report.controllers[1].iops), (0.0, 0.0));
    assert!(utilization(&report.controllers, "CM0") > 0.99);
}

#[test]
fn a_wide_striped_volume_loads_both_owners_as_two_volumes_do() {
    let (mut wide, mut two) = (Rig::reference(), Rig::reference());
    wide.volume("W", &[Key::from_raw(0), Key::from_raw(1)]);
    wide.map("W", &[0, 1, 2, 3]);
    wide.run("W0", "4k-random-read", None, &["W"]);
    two.run("W0", "4k-random-read", None, &["V0", "V1"]);
    within(wide.workload().iops, two.workload().iops, 1e-6, "throughput");
    let report = wide.measure();
    assert_eq!(report.controllers[0].iops, report.controllers[1].iops);
    assert_eq!(report.raid_groups[0].iops, report.raid_groups[1].iops);
}

#[test]
fn a_disabled_port_leaves_its_work_to_the_others() {
    let mut rig = Rig::reference();
    rig.run("W0", "64k-sequential-read", None, &["V0", "V1"]);
    let before = rig.measure();
    rig.array.host_ports.get_mut(Key::from_raw(0)).expect("port").enabled = false;
    let after = rig.measure();
    assert_eq!((utilization(&after.ports, "CM0-CA0-P0"), after.ports[0].iops, after.ports[0].latency_ms), (0.0, 0.0, None));
    for port in 1..4 {
        assert!(after.ports[port].utilization > before.ports[port].utilization);
        within(after.ports[port].iops, after.total.iops / 3.0, 1e-12, "spread");
    }
    for port in 1..3 {
        rig.array.host_ports.get_mut(Key::from_raw(port)).expect("port").enabled = false;
    }
    let one = rig.workload();
    assert_eq!(one.bottleneck.as_deref(), Some("host port CM1-CA0-P1"));
    assert!(one.bytes_per_second < 1.6e9);
}

#[test]
fn drives_bear_what_raid_makes_of_writes() {
    let (mirrored, fast) = random_writes(RaidLevel::Raid10, 12);
    let (double_parity, slow) = random_writes(RaidLevel::Raid6, 12);
    let (fewer, slowest) = random_writes(RaidLevel::Raid6, 6);
    let per_io = |report: &Report| utilization(&report.raid_groups, "RG0") / report.total.iops;
    within(per_io(&double_parity), 3.0 * per_io(&mirrored), 1e-6, "six operations instead of two");
    within(per_io(&fewer), 2.0 * per_io(&double_parity), 1e-6, "half the drives");
    assert!(fast.iops > slow.iops && slow.iops > slowest.iops);
    assert_eq!(slowest.bottleneck.as_deref(), Some("drives of RAID group RG0"));
}

#[test]
fn failed_members_make_reads_dearer() {
    let mut rig = Rig::new();
    let group = rig.group("RG0", RaidLevel::Raid5, 8, 0);
    rig.volume("V0", &[group]);
    rig.map("V0", &[0, 1, 2, 3]);
    rig.run("W0", "4k-random-read", Some(64), &["V0"]);
    let sound = rig.measure();
    rig.array.drives.get_mut(Key::from_raw(3)).expect("drive").state = DriveState::Failed;
    let degraded = rig.measure();
    let per_io = |report: &Report| utilization(&report.raid_groups, "RG0") / report.total.iops;
    within(per_io(&degraded), per_io(&sound) * (7.0 / 8.0 + 7.0 / 8.0) * 8.0 / 7.0, 1e-6, "a read from the failed member costs the seven others");
}

#[test]
fn a_lost_controller_halves_the_capacity_and_its_work_goes_to_the_other() {
    let mut rig = Rig::reference();
    rig.run("W0", "4k-random-read", None, &["V0", "V1"]);
    let both = rig.workload();
    rig.lose(1);
    let (one, report) = (rig.workload(), rig.measure());
    within(one.iops, both.iops / 2.0, 0.02, "throughput");
    assert_eq!(one.bottleneck.as_deref(), Some("controller CM0"));
    within(report.controllers[0].iops, report.total.iops, 1e-12, "CM0 does it all");
    assert_eq!(report.controllers[1].iops + report.ports[2].iops + report.ports[3].iops, 0.0);
    rig.lose(0);
    assert_eq!(rig.workload().iops, 0.0);
}

#[test]
fn nothing_gets_through_while_a_partner_takes_over() {
    let mut rig = Rig::reference();
    rig.run("W0", "4k-random-read", Some(64), &["V0", "V1"]);
    let controller = rig.array.controllers.get_mut(Key::from_raw(1)).expect("CM1");
    (controller.state, controller.possession) = (ControllerState::Failed, Possession::Leaving);
    let report = rig.measure();
    assert_eq!(named(&report.volumes, "V1").iops, 0.0);
    assert!(named(&report.volumes, "V0").iops > 0.0);
}

#[test]
fn writes_take_longer_while_they_go_through_to_drives_and_reads_do_not() {
    let run = |profile: &str, level: RaidLevel, through: bool| {
        let mut rig = Rig::new();
        let group = rig.group("RG0", level, 12, 0);
        rig.volume("V0", &[group]);
        rig.map("V0", &[0, 1]);
        rig.run("W0", profile, Some(1), &["V0"]);
        if through {
            rig.array.controllers.get_mut(Key::from_raw(1)).expect("CM1").state = ControllerState::Starting;
        }
        rig.workload().latency_ms.expect("work is done")
    };
    let (back, through) = (run("4k-random-write", RaidLevel::Raid10, false), run("4k-random-write", RaidLevel::Raid10, true));
    within(through - back, 1e3 / 32e3, 0.02, "one write of a drive");
    let (back, through) = (run("4k-random-write", RaidLevel::Raid5, false), run("4k-random-write", RaidLevel::Raid5, true));
    within(through - back, 1e3 / 32e3 + 1e3 / 120e3, 0.02, "a read and a write");
    assert_eq!(run("4k-random-read", RaidLevel::Raid5, false).to_bits(), run("4k-random-read", RaidLevel::Raid5, true).to_bits());
}

#[test]
fn volumes_ports_controllers_and_groups_add_up_to_the_total() {
    let mut rig = Rig::reference();
    let group = rig.group("RG2", RaidLevel::Raid5, 5, 1);
    let pool = rig.pool("P0", &[group]);
    let container = rig.container("C0", pool, REDUCED);
    let inside = rig.home("L0", Home::Container(container), Reduction::NONE);
    let number = rig.array.volumes[inside].number();
    let scope = Some(container.raw());
    assert!(rig.array.volumes.named("L0", scope).is_some());
    rig.volume("W", &[Key::from_raw(0), Key::from_raw(2)]);
    rig.map("V0", &[0]);
    rig.map("W", &[0, 3]);
    rig.run("W0", "sqlserver-tpcc", None, &["V0", "W"]);
    rig.run("W1", "sql-80-20", None, &["V1"]);
    let report = rig.measure();
    for samples in [&report.volumes, &report.ports, &report.controllers, &report.raid_groups, &report.workloads] {
        within(samples.iter().map(|sample| sample.iops).sum(), report.total.iops, 1e-12, "IOPS");
        within(samples.iter().map(|sample| sample.bytes_per_second).sum(), report.total.bytes_per_second, 1e-12, "bytes");
        within(samples.iter().map(|sample| sample.outstanding).sum(), report.total.outstanding, 1e-12, "outstanding");
    }
    let idle = report.volumes.iter().find(|sample| sample.number == number).expect("idle volumes appear");
    assert_eq!((idle.iops, idle.latency_ms, idle.outstanding), (0.0, None, 0.0));
    assert_eq!(report.pools[0].iops, 0.0);
}

#[test]
fn volumes_in_containers_count_to_the_pool_and_are_reduced_as_the_container_says() {
    let run = |reduction: Reduction| {
        let mut rig = Rig::new();
        let group = rig.group("RG0", RaidLevel::RaidDp, 12, 0);
        let pool = rig.pool("P0", &[group]);
        let container = rig.container("C0", pool, reduction);
        let volume = rig.home("L0", Home::Container(container), Reduction::NONE);
        rig.map_key(volume, &[0, 1]);
        let profile = workload("4k-random-write").profile();
        rig.start_on("W0", profile, 64, vec![volume]);
        (rig.measure(), rig.array.calibration.map_or(0.0, |known| known.reduction_write_ppm.factor()))
    };
    let ((plain, factor), (reduced, _)) = (run(Reduction::NONE), run(REDUCED));
    assert_eq!(plain.pools[0].iops, plain.total.iops);
    assert!(reduced.total.iops < plain.total.iops);
    let per_io = |report: &Report| utilization(&report.controllers, "CM0") / report.total.iops;
    within(per_io(&reduced), factor * per_io(&plain), 1e-6, "writes of reduced data");
}

#[test]
fn a_volume_that_no_host_reaches_is_idle() {
    let mut rig = Rig::reference();
    rig.volume("lost", &[Key::from_raw(0)]);
    rig.run("W0", "4k-random-read", Some(64), &["V0", "lost"]);
    let report = rig.measure();
    assert_eq!((named(&report.volumes, "lost").iops, named(&report.volumes, "lost").latency_ms), (0.0, None));
    let mut half = Rig::reference();
    half.run("W0", "4k-random-read", Some(32), &["V0"]);
    within(report.total.iops, half.measure().total.iops, 1e-9, "the other volume's part goes on");
}

#[test]
fn limits_are_split_over_the_volumes_and_pauses_stop_the_load() {
    let mut rig = Rig::reference();
    let key = rig.run("W0", "4k-random-read", None, &["V0", "V1"]);
    rig.workloads.get_mut(key).expect("workload").rate_limit = Some(50_001);
    let report = rig.measure();
    within(report.workloads[0].iops, 50_001.0, 1e-12, "limit");
    assert_eq!(report.volumes[0].iops, 25_000.5);
    rig.workloads.get_mut(key).expect("workload").state = WorkloadState::Paused;
    let paused = rig.measure();
    assert_eq!((paused.workloads[0].iops, paused.workloads[0].latency_ms, &paused.workloads[0].bottleneck), (0.0, None, &None));
    assert_eq!(paused.total.bottleneck, None);
}

#[test]
fn nothing_runs_on_a_model_that_nobody_has_calibrated() {
    let mut rig = Rig::reference();
    rig.run("W0", "4k-random-read", None, &["V0", "V1"]);
    assert!(is_calibrated(&rig.array, "4k-random-read") && is_calibrated(&rig.array, "custom") && !is_calibrated(&rig.array, "unheard-of"));
    rig.array.calibration = None;
    assert!(!is_calibrated(&rig.array, "4k-random-read") && !is_calibrated(&rig.array, "custom"));
    assert_eq!(rig.workload().iops, 0.0);
}

/// Throughput of 4 KiB random reads on one RAID 5 of CM0, the utilization of its drives, after `change`.
fn reads_on_raid5(change: impl FnOnce(&mut Rig)) -> (f64, f64) {
    let mut rig = Rig::new();
    let group = rig.group("RG0", RaidLevel::Raid5, 4, 0);
    rig.volume("V0", &[group]);
    rig.map("V0", &[0, 1, 2, 3]);
    rig.run("W0", "4k-random-read", None, &["V0"]);
    change(&mut rig);
    let report = rig.measure();
    let busy = utilization(&report.raid_groups, "RG0");
    (rig.workload().iops, busy)
}

#[test]
fn a_broken_raid_group_stands_still() {
    let fail = |rig: &mut Rig, drives: &[u32]| {
        for drive in drives {
            rig.array.drives.get_mut(Key::from_raw(*drive)).expect("drive").state = DriveState::Failed;
        }
    };
    let (healthy, _) = reads_on_raid5(|_| {});
    let (degraded, _) = reads_on_raid5(|rig| fail(rig, &[0]));
    let (broken, busy) = reads_on_raid5(|rig| fail(rig, &[0, 1]));
    assert!(degraded < healthy && degraded > 0.0, "{degraded} of {healthy}");
    assert_eq!((broken, busy), (0.0, 0.0));
}

#[test]
fn a_rebuild_takes_its_share_of_the_drives() {
    let (degraded, idle) = reads_on_raid5(|rig| rig.lose_member(0, None));
    let (rebuilding, busy) = reads_on_raid5(|rig| rig.lose_member(0, Some(RebuildPriority::Low)));
    let (faster, busier) = reads_on_raid5(|rig| rig.lose_member(0, Some(RebuildPriority::High)));
    assert!(faster < rebuilding && rebuilding < degraded, "{faster}, {rebuilding}, {degraded}");
    assert!(busier > busy && busy > idle, "{busier}, {busy}, {idle}");
    let mut rig = Rig::new();
    rig.group("RG0", RaidLevel::Raid5, 4, 0);
    rig.lose_member(0, Some(RebuildPriority::Low));
    let share = (3.0 * 1e8 / 1.0e9 + 1e8 / 0.85e9) / 3.0;
    within(utilization(&rig.measure().raid_groups, "RG0"), share, 1e-6, "utilization by the rebuild alone");
    assert_eq!(rig.measure().total.iops, 0.0);
}
