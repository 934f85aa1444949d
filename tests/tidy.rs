//! The rules of the house, read off the source: who imports whom, what a room must not name, how long a file may grow.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The rooms from the ground up. A room may import any room before it and nothing else; the last three are fronts, which never import each other.
const ROOMS: [&str; 13] = ["chart", "units", "model", "perf", "engine", "ops", "catalogue", "calibration", "site", "http", "api", "metrics", "ontap"];

/// The rooms that are fronts.
const FRONTS: [&str; 3] = ["api", "metrics", "ontap"];

/// All source of the program.
const SOURCES: [&str; 2] = ["src", "crates"];

struct Source {
    path: PathBuf,
    text: String,
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn sources(folder: &str) -> Vec<Source> {
    let mut found = Vec::new();
    collect(&root().join(folder), &mut found);
    found.sort_by(|one, other| one.path.cmp(&other.path));
    assert!(!found.is_empty(), "no sources under {folder}");
    found
}

fn collect(folder: &Path, found: &mut Vec<Source>) {
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("a folder can be listed").path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("sources are text");
            found.push(Source { path: path.strip_prefix(root()).expect("below the root").to_owned(), text });
        }
    }
}

/// The room of a file: its first folder below `src` of its crate; the whole crate, where that is one room.
fn room(path: &Path) -> String {
    let parts: Vec<String> = path.components().map(|part| part.as_os_str().to_string_lossy().trim_end_matches(".rs").to_owned()).collect();
    match parts.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["crates", "ontap", ..] => "ontap".to_owned(),
        ["crates", _, "src", name, ..] | ["src", name, ..] => (*name).to_owned(),
        _ => String::new(),
    }
}

/// What a room may import.
fn may_import(from: &str, to: &str) -> bool {
    let rank = |room: &str| ROOMS.iter().position(|known| *known == room).unwrap_or(ROOMS.len());
    if from == to || matches!(from, "main" | "lib" | "front" | "cli") {
        return true;
    }
    let both_fronts = FRONTS.contains(&from) && FRONTS.contains(&to);
    !both_fronts && rank(to) < rank(from)
}

/// Rooms that a file's text names, by `crate::room`.
fn imported(text: &str) -> Vec<String> {
    let mut rooms = Vec::new();
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        if let Some(list) = rest.strip_prefix('{') {
            let inside = list.split(';').next().unwrap_or_default();
            rooms.extend(top_level_names(inside));
        } else {
            rooms.push(first_room(rest));
        }
    }
    rooms
}

fn first_room(path: &str) -> String {
    path.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

fn top_level_names(list: &str) -> Vec<String> {
    let (mut depth, mut start, mut names) = (0, 0, Vec::new());
    for (at, character) in list.char_indices().chain([(list.len(), ',')]) {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth <= 0 => {
                names.push(first_room(list[start..at].trim()));
                start = at + 1;
            }
            _ => {}
        }
    }
    names.into_iter().filter(|name| !name.is_empty()).collect()
}

#[test]
fn rooms_import_only_what_lies_below_them() {
    let mut arrows: BTreeMap<(String, String), String> = BTreeMap::new();
    for source in SOURCES.iter().flat_map(|folder| sources(folder)) {
        let from = room(&source.path);
        for to in imported(&source.text) {
            if ROOMS.contains(&to.as_str()) && !may_import(&from, &to) {
                arrows.insert((from.clone(), to), source.path.display().to_string());
            }
        }
    }
    assert!(arrows.is_empty(), "arrows that the house does not have: {arrows:#?}");
}

#[test]
fn the_import_test_sees_wrong_arrows() {
    assert_eq!(imported("use crate::model::Array;\nuse crate::{units::Bytes, api::x};"), ["model", "units", "api"]);
    assert!(!may_import("model", "ops") && !may_import("api", "ontap") && !may_import("site", "http"));
    assert!(may_import("ops", "model") && may_import("api", "http") && may_import("http", "site"));
}

/// What clones of a value share is no lock: the one thing of `std::sync` that any room may have.
const SHARING: &str = "use std::sync::Arc;";

fn assert_names_none(folders: &[&str], forbidden: &[&str], why: &str) {
    assert_names_none_but(folders, forbidden, why, &[]);
}

