//! A server that is killed again and again while clients make volumes.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

use serde_json::{Value, json};

use crate::folder::Folder;
use crate::process::Serving;

const KILLS: u64 = 50;
const CLIENTS: u64 = 4;

/// A number that looks random, from a seed.
fn scatter(seed: u64) -> u64 {
    let mut value = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

/// Asks for a volume; answers with the body, or nothing when the server went away before it had answered whole.
fn make(address: SocketAddr, name: &str) -> Option<Value> {
    let body = json!({"name": name, "pool": "P0", "size": "1GB"}).to_string();
    let head = format!(
        "POST /v1/arrays/lab/volumes HTTP/1.1\r\nHost: test\r\nConnection: close\r\nContent-Type: application/json\r\nIdempotency-Key: {name}\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    let mut socket = TcpStream::connect(address).ok()?;
    socket.write_all((head + &body).as_bytes()).ok()?;
    let mut answer = String::new();
    socket.read_to_string(&mut answer).ok()?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    assert!(head.starts_with("HTTP/1.1 201"), "{head}\n{body}");
    serde_json::from_str(body).ok()
}

/// Clients make volumes until `enough` were answered or the server is gone; what was answered comes by name, with its id.
fn under_load(serving: Serving, round: u64, enough: u64, known: &mut BTreeMap<String, String>) {
    let address = serving.client.address;
    let count = AtomicU64::new(0);
    let (told, answered) = mpsc::channel();
    thread::scope(|scope| {
        for client in 0..CLIENTS {
            let (told, count) = (told.clone(), &count);
            scope.spawn(move || {
                loop {
                    let name = format!("v{round}-{client}-{}", count.fetch_add(1, Ordering::Relaxed));
                    let Some(view) = make(address, &name) else { return };
                    let id = view["id"].as_str().expect("an id").to_owned();
                    if told.send((name, id)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(told);
        for _ in 0..enough {
            known.extend(answered.recv());
        }
        serving.end("KILL");
        known.extend(answered.iter());
    });
}

/// Every volume that is there, by name, with its id.
fn volumes(serving: &Serving) -> BTreeMap<String, String> {
    let (mut all, mut cursor) = (BTreeMap::new(), String::new());
    loop {
        let page = serving.client.get(&format!("/v1/arrays/lab/volumes?limit=1000&fields=name,id{cursor}")).json(200);
        let text = |item: &Value, field: &str| item[field].as_str().expect("text").to_owned();
        all.extend(page["items"].as_array().expect("a list").iter().map(|item| (text(item, "name"), text(item, "id"))));
        let Some(next) = page["next_cursor"].as_str() else { return all };
        cursor = format!("&cursor={next}");
    }
}

#[test]
fn every_volume_that_was_answered_is_there_after_fifty_kills_under_load() {
    let folder = Folder::new();
    // A small budget, so that checkpoints are being written when the end comes.
    let arguments = ["--data-dir", folder.text(), "--journal-budget", "16KiB", "--workers", "2", "--log", "arrayplane::cli=info", "lab=unlimited"];
    let serving = Serving::start(&arguments);
    serving.client.post("/v1/arrays/lab/pools", json!({"name": "P0", "level": "raid1+0", "drive_count": 4})).json(201);
    serving.end("KILL");
    let mut known: BTreeMap<String, String> = BTreeMap::new();
    for round in 0..KILLS {
        let serving = Serving::start(&arguments);
        let found = volumes(&serving);
        for (name, id) in &known {
            assert_eq!(found.get(name), Some(id), "{name} was answered before kill {round}");
        }
        assert_eq!(serving.client.get("/v1/arrays/lab/consistency").json(200)["problems"], json!([]), "before kill {round}");
        for (name, id) in found.iter().filter(|(name, _)| !known.contains_key(*name)) {
            let again = make(serving.client.address, name).expect("an answer");
            assert_eq!(again["id"], json!(id), "{name} was made and not answered; asked again it is answered and not made twice");
        }
        assert_eq!(volumes(&serving), found);
        known = found;
        under_load(serving, round, scatter(round) % 60, &mut known);
    }
    let serving = Serving::start(&arguments);
    let found = volumes(&serving);
    assert!(known.iter().all(|(name, id)| found.get(name) == Some(id)));
    assert!(known.len() as u64 > KILLS * 10, "only {} volumes were made", known.len());
    assert_eq!(serving.client.get("/v1/arrays/lab/consistency").json(200)["problems"], json!([]));
}
