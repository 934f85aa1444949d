//! Consistency groups and their snapshots.

use serde_json::{Value, json};

use super::Lab;
use super::luns::lab;

fn group(lab: &Lab, volumes: Value) -> String {
    let made = lab.post("/application/consistency-groups", json!({"name": "app", "svm": {"name": "vs1"}, "volumes": volumes}));
    format!("/application/consistency-groups/{}", made["uuid"].as_str().expect("an identifier"))
}

fn added(names: &[&str]) -> Value {
    names.iter().map(|name| json!({"name": name, "provisioning_options": {"action": "add"}})).collect()
}

#[test]
fn existing_volumes_become_a_group() {
    let lab = lab();
    let (status, _) = lab.ask("POST", "/application/consistency-groups", &json!({"name": "other", "svm.name": "vs1", "volumes": added(&["vol2"])}));
    assert_eq!(status, 202);
    let again = json!({"name": "third", "svm.name": "vs1", "volumes": added(&["vol2"])});
    assert_eq!(lab.refused("POST", "/application/consistency-groups", &again).1, "53411862");
    let path = group(&lab, added(&["vol1"]));
    let shown = lab.get(&format!("{path}?fields=**"));
    assert_eq!((&shown["name"], &shown["volumes"][0]["name"], &shown["svm"]["name"]), (&json!("app"), &json!("vol1"), &json!("vs1")));
    assert_eq!(lab.get("/application/consistency-groups?volumes.name=vol1&svm.name=vs1&fields=name,uuid")["num_records"], json!(1));
    assert_eq!(lab.get("/application/consistency-groups?name=app")["num_records"], json!(1));
    let same = json!({"name": "app", "svm.name": "vs1", "volumes": []});
    assert_eq!(lab.refused("POST", "/application/consistency-groups", &same), (409, "53411860".into(), "name".into()));
    let unknown = json!({"name": "x", "svm.name": "vs1", "volumes": added(&["none"])});
    assert_eq!(lab.refused("POST", "/application/consistency-groups", &unknown), (400, "53411861".into(), "volumes".into()));
    lab.patch(&path, json!({"volumes": [{"name": "vol1", "provisioning_options": {"action": "remove"}}]}));
    assert_eq!(lab.get(&format!("{path}?fields=volumes")).get("volumes"), None);
    lab.delete(&path);
    assert_eq!(lab.refused("GET", &path, &Value::Null), (404, "53411842".into(), String::new()));
    assert_eq!(lab.array().read(|world| world.array.containers.len()), 3);
}

#[test]
fn snapshots_of_all_volumes_are_taken_restored_and_deleted_at_once() {
    let lab = lab();
    let path = group(&lab, added(&["vol1", "vol2"]));
    lab.post("/storage/luns", json!({"svm.name": "vs1", "name": "/vol/vol1/lun1", "os_type": "linux", "space.size": "1GB"}));
    let taken = lab.post(&format!("{path}/snapshots"), json!({"name": "together", "comment": "both", "consistency_type": "crash"}));
    let snapshot = format!("{path}/snapshots/{}", taken["uuid"].as_str().expect("an identifier"));
    let shown = lab.get(&format!("{snapshot}?fields=**"));
    assert_eq!((&shown["comment"], &shown["is_partial"], &shown["consistency_group"]["name"]), (&json!("both"), &json!(false), &json!("app")));
    assert_eq!(shown["snapshot_volumes"].as_array().map(Vec::len), Some(2));
    assert_eq!(lab.refused("POST", &format!("{path}/snapshots"), &json!({"name": "together"})).1, "53411921");
    lab.does(json!({"snapshot.create": {"container": "vol2", "name": "taken"}}));
    assert_eq!(lab.refused("POST", &format!("{path}/snapshots"), &json!({"name": "taken"})).1, "53411921");
    assert_eq!(lab.array().read(|world| world.array.snapshots.len()), 3, "all or nothing");
    lab.post("/storage/luns", json!({"svm.name": "vs1", "name": "/vol/vol1/lun2", "os_type": "linux", "space.size": "1GB"}));
    lab.patch(&path, json!({"restore_to": {"snapshot": {"name": "together"}}}));
    assert_eq!(lab.get("/storage/luns")["num_records"], json!(1));
    assert_eq!(lab.refused("PATCH", &format!("{path}?restore_to.snapshot.name=none"), &json!({})).1, "53411925");
    lab.post(&format!("{path}/snapshots"), json!({"name": "second"}));
    lab.delete(&snapshot);
    assert_eq!(lab.get(&format!("{path}/snapshots?name=second"))["num_records"], json!(1));
    lab.delete(&path);
    let left = lab.array().read(|world| (world.array.snapshots.len(), world.array.records.iter().filter(|record| !record.built_in).count()));
    assert_eq!(left, (2, 0));
}

