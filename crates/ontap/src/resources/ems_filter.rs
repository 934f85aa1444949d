//! `/support/ems/filters` and the rules of each. The last rule of a filter, which lets nothing else pass, is the array's own.

use serde_json::{Map, Value, json};

use crate::body::Body;
use crate::collection::{Call, Collection, Row, Verb, View};
use crate::fields::Want;
use crate::model::{Key, Notes, Object, Record, RecordKind};
use crate::ops;
use crate::refusal::{Outcome, Refusal};

/// The filters.
pub(crate) struct Filters;

/// The rules of a filter.
pub(crate) struct Rules;

/// Filters that every cluster has.
const OWN: [&str; 3] = ["default-trap-events", "important-events", "no-info-debug-events"];

fn filters<'a>(view: &View<'a>) -> impl Iterator<Item = &'a Record> {
    view.array.records.iter().filter(|record| record.kind == RecordKind::EmsFilter)
}

/// The rules as they are kept.
fn rules_of(record: &Record) -> Vec<Value> {
    record.note("rules").and_then(Value::as_array).cloned().unwrap_or_default()
}

/// The rules of the filter of that name.
pub(super) fn rules(view: &View<'_>, name: &str) -> Option<Vec<Value>> {
    filters(view).find(|record| record.name() == name).map(rules_of)
}

/// The rule that every filter ends with.
fn last() -> Value {
    json!({"type": "exclude", "message_criteria": {"name_pattern": "*", "severities": "*", "snmp_trap_types": "*"}})
}

/// Whether a rule is that one.
fn is_last(rule: &Value) -> bool {
    rule["type"] == "exclude" && ["name_pattern", "severities", "snmp_trap_types"].iter().all(|name| rule["message_criteria"][name] == "*")
}

/// A rule as it is kept.
fn complete(rule: &Value) -> Outcome<Value> {
    let given = rule.get("message_criteria").and_then(Value::as_object).cloned().unwrap_or_default();
    if given.is_empty() && rule.get("parameter_criteria").and_then(Value::as_array).is_none_or(Vec::is_empty) {
        let message = "A rule requires at least one name pattern, severity, SNMP trap type, or parameter pattern.";
        return Err(Refusal::bad(983_126, message).at("rules"));
    }
    let mut criteria = Map::new();
    for name in ["name_pattern", "severities", "snmp_trap_types"] {
        let text = given.get(name).and_then(Value::as_str).filter(|text| !text.is_empty()).unwrap_or("*");
        let text = if name == "name_pattern" { text.to_owned() } else { text.to_lowercase().replace(' ', "") };
        criteria.insert(name.into(), json!(text));
    }
    let kind = rule.get("type").and_then(Value::as_str).ok_or_else(|| Refusal::required("rules.type"))?;
    let mut whole = json!({"type": kind, "message_criteria": criteria});
    if let Some(parameters) = rule.get("parameter_criteria").filter(|value| !value.is_null()) {
        whole["parameter_criteria"] = parameters.clone();
    }
    Ok(whole)
}

/// Rules in their order, with their places and the last one.
fn numbered(mut rules: Vec<Value>) -> Vec<Value> {
    rules.retain(|rule| !is_last(rule));
    rules.push(last());
    let number = |(place, mut rule): (usize, Value)| {
        rule["index"] = json!(place + 1);
        rule
    };
    rules.into_iter().enumerate().map(number).collect()
}

/// Rules as a body gives them, by their places where it says them.
fn given(body: &Body) -> Outcome<Option<Vec<Value>>> {
    let Some(rules) = body.list("rules") else { return Ok(None) };
    let mut rules: Vec<Value> = rules.to_vec();
    rules.sort_by_key(|rule| rule.get("index").and_then(Value::as_u64).unwrap_or(u64::MAX));
    let rules = rules.iter().map(complete).collect::<Outcome<Vec<_>>>()?;
    Ok(Some(numbered(rules)))
}

fn is_own(record: &Record) -> bool {
    OWN.contains(&record.name())
}

fn own() -> Refusal {
    Refusal::bad(983_113, "Default filters cannot be modified or removed.")
}

/// A filter that is not the array's own, by identifier.
fn changeable(call: &Call<'_>, row: Row) -> Outcome<(String, Vec<Value>)> {
    call.read(|view| {
        let record = view.array.records.get(Key::from_raw(row.0)).ok_or_else(Refusal::not_found)?;
        if is_own(record) { Err(own()) } else { Ok((record.id().to_string(), rules_of(record))) }
    })
}

fn keep(call: &Call<'_>, record: String, name: Option<String>, rules: Option<Vec<Value>>) -> Outcome<()> {
    let notes = rules.map(|rules| Notes::from([("rules".to_owned(), Value::Array(rules))]));
    call.run(vec![ops::record::Update { record, name, notes }.into()]).map(drop)
}

