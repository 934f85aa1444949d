//! Reading a script, playing it, and printing what came of it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs};

use arrayplane::catalogue::{self, BuildOptions, DriveRequest};
use arrayplane::model::OpError;
use arrayplane::ops::{AnyOperation, Reference, World};
use serde::Deserialize;
use serde_json::Value;

use super::render::{self, Section};
use crate::{given, golden};

/// A script.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Script {
    title: String,
    model: Option<String>,
    scenario: Option<String>,
    #[serde(default)]
    seed: u64,
    drives: Option<DriveRequest>,
    /// Whether the end is printed whole; otherwise without what is as at the beginning.
    #[serde(default)]
    whole: bool,
    #[serde(default)]
    steps: Vec<Value>,
}

enum Step {
    Done(AnyOperation),
    Refused(AnyOperation),
    Show(Vec<String>),
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/scripts")
}

impl Script {
    /// The names of all scripts, in order.
    pub(super) fn files() -> Vec<String> {
        let entries = fs::read_dir(folder()).expect("the scripts are there").filter_map(Result::ok).map(|entry| entry.path());
        let scripts = entries.filter(|path| path.extension().is_some_and(|ending| ending == "yaml"));
        let mut names: Vec<String> = scripts.filter_map(|path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned())).collect();
        names.sort();
        names
    }

    /// Plays a script twice, and compares what it prints with itself and with its golden file.
    pub(super) fn check(name: &str) {
        let text = fs::read_to_string(folder().join(format!("{name}.yaml"))).unwrap_or_else(|error| panic!("{name}.yaml: {error}"));
        let script: Script = serde_saphyr::from_str(&text).unwrap_or_else(|error| panic!("{name}.yaml: {error}"));
        let printed = script.play();
        assert_eq!(script.play(), printed, "the same script prints the same bytes");
        golden::check(&format!("scripts/{name}.out"), &printed);
    }

    fn world(&self) -> World {
        let options = |seed| BuildOptions { seed, drives: self.drives.clone(), ..BuildOptions::default() };
        match (&self.model, &self.scenario) {
            (Some(name), None) => {
                let model = catalogue::model(name).unwrap_or_else(|error| panic!("{error}"));
                World::new(model.build(&options(self.seed)).unwrap_or_else(|error| panic!("{error}")))
            }
            (None, Some(name)) => {
                let scenario = catalogue::scenario(name).unwrap_or_else(|error| panic!("{error}"));
                scenario.play(Some(self.seed)).unwrap_or_else(|error| panic!("{error}"))
            }
            _ => panic!("a script names either a model or a scenario"),
        }
    }

    fn play(&self) -> String {
        let mut world = self.world();
        let beginning = render::world(&world);
        let mut out = format!("{}\n\n", self.title);
        for (number, step) in self.steps.iter().enumerate() {
            run(&mut world, number + 1, &step_of(step), &mut out);
        }
        if !self.steps.is_empty() {
            out.push('\n');
        }
        for section in render::world(&world) {
            let before = beginning.iter().find(|other| other.name == section.name).filter(|_| !self.whole);
            print(&section, before, &mut out);
        }
        out
    }
}

fn step_of(step: &Value) -> Step {
    let parts: BTreeMap<String, Value> = serde_json::from_value(step.clone()).unwrap_or_else(|error| panic!("{step}: {error}"));
    match parts.iter().next() {
        Some((word, operation)) if word == "refused" => Step::Refused(given::operation(operation)),
        Some((word, sections)) if word == "show" => Step::Show(serde_json::from_value(sections.clone()).unwrap_or_else(|error| panic!("{sections}: {error}"))),
        _ => Step::Done(given::operation(step)),
    }
}

fn run(world: &mut World, number: usize, step: &Step, out: &mut String) {
    let told = world.array.events.told();
    match step {
        Step::Done(operation) => {
            let made = given::attempt(world, operation).unwrap_or_else(|refusal| panic!("step {number}, {}: {refusal}", given::written(operation)));
            write!(out, "{number:>3} ok       {}{}", operation.name(), made_text(&made)).expect("text can be written");
        }
        Step::Refused(operation) => {
            let refusal: Option<OpError> = given::attempt(world, operation).err();
            let refusal = refusal.unwrap_or_else(|| panic!("step {number}, {}: it was not refused", given::written(operation)));
            write!(out, "{number:>3} refused  {}: {refusal}", operation.name()).expect("text can be written");
        }
        Step::Show(sections) => {
            write!(out, "{number:>3} state").expect("text can be written");
            for section in render::world(world).into_iter().chain(render::derived(world)).filter(|section| sections.iter().any(|wanted| wanted == section.name))
            {
                for line in &section.lines {
                    write!(out, "\n      | {line}").expect("text can be written");
                }
            }
        }
    }
    out.push('\n');
    for event in world.array.events.iter().filter(|event| event.number > told) {
        writeln!(out, "      ! {}", render::event(event)).expect("text can be written");
    }
}

fn made_text(made: &[Reference]) -> String {
    let shown: Vec<String> = made.iter().map(|one| format!("{} {} '{}'", one.noun, one.number, one.name)).collect();
    if shown.is_empty() { String::new() } else { format!(": {}", shown.join(", ")) }
}

/// Prints a section, without the lines that it had at the beginning.
fn print(section: &Section, before: Option<&Section>, out: &mut String) {
    let known = |line: &String| before.is_some_and(|before| before.lines.contains(line));
    let same = section.lines.iter().filter(|line| known(line)).count();
    let note = if same == 0 { String::new() } else { format!(" ({same} lines as at the beginning)") };
    writeln!(out, "{}:{note}", section.name).expect("text can be written");
    for line in section.lines.iter().filter(|line| !known(line)) {
        writeln!(out, "  {line}").expect("text can be written");
    }
}
