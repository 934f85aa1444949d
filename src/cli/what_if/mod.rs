//! `what-if`: how fast an array would be, configured otherwise or under another load. No server is needed.

mod compare;
mod picture;
mod table;

use std::fs;
use std::path::PathBuf;

use clap::builder::FalseyValueParser;
use clap::{Args, ValueEnum};

use self::compare::Compare;
use super::array_argument::MadeOf;
use super::failure::Failure;
use super::tables::print;
use crate::catalogue;
use crate::model::Workload;
use crate::ops::World;
use crate::ops::what_if::{Answer, Load, Others, POINTS_MAX, Question, Refusal, answer};
use crate::units::{Bytes, SimSpan};

const EXAMPLES: &str = "\
Examples:
  arrayplane what-if --array af250 --profile sqlserver-tpcc --users 60000 --compare data_reduction=off,on
  arrayplane what-if --array af250 --profile sql-80-20 --compare data_reduction=off,on --svg sql.svg
  arrayplane what-if --array eternus-af250 --profile 4k-random-write --compare raid_level=raid1+0,raid5,raid6 --compare drives=12,24
  arrayplane what-if --array af250 --compare controllers=2,1 --json

What can be compared, by KEY=VALUE,VALUE..; several are combined:
  data_reduction=off,on            the workload's volumes remade without and with data reduction
  data_reduction:POOL=off,on       only those of them that live in that pool
  raid_level=raid1+0,raid5,raid6   the RAID groups below them remade at that level
  drives=12,24                     the RAID groups below them remade of so many drives each
  ports=4,2                        through how many host ports they are reached
  controllers=2,1                  how many controllers run

A model stands for the layout of its review. The load goes up to 120 % of what is asked for: the rate of a load generator, or the users.
The numbers are computed by a law that is fitted to published measurements.";

/// The arguments of `what-if`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct WhatIf {
    /// The array: a scenario, a model, or 'file:PATH' for a scenario of one's own
    #[arg(long, value_name = "NAME", env = "ARRAYPLANE_ARRAY", default_value = "af250")]
    array: MadeOf,
    /// What the load is like (GET /v1/profiles), or 'custom'; the array's own workloads if left out
    #[arg(long, value_name = "NAME", env = "ARRAYPLANE_PROFILE")]
    profile: Option<String>,
    /// The volumes; those of the array's own workloads if left out
    #[arg(long, value_name = "NAME", env = "ARRAYPLANE_VOLUMES", value_delimiter = ',', requires = "profile")]
    volumes: Vec<String>,
    /// How many users or threads; the profile's own number if left out
    #[arg(long, value_name = "NUMBER", env = "ARRAYPLANE_USERS", requires = "profile")]
    users: Option<u64>,
    /// Requests per second that are offered at 100 %; if left out, the most that the array completes
    #[arg(long, value_name = "NUMBER", env = "ARRAYPLANE_RATE", requires = "profile")]
    rate: Option<u64>,
    /// Custom: bytes of one I/O operation
    #[arg(long, value_name = "SIZE", env = "ARRAYPLANE_BLOCK_SIZE", requires = "profile")]
    block_size: Option<Bytes>,
    /// Custom: share of reads in percent
    #[arg(long, value_name = "PERCENT", env = "ARRAYPLANE_READ_PERCENT", requires = "profile")]
    read_percent: Option<u32>,
    /// Custom: share of random operations in percent
    #[arg(long, value_name = "PERCENT", env = "ARRAYPLANE_RANDOM_PERCENT", requires = "profile")]
    random_percent: Option<u32>,
    /// Custom: time between an answer and the next request
    #[arg(long, value_name = "SPAN", env = "ARRAYPLANE_THINK_TIME", requires = "profile")]
    think_time: Option<SimSpan>,
    /// A YAML file of operations that are done first, as for 'apply'
    #[arg(long, value_name = "FILE", env = "ARRAYPLANE_OPERATIONS")]
    operations: Option<String>,
    /// Let the array's own workloads go on beside the one that is asked for
    #[arg(long, env = "ARRAYPLANE_KEEP_OTHERS", value_parser = FalseyValueParser::new())]
    keep_others: bool,
    /// What is compared; may be given several times, all combinations are shown
    #[arg(long, value_name = "KEY=VALUE,VALUE", env = "ARRAYPLANE_COMPARE", value_delimiter = ';')]
    compare: Vec<Compare>,
    /// Points of each curve: a multiple of 12 up to 120
    #[arg(long, value_name = "NUMBER", env = "ARRAYPLANE_STEPS", default_value_t = 12)]
    steps: u32,
    /// Write a chart there
    #[arg(long, value_name = "FILE", env = "ARRAYPLANE_SVG")]
    svg: Option<PathBuf>,
    /// What the chart shows
    #[arg(long, value_name = "KIND", env = "ARRAYPLANE_CHART", value_enum, default_value = "auto")]
    chart: Kind,
    /// The title of the chart
    #[arg(long, value_name = "TEXT", env = "ARRAYPLANE_TITLE")]
    title: Option<String>,
    /// Print JSON, with the whole curves, instead of a table
    #[arg(long, env = "ARRAYPLANE_JSON", value_parser = FalseyValueParser::new())]
    json: bool,
}

