//! LUNs and namespaces: made, found, changed, cloned, moved, refused, deleted.

use serde_json::{Value, json};

use super::Lab;

/// A cluster with an SVM `vs1` and two volumes.
pub(super) fn lab() -> Lab {
    let lab = Lab::factory();
    let node = lab.get("/cluster/nodes")["records"][0]["name"].clone();
    lab.post("/storage/aggregates", json!({"name": "aggr1", "node.name": node, "block_storage.primary.disk_count": 8}));
    lab.does(json!({"tenant.create": {"name": "vs1", "pools": ["aggr1"]}}));
    lab.does(json!({"tenant.create": {"name": "vs2", "pools": ["aggr1"]}}));
    for (name, svm) in [("vol1", "vs1"), ("vol2", "vs1"), ("vol3", "vs2")] {
        lab.does(json!({"container.create": {"name": name, "pool": "aggr1", "size": "200GiB", "guarantee": "thin", "tenant": svm}}));
    }
    lab
}

fn lun(name: &str) -> Value {
    json!({"svm.name": "vs1", "name": name, "os_type": "linux", "space.size": 1_073_741_824_u64})
}

fn uuid(record: &Value) -> &str {
    record["uuid"].as_str().expect("an identifier")
}

#[test]
fn a_lun_is_what_was_posted() {
    let lab = lab();
    let mut body = lun("/vol/vol1/lun1");
    body["comment"] = json!("logs");
    body["space.guarantee.requested"] = json!("true");
    let made = lab.post("/storage/luns", body);
    let path = format!("/storage/luns/{}", uuid(&made));
    let shown = lab.get(&path);
    assert_eq!((&shown["name"], &shown["os_type"], &shown["comment"]), (&json!("/vol/vol1/lun1"), &json!("linux"), &json!("logs")));
    assert_eq!(shown["location"]["volume"]["name"], json!("vol1"));
    assert_eq!(shown["location"]["logical_unit"], json!("lun1"));
    assert_eq!(shown["space"]["size"], json!(1_073_741_824_u64));
    assert_eq!(shown["space"]["guarantee"], json!({"requested": true, "reserved": true}));
    assert_eq!(shown["space"]["scsi_thin_provisioning_support_enabled"], json!(false));
    assert_eq!(lab.get(&format!("{path}?fields=status.mapped,status.state"))["status"], json!({"state": "online", "mapped": false}));
    let serial = shown["serial_number"].as_str().expect("a text");
    assert!(serial.len() == 12 && serial.chars().all(|character| character.is_ascii_graphic()), "{serial}");
    let uid = lab.array().read(|world| world.array.volumes.iter().next().map(|volume| volume.uid.clone()));
    assert_eq!(uid, Some(format!("600a0980{}", shown["serial_number_hex"].as_str().expect("a text"))));
    for query in ["name=/vol/vol1/lun1&svm.name=vs1", "svm.name=vs1&location.volume.name=vol1", "name=/vol/vol1/lun1,/vol/vol1/none", "uuid=!null"] {
        assert_eq!(lab.get(&format!("/storage/luns?{query}"))["num_records"], json!(1), "{query}");
    }
    for query in ["name=/vol/vol2/lun1", "svm.name=vs2&name=/vol/vol1/lun1", "location.volume.name=vol2"] {
        assert_eq!(lab.get(&format!("/storage/luns?{query}"))["num_records"], json!(0), "{query}");
    }
    assert_eq!(lab.get("/storage/namespaces")["num_records"], json!(0));
    lab.delete(&path);
    assert_eq!(lab.refused("GET", &path, &Value::Null), (404, "5374875".into(), String::new()));
}

