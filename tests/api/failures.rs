//! Drives that fail: what the API shows at each step, and what the load on them feels.

use serde_json::{Value, json};

use super::Server;

fn furnished() -> Server {
    let server = Server::start();
    server.make_still("t", "eternus-af250", 7);
    server.post("raid-groups", json!({"name": "RG0", "level": "raid5", "drive_count": 4, "controller": "CM0"})).json(201);
    server.post("volumes", json!({"name": "V", "raid_group": "RG0", "size": "1TB"})).json(201);
    server.post("hosts", json!({"name": "H", "protocol": "fc", "wwn": "10:00:00:90:fa:00:00:01"})).json(201);
    server.post("mappings", json!({"volume": "V", "host": "H"})).json(201);
    server
}

fn advance(server: &Server, by: &str) {
    let body = if by == "idle" { json!({"until": by}) } else { json!({"by": by}) };
    server.post("clock/advance", body).json(200);
}

/// The fields of one thing.
fn look(server: &Server, path: &str, fields: &[&str]) -> Vec<Value> {
    let view = server.get(path).json(200);
    fields.iter().map(|field| view[*field].clone()).collect()
}

fn iops(server: &Server) -> f64 {
    server.get("performance").json(200)["total"]["iops"].as_f64().expect("a number")
}

#[test]
fn a_failed_drive_is_rebuilt_replaced_and_copied_back() {
    let server = furnished();
    let spare = server.patch("drives/CE-Disk%2323", json!({"dedicated_to": "RG0"})).json(200);
    assert_eq!([&spare["status"], &spare["usage"], &spare["dedicated_to"]], ["spare", "spare", "RG0"]);
    let failed = server.post("drives/CE-Disk%231/fail", json!({})).json(200);
    assert_eq!([&failed["status"], &failed["condition"], &failed["raid_group"]], ["broken", "error", "RG0"]);
    assert_eq!(look(&server, "raid-groups/RG0", &["status", "condition", "bytes_per_second"]), [json!("rebuild"), json!("maintenance"), json!(100_000_000)]);
    assert_eq!(look(&server, "volumes/V", &["status", "condition"]), ["rebuild", "maintenance"]);
    advance(&server, "96m");
    let fields = ["status", "raid_group", "stands_in_for", "progress", "usage"];
    assert_eq!(look(&server, "drives/CE-Disk%2323", &fields), [json!("rebuild"), json!("RG0"), json!("CE-Disk#1"), json!(30), json!("spare")]);
    let job = server.get("jobs?status=running").json(200)["items"][0].clone();
    assert_eq!(
        [&job["name"], &job["target"], &job["percent"], &job["actor"]["front"]],
        [&json!("raid-group.rebuild"), &json!("RG0"), &json!(30), &json!("array")]
    );
    server.post(&format!("jobs/{}/cancel", job["number"]), json!({})).refused("not_supported");
    advance(&server, "idle");
    assert_eq!(look(&server, "raid-groups/RG0", &["status", "condition", "job"]), [json!("spare_in_use"), json!("warning"), Value::Null]);
    let new = server.post("drives/CE-Disk%231/replace", json!({})).json(200);
    assert_eq!([&new["name"], &new["number"], &new["status"], &new["progress"]], [&json!("CE-Disk#1"), &json!(1), &json!("copyback"), &json!(0)]);
    assert_ne!([&new["id"], &new["serial_number"], &new["wwn"]], [&failed["id"], &failed["serial_number"], &failed["wwn"]]);
    server.get(&format!("drives/{}", failed["id"].as_str().expect("an id"))).refused("not_found");
    assert_eq!(look(&server, "raid-groups/RG0", &["status"]), ["copyback"]);
    advance(&server, "idle");
    assert_eq!(look(&server, "raid-groups/RG0", &["status", "dedicated_spares"]), [json!("available"), json!(["CE-Disk#23"])]);
    assert_eq!(look(&server, "drives/CE-Disk%2323", &["status", "raid_group"]), [json!("spare"), Value::Null]);
    let told: Vec<Value> = server.get("events?fields=code").json(200)["items"].as_array().expect("a list").iter().map(|event| event["code"].clone()).collect();
    let expected = [
        "drive_failed",
        "rebuild_started",
        "raid_group_rebuild",
        "rebuild_ended",
        "raid_group_spare_in_use",
        "drive_replaced",
        "copyback_started",
        "raid_group_copyback",
        "copyback_ended",
        "raid_group_available",
    ];
    let of_drives: Vec<&Value> = told.iter().filter(|code| !code.as_str().is_some_and(|code| code.starts_with("array_"))).collect();
    assert_eq!(of_drives, expected);
    assert_eq!(told.iter().filter(|code| *code == "array_error" || *code == "array_normal").count(), 2, "the array tells how it is as a whole: {told:?}");
    assert_eq!(server.get("consistency").json(200)["consistent"], true);
}

