//! Who is let in: the server's user, an array's users, and nobody else.

use serde_json::{Value, json};

use super::{Answer, Server, basic};

const PASSWORD: &str = "letters1";

/// A guarded server with the arrays `t` (an AF250 with the Monitor mona) and `o` (an AFF A250); all passwords are the same.
fn server() -> Server {
    let server = Server::guarded(PASSWORD);
    server.make_still("t", "eternus-af250", 7);
    server.make_still("o", "aff-a250", 7);
    as_admin(&server, "POST", "users", &json!({"name": "mona", "role": "Monitor", "password": PASSWORD})).json(201);
    server
}

fn ask(server: &Server, user: &str, password: &str, method: &str, path: &str, body: &Value) -> Answer {
    let headers = format!("{}Content-Type: application/json\r\n", basic(user, password));
    server.send(method, path, &headers, if body.is_null() { String::new() } else { body.to_string() }.as_bytes())
}

fn as_admin(server: &Server, method: &str, path: &str, body: &Value) -> Answer {
    ask(server, "admin", PASSWORD, method, path, body)
}

fn as_mona(server: &Server, method: &str, path: &str) -> Answer {
    ask(server, "mona", PASSWORD, method, path, &Value::Null)
}

#[test]
fn with_a_password_everything_demands_credentials_but_whether_the_server_lives() {
    let server = server();
    for path in ["/", "/docs", "/docs/", "/docs/index.html", "/openapi.json", "/v1/arrays", "/v1/models", "/v1/arrays/t", "volumes", "/v1/nowhere", "/nowhere"]
    {
        let answer = server.get(path);
        answer.refused("authentication_needed");
        assert_eq!(answer.status, 401, "{path}");
        assert_eq!(answer.header("www-authenticate"), Some("Basic realm=\"arrayplane\", charset=\"UTF-8\", Bearer realm=\"arrayplane\""), "{path}");
        assert!(answer.header("x-request-id").is_some());
        assert!(![401, 403].contains(&as_admin(&server, "GET", path, &Value::Null).status), "{path}");
    }
    for path in ["/healthz", "/readyz"] {
        assert_eq!(server.get(path).status, 200, "{path}");
    }
    server.post("volumes", json!({"name": "V"})).refused("authentication_needed");
    server.ask("PUT", "volumes", &Value::Null).refused("authentication_needed");
    server.ask("BREW", "/v1/arrays", &Value::Null).refused("authentication_needed");
}

#[test]
fn wrong_credentials_are_refused_and_do_not_tell_what_is_wrong() {
    let server = server();
    let all = [("admin", "wrong"), ("mona", "wrong"), ("nobody", PASSWORD), ("", ""), ("ADMIN", PASSWORD)];
    let answers: Vec<String> =
        all.iter().map(|(user, password)| ask(&server, user, password, "GET", "volumes", &Value::Null)).map(|answer| answer.body).collect();
    assert!(answers.iter().all(|body| *body == answers[0] && body.contains("invalid_credentials")), "{answers:#?}");
    for header in ["Basic", "Basic !", "Digest x", "x", "Basic bW9uYQ=="] {
        server.send("GET", "volumes", &format!("Authorization: {header}\r\n"), b"").refused("invalid_credentials");
    }
    let two = format!("{}{}", basic("admin", PASSWORD), basic("admin", PASSWORD));
    server.send("GET", "volumes", &two, b"").refused("invalid_credentials");
    assert_eq!(as_admin(&server, "GET", "/v1/arrays/nowhere/volumes", &Value::Null).refused("array_not_found")["status"], 404);
    assert_eq!(as_mona(&server, "GET", "/v1/arrays/nowhere/volumes").refused("invalid_credentials")["status"], 401, "she learns nothing about other arrays");
}

#[test]
fn a_user_of_an_array_is_known_to_that_array_only_and_does_not_control_the_emulation() {
    let server = server();
    for path in ["volumes", "/v1/arrays/t", "clock", "journal", "workloads", "performance", "users", "roles", "password-policy", "events"] {
        as_mona(&server, "GET", path).json(200);
    }
    for path in ["/v1/arrays", "/v1/models", "/v1/arrays/o", "/v1/arrays/o/volumes", "/docs/", "/openapi.json"] {
        as_mona(&server, "GET", path).refused("invalid_credentials");
    }
    as_admin(&server, "PATCH", "users/mona", &json!({"role": "Admin"})).json(200);
    for (method, path) in [("DELETE", "/v1/arrays/t"), ("PATCH", "clock"), ("POST", "clock/advance"), ("POST", "workloads")] {
        let problem = as_mona(&server, method, path).refused("forbidden");
        assert_eq!((&problem["status"], &problem["limit"], &problem["value"]), (&json!(403), &json!("emulation"), &json!("mona")), "{method} {path}");
    }
    let wait = json!({"operation": {"settings.update": {"contact": "mona"}}, "after": "1m"});
    assert_eq!(ask(&server, "mona", PASSWORD, "POST", "jobs", &wait).refused("forbidden")["limit"], "emulation");
    let at_once = json!({"operation": {"settings.update": {"contact": "mona"}}});
    let job = ask(&server, "mona", PASSWORD, "POST", "jobs", &at_once).json(202);
    assert_eq!((&job["status"], &job["actor"]["user"]), (&json!("succeeded"), &json!("mona")), "a job takes the rights of what it carries");
}

