//! Tags, keys and waiting: changes that do what their client believes, once.

use std::thread;

use serde_json::{Value, json};

use super::{Answer, Server};

fn playing() -> Server {
    let server = Server::playing("eternus-af250");
    server.patch("clock", json!({"mode": "manual"})).json(200);
    server.post("pools", json!({"name": "P0", "level": "raid1", "drive_count": 2})).json(201);
    server.post("raid-groups", json!({"name": "RG0", "level": "raid1", "drive_count": 2})).json(201);
    server.post("volumes", json!({"name": "V0", "pool": "P0", "size": "1GB"})).json(201);
    server
}

/// Asks under a header.
fn under(server: &Server, header: &str, method: &str, path: &str, body: &Value) -> Answer {
    let (content_type, text) = if body.is_null() { ("", String::new()) } else { ("Content-Type: application/json\r\n", body.to_string()) };
    server.send(method, path, &format!("{header}\r\n{content_type}"), text.as_bytes())
}

fn tag(answer: &Answer) -> String {
    answer.header("etag").unwrap_or_else(|| panic!("no tag: {answer:?}")).to_owned()
}

#[test]
fn an_object_keeps_its_tag_until_an_operation_changes_it() {
    let server = playing();
    let made = server.post("volumes", json!({"name": "V1", "raid_group": "RG0", "size": "1GB"}));
    let first = tag(&made);
    assert!(first.starts_with('"') && first.ends_with('"'), "{first}");
    assert_eq!(tag(&server.get("volumes/V1")), first);
    assert_eq!(tag(&server.get("volumes/V1?fields=name")), first);
    server.post("volumes/V0/write", json!({"bytes": "1MB"})).json(200);
    server.post("clock/advance", json!({"by": "1h"})).json(200);
    assert_eq!(tag(&server.get("volumes/V1")), first, "others and time do not move it");
    let second = tag(&server.patch("volumes/V1", json!({"name": "W1"})));
    assert_ne!(second, first);
    server.post("volumes/W1/format", json!({})).json(202);
    let third = tag(&server.get("volumes/W1"));
    assert_ne!(third, second, "work that begins is a change of what it works on");
    server.post("clock/advance", json!({"until": "idle"})).json(200);
    assert_eq!(tag(&server.get("volumes/W1")), third, "that it goes on and ends is none");
    server.delete("volumes/W1");
    let again = tag(&server.post("volumes", json!({"name": "W1", "raid_group": "RG0", "size": "1GB"})));
    assert!(![first, second, third].contains(&again), "a tag never stands for something else");
    assert_eq!(server.post("volumes", json!({"name": "X", "pool": "P0", "size": "1GB", "count": 2})).header("etag"), None);
}

#[test]
fn settings_clock_array_and_events_have_tags_too() {
    let server = playing();
    for (path, change) in [("settings", json!({"contact": "me"})), ("clock", json!({"mode": "manual"}))] {
        let before = tag(&server.get(path));
        server.post("volumes/V0/write", json!({"bytes": "1MB"})).json(200);
        assert_eq!(tag(&server.get(path)), before, "{path}");
        let changed = tag(&server.patch(path, change));
        assert_ne!(changed, before, "{path}");
        assert_eq!(tag(&server.get(path)), changed, "{path}");
    }
    let array = tag(&server.get("/v1/arrays/t"));
    server.patch("volumes/V0", json!({"name": "V9"})).json(200);
    assert_ne!(tag(&server.get("/v1/arrays/t")), array, "every change moves the array's");
    assert!(server.get("/v1/models/aff-a250").header("etag").is_some());
}

#[test]
fn a_change_on_the_condition_of_a_tag_is_refused_when_somebody_was_faster() {
    let server = playing();
    let mine = tag(&server.get("volumes/V0"));
    let change = |tags: &str| under(&server, &format!("If-Match: {tags}"), "PATCH", "volumes/V0", &json!({"name": "V0"}));
    let present = tag(&change(&mine));
    let problem = change(&mine).refused("changed_meanwhile");
    assert_eq!((&problem["status"], &problem["field"], &problem["value"]), (&json!(412), &json!("If-Match"), &json!(present)));
    assert_eq!(tag(&server.get("volumes/V0")), present, "nothing was done");
    let present = tag(&change(&format!("\"x\", {present}")));
    assert_eq!(change(&format!("W/{present}")).status, 412, "a weak tag is no condition for a change");
    let present = tag(&change("*"));
    for malformed in ["", "0-1", "\"0-1", "*, \"0-1\""] {
        assert_eq!(change(malformed).refused("invalid_header")["field"], "If-Match", "{malformed}");
    }
    assert_eq!(under(&server, &format!("If-Match: {mine}"), "DELETE", "volumes/V0", &Value::Null).status, 412);
    assert_eq!(under(&server, &format!("If-Match: {mine}"), "POST", "volumes/V0/expand", &json!({"size": "2GB"})).status, 412);
    under(&server, "If-Match: \"0-1\"", "PATCH", "volumes/nowhere", &json!({})).refused("not_found");
    assert_eq!(under(&server, &format!("If-Match: {present}"), "DELETE", "volumes/V0", &Value::Null).status, 204);
    let array = tag(&server.get("/v1/arrays/t"));
    let list = json!([{"settings.update": {"contact": "me"}}]);
    assert_eq!(under(&server, &format!("If-Match: {array}"), "POST", "operations", &list).status, 200, "of what names nothing, the array's tag is asked");
    assert_eq!(under(&server, &format!("If-Match: {array}"), "POST", "operations", &list).status, 412);
    assert_eq!(under(&server, &format!("If-Match: {array}"), "DELETE", "/v1/arrays/t", &Value::Null).status, 412);
}

