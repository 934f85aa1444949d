//! Bodies of requests: JSON objects that become operations, with every objection naming the field.

use actix_web::http::header::CONTENT_TYPE;
use actix_web::{HttpRequest, web};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use serde_path_to_error::Segment;

use super::problem::{
    BROKEN_BODY, INVALID_BODY, MALFORMED_JSON, MISSING_FIELD, PAYLOAD_TOO_LARGE, Problem, UNKNOWN_FIELD, UNKNOWN_OPERATION, UNSUPPORTED_MEDIA_TYPE,
};
use crate::http::BODY_BYTES_MAX;

/// What a request asks for, when that is no operation.
pub(super) async fn asked<T: DeserializeOwned>(request: &HttpRequest, payload: web::Payload) -> Result<T, Problem> {
    read(&Value::Object(fields(request, payload).await?), "")
}

/// Reads a body whole. None at all is an empty object. Refused, in this order: too large; not JSON by its type; not well-formed.
pub(super) async fn json(request: &HttpRequest, payload: web::Payload) -> Result<Value, Problem> {
    let bytes = payload.to_bytes_limited(BODY_BYTES_MAX).await.map_err(|_| too_large())?;
    let bytes = bytes.map_err(|error| Problem::new(BROKEN_BODY, error.to_string()).cure("send as much as Content-Length says"))?;
    if bytes.is_empty() {
        return Ok(Value::Object(Map::new()));
    }
    says_json(request)?;
    serde_json::from_slice(&bytes).map_err(|error| {
        let place = format!("line {}, column {}", error.line(), error.column());
        Problem::new(MALFORMED_JSON, error.to_string()).value(place).cure("send well-formed JSON in UTF-8")
    })
}

fn too_large() -> Problem {
    Problem::new(PAYLOAD_TOO_LARGE, format!("the body has more than {BODY_BYTES_MAX} bytes")).limit(BODY_BYTES_MAX.to_string()).cure("send less at once")
}

fn says_json(request: &HttpRequest) -> Result<(), Problem> {
    let sent = request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = sent.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if kind == "application/json" || (kind.starts_with("application/") && kind.ends_with("+json")) {
        return Ok(());
    }
    let detail = if sent.is_empty() { "the body has no Content-Type".to_owned() } else { format!("the body is of the type '{sent}'") };
    Err(Problem::new(UNSUPPORTED_MEDIA_TYPE, detail).field("Content-Type").value(sent).cure("send Content-Type: application/json"))
}

/// The body as an object.
pub(super) async fn fields(request: &HttpRequest, payload: web::Payload) -> Result<Map<String, Value>, Problem> {
    object(json(request, payload).await?)
}

fn object(body: Value) -> Result<Map<String, Value>, Problem> {
    match body {
        Value::Object(fields) => Ok(fields),
        other => Err(Problem::new(INVALID_BODY, format!("the body is {}, not an object", kind(&other))).cure("send a JSON object")),
    }
}

/// The body as a list.
pub(super) fn list(body: Value) -> Result<Vec<Value>, Problem> {
    match body {
        Value::Array(items) => Ok(items),
        other => Err(Problem::new(INVALID_BODY, format!("the body is {}, not a list", kind(&other))).cure("send a JSON list")),
    }
}

const fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// Adds what stood in the path. A body that has that field itself is refused: it would say the same thing twice.
pub(super) fn with_target(mut fields: Map<String, Value>, target: &str, reference: String) -> Result<Map<String, Value>, Problem> {
    if fields.contains_key(target) {
        let detail = format!("'{target}' stands in the path and not in the body");
        return Err(Problem::new(UNKNOWN_FIELD, detail).field(target).cure("leave it out of the body"));
    }
    fields.insert(target.to_owned(), Value::String(reference));
    Ok(fields)
}

/// Reads what a request asks for. `hidden` is the field that stood in the path, if any: objections do not offer it.
pub(super) fn read<O: DeserializeOwned>(asked: &Value, hidden: &str) -> Result<O, Problem> {
    serde_path_to_error::deserialize(asked).map_err(|error| {
        let path = error.path().to_string();
        let path = if path == "." { String::new() } else { path };
        let value = error.path().iter().try_fold(asked, |value, step| match step {
            Segment::Seq { index } => value.get(index),
            Segment::Map { key } => value.get(key),
            Segment::Enum { variant } => value.get(variant),
            Segment::Unknown => None,
        });
        let value = value.filter(|_| !path.ends_with("password")).and_then(shown);
        objection(path, &error.inner().to_string(), value, hidden)
    })
}