#[test]
fn the_first_users_of_an_array_have_the_password_of_the_server() {
    let server = server();
    let names = |array: &str| {
        let users = as_admin(&server, "GET", &format!("/v1/arrays/{array}/users"), &Value::Null).json(200);
        super::names(&users).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!((names("t"), names("o")), (vec!["admin".to_owned(), "root".into(), "mona".into()], vec!["admin".to_owned()]));
    let root = ask(&server, "root", PASSWORD, "GET", "users/root", &Value::Null).json(200);
    assert_eq!((&root["role"], &root["own_password"]), (&json!("Admin"), &json!(false)));
    ask(&server, "root", PASSWORD, "POST", "hosts", &json!({"name": "H", "protocol": "fc", "wwn": "10000090fa000001"})).json(201);
    assert_eq!(as_admin(&server, "GET", "journal", &Value::Null).json(200)["items"][1]["actor"]["user"], "root");
    ask(&server, "root", PASSWORD, "GET", "/v1/arrays/o/volumes", &Value::Null).refused("invalid_credentials");
}

#[test]
fn failed_logins_lock_a_user_and_say_so() {
    let server = server();
    for _ in 0..5 {
        ask(&server, "mona", "guess", "GET", "volumes", &Value::Null).refused("invalid_credentials");
    }
    let problem = as_mona(&server, "GET", "volumes").refused("user_locked");
    assert_eq!(problem["status"], 401);
    let mona = as_admin(&server, "GET", "users/mona", &Value::Null).json(200);
    assert_eq!((&mona["locked"], &mona["locked_until"]), (&json!(true), &json!("2026-01-01T00:15:00Z")));
    let events = as_admin(&server, "GET", "events?code=user_locked", &Value::Null).json(200);
    assert_eq!((&events["items"][0]["severity"], &events["items"][0]["name"]), (&json!("warning"), &json!("mona")));
    let journal = as_admin(&server, "GET", "journal?name=user.lock", &Value::Null).json(200);
    assert_eq!(journal["items"][0]["actor"], json!({"front": "array", "user": "", "request": "5 failed logins in a row"}));
    as_admin(&server, "PATCH", "users/mona", &json!({"locked": false})).json(200);
    as_mona(&server, "GET", "volumes").json(200);
    as_admin(&server, "POST", "users/mona/lock", &json!({})).json(200);
    as_mona(&server, "GET", "volumes").refused("user_locked");
    as_admin(&server, "POST", "clock/advance", &json!({"by": "15m"})).json(200);
    as_mona(&server, "GET", "volumes").json(200);
}

#[test]
fn without_a_password_who_brings_nothing_is_the_servers_user_and_who_brings_credentials_is_that_user() {
    let server = Server::playing("eternus-af250");
    server.post("users", json!({"name": "mona", "role": "Monitor", "password": PASSWORD})).json(201);
    server.patch("clock", json!({"mode": "manual"})).json(200);
    as_mona(&server, "GET", "volumes").json(200);
    as_mona(&server, "DELETE", "volumes/0").refused("forbidden");
    ask(&server, "mona", "wrong", "GET", "volumes", &Value::Null).refused("invalid_credentials");
    ask(&server, "root", "", "GET", "volumes", &Value::Null).refused("invalid_credentials");
    ask(&server, "admin", "whatever", "PATCH", "clock", &json!({"mode": "real"})).json(200);
}

#[test]
fn a_user_changes_its_own_password_and_nothing_else_of_itself() {
    let server = server();
    let change = |body: Value| ask(&server, "mona", PASSWORD, "PATCH", "users/mona", &body);
    assert_eq!(change(json!({"role": "Admin"})).refused("forbidden")["limit"], "user_management");
    change(json!({"role": "Admin", "password": "letters2"})).refused("forbidden");
    change(json!({"password": "weak"})).refused("invalid_value");
    ask(&server, "mona", PASSWORD, "PATCH", "users/root", &json!({"password": "letters2"})).refused("forbidden");
    let changed = change(json!({"password": "letters2"})).json(200);
    assert_eq!(changed["own_password"], true);
    change(json!({})).refused("invalid_credentials");
    ask(&server, "mona", "letters2", "GET", "users/mona", &Value::Null).json(200);
}

#[test]
fn a_request_that_is_smuggled_behind_another_is_not_let_in_by_it() {
    let server = server();
    let body = "GET /v1/arrays HTTP/1.1\r\nHost: test\r\n\r\n";
    let first = server.send("GET", "volumes", &basic("mona", PASSWORD), body.as_bytes());
    assert_eq!(first.status, 200);
    for path in ["/v1/arrays/t%2F..%2Fo/volumes", "/v1/arrays/%6f/volumes", "/v1/arrays/t/../o/volumes", "/v1//arrays/o"] {
        let answer = as_mona(&server, "GET", path);
        assert!([401, 403, 404].contains(&answer.status), "{path}: {answer:?}");
    }
}
