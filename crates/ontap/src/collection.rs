//! What a collection of the API is, and what a call sees of the array.

use std::cell::RefCell;
use std::sync::Arc;

use actix_web::http::Method;
use serde_json::{Value, json};

use crate::body::{Body, Named};
use crate::fields::Want;
use crate::model::{Array, Controller, HostPort, Key, Object, Tenant};
use crate::ops::{Actor, AnyOperation, World};
use crate::query::{Asked, Query};
use crate::refusal::{Outcome, Refusal};
use crate::site::{ChangeError, Done, Draft, Hosted};
use crate::table;
use crate::units::SimTime;
use crate::version::Version;

/// An object in a collection, as the collection itself knows it: raw keys of what it shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Row(pub(crate) u32, pub(crate) u32);

/// Whether a collection is a list of objects, or one object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Many,
    One,
}

/// What can be done besides reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verb {
    Create,
    Update,
    Delete,
}

/// When a call answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Timing {
    /// At once, with 201 or 200.
    Sync,
    /// With 202 and a job, unless the client waits.
    Job,
}

/// A collection of the API: reads a world, and turns what clients send into operations.
pub(crate) trait Collection: Sync {
    /// The template of its path, as in `fixtures/ontap/resources.json`.
    fn path(&self) -> &'static str;
    fn shape(&self) -> Shape {
        Shape::Many
    }
    /// What is offered besides reading.
    fn verbs(&self) -> &'static [Verb] {
        &[]
    }
    fn timing(&self, _: Verb) -> Timing {
        Timing::Sync
    }
    /// Fields that come without being asked for, besides keys, names, and whose it is.
    fn defaults(&self) -> &'static [&'static str] {
        &[]
    }
    /// Whether its records follow from the value alone, whatever time it is.
    fn lasts(&self) -> bool {
        false
    }
    /// Whether it never has an object.
    fn is_always_empty(&self) -> bool {
        false
    }
    /// Its objects, in their order. What is above it in the path is in [`View::parents`].
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>>;
    /// The rows behind one, or all, without a look at any that nobody comes to. Only for what can be many and has an order of its own;
    /// `None`: take them from [`Collection::rows`].
    fn rows_behind<'v>(&self, _: &'v View<'_>, _: Option<Row>) -> Option<Box<dyn Iterator<Item = Row> + 'v>> {
        None
    }
    /// The few rows that can fulfil the filters, where an index tells.
    fn index(&self, _: &View<'_>, _: &Asked) -> Option<Vec<Row>> {
        None
    }
    /// The object that the last values of a path name. Without an index every record is looked at.
    fn find(&self, view: &View<'_>, keys: &[String]) -> Outcome<Option<Row>> {
        let names = table::key_names(self.path());
        let want = table::keys_only(self.path());
        Ok(self.rows(view)?.into_iter().find(|row| {
            let record = self.record(view, *row, &want);
            names.iter().zip(keys).all(|(name, key)| table::text_at(&record, name).is_some_and(|text| text == *key))
        }))
    }
    /// An object as it is shown. What nobody wants may be left out; it is pruned afterwards anyway.
    fn record(&self, view: &View<'_>, row: Row, want: &Want) -> Value;
    /// What a GET of all answers where a switch asks for something else than the objects.
    fn instead(&self, _: &View<'_>) -> Option<Value> {
        None
    }
    /// Makes an object.
    fn create(&self, _: &Call<'_>, _: &Body) -> Outcome<Row> {
        Err(Refusal::method_not_allowed("POST"))
    }
    /// Changes one.
    fn update(&self, _: &Call<'_>, _: Row, _: &Body) -> Outcome<()> {
        Err(Refusal::method_not_allowed("PATCH"))
    }
    /// Deletes one.
    fn delete(&self, _: &Call<'_>, _: Row) -> Outcome<()> {
        Err(Refusal::method_not_allowed("DELETE"))
    }
    /// The number and the words for an object in the path that is not there.
    fn absent(&self) -> Refusal {
        Refusal::not_found()
    }
}

/// What a call sees of the array while it holds still.
pub(crate) struct View<'a> {
    pub(crate) world: &'a World,
    pub(crate) array: &'a Array,
    /// What the array is called where it is played.
    pub(crate) home: &'a str,
    /// Values of the path above the collection.
    pub(crate) parents: &'a [String],
    pub(crate) version: Version,
    /// What stands behind the question mark.
    pub(crate) query: &'a Query,
}

