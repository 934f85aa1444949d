//! The answer as a table: one line for every variant, at the load that was asked for.

use super::{load_words, product, reduced};
use crate::calibration::{Published, published};
use crate::chart::number;
use crate::cli::tables::aligned;
use crate::ops::World;
use crate::ops::what_if::{Answer, Outcome, Question, Unit};
use crate::perf::curve::Loading;

/// The whole text.
pub(super) fn table(world: &World, question: &Question, answer: &Answer) -> String {
    let unit = unit(answer.unit);
    let mut lines = vec![["VARIANT", "USERS", "THROUGHPUT", "LATENCY", "P99", "BOTTLENECK", "PUBLISHED"].map(str::to_owned).to_vec()];
    for (place, outcome) in answer.variants.iter().enumerate() {
        let point = &outcome.at_load;
        let known = beside(world, question, answer, place);
        lines.push(vec![
            outcome.name.clone(),
            number(point.users as f64, 0),
            format!("{} {unit}", throughput(answer, point.throughput)),
            point.latency_ms.map_or_else(nothing, latency),
            point.p99_latency_ms.map_or_else(nothing, latency),
            point.bottleneck.clone().unwrap_or_else(nothing),
            known.map(|known| format!("{} {unit} at {}", throughput(answer, known.throughput), latency(known.latency_ms))).unwrap_or_default(),
        ]);
    }
    let load = match answer.loading {
        Loading::Rate if question.workloads.iter().any(|load| load.rate.is_some()) => "at the rate that was asked for",
        Loading::Rate => "at the load generator's step with the highest throughput",
        Loading::Users => "with all users",
    };
    let mut text = format!("{}: {}, {load}\n\n{}", product(world), load_words(answer), aligned(&lines));
    text.push_str(&compared(&answer.variants));
    for note in &answer.notes {
        text.push_str(&format!("\n{note}"));
    }
    text.push('\n');
    text
}

/// What was published of a variant under that load.
pub(super) fn beside(world: &World, question: &Question, answer: &Answer, place: usize) -> Option<Published> {
    let [workload] = &answer.workloads[..] else { return None };
    let fits = |point: &Published| point.users.is_none_or(|users| users == workload.users);
    published(&answer.model, &workload.profile, reduced(world, question, place)?).into_iter().find(fits)
}

/// How the later variants differ from the first.
fn compared(variants: &[Outcome]) -> String {
    let [first, others @ ..] = variants else { return String::new() };
    let mut text = String::new();
    for other in others {
        let (before, after) = (&first.at_load, &other.at_load);
        let change = if before.throughput > 0.0 { 100.0 * (after.throughput / before.throughput - 1.0) } else { 0.0 };
        let throughput = match change {
            change if change.abs() < 0.05 => "the same throughput".to_owned(),
            change => format!("{} % {} throughput", number(change.abs(), 1), if change < 0.0 { "less" } else { "more" }),
        };
        let waiting = before.latency_ms.zip(after.latency_ms).filter(|(before, _)| *before > 0.0).map(|(before, after)| after / before);
        let waiting = match waiting {
            Some(times) if (times - 1.0).abs() < 0.005 => ", the same latency".to_owned(),
            Some(times) => format!(", {} times the latency", number(times, if times < 10.0 { 2 } else { 0 })),
            None => String::new(),
        };
        text.push_str(&format!("\n{} against {}: {throughput}{waiting}", other.name, first.name));
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

/// Reviews print transactions to a tenth.
fn throughput(answer: &Answer, value: f64) -> String {
    number(value, if answer.unit == Unit::Transaction { 1 } else { 0 })
}

fn nothing() -> String {
    "-".to_owned()
}

/// Milliseconds with as many places as say something.
pub(super) fn latency(milliseconds: f64) -> String {
    let decimals = match milliseconds {
        below if below < 1.0 => 3,
        below if below < 10.0 => 2,
        below if below < 100.0 => 1,
        _ => 0,
    };
    format!("{} ms", number(milliseconds, decimals))
}

/// What throughput is counted in.
pub(super) const fn unit(unit: Unit) -> &'static str {
    match unit {
        Unit::Io => "IOPS",
        Unit::Transaction => "tps",
        Unit::Mixed => "requests/s",
    }
}
