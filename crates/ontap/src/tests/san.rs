//! igroups, maps, portsets, services and credentials; subsystems and what is mapped to them.

use serde_json::{Value, json};

use super::Lab;

const IQN: &str = "iqn.1994-05.com.example:h1";
const WWPN: &str = "10:00:00:90:fa:11:22:33";
const NQN: &str = "nqn.2014-08.org.nvmexpress:uuid:00000000-0000-4000-8000-000000000001";

/// A lab with an SVM `vs0`, volumes `v1` in it with what the operations say.
fn lab() -> Lab {
    let lab = Lab::factory();
    lab.does(json!({"pool.create": {"name": "aggr1", "level": "raid-dp", "drive_count": 5, "controller": "node-01"}}));
    lab.does(json!({"tenant.create": {"name": "vs0"}}));
    lab.does(json!({"container.create": {"name": "v1", "pool": "aggr1", "size": "100GB", "guarantee": "thin", "tenant": "vs0"}}));
    for name in ["lun1", "lun2", "ns1"] {
        lab.does(json!({"volume.create": {"name": name, "container": "v1", "size": "1GB", "allocation": "thin"}}));
    }
    lab
}

fn uuid(record: &Value) -> String {
    record["uuid"].as_str().expect("an identifier").to_owned()
}

#[test]
fn an_igroup_lives_with_its_initiators() {
    let lab = lab();
    let body =
        json!({"name": "ig1", "svm.name": "vs0", "os_type": "linux", "protocol": "iscsi", "comment": "hosts", "initiators": [{"name": IQN, "comment": "one"}]});
    let made = lab.post("/protocols/san/igroups", body.clone());
    let path = format!("/protocols/san/igroups/{}", uuid(&made));
    let read = lab.get(&path);
    assert_eq!((&read["os_type"], &read["protocol"], &read["comment"]), (&json!("linux"), &json!("iscsi"), &json!("hosts")));
    assert_eq!(read["initiators"], json!([{"name": IQN, "comment": "one"}]));
    assert_eq!(lab.refused("POST", "/protocols/san/igroups", &body).1, "5374023");
    assert_eq!(lab.refused("POST", "/protocols/san/igroups", &json!({"name": "x", "svm.name": "vs0"})), (400, "262177".into(), "os_type".into()));
    assert_eq!(lab.refused("POST", "/protocols/san/igroups", &json!({"name": "x", "os_type": "linux"})).1, "2621707");
    let (status, _) =
        lab.ask("POST", &format!("{path}/initiators"), &json!({"records": [{"name": "iqn.1994-05.com.example:h2"}, {"name": "iqn.1994-05.com.example:h3"}]}));
    assert_eq!(status, 201);
    assert_eq!(lab.get(&format!("{path}/initiators"))["num_records"], json!(3));
    assert_eq!(lab.refused("POST", &format!("{path}/initiators"), &json!({"name": IQN})).0, 409);
    assert_eq!(lab.refused("POST", &format!("{path}/initiators"), &json!({"name": "nonsense"})), (400, "5374040".into(), "name".into()));
    lab.patch(&format!("{path}/initiators/iqn.1994-05.com.example%3Ah2"), json!({"comment": "two"}));
    assert_eq!(lab.get(&format!("{path}/initiators/iqn.1994-05.com.example:h2"))["comment"], json!("two"));
    lab.delete(&format!("{path}/initiators/iqn.1994-05.com.example:h2"));
    lab.patch(&path, json!({"name": "ig2", "os_type": "vmware"}));
    assert_eq!(lab.get("/protocols/san/igroups?name=ig2&fields=os_type&initiators.name=iqn.1994-05.com.example:h3")["records"][0]["os_type"], json!("vmware"));
    assert_eq!(lab.get("/protocols/san/initiators")["num_records"], json!(2));
    lab.delete(&path);
    assert_eq!(lab.refused("GET", &path, &Value::Null), (404, "5374852".into(), String::new()));
    assert_eq!(lab.get("/protocols/san/initiators")["num_records"], json!(0), "hosts that nobody has are forgotten");
}

#[test]
fn one_initiator_is_in_many_igroups_and_igroups_nest() {
    let lab = lab();
    let inner =
        lab.post("/protocols/san/igroups", json!({"name": "inner", "svm": {"name": "vs0"}, "os_type": "linux", "initiators": [{"name": WWPN.to_uppercase()}]}));
    let outer = lab.post("/protocols/san/igroups", json!({"name": "outer", "svm": {"name": "vs0"}, "os_type": "linux", "igroups": [{"name": "inner"}]}));
    assert_eq!(lab.get(&format!("/protocols/san/igroups/{}", uuid(&inner)))["initiators"][0]["name"], json!(WWPN));
    assert_eq!(lab.get(&format!("/protocols/san/igroups/{}?fields=igroups", uuid(&outer)))["igroups"][0]["name"], json!("inner"));
    let path = format!("/protocols/san/igroups/{}/igroups", uuid(&outer));
    assert_eq!(lab.get(&path)["num_records"], json!(1));
    lab.delete(&format!("{path}/{}", uuid(&inner)));
    assert_eq!(lab.get(&path)["num_records"], json!(0));
    assert_eq!(lab.ask("POST", &path, &json!({"name": "inner"})).0, 201);
}

