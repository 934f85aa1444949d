//! POST, PATCH and DELETE: of one object, of several that a body lists, and of all that fulfil a query.
//!
//! Several objects of one POST are made all or nothing: on a copy of the array first, where each sees those before it.

use std::cell::RefCell;
use std::sync::Arc;

use actix_web::http::StatusCode;
use serde_json::{Value, json};

use crate::answer::{Answer, envelope, link};
use crate::body::{Body, Purpose};
use crate::collection::{Call, Collection, Row, Shape, Timing, Verb, View};
use crate::fields::Want;
use crate::job;
use crate::model::{Key, Object, Tenant};
use crate::ops::Actor;
use crate::query::Query;
use crate::reading::{facts, selected};
use crate::refusal::{Outcome, Refusal};
use crate::refusals::of_change;
use crate::site::{ChangeError, Done, Hosted};
use crate::table;
use crate::version::Version;

/// What is changed, and by whom.
pub(crate) struct Changing<'a> {
    pub(crate) hosted: &'a Arc<Hosted>,
    pub(crate) actor: Actor,
    pub(crate) collection: &'static dyn Collection,
    pub(crate) parents: Vec<String>,
    pub(crate) query: Query,
    pub(crate) scope: Option<Key<Tenant>>,
    pub(crate) version: Version,
    pub(crate) links: bool,
    /// The path as it was asked for.
    pub(crate) own: &'a str,
}

