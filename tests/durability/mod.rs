//! What was answered is found again: killed at any moment, with a full disk, after random operations with restarts between them.

mod kill;
mod restarts;

use std::fs;
use std::process::Command;

use serde_json::json;

use crate::api::names;
use crate::folder::Folder;
use crate::process::{Serving, program, refused};

fn pool() -> serde_json::Value {
    json!({"name": "P0", "level": "raid1+0", "drive_count": 12})
}

#[test]
fn an_array_is_found_again_and_wins_over_what_its_name_stands_for() {
    let folder = Folder::new();
    let arguments = ["--data-dir", folder.text(), "lab=eternus-af250"];
    let serving = Serving::start(&arguments);
    serving.client.post("/v1/arrays/lab/pools", pool()).json(201);
    serving.client.post("/v1/arrays", json!({"name": "made", "scenario": "af250-dr", "clock": {"mode": "manual"}})).json(201);
    serving.client.post("/v1/arrays/made/clock/advance", json!({"by": "1h"})).json(200);
    let lab = serving.client.get("/v1/arrays/lab/pools/P0").json(200);
    let made = serving.client.get("/v1/arrays/made/volumes").body;
    let (status, log) = serving.end("TERM");
    assert_eq!(status.code(), Some(0), "{log}");
    let serving = Serving::start(&["--data-dir", folder.text(), "lab=aff-a250", "made=eternus-af250", "more=aff-a250"]);
    for line in ["array 'lab' was found in", "array 'made' was found in", "array 'lab' is the one that was found", "array 'made' is the one that was found"] {
        assert!(serving.told.contains(line), "{line}: {}", serving.told);
    }
    assert_eq!(names(&serving.client.get("/v1/arrays").json(200)), ["lab", "made", "more"]);
    assert_eq!(serving.client.get("/v1/arrays/lab/pools/P0").json(200), lab);
    assert_eq!(serving.client.get("/v1/arrays/made/volumes").body, made);
    assert_eq!(serving.client.get("/v1/arrays/made/clock").json(200)["elapsed_seconds"], 3600);
    assert_eq!(serving.client.delete("/v1/arrays/made").status, 204);
    serving.end("KILL");
    let serving = Serving::start(&["--data-dir", folder.text(), "lab=eternus-af250"]);
    assert_eq!(names(&serving.client.get("/v1/arrays").json(200)), ["lab", "more"]);
}

#[test]
fn a_directory_that_is_in_use_or_damaged_is_named_and_a_killed_process_leaves_no_lock() {
    let folder = Folder::new();
    let serving = Serving::start(&["--data-dir", folder.text(), "lab=eternus-af250"]);
    let message = refused(&["serve", "--listen", "127.0.0.1:0", "--log", "error", "--data-dir", folder.text()], 3);
    assert!(message.contains(folder.text()) && message.contains("in use") && message.contains("process "), "{message}");
    serving.end("KILL");
    let journal = folder.path().join("arrays/lab/00000000000000000000.journal");
    let whole = fs::read(&journal).expect("a journal");
    fs::write(&journal, [&whole[..], b"00000000 5 "].concat()).expect("a file");
    let serving = Serving::start(&["--data-dir", folder.text(), "lab=eternus-af250"]);
    assert!(serving.told.contains("the last 11 bytes of its journal were no whole record and were cut off"), "{}", serving.told);
    serving.end("KILL");
    fs::write(&journal, [&whole[..], b"00000000 2 {}\n"].concat()).expect("a file");
    let message = refused(&["serve", "--listen", "127.0.0.1:0", "--log", "error", "--data-dir", folder.text()], 3);
    let file = journal.display().to_string();
    assert!(message.contains(&file) && message.contains(&format!("byte {}", whole.len())) && message.contains("--skip-array"), "{message}");
    let serving = Serving::start(&["--data-dir", folder.text(), "--skip-array", "lab", "other=eternus-af250"]);
    assert_eq!(names(&serving.client.get("/v1/arrays").json(200)), ["other"]);
    refused(&["serve", "--listen", "127.0.0.1:0", "--sync"], 2);
}

#[test]
fn with_a_full_disk_changes_are_refused_and_reading_goes_on() {
    let folder = Folder::new();
    let program = program();
    // Files of at most 2 MiB, as a disk that is full; the signal that comes with it is ignored.
    let limited = "trap '' XFSZ; ulimit -f 2048; exec \"$0\" \"$@\"";
    let mut command = Command::new("bash");
    command.args(["-c", limited]).arg(program.get_program());
    for (name, value) in program.get_envs() {
        if value.is_none() {
            command.env_remove(name);
        }
    }
    let serving = Serving::of(command.args([
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--log",
        "error,arrayplane::cli=info",
        "--data-dir",
        folder.text(),
        "lab=eternus-af250",
    ]));
    serving.client.post("/v1/arrays/lab/pools", pool()).json(201);
    let text = "x".repeat(200);
    let host = |number: usize| json!([{"host.create": {"name": format!("H{number}"), "protocol": "fc", "wwn": format!("10000090fa{number:06x}")}}]);
    let filler = json!(vec![json!({"settings.update": {"description": text, "contact": text, "location": text}}); 60]);
    let mut made = 0;
    let problem = loop {
        let hosts = serving.client.post("/v1/arrays/lab/operations", host(made));
        if hosts.status == 507 {
            break hosts.refused("not_stored");
        }
        hosts.json(200);
        made += 1;
        let filled = serving.client.post("/v1/arrays/lab/operations", filler.clone());
        assert!(filled.status == 200 || filled.status == 507, "{filled:?}");
    };
    assert!(problem["cure"].as_str().is_some_and(|cure| cure.contains("disk")), "{problem}");
    let hosts = serving.client.get("/v1/arrays/lab/hosts?limit=1000").json(200);
    assert_eq!(names(&hosts).len(), made, "reading goes on");
    assert_eq!(serving.client.get("/v1/arrays/lab/consistency").json(200)["problems"], json!([]));
    serving.end("KILL");
    let serving = Serving::start(&["--data-dir", folder.text()]);
    assert_eq!(serving.client.get("/v1/arrays/lab/hosts?limit=1000").json(200), hosts, "and nothing is lost");
    serving.client.post("/v1/arrays/lab/operations", host(made)).json(200);
}
