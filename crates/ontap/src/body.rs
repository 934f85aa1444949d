//! What a client sends: dotted keys are put in order, texts become the numbers they stand for, names become references, and what the
//! resource does not have is refused.

use serde_json::{Map, Value, json};

use crate::filter::quantity;
use crate::query::truth;
use crate::refusal::{Outcome, Refusal};
use crate::rules::Rule;
use crate::schema::{Field, Fields, Kind};

/// The object that a client describes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Body(pub(crate) Value);

/// An object that a client refers to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) uuid: Option<String>,
    pub(crate) name: Option<String>,
}

/// What may be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// A new object.
    Create,
    /// Changes of one.
    Change,
}

/// Reads the text of a body; an empty one says nothing.
pub(crate) fn parse(bytes: &[u8]) -> Outcome<Value> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Ok(json!({}));
    }
    let value: Value = serde_json::from_slice(bytes).map_err(|error| Refusal::bad(262_199, format!("The body of the request is not valid JSON: {error}.")))?;
    if !value.is_object() {
        return Err(Refusal::bad(262_201, "The body of the request must be a JSON object."));
    }
    Ok(expanded(value))
}

/// Turns dotted keys into objects, everywhere.
fn expanded(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let mut all = Map::new();
            for (name, inner) in fields {
                let mut inner = expanded(inner);
                let mut names: Vec<&str> = name.split('.').collect();
                let first = names.remove(0).to_owned();
                for name in names.into_iter().rev() {
                    inner = json!({name: inner});
                }
                merge(all.entry(first).or_insert(Value::Null), inner);
            }
            Value::Object(all)
        }
        Value::Array(items) => Value::Array(items.into_iter().map(expanded).collect()),
        other => other,
    }
}

fn merge(into: &mut Value, from: Value) {
    match (into, from) {
        (Value::Object(into), Value::Object(from)) => {
            for (name, value) in from {
                merge(into.entry(name).or_insert(Value::Null), value);
            }
        }
        (into, from) => *into = from,
    }
}

impl Body {
    /// Checks an object against the fields of its resource.
    pub(crate) fn read(value: Value, fields: &Fields, purpose: Purpose) -> Outcome<Body> {
        fitted(value, fields, "", purpose, false).map(Body)
    }
    /// What stands at a dotted path; `null` is nothing.
    pub(crate) fn get(&self, path: &str) -> Option<&Value> {
        path.split('.').try_fold(&self.0, |value, name| value.get(name)).filter(|value| !value.is_null())
    }
    /// Whether something stands there, be it `null`.
    pub(crate) fn has(&self, path: &str) -> bool {
        path.split('.').try_fold(&self.0, |value, name| value.get(name)).is_some()
    }
    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        self.get(path)?.as_str()
    }
    pub(crate) fn required(&self, path: &str) -> Outcome<&str> {
        self.text(path).filter(|text| !text.is_empty()).ok_or_else(|| Refusal::required(path))
    }
    pub(crate) fn number(&self, path: &str) -> Option<u64> {
        self.get(path)?.as_u64()
    }
    pub(crate) fn flag(&self, path: &str) -> Option<bool> {
        self.get(path)?.as_bool()
    }
    pub(crate) fn list(&self, path: &str) -> Option<&[Value]> {
        self.get(path)?.as_array().map(Vec::as_slice)
    }
    /// The objects of a list.
    pub(crate) fn bodies(&self, path: &str) -> Option<Vec<Body>> {
        self.list(path).map(|items| items.iter().cloned().map(Body).collect())
    }
    /// The texts of a list, or the names of its objects.
    pub(crate) fn texts(&self, path: &str) -> Option<Vec<String>> {
        let text = |item: &Value| item.as_str().or_else(|| item.get("name")?.as_str()).or_else(|| item.get("uuid")?.as_str()).map(str::to_owned);
        self.list(path).map(|items| items.iter().filter_map(text).collect())
    }
    /// The object that is referred to.
    pub(crate) fn named(&self, path: &str) -> Option<Named> {
        let inner = |name: &str| self.text(&format!("{path}.{name}")).filter(|text| !text.is_empty()).map(str::to_owned);
        let named = Named { uuid: inner("uuid"), name: inner("name") };
        (named != Named::default()).then_some(named)
    }
    /// The names of the fields that are set, at the top.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.as_object().into_iter().flat_map(|fields| fields.keys().map(String::as_str))
    }
}

