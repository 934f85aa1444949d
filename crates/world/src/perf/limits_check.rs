//! What QoS limits do: policies of volumes and containers, alone and shared, and automatic QoS.

use super::report::{Report, Sample};
use super::rig::{Rig, custom};
use crate::model::{AdaptiveLimits, FixedLimits, Home, Key, QosPolicy, QosPriority, QosRule, Reduction, SpaceKind, Volume};
use crate::units::Bytes;

fn named<'a>(samples: &'a [Sample], name: &str) -> &'a Sample {
    samples.iter().find(|sample| sample.name == name).unwrap_or_else(|| panic!("{name}"))
}

fn within(got: f64, wanted: f64, tolerance: f64) {
    assert!((got / wanted - 1.0).abs() <= tolerance, "{got} instead of {wanted}");
}

fn policy(rig: &mut Rig, name: &str, rule: QosRule, shared: bool) -> Key<QosPolicy> {
    let identity = rig.array.identity;
    rig.array.qos_policies.insert(identity, name.into(), |head| QosPolicy { head, tenant: None, shared, rule })
}

fn iops(most: u64) -> QosRule {
    QosRule::Fixed(FixedLimits { iops: Some(most), ..FixedLimits::default() })
}

fn limit(rig: &mut Rig, volume: u32, policy: Key<QosPolicy>) {
    rig.array.volumes.get_mut(Key::from_raw(volume)).expect("volume").qos_policy = Some(policy);
}

/// 64 requests of 8 KiB, seven of ten reading, on V0 of the reference layout under that rule.
fn under(rule: QosRule) -> Report {
    let mut rig = Rig::reference();
    let policy = policy(&mut rig, "gold", rule, false);
    limit(&mut rig, 0, policy);
    rig.start("W0", custom(8192, 700_000, 0), 64, &["V0"]);
    rig.measure()
}

#[test]
fn a_limit_is_kept_exactly_and_what_waits_for_it_is_latency() {
    let sample = &under(iops(5000)).workloads[0];
    within(sample.iops, 5000.0, 1e-12);
    within(sample.latency_ms.expect("latency"), 64.0 / 5.0, 1e-9);
    assert_eq!(sample.bottleneck.as_deref(), Some("QoS policy gold of volume V0"));
    let free = &under(iops(50_000_000)).workloads[0];
    assert!(free.iops > 5000.0 && free.bottleneck.as_deref() == Some("controller CM0"), "{free:?}");
}

#[test]
fn every_kind_of_limit_holds() {
    let limits = FixedLimits::default();
    let bytes = Some(Bytes::new(8192 * 1000));
    let of = |limits: FixedLimits| under(QosRule::Fixed(limits)).workloads.remove(0);
    within(of(FixedLimits { bytes_per_second: bytes, ..limits }).iops, 1000.0, 1e-9);
    within(of(FixedLimits { read_iops: Some(1000), ..limits }).read_iops, 1000.0, 1e-9);
    within(of(FixedLimits { write_iops: Some(1000), ..limits }).write_iops, 1000.0, 1e-9);
    within(of(FixedLimits { read_bytes_per_second: bytes, ..limits }).read_iops, 1000.0, 1e-9);
    within(of(FixedLimits { write_bytes_per_second: bytes, ..limits }).write_iops, 1000.0, 1e-9);
    let both = of(FixedLimits { iops: Some(3000), bytes_per_second: bytes, ..limits });
    within(both.iops, 1000.0, 1e-9);
}

#[test]
fn an_adaptive_limit_follows_the_size_or_what_is_written() {
    let rule = |peak_by| {
        QosRule::Adaptive(AdaptiveLimits {
            expected_iops_per_tib: 1024,
            peak_iops_per_tib: 20_480,
            least_iops: Some(75),
            block_size: None,
            expected_by: SpaceKind::Allocated,
            peak_by,
        })
    };
    // 100 GiB of 20,480 for a TiB.
    within(under(rule(SpaceKind::Allocated)).workloads[0].iops, 2000.0, 1e-9);
    within(under(rule(SpaceKind::Used)).workloads[0].iops, 75.0, 1e-9);
    let mut rig = Rig::reference();
    let policy = policy(&mut rig, "grows", rule(SpaceKind::Allocated), false);
    limit(&mut rig, 0, policy);
    rig.array.volumes.get_mut(Key::<Volume>::from_raw(0)).expect("V0").size = Bytes::gib(200);
    rig.start("W0", custom(8192, 700_000, 0), 64, &["V0"]);
    within(rig.workload().iops, 4000.0, 1e-9);
}

#[test]
fn a_shared_limit_holds_all_that_use_it_together_and_a_separate_one_each() {
    for (shared, wanted) in [(true, 6000.0), (false, 12_000.0)] {
        let mut rig = Rig::reference();
        let policy = policy(&mut rig, "gold", iops(6000), shared);
        for volume in 0..2 {
            limit(&mut rig, volume, policy);
        }
        rig.start("W0", custom(8192, 700_000, 0), 300, &["V0"]);
        rig.start("W1", custom(8192, 700_000, 0), 100, &["V1"]);
        let report = rig.measure();
        within(report.total.iops, wanted, 1e-4);
        assert!(report.total.iops <= wanted);
        let (more, less) = (&report.workloads[0], &report.workloads[1]);
        within(more.iops / less.iops, if shared { 3.0 } else { 1.0 }, 0.02);
        within(more.iops * more.latency_ms.expect("latency"), 300e3, 1e-6);
        let words = if shared { "QoS policy gold" } else { "QoS policy gold of volume V0" };
        assert_eq!(more.bottleneck.as_deref(), Some(words));
    }
}

