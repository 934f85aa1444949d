//! POST: of one object, or of several that a body lists.
//!
//! Several are made all or nothing: on a copy of the array first, where each sees those before it.

use actix_web::http::StatusCode;
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::body::{Body, Purpose};
use crate::changing::Changing;
use crate::collection::{Call, Row, Verb, View};
use crate::job;
use crate::model::Object;
use crate::reading::facts;
use crate::refusal::{Outcome, Refusal};
use crate::scope::owner_field;
use crate::site::Done;

impl Changing<'_> {
    /// Makes one object, or all of those that the body lists.
    pub(crate) fn create(&self, sent: Value) -> Outcome<Answer> {
        self.offers(Verb::Create, "POST")?;
        self.in_scope(&self.query)?;
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
                let done = call.run(vec![job::failed(text, &refusal, call.svm_id())])?;
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
        let call = Call { description: None, ..self.call(Verb::Create, "POST") };
        let (rows, done) = call.carry_out(|call| {
            let make = |(index, body): (usize, &Body)| self.collection.create(call, body).map_err(|refusal| refusal.of_member(index));
            let rows = bodies.iter().enumerate().map(make).collect::<Outcome<Vec<Row>>>()?;
            if let Some(text) = description {
                call.run(vec![job::made(text, &rows, call.svm_id())])?;
            }
            Ok(rows)
        })?;
        Ok((rows, description.and_then(|_| id_of_last(&done))))
    }
    /// The object that a body describes.
    fn described(&self, sent: Value) -> Outcome<Body> {
        self.scoped(Body::read(sent, &facts(self.collection)?.fields, Purpose::Create)?)
    }
    /// A new object belongs to the SVM into which the call goes; a body that names another one contradicts it.
    fn scoped(&self, mut body: Body) -> Outcome<Body> {
        let (Some(scope), Some(field)) = (self.scope, owner_field(self.collection.path())) else { return Ok(body) };
        self.names_no_other(&body)?;
        let named = |view: &View<'_>| view.array.tenants.get(scope.svm).map(|svm| json!({"name": svm.name(), "uuid": svm.id()}));
        body.0[field] = self.view(named).unwrap_or_default();
        Ok(body)
    }
}

/// The most objects that one body lists.
const LISTED_MOST: usize = 1000;

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
