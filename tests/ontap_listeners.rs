//! ONTAP listeners of the program as a process: where they are, whom clients trust, what many of them cost.

use std::fs;
use std::net::TcpListener;

use serde_json::json;

use crate::folder::Folder;
use crate::process::{Serving, refused};

/// The URLs of arrays that speak ONTAP, in the order of their names.
fn told(serving: &Serving) -> Vec<&str> {
    serving.ready.split(' ').filter(|word| word.starts_with("https://")).collect()
}

fn port(url: &str) -> u16 {
    url.trim_end_matches("/api").rsplit(':').next().and_then(|port| port.parse().ok()).unwrap_or_else(|| panic!("no port in {url}"))
}

/// Asks every URL over TLS, trusting only that certificate; answers with the statuses.
fn ask(urls: &[&str], certificate: &str) -> Vec<u16> {
    let trusted = reqwest::Certificate::from_pem(certificate.as_bytes()).expect("PEM");
    let client = reqwest::Client::builder().no_proxy().tls_certs_only([trusted]).build().expect("a client");
    actix_web::rt::System::new().block_on(async {
        let mut statuses = Vec::new();
        for url in urls {
            statuses.push(client.get(format!("{}/readyz", url.trim_end_matches("/api"))).send().await.expect("it is trusted").status().as_u16());
        }
        statuses
    })
}

/// A few ports in a row that nobody uses now.
fn free_ports() -> u16 {
    let tried = (0..100).map(|_| TcpListener::bind("127.0.0.1:0").expect("a free port").local_addr().expect("an address").port());
    let is_free = |port: u16| (port..port.saturating_add(3)).all(|port| TcpListener::bind(("127.0.0.1", port)).is_ok());
    tried.into_iter().find(|port| *port < 65_000 && is_free(*port)).expect("free ports in a row")
}

#[test]
fn two_hundred_listeners_share_the_threads_of_one_process() {
    let folder = Folder::new();
    let file = folder.path().join("lab.pem");
    let arrays: Vec<String> = (0..200).map(|number| format!("n{number}=model:aff-a250")).collect();
    let (arrays, file) = (arrays.join(","), file.to_str().expect("a plain path"));
    let serving = Serving::start(&["--ontap-port", "0", "--cert-out", file, "--workers", "4", "--log", "warn,arrayplane::cli=info", &arrays]);
    let urls = told(&serving);
    assert_eq!(urls.len(), 200);
    assert_eq!(ask(&urls, &fs::read_to_string(file).expect("it was written")), [200; 200]);
    let threads = serving.threads();
    println!("threads with 200 ONTAP listeners: {threads:?}");
    assert!(threads.is_none_or(|threads| threads < 100), "{threads:?}");
    let (status, log) = serving.end("TERM");
    assert_eq!(status.code(), Some(0), "{log}");
}

#[test]
fn a_request_with_too_large_a_head_is_refused_as_ontap_refuses() {
    let folder = Folder::new();
    let file = folder.path().join("lab.pem");
    let serving = Serving::start(&["--ontap-port", "0", "--cert-out", file.to_str().expect("a plain path"), "lab=aff-a250"]);
    let trusted = reqwest::Certificate::from_pem(&fs::read(&file).expect("it was written")).expect("PEM");
    let client = reqwest::Client::builder().no_proxy().tls_certs_only([trusted]).build().expect("a client");
    let (status, text) = actix_web::rt::System::new().block_on(async {
        let answer = client.get(format!("{}/cluster", told(&serving)[0])).header("X-Large", "x".repeat(40 << 10)).send().await.expect("an answer");
        (answer.status().as_u16(), answer.text().await.expect("a body"))
    });
    let body: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((status, &body["error"]["code"]), (431, &serde_json::json!("2")), "{text}");
}

#[test]
fn a_default_port_that_is_taken_moves_on_and_one_that_was_asked_for_is_an_error() {
    let first = Serving::start(&["a=aff-a250", "b=aff-a250", "e=eternus-af250"]);
    let second = Serving::start(&["c=aff-a250"]);
    let ports: Vec<u16> = told(&first).into_iter().chain(told(&second)).map(port).collect();
    assert!(ports.len() == 3 && ports.iter().all(|port| *port >= 8443) && ports[0] < ports[1] && !ports[..2].contains(&ports[2]), "{ports:?}");
    assert!(first.ready.contains("/api (a)") && first.ready.contains("/api (b)") && !first.ready.contains("(e)"), "{}", first.ready);
    let moved = second.told.contains("the array 'c' speaks ONTAP at 127.0.0.1:");
    assert!(moved || ports[2] == 8443, "the log tells, unless another test's server has just left the first port: {}", second.told);
    let message = refused(&["serve", "--listen", "127.0.0.1:0", "--log", "error", "--ontap-port", &ports[0].to_string(), "x=aff-a250"], 1);
    assert!(message.contains("the array 'x'") && message.contains(&format!("127.0.0.1:{}", ports[0])) && message.contains("in use"), "{message}");
}

