//! Policies of snapshots and of efficiency, and qtrees.

use serde_json::{Value, json};

use super::Lab;
use super::volume::{lab, volume};

fn path(all: &str, record: &Value) -> String {
    format!("{all}/{}", record["uuid"].as_str().expect("an identifier"))
}

#[test]
fn the_array_comes_with_policies() {
    let lab = Lab::factory();
    let default = lab.get("/storage/snapshot-policies?name=default&fields=*")["records"][0].clone();
    let copies: Vec<(&str, u64)> = default["copies"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|copy| (copy["schedule"]["name"].as_str().expect("a name"), copy["count"].as_u64().expect("a number")))
        .collect();
    assert_eq!(copies, [("hourly", 6), ("daily", 2), ("weekly", 2)]);
    assert_eq!((&default["scope"], &default["enabled"]), (&json!("cluster"), &json!(true)));
    assert_eq!(lab.get("/storage/snapshot-policies?name=none&fields=copies")["records"][0]["copies"], json!([]));
    assert_eq!(lab.get("/storage/volume-efficiency-policies?name=default|inline-only|auto")["num_records"], json!(3));
    assert_eq!(lab.refused("DELETE", &path("/storage/snapshot-policies", &default), &Value::Null).1, "1638415");
    let auto = lab.get("/storage/volume-efficiency-policies?name=auto")["records"][0].clone();
    assert_eq!(lab.refused("DELETE", &path("/storage/volume-efficiency-policies", &auto), &Value::Null).1, "6881431");
}

#[test]
fn a_snapshot_policy_has_schedules_and_stays_while_it_is_used() {
    let lab = lab();
    let all = "/storage/snapshot-policies";
    let copies =
        json!([{"count": "3", "prefix": "hour", "schedule": {"name": "hourly"}}, {"count": 5, "schedule": {"name": "daily"}, "snapmirror_label": "night"}]);
    let made = lab.post(all, json!({"name": "keep", "comment": "c", "enabled": true, "copies": copies}));
    let one = path(all, &made);
    assert_eq!((&made["copies"][0]["count"], &made["copies"][0]["prefix"], &made["copies"][0]["snapmirror_label"]), (&json!(3), &json!("hour"), &json!("-")));
    assert_eq!((&made["copies"][1]["prefix"], &made["copies"][1]["snapmirror_label"]), (&json!("daily"), &json!("night")));
    let schedules = format!("{one}/schedules");
    lab.post(&schedules, json!({"count": 2, "schedule": {"name": "weekly"}}));
    let listed = lab.get(&format!("{schedules}?snapshot_policy.name=keep&fields=schedule.name,schedule.uuid,snapmirror_label,count,prefix,"));
    assert_eq!(listed["num_records"], json!(3));
    let weekly = listed["records"].as_array().expect("a list").iter().find(|record| record["schedule"]["name"] == "weekly").expect("weekly").clone();
    let weekly = format!("{schedules}/{}", weekly["schedule"]["uuid"].as_str().expect("an identifier"));
    lab.patch(&weekly, json!({"count": "4"}));
    assert_eq!(lab.get(&weekly)["count"], json!(4));
    assert_eq!(lab.refused("POST", &schedules, &json!({"count": 1, "schedule": {"name": "weekly"}})).1, "1638410");
    lab.delete(&weekly);
    assert_eq!(lab.get(&format!("{schedules}?return_records=false"))["num_records"], json!(2));
    lab.patch(&one, json!({"comment": "off", "enabled": false}));
    assert_eq!((&lab.get(&one)["comment"], &lab.get(&one)["enabled"]), (&json!("off"), &json!(false)));
    for (body, status, code) in [
        (json!({"name": "keep", "copies": []}), 409, "1638527"),
        (json!({"name": "x"}), 400, "1638407"),
        (json!({"name": "x", "copies": [{"count": 1}]}), 400, "1638407"),
        (json!({"name": "x", "copies": [{"schedule": {"name": "daily"}}]}), 400, "1638408"),
        (json!({"name": "x", "copies": [{"schedule": {"name": "never"}, "count": 1}]}), 400, "1638413"),
        (json!({"name": "x", "copies": [{"schedule": {"name": "daily"}, "count": 1024}]}), 400, "1638451"),
        (json!({"name": "x", "svm.name": "nobody", "copies": []}), 400, "2621462"),
    ] {
        let refused = lab.refused("POST", all, &body);
        assert_eq!((refused.0, refused.1.as_str()), (status, code), "{body}");
    }
    let user = volume(&lab, &json!({"name": "v", "snapshot_policy.name": "keep"}));
    assert_eq!(lab.refused("DELETE", &one, &Value::Null), (409, "1638416".into(), String::new()));
    lab.delete(&user);
    lab.delete(&one);
    assert_eq!(lab.get(&format!("{all}?name=keep"))["num_records"], json!(0));
}

