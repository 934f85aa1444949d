//! What every scenario must obey.

use super::fixtures::SCENARIOS;
use super::{ScenarioError, parse, scenario, scenarios};
use crate::engine::problems;
use crate::model::Object;
use crate::perf::report::measure;

#[test]
fn every_scenario_plays_and_is_consistent() {
    assert_eq!(scenarios().len(), SCENARIOS.len());
    for scenario in scenarios() {
        let world = scenario.play(Some(7)).unwrap_or_else(|error| panic!("{}: {error}", scenario.name));
        assert_eq!(problems(&world), Vec::<String>::new(), "{}", scenario.name);
        assert_eq!(world.array.facts.model, scenario.model);
    }
}

#[test]
fn one_seed_gives_one_world() {
    for scenario in scenarios() {
        let text = |seed| serde_json::to_string(&scenario.play(Some(seed)).expect("a world")).expect("text");
        assert_eq!(text(7), text(7), "{}", scenario.name);
        assert_ne!(text(7), text(8), "{}", scenario.name);
    }
}

#[test]
fn a_scenario_of_ones_own_is_read_and_its_refusals_name_the_operation() {
    let own =
        |operation: &str| parse(&format!("name: own\ntitle: t\ndescription: d\nsource: me\nmodel: eternus-af250\ndrives: 24\noperations:\n  - {operation}\n"));
    let good = own("raid-group.create: {name: RG0, level: raid1+0, drive_count: 12}").expect("a scenario");
    assert_eq!(good.play(None).map(|world| world.array.raid_groups.len()), Ok(1));
    let refused = own("raid-group.delete: {raid_group: RG0}").expect("a scenario").play(None).expect_err("no such group");
    assert!(matches!(&refused, ScenarioError::Refused { index: 0, operation: "raid-group.delete", .. }), "{refused}");
    for text in ["raid-group.create: {nam: RG0}", "raid-group.invent: {}", "raid-group.delete"] {
        assert!(matches!(own(text), Err(ScenarioError::Unreadable { .. })), "{text}");
    }
    assert_eq!(scenario("af251").expect_err("no such scenario").code(), "unknown_scenario");
}

#[test]
fn the_af250_scenario_has_room_and_a_running_workload() {
    let world = scenario("af250").expect("af250").play(Some(7)).expect("a world");
    assert_eq!(world.array.drives.len(), 48);
    for name in ["RG0", "RG1"] {
        let group = world.array.raid_groups.named(name, None).expect(name);
        assert!(group.free().get() >= 1_000_000_000_000, "{name}");
    }
    assert_eq!(world.workloads.iter().map(Object::name).collect::<Vec<_>>(), ["oltp"]);
}

#[test]
fn the_af250_scenarios_run_as_the_review_says() {
    for (name, tps, within, latency_ms, latency_within) in [("af250", 12_622.0, 0.005, 9.8, 0.05), ("af250-dr", 9_837.0, 0.01, 1_356.0, 0.03)] {
        let world = scenario(name).expect(name).play(None).expect(name);
        let report = measure(&world.array, &world.workloads);
        let oltp = &report.workloads[0];
        let (got, latency) = (oltp.tps.expect("transactions"), oltp.latency_ms.expect("a latency"));
        assert!((got / tps - 1.0).abs() <= within, "{name}: {got} tps");
        assert!((latency / latency_ms - 1.0).abs() <= latency_within, "{name}: {latency} ms");
    }
}

#[test]
fn a_password_in_a_scenario_is_sealed_when_it_is_played_also_in_a_job() {
    let text = "name: own\ntitle: t\ndescription: d\nsource: me\nmodel: eternus-af250\noperations:\n  \
        - user.create: {name: mona, role: Monitor, password: watch-0nly}\n  \
        - job.submit: {after: 1h, operation: {user.update: {user: mona, password: later-0nly}}}\n";
    let world = parse(text).expect("a scenario").play(None).expect("a world");
    let kept = serde_json::to_string(&world).expect("text");
    assert_eq!(kept.matches("$argon2id$").count(), 2);
    assert!(!kept.contains("watch-0nly") && !kept.contains("later-0nly"), "{kept}");
}