#[test]
fn names_and_parts_of_locations_must_agree() {
    let lab = lab();
    let of = |changes: Value| {
        let mut body = lun("/vol/vol1/lun1");
        for (name, value) in changes.as_object().expect("an object") {
            body[name] = value.clone();
        }
        body
    };
    for (changes, status, code, target) in [
        (json!({"name": "/vol/none/lun1"}), 400, "917927", "name"),
        (json!({"name": "lun1"}), 400, "5374127", "name"),
        (json!({"name": null}), 400, "5374859", "name"),
        (json!({"name": "/vol/vol1/.snapshot/s/lun1"}), 400, "5374238", "name"),
        (json!({"name": "/vol/vol1/q/lun1"}), 400, "5242950", "location.qtree"),
        (json!({"name": "/vol/vol3/lun1"}), 400, "917927", "name"),
        (json!({"location.volume.name": "vol2"}), 400, "5374858", "location.volume"),
        (json!({"location.volume.name": "none"}), 400, "917927", "location.volume.name"),
        (json!({"location.logical_unit": "other"}), 400, "5374861", "location.logical_unit"),
        (json!({"svm.name": "none"}), 400, "2621462", "svm.name"),
        (json!({"svm.name": null}), 400, "2621707", "svm.name"),
        (json!({"os_type": null}), 400, "5374884", "os_type"),
        (json!({"os_type": "amiga"}), 400, "262197", "os_type"),
        (json!({"space.size": null}), 400, "5374884", "space.size"),
        (json!({"space.size": 0}), 400, "5374124", "space.size"),
        (json!({"space.size": "200TB"}), 400, "5374125", "space.size"),
        (json!({"qos_policy.name": "none-such"}), 400, "5375059", "qos_policy.name"),
        (json!({"space.size": "300GB", "space.guarantee.requested": true}), 409, "1245212", ""),
        (json!({"serial_number": "abcdefghijkl"}), 400, "262196", "serial_number"),
    ] {
        assert_eq!(lab.refused("POST", "/storage/luns", &of(changes.clone())), (status, code.into(), target.into()), "{changes}");
    }
    lab.post("/storage/luns", of(json!({"location.volume.name": "vol1", "location.logical_unit": "lun1"})));
    assert_eq!(lab.refused("POST", "/storage/luns", &lun("/vol/vol1/lun1")), (409, "5374242".into(), "name".into()));
    let parts = json!({"svm.name": "vs1", "location.volume.name": "vol1", "location.logical_unit": "lun2", "os_type": "aix", "space.size": 4097});
    let made = lab.post("/storage/luns", parts);
    assert_eq!((&made["name"], &made["space"]["size"]), (&json!("/vol/vol1/lun2"), &json!(8192)));
}

#[test]
fn a_lun_is_changed_renamed_and_grows() {
    let lab = lab();
    let made = lab.post("/storage/luns", lun("/vol/vol1/lun1"));
    let path = format!("/storage/luns/{}", uuid(&made));
    lab.patch(&path, json!({"name": "/vol/vol1/lun1", "space.size": "2147483648", "comment": "grown"}));
    lab.patch("/storage/luns/?svm.name=vs1&name=/vol/vol1/lun1", json!({"name": "/vol/vol1/other"}));
    let shown = lab.get(&path);
    assert_eq!((&shown["name"], &shown["space"]["size"], &shown["comment"]), (&json!("/vol/vol1/other"), &json!(2_147_483_648_u64), &json!("grown")));
    assert_eq!(lab.refused("PATCH", &path, &json!({"space.size": 2_147_483_648_u64})), (400, "1254226".into(), "space.size".into()));
    assert_eq!(lab.refused("PATCH", &path, &json!({"space.size": 4096})), (400, "5374892".into(), "space.size".into()));
    lab.post("/storage/luns", lun("/vol/vol1/lun2"));
    assert_eq!(lab.refused("PATCH", &path, &json!({"name": "/vol/vol1/lun2"})), (409, "1254196".into(), "name".into()));
    lab.patch(&path, json!({"enabled": false, "comment": ""}));
    let shown = lab.get(&path);
    assert_eq!((&shown["enabled"], &shown["status"]["state"], shown.get("comment")), (&json!(false), &json!("offline"), None));
    assert_eq!(lab.get("/storage/luns?return_records=false")["num_records"], json!(2));
    let (status, answer) = lab.ask("DELETE", "/storage/luns/?name=/vol/vol1/*&svm=vs1&allow_delete_while_mapped=true", &Value::Null);
    assert_eq!((status, &answer["num_records"]), (200, &json!(2)));
    let (status, answer) = lab.ask("DELETE", "/storage/luns?name=/vol/vol1/nothing", &Value::Null);
    assert_eq!((status, &answer["num_records"]), (200, &json!(0)));
}

