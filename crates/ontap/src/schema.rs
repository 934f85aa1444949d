//! What fields the resources of the API have: the facts of `fixtures/ontap/resources.json`, read when somebody asks for the first time.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::Deserialize;

use crate::rules::{self, Rule};

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Text; of an enumeration where words are given.
    Text,
    /// A whole number.
    Int,
    /// A number.
    Float,
    /// True or false.
    Flag,
    /// A point in time.
    Time,
    /// An object with fields of its own.
    Object,
    /// A list of objects.
    Objects,
    /// A list of texts.
    Texts,
    /// A list of whole numbers.
    Ints,
}

/// A field.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) kind: Kind,
    /// The words of an enumeration.
    pub(crate) words: Vec<String>,
    /// Whether only the array sets it.
    pub(crate) read_only: bool,
    /// Whether it is part of the path of an object.
    pub(crate) key: bool,
    /// Whether it is given only when asked for by name.
    pub(crate) expensive: bool,
    /// Length of a text, value of a number.
    pub(crate) least: Option<i64>,
    /// Length of a text, value of a number.
    pub(crate) most: Option<i64>,
    /// What its values must be besides.
    pub(crate) rules: Vec<Rule>,
    /// What is inside of an object, or of each object of a list.
    pub(crate) inner: Fields,
}

/// Fields in their order.
#[derive(Debug, Default)]
pub(crate) struct Fields(Vec<(String, Field)>);

/// A resource: a collection with the objects in it, or a single object.
#[derive(Debug)]
pub(crate) struct Resource {
    /// The template of the path of one object; `None` where there is only one.
    pub(crate) item: Option<String>,
    pub(crate) fields: Fields,
    /// The switches of each method, by `GET`, `POST`, `item PATCH`, ...
    pub(crate) switches: BTreeMap<String, Vec<String>>,
}

#[derive(Deserialize)]
struct File {
    resources: BTreeMap<String, Raw>,
}

#[derive(Deserialize)]
struct Raw {
    item: Option<String>,
    methods: BTreeMap<String, RawMethod>,
    fields: serde_json::Map<String, serde_json::Value>,
}

#[derive(Deserialize)]
struct RawMethod {
    #[serde(default)]
    query: Vec<String>,
}

#[derive(Deserialize)]
struct UnservedFile {
    paths: BTreeMap<String, Vec<String>>,
}

static RESOURCES: &str = include_str!("../../../fixtures/ontap/resources.json");
static ADDITIONS: &str = include_str!("../../../fixtures/ontap/additions.json");
static UNSERVED: &str = include_str!("../../../fixtures/ontap/unserved.json");

/// The resource of a collection's path template.
pub(crate) fn resource(path: &str) -> Option<&'static Resource> {
    all().get(path)
}

/// All resources, by the templates of their paths.
pub(crate) fn all() -> &'static BTreeMap<String, Resource> {
    static ALL: OnceLock<BTreeMap<String, Resource>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut resources: BTreeMap<String, Resource> = BTreeMap::new();
        for text in [RESOURCES, ADDITIONS] {
            let file: File = serde_json::from_str(text).unwrap_or_else(|_| File { resources: BTreeMap::new() });
            for (path, raw) in file.resources {
                let place = resources.entry(path).or_insert_with(|| Resource { item: raw.item.clone(), fields: Fields::default(), switches: BTreeMap::new() });
                for (name, description) in &raw.fields {
                    place.fields.add(name, description.as_str().unwrap_or_default());
                }
                for (method, RawMethod { query }) in raw.methods {
                    place.switches.entry(method).or_default().extend(query);
                }
            }
        }
        for (path, field, rule) in rules::RULES {
            if let Some(resource) = resources.get_mut(*path) {
                resource.fields.restrict(field, *rule);
            }
        }
        resources
    })
}

/// The other paths that ONTAP has, with their methods.
pub(crate) fn unserved() -> &'static BTreeMap<String, Vec<String>> {
    static PATHS: OnceLock<BTreeMap<String, Vec<String>>> = OnceLock::new();
    PATHS.get_or_init(|| serde_json::from_str::<UnservedFile>(UNSERVED).map(|file| file.paths).unwrap_or_default())
}

