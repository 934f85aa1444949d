//! `apply`: sends a list of operations to an array of a running server.

use std::fs;
use std::io::{self, Read};
use std::time::Duration;

use clap::Args;
use serde::Deserialize;
use serde_json::Value;

use super::connection::Connection;
use super::failure::Failure;
use super::tables::print;
use crate::catalogue::yaml;
use crate::ops::AnyOperation;

const EXAMPLES: &str = "\
Examples:
  arrayplane apply http://127.0.0.1:8080/v1/arrays/lab layout.yaml
  echo '- host.create: {name: H0, protocol: fc, wwn: 10000090fa000001}' | arrayplane apply http://127.0.0.1:8080/v1/arrays/lab -
  arrayplane apply https://localhost:8443/v1/arrays/lab layout.yaml --cacert lab.pem --password-file secret

A file is a YAML list of operations, or has such a list under 'operations', as a scenario has:
  - raid-group.create: {name: RG0, level: raid1+0, drive_count: 4}
  - volume.create: {name: V0, raid_group: RG0, size: 100GiB}";

/// The arguments of `apply`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Apply {
    /// The array: http://HOST:PORT/v1/arrays/NAME, or https://
    #[arg(value_parser = array_url)]
    url: String,
    /// A file of operations, '-' for standard input
    file: String,
    /// How many seconds the server may take
    #[arg(long, value_name = "SECONDS", env = "ARRAYPLANE_TIMEOUT", default_value_t = 60)]
    timeout: u64,
    #[command(flatten)]
    connection: Connection,
}

/// A file with operations among other things.
#[derive(Deserialize)]
struct Document {
    operations: Vec<AnyOperation>,
}

/// What the server answers.
#[derive(Deserialize)]
struct Answer {
    items: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    operation: String,
    made: Vec<Made>,
}

#[derive(Deserialize)]
struct Made {
    noun: String,
    id: String,
    number: u32,
    name: String,
}

/// Sends the operations and prints what was made.
pub(super) fn run(arguments: &Apply) -> Result<(), Failure> {
    let operations = operations_of(&arguments.file)?;
    print(&actix_web::rt::System::new().block_on(send(arguments, &operations))?)
}

/// The operations of a file; '-' stands for standard input.
pub(super) fn operations_of(file: &str) -> Result<Vec<AnyOperation>, Failure> {
    let name = if file == "-" { "standard input" } else { file };
    let text = text_of(file).map_err(|cause| Failure::of_work(format!("{name}: {cause}")))?;
    read(&text).map_err(|cause| Failure::of_work(format!("{name}: {cause}")))
}

/// Reads the URL of an array.
fn array_url(text: &str) -> Result<String, String> {
    let url = text.trim_end_matches('/');
    if (url.starts_with("http://") || url.starts_with("https://")) && url.contains("/v1/arrays/") {
        return Ok(url.to_owned());
    }
    Err("give http://HOST:PORT/v1/arrays/NAME, as the line with 'ready' says when the server starts".to_owned())
}

fn text_of(file: &str) -> io::Result<String> {
    if file != "-" {
        return fs::read_to_string(file);
    }
    let mut text = String::new();
    io::stdin().lock().read_to_string(&mut text)?;
    Ok(text)
}

/// Reads a list of operations, bare or under `operations`.
fn read(text: &str) -> Result<Vec<AnyOperation>, serde_saphyr::Error> {
    let mut lines = text.lines().map(str::trim).filter(|line| !(line.is_empty() || line.starts_with('#') || line.starts_with("---")));
    if lines.next().is_some_and(|first| !first.starts_with(['-', '['])) {
        return yaml::read::<Document>(text).map(|document| document.operations);
    }
    yaml::read(text)
}

/// Sends the operations; answers with what was done.
async fn send(arguments: &Apply, operations: &[AnyOperation]) -> Result<String, Failure> {
    let client = arguments.connection.client(&arguments.url, Duration::from_secs(arguments.timeout))?;
    let answer = client.post(&format!("{}/operations", arguments.url), operations).await?;
    if !(200..300).contains(&answer.status) {
        return Err(Failure::of_work(refusal(answer.status, &answer.body)));
    }
    let no_array = |cause| Failure::of_work(format!("{}: this is no answer of an array: {cause}", arguments.url));
    serde_json::from_str(&answer.body).map(|answer| told(&answer)).map_err(no_array)
}

/// What was done, one line for every operation and every object.
fn told(answer: &Answer) -> String {
    let mut text = String::new();
    for item in &answer.items {
        text.push_str(&format!("{}\n", item.operation));
        for made in &item.made {
            text.push_str(&format!("  {} {} '{}' {}\n", made.noun, made.number, made.name, made.id));
        }
    }
    text
}