impl Named {
    /// What it is called in words.
    pub(crate) fn shown(&self) -> &str {
        self.name.as_deref().or(self.uuid.as_deref()).unwrap_or_default()
    }
}

fn joined(above: &str, name: &str) -> String {
    if above.is_empty() { name.to_owned() } else { format!("{above}.{name}") }
}

/// An object with every value as its field wants it.
fn fitted(value: Value, fields: &Fields, above: &str, purpose: Purpose, inside: bool) -> Outcome<Value> {
    let Value::Object(given) = value else { return Ok(value) };
    let mut all = Map::new();
    for (name, value) in given {
        let path = joined(above, &name);
        if name == "_links" || (name == "records" && above.is_empty()) {
            continue;
        }
        let Some(field) = fields.get(&name) else { return Err(Refusal::unexpected(&path)) };
        // Clients send the keys of what they change, too.
        let refers = matches!(name.as_str(), "uuid" | "name") && purpose == Purpose::Change && above.is_empty();
        if field.read_only && !inside && !refers {
            return Err(Refusal::not_here(&path, purpose));
        }
        let name = if fields.iter().any(|(known, _)| known == name) { name } else { name.replace('-', "_") };
        all.insert(name, fit(value, field, &path, purpose)?);
    }
    Ok(Value::Object(all))
}

/// One value as its field wants it, if it may be.
fn fit(value: Value, field: &Field, path: &str, purpose: Purpose) -> Outcome<Value> {
    let value = read_as(value, field, path, purpose)?;
    field.rules.iter().try_for_each(|rule| rule.allows(path, &value, purpose)).map(|()| value)
}

/// One value of the kind of its field.
fn read_as(value: Value, field: &Field, path: &str, purpose: Purpose) -> Outcome<Value> {
    let wrong = |value: &Value, expected: &str| Err(Refusal::bad_value(path, value, expected));
    match (field.kind, value) {
        (_, Value::Null) => Ok(Value::Null),
        (Kind::Object, value @ Value::Object(_)) => fitted(value, &field.inner, path, purpose, field.inner.get("uuid").is_some()),
        (Kind::Object, Value::String(name)) if field.inner.get("name").is_some() => Ok(json!({"name": name})),
        (Kind::Objects, Value::Array(items)) => {
            let each = items.into_iter().map(|item| match item {
                Value::String(name) => Ok(json!({"name": name})),
                item => fitted(item, &field.inner, path, purpose, true),
            });
            each.collect::<Outcome<Vec<Value>>>().map(Value::Array)
        }
        (Kind::Objects, item @ Value::Object(_)) => {
            let each = spread(item, &field.inner).into_iter().map(|item| fitted(item, &field.inner, path, purpose, true));
            each.collect::<Outcome<Vec<Value>>>().map(Value::Array)
        }
        (Kind::Objects, Value::String(names)) => {
            Ok(names.split(',').map(str::trim).filter(|name| !name.is_empty()).map(|name| json!({"name": name})).collect())
        }
        (Kind::Texts, Value::Array(items)) => items.into_iter().map(|item| each_text(item, field, path)).collect::<Outcome<Vec<Value>>>().map(Value::Array),
        (Kind::Texts, Value::String(items)) => Ok(items.split(',').map(str::trim).filter(|item| !item.is_empty()).map(|item| json!(item)).collect()),
        (Kind::Ints, Value::Array(items)) => Ok(Value::Array(
            items.into_iter().map(|item| item.as_str().and_then(|text| text.parse::<i64>().ok()).map_or(item, |number| json!(number))).collect(),
        )),
        (Kind::Ints, Value::Number(number)) => Ok(json!([number])),
        (Kind::Int, Value::Number(number)) => in_range(whole(&number), field, path, &Value::Number(number)),
        (Kind::Int, Value::String(text)) => in_range(text.parse().ok().or_else(|| quantity(&text)), field, path, &Value::String(text)),
        (Kind::Float, Value::String(text)) => text.parse::<f64>().map_or_else(|_| wrong(&json!(text), "a number"), |number| Ok(json!(number))),
        (Kind::Float, value @ Value::Number(_)) => Ok(value),
        (Kind::Flag, value @ Value::Bool(_)) => Ok(value),
        (Kind::Flag, Value::String(text)) => truth(&text).map_or_else(|| wrong(&json!(text), "true or false"), |flag| Ok(json!(flag))),
        (Kind::Text, Value::String(text)) => worded(text, field, path),
        (Kind::Text, Value::Number(number)) => worded(number.to_string(), field, path),
        (Kind::Text, Value::Bool(flag)) => worded(flag.to_string(), field, path),
        (Kind::Time, Value::String(text)) if is_time(&text) => Ok(json!(text)),
        (kind, value) => wrong(&value, kind.described()),
    }
}

