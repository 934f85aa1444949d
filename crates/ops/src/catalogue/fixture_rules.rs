//! What every fixture must obey.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::facts::lay_over;
use super::fixtures::{CALIBRATIONS, Fixture, MODELS, PERSONALITIES, SCENARIOS, WORKLOADS};
use super::{model, models, profiles, scenario};
use crate::units::{Bytes, SimSpan};

fn all() -> Vec<Fixture> {
    [&MODELS[..], &PERSONALITIES, &CALIBRATIONS, &WORKLOADS, &SCENARIOS].concat()
}

fn document(fixture: &Fixture) -> Value {
    serde_saphyr::from_str(fixture.text).unwrap_or_else(|error| panic!("{}: {error}", fixture.file))
}

#[test]
fn every_fixture_in_the_folders_is_embedded() {
    let embedded: BTreeSet<String> = all().iter().map(|fixture| fixture.file.to_owned()).collect();
    let mut found = BTreeSet::new();
    for folder in ["models", "personalities", "calibration", "workloads", "scenarios"] {
        let path = format!("{}/../../fixtures/{folder}", env!("CARGO_MANIFEST_DIR"));
        for entry in std::fs::read_dir(&path).expect(&path) {
            found.insert(format!("{folder}/{}", entry.expect(&path).file_name().to_string_lossy()));
        }
    }
    assert_eq!(embedded, found);
}

#[test]
fn every_fixture_can_be_read_and_is_listed_by_name() {
    let names = |fixtures: &[Fixture]| fixtures.iter().map(|fixture| fixture.name).collect::<Vec<_>>();
    for name in names(&MODELS) {
        assert!(model(name).is_ok_and(|model| model.name == name), "{name}: {:?}", model(name).err());
    }
    for name in names(&SCENARIOS) {
        assert!(scenario(name).is_ok_and(|scenario| scenario.name == name), "{name}: {:?}", scenario(name).err());
    }
    for list in [names(&MODELS), names(&SCENARIOS)] {
        assert!(list.is_sorted(), "{list:?}");
    }
    assert_eq!(models().len(), MODELS.len());
    assert_eq!(super::scenarios().len(), SCENARIOS.len());
    let listed: Vec<&str> = profiles().iter().map(|profile| profile.name.as_str()).collect();
    let once: BTreeSet<&str> = listed.iter().copied().collect();
    assert_eq!((listed.len(), listed.len()), (once.len(), 32), "{listed:?}");
    assert!(listed.is_sorted());
}

/// Whether a leaf of a document is a number, or text that says one.
fn is_number(leaf: &Value) -> bool {
    match leaf {
        Value::Number(_) => true,
        Value::String(text) => text.parse::<f64>().is_ok() || text.parse::<Bytes>().is_ok() || text.parse::<SimSpan>().is_ok(),
        _ => false,
    }
}

/// The numbers that stand in no entry with a source.
fn without_source(part: &Value, place: &str, found: &mut Vec<String>) {
    match part {
        Value::Object(entries) if entries.get("source").and_then(Value::as_str).is_some_and(|source| !source.trim().is_empty()) => {}
        Value::Object(entries) => entries.iter().for_each(|(key, inner)| without_source(inner, &format!("{place}.{key}"), found)),
        Value::Array(items) => items.iter().enumerate().for_each(|(index, inner)| without_source(inner, &format!("{place}.{index}"), found)),
        leaf if is_number(leaf) => found.push(format!("{place}: {leaf}")),
        _ => {}
    }
}

#[test]
fn every_number_has_a_source() {
    let mut found = Vec::new();
    for fixture in all() {
        without_source(&document(&fixture), fixture.file, &mut found);
    }
    assert!(found.is_empty(), "{found:#?}");
    let mut caught = Vec::new();
    without_source(&serde_json::json!({"a": 1, "b": {"value": 2, "source": "s"}, "c": [{"d": "4TB"}]}), "", &mut caught);
    assert_eq!(caught, [".a: 1", ".c.0.d: \"4TB\""]);
}

#[test]
fn facts_of_a_model_name_the_rules_that_it_has() {
    let facts = |name: &str| -> BTreeMap<String, (Value, String)> {
        let model = model(name).expect(name);
        model.facts.iter().map(|fact| (fact.item.clone(), (fact.value.clone(), fact.source.clone()))).collect()
    };
    let (first, second) = (facts("eternus-af250"), facts("eternus-af250-s2"));
    assert_eq!(first["rules.limits.volumes"].0, 4096);
    assert_eq!(second["rules.limits.volumes"].0, 8192);
    assert_eq!(first["rules.limits.hosts"], (1024.into(), "StorageReview, Fujitsu Storage ETERNUS AF250 review".to_owned()));
    assert!(models().iter().all(|model| model.facts.iter().all(|fact| !fact.source.is_empty())));
}

#[test]
fn a_models_rules_override_only_what_the_personality_says() {
    let shared: BTreeMap<&str, Value> = PERSONALITIES.iter().map(|fixture| (fixture.name, document(fixture)["rules"].clone())).collect();
    for fixture in &MODELS {
        let document = document(fixture);
        let base = &shared[document["personality"].as_str().expect(fixture.name)];
        let mut both = base.clone();
        lay_over(&mut both, document.get("rules").unwrap_or(&serde_json::json!({})));
        assert_eq!(keys(&both), keys(base), "{}", fixture.name);
        assert_eq!(keys(&both["limits"]), keys(&base["limits"]), "{}", fixture.name);
    }
}

#[test]
fn every_personality_says_all_that_parts_do() {
    let known = serde_json::to_value(crate::model::PartRules::default()).expect("rules are data");
    let sorted = |part: &Value| keys(part).into_iter().cloned().collect::<BTreeSet<String>>();
    for fixture in &PERSONALITIES {
        assert_eq!(sorted(&document(fixture)["rules"]["parts"]), sorted(&known), "{}", fixture.name);
    }
}

fn keys(part: &Value) -> Vec<&String> {
    part.as_object().map(|entries| entries.keys().collect()).unwrap_or_default()
}
