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
    lab.does(json!({"controller.fail": {"controller": "node-02"}}));
    let nodes = lab.get("/cluster/nodes?fields=state,ha");
    assert_ne!(nodes["records"][1]["state"], json!("up"));
}

#[test]
fn a_cluster_that_is_renamed_keeps_the_names_of_its_nodes() {
    let lab = Lab::factory();
    let uuid = lab.get("/cluster")["uuid"].clone();
    lab.patch("/cluster", json!({"name": "storage-1"}));
    let cluster = lab.get("/cluster");
    assert_eq!((&cluster["name"], &cluster["uuid"]), (&json!("storage-1"), &uuid));
    assert_eq!(lab.get("/cluster/nodes")["records"][0]["name"], json!("lab-01"));
    assert_eq!(lab.get("/security/accounts?owner.name=storage-1")["num_records"], lab.get("/security/accounts")["num_records"]);
    assert_eq!(lab.get("/cluster/schedules?cluster.name=lab")["num_records"], json!(0));
    assert_eq!(lab.refused("GET", "/cluster/counter/tables/none", &Value::Null).0, 404);
    for name in ["", "1st", "two words", "ends-", "x".repeat(45).as_str(), "\u{fc}ber"] {
        assert_eq!(lab.refused("PATCH", "/cluster", &json!({"name": name, "contact": "nobody"})), (400, "262185".into(), "name".into()), "{name}");
    }
    assert_ne!(lab.get("/cluster")["contact"], json!("nobody"));
    lab.patch("/cluster", json!({"name": "lab"}));
    assert_eq!(lab.get("/cluster")["name"], json!("lab"));
}

