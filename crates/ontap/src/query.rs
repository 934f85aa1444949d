//! What stands behind the question mark: fields, filters, order, paging, and the switches of a call.

use std::collections::BTreeMap;

use percent_encoding::percent_decode_str;
use serde_json::{Value, json};

use crate::fields;
use crate::filter::Filter;
use crate::refusal::{Outcome, Refusal};
use crate::schema::{Fields, Kind, Resource};

/// Parameters that are never filters.
const GENERAL: [&str; 16] = [
    "fields",
    "max_records",
    "order_by",
    "$orderBy",
    "offset",
    "return_records",
    "return_timeout",
    "ignore_unknown_fields",
    "continue_on_failure",
    "serial_records",
    "job_results_uuid",
    "pretty",
    "privilege_level",
    "expand",
    "query",
    "query_fields",
];

/// Switches that calls take although they are described as part of a body, or not at all.
const SWITCHES: [&str; 12] = [
    "force",
    "allow_delete_while_mapped",
    "allow_delete_with_hosts",
    "allow_delete_while_bound",
    "restore_to.snapshot.name",
    "restore_to.snapshot.uuid",
    "validate_only",
    "return_metadata",
    "nvfail",
    "preserve_lun_ids",
    "disk_size",
    "sizing_method",
];

/// The query of a request, before it is known what it is about.
#[derive(Clone, Debug, Default)]
pub(crate) struct Query {
    pairs: Vec<(String, String)>,
}

/// What a query asks of a collection.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asked {
    /// Conditions by the dotted paths of fields.
    pub(crate) filters: Vec<(String, Filter)>,
    /// Fields to order by, and whether downwards.
    pub(crate) order: Vec<(String, bool)>,
    /// The most records of one page.
    pub(crate) max_records: Option<usize>,
    /// Records to pass over.
    pub(crate) offset: usize,
    /// After which record to go on.
    pub(crate) start: Option<String>,
}

