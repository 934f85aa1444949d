//! Many clients at once.

use std::collections::BTreeSet;
use std::thread;

use serde_json::{Value, json};

use super::{Server, names};

#[test]
fn what_eight_clients_make_at_once_is_all_there_and_numbered_without_gap() {
    let server = Server::with_workers(4);
    server.make(json!({"name": "t", "model": "eternus-af250"}));
    server.post("pools", json!({"name": "P0", "level": "raid1+0", "drive_count": 24})).json(201);
    let make = |client: usize, round: usize| {
        let name = format!("c{client}-{round}");
        let view = server.post("volumes", json!({"name": name, "pool": "P0", "size": "1GB"})).json(201);
        assert_eq!(server.get(&format!("volumes/{name}")).json(200)["id"], view["id"], "a client sees what it has made");
        (name, view["number"].as_u64().expect("a number"))
    };
    let made: Vec<(String, u64)> = thread::scope(|scope| {
        let clients: Vec<_> = (0..8).map(|client| scope.spawn(move || (0..50).map(|round| make(client, round)).collect::<Vec<_>>())).collect();
        clients.into_iter().flat_map(|client| client.join().expect("a client ends well")).collect()
    });
    let numbers: BTreeSet<u64> = made.iter().map(|(_, number)| *number).collect();
    assert_eq!(numbers, (0..400).collect());
    let listed = server.get("volumes?limit=1000").json(200);
    let listed: BTreeSet<&str> = names(&listed).into_iter().collect();
    assert_eq!(listed, made.iter().map(|(name, _)| name.as_str()).collect());
    assert_eq!(server.get("consistency").json(200)["problems"], json!([]));
    let journal = server.get("journal?limit=1000&name=volume.create&fields=number").json(200);
    let entries: Vec<u64> = journal["items"].as_array().into_iter().flatten().filter_map(|entry| entry["number"].as_u64()).collect();
    assert_eq!(entries.len(), 400);
    assert!(entries.windows(2).all(|pair| pair[0] + 1 == pair[1]), "the journal has them one after the other");
}

#[test]
fn of_clients_that_ask_for_the_same_name_one_gets_it() {
    let server = Server::with_workers(4);
    server.make(json!({"name": "t", "model": "eternus-af250"}));
    let body = json!({"name": "H0", "protocol": "fc", "wwn": "10000090fa000001"});
    let ask = |body: Value| server.post("hosts", body).status;
    let mut statuses: Vec<u16> = thread::scope(|scope| {
        let clients: Vec<_> = (0..8).map(|_| scope.spawn(|| ask(body.clone()))).collect();
        clients.into_iter().map(|client| client.join().expect("a client ends well")).collect()
    });
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409, 409, 409, 409, 409, 409, 409]);
}
