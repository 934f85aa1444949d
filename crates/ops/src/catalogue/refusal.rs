//! Why the catalogue cannot give what is asked for.

use std::fmt;

use serde::Serialize;

/// A refusal of the catalogue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum CatalogueError {
    /// No model has that name.
    UnknownModel {
        /// The name that was asked for.
        name: String,
        /// The names that there are.
        known: Vec<String>,
    },
    /// No scenario has that name.
    UnknownScenario {
        /// The name that was asked for.
        name: String,
        /// The names that there are.
        known: Vec<String>,
    },
    /// No drives, or more than the bays hold.
    DriveCount {
        /// Where the number stands in the request.
        field: String,
        /// How many were asked for.
        count: u64,
        /// How many the model holds.
        most: u32,
    },
    /// The model has no such drive.
    DriveNotOffered {
        /// Where the drive stands in the request.
        field: String,
        /// The model's name.
        model: String,
        /// The drive that was asked for.
        asked: String,
        /// The drives that there are.
        offered: Vec<String>,
    },
    /// An embedded fixture cannot be read: a mistake of this program.
    Fixture {
        /// The file below `fixtures/`.
        file: String,
        /// What is wrong with it.
        message: String,
    },
}

impl CatalogueError {
    /// A stable word for it.
    pub const fn code(&self) -> &'static str {
        match self {
            CatalogueError::UnknownModel { .. } => "unknown_model",
            CatalogueError::UnknownScenario { .. } => "unknown_scenario",
            CatalogueError::DriveCount { .. } => "out_of_range",
            CatalogueError::DriveNotOffered { .. } => "drive_not_offered",
            CatalogueError::Fixture { .. } => "fixture_unreadable",
        }
    }
    /// The field of the request that is to blame.
    pub fn field(&self) -> Option<&str> {
        match self {
            CatalogueError::UnknownModel { .. } => Some("model"),
            CatalogueError::UnknownScenario { .. } => Some("scenario"),
            CatalogueError::DriveCount { field, .. } | CatalogueError::DriveNotOffered { field, .. } => Some(field),
            CatalogueError::Fixture { .. } => None,
        }
    }
    /// The value that was refused.
    pub fn value(&self) -> Option<String> {
        match self {
            CatalogueError::UnknownModel { name, .. } | CatalogueError::UnknownScenario { name, .. } => Some(name.clone()),
            CatalogueError::DriveCount { count, .. } => Some(count.to_string()),
            CatalogueError::DriveNotOffered { asked, .. } => Some(asked.clone()),
            CatalogueError::Fixture { .. } => None,
        }
    }
    /// The limit that was hit.
    pub fn limit(&self) -> Option<String> {
        match self {
            CatalogueError::DriveCount { most, .. } => Some(format!("1 to {most}")),
            CatalogueError::DriveNotOffered { offered, .. } => Some(offered.join(", ")),
            CatalogueError::UnknownModel { .. } | CatalogueError::UnknownScenario { .. } | CatalogueError::Fixture { .. } => None,
        }
    }
    /// One sentence that says what to do.
    pub fn cure(&self) -> String {
        match self {
            CatalogueError::UnknownModel { known, .. } => format!("use one of the models {}", known.join(", ")),
            CatalogueError::UnknownScenario { known, .. } => format!("use one of the scenarios {}", known.join(", ")),
            CatalogueError::DriveCount { most, .. } => format!("ask for 1 to {most} drives, or use a model with more bays"),
            CatalogueError::DriveNotOffered { offered, .. } => format!("use one of {}", offered.join(", ")),
            CatalogueError::Fixture { .. } => "report it: the fixtures of this program are broken".to_owned(),
        }
    }
}

impl fmt::Display for CatalogueError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CatalogueError::UnknownModel { name, .. } => write!(out, "no model is called '{name}'"),
            CatalogueError::UnknownScenario { name, .. } => write!(out, "no scenario is called '{name}'"),
            CatalogueError::DriveCount { field, count, most } => write!(out, "{field}: {count} drives are outside 1 to {most}"),
            CatalogueError::DriveNotOffered { field, model, asked, .. } => write!(out, "{field}: the model {model} has no drive '{asked}'"),
            CatalogueError::Fixture { file, message } => write!(out, "fixtures/{file} cannot be read: {message}"),
        }
    }
}
impl std::error::Error for CatalogueError {}
