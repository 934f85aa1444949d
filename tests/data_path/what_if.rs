//! What if: the published penalty of data reduction and everything else that can be compared, on copies of the array of the review.

use arrayplane::catalogue;
use arrayplane::model::{OpError, RaidLevel};
use arrayplane::ops::World;
use arrayplane::ops::what_if::{Answer, Load, Others, Question, Refusal, Variant, answer};
use arrayplane::perf::curve::Loading;
use serde_json::json;

use super::{near, report};
use crate::given;

fn world() -> World {
    catalogue::scenario("af250").expect("the scenario is known").play(None).expect("it can be played")
}

fn load(profile: &str) -> Load {
    Load { profile: profile.to_owned(), ..Load::default() }
}

fn variant(name: &str, change: impl FnOnce(&mut Variant)) -> Variant {
    let mut variant = Variant { name: name.to_owned(), ..Variant::default() };
    change(&mut variant);
    variant
}

fn ask(profile: &str, compare: Vec<Variant>) -> Result<Answer, Refusal> {
    answer(&world(), &Question { workloads: vec![load(profile)], others: Some(Others::Pause), compare, ..Question::default() })
}

fn reduction() -> Vec<Variant> {
    [("off", false), ("on", true)].map(|(name, on)| variant(name, |variant| variant.data_reduction = Some(on))).to_vec()
}

/// Throughputs at the load that was asked for.
fn throughputs(answer: &Answer) -> Vec<f64> {
    answer.variants.iter().map(|outcome| outcome.at_load.throughput).collect()
}

#[test]
fn switching_data_reduction_on_gives_the_published_penalty() {
    let found = ask("sqlserver-tpcc", reduction()).expect("an answer");
    let [off, on] = &found.variants[..] else { panic!("two variants") };
    near("tps", Some(off.at_load.throughput), 12_622.0, 0.5);
    near("latency", off.at_load.latency_ms, 9.8, 1.0);
    near("tps with reduction", Some(on.at_load.throughput), 9_837.0, 1.0);
    near("latency with reduction", on.at_load.latency_ms, 1_374.0, 1.0);
    assert_eq!((found.loading, on.at_load.users, on.at_load.bottleneck.as_deref()), (Loading::Users, 60_000, Some("controller CM0")));
    near("what 60,000 users ask of an idle array", Some(on.at_load.offered), 60_000.0 / 4.7466, 0.1);
}

#[test]
fn remaking_volumes_is_as_if_the_users_had_moved_to_reduced_ones() {
    let found = ask("sqlserver-tpcc", reduction()).expect("an answer");
    let mut world = world();
    given::done(&mut world, &json!({"workload.update": {"workload": "oltp", "volumes": ["D0", "D1"]}}));
    assert_eq!(report(&world).workloads[0].tps, Some(found.variants[1].at_load.throughput));
}

#[test]
fn asking_changes_nothing_and_answers_the_same_twice() {
    let world = world();
    let before = given::bytes(&world);
    let question = Question { workloads: vec![load("sql")], compare: reduction(), ..Question::default() };
    assert_eq!(answer(&world, &question), answer(&world, &question));
    assert_eq!(given::bytes(&world), before);
}

#[test]
fn a_load_generator_is_stepped_to_120_percent_and_its_first_peak_is_quoted() {
    let found = ask("4k-random-read", Vec::new()).expect("an answer");
    let [only] = &found.variants[..] else { panic!("one variant") };
    let steps: Vec<f64> = only.curve.iter().map(|point| point.load_percent).collect();
    assert_eq!(steps, (1..=12).map(|step| f64::from(step * 10)).collect::<Vec<_>>());
    assert_eq!((found.loading, only.at_load.load_percent), (Loading::Rate, 100.0));
    assert!(only.curve.iter().all(|point| point.throughput <= point.offered && point.utilizations.iter().all(|part| part.utilization < 1.0)));
    let falls = |before: f64, after: f64| after < before * (1.0 - 1e-9);
    for pair in only.curve.windows(2) {
        assert!(!falls(pair[0].throughput, pair[1].throughput) && !falls(pair[0].latency_ms.unwrap_or(0.0), pair[1].latency_ms.unwrap_or(0.0)), "{pair:?}");
    }
    for point in &only.curve {
        let held = point.throughput * point.latency_ms.expect("a latency") / 1e3;
        assert!(held <= 4096.0 * 1.001, "{held} requests are under way");
    }
}

#[test]
fn a_rate_that_is_asked_for_is_what_is_stepped() {
    let loads = vec![Load { rate: Some(100_000), ..load("sql") }];
    let found = answer(&world(), &Question { workloads: loads, others: Some(Others::Pause), steps: Some(24), ..Question::default() }).expect("an answer");
    let curve = &found.variants[0].curve;
    assert_eq!((curve.len(), curve[19].offered, curve[19].throughput.round()), (24, 100_000.0, 100_000.0));
    assert_eq!((curve[23].offered, found.variants[0].at_load.offered), (120_000.0, 100_000.0));
}

#[test]
fn levels_and_drives_move_what_drives_bear() {
    let change = |level, drives| variant(&format!("{level} {drives}"), |variant| (variant.raid_level, variant.drives) = (Some(level), Some(drives)));
    let compare = vec![
        change(RaidLevel::Raid10, 6),
        change(RaidLevel::Raid5, 6),
        change(RaidLevel::Raid6, 6),
        change(RaidLevel::Raid6, 12),
        change(RaidLevel::Raid10, 24),
    ];
    let found = throughputs(&ask("4k-random-write", compare).expect("an answer"));
    assert!(found[0] > found[1] && found[1] > found[2] && found[3] > found[2] && found[4] >= found[0], "{found:?}");
    near("six drives of RAID 6 write 32,000 x 6 / 6 a group", Some(found[2]), 2.0 * 32_000.0, 1.0);
}