#[test]
fn luns_are_mapped_under_the_lowest_free_number() {
    let lab = lab();
    let group = lab.post("/protocols/san/igroups", json!({"name": "ig1", "svm.name": "vs0", "os_type": "linux", "initiators": [{"name": IQN}]}));
    let map = |lun: &str, number: Value| {
        let mut body = json!({"svm.name": "vs0", "lun.name": format!("/vol/v1/{lun}"), "igroup.name": "ig1"});
        if !number.is_null() {
            body["logical_unit_number"] = number;
        }
        body
    };
    let first = lab.post("/protocols/san/lun-maps", map("lun1", Value::Null));
    assert_eq!(first["logical_unit_number"], json!(0));
    assert_eq!(lab.refused("POST", "/protocols/san/lun-maps", &map("lun1", Value::Null)), (409, "1254207".into(), "lun".into()));
    assert_eq!(lab.refused("POST", "/protocols/san/lun-maps", &map("lun2", json!(0))).0, 409);
    assert_eq!(lab.refused("POST", "/protocols/san/lun-maps", &map("lun2", json!(4096))).0, 400);
    assert_eq!(lab.refused("POST", "/protocols/san/lun-maps", &map("nobody", Value::Null)), (400, "5374875".into(), "lun.name".into()));
    let second = lab.post("/protocols/san/lun-maps", map("lun2", json!("7")));
    assert_eq!(second["logical_unit_number"], json!(7));
    let maps = lab.get("/protocols/san/lun-maps?lun.name=/vol/v1/lun1&igroup.name=ig1&fields=reporting_nodes,logical_unit_number");
    assert_eq!(maps["records"][0]["reporting_nodes"].as_array().map(Vec::len), Some(2));
    let path = format!("/protocols/san/lun-maps/{}/{}", first["lun"]["uuid"].as_str().expect("an identifier"), uuid(&group));
    assert_eq!(lab.get(&format!("{path}/reporting-nodes"))["num_records"], json!(2));
    let igroup = format!("/protocols/san/igroups/{}", uuid(&group));
    assert_eq!(lab.get(&format!("{igroup}?fields=lun_maps"))["lun_maps"][0]["logical_unit_number"], json!(0));
    assert_eq!(lab.refused("DELETE", &igroup, &json!({})).1, "1254213");
    assert_eq!(lab.refused("DELETE", &format!("{igroup}/initiators/{IQN}"), &json!({})).1, "1254213");
    lab.delete(&path);
    assert_eq!(lab.refused("DELETE", &path, &json!({})), (404, "5374922".into(), String::new()));
    lab.delete(&format!("{igroup}?allow_delete_while_mapped=true"));
    assert_eq!(lab.get("/protocols/san/lun-maps")["num_records"], json!(0));
}

#[test]
fn services_are_made_disabled_and_deleted() {
    let lab = lab();
    for (path, exists, absent) in [
        ("/protocols/san/iscsi/services", "5374077", "5374078"),
        ("/protocols/san/fcp/services", "5374082", "5374078"),
        ("/protocols/nvme/services", "72089650", "72090029"),
    ] {
        let made = lab.post(path, json!({"svm": {"name": "vs0"}}));
        assert_eq!((&made["enabled"], &made["svm"]["name"]), (&json!(true), &json!("vs0")), "{path}");
        let own = format!("{path}/{}", made["svm"]["uuid"].as_str().expect("an identifier"));
        assert_eq!(lab.refused("POST", path, &json!({"svm.name": "vs0"})).1, exists, "{path}");
        let refused = lab.refused("DELETE", &own, &json!({}));
        assert!(refused.0 == 409 && (refused.1 == "5373960" || refused.1 == "72090028"), "{path}: {refused:?}");
        lab.patch(&own, json!({"enabled": "false"}));
        lab.delete(&own);
        assert_eq!(lab.refused("GET", &own, &Value::Null).1, absent, "{path}");
    }
}

#[test]
fn every_svm_with_iscsi_has_the_default_credential() {
    let lab = lab();
    let service = lab.post("/protocols/san/iscsi/services", json!({"svm": {"name": "vs0"}, "target": {"alias": "front"}}));
    assert!(service["target"]["name"].as_str().is_some_and(|name| name.starts_with("iqn.1992-08.com.netapp:sn.")), "{service}");
    assert_eq!(service["target"]["alias"], json!("front"));
    let found = lab.get("/protocols/san/iscsi/credentials?initiator=default&return_records=true");
    assert_eq!((&found["num_records"], &found["records"][0]["authentication_type"]), (&json!(1), &json!("none")));
    let svm = service["svm"]["uuid"].as_str().expect("an identifier");
    lab.patch(
        &format!("/protocols/san/iscsi/credentials/{svm}/default"),
        json!({"authentication_type": "CHAP", "chap.inbound": {"user": "in", "password": "a-long-secret-1"}}),
    );
    let read = lab.get(&format!("/protocols/san/iscsi/credentials/{svm}/default"));
    assert_eq!((&read["authentication_type"], &read["chap"]), (&json!("chap"), &json!({"inbound": {"user": "in"}})));
    let body = json!({"svm.name": "vs0", "initiator": IQN, "authentication_type": "chap", "chap": {"inbound": {"user": "u", "password": "a-long-secret-2"}}});
    assert_eq!(lab.ask("POST", "/protocols/san/iscsi/credentials", &body).0, 201);
    assert!(!lab.raw("GET", "/protocols/san/iscsi/credentials?fields=**", &Value::Null).body.contains("secret"));
    lab.delete(&format!("/protocols/san/iscsi/credentials/{svm}/{IQN}"));
    assert_eq!(lab.refused("DELETE", &format!("/protocols/san/iscsi/credentials/{svm}/default"), &json!({})).0, 409);
}

