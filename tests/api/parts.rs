//! Fixed parts: enclosures, controllers, host ports, drives. They are read and changed, never made or deleted.

use serde_json::{Value, json};

use super::{Server, names};

#[test]
fn parts_are_read_and_changed_but_neither_made_nor_deleted() {
    let server = Server::playing("eternus-af250");
    for (plural, one) in [("enclosures", "CE"), ("controllers", "CM1"), ("host-ports", "CM1-CA0-P1"), ("drives", "CE-Disk%235")] {
        server.post(plural, json!({"name": "new"})).refused("method_not_allowed");
        let path = format!("{plural}/{one}");
        server.delete(&path).refused("method_not_allowed");
        let view = server.get(&path).json(200);
        let (id, number) = (view["id"].as_str().expect("an id"), view["number"].as_u64().expect("a number"));
        assert_eq!(server.get(&format!("{plural}/{id}")).json(200), view);
        assert_eq!(server.get(&format!("{plural}/{number}")).json(200), view);
        server.get(&format!("{plural}/nowhere")).refused("not_found");
        server.patch(&path, json!({"colour": "red"})).refused("unknown_field");
    }
    assert_eq!(names(&server.get("controllers").json(200)), ["CM0", "CM1"]);
    assert_eq!(names(&server.get("host-ports?controller=CM0").json(200)), ["CM0-CA0-P0", "CM0-CA0-P1"]);
}

#[test]
fn lights_are_switched_on_and_off() {
    let server = Server::playing("eternus-af250");
    for path in ["enclosures/CE", "controllers/CM0", "drives/0"] {
        assert_eq!(server.get(path).json(200)["locate"], false, "{path}");
        for locate in [true, false] {
            assert_eq!(server.patch(path, json!({"locate": locate})).json(200)["locate"], locate, "{path}");
            assert_eq!(server.get(path).json(200)["locate"], locate, "{path}");
        }
    }
}

#[test]
fn a_drive_becomes_a_spare_unless_it_is_in_use() {
    let server = Server::playing("eternus-af250");
    assert_eq!(server.patch("drives/23", json!({"spare": true})).json(200)["usage"], "spare");
    let group = server.post("raid-groups", json!({"name": "RG0", "level": "raid5", "drive_count": 16})).json(201);
    assert_eq!(group["drives"].as_array().map(Vec::len), Some(16));
    let member = server.get("drives/0").json(200);
    assert_eq!((&member["usage"], &member["raid_group"]), (&json!("data"), &json!("RG0")));
    assert_eq!(server.patch("drives/0", json!({"spare": true})).refused("in_use")["noun"], "drive");
    let count = |query: &str| server.get(&format!("drives?{query}")).json(200)["items"].as_array().map(Vec::len);
    assert_eq!((count("usage=spare"), count("raid_group=RG0"), count("usage=unused")), (Some(1), Some(16), Some(7)));
    assert_eq!(server.patch("drives/23", json!({"spare": false})).json(200)["usage"], "unused");
}

#[test]
fn a_port_speaks_another_protocol_or_none() {
    let server = Server::playing("eternus-af250");
    let port = server.get("host-ports/CM0-CA0-P0").json(200);
    assert_eq!((&port["protocol"], &port["status"], &port["port_groups"]), (&json!("fc"), &json!("up"), &json!([])));
    let modes: Vec<&Value> = port["modes"].as_array().into_iter().flatten().map(|mode| &mode["protocol"]).collect();
    assert_eq!(modes, ["fc", "iscsi", "fcoe"]);
    let changed = server.patch("host-ports/CM0-CA0-P0", json!({"protocol": "iscsi"})).json(200);
    assert_eq!((&changed["protocol"], &changed["line_rate"]), (&json!("iscsi"), &json!(1_150_000_000)));
    assert_eq!(server.patch("host-ports/CM0-CA0-P0", json!({"protocol": "ethernet"})).refused("not_supported")["field"], "protocol");
    assert_eq!(server.patch("host-ports/CM0-CA0-P1", json!({"enabled": false})).json(200)["status"], "down");
    server.post("port-groups", json!({"name": "PG0", "ports": ["CM0-CA0-P0"]})).json(201);
    assert_eq!(
        server.patch("host-ports/CM0-CA0-P0", json!({"protocol": "fc"})).refused("in_use")["detail"].as_str().map(|text| text.contains("PG0")),
        Some(true)
    );
}
