//! `POST /v1/what-if` over the wire: what it answers, that it changes nothing, and whom it is for.

use serde_json::{Value, json};

use super::Server;

fn question(about: Value, rest: Value) -> Value {
    let mut whole = about;
    if let (Some(whole), Value::Object(rest)) = (whole.as_object_mut(), rest) {
        whole.extend(rest);
    }
    whole
}

fn tpcc() -> Value {
    json!({"workloads": [{"profile": "sqlserver-tpcc", "users": 60000}],
        "compare": [{"name": "off", "data_reduction": false}, {"name": "on", "data_reduction": true}]})
}

#[test]
fn a_model_stands_for_its_review_and_the_penalty_is_the_published_one() {
    let server = Server::start();
    let found = server.post("/v1/what-if", question(json!({"model": "eternus-af250"}), tpcc())).json(200);
    let at = |variant: usize, field: &str| found["variants"][variant]["at_load"][field].as_f64().unwrap_or_default();
    assert!((at(0, "throughput") / 12_622.1 - 1.0).abs() < 0.005 && (at(1, "throughput") / 9_836.6 - 1.0).abs() < 0.01, "{found:#}");
    assert!((at(0, "latency_ms") / 9.8 - 1.0).abs() < 0.01 && (at(1, "latency_ms") / 1_374.3 - 1.0).abs() < 0.01, "{found:#}");
    assert_eq!((&found["loading"], &found["unit"], found["variants"][1]["curve"].as_array().map(Vec::len)), (&json!("users"), &json!("transaction"), Some(12)));
}

#[test]
fn asking_about_an_array_of_the_server_changes_nothing() {
    let server = Server::start();
    server.post("/v1/arrays", json!({"name": "demo", "scenario": "af250", "clock": {"mode": "manual"}})).json(201);
    let before = server.get("/v1/arrays/demo/performance").body;
    let rest = json!({"compare": [{"name": "failed", "operations": [{"controller.fail": {"controller": "CM1"}}]}, {"name": "one", "controllers": 1}]});
    let found = server.post("/v1/what-if", question(json!({"array": "demo"}), rest)).json(200);
    assert_eq!(found["workloads"][0]["name"], "oltp");
    assert_eq!(server.get("/v1/arrays/demo/performance").body, before);
    assert_eq!(server.get("/v1/arrays/demo/journal").json(200)["items"], json!([]));
}

#[test]
fn refusals_name_the_field_and_the_variant() {
    let server = Server::start();
    let refused = |body: Value, code: &str, field: &str| {
        let problem = server.post("/v1/what-if", body.clone()).refused(code);
        assert_eq!(problem["field"], field, "{body}: {problem:#}");
        assert!(problem["cure"].as_str().is_some_and(|cure| !cure.is_empty()), "{problem:#}");
    };
    let af250 = json!({"scenario": "af250"});
    refused(json!({}), "missing_field", "array");
    refused(json!({"array": "a", "model": "b"}), "conflicting_fields", "array");
    refused(json!({"array": "nowhere"}), "array_not_found", "array");
    refused(json!({"model": "nothing"}), "reference_not_found", "model");
    refused(question(af250.clone(), json!({"colour": 1})), "unknown_field", "colour");
    refused(question(af250.clone(), json!({"workloads": [{"users": 5}]})), "missing_field", "workloads[0].profile");
    refused(question(af250.clone(), json!({"compare": [{"name": "a"}, {"name": "b", "ports": 9}]})), "out_of_range", "compare[1].ports");
    refused(question(af250.clone(), json!({"steps": 7})), "invalid_value", "steps");
    let operations = json!({"operations": [{"volume.delete": {"volume": "nothing"}}]});
    let problem = server.post("/v1/what-if", question(af250.clone(), operations)).refused("reference_not_found");
    assert_eq!((&problem["index"], &problem["operation"]), (&json!(0), &json!("volume.delete")));
    server.post("/v1/what-if", question(af250, json!({"operations": [{"volume.paint": {}}]}))).refused("unknown_operation");
    server.post("/v1/what-if", json!({"model": "unlimited"})).refused("missing_field");
}