#[test]
fn fewer_ports_and_controllers_carry_less() {
    let ports = |count| variant(&format!("{count} ports"), |variant| variant.ports = Some(count));
    let found = throughputs(&ask("64k-sequential-read", vec![ports(4), ports(2), ports(1)]).expect("an answer"));
    assert!(found[0] > found[1] && found[1] > found[2], "{found:?}");
    near("one port carries 1.6 GB/s", Some(found[2] * 65_536.0), 1.6e9, 2.0);
    let controllers = |count| variant(&format!("{count} controllers"), |variant| variant.controllers = Some(count));
    let found = throughputs(&ask("4k-random-read", vec![controllers(2), controllers(1)]).expect("an answer"));
    near("one of two controllers", Some(found[1] / found[0]), 0.5, 1.0);
}

#[test]
fn ports_that_nobody_uses_can_join() {
    let operations = vec![given::operation(&json!({"port-group.update": {"port_group": "PG0", "ports": ["CM0-CA0-P0"]}}))];
    let compare = [1, 4].map(|count| variant(&format!("{count} ports"), |variant| variant.ports = Some(count))).to_vec();
    let question = Question { operations, workloads: vec![load("64k-sequential-read")], others: Some(Others::Pause), compare, ..Question::default() };
    let found = throughputs(&answer(&world(), &question).expect("an answer"));
    assert!(found[1] > 2.0 * found[0], "{found:?}");
}

#[test]
fn one_pool_can_be_reduced_alone_and_operations_can_make_a_variant() {
    let half = variant("half", |variant| variant.pool_reduction = [("P0".to_owned(), true)].into());
    let moved = variant("moved", |variant| {
        variant.operations = vec![given::operation(&json!({"workload.update": {"workload": "sqlserver-tpcc", "volumes": ["D0", "R1"]}}))];
    });
    let found = throughputs(&ask("sqlserver-tpcc", [reduction(), vec![half, moved]].concat()).expect("an answer"));
    assert!(found[2] < found[0] && found[2] > found[1], "{found:?}");
    assert_eq!(found[2], found[3]);
}

#[test]
fn the_arrays_own_workloads_are_a_noisy_neighbour_unless_they_are_paused() {
    let asked = |others| Question { workloads: vec![load("sql")], others, ..Question::default() };
    let beside = throughputs(&answer(&world(), &asked(None)).expect("an answer"))[0];
    let alone = throughputs(&answer(&world(), &asked(Some(Others::Pause))).expect("an answer"))[0];
    assert!(beside < 0.9 * alone, "{beside} {alone}");
    let own = answer(&world(), &Question::default()).expect("the array has a workload");
    assert_eq!(own.workloads[0].name, "oltp");
}

#[test]
fn what_cannot_be_is_refused_with_the_variant_to_blame() {
    let refused = |profile: &str, compare: Vec<Variant>| ask(profile, compare).expect_err("a refusal");
    let change = |change: fn(&mut Variant)| vec![variant("plain", |_| {}), variant("other", change)];
    let cases = [
        (change(|variant| variant.ports = Some(5)), "ports"),
        (change(|variant| variant.ports = Some(0)), "ports"),
        (change(|variant| variant.controllers = Some(3)), "controllers"),
        (change(|variant| variant.raid_level = Some(RaidLevel::RaidDp)), "raid_level"),
        (change(|variant| variant.drives = Some(7)), "drive_count"),
        (change(|variant| variant.drives = Some(32)), "drive_count"),
        (change(|variant| variant.pool_reduction = [("nowhere".to_owned(), true)].into()), "pool_reduction"),
        (change(|variant| variant.name = "plain".to_owned()), "name"),
    ];
    for (compare, field) in cases {
        let refusal = refused("sql", compare);
        assert_eq!((refusal.variant, refusal.cause.field()), (Some(1), Some(field)), "{}", refusal.cause);
    }
    assert_eq!(refused("nothing", Vec::new()).variant, None);
    let mut plain = world();
    plain.array.personality.reduction_domain = None;
    let refusal = answer(&plain, &Question { compare: reduction(), ..Question::default() }).expect_err("no reduction");
    assert!(matches!(refusal.cause, OpError::NotSupported { .. }), "{}", refusal.cause);
}

#[test]
fn too_much_at_once_and_passwords_are_refused() {
    let refused = |question: Question| answer(&world(), &question).expect_err("a refusal").cause;
    let many = (0..17).map(|number| variant(&number.to_string(), |_| {})).collect();
    assert_eq!(refused(Question { compare: many, ..Question::default() }).field(), Some("compare"));
    assert_eq!(refused(Question { workloads: vec![load("sql"); 17], ..Question::default() }).field(), Some("workloads"));
    for steps in [0, 11, 13, 132] {
        assert!(matches!(refused(Question { steps: Some(steps), ..Question::default() }), OpError::ValueInvalid { .. }), "{steps}");
    }
    assert!(matches!(refused(Question { steps: Some(120), compare: vec![Variant::default(); 5], ..Question::default() }), OpError::OutOfRange { .. }));
    let user = given::operation(&json!({"user.create": {"name": "u", "role": "Monitor", "password": "letters-1-letters"}}));
    let OpError::InList { cause, index: 0, .. } = refused(Question { operations: vec![user], ..Question::default() }) else { panic!("a list") };
    assert!(matches!(*cause, OpError::NotSupported { .. }), "{cause}");
}
