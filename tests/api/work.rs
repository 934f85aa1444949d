//! Work: workloads, jobs on a clock that the test holds, events.

use serde_json::{Value, json};

use super::Server;

fn furnished() -> Server {
    let server = Server::start();
    server.make_still("t", "eternus-af250", 7);
    for group in ["RG0", "RG1"] {
        server.post("raid-groups", json!({"name": group, "level": "raid1", "drive_count": 2})).json(201);
    }
    server.post("volumes", json!({"name": "V", "raid_group": "RG0", "size": "100GiB"})).json(201);
    server
}

fn advance(server: &Server, by: &str) {
    server.post("clock/advance", json!({"by": by})).json(200);
}

#[test]
fn a_format_is_a_job_that_takes_virtual_time() {
    let server = furnished();
    let answer = server.post("volumes/V/format", json!({}));
    let job = answer.json(202);
    assert_eq!(
        [&job["name"], &job["noun"], &job["target"], &job["status"], &job["percent"]],
        [&json!("volume.format"), &json!("volume"), &json!("V"), &json!("running"), &json!(0)]
    );
    let place = answer.header("location").expect("a job has a place").to_owned();
    assert_eq!(server.get(&place).json(200), job);
    advance(&server, "54s");
    let volume = server.get("volumes/V").json(200);
    assert_eq!([&volume["status"], &volume["job"], &volume["progress"]], [&json!("formatting"), &job["number"], &json!(50)]);
    assert_eq!(server.get("clock").json(200)["next_due_at"], job["ends_at"]);
    assert_eq!(server.post("volumes/V/format", json!({})).refused("busy")["status"], 409);
    server.post(&format!("{place}/cancel"), json!({})).refused("not_supported");
    server.delete(&place).refused("busy");
    server.post("clock/advance", json!({"until": "idle"})).json(200);
    let over = server.get(&place).json(200);
    assert_eq!([&over["status"], &over["percent"], &over["remaining_seconds"]], [&json!("succeeded"), &json!(100), &json!(0)]);
    assert_eq!(server.get("clock").json(200)["now"], job["ends_at"], "idle is when the last job has ended");
    let event = server.get("events/1").json(200);
    assert_eq!([&event["code"], &event["name"], &event["time"]], [&json!("volume_formatted"), &json!("V"), &job["ends_at"]]);
    assert_eq!(server.delete(&place).status, 204);
    server.get(&place).refused("not_found");
}

#[test]
fn a_migration_ends_in_the_new_place_or_is_stopped_in_the_old_one() {
    let server = furnished();
    server.post("volumes/V/migrate", json!({"raid_group": "RG0"})).refused("invalid_value");
    let stopped = server.post("volumes/V/migrate", json!({"raid_group": "RG1"})).json(202);
    advance(&server, "1m");
    assert_eq!(server.get("volumes/V").json(200)["status"], "migrating");
    assert_eq!(server.post("volumes/V/migrate/stop", json!({})).json(200)["status"], "available");
    assert_eq!(server.get(&format!("jobs/{}", stopped["id"].as_str().expect("an id"))).json(200)["status"], "canceled");
    assert_eq!(server.get("raid-groups/RG1").json(200)["used"], 0);
    server.post("volumes/V/migrate/stop", json!({})).refused("not_running");
    server.post("volumes/V/migrate", json!({"raid_group": "RG1"})).json(202);
    server.post("clock/advance", json!({"until": "idle"})).json(200);
    assert_eq!(server.get("volumes/V").json(200)["raid_groups"], json!(["RG1"]));
    assert_eq!(server.get("raid-groups/RG0").json(200)["used"], 0);
}

