//! What is served, as an OpenAPI document and as a table: both are made of the collections themselves.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use crate::answer::{envelope, link};
use crate::collection::{Collection, Shape, Verb, View};
use crate::fields::Want;
use crate::ops::World;
use crate::query::Query;
use crate::resources::COLLECTIONS;
use crate::schema::{self, Field, Fields, Kind, Resource};

use crate::version::Version;

const ABOUT: &str = "The part of ONTAP REST that Arrayplane serves: block storage of one HA pair. Fields, types and words are those of ONTAP 9.19.1. \
    Every collection takes `fields`, filters on all its fields, `order_by`, `max_records`, `return_records` and `return_timeout`; PATCH and DELETE also \
    take a query instead of a key. Examples come from the scenario aff-a250.";

/// The document, with examples from a world.
pub fn document(world: &World, version: Version) -> Value {
    let (mut paths, mut schemas) = (Map::new(), Map::new());
    for collection in COLLECTIONS {
        let Some(resource) = schema::resource(collection.path()) else { continue };
        let name = schema_name(collection.path());
        schemas.insert(name.clone(), object(&resource.fields));
        let examples = Examples::of(*collection, resource, world, version);
        paths.insert(format!("/api{}", collection.path()), all(*collection, &name, examples.page));
        if let Some(item) = resource.item.as_deref().filter(|_| collection.shape() == Shape::Many) {
            paths.insert(format!("/api{item}"), one(*collection, item, &name, examples.record));
        }
    }
    schemas.insert("error".into(), error_schema());
    json!({
        "openapi": "3.1.0",
        "info": {"title": "Arrayplane: ONTAP REST", "version": env!("CARGO_PKG_VERSION"), "description": ABOUT, "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"}},
        "security": [{"basic": []}],
        "paths": paths,
        "components": {"schemas": schemas, "parameters": parameters(), "securitySchemes": {"basic": {"type": "http", "scheme": "basic"}}},
    })
}

/// The collections that are served, with their methods, as a table in Markdown.
pub fn support_table() -> String {
    let mut rows: Vec<(&str, String)> = COLLECTIONS.iter().map(|collection| (collection.path(), methods(*collection))).collect();
    rows.sort_unstable();
    let mut text = String::from("| below `/api` | methods |\n|---|---|\n");
    for (path, methods) in rows {
        let _ = writeln!(text, "| `{path}` | {methods} |");
    }
    text
}

fn methods(collection: &dyn Collection) -> String {
    let word = |verb: &Verb| match verb {
        Verb::Create => "POST",
        Verb::Update => "PATCH",
        Verb::Delete => "DELETE",
    };
    let verbs: Vec<&str> = ["GET"].into_iter().chain(collection.verbs().iter().map(word)).collect();
    let empty = if collection.is_always_empty() { " (always empty)" } else { "" };
    format!("{}{empty}", verbs.join(" "))
}

/// What a collection shows of a world.
struct Examples {
    page: Value,
    record: Option<Value>,
}

impl Examples {
    fn of(collection: &'static dyn Collection, resource: &Resource, world: &World, version: Version) -> Examples {
        let none = Examples { page: envelope(Some(Vec::new()), 0, &format!("/api{}", collection.path()), None), record: None };
        if collection.path().contains('{') {
            return none;
        }
        let query = Query::default();
        let view = View { world, array: &world.array, home: "lab", parents: &[], version, query: &query };
        let Some(row) = collection.rows(&view).ok().and_then(|rows| rows.first().copied()) else { return none };
        let shown = |want: &Want| {
            let mut record = collection.record(&view, row, want);
            want.prune(&mut record);
            link(&mut record, collection, &[]);
            record
        };
        let record = shown(&Want::read(resource, collection.defaults(), "", true));
        if collection.shape() == Shape::One {
            return Examples { page: record, record: None };
        }
        let few = shown(&Want::read(resource, collection.defaults(), "", false));
        Examples { page: envelope(Some(vec![few]), 1, &format!("/api{}", collection.path()), None), record: Some(record) }
    }
}

