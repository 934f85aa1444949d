//! Events, whom they are sent, and settings of support.

use serde_json::{Value, json};

use super::Lab;

#[test]
fn what_happens_is_told_in_the_words_of_the_field() {
    let lab = Lab::scene("aff-a250");
    let drive = lab.array().read(|world| {
        use crate::model::Object;
        world.array.drives.iter().find(|drive| drive.raid_group.is_some()).map(|drive| drive.name().to_owned()).expect("a member")
    });
    lab.does(json!({"drive.fail": {"drive": drive}}));
    let events = lab.get("/support/ems/events?fields=*&message.name=raid.config.filesystem.disk.failed,none.such&order_by=index%20asc");
    assert_eq!(events["num_records"], json!(1), "{events}");
    let event = &events["records"][0];
    assert_eq!(event["message"]["severity"], json!("error"));
    assert_eq!(event["parameters"][0], json!({"name": "disk_info", "value": drive}));
    assert!(event["log_message"].as_str().is_some_and(|text| text.starts_with("raid.config.filesystem.disk.failed: ")));
    let all = lab.get("/support/ems/events?max_records=2&order_by=time%20desc&fields=*");
    assert!(all["records"].as_array().is_some_and(|events| !events.is_empty()));
    let bare = lab.get("/support/ems/events?max_records=1&fields=source,!index,!node")["records"][0].clone();
    assert!(bare["index"].is_u64() && bare["node"]["name"].is_string() && bare["source"].is_string() && bare.get("time").is_none(), "{bare}");
    let later = lab.get("/support/ems/events?time=%3E=2027-01-01T00:00:00Z");
    assert_eq!(later["num_records"], json!(0));
    let since = |seconds: u64| lab.get(&format!("/support/ems/events?time=%3E={seconds}&message.severity=error"))["num_records"].clone();
    assert_ne!(since(1_767_225_600), json!(0), "seconds since 1970 are a time, too");
    assert_eq!(since(1_798_761_600), json!(0));
    assert!(lab.get("/support/ems/messages?fields=name&max_records=500")["num_records"].as_u64().is_some_and(|count| count > 20));
}

#[test]
fn a_filter_ends_with_a_rule_of_its_own() {
    let lab = Lab::factory();
    let rule = json!({"index": 1, "type": "include", "message_criteria": {"name_pattern": "monitor.*", "severities": "emergency,alert"}});
    let made = lab.post("/support/ems/filters", json!({"name": "full", "rules": [rule]}));
    assert_eq!(made["name"], json!("full"));
    let rules = || lab.get("/support/ems/filters?name=full&fields=rules")["records"][0]["rules"].clone();
    assert_eq!(rules().as_array().map(Vec::len), Some(2));
    assert_eq!(rules()[1]["type"], json!("exclude"));
    assert_eq!(rules()[0]["message_criteria"]["severities"], json!("emergency,alert"));
    lab.patch("/support/ems/filters/full", json!({"rules": [rule]}));
    assert_eq!(rules().as_array().map(Vec::len), Some(2));
    lab.post("/support/ems/filters/full/rules", json!({"index": 2, "type": "include", "message_criteria": {"name_pattern": "raid.*", "severities": "error"}}));
    assert_eq!(rules()[1]["message_criteria"]["name_pattern"], json!("raid.*"));
    assert_eq!(lab.get("/support/ems/filters/full/rules?return_records=false")["num_records"], json!(3));
    lab.patch("/support/ems/filters/full/rules/2", json!({"type": "exclude"}));
    assert_eq!(lab.get("/support/ems/filters/full/rules/2")["type"], json!("exclude"));
    assert_eq!(lab.refused("DELETE", "/support/ems/filters/full/rules/3", &json!({})).1, "983091");
    lab.delete("/support/ems/filters/full/rules/2");
    assert_eq!(lab.refused("POST", "/support/ems/filters", &json!({"name": "full"})).0, 409);
    assert_eq!(lab.refused("POST", "/support/ems/filters", &json!({"name": "two words"})).1, "983089");

    let body = json!({"name": "ops", "type": "email", "destination": "ops@example.com", "filters": [{"name": "full"}]});
    lab.post("/support/ems/destinations", body.clone());
    let shown = lab.get("/support/ems/destinations/ops");
    assert_eq!((&shown["filters"], &shown["destination"]), (&json!([{"name": "full"}]), &json!("ops@example.com")));
    assert_eq!(lab.refused("POST", "/support/ems/destinations", &body).0, 409);
    let unknown = json!({"name": "x", "type": "email", "destination": "x", "filters": [{"name": "none"}]});
    assert_eq!(lab.refused("POST", "/support/ems/destinations", &unknown), (400, "983143".into(), "filters.name".into()));
    lab.patch("/support/ems/destinations/ops", json!({"destination": "team@example.com"}));
    assert_eq!(lab.get("/support/ems/destinations/ops")["destination"], json!("team@example.com"));
    assert_eq!(lab.refused("DELETE", "/support/ems/filters/full", &json!({})), (409, "983124".into(), String::new()));
    lab.delete("/support/ems/destinations/ops");
    lab.delete("/support/ems/filters/full");
    assert_eq!(lab.get("/support/ems/filters?name=full")["num_records"], json!(0));
}