impl<'a> View<'a> {
    /// A view of an array, below no object.
    pub(crate) fn of(world: &'a World, hosted: &'a Hosted, version: Version, query: &'a Query) -> View<'a> {
        View { world, array: &world.array, home: hosted.name(), parents: &[], version, query }
    }
    /// What the cluster is called: as somebody has named the array, which comes with the name of its model; else as it is called where it is
    /// played.
    pub(crate) fn cluster(&self) -> &'a str {
        let (given, product) = (&self.array.settings.system_name, &self.array.facts.product);
        if given.is_empty() || given == product { self.home } else { given }
    }
    pub(crate) fn now(&self) -> SimTime {
        self.world.now()
    }
    /// An instant as ONTAP writes it.
    pub(crate) fn stamp(&self, at: SimTime) -> String {
        let text = at.stamp(self.array.facts.epoch);
        let whole = text.split_once('.').map_or_else(|| text.trim_end_matches('Z'), |(whole, _)| whole);
        format!("{whole}+00:00")
    }
    /// What a node is called: as somebody has named it, else as it came.
    pub(crate) fn node_name(&self, node: &Controller) -> String {
        node.note("name").and_then(Value::as_str).map_or_else(|| self.first_node_name(node), str::to_owned)
    }
    /// What a node is called at first: after the array, as ONTAP names nodes after the new cluster.
    pub(crate) fn first_node_name(&self, node: &Controller) -> String {
        format!("{}-{:02}", self.home, node.number() + 1)
    }
    /// A reference to a node.
    pub(crate) fn refer_node(&self, node: &Controller) -> Value {
        json!({"name": self.node_name(node), "uuid": node.id()})
    }
    /// Finds a node by identifier or by name.
    pub(crate) fn find_node(&self, named: &Named) -> Option<&'a Controller> {
        let is_it = |node: &&Controller| {
            named.uuid.as_ref().is_none_or(|uuid| *uuid == node.id().to_string()) && named.name.as_ref().is_none_or(|name| *name == self.node_name(node))
        };
        self.array.controllers.iter().find(is_it)
    }
    /// What a port is called on its node.
    pub(crate) fn port_name<'p>(&self, port: &'p HostPort) -> &'p str {
        port.name().rsplit(':').next().unwrap_or_default()
    }
    /// Whether the path is about what lies in all objects above, which `*` says.
    pub(crate) fn is_of_all(&self) -> bool {
        self.parent() == "*"
    }
    /// The last value of the path above the collection.
    pub(crate) fn parent(&self) -> &str {
        self.parents.last().map_or("", String::as_str)
    }
}

/// A call that changes something.
pub(crate) struct Call<'a> {
    pub(crate) hosted: &'a Arc<Hosted>,
    pub(crate) actor: Actor,
    pub(crate) query: &'a Query,
    pub(crate) parents: &'a [String],
    pub(crate) version: Version,
    /// The SVM into which the call goes.
    pub(crate) scope: Option<Key<Tenant>>,
    /// What the job says, where the answer is a job.
    pub(crate) description: Option<String>,
    /// The collection, for the numbers of refusals.
    pub(crate) path: &'static str,
    /// Jobs that belong to the answer.
    pub(crate) jobs: RefCell<Vec<String>>,
    /// Where several objects are made at once: the copy on which each sees those before it, until all are done together.
    pub(crate) draft: Option<RefCell<Draft>>,
}