#[test]
fn luns_are_cloned_from_luns_and_from_snapshots() {
    let lab = lab();
    let mut body = lun("/vol/vol1/lun1");
    body["attributes"] = json!([{"name": "com.netapp.ndvp.fstype", "value": "ext4"}]);
    let made = lab.post("/storage/luns", body);
    lab.does(json!({"volume.write": {"volume": uuid(&made), "bytes": "512MiB"}}));
    lab.does(json!({"snapshot.create": {"container": "vol1", "name": "s1"}}));
    let clone =
        |name: &str, source: Value| json!({"svm": {"name": "vs1"}, "name": name, "clone": {"source": source}, "space": {"guarantee": {"requested": false}}});
    let cloned = lab.post("/storage/luns", clone("/vol/vol1/c1", json!({"name": "/vol/vol1/lun1"})));
    assert_eq!(cloned["space"]["size"], json!(1_073_741_824_u64));
    assert_ne!(cloned["serial_number"], made["serial_number"]);
    let attributes = lab.get(&format!("/storage/luns/{}?fields=attributes", uuid(&cloned)));
    assert_eq!(attributes["attributes"], json!([{"name": "com.netapp.ndvp.fstype", "value": "ext4"}]));
    let of_uuid = json!({"uuid": uuid(&made)});
    lab.post("/storage/luns", clone("/vol/vol1/c2", of_uuid.clone()));
    lab.delete(&format!("/storage/luns/{}", uuid(&made)));
    let revived = lab.post("/storage/luns", clone("/vol/vol1/lun1", json!({"name": "/vol/vol1/.snapshot/s1/lun1"})));
    assert_eq!((&revived["name"], &revived["space"]["used"]), (&json!("/vol/vol1/lun1"), &json!(512 << 20)));
    for (name, source, code) in [
        ("/vol/vol1/c3", json!({"name": "/vol/vol1/none"}), "5374876"),
        ("/vol/vol1/c3", of_uuid, "5374875"),
        ("/vol/vol1/c3", json!({"name": "/vol/vol1/.snapshot/none/lun1"}), "5374876"),
        ("/vol/vol2/c3", json!({"name": "/vol/vol1/lun1"}), "918236"),
    ] {
        assert_eq!(lab.refused("POST", "/storage/luns", &clone(name, source.clone())).1, code, "{source}");
    }
    let mut body = clone("/vol/vol1/c3", json!({"name": "/vol/vol1/lun1"}));
    body["os_type"] = json!("linux");
    assert_eq!(lab.refused("POST", "/storage/luns", &body), (400, "5374883".into(), "os_type".into()));
    assert_eq!(lab.array().read(crate::engine::problems), Vec::<String>::new());
}

