//! Tests of doors over real sockets.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse, web};
use reqwest::{Certificate, Client, Response};
use tokio::sync::Notify;

use super::{DoorConfig, DoorError, Doors, Entrance, OpenDoor};
use crate::http::{BODY_BYTES_MAX, Config, HEAD_BYTES_MAX, LargeHead, Running, Tls, start};
use crate::site::Door;

const LOOPBACK: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

fn doors(mount: impl Fn(&mut web::ServiceConfig) + Send + Sync + 'static) -> Doors {
    let config = DoorConfig { workers: Some(2), address: LOOPBACK, anywhere: false, path: "/api" };
    Doors::new(config, || Tls::self_made(&[]), mount)
}

fn naming(config: &mut web::ServiceConfig) {
    let name = |request: HttpRequest| async move {
        let entrance = Entrance::of(&request);
        entrance.map(|entrance| format!("{} at {}", entrance.array(), entrance.url())).unwrap_or_default()
    };
    config.route("/name", web::get().to(name));
    config.route("/length", web::post().to(|body: web::Bytes| async move { body.len().to_string() }));
}

fn serve(doors: &Doors) -> Running {
    let config = Config { listen: vec![SocketAddr::from((LOOPBACK, 0)).into()], workers: Some(1), doors: Some(doors.clone()) };
    start(&config, naming).expect("a free port")
}

fn open(doors: &Doors, array: &str) -> OpenDoor {
    doors.bind((LOOPBACK, 0).into()).expect("a free port").open(array).expect("workers")
}

fn client(doors: &Doors) -> Client {
    let trusted = Certificate::from_pem(doors.trust().expect("a certificate").as_bytes()).expect("PEM");
    Client::builder().no_proxy().tls_certs_only([trusted]).build().expect("a client")
}

async fn ask(client: &Client, door: &dyn Door, path: &str) -> reqwest::Result<Response> {
    client.get(format!("https://{}{path}", door.address())).send().await
}

async fn text(client: &Client, door: &dyn Door, path: &str) -> String {
    ask(client, door, path).await.expect("an answer").text().await.expect("a body")
}

#[actix_web::test]
async fn a_request_knows_the_door_that_it_came_in_by() {
    let doors = doors(naming);
    let running = serve(&doors);
    let open: Vec<OpenDoor> = ["one", "two", "three"].map(|array| open(&doors, array)).into();
    let client = client(&doors);
    for (array, door) in ["one", "two", "three"].iter().zip(&open) {
        assert_eq!(door.url(), format!("https://{}/api", door.address()));
        for _ in 0..3 {
            assert_eq!(text(&client, door, "/name").await, format!("{array} at https://{}", door.address()));
        }
        assert_eq!(ask(&client, door, "/readyz").await.expect("an answer").status(), 200);
    }
    let plain = Client::builder().no_proxy().build().expect("a client").get(format!("{}/name", running.urls()[0]));
    assert_eq!(plain.send().await.expect("an answer").text().await.expect("a body"), "", "that is no door");
    running.stop().await.expect("a clean end");
}

#[actix_web::test]
async fn requests_at_doors_are_named_counted_and_held_to_the_limits_as_all_others() {
    let doors = doors(naming);
    let (running, door) = (serve(&doors), open(&doors, "lab"));
    let client = client(&doors);
    let first = ask(&client, &door, "/name").await.expect("an answer");
    assert_eq!(first.headers()["x-request-id"], "req-1");
    let url = format!("https://{}", door.address());
    let large = client.get(format!("{url}/name")).header("X-Large", "x".repeat(HEAD_BYTES_MAX)).send().await.expect("an answer");
    assert_eq!(large.status(), 431);
    for (length, status) in [(BODY_BYTES_MAX, 200), (BODY_BYTES_MAX + 1, 413)] {
        let answer = client.post(format!("{url}/length")).body(vec![b'x'; length]).send().await.expect("an answer");
        assert_eq!(answer.status(), status, "{length}");
    }
    let plain = Client::builder().no_proxy().build().expect("a client").get(format!("{}/healthz", running.urls()[0])).send().await.expect("an answer");
    assert_eq!(plain.headers()["x-request-id"], "req-5");
    running.stop().await.expect("a clean end");
}

