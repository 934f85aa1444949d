//! Interfaces, ports, and what is configured of the network.

use serde_json::{Value, json};

use super::Lab;

fn lab() -> Lab {
    let lab = Lab::factory();
    lab.post("/storage/aggregates", json!({"name": "aggr1", "node": {"name": "lab-01"}, "block_storage.primary.disk_count": 6}));
    lab.post("/svm/svms", json!({"name": "vs0", "iscsi.enabled": true, "fcp.enabled": true, "nvme.enabled": true}));
    lab
}

fn path(collection: &str, record: &Value) -> String {
    format!("{collection}/{}", record["uuid"].as_str().expect("an identifier"))
}

#[test]
fn a_new_cluster_has_ports_and_management_interfaces() {
    let lab = Lab::factory();
    let ports = lab.get("/network/ethernet/ports?fields=*");
    assert_eq!(ports["num_records"], json!(10), "four and one for the management, a node");
    assert!(
        ports["records"].as_array().expect("a list").iter().all(|port| port["broadcast_domain"]["name"] == json!("Default") && port["state"] == json!("up"))
    );
    assert_eq!(lab.get("/network/fc/ports?fields=*&node.name=lab-01")["num_records"], json!(4));
    let interfaces = lab.get("/network/ip/interfaces?fields=**&scope=cluster&order_by=name");
    let names: Vec<&Value> = interfaces["records"].as_array().expect("a list").iter().map(|interface| &interface["name"]).collect();
    assert_eq!(names, ["cluster_mgmt", "lab-01_mgmt1", "lab-02_mgmt1"]);
    assert_eq!(interfaces["records"][0]["service_policy"]["name"], json!("default-management"));
    assert_eq!(lab.get("/network/ip/interfaces?name=lab-02_mgmt1")["num_records"], json!(1));
    let cluster = lab.get("/cluster");
    assert_eq!(cluster["management_interfaces"][0]["ip"]["address"], json!("203.0.113.10"));
    assert_eq!(
        lab.get("/cluster/nodes?name=lab-02&fields=management_interfaces")["records"][0]["management_interfaces"][0]["ip"]["address"],
        json!("203.0.113.12")
    );
}

#[test]
fn ip_interfaces_find_homes_move_and_go() {
    let lab = lab();
    let body = json!({
        "name": "lif1", "svm": {"name": "vs0"}, "ip": {"address": "10.0.0.1", "netmask": "255.255.255.0"}, "service_policy": "default-data-blocks",
        "location": {"home_node": {"name": "lab-01"}, "broadcast_domain": {"name": "Default"}},
    });
    let lif = lab.post("/network/ip/interfaces?fields=**", body.clone());
    assert_eq!((&lif["ip"]["netmask"], &lif["state"], &lif["enabled"], &lif["scope"]), (&json!("24"), &json!("up"), &json!(true), &json!("svm")));
    assert_eq!((&lif["services"], &lif["service_policy"]["name"]), (&json!(["data_core", "data_iscsi"]), &json!("default-data-blocks")));
    assert_eq!(
        (&lif["location"]["home_node"]["name"], &lif["location"]["is_home"], &lif["location"]["auto_revert"]),
        (&json!("lab-01"), &json!(true), &json!(false))
    );
    assert_eq!(lab.get("/network/ip/interfaces?services=data_iscsi&svm.name=vs0&fields=ip.address,state")["num_records"], json!(1));
    assert_eq!(lab.refused("POST", "/network/ip/interfaces", &body), (409, "1966140".into(), "name".into()));
    let other = |name: &str, more: Value| {
        let mut body = json!({"name": name, "svm.name": "vs0", "ip": {"address": "10.0.0.9", "netmask": 24}, "location.broadcast_domain.name": "Default"});
        body.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        body
    };
    let refused = |body: Value| lab.refused("POST", "/network/ip/interfaces", &body);
    assert_eq!(refused(other("b", json!({"ip": {"address": "10.0.0.1", "netmask": "24"}}))), (409, "1376963".into(), "ip.address".into()));
    assert_eq!(
        refused(other("b", json!({"location.home_port": {"name": "e9z", "node.name": "lab-01"}}))),
        (400, "1967130".into(), "location.home_port.name".into())
    );
    assert_eq!(refused(other("b", json!({"location.home_node.name": "nobody"}))), (400, "1967111".into(), "location.home_node".into()));
    assert_eq!(refused(other("b", json!({"service_policy.name": "nothing"}))), (400, "1966373".into(), "service_policy.name".into()));
    let tcp = lab.post(
        "/network/ip/interfaces?fields=**",
        other("tcp", json!({"service_policy.name": "default-data-nvme-tcp", "location.home_port": {"name": "e0c", "node": {"name": "lab-02"}}})),
    );
    assert_eq!((&tcp["location"]["port"]["name"], &tcp["services"][1]), (&json!("e0c"), &json!("data_nvme_tcp")));
    let own = path("/network/ip/interfaces", &lif);
    lab.patch(&own, json!({"name": "lif2", "enabled": false, "ip": {"address": "10.0.0.7", "netmask": "25"}, "location.auto_revert": false}));
    let lif = lab.get(&own);
    assert_eq!((&lif["name"], &lif["state"], &lif["ip"]["address"], &lif["ip"]["netmask"]), (&json!("lif2"), &json!("down"), &json!("10.0.0.7"), &json!("25")));
    lab.patch(&own, json!({"location": {"home_port": {"name": "e0d", "node": {"name": "lab-02"}}}}));
    let lif = lab.get(&own);
    assert_eq!((&lif["location"]["home_node"]["name"], &lif["location"]["home_port"]["name"]), (&json!("lab-02"), &json!("e0d")));
    lab.patch(&own, json!({"service_policy.name": "default-management"}));
    assert_eq!(lab.get(&own)["service_policy"]["name"], json!("default-management"));
    lab.delete(&own);
    assert_eq!(lab.refused("GET", &own, &Value::Null).0, 404);
}

