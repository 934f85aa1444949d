//! Volumes: what is posted comes back, and what cannot be is refused with ONTAP's numbers.

use serde_json::{Value, json};

use super::Lab;

/// A cluster with an aggregate a node and an SVM.
pub(super) fn lab() -> Lab {
    let lab = Lab::factory();
    for (index, node) in lab.get("/cluster/nodes")["records"].as_array().expect("nodes").iter().enumerate() {
        let name = format!("data{}", index + 1);
        lab.post("/storage/aggregates", json!({"name": name, "node.name": node["name"], "block_storage.primary.disk_count": 5}));
    }
    lab.does(json!({"tenant.create": {"name": "vs1"}}));
    lab
}

/// The path of a volume that is made.
pub(super) fn volume(lab: &Lab, body: &Value) -> String {
    let mut body = body.clone();
    for (name, value) in [("svm.name", json!("vs1")), ("aggregates", json!([{"name": "data1"}])), ("size", json!("10GB"))] {
        body.as_object_mut().expect("an object").entry(name).or_insert(value);
    }
    let made = lab.post("/storage/volumes", body);
    format!("/storage/volumes/{}", made["uuid"].as_str().expect("an identifier"))
}

const GIB: u64 = 1 << 30;

#[test]
fn a_volume_reads_back_as_it_was_made_and_changed() {
    let lab = lab();
    let body = json!({"name": "thick", "guarantee.type": "volume", "snapshot_policy.name": "none", "space.snapshot.reserve_percent": 0, "state": "online", "comment": "c"});
    let path = volume(&lab, &body);
    let made = lab.get(&format!("{path}?fields=**"));
    assert_eq!((&made["size"], &made["space"]["afs_total"], &made["space"]["available"]), (&json!(10 * GIB), &json!(10 * GIB), &json!(10 * GIB)));
    assert_eq!((&made["guarantee"], &made["style"]), (&json!({"type": "volume", "honored": true}), &json!("flexvol")));
    assert_eq!((&made["snapshot_policy"]["name"], &made["svm"]["name"], &made["aggregates"][0]["name"]), (&json!("none"), &json!("vs1"), &json!("data1")));
    assert_eq!((&made["comment"], &made["type"], &made["state"], &made["is_svm_root"]), (&json!("c"), &json!("rw"), &json!("online"), &json!(false)));
    lab.patch(&path, json!({"name": "thicker", "size": "20GB", "comment": "d", "space.snapshot.reserve_percent": 10, "guarantee.type": "none"}));
    let changed = lab.get(&format!("{path}?fields=*,space,guarantee"));
    assert_eq!((&changed["name"], &changed["size"], &changed["comment"]), (&json!("thicker"), &json!(20 * GIB), &json!("d")));
    assert_eq!((&changed["space"]["afs_total"], &changed["space"]["snapshot"]["reserve_percent"]), (&json!(18 * GIB), &json!(10)));
    lab.patch(&path, json!({"autosize": {"mode": "grow", "grow_threshold": 90, "maximum": "80g"}}));
    let autosize = &lab.get(&format!("{path}?fields=autosize"))["autosize"];
    assert_eq!((&autosize["mode"], &autosize["maximum"], &autosize["shrink_threshold"]), (&json!("grow"), &json!(80 * GIB), &json!(50)));
    for state in ["offline", "online"] {
        lab.patch(&path, json!({"state": state}));
        assert_eq!(lab.get(&path)["state"], json!(state));
    }
    lab.delete(&path);
    assert_eq!(lab.refused("GET", &path, &Value::Null).0, 404);
}

#[test]
fn what_is_not_said_is_usual() {
    let lab = lab();
    let made = lab.post("/storage/volumes?fields=**", json!({"name": "v", "svm": "vs1", "aggregates": ["data2"]}));
    assert_eq!((&made["size"], &made["guarantee"]["type"], &made["snapshot_policy"]["name"]), (&json!(20_971_520), &json!("volume"), &json!("default")));
    let efficiency = &made["efficiency"];
    assert_eq!((&efficiency["state"], &efficiency["dedupe"], &efficiency["compression"]), (&json!("enabled"), &json!("both"), &json!("inline")));
    assert_eq!(made["clone"]["is_flexclone"], json!(false));
    assert_eq!(lab.get("/storage/volumes?efficiency.volume_path=/vol/v&svm.name=vs1")["num_records"], json!(1));
}

