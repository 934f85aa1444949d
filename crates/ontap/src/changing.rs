//! PATCH and DELETE: of one object, of several that a body lists, and of all that fulfil a query; and what all changes share.

use std::cell::RefCell;
use std::sync::Arc;

use actix_web::http::StatusCode;
use serde_json::{Value, json};

use crate::answer::{Answer, envelope, link};
use crate::body::{Body, Purpose};
use crate::collection::{Call, Collection, Row, Shape, Timing, Verb, View};
use crate::fields::Want;
use crate::job;
use crate::model::Object;
use crate::ops::Actor;
use crate::query::Query;
use crate::reading::{facts, selected};
use crate::refusal::{Outcome, Refusal};
use crate::scope::{Scope, owner_field};
use crate::site::Hosted;
use crate::table;
use crate::version::Version;

/// What is changed, and by whom.
pub(crate) struct Changing<'a> {
    pub(crate) hosted: &'a Arc<Hosted>,
    pub(crate) actor: Actor,
    pub(crate) collection: &'static dyn Collection,
    pub(crate) parents: Vec<String>,
    pub(crate) query: Query,
    pub(crate) scope: Option<Scope>,
    pub(crate) version: Version,
    pub(crate) links: bool,
    /// The path as it was asked for.
    pub(crate) own: &'a str,
}

