//! Commands that show a collection of the API under other names.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use actix_web::http::Method;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::Shown;
use crate::collection::{Collection, View};
use crate::fields::Want;
use crate::model::Object;
use crate::refusal::Outcome;
use crate::resources::COLLECTIONS;
use crate::schema;
use crate::scope::Scope;
use crate::statistics::{Raw, Subject};

#[derive(Deserialize)]
struct File {
    commands: BTreeMap<String, Command>,
}

/// A command.
#[derive(Deserialize)]
struct Command {
    /// The collection; empty where there is nothing to show.
    from: String,
    /// Fields that come without being asked for.
    keys: Vec<String>,
    /// What a record must have to be shown.
    #[serde(rename = "where")]
    only_with: Option<String>,
    /// Fields with the places of their values.
    fields: Map<String, Value>,
}

static COMMANDS: &str = include_str!("../../../../fixtures/ontap/cli.json");

fn commands() -> &'static BTreeMap<String, Command> {
    static ALL: OnceLock<BTreeMap<String, Command>> = OnceLock::new();
    ALL.get_or_init(|| serde_json::from_str::<File>(COMMANDS).map(|file| file.commands).unwrap_or_default())
}

/// What a command shows, if it is one of these.
pub(super) fn shown(view: &View<'_>, name: &str, scope: Option<Scope>) -> Outcome<Option<Shown>> {
    let Some(command) = commands().get(name) else { return Ok(None) };
    if let (Some(scope), Some(collection)) = (scope, collection(&command.from)) {
        scope.admits(collection, &Method::GET, None, "")?;
    }
    let records = records(view, &command.from, scope);
    let has = |record: &Value| command.only_with.as_ref().is_none_or(|path| at(record, path).is_some());
    let row = |record: &Value| -> Value {
        let each = command.fields.iter().filter_map(|(name, place)| Some((name.clone(), value(view, record, place.as_str()?)?)));
        Value::Object(each.collect())
    };
    Ok(Some(Shown { keys: command.keys.clone(), rows: records.iter().filter(|record| has(record)).map(row).collect() }))
}

fn collection(path: &str) -> Option<&'static dyn Collection> {
    COLLECTIONS.iter().find(|collection| collection.path() == path).copied()
}

/// All records of a collection, whole; those below objects of another one together.
fn records(view: &View<'_>, path: &str, scope: Option<Scope>) -> Vec<Value> {
    let Some(collection) = collection(path) else { return Vec::new() };
    let Some((above, _)) = path.split_once("/{") else { return whole(view, collection, scope) };
    let owners = records(view, above, scope);
    let of_owner = |owner: &Value| {
        let parents: Vec<String> = owner["uuid"].as_str().map(str::to_owned).into_iter().collect();
        whole(&View { parents: &parents, ..*view }, collection, scope)
    };
    owners.iter().flat_map(of_owner).collect()
}

fn whole(view: &View<'_>, collection: &dyn Collection, scope: Option<Scope>) -> Vec<Value> {
    let Some(resource) = schema::resource(collection.path()) else { return Vec::new() };
    let want = Want::read(resource, &[], "**,!metric,!statistics", false);
    let records = collection.rows(view).unwrap_or_default().into_iter().map(|row| collection.record(view, row, &want));
    records.filter(|record| scope.is_none_or(|scope| scope.sees(view, collection, record))).collect()
}

/// What stands at a dotted path; through a list, all that its elements have.
fn at(record: &Value, path: &str) -> Option<Value> {
    let mut found = record.clone();
    for name in path.split('.') {
        found = match &found {
            Value::Array(items) => match name.parse::<usize>() {
                Ok(place) => items.get(place)?.clone(),
                Err(_) => items.iter().filter_map(|item| item.get(name).cloned()).collect(),
            },
            other => other.get(name)?.clone(),
        };
    }
    Some(found).filter(|value| !value.is_null())
}

/// The value of a field.
fn value(view: &View<'_>, record: &Value, place: &str) -> Option<Value> {
    if let Some(constant) = place.strip_prefix('=') {
        return serde_json::from_str(constant).ok();
    }
    if let Some((place, instead)) = place.split_once('|') {
        return value(view, record, place).or_else(|| match instead {
            "cluster" => Some(json!(view.cluster())),
            "" => Some(json!("")),
            constant => serde_json::from_str(constant.strip_prefix('=')?).ok(),
        });
    }
    match place.split_once(':') {
        Some((function, path)) => changed(function, at(record, path)),
        None => computed(view, record, place).or_else(|| at(record, place)),
    }
}