/// What a chart shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Kind {
    /// The curve of a load generator; of users, latency over users
    Auto,
    /// Latency over throughput
    Curve,
    /// Latency over the load
    Latency,
    /// Throughput over the load
    Throughput,
}

/// Answers, prints, and draws where that is asked for.
pub(super) fn run(arguments: &WhatIf) -> Result<(), Failure> {
    let world = arguments.array.furnished()?;
    let question = arguments.question()?;
    let answer = ask(&world, &question)?;
    if let Some(file) = &arguments.svg {
        let room = POINTS_MAX / u32::try_from(question.compare.len().max(1)).unwrap_or(POINTS_MAX) / 12 * 12;
        let fine = ask(&world, &Question { steps: Some(FINE.min(room).max(arguments.steps)), ..question.clone() })?;
        let chart = picture::chart(&world, &question, &fine, arguments.chart, arguments.title.as_deref());
        fs::write(file, chart.svg()).map_err(|cause| Failure::of_work(format!("{}: {cause}", file.display())))?;
    }
    if arguments.json {
        let json = serde_json::to_string_pretty(&answer).map_err(Failure::of_work)?;
        return print(&format!("{json}\n"));
    }
    print(&table::table(&world, &question, &answer))
}

/// Steps of a curve that is drawn.
const FINE: u32 = 60;

fn ask(world: &World, question: &Question) -> Result<Answer, Failure> {
    answer(world, question).map_err(|Refusal { variant, cause }| {
        let variant = variant.and_then(|number| question.compare.get(number)).map(|variant| format!("{}: ", variant.name)).unwrap_or_default();
        Failure::of_work(format!("{variant}{cause}; {}", cause.cure()))
    })
}

impl WhatIf {
    fn question(&self) -> Result<Question, Failure> {
        let operations = match &self.operations {
            Some(file) => super::apply::operations_of(file)?,
            None => Vec::new(),
        };
        let load = |profile: &String| Load {
            profile: profile.clone(),
            name: None,
            volumes: (!self.volumes.is_empty()).then(|| self.volumes.clone()),
            users: self.users,
            outstanding: None,
            rate: self.rate,
            block_size: self.block_size,
            read_percent: self.read_percent,
            random_percent: self.random_percent,
            think_time: self.think_time,
        };
        let others = if self.keep_others { Others::Keep } else { Others::Pause };
        let compare = compare::variants(&self.compare).map_err(Failure::arguments)?;
        Ok(Question { operations, workloads: self.profile.iter().map(load).collect(), others: Some(others), compare, steps: Some(self.steps) })
    }
}

