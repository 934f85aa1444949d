//! SVMs.

use serde_json::{Value, json};

use super::Lab;

/// A cluster with an aggregate on each node.
fn lab() -> Lab {
    let lab = Lab::factory();
    for (name, node) in [("aggr1", "lab-01"), ("aggr2", "lab-02")] {
        lab.post("/storage/aggregates", json!({"name": name, "node": {"name": node}, "block_storage.primary.disk_count": 6}));
    }
    lab
}

#[test]
fn an_svm_has_its_root_volume_and_the_services_that_are_named() {
    let lab = lab();
    let (status, answer) = lab.ask("POST", "/svm/svms", &json!({"name": "vs0", "comment": "first", "iscsi": {"enabled": true}, "nvme.enabled": "true", "aggregates": [{"name": "aggr2"}], "language": "c.utf_8", "ipspace": "Default", "snapshot_policy": "default", "max_volumes": "unlimited"}));
    assert_eq!(status, 202, "{answer}");
    let job = answer["job"]["uuid"].as_str().expect("a job").to_owned();
    let job = lab.get(&format!("/cluster/jobs/{job}"));
    assert_eq!((&job["state"], &job["description"], job.get("error")), (&json!("success"), &json!("POST /api/svm/svms"), None));
    let found = lab.get("/svm/svms?name=vs0&fields=*");
    let svm = &found["records"][0];
    assert_eq!((&svm["state"], &svm["subtype"], &svm["language"], &svm["comment"]), (&json!("running"), &json!("default"), &json!("c.utf_8"), &json!("first")));
    assert_eq!((&svm["ipspace"]["name"], &svm["snapshot_policy"]["name"]), (&json!("Default"), &json!("default")));
    assert_eq!(svm["aggregates"][0]["name"], json!("aggr2"));
    for (word, enabled) in [("iscsi", true), ("nvme", true), ("fcp", false)] {
        assert_eq!((&svm[word]["allowed"], &svm[word]["enabled"]), (&json!(true), &json!(enabled)), "{word}");
        assert_eq!(svm[word]["_links"]["self"]["href"].is_string(), enabled, "{word}");
    }
    assert_eq!(svm["nfs"], json!({"allowed": true, "enabled": false}));
    let uuid = svm["uuid"].as_str().expect("an identifier");
    assert_eq!(lab.refused("POST", "/svm/svms", &json!({"name": "vs0"})), (409, "13434908".into(), "name".into()));
    assert_eq!(lab.refused("POST", "/svm/svms", &json!({"name": "0vs"})), (400, "13434911".into(), "name".into()));
    assert_eq!(lab.refused("POST", "/svm/svms", &json!({"name": "vs1", "ipspace": "none"})), (400, "13434912".into(), "ipspace.name".into()));
    assert_eq!(lab.refused("POST", "/svm/svms", &json!({"name": "vs1", "nfs.enabled": true})), (400, "1115127".into(), "nfs.enabled".into()));
    let path = format!("/svm/svms/{uuid}");
    lab.patch(&path, json!({"comment": "changed", "max_volumes": "12", "fcp": {"enabled": true}, "iscsi": {"enabled": false}}));
    lab.patch(&path, json!({"state": "stopped"}));
    let svm = lab.get(&path);
    assert_eq!((&svm["comment"], &svm["state"], &svm["max_volumes"]), (&json!("changed"), &json!("stopped"), &json!("12")));
    assert_eq!((&svm["fcp"]["enabled"], &svm["iscsi"]["enabled"]), (&json!(true), &json!(false)));
    lab.patch(&path, json!({"name": "vs9", "state": "running"}));
    assert_eq!(lab.get("/svm/svms?name=vs9")["num_records"], json!(1));
    assert_eq!(lab.get(&format!("{path}/web"))["svm"]["name"], json!("vs9"));
    lab.patch(&format!("{path}/web"), json!({"client_enabled": true}));
    assert_eq!(lab.get(&format!("{path}/web"))["client_enabled"], json!(true));
    lab.post(
        "/network/ip/interfaces",
        json!({"name": "lif1", "svm.name": "vs9", "ip": {"address": "10.0.0.1", "netmask": "24"}, "location.home_node.name": "lab-01"}),
    );
    assert_eq!(lab.get(&format!("{path}?fields=ip_interfaces"))["ip_interfaces"][0]["name"], json!("lif1"));
    lab.delete(&path);
    assert_eq!(lab.refused("GET", &path, &Value::Null), (404, "2621462".into(), String::new()));
    assert_eq!(lab.get("/network/ip/interfaces?name=lif1")["num_records"], json!(0));
}

#[test]
fn an_svm_needs_an_aggregate_for_its_root() {
    let lab = Lab::factory();
    assert_eq!(lab.refused("POST", "/svm/svms", &json!({"name": "vs0"})).0, 400);
    assert_eq!(lab.get("/svm/svms")["num_records"], json!(0));
}

#[test]
fn names_of_an_svm_are_looked_up_by_servers_that_it_names() {
    let lab = lab();
    lab.post("/svm/svms", json!({"name": "vs0"}));
    lab.post("/name-services/dns", json!({"svm.name": "vs0", "domains": ["example.com"], "servers": ["192.0.2.53"]}));
    let dns = lab.get("/name-services/dns?svm.name=vs0&fields=*");
    assert_eq!(dns["records"][0]["servers"], json!(["192.0.2.53"]));
    let path = format!("/name-services/dns/{}", dns["records"][0]["uuid"].as_str().expect("an identifier"));
    lab.patch(&path, json!({"servers": ["192.0.2.54"]}));
    assert_eq!(lab.get(&path)["servers"], json!(["192.0.2.54"]));
    lab.delete(&path);
    assert_eq!(lab.get("/name-services/dns")["num_records"], json!(0));
}
