//! ONTAP listeners of arrays: opened, moved and closed while the server runs.

use std::net::{SocketAddr, TcpListener, TcpStream};

use serde_json::{Value, json};

use super::{Server, basic};

fn address(view: &Value) -> SocketAddr {
    let port = view["port"].as_u64().and_then(|port| u16::try_from(port).ok()).expect("a port");
    SocketAddr::new(view["address"].as_str().and_then(|address| address.parse().ok()).expect("an address"), port)
}

fn listens(address: SocketAddr) -> bool {
    TcpStream::connect(address).is_ok()
}

/// Closing takes a moment; who asks again and again finds it done.
fn is_closed(address: SocketAddr) -> bool {
    (0..100_000).any(|_| !listens(address))
}

#[test]
fn an_array_made_while_the_server_runs_listens_on_request() {
    let server = Server::start();
    assert_eq!(server.make(json!({"name": "quiet", "model": "aff-a250"}))["ontap"], Value::Null);
    let made = server.make(json!({"name": "n", "model": "aff-a250", "ontap": {"port": 0}}));
    let view = server.get("/v1/arrays/n/ontap").json(200);
    assert_eq!(made["ontap"], json!({"url": view["url"]}));
    assert_eq!(view["url"], format!("https://{}/api", address(&view)));
    assert!(view["certificate"].as_str().is_some_and(|pem| pem.starts_with("-----BEGIN CERTIFICATE-----")), "{view}");
    assert_eq!(server.get("/v1/arrays/n?fields=ontap").json(200), json!({"ontap": {"url": view["url"]}}));
    assert!(listens(address(&view)));
    assert_eq!(server.post("/v1/arrays/n/reset", json!({})).json(200)["ontap"]["url"], view["url"], "listeners stay");
    assert_eq!(server.delete("/v1/arrays/n").status, 204);
    assert!(is_closed(address(&view)));
}

#[test]
fn a_listener_is_opened_moved_and_closed() {
    let server = Server::start();
    server.make(json!({"name": "n", "model": "aff-a250"}));
    server.get("/v1/arrays/n/ontap").refused("not_found");
    server.delete("/v1/arrays/n/ontap").refused("not_found");
    let put = |body: Value| server.ask("PUT", "/v1/arrays/n/ontap", &body);
    let first = address(&put(json!({})).json(200));
    assert_eq!(address(&put(json!({"address": "127.0.0.1", "port": first.port()})).json(200)), first, "it is there");
    let second = address(&put(json!({"address": "127.0.0.2", "port": 0})).json(200));
    assert!(second.ip().to_string() == "127.0.0.2" && listens(second) && is_closed(first));
    assert_eq!(server.delete("/v1/arrays/n/ontap").status, 204);
    assert!(is_closed(second));
    assert_eq!(server.get("/v1/arrays/n").json(200)["ontap"], Value::Null);
}

#[test]
fn a_listener_that_cannot_be_is_refused_and_nothing_is_made() {
    let server = Server::start();
    let taken = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = taken.local_addr().expect("an address").port();
    let make = |model: &str, ontap: Value| server.post("/v1/arrays", json!({"name": "n", "model": model, "ontap": ontap}));
    let problem = make("aff-a250", json!({"port": port})).refused("address_taken");
    assert_eq!((&problem["status"], &problem["value"]), (&json!(409), &json!(format!("127.0.0.1:{port}"))));
    let problem = make("aff-a250", json!({"address": "0.0.0.0"})).refused("address_unusable");
    assert!(problem["cure"].as_str().is_some_and(|cure| cure.contains("--password-file")), "{problem}");
    assert_eq!(make("eternus-af250", json!({})).refused("not_supported")["field"], "ontap");
    assert_eq!(make("aff-a250", json!({"port": 70000})).refused("invalid_body")["field"], "ontap.port");
    assert_eq!(server.get("/v1/arrays").json(200)["items"], json!([]));
    server.make(json!({"name": "e", "model": "eternus-af250"}));
    server.ask("PUT", "/v1/arrays/e/ontap", &json!({})).refused("not_supported");
    server.ask("PUT", "/v1/arrays/nowhere/ontap", &json!({})).refused("array_not_found");
}

#[test]
fn listeners_are_opened_by_the_servers_user_and_seen_by_who_sees_the_array() {
    let server = Server::guarded("letters1");
    let admin = format!("{}Content-Type: application/json\r\n", basic("admin", "letters1"));
    server.send("POST", "/v1/arrays", &admin, br#"{"name": "n", "model": "aff-a250", "ontap": {}}"#).json(201);
    server.send("POST", "/v1/arrays/n/users", &admin, br#"{"name": "mona", "role": "readonly", "password": "w0rd-of-mona"}"#).json(201);
    let mona = format!("{}Content-Type: application/json\r\n", basic("mona", "w0rd-of-mona"));
    server.send("GET", "/v1/arrays/n/ontap", &mona, b"").json(200);
    server.send("PUT", "/v1/arrays/n/ontap", &mona, b"{}").refused("forbidden");
    server.send("DELETE", "/v1/arrays/n/ontap", &mona, b"").refused("forbidden");
    let open = server.send("PUT", "/v1/arrays/n/ontap", &admin, br#"{"address": "0.0.0.0"}"#).json(200);
    assert_eq!(open["address"], "0.0.0.0", "everybody is asked for a password");
}
