//! Snapshots and clones of volumes.

use serde_json::{Value, json};

use super::Lab;
use super::volume::{lab, volume};

fn names(lab: &Lab, path: &str) -> Vec<String> {
    let list = lab.get(path);
    list["records"].as_array().expect("a list").iter().map(|record| record["name"].as_str().expect("a name").to_owned()).collect()
}

/// The job that a call became.
fn job(lab: &Lab, method: &str, path: &str, body: &Value) -> Value {
    let (status, answer) = lab.ask(method, path, body);
    assert_eq!(status, 202, "{method} {path}: {answer}");
    lab.get(&format!("/cluster/jobs/{}?fields=**", answer["job"]["uuid"].as_str().expect("a job")))
}

#[test]
fn snapshots_are_taken_changed_restored_and_deleted() {
    let lab = lab();
    let path = volume(&lab, &json!({"name": "v"}));
    lab.does(json!({"volume.create": {"name": "lun1", "container": "v", "size": "1GiB", "tenant": "vs1"}}));
    lab.does(json!({"volume.write": {"volume": "v/lun1", "bytes": "512MiB"}}));
    let all = format!("{path}/snapshots");
    let made = lab
        .post(&all, json!({"name": "before", "svm": {"name": "vs1"}, "comment": "c", "snapmirror_label": "keep", "expiry_time": "2030-01-01T00:00:00+00:00"}));
    assert_eq!(
        (&made["name"], &made["comment"], &made["snapmirror_label"], &made["volume"]["name"]),
        (&json!("before"), &json!("c"), &json!("keep"), &json!("v"))
    );
    assert!(made["create_time"].as_str().is_some_and(|time| time.ends_with("+00:00")), "{made}");
    let one = format!("{all}/{}", made["uuid"].as_str().expect("an identifier"));
    lab.patch(&one, json!({"name": "first", "comment": "d"}));
    assert_eq!(
        (&lab.get(&one)["name"], &lab.get(&one)["comment"], &lab.get(&one)["expiry_time"]),
        (&json!("first"), &json!("d"), &json!("2030-01-01T00:00:00+00:00"))
    );
    lab.does(json!({"volume.write": {"volume": "v/lun1", "bytes": "768MiB"}}));
    let space = lab.get(&format!("{path}?fields=space"))["space"].clone();
    assert!(space["snapshot"]["used"].as_u64().is_some_and(|used| used > 0), "{space}");
    let sum = ["available", "used"].iter().filter_map(|name| space[*name].as_u64()).sum::<u64>();
    assert_eq!(Some(sum), space["afs_total"].as_u64(), "{space}");
    lab.post(&all, json!({"name": "second"}));
    assert_eq!(names(&lab, &format!("{all}?order_by=create_time")), ["first", "second"]);
    assert_eq!(lab.refused("POST", &all, &json!({"name": "first"})), (409, "525059".into(), "name".into()));
    assert_eq!(lab.refused("POST", &all, &json!({"name": "a/b"})).1, "1638518");
    assert_eq!(lab.refused("GET", &format!("{all}/00000000-0000-4000-8000-000000000000"), &Value::Null), (404, "1638600".into(), String::new()));
    assert_eq!(lab.refused("GET", "/storage/volumes/00000000-0000-4000-8000-000000000000/snapshots", &Value::Null).1, "918235");
    assert_eq!(job(&lab, "PATCH", &format!("{path}?restore_to.snapshot.name=first"), &Value::Null)["state"], json!("success"));
    assert_eq!(names(&lab, &all), ["first"]);
    assert_eq!(lab.refused("PATCH", &format!("{path}?restore_to.snapshot.name=second"), &Value::Null).1, "1638600");
    lab.patch(&path, json!({"restore_to": {"snapshot": {"name": "first"}}}));
    assert_eq!(lab.refused("DELETE", &one, &json!({})), (409, "1638555".into(), String::new()), "it is locked");
    assert_eq!(lab.refused("PATCH", &one, &json!({"expiry_time": "tomorrow"})), (400, "262185".into(), "expiry_time".into()));
    lab.patch(&one, json!({"expiry_time": "2025-12-31T23:59:59+01:00"}));
    let (status, answer) = lab.ask("DELETE", &format!("{all}?name=first"), &json!({}));
    assert_eq!((status, &answer["num_records"]), (200, &json!(1)));
    assert_eq!(names(&lab, &all), Vec::<String>::new());
}

