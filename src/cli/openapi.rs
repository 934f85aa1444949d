//! `openapi`: the documents of what is served, made of what serves it.

use clap::Args;

use super::failure::Failure;
use super::tables;
use crate::catalogue;
use crate::front::{api, ontap};

/// The arguments of `openapi`.
#[derive(Debug, Args)]
pub(super) struct Openapi {
    /// That of the ONTAP front, with examples from the scenario aff-a250
    #[arg(long)]
    ontap: bool,
    /// The collections of the ONTAP front with their methods, as a table in Markdown
    #[arg(long, requires = "ontap")]
    table: bool,
}

/// Prints a document.
pub(super) fn run(arguments: &Openapi) -> Result<(), Failure> {
    match (arguments.ontap, arguments.table) {
        (false, _) => tables::print(&api::text()),
        (true, true) => tables::print(&ontap::support_table()),
        (true, false) => tables::print(&of_ontap()?),
    }
}

/// The document of the ONTAP front.
fn of_ontap() -> Result<String, Failure> {
    let scenario = catalogue::scenario("aff-a250").map_err(|refusal| Failure::of_work(refusal))?;
    let world = scenario.play(None).map_err(|refusal| Failure::of_work(refusal))?;
    let document = ontap::document(&world, ontap::Version::DEFAULT);
    serde_json::to_string_pretty(&document).map(|text| text + "\n").map_err(|cause| Failure::of_work(cause))
}