#[test]
fn fc_interfaces_have_names_of_their_own() {
    let lab = lab();
    let body = json!({"name": "fc1", "svm.name": "vs0", "data_protocol": "fcp", "location.home_port": {"name": "0a", "node.name": "lab-01"}});
    let lif = lab.post("/network/fc/interfaces?fields=*", body.clone());
    assert_eq!(
        (&lif["state"], &lif["enabled"], &lif["data_protocol"], &lif["location"]["port"]["name"]),
        (&json!("up"), &json!(true), &json!("fcp"), &json!("0a"))
    );
    assert!(lif["wwpn"].as_str().is_some_and(|wwpn| wwpn.starts_with("20:") && wwpn.len() == 23), "{lif}");
    assert_eq!(lab.refused("POST", "/network/fc/interfaces", &body), (409, "1966140".into(), "name".into()));
    assert_eq!(lab.refused("POST", "/network/fc/interfaces", &json!({"name": "fc2", "svm.name": "none", "data_protocol": "fcp"})).1, "2621462");
    let nvme =
        lab.post("/network/fc/interfaces?fields=*", json!({"name": "fc2", "svm.name": "vs0", "data_protocol": "fc_nvme", "location.home_node.name": "lab-02"}));
    assert_eq!(nvme["location"]["node"]["name"], json!("lab-02"));
    let own = path("/network/fc/interfaces", &lif);
    lab.patch(&own, json!({"enabled": false, "comment": "spare", "name": "fc9"}));
    let lif = lab.get(&own);
    assert_eq!((&lif["state"], &lif["comment"], &lif["name"]), (&json!("down"), &json!("spare"), &json!("fc9")));
    lab.delete(&own);
    let port = lab.get("/network/fc/ports?name=0a&node.name=lab-01&fields=*");
    let port = path("/network/fc/ports", &port["records"][0]);
    lab.patch(&port, json!({"enabled": false}));
    assert_eq!(lab.get(&port)["state"], json!("offlined_by_user"));
    assert_eq!(lab.get("/network/fc/logins")["num_records"], json!(0));
}