impl Field {
    fn read(description: &str) -> Field {
        let mut words = description.split(' ');
        let (word, enumeration) = words.next().map_or(("", None), |first| first.split_once('=').map_or((first, None), |(word, list)| (word, Some(list))));
        let kind = match word {
            "int" => Kind::Int,
            "float" => Kind::Float,
            "bool" => Kind::Flag,
            "time" => Kind::Time,
            "object" => Kind::Object,
            "list" => Kind::Objects,
            "list:int" => Kind::Ints,
            word if word.starts_with("list:") => Kind::Texts,
            _ => Kind::Text,
        };
        let words_of = |list: &str| list.split('|').map(str::to_owned).collect();
        let mut field = Field {
            kind,
            words: enumeration.map(words_of).unwrap_or_default(),
            read_only: false,
            key: false,
            expensive: false,
            least: None,
            most: None,
            rules: Vec::new(),
            inner: Fields::default(),
        };
        for flag in words {
            match flag.split_once('=') {
                Some(("min", number)) => field.least = number.parse().ok(),
                Some(("max", number)) => field.most = number.parse().ok(),
                _ if flag == "ro" => field.read_only = true,
                _ if flag == "key" => field.key = true,
                _ if flag == "expensive" => field.expensive = true,
                _ => {}
            }
        }
        field
    }
}

impl Fields {
    fn add(&mut self, path: &str, description: &str) {
        let (first, rest) = path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
        let at = self.0.iter().position(|(name, _)| name == first).unwrap_or_else(|| {
            let described = if rest.is_none() { description } else { "object" };
            self.0.push((first.to_owned(), Field::read(described)));
            self.0.len() - 1
        });
        let field = &mut self.0[at].1;
        match rest {
            Some(rest) => field.inner.add(rest, description),
            // What is described again is as it is described last.
            None => {
                *field = Field { inner: std::mem::take(&mut field.inner), ..Field::read(description) };
                field.rules.extend(rules::usual(first));
            }
        }
    }
    /// Puts a rule to the field at a dotted path.
    fn restrict(&mut self, path: &str, rule: Rule) {
        let (first, rest) = path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
        let Some((_, field)) = self.0.iter_mut().find(|(name, _)| name == first) else { return };
        match (rest, rule) {
            (Some(rest), _) => field.inner.restrict(rest, rule),
            (None, Rule::Words(words)) => field.words = words.iter().map(|word| (*word).to_owned()).collect(),
            (None, _) => field.rules.push(rule),
        }
    }
    /// The field of that name; hyphens are taken for underscores where the field has none.
    pub(crate) fn get(&self, name: &str) -> Option<&Field> {
        let found = self.0.iter().find(|(known, _)| known == name);
        found.or_else(|| self.0.iter().find(|(known, _)| name.contains('-') && *known == name.replace('-', "_"))).map(|(_, field)| field)
    }
    /// The field at a dotted path, lists passed through.
    pub(crate) fn at(&self, path: &str) -> Option<&Field> {
        let mut fields = self;
        let mut found = None;
        for name in path.split('.') {
            found = fields.get(name);
            fields = &found?.inner;
        }
        found
    }
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &Field)> {
        self.0.iter().map(|(name, field)| (name.as_str(), field))
    }
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_facts_are_read_whole() {
        let luns = resource("/storage/luns").expect("there");
        assert_eq!(luns.item.as_deref(), Some("/storage/luns/{uuid}"));
        let serial = luns.fields.at("serial_number").expect("there");
        assert!(serial.read_only && serial.least == Some(12) && serial.most == Some(12));
        assert!(luns.fields.at("os_type").expect("there").words.contains(&"hyper_v".to_owned()));
        assert_eq!(luns.fields.at("lun_maps.igroup.name").map(|field| field.kind), Some(Kind::Text));
        assert!(luns.fields.at("lun_maps.logical-unit-number").is_some(), "hyphens stand for underscores");
        assert!(luns.switches["DELETE"].contains(&"allow_delete_while_mapped".to_owned()));
        assert!(all().len() > 120 && unserved().contains_key("/cluster/mediators"));
    }
}
