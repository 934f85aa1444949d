//! What no client should send: it is refused, never with 500, and changes nothing.

use serde_json::{Value, json};

use super::Server;

const JSON: &str = "Content-Type: application/json\r\n";

fn furnished() -> Server {
    let server = Server::playing("eternus-af250");
    server.post("pools", json!({"name": "P0", "level": "raid1", "drive_count": 2})).json(201);
    server.post("volumes", json!({"name": "V0", "pool": "P0", "size": "1TB"})).json(201);
    server
}

/// Everything must be refused with a status of the client's, and the journal must stay as it is.
fn all_refused(server: &Server, refusals: impl FnOnce() -> Vec<(String, super::Answer)>) {
    let before = server.get("journal?limit=1000").body;
    for (what, answer) in refusals() {
        assert!((400..500).contains(&answer.status), "{what}: {answer:?}");
        answer.problem();
    }
    assert_eq!(server.get("journal?limit=1000").body, before);
    assert_eq!(server.get("consistency").json(200)["consistent"], true);
}

#[test]
fn bytes_that_are_no_json_are_refused() {
    let server = furnished();
    let deep = |depth: usize| [vec![b'['; depth], vec![b']'; depth]].concat();
    let deep_object = [b"{\"a\":".repeat(5_000), b"1".to_vec(), b"}".repeat(5_000)].concat();
    let bodies: Vec<Vec<u8>> = vec![
        b"{".to_vec(),
        b"{\"name\":\"V\",}".to_vec(),
        b"{\"name\":\"\xff\xfe\"}".to_vec(),
        b"{\"name\":\"\\ud800\"}".to_vec(),
        b"{\"name\":NaN}".to_vec(),
        b"\xef\xbb\xbf{}".to_vec(),
        b"{} {}".to_vec(),
        b"name=V".to_vec(),
        b"\0".to_vec(),
        deep(200),
        deep(100_000),
        deep_object,
    ];
    all_refused(&server, || {
        let paths = ["volumes", "operations", "hosts", "clock/advance", "/v1/arrays", "volumes/V0/write"];
        let sent = paths.iter().flat_map(|path| bodies.iter().map(move |body| (*path, body)));
        sent.map(|(path, body)| (format!("{path} {}", String::from_utf8_lossy(&body[..body.len().min(20)])), server.send("POST", path, JSON, body))).collect()
    });
}

#[test]
fn json_of_another_form_is_refused() {
    let server = furnished();
    let bodies =
        [json!(null), json!([]), json!(1), json!("V"), json!(true), json!({"": 1}), json!({"name": {"name": "V"}}), json!({"name": ["V"]}), json!([[]])];
    all_refused(&server, || {
        let sent = ["volumes", "hosts", "workloads", "/v1/arrays"].iter().flat_map(|path| bodies.iter().map(move |body| (*path, body)));
        let texts = sent.map(|(path, body)| (format!("{path} {body}"), server.send("POST", path, JSON, body.to_string().as_bytes())));
        texts.chain([("operations {}".to_owned(), server.post("operations", json!({})))]).collect()
    });
}

#[test]
fn numbers_and_names_at_and_beyond_the_edge_are_refused() {
    let server = furnished();
    let sizes =
        ["-1", "1e300", "1.5", "0", "18446744073709551615", "18446744073709551616", "\"-1GB\"", "\"\"", "\"99999999999TB\"", "\"1 parsec\"", "true", "[]"];
    let long = "x".repeat(100_000);
    let names = ["", " ", "a\0b", "a\nb", "naïve", "a,b", "$SYSVOL", "😀", long.as_str()];
    all_refused(&server, || {
        let mut answers = Vec::new();
        for size in sizes {
            let body = format!(r#"{{"name": "V", "pool": "P0", "size": {size}}}"#);
            answers.push((body.clone(), server.send("POST", "volumes", JSON, body.as_bytes())));
            let body = format!(r#"{{"bytes": {size}}}"#);
            answers.push((body.clone(), server.send("POST", "volumes/V0/write", JSON, body.as_bytes())));
        }
        for name in names {
            answers.push((format!("name {name:.20}"), server.post("volumes", json!({"name": name, "pool": "P0", "size": "1GB"}))));
            answers.push((format!("new name {name:.20}"), server.patch("volumes/V0", json!({"name": name}))));
            answers.push((format!("array {name:.20}"), server.post("/v1/arrays", json!({"name": name, "model": "eternus-af250"}))));
        }
        answers
    });
}

#[test]
fn odd_counts_spans_and_ratios_are_refused() {
    let server = furnished();
    let volume = |field: &str, value: Value| {
        let mut body = json!({"name": "V", "pool": "P0", "size": "1GB"});
        body[field] = value;
        (body.to_string(), server.post("volumes", body))
    };
    let post = |path: &str, body: Value| (format!("{path} {body}"), server.post(path, body));
    all_refused(&server, || {
        vec![
            volume("count", json!(0)),
            volume("count", json!(1_000_000)),
            volume("count", json!(4_294_967_296u64)),
            volume("digits", json!(6)),
            volume("start_number", json!(-1)),
            volume("reducibility", json!(-1)),
            volume("reducibility", json!(1e300)),
            volume("attention_percent", json!(101)),
            post("clock/advance", json!({"by": "-1s"})),
            post("clock/advance", json!({"by": "1000y"})),
            post("clock/advance", json!({"by": 1e300})),
            post("clock/advance", json!({"until": "doomsday"})),
            post("jobs", json!({"operation": {"volume.delete": {"volume": "V0"}}, "after": "99999999999999h"})),
            post("jobs", json!({"operation": {"clock.advance": {"by": "1h"}}})),
            post("jobs", json!({"operation": {"job.submit": {"operation": {"volume.delete": {"volume": "V0"}}}}})),
            ("factor".to_owned(), server.patch("clock", json!({"mode": "scaled", "factor": -1}))),
            ("factor".to_owned(), server.patch("clock", json!({"mode": "scaled", "factor": 1e300}))),
        ]
    });
}

#[test]
fn odd_paths_and_queries_are_refused() {
    let server = furnished();
    let long = format!("volumes/{}", "x".repeat(20_000));
    let paths = [
        "volumes/%00",
        "volumes/%ff%fe",
        "volumes/V0%2Fx",
        "volumes/..%2F..%2Fhosts",
        "volumes//V0",
        "volumes/V0/",
        "volumes/-1",
        "volumes/99999999999999999999",
        "events/0",
        "events/-1",
        "events/99999999999999999999",
        "volumes?%ff=1",
        "volumes?limit=99999999999999999999999",
        "volumes?cursor=eyJudW1iZXIiOi0xfQ",
        "volumes?cursor=%00",
        "volumes?size=..",
        "volumes?number=%3E",
        "volumes?sort=-",
        "volumes?fields=,",
        "/v1/arrays/%2e%2e/volumes",
        "/v2/arrays",
        long.as_str(),
    ];
    all_refused(&server, || paths.iter().map(|path| ((*path).to_owned(), server.get(path))).collect());
}
