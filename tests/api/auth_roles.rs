//! What each role may do: every role by every operation, and one role by every route.

use std::fmt::Write as _;

use arrayplane::front::api;
use arrayplane::model::{Object, PolicySet};
use arrayplane::ops::{Actor, Authority, OPERATIONS, World, permission};
use serde_json::{Value, json};

use super::{Answer, Server, basic};
use crate::{given, golden};

/// A user of every role.
fn with_a_user_of_every_role(model: &str) -> World {
    let mut world = given::model(model, 7);
    let roles: Vec<String> = world.array.roles.iter().map(|role| role.name().to_owned()).collect();
    for role in roles {
        given::done(&mut world, &json!({"user.create": {"name": format!("u-{role}"), "role": role, "password": "letters1"}}));
    }
    world
}

/// One line an operation, one column a role: `x` where it is allowed.
fn table(model: &str, out: &mut String) {
    let world = with_a_user_of_every_role(model);
    let users: Vec<_> = world.array.users.iter().filter(|user| user.name().starts_with("u-")).collect();
    let roles: Vec<&str> = users.iter().map(|user| world.array.roles[user.role].name()).collect();
    writeln!(out, "{model}\n{:<24} {:<29} {}", "operation", "policy", roles.join(" ")).expect("text");
    for facts in OPERATIONS {
        write!(out, "{:<24} {:<29}", facts.name, facts.policy.name()).expect("text");
        for (user, role) in users.iter().zip(&roles) {
            let actor = Actor::new("test", user.name(), "a test").by(Authority::User(user.key()));
            let allowed = permission::allows_all(&world, &actor, PolicySet::of(facts.policy), facts.name).is_ok();
            write!(out, " {:<width$}", if allowed { "x" } else { "-" }, width = role.len()).expect("text");
        }
        *out = out.trim_end().to_owned();
        out.push('\n');
    }
    out.push('\n');
}

#[test]
fn every_role_may_do_what_its_policies_say() {
    let mut text = "What each role of a new array may do. job.submit takes the rights of the operation that it carries, and emulation if it waits;\n\
                    user.update of one's own password takes none.\n\n"
        .to_owned();
    for model in ["eternus-af250", "aff-a250", "esds-s16f"] {
        table(model, &mut text);
    }
    golden::check("api/roles.golden", &text);
}

fn ask(server: &Server, user: &str, method: &str, path: &str, body: &Value) -> Answer {
    let headers = format!("{}Content-Type: application/json\r\n", basic(user, "letters1"));
    server.send(method, path, &headers, if body.is_null() { String::new() } else { body.to_string() }.as_bytes())
}

/// Every documented method and path.
fn routes() -> Vec<(String, String)> {
    let document: Value = serde_json::from_str(&api::text()).expect("JSON");
    let paths = document["paths"].as_object().expect("paths").iter();
    let routes = paths.flat_map(|(path, methods)| methods.as_object().into_iter().flatten().map(move |(method, _)| (method.to_uppercase(), path.clone())));
    routes.collect()
}

/// The path with the array `t` and the first of everything.
fn filled(path: &str) -> String {
    path.split('/')
        .map(|part| {
            if part == "{array}" {
                "t"
            } else if part == "{noun}" {
                "volume"
            } else if part.starts_with('{') {
                "0"
            } else {
                part
            }
        })
        .collect::<Vec<_>>()
        .join("/")
}

/// What asks for something where the request decides what is demanded.
fn body(path: &str) -> Value {
    match path.rsplit('/').next() {
        Some("jobs") => json!({"operation": {"volume.delete": {"volume": "0"}}}),
        Some("operations") => json!([{"volume.delete": {"volume": "0"}}]),
        Some("requests") => json!({"description": "PATCH"}),
        Some("{object}") => json!({"notes": {"a": 1}}),
        Some("{user}") => json!({"enabled": false}),
        _ => json!({}),
    }
}

fn server() -> Server {
    let server = Server::guarded("letters1");
    ask(&server, "admin", "POST", "/v1/arrays", &json!({"name": "t", "scenario": "af250"})).json(201);
    for role in ["Monitor", "AccountAdmin", "Software"] {
        ask(&server, "admin", "POST", "users", &json!({"name": role, "role": role, "password": "letters1"})).json(201);
    }
    server
}