impl Call<'_> {
    /// Looks at the array.
    pub(crate) fn read<R>(&self, look: impl FnOnce(&View<'_>) -> R) -> R {
        self.world(|world| look(&View { parents: self.parents, ..View::of(world, self.hosted, self.version, self.query) }))
    }
    fn world<R>(&self, look: impl FnOnce(&World) -> R) -> R {
        match &self.draft {
            Some(draft) => look(draft.borrow().world()),
            None => self.hosted.read(look),
        }
    }
    /// The identifier of the SVM into which the call goes.
    pub(crate) fn svm_id(&self) -> Option<uuid::Uuid> {
        self.scope.and_then(|key| self.world(|world| world.array.tenants.get(key).map(Object::id)))
    }
    fn perform(&self, operations: Vec<AnyOperation>) -> Outcome<Vec<Done>> {
        let done = match &self.draft {
            Some(draft) => draft.borrow_mut().run(operations).map_err(ChangeError::from),
            None => self.hosted.batch(self.actor.clone(), operations),
        };
        done.map_err(|error| crate::refusals::of_change(&error, self.path))
    }
    /// Does all of it or nothing; where the answer is a job, the job is part of it.
    pub(crate) fn run(&self, operations: Vec<AnyOperation>) -> Outcome<Vec<Done>> {
        let mut operations = operations;
        let noted = self.description.clone().filter(|_| self.jobs.borrow().is_empty());
        operations.extend(noted.as_ref().map(|text| crate::job::note(text, self.svm_id())));
        let mut done = self.perform(operations)?;
        if noted.is_some()
            && let Some(job) = done.pop()
        {
            self.jobs.borrow_mut().extend(job.made.iter().map(|made| made.id.to_string()));
        }
        Ok(done)
    }
    /// Several steps, each of which sees what those before it have done: on a copy of the array, and then all at once or none. When something
    /// else has changed the array meanwhile, they are gone again.
    pub(crate) fn together<R>(&self, steps: impl Fn(&Call<'_>) -> Outcome<R>) -> Outcome<R> {
        if self.draft.is_some() { steps(self) } else { self.carry_out(steps).map(|(made, _)| made) }
    }
    /// The same outside of other such steps, with what was done.
    pub(crate) fn carry_out<R>(&self, steps: impl Fn(&Call<'_>) -> Outcome<R>) -> Outcome<(R, Vec<Done>)> {
        let mut attempts = 0;
        loop {
            let draft = RefCell::new(self.hosted.draft(self.actor.clone()));
            let call = Call { actor: self.actor.clone(), description: self.description.clone(), jobs: RefCell::default(), draft: Some(draft), ..*self };
            let made = steps(&call)?;
            let Some(draft) = call.draft else { return Ok((made, Vec::new())) };
            match self.hosted.carry_out(draft.into_inner()) {
                Err(ChangeError::TagDiffers { .. }) if attempts < ATTEMPTS => attempts += 1,
                Err(error) => return Err(crate::refusals::of_change(&error, self.path)),
                Ok(done) => {
                    self.jobs.borrow_mut().extend(call.jobs.into_inner());
                    return Ok((made, done));
                }
            }
        }
    }
    /// What would be, if steps were done: they are done on a copy of the array, which is thrown away.
    pub(crate) fn trial<R>(&self, steps: impl Fn(&Call<'_>) -> Outcome<R>) -> Outcome<R> {
        let draft = RefCell::new(self.hosted.draft(self.actor.clone()));
        steps(&Call { actor: self.actor.clone(), description: None, jobs: RefCell::default(), draft: Some(draft), ..*self })
    }
    /// Leaves an operation to a job: what is refused then is the failure of the job, and the call has succeeded, unless it waits for the job.
    pub(crate) fn submit(&self, operation: AnyOperation) -> Outcome<()> {
        if self.query.return_timeout()?.is_some_and(|seconds| seconds > 0) {
            return self.run(vec![operation]).map(drop);
        }
        let description = self.description.clone().unwrap_or_default();
        let operations = crate::job::carrying(operation, &description, self.svm_id());
        let done = self.perform(operations)?;
        let job = done.first().and_then(|done| done.made.first()).map(|made| made.id.to_string());
        self.jobs.borrow_mut().extend(job);
        Ok(())
    }
    /// Does one thing, and tells the key of what it made or changed.
    pub(crate) fn make<T: crate::ops::Listed>(&self, operations: Vec<AnyOperation>) -> Outcome<Key<T>> {
        let done = self.run(operations)?;
        let made = done.iter().flat_map(|done| &done.made).find(|made| made.noun == T::NOUN).map(|made| made.id);
        let key = made.and_then(|id| self.world(|world| T::table(world).key_of(id)));
        key.ok_or_else(|| Refusal::new(actix_web::http::StatusCode::CONFLICT, 2, "The object is gone already."))
    }
    /// A switch of the query.
    pub(crate) fn is_on(&self, switch: &str) -> bool {
        self.query.is_on(switch)
    }
}

/// How often steps are gone again when something else changes the array meanwhile.
const ATTEMPTS: u32 = 10;

/// A reference to an object.
pub(crate) fn refer(name: &str, uuid: uuid::Uuid) -> Value {
    json!({"name": name, "uuid": uuid})
}

/// Finds what a body refers to: by identifier, or by name; both must agree.
pub(crate) fn resolve<'a, T: crate::model::Object>(table: &'a crate::model::Table<T>, named: &Named, scope: impl Fn(&T) -> bool) -> Option<&'a T> {
    match (&named.uuid, &named.name) {
        (Some(id), name) => {
            let key = table.key_of(id.parse().ok()?)?;
            table.get(key).filter(|item| scope(item) && name.as_ref().is_none_or(|name| name == item.name()))
        }
        (None, Some(name)) => table.iter().find(|item| item.name() == name && scope(item)),
        (None, None) => None,
    }
}

/// The method of a verb.
pub(crate) fn method(verb: Verb) -> Method {
    match verb {
        Verb::Create => Method::POST,
        Verb::Update => Method::PATCH,
        Verb::Delete => Method::DELETE,
    }
}
