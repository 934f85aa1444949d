//! `GET /metrics` over the wire: who may read it, and what is said to who may not. What it says is tested beside it.

use serde_json::json;

use super::{Server, basic};

const PASSWORD: &str = "letters1";

#[test]
fn everybody_reads_the_metrics_of_an_open_server() {
    let server = Server::playing("eternus-af250");
    let answer = server.get("/metrics");
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("text/plain; version=0.0.4; charset=utf-8")));
    for name in ["arrayplane_build_info{version=", "process_resident_memory_bytes ", "arrayplane_http_requests_total ", "arrayplane_array_ready{array=\"t\"} 1"]
    {
        assert!(answer.body.lines().any(|line| line.starts_with(name)), "{name} is missing");
    }
    assert_eq!(server.get("/metrics?array=nowhere").status, 404);
    assert_eq!(server.get("/metrics?volumes=10001").status, 400);
    assert_eq!(server.get("/metrics?colour=red").status, 400);
    assert_eq!(server.send("POST", "/metrics", "", b"").status, 405);
    let one = server.get("/metrics?array=t").body;
    assert!(one.contains("array=\"t\"") && !one.contains("process_"), "{one}");
}

#[test]
fn a_guarded_server_shows_all_to_its_user_and_one_array_to_who_may_see_that() {
    let server = Server::guarded(PASSWORD);
    let admin = basic("admin", PASSWORD);
    let ask = |path: &str, credentials: &str| server.send("GET", path, credentials, b"").status;
    for name in ["a", "b"] {
        let body = json!({"name": name, "model": "eternus-af250"}).to_string();
        assert_eq!(server.send("POST", "/v1/arrays", &format!("{admin}Content-Type: application/json\r\n"), body.as_bytes()).status, 201);
    }
    let user = json!({"name": "watcher", "role": "Monitor", "password": "Letters-1-letters"}).to_string();
    assert_eq!(server.send("POST", "/v1/arrays/a/users", &format!("{admin}Content-Type: application/json\r\n"), user.as_bytes()).status, 201);
    let watcher = basic("watcher", "Letters-1-letters");
    let unknown = server.send("GET", "/metrics", "", b"");
    assert_eq!((unknown.status, unknown.header("www-authenticate").is_some()), (401, true));
    assert_eq!((ask("/metrics", &admin), ask("/metrics?array=a", &admin), ask("/metrics?array=b", &admin)), (200, 200, 200));
    assert_eq!((ask("/metrics?array=a", &watcher), ask("/metrics?array=b", &watcher), ask("/metrics", &watcher)), (200, 401, 401));
    assert_eq!(ask("/metrics", &basic("admin", "wrong-1-wrong")), 401);
}
