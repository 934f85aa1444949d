//! A reader of the document and a judge of JSON by the part of JSON Schema that the document uses. A keyword that it does not know
//! is a failure, so that nothing passes unjudged.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// The document.
pub(crate) struct Document {
    json: Value,
}

/// Keywords that say nothing about a value, or that other keywords are judged with.
const WORDS: [&str; 8] = ["description", "title", "example", "examples", "default", "required", "propertyNames", "writeOnly"];

impl Document {
    pub(crate) fn read(text: &str) -> Document {
        Document { json: serde_json::from_str(text).expect("the document is JSON") }
    }
    /// All operations: method and path template.
    pub(crate) fn operations(&self) -> BTreeSet<(String, String)> {
        let paths = self.json["paths"].as_object().expect("paths");
        paths.iter().flat_map(|(path, item)| item.as_object().into_iter().flatten().map(|(method, _)| (method.to_uppercase(), path.clone()))).collect()
    }
    pub(crate) fn operation(&self, method: &str, template: &str) -> &Value {
        let operation = &self.json["paths"][template][method.to_lowercase()];
        assert!(operation.is_object(), "{method} {template} is not documented");
        operation
    }
    /// The schema of an operation's body.
    pub(crate) fn body<'d>(&'d self, operation: &'d Value) -> Option<&'d Value> {
        operation.pointer("/requestBody/content/application~1json/schema").map(|schema| self.resolved(schema))
    }
    /// The schema of an answer of that status, if it has a body.
    pub(crate) fn answer<'d>(&'d self, operation: &'d Value, status: u16) -> Option<&'d Value> {
        let answer = self.resolved(&operation["responses"][status.to_string()]);
        assert!(answer.is_object(), "the status {status} is not documented in {}", operation["operationId"]);
        let kinds = if status < 400 { &["application/json", "image/svg+xml"][..] } else { &["application/problem+json"] };
        let media = |content: &'d Value| kinds.iter().find_map(|kind| content.get(*kind)).and_then(|media| media.get("schema"));
        answer.get("content").map(|content| media(content).unwrap_or_else(|| panic!("none of {kinds:?}")))
    }
    /// What a schema of its own says of the whole: one of several forms.
    pub(crate) fn either(&self) -> Value {
        serde_json::json!({"anyOf": self.json["anyOf"]})
    }
    /// A schema by its name.
    pub(crate) fn named(&self, name: &str) -> &Value {
        let schema = &self.json["components"]["schemas"][name];
        assert!(schema.is_object(), "no schema {name}");
        schema
    }
    fn resolved<'d>(&'d self, value: &'d Value) -> &'d Value {
        let Some(reference) = value.get("$ref").and_then(Value::as_str) else { return value };
        let place = reference.strip_prefix('#').and_then(|pointer| self.json.pointer(pointer));
        self.resolved(place.unwrap_or_else(|| panic!("{reference} leads nowhere")))
    }
    /// Every example beside its schema, with its place.
    pub(crate) fn examples(&self) -> Vec<(String, &Value, &Value)> {
        let mut found = Vec::new();
        collect("", &self.json, &mut found);
        found
    }
    /// What is wrong with a value, by its schema.
    pub(crate) fn objections(&self, schema: &Value, value: &Value) -> Vec<String> {
        let mut objections = Vec::new();
        self.judge("", schema, value, &mut objections);
        objections
    }
    fn judge(&self, place: &str, schema: &Value, value: &Value, objections: &mut Vec<String>) {
        let schema = schema.as_object().unwrap_or_else(|| panic!("{place}: {schema} is no schema"));
        for (keyword, rule) in schema {
            let objection = match keyword.as_str() {
                "$ref" => {
                    self.judge(place, self.resolved(&Value::Object(schema.clone())), value, objections);
                    None
                }
                "type" => (!has_type(rule, value)).then(|| format!("{value} is not of the type {rule}")),
                "enum" => (!rule.as_array().is_some_and(|known| known.contains(value))).then(|| format!("{value} is none of {rule}")),
                "format" => format_objection(rule, value),
                "minimum" => (value.as_f64() < rule.as_f64() && value.is_number()).then(|| format!("{value} is below {rule}")),
                "maximum" => (value.as_f64() > rule.as_f64() && value.is_number()).then(|| format!("{value} is above {rule}")),
                "maxProperties" => (value.as_object().map(Map::len).map(|count| count as u64) > rule.as_u64()).then(|| "it has too many fields".to_owned()),
                "items" => {
                    let items = value.as_array().into_iter().flatten().enumerate();
                    items.for_each(|(index, item)| self.judge(&format!("{place}[{index}]"), rule, item, objections));
                    None
                }
                "oneOf" | "anyOf" => self.choice_objection(keyword, rule, value),
                "properties" => {
                    self.judge_fields(place, schema, value, objections);
                    None
                }
                "additionalProperties" => {
                    self.judge_further_fields(place, schema, value, objections);
                    None
                }
                word if WORDS.contains(&word) => None,
                word => panic!("{place}: this test does not know the keyword '{word}'"),
            };
            objections.extend(objection.map(|objection| format!("{place}: {objection}")));
        }
        if let (Some(names), Some(fields)) = (schema.get("propertyNames"), value.as_object()) {
            fields.keys().for_each(|name| self.judge(&format!("{place}/{name}"), names, &Value::String(name.clone()), objections));
        }
    }
    /// Fields that are documented, needed, or unknown.
    fn judge_fields(&self, place: &str, schema: &Map<String, Value>, value: &Value, objections: &mut Vec<String>) {
        let Some(fields) = value.as_object() else { return };
        let known = schema["properties"].as_object().expect("properties are an object");
        for (name, rule) in known {
            if let Some(field) = fields.get(name) {
                self.judge(&inside(place, name), rule, field, objections);
            }
        }
        let needed = schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        objections.extend(needed.filter(|name| !fields.contains_key(*name)).map(|name| format!("{} is missing", inside(place, name))));
        if !schema.contains_key("additionalProperties") {
            objections.extend(fields.keys().filter(|name| !known.contains_key(*name)).map(|name| format!("{} is not documented", inside(place, name))));
        }
    }
    fn judge_further_fields(&self, place: &str, schema: &Map<String, Value>, value: &Value, objections: &mut Vec<String>) {
        let known = schema.get("properties").and_then(Value::as_object);
        let further = value.as_object().into_iter().flatten().filter(|(name, _)| !known.is_some_and(|known| known.contains_key(*name)));
        for (name, field) in further {
            match &schema["additionalProperties"] {
                Value::Bool(true) => {}
                Value::Bool(false) => objections.push(format!("{} must not be there", inside(place, name))),
                rule => self.judge(&inside(place, name), rule, field, objections),
            }
        }
    }
    fn choice_objection(&self, keyword: &str, rule: &Value, value: &Value) -> Option<String> {
        let judged: Vec<Vec<String>> = rule.as_array().expect("a choice is a list").iter().map(|one| self.objections(one, value)).collect();
        let fitting = judged.iter().filter(|objections| objections.is_empty()).count();
        let fits = if keyword == "oneOf" { fitting == 1 } else { fitting > 0 };
        (!fits).then(|| format!("{fitting} of {} forms fit: {judged:?}", judged.len()))
    }
}