#[test]
fn namespaces_are_mapped_to_one_subsystem() {
    let lab = lab();
    let body = json!({"svm.name": "vs0", "name": "sub1", "os_type": "linux", "hosts": [{"nqn": NQN}], "comment": "db"});
    let made = lab.post("/protocols/nvme/subsystems", body.clone());
    assert_eq!(made["serial_number"].as_str().map(str::len), Some(20));
    assert!(made["target_nqn"].as_str().is_some_and(|nqn| nqn.ends_with(":subsystem.sub1")), "{made}");
    assert_eq!(lab.refused("POST", "/protocols/nvme/subsystems", &body).1, "72090025");
    let path = format!("/protocols/nvme/subsystems/{}", uuid(&made));
    assert_eq!(lab.refused("POST", &format!("{path}/hosts"), &json!({"nqn": NQN})), (409, "72089705".into(), "nqn".into()));
    assert_eq!(lab.refused("POST", &format!("{path}/hosts"), &json!({"nqn": "nonsense"})).1, "72089771");
    assert_eq!(lab.refused("POST", "/protocols/san/igroups", &json!({"name": "sub1", "svm.name": "vs0", "os_type": "linux"})).0, 409, "one space of names");
    lab.does(json!({"mapping.create": {"volume": "v1/ns1", "host_group": "sub1"}}));
    let maps = lab.get("/protocols/nvme/subsystem-maps");
    assert_eq!(maps["records"][0]["nsid"], json!("00000001h"));
    assert_eq!(maps["records"][0]["namespace"]["name"], json!("/vol/v1/ns1"));
    assert_eq!(lab.refused("DELETE", &path, &json!({})).1, "72090023");
    assert_eq!(lab.refused("DELETE", &format!("{path}?allow_delete_while_mapped=true"), &json!({})).1, "72090024");
    let map = format!("/protocols/nvme/subsystem-maps/{}/{}", uuid(&made), maps["records"][0]["namespace"]["uuid"].as_str().expect("an identifier"));
    lab.delete(&map);
    assert_eq!(lab.refused("DELETE", &map, &json!({})).1, "72090019");
    lab.delete(&format!("{path}/hosts/{NQN}"));
    lab.delete(&path);
    assert_eq!(lab.refused("GET", &path, &Value::Null).1, "72090001");
}

#[test]
fn portsets_are_made_of_interfaces() {
    let lab = lab();
    lab.does(json!({"service.create": {"tenant": "vs0", "protocol": "iscsi"}}));
    for (name, port, address) in [("lif1", "node-01:e0c", "192.0.2.1"), ("lif2", "node-02:e0c", "192.0.2.2")] {
        lab.does(
            json!({"interface.create": {"name": name, "tenant": "vs0", "services": ["iscsi"], "home_port": port, "address": address, "prefix_length": 24}}),
        );
    }
    let made = lab.post("/protocols/san/portsets", json!({"svm.name": "vs0", "name": "ps1", "protocol": "iscsi", "interfaces": [{"ip": {"name": "lif1"}}]}));
    let path = format!("/protocols/san/portsets/{}", uuid(&made));
    assert_eq!(lab.get(&path)["interfaces"][0]["ip"]["name"], json!("lif1"));
    assert_eq!(lab.ask("POST", &format!("{path}/interfaces"), &json!({"records": [{"ip": {"name": "lif2"}}]})).0, 201);
    assert_eq!(lab.refused("POST", &format!("{path}/interfaces"), &json!({"ip": {"name": "nobody"}})).1, "5374906");
    let group = lab.post("/protocols/san/igroups", json!({"name": "ig1", "svm.name": "vs0", "os_type": "linux", "protocol": "iscsi", "portset": "ps1"}));
    assert_eq!(lab.refused("DELETE", &path, &json!({})), (409, "5374063".into(), String::new()));
    assert_eq!(lab.get(&format!("{path}?fields=igroups"))["igroups"][0]["name"], json!("ig1"));
    lab.patch(&format!("/protocols/san/igroups/{}", uuid(&group)), json!({"portset": {"name": ""}}));
    lab.delete(&path);
    assert_eq!(lab.refused("GET", &path, &Value::Null).1, "5374908");
}
