//! The fixtures in `fixtures/calibration/`, written from what is fitted.

use std::fmt::Write as _;

use super::entry::Entry;
use super::fitting::{Fitting, fittings};
use super::recipe::Drives;
use crate::catalogue::{CatalogueError, Sourced, calibration_text};

/// The fixtures as the fit writes them: the name of each file below `fixtures/`, and its text.
pub fn fitted_texts() -> Result<Vec<(String, String)>, CatalogueError> {
    let text = |fitting: &Fitting| (format!("calibration/{}.yaml", fitting.recipe.calibration), text(fitting));
    Ok(fittings()?.iter().map(text).collect())
}

/// How the embedded fixtures differ from what the fit says; empty when they are what it says. Numbers may differ in the last digit, which
/// processors round differently.
pub fn differences() -> Result<Vec<String>, CatalogueError> {
    let mut found = Vec::new();
    for fitting in fittings()? {
        let name = &fitting.recipe.calibration;
        let kept = calibration_text(name).unwrap_or_default();
        let (fitted, mut lines) = (text(fitting), kept.lines());
        for (number, line) in fitted.lines().enumerate() {
            let kept = lines.next().unwrap_or_default();
            if !same(line, kept) {
                found.push(format!("calibration/{name}.yaml:{}: '{}' where the fit says '{}'", number + 1, kept.trim(), line.trim()));
            }
        }
        if lines.next().is_some() {
            found.push(format!("calibration/{name}.yaml: more lines than the fit says"));
        }
    }
    Ok(found)
}

/// Whether two lines say the same, whole numbers of seven digits and more to one unit.
fn same(one: &str, other: &str) -> bool {
    let words = |line: &str| line.split(|c: char| !c.is_ascii_alphanumeric()).map(str::to_owned).collect::<Vec<_>>();
    let near = |a: &String, b: &String| {
        let numbers = a.parse::<u64>().ok().zip(b.parse::<u64>().ok());
        a == b || numbers.is_some_and(|(a, b)| a >= 100_000 && a.abs_diff(b) <= 1)
    };
    let (a, b) = (words(one), words(other));
    one == other || (a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| near(a, b)))
}

fn sourced(name: &str, indent: &str, number: &Sourced<u64>) -> String {
    format!("{indent}{name}: {{ value: {}, source: \"{}\" }}\n", number.value, number.source)
}

fn text(fitting: &Fitting) -> String {
    let recipe = fitting.recipe;
    let mut text = format!(
        "# Written by `arrayplane calibrate --fit` from fits/{0}.yaml and the published figures; a test fits it again and compares.\n\
         #\n\
         # controller_demand_ps  picoseconds of its owner controller that one unit of work (I/O or transaction) on plain data uses\n\
         # base_latency_ns       latency with no load\n\
         # burstiness_ppm        beta, parts per million: seconds waited per second of weighted queueing term\n\
         # population            requesters, where the published peak does not lie within 1.5 % of the profile's\n\
         array: {0}\n\ndrives:\n",
        recipe.calibration
    );
    fitting.drives.iter().for_each(|drives| text += &drives_text(drives));
    text += &sourced("back_end_bytes_per_second", "", &recipe.back_end_bytes_per_second);
    text += "\n# Factors on the controllers' demand while data reduction is on.\nreduction:\n";
    text += &sourced("read_ppm", "  ", &recipe.reduction.read_ppm);
    text += &sourced("write_ppm", "  ", &fitting.write_ppm);
    text += "\n# 99th percentile latency over mean latency";
    text += if fitting.tail_rise_ppm.is_some() { ": at rest, and by how much it has grown when the controllers are always busy.\n" } else { ".\n" };
    text += &sourced("tail_ppm", "", &fitting.tail_ppm);
    if let Some(rise) = &fitting.tail_rise_ppm {
        text += &sourced("tail_rise_ppm", "", rise);
    }
    let corners = &recipe.corners;
    text += "\n# Custom workloads: the entries below between which they are interpolated (rough to about 25 %).\n";
    text += "# sequential_operation_ppm is the share of the per-operation part that a sequential request costs.\ncorners:\n";
    for (name, of) in [("read_4k", &corners.read_4k), ("write_4k", &corners.write_4k), ("read_64k", &corners.read_64k), ("write_64k", &corners.write_64k)] {
        let _ = writeln!(text, "  {name}: {of}");
    }
    text += &sourced("sequential_operation_ppm", "  ", &corners.sequential_operation_ppm);
    text += "\nworkloads:\n";
    fitting.entries.iter().for_each(|entry| text += &entry_text(entry));
    text
}

fn drives_text(drives: &Drives) -> String {
    let kind = drives.drive_type;
    let mut text = format!("  - type: {}\n", serde_json::to_value(kind).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default());
    text += &sourced("reads_per_second", "    ", &drives.reads_per_second);
    text += &sourced("writes_per_second", "    ", &drives.writes_per_second);
    text += &sourced("read_bytes_per_second", "    ", &drives.read_bytes_per_second);
    text += &sourced("write_bytes_per_second", "    ", &drives.write_bytes_per_second);
    text
}

fn entry_text(entry: &Entry) -> String {
    let demand = &entry.demand;
    let mut text = format!(
        "  - workload: {}\n    controller_demand_ps: {}\n    base_latency_ns: {}\n    burstiness_ppm: {}\n    source: \"{}\"\n",
        entry.profile, demand.controller_demand_ps, demand.base_latency_ns, demand.burstiness_ppm.0, entry.source
    );
    if let Some(population) = demand.population {
        let _ = writeln!(text, "    population: {{ value: {population}, source: \"inferred from peak\" }}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::same;

    #[test]
    fn lines_may_differ_by_one_unit_of_a_long_number_only() {
        assert!(same("    controller_demand_ps: 12616856", "    controller_demand_ps: 12616857"));
        for (a, b) in [("a: 12616856", "a: 12616858"), ("a: 405", "a: 406"), ("a: 12616856", "b: 12616856"), ("a: 12616856", "a: 12616856 x")] {
            assert!(!same(a, b), "{a} {b}");
        }
    }
}
