//! The program as a process: what it prints, where it listens, how it ends.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::SocketAddr;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::{env, fs};

use serde_json::{Value, json};

use crate::api::{Client, basic, names};

/// The program that is tested: the one of this build, or another one that is named.
pub(crate) fn program() -> Command {
    let path = env::var_os("ARRAYPLANE_BIN").unwrap_or_else(|| env!("CARGO_BIN_EXE_arrayplane").into());
    let mut command = Command::new(path);
    for (name, _) in env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("ARRAYPLANE_")) {
        command.env_remove(name);
    }
    command.stdin(Stdio::null());
    command
}

/// Runs the program to its end.
fn run(arguments: &[&str]) -> Output {
    program().args(arguments).output().expect("the program runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

/// Runs the program, which must succeed; answers with what it prints.
fn printed(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// Runs the program, which must fail with that code; answers with its message.
pub(crate) fn refused(arguments: &[&str], code: i32) -> String {
    let output = run(arguments);
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(code), &b""[..]), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stderr)
}

/// A running server. It is killed when a test fails before ending it.
pub(crate) struct Serving {
    child: Child,
    log: BufReader<std::process::ChildStderr>,
    /// What it said before it was ready.
    pub(crate) told: String,
    /// The line that said so.
    pub(crate) ready: String,
    pub(crate) client: Client,
}

impl Serving {
    /// Starts to serve on a free port, and waits for the line that says so.
    pub(crate) fn start(arguments: &[&str]) -> Serving {
        Serving::of(program().args(["serve", "--listen", "127.0.0.1:0"]).args(arguments))
    }
    /// Waits for the line of a command that serves.
    pub(crate) fn of(command: &mut Command) -> Serving {
        let mut child = command.stderr(Stdio::piped()).spawn().expect("the program runs");
        let mut log = BufReader::new(child.stderr.take().expect("a pipe"));
        let mut told = String::new();
        while !told.contains("ready: ") {
            let before = told.len();
            log.read_line(&mut told).expect("the log is text");
            if told.len() == before {
                let _ = child.kill();
                panic!("it ended before it was ready: {told}");
            }
        }
        let ready = told[told.find("ready: ").unwrap_or_default()..].trim_end().to_owned();
        let address = ready.split("://").nth(1).and_then(|rest| rest.split('/').next()).and_then(|address| address.parse::<SocketAddr>().ok());
        let client = Client { address: address.unwrap_or_else(|| panic!("no address in {ready}")) };
        Serving { child, log, told, ready, client }
    }
    /// How many threads it has now; unknown where the system does not tell.
    pub(crate) fn threads(&self) -> Option<usize> {
        fs::read_dir(format!("/proc/{}/task", self.child.id())).ok().map(Iterator::count)
    }
    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.client.address)
    }
    /// Sends it a signal and waits for its end; answers with the rest of its log.
    pub(crate) fn end(mut self, signal: &str) -> (ExitStatus, String) {
        let sent = Command::new("kill").args(["-s", signal, &self.child.id().to_string()]).status().expect("there is a kill");
        assert!(sent.success());
        let mut rest = String::new();
        self.log.read_to_string(&mut rest).expect("the log is text");
        (self.child.wait().expect("it ends"), rest)
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn without_arguments_it_plays_one_array_under_load_and_ends_cleanly_on_a_signal() {
    for signal in ["TERM", "INT"] {
        let serving = Serving::start(&[]);
        assert_eq!(serving.ready, format!("ready: {} (documentation: {})", serving.url("/v1/arrays/af250"), serving.url("/docs")));
        for path in ["/healthz", "/readyz"] {
            assert_eq!(serving.client.get(path).status, 200, "{path}");
        }
        let workload = serving.client.get("/v1/arrays/af250/workloads/oltp").json(200);
        assert_eq!(workload["state"], "running");
        let tps = serving.client.get("/v1/arrays/af250/performance").json(200)["workloads"][0]["tps"].as_f64();
        assert!(tps.is_some_and(|tps| (tps / 12_622.0 - 1.0).abs() < 0.005), "{tps:?}");
        let (status, log) = serving.end(signal);
        assert_eq!(status.code(), Some(0), "{log}");
        assert!(log.contains(&format!("stopping on SIG{signal}")), "{log}");
    }
}

#[test]
fn it_plays_models_and_scenarios_under_names_of_ones_own() {
    let serving = Serving::start(&["lab=eternus-af250", "x=model:aff-a250", "dr=scenario:af250-dr"]);
    let arrays = serving.client.get("/v1/arrays").json(200);
    assert_eq!(names(&arrays), ["dr", "lab", "x"]);
    let told: Vec<(&Value, &Value)> = arrays["items"].as_array().into_iter().flatten().map(|array| (&array["model"], &array["volumes"])).collect();
    assert_eq!(told, [(&json!("eternus-af250"), &json!(4)), (&json!("eternus-af250"), &json!(0)), (&json!("aff-a250"), &json!(0))]);
    for name in ["dr", "lab", "x"] {
        assert!(serving.ready.contains(&serving.url(&format!("/v1/arrays/{name}"))), "{}", serving.ready);
    }
}

#[test]
fn it_refuses_to_listen_for_everybody_unless_told_to() {
    let message = refused(&["serve", "--listen", "0.0.0.0:0"], 2);
    assert!(message.contains("0.0.0.0:0") && message.contains("--open"), "{message}");
    let message = refused(&["serve", "--listen", "8080"], 2);
    assert!(message.contains("127.0.0.1:8080"), "{message}");
}

#[test]
fn with_a_password_it_listens_for_everybody_who_knows_it_and_its_log_does_not() {
    let secret = env::temp_dir().join(format!("arrayplane-secret-{}", std::process::id()));
    fs::write(&secret, "letters1\n").expect("a place for files");
    let file = secret.to_str().expect("a plain path");
    let serving = Serving::start(&["--listen", "0.0.0.0:0", "--password-file", file, "--log", "trace", "lab=eternus-af250"]);
    let url = serving.url("/v1/arrays/lab");
    serving.client.get("/v1/arrays").refused("authentication_needed");
    serving.client.send("GET", "/v1/arrays?password=letters1", &basic("admin", "letters1"), b"").refused("unknown_field");
    let token = serving.client.send("POST", "/v1/sessions", &basic("admin", "letters1"), b"").json(201)["token"].clone();
    let token = token.as_str().expect("a token").to_owned();
    let json = format!("Authorization: Bearer {token}\r\nContent-Type: application/json\r\n");
    serving.client.send("POST", "/v1/arrays/lab/users", &json, br#"{"name": "mona", "role": "Monitor", "password": "w0rd-of-mona"}"#).json(201);
    serving.client.send("GET", "/v1/arrays/lab/volumes", &basic("mona", "w0rd-of-mona"), b"").json(200);
    let mut apply = program();
    apply.args(["apply", &url, "-"]).env("ARRAYPLANE_PASSWORD", "letters1").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut apply = apply.spawn().expect("the program runs");
    apply.stdin.take().expect("a pipe").write_all(b"- user.create: {name: olga, role: Admin, password: w0rd-of-olga}\n").expect("it reads");
    let output = apply.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{output:?}");
    fs::write(&secret, "[]\n").expect("a place for files");
    let refusal = refused(&["apply", &url, file, "--user", "mona", "--password", "wrong"], 1);
    assert!(refusal.contains("invalid_credentials"), "{refusal}");
    let (status, log) = serving.end("TERM");
    assert_eq!(status.code(), Some(0), "{log}");
    for word in ["letters1", "w0rd-of-mona", "w0rd-of-olga", &token] {
        assert!(!log.contains(word), "{word} stands in the log:\n{log}");
    }
    assert!(log.contains("user=\"mona\"") && log.contains("user=\"-\"") && log.contains("password=********"), "{log}");
    fs::remove_file(&secret).expect("it was there");
}

#[test]
fn it_speaks_tls_with_a_certificate_that_clients_can_trust() {
    let folder = env::temp_dir().join(format!("arrayplane-cert-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a place for files");
    let (certificate, layout) = (folder.join("lab.pem"), folder.join("layout.yaml"));
    fs::write(&layout, "- host.create: {name: H0, protocol: fc, wwn: 10000090fa000001}\n").expect("a place for files");
    let (certificate, layout) = (certificate.to_str().expect("a plain path"), layout.to_str().expect("a plain path"));
    let serving = Serving::start(&["--tls", "--cert-out", certificate, "--password", "letters1", "lab=eternus-af250"]);
    assert!(serving.ready.starts_with("ready: https://127.0.0.1:"), "{}", serving.ready);
    let url = serving.url("/v1/arrays/lab").replace("http://", "https://");
    assert!(refused(&["apply", &url, layout, "--password", "letters1"], 1).contains("cannot be reached"), "nobody trusts it unasked");
    let refusal = refused(&["apply", &url, layout, "--cacert", certificate], 1);
    assert!(refusal.contains("authentication_needed"), "{refusal}");
    assert!(printed(&["apply", &url, layout, "--cacert", certificate, "--password", "letters1"]).starts_with("host.create"));
    let refusal = refused(&["apply", &url, layout, "--insecure", "--password", "letters1"], 1);
    assert!(refusal.contains("name_taken"), "{refusal}");
    let refusal = refused(&["apply", &url, layout, "--cacert", layout], 2);
    assert!(refusal.contains("--cacert"), "{refusal}");
    fs::remove_dir_all(&folder).expect("it was there");
}

#[test]
fn it_refuses_an_array_that_nobody_knows_and_names_those_that_there_are() {
    let message = refused(&["serve", "--listen", "127.0.0.1:0", "lab=af251"], 2);
    assert!(message.contains("'af251'") && message.contains("af250-dr") && message.contains("eternus-dx200f"), "{message}");
    let message = refused(&["serve", "--listen", "127.0.0.1:0", "af250", "af250"], 2);
    assert!(message.contains("exists already"), "{message}");
}

#[test]
fn a_port_that_is_taken_is_named() {
    let serving = Serving::start(&["eternus-af250"]);
    let address = serving.client.address.to_string();
    let message = refused(&["serve", "--listen", &address, "--log", "error", "eternus-af250"], 1);
    assert!(message.contains(&format!("cannot listen on {address}")), "{message}");
}

#[test]
fn a_log_level_that_there_is_not_is_refused() {
    for filter in ["inof", "warn,arrayplane::access"] {
        let message = refused(&["serve", "--listen", "127.0.0.1:0", "--log", filter, "eternus-af250"], 2);
        assert!(message.contains("--log") && message.contains("is no level"), "{message}");
    }
}

#[test]
fn arguments_can_stand_in_the_environment() {
    let output = program().arg("serve").env("ARRAYPLANE_LISTEN", "0.0.0.0:0").output().expect("the program runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("0.0.0.0:0"));
    let output = program().arg("models").env("ARRAYPLANE_JSON", "true").output().expect("the program runs");
    assert!(serde_json::from_slice::<Value>(&output.stdout).is_ok_and(|models| models.is_array()));
}

#[test]
fn it_lists_models_and_scenarios_for_people_and_programs() {
    for (command, name, title) in [("models", "eternus-af250", "ETERNUS AF250"), ("scenarios", "af250-dr", "with data reduction")] {
        let table = printed(&[command]);
        let line = table.lines().find(|line| line.split_whitespace().next() == Some(name)).unwrap_or_else(|| panic!("no {name} in\n{table}"));
        assert!(line.contains(title), "{line}");
        let list: Value = serde_json::from_str(&printed(&[command, "--json"])).expect("JSON");
        let listed: Vec<&str> = list.as_array().into_iter().flatten().filter_map(|item| item["name"].as_str()).collect();
        assert!(listed.contains(&name), "{listed:?}");
        assert_eq!(listed.len(), table.lines().count() - 1, "one line each, and a heading");
    }
}

#[test]
fn it_compares_published_figures_with_the_modelled_arrays() {
    let folder = std::env::temp_dir().join(format!("arrayplane-calibrate-{}", std::process::id()));
    let path = folder.to_str().expect("a folder");
    let page = printed(&["calibrate", "--svg", path]);
    assert!(page.starts_with("# Calibration") && page.contains("278 rows") && page.contains(" 0 fail"), "{page}");
    assert!(fs::read_to_string(folder.join("af250.svg")).is_ok_and(|chart| chart.contains("</svg>")));
    let report: Value = serde_json::from_str(&printed(&["calibrate", "--json"])).expect("JSON");
    assert_eq!(report["rows"].as_array().map(Vec::len), Some(278));
    assert!(printed(&["calibrate", "--check"]).starts_with("278 rows, 0 fail"));
    assert!(refused(&["calibrate", "--fit", "--fixtures", path], 1).contains("--fixtures"));
    fs::create_dir(folder.join("calibration")).expect("a new folder");
    printed(&["calibrate", "--fit", "--fixtures", path]);
    let (made, kept) = (folder.join("calibration/aff-a250-nvme.yaml"), "fixtures/calibration/aff-a250-nvme.yaml");
    let heads = [fs::read_to_string(made), fs::read_to_string(kept)].map(|text| text.expect("a text").lines().take(7).map(str::to_owned).collect::<Vec<_>>());
    assert_eq!(heads[0], heads[1]);
    fs::remove_dir_all(&folder).expect("it was there");
}

#[test]
fn it_prints_the_document_and_teaches_by_example() {
    assert_eq!(printed(&["openapi"]), arrayplane::front::api::text());
    assert_eq!(printed(&["schema"]), arrayplane::front::api::scenario_schema());
    for arguments in [&["--help"][..], &["serve", "--help"], &["apply", "--help"]] {
        let help = printed(arguments);
        assert!(help.contains("Examples:") && help.contains("arrayplane "), "{help}");
    }
    assert!(printed(&["--version"]).starts_with("arrayplane "));
    assert!(text(&run(&[]).stderr).contains("Usage:"));
}

#[test]
fn it_applies_a_list_of_operations_all_or_nothing() {
    let serving = Serving::start(&["lab=eternus-af250"]);
    let url = serving.url("/v1/arrays/lab");
    let file = env::temp_dir().join(format!("arrayplane-apply-{}.yaml", std::process::id()));
    let layout =
        "# a layout\n- pool.create: {name: P0, level: raid1, drive_count: 2}\n- volume.create:\n    name: V\n    pool: P0\n    size: 1TB\n    count: 2\n";
    fs::write(&file, layout).expect("a place for files");
    let path = file.to_str().expect("a plain path");
    let told = printed(&["apply", &url, path]);
    let lines: Vec<&str> = told.lines().collect();
    assert!(lines.len() == 5 && lines[0] == "pool.create" && lines[1].starts_with("  pool 0 'P0' ") && lines[4].starts_with("  volume 1 'V1' "), "{told}");
    let message = refused(&["apply", &url, path], 1);
    assert!(message.contains("nothing was done") && message.contains("name_taken") && message.contains("what to do: "), "{message}");
    fs::write(&file, "- volume.paint: {}\n").expect("a place for files");
    assert!(refused(&["apply", &url, path], 1).contains("volume.paint"));
    fs::remove_file(&file).expect("it was there");
    assert!(refused(&["apply", &url, path], 1).contains(path), "a file that is not there is named");
    assert!(refused(&["apply", &serving.url("/v1/arrays/nowhere"), "-"], 1).contains("nowhere"));
    assert_eq!(names(&serving.client.get("/v1/arrays/lab/volumes").json(200)), ["V0", "V1"]);
}

#[test]
fn it_tells_whether_a_server_is_ready() {
    let serving = Serving::start(&["eternus-af250"]);
    let (url, listen) = (serving.url(""), serving.client.address.to_string());
    for arguments in [&["wait", &url][..], &["healthcheck", &url], &["healthcheck", "--listen", &listen]] {
        assert_eq!(printed(arguments), "", "{arguments:?}");
    }
    serving.end("TERM");
    assert!(refused(&["healthcheck", &url], 1).contains("cannot be reached"));
    let message = refused(&["wait", &url, "--timeout", "0"], 1);
    assert!(message.contains("not ready after 0 s") && message.contains(&url), "{message}");
    assert!(refused(&["wait", "127.0.0.1:8080"], 2).contains("http://HOST:PORT"));
}

#[test]
fn it_plays_a_scenario_of_ones_own() {
    let layout = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/image/layout.yaml");
    let own = env::temp_dir().join(format!("arrayplane-own-{}.yaml", std::process::id()));
    fs::write(&own, format!("model: eternus-af250\n{}", fs::read_to_string(layout).expect("text"))).expect("a place for files");
    let serving = Serving::start(&[&format!("lab=file:{}", own.display())]);
    assert_eq!(names(&serving.client.get("/v1/arrays/lab/volumes").json(200)), ["DATA", "VOL0", "VOL1", "VOL2", "VOL3"]);
    let message = refused(&["serve", "--listen", "127.0.0.1:0", &format!("lab=file:{layout}")], 2);
    assert!(message.contains(layout) && message.contains("model"), "a scenario needs a model: {message}");
    fs::remove_file(&own).expect("it was there");
    let message = refused(&["serve", "--listen", "127.0.0.1:0", &format!("file:{}", own.display())], 2);
    assert!(message.contains(&own.display().to_string()), "{message}");
}

#[test]
fn its_log_can_be_read_by_programs() {
    let serving = Serving::start(&["--log-format", "json", "lab=eternus-af250"]);
    assert_eq!(serving.client.get("/v1/arrays").status, 200);
    let (_, log) = serving.end("TERM");
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect();
    let access = lines.iter().find(|line| line["target"] == "arrayplane::access").unwrap_or_else(|| panic!("no request in {log}"));
    assert_eq!((&access["level"], &access["fields"]["message"]), (&json!("INFO"), &json!("GET /v1/arrays -> 200")));
    assert!(access["fields"]["micros"].is_u64() && access["fields"]["id"].is_string() && access["timestamp"].is_string(), "{access}");
}

#[test]
fn it_applies_what_comes_in_from_another_program() {
    let serving = Serving::start(&["lab=eternus-af250"]);
    let mut apply =
        program().args(["apply", &serving.url("/v1/arrays/lab/"), "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program runs");
    let mut input = apply.stdin.take().expect("a pipe");
    input.write_all(b"- host.create: {name: H0, protocol: fc, wwn: 10000090fa000001}\n").expect("it reads");
    drop(input);
    let output = apply.wait_with_output().expect("it ends");
    assert!(output.status.success() && text(&output.stdout).starts_with("host.create\n"), "{output:?}");
    assert_eq!(names(&serving.client.get("/v1/arrays/lab/hosts").json(200)), ["H0"]);
}