/// The same for all files but one.
fn assert_names_none_but(folders: &[&str], forbidden: &[&str], why: &str, but: &[&str]) {
    for source in folders.iter().flat_map(|folder| sources(folder)).filter(|source| !but.iter().any(|path| source.path == Path::new(path))) {
        for (number, line) in source.text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//") && *line != SHARING) {
            let named = forbidden.iter().find(|word| line.contains(**word));
            assert!(named.is_none(), "{}:{}: {why}: {}", source.path.display(), number + 1, named.unwrap_or(&""));
        }
    }
}

#[test]
fn the_value_knows_no_clock_lock_file_socket_or_chance() {
    let pure = ["crates/world/src", "crates/ops/src/ops"];
    let forbidden = [
        "actix",
        "tokio",
        "reqwest",
        "rustls",
        "parking_lot",
        "std::sync",
        "std::time",
        "std::fs",
        "std::net",
        "std::thread",
        "std::env",
        "Instant::",
        "SystemTime",
        "Timestamp::now",
        "Zoned::now",
        "rand::",
        "getrandom",
        "HashMap",
        "HashSet",
        "new_v4",
        "async fn",
        "println!",
        "tracing::",
    ];
    assert_names_none(&pure, &forbidden, "a room below `site` must not name this");
}

#[test]
fn the_value_holds_no_floating_point_number() {
    assert_names_none(
        &["crates/world/src/model", "crates/world/src/engine"],
        &[": f64,", ": f32,", "<f64>", "<f32>"],
        "rates and ratios in the value are integers",
    );
}

#[test]
fn only_the_site_locks() {
    assert_names_none(&["crates/site/src/http", "crates/api", "crates/ops", "crates/world"], &["Mutex", "RwLock", "parking_lot"], "only `site` locks");
}

#[test]
fn nobody_sleeps() {
    let (asks_again, writes_lines_together) = ("src/cli/wait.rs", "src/cli/log.rs");
    let names = [concat!("thread::", "sleep"), concat!("time::", "sleep")];
    assert_names_none_but(
        &["src", "crates", "tests"],
        &names,
        "virtual time is advanced; nobody sleeps but who waits for a server or for lines of the log",
        &[asks_again, writes_lines_together],
    );
}

#[test]
fn files_stay_readable() {
    for source in ["src", "crates", "tests"].iter().flat_map(|folder| sources(folder)) {
        let lines = source.text.lines().count();
        assert!(lines <= 700, "{} has {lines} lines; split it by noun, then by verb", source.path.display());
    }
}

#[test]
fn every_room_says_what_it_is_for() {
    for source in ["src", "crates", "tests"].iter().flat_map(|folder| sources(folder)) {
        assert!(source.text.starts_with("//!"), "{} must open with //!", source.path.display());
        let stem = source.path.file_stem().unwrap().to_string_lossy().into_owned();
        let folder = source.path.parent().unwrap().file_name().unwrap().to_string_lossy().into_owned();
        let vague = ["utils", "util", "helpers", "helper", "common", "misc"];
        assert!(!vague.contains(&stem.as_str()) && !vague.contains(&folder.as_str()), "{}: a name that says nothing", source.path.display());
    }
}

#[test]
fn error_tables_have_no_catch_all() {
    for source in sources("crates/api").into_iter().filter(|source| source.text.contains("OpError::NameTaken")) {
        assert!(!source.text.contains("_ =>"), "{}: a front's table of refusals is exhaustive", source.path.display());
    }
}

#[test]
fn every_number_in_a_fixture_of_a_model_has_a_source() {
    for entry in fs::read_dir(root().join("fixtures/models")).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains("source:"), "{}: no source anywhere", path.display());
    }
}

#[test]
fn the_house_has_its_papers() {
    for paper in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", "Cargo.lock", ".ci/run", "tests/run", "openapi/arrayplane.json"]
    {
        assert!(root().join(paper).exists(), "{paper} is missing");
    }
    assert!(!root().join(".cargo/config.toml").exists(), "no [build] target in cargo's configuration: scripts pass --target");
    let version = env!("CARGO_PKG_VERSION");
    assert!(fs::read_to_string(root().join("CHANGELOG.md")).unwrap().contains(&format!("[{version}]")), "CHANGELOG.md does not speak of {version}");
}