#[test]
fn what_the_cluster_came_with_stays_and_the_rest_comes_and_goes() {
    let lab = lab();
    let create = |collection: &str, body: Value| lab.post(&format!("{collection}?fields=*"), body);
    for (collection, count, kept) in [
        ("/cluster/schedules", 11, "hourly"),
        ("/network/ipspaces", 2, "Default"),
        ("/network/ethernet/broadcast-domains", 2, "Default"),
        ("/network/ip/service-policies", 9, "default-data-blocks"),
    ] {
        let all = lab.get(&format!("{collection}?fields=**"));
        assert_eq!(all["num_records"], json!(count), "{collection}: {all}");
        let found = lab.get(&format!("{collection}?name={kept}"));
        assert_eq!(lab.refused("DELETE", &path(collection, &found["records"][0]), &json!({})).0, 409, "{collection}");
    }
    let schedule = create("/cluster/schedules", json!({"name": "lunch", "cron": {"minutes": ["30"], "hours": [12]}}));
    assert_eq!((&schedule["type"], &schedule["cron"]), (&json!("cron"), &json!({"minutes": [30], "hours": [12]})));
    let own = path("/cluster/schedules", &schedule);
    lab.patch(&own, json!({"cron": {"minutes": [0], "hours": [13], "days": []}}));
    assert_eq!(lab.get(&own)["cron"], json!({"minutes": [0], "hours": [13]}));
    assert_eq!(create("/cluster/schedules", json!({"name": "often", "interval": "PT7M30S"}))["interval"], json!("PT7M30S"));
    assert_eq!(lab.refused("POST", "/cluster/schedules", &json!({"name": "lunch", "interval": "PT1M"})), (409, "1".into(), "name".into()));
    assert_eq!(lab.refused("POST", "/cluster/schedules", &json!({"name": "x", "cron": {"minutes": [99]}})), (400, "262185".into(), "cron.minutes".into()));
    lab.delete(&own);

    let space = create("/network/ipspaces", json!({"name": "space1"}));
    let domain = create("/network/ethernet/broadcast-domains", json!({"name": "bd1", "mtu": 9000, "ipspace": "space1"}));
    assert_eq!((&domain["mtu"], &domain["ipspace"]["name"]), (&json!(9000), &json!("space1")));
    assert_eq!(lab.refused("DELETE", &path("/network/ipspaces", &space), &json!({})), (409, "1966309".into(), String::new()));
    let port = lab.get("/network/ethernet/ports?name=e0d&node.name=lab-02");
    let port = path("/network/ethernet/ports", &port["records"][0]);
    lab.patch(&port, json!({"broadcast_domain": {"name": "bd1", "ipspace.name": "space1"}}));
    assert_eq!((&lab.get(&port)["broadcast_domain"]["name"], &lab.get(&port)["mtu"]), (&json!("bd1"), &json!(9000)));
    assert_eq!(lab.get(&path("/network/ethernet/broadcast-domains", &domain))["ports"][0]["name"], json!("e0d"));
    lab.patch(&port, json!({"broadcast_domain.name": "Default", "enabled": false}));
    lab.delete(&path("/network/ethernet/broadcast-domains", &domain));
    lab.delete(&path("/network/ipspaces", &space));

    let subnet = create(
        "/network/ip/subnets",
        json!({"name": "net1", "broadcast_domain.name": "Default", "subnet": {"address": "10.1.0.0", "netmask": "16"}, "gateway": "10.1.0.254", "ip_ranges": [{"start": "10.1.0.5", "end": "10.1.0.6"}]}),
    );
    assert_eq!((&subnet["total_count"], &subnet["subnet"]["netmask"]), (&json!(2), &json!("16")));
    for address in ["10.1.0.5", "10.1.0.6"] {
        let lif = lab.post("/network/ip/interfaces?fields=*", json!({"svm.name": "vs0", "subnet.name": "net1"}));
        assert_eq!((&lif["ip"]["address"], &lif["subnet"]["name"]), (&json!(address), &json!("net1")));
    }
    assert_eq!(lab.refused("POST", "/network/ip/interfaces", &json!({"svm.name": "vs0", "subnet.name": "net1"})).1, "1966269");
    assert_eq!(lab.refused("DELETE", &path("/network/ip/subnets", &subnet), &json!({})).1, "1377663");

    let route = create("/network/ip/routes", json!({"svm.name": "vs0", "gateway": "10.1.0.254"}));
    assert_eq!((&route["destination"]["address"], &route["destination"]["netmask"], &route["metric"]), (&json!("0.0.0.0"), &json!("0"), &json!(20)));
    assert_eq!(lab.refused("POST", "/network/ip/routes", &json!({"svm.name": "vs0", "gateway": "10.1.0.254"})).1, "1966345");
    lab.delete(&path("/network/ip/routes", &route));

    let policy = create("/network/ip/service-policies", json!({"name": "both", "svm.name": "vs0", "services": ["data_core", "data_iscsi", "data_nvme_tcp"]}));
    assert_eq!((&policy["scope"], &policy["is_built_in"]), (&json!("svm"), &json!(false)));
    let lif = lab.post(
        "/network/ip/interfaces?fields=*",
        json!({"name": "both1", "svm.name": "vs0", "ip": {"address": "10.2.0.1", "netmask": "24"}, "service_policy.name": "both", "location.home_node.name": "lab-01"}),
    );
    assert_eq!(lif["services"], json!(["data_core", "data_iscsi", "data_nvme_tcp"]));
    assert_eq!(lab.refused("DELETE", &path("/network/ip/service-policies", &policy), &json!({})).1, "53281927");
}
