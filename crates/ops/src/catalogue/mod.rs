//! Hardware models, their limits and calibrations, workload profiles and scenarios: from `fixtures/`, embedded in the binary.
//!
//! Owns: how fixtures are written and read (each only when it is asked for), and how a [`Model`] becomes an [`crate::model::Array`]
//! and a [`Scenario`] a world.
//! Must not know: who asks for an array, files, or wall time; rules of operations (they are in `ops`).
//! Read first: [`model`](fn@model) and [`Model::build`], then `fixtures/models/eternus-af250.yaml`.

mod build;
mod built_in;
mod calibration;
mod drives;
mod extension;
mod facts;
mod fixtures;
mod hardware;
mod library;
mod model;
mod profile;
mod refusal;
mod scenario;
pub mod yaml;

#[cfg(test)]
mod fixture_rules;
#[cfg(test)]
mod model_rules;
#[cfg(test)]
mod scenario_rules;

pub use build::BuildOptions;
pub use calibration::{calibration, calibration_text};
pub use drives::{DriveOrder, DriveRequest};
pub use facts::{Fact, Sourced};
pub use hardware::{Drives, EnclosureSpec, HostPortMode, HostPortSpec, NewDrives, OfferedDrive, PartsSpec, PowerSpec, TemperatureSpec};
pub use model::{Model, model, models};
pub use profile::{WorkloadProfile, profiles};
pub use refusal::CatalogueError;
pub use scenario::{Scenario, ScenarioError, parse, reference, scenario, scenarios};