#[test]
fn settings_are_found_again() {
    let lab = Lab::factory();
    lab.patch("/support/ems", json!({"mail_from": "lab@example.com", "mail_server": "mail.example.com", "proxy_password": "not to be kept"}));
    let ems = lab.get("/support/ems?fields=mail_from,mail_server,proxy_url,proxy_user");
    assert_eq!((&ems["mail_from"], &ems["proxy_url"]), (&json!("lab@example.com"), &json!("")));
    assert!(!lab.get("/support/ems?fields=**").to_string().contains("not to be kept"));
    lab.patch("/support/autosupport", json!({"mail_hosts": ["mail.example.com"], "to": ["team@example.com"]}));
    lab.patch("/support/autosupport", json!({"is_minimal": true}));
    let support = lab.get("/support/autosupport");
    assert_eq!((&support["mail_hosts"], &support["is_minimal"], &support["enabled"]), (&json!(["mail.example.com"]), &json!(true), &json!(true)));
    lab.patch("/security", json!({"fips.enabled": true}));
    let security = lab.get("/security");
    assert_eq!((&security["fips"]["enabled"], &security["management_protocols"]["telnet_enabled"]), (&json!(true), &json!(false)));
    assert!(lab.get("/security/ssh")["ciphers"].is_array());
    assert_eq!(lab.get("/support/auto-update")["enabled"], json!(false));
    assert_eq!(lab.refused("PATCH", "/support/autosupport", &json!({"transport": "pigeon"})).0, 400);
}

#[test]
fn hosts_may_tell_things() {
    let lab = Lab::factory();
    let body = json!({
        "computer_name": "host1", "event_source": "driver", "app_version": "1", "event_id": "0", "category": "x", "event_description": "hello",
        "severity": "notice", "autosupport_required": false,
    });
    assert_eq!(lab.ask("POST", "/support/ems/application-logs", &body).0, 201);
    assert_eq!(lab.ask("POST", "/support/ems/application-logs?return_records=true", &body).0, 201);
    assert_eq!(lab.refused("GET", "/support/ems/application-logs", &Value::Null).0, 405);
}

