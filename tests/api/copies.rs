//! Copy sessions: copies that go on in the background, snapshots, and what tells of them.

use serde_json::{Value, json};

use super::{Server, names};

/// Two pools and a volume of 1 TB of which 480 GB are written, on a clock that stands still.
fn server() -> Server {
    let server = Server::start();
    server.make_still("t", "eternus-af250", 7);
    server.post("pools", json!({"name": "P0", "level": "raid1+0", "drive_count": 4})).json(201);
    server.post("pools", json!({"name": "P1", "level": "raid5", "drive_count": 4})).json(201);
    server.post("volumes", json!({"name": "A", "pool": "P0", "size": "1TB"})).json(201);
    server.post("volumes/A/write", json!({"bytes": "480GB"})).json(200);
    server
}

fn number(view: &Value, field: &str) -> u64 {
    view[field].as_u64().unwrap_or_else(|| panic!("{field} of {view}"))
}

#[test]
fn a_clone_is_usable_at_once_and_its_session_tells_how_far_it_is() {
    let server = server();
    let clone = server.post("volumes/A/clone", json!({"name": "B", "pool": "P1"})).json(201);
    assert_eq!([&clone["written"], &clone["copy_destination"], &clone["copy_source"]], [&json!(480_000_000_000_u64), &json!(true), &json!(false)]);
    server.post("clock/advance", json!({"by": "10m"})).json(200);
    let half = server.get("copy-sessions/A-B").json(200);
    assert_eq!([&half["phase"], &half["progress"], &half["elapsed_seconds"]], [&json!("copying_and_tracking"), &json!(50), &json!(600)]);
    assert_eq!((number(&half, "uncopied"), number(&half, "tracking")), (240_000_000_000, 0));
    assert_eq!(server.get(&format!("jobs/{}", half["job"])).json(200)["percent"], 50);
    server.post("clock/advance", json!({"until": "idle"})).json(200);
    server.post("volumes/A/write", json!({"bytes": "30GB"})).json(200);
    let tracking = server.get("copy-sessions/A-B").json(200);
    assert_eq!([&tracking["phase"], &tracking["progress"], &tracking["job"]], [&json!("tracking"), &json!(100), &Value::Null]);
    assert_eq!(number(&tracking, "tracking"), 30_000_000_000);
    let again = server.post("volumes/A/resync", json!({"backup": "B"})).json(200);
    assert_eq!([&again["uncopied"], &again["tracking"]], [&json!(30_000_000_000_u64), &json!(0)]);
    server.delete("copy-sessions/A-B").json(204);
    assert_eq!(server.get("copy-sessions/A-B").json(200)["ending"], true);
    server.post("clock/advance", json!({"until": "idle"})).json(200);
    server.get("copy-sessions/A-B").refused("not_found");
    assert_eq!(server.get("volumes/B").json(200)["written"], server.get("volumes/A").json(200)["written"]);
    assert_eq!(server.get("events?noun=copy-session&fields=code").json(200)["items"].as_array().map(Vec::len), Some(2));
}

#[test]
fn snapshots_keep_what_is_overwritten_and_are_listed_page_by_page() {
    let server = server();
    for name in ["mon", "tue", "wed"] {
        let snapshot = server.post("volumes/A/snapshot", json!({"name": name, "pool": "P1"})).json(201);
        assert_eq!([&snapshot["name"], &snapshot["kind"], &snapshot["written"]], [&json!(name), &json!("thin"), &json!(0)]);
        server.post("volumes/A/write", json!({"bytes": "530GB"})).json(200);
    }
    let list = server.get("copy-sessions?source=A&sort=-generation&fields=destination,kept,generation,generations").json(200);
    let newest = json!({"destination": "wed", "kept": 530_000_000_000_u64, "generation": 3, "generations": 3});
    assert_eq!(list["items"][0], newest, "what is written first fills the volume: nothing is overwritten");
    let page = server.get("copy-sessions?limit=2").json(200);
    assert_eq!(names(&page), ["A-mon", "A-tue"]);
    let next = server.get(&format!("copy-sessions?limit=2&cursor={}", page["next_cursor"].as_str().expect("a cursor"))).json(200);
    assert_eq!((names(&next), &next["next_cursor"]), (vec!["A-wed"], &Value::Null));
    assert_eq!(names(&server.get("volumes?copy_destination=true").json(200)), ["mon", "tue", "wed"]);
    let books = server.get("capacity").json(200);
    let kept: u64 = list["items"].as_array().expect("a list").iter().map(|one| number(one, "kept")).sum();
    assert_eq!(number(&books["copies"], "kept_by_snapshots"), kept);
    assert_eq!(number(&books["copies"], "used") + number(&books["copies"], "free"), 128_000_000_000_000);
    server.post("volumes/A/snapshot/rotate", json!({})).json(201);
    assert_eq!(server.get("copy-sessions/A-mon").json(200)["generation"], 3);
    server.delete("volumes/mon").json(204);
    assert_eq!(names(&server.get("copy-sessions").json(200)), ["A-tue", "A-wed"]);
    server.delete("copy-sessions/A-wed?force=true").json(204);
    assert_eq!(server.get("copy-sessions").json(200)["items"], json!([]));
}

#[test]
fn snap_data_volumes_show_what_they_take_of_the_snap_data_pool() {
    let server = server();
    server.post("raid-groups", json!({"name": "RG0", "level": "raid1", "drive_count": 2})).json(201);
    let pool = server.post("volumes", json!({"name": "SDPV", "raid_group": "RG0", "size": "10GiB", "role": "snap_pool"})).json(201);
    assert_eq!(pool["kind"], "snap_data_pool");
    let snapshot = server.post("volumes/A/snapshot", json!({"name": "S", "raid_group": "RG0", "manual": true})).json(201);
    assert_eq!(snapshot["kind"], "snap_data");
    assert!(number(&snapshot, "allocated") < number(&snapshot, "size") / 900, "25 MiB and a thousandth, in whole MiB: {snapshot}");
    server.post("volumes/A/write", json!({"bytes": "525GB"})).json(200);
    assert_eq!(server.get("capacity").json(200)["snap_pool"], json!({"capacity": 10_u64 << 30, "used": 4_u64 << 30, "free": 6_u64 << 30}));
    assert_eq!(number(&server.get("volumes/S").json(200), "taken_from_snap_pool"), 4 << 30);
    server.delete("volumes/SDPV").refused("in_use");
    server.delete("volumes/SDPV?force=true").json(204);
    let lost = server.get("copy-sessions/A-S").json(200);
    assert_eq!([&lost["status"], &lost["phase"], &lost["failed_at"]], [&json!("error"), &json!("no_pair"), &json!("2026-01-01T00:00:00Z")]);
    assert_eq!(server.get("consistency").json(200)["consistent"], true);
}

#[test]
fn an_array_of_containers_has_no_copy_sessions() {
    let server = Server::start();
    server.make_still("t", "aff-a250", 7);
    assert_eq!(server.get("copy-sessions").json(200)["items"], json!([]));
    let refused = server.post("copy-sessions", json!({"kind": "ec", "source": "A", "destination": "B"})).refused("not_supported");
    assert_eq!([&refused["noun"], &refused["field"]], [&json!("copy-session"), &json!("kind")]);
}