#[test]
fn calls_answer_as_jobs_unless_they_wait() {
    let lab = lab();
    let body = json!({"name": "v", "svm.name": "vs1", "aggregates.name": "data1"});
    let (status, answer) = lab.ask("POST", "/storage/volumes", &body);
    assert!(status == 400 || status == 202, "{answer}");
    let (status, answer) = lab.ask("POST", "/storage/volumes", &json!({"name": "v2", "svm.name": "vs1", "aggregates": [{"name": "data1"}]}));
    assert_eq!(status, 202, "{answer}");
    let job = lab.get(&format!("/cluster/jobs/{}", answer["job"]["uuid"].as_str().expect("a job")));
    assert_eq!((&job["state"], &job["description"]), (&json!("success"), &json!("POST /api/storage/volumes")));
    let (status, answer) = lab.ask("PATCH", "/storage/volumes?name=v2", &json!({"comment": "x"}));
    assert_eq!((status, &answer["num_records"]), (200, &json!(1)), "{answer}");
    assert_eq!(answer["jobs"].as_array().map(Vec::len), Some(1));
    let (status, answer) = lab.ask("DELETE", "/storage/volumes?name=v*&svm.name=vs1", &json!({}));
    assert_eq!(status, 200, "{answer}");
    assert_eq!(lab.get("/storage/volumes")["num_records"], json!(0));
}

#[test]
fn efficiency_words_are_kept_and_what_they_do_is_done() {
    let lab = lab();
    let words = json!({"dedupe": "both", "compression": "inline", "compaction": "inline", "cross_volume_dedupe": "none"});
    let path = volume(&lab, &json!({"name": "lean", "efficiency": words}));
    let read = || lab.get(&format!("{path}?fields=efficiency"))["efficiency"].clone();
    let now = read();
    assert_eq!(
        (&now["state"], &now["dedupe"], &now["cross_volume_dedupe"], &now["volume_path"]),
        (&json!("enabled"), &json!("both"), &json!("none"), &json!("/vol/lean"))
    );
    lab.patch(&path, json!({"efficiency": {"dedupe": "none", "compression": "none", "compaction": "none"}}));
    let off = read();
    assert_eq!((&off["state"], &off["dedupe"], &off["compression"]), (&json!("disabled"), &json!("none"), &json!("none")));
    let on_condition = json!({"efficiency": {"storage_efficiency_mode": "efficient"}});
    assert_eq!(lab.refused("PATCH", &path, &on_condition).1, "6881332");
    lab.patch(&path, json!({"efficiency": {"dedupe": "inline"}}));
    assert_eq!((&read()["state"], &read()["dedupe"]), (&json!("enabled"), &json!("inline")));
    lab.patch(&path, json!({"efficiency": {"state": "disabled"}}));
    assert_eq!(read()["state"], json!("disabled"));
    lab.patch(&path, json!({"efficiency.compression": "both"}));
    assert_eq!((&read()["state"], &read()["compression"], &read()["dedupe"]), (&json!("enabled"), &json!("both"), &json!("none")));
}

#[test]
fn what_cannot_be_is_refused_with_its_number() {
    let lab = lab();
    let path = volume(&lab, &json!({"name": "v"}));
    let post = |body: Value| lab.refused("POST", "/storage/volumes", &body);
    let base = json!({"name": "w", "svm.name": "vs1", "aggregates": [{"name": "data1"}]});
    let with = |name: &str, value: Value| {
        let mut body = base.clone();
        body[name] = value;
        body
    };
    for (body, status, code) in [
        (with("name", json!("v")), 409, "917526"),
        (with("size", json!(1_048_576)), 400, "917534"),
        (with("aggregates", json!([{"name": "nowhere"}])), 400, "917508"),
        (with("svm.name", json!("nobody")), 400, "2621462"),
        (with("snapshot_policy.name", json!("nothing")), 400, "917551"),
        (with("style", json!("flexgroup")), 400, "3"),
        (with("qos.policy.name", json!("nothing")), 400, "8454273"),
        (with("guarantee.type", json!("file")), 400, "262197"),
        (with("size", json!("90TB")), 409, "1245212"),
        (json!({"name": "w", "svm.name": "vs1"}), 400, "787140"),
        (json!({"name": "w", "aggregates": [{"name": "data1"}]}), 400, "2621707"),
        (json!({"svm.name": "vs1", "aggregates": [{"name": "data1"}]}), 400, "262177"),
    ] {
        let refused = post(body.clone());
        assert_eq!((refused.0, refused.1.as_str()), (status, code), "{body}");
    }
    assert_eq!(lab.refused("PATCH", &path, &json!({"aggregates": [{"name": "data2"}]})).1, "787141");
    let aggregate = lab.get("/storage/aggregates?name=data1")["records"][0]["uuid"].as_str().expect("an identifier").to_owned();
    assert_eq!(lab.refused("DELETE", &format!("/storage/aggregates/{aggregate}"), &Value::Null).1, "786497");
    lab.does(json!({"note.set": {"noun": "container", "object": "v", "notes": {"root": true}}}));
    assert_eq!(lab.refused("DELETE", &path, &Value::Null), (409, "917531".into(), String::new()));
    assert_eq!(lab.get("/storage/volumes?is_svm_root=false")["num_records"], json!(0));
}

#[test]
fn a_deleted_volume_takes_its_luns_along_unless_they_are_mapped() {
    let lab = lab();
    let path = volume(&lab, &json!({"name": "v"}));
    lab.does(json!({"volume.create": {"name": "lun1", "container": "v", "size": "1GiB", "tenant": "vs1"}}));
    lab.delete(&format!("{path}?force=true"));
    assert_eq!(lab.array().read(|world| world.array.volumes.len()), 0);
}