fn changed(function: &str, value: Option<Value>) -> Option<Value> {
    let text = value.as_ref().and_then(Value::as_str).unwrap_or_default();
    Some(match function {
        "flag" => json!(value.is_some() && !matches!(text, "" | "none" | "disabled")),
        "upper" => json!(value.is_some().then(|| text.to_uppercase())?),
        "word" => json!(value.is_some().then(|| text.replace('_', "-"))?),
        "last" => json!(text.rsplit('/').next()?),
        "up" => json!(text == "up"),
        "updown" => json!(if value?.as_bool()? { "up" } else { "down" }),
        "healthy" => json!(if text == "up" { "healthy" } else { "degraded" }),
        "op" => json!(if text == "ok" { "normal" } else { "error" }),
        "per_tb" => json!(format!("{}IOPS/TB", value?)),
        "iops" => json!(format!("{}IOPS", value?)),
        _ => return None,
    })
}

/// What no record has.
fn computed(view: &View<'_>, record: &Value, name: &str) -> Option<Value> {
    match name {
        "node_of_aggregates" | "node_of_aggregates.0" => {
            let named = record["aggregates"].as_array()?.iter().filter_map(|aggregate| aggregate["name"].as_str());
            let pools = named.filter_map(|name| view.array.pools.iter().find(|pool| pool.name() == name));
            let nodes = pools.filter_map(|pool| crate::resources::aggregate::acting(view, pool)).map(|node| json!(view.node_name(node)));
            let nodes: Vec<Value> = nodes.collect();
            if name.ends_with('0') { nodes.first().cloned() } else { Some(Value::Array(nodes)) }
        }
        "logical_data" => {
            let key = view.array.containers.key_of(record["uuid"].as_str()?.parse().ok()?)?;
            let container = view.array.containers.get(key)?;
            Some(json!((container.savings.before + container.shared()).get().max(4096)))
        }
        "busy_seconds" => {
            let key = view.array.controllers.key_of(record["uuid"].as_str()?.parse().ok()?)?;
            Some(json!(Raw::of(view, &Subject::node(key)).busy / 1_000_000))
        }
        "protocol_of_services" => {
            let services = record["services"].as_array()?;
            let protocols = [("data_iscsi", "iscsi"), ("data_nvme_tcp", "nvme-tcp")];
            let spoken = protocols.iter().filter(|(service, _)| services.iter().any(|known| known == service)).map(|(_, protocol)| json!(protocol));
            let spoken: Vec<Value> = spoken.collect();
            Some(if spoken.is_empty() { json!(["none"]) } else { Value::Array(spoken) })
        }
        "throughput" => Some(json!(format!("{}-{}", least(record).unwrap_or_else(|| "0".into()), most(record).unwrap_or_else(|| "INF".into())))),
        "throughput_most" => Some(json!(most(record).unwrap_or_else(|| "INF".into()))),
        "throughput_least" => Some(json!(least(record).unwrap_or_else(|| "0".into()))),
        _ => None,
    }
}

fn most(record: &Value) -> Option<String> {
    limit(record, ["fixed.max_throughput_iops", "fixed.max_throughput_mbps"])
}

fn least(record: &Value) -> Option<String> {
    limit(record, ["fixed.min_throughput_iops", "fixed.min_throughput_mbps"])
}

/// Operations, or bytes, as the command line writes them.
fn limit(record: &Value, [operations, megabytes]: [&str; 2]) -> Option<String> {
    let number = |path: &str| at(record, path)?.as_u64().filter(|number| *number > 0);
    let parts = [number(operations).map(|number| format!("{number}IOPS")), number(megabytes).map(|number| format!("{number}MB/s"))];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_shows_a_collection_that_ontap_has() {
        assert!(commands().len() > 20);
        for (name, command) in commands() {
            assert!(command.from.is_empty() || schema::resource(&command.from).is_some(), "{name}: {}", command.from);
            assert!(command.from.is_empty() || command.keys.iter().all(|key| command.fields.contains_key(key)), "{name}: a key is no field");
        }
    }

    #[test]
    fn values_are_found_through_lists_and_functions() {
        let record = json!({"a": [{"b": 1}, {"b": 2}], "s": "up", "fixed": {"max_throughput_iops": 500, "min_throughput_iops": 0}});
        assert_eq!(at(&record, "a.b"), Some(json!([1, 2])));
        assert_eq!(at(&record, "a.b.0"), Some(json!(1)));
        assert_eq!(at(&record, "c"), None);
        assert_eq!(changed("up", at(&record, "s")), Some(json!(true)));
        assert_eq!((most(&record), least(&record)), (Some("500IOPS".into()), None));
    }
}