/// The objects that one object with lists in it stands for, as dotted keys write them: `"aggregates.name": ["a", "b"]`.
fn spread(item: Value, fields: &Fields) -> Vec<Value> {
    let is_many = |(name, value): (&String, &Value)| {
        let takes_one = fields.get(name).is_some_and(|field| !matches!(field.kind, Kind::Objects | Kind::Texts | Kind::Ints));
        value.as_array().filter(|_| takes_one).map(Vec::len)
    };
    let Some(count) = item.as_object().and_then(|all| all.iter().filter_map(is_many).max()) else { return vec![item] };
    let Value::Object(all) = item else { return Vec::new() };
    let part = |index: usize| {
        let each = all.iter().filter_map(|(name, value)| match is_many((name, value)) {
            Some(_) => Some((name.clone(), value.get(index)?.clone())),
            None => Some((name.clone(), value.clone())),
        });
        Value::Object(each.collect())
    };
    (0..count).map(part).collect()
}

/// A number without a fraction, however large.
fn whole(number: &serde_json::Number) -> Option<i128> {
    number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from))
}

/// An instant, or nothing.
fn is_time(text: &str) -> bool {
    text.is_empty() || text.parse::<jiff::Timestamp>().is_ok()
}

fn in_range(number: Option<i128>, field: &Field, path: &str, value: &Value) -> Outcome<Value> {
    let Some(number) = number else { return Err(Refusal::bad_value(path, value, "a whole number")) };
    // A rule has numbers of its own for what is too small and too large.
    if field.rules.iter().any(|rule| matches!(rule, Rule::Range(..))) {
        return Ok(json!(i64::try_from(number).unwrap_or(if number < 0 { i64::MIN } else { i64::MAX })));
    }
    let (least, most) = (field.least.unwrap_or(0), field.most.unwrap_or(i64::MAX));
    match i64::try_from(number) {
        Ok(number) if (least..=most).contains(&number) => Ok(json!(number)),
        _ => Err(Refusal::bad_value(path, value, &format!("a number from {least} to {most}"))),
    }
}

fn each_text(item: Value, field: &Field, path: &str) -> Outcome<Value> {
    match item {
        Value::String(text) => worded(text, field, path),
        other => Ok(other),
    }
}

/// A text of a length that the field takes, or the word that is meant.
fn worded(text: String, field: &Field, path: &str) -> Outcome<Value> {
    if text.is_empty() {
        return Ok(json!(text));
    }
    if field.words.is_empty() {
        let (least, most) = (field.least.unwrap_or(0), field.most.unwrap_or(i64::MAX));
        let fits = i64::try_from(text.chars().count()).is_ok_and(|length| (least..=most).contains(&length));
        return if fits { Ok(json!(text)) } else { Err(Refusal::bad_value(path, &json!(text), &format!("a text of {least} to {most} characters"))) };
    }
    let lower = text.to_lowercase();
    match field.words.iter().find(|word| **word == text || word.to_lowercase() == lower || word.replace('_', "-") == lower) {
        Some(word) => Ok(json!(word)),
        None => Err(Refusal::no_such_word(path, &text, &field.words.join(", "))),
    }
}