#[test]
fn load_feels_a_missing_drive_and_stands_still_when_too_many_are() {
    let server = furnished();
    server.post("workloads", json!({"name": "W", "profile": "4k-random-read", "volumes": ["V"]})).json(201);
    let healthy = iops(&server);
    server.post("drives/0/pull", json!({})).json(200);
    let exposed = iops(&server);
    assert_eq!(look(&server, "volumes/V", &["status", "condition"]), ["exposed", "warning"]);
    server.post("drives/1/pull", json!({})).json(200);
    assert_eq!(iops(&server), 0.0);
    assert_eq!(look(&server, "raid-groups/RG0", &["status", "condition"]), ["broken", "error"]);
    assert_eq!(look(&server, "volumes/V", &["status", "condition"]), ["not_available", "error"]);
    let problem = server.post("volumes/V/write", json!({"bytes": "1GB"})).refused("wrong_state");
    assert_eq!(problem["status"], 409);
    server.post("drives/1/insert", json!({})).json(200);
    assert_eq!(iops(&server), exposed, "the last drive brings everything back as it was");
    server.post("drives/0/replace", json!({})).json(200);
    assert!(iops(&server) > 0.0 && iops(&server) < healthy, "a rebuild is felt");
    advance(&server, "idle");
    assert_eq!(iops(&server), healthy);
    server.post("drives/2/fail", json!({})).json(200);
    server.post("drives/3/fail", json!({})).json(200);
    assert_eq!(look(&server, "volumes/V", &["status"]), ["data_lost"]);
}

#[test]
fn members_show_their_slots_and_an_expansion_its_drives() {
    let server = furnished();
    let job = server.post("raid-groups/RG0/expand", json!({"drive_count": 2})).json(202);
    assert_eq!([&job["name"], &job["status"]], ["raid-group.expand", "running"]);
    let group = server.get("raid-groups/RG0").json(200);
    assert_eq!([&group["expansion"], &group["drive_count"]], [&json!({"level": "raid5", "drives": ["CE-Disk#4", "CE-Disk#5"]}), &json!(4)]);
    let first = json!({"slot": 0, "drive": "CE-Disk#0", "status": "available", "served": true, "spare": null});
    assert_eq!([&group["members"][0], &group["job"], &group["progress"]], [&first, &job["number"], &json!(0)]);
    let before = group["capacity"].as_u64().expect("a size");
    advance(&server, "idle");
    let grown = server.get("raid-groups/RG0").json(200);
    assert_eq!([&grown["capacity"], &grown["drive_count"], &grown["expansion"]], [&json!(before / 3 * 5), &json!(6), &Value::Null]);
    server.patch("raid-groups/RG0", json!({"controller": "CM1"})).json(200);
    assert_eq!(look(&server, "raid-groups/RG0", &["controller", "next_controller"]), ["CM0", "CM1"]);
    advance(&server, "idle");
    assert_eq!(look(&server, "raid-groups/RG0", &["controller", "next_controller"]), [json!("CM1"), Value::Null]);
}