#[test]
fn luns_are_moved_and_copied_to_other_volumes() {
    let lab = lab();
    let made = lab.post("/storage/luns", lun("/vol/vol1/lun1"));
    let path = format!("/storage/luns/{}", uuid(&made));
    lab.does(json!({"volume.write": {"volume": uuid(&made), "bytes": "800MiB"}}));
    lab.does(json!({"snapshot.create": {"container": "vol1", "name": "s1"}}));
    lab.patch("/storage/luns?name=/vol/vol1/lun1", json!({"name": "/vol/vol2/moved"}));
    let moved = lab.get("/storage/luns?name=/vol/vol2/moved&fields=movement.progress,serial_number");
    let record = &moved["records"][0];
    assert_eq!((&record["uuid"], &record["movement"]["progress"]["state"]), (&made["uuid"], &json!("replicating")));
    assert_eq!(record["serial_number"], lab.get(&path)["serial_number"]);
    lab.does(json!({"clock.advance": {"by": "1h"}}));
    let record = lab.get(&format!("{path}?fields=movement,location"));
    assert_eq!(record["movement"]["progress"]["state"], json!("complete"));
    assert_eq!(record["movement"]["paths"], json!({"source": "/vol/vol1/lun1", "destination": "/vol/vol2/moved"}));
    assert_eq!(record["location"]["volume"]["name"], json!("vol2"));
    assert_eq!(lab.get("/storage/luns?location.volume.name=vol1")["num_records"], json!(0));
    let copy = json!({"svm.name": "vs1", "name": "/vol/vol1/copy", "copy.source.name": "/vol/vol2/moved"});
    let copied = lab.post("/storage/luns", copy);
    assert_eq!(copied["space"]["used"], json!(800 << 20));
    let record = lab.get("/storage/luns?name=/vol/vol1/copy&fields=copy.source.progress");
    assert_eq!(record["records"][0]["copy"]["source"]["progress"]["state"], json!("replicating"));
    assert_eq!(lab.array().read(crate::engine::problems), Vec::<String>::new());
    lab.does(json!({"snapshot.restore": {"snapshot": "vol1/s1"}}));
    assert_eq!(lab.get("/storage/luns?fields=name&order_by=name")["num_records"], json!(2));
    assert_eq!(lab.array().read(crate::engine::problems), Vec::<String>::new());
}

#[test]
fn attributes_are_kept_beside_a_lun() {
    let lab = lab();
    let made = lab.post("/storage/luns", lun("/vol/vol1/lun1"));
    let path = format!("/storage/luns/{}/attributes", uuid(&made));
    lab.post(&path, json!({"name": "com.netapp.ndvp.fstype", "value": "ext4"}));
    lab.post(&path, json!({"name": "owner", "value": "me"}));
    assert_eq!(lab.refused("POST", &path, &json!({"name": "owner", "value": "you"})), (409, "5374929".into(), "name".into()));
    lab.patch(&format!("{path}/com.netapp.ndvp.fstype"), json!({"value": "xfs"}));
    let all = lab.get(&format!("{path}?fields=value&order_by=name"));
    assert_eq!((&all["num_records"], &all["records"][0]["value"]), (&json!(2), &json!("xfs")));
    lab.delete(&format!("{path}/owner"));
    assert_eq!(lab.refused("DELETE", &format!("{path}/owner"), &json!({})), (404, "5374931".into(), String::new()));
    let shown = lab.get(&format!("/storage/luns/{}?fields=attributes.name", uuid(&made)));
    assert_eq!(shown["attributes"], json!([{"name": "com.netapp.ndvp.fstype"}]));
    assert_eq!(lab.refused("GET", "/storage/luns/nobody/attributes", &Value::Null).0, 404);
}

#[test]
fn what_is_mapped_needs_a_switch_to_be_deleted() {
    let lab = lab();
    let made = lab.post("/storage/luns", lun("/vol/vol1/lun1"));
    let space = lab.post("/storage/namespaces", json!({"svm.name": "vs1", "name": "/vol/vol1/ns1", "os_type": "linux", "space.size": "1GB"}));
    lab.does(json!({"host.create": {"name": "h1", "protocol": "iscsi", "iscsi_name": "iqn.1994-05.com.redhat:h1", "tenant": "vs1"}}));
    lab.does(json!({"host-group.create": {"name": "hosts", "hosts": ["h1"], "tenant": "vs1"}}));
    lab.does(json!({"mapping.create": {"volume": uuid(&made), "host_group": "hosts"}}));
    let path = format!("/storage/luns/{}", uuid(&made));
    let shown = lab.get(&format!("{path}?fields=lun_maps,status.mapped"));
    assert_eq!((&shown["lun_maps"][0]["igroup"]["name"], &shown["status"]["mapped"]), (&json!("hosts"), &json!(true)));
    assert_eq!(lab.refused("DELETE", &path, &json!({})), (409, "1254197".into(), String::new()));
    assert_eq!(lab.refused("DELETE", &format!("{path}?allow_delete_while_mapped=false"), &json!({})).1, "1254197");
    lab.delete(&format!("{path}?allow_delete_while_mapped=true"));
    assert_eq!(lab.array().read(|world| world.array.mappings.len()), 0);
    let map = json!({"mapping.create": {"volume": uuid(&space), "host_group": "hosts"}});
    let map = serde_json::from_value(map).expect("an operation");
    let refused = lab.array().batch(crate::ops::Actor::new("test", "tester", "a test"), vec![map]).expect_err("a namespace is for NVMe hosts");
    assert!(refused.to_string().contains("nvme"), "{refused}");
}

