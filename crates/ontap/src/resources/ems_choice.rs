//! What a filter of events lets pass: its rules are looked at in their order, and the first that fits decides.

use serde_json::{Value, json};

use crate::collection::View;
use crate::ems::Told;
use crate::filter::Filter;
use crate::refusal::{Outcome, Refusal};
use crate::resources::ems_filter;

/// The rules of the filter that a query names.
pub(crate) struct Choice(Vec<Value>);

impl Choice {
    /// The filter behind `filter.name`, if there is one.
    pub(crate) fn asked(view: &View<'_>) -> Outcome<Option<Choice>> {
        let Some(name) = view.query.get("filter.name").filter(|name| !name.is_empty()) else { return Ok(None) };
        let unknown = || Refusal::bad(983_143, format!("Event filter \"{name}\" does not exist.")).at("filter.name");
        ems_filter::rules(view, name).map(|rules| Some(Choice(rules))).ok_or_else(unknown)
    }
    /// Whether a message passes; of an event, its parameters count as well.
    pub(crate) fn passes(&self, name: &str, severity: &str, parameters: Option<&[Told]>) -> bool {
        let deciding = self.0.iter().find(|rule| fits(rule, name, severity, parameters));
        deciding.is_some_and(|rule| rule["type"] == "include")
    }
}

fn fits(rule: &Value, name: &str, severity: &str, parameters: Option<&[Told]>) -> bool {
    let criteria = |field: &str, value: &str| matches(&rule["message_criteria"][field], value);
    // All traps of this array follow from how bad an event is.
    let is_of_message = criteria("name_pattern", name) && criteria("severities", severity) && criteria("snmp_trap_types", "severity_based");
    let wanted = rule["parameter_criteria"].as_array().map_or(&[][..], Vec::as_slice);
    let has = |wanted: &Value, parameters: &[Told]| {
        let is_it = |(name, value): &Told| matches(&wanted["name_pattern"], name) && matches(&wanted["value_pattern"], value);
        parameters.iter().any(is_it)
    };
    is_of_message && parameters.is_none_or(|parameters| wanted.iter().all(|wanted| has(wanted, parameters)))
}

/// Whether a text is as a pattern wants it; no pattern wants nothing.
fn matches(pattern: &Value, text: &str) -> bool {
    pattern.as_str().is_none_or(|pattern| pattern == "*" || Filter::read(pattern).holds(&json!(text), &[]))
}