#[actix_web::test]
async fn a_front_may_say_itself_that_a_head_is_too_large() {
    let speaking = |config: &mut web::ServiceConfig| {
        config.app_data(LargeHead(|text| HttpResponse::RequestHeaderFieldsTooLarge().body(format!("of the front: {text}"))));
    };
    let doors = doors(speaking);
    let (running, door) = (serve(&doors), open(&doors, "lab"));
    let large = client(&doors).get(format!("https://{}/", door.address())).header("X-Large", "x".repeat(HEAD_BYTES_MAX)).send().await.expect("an answer");
    assert_eq!(large.status(), 431);
    assert!(large.text().await.expect("a body").starts_with("of the front: The head"));
    running.stop().await.expect("a clean end");
}

#[actix_web::test]
async fn a_door_that_is_dropped_is_closed_with_its_connections() {
    let doors = doors(naming);
    let running = serve(&doors);
    let (door, other) = (open(&doors, "lab"), open(&doors, "other"));
    let client = client(&doors);
    assert!(text(&client, &door, "/name").await.starts_with("lab"));
    let address = door.address();
    drop(door);
    // The system tells a client of the closed connection a moment later; a client that asks on it again is refused then.
    let mut refused = false;
    for _ in 0..1000 {
        refused = refused || client.get(format!("https://{address}/name")).send().await.is_err();
        if refused {
            break;
        }
        actix_web::rt::task::yield_now().await;
    }
    assert!(refused, "it is closed");
    assert!(text(&client, &other, "/name").await.starts_with("other"));
    let again = doors.bind(address).expect("the port is free again").open("new").expect("workers");
    assert!(text(&client, &again, "/name").await.starts_with("new"));
    running.stop().await.expect("a clean end");
}

#[actix_web::test]
async fn an_address_that_cannot_be_is_refused_with_a_reason() {
    let doors = doors(naming);
    let taken = open(&doors, "lab");
    let address = taken.address();
    assert_eq!(doors.bind(address).expect_err("it is in use"), DoorError::Taken { address });
    for text in ["0.0.0.0:0", "192.0.2.1:0", "[::]:0"] {
        let address: SocketAddr = text.parse().expect("an address");
        assert_eq!(doors.bind(address).expect_err(text), DoorError::NotForEverybody { address });
    }
    let config = DoorConfig { workers: Some(1), address: LOOPBACK, anywhere: true, path: "" };
    let anywhere = Doors::new(config.clone(), || Tls::self_made(&[]), naming);
    assert!(matches!(anywhere.bind(([192, 0, 2, 1], 0).into()), Err(DoorError::Unusable { .. })));
    let without = Doors::new(config, || Err(std::io::Error::other("none here")), naming);
    let refusal = without.bind((LOOPBACK, 0).into()).expect_err("no certificate");
    assert_eq!(refusal.to_string(), "no address can be opened: no certificate: none here");
    doors.close_now();
    doors.closed().await;
}

#[actix_web::test]
async fn what_is_in_progress_at_a_door_is_answered_before_the_end() {
    let (arrived, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (inside, gate) = (Arc::clone(&arrived), Arc::clone(&go_on));
    let doors = doors(move |config| {
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
    });
    let (running, door) = (serve(&doors), open(&doors, "lab"));
    let (client, url) = (client(&doors), format!("https://{}", door.address()));
    let idle = client.get(format!("{url}/healthz")).send().await.expect("an answer");
    assert_eq!(idle.status(), 200);
    let slow = client.get(format!("{url}/slow"));
    let asked = actix_web::rt::spawn(async move { slow.send().await.expect("an answer").text().await.expect("a body") });
    arrived.notified().await;
    let traffic = Arc::clone(&running.traffic);
    let end = actix_web::rt::spawn(running.stop());
    while traffic.is_ready() {
        actix_web::rt::task::yield_now().await;
    }
    go_on.notify_one();
    assert_eq!(asked.await.expect("no panic"), "done");
    end.await.expect("no panic").expect("a clean end");
    doors.closed().await;
    assert!(client.get(format!("{url}/healthz")).send().await.is_err());
}
