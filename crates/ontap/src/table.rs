//! All collections by their paths, and how a path leads to one.

use serde_json::Value;

use crate::collection::Collection;
use crate::fields::Want;
use crate::resources::COLLECTIONS;
use crate::schema;

/// What a path leads to.
pub(crate) enum Place {
    /// A collection, with the values of the path above it.
    All(&'static dyn Collection, Vec<String>),
    /// An object in one: the values above, and those that name it.
    One(&'static dyn Collection, Vec<String>, Vec<String>),
}

/// Finds what a path leads to; the segments are decoded.
pub(crate) fn find(segments: &[String]) -> Option<Place> {
    let mut found = None;
    for collection in COLLECTIONS {
        if let Some((values, literal)) = fits(collection.path(), segments) {
            keep(&mut found, literal, Place::All(*collection, values));
        }
        if let Some(item) = schema::resource(collection.path()).and_then(|resource| resource.item.as_deref())
            && let Some((mut values, literal)) = fits(item, segments)
        {
            let keys = values.split_off(parameters(collection.path()).count());
            keep(&mut found, literal, Place::One(*collection, values, keys));
        }
    }
    found.map(|(_, place)| place)
}

/// Keeps the place whose path is written out more.
fn keep(found: &mut Option<(usize, Place)>, literal: usize, place: Place) {
    if found.as_ref().is_none_or(|(best, _)| *best < literal) {
        *found = Some((literal, place));
    }
}

/// The values of a template's parameters, and how many segments are written out, if the path fits.
fn fits(template: &str, segments: &[String]) -> Option<(Vec<String>, usize)> {
    let mut parts = template.split('/').skip(1);
    let (mut values, mut literal) = (Vec::new(), 0);
    for segment in segments {
        let part = parts.next()?;
        if part.starts_with('{') {
            values.push(segment.clone());
        } else if part == segment {
            literal += 1;
        } else {
            return None;
        }
    }
    parts.next().is_none().then_some((values, literal))
}

fn parameters(template: &str) -> impl Iterator<Item = &str> {
    template.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
}

/// The fields by which a collection's path names one object.
pub(crate) fn key_names(path: &str) -> Vec<&'static str> {
    let above = parameters(path).count();
    let item = schema::resource(path).and_then(|resource| resource.item.as_deref());
    item.map(|item| parameters(item).skip(above).collect()).unwrap_or_default()
}

/// Nothing but keys.
pub(crate) fn keys_only(path: &str) -> Want {
    schema::resource(path).map(|resource| Want::read(resource, &[], "", false)).unwrap_or_default()
}

/// What a record has at a dotted path, as text.
pub(crate) fn text_at(record: &Value, path: &str) -> Option<String> {
    let value = path.split('.').try_fold(record, |value, name| value.get(name))?;
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// The path of an object below `/api`: what the template leaves open is filled with values of the path above, then of the record.
pub(crate) fn href(collection: &dyn Collection, parents: &[String], record: &Value) -> String {
    let resource = schema::resource(collection.path());
    let template = resource.and_then(|resource| resource.item.as_deref()).unwrap_or_else(|| collection.path());
    let mut above = parents.iter();
    let parts = template.split('/').skip(1).map(|part| match part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) {
        None => part.to_owned(),
        Some(name) => above.next().filter(|value| *value != "*").cloned().or_else(|| text_at(record, name)).map(|text| encoded(&text)).unwrap_or_default(),
    });
    format!("/api/{}", parts.collect::<Vec<_>>().join("/"))
}

/// A segment of a path.
pub(crate) fn encoded(text: &str) -> String {
    const LEFT: &percent_encoding::AsciiSet = &percent_encoding::NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
    percent_encoding::utf8_percent_encode(text, LEFT).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_collection_is_described_and_stands_once() {
        let mut paths: Vec<&str> = COLLECTIONS.iter().map(|collection| collection.path()).collect();
        for path in &paths {
            assert!(schema::resource(path).is_some(), "{path} is not in the facts");
        }
        let all = paths.len();
        paths.sort_unstable();
        paths.dedup();
        assert_eq!(paths.len(), all, "a path stands twice");
    }
}