impl Kind {
    /// What a value of it is called in words.
    pub(crate) const fn described(self) -> &'static str {
        match self {
            Kind::Text => "a text",
            Kind::Int => "a whole number",
            Kind::Float => "a number",
            Kind::Flag => "true or false",
            Kind::Time => "a date and time",
            Kind::Object => "an object",
            Kind::Objects => "a list of objects",
            Kind::Texts => "a list of texts",
            Kind::Ints => "a list of whole numbers",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::resource;

    fn read(path: &str, text: &str) -> Outcome<Value> {
        let value = parse(text.as_bytes())?;
        Body::read(value, &resource(path).expect("there").fields, Purpose::Create).map(|body| body.0)
    }

    #[test]
    fn dotted_keys_and_texts_are_understood() {
        let sent = r#"{"svm.name": "vs0", "svm": {"uuid": "u"}, "space.size": "1073741824", "space": {"guarantee.requested": "false"}, "name": "/vol/v/l", "os_type": "LINUX"}"#;
        let expected = json!({
            "svm": {"name": "vs0", "uuid": "u"}, "space": {"size": 1_073_741_824, "guarantee": {"requested": false}}, "name": "/vol/v/l", "os_type": "linux",
        });
        assert_eq!(read("/storage/luns", sent), Ok(expected));
        assert_eq!(
            read("/storage/luns", r#"{"space.size": "20MB", "qos_policy": "fast"}"#),
            Ok(json!({"space": {"size": 20_971_520}, "qos_policy": {"name": "fast"}}))
        );
        assert_eq!(read("/storage/luns", "").expect("nothing"), json!({}));
    }

    #[test]
    fn lists_stand_under_dotted_keys() {
        let both = r#"{"aggregates.name": ["a", "b"], "tiering.object_tags": ["x=1", "y=2"], "tiering": {"policy": "none"}}"#;
        let expected = json!({"aggregates": [{"name": "a"}, {"name": "b"}], "tiering": {"object_tags": ["x=1", "y=2"], "policy": "none"}});
        assert_eq!(read("/storage/volumes", both), Ok(expected));
        let copies = r#"{"name": "p", "copies.schedule.name": "daily", "copies.count": [5]}"#;
        assert_eq!(read("/storage/snapshot-policies", copies), Ok(json!({"name": "p", "copies": [{"schedule": {"name": "daily"}, "count": 5}]})));
    }

    #[test]
    fn what_cannot_be_is_refused_with_its_field() {
        for (sent, code, target) in [
            (r#"{"nonsense": 1}"#, 262_179, Some("nonsense")),
            (r#"{"space": {"nonsense": 1}}"#, 262_179, Some("space.nonsense")),
            (r#"{"serial_number": "abcdefghijkl"}"#, 262_196, Some("serial_number")),
            (r#"{"os_type": "amiga"}"#, 262_197, Some("os_type")),
            (r#"{"space.size": "big"}"#, 262_185, Some("space.size")),
            (r#"{"space.size": -1}"#, 5_374_124, Some("space.size")),
            (r#"{"space.size": "-1"}"#, 5_374_124, Some("space.size")),
            (r#"{"space.size": 18446744073709551615}"#, 5_374_125, Some("space.size")),
            (r#"{"location.qtree.id": -1}"#, 262_185, Some("location.qtree.id")),
            (r#"{"uuid": "x"}"#, 262_196, Some("uuid")),
            (r#"{"enabled": 3}"#, 262_185, Some("enabled")),
            ("{", 262_199, None),
            ("[]", 262_201, None),
        ] {
            let refusal = read("/storage/luns", sent).expect_err(sent);
            assert_eq!((refusal.code, refusal.target.as_deref()), (code, target), "{sent}");
        }
    }
}
