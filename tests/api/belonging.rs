//! Tenants, interfaces, QoS policies and host responses.

use serde_json::{Value, json};

use super::{Server, names};

fn furnished() -> Server {
    let server = Server::playing("eternus-af250");
    server.post("pools", json!({"name": "P0", "level": "raid1", "drive_count": 2})).json(201);
    server.post("tenants", json!({"name": "T0", "pools": ["P0"], "protocols": ["fc"]})).json(201);
    server
}

#[test]
fn a_tenant_shows_what_it_has_and_lists_are_filtered_by_it() {
    let server = furnished();
    server.post("volumes", json!({"name": "V", "pool": "P0", "size": "1GiB", "count": 3, "tenant": "T0"})).json(201);
    server.post("volumes", json!({"name": "W", "pool": "P0", "size": "1GiB"})).json(201);
    let tenant = server.get("tenants/T0").json(200);
    assert_eq!([&tenant["volumes"], &tenant["promised"], &tenant["protocols"]], [&json!(3), &json!(3_221_225_472_u64), &json!(["fc"])]);
    assert_eq!(names(&server.get("volumes?tenant=T0&sort=-name&limit=2").json(200)), ["V2", "V1"]);
    assert_eq!(names(&server.get("volumes?tenant=null").json(200)), ["W"]);
    let refused = server.post("volumes", json!({"name": "N", "pool": "P0", "size": "1GiB", "tenant": "T9"})).refused("reference_not_found");
    assert_eq!(refused["field"], "tenant");
    assert_eq!(server.delete("tenants/T0").refused("in_use")["status"], 409);
    assert_eq!(server.patch("tenants/T0", json!({"state": "stopped"})).json(200)["state"], "stopped");
}

#[test]
fn what_belongs_to_several_tenants_is_not_joined() {
    let server = furnished();
    server.post("volumes", json!({"name": "V", "pool": "P0", "size": "1GiB", "tenant": "T0"})).json(201);
    server.post("hosts", json!({"name": "H", "protocol": "fc", "wwn": "10000090fa000001"})).json(201);
    let refused = server.post("mappings", json!({"volume": "V", "host": "H"})).refused("tenant_mismatch");
    assert_eq!(refused["detail"], "the volume 'V' belongs to the tenant 'T0', not to the array itself");
    assert_eq!([&refused["status"], &refused["field"], &refused["value"]], [&json!(409), &json!("tenant"), &json!("V")]);
}

#[test]
fn an_interface_moves_and_comes_home_and_is_up_with_its_port() {
    let server = furnished();
    let body = json!({"name": "F", "services": ["fc"], "home_port": "CM0-CA0-P0", "tenant": "T0"});
    let made = server.post("interfaces", body).json(201);
    assert_eq!(made["home"], json!({"controller": "CM0", "port": "CM0-CA0-P0"}));
    assert!(made["address"].as_str().is_some_and(|wwn| wwn.len() == 16 && wwn.starts_with('2')), "{made}");
    assert_eq!([&made["status"], &made["is_home"], &made["prefix_length"]], [&json!("up"), &json!(true), &Value::Null]);
    let moved = server.post("interfaces/F/migrate", json!({"port": "CM1-CA0-P0"})).json(200);
    assert_eq!([&moved["location"]["controller"], &moved["is_home"]], [&json!("CM1"), &json!(false)]);
    server.patch("host-ports/CM1-CA0-P0", json!({"enabled": false})).json(200);
    assert_eq!(server.get("interfaces/F").json(200)["status"], "down");
    assert_eq!(server.post("interfaces/F/revert", json!({})).json(200)["status"], "up");
    server.patch("tenants/T0", json!({"state": "stopped"})).json(200);
    assert_eq!(names(&server.get("interfaces?status=down").json(200)), ["F"]);
    assert_eq!(server.get("tenants/T0").json(200)["interfaces"], json!(["F"]));
}

#[test]
fn a_policy_is_shown_with_what_its_level_stands_for() {
    let server = furnished();
    let policy = server.post("qos-policies", json!({"name": "Q", "level": 6})).json(201);
    assert_eq!([&policy["kind"], &policy["fixed"]["iops"], &policy["fixed"]["bytes_per_second"]], [&json!("level"), &json!(3000), &json!(300_000_000)]);
    server.post("volumes", json!({"name": "V", "pool": "P0", "size": "1GiB", "qos_policy": "Q"})).json(201);
    assert_eq!(server.get("qos-policies/Q").json(200)["users"], 1);
    server.delete("qos-policies/Q").refused("in_use");
    assert_eq!(server.delete("qos-policies/Q?force=true").status, 204);
    assert_eq!(server.get("volumes/V").json(200)["qos_policy"], Value::Null);
    server.make_still("o", "aff-a250", 7);
    let adaptive = json!({"name": "Q", "adaptive": {"expected_iops_per_tib": 10, "peak_iops_per_tib": 20}});
    let shown = server.post("/v1/arrays/o/qos-policies", adaptive).json(201)["adaptive"].clone();
    assert_eq!([&shown["expected_by"], &shown["peak_by"]], [&json!("allocated"), &json!("used")]);
}

#[test]
fn a_group_gives_its_host_response_to_its_hosts() {
    let server = furnished();
    let responses = server.get("host-responses?built_in=true&fields=number,name").json(200);
    assert_eq!(responses["items"][0], json!({"number": 0, "name": "Default"}));
    assert!(responses["items"].as_array().is_some_and(|items| items.contains(&json!({"number": 252, "name": "AIX"}))));
    server.post("host-responses", json!({"name": "flat", "manners": {"flat_space_addressing": true}})).json(201);
    server.post("hosts", json!({"name": "H0", "protocol": "fc", "wwn": "10000090fa000000"})).json(201);
    server.post("host-groups", json!({"name": "G0", "hosts": ["H0"], "host_response": "flat"})).json(201);
    assert_eq!(server.get("hosts/H0").json(200)["host_response"], "flat");
    let response = server.get("host-responses/flat").json(200);
    assert_eq!([&response["lun_max"], &response["hosts"], &response["number"]], [&json!(1023), &json!(1), &json!(1)]);
    server.delete("host-responses/flat").refused("in_use");
    server.delete("host-responses/AIX").refused("not_supported");
    server.patch("hosts/H0", json!({"host_response": "AIX"})).json(200);
    assert_eq!(server.get("host-groups/G0").json(200)["host_response"], "AIX");
}
