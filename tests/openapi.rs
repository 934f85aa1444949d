//! The document: it is checked in as it is made, every operation in it is exercised, and every answer is as it says.

mod schema;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use arrayplane::catalogue;
use arrayplane::front::{api, ontap};
use serde_json::Value;

use self::schema::Document;
use crate::api::walk::walk;

#[test]
fn the_checked_in_document_is_the_one_that_the_code_makes() {
    let kept = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi/arrayplane.json")).unwrap_or_default();
    assert!(kept == api::text(), "openapi/arrayplane.json is out of date: cargo run -- openapi > openapi/arrayplane.json");
}

#[test]
fn the_document_of_the_ontap_front_and_the_table_of_its_collections_are_those_that_the_code_makes() {
    let world = catalogue::scenario("aff-a250").expect("known").play(None).expect("it can be played");
    let made = ontap::document(&world, ontap::Version::DEFAULT);
    let at = |file: &str| fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap_or_default();
    let kept: Value = serde_json::from_str(&at("openapi/ontap.json")).unwrap_or_default();
    assert!(kept == made, "openapi/ontap.json is out of date: cargo run -- openapi ontap > openapi/ontap.json");
    assert!(at("README.md").contains(&ontap::support_table()), "the table in README.md is out of date: cargo run -- openapi ontap-table");
}

#[test]
fn every_documented_operation_is_exercised_and_answers_as_documented() {
    let document = Document::read(&api::text());
    let mut walked = BTreeSet::new();
    for (step, answer) in walk() {
        let operation = document.operation(step.method, &step.template);
        let schema = document.answer(operation, answer.status);
        match (schema, answer.body.as_str()) {
            (None, body) => assert_eq!(body, "", "{} {} answers with a body that is not documented", step.method, step.template),
            (Some(schema), body) => {
                let read = || serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {body}"));
                let body: Value = if body.starts_with("<svg") { Value::String(body.to_owned()) } else { read() };
                let objections = document.objections(schema, &body);
                assert!(objections.is_empty(), "{} {} {}: {objections:#?}\n{body:#}", step.method, step.template, step.status);
            }
        }
        walked.insert((step.method.to_owned(), step.template));
    }
    let missing: Vec<_> = document.operations().difference(&walked).cloned().collect();
    assert!(missing.is_empty(), "documented, but not exercised by tests/api/walk.rs: {missing:#?}");
}

#[test]
fn examples_are_what_their_schemas_say() {
    let document = Document::read(&api::text());
    let mut seen = 0;
    for (place, schema, example) in document.examples() {
        let objections = document.objections(schema, example);
        assert!(objections.is_empty(), "{place}: {objections:#?}\n{example:#}");
        seen += 1;
    }
    assert!(seen > 100, "only {seen} examples were found");
}

#[test]
fn every_body_has_an_example_of_the_whole() {
    let document = Document::read(&api::text());
    for (method, template) in document.operations() {
        let Some(body) = document.body(document.operation(&method, &template)) else { continue };
        let takes_fields = body.get("properties").and_then(Value::as_object).is_some_and(|fields| !fields.is_empty());
        assert!(!takes_fields || body.get("examples").is_some(), "{method} {template}: no example of a body");
    }
}

#[test]
fn every_scenario_fits_the_schema_of_scenarios_and_a_misspelt_field_does_not() {
    let schema = Document::read(&api::scenario_schema());
    let objections = |text: &str| schema.objections(&schema.either(), &serde_saphyr::from_str(text).expect("YAML"));
    for folder in ["fixtures/scenarios", "tests/image"] {
        let files = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).expect("a folder").map(|file| file.expect("a file").path());
        for file in files.filter(|file| file.extension().is_some_and(|ending| ending == "yaml")) {
            let text = fs::read_to_string(&file).expect("text");
            assert_eq!(objections(&text), Vec::<String>::new(), "{}", file.display());
        }
    }
    assert_eq!(objections("- volume.create: {name: V0, pool: P0, size: 1GiB}"), Vec::<String>::new());
    for wrong in ["- volume.create: {nam: V0, pool: P0, size: 1GiB}", "- volume.invent: {}", "model: af251\noperations: []", "operations: []\ncolour: red"] {
        assert_ne!(objections(wrong), Vec::<String>::new(), "{wrong}");
    }
}

#[test]
fn a_wrong_answer_would_be_seen() {
    let document = Document::read(&api::text());
    let pool = document.named("Pool");
    let wrong = serde_json::json!({"id": 7, "name": "P0", "level": "raid9", "colour": "red"});
    let objections = document.objections(pool, &wrong).join("\n");
    for word in ["id: ", "level: ", "capacity is missing", "colour is not documented"] {
        assert!(objections.contains(word), "{word} is not among\n{objections}");
    }
}