#[test]
fn workloads_on_one_limited_volume_share_its_limit() {
    let mut rig = Rig::reference();
    let policy = policy(&mut rig, "gold", iops(6000), false);
    limit(&mut rig, 0, policy);
    for name in ["W0", "W1", "W2"] {
        rig.start(name, custom(8192, 700_000, 0), 64, &["V0"]);
    }
    let report = rig.measure();
    within(report.total.iops, 6000.0, 1e-4);
    within(report.workloads[0].iops, 2000.0, 1e-4);
}

#[test]
fn a_policy_of_a_container_limits_all_volumes_in_it() {
    let mut rig = Rig::new();
    let group = rig.group("RG0", crate::model::RaidLevel::RaidDp, 12, 0);
    let pool = rig.pool("P0", &[group]);
    let container = rig.container("C0", pool, Reduction::NONE);
    let volumes: Vec<Key<Volume>> = ["L0", "L1"].iter().map(|name| rig.home(name, Home::Container(container), Reduction::NONE)).collect();
    volumes.iter().for_each(|volume| rig.map_key(*volume, &[0, 1]));
    let policy = policy(&mut rig, "gold", iops(3000), false);
    rig.array.containers.get_mut(container).expect("container").qos_policy = Some(policy);
    rig.start_on("W0", custom(8192, 700_000, 0), 64, volumes);
    let report = rig.measure();
    within(report.total.iops, 3000.0, 1e-4);
    assert_eq!(report.workloads[0].bottleneck.as_deref(), Some("QoS policy gold of container C0"));
}

/// A workload on V0 with few requesters and one on a second volume of CM0 with many, under these priorities.
fn neighbours(automatic: bool, priorities: [QosPriority; 2]) -> (Sample, Sample) {
    let mut rig = Rig::reference();
    rig.volume("N0", &[Key::from_raw(0)]);
    rig.map("N0", &[0, 1, 2, 3]);
    rig.array.settings.automatic_qos = automatic;
    for (volume, priority) in [(0, priorities[0]), (2, priorities[1])] {
        rig.array.volumes.get_mut(Key::<Volume>::from_raw(volume)).expect("volume").qos_priority = Some(priority);
    }
    rig.start("first", custom(8192, 700_000, 0), 32, &["V0"]);
    rig.start("noisy", custom(8192, 700_000, 0), 2000, &["N0"]);
    let report = rig.measure();
    (named(&report.workloads, "first").clone(), named(&report.workloads, "noisy").clone())
}

#[test]
fn automatic_qos_keeps_the_high_fast_by_holding_the_low_back() {
    let (before, noisy) = neighbours(false, [QosPriority::High, QosPriority::Low]);
    let (after, held) = neighbours(true, [QosPriority::High, QosPriority::Low]);
    assert!(after.latency_ms.expect("latency") < 0.5 * before.latency_ms.expect("latency"), "{before:?} {after:?}");
    assert!(after.iops > 2.0 * before.iops && held.iops < noisy.iops, "{held:?} {noisy:?}");
    // No further than its share, and no further than it helps.
    assert!(held.iops >= 0.1 * noisy.iops * (1.0 - 1e-9));
    assert_eq!(held.bottleneck.as_deref(), Some("automatic QoS"));
    let (best, _) = {
        let mut rig = Rig::reference();
        rig.start("first", custom(8192, 700_000, 0), 32, &["V0"]);
        (rig.workload(), ())
    };
    assert!(after.latency_ms >= best.latency_ms);
}

#[test]
fn automatic_qos_leaves_more_to_the_middle_than_to_the_low_and_equals_alone() {
    let free = neighbours(false, [QosPriority::High, QosPriority::Low]);
    let low = neighbours(true, [QosPriority::High, QosPriority::Low]);
    let middle = neighbours(true, [QosPriority::High, QosPriority::Middle]);
    assert!(middle.1.iops > low.1.iops && middle.1.iops >= 0.5 * free.1.iops * (1.0 - 1e-9), "{middle:?}");
    assert!(middle.0.latency_ms > low.0.latency_ms && middle.0.latency_ms < free.0.latency_ms);
    for priorities in [[QosPriority::Low, QosPriority::Low], [QosPriority::Unlimited, QosPriority::Low], [QosPriority::High, QosPriority::Unlimited]] {
        assert_eq!(neighbours(true, priorities), neighbours(false, priorities));
    }
    // Middle ones are protected from low ones, too.
    assert!(neighbours(true, [QosPriority::Middle, QosPriority::Low]).0.latency_ms < free.0.latency_ms);
}

#[test]
fn automatic_qos_touches_nothing_that_shares_no_part_with_the_high() {
    let mut rig = Rig::new();
    for number in 0..2 {
        let group = rig.group(&format!("RG{number}"), crate::model::RaidLevel::Raid10, 12, number);
        rig.volume(&format!("V{number}"), &[group]);
        rig.map(&format!("V{number}"), &[2 * number, 2 * number + 1]);
        rig.start(&format!("W{number}"), custom(8192, 700_000, 0), 500, &[&format!("V{number}")]);
        let priority = if number == 0 { QosPriority::High } else { QosPriority::Low };
        rig.array.volumes.get_mut(Key::<Volume>::from_raw(number)).expect("volume").qos_priority = Some(priority);
    }
    let before = rig.measure();
    rig.array.settings.automatic_qos = true;
    assert_eq!(rig.measure(), before);
}