/// A refused value as it can be quoted.
fn shown(value: &Value) -> Option<String> {
    match value {
        Value::Array(_) | Value::Object(_) => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

/// The problem that an objection of the deserialiser means; its words name the field that the path leaves out.
fn objection(path: String, message: &str, value: Option<String>, hidden: &str) -> Problem {
    let quoted = message.split('`').nth(1).unwrap_or_default();
    let inside = |field: &str| if path.is_empty() { field.to_owned() } else { format!("{path}.{field}") };
    if message.starts_with("missing field") {
        let field = inside(quoted);
        return Problem::new(MISSING_FIELD, format!("{field} is missing")).field(field.clone()).cure(format!("add the field {field}"));
    }
    if let Some((_, expected)) = message.strip_prefix("unknown field").and_then(|rest| rest.split_once(", ")) {
        let field = if path == quoted || path.ends_with(&format!(".{quoted}")) { path.clone() } else { inside(quoted) };
        return Problem::new(UNKNOWN_FIELD, format!("there is no field '{field}' here")).field(field).cure(choice(expected, hidden));
    }
    if message.starts_with("unknown variant") && quoted.contains('.') {
        let cure = message.split_once(", ").map_or_else(String::new, |(_, expected)| choice(expected, hidden));
        return Problem::new(UNKNOWN_OPERATION, format!("there is no operation '{quoted}'")).value(quoted).cure(cure);
    }
    let detail = if path.is_empty() { message.to_owned() } else { format!("{path}: {message}") };
    let wanted = message.split_once(": give ").or_else(|| message.rsplit_once("expected ")).map(|(_, wanted)| plainly(&wanted.replace('`', "")));
    let problem = Problem::new(INVALID_BODY, detail).cure(wanted.map_or_else(|| "see /docs/ for the form".to_owned(), |wanted| format!("give {wanted}")));
    let problem = value.into_iter().fold(problem, Problem::value);
    if path.is_empty() { problem } else { problem.field(path) }
}

/// What the deserialiser wants, in the words of JSON.
fn plainly(wanted: &str) -> String {
    let words = match wanted.trim() {
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number that is not negative",
        "i8" | "i16" | "i32" | "i64" => "a whole number",
        "f32" | "f64" => "a number",
        "a boolean" => "true or false",
        "a string" => "text",
        "a sequence" => "a list",
        "a map" => "an object",
        "map with a single key" => "an object with one key, the operation's name: {\"volume.create\": {...}}",
        other if other.starts_with("struct ") => "an object with the fields that /docs/ names",
        other => other,
    };
    words.to_owned()
}

/// The fields or names that the deserialiser would have taken.
fn choice(expected: &str, hidden: &str) -> String {
    let known: Vec<&str> = expected.split('`').skip(1).step_by(2).filter(|name| *name != hidden).collect();
    if known.is_empty() { "leave it out".to_owned() } else { format!("what can stand here: {}", known.join(", ")) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::ops::{AnyOperation, lun_group, volume};

    fn objection_to<O: DeserializeOwned>(body: Value) -> (String, String) {
        let problem = read::<O>(&body, "").err().map(|problem| serde_json::to_value(problem.into_document()).unwrap_or_default()).unwrap_or_default();
        (problem["code"].as_str().unwrap_or_default().to_owned(), problem["field"].as_str().unwrap_or_default().to_owned())
    }

    #[test]
    fn objections_name_the_field() {
        let volume = |body| objection_to::<volume::Create>(body);
        assert_eq!(volume(json!({"size": 1})), ("missing_field".into(), "name".into()));
        assert_eq!(volume(json!({"name": "V", "size": 1, "colour": 1})), ("unknown_field".into(), "colour".into()));
        assert_eq!(volume(json!({"name": "V", "size": "big"})), ("invalid_body".into(), "size".into()));
        assert_eq!(volume(json!({"name": 1, "size": 1})), ("invalid_body".into(), "name".into()));
        let luns = |body| objection_to::<lun_group::Create>(body);
        assert_eq!(luns(json!({"name": "L", "luns": [{"volume": "V"}, {"lun": -1, "volume": "W"}]})), ("invalid_body".into(), "luns[1].lun".into()));
        assert_eq!(luns(json!({"name": "L", "luns": [{"lun": 1}]})), ("missing_field".into(), "luns[0].volume".into()));
        assert_eq!(luns(json!({"name": "L", "luns": [{"volume": "V", "size": 1}]})), ("unknown_field".into(), "luns[0].size".into()));
        let refused = read::<volume::Create>(&json!({"name": "V", "size": "1 parsec"}), "").err().map(Problem::into_document);
        let refused = serde_json::to_value(refused).unwrap_or_default();
        assert_eq!((&refused["value"], refused["cure"].as_str().is_some_and(|cure| cure.starts_with("give bytes"))), (&json!("1 parsec"), true));
        let any = |body| objection_to::<AnyOperation>(body);
        assert_eq!(any(json!({"volume.paint": {}})).0, "unknown_operation");
        assert_eq!(any(json!({"volume.delete": {}})).0, "missing_field");
        assert_eq!(any(json!("volume.delete")).0, "invalid_body");
    }
}
