//! The server: its arrays, what new ones can be, its document, its health.

use serde_json::{Value, json};

use super::{Server, names};

#[test]
fn arrays_come_and_go_while_others_stay() {
    let server = Server::start();
    assert_eq!(server.get("/v1/arrays").json(200), json!({"items": [], "next_cursor": null}));
    let answer = server.post("/v1/arrays", json!({"name": "t", "model": "eternus-af250", "seed": 7}));
    let view = answer.json(201);
    assert_eq!((answer.header("location"), &view["path"]), (Some("/v1/arrays/t"), &json!("/v1/arrays/t")));
    assert_eq!([&view["seed"], &view["drives"], &view["volumes"], &view["calibrated"]], [&json!(7), &json!(24), &json!(0), &json!(true)]);
    server.make(json!({"name": "demo", "scenario": "af250"}));
    assert_eq!(server.get("/v1/arrays/demo?fields=model,drives,volumes").json(200), json!({"model": "eternus-af250", "drives": 48, "volumes": 4}));
    assert_eq!(names(&server.get("/v1/arrays").json(200)), ["demo", "t"]);
    assert_eq!(names(&server.get("/v1/arrays?volumes=0").json(200)), ["t"]);
    assert_eq!(names(&server.get("/v1/arrays?limit=1").json(200)), ["demo"]);
    assert_eq!(server.delete("/v1/arrays/demo").status, 204);
    server.get("/v1/arrays/demo").refused("array_not_found");
    server.get("/v1/arrays/demo/volumes").refused("array_not_found");
    server.delete("/v1/arrays/demo").refused("array_not_found");
    assert_eq!(names(&server.get("/v1/arrays").json(200)), ["t"]);
    server.make(json!({"name": "demo", "model": "aff-a250"}));
}

#[test]
fn an_array_has_the_drives_that_are_asked_for() {
    let server = Server::start();
    server.make(json!({"name": "t", "model": "eternus-af250", "drives": 48}));
    assert_eq!(server.get("drives?enclosure=DE01").json(200)["items"].as_array().map(Vec::len), Some(24));
    let mixed = json!([{"count": 4, "type": "sas_ssd", "capacity": "3.84TB"}, {"count": 2, "type": "sas_ssd", "capacity": "1.92TB", "self_encrypting": true}]);
    assert_eq!(server.make(json!({"name": "mixed", "model": "eternus-af250", "drives": mixed}))["drives"], 6);
    let refused = |drives: Value| server.post("/v1/arrays", json!({"name": "x", "model": "eternus-af250", "drives": drives})).problem();
    assert_eq!(refused(json!(49))["code"], "out_of_range");
    assert_eq!(refused(json!([{"count": 1, "type": "sas_ssd", "capacity": "5TB"}]))["code"], "drive_not_offered");
    assert_eq!(refused(json!("many"))["code"], "invalid_body");
}

#[test]
fn a_new_array_that_cannot_be_is_refused() {
    let server = Server::playing("eternus-af250");
    for (body, code, field) in [
        (json!({"name": "t", "model": "eternus-af250"}), "name_taken", "name"),
        (json!({"name": "a/b", "model": "eternus-af250"}), "invalid_name", "name"),
        (json!({"name": "x", "model": "nothing"}), "reference_not_found", "model"),
        (json!({"name": "x", "scenario": "nothing"}), "reference_not_found", "scenario"),
        (json!({"name": "x"}), "missing_field", "model"),
        (json!({"name": "x", "model": "eternus-af250", "scenario": "af250"}), "conflicting_fields", "model"),
        (json!({"model": "eternus-af250"}), "missing_field", "name"),
        (json!({"name": "x", "model": "eternus-af250", "seed": -1}), "invalid_body", "seed"),
    ] {
        assert_eq!(server.post("/v1/arrays", body).refused(code)["field"], field);
    }
    assert_eq!(names(&server.get("/v1/arrays").json(200)), ["t"]);
}

#[test]
fn the_catalogue_tells_what_an_array_can_be_and_where_every_number_is_from() {
    let server = Server::start();
    let models = server.get("/v1/models?fields=name,calibrated").json(200);
    for name in ["eternus-af250", "eternus-af250-s2", "eternus-dx200f", "aff-a250", "aff-a200", "flachesan1l-d", "oceanstor-dorado2100-g2", "esds-s16f"] {
        assert!(names(&models).contains(&name), "{name}");
    }
    let model = server.get("/v1/models/eternus-af250").json(200);
    assert!(model["facts"].as_array().is_some_and(|facts| facts.iter().all(|fact| fact["source"].is_string())));
    server.get("/v1/models/nothing").refused("not_found");
    let scenarios = server.get("/v1/scenarios").json(200);
    for name in names(&scenarios) {
        assert!(server.get(&format!("/v1/scenarios/{name}")).json(200)["operations"].is_array());
        server.make(json!({"name": name, "scenario": name}));
        assert_eq!(server.get(&format!("/v1/arrays/{name}/consistency")).json(200)["problems"], json!([]), "{name}");
    }
    server.get("/v1/scenarios/nothing").refused("not_found");
    let profiles = server.get("/v1/profiles").json(200);
    assert!(names(&profiles).contains(&"sqlserver-tpcc"));
    assert_eq!(server.get("/v1/models?calibrated=false&fields=name").json(200)["items"], json!([{"name": "unlimited"}]));
}

#[test]
fn the_server_shows_its_document_its_reader_and_its_health() {
    let server = Server::start();
    assert_eq!(server.get("/openapi.json").body, arrayplane::front::api::text());
    let docs = server.get("/docs");
    assert_eq!((docs.status, docs.header("location")), (302, Some("/docs/")));
    let page = server.get("/docs/");
    assert!(page.status == 200 && page.body.contains("swagger-ui"), "{page:?}");
    assert_eq!((server.get("/healthz").body.as_str(), server.get("/readyz").status), ("ok\n", 200));
    let named = server.send("GET", "/v1/arrays", "X-Request-Id: mine-1\r\n", b"");
    assert_eq!(named.header("x-request-id"), Some("mine-1"));
    let head = server.ask("HEAD", "/v1/arrays", &Value::Null);
    assert_eq!((head.status, head.body.as_str(), head.header("content-type")), (200, "", Some("application/json")));
}