impl MadeOf {
    /// The array that it stands for; a model with the layout of its review, where somebody has furnished that.
    fn furnished(&self) -> Result<World, Failure> {
        let reference = match self {
            MadeOf::Model(name) => catalogue::reference(name),
            MadeOf::Either(name) if catalogue::scenario(name).is_err() => catalogue::reference(name),
            _ => None,
        };
        match reference {
            Some(scenario) => scenario.play(None).map_err(|refusal| Failure::of_work(format!("the scenario '{}' cannot be played: {refusal}", scenario.name))),
            None => self.build(0).map_err(Failure::arguments),
        }
    }
}

/// Whether the data of a variant is reduced: as it says, else as it is. `None`: it is otherwise too, so nothing is published of it.
fn reduced(world: &World, question: &Question, number: usize) -> Option<bool> {
    let Some(variant) = question.compare.get(number) else { return question.operations.is_empty().then(|| is_reduced(world)) };
    let otherwise = variant.raid_level.is_some() || variant.drives.is_some() || variant.ports.is_some() || variant.controllers.is_some();
    let otherwise = otherwise || !variant.pool_reduction.is_empty() || !variant.operations.is_empty() || !question.operations.is_empty();
    (!otherwise).then(|| variant.data_reduction.unwrap_or_else(|| is_reduced(world)))
}

/// Whether the volumes of the array's own workloads are reduced.
fn is_reduced(world: &World) -> bool {
    let volumes = world.workloads.iter().flat_map(|workload: &Workload| &workload.volumes).filter_map(|key| world.array.volumes.get(*key));
    let mut reductions = volumes.map(|volume| {
        let container = volume.container().and_then(|key| world.array.containers.get(key));
        container.map_or(volume.reduction, |container| container.reduction).is_on()
    });
    reductions.next().unwrap_or(false)
}

/// What an array is called in titles.
fn product(world: &World) -> &str {
    &world.array.facts.product
}

/// The workloads of a question, in words.
fn load_words(answer: &Answer) -> String {
    let words = |workload: &crate::ops::what_if::Studied| format!("{} on {}", workload.profile, workload.volumes.join(", "));
    answer.workloads.iter().map(words).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::super::{Cli, Command};
    use super::*;

    fn read(arguments: &[&str]) -> Result<WhatIf, String> {
        match Cli::try_parse_from(["arrayplane", "what-if"].iter().chain(arguments)).map_err(|error| error.to_string())?.command {
            Command::WhatIf(arguments) => Ok(*arguments),
            other => Err(format!("{other:?}")),
        }
    }

    #[test]
    fn comparisons_are_combined() {
        let asked = read(&["--profile", "sql", "--compare", "data_reduction=off,on", "--compare", "ports=4,2"]).expect("well-formed").question().expect("few");
        let names: Vec<&str> = asked.compare.iter().map(|variant| variant.name.as_str()).collect();
        assert_eq!(names, ["data_reduction=off ports=4", "data_reduction=off ports=2", "data_reduction=on ports=4", "data_reduction=on ports=2"]);
        assert_eq!((asked.compare[1].data_reduction, asked.compare[1].ports), (Some(false), Some(2)));
    }

    #[test]
    fn what_cannot_be_compared_is_refused_with_what_can() {
        for (asked, word) in [("colour=red", "data_reduction"), ("ports=many", "whole number"), ("data_reduction=maybe", "on or off"), ("ports", "KEY=VALUE")] {
            let refusal = read(&["--compare", asked]).expect_err(asked);
            assert!(refusal.contains(word), "{refusal}");
        }
        assert!(read(&["--users", "5"]).expect_err("users of what").contains("--profile"));
    }

    #[test]
    fn a_model_stands_for_the_layout_of_its_review() {
        let world = read(&["--array", "eternus-af250"]).expect("well-formed").array.furnished().expect("it is furnished");
        assert!(!world.array.volumes.is_empty());
        assert!(read(&["--array", "af251"]).expect("well-formed").array.furnished().is_err());
    }
}
