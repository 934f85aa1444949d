//! Hardware: enclosures, controllers, host ports, parts, drives; and breaking it on purpose.

use serde_json::{Value, json};

use super::{Server, names};

#[test]
fn parts_are_read_and_changed_but_neither_made_nor_deleted() {
    let server = Server::playing("eternus-af250");
    for (plural, one, fixed) in [
        ("enclosures", "CE", false),
        ("controllers", "CM1", true),
        ("host-ports", "CM1-CA0-P1", true),
        ("parts", "CE-PSU%231", true),
        ("drives", "CE-Disk%235", false),
    ] {
        let path = format!("{plural}/{one}");
        if fixed {
            server.post(plural, json!({"name": "new"})).refused("method_not_allowed");
            server.delete(&path).refused("method_not_allowed");
        }
        let view = server.get(&path).json(200);
        let (id, number) = (view["id"].as_str().expect("an id"), view["number"].as_u64().expect("a number"));
        assert_eq!(server.get(&format!("{plural}/{id}")).json(200), view);
        assert_eq!(server.get(&format!("{plural}/{number}")).json(200), view);
        server.get(&format!("{plural}/nowhere")).refused("not_found");
        if plural != "parts" {
            server.patch(&path, json!({"colour": "red"})).refused("unknown_field");
        }
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

#[test]
fn a_controller_fails_its_partner_works_for_it_and_it_gets_its_groups_back() {
    let server = Server::start();
    server.make_still("t", "eternus-af250", 7);
    server.post("raid-groups", json!({"name": "RG0", "level": "raid5", "drive_count": 4, "controller": "CM0"})).json(201);
    assert_eq!(server.get("controllers/CM0").json(200)["acts_for"], json!(["RG0"]));
    assert_eq!(server.post("controllers/CM0/fail", json!({})).json(200)["possession"], "leaving");
    let array = server.get("/v1/arrays/t").json(200);
    assert_eq!((&array["status"], &array["ready"], &array["write_through"]), (&json!("error"), &json!(true), &json!(true)));
    assert_eq!(array["write_through_reasons"], json!(["partner_missing", "changing_controller"]));
    server.post("clock/advance", json!({"by": "5s"})).json(200);
    assert_eq!(server.get("controllers/CM1").json(200)["acts_for"], json!(["RG0"]));
    assert_eq!(server.get("host-ports/CM0-CA0-P0").json(200)["state"], "offline");
    assert_eq!(server.post("controllers/CM0/giveback", json!({})).refused("wrong_state")["noun"], "controller");
    assert_eq!(server.post("controllers/CM0/restore", json!({})).json(200)["status"], "starting");
    server.post("clock/advance", json!({"until": "idle"})).json(200);
    let (controller, array) = (server.get("controllers/CM0").json(200), server.get("/v1/arrays/t").json(200));
    assert_eq!((&controller["possession"], &controller["acts_for"]), (&json!("own"), &json!(["RG0"])));
    assert_eq!((&array["status"], &array["write_through"], &array["conditions"]), (&json!("normal"), &json!(false), &json!([])));
}

#[test]
fn a_node_gets_its_groups_back_when_the_administrator_says_so() {
    let server = Server::start();
    server.make_still("t", "aff-a250", 7);
    server.patch("controllers/node-01", json!({"auto_giveback": false})).json(200);
    server.post("controllers/node-01/fail", json!({})).json(200);
    server.post("clock/advance", json!({"by": "1m"})).json(200);
    server.post("controllers/node-01/restore", json!({})).json(200);
    server.post("clock/advance", json!({"until": "idle"})).json(200);
    assert_eq!(server.get("/v1/arrays/t").json(200)["status_detail"], "waiting_for_giveback");
    let job = server.post("controllers/node-01/giveback", json!({})).json(202);
    assert_eq!((&job["name"], &job["status"]), (&json!("controller.giveback"), &json!("running")));
    assert_eq!(server.post("controllers/node-01/giveback", json!({})).refused("busy")["noun"], "controller");
    server.post("clock/advance", json!({"until": "idle"})).json(200);
    assert_eq!(server.get("/v1/arrays/t").json(200)["status"], "normal");
}

#[test]
fn parts_fail_get_warm_and_are_restored() {
    let server = Server::start();
    server.make_still("t", "eternus-af250", 7);
    let supply = server.get("parts/CE-PSU%230").json(200);
    assert_eq!((&supply["kind"], &supply["status"], &supply["status_code"]), (&json!("power_supply"), &json!("normal"), &json!("0xE001")));
    assert_eq!(server.post("parts/CE-PSU%230/fail", json!({})).json(200)["status"], "error");
    assert_eq!(server.get("enclosures/CE").json(200)["powered"], true);
    assert_eq!(server.post("parts/CE-PSU%231/fail", json!({"state": "missing"})).json(200)["status_code"], "0xC000");
    assert_eq!(server.get("enclosures/CE").json(200)["powered"], false);
    let array = server.get("/v1/arrays/t").json(200);
    assert_eq!((&array["ready"], &array["status_detail"], &array["power_watts"]), (&json!(false), &json!("not_ready"), &json!(0)));
    assert_eq!(server.patch("settings", json!({"contact": "x"})).refused("wrong_state")["noun"], "array");
    server.post("parts/CE-PSU%231/restore", json!({})).json(200);
    server.post("clock/advance", json!({"until": "idle"})).json(200);
    server.post("parts/CE-PSU%230/restore", json!({})).json(200);
    assert_eq!(server.get("/v1/arrays/t").json(200)["status"], "normal");
    assert_eq!(server.post("parts/CE-Inlet/temperature", json!({"celsius": 41})).json(200)["status"], "warning");
    assert_eq!(server.get("enclosures/CE").json(200)["temperature_celsius"], 41);
    server.post("parts/CM0-BBU/fail", json!({})).json(200);
    assert_eq!(server.get("/v1/arrays/t").json(200)["write_through_reasons"], json!(["battery_failed"]));
    server.post("parts/CM0-BBU/restore", json!({})).json(200);
    server.post("clock/advance", json!({"by": "30m"})).json(200);
    let battery = server.get("parts/CM0-BBU").json(200);
    assert_eq!((&battery["charge_percent"], &battery["status"], &battery["expires"]), (&json!(50), &json!("maintenance"), &json!("2099-12")));
    assert_eq!(names(&server.get("parts?kind=battery&status=normal").json(200)), ["CM1-BBU"]);
}

#[test]
fn a_port_is_set_and_breaks() {
    let server = Server::start();
    server.make_still("t", "eternus-af250", 7);
    let port =
        server.patch("host-ports/CM0-CA0-P0", json!({"transfer_rate": "8", "connection": "loop", "loop_id_assignment": "manual", "loop_id": 7})).json(200);
    assert_eq!((&port["line_rate"], &port["link_speed_gbit"], &port["max_speed_gbit"]), (&json!(800_000_000), &json!(8), &json!(16)));
    assert_eq!((&port["fc"]["connection"], &port["fc"]["loop_id"], &port["sfp_type"]), (&json!("loop"), &json!(7), &json!("16G_SWL_SFP_Plus")));
    let address = json!({"protocol": "iscsi", "ipv4_address": "192.168.10.1", "ipv4_mask": "255.255.255.0", "mtu": 9000, "bandwidth_limit_mbit": 400});
    let port = server.patch("host-ports/CM0-CA0-P1", address).json(200);
    assert_eq!(
        (&port["iscsi"]["ipv4_address"], &port["iscsi"]["jumbo_frames"], &port["line_rate"]),
        (&json!("192.168.10.1"), &json!(true), &json!(50_000_000))
    );
    assert_eq!(server.patch("host-ports/CM0-CA0-P1", json!({"loop_id": 3})).refused("wrong_state")["noun"], "host-port");
    let port = server.post("host-ports/CM0-CA0-P0/fail", json!({})).json(200);
    assert_eq!(
        [&port["status"], &port["state"], &port["link_speed_gbit"], &port["link_failures"]],
        [&json!("down"), &json!("link_down"), &json!(0), &json!(1)]
    );
    assert_eq!(server.post("host-ports/CM0-CA0-P0/fail", json!({"fault": "transceiver"})).json(200)["state"], "error");
    assert_eq!(server.get("parts/CM0-CA0-P0-SFP").json(200)["status"], "error");
    assert_eq!(server.post("host-ports/CM0-CA0-P0/restore", json!({})).json(200)["state"], "unused");
    assert_eq!(server.get("parts/CM0-CA0-P0-SFP").json(200)["status"], "normal");
}

#[test]
fn an_enclosure_and_drives_are_added_and_a_pool_is_made_of_them() {
    let server = Server::start();
    server.make_still("t", "eternus-af250", 7);
    let enclosure = server.post("enclosures", json!({})).json(201);
    assert_eq!((&enclosure["name"], &enclosure["drives"], &enclosure["reachable"]), (&json!("DE01"), &json!(0), &json!(true)));
    let made = server.post("drives", json!({"enclosure": "DE01", "count": 4, "capacity": "3.84TB"})).json(201);
    assert_eq!(names(&made), ["DE01-Disk#0", "DE01-Disk#1", "DE01-Disk#2", "DE01-Disk#3"]);
    let pool = server.post("pools", json!({"name": "P0", "level": "raid1+0", "drives": ["24", "25", "26", "27"]})).json(201);
    assert!(pool["capacity"].as_u64().is_some_and(|capacity| capacity > 7_600_000_000_000), "{pool}");
    assert_eq!(server.delete("enclosures/DE01").refused("in_use")["noun"], "enclosure");
    assert_eq!(server.post("enclosures", json!({})).refused("limit_reached")["limit"], "1");
}

#[test]
fn paths_are_better_through_the_controller_that_works_for_the_volume() {
    let server = Server::start();
    server.make_still("t", "eternus-af250", 7);
    server.post("raid-groups", json!({"name": "RG0", "level": "raid1", "drive_count": 2, "controller": "CM0"})).json(201);
    server.post("volumes", json!({"name": "V0", "raid_group": "RG0", "size": "1TB"})).json(201);
    server.post("hosts", json!({"name": "H0", "protocol": "fc", "wwn": "10000090fa000001"})).json(201);
    server.post("mappings", json!({"volume": "V0", "host": "H0"})).json(201);
    let states = |server: &Server| {
        let list = server.get("volumes/V0/paths").json(200);
        list["items"].as_array().expect("a list").iter().map(|path| path["state"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(states(&server), ["optimized", "optimized", "non_optimized", "non_optimized"]);
    server.post("controllers/CM0/fail", json!({})).json(200);
    server.post("clock/advance", json!({"by": "5s"})).json(200);
    assert_eq!(states(&server), ["unavailable", "unavailable", "optimized", "optimized"]);
    assert_eq!(server.get("volumes/V0/paths?host_port=CM1-CA0-P0&limit=1").json(200)["items"][0]["lun"], 0);
    server.get("volumes/nowhere/paths").refused("not_found");
}
