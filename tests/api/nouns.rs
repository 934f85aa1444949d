//! What holds for every noun that can be made, changed and deleted: statuses, places, the three ways to name it, complete views.

use serde_json::{Value, json};

use super::{Server, names};
use crate::golden;

/// One noun: on which of the two arrays, where, what makes one, what changes it, and what the change leaves in its view.
struct Noun {
    array: &'static str,
    plural: &'static str,
    make: Value,
    change: Value,
}

fn noun(array: &'static str, plural: &'static str, make: Value, change: Value) -> Noun {
    Noun { array, plural, make, change }
}

/// In an order in which each finds what it needs; deleted in the opposite one.
fn nouns() -> Vec<Noun> {
    vec![
        noun("t", "raid-groups", json!({"name": "RG0", "level": "raid5", "drive_count": 4}), json!({"name": "RG9"})),
        noun("t", "pools", json!({"name": "P0", "level": "raid1+0", "drive_count": 4}), json!({"name": "P9"})),
        noun("t", "volumes", json!({"name": "V1", "pool": "P9", "size": "1TB"}), json!({"name": "Copy", "copy_protection": false})),
        noun("t", "volumes", json!({"name": "V0", "pool": "P9", "size": "1TB"}), json!({"name": "V9", "attention_percent": 50})),
        noun("t", "copy-sessions", json!({"kind": "snap_opc_plus", "source": "V9", "destination": "Copy"}), json!({"name": "S9", "priority": "high"})),
        noun("t", "tenants", json!({"name": "T0", "pools": ["P9"]}), json!({"name": "T9", "comment": "kept", "capacity_limit": "1TB", "volume_limit": 7})),
        noun(
            "t",
            "interfaces",
            json!({"name": "I0", "services": ["management"], "home_controller": "CM0", "address": "10.0.0.1", "prefix_length": 24, "tenant": "T9"}),
            json!({"name": "I9", "address": "2001:DB8::1", "prefix_length": 64, "enabled": false}),
        ),
        noun("t", "qos-policies", json!({"name": "Q0", "level": 3, "tenant": "T9"}), json!({"name": "Q9", "level": 15})),
        noun("t", "host-responses", json!({"name": "R0"}), json!({"name": "R9", "manners": {"flat_space_addressing": true, "alua": "active_active"}})),
        noun("t", "hosts", json!({"name": "H0", "protocol": "fc", "wwn": "10:00:00:90:FA:00:00:01"}), json!({"name": "H9", "alias": "db"})),
        noun("t", "host-groups", json!({"name": "HG0", "hosts": ["H9"]}), json!({"name": "HG9"})),
        noun("t", "port-groups", json!({"name": "PG0", "ports": ["CM0-CA0-P0"]}), json!({"name": "PG9", "add_ports": ["CM1-CA0-P0"]})),
        noun("t", "lun-groups", json!({"name": "LG0"}), json!({"name": "LG9", "add_luns": [{"lun": 7, "volume": "V9"}]})),
        noun("t", "affinities", json!({"host_group": "HG9", "port_group": "PG9", "lun_group": "LG9"}), json!({"name": "A9"})),
        noun("t", "mappings", json!({"volume": "V9", "host": "H9"}), json!({"name": "M9", "lun": 3})),
        noun("t", "workloads", json!({"name": "W0", "profile": "custom", "volumes": ["V9"]}), json!({"name": "W9", "outstanding": 8, "rate": 100})),
        noun("t", "records", json!({"kind": "schedule", "name": "E0", "notes": {"minutes": [5]}}), json!({"name": "E9", "notes": {"minutes": [5, 35]}})),
        noun("t", "roles", json!({"name": "R0", "policies": ["status_display"]}), json!({"name": "R9", "web_login": false})),
        noun("o", "containers", json!({"name": "C0", "pool": "P0", "size": "1TB"}), json!({"name": "C9", "size": "2TB", "compression": true})),
        noun("o", "snapshots", json!({"container": "C9", "name": "S0"}), json!({"name": "S9", "comment": "kept"})),
    ]
}

fn server() -> Server {
    let server = Server::start();
    server.make_still("t", "eternus-af250", 7);
    server.make_still("o", "aff-a250", 7);
    server.post("/v1/arrays/o/pools", json!({"name": "P0", "level": "raid-dp", "drive_count": 6})).json(201);
    server
}

/// Makes one of every noun and changes it; answers with its path and its view.
fn furnish(server: &Server) -> Vec<(String, Value)> {
    let mut made = Vec::new();
    for Noun { array, plural, make, change } in nouns() {
        let list = format!("/v1/arrays/{array}/{plural}");
        let answer = server.post(&list, make);
        let view = answer.json(201);
        let place = answer.header("location").expect("a new thing has a place").to_owned();
        assert_eq!(place, format!("{list}/{}", view["id"].as_str().expect("an id")));
        assert_eq!(answer.header("content-type"), Some("application/json"));
        assert_eq!(server.get(&place).json(200), view, "{place} shows what was made");
        let changed = server.patch(&place, change.clone()).json(200);
        assert_eq!(changed["name"], change["name"]);
        assert_eq!(changed["id"], view["id"], "a new name keeps the identifier");
        made.push((place, changed));
    }
    made
}