#[test]
fn ports_are_counted_up_from_the_one_that_was_asked_for() {
    let port = free_ports();
    let serving = Serving::start(&["--ontap-port", &port.to_string(), "b=aff-a250", "a=aff-a200"]);
    assert_eq!(told(&serving), [format!("https://127.0.0.1:{}/api", port + 1), format!("https://127.0.0.1:{port}/api")], "in the order of the arguments");
    let serving = Serving::start(&["--no-ontap", "a=aff-a250"]);
    assert_eq!(told(&serving), Vec::<&str>::new());
    serving.client.ask("PUT", "/v1/arrays/a/ontap", &serde_json::json!({})).refused("not_supported");
}

#[test]
fn arrays_can_have_loopback_addresses_of_their_own_with_a_certificate_that_is_for_them() {
    let (folder, port) = (Folder::new(), free_ports());
    let file = folder.path().join("lab.pem");
    let file = file.to_str().expect("a plain path");
    let arguments = ["--ontap-loopback", "--ontap-port", &port.to_string(), "--cert-out", file, "a=aff-a250", "b=aff-a250"];
    let serving = Serving::start(&arguments);
    let urls = told(&serving);
    assert_eq!(urls, [format!("https://127.0.0.11:{port}/api"), format!("https://127.0.0.12:{port}/api")]);
    assert_eq!(ask(&urls, &fs::read_to_string(file).expect("it was written")), [200, 200]);
}

#[test]
fn the_certificate_is_the_same_after_a_restart_and_another_for_other_names() {
    let folder = Folder::new();
    let (data, file) = (folder.path().join("data"), folder.path().join("lab.pem"));
    let (data, file) = (data.to_str().expect("a plain path"), file.to_str().expect("a plain path"));
    let start = |more: &[&str]| {
        let serving = Serving::start(&[&["--data-dir", data, "--cert-out", file, "--ontap-port", "0", "lab=aff-a250"], more].concat());
        let certificate = fs::read_to_string(file).expect("it was written");
        assert_eq!(ask(&told(&serving), &certificate), [200]);
        serving.end("TERM");
        certificate
    };
    let first = start(&[]);
    assert_eq!(start(&[]), first);
    let other = start(&["--tls-name", "lab.example"]);
    assert_ne!(other, first);
    assert_eq!(start(&["--tls-name", "lab.example"]), other);
    fs::write(format!("{data}/tls.pem"), fs::read_to_string(format!("{data}/tls.pem")).expect("it was kept").replace("-----END PRIVATE", "")).expect("a file");
    let message = refused(&["serve", "--listen", "127.0.0.1:0", "--data-dir", data, "--tls-name", "lab.example", "lab=aff-a250"], 2);
    assert!(message.contains("tls.pem in the data directory"), "{message}");
}

#[test]
fn listeners_that_were_asked_for_while_it_ran_are_there_again_after_a_restart() {
    let folder = Folder::new();
    let arguments = ["--data-dir", folder.text(), "lab=eternus-af250"];
    let serving = Serving::start(&arguments);
    for name in ["kept", "closed", "gone"] {
        serving.client.post("/v1/arrays", json!({"name": name, "model": "aff-a250", "ontap": {"port": 0}})).json(201);
    }
    let url = |serving: &Serving, name: &str| serving.client.get(&format!("/v1/arrays/{name}")).json(200)["ontap"]["url"].clone();
    serving.client.ask("PUT", "/v1/arrays/kept/ontap", &json!({"port": 0})).json(200);
    assert_eq!(serving.client.delete("/v1/arrays/closed/ontap").status, 204);
    assert_eq!(serving.client.delete("/v1/arrays/gone").status, 204);
    serving.client.post("/v1/arrays", json!({"name": "gone", "model": "aff-a250"})).json(201);
    let before = url(&serving, "kept");
    serving.end("KILL");
    let serving = Serving::start(&arguments);
    assert!(before.is_string(), "{before}");
    assert_eq!((url(&serving, "kept"), url(&serving, "closed"), url(&serving, "gone")), (before.clone(), json!(null), json!(null)));
    let certificate = serving.client.get("/v1/arrays/kept/ontap").json(200)["certificate"].as_str().expect("PEM").to_owned();
    assert_eq!(ask(&[before.as_str().expect("a URL")], &certificate), [200]);
    serving.end("TERM");
    let port = port(before.as_str().expect("a URL"));
    let squatter = TcpListener::bind(("127.0.0.1", port)).expect("it is free now");
    let serving = Serving::start(&arguments);
    assert!(serving.told.contains("the array 'kept' does not listen at"), "{}", serving.told);
    assert_eq!(url(&serving, "kept"), json!(null));
    drop(squatter);
    assert!(serving.end("TERM").0.success());
}

#[test]
fn a_version_of_ontap_that_nobody_knows_is_an_error_in_the_arguments() {
    assert!(refused(&["serve", "--ontap-version", "9.11.1"], 2).contains("9.12.1 to 9.17.1"));
    assert!(refused(&["serve", "--ontap-address", "0.0.0.0", "a=aff-a250"], 2).contains("--ontap-address 0.0.0.0"));
}