#[test]
fn what_the_client_has_is_not_sent_again() {
    let server = playing();
    for path in ["volumes/V0", "settings", "/v1/arrays/t", "pools/P0"] {
        let tag = tag(&server.get(path));
        let answer = under(&server, &format!("If-None-Match: W/{tag}, \"other\""), "GET", path, &Value::Null);
        assert_eq!((answer.status, answer.body.as_str(), answer.header("etag")), (304, "", Some(tag.as_str())), "{path}");
        assert_eq!(under(&server, "If-None-Match: \"other\"", "GET", path, &Value::Null).status, 200, "{path}");
    }
    server.post("jobs", json!({"operation": {"settings.update": {}}, "after": "1h"})).json(202);
    assert_eq!(under(&server, "If-None-Match: *", "GET", "jobs/1", &Value::Null).status, 200, "work goes on by itself, so it is always shown");
}

#[test]
fn a_request_that_is_sent_twice_under_one_key_is_done_once() {
    let server = playing();
    let volume = json!({"name": "V1", "pool": "P0", "size": "1GB"});
    let ask = |key: &str, body: &Value| under(&server, &format!("Idempotency-Key: {key}"), "POST", "volumes", body);
    let (first, second) = (ask("k-1", &volume), ask("k-1", &volume));
    assert_eq!((first.status, &first.body, tag(&first), first.header("location")), (second.status, &second.body, tag(&second), second.header("location")));
    assert_eq!((first.header("idempotency-replayed"), second.header("idempotency-replayed")), (None, Some("true")));
    let problem = ask("k-1", &json!({"name": "V2", "pool": "P0", "size": "1GB"})).refused("key_reused");
    assert_eq!((&problem["status"], &problem["field"], &problem["value"]), (&json!(422), &json!("Idempotency-Key"), &json!("k-1")));
    ask("k-2", &volume).refused("name_taken");
    server.delete("volumes/V1");
    assert_eq!(ask("k-2", &volume).status, 201, "a refusal is not remembered");
    let delete = || under(&server, "Idempotency-Key: k-3", "DELETE", "volumes/V1", &Value::Null);
    assert_eq!((delete().status, delete().status), (204, 204));
    assert_eq!(under(&server, "Idempotency-Key: k-3", "DELETE", "volumes/V0", &Value::Null).status, 422, "the path is part of the request");
    for malformed in ["", "two words", &"x".repeat(256)] {
        assert_eq!(ask(malformed, &volume).refused("invalid_header")["field"], "Idempotency-Key", "{malformed}");
    }
    server.post("clock/advance", json!({"by": "1d"})).json(200);
    assert_eq!(ask("k-1", &json!({"name": "V2", "pool": "P0", "size": "1GB"})).status, 201, "after a day the key is free");
}

#[test]
fn keys_hold_for_lists_settings_and_arrays_as_for_all_else() {
    let server = playing();
    let twice = |method: &str, path: &str, body: &Value| {
        let ask = || under(&server, &format!("Idempotency-Key: {method}-{}", path.replace('/', "-")), method, path, body);
        let (first, second) = (ask(), ask());
        assert_eq!((first.status, &first.body), (second.status, &second.body), "{method} {path}");
        assert_eq!(second.header("idempotency-replayed"), Some("true"), "{method} {path}");
    };
    twice("POST", "operations", &json!([{"volume.create": {"name": "L", "pool": "P0", "size": "1GB"}}]));
    twice("PATCH", "settings", &json!({"contact": "me"}));
    twice("POST", "clock/advance", &json!({"by": "1h"}));
    twice("POST", "checkpoints", &json!({"name": "one"}));
    twice("POST", "checkpoints/one/restore", &Value::Null);
    twice("POST", "reset", &json!({}));
    twice("DELETE", "checkpoints/one", &Value::Null);
    twice("POST", "/v1/arrays", &json!({"name": "u", "model": "aff-a250"}));
    twice("DELETE", "/v1/arrays/u", &Value::Null);
    assert_eq!(server.get("/v1/arrays/t").json(200)["epoch"], 2);
}

