//! Which fields an answer has: the keys always, and what `fields` asks for.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::kept::put;
use crate::refusal::{Outcome, Refusal};
use crate::schema::{Fields, Resource};

/// Fields that are wanted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Want {
    /// Everything below.
    all: bool,
    inner: BTreeMap<String, Want>,
    /// Left out although something above is wanted.
    except: Vec<String>,
    /// Never left out.
    keys: Vec<String>,
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
                self.keys.push(name.to_owned());
            } else if name == "svm" || field.inner.iter().any(|(_, inner)| inner.key) {
                let inner = field.inner.iter().filter(|(_, inner)| inner.key).map(|(inner, _)| inner).chain(["name", "uuid"]);
                self.keys.extend(inner.map(|inner| format!("{name}.{inner}")));
            }
        }
        self.keys.clone().iter().for_each(|key| self.add(key));
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
        if self.except.is_empty() {
            return;
        }
        let kept: Vec<_> = self.keys.iter().filter_map(|key| Some((key, key.split('.').try_fold(&*record, |value, name| value.get(name))?.clone()))).collect();
        for path in &self.except {
            remove(record, &path.split('.').collect::<Vec<_>>());
        }
        kept.into_iter().for_each(|(key, value)| put(record, key, value));
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

/// The braces of `fields` must close what they open; unknown names are refused only where that is wished.
pub(crate) fn check(resource: &Resource, text: &str, is_strict: bool) -> Outcome<()> {
    let mut depth = 0_i32;
    for character in text.chars() {
        depth += i32::from(character == '{') - i32::from(character == '}');
        if depth < 0 {
            break;
        }
    }
    if depth != 0 {
        return Err(Refusal::bad(262_286, format!("The braces in \"{text}\" do not match.")).at("fields"));
    }
    let bare = |path: &str| path.trim_start_matches('!').trim_end_matches(".**").trim_end_matches(".*").to_owned();
    let is_known = |path: &String| matches!(path.as_str(), "*" | "**") || path.split('.').any(|name| name == "_links") || resource.fields.at(path).is_some();
    match paths(text).iter().map(|path| bare(path)).find(|path| is_strict && !is_known(path)) {
        Some(unknown) => Err(Refusal::bad(262_197, format!("The value \"{unknown}\" is invalid for field \"fields\" (<field,...>).")).at("fields")),
        None => Ok(()),
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
                found.extend(written_out(std::mem::take(&mut part).trim()));
                continue;
            }
            _ => {}
        }
        part.push(character);
    }
    found
}

/// The paths of a part between two commas: one, those of a group, or none.
fn written_out(part: &str) -> Vec<String> {
    let Some((before, group)) = part.split_once('{') else { return Some(part.to_owned()).filter(|part| !part.is_empty()).into_iter().collect() };
    let before = before.trim_end_matches('.');
    let inner = paths(group.strip_suffix('}').unwrap_or(group)).into_iter();
    inner.map(|inner| if before.is_empty() { inner } else { format!("{before}.{inner}") }).collect()
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
        for group in ["space{size,used}", "space.{size,used}", "name,{space{size,used}}"] {
            assert_eq!(pruned(group, false)["space"], json!({"size": 1, "used": 2}), "{group}");
        }
        assert_eq!(pruned("lun_maps{igroup{name,uuid},logical_unit_number},os_type", false)["lun_maps"][0]["igroup"], json!({"name": "g", "uuid": "i"}));
        assert_eq!(pruned("*,!name,!svm,!svm.uuid", false), pruned("*", false));
    }

    #[test]
    fn braces_match_and_names_are_known_where_that_is_wished() {
        let luns = resource("/storage/luns").expect("there");
        for text in ["space{size", "space}size{", "space{size}}"] {
            assert_eq!(check(luns, text, false).expect_err(text).code, 262_286);
        }
        for text in ["nonsense", "space{nonsense}", "!nonsense"] {
            assert_eq!(check(luns, text, true).expect_err(text).code, 262_197);
            assert!(check(luns, text, false).is_ok());
        }
        for text in ["", "*", "**", "space.*,!name", "lun-maps.logical-unit-number,", "svm{name,uuid}"] {
            assert_eq!(check(luns, text, true), Ok(()), "{text}");
        }
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