#[test]
fn what_is_made_is_found_by_id_number_and_name_and_in_the_list() {
    let server = server();
    for (place, _) in furnish(&server) {
        let (list, id) = place.rsplit_once('/').expect("a path");
        let view = server.get(&place).json(200);
        let (number, name) = (&view["number"], view["name"].as_str().expect("a name"));
        for reference in [id, &number.to_string(), name] {
            assert_eq!(server.get(&format!("{list}/{reference}")).json(200), view, "{list}/{reference}");
        }
        let listed = server.get(&format!("{list}?id={id}")).json(200);
        assert_eq!(listed["items"], json!([view]), "a list shows the same view");
        assert_eq!(server.get(&format!("{list}?name={name}&fields=name")).json(200)["items"], json!([{"name": name}]));
        assert_eq!(server.get(&format!("{place}?fields=number,name")).json(200), json!({"number": number, "name": name}));
        let unknown = server.get(&format!("{list}/nowhere")).refused("not_found");
        assert_eq!((&unknown["status"], &unknown["value"]), (&json!(404), &json!("nowhere")));
    }
}

#[test]
fn a_name_in_use_an_unknown_field_and_a_missing_target_are_refused_alike_for_every_noun() {
    let server = server();
    furnish(&server);
    for Noun { array, plural, mut make, change } in nouns() {
        let list = format!("/v1/arrays/{array}/{plural}");
        make["colour"] = json!("red");
        let problem = server.post(&list, make.clone()).refused("unknown_field");
        assert_eq!(problem["field"], "colour", "{list}");
        assert!(problem["cure"].as_str().is_some_and(|cure| cure.contains("name")), "the cure names what there is: {problem}");
        assert_eq!(server.post(&list, json!({})).problem()["status"], 400, "{list}");
        assert_eq!(server.patch(&format!("{list}/nowhere"), change).refused("not_found")["status"], 404);
        assert_eq!(server.delete(&format!("{list}/nowhere")).refused("not_found")["status"], 404);
        assert_eq!(server.get(&format!("{list}?colour=red")).refused("unknown_field")["field"], "colour");
        assert_eq!(server.ask("PUT", &list, &Value::Null).refused("method_not_allowed")["limit"], "GET, HEAD, POST");
    }
}

#[test]
fn an_empty_change_changes_nothing_and_what_is_deleted_is_gone() {
    let server = server();
    let made = furnish(&server);
    for (place, _) in &made {
        let before = server.get(place).json(200);
        assert_eq!(server.patch(place, json!({})).json(200), before, "{place}");
    }
    for (place, _) in made.iter().rev() {
        let deleted = server.delete(place);
        assert_eq!((deleted.status, deleted.body.as_str()), (204, ""), "{place}");
        server.get(place).refused("not_found");
        let list = place.rsplit_once('/').expect("a path").0;
        assert!(!names(&server.get(list).json(200)).iter().any(|name| name.ends_with('9')), "{list}");
    }
    for array in ["t", "o"] {
        assert_eq!(server.get(&format!("/v1/arrays/{array}/consistency")).json(200), json!({"consistent": true, "problems": []}));
    }
}

/// The nouns and wholes whose views are not in [`nouns`].
const OTHERS: [&str; 22] = [
    "t",
    "t/enclosures/CE",
    "t/controllers/CM0",
    "t/host-ports/CM0-CA0-P0",
    "t/parts/CE-PSU%230",
    "t/parts/CE-Inlet",
    "t/parts/CM0-BBU",
    "t/volumes/V9/paths?limit=1",
    "t/drives/CE-Disk%230",
    "t/settings",
    "t/clock",
    "t/capacity",
    "t/jobs?limit=1",
    "t/events?limit=1",
    "t/journal?limit=1",
    "t/performance",
    "t/performance/history?metric=iops,latency_ms&from=2026-01-01T00:00:00Z&step=1h",
    "t/performance/counters/controller/CM0",
    "o/host-ports/0",
    "t/users/root",
    "t/roles/StorageAdmin",
    "t/password-policy",
];

/// Broken numbers to six digits: their last ones are the mathematics library's.
fn rounded(view: Value) -> Value {
    match view {
        Value::Number(number) if number.is_f64() => {
            format!("{:.5e}", number.as_f64().unwrap_or_default()).parse::<f64>().map_or(Value::Null, |short| json!(short))
        }
        Value::Array(items) => items.into_iter().map(rounded).collect(),
        Value::Object(fields) => fields.into_iter().map(|(name, field)| (name, rounded(field))).collect(),
        other => other,
    }
}

#[test]
fn views_are_complete() {
    let server = server();
    let mut text = String::new();
    let made = furnish(&server);
    server.post("volumes/V9/write", json!({"bytes": "100GB"})).json(200);
    server.post("volumes", json!({"name": "T0", "raid_group": "RG9", "size": "100GB"})).json(201);
    server.post("volumes/T0/format", json!({})).json(202);
    server.post("clock/advance", json!({"by": "30s"})).json(200);
    let paths = made.iter().map(|(place, _)| place.clone()).chain(OTHERS.iter().map(|other| format!("/v1/arrays/{other}")));
    for path in paths {
        let view = serde_json::to_string_pretty(&rounded(server.get(&path).json(200))).expect("JSON");
        text.push_str(&format!("GET {path}\n{view}\n\n"));
    }
    golden::check("api/views.golden", &text);
}
