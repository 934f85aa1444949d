//! Which array to play: `NAME=SCENARIO-or-MODEL`, or `NAME=file:PATH` for a scenario of one's own.

use std::fs;
use std::path::Path;
use std::str::FromStr;

use crate::catalogue::{self, BuildOptions, CatalogueError};
use crate::ops::World;

/// One array of the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ArrayArgument {
    /// Its name on the server.
    pub(super) name: String,
    /// What it is made of.
    pub(super) made_of: MadeOf,
}

/// What an array is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum MadeOf {
    /// A scenario if one has that name, otherwise a model.
    Either(String),
    /// A model: a new array with nothing on it.
    Model(String),
    /// A scenario.
    Scenario(String),
    /// A scenario in a file.
    File(String),
}

impl FromStr for ArrayArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<ArrayArgument, String> {
        let (name, made_of) = match text.split_once('=') {
            Some((name, made_of)) => (Some(name), made_of.parse::<MadeOf>()?),
            None => (None, text.parse::<MadeOf>()?),
        };
        Ok(ArrayArgument { name: name.unwrap_or(made_of.entry()).to_owned(), made_of })
    }
}

impl FromStr for MadeOf {
    type Err = String;

    fn from_str(text: &str) -> Result<MadeOf, String> {
        let (kind, name) = text.split_once(':').map_or((None, text), |(kind, name)| (Some(kind), name));
        if name.is_empty() {
            return Err("the name of a scenario or a model is missing".to_owned());
        }
        match kind {
            None => Ok(MadeOf::Either(name.to_owned())),
            Some("model") => Ok(MadeOf::Model(name.to_owned())),
            Some("scenario") => Ok(MadeOf::Scenario(name.to_owned())),
            Some("file") => Ok(MadeOf::File(name.to_owned())),
            Some(other) => Err(format!("'{other}:' is none of 'model:', 'scenario:' and 'file:'")),
        }
    }
}

impl MadeOf {
    /// The name in the catalogue, or of the file without its ending.
    fn entry(&self) -> &str {
        match self {
            MadeOf::File(path) => Path::new(path).file_stem().and_then(|stem| stem.to_str()).unwrap_or(path),
            MadeOf::Either(name) | MadeOf::Model(name) | MadeOf::Scenario(name) => name,
        }
    }
    /// Makes the array's world.
    pub(super) fn build(&self, seed: u64) -> Result<World, String> {
        match self {
            MadeOf::Model(name) => model(name, seed).map_err(|refusal| with_cure(&refusal)),
            MadeOf::Scenario(name) => match catalogue::scenario(name) {
                Ok(scenario) => scenario.play(Some(seed)).map_err(|refusal| format!("the scenario '{name}' cannot be played: {refusal}")),
                Err(refusal) => Err(with_cure(&refusal)),
            },
            MadeOf::File(path) => {
                let text = fs::read_to_string(path).map_err(|cause| format!("{path}: {cause}"))?;
                let scenario = catalogue::parse(&text).map_err(|refusal| format!("{path}: {refusal}"))?;
                scenario.play(Some(seed)).map_err(|refusal| format!("{path}: {refusal}"))
            }
            MadeOf::Either(name) => match (catalogue::scenario(name), catalogue::model(name)) {
                (Err(CatalogueError::UnknownScenario { known: scenarios, .. }), Err(CatalogueError::UnknownModel { known: models, .. })) => {
                    Err(format!("no scenario and no model is called '{name}'; scenarios: {}; models: {}", scenarios.join(", "), models.join(", ")))
                }
                (Err(CatalogueError::UnknownScenario { .. }), _) => MadeOf::Model(name.clone()).build(seed),
                _ => MadeOf::Scenario(name.clone()).build(seed),
            },
        }
    }
}

fn model(name: &str, seed: u64) -> Result<World, CatalogueError> {
    let options = BuildOptions { seed, ..BuildOptions::default() };
    catalogue::model(name)?.build(&options).map(World::new)
}

fn with_cure(refusal: &CatalogueError) -> String {
    format!("{refusal}; {}", refusal.cure())
}

#[cfg(test)]
mod tests {
    use super::{ArrayArgument, MadeOf};

    fn read(text: &str) -> Result<(String, MadeOf), String> {
        text.parse::<ArrayArgument>().map(|argument| (argument.name, argument.made_of))
    }

    #[test]
    fn an_array_is_named_or_has_the_name_of_what_it_is_made_of() {
        assert_eq!(read("lab=af250"), Ok(("lab".into(), MadeOf::Either("af250".into()))));
        assert_eq!(read("af250"), Ok(("af250".into(), MadeOf::Either("af250".into()))));
        assert_eq!(read("lab=model:eternus-af250"), Ok(("lab".into(), MadeOf::Model("eternus-af250".into()))));
        assert_eq!(read("scenario:af250-dr"), Ok(("af250-dr".into(), MadeOf::Scenario("af250-dr".into()))));
        assert_eq!(read("lab=file:a/own.yaml"), Ok(("lab".into(), MadeOf::File("a/own.yaml".into()))));
        assert_eq!(read("file:a/own.yaml"), Ok(("own".into(), MadeOf::File("a/own.yaml".into()))));
        assert!(read("lab=").is_err());
        assert!(read("lab=disk:af250").is_err());
    }

    #[test]
    fn a_scenario_wins_over_a_model_and_an_unknown_name_is_answered_with_all_names() {
        let world = MadeOf::Either("af250".into()).build(3).expect("a scenario");
        assert!(!world.array.volumes.is_empty());
        assert_eq!(world.array.identity.seed(), 3);
        let world = MadeOf::Either("eternus-af250".into()).build(4).expect("a model");
        assert!(world.array.volumes.is_empty());
        let refusal = MadeOf::Either("af251".into()).build(1).expect_err("there is none");
        assert!(refusal.starts_with("no scenario and no model is called 'af251'; scenarios: "), "{refusal}");
        assert!(refusal.contains("af250-dr") && refusal.contains("eternus-dx200f"), "{refusal}");
        let refusal = MadeOf::Model("af250".into()).build(1).expect_err("that is a scenario");
        assert!(refusal.starts_with("no model is called 'af250'; use one of the models aff-a200, "), "{refusal}");
    }
}
