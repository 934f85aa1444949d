//! The tests that a list's filters are made of: `x`, `a|b`, `!x`, `>5`, `<=5`, `a..b`, `*wild*`, `null`, `"as it is"`.

use std::cmp::Ordering;

use jiff::Timestamp;
use serde_json::Value;

use super::pick::FieldPath;
use super::problem::{INVALID_PARAMETER, Problem};
use super::shape::Kind;
use crate::units::Bytes;

/// A value of a field, in the order by which lists are sorted.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Scalar {
    /// Nothing.
    Null,
    /// True or false.
    Truth(bool),
    /// A whole number.
    Whole(i128),
    /// Any number.
    Number(f64),
    /// An instant in nanoseconds since 1970.
    Time(i128),
    /// Text.
    Text(String),
}

impl Scalar {
    /// A field's value.
    pub(super) fn of(value: &Value, kind: Kind) -> Scalar {
        match (value, kind) {
            (Value::Bool(truth), _) => Scalar::Truth(*truth),
            (Value::Number(number), _) => {
                let whole = number.as_u64().map(i128::from).or_else(|| number.as_i64().map(i128::from));
                whole.map_or_else(|| Scalar::Number(number.as_f64().unwrap_or_default()), Scalar::Whole)
            }
            (Value::String(text), Kind::Time) => text.parse::<Timestamp>().map_or_else(|_| Scalar::Text(text.clone()), |at| Scalar::Time(at.as_nanosecond())),
            (Value::String(text), _) => Scalar::Text(text.clone()),
            (Value::Null | Value::Array(_) | Value::Object(_), _) => Scalar::Null,
        }
    }
    /// What a filter's text stands for.
    fn read(text: &str, kind: Kind) -> Option<Scalar> {
        match kind {
            Kind::Text => Some(Scalar::Text(text.to_owned())),
            Kind::Truth => text.parse().ok().map(Scalar::Truth),
            Kind::Time => text.parse::<Timestamp>().ok().map(|at| Scalar::Time(at.as_nanosecond())),
            Kind::Number => {
                let size = || text.parse::<Bytes>().ok().map(|size| Scalar::Whole(i128::from(size.get())));
                let number = || text.parse::<f64>().ok().filter(|number| number.is_finite()).map(Scalar::Number);
                text.parse().ok().map(Scalar::Whole).or_else(size).or_else(number)
            }
        }
    }
    fn rank(&self) -> u8 {
        match self {
            Scalar::Null => 0,
            Scalar::Truth(_) => 1,
            Scalar::Whole(_) | Scalar::Number(_) => 2,
            Scalar::Time(_) => 3,
            Scalar::Text(_) => 4,
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "only a comparison with a number that is not whole")]
    fn number(&self) -> f64 {
        match self {
            Scalar::Whole(whole) => *whole as f64,
            Scalar::Number(number) => *number,
            _ => 0.0,
        }
    }
    /// Which comes first; nothing comes before everything.
    pub(super) fn order(&self, other: &Scalar) -> Ordering {
        match (self, other) {
            (Scalar::Truth(a), Scalar::Truth(b)) => a.cmp(b),
            (Scalar::Whole(a), Scalar::Whole(b)) | (Scalar::Time(a), Scalar::Time(b)) => a.cmp(b),
            (Scalar::Text(a), Scalar::Text(b)) => a.cmp(b),
            (a, b) if a.rank() == 2 && b.rank() == 2 => a.number().total_cmp(&b.number()),
            (a, b) => a.rank().cmp(&b.rank()),
        }
    }
}

/// What a filter asks of a value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Test {
    /// It is exactly this.
    Is(Scalar),
    /// It is nothing.
    Null,
    /// It compares to this in one of these ways.
    Compares(&'static [Ordering], Scalar),
    /// It lies between these, both included.
    Between(Scalar, Scalar),
    /// It looks like this, `*` standing for any text.
    Like(Vec<String>),
    /// It passes one of these.
    Any(Vec<Test>),
    /// It does not pass.
    Not(Box<Test>),
}

const COMPARISONS: [(&str, &[Ordering]); 4] =
    [(">=", &[Ordering::Greater, Ordering::Equal]), ("<=", &[Ordering::Less, Ordering::Equal]), (">", &[Ordering::Greater]), ("<", &[Ordering::Less])];

