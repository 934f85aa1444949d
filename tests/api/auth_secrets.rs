//! Where a password never is: journals, checkpoints, answers.

use arrayplane::site::{checkpoint, replay};
use serde_json::{Value, json};

use super::Server;

const WORDS: [&str; 5] = ["w0rd-by-post", "w0rd-by-patch", "w0rd-in-a-list", "w0rd-in-a-job", "w0rd-for-later"];

/// An array in which five passwords were set in every way there is.
fn server() -> Server {
    let server = Server::start();
    server.make_still("t", "eternus-af250", 7);
    let user = |name: &str, password: &str| json!({"name": name, "role": "Monitor", "password": password});
    server.post("users", user("u0", WORDS[0])).json(201);
    server.patch("users/u0", json!({"password": WORDS[1]})).json(200);
    server.post("operations", json!([{"user.create": user("u2", WORDS[2])}])).json(200);
    server.post("jobs", json!({"operation": {"user.create": user("u3", WORDS[3])}})).json(202);
    server.post("jobs", json!({"operation": {"user.create": user("u4", WORDS[4])}, "after": "1h"})).json(202);
    server
}

#[test]
fn no_journal_no_checkpoint_and_no_answer_holds_a_password() {
    let server = server();
    let hosted = server.site.array("t").expect("it is there");
    let kept = hosted.read(checkpoint).expect("it can be written");
    let journal = hosted.journal(|journal| serde_json::to_string(journal.entries()).expect("JSON"));
    assert!(kept.contains("$argon2id$") && journal.contains("$argon2id$"), "hashes are kept");
    let answers: Vec<String> = ["journal", "jobs", "users", "users/u0", "events", "/v1/arrays/t"].iter().map(|path| server.get(path).body).collect();
    for word in WORDS {
        for text in [&kept, &journal].into_iter().chain(&answers) {
            assert!(!text.contains(word), "{word} stands in {text}");
        }
    }
    assert!(answers.iter().all(|answer| !answer.contains("argon2")), "nor does an answer show a hash");
    let shown = server.get("journal?limit=1").json(200);
    assert_eq!(shown["items"][0]["operation"]["user.create"]["password"], "********");
    assert_eq!(hosted.journal(replay).map(|world| checkpoint(&world)), Ok(Ok(kept)));
}

#[test]
fn equal_runs_give_equal_bytes_passwords_included() {
    let bytes = || server().site.array("t").expect("it is there").read(checkpoint).expect("it can be written");
    assert_eq!(bytes(), bytes());
}

#[test]
fn a_refusal_does_not_quote_a_password() {
    let server = Server::playing("eternus-af250");
    for (path, body) in [
        ("users", json!({"name": "u", "role": "Monitor", "password": "w0rd"})),
        ("users", json!({"name": "u", "role": "Monitor", "password": 4711})),
        ("users", json!({"name": "u", "role": "Monitor", "password": ["w0rd"]})),
        ("users", json!({"name": "u", "role": "Monitor", "password": {"sealed": "w0rd"}})),
        ("operations", json!([{"user.create": {"name": "u", "role": "Monitor", "password": "w0rd"}}])),
        ("operations", json!([{"user.create": {"name": "u", "role": "Monitor", "password": 4711}}])),
    ] {
        let answer = server.post(path, body);
        answer.problem();
        assert!(answer.status == 400 && !answer.body.contains("w0rd") && !answer.body.contains("4711"), "{}", answer.body);
    }
    let failed = server.post("jobs", json!({"operation": {"user.create": {"name": "u", "role": "Monitor", "password": "w0rd"}}})).json(202);
    assert_eq!(failed["status"], "failed");
    assert!(!failed.to_string().contains("w0rd"), "{failed}");
}

#[test]
fn the_history_of_passwords_is_looked_at_without_knowing_them() {
    let server = Server::playing("eternus-af250");
    server.patch("password-policy", json!({"history": 2})).json(200);
    server.post("users", json!({"name": "u", "role": "Monitor", "password": "letters1"})).json(201);
    let set = |password: &str| server.patch("users/0", json!({ "password": password }));
    let set_u = |password: &str| server.patch("users/u", json!({ "password": password }));
    set("letters1").json(200);
    let refused = set_u("letters1").refused("invalid_value");
    assert_eq!(refused["cure"], "give a password that differs from the last 2");
    set_u("letters2").json(200);
    set_u("letters1").refused("invalid_value");
    set_u("letters3").json(200);
    let number = server.get("users/u").json(200)["number"].clone();
    server.patch(&format!("users/{number}"), json!({"password": "letters2"})).refused("invalid_value");
    set_u("letters1").json(200);
    assert_eq!(server.get("consistency").json(200)["problems"], Value::Array(Vec::new()));
}
