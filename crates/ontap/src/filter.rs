//! What a query says about a field: `lun1`, `vol*`, `!offline`, `>=10GB`, `1..5`, `a|b`, `null`.

use std::cmp::Ordering;

use jiff::Timestamp;
use serde_json::Value;

use crate::query::truth;
use crate::schema::{Field, Kind};

/// A condition on the values of a field.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Filter {
    /// None of the values is so.
    Not(Box<Filter>),
    /// One of these holds.
    Any(Vec<Filter>),
    /// There is no value.
    Null,
    /// Equal, text without regard to case.
    Is(String),
    /// Text with `*` in it.
    Like(Vec<String>),
    /// Greater or less than.
    Compare(Ordering, bool, String),
    /// From and to, both included.
    Between(String, String),
}

impl Filter {
    /// Reads what stands behind the equals sign.
    pub(crate) fn read(text: &str) -> Filter {
        if let Some(rest) = text.strip_prefix('!') {
            return Filter::Not(Box::new(Filter::read(rest)));
        }
        let parts = alternatives(text);
        if parts.len() == 1 { one(&parts[0]) } else { Filter::Any(parts.iter().map(|part| one(part)).collect()) }
    }
    /// The value that it asks for, if it asks for exactly one.
    pub(crate) fn exact(&self) -> Option<&str> {
        if let Filter::Is(text) = self { Some(text) } else { None }
    }
    /// The values that it asks for, if it asks for these and nothing else.
    pub(crate) fn exacts(&self) -> Option<Vec<&str>> {
        match self {
            Filter::Is(text) => Some(vec![text]),
            Filter::Any(filters) => filters.iter().map(Filter::exact).collect(),
            _ => None,
        }
    }
    /// A value that it asks for although a field of that sort never has it.
    pub(crate) fn impossible(&self, field: &Field) -> Option<&str> {
        let is_possible = |text: &str| matches!(text, "" | "-") || can_be(field, text);
        match self {
            Filter::Not(inner) => inner.impossible(field),
            Filter::Any(filters) => filters.iter().find_map(|filter| filter.impossible(field)),
            Filter::Is(text) => Some(text.as_str()).filter(|text| !is_possible(text) || !is_word(field, text)),
            Filter::Compare(_, _, text) => Some(text.as_str()).filter(|text| !is_possible(text)),
            Filter::Between(from, to) => [from, to].into_iter().map(String::as_str).find(|text| !is_possible(text)),
            Filter::Null | Filter::Like(_) => None,
        }
    }
    /// Whether it asks only whether there is something.
    pub(crate) fn is_about_presence(&self) -> bool {
        match self {
            Filter::Null => true,
            Filter::Not(inner) => inner.is_about_presence(),
            _ => false,
        }
    }
    /// Whether a record fulfils it at a path; lists are passed through, and one element is enough.
    pub(crate) fn holds(&self, record: &Value, path: &[&str]) -> bool {
        match self {
            Filter::Not(inner) => !inner.holds(record, path),
            Filter::Null => !any(record, path, &mut |value| !value.is_null()),
            Filter::Any(filters) => filters.iter().any(|filter| filter.holds(record, path)),
            simple => any(record, path, &mut |value| simple.fits(value)),
        }
    }
    fn fits(&self, value: &Value) -> bool {
        match self {
            Filter::Is(text) => compare(value, text) == Some(Ordering::Equal),
            Filter::Like(parts) => text_of(value).is_some_and(|value| like(&value, parts)),
            Filter::Compare(wanted, or_equal, text) => compare(value, text).is_some_and(|found| found == *wanted || (*or_equal && found == Ordering::Equal)),
            Filter::Between(from, to) => {
                compare(value, from).is_some_and(|found| found != Ordering::Less) && compare(value, to).is_some_and(|found| found != Ordering::Greater)
            }
            Filter::Not(_) | Filter::Any(_) | Filter::Null => false,
        }
    }
}

/// Whether a text can stand for a value of a field.
fn can_be(field: &Field, text: &str) -> bool {
    match field.kind {
        Kind::Int | Kind::Ints => quantity(text).is_some(),
        Kind::Float => text.parse::<f64>().is_ok(),
        Kind::Flag => truth(text).is_some(),
        _ => true,
    }
}

/// Whether a field has a word, if it has words at all. What stands in quotes for nothing is fine.
fn is_word(field: &Field, text: &str) -> bool {
    let plain = |text: &str| text.trim().to_lowercase().replace('-', "_");
    field.words.is_empty() || matches!(text.trim(), "" | "-") || field.words.iter().any(|word| plain(word) == plain(text))
}

/// Whether a test holds for one of the values at a path.
fn any(value: &Value, path: &[&str], test: &mut dyn FnMut(&Value) -> bool) -> bool {
    match (value, path.split_first()) {
        (Value::Array(items), _) => items.iter().any(|item| any(item, path, test)),
        (_, None) => test(value),
        (Value::Object(fields), Some((first, rest))) => {
            let found = fields.get(*first).or_else(|| if first.contains('-') { fields.get(&first.replace('-', "_")) } else { None });
            found.is_some_and(|inner| any(inner, rest, test))
        }
        _ => false,
    }
}

/// Cuts at `|` and `,` that do not stand in quotes or braces.
fn alternatives(text: &str) -> Vec<String> {
    let (mut parts, mut part, mut quoted, mut depth) = (Vec::new(), String::new(), false, 0_u32);
    for character in text.chars() {
        match character {
            '"' => quoted = !quoted,
            '{' if !quoted => depth += 1,
            '}' if !quoted => depth = depth.saturating_sub(1),
            '|' | ',' if !quoted && depth == 0 => {
                parts.push(std::mem::take(&mut part).trim().to_owned());
                continue;
            }
            _ => {}
        }
        part.push(character);
    }
    parts.push(part.trim().to_owned());
    if parts.len() > 1 {
        parts.retain(|part| !part.is_empty());
    }
    parts
}

