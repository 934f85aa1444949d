//! Tests of the server over a real socket.

use std::net::SocketAddr;
use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse, web};
use reqwest::{Client, Response};
use tokio::sync::Notify;

use super::{BODY_BYTES_MAX, Config, HEAD_BYTES_MAX, RequestId, Running, start};

fn serve(listeners: usize) -> Running {
    let any = SocketAddr::from(([127, 0, 0, 1], 0));
    let mount = |config: &mut web::ServiceConfig| {
        let name = |request: HttpRequest| async move { RequestId::get(&request).map(|id| id.to_string()).unwrap_or_default() };
        config.route("/name", web::get().to(name));
        config.route("/length", web::post().to(|body: web::Bytes| async move { body.len().to_string() }));
        config.default_service(web::to(|| async { HttpResponse::NotFound().body("of the front") }));
    };
    start(&Config { listen: vec![any.into(); listeners], workers: Some(1), doors: None }, mount).expect("free ports")
}

fn client() -> Client {
    Client::builder().no_proxy().build().expect("a client")
}

async fn ask(url: String) -> reqwest::Result<Response> {
    client().get(url).send().await
}

async fn get(running: &Running, path: &str) -> Response {
    ask(format!("{}{path}", running.urls()[0])).await.expect("an answer")
}

fn id_of(response: &Response) -> &str {
    response.headers()["x-request-id"].to_str().expect("text")
}

#[actix_web::test]
async fn every_listener_answers_and_is_ready() {
    let running = serve(2);
    assert_eq!(running.addresses().len(), 2);
    for url in running.urls() {
        for path in ["/healthz", "/readyz"] {
            let answer = ask(format!("{url}{path}")).await.expect("an answer");
            assert_eq!(answer.status(), 200, "{path}");
        }
    }
    running.stop().await.expect("a clean end");
}

#[actix_web::test]
async fn it_lives_but_is_not_ready_while_it_stops() {
    let running = serve(1);
    running.traffic.set_ready(false);
    assert_eq!(get(&running, "/healthz").await.status(), 200);
    assert_eq!(get(&running, "/readyz").await.status(), 503);
    running.stop().await.expect("a clean end");
}

#[actix_web::test]
async fn a_request_has_a_name_which_the_client_may_choose() {
    let running = serve(1);
    let first = get(&running, "/name").await;
    assert_eq!(id_of(&first), "req-1");
    assert_eq!(first.text().await.expect("a body"), "req-1");
    assert_eq!(id_of(&get(&running, "/healthz").await), "req-2");
    for (sent, named) in [("mine-7.a_b", "mine-7.a_b"), ("not mine", "req-4"), ("", "req-5"), (&"x".repeat(65), "req-6")] {
        let request = client().get(format!("{}/name", running.urls()[0])).header("X-Request-Id", sent);
        assert_eq!(id_of(&request.send().await.expect("an answer")), named, "{sent}");
    }
    running.stop().await.expect("a clean end");
}

#[actix_web::test]
async fn what_no_route_takes_goes_to_the_front() {
    let running = serve(1);
    let answer = get(&running, "/nowhere").await;
    assert_eq!(answer.status(), 404);
    assert_eq!(id_of(&answer), "req-1");
    assert_eq!(answer.text().await.expect("a body"), "of the front");
    running.stop().await.expect("a clean end");
}

#[actix_web::test]
async fn heads_and_bodies_have_limits() {
    let running = serve(1);
    let base = &running.urls()[0];
    let large_head = client().get(format!("{base}/name")).header("X-Large", "x".repeat(HEAD_BYTES_MAX)).send().await.expect("an answer");
    assert_eq!(large_head.status(), 431);
    for (length, status) in [(BODY_BYTES_MAX, 200), (BODY_BYTES_MAX + 1, 413)] {
        let answer = client().post(format!("{base}/length")).body(vec![b'x'; length]).send().await.expect("an answer");
        assert_eq!(answer.status(), status, "{length}");
    }
    running.stop().await.expect("a clean end");
}

#[actix_web::test]
async fn an_address_in_use_is_named() {
    let running = serve(1);
    let taken = running.addresses()[0];
    let refusal = start(&Config { listen: vec![taken.into()], workers: Some(1), doors: None }, |_| {}).expect_err("it is in use");
    assert!(refusal.to_string().starts_with(&format!("cannot listen on {taken}: ")), "{refusal}");
    running.stop().await.expect("a clean end");
}

#[actix_web::test]
async fn a_request_in_progress_is_answered_before_the_end() {
    let (arrived, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (inside, gate) = (Arc::clone(&arrived), Arc::clone(&go_on));
    let mount = move |config: &mut web::ServiceConfig| {
        let (inside, gate) = (Arc::clone(&inside), Arc::clone(&gate));
        let slow = move || {
            let (inside, gate) = (Arc::clone(&inside), Arc::clone(&gate));
            async move {
                inside.notify_one();
                gate.notified().await;
                "done"
            }
        };
        config.route("/slow", web::get().to(slow));
    };
    let running = start(&Config { listen: vec![SocketAddr::from(([127, 0, 0, 1], 0)).into()], workers: Some(1), doors: None }, mount).expect("a free port");
    let asked = actix_web::rt::spawn(ask(format!("{}/slow", running.urls()[0])));
    arrived.notified().await;
    let traffic = Arc::clone(&running.traffic);
    let end = actix_web::rt::spawn(running.stop());
    while traffic.is_ready() {
        actix_web::rt::task::yield_now().await;
    }
    go_on.notify_one();
    let answer = asked.await.expect("no panic").expect("an answer");
    assert_eq!(answer.text().await.expect("a body"), "done");
    end.await.expect("no panic").expect("a clean end");
}

#[actix_web::test]
async fn after_the_end_nobody_listens() {
    let running = serve(1);
    let url = running.urls()[0].clone();
    running.stop().await.expect("a clean end");
    assert!(ask(format!("{url}/healthz")).await.is_err());
}

#[actix_web::test]
async fn a_listener_speaks_tls_with_a_certificate_that_clients_can_trust() {
    let tls = super::Tls::self_made(&[]).expect("a certificate");
    let trusted = reqwest::Certificate::from_pem(tls.trust().as_bytes()).expect("PEM");
    let any = SocketAddr::from(([127, 0, 0, 1], 0));
    let config = Config { listen: vec![super::Listener { address: any, tls: Some(tls) }, any.into()], workers: Some(1), doors: None };
    let running = start(&config, |_| {}).expect("free ports");
    let [secure, plain] = &running.urls()[..] else { panic!("two listeners") };
    assert!(secure.starts_with("https://127.0.0.1:") && plain.starts_with("http://127.0.0.1:"));
    let client = Client::builder().no_proxy().tls_certs_only([trusted]).build().expect("a client");
    for host in ["127.0.0.1", "localhost"] {
        let answer = client.get(format!("{}/healthz", secure.replace("127.0.0.1", host))).send().await.expect("it is trusted");
        assert_eq!(answer.status(), 200, "{host}");
    }
    assert_eq!(ask(format!("{plain}/healthz")).await.expect("an answer").status(), 200);
    let stranger = Client::builder().no_proxy().tls_certs_only([]).build().expect("a client");
    assert!(stranger.get(format!("{secure}/healthz")).send().await.is_err(), "nobody has to trust it");
    running.stop().await.expect("a clean end");
}
