//! Counter tables: which counters there are stands in `fixtures/ontap/counters.json`; what their values are, here.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::collection::View;
use crate::filter::Filter;
use crate::statistics::Raw;

/// A table.
pub(crate) struct Table {
    pub(crate) name: String,
    pub(crate) description: String,
    /// What its rows are.
    pub(crate) rows: String,
    pub(crate) counters: Vec<Counter>,
}

/// A counter of a table.
pub(crate) struct Counter {
    pub(crate) name: String,
    kind: String,
    unit: String,
    denominator: Option<String>,
    source: String,
    /// Labels with their sources, where a counter has several values.
    labels: Vec<(String, String)>,
}

/// What the counters of a row are made of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Figures {
    /// All that it does.
    pub(crate) all: Raw,
    /// What of it goes through Fibre Channel ports.
    pub(crate) fc: Raw,
    /// What of it goes through Ethernet ports.
    pub(crate) ip: Raw,
    pub(crate) link_failures: u64,
    pub(crate) capacity: u64,
}

/// A row of a table.
pub(crate) struct Instance {
    pub(crate) id: String,
    pub(crate) properties: Vec<(&'static str, String)>,
    pub(crate) figures: Figures,
}

#[derive(Deserialize)]
struct File {
    tables: BTreeMap<String, RawTable>,
}

#[derive(Deserialize)]
struct RawTable {
    description: String,
    rows: String,
    counters: BTreeMap<String, String>,
}

static COUNTERS: &str = include_str!("../../../fixtures/ontap/counters.json");

/// Bytes of a block of a drive.
const BLOCK: u64 = 4096;
/// Microseconds between two consistency points.
const CONSISTENCY_POINT: u64 = 10_000_000;
/// How many phases of a consistency point take no time that is worth mentioning, in milliseconds together.
const SHORT_PHASES: u64 = 38;

/// All tables, in order of name.
pub(crate) fn tables() -> &'static [Table] {
    static TABLES: OnceLock<Vec<Table>> = OnceLock::new();
    TABLES.get_or_init(|| {
        let file: File = serde_json::from_str(COUNTERS).unwrap_or_else(|_| File { tables: BTreeMap::new() });
        let table = |(name, raw): (String, RawTable)| Table {
            name,
            description: raw.description,
            rows: raw.rows,
            counters: raw.counters.into_iter().filter_map(|(name, described)| Counter::read(name, &described)).collect(),
        };
        file.tables.into_iter().map(table).collect()
    })
}

/// The table of that name.
pub(crate) fn table(name: &str) -> Option<(u32, &'static Table)> {
    let place = tables().iter().position(|table| table.name == name)?;
    Some((u32::try_from(place).ok()?, &tables()[place]))
}

impl Counter {
    /// From `type unit denominator source label:source ..`.
    fn read(name: String, described: &str) -> Option<Counter> {
        let mut words = described.split(' ').map(str::to_owned);
        let (kind, unit, denominator, source) = (words.next()?, words.next()?, words.next()?, words.next()?);
        let label = |word: String| word.rsplit_once(':').map(|(label, source)| (label.to_owned(), source.to_owned()));
        Some(Counter { name, kind, unit, denominator: Some(denominator).filter(|name| name != "-"), source, labels: words.filter_map(label).collect() })
    }
    /// What it is.
    pub(crate) fn schema(&self) -> Value {
        let words = self.name.replace(['_', '.'], " ");
        let mut schema = json!({"name": self.name, "description": format!("{}.", capital(&words)), "type": self.kind, "unit": self.unit});
        if let Some(denominator) = &self.denominator {
            schema["denominator"] = json!({"name": denominator});
        }
        schema
    }
    /// Whether rows have it as a property, not as a counter.
    pub(crate) fn is_text(&self) -> bool {
        self.kind == "string"
    }
    /// Its value, or its values.
    pub(crate) fn value(&self, figures: &Figures) -> Value {
        if self.labels.is_empty() {
            return json!({"name": self.name, "value": figures.value(&self.source)});
        }
        let labels: Vec<&str> = self.labels.iter().map(|(label, _)| label.as_str()).collect();
        let values: Vec<u64> = self.labels.iter().map(|(_, source)| figures.value(source)).collect();
        json!({"name": self.name, "labels": labels, "values": values})
    }
}

fn capital(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map(|first| first.to_uppercase().chain(characters).collect()).unwrap_or_default()
}

impl Figures {
    fn value(&self, source: &str) -> u64 {
        if let Some(number) = source.strip_prefix('=') {
            return number.parse().unwrap_or(0);
        }
        if let Some(source) = source.strip_prefix("fc.") {
            return amount(&self.fc, source);
        }
        if let Some(source) = source.strip_prefix("ip.") {
            return amount(&self.ip, source);
        }
        match source {
            "one" => 1,
            "link_failures" => self.link_failures,
            "capacity_mb" => self.capacity / 1_000_000,
            source => amount(&self.all, source),
        }
    }
}

fn amount(raw: &Raw, source: &str) -> u64 {
    // Consistency points take a hundredth of the time, and a tenth of the work.
    let points = raw.elapsed / 100_000 + raw.busy / 10_000;
    match source {
        "reads" => raw.reads,
        "writes" => raw.writes,
        "ops" => raw.operations(),
        "read_bytes" => raw.read_bytes,
        "write_bytes" => raw.write_bytes,
        "bytes" => raw.bytes(),
        "read_blocks" => raw.read_bytes / BLOCK,
        "write_blocks" => raw.write_bytes / BLOCK,
        "read_wait" => raw.read_wait,
        "write_wait" => raw.write_wait,
        "wait" => raw.read_wait + raw.write_wait,
        "busy" => raw.busy.min(raw.elapsed),
        "idle" => raw.elapsed.saturating_sub(raw.busy),
        "elapsed" => raw.elapsed,
        "elapsed_ms" => raw.elapsed / 1_000,
        "elapsed_seconds" => raw.elapsed / 1_000_000,
        "cp_count" => raw.elapsed / CONSISTENCY_POINT,
        "cp_msecs" => points,
        "cp_all_msecs" => points + SHORT_PHASES,
        _ => 0,
    }
}

/// Leaves of an array only the elements that a filter of the query names: so do clients find the one that they ask for in the first place.
pub(crate) fn pruned(view: &View<'_>, parameter: &str, elements: Vec<Value>) -> Vec<Value> {
    let Some(filter) = view.query.get(parameter).map(Filter::read) else { return elements };
    elements.into_iter().filter(|element| filter.holds(element, &["name"])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_denominator_is_a_counter_and_every_source_a_figure() {
        let known = "zero one link_failures capacity_mb reads writes ops read_bytes write_bytes bytes read_blocks write_blocks read_wait write_wait wait busy idle \
            elapsed elapsed_ms elapsed_seconds cp_count cp_msecs cp_all_msecs";
        assert!(tables().len() > 20);
        for table in tables() {
            for counter in &table.counters {
                let name = format!("{} {}", table.name, counter.name);
                let has = |wanted: &String| table.counters.iter().any(|other| other.name == *wanted);
                assert!(counter.denominator.as_ref().is_none_or(has), "{name}: no {:?}", counter.denominator);
                for source in counter.labels.iter().map(|(_, source)| source).chain([&counter.source]) {
                    let source = source.trim_start_matches("fc.").trim_start_matches("ip.");
                    assert!(source.starts_with('=') || known.split(' ').any(|figure| figure == source), "{name}: {source}");
                }
            }
        }
    }
}
