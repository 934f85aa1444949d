//! The text format of Prometheus, version 0.0.4: every family once, with its HELP and TYPE, in order of name.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The type of the text.
pub(super) const CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// All that is told, by family.
#[derive(Debug, Default)]
pub(super) struct Page {
    families: BTreeMap<&'static str, Family>,
}

/// Series of one name.
#[derive(Debug)]
struct Family {
    help: &'static str,
    kind: &'static str,
    series: String,
}

/// A label and its value.
pub(super) type Label<'l> = (&'static str, &'l str);

impl Page {
    /// Something that goes up and down.
    pub(super) fn gauge(&mut self, name: &'static str, help: &'static str, labels: &[Label<'_>], value: f64) {
        self.add("gauge", name, help, labels, value);
    }
    /// Something that only grows, until the array or the process begins anew. The name ends in `_total`.
    pub(super) fn counter(&mut self, name: &'static str, help: &'static str, labels: &[Label<'_>], value: f64) {
        self.add("counter", name, help, labels, value);
    }
    fn add(&mut self, kind: &'static str, name: &'static str, help: &'static str, labels: &[Label<'_>], value: f64) {
        let family = self.families.entry(name).or_insert_with(|| Family { help, kind, series: String::new() });
        family.series.push_str(name);
        for (place, (label, value)) in labels.iter().enumerate() {
            family.series.push(if place == 0 { '{' } else { ',' });
            let _ = write!(family.series, "{label}=\"{}\"", escaped(value));
        }
        if !labels.is_empty() {
            family.series.push('}');
        }
        let _ = writeln!(family.series, " {value}");
    }
    /// The whole text.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for (name, Family { help, kind, series }) in &self.families {
            let _ = write!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n{series}");
        }
        text
    }
}

/// A label's value: a backslash, a quotation mark and the end of a line are escaped.
fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