#[test]
fn a_node_that_is_renamed_has_its_new_name_everywhere() {
    let lab = Lab::scene("aff-a250");
    let node = |name: &str| format!("/cluster/nodes/{}", lab.get(&format!("/cluster/nodes?name={name}"))["records"][0]["uuid"].as_str().expect("a node"));
    let (one, other) = (node("lab-01"), node("lab-02"));
    lab.patch(&one, json!({"name": "left"}));
    assert_eq!(lab.refused("PATCH", &other, &json!({"name": "left"})), (409, "1".into(), "name".into()));
    assert_eq!(lab.refused("PATCH", &other, &json!({"name": "x".repeat(48)})).0, 400);
    lab.patch(&other, json!({"name": "lab-01"}));
    lab.patch(&other, json!({"name": "right", "location": "below"}));
    assert_eq!(lab.get("/cluster/nodes?fields=ha")["records"][0]["ha"]["partners"][0]["name"], json!("right"));
    let top =
        crate::resources::COLLECTIONS.iter().map(|collection| collection.path()).filter(|path| !path.contains('{') && !path.ends_with("application-logs"));
    let tables = ["wafl", "system:node", "processor", "nic_common", "volume", "lun"].map(|table| format!("/cluster/counter/tables/{table}/rows"));
    let commands = ["aggr", "disk", "node", "network/port", "network/interface", "cluster/date", "storage/failover", "storage/disk/option"];
    let all = top.map(str::to_owned).chain(tables).chain(commands.map(|command| format!("/private/cli/{command}")));
    for path in all {
        let asked = if path.starts_with("/private") { path.clone() } else { format!("{path}?fields=**") };
        // The interfaces that came with the nodes keep their names, as interfaces do.
        let text = lab.get(&asked).to_string().replace("lab-01_", "").replace("lab-02_", "");
        assert!(!text.contains("lab-0"), "{path}: {text}");
    }
    let found = |path: &str| lab.get(path)["num_records"].as_u64().expect("a number");
    for path in ["/storage/aggregates?node.name=left", "/storage/disks?home_node.name=left", "/network/ethernet/ports?node.name=left"] {
        assert!(found(path) > 0, "{path}");
    }
    assert_eq!(found("/cluster/counter/tables/wafl/rows?id=left:*"), 1);
    lab.patch("/private/cli/storage/disk/option?node=left", json!({"autoassign": false}));
    assert_eq!(lab.get("/private/cli/storage/disk/option?node=left")["records"][0]["autoassign"], json!(false));
    let made = lab.post(
        "/network/ip/interfaces",
        json!({"name": "mgmt", "ipspace": "Default", "scope": "cluster", "ip": {"address": "192.0.2.9", "netmask": "24"}, "location": {"home_node": {"name": "left"}}}),
    );
    let lif = format!("/network/ip/interfaces/{}", made["uuid"].as_str().expect("an interface"));
    lab.patch(&lif, json!({"location": {"home_node": {"name": "right"}}}));
    assert_eq!(lab.get(&lif)["location"]["home_node"]["name"], json!("right"));
    assert_eq!(lab.refused("PATCH", &lif, &json!({"location": {"home_node": {"name": "lab-01"}}})).0, 400);
    assert_eq!(lab.get(&format!("{one}?fields=management_interfaces"))["management_interfaces"].as_array().map(Vec::len), Some(1));
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

#[test]
fn a_takeover_and_a_giveback_show_who_works_for_whom() {
    let lab = Lab::scene("aff-a250");
    let ha = |index: usize| lab.get("/cluster/nodes?fields=ha,state,uptime")["records"][index].clone();
    let states = |index: usize| {
        let node = ha(index);
        let at = |path: &str| node.pointer(path).and_then(Value::as_str).expect("a state").to_owned();
        [at("/state"), at("/ha/takeover/state"), at("/ha/takeover_of/state"), at("/ha/giveback/state"), at("/ha/giveback_of/state")]
    };
    let nothing = "nothing_to_giveback";
    assert_eq!(states(0), ["up", "not_attempted", "not_attempted", nothing, nothing]);
    let before = ha(0)["uptime"].as_u64().expect("seconds");
    lab.does(json!({"clock.advance": {"by": "PT100S"}}));
    assert_eq!(ha(0)["uptime"], json!(before + 100));

    let homes = || {
        let all = lab.get("/storage/aggregates?fields=node.name,home_node.name&order_by=home_node.name");
        let one = |index: usize| (all["records"][index]["home_node"]["name"].clone(), all["records"][index]["node"]["name"].clone());
        [one(0), one(1)]
    };
    let (left, right) = (json!("lab-01"), json!("lab-02"));
    assert_eq!(homes(), [(left.clone(), left.clone()), (right.clone(), right.clone())]);
    lab.does(json!({"controller.update": {"controller": "node-02", "auto_giveback": false}}));
    lab.does(json!({"controller.fail": {"controller": "node-02"}}));
    assert_eq!(states(0), ["up", "in_progress", "not_possible", nothing, nothing]);
    lab.does(json!({"clock.advance": {"by": "PT10M"}}));
    assert_eq!(states(0), ["up", "in_takeover", "not_possible", "not_attempted", nothing]);
    assert_eq!(states(1), ["taken_over", "not_possible", "taken_over", nothing, "not_attempted"]);
    assert_eq!(homes(), [(left.clone(), left.clone()), (right.clone(), left.clone())]);
    let disks = lab.get("/storage/disks?home_node.name=lab-02&fields=node.name");
    assert!(disks["records"].as_array().is_some_and(|all| !all.is_empty() && all.iter().all(|disk| disk["node"]["name"] == left)), "{disks}");
    assert_eq!(lab.get("/private/cli/volume?fields=node&node=lab-02")["num_records"], json!(0));

    lab.does(json!({"controller.restore": {"controller": "node-02"}}));
    lab.does(json!({"clock.advance": {"by": "PT1H"}}));
    assert_eq!(states(1)[0], "waiting_for_giveback");
    assert!(ha(1)["uptime"].as_u64().is_some_and(|seconds| seconds > 0 && seconds < 3600));
    let path = format!("/cluster/nodes/{}", ha(1)["uuid"].as_str().expect("an identifier"));
    for (action, code) in [("takeover", "3"), ("nothing", "262185")] {
        assert_eq!(lab.refused("PATCH", &format!("{path}?action={action}"), &json!({})), (400, code.into(), "action".into()));
    }
    lab.patch(&format!("{path}?action=giveback"), json!({}));
    assert_eq!(states(0), ["up", "in_takeover", "not_possible", "in_progress", nothing]);
    lab.does(json!({"clock.advance": {"by": "PT10M"}}));
    assert_eq!(states(1), ["up", "not_attempted", "not_attempted", nothing, nothing]);
    assert_eq!(homes(), [(left.clone(), left), (right.clone(), right)]);
    assert!(lab.ask("PATCH", &format!("{path}?action=giveback"), &json!({})).0 >= 202);
}

#[test]
fn keys_of_licences_are_letters_and_errors_have_arguments_for_who_asks() {
    let mut lab = Lab::factory();
    let path = "/cluster/licensing/licenses";
    for key in ["", "AAAA", "snapmirroraaaaaaaaaaaaaaaaaa", "SNAPMIRRORAAAAAAAAAAAAAAAAA1", &"A".repeat(57)] {
        assert_eq!(lab.refused("POST", path, &json!({"keys": [key]})), (400, "1115130".into(), "keys".into()), "{key}");
    }
    let refused = json!({"keys": ["SNAPMIRRORAAAAAAAAAAAAAAAAAA", "AAAA"]});
    let (_, answer) = lab.ask("POST", path, &refused);
    assert_eq!((answer["error"].get("arguments"), lab.refused("GET", &format!("{path}/snapmirror"), &Value::Null).0), (None, 404), "all or none");
    lab.headers.push(("x-dot-error-arguments", "true".to_owned()));
    let (_, answer) = lab.ask("POST", path, &refused);
    let error = &answer["error"];
    assert_eq!(error["arguments"], json!([{"code": "1115130", "message": error["message"]}]));
    lab.post(path, json!({"keys": ["S".repeat(56)]}));
}