#[test]
fn a_monitor_is_refused_every_change_on_every_noun_and_reads_everything() {
    let server = server();
    let before = ask(&server, "admin", "GET", "journal?limit=1000", &Value::Null).body;
    let mut text = "What a user with the role Monitor is answered. Sessions are logins, which are everybody's own.\n\n".to_owned();
    for (method, path) in routes().into_iter().filter(|(_, path)| path.contains("{array}") && !path.contains("/sessions")) {
        let answer = ask(&server, "Monitor", &method, &filled(&path), &if method == "GET" { Value::Null } else { body(&path) });
        let policy = if method == "GET" && path.ends_with("/content") {
            let problem = answer.refused("forbidden");
            format!(" without {}: secrets are in it", problem["limit"].as_str().unwrap_or_default())
        } else if method == "GET" {
            assert!([200, 404].contains(&answer.status), "{method} {path}: {answer:?}");
            String::new()
        } else {
            let problem = answer.refused("forbidden");
            assert_eq!((answer.status, &problem["value"]), (403, &json!("Monitor")), "{method} {path}");
            format!(" without {}", problem["limit"].as_str().unwrap_or_default())
        };
        writeln!(text, "{method:<6} {path} {}{policy}", if method == "GET" && policy.is_empty() { "may read".to_owned() } else { answer.status.to_string() })
            .expect("text");
    }
    golden::check("api/monitor.golden", &text);
    assert_eq!(ask(&server, "admin", "GET", "journal?limit=1000", &Value::Null).body, before, "nothing has changed");
    for (method, path) in routes().into_iter().filter(|(_, path)| !path.contains("{array}") && !path.contains("/sessions")) {
        ask(&server, "Monitor", &method, &filled(&path), &Value::Null).refused("invalid_credentials");
    }
}

#[test]
fn who_manages_accounts_sees_users_and_nothing_else_and_everybody_sees_itself() {
    let server = server();
    for path in ["users", "users/0", "roles", "roles/0", "password-policy", "sessions"] {
        ask(&server, "AccountAdmin", "GET", path, &Value::Null).json(200);
    }
    for path in ["volumes", "settings", "journal", "/v1/arrays/t", "events"] {
        assert_eq!(ask(&server, "AccountAdmin", "GET", path, &Value::Null).refused("forbidden")["limit"], "status_display", "{path}");
    }
    ask(&server, "AccountAdmin", "PATCH", "users/Software", &json!({"enabled": true})).json(200);
    assert_eq!(ask(&server, "Software", "GET", "users/Software", &Value::Null).json(200)["role"], "Software");
    for path in ["users", "users/Monitor", "volumes"] {
        ask(&server, "Software", "GET", path, &Value::Null).refused("forbidden");
    }
}

#[test]
fn roles_of_ones_own_allow_what_they_say() {
    let server = server();
    let role = json!({"name": "Mapper", "policies": ["status_display", "host_interface_management"], "web_login": false});
    let role = ask(&server, "admin", "POST", "roles", &role).json(201);
    assert_eq!((&role["built_in"], &role["web_login"]), (&json!(false), &json!(false)));
    ask(&server, "admin", "PATCH", "users/Monitor", &json!({"role": "Mapper"})).json(200);
    ask(&server, "Monitor", "POST", "hosts", &json!({"name": "H9", "protocol": "fc", "wwn": "10000090fa000009"})).json(201);
    ask(&server, "Monitor", "DELETE", "volumes/0", &Value::Null).refused("forbidden");
    ask(&server, "admin", "DELETE", "roles/Mapper", &Value::Null).refused("in_use");
    ask(&server, "admin", "PATCH", "roles/Mapper", &json!({"policies": ["status_display"]})).json(200);
    ask(&server, "Monitor", "DELETE", "hosts/H9", &Value::Null).refused("forbidden");
    assert_eq!(ask(&server, "Monitor", "GET", "roles/Mapper", &Value::Null).json(200)["users"], json!(["Monitor"]));
}