#[test]
fn a_volume_that_fills_and_a_port_that_fails_are_told_in_the_words_of_the_cluster() {
    let lab = Lab::scene("aff-a250");
    let events = |name: &str| lab.get(&format!("/support/ems/events?fields=*&message.name={name}&order_by=index"));
    let volume = lab.get("/storage/volumes?is_svm_root=false&fields=space,svm.name")["records"][0].clone();
    let (name, svm) = (volume["name"].as_str().expect("a name"), volume["svm"]["name"].as_str().expect("a name"));
    let size = volume["space"]["size"].as_u64().expect("bytes") / 100 * 96;
    let lun = lab.post(
        "/storage/luns",
        json!({"name": format!("/vol/{name}/large"), "svm": {"name": svm}, "os_type": "linux", "space": {"size": size, "guarantee": {"requested": true}}}),
    );
    let told = events("monitor.volume.nearlyFull");
    let told = &told["records"][0];
    assert_eq!(told["parameters"], json!([{"name": "name", "value": name}, {"name": "type", "value": "volume"}]));
    assert_eq!(told["log_message"], json!(format!("monitor.volume.nearlyFull: An aggregate or a volume is nearly full (name: {name}, type: volume)")));
    lab.delete(&format!("/storage/luns/{}?allow_delete_while_mapped=true", lun["uuid"].as_str().expect("an identifier")));
    assert_eq!(events("monitor.volume.ok")["num_records"], json!(1));
    let of_that_name = lab.get("/support/ems/messages?name=monitor.volume.nearlyFull&fields=severity");
    assert_eq!((&of_that_name["num_records"], &of_that_name["records"][0]["severity"]), (&json!(1), &json!("error")));

    let port = lab.array().read(|world| world.array.host_ports.iter().nth(1).map(|port| port.head.name().to_owned())).expect("a port");
    lab.does(json!({"host-port.fail": {"host_port": port}}));
    let told = events("vifmgr.portdown");
    let node = told["records"][0]["node"]["name"].as_str().expect("a name");
    assert_eq!(told["records"][0]["parameters"][0]["value"], json!(port.replacen("node", "lab", 1)));
    assert!(node.starts_with("lab-0") && port.replacen("node", "lab", 1).starts_with(node), "{node} {port}");
}

#[test]
fn a_filter_chooses_events_and_messages() {
    let lab = Lab::scene("aff-a250");
    lab.does(json!({"interface.migrate": {"interface": "cluster_mgmt", "controller": "node-02"}}));
    let port = lab.array().read(|world| {
        use crate::model::Object;
        world.array.host_ports.iter().next().map(|port| port.name().to_owned()).expect("a port")
    });
    lab.does(json!({"host-port.fail": {"host_port": port, "fault": "link_down"}}));
    let rule = |index: u64, kind: &str, criteria: Value| json!({"index": index, "type": kind, "message_criteria": criteria});
    let rules =
        [rule(1, "exclude", json!({"name_pattern": "vifmgr.portdown"})), rule(2, "include", json!({"name_pattern": "vifmgr.*", "severities": "notice"}))];
    lab.post("/support/ems/filters", json!({"name": "moves", "rules": rules}));
    let all = lab.get("/support/ems/events?message.name=vifmgr.*&fields=parameters,message.name");
    assert_eq!(all["num_records"], json!(2), "{all}");
    let moved = lab.get("/support/ems/events?filter.name=moves&fields=parameters,message.name");
    assert_eq!((&moved["num_records"], &moved["records"][0]["message"]["name"]), (&json!(1), &json!("vifmgr.lifsuccessfullymoved")), "{moved}");
    let parameters = moved["records"][0]["parameters"].as_array().expect("a list");
    let of = |name: &str| parameters.iter().find(|known| known["name"] == name).map(|known| known["value"].clone());
    assert_eq!([of("vifname"), of("tonode"), of("toport")], [Some(json!("cluster_mgmt")), Some(json!("lab-02")), Some(json!("e0M"))]);
    let messages = lab.get("/support/ems/messages?filter.name=moves");
    assert_eq!((&messages["num_records"], &messages["records"][0]["name"]), (&json!(1), &json!("vifmgr.lifsuccessfullymoved")), "{messages}");
    assert_eq!(lab.get("/support/ems/messages?name=vifmgr.portdown")["num_records"], json!(1), "told of two events");
    let value = json!([{"name_pattern": "vifname", "value_pattern": "other*"}]);
    lab.post("/support/ems/filters", json!({"name": "other", "rules": [{"index": 1, "type": "include", "parameter_criteria": value}]}));
    assert_eq!(lab.get("/support/ems/events?filter.name=other")["num_records"], json!(0));
    assert_eq!(lab.refused("GET", "/support/ems/events?filter.name=none", &Value::Null), (400, "983143".into(), "filter.name".into()));
    let own = lab.get("/support/ems/events?filter.name=important-events&fields=message.severity");
    assert!(own["num_records"].is_u64(), "{own}");
}