impl Changing<'_> {
    /// Changes the object that the path names; where it stands alone, that of the collection.
    pub(crate) fn update(&self, keys: Option<&[String]>, sent: Value) -> Outcome<Answer> {
        self.offers(Verb::Update, "PATCH")?;
        let resource = facts(self.collection)?;
        let (sent, query) = self.without_switches(sent);
        let wait = query.return_timeout()?.unwrap_or(0);
        let body = Body::read(sent, &resource.fields, Purpose::Change)?;
        self.names_no_other(&body)?;
        let mut call = self.call(Verb::Update, "PATCH");
        call.query = &query;
        let mut rows = self.chosen(keys)?;
        if body.names().next().is_none() && !query.has_switch(resource, "PATCH") {
            return Err(Refusal::bad(262_190, "There is nothing to change: the request names no field."));
        }
        if call.is_on("simulate") {
            return self.tried(&call, &rows, &body);
        }
        let mut answer = if keys.is_some() || self.collection.shape() == Shape::One {
            rows.iter().try_for_each(|row| self.collection.update(&call, *row, &body))?;
            self.done(&call, Verb::Update, wait, StatusCode::OK)
        } else {
            let several = self.each(&rows, &query, |row| self.collection.update(&call, row, &body))?;
            rows = several.done.iter().map(|place| rows[*place]).collect();
            self.done_by_query(&call, &query, &several)
        };
        if self.query.flag("return_records")?.unwrap_or(false) {
            self.add_records(&mut answer, self.look(&rows, false).0);
        }
        Ok(answer)
    }
    /// Deletes the object that the path names, those that the body lists, or all that fulfil the query.
    pub(crate) fn delete(&self, keys: Option<&[String]>, sent: Value) -> Outcome<Answer> {
        self.offers(Verb::Delete, "DELETE")?;
        let wait = self.query.return_timeout()?.unwrap_or(0);
        let mut query = self.query.clone();
        let listed = sent.get("records").and_then(Value::as_array).cloned();
        if listed.is_none() {
            flatten("", &sent, &mut |name, value| query.add(name, value));
        }
        let mut call = self.call(Verb::Delete, "DELETE");
        call.query = &query;
        let (rows, missing) = match listed {
            None => (self.chosen_by(keys, &query)?, Vec::new()),
            Some(listed) => self.named_in(&listed)?,
        };
        let mut shown = if self.query.flag("return_records")?.unwrap_or(false) { Some(self.look(&rows, false).0) } else { None };
        let mut answer = if keys.is_some() {
            rows.iter().try_for_each(|row| self.collection.delete(&call, *row))?;
            self.done(&call, Verb::Delete, wait, StatusCode::OK)
        } else {
            let several = self.each(&rows, &query, |row| self.collection.delete(&call, row))?.with(missing);
            shown = shown.map(|shown| several.done.iter().map(|place| shown[*place].clone()).collect());
            self.done_by_query(&call, &query, &several)
        };
        if let Some(records) = shown {
            self.add_records(&mut answer, records);
        }
        Ok(answer)
    }

    pub(crate) fn offers(&self, verb: Verb, method: &str) -> Outcome<()> {
        if self.collection.verbs().contains(&verb) { self.query.legible(facts(self.collection)?) } else { Err(Refusal::method_not_allowed(method)) }
    }
    /// What the job says, where the answer is a job.
    pub(crate) fn description(&self, verb: Verb, method: &str) -> Option<String> {
        (self.collection.timing(verb) == Timing::Job).then(|| format!("{method} {}", self.own.split('?').next().unwrap_or_default()))
    }
    pub(crate) fn call(&self, verb: Verb, method: &str) -> Call<'_> {
        Call {
            hosted: self.hosted,
            actor: self.actor.clone(),
            query: &self.query,
            parents: &self.parents,
            version: self.version,
            scope: self.scope.map(|scope| scope.svm),
            description: self.description(verb, method),
            path: self.collection.path(),
            jobs: RefCell::default(),
            draft: None,
        }
    }
    pub(crate) fn view<R>(&self, look: impl FnOnce(&View<'_>) -> R) -> R {
        self.hosted.read(|world| look(&View { parents: &self.parents, ..View::of(world, self.hosted, self.version, &self.query) }))
    }
    /// A body must not name another SVM than the one into which the call goes.
    pub(crate) fn names_no_other(&self, body: &Body) -> Outcome<()> {
        let (Some(scope), Some(field)) = (self.scope, owner_field(self.collection.path())) else { return Ok(()) };
        let Some(named) = body.named(field) else { return Ok(()) };
        self.view(|view| {
            let Some(svm) = view.array.tenants.get(scope.svm) else { return Ok(()) };
            let is_it = named.name.is_none_or(|name| name == svm.name()) && named.uuid.is_none_or(|uuid| uuid == svm.id().to_string());
            if is_it { Ok(()) } else { Err(Refusal::other_svm(field)) }
        })
    }
    /// What the path and the query name must lie in the SVM into which the call goes.
    pub(crate) fn in_scope(&self, query: &Query) -> Outcome<()> {
        let Some(scope) = self.scope else { return Ok(()) };
        self.view(|view| scope.agrees(view, query).and_then(|()| scope.parent_is_there(view, self.collection, true)))
    }
    fn may_change(&self, view: &View<'_>, row: Row) -> bool {
        let record = || self.collection.record(view, row, &table::keys_only(self.collection.path()));
        self.scope.is_none_or(|scope| scope.may_change(view, self.collection, &record()))
    }
    /// Switches that a client sends in the body go to the query.
    fn without_switches(&self, mut sent: Value) -> (Value, Query) {
        let mut query = self.query.clone();
        if let Some(fields) = sent.as_object_mut() {
            if let Some(restore) = fields.shift_remove("restore_to") {
                flatten("restore_to", &restore, &mut |name, value| query.add(name, value));
            }
            for name in ["return_timeout", "return_records", "force"] {
                if let Some(value) = fields.shift_remove(name) {
                    query.add(name, &value);
                }
            }
        }
        (sent, query)
    }
    fn chosen(&self, keys: Option<&[String]>) -> Outcome<Vec<Row>> {
        self.chosen_by(keys, &self.query)
    }
    /// The rows that are meant.
    fn chosen_by(&self, keys: Option<&[String]>, query: &Query) -> Outcome<Vec<Row>> {
        let collection = self.collection;
        self.in_scope(query)?;
        self.view(|view| match keys {
            Some(keys) => {
                let found = collection.find(view, keys)?.filter(|row| self.may_change(view, *row));
                found.map(|row| vec![row]).ok_or_else(|| collection.absent())
            }
            None if collection.shape() == Shape::One => collection.rows(view),
            None => {
                let asked = query.asked(facts(collection)?, "DELETE").or_else(|_| query.asked(facts(collection)?, "PATCH"))?;
                if asked.filters.is_empty() {
                    return Err(Refusal::bad(262_212, "At least one query field is required to change objects of a collection."));
                }
                selected(collection, view, &asked, self.scope)
            }
        })
    }
    /// The rows that a body lists by their keys, and what is not there although it is listed: without the wish to go on, a refusal.
    fn named_in(&self, listed: &[Value]) -> Outcome<(Vec<Row>, Vec<Refusal>)> {
        let (mut rows, mut missing) = (Vec::new(), Vec::new());
        for (index, item) in listed.iter().enumerate() {
            let mut query = Query::default();
            flatten("", item, &mut |name, value| query.add(name, value));
            let found = self.chosen_by(None, &query)?;
            if found.is_empty() {
                missing.push(self.collection.absent().of_member(index));
            }
            rows.extend(found);
        }
        match missing.first() {
            Some(first) if !self.query.is_on("continue_on_failure") => Err(first.clone()),
            _ => Ok((rows, missing)),
        }
    }
    /// Objects as they are now, and where they are.
    pub(crate) fn look(&self, rows: &[Row], whole: bool) -> (Vec<Value>, Vec<String>) {
        let want = match facts(self.collection) {
            Ok(resource) => Want::read(resource, self.collection.defaults(), &self.query.fields(), whole),
            Err(_) => Want::default(),
        };
        self.view(|view| {
            let each = rows.iter().map(|row| {
                let mut record = self.collection.record(view, *row, &want);
                want.prune(&mut record);
                let location = table::href(self.collection, view.parents, &record);
                if self.links {
                    link(&mut record, self.collection, view.parents);
                }
                (record, location)
            });
            each.unzip()
        })
    }
    /// What a call on one object answers: nothing more, or its job.
    pub(crate) fn done(&self, call: &Call<'_>, verb: Verb, wait: u64, at_once: StatusCode) -> Answer {
        let jobs = call.jobs.borrow();
        match (self.collection.timing(verb), jobs.first()) {
            (Timing::Job, Some(uuid)) => {
                let status = if wait == 0 { StatusCode::ACCEPTED } else { at_once };
                Answer::new(status, json!({"job": job::link(uuid)}))
            }
            _ => Answer::new(at_once, json!({})),
        }
    }
    /// How many objects a call on a collection has changed, and its jobs.
    pub(crate) fn page_of(&self, call: &Call<'_>, count: usize) -> Value {
        let mut body = envelope(None, count, self.own, None);
        let jobs = call.jobs.borrow();
        if !jobs.is_empty() {
            body["jobs"] = jobs.iter().map(|uuid| job::link(uuid)).collect();
        }
        body
    }
    pub(crate) fn add_records(&self, answer: &mut Answer, records: Vec<Value>) {
        let count = records.len();
        let page = envelope(Some(records), count, self.own, None);
        if let (Some(body), Value::Object(page)) = (answer.body.as_object_mut(), page) {
            body.extend(page);
        }
    }
}

/// Every leaf with its dotted path.
fn flatten(above: &str, value: &Value, each: &mut dyn FnMut(&str, &Value)) {
    match value {
        Value::Object(fields) => {
            for (name, inner) in fields {
                let path = if above.is_empty() { name.clone() } else { format!("{above}.{name}") };
                flatten(&path, inner, each);
            }
        }
        leaf if !above.is_empty() => each(above, leaf),
        _ => {}
    }
}