impl Collection for Filters {
    fn path(&self) -> &'static str {
        "/support/ems/filters"
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Create, Verb::Update, Verb::Delete]
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        Ok(filters(view).map(|record| Row(record.key().raw(), 0)).collect())
    }
    fn find(&self, view: &View<'_>, keys: &[String]) -> Outcome<Option<Row>> {
        let name = keys.first().map(String::as_str);
        Ok(filters(view).find(|record| Some(record.name()) == name).map(|record| Row(record.key().raw(), 0)))
    }
    fn record(&self, view: &View<'_>, row: Row, _: &Want) -> Value {
        let Some(record) = view.array.records.get(Key::<Record>::from_raw(row.0)) else { return json!({}) };
        json!({"name": record.name(), "rules": rules_of(record), "system_defined": is_own(record)})
    }
    fn create(&self, call: &Call<'_>, body: &Body) -> Outcome<Row> {
        let name = body.text("name").filter(|name| !name.is_empty()).ok_or_else(|| Refusal::bad(983_088, "The filter name provided is empty.").at("name"))?;
        if name.contains(char::is_whitespace) {
            return Err(Refusal::bad(983_089, "The filter name provided cannot contain spaces.").at("name"));
        }
        let rules = given(body)?.unwrap_or_else(|| numbered(Vec::new()));
        let notes = Notes::from([("rules".to_owned(), Value::Array(rules))]);
        let create = ops::record::Create { kind: RecordKind::EmsFilter, name: name.to_owned(), tenant: None, notes: Some(notes) };
        call.make::<Record>(vec![create.into()]).map(|key| Row(key.raw(), 0))
    }
    fn update(&self, call: &Call<'_>, row: Row, body: &Body) -> Outcome<()> {
        let (record, _) = changeable(call, row)?;
        let name = call.query.get("new_name").or_else(|| body.text("name")).map(str::to_owned);
        keep(call, record, name, given(body)?)
    }
    fn delete(&self, call: &Call<'_>, row: Row) -> Outcome<()> {
        let (record, _) = changeable(call, row)?;
        call.run(vec![ops::record::Delete { record }.into()]).map(drop).map_err(|refusal| match refusal.code {
            8 => Refusal { code: 983_124, ..refusal },
            _ => refusal,
        })
    }
}

impl Rules {
    fn filter<'a>(view: &View<'a>) -> Outcome<&'a Record> {
        filters(view).find(|record| record.name() == view.parent()).ok_or_else(Refusal::not_found)
    }
}

impl Collection for Rules {
    fn path(&self) -> &'static str {
        "/support/ems/filters/{name}/rules"
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Create, Verb::Update, Verb::Delete]
    }
    fn defaults(&self) -> &'static [&'static str] {
        &["type", "message_criteria"]
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        let record = Rules::filter(view)?;
        let count = u32::try_from(rules_of(record).len()).unwrap_or(0);
        Ok((0..count).map(|place| Row(record.key().raw(), place)).collect())
    }
    fn record(&self, view: &View<'_>, row: Row, _: &Want) -> Value {
        let record = view.array.records.get(Key::<Record>::from_raw(row.0));
        record.and_then(|record| rules_of(record).get(row.1 as usize).cloned()).unwrap_or_else(|| json!({}))
    }
    fn create(&self, call: &Call<'_>, body: &Body) -> Outcome<Row> {
        let key = call.read(|view| Rules::filter(view).map(|record| record.key().raw()))?;
        let (record, mut rules) = changeable(call, Row(key, 0))?;
        let least = rules.len().saturating_sub(1);
        let place = body.number("index").and_then(|index| usize::try_from(index).ok()).map_or(least, |index| index.saturating_sub(1).min(least));
        rules.insert(place, complete(&body.0)?);
        keep(call, record, None, Some(numbered(rules)))?;
        Ok(Row(key, u32::try_from(place).unwrap_or(0)))
    }
    fn update(&self, call: &Call<'_>, row: Row, body: &Body) -> Outcome<()> {
        let (record, mut rules) = changeable(call, row)?;
        let place = row.1 as usize;
        let mut rule = rules.get(place).cloned().ok_or_else(Refusal::not_found)?;
        if is_last(&rule) {
            return Err(Refusal::bad(983_091, "The default rule cannot be modified or removed."));
        }
        super::setting::merge(&mut rule, body.0.clone());
        rules.remove(place);
        let to = call.query.get("new_index").and_then(|index| index.parse::<usize>().ok()).map_or(place, |index| index.saturating_sub(1));
        rules.insert(to.min(rules.len()), complete(&rule)?);
        keep(call, record, None, Some(numbered(rules)))
    }
    fn delete(&self, call: &Call<'_>, row: Row) -> Outcome<()> {
        let (record, mut rules) = changeable(call, row)?;
        let place = row.1 as usize;
        if rules.get(place).is_none_or(is_last) {
            return Err(Refusal::bad(983_091, "The default rule cannot be modified or removed."));
        }
        rules.remove(place);
        keep(call, record, None, Some(numbered(rules)))
    }
}