#[test]
fn a_namespace_is_what_was_posted() {
    let lab = lab();
    let body = json!({"svm.name": "vs1", "name": "/vol/vol1/ns1", "os_type": "linux", "space.size": "1073741824"});
    let made = lab.post("/storage/namespaces", body.clone());
    let path = format!("/storage/namespaces/{}", uuid(&made));
    let shown = lab.get(&format!("{path}?fields=**"));
    assert_eq!((&shown["name"], &shown["space"]["block_size"], &shown["location"]["namespace"]), (&json!("/vol/vol1/ns1"), &json!(4096), &json!("ns1")));
    assert_eq!((shown["status"]["mapped"].clone(), shown.get("subsystem_map"), shown.get("serial_number")), (json!(false), None, None));
    assert_eq!(lab.refused("POST", "/storage/namespaces", &body), (409, "72089725".into(), "name".into()));
    assert_eq!(lab.refused("POST", "/storage/luns", &lun("/vol/vol1/ns1")), (409, "5374242".into(), "name".into()));
    assert_eq!(lab.refused("GET", &format!("/storage/luns/{}", uuid(&made)), &Value::Null).0, 404);
    let small = json!({"svm.name": "vs1", "name": "/vol/vol1/ns2", "os_type": "linux", "space.size": 0});
    assert_eq!(lab.refused("POST", "/storage/namespaces", &small), (400, "72089723".into(), "space.size".into()));
    lab.patch("/storage/namespaces?name=/vol/vol1/ns1", json!({"space.size": "2147483648", "comment": "larger"}));
    assert_eq!(lab.refused("PATCH", &path, &json!({"space.size": 4096})).1, "72089730");
    let clone = json!({"svm": {"name": "vs1"}, "name": "/vol/vol1/c1", "clone": {"source": {"name": "/vol/vol1/ns1"}}});
    let cloned = lab.post("/storage/namespaces", clone);
    assert_eq!(cloned["space"]["size"], json!(2_147_483_648_u64));
    lab.delete("/storage/namespaces?name=/vol/vol1/*");
    assert_eq!(lab.refused("GET", &path, &Value::Null), (404, "72090007".into(), String::new()));
}

#[test]
fn a_namespace_is_made_in_a_subsystem_or_not_at_all() {
    let lab = lab();
    lab.post("/protocols/nvme/subsystems", json!({"svm.name": "vs1", "name": "s1", "os_type": "linux"}));
    let body = |subsystem: &str| json!({"name": "/vol/vol1/n1", "svm.name": "vs1", "os_type": "linux", "space.size": 1 << 30, "subsystem_map": {"subsystem": {"name": subsystem}}});
    let refused = lab.refused("POST", "/storage/namespaces", &body("none"));
    assert_eq!(refused, (400, "72090001".into(), "subsystem_map.subsystem.name".into()));
    assert_eq!(lab.get("/storage/namespaces")["num_records"], json!(0));
    let made = lab.post("/storage/namespaces", body("s1"));
    let path = format!("/storage/namespaces/{}", uuid(&made));
    assert_eq!(lab.get(&format!("{path}?fields=subsystem_map"))["subsystem_map"]["subsystem"]["name"], json!("s1"));
    assert_eq!(lab.get("/protocols/nvme/subsystem-maps?subsystem.name=s1")["num_records"], json!(1));
    assert_eq!(lab.refused("PATCH", &path, &json!({"subsystem_map": {"subsystem": {"name": "s1"}}})).1, "262203");
}
