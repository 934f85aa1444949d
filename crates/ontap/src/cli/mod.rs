//! `/api/private/cli`: commands of the command line as paths.
//!
//! Most commands show what a collection of the API has under other names: which, stands in `fixtures/ontap/cli.json` ([`table`]). What no
//! collection has is in [`own`]; what changes something, in [`change`]. Commands that are not known are counted, as paths of the API are.

mod change;
mod own;
mod table;

use std::sync::Arc;

use actix_web::http::{Method, StatusCode};
use serde_json::{Map, Value, json};

use crate::answer::{Answer, envelope};
use crate::collection::View;
use crate::ops::Actor;
use crate::query::Query;
use crate::refusal::{Outcome, Refusal};
use crate::scope::Scope;
use crate::site::Hosted;
use crate::version::Version;

/// A command.
pub(crate) struct Asked<'a> {
    pub(crate) method: &'a Method,
    /// The path behind `private`.
    pub(crate) words: &'a [String],
    pub(crate) query: &'a Query,
    pub(crate) body: &'a [u8],
    /// The SVM into which the command goes.
    pub(crate) scope: Option<Scope>,
}

impl Asked<'_> {
    /// Whether what no collection has is shown: to accounts of SVMs, only what is no business of the cluster's alone.
    fn is_for_all(&self, command: &str) -> bool {
        !self.scope.is_some_and(|scope| scope.is_account) || command == "version" || command.starts_with("debug/smdb/table/Ontap")
    }
}

/// What a command shows: rows, and the fields that come with each.
struct Shown {
    keys: Vec<String>,
    rows: Vec<Value>,
}

/// Does what a command says.
pub(crate) fn answer(hosted: &Arc<Hosted>, actor: &Actor, asked: &Asked<'_>, version: Version) -> Outcome<Answer> {
    let (first, rest) = asked.words.split_first().ok_or_else(Refusal::no_such_api)?;
    let command = rest.join("/");
    let command = command.strip_suffix("/show").unwrap_or(&command);
    let not_served = || {
        hosted.count_unserved(asked.method.as_str(), &format!("/api/private/{}", asked.words.join("/")));
        Refusal::no_such_api()
    };
    if first != "cli" {
        return Err(not_served());
    }
    match *asked.method {
        Method::GET | Method::HEAD => {
            let empty = Query::default();
            let shown = hosted.read(|world| {
                let view = View::of(world, hosted, version, &empty);
                asked.scope.map_or(Ok(()), |scope| scope.agrees(&view, asked.query))?;
                match own::shown(&view, command) {
                    Some(_) if !asked.is_for_all(command) => Err(Refusal::not_authorized()),
                    Some(shown) => Ok(Some(shown)),
                    None => table::shown(&view, command, asked.scope),
                }
            });
            show(asked, shown?.ok_or_else(not_served)?)
        }
        Method::OPTIONS => Ok(Answer::ok(json!({}))),
        _ => {
            let change = change::Change { hosted, actor, query: asked.query, version, body: crate::body::parse(asked.body)?, scope: asked.scope };
            let count = change.run(asked.method, command)?.ok_or_else(not_served)?;
            let status = if *asked.method == Method::POST { StatusCode::CREATED } else { StatusCode::OK };
            Ok(Answer::new(status, json!({"num_records": count})))
        }
    }
}

/// Filters and fields have hyphens or underscores; answers have underscores.
fn named(name: &str) -> String {
    name.replace('-', "_")
}

/// A page of what a command shows.
fn show(asked: &Asked<'_>, shown: Shown) -> Outcome<Answer> {
    let fields = asked.query.fields();
    if fields.split(',').any(|field| field.contains('*')) {
        return Err(Refusal::bad(262_220, "Wildcard fields are not supported by this command.").at("fields"));
    }
    let fields: Vec<String> = fields.split(',').map(str::trim).filter(|field| !field.is_empty()).map(named).collect();
    let filters: Vec<_> = asked.query.others().map(|(name, filter)| (named(name), filter)).collect();
    let holds = |row: &Value| filters.iter().all(|(name, filter)| filter.holds(row, &[name]));
    let found: Vec<Value> = shown.rows.into_iter().filter(holds).collect();
    let own = format!("/api/private/{}", asked.words.join("/"));
    if asked.query.flag("return_records")? == Some(false) {
        return Ok(Answer::ok(envelope(None, found.len(), &own, None)));
    }
    let (start, most) = asked.query.page()?;
    let next = (found.len() > start + most).then(|| format!("{own}?{}", asked.query.next(&(start + most).to_string(), most)));
    let is_wanted =
        |name: &String| fields.is_empty() || fields.contains(name) || shown.keys.contains(name) || filters.iter().any(|(filtered, _)| filtered == name);
    let pruned = |row: Value| match row {
        Value::Object(row) => Value::Object(row.into_iter().filter(|(name, _)| is_wanted(name)).collect::<Map<_, _>>()),
        other => other,
    };
    let records: Vec<Value> = found.into_iter().skip(start).take(most).map(pruned).collect();
    let count = records.len();
    let mut answer = Answer::ok(envelope(Some(records), count, &own, next.as_deref()));
    answer.next = next;
    Ok(answer)
}