#[test]
fn a_group_can_be_made_with_its_volumes_and_luns() {
    let lab = lab();
    let body = json!({
        "name": "app", "svm": {"name": "vs1"},
        "volumes": [{"name": "db", "space": {"size": "20GB"}, "provisioning_options": {"action": "create"}}, {"name": "log", "space": {"size": "10GB"}}],
        "luns": [{"name": "/vol/db/data", "space": {"size": "5GB"}, "os_type": "linux"}],
    });
    let made = lab.post("/application/consistency-groups", body);
    let path = format!("/application/consistency-groups/{}", made["uuid"].as_str().expect("an identifier"));
    let shown = lab.get(&format!("{path}?fields=volumes,luns"));
    assert_eq!(shown["volumes"].as_array().map(Vec::len), Some(2));
    assert_eq!((&shown["luns"][0]["name"], &shown["volumes"][0]["name"]), (&json!("/vol/db/data"), &json!("db")));
    assert_eq!(lab.get("/application/applications")["num_records"], json!(0));
    assert_eq!(lab.get("/storage/file/clone/split-status?volume.name=db&svm.name=vs1")["num_records"], json!(0));
}

#[test]
fn luns_and_namespaces_come_with_volumes_and_maps_of_their_own() {
    let lab = lab();
    lab.post("/protocols/san/igroups", json!({"svm.name": "vs1", "name": "ig1", "os_type": "linux"}));
    let all = "/application/consistency-groups";
    let group = |more: Value| super::checks::with(&json!({"name": "app", "svm": {"name": "vs1"}}), more);
    let lun = |map: Value| json!({"name": "/vol/fresh/l", "space.size": "1GB", "os_type": "linux", "provisioning_options.count": 2, "lun_maps": [map]});
    let nested = json!({"volumes": [{"name": "v", "space.size": "1GB", "luns": [{"name": "l", "space.size": "100MB"}]}]});
    lab.refuses("POST", all, &group(nested), (400, "262179", "volumes.luns"));
    lab.refuses("POST", all, &group(json!({"luns": [lun(json!({"igroup.name": "none"}))]})), (400, "5374878", "luns.lun_maps.igroup.name"));
    lab.refuses("POST", all, &group(json!({"luns": [{"name": "/vol/vol1/l", "space.size": "1GB", "os_type": "linux"}]})), (400, "53411861", "luns"));
    lab.refuses("POST", all, &group(json!({"luns": [{"name": "/vol/fresh/a b", "space.size": "1GB", "os_type": "linux"}]})), (400, "5374352", "luns.name"));
    lab.refuses("POST", all, &group(json!({"luns": [{"name": "/vol/fresh/l", "space.size": -1, "os_type": "linux"}]})), (400, "5374124", "luns.space.size"));
    lab.refuses("POST", all, &group(json!({"consistency_groups": [{"name": "inner"}]})), (400, "3", "consistency_groups"));
    let namespace = json!({"name": "/vol/fresh/n", "space.size": "1GB", "os_type": "linux", "subsystem_map": {"subsystem": {"name": "none"}}});
    lab.refuses("POST", all, &group(json!({"namespaces": [namespace]})), (400, "72090001", "namespaces.subsystem_map.subsystem.name"));
    let volumes = json!([{"name": "many", "space.size": "1GB", "provisioning_options.count": "2"}]);
    lab.post(all, group(json!({"volumes": volumes, "luns": [lun(json!({"igroup": {"name": "ig1"}}))]})));
    assert_eq!(lab.get("/storage/volumes?name=many_1%7Cmany_2%7Cfresh")["num_records"], json!(3));
    let maps = lab.get("/protocols/san/lun-maps?igroup.name=ig1&fields=lun.name,logical_unit_number");
    assert_eq!((&maps["records"][1]["lun"]["name"], &maps["records"][1]["logical_unit_number"]), (&json!("/vol/fresh/l_2"), &json!(1)));
    lab.is_sound();
}

#[test]
fn a_consistency_group_goes_with_the_last_of_its_volumes() {
    let lab = Lab::scene("aff-a250");
    let svm = lab.get("/svm/svms")["records"][0]["name"].clone();
    let volume = |name: &str| json!({"name": name, "space": {"size": 1_u64 << 30}, "provisioning_options": {"action": "create"}});
    lab.post("/application/consistency-groups", json!({"name": "cg1", "svm": {"name": svm}, "volumes": [volume("c1"), volume("c2")]}));
    let groups = || lab.get("/application/consistency-groups?name=cg1&fields=volumes");
    let path = format!("/application/consistency-groups/{}", groups()["records"][0]["uuid"].as_str().expect("an identifier"));
    lab.post(&format!("{path}/snapshots"), json!({"name": "s1"}));
    lab.delete("/storage/volumes?name=c1");
    assert_eq!(groups()["records"][0]["volumes"].as_array().map(Vec::len), Some(1));
    lab.delete("/storage/volumes?name=c2");
    assert_eq!(groups()["num_records"], json!(0));
    assert_eq!(lab.get("/storage/volumes?name=c1|c2")["num_records"], json!(0));
}