fn schema_name(path: &str) -> String {
    path.split('/').filter(|part| !part.is_empty() && !part.starts_with('{')).collect::<Vec<_>>().join("_").replace('-', "_")
}

fn parameter_refs(item: &str, general: &[&str]) -> Vec<Value> {
    let of_path = item.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let of_path = of_path.map(|name| json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}}));
    of_path.chain(general.iter().map(|name| json!({"$ref": format!("#/components/parameters/{name}")}))).collect()
}

fn answers(success: &[(&str, Value)]) -> Value {
    let mut all = Map::new();
    for (status, content) in success {
        all.insert((*status).to_owned(), content.clone());
    }
    all.insert("default".into(), json!({"description": "Refused", "content": {"application/hal+json": {"schema": {"$ref": "#/components/schemas/error"}}}}));
    Value::Object(all)
}

fn shown(description: &str, schema: &Value, example: Option<Value>) -> Value {
    let mut media = json!({"schema": schema});
    if let Some(example) = example {
        media["example"] = example;
    }
    json!({"description": description, "content": {"application/hal+json": media}})
}

fn takes(name: &str) -> Value {
    json!({"content": {"application/json": {"schema": {"$ref": format!("#/components/schemas/{name}")}}}})
}

fn operation(collection: &dyn Collection, id: &str, summary: &str, parameters: &[Value], answers: &Value) -> Value {
    let tag = collection.path().split('/').nth(1).unwrap_or_default();
    json!({"operationId": id, "tags": [tag], "summary": summary, "parameters": parameters, "responses": answers})
}

fn all(collection: &dyn Collection, name: &str, example: Value) -> Value {
    let schema = json!({"$ref": format!("#/components/schemas/{name}")});
    let single = collection.shape() == Shape::One;
    let page = json!({"type": "object", "properties": {"records": {"type": "array", "items": schema}, "num_records": {"type": "integer"}}});
    let path = collection.path();
    let reading = if single { &["fields"][..] } else { &["fields", "max_records", "order_by", "return_records", "return_timeout"][..] };
    let (content, word) = if single { (&schema, "Reads it") } else { (&page, "Lists them") };
    let mut methods = Map::new();
    methods.insert(
        "get".into(),
        operation(collection, &format!("{name}_get"), word, &parameter_refs(path, reading), &answers(&[("200", shown("Found", content, Some(example)))])),
    );
    for verb in collection.verbs() {
        let (method, word) = match verb {
            Verb::Create => ("post", "Makes one"),
            Verb::Update if single => ("patch", "Changes it"),
            Verb::Update => ("patch", "Changes all that fulfil the query"),
            Verb::Delete => ("delete", "Deletes all that fulfil the query"),
        };
        let done = if *verb == Verb::Create { "201" } else { "200" };
        let mut described = operation(
            collection,
            &format!("{name}_{method}"),
            word,
            &parameter_refs(path, &["return_records", "return_timeout"]),
            &answers(&[(done, shown("Done", &page, None)), ("202", shown("A job does it", &json!({"type": "object"}), None))]),
        );
        if *verb != Verb::Delete {
            described["requestBody"] = takes(name);
        }
        methods.insert(method.into(), described);
    }
    Value::Object(methods)
}

fn one(collection: &dyn Collection, item: &str, name: &str, example: Option<Value>) -> Value {
    let schema = json!({"$ref": format!("#/components/schemas/{name}")});
    let mut methods = Map::new();
    methods.insert(
        "get".into(),
        operation(
            collection,
            &format!("{name}_item_get"),
            "Reads one",
            &parameter_refs(item, &["fields"]),
            &answers(&[("200", shown("Found", &schema, example))]),
        ),
    );
    for verb in collection.verbs().iter().filter(|verb| **verb != Verb::Create) {
        let (method, word) = if *verb == Verb::Update { ("patch", "Changes one") } else { ("delete", "Deletes one") };
        let mut described = operation(
            collection,
            &format!("{name}_item_{method}"),
            word,
            &parameter_refs(item, &["return_timeout"]),
            &answers(&[("200", shown("Done", &json!({"type": "object"}), None)), ("202", shown("A job does it", &json!({"type": "object"}), None))]),
        );
        if *verb == Verb::Update {
            described["requestBody"] = takes(name);
        }
        methods.insert(method.into(), described);
    }
    Value::Object(methods)
}

