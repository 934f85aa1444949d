//! Scenarios: a model and the operations that make a demonstration or a test layout of it.

use std::fmt;

use serde::Deserialize;

use super::fixtures::{Fixture, SCENARIOS};
use super::library::Library;
use super::{BuildOptions, CatalogueError, DriveRequest, model, yaml};
use crate::engine;
use crate::model::OpError;
use crate::ops::{Actor, AnyOperation, Ctx, World};

/// A scenario. One that somebody writes for himself needs a model and operations only.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Its name.
    #[serde(default)]
    pub name: String,
    /// What it is, in a few words.
    #[serde(default)]
    pub title: String,
    /// What is in it and what it is good for.
    #[serde(default)]
    pub description: String,
    /// Where the layout comes from; what no source gives is said here to be an assumption.
    #[serde(default)]
    pub source: String,
    /// The model's name in the catalogue.
    pub model: String,
    /// The seed when none is asked for.
    #[serde(default)]
    pub seed: Option<u64>,
    /// The drives, if not the model's own.
    #[serde(default)]
    pub drives: Option<DriveRequest>,
    /// What the administrator does, in this order.
    pub operations: Vec<AnyOperation>,
}

/// Why a scenario cannot be read or played.
#[derive(Clone, Debug, PartialEq)]
pub enum ScenarioError {
    /// The text is no scenario.
    Unreadable {
        /// What is wrong, and where.
        message: String,
    },
    /// The catalogue refused.
    Catalogue(CatalogueError),
    /// An operation was refused.
    Refused {
        /// Which one, from 0.
        index: usize,
        /// Its tag.
        operation: &'static str,
        /// Why.
        cause: Box<OpError>,
    },
}

static SHELF: Library<Scenario, { SCENARIOS.len() }> = Library::new(SCENARIOS, read);

/// All scenarios, in order of name.
pub fn scenarios() -> Vec<&'static Scenario> {
    SHELF.all()
}

/// The scenario of that name.
pub fn scenario(name: &str) -> Result<&'static Scenario, CatalogueError> {
    SHELF.get(name).unwrap_or_else(|| Err(CatalogueError::UnknownScenario { name: name.to_owned(), known: SHELF.names().map(str::to_owned).collect() }))
}

/// The layout of a model's review: the first scenario of that model by name. `None`: nobody has furnished one.
pub fn reference(model: &str) -> Option<&'static Scenario> {
    scenarios().into_iter().find(|scenario| scenario.model == model)
}

/// Reads a scenario that somebody wrote.
pub fn parse(text: &str) -> Result<Scenario, ScenarioError> {
    yaml::read(text).map_err(|error| ScenarioError::Unreadable { message: error.to_string() })
}

fn read(fixture: &Fixture) -> Result<Scenario, String> {
    let scenario = parse(fixture.text).map_err(|error| error.to_string())?;
    match [&scenario.title, &scenario.description, &scenario.source].iter().any(|text| text.is_empty()) {
        _ if scenario.name != fixture.name => Err(format!("it is named '{}'", scenario.name)),
        true => Err("it lacks a title, a description or a source".to_owned()),
        false => Ok(scenario),
    }
}

impl Scenario {
    /// How its array is built: with this seed, else the scenario's own, else 0.
    pub fn options(&self, seed: Option<u64>) -> BuildOptions {
        BuildOptions { seed: seed.or(self.seed).unwrap_or_default(), drives: self.drives.clone(), ..BuildOptions::default() }
    }
    /// Builds the array and does everything that the scenario says.
    pub fn play(&self, seed: Option<u64>) -> Result<World, ScenarioError> {
        self.play_with(&self.options(seed))
    }
    /// The same on an array that is built otherwise.
    pub fn play_with(&self, options: &BuildOptions) -> Result<World, ScenarioError> {
        let array = model(&self.model).and_then(|model| model.build(options)).map_err(ScenarioError::Catalogue)?;
        let mut world = World::new(array);
        for (index, operation) in self.operations.iter().enumerate() {
            let ctx = Ctx { now: world.now(), actor: Actor::new("scenario", "admin", format!("{}: {}", self.name, operation.name())) };
            let refused = |cause| ScenarioError::Refused { index, operation: operation.name(), cause: Box::new(cause) };
            operation.run(&mut world, &ctx).map_err(refused)?;
            let now = world.now();
            engine::advance(&mut world, now);
        }
        Ok(world)
    }
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ScenarioError::Unreadable { message } => write!(out, "this is no scenario: {message}"),
            ScenarioError::Catalogue(refusal) => refusal.fmt(out),
            ScenarioError::Refused { index, operation, cause } => write!(out, "operation {index} ({operation}) was refused: {cause}"),
        }
    }
}
impl std::error::Error for ScenarioError {}
