//! Values with their sources, and the two ways to look at a document full of them: as a list of facts, or as bare values.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// A value and where it comes from; `assumption` when no source gives it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Sourced<T> {
    /// The value.
    pub value: T,
    /// Where it comes from.
    pub source: String,
    /// Why the source may be wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doubt: Option<String>,
    /// What else is to be said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// One entry of a fixture with its source.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Fact {
    /// Where it stands in the fixture (`rules.limits.volumes`, `enclosures.0.bays`).
    #[schema(example = "rules.limits.volumes")]
    pub item: String,
    /// The value, as written in the fixture.
    pub value: Value,
    /// Where it comes from; `assumption` when no source gives it.
    pub source: String,
    /// Why the source may be wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doubt: Option<String>,
    /// What else is to be said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// The words that speak about a value.
const ABOUT: [&str; 3] = ["source", "doubt", "note"];

/// Everything in a document that has a source, in the document's order.
pub(super) fn facts(document: &Value) -> Vec<Fact> {
    let mut found = Vec::new();
    collect(document, String::new(), &mut found);
    found
}

fn collect(part: &Value, item: String, found: &mut Vec<Fact>) {
    let under = |key: &str| if item.is_empty() { key.to_owned() } else { format!("{item}.{key}") };
    match part {
        Value::Object(entries) => {
            if let Some(fact) = fact(entries, &item) {
                found.push(fact);
            } else {
                entries.iter().for_each(|(key, inner)| collect(inner, under(key), found));
            }
        }
        Value::Array(items) => items.iter().enumerate().for_each(|(index, inner)| collect(inner, under(&index.to_string()), found)),
        _ => {}
    }
}

fn fact(entries: &Map<String, Value>, item: &str) -> Option<Fact> {
    let text = |key: &str| entries.get(key).and_then(Value::as_str).map(str::to_owned);
    let (item, source) = (item.to_owned(), text("source")?);
    Some(Fact { item, value: bare(&Value::Object(entries.clone())), source, doubt: text("doubt"), note: text("note") })
}

/// The document without its sources: `{value, source, ..}` becomes the value, other entries lose what is said about them.
pub(super) fn bare(document: &Value) -> Value {
    match document {
        Value::Object(entries) if entries.contains_key("source") && entries.contains_key("value") => bare(&entries["value"]),
        Value::Object(entries) => {
            let sourced = entries.contains_key("source");
            let kept = entries.iter().filter(|(key, _)| !(sourced && ABOUT.contains(&key.as_str())));
            Value::Object(kept.map(|(key, inner)| (key.clone(), bare(inner))).collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(bare).collect()),
        other => other.clone(),
    }
}

/// Lays a patch over a document: entries replace entries, groups of entries are merged.
pub(super) fn lay_over(document: &mut Value, patch: &Value) {
    match (document, patch) {
        (Value::Object(entries), Value::Object(changes)) if !changes.contains_key("source") => {
            for (key, change) in changes {
                lay_over(entries.entry(key.clone()).or_insert(Value::Null), change);
            }
        }
        (document, patch) => *document = patch.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{bare, facts, lay_over};

    #[test]
    fn facts_carry_place_value_and_source() {
        let document =
            json!({"name": "x", "limits": {"volumes": {"value": 8, "source": "s", "doubt": "d"}}, "drives": [{"count": 2, "source": "t", "note": "n"}]});
        let found = facts(&document);
        let seen: Vec<_> = found.iter().map(|fact| (fact.item.as_str(), &fact.value, fact.source.as_str())).collect();
        assert_eq!(seen, [("limits.volumes", &json!(8), "s"), ("drives.0", &json!({"count": 2}), "t")]);
        assert_eq!((found[0].doubt.as_deref(), found[1].note.as_deref()), (Some("d"), Some("n")));
        assert_eq!(bare(&document), json!({"name": "x", "limits": {"volumes": 8}, "drives": [{"count": 2}]}));
    }

    #[test]
    fn a_patch_replaces_whole_entries_and_leaves_their_neighbours() {
        let mut document = json!({"a": {"value": 1, "source": "old", "note": "n"}, "limits": {"b": {"value": 2, "source": "s"}}});
        lay_over(&mut document, &json!({"a": {"value": 3, "source": "new"}, "limits": {"c": null}}));
        assert_eq!(document, json!({"a": {"value": 3, "source": "new"}, "limits": {"b": {"value": 2, "source": "s"}, "c": null}}));
    }
}
