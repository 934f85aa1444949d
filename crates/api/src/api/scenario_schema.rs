//! The JSON Schema of scenarios and of files for `apply`, so that editors complete and check them.

use serde_json::{Value, json};

use super::schemas::Schemas;
use crate::catalogue::{self, DriveRequest};

/// Where the document keeps its schemas, and where a schema of its own keeps them.
const PLACES: (&str, &str) = ("#/components/schemas/", "#/$defs/");

/// The schema, as text: a list of operations, or a scenario with its model and what it says about itself.
pub fn scenario_schema() -> String {
    let mut schemas = Schemas::default();
    let drives = schemas.refer::<DriveRequest>();
    let operations: Vec<_> = super::routes().iter().filter_map(|route| route.words.operation).map(|operation| operation(&mut schemas)).collect();
    schemas.take_operations(operations);
    let (named, _) = schemas.into_parts();
    let models: Vec<&str> = catalogue::models().iter().map(|model| model.name.as_str()).collect();
    let words = |description: &str| json!({"type": "string", "description": description});
    let operations = json!({
        "type": "array",
        "description": "What is done to the new array, in this order.",
        "items": {"$ref": "#/$defs/AnyOperation"}
    });
    let scenario = json!({
        "type": "object",
        "properties": {
            "name": words("Its name."),
            "title": words("What it is, in a few words."),
            "description": words("What is in it and what it is good for."),
            "source": words("Where the layout comes from."),
            "model": {"type": "string", "enum": models, "description": "The hardware model; `arrayplane models` tells more."},
            "seed": {"type": "integer", "minimum": 0, "description": "Where identifiers come from, when none is asked for."},
            "drives": drives,
            "operations": &operations
        },
        "required": ["operations"],
        "additionalProperties": false
    });
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Arrayplane scenario",
        "description": "A scenario for `arrayplane serve NAME=file:PATH`, or operations for `arrayplane apply URL FILE`.",
        "anyOf": [operations, scenario],
        "$defs": named
    });
    let mut text = format!("{:#}", moved(schema));
    text.push('\n');
    text
}

/// The same value with every reference into the document turned into one into the schema itself.
fn moved(value: Value) -> Value {
    match value {
        Value::Object(fields) => fields.into_iter().map(|(name, value)| (name, moved(value))).collect(),
        Value::Array(items) => items.into_iter().map(moved).collect(),
        Value::String(text) => match text.strip_prefix(PLACES.0) {
            Some(name) => Value::String(format!("{}{name}", PLACES.1)),
            None => Value::String(text),
        },
        other => other,
    }
}