#[test]
fn a_volume_moves_to_another_aggregate_while_it_is_used() {
    let lab = lab();
    let path = volume(&lab, &json!({"name": "v", "guarantee.type": "none", "size": "200GB"}));
    let lun = lab.post("/storage/luns", json!({"svm.name": "vs1", "name": "/vol/v/l", "os_type": "linux", "space.size": "100GB"}));
    lab.does(json!({"volume.write": {"volume": lun["uuid"], "bytes": "40GB"}}));
    let used = |name: &str| {
        lab.get(&format!("/storage/aggregates?name={name}&fields=space.block_storage.used"))["records"][0]["space"]["block_storage"]["used"].clone()
    };
    let before = used("data1");
    assert!(lab.get(&format!("{path}?fields=movement")).get("movement").is_none(), "it has never moved");
    let (to_data2, movement) =
        (json!({"movement.destination_aggregate.name": "data2"}), |field: &str| lab.get(&format!("{path}?fields=movement"))["movement"][field].clone());
    lab.patch(&path, to_data2.clone());
    assert_eq!((movement("state"), movement("percent_complete"), used("data2")), (json!("replicating"), json!(0), before.clone()));
    assert_eq!(lab.get(&path)["aggregates"][0]["name"], json!("data1"), "until the cutover");
    assert_eq!(lab.refused("PATCH", &path, &to_data2), (409, "524486".into(), String::new()));
    lab.patch(&path, json!({"movement.state": "paused"}));
    lab.does(json!({"clock.advance": {"by": "1d"}}));
    assert_eq!(movement("state"), json!("paused"));
    lab.patch(&path, json!({"movement.state": "replicating"}));
    lab.does(json!({"clock.advance": {"by": "30s"}}));
    assert!((1..100).contains(&movement("percent_complete").as_u64().expect("a number")), "it goes on");
    lab.does(json!({"clock.advance": {"until": "idle"}}));
    assert_eq!(
        (movement("state"), movement("percent_complete"), movement("destination_aggregate")["name"].clone()),
        (json!("success"), json!(100), json!("data2"))
    );
    assert_eq!((used("data1"), used("data2")), (json!(0), before));
    let record = lab.get(&format!("{path}?fields=aggregates,nodes"));
    assert_eq!((&record["aggregates"][0]["name"], &record["nodes"][0]["name"]), (&json!("data2"), &json!("lab-02")));
    let waits = lab.get("/storage/volumes?name=v&movement.destination_aggregate.name=data2&fields=movement.state");
    assert_eq!(waits["records"][0]["movement"]["state"], json!("success"), "what Ansible asks while it waits");
}

#[test]
fn a_move_is_refused_with_the_number_that_fits() {
    let lab = lab();
    let path = volume(&lab, &json!({"name": "v", "guarantee.type": "none"}));
    for (body, status, code, target) in [
        (json!({"movement.destination_aggregate.name": "nowhere"}), 400, "917508", "movement.destination_aggregate.name"),
        (json!({"movement.destination_aggregate.name": "data1"}), 400, "262185", "movement.destination_aggregate"),
        (json!({"aggregates": [{"name": "data2"}]}), 400, "787141", "aggregates"),
        (json!({"movement.state": "paused"}), 409, "262190", ""),
        (json!({"movement.state": "aborted"}), 409, "262190", ""),
        (json!({"movement.state": "cutover"}), 400, "3", "movement.state"),
    ] {
        assert_eq!(lab.refused("PATCH", &path, &body), (status, code.into(), target.into()), "{body}");
    }
    lab.patch(&path, json!({"state": "offline"}));
    assert_eq!(lab.refused("PATCH", &path, &json!({"movement.destination_aggregate.name": "data2"})).1, "917775");
    lab.patch(&path, json!({"state": "online"}));
    lab.does(json!({"volume.create": {"name": "l", "container": "v", "size": "8MiB", "tenant": "vs1"}}));
    lab.does(json!({"volume.write": {"volume": "v/l", "bytes": "8MiB"}}));
    lab.patch(&path, json!({"movement.destination_aggregate.name": "data2"}));
    lab.patch(&path, json!({"movement.state": "aborted"}));
    let record = lab.get(&format!("{path}?fields=movement,aggregates"));
    assert_eq!((&record["movement"]["state"], &record["aggregates"][0]["name"]), (&json!("aborted"), &json!("data1")));
}

#[test]
fn refusals_speak_of_what_clients_know() {
    let lab = lab();
    volume(&lab, &json!({"name": "v"}));
    let aggregate = lab.get("/storage/aggregates?name=data1")["records"][0]["uuid"].as_str().expect("an identifier").to_owned();
    let (_, refused) = lab.ask("DELETE", &format!("/storage/aggregates/{aggregate}"), &json!({}));
    let message = refused["error"]["message"].as_str().unwrap_or_default();
    assert!(message.starts_with("The aggregate 'data1' is in use by the FlexVol volume '"), "{message}");
}