fn object(fields: &Fields) -> Value {
    let properties: Map<String, Value> = fields.iter().map(|(name, field)| (name.to_owned(), property(field))).collect();
    json!({"type": "object", "properties": properties})
}

fn property(field: &Field) -> Value {
    let mut described = match field.kind {
        Kind::Text => json!({"type": "string"}),
        Kind::Time => json!({"type": "string", "format": "date-time"}),
        Kind::Int => json!({"type": "integer", "format": "int64"}),
        Kind::Float => json!({"type": "number"}),
        Kind::Flag => json!({"type": "boolean"}),
        Kind::Object => object(&field.inner),
        Kind::Objects => json!({"type": "array", "items": object(&field.inner)}),
        Kind::Texts => json!({"type": "array", "items": {"type": "string"}}),
        Kind::Ints => json!({"type": "array", "items": {"type": "integer"}}),
    };
    let is_text = field.kind == Kind::Text;
    if !field.words.is_empty() && is_text {
        described["enum"] = json!(field.words);
    }
    for (limit, of_text, of_number) in [(field.least, "minLength", "minimum"), (field.most, "maxLength", "maximum")] {
        if let Some(limit) = limit {
            described[if is_text { of_text } else { of_number }] = json!(limit);
        }
    }
    if field.read_only {
        described["readOnly"] = json!(true);
    }
    described
}

fn error_schema() -> Value {
    json!({"type": "object", "properties": {"error": {"type": "object", "properties": {
        "message": {"type": "string"}, "code": {"type": "string", "description": "ONTAP's number"}, "target": {"type": "string", "description": "the field that is meant"},
    }}}})
}

fn parameters() -> Value {
    let query = |name: &str, schema: Value, text: &str| json!({"name": name, "in": "query", "required": false, "schema": schema, "description": text});
    json!({
        "fields": query("fields", json!({"type": "string"}), "Fields to give: names with commas between them, `*`, `**`, or `!name`; keys always come along"),
        "max_records": query("max_records", json!({"type": "integer"}), "The most records of a page; `_links.next` leads on"),
        "order_by": query("order_by", json!({"type": "string"}), "Fields to order by, each with `desc` behind it if downwards"),
        "return_records": query("return_records", json!({"type": "boolean"}), "Whether the records come, or only how many there are"),
        "return_timeout": query("return_timeout", json!({"type": "integer", "minimum": 0, "maximum": 120}), "How many seconds to wait before the answer is a job"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_names_every_collection_with_its_methods() {
        let table = support_table();
        assert!(table.contains("| `/storage/aggregates` | GET POST PATCH DELETE |"), "{table}");
        assert!(table.contains("| `/cluster/peers` | GET (always empty) |"), "{table}");
        assert_eq!(table.lines().count(), COLLECTIONS.len() + 2);
    }

    #[test]
    fn every_path_is_in_the_document_once() {
        let world =
            World::new(crate::catalogue::model("aff-a250").and_then(|model| model.build(&crate::catalogue::BuildOptions::default())).expect("it can be built"));
        let document = document(&world, Version::DEFAULT);
        let paths = document["paths"].as_object().expect("paths");
        assert!(paths["/api/storage/aggregates"]["post"]["requestBody"].is_object() && paths["/api/storage/aggregates/{uuid}"]["delete"].is_object());
        let mut ids: Vec<&str> =
            paths.values().filter_map(Value::as_object).flat_map(Map::values).filter_map(|operation| operation["operationId"].as_str()).collect();
        let all = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), all, "an operation stands twice");
        assert!(crate::table::find(&["storage".to_owned(), "aggregates".to_owned()]).is_some());
    }
}
