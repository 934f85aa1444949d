//! Which fields an answer has: the keys always, and what `fields` asks for.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::schema::{Fields, Resource};

/// Fields that are wanted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Want {
    /// Everything below.
    all: bool,
    inner: BTreeMap<String, Want>,
    /// Left out although something above is wanted.
    except: Vec<String>,
}

impl Want {
    /// What a query asks for. A single object has all that costs nothing if nothing is asked for.
    pub(crate) fn read(resource: &Resource, defaults: &[&str], text: &str, single: bool) -> Want {
        let mut want = Want::default();
        want.add_keys(&resource.fields);
        let paths = paths(text);
        let asks = paths.iter().any(|path| !path.starts_with('!'));
        if !asks && single {
            want.add_ordinary(&resource.fields);
        }
        if !asks && !single {
            defaults.iter().for_each(|path| want.add(path));
        }
        for path in &paths {
            match path.as_str() {
                "*" => want.add_ordinary(&resource.fields),
                "**" => want.all = true,
                path => match path.trim_end_matches(".**").trim_end_matches(".*").strip_prefix('!') {
                    Some(left_out) => want.except.push(left_out.to_owned()),
                    None => want.add(path.trim_end_matches(".**").trim_end_matches(".*")),
                },
            }
        }
        want
    }
    /// Wants a dotted path, with all below it.
    pub(crate) fn add(&mut self, path: &str) {
        let mut want = self;
        // Lists are passed through: some clients write an index there.
        for name in path.split('.').filter(|name| *name != "#" && !name.bytes().all(|byte| byte.is_ascii_digit())) {
            want = want.inner.entry(name.replace('-', "_")).or_default();
        }
        want.all = true;
    }
    /// Keys, names, and whose it is.
    fn add_keys(&mut self, fields: &Fields) {
        for (name, field) in fields.iter() {
            if name == "name" || name == "uuid" || field.key {
                self.add(name);
            } else if name == "svm" || field.inner.iter().any(|(_, inner)| inner.key) {
                self.add(&format!("{name}.name"));
                self.add(&format!("{name}.uuid"));
                for (inner, _) in field.inner.iter().filter(|(_, inner)| inner.key) {
                    self.add(&format!("{name}.{inner}"));
                }
            }
        }
    }
    /// All that costs nothing.
    fn add_ordinary(&mut self, fields: &Fields) {
        for (name, field) in fields.iter().filter(|(_, field)| !field.expensive) {
            let inner = self.inner.entry(name.replace('-', "_")).or_default();
            if field.inner.is_empty() { inner.all = true } else { inner.add_ordinary(&field.inner) }
        }
    }
    /// Whether something at or below a path is wanted.
    pub(crate) fn has(&self, path: &str) -> bool {
        let mut want = self;
        for name in path.split('.') {
            if want.all {
                return true;
            }
            match want.inner.get(name) {
                Some(inner) => want = inner,
                None => return false,
            }
        }
        true
    }
    /// Takes everything out of a record that is not wanted.
    pub(crate) fn prune(&self, record: &mut Value) {
        self.keep(record);
        for path in &self.except {
            remove(record, &path.split('.').collect::<Vec<_>>());
        }
    }
    fn keep(&self, value: &mut Value) {
        if self.all {
            return;
        }
        match value {
            Value::Array(items) => items.iter_mut().for_each(|item| self.keep(item)),
            Value::Object(fields) => {
                fields.retain(|name, _| name == "_links" || self.inner.contains_key(name));
                for (name, inner) in fields.iter_mut() {
                    if let Some(want) = self.inner.get(name) {
                        want.keep(inner);
                    }
                }
                // An object of which nothing is left was not asked for.
                fields.retain(|name, inner| self.inner.get(name).is_none_or(|want| want.all) || inner.as_object().is_none_or(|inner| !inner.is_empty()));
            }
            _ => {}
        }
    }
}

fn remove(value: &mut Value, path: &[&str]) {
    let Some((first, rest)) = path.split_first() else { return };
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| remove(item, path)),
        Value::Object(fields) if rest.is_empty() => drop(fields.shift_remove(*first)),
        Value::Object(fields) => {
            if let Some(inner) = fields.get_mut(*first) {
                remove(inner, rest);
            }
        }
        _ => {}
    }
}

/// The paths that are named, groups in braces written out.
fn paths(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let (mut depth, mut part) = (0_u32, String::new());
    for character in text.chars().chain([',']) {
        match character {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                let part = std::mem::take(&mut part);
                match part.trim().split_once('{') {
                    Some((before, group)) => {
                        let before = before.trim_end_matches('.');
                        let inner = paths(group.trim_end_matches('}'));
                        found.extend(inner.into_iter().map(|inner| if before.is_empty() { inner } else { format!("{before}.{inner}") }));
                    }
                    None if part.trim().is_empty() => {}
                    None => found.push(part.trim().to_owned()),
                }
                continue;
            }
            _ => {}
        }
        part.push(character);
    }
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::schema::resource;

    fn pruned(fields: &str, single: bool) -> Value {
        let mut record = json!({
            "uuid": "u", "name": "n", "svm": {"name": "vs0", "uuid": "s"}, "os_type": "linux", "space": {"size": 1, "used": 2, "physical_used": 3},
            "lun_maps": [{"igroup": {"name": "g", "uuid": "i"}, "logical_unit_number": 0}], "attributes": [{"name": "a", "value": "b"}],
        });
        Want::read(resource("/storage/luns").expect("there"), &[], fields, single).prune(&mut record);
        record
    }

    #[test]
    fn keys_come_always_and_the_rest_on_request() {
        let keys = json!({"uuid": "u", "name": "n", "svm": {"name": "vs0", "uuid": "s"}});
        assert_eq!(pruned("", false), keys);
        let mut with = keys.clone();
        with["space"] = json!({"size": 1});
        with["lun_maps"] = json!([{"igroup": {"name": "g"}}]);
        assert_eq!(pruned("space.size,lun_maps.igroup.name,", false), with);
        assert_eq!(pruned("lun-maps.logical-unit-number", false)["lun_maps"][0], json!({"logical_unit_number": 0}));
        assert_eq!(pruned("space{size,used}", false)["space"], json!({"size": 1, "used": 2}));
    }

    #[test]
    fn the_star_leaves_out_what_costs_and_two_stars_do_not() {
        let star = pruned("*", false);
        assert!(star.get("os_type").is_some() && star.get("lun_maps").is_none() && star.get("attributes").is_none());
        assert_eq!(pruned("", true), star);
        assert!(pruned("**", false).get("attributes").is_some());
        assert!(pruned("*,!os_type", false).get("os_type").is_none());
        assert!(pruned("*,attributes", false).get("attributes").is_some());
    }
}