impl Query {
    /// Reads the raw text.
    pub(crate) fn read(raw: &str) -> Query {
        let decode = |text: &str| percent_decode_str(&text.replace('+', " ")).decode_utf8_lossy().into_owned();
        let pairs = raw.split('&').filter(|pair| !pair.is_empty()).map(|pair| pair.split_once('=').unwrap_or((pair, "")));
        Query { pairs: pairs.map(|(name, value)| (decode(name), decode(value))).collect() }
    }
    /// The last value of a parameter.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.pairs.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
    /// Adds what a body says, as a query would say it.
    pub(crate) fn add(&mut self, name: &str, value: &Value) {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        self.pairs.push((name.to_owned(), text));
    }
    /// A switch that is on or off.
    pub(crate) fn flag(&self, name: &str) -> Outcome<Option<bool>> {
        self.get(name)
            .filter(|text| !text.is_empty())
            .map(|text| truth(text).ok_or_else(|| Refusal::bad_value(name, &json!(text), "true or false")))
            .transpose()
    }
    /// Whether a switch is on.
    pub(crate) fn is_on(&self, name: &str) -> bool {
        self.get(name).and_then(truth) == Some(true)
    }
    fn number(&self, name: &str, most: u64) -> Outcome<Option<u64>> {
        let read = |text: &str| text.parse::<u64>().ok().filter(|number| *number <= most);
        let refuse = |text: &str| Refusal::bad_value(name, &json!(text), &format!("a number from 0 to {most}"));
        self.get(name).filter(|text| !text.is_empty()).map(|text| read(text).ok_or_else(|| refuse(text))).transpose()
    }
    /// How long a call may wait for its job, in seconds.
    pub(crate) fn return_timeout(&self) -> Outcome<Option<u64>> {
        self.number("return_timeout", 120)
    }
    /// All `fields` together.
    pub(crate) fn fields(&self) -> String {
        self.pairs.iter().filter(|(name, _)| name == "fields").map(|(_, value)| value.as_str()).collect::<Vec<_>>().join(",")
    }
    /// What is said to all calls must be legible: switches, times, and which fields an answer is to have.
    pub(crate) fn legible(&self, resource: &Resource) -> Outcome<()> {
        for name in ["return_records", "continue_on_failure", "serial_records"] {
            self.flag(name)?;
        }
        self.return_timeout()?;
        let is_strict = self.flag("ignore_unknown_fields")? == Some(false);
        fields::check(resource, &self.fields(), is_strict)
    }
    /// What a query asks of a collection. Parameters that are neither general nor switches are filters, and must be fields.
    pub(crate) fn asked(&self, resource: &Resource, method: &str) -> Outcome<Asked> {
        let lenient = self.flag("ignore_unknown_fields")?.unwrap_or(false);
        let mut filters: BTreeMap<String, Filter> = BTreeMap::new();
        let mut start = None;
        for (name, value) in &self.pairs {
            if name.starts_with("start.") {
                start = Some(value.clone());
            } else if !GENERAL.contains(&name.as_str()) {
                let filter = Filter::read(value);
                match field_of(&resource.fields, name, &filter) {
                    // What has a field behind it is a filter of reading, be it described as a switch.
                    field if is_switch(resource, method, name) && (field.is_none() || method != "GET") => {}
                    Some(path) => {
                        possible(&resource.fields, &path, &filter)?;
                        filters.insert(path, filter);
                    }
                    None if lenient || name.contains('?') => {}
                    None => return Err(Refusal::unexpected(name)),
                }
            }
        }
        let mut filters: Vec<(String, Filter)> = filters.into_iter().collect();
        filters.extend(self.across(resource)?);
        let max_records = self.number("max_records", u64::from(u32::MAX))?.and_then(|number| usize::try_from(number).ok());
        let offset = self.number("offset", u64::from(u32::MAX))?.and_then(|number| usize::try_from(number).ok()).unwrap_or(0);
        Ok(Asked { filters, order: self.order(&resource.fields)?, max_records: max_records.filter(|most| *most > 0), offset, start })
    }
    /// `query` in one of `query_fields`.
    fn across(&self, resource: &Resource) -> Outcome<Option<(String, Filter)>> {
        let (Some(wanted), Some(fields)) = (self.get("query"), self.get("query_fields")) else { return Ok(None) };
        let paths: Vec<String> = fields.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect();
        if let Some(unknown) = paths.iter().find(|name| resource.fields.at(name).is_none()) {
            return Err(Refusal::bad(262_197, format!("The value \"{unknown}\" is invalid for field \"query_fields\".")).at("query_fields"));
        }
        Ok(Some((paths.join("|"), Filter::read(wanted))))
    }
    fn order(&self, fields: &Fields) -> Outcome<Vec<(String, bool)>> {
        let Some(text) = self.get("order_by").or_else(|| self.get("$orderBy")) else { return Ok(Vec::new()) };
        let refuse = |part: &str| Refusal::bad(262_268, format!("The value \"{part}\" is invalid for field \"order_by\".")).at("order_by");
        text.split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .map(|part| {
                let mut words = part.split_whitespace();
                let name = words.next().unwrap_or_default();
                let down = match words.next().map(str::to_lowercase).as_deref() {
                    None | Some("asc") => false,
                    Some("desc") => true,
                    Some(_) => return Err(refuse(part)),
                };
                let field = fields.at(name).filter(|field| !matches!(field.kind, Kind::Object | Kind::Objects));
                field.filter(|_| words.next().is_none()).map(|_| (name.to_owned(), down)).ok_or_else(|| refuse(part))
            })
            .collect()
    }
    /// Whether a switch says something that a call of that method does.
    pub(crate) fn has_switch(&self, resource: &Resource, method: &str) -> bool {
        self.pairs.iter().any(|(name, _)| is_switch(resource, method, name))
    }
    /// All that is neither general nor paging: conditions, on whatever they name.
    pub(crate) fn others(&self) -> impl Iterator<Item = (&str, Filter)> {
        let is_other = |(name, _): &&(String, String)| !name.starts_with("start.") && !GENERAL.contains(&name.as_str());
        self.pairs.iter().filter(is_other).map(|(name, value)| (name.as_str(), Filter::read(value)))
    }
    /// Where a page begins, and how many records it has at most; for collections whose link to the next page names a place.
    pub(crate) fn page(&self) -> Outcome<(usize, usize)> {
        let place = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let most = self.number("max_records", u64::from(u32::MAX))?.filter(|most| *most > 0).map_or(10_000, place);
        let offset = self.number("offset", u64::from(u32::MAX))?.map_or(0, place);
        Ok((self.get("start.after").and_then(|start| start.parse().ok()).unwrap_or(offset), most))
    }
    /// The same query, going on after a record: what the link to the next page says.
    pub(crate) fn next(&self, start: &str, max_records: usize) -> String {
        let encode = |text: &str| percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string();
        let kept = self.pairs.iter().filter(|(name, _)| !name.starts_with("start.") && name != "max_records" && name != "offset");
        let kept: Vec<String> = kept
            .map(|(name, value)| format!("{name}={}", encode(value).replace("%2E", ".").replace("%5F", "_").replace("%2C", ",").replace("%2A", "*")))
            .collect();
        let mut all = vec![format!("start.after={start}"), format!("max_records={max_records}")];
        all.extend(kept);
        all.join("&")
    }
    /// As it was sent, put in one line.
    pub(crate) fn text(&self) -> String {
        self.pairs.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("&")
    }
}