#[test]
fn an_efficiency_policy_is_assigned_to_volumes() {
    let lab = lab();
    let all = "/storage/volume-efficiency-policies";
    let body = json!({"svm.name": "vs1", "name": "calm", "comment": "c", "duration": "2", "enabled": true, "qos_policy": "background", "schedule": {"name": "daily"}, "type": "scheduled"});
    let made = lab.post(all, body);
    let one = path(all, &made);
    let read = lab.get(&one);
    assert_eq!(
        (&read["duration"], &read["schedule"]["name"], &read["qos_policy"], &read["svm"]["name"]),
        (&json!(2), &json!("daily"), &json!("background"), &json!("vs1"))
    );
    let user = volume(&lab, &json!({"name": "v"}));
    let policy = || lab.get(&format!("{user}?fields=efficiency"))["efficiency"]["policy"]["name"].clone();
    assert_eq!(policy(), json!("auto"));
    lab.patch(&user, json!({"efficiency.compression": "both", "efficiency.policy.name": "calm"}));
    assert_eq!(policy(), json!("calm"));
    assert_eq!(lab.refused("DELETE", &one, &Value::Null).1, "6881346");
    lab.patch(&user, json!({"efficiency": {"policy": {"name": "default"}}}));
    lab.patch(&one, json!({"comment": "calmer", "duration": "4"}));
    assert_eq!((&lab.get(&one)["comment"], &lab.get(&one)["duration"]), (&json!("calmer"), &json!(4)));
    for (body, code) in [
        (json!({"name": "calm", "svm.name": "vs1"}), "6881349"),
        (json!({"name": "x"}), "2621707"),
        (json!({"name": "x", "svm.name": "vs1", "schedule": {"name": "never"}}), "6881341"),
        (json!({"name": "x", "svm.name": "vs1", "type": "threshold", "schedule": {"name": "daily"}}), "6881433"),
        (json!({"name": "x", "svm.name": "vs1", "start_threshold_percent": 5}), "6881435"),
    ] {
        assert_eq!(lab.refused("POST", all, &body).1, code, "{body}");
    }
    lab.delete(&one);
}

#[test]
fn qtrees_are_numbered_in_their_volume() {
    let lab = lab();
    let first = volume(&lab, &json!({"name": "v"}));
    volume(&lab, &json!({"name": "w"}));
    for volume in ["v", "w"] {
        lab.post("/storage/qtrees", json!({"name": "q1", "svm": {"name": "vs1"}, "volume": {"name": volume}, "security_style": "unix"}));
    }
    let found = lab.get("/storage/qtrees?svm.name=vs1&volume=v&name=%22q1%22&fields=export_policy,unix_permissions,security_style,volume");
    assert_eq!((&found["num_records"], &found["records"][0]["id"], &found["records"][0]["volume"]["name"]), (&json!(1), &json!(1), &json!("v")), "{found}");
    let one = format!("/storage/qtrees/{}/1", first.rsplit('/').next().expect("an identifier"));
    lab.patch(&one, json!({"name": "q2", "unix_permissions": 777}));
    assert_eq!((&lab.get(&one)["name"], &lab.get(&one)["unix_permissions"]), (&json!("q2"), &json!(777)));
    assert_eq!(lab.get("/storage/qtrees?volume.name=v")["num_records"], json!(2));
    assert_eq!(lab.get("/storage/qtrees?volume.name=v&id=%3E0")["num_records"], json!(1));
    assert_eq!(lab.refused("POST", "/storage/qtrees", &json!({"name": "q2", "svm.name": "vs1", "volume.name": "v"})).1, "5242886");
    assert_eq!(lab.refused("POST", "/storage/qtrees", &json!({"name": "q2", "svm.name": "vs1"})).1, "918232");
    assert_eq!(lab.refused("POST", "/storage/qtrees", &json!({"name": "q2", "svm.name": "vs1", "volume.name": "x"})).1, "917927");
    let lun = lab.post("/storage/luns", json!({"svm.name": "vs1", "name": "/vol/v/q2/lun1", "os_type": "linux", "space.size": "1GB"}));
    assert_eq!(lab.refused("DELETE", &one, &Value::Null).1, "5242894");
    lab.patch(&one, json!({"name": "q3"}));
    let lun = format!("/storage/luns/{}", lun["uuid"].as_str().expect("an identifier"));
    assert_eq!(lab.get(&lun)["name"], json!("/vol/v/q3/lun1"));
    lab.delete(&lun);
    lab.delete(&one);
    assert_eq!(lab.refused("GET", &one, &Value::Null).0, 404);
    lab.delete("/storage/volumes?name=w");
    assert_eq!(lab.array().read(|world| world.array.records.iter().filter(|record| record.kind == crate::model::RecordKind::Qtree).count()), 0);
}