#[test]
fn of_requests_under_one_key_at_once_one_is_done_and_all_get_its_answer() {
    let server = Server::with_workers(4);
    server.make(json!({"name": "t", "model": "eternus-af250"}));
    for (path, body) in [("raid-groups", json!({"name": "RG0", "level": "raid1", "drive_count": 2})), ("/v1/arrays", json!({"name": "u", "model": "aff-a250"}))]
    {
        let answers: Vec<Answer> = thread::scope(|scope| {
            let ask = || under(&server, "Idempotency-Key: k", "POST", path, &body);
            let clients: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
            clients.into_iter().map(|client| client.join().expect("a client ends well")).collect()
        });
        assert!(answers.iter().all(|answer| answer.status == 201 && answer.body == answers[0].body), "{answers:?}");
        assert_eq!(answers.iter().filter(|answer| answer.header("idempotency-replayed").is_none()).count(), 1);
    }
}

const WAIT: &str = "Prefer: wait=60";

#[test]
fn an_answer_waits_for_the_end_of_the_work_if_that_is_wished() {
    let server = Server::with_workers(1);
    server.make(json!({"name": "t", "model": "eternus-af250", "clock": {"mode": "manual"}}));
    server.post("raid-groups", json!({"name": "RG0", "level": "raid1", "drive_count": 2})).json(201);
    server.post("volumes", json!({"name": "V0", "raid_group": "RG0", "size": "1GB"})).json(201);
    let (formatted, watched) = thread::scope(|scope| {
        let format = scope.spawn(|| under(&server, WAIT, "POST", "volumes/V0/format", &json!({})));
        let job = || server.get("jobs").json(200)["items"][0]["id"].clone();
        while job().is_null() {}
        let watch = scope.spawn(|| under(&server, WAIT, "GET", "jobs/1", &Value::Null));
        // One worker answers all this while two requests wait on it.
        assert_eq!(server.get("jobs/1").json(200)["status"], "running");
        server.post("clock/advance", json!({"until": "idle"})).json(200);
        (format.join().expect("it ends well"), watch.join().expect("it ends well"))
    });
    assert_eq!((&formatted.json(200)["status"], formatted.header("preference-applied")), (&json!("succeeded"), Some("wait=60")));
    assert_eq!((&watched.json(200)["status"], watched.header("preference-applied")), (&json!("succeeded"), Some("wait=60")));
    let submit = json!({"operation": {"volume.delete": {"volume": "nowhere"}}});
    let failed = under(&server, WAIT, "POST", "jobs", &submit);
    assert_eq!((&failed.json(201)["status"], &failed.json(201)["error"]["code"]), (&json!("failed"), &json!("not_found")));
    let later = under(&server, "Prefer: wait=0", "POST", "jobs", &json!({"operation": {"settings.update": {}}, "after": "1h"}));
    assert_eq!((&later.json(202)["status"], later.header("preference-applied")), (&json!("queued"), Some("wait=0")));
    assert_eq!(under(&server, WAIT, "PATCH", "volumes/V0", &json!({})).header("preference-applied"), None, "there is nothing to wait for");
}

#[test]
fn a_repeated_request_may_wait_too() {
    let server = playing();
    server.post("volumes", json!({"name": "V1", "raid_group": "RG0", "size": "1GB"})).json(201);
    let ask = |wait: &str| under(&server, &format!("Idempotency-Key: k\r\nPrefer: wait={wait}"), "POST", "volumes/V1/format", &json!({}));
    assert_eq!(ask("0").json(202)["status"], "running");
    server.post("clock/advance", json!({"until": "idle"})).json(200);
    assert_eq!(ask("60").json(200)["status"], "succeeded");
    let plain = under(&server, "Idempotency-Key: k", "POST", "volumes/V1/format", &json!({}));
    assert_eq!((&plain.json(202)["status"], plain.header("idempotency-replayed")), (&json!("running"), Some("true")), "byte by byte");
}

#[test]
fn a_list_of_events_waits_for_the_next_one() {
    let server = playing();
    let told = server.get("events?sort=-number&limit=1").json(200)["items"][0]["number"].as_u64().unwrap_or(0);
    let path = format!("events?number=%3E{told}");
    let next = thread::scope(|scope| {
        let waiting = scope.spawn(|| under(&server, WAIT, "GET", &path, &Value::Null));
        server.post("jobs", json!({"operation": {"volume.delete": {"volume": "nowhere"}}})).json(202);
        waiting.join().expect("it ends well")
    });
    let events = next.json(200);
    let event = &events["items"][0];
    assert_eq!((&event["code"], &event["id"]), (&json!("job_failed"), &json!(format!("0-{}", told + 1))));
    assert_eq!(server.get(&format!("events/0-{}", told + 1)).json(200), *event, "it is found by its identifier too");
    server.get(&format!("events/1-{}", told + 1)).refused("not_found");
}

#[test]
fn who_waits_gets_his_answer_when_the_server_ends() {
    let server = playing();
    server.post("volumes", json!({"name": "V1", "raid_group": "RG0", "size": "1GB"})).json(201);
    server.post("volumes/V1/format", json!({})).json(202);
    let answer = thread::scope(|scope| {
        let waiting = scope.spawn(|| under(&server, WAIT, "GET", "jobs/1", &Value::Null));
        server.get("jobs/1").json(200);
        server.site.end_waiting();
        waiting.join().expect("it ends well")
    });
    assert_eq!(answer.json(200)["status"], "running");
}