impl Test {
    /// Reads a filter's text.
    pub(super) fn read(field: &str, text: &str, kind: Kind) -> Result<Test, Problem> {
        let literal = |text: &str| Scalar::read(text, kind).ok_or_else(|| unreadable(field, text, kind));
        if let Some(quoted) = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
            return literal(quoted).map(Test::Is);
        }
        if let Some(rest) = text.strip_prefix('!') {
            return Ok(Test::Not(Box::new(Test::read(field, rest, kind)?)));
        }
        if text.contains('|') {
            return text.split('|').map(|one| Test::read(field, one, kind)).collect::<Result<_, _>>().map(Test::Any);
        }
        for (sign, orders) in COMPARISONS {
            if let Some(rest) = text.strip_prefix(sign) {
                return literal(rest).map(|than| Test::Compares(orders, than));
            }
        }
        match text.split_once("..") {
            _ if text == "null" => Ok(Test::Null),
            Some((least, most)) => Ok(Test::Between(literal(least)?, literal(most)?)),
            None if kind == Kind::Text && text.contains('*') => Ok(Test::Like(text.split('*').map(str::to_owned).collect())),
            None => literal(text).map(Test::Is),
        }
    }
    /// Whether the values that a path leads to pass: any of them, or with `!` none of them. `top` is the value at its first part.
    pub(super) fn passes(&self, path: &FieldPath, top: &Value, kind: Kind) -> bool {
        match self {
            Test::Not(test) => !test.passes(path, top, kind),
            Test::Any(tests) => tests.iter().any(|test| test.passes(path, top, kind)),
            test => path.any(top, &mut |value| test.holds(&Scalar::of(value, kind))),
        }
    }
    fn holds(&self, value: &Scalar) -> bool {
        let found = |order: Ordering, orders: &[Ordering]| *value != Scalar::Null && orders.contains(&order);
        match self {
            Test::Is(wanted) => value.order(wanted).is_eq(),
            Test::Null => *value == Scalar::Null || *value == Scalar::Text("null".to_owned()),
            Test::Compares(orders, than) => found(value.order(than), orders),
            Test::Between(least, most) => *value != Scalar::Null && value.order(least).is_ge() && value.order(most).is_le(),
            Test::Like(parts) => matches!(value, Scalar::Text(text) if looks_like(text, parts)),
            Test::Any(_) | Test::Not(_) => false,
        }
    }
}

fn unreadable(field: &str, text: &str, kind: Kind) -> Problem {
    let form = match kind {
        Kind::Number => "a number (sizes also with a unit, such as 4TB)",
        Kind::Truth => "true or false",
        Kind::Time => "an RFC 3339 time, such as 2026-01-01T00:00:00Z",
        Kind::Text => "text",
    };
    Problem::new(INVALID_PARAMETER, format!("{field}: '{text}' is not {form}")).field(field).value(text).cure(format!("give {form}"))
}

/// Whether text consists of these parts with anything between them.
fn looks_like(text: &str, parts: &[String]) -> bool {
    let [first, middle @ .., last] = parts else { return parts.first().is_some_and(|only| only == text) };
    let Some(mut rest) = text.strip_prefix(first.as_str()).and_then(|rest| rest.strip_suffix(last.as_str())) else { return false };
    for part in middle {
        let Some(at) = rest.find(part.as_str()) else { return false };
        rest = &rest[at + part.len()..];
    }
    true
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn passes(text: &str, kind: Kind, value: &Value) -> bool {
        let test = Test::read("field", text, kind).expect(text);
        test.passes(&FieldPath::new("field"), value, kind)
    }

    #[test]
    fn every_form_of_a_filter_tells_values_apart() {
        let table = [
            (Kind::Text, "V1", json!("V1"), json!("V2")),
            (Kind::Text, "!V1", json!("V2"), json!("V1")),
            (Kind::Text, "V1|V2", json!("V2"), json!("V3")),
            (Kind::Text, "!V1|V2", json!("V3"), json!("V2")),
            (Kind::Text, "*-db-*", json!("eu-db-7"), json!("eu-web-7")),
            (Kind::Text, "a*a", json!("aba"), json!("a")),
            (Kind::Text, "\"a*|b\"", json!("a*|b"), json!("ax")),
            (Kind::Text, "a..c", json!("b"), json!("d")),
            (Kind::Text, "null", json!(null), json!("P0")),
            (Kind::Text, "!null", json!("P0"), json!(null)),
            (Kind::Text, "V1", json!(["V0", "V1"]), json!(["V0"])),
            (Kind::Text, "!V1", json!(["V0"]), json!(["V0", "V1"])),
            (Kind::Text, "null", json!([]), json!(["V0"])),
            (Kind::Number, ">5", json!(6), json!(5)),
            (Kind::Number, ">=5", json!(5), json!(4)),
            (Kind::Number, "<5", json!(4.5), json!(5)),
            (Kind::Number, "<=5", json!(5), json!(null)),
            (Kind::Number, "1..2.5", json!(2.5), json!(3)),
            (Kind::Number, ">=4TB", json!(4_000_000_000_000u64), json!(3_999_999_999_999u64)),
            (Kind::Truth, "true", json!(true), json!(false)),
            (Kind::Time, ">2026-01-01T00:00:01Z", json!("2026-01-01T00:00:01.5Z"), json!("2026-01-01T00:00:01Z")),
        ];
        for (kind, text, right, wrong) in table {
            assert!(passes(text, kind, &right), "{text} {right}");
            assert!(!passes(text, kind, &wrong), "{text} {wrong}");
        }
    }

    #[test]
    fn a_filter_that_does_not_fit_the_field_is_refused() {
        for (kind, text) in [(Kind::Number, "many"), (Kind::Number, ""), (Kind::Truth, "yes"), (Kind::Time, "yesterday"), (Kind::Number, "1..x")] {
            assert!(Test::read("field", text, kind).is_err(), "{text}");
        }
    }
}