#[test]
fn a_clone_has_the_luns_of_its_parent_and_holds_the_snapshot() {
    let lab = lab();
    let path = volume(&lab, &json!({"name": "v"}));
    lab.does(json!({"volume.create": {"name": "lun1", "container": "v", "size": "1GiB", "tenant": "vs1"}}));
    lab.does(json!({"volume.write": {"volume": "v/lun1", "bytes": "512MiB"}}));
    let snapshot = lab.post(&format!("{path}/snapshots"), json!({"name": "s"}));
    let body = json!({"name": "copy", "svm.name": "vs1", "clone.parent_volume.name": "v", "clone.parent_snapshot.name": "s", "clone.is_flexclone": true, "comment": "mine"});
    assert_eq!(job(&lab, "POST", "/storage/volumes", &body)["state"], json!("success"));
    let found = lab.get("/storage/volumes?clone.parent_snapshot.name=s&clone.parent_volume.name=v&fields=name");
    assert_eq!((&found["records"][0]["name"], &found["records"][0]["clone"]["parent_snapshot"]["name"]), (&json!("copy"), &json!("s")), "{found}");
    let copy = format!("/storage/volumes/{}", found["records"][0]["uuid"].as_str().expect("an identifier"));
    assert_eq!(lab.get(&copy)["comment"], json!("mine"));
    assert_eq!(lab.array().read(|world| world.array.volumes.iter().filter(|volume| volume.head.name() == "lun1").count()), 2);
    let taken = format!("{path}/snapshots/{}", snapshot["uuid"].as_str().expect("an identifier"));
    assert_eq!(lab.get(&taken)["owners"], json!(["volume_clone"]));
    let failed = job(&lab, "DELETE", &taken, &json!({}));
    assert_eq!((&failed["state"], &failed["code"], &failed["error"]["code"]), (&json!("failure"), &json!(1_638_555), &json!("1638555")), "{failed}");
    assert!(failed["description"].as_str().is_some_and(|text| text.starts_with("DELETE /api/storage/volumes/")), "{failed}");
    assert_eq!(lab.refused("DELETE", &format!("{taken}?return_timeout=5"), &Value::Null), (409, "1638555".into(), String::new()), "who waits is told");
    assert_eq!(lab.refused("DELETE", &path, &Value::Null).1, "524615");
    assert_eq!(lab.refused("POST", "/storage/volumes", &json!({"name": "x", "svm.name": "vs1", "clone.parent_volume.name": "nothing"})).1, "524601");
    lab.patch(&copy, json!({"clone": {"split_initiated": true}}));
    lab.does(json!({"clock.advance": {"until": "idle"}}));
    assert_eq!(lab.get(&format!("{copy}?fields=clone"))["clone"]["is_flexclone"], json!(false));
    assert_eq!(job(&lab, "DELETE", &taken, &json!({}))["state"], json!("success"));
    lab.delete(&path);
}

#[test]
fn the_snapshot_that_was_taken_for_a_clone_goes_with_it() {
    let lab = lab();
    let path = volume(&lab, &json!({"name": "v"}));
    let copy =
        lab.post("/storage/volumes?fields=clone", json!({"name": "quick", "svm.name": "vs1", "clone": {"parent_volume": {"name": "v"}, "is_flexclone": true}}));
    let parent = copy["clone"]["parent_snapshot"]["name"].as_str().expect("a snapshot").to_owned();
    assert!(parent.starts_with("clone_quick.") && names(&lab, &format!("{path}/snapshots")) == [parent], "{copy}");
    lab.delete(&format!("/storage/volumes/{}", copy["uuid"].as_str().expect("an identifier")));
    assert_eq!(names(&lab, &format!("{path}/snapshots")), Vec::<String>::new());
    lab.delete(&path);
}