/// The text of a problem document, or whatever else the server said.
fn refusal(status: u16, body: &str) -> String {
    let problem: Value = serde_json::from_str(body).unwrap_or_default();
    let text = |key: &str| problem.get(key).and_then(Value::as_str);
    let Some(detail) = text("detail").or(text("title")) else {
        return format!("the server answered {status}: {}", body.trim());
    };
    let code = text("code").map(|code| format!(" ({code})")).unwrap_or_default();
    let cure = text("cure").map(|cure| format!("\n  what to do: {cure}")).unwrap_or_default();
    format!("nothing was done: {detail}{code}{cure}")
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use super::*;
    use crate::catalogue::{self, BuildOptions};
    use crate::front::{api, http};
    use crate::ops::World;
    use crate::site::Site;

    fn apply_to(url: String) -> Apply {
        Apply { url, file: "-".into(), timeout: 60, connection: Connection::plain() }
    }

    #[actix_web::test]
    async fn operations_are_done_by_a_running_server_or_refused_as_a_whole() {
        let site = Site::new();
        let model = catalogue::model("eternus-af250").expect("the model is known");
        site.create("lab", World::new(model.build(&BuildOptions::default()).expect("its own drives fit"))).expect("a free name");
        let config = http::Config { listen: vec![SocketAddr::from(([127, 0, 0, 1], 0)).into()], workers: Some(1), doors: None };
        let running = http::start(&config, api::configure(&site)).expect("a free port");
        let lab = apply_to(format!("{}/v1/arrays/lab", running.urls()[0]));
        let layout =
            read("- raid-group.create: {name: RG0, level: raid1+0, drive_count: 4}\n- volume.create: {name: V0, raid_group: RG0, size: 1GiB}").expect("a list");

        let told = send(&lab, &layout).await.expect("there is room");
        let lines: Vec<&str> = told.lines().map(|line| line.rsplit_once(' ').map_or(line, |(words, _)| words)).collect();
        assert_eq!(lines, ["raid-group.create", "  raid-group 0 'RG0'", "volume.create", "  volume 0 'V0'"]);
        let refused = send(&lab, &layout).await.expect_err("the names are taken");
        assert_eq!(refused.code, 1);
        assert!(refused.message.contains("a RAID group named 'RG0' exists already"), "{}", refused.message);
        let unknown = send(&apply_to(format!("{}/v1/arrays/none", running.urls()[0])), &layout).await.expect_err("there is none");
        assert!(unknown.message.contains("no array is called 'none' (array_not_found)"), "{}", unknown.message);

        running.stop().await.expect("a clean end");
        let gone = send(&lab, &layout).await.expect_err("nobody listens");
        assert!(gone.message.starts_with(&format!("{}/operations cannot be reached: ", lab.url)), "{}", gone.message);
    }

    #[test]
    fn the_url_is_that_of_an_array() {
        assert_eq!(array_url("http://127.0.0.1:8080/v1/arrays/lab/"), Ok("http://127.0.0.1:8080/v1/arrays/lab".to_owned()));
        assert!(array_url("https://localhost:8443/v1/arrays/lab").is_ok());
        for other in ["lab", "http://127.0.0.1:8080", "ftp://127.0.0.1:8080/v1/arrays/lab"] {
            assert!(array_url(other).is_err(), "{other}");
        }
    }

    fn names(text: &str) -> Vec<&'static str> {
        read(text).expect(text).iter().map(AnyOperation::name).collect()
    }

    #[test]
    fn a_file_is_a_list_or_has_one_under_operations() {
        let list = "# a layout\n---\n- settings.update: {data_reduction: true}\n- raid-group.delete:\n    raid_group: RG0\n";
        assert_eq!(names(list), ["settings.update", "raid-group.delete"]);
        assert_eq!(names("[{\"raid-group.delete\": {\"raid_group\": \"RG0\"}}]"), ["raid-group.delete"]);
        assert_eq!(names("name: mine\nmodel: any\noperations:\n  - raid-group.delete: {raid_group: RG0}\n"), ["raid-group.delete"]);
        assert!(names("[]").is_empty());
    }

    #[test]
    fn text_that_looks_like_a_number_stays_text() {
        let operations = read("- host.create: {name: 0815, protocol: fc, wwn: 1000009000000001}").expect("it is text");
        let json = serde_json::to_value(&operations).expect("JSON");
        assert_eq!(json[0]["host.create"]["name"], "0815");
        assert_eq!(json[0]["host.create"]["wwn"], "1000009000000001");
    }

    #[test]
    fn an_unknown_operation_or_field_is_named() {
        let unknown = read("- raid-group.explode: {}").expect_err("there is none").to_string();
        assert!(unknown.contains("raid-group.explode"), "{unknown}");
        let unknown = read("- raid-group.delete: {raid_group: RG0, force: true}").expect_err("there is none").to_string();
        assert!(unknown.contains("force"), "{unknown}");
    }

    #[test]
    fn what_was_made_is_told_by_operation() {
        let body = r#"{"items": [{"operation": "volume.create", "made": [{"noun": "volume", "id": "i", "number": 3, "name": "V3"}]}, {"operation": "volume.delete", "made": []}]}"#;
        let answer: Answer = serde_json::from_str(body).expect("an answer");
        assert_eq!(told(&answer), "volume.create\n  volume 3 'V3' i\nvolume.delete\n");
    }

    #[test]
    fn a_refusal_is_told_in_the_words_of_the_problem() {
        let problem = r#"{"title": "The name is in use", "detail": "a volume named 'V' exists already", "code": "name_taken", "cure": "choose another name"}"#;
        assert_eq!(refusal(409, problem), "nothing was done: a volume named 'V' exists already (name_taken)\n  what to do: choose another name");
        assert_eq!(refusal(502, "<html>\n"), "the server answered 502: <html>");
    }
}
