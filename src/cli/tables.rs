//! `models`, `scenarios`: what the catalogue has, as a table or as JSON.

use std::io::{self, Write};

use clap::Args;
use clap::builder::FalseyValueParser;
use serde::Serialize;

use super::failure::Failure;
use crate::catalogue;
use crate::model::Dialect;

/// The arguments of a listing.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct Listing {
    /// Print a JSON list instead of a table
    #[arg(long, env = "ARRAYPLANE_JSON", value_parser = FalseyValueParser::new())]
    json: bool,
}

#[derive(Serialize)]
struct ModelRow {
    name: &'static str,
    vendor: &'static str,
    product: &'static str,
    dialect: Dialect,
    /// Of a new array.
    drives: u32,
    drives_max: u32,
    calibrated: bool,
}

#[derive(Serialize)]
struct ScenarioRow {
    name: &'static str,
    model: &'static str,
    title: &'static str,
    description: &'static str,
}

/// Lists the models.
pub(super) fn models(listing: Listing) -> Result<(), Failure> {
    let row = |model: &'static catalogue::Model| ModelRow {
        name: &model.name,
        vendor: &model.vendor,
        product: &model.product,
        dialect: model.personality.dialect,
        drives: model.drives.new.iter().map(|drives| drives.count).sum(),
        drives_max: model.bays_most(),
        calibrated: model.is_calibrated(),
    };
    let rows: Vec<ModelRow> = catalogue::models().into_iter().map(row).collect();
    let cells = |row: &ModelRow| {
        let drives = format!("{} of {}", row.drives, row.drives_max);
        vec![row.name.to_owned(), row.vendor.to_owned(), row.product.to_owned(), drives, if row.calibrated { "yes" } else { "no" }.to_owned()]
    };
    show(listing, &["NAME", "VENDOR", "PRODUCT", "DRIVES", "CALIBRATED"], &rows, cells)
}

/// Lists the scenarios.
pub(super) fn scenarios(listing: Listing) -> Result<(), Failure> {
    let row = |scenario: &'static catalogue::Scenario| ScenarioRow {
        name: &scenario.name,
        model: &scenario.model,
        title: &scenario.title,
        description: &scenario.description,
    };
    let rows: Vec<ScenarioRow> = catalogue::scenarios().into_iter().map(row).collect();
    show(listing, &["NAME", "MODEL", "WHAT IT IS"], &rows, |row| vec![row.name.to_owned(), row.model.to_owned(), row.title.to_owned()])
}

fn show<T: Serialize>(listing: Listing, heading: &[&str], rows: &[T], cells: impl Fn(&T) -> Vec<String>) -> Result<(), Failure> {
    if listing.json {
        let json = serde_json::to_string_pretty(rows).map_err(Failure::of_work)?;
        return print(&format!("{json}\n"));
    }
    let lines = std::iter::once(heading.iter().map(|word| (*word).to_owned()).collect()).chain(rows.iter().map(cells)).collect::<Vec<_>>();
    print(&aligned(&lines))
}

/// Lines of cells in columns, two spaces apart.
pub(super) fn aligned(lines: &[Vec<String>]) -> String {
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| lines.iter().filter_map(|line| line.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for line in lines {
        let cells: Vec<String> = line.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    text
}

/// Prints to standard output; a reader that has gone away is no failure.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(cause) if cause.kind() != io::ErrorKind::BrokenPipe => Err(Failure::of_work(cause)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::aligned;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let line = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
        assert_eq!(aligned(&[line(&["NAME", "WHAT"]), line(&["a-long-name", "x"])]), "NAME         WHAT\na-long-name  x\n");
    }
}
