//! Clients that cannot be installed here, played from their call order: `tests/clients/replays`. The form of the files is told in `bed.yaml`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Value, json};

use super::Lab;

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    bed: Option<String>,
    #[serde(default)]
    setup: Vec<Step>,
    steps: Vec<Step>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    name: String,
    method: String,
    path: String,
    #[serde(default)]
    body: Value,
    expect: Expect,
    #[serde(default)]
    keep: BTreeMap<String, String>,
    #[serde(default)]
    repeat_until: BTreeMap<String, Value>,
    #[serde(default)]
    at_most: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expect {
    status: Value,
    #[serde(default)]
    has: Vec<String>,
    #[serde(default)]
    absent: Vec<String>,
    #[serde(default)]
    equal: BTreeMap<String, Value>,
    #[serde(default)]
    named: BTreeMap<String, Vec<String>>,
}

type Kept = BTreeMap<String, String>;

fn read(name: &str) -> File {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/clients/replays").join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_saphyr::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Plays a file on a new lab; tells all that is not as expected.
fn play(name: &str) -> Vec<String> {
    let file = read(name);
    let bed = file.bed.as_deref().map(|bed| read(bed).steps).unwrap_or_default();
    let (lab, mut kept, mut wrong) = (Lab::factory(), Kept::new(), Vec::new());
    for step in bed.iter().chain(&file.setup).chain(&file.steps) {
        wrong.extend(play_step(&lab, step, &mut kept).into_iter().map(|why| format!("{name}: {}: {why}", step.name)));
    }
    wrong
}

fn play_step(lab: &Lab, step: &Step, kept: &mut Kept) -> Vec<String> {
    let path = filled(&step.path, kept);
    let body = filled_in(&step.body, kept);
    let mut answer = (0, Value::Null);
    let mut wrong = Vec::new();
    for turn in 0..step.at_most.unwrap_or(1) {
        if turn > 0 {
            lab.does(json!({"clock.advance": {"by": "1s"}}));
        }
        let raw = lab.send(&step.method, &path, if body.is_null() { Vec::new() } else { body.to_string().into_bytes() });
        answer = (raw.status, serde_json::from_str(&raw.body).unwrap_or(Value::Null));
        if step.repeat_until.iter().all(|(path, value)| at(&answer.1, path) == Some(value)) {
            break;
        }
    }
    let (status, answer) = answer;
    if let Some((path, value)) = step.repeat_until.iter().find(|(path, value)| at(&answer, path) != Some(value)) {
        wrong.push(format!("{path} never became {value}: {answer}"));
    }
    let allowed = step.expect.status.as_array().cloned().unwrap_or_else(|| vec![step.expect.status.clone()]);
    if !allowed.contains(&json!(status)) {
        wrong.push(format!("{} {path} {body} gave {status}: {answer}", step.method));
    }
    wrong.extend(super::decode::objections(path.trim_start_matches("/api").trim_start_matches('/'), &answer).into_iter().filter(|_| status < 300));
    wrong.extend(step.expect.has.iter().filter(|path| at(&answer, path).is_none_or(Value::is_null)).map(|path| format!("there is no {path}: {answer}")));
    wrong.extend(step.expect.absent.iter().filter(|path| at(&answer, path).is_some()).map(|path| format!("there is {path}")));
    for (path, expected) in &step.expect.equal {
        let expected = filled_in(expected, kept);
        if at(&answer, path) != Some(&expected) {
            wrong.push(format!("{path} is {:?}, not {expected}", at(&answer, path)));
        }
    }
    for (path, names) in &step.expect.named {
        let there: Vec<&str> = at(&answer, path).and_then(Value::as_array).into_iter().flatten().filter_map(|item| item["name"].as_str()).collect();
        let missing: Vec<&String> = names.iter().filter(|name| !there.contains(&name.as_str())).collect();
        if !missing.is_empty() {
            wrong.push(format!("{path} lacks {missing:?}"));
        }
    }
    for (name, path) in &step.keep {
        let value = at(&answer, path).map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned));
        kept.insert(name.clone(), value.unwrap_or_default());
    }
    wrong
}

/// What stands at a path such as `records[0].svm.name`.
fn at<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').flat_map(|part| part.split('[')).try_fold(value, |value, part| match part.strip_suffix(']') {
        Some(index) => value.get(index.parse::<usize>().ok()?),
        None if part.is_empty() => Some(value),
        None => value.get(part),
    })
}

fn filled(text: &str, kept: &Kept) -> String {
    kept.iter().fold(text.to_owned(), |text, (name, value)| text.replace(&format!("${{{name}}}"), value))
}

fn filled_in(value: &Value, kept: &Kept) -> Value {
    match value {
        Value::String(text) => json!(filled(text, kept)),
        Value::Array(items) => items.iter().map(|item| filled_in(item, kept)).collect(),
        Value::Object(fields) => Value::Object(fields.iter().map(|(name, value)| (name.clone(), filled_in(value, kept))).collect()),
        other => other.clone(),
    }
}

fn plays_without_objection(name: &str) {
    let wrong = play(name);
    assert!(wrong.is_empty(), "{} objections:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn trident_over_iscsi() {
    plays_without_objection("trident-iscsi.yaml");
}

#[test]
fn trident_over_fc() {
    plays_without_objection("trident-fc.yaml");
}

#[test]
fn trident_over_nvme() {
    plays_without_objection("trident-nvme.yaml");
}

#[test]
fn terraform() {
    plays_without_objection("terraform.yaml");
}

#[test]
fn harvest() {
    plays_without_objection("harvest.yaml");
}

#[test]
fn harvest_performance() {
    plays_without_objection("harvest-perf.yaml");
}
