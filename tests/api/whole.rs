//! The array as a whole: settings, clock, capacity, performance, consistency, lists of operations and the journal.

use serde_json::{Value, json};

use super::Server;

#[test]
fn settings_are_read_and_changed() {
    let server = Server::playing("eternus-af250");
    let settings = server.get("settings").json(200);
    assert_eq!(settings["data_reduction"], false);
    let changed = server.patch("settings", json!({"system_name": "lab-1", "data_reduction": true})).json(200);
    assert_eq!([&changed["system_name"], &changed["data_reduction"], &changed["location"]], [&json!("lab-1"), &json!(true), &settings["location"]]);
    assert_eq!(server.get("settings").json(200), changed);
    server.patch("settings", json!({"colour": "red"})).refused("unknown_field");
    server.post("settings", json!({})).refused("method_not_allowed");
}

#[test]
fn the_clock_runs_runs_fast_or_stands() {
    let server = Server::playing("eternus-af250");
    assert_eq!(server.get("clock").json(200)["mode"], "real");
    let fast = server.patch("clock", json!({"mode": "scaled", "factor": 60.5})).json(200);
    assert_eq!([&fast["mode"], &fast["factor"]], [&json!("scaled"), &json!(60.5)]);
    server.patch("clock", json!({"mode": "scaled"})).refused("missing_field");
    server.patch("clock", json!({"mode": "real", "factor": 2})).refused("conflicting_fields");
    server.patch("clock", json!({"mode": "backwards"})).refused("invalid_body");
    let still = server.patch("clock", json!({"mode": "manual"})).json(200);
    assert_eq!(server.get("clock").json(200), still, "it stands");
    let before = still["elapsed_seconds"].as_u64().expect("seconds");
    let later = server.post("clock/advance", json!({"by": "1d 1h"})).json(200);
    assert_eq!(later["elapsed_seconds"], before + 90_000);
    server.post("clock/advance", json!({})).refused("missing_field");
    server.post("clock/advance", json!({"by": "1h", "until": "idle"})).refused("conflicting_fields");
}

#[test]
fn the_books_agree_at_every_level() {
    let server = Server::start();
    server.make(json!({"name": "t", "scenario": "af250-dr"}));
    server.post("volumes/D0/write", json!({"bytes": "1TB", "reducibility": 4})).json(200);
    let books = server.get("capacity").json(200);
    let number = |path: &str| books.pointer(path).and_then(Value::as_u64).unwrap_or_else(|| panic!("no {path} in {books}"));
    assert_eq!(number("/drives/in_raid_groups") + number("/drives/spare") + number("/drives/unused") + number("/drives/failed"), number("/drives/total"));
    assert_eq!(number("/raid_groups/capacity") + number("/raid_groups/protection"), number("/raid_groups/raw"));
    assert_eq!(number("/raid_groups/in_pools") + number("/raid_groups/allocated") + number("/raid_groups/free"), number("/raid_groups/capacity"));
    assert_eq!(number("/pools/used") + number("/pools/free"), number("/pools/capacity"));
    assert_eq!((number("/pools/before_reduction"), number("/pools/after_reduction")), (1_000_000_000_000, 250_000_000_000));
    assert_eq!(server.get("capacity?fields=pools").refused("unknown_field")["field"], "fields");
}

#[test]
fn performance_shows_every_object_and_adds_up() {
    let server = Server::start();
    server.make(json!({"name": "t", "scenario": "af250"}));
    let report = server.get("performance").json(200);
    for (kind, count) in [("workloads", 1), ("volumes", 4), ("raid_groups", 4), ("pools", 2), ("ports", 4), ("controllers", 2)] {
        let samples = report[kind].as_array().unwrap_or_else(|| panic!("no {kind}"));
        assert_eq!(samples.len(), count, "{kind}");
        let sum: f64 = samples.iter().filter_map(|sample| sample["iops"].as_f64()).sum();
        let total = report["total"]["iops"].as_f64().expect("a total");
        assert!((sum / total - 1.0).abs() < 1e-6, "{kind}: {sum} of {total}");
        assert!(samples.iter().all(|sample| sample["name"].is_string() && sample["id"].is_string()));
    }
    let oltp = &report["workloads"][0];
    assert!(oltp["bottleneck"].as_str().is_some_and(|part| part.contains(' ')), "{oltp}");
    let reads = oltp["read_iops"].as_f64().unwrap_or_default() / oltp["iops"].as_f64().unwrap_or_default();
    assert!((reads - 0.8).abs() < 0.01, "{reads}");
}

#[test]
fn a_list_of_operations_answers_with_what_was_made() {
    let server = Server::playing("eternus-af250");
    let list = json!([
        {"pool.create": {"name": "P0", "level": "raid1", "drive_count": 2}},
        {"volume.create": {"name": "V", "pool": "P0", "size": "1GB", "count": 2}},
        {"volume.delete": {"volume": "V1"}}
    ]);
    let done = server.post("operations", list).json(200);
    assert_eq!(done["items"][0]["made"][0]["name"], "P0");
    let made: Vec<&Value> = done["items"][1]["made"].as_array().into_iter().flatten().map(|made| &made["name"]).collect();
    assert_eq!(made, ["V0", "V1"]);
    assert_eq!(done["items"][2], json!({"operation": "volume.delete", "made": []}));
    assert_eq!(server.post("operations", json!([])).json(200), json!({"items": []}));
}

#[test]
fn the_journal_tells_what_came_from_outside() {
    let server = Server::playing("eternus-af250");
    server.post("pools", json!({"name": "P0", "level": "raid1", "drive_count": 2})).json(201);
    server.post("volumes", json!({"name": "V", "pool": "P0", "size": "1GB"})).json(201);
    server.post("volumes", json!({"name": "V", "pool": "P0", "size": "1GB"})).refused("name_taken");
    server.patch("volumes/V", json!({"name": "W"})).json(200);
    let journal = server.get("journal").json(200);
    let entries = journal["items"].as_array().expect("entries");
    let told: Vec<(u64, &str)> = entries.iter().map(|entry| (entry["number"].as_u64().expect("a number"), entry["name"].as_str().expect("a name"))).collect();
    assert_eq!(told, [(1, "pool.create"), (2, "volume.create"), (3, "volume.update")], "refusals are not in it");
    assert_eq!(entries[2]["operation"], json!({"volume.update": {"volume": "V", "name": "W"}}));
    assert_eq!(entries[2]["actor"], json!({"front": "api", "user": "admin", "request": "PATCH /v1/arrays/t/volumes/V"}));
    assert!(entries.iter().all(|entry| entry["outcome"].is_string()));
    let page = server.get("journal?limit=2").json(200);
    let rest = server.get(&format!("journal?limit=2&cursor={}", page["next_cursor"].as_str().expect("more"))).json(200);
    assert_eq!((&rest["items"][0]["number"], &rest["next_cursor"]), (&json!(3), &json!(null)));
}
