//! The decode check: every field of every answer is one that ONTAP has, of its type, and of its words.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use serde_json::Value;

/// The fields of all resources, by the templates of their paths.
struct Facts(BTreeMap<String, Resource>);

struct Resource {
    item: Option<String>,
    fields: BTreeMap<String, String>,
}

fn facts() -> &'static Facts {
    static FACTS: OnceLock<Facts> = OnceLock::new();
    FACTS.get_or_init(|| {
        let mut all = BTreeMap::new();
        for file in ["resources.json", "additions.json"] {
            let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/ontap").join(file)).expect("the facts are there");
            let file: Value = serde_json::from_str(&text).expect("facts are JSON");
            for (path, resource) in file["resources"].as_object().expect("by path") {
                let place = all.entry(path.clone()).or_insert_with(|| Resource { item: resource["item"].as_str().map(str::to_owned), fields: BTreeMap::new() });
                for (name, described) in resource["fields"].as_object().expect("by name") {
                    place.fields.insert(name.clone(), described.as_str().expect("a description").to_owned());
                }
            }
        }
        Facts(all)
    })
}

/// What is wrong with the body of an answer of that path, if that is a path with facts.
pub(crate) fn objections(path: &str, body: &Value) -> Vec<String> {
    let path = path.split('?').next().unwrap_or_default().trim_start_matches("/api");
    let fits = |template: &str| {
        let (parts, segments): (Vec<&str>, Vec<&str>) = (template.split('/').collect(), path.split('/').collect());
        parts.len() == segments.len() && parts.iter().zip(&segments).all(|(part, segment)| part.starts_with('{') || part == segment)
    };
    let mut found = Vec::new();
    let written_out = |template: &&String| std::cmp::Reverse(template.matches('{').count());
    let collection = facts().0.iter().filter(|(template, _)| fits(template)).max_by_key(|(template, _)| written_out(template));
    if let Some((_, resource)) = collection {
        match body.get("records").and_then(Value::as_array) {
            Some(records) => records.iter().for_each(|record| check(resource, "", record, &mut found)),
            None if body.get("num_records").is_none() && body.get("job").is_none() => check(resource, "", body, &mut found),
            None => {}
        }
        return found;
    }
    if let Some((_, resource)) = facts().0.iter().find(|(_, resource)| resource.item.as_deref().is_some_and(fits))
        && body.get("job").is_none()
        && body.get("num_records").is_none()
    {
        check(resource, "", body, &mut found);
    }
    found
}

fn check(resource: &Resource, above: &str, value: &Value, found: &mut Vec<String>) {
    let Some(fields) = value.as_object() else { return found.push(format!("{above}: an object is expected, not {value}")) };
    for (name, value) in fields.iter().filter(|(name, _)| *name != "_links") {
        let path = if above.is_empty() { name.clone() } else { format!("{above}.{name}") };
        match resource.fields.get(&path) {
            None => found.push(format!("{path}: ONTAP has no such field")),
            Some(described) => check_value(resource, &path, described, value, found),
        }
    }
}

fn check_value(resource: &Resource, path: &str, described: &str, value: &Value, found: &mut Vec<String>) {
    let mut words = described.split(' ');
    let first = words.next().unwrap_or_default();
    let (kind, enumeration) = first.split_once('=').map_or((first, None), |(kind, list)| (kind, Some(list)));
    let of_scalar = |kind: &str, value: &Value| match kind {
        "string" => value.is_string(),
        "time" => value.as_str().is_some_and(|text| text.len() >= 20 && text.contains('T')),
        "int" => value.is_i64() || value.is_u64(),
        "float" => value.is_number(),
        "bool" => value.is_boolean(),
        _ => true,
    };
    let in_words =
        |value: &Value| enumeration.is_none_or(|list| value.as_str().is_some_and(|text| text.is_empty() || list.split('|').any(|word| word == text)));
    let right = match kind {
        "object" => return check(resource, path, value, found),
        "list" => match value.as_array() {
            Some(items) => return items.iter().for_each(|item| check(resource, path, item, found)),
            None => false,
        },
        list if list.starts_with("list:") => {
            value.as_array().is_some_and(|items| items.iter().all(|item| of_scalar(&list["list:".len()..], item) && in_words(item)))
        }
        scalar => of_scalar(scalar, value) && in_words(value),
    };
    if !right {
        found.push(format!("{path}: {value} is not {described}"));
    }
    let length = value.as_str().map(|text| text.chars().count());
    for flag in words {
        let limit = flag.split_once('=').and_then(|(name, number)| Some((name, number.parse::<usize>().ok()?)));
        match (limit, length) {
            (Some(("max", most)), Some(length)) if length > most => found.push(format!("{path}: {value} is longer than {most}")),
            (Some(("min", least)), Some(length)) if length < least => found.push(format!("{path}: {value} is shorter than {least}")),
            _ => {}
        }
    }
}
