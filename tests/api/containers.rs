//! Containers, their snapshots and clones, on a model that has them.

use serde_json::json;

use super::{Server, names};

fn furnished() -> Server {
    let server = Server::start();
    server.make_still("t", "aff-a250", 7);
    server.post("pools", json!({"name": "P0", "level": "raid-dp", "drive_count": 6})).json(201);
    for (name, size) in [("C0", "1TB"), ("C1", "2TB")] {
        server.post("containers", json!({"name": name, "pool": "P0", "size": size, "guarantee": "thin"})).json(201);
        server.post("volumes", json!({"name": "lun0", "container": name, "size": "500GB"})).json(201);
    }
    server
}

#[test]
fn a_volume_in_a_container_is_named_with_it_where_its_name_alone_fits_several() {
    let server = furnished();
    let problem = server.get("volumes/lun0").refused("ambiguous");
    assert!(problem["cure"].as_str().is_some_and(|cure| cure.contains("container/name")), "{problem}");
    assert_eq!(server.get("volumes/C1%2Flun0").json(200)["container"], "C1");
    assert_eq!(server.patch("volumes/C1%2Flun0", json!({"name": "lun1"})).json(200)["name"], "lun1");
    assert_eq!(server.get("volumes/lun0").json(200)["container"], "C0");
    server.post("volumes", json!({"name": "v", "pool": "P0", "size": "1GB"})).refused("not_supported");
}

#[test]
fn a_snapshot_brings_its_container_back() {
    let server = furnished();
    server.post("volumes/C0%2Flun0/write", json!({"bytes": "100GB"})).json(200);
    let snapshot = server.post("snapshots", json!({"container": "C0", "name": "before", "comment": "of the upgrade"})).json(201);
    assert_eq!(snapshot["volumes"], json!([{"name": "lun0", "size": 500_000_002_048u64, "written": 100_000_000_000u64}]));
    server.post("volumes/C0%2Flun0/write", json!({"bytes": "300GB"})).json(200);
    assert_eq!(server.get("containers/C0").json(200)["used"], 400_000_000_000u64);
    server.post("snapshots/before/restore", json!({})).json(200);
    assert_eq!(server.get("volumes/C0%2Flun0").json(200)["written"], 100_000_000_000u64);
    assert_eq!(server.get("containers/C0").json(200)["used"], 100_000_000_000u64);
    assert_eq!(names(&server.get("snapshots?container=C0").json(200)), ["before"]);
}

#[test]
fn a_clone_shares_blocks_until_it_is_split_which_is_a_job() {
    let server = furnished();
    server.post("volumes/C0%2Flun0/write", json!({"bytes": "100GB"})).json(200);
    server.post("snapshots", json!({"container": "C0", "name": "S0"})).json(201);
    let answer = server.post("snapshots/S0/clone", json!({"name": "C9"}));
    let clone = answer.json(201);
    let place = answer.header("location").expect("a new container has a place");
    assert!(place.starts_with("/v1/arrays/t/containers/"), "{place}");
    assert_eq!(server.get(place).json(200), clone);
    assert_eq!((&clone["clone"]["container"], &clone["clone"]["shared"]), (&json!("C0"), &json!(100_000_000_000u64)));
    server.delete("snapshots/S0").refused("in_use");
    let split = server.post("containers/C9/split", json!({}));
    assert_eq!((&split.json(202)["name"], &split.json(202)["status"]), (&json!("container.split"), &json!("running")));
    assert_eq!(server.get("containers/C9").json(200)["status"], "splitting");
    server.post("clock/advance", json!({"until": "idle"})).json(200);
    let whole = server.get("containers/C9").json(200);
    assert_eq!((&whole["clone"], &whole["status"]), (&json!(null), &json!("available")));
    assert_eq!(server.delete("snapshots/S0").status, 204);
    let copied = server.post("volumes/C9%2Flun0/clone", json!({"name": "lun1"})).json(201);
    assert_eq!((&copied["container"], &copied["written"]), (&json!("C9"), &json!(100_000_000_000u64)));
    assert_eq!(server.get("consistency").json(200)["problems"], json!([]));
}

#[test]
fn a_container_with_volumes_is_deleted_only_when_the_query_says_so() {
    let server = furnished();
    server.delete("containers/C0").refused("in_use");
    server.delete("containers/C0?with_volumes=maybe").refused("invalid_body");
    server.delete("containers/C0?force=true").refused("unknown_field");
    assert_eq!(server.delete("containers/C0?with_volumes=true").status, 204);
    assert_eq!(names(&server.get("containers").json(200)), ["C1"]);
    assert_eq!(server.get("volumes").json(200)["items"].as_array().map(Vec::len), Some(1));
}

#[test]
fn an_array_without_containers_says_so() {
    let server = Server::playing("eternus-af250");
    server.post("pools", json!({"name": "P0", "level": "raid1", "drive_count": 2})).json(201);
    server.post("containers", json!({"name": "C0", "pool": "P0", "size": "1TB"})).refused("not_supported");
    assert_eq!(server.get("containers").json(200), json!({"items": [], "next_cursor": null}));
}

#[test]
fn what_is_offline_is_reached_by_nobody_and_keeps_its_mappings() {
    let server = Server::playing("aff-a250");
    server.post("pools", json!({"name": "P0", "level": "raid-dp", "drive_count": 12})).json(201);
    server.post("containers", json!({"name": "C0", "pool": "P0", "size": "1TB"})).json(201);
    server.post("volumes", json!({"name": "L0", "container": "C0", "size": "100GB"})).json(201);
    server.post("hosts", json!({"name": "H", "protocol": "fc", "wwn": "10000090fa000001"})).json(201);
    server.post("mappings", json!({"volume": "L0", "host": "H"})).json(201);
    server.post("workloads", json!({"name": "W", "profile": "custom", "volumes": ["L0"], "outstanding": 8})).json(201);
    let iops = || server.get("performance").json(200)["total"]["iops"].as_f64().expect("a rate");
    let paths = || names_of_states(&server.get("volumes/L0/paths").json(200));
    assert!(iops() > 0.0 && paths().contains(&"optimized".to_owned()));
    for (place, away, home, shown) in [
        ("containers/C0", json!({"state": "offline"}), json!({"state": "online"}), "state"),
        ("containers/C0", json!({"state": "restricted"}), json!({"state": "online"}), "state"),
        ("volumes/L0", json!({"online": false}), json!({"online": true}), "online"),
    ] {
        assert_eq!(server.patch(place, away.clone()).json(200)[shown], away[shown]);
        assert!(iops() == 0.0, "{place} is away, and work on it stands still");
        assert!(paths().iter().all(|state| state == "unavailable"), "{place}: {:?}", paths());
        assert_eq!(server.get("volumes/L0").json(200)["mapped"], true);
        assert_eq!(server.post("volumes/L0/write", json!({"bytes": "1GB"})).refused("wrong_state")["status"], 409);
        assert_eq!(server.patch(place, home.clone()).json(200)[shown], home[shown]);
        assert!(iops() > 0.0);
    }
    let told = server.get("events?sort=-number&limit=6&fields=code").json(200);
    let codes: Vec<&str> = told["items"].as_array().expect("a list").iter().filter_map(|event| event["code"].as_str()).collect();
    assert_eq!(codes, ["volume_online", "volume_offline", "container_online", "container_restricted", "container_online", "container_offline"]);
}

fn names_of_states(list: &serde_json::Value) -> Vec<String> {
    list["items"].as_array().expect("a list").iter().map(|path| path["state"].as_str().expect("a state").to_owned()).collect()
}