fn one(text: &str) -> Filter {
    let literal = |open: char, close: char| text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
    if let Some(literal) = literal('"', '"').or_else(|| literal('{', '}')) {
        return Filter::Is(literal.to_owned());
    }
    if let Some(rest) = text.strip_prefix('!') {
        return Filter::Not(Box::new(one(rest)));
    }
    for (sign, ordering, or_equal) in
        [("<=", Ordering::Less, true), (">=", Ordering::Greater, true), ("<", Ordering::Less, false), (">", Ordering::Greater, false)]
    {
        if let Some(rest) = text.strip_prefix(sign) {
            return Filter::Compare(ordering, or_equal, rest.to_owned());
        }
    }
    if let Some((from, to)) = text.split_once("..").filter(|(from, to)| !from.is_empty() && !to.is_empty()) {
        return Filter::Between(from.to_owned(), to.to_owned());
    }
    if text == "null" {
        return Filter::Null;
    }
    if text.contains('*') {
        return Filter::Like(text.to_lowercase().split('*').map(str::to_owned).collect());
    }
    Filter::Is(text.to_owned())
}

fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}

/// How a value stands to what a query says.
pub(crate) fn compare(value: &Value, text: &str) -> Option<Ordering> {
    match value {
        Value::Number(number) => match (number.as_i64(), quantity(text)) {
            (Some(number), Some(wanted)) => Some(i128::from(number).cmp(&wanted)),
            _ => number.as_f64()?.partial_cmp(&text.parse::<f64>().ok()?),
        },
        Value::Bool(flag) => Some(flag.cmp(&truth(text)?)),
        Value::String(value) => {
            if value.eq_ignore_ascii_case(text) {
                return Some(Ordering::Equal);
            }
            if let (Ok(value), Ok(wanted)) = (value.parse::<Timestamp>(), text.parse::<Timestamp>()) {
                return Some(value.cmp(&wanted));
            }
            if let (Ok(value), Ok(seconds)) = (value.parse::<Timestamp>(), text.parse::<i64>()) {
                return Some(value.as_second().cmp(&seconds));
            }
            Some(value.to_lowercase().cmp(&text.to_lowercase()))
        }
        _ => None,
    }
}

/// A whole number, with a unit of 1024 or without.
pub(crate) fn quantity(text: &str) -> Option<i128> {
    let text = text.trim();
    let digits = text.find(|c: char| !(c.is_ascii_digit() || c == '-')).unwrap_or(text.len());
    let number: i128 = text[..digits].parse().ok()?;
    let power = match text[digits..].to_ascii_uppercase().as_str() {
        "" | "B" => 0,
        "KB" | "K" => 1,
        "MB" | "M" => 2,
        "GB" | "G" => 3,
        "TB" | "T" => 4,
        "PB" | "P" => 5,
        _ => return None,
    };
    number.checked_mul(1024_i128.pow(power))
}

/// Whether a text consists of these parts with anything between them.
fn like(text: &str, parts: &[String]) -> bool {
    let text = text.to_lowercase();
    let [first, middle @ .., last] = parts else { return parts.first().is_some_and(|only| *only == text) };
    let Some(mut rest) = text.strip_prefix(first.as_str()) else { return false };
    for part in middle {
        match rest.find(part.as_str()) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.len() >= last.len() && rest.ends_with(last.as_str())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn holds(filter: &str, value: Value) -> bool {
        Filter::read(filter).holds(&json!({"f": value}), &["f"])
    }

    #[test]
    fn all_operators_are_understood() {
        for (filter, value, expected) in [
            ("vol1", json!("VOL1"), true),
            ("vol*", json!("vol1"), true),
            ("*lif1", json!("iscsi_lif1"), true),
            ("v*1*", json!("vol1"), true),
            ("*", json!("anything"), true),
            ("a|b", json!("b"), true),
            ("a,b", json!("c"), false),
            ("compliant, noncompliant", json!("noncompliant"), true),
            ("!unassigned", json!("spare"), true),
            ("!a|b", json!("b"), false),
            ("!\"\"", json!(""), false),
            ("!\" \"|\"\"", json!("ssd"), true),
            (">=1GB", json!(1_073_741_824), true),
            ("<10", json!(10), false),
            ("1..5", json!(5), true),
            ("true", json!(true), true),
            ("!true", json!(false), true),
            ("\"a|b\"", json!("a|b"), true),
            ("{a*}", json!("a*"), true),
            (">=2026-01-01T00:00:00Z", json!("2026-01-01T01:00:00+00:00"), true),
            (">=1767229200", json!("2026-01-01T01:00:00+00:00"), true),
            (">1767229200", json!("2026-01-01T01:00:00+00:00"), false),
            ("data_iscsi", json!(["data_core", "data_iscsi"]), true),
        ] {
            assert_eq!(holds(filter, value.clone()), expected, "{filter} on {value}");
        }
        assert!(Filter::read("null").holds(&json!({}), &["f"]) && !holds("null", json!(1)));
        assert!(Filter::read("!null").holds(&json!({"f": [{"g": 1}]}), &["f", "g"]));
        assert!(Filter::read("x").holds(&json!({"initiators": [{"name": "y"}, {"name": "x"}]}), &["initiators", "name"]));
        assert_eq!(Filter::read("only").exact(), Some("only"));
    }
}
