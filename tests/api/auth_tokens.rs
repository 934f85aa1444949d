//! Sessions over the wire: a token instead of a password, for a while.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use arrayplane::site::{Options, Site, TimeSource};
use serde_json::{Value, json};

use super::{Answer, Server, basic};
use crate::given;

/// Wall time in seconds, moved by hand.
#[derive(Debug, Default)]
struct Held(AtomicU64);

impl TimeSource for Held {
    fn elapsed(&self) -> Duration {
        Duration::from_secs(self.0.load(Ordering::Relaxed))
    }
}

fn server() -> (Arc<Held>, Server) {
    let time = Arc::new(Held::default());
    let site = Site::on(Arc::clone(&time) as Arc<dyn TimeSource>, Options::default());
    assert!(site.set_password("letters1"));
    site.set_session_lifetime(Duration::from_secs(600));
    for (name, seed) in [("t", 7), ("u", 8)] {
        let mut world = given::model("eternus-af250", seed);
        given::done(&mut world, &json!({"user.create": {"name": "mona", "role": "Monitor", "password": "letters1"}}));
        given::done(&mut world, &json!({"user.create": {"name": "soft", "role": "Software", "password": "letters1"}}));
        site.create(name, world).expect("a new array");
    }
    (time, Server::of(site, 1))
}

fn bearer(server: &Server, token: &Value, method: &str, path: &str) -> Answer {
    server.send(method, path, &format!("Authorization: Bearer {}\r\n", token.as_str().expect("a token")), b"")
}

#[test]
fn a_name_and_a_password_open_a_session_in_the_body_or_as_basic() {
    let (_, server) = server();
    let login = server.post("sessions", json!({"user": "mona", "password": "letters1"}));
    let session = login.json(201);
    assert_eq!((&session["user"], &session["lifetime_seconds"]), (&json!("mona"), &json!(600)));
    assert_eq!(login.header("location"), Some(format!("/v1/arrays/t/sessions/{}", session["id"]).as_str()));
    bearer(&server, &session["token"], "GET", "volumes").json(200);
    bearer(&server, &session["token"], "DELETE", "volumes/0").refused("forbidden");
    let by_basic = server.send("POST", "sessions", &basic("mona", "letters1"), b"").json(201);
    assert_ne!(by_basic["token"], session["token"]);
    for body in [json!({"user": "mona", "password": "wrong"}), json!({"user": "admin", "password": "wrong"}), json!({"user": "", "password": ""})] {
        server.post("sessions", body).refused("invalid_credentials");
    }
    server.post("/v1/sessions", json!({"user": "mona", "password": "letters1"})).refused("invalid_credentials");
    assert_eq!(server.post("sessions", json!({"user": "mona"})).refused("missing_field")["field"], "password");
    assert_eq!(server.post("sessions", json!({})).refused("missing_field")["field"], "user");
    let quoted = server.post("sessions", json!({"user": "mona", "password": 4711}));
    assert!(!quoted.body.contains("4711"), "{}", quoted.body);
    let further = server.send("POST", "sessions", &format!("Authorization: Bearer {}\r\n", session["token"].as_str().expect("a token")), b"");
    further.refused("missing_field");
}

#[test]
fn the_servers_user_opens_sessions_that_every_array_knows() {
    let (_, server) = server();
    for path in ["/v1/sessions", "sessions"] {
        let login = server.post(path, json!({"user": "admin", "password": "letters1"}));
        let session = login.json(201);
        assert_eq!(login.header("location"), Some(format!("/v1/sessions/{}", session["id"]).as_str()));
        for path in ["/v1/arrays", "volumes", "/v1/arrays/u/volumes"] {
            bearer(&server, &session["token"], "GET", path).json(200);
        }
    }
    let of_array = server.post("sessions", json!({"user": "mona", "password": "letters1"})).json(201)["token"].clone();
    for path in ["/v1/arrays", "/v1/sessions", "/v1/arrays/u/volumes"] {
        bearer(&server, &of_array, "GET", path).refused("invalid_token");
    }
}

#[test]
fn a_session_is_listed_ended_and_ends_by_itself() {
    let (time, server) = server();
    let open = |user: &str| server.post("sessions", json!({"user": user, "password": "letters1"})).json(201);
    let (mona, soft) = (open("mona"), open("soft"));
    time.0.store(100, Ordering::Relaxed);
    let all = bearer(&server, &mona["token"], "GET", "sessions").json(200);
    let expected = |session: &Value, current: bool| json!({"id": session["id"], "user": session["user"], "lifetime_seconds": 600, "remaining_seconds": 500, "current": current});
    assert_eq!(all["items"], json!([expected(&mona, true), expected(&soft, false)]));
    assert!(!all.to_string().contains(mona["token"].as_str().expect("a token")));
    let own = bearer(&server, &soft["token"], "GET", "sessions").json(200);
    assert_eq!(own["items"], json!([expected(&soft, true)]), "without the policy for more, one sees one's own");
    bearer(&server, &soft["token"], "GET", &format!("sessions/{}", mona["id"])).refused("not_found");
    let of_another = format!("sessions/{}", soft["id"]);
    assert_eq!(bearer(&server, &mona["token"], "DELETE", &of_another).refused("forbidden")["limit"], "user_management");
    assert_eq!(bearer(&server, &soft["token"], "DELETE", &of_another).status, 204);
    bearer(&server, &soft["token"], "GET", "users/soft").refused("invalid_token");
    time.0.store(599, Ordering::Relaxed);
    bearer(&server, &mona["token"], "GET", "volumes").json(200);
    time.0.store(600, Ordering::Relaxed);
    bearer(&server, &mona["token"], "GET", "volumes").refused("invalid_token");
    let left = server.send("GET", "sessions", &basic("admin", "letters1"), b"").json(200);
    assert_eq!(left["items"], json!([]));
}

#[test]
fn a_new_password_ends_the_sessions_of_the_old_one() {
    let (_, server) = server();
    let token = server.post("sessions", json!({"user": "mona", "password": "letters1"})).json(201)["token"].clone();
    let headers = format!("{}Content-Type: application/json\r\n", basic("admin", "letters1"));
    server.send("PATCH", "users/mona", &headers, br#"{"password": "letters2"}"#).json(200);
    bearer(&server, &token, "GET", "volumes").refused("invalid_token");
    server.send("DELETE", "/v1/arrays/t", &headers, b"");
    bearer(&server, &token, "GET", "/v1/arrays/t/volumes").refused("invalid_token");
}