fn inside(place: &str, name: &str) -> String {
    if place.is_empty() { name.to_owned() } else { format!("{place}.{name}") }
}

fn has_type(rule: &Value, value: &Value) -> bool {
    let is = |name: &str| match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("this test does not know the type '{other}'"),
    };
    match rule {
        Value::String(name) => is(name),
        Value::Array(names) => names.iter().filter_map(Value::as_str).any(is),
        other => panic!("{other} is no type"),
    }
}

fn format_objection(rule: &Value, value: &Value) -> Option<String> {
    let text = value.as_str();
    let fits = match rule.as_str() {
        Some("uuid") => text.is_none_or(|text| text.len() == 36 && text.split('-').map(str::len).eq([8, 4, 4, 4, 12])),
        Some("date-time") => text.is_none_or(|text| text.parse::<jiff::Timestamp>().is_ok() && text.ends_with('Z')),
        Some("password") => text.is_some() || value.is_null(),
        Some("int32" | "int64" | "double" | "float") => text.is_none(),
        other => panic!("this test does not know the format {other:?}"),
    };
    (!fits).then(|| format!("{value} has not the format {rule}"))
}

fn collect<'d>(place: &str, value: &'d Value, found: &mut Vec<(String, &'d Value, &'d Value)>) {
    if let Value::Array(items) = value {
        items.iter().enumerate().for_each(|(index, item)| collect(&format!("{place}/{index}"), item, found));
    }
    let Value::Object(fields) = value else { return };
    let is_schema = ["type", "$ref", "oneOf", "anyOf"].iter().any(|keyword| fields.contains_key(*keyword));
    for (name, field) in fields {
        match (name.as_str(), field) {
            ("example", example) if is_schema => found.push((place.to_owned(), value, example)),
            ("examples", Value::Array(examples)) if is_schema => found.extend(examples.iter().map(|example| (place.to_owned(), value, example))),
            _ => collect(&format!("{place}/{name}"), field, found),
        }
    }
}
