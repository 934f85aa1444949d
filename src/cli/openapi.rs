//! `openapi`: the documents of what is served, made of what serves it.

use clap::{Args, ValueEnum};

use super::failure::Failure;
use super::tables;
use crate::catalogue;
use crate::front::{api, ontap};

const EXAMPLES: &str = "\
Examples:
  arrayplane openapi                 the native API
  arrayplane openapi ontap           the ONTAP front, with examples from the scenario aff-a250
  arrayplane openapi ontap-table     its collections with their methods, as a table in Markdown";

/// The arguments of `openapi`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Openapi {
    /// Of what
    #[arg(value_enum, default_value_t = Of::Native)]
    of: Of,
}

/// What is described.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Of {
    Native,
    Ontap,
    OntapTable,
}

/// Prints a document.
pub(super) fn run(arguments: &Openapi) -> Result<(), Failure> {
    match arguments.of {
        Of::Native => tables::print(&api::text()),
        Of::Ontap => tables::print(&of_ontap()?),
        Of::OntapTable => tables::print(&ontap::support_table()),
    }
}

/// The document of the ONTAP front.
fn of_ontap() -> Result<String, Failure> {
    let scenario = catalogue::scenario("aff-a250").map_err(Failure::of_work)?;
    let world = scenario.play(None).map_err(Failure::of_work)?;
    let document = ontap::document(&world, ontap::Version::DEFAULT);
    serde_json::to_string_pretty(&document).map(|text| text + "\n").map_err(Failure::of_work)
}
