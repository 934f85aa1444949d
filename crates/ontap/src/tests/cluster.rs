//! The cluster, its nodes, and what belongs to it as a whole.

use serde_json::{Value, json};

use super::Lab;

#[test]
fn the_cluster_keeps_what_it_is_told() {
    let lab = Lab::factory();
    assert_eq!(lab.get("/cluster?fields=san_optimized,disaggregated&ignore_unknown_fields=true")["san_optimized"], json!(false));
    lab.patch("/cluster", json!({"contact": "ops@example.com", "location": "Rack 7", "dns_domains": ["example.com"], "name_servers": ["192.0.2.53"], "ntp_servers": ["192.0.2.123"], "timezone": {"name": "Europe/Berlin"}, "name": "lab"}));
    let cluster = lab.get("/cluster");
    for (field, value) in [
        ("contact", json!("ops@example.com")),
        ("location", json!("Rack 7")),
        ("dns_domains", json!(["example.com"])),
        ("name_servers", json!(["192.0.2.53"])),
        ("ntp_servers", json!(["192.0.2.123"])),
    ] {
        assert_eq!(cluster[field], value, "{field}");
    }
    assert_eq!(lab.refused("PATCH", "/cluster", &json!({"name": "other"})), (400, "2".into(), "name".into()));
    assert_eq!(lab.get("/cluster/ntp/servers")["records"][0]["server"], json!("192.0.2.123"));
    lab.post("/cluster/ntp/servers", json!({"server": "192.0.2.124", "version": "4"}));
    assert_eq!(lab.get("/cluster/ntp/servers/192.0.2.124")["version"], json!("4"));
    assert_eq!(lab.refused("POST", "/cluster/ntp/servers", &json!({"server": "192.0.2.124"})), (409, "2097168".into(), "server".into()));
    lab.delete("/cluster/ntp/servers/192.0.2.123");
    assert_eq!(lab.get("/cluster/ntp/servers")["num_records"], json!(1));
    lab.patch("/cluster/web", json!({"http_enabled": true}));
    assert_eq!(lab.get("/cluster/web")["http_enabled"], json!(true));
}

#[test]
fn nodes_are_an_ha_pair() {
    let lab = Lab::factory();
    let nodes = lab.get("/cluster/nodes?fields=**");
    let (one, other) = (&nodes["records"][0], &nodes["records"][1]);
    assert_eq!((&one["state"], &one["membership"], &one["model"]), (&json!("up"), &json!("member"), &json!("AFF-A250")));
    assert_eq!((&one["ha"]["partners"][0]["name"], &other["ha"]["partners"][0]["name"]), (&other["name"], &one["name"]));
    assert_ne!(one["serial_number"], other["serial_number"]);
    assert_eq!(
        lab.get("/cluster/nodes?fields=is_all_flash_optimized,is_all_flash_select_optimized,version")["records"][0]["is_all_flash_optimized"],
        json!(true)
    );
    let path = format!("/cluster/nodes/{}", one["uuid"].as_str().expect("an identifier"));
    lab.patch(&path, json!({"location": "left"}));
    assert_eq!(lab.get(&path)["location"], json!("left"));
    assert_eq!(lab.refused("PATCH", &path, &json!({"name": "other"})).0, 400);
    lab.does(json!({"controller.fail": {"controller": "node-02"}}));
    let nodes = lab.get("/cluster/nodes?fields=state,ha");
    assert_ne!(nodes["records"][1]["state"], json!("up"));
}

#[test]
fn the_rest_of_the_cluster_answers() {
    let lab = Lab::factory();
    for path in [
        "/cluster/licensing/licenses",
        "/cluster/software",
        "/cluster/chassis",
        "/cluster/sensors",
        "/cluster/web",
        "/cluster/jobs",
        "/cluster/ntp/keys",
        "/cluster/firmware/history",
        "/cluster/schedules",
        "/network/fc/fabrics",
        "/network/fc/wwpn-aliases",
        "/svm/svms",
        "/svm/peers",
        "/cluster/peers",
    ] {
        for fields in ["", "?fields=*", "?fields=**"] {
            lab.get(&format!("{path}{fields}"));
        }
    }
    assert!(lab.get("/cluster/sensors?fields=*&type=thermal")["num_records"].as_u64().is_some_and(|count| count > 0));
    assert_eq!(lab.get("/cluster/chassis?fields=*")["records"][0]["state"], json!("ok"));
}

#[test]
fn licences_come_and_go() {
    let lab = Lab::factory();
    let licences = lab.get("/cluster/licensing/licenses?fields=*&name=iscsi");
    assert_eq!((&licences["records"][0]["state"], &licences["records"][0]["licenses"][0]["active"]), (&json!("compliant"), &json!(true)));
    assert_eq!(lab.refused("GET", "/cluster/licensing/licenses/snapmirror", &Value::Null).0, 404);
    lab.post("/cluster/licensing/licenses", json!({"keys": ["SNAPMIRRORAAAAAAAAAAAAAAAAAA"]}));
    assert_eq!(lab.get("/cluster/licensing/licenses/snapmirror")["licenses"][0]["installed_license"], json!("Added"));
    lab.delete("/cluster/licensing/licenses/snapmirror");
    assert_eq!(lab.refused("GET", "/cluster/licensing/licenses/snapmirror", &Value::Null).0, 404);
}

#[test]
fn jobs_say_how_they_went_and_can_be_cancelled() {
    let lab = Lab::factory();
    let (_, answer) = lab.ask("POST", "/storage/aggregates", &json!({"name": "a", "node.name": "lab-01", "block_storage.primary.disk_count": 5}));
    let path = format!("/cluster/jobs/{}", answer["job"]["uuid"].as_str().expect("a job"));
    let job = lab.get(&format!("{path}?fields=**"));
    assert_eq!((&job["state"], &job["message"], &job["code"]), (&json!("success"), &json!("success"), &json!(0)));
    assert!(job["end_time"].is_string());
    assert_eq!(lab.refused("PATCH", &format!("{path}?action=cancel"), &json!({})).0, 409);
    assert_eq!(lab.refused("PATCH", &format!("{path}?action=jump"), &json!({})), (400, "262185".into(), "action".into()));
}