#[test]
fn an_operation_that_waits_keeps_its_outcome() {
    let server = furnished();
    let submit = |operation: Value, after: &str| server.post("jobs", json!({"operation": operation, "after": after})).json(202);
    let good = submit(json!({"volume.update": {"volume": "V", "name": "W"}}), "10m");
    assert_eq!([&good["status"], &good["name"]], [&json!("queued"), &json!("volume.update")]);
    let bad = submit(json!({"volume.delete": {"volume": "V"}}), "20m");
    let never = submit(json!({"volume.delete": {"volume": "W"}}), "30m");
    let path = |job: &Value| format!("jobs/{}", job["id"].as_str().expect("an id"));
    let canceled = server.post(&format!("{}/cancel", path(&never)), json!({})).json(200);
    assert_eq!(canceled["status"], "canceled");
    server.post(&format!("{}/cancel", path(&never)), json!({})).refused("not_running");
    advance(&server, "10m");
    assert_eq!(server.get("volumes/W").json(200)["name"], "W");
    assert_eq!(server.get(&path(&good)).json(200)["status"], "succeeded");
    advance(&server, "10m");
    let failed = server.get(&path(&bad)).json(200);
    assert_eq!([&failed["status"], &failed["error"]["code"]], [&json!("failed"), &json!("not_found")], "{failed}");
    assert_eq!(server.get("jobs?status=failed|canceled").json(200)["items"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_workload_is_moved_resized_limited_and_paused_while_it_runs() {
    let server = Server::start();
    server.make(json!({"name": "t", "scenario": "af250"}));
    let custom = json!({"name": "mine", "profile": "custom", "volumes": ["R0"], "block_size": "8KiB", "read_percent": 60, "random_percent": 100, "outstanding": 4, "rate": 500});
    let made = server.post("workloads", custom).json(201);
    assert_eq!([&made["block_size"], &made["read_percent"], &made["outstanding"], &made["users"]], [&json!(8192), &json!(60.0), &json!(4), &json!(null)]);
    let sample = |name: &str| {
        let report = server.get("performance").json(200);
        report["workloads"].as_array().into_iter().flatten().find(|sample| sample["name"] == name).cloned().unwrap_or_default()
    };
    let iops = sample("mine")["iops"].as_f64().unwrap_or_default();
    assert!(iops > 0.0 && iops <= 500.5, "{iops}");
    assert!(sample("mine").get("tps").is_none() && sample("oltp")["tps"].is_f64());
    server.patch("workloads/mine", json!({"rate": 100})).json(200);
    assert!(sample("mine")["iops"].as_f64().is_some_and(|limited| limited <= 100.1));
    assert_eq!(server.patch("workloads/mine", json!({"rate": 0})).json(200)["rate"], json!(null));
    let before = sample("oltp")["tps"].as_f64().unwrap_or_default();
    server.patch("workloads/oltp", json!({"users": 30000})).json(200);
    let halved = sample("oltp")["tps"].as_f64().unwrap_or_default();
    assert!((halved / before - 0.5).abs() < 0.05, "{before} {halved}");
    server.patch("workloads/oltp", json!({"state": "paused"})).json(200);
    assert_eq!([&sample("oltp")["iops"], &sample("oltp")["latency_ms"]], [&json!(0.0), &json!(null)]);
    assert_eq!(server.delete("workloads/oltp").status, 204);
    server.post("workloads", json!({"name": "x", "profile": "nothing", "volumes": ["R0"]})).refused("invalid_value");
    server.post("workloads", json!({"name": "x", "profile": "sysbench", "volumes": ["R0"], "block_size": "8KiB"})).refused("conflicting_fields");
}

#[test]
fn events_are_listed_from_a_number_on() {
    let server = furnished();
    for _ in 0..3 {
        server.post("volumes/V/format", json!({})).json(202);
        server.post("clock/advance", json!({"until": "idle"})).json(200);
    }
    let events = |query: &str| server.get(&format!("events?{query}&fields=number")).json(200)["items"].clone();
    assert_eq!(events("number=%3E1"), json!([{"number": 2}, {"number": 3}]));
    assert_eq!(events("sort=-number&limit=1"), json!([{"number": 3}]));
    assert_eq!(events("severity=error"), json!([]));
    server.get("events/9").refused("not_found");
}