fn is_switch(resource: &Resource, method: &str, name: &str) -> bool {
    let of_method = |key: &str| resource.switches.get(key).is_some_and(|names| names.iter().any(|known| known == name));
    (method != "GET" && SWITCHES.contains(&name)) || of_method(method) || of_method(&format!("item {method}"))
}

/// The path of the field that a parameter names; the bare name of an object stands for its name, unless it is asked whether there is one.
fn field_of(fields: &Fields, name: &str, filter: &Filter) -> Option<String> {
    let field = fields.at(name)?;
    let inner = || ["name", "uuid"].iter().find(|inner| field.inner.get(inner).is_some());
    match field.kind {
        Kind::Object | Kind::Objects if !filter.is_about_presence() => inner().map(|inner| format!("{name}.{inner}")),
        _ => Some(name.to_owned()),
    }
}

/// A filter must not ask for what its field can never have.
fn possible(fields: &Fields, path: &str, filter: &Filter) -> Outcome<()> {
    let Some((field, value)) = fields.at(path).and_then(|field| filter.impossible(field).map(|value| (field, value))) else { return Ok(()) };
    if field.words.is_empty() {
        return Err(Refusal::bad_value(path, &json!(value), field.kind.described()));
    }
    Err(Refusal::bad(262_197, format!("The value \"{value}\" is invalid for field \"{path}\" (<{}>).", field.words.join("|"))).at(path))
}

/// Reads a switch; clients of several languages write it.
pub(crate) fn truth(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "1" => Some(true),
        "false" | "no" | "off" | "0" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::resource;

    fn asked(raw: &str) -> Outcome<Asked> {
        Query::read(raw).asked(resource("/storage/luns").expect("there"), "GET")
    }

    #[test]
    fn filters_are_told_from_everything_else() {
        let asked = asked("fields=name,&svm=vs0&space.size=>1GB&max_records=10&start.after=5&order_by=name%20desc,uuid&return_timeout=3").expect("fine");
        assert_eq!(asked.filters.iter().map(|(path, _)| path.as_str()).collect::<Vec<_>>(), ["space.size", "svm.name"]);
        assert_eq!((asked.max_records, asked.start.as_deref()), (Some(10), Some("5")));
        assert_eq!(asked.order, [("name".to_owned(), true), ("uuid".to_owned(), false)]);
    }

    #[test]
    fn what_is_no_field_is_refused_unless_that_is_wished() {
        assert_eq!(asked("nonsense=1").expect_err("unknown").code, 262_179);
        assert!(asked("nonsense=1&ignore_unknown_fields=true").is_ok());
        for order in ["nonsense", "svm", "lun_maps", "name%20upwards", "name%20asc%20desc"] {
            assert_eq!(asked(&format!("order_by={order}")).expect_err("no order").code, 262_268, "{order}");
        }
        let order = asked("order_by=name%20DESC,space.size%20ASC").expect("capitals").order;
        assert_eq!(order, [("name".to_owned(), true), ("space.size".to_owned(), false)]);
        assert!(asked("max_records=many").is_err());
        assert!(asked("allow_delete_while_mapped=true").is_err(), "a switch of another method");
    }

    #[test]
    fn what_a_field_never_has_is_refused() {
        for (filter, code) in [
            ("space.size=big", 262_185),
            ("space.size=%3Ebig", 262_185),
            ("space.size=1..big", 262_185),
            ("enabled=perhaps", 262_185),
            ("os_type=amiga", 262_197),
            ("os_type=linux%7Camiga", 262_197),
            ("os_type=!amiga", 262_197),
        ] {
            assert_eq!(asked(filter).expect_err(filter).code, code, "{filter}");
        }
        for filter in ["space.size=%3E1GB", "enabled=!TRUE", "os_type=hyper-v,Linux", "os_type=*", "os_type=!%22%22", "space.size=null", "comment=17"] {
            assert!(asked(filter).is_ok(), "{filter}");
        }
        assert_eq!(asked("lun_maps=null").expect("a list").filters, [("lun_maps".to_owned(), Filter::Null)]);
    }

    #[test]
    fn the_next_link_carries_the_whole_query() {
        let query = Query::read("fields=name,uuid&name=a%20b*&max_records=2&start.after=1");
        assert_eq!(query.next("7", 2), "start.after=7&max_records=2&fields=name,uuid&name=a%20b*");
    }
}