impl Changing<'_> {
    /// Makes one object, or all of those that the body lists.
    pub(crate) fn create(&self, sent: Value) -> Outcome<Answer> {
        self.offers(Verb::Create, "POST")?;
        let wait = self.query.return_timeout()?.unwrap_or(0);
        match listed(&sent)? {
            Some(listed) => self.create_all(listed, wait),
            None => self.create_one(sent, wait),
        }
    }
    fn create_one(&self, sent: Value, wait: u64) -> Outcome<Answer> {
        let body = self.described(sent)?;
        let call = self.call(Verb::Create, "POST");
        let row = self.collection.create(&call, &body)?;
        let (records, mut locations) = self.look(&[row], true);
        let mut answer = self.done(&call, Verb::Create, wait, StatusCode::CREATED);
        if self.query.flag("return_records")?.unwrap_or(false) {
            self.add_records(&mut answer, records);
        }
        answer.location = locations.pop();
        Ok(answer)
    }
    /// Makes all or none. Where the answer is a job, a refusal is the job's failure, unless the client waits for it.
    fn create_all(&self, listed: &[Value], wait: u64) -> Outcome<Answer> {
        let read = |(index, item): (usize, &Value)| self.described(item.clone()).map_err(|refusal| refusal.of_member(index));
        let bodies = listed.iter().enumerate().map(read).collect::<Outcome<Vec<Body>>>()?;
        let wants_records = self.query.flag("return_records")?.unwrap_or(false);
        let description = self.description(Verb::Create, "POST");
        let (rows, job) = match (self.make_together(&bodies, description.as_deref()), &description) {
            (Err(refusal), Some(text)) if wait == 0 => {
                let call = Call { description: None, ..self.call(Verb::Create, "POST") };
                let done = call.run(vec![job::failed(text, &refusal)])?;
                (Vec::new(), id_of_last(&done))
            }
            (outcome, _) => outcome?,
        };
        let status = if job.is_some() && wait == 0 { StatusCode::ACCEPTED } else { StatusCode::CREATED };
        let path = self.own.split('?').next().unwrap_or_default();
        let mut answer = Answer::new(status, job.map_or_else(|| json!({}), |uuid| json!({"job": job::link_with_results(&uuid, path)})));
        let (records, mut locations) = self.look(&rows, true);
        if wants_records {
            self.add_records(&mut answer, records);
        }
        answer.location = locations.pop().filter(|_| rows.len() == 1);
        Ok(answer)
    }
    /// Makes objects one after the other on a copy, so that each sees those before it, and then all of them at once; tells the job, if there
    /// is one. When something else has changed the array meanwhile, it begins again.
    fn make_together(&self, bodies: &[Body], description: Option<&str>) -> Outcome<(Vec<Row>, Option<String>)> {
        let mut attempts = 0;
        loop {
            let draft = Some(RefCell::new(self.hosted.draft(self.actor.clone())));
            let call = Call { description: None, draft, ..self.call(Verb::Create, "POST") };
            let make = |(index, body): (usize, &Body)| self.collection.create(&call, body).map_err(|refusal| refusal.of_member(index));
            let rows = bodies.iter().enumerate().map(make).collect::<Outcome<Vec<Row>>>()?;
            if let Some(text) = description {
                call.run(vec![job::made(text, &rows)])?;
            }
            let Some(draft) = call.draft else { return Ok((rows, None)) };
            match self.hosted.carry_out(draft.into_inner()) {
                Err(ChangeError::TagDiffers { .. }) if attempts < ATTEMPTS => attempts += 1,
                Err(error) => return Err(of_change(&error, self.collection.path())),
                Ok(done) => return Ok((rows, description.and_then(|_| id_of_last(&done)))),
            }
        }
    }
    /// The object that a body describes.
    fn described(&self, sent: Value) -> Outcome<Body> {
        self.scoped(Body::read(sent, &facts(self.collection)?.fields, Purpose::Create)?)
    }
    /// Changes the object that the path names; where it stands alone, that of the collection.
    pub(crate) fn update(&self, keys: Option<&[String]>, sent: Value) -> Outcome<Answer> {
        self.offers(Verb::Update, "PATCH")?;
        let resource = facts(self.collection)?;
        let wait = self.query.return_timeout()?.unwrap_or(0);
        let (sent, query) = self.without_switches(sent);
        let body = Body::read(sent, &resource.fields, Purpose::Change)?;
        let mut call = self.call(Verb::Update, "PATCH");
        call.query = &query;
        let rows = self.chosen(keys)?;
        if call.is_on("simulate") {
            return self.tried(&call, &rows, &body);
        }
        for row in &rows {
            self.collection.update(&call, *row, &body)?;
        }
        let mut answer = if keys.is_some() || self.collection.shape() == Shape::One {
            self.done(&call, Verb::Update, wait, StatusCode::OK)
        } else {
            self.done_by_query(&call, rows.len())
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
        let rows = match listed {
            None => self.chosen_by(keys, &query)?,
            Some(listed) => self.named_in(&listed)?,
        };
        let shown = if self.query.flag("return_records")?.unwrap_or(false) { Some(self.look(&rows, false).0) } else { None };
        for row in &rows {
            self.collection.delete(&call, *row)?;
        }
        let mut answer = if keys.is_some() { self.done(&call, Verb::Delete, wait, StatusCode::OK) } else { self.done_by_query(&call, rows.len()) };
        if let Some(records) = shown {
            self.add_records(&mut answer, records);
        }
        Ok(answer)
    }

    fn offers(&self, verb: Verb, method: &str) -> Outcome<()> {
        if self.collection.verbs().contains(&verb) { Ok(()) } else { Err(Refusal::method_not_allowed(method)) }
    }
    /// What the job says, where the answer is a job.
    fn description(&self, verb: Verb, method: &str) -> Option<String> {
        (self.collection.timing(verb) == Timing::Job).then(|| format!("{method} {}", self.own.split('?').next().unwrap_or_default()))
    }
    fn call(&self, verb: Verb, method: &str) -> Call<'_> {
        Call {
            hosted: self.hosted,
            actor: self.actor.clone(),
            query: &self.query,
            parents: &self.parents,
            version: self.version,
            scope: self.scope,
            description: self.description(verb, method),
            path: self.collection.path(),
            jobs: RefCell::default(),
            draft: None,
        }
    }
    fn view<R>(&self, look: impl FnOnce(&View<'_>) -> R) -> R {
        self.hosted.read(|world| look(&View { parents: &self.parents, ..View::of(world, self.hosted, self.version, &self.query) }))
    }
    /// A body belongs to the SVM that the headers name; another one contradicts them.
    fn scoped(&self, mut body: Body) -> Outcome<Body> {
        let Some(scope) = self.scope else { return Ok(body) };
        if facts(self.collection)?.fields.get("svm").is_none() {
            return Ok(body);
        }
        let (name, uuid) =
            self.view(|view| view.array.tenants.get(scope).map(|tenant| (tenant.name().to_owned(), tenant.id().to_string()))).unwrap_or_default();
        if let Some(named) = body.named("svm")
            && (named.name.as_ref().is_some_and(|given| *given != name) || named.uuid.as_ref().is_some_and(|given| *given != uuid))
        {
            return Err(
                Refusal::bad(2_621_706, "The specified \"svm.uuid\" and \"svm.name\" refer to different SVMs than the headers of the request.").at("svm")
            );
        }
        body.0["svm"] = json!({"name": name, "uuid": uuid});
        Ok(body)
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
        self.view(|view| match keys {
            Some(keys) => collection.find(view, keys)?.map(|row| vec![row]).ok_or_else(|| collection.absent()),
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
    /// The rows that a body lists by their keys.
    fn named_in(&self, listed: &[Value]) -> Outcome<Vec<Row>> {
        let mut rows = Vec::new();
        for item in listed {
            let mut query = Query::default();
            flatten("", item, &mut |name, value| query.add(name, value));
            let found = self.chosen_by(None, &query)?;
            if found.is_empty() {
                return Err(self.collection.absent());
            }
            rows.extend(found);
        }
        Ok(rows)
    }
    /// Objects as they are now, and where they are.
    fn look(&self, rows: &[Row], whole: bool) -> (Vec<Value>, Vec<String>) {
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
    fn done(&self, call: &Call<'_>, verb: Verb, wait: u64, at_once: StatusCode) -> Answer {
        let jobs = call.jobs.borrow();
        match (self.collection.timing(verb), jobs.first()) {
            (Timing::Job, Some(uuid)) => {
                let status = if wait == 0 { StatusCode::ACCEPTED } else { at_once };
                Answer::new(status, json!({"job": job::link(uuid)}))
            }
            _ => Answer::new(at_once, json!({})),
        }
    }
    /// What a call on a collection answers: how many, and their jobs.
    fn done_by_query(&self, call: &Call<'_>, count: usize) -> Answer {
        let mut body = envelope(None, count, self.own, None);
        let jobs = call.jobs.borrow();
        if !jobs.is_empty() {
            body["jobs"] = jobs.iter().map(|uuid| job::link(uuid)).collect();
        }
        Answer::ok(body)
    }
    fn add_records(&self, answer: &mut Answer, records: Vec<Value>) {
        let count = records.len();
        let page = envelope(Some(records), count, self.own, None);
        if let (Some(body), Value::Object(page)) = (answer.body.as_object_mut(), page) {
            body.extend(page);
        }
    }
}

/// The most objects that one body lists.
const LISTED_MOST: usize = 1000;

/// How often several objects are tried again when something else changes the array meanwhile.
const ATTEMPTS: u32 = 10;

/// The objects that a body lists under `records`, if it does; then it says nothing else.
fn listed(sent: &Value) -> Outcome<Option<&[Value]>> {
    let Some(records) = sent.get("records") else { return Ok(None) };
    if let Some(other) = sent.as_object().and_then(|fields| fields.keys().find(|name| *name != "records" && *name != "_links")) {
        return Err(Refusal::bad(262_186, format!("Field \"{other}\" cannot be used with \"records\".")).at(other));
    }
    let items = records.as_array().filter(|items| (1..=LISTED_MOST).contains(&items.len()) && items.iter().all(Value::is_object));
    let refuse = || Refusal::bad(262_185, format!("Field \"records\" must be a list of 1 to {LISTED_MOST} objects.")).at("records");
    items.map(|items| Some(items.as_slice())).ok_or_else(refuse)
}

/// The identifier of what the last of several operations made.
fn id_of_last(done: &[Done]) -> Option<String> {
    done.last().and_then(|done| done.made.first()).map(|made| made.id.to_string())
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
