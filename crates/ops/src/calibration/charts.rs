//! Charts of the report: the modelled curves of an array, and on them what was published.

use super::report::Report;
use super::rows::Drawn;
use crate::chart::{Axis, Chart, Line, Mark, Stroke};

/// The names of the charts: one an array, and another for its transactions where it has both.
pub fn chart_names(report: &Report) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for drawn in &report.drawn {
        let name = name_of(report, drawn);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The chart of that name; `None`: there is none.
pub fn chart(report: &Report, name: &str) -> Option<Chart> {
    let drawn: Vec<&Drawn> = report.drawn.iter().filter(|drawn| name_of(report, drawn) == name).collect();
    let first = drawn.first()?;
    let unit = if first.transactions { "transactions/s" } else { "IOPS" };
    let mut lines = Vec::new();
    let mut marks = Vec::new();
    for (number, drawn) in drawn.iter().enumerate() {
        let points = drawn.curve.iter().map(|(throughput, latency)| (*throughput, 1e3 * latency)).collect();
        lines.push(Line { name: drawn.label.clone(), points, stroke: Stroke::Solid });
        marks.extend(drawn.points.iter().map(|(x, latency)| Mark { label: String::new(), x: *x, y: 1e3 * latency, line: Some(number) }));
    }
    Some(Chart {
        title: format!("{}: modelled curves, published points", first.array),
        x: Axis::linear("Throughput", unit),
        y: Axis::log("Mean latency", "ms"),
        lines,
        marks,
        note: Some(format!(
            "Published: {}. Curves: the simulated load generator on the modelled array. Where only a throughput is published, its latency is that of the requests under way.",
            first.source
        )),
    })
}

/// Transactions stand apart where the array has operations too.
fn name_of(report: &Report, drawn: &Drawn) -> String {
    let has_both = drawn.transactions && report.drawn.iter().any(|other| other.array == drawn.array && !other.transactions);
    if has_both { format!("{}-transactions", drawn.array) } else { drawn.array.to_owned() }
}
