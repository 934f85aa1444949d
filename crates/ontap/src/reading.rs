//! GET: one object, or a page of a collection.

use std::cmp::Ordering;

use serde_json::Value;

use crate::answer::{Answer, envelope, link};
use crate::collection::{Collection, Row, Shape, View};
use crate::fields::Want;
use crate::model::Object;
use crate::query::{Asked, Query};
use crate::refusal::{Outcome, Refusal};
use crate::resources::job;
use crate::schema::{self, Resource};
use crate::scope::Scope;
use crate::statistics;
use crate::table;

/// The most records of a page for which nobody has asked.
const PAGE: usize = 10_000;

/// Fields that follow from the time, whatever else stands still.
const PASSING: [&str; 4] = ["metric", "statistics", "movement", "copy"];

/// Records with their places and rows.
type Records<'v> = Box<dyn Iterator<Item = ((usize, Row), Value)> + 'v>;

/// What is read.
pub(crate) struct Reading<'a> {
    pub(crate) collection: &'static dyn Collection,
    pub(crate) query: &'a Query,
    pub(crate) scope: Option<Scope>,
    pub(crate) links: bool,
    /// The path as it was asked for, below the host.
    pub(crate) own: &'a str,
}

/// The facts of a collection; every one in the table has them.
pub(crate) fn facts(collection: &dyn Collection) -> Outcome<&'static Resource> {
    schema::resource(collection.path()).ok_or_else(Refusal::no_such_api)
}

impl Reading<'_> {
    /// An object that the path names.
    pub(crate) fn one(&self, view: &View<'_>, keys: &[String]) -> Outcome<Answer> {
        let resource = facts(self.collection)?;
        self.query.legible(resource)?;
        self.query.asked(resource, "GET").or_else(|refusal| if self.query.text().contains('?') { Err(refusal) } else { Ok(Asked::default()) })?;
        let want = Want::read(resource, self.collection.defaults(), &self.query.fields(), true);
        self.in_scope(view)?;
        let row = self.collection.find(view, keys)?.filter(|row| self.is_in_scope(view, *row));
        let row = row.ok_or_else(|| self.collection.absent())?;
        Ok(Answer::ok(self.shown(view, row, &want)))
    }
    /// A collection, or the object that stands alone at its path.
    pub(crate) fn all(&self, view: &View<'_>) -> Outcome<Answer> {
        let resource = facts(self.collection)?;
        let single = self.collection.shape() == Shape::One;
        self.query.legible(resource)?;
        let asked = self.query.asked(resource, "GET")?;
        let want = self.want(resource, &asked);
        self.in_scope(view)?;
        if single {
            let row = self.collection.rows(view)?.first().copied().ok_or_else(|| self.collection.absent())?;
            return Ok(Answer::ok(self.shown(view, row, &want)));
        }
        match self.query.get("job_results_uuid").filter(|uuid| !uuid.is_empty()) {
            Some(uuid) => self.results(view, &want, uuid),
            None => self.page(view, &want, &asked),
        }
    }
    /// What a job made in this collection, as far as it is still there, or why it made nothing.
    fn results(&self, view: &View<'_>, want: &Want, uuid: &str) -> Outcome<Answer> {
        let job = uuid.parse().ok().and_then(|id| view.world.jobs.key_of(id)).and_then(|key| view.world.jobs.get(key));
        let path = self.own.split('?').next().unwrap_or_default();
        let is_seen = |row: Row| self.scope.is_none_or(|scope| scope.sees(view, &job::Jobs, &job::Jobs.record(view, row, &Want::default())));
        let job = job.filter(|job| job::description(job) == format!("POST {path}") && is_seen(Row(job.key().raw(), 0))).ok_or_else(Refusal::not_found)?;
        let present = self.collection.rows(view)?;
        let made = crate::job::rows(job).into_iter().filter(|row| present.contains(row) && self.is_in_scope(view, *row));
        let records: Vec<Value> = made.map(|row| self.shown(view, row, want)).collect();
        let count = records.len();
        let mut body = envelope(Some(records), count, self.own, None);
        if let errors @ [_, ..] = crate::job::errors(job) {
            body["errors"] = errors.into();
        }
        Ok(Answer::ok(body))
    }
    /// Whether what is asked for follows from the value alone, whatever time it is.
    pub(crate) fn lasts(&self) -> Outcome<bool> {
        let resource = facts(self.collection)?;
        self.query.legible(resource)?;
        let asked = self.query.asked(resource, "GET")?;
        let want = with_compared(&self.want(resource, &asked), &asked);
        Ok(self.collection.lasts() && !PASSING.iter().any(|field| want.has(field)))
    }
    fn want(&self, resource: &Resource, asked: &Asked) -> Want {
        let single = self.collection.shape() == Shape::One;
        let mut want = Want::read(resource, self.collection.defaults(), &self.query.fields(), single);
        // What is filtered on comes along: clients read it.
        asked.filters.iter().flat_map(|(paths, _)| paths.split('|')).for_each(|path| want.add(path));
        want
    }
    fn page(&self, view: &View<'_>, want: &Want, asked: &Asked) -> Outcome<Answer> {
        if let Some(body) = self.collection.instead(view) {
            return Ok(Answer::ok(body));
        }
        let wanted = self.query.flag("return_records")?.unwrap_or(true);
        let size = asked.max_records.unwrap_or(PAGE);
        let mut rows = self.matching(view, want, asked)?;
        if !wanted {
            let count = rows.count();
            return Ok(Answer::ok(envelope(None, count, self.own, None)));
        }
        let mut records = Vec::new();
        let mut last = None;
        for (row, mut record) in rows.by_ref().take(size) {
            want.prune(&mut record);
            if self.links {
                link(&mut record, self.collection, view.parents);
            }
            records.push(record);
            last = Some(row);
        }
        let next = match (last, rows.next()) {
            (Some((place, row)), Some(_)) => Some(format!("{}?{}", self.own.split('?').next().unwrap_or_default(), self.query.next(&token(place, row), size))),
            _ => None,
        };
        let count = records.len();
        let mut answer = Answer::ok(envelope(Some(records), count, self.own, next.as_deref()));
        answer.next = next;
        Ok(answer)
    }
    /// The records that fulfil the filters, in the order that is asked for, from where the page begins.
    fn matching<'v>(&'v self, view: &'v View<'_>, want: &Want, asked: &'v Asked) -> Outcome<Records<'v>> {
        let with = with_compared(want, asked);
        let records = move |(place, row): (usize, Row)| {
            let mut record = self.collection.record(view, row, &with);
            statistics::add(view, self.collection.path(), row, &with, &mut record);
            (self.is_record_in_scope(view, &record) && fulfils(&record, asked)).then_some(((place, row), record))
        };
        if asked.order.is_empty() {
            // Where every row has its record, those to pass over need not be looked at.
            let each_counts = self.scope.is_none() && asked.filters.is_empty();
            let (skipped, passed_over) = match asked.start {
                Some(_) => (0, 0),
                None if each_counts => (asked.offset, 0),
                None => (0, asked.offset),
            };
            return Ok(Box::new(self.rows(view, asked)?.skip(skipped).filter_map(records).skip(passed_over)));
        }
        let rows = Asked { start: None, ..asked.clone() };
        let mut all: Vec<_> = self.rows(view, &rows)?.filter_map(records).collect();
        all.sort_by(|(_, one), (_, other)| in_order(one, other, &asked.order));
        let begin = asked.start.as_deref().map_or(asked.offset, |start| {
            let row = row_of(start);
            all.iter().position(|((_, known), _)| Some(*known) == row).map_or_else(|| place_of(start), |place| place + 1)
        });
        let numbered = all.into_iter().enumerate().map(|(place, ((_, row), record))| ((place, row), record));
        Ok(Box::new(numbered.skip(begin)))
    }
    /// The rows that can fulfil the filters, from where the page begins, with their places.
    fn rows<'v>(&self, view: &'v View<'_>, asked: &Asked) -> Outcome<Box<dyn Iterator<Item = (usize, Row)> + 'v>> {
        let start = asked.start.as_deref();
        let indexed = self.collection.index(view, asked);
        if indexed.is_none()
            && let Some(rows) = self.collection.rows_behind(view, start.and_then(row_of))
        {
            let begin = start.map_or(0, |start| place_of(start) + 1);
            return Ok(Box::new((begin..).zip(rows)));
        }
        let rows = indexed.map_or_else(|| self.collection.rows(view), Ok)?;
        let begin = start.map_or(0, |start| place_after(&rows, start));
        Ok(Box::new(rows.into_iter().enumerate().skip(begin)))
    }
    /// An object as it is sent.
    pub(crate) fn shown(&self, view: &View<'_>, row: Row, want: &Want) -> Value {
        let mut record = self.collection.record(view, row, want);
        statistics::add(view, self.collection.path(), row, want, &mut record);
        want.prune(&mut record);
        if self.links {
            link(&mut record, self.collection, view.parents);
        }
        if let Some(scope) = self.scope {
            scope.veil(self.collection, &mut record);
        }
        record
    }
    fn is_in_scope(&self, view: &View<'_>, row: Row) -> bool {
        self.scope.is_none() || self.is_record_in_scope(view, &self.collection.record(view, row, &table::keys_only(self.collection.path())))
    }
    fn is_record_in_scope(&self, view: &View<'_>, record: &Value) -> bool {
        self.scope.is_none_or(|scope| scope.sees(view, self.collection, record))
    }
    /// The call must not ask for what lies in another SVM.
    fn in_scope(&self, view: &View<'_>) -> Outcome<()> {
        let Some(scope) = self.scope else { return Ok(()) };
        scope.agrees(view, self.query)?;
        scope.parent_is_there(view, self.collection, false)
    }
}

/// What is wanted, and what has to be known of each record to choose and to order.
fn with_compared(want: &Want, asked: &Asked) -> Want {
    let mut with = want.clone();
    let compared = asked.filters.iter().flat_map(|(paths, _)| paths.split('|')).chain(asked.order.iter().map(|(path, _)| path.as_str()));
    compared.for_each(|path| with.add(path));
    with
}

/// The rows that fulfil the filters of a PATCH or DELETE of a collection.
pub(crate) fn selected(collection: &'static dyn Collection, view: &View<'_>, asked: &Asked, scope: Option<Scope>) -> Outcome<Vec<Row>> {
    let reading = Reading { collection, query: &Query::default(), scope, links: false, own: "" };
    let want = table::keys_only(collection.path());
    let may_change = |record: &Value| scope.is_none_or(|scope| scope.may_change(view, collection, record));
    let rows = reading.matching(view, &want, asked)?.filter(|(_, record)| may_change(record)).map(|((_, row), _)| row).collect();
    Ok(rows)
}

fn fulfils(record: &Value, asked: &Asked) -> bool {
    let holds = |paths: &String, filter: &crate::filter::Filter| paths.split('|').any(|path| filter.holds(record, &path.split('.').collect::<Vec<_>>()));
    asked.filters.iter().all(|(paths, filter)| holds(paths, filter))
}

fn token(place: usize, row: Row) -> String {
    format!("{place}-{}-{}", row.0, row.1)
}

fn row_of(token: &str) -> Option<Row> {
    let mut parts = token.split('-').skip(1).map(|part| part.parse().ok());
    Some(Row(parts.next()??, parts.next()??))
}

/// Where to go on if the last record of the page before is gone: that place is now its successor's.
fn place_of(token: &str) -> usize {
    token.split('-').next().and_then(|place| place.parse().ok()).unwrap_or(0)
}

fn place_after(rows: &[Row], token: &str) -> usize {
    let row = row_of(token);
    rows.iter().position(|known| Some(*known) == row).map_or_else(|| place_of(token), |place| place + 1)
}

fn in_order(one: &Value, other: &Value, order: &[(String, bool)]) -> Ordering {
    for (path, down) in order {
        let at = |record: &Value| path.split('.').try_fold(record.clone(), |value, name| value.get(name).cloned());
        let found = match (at(one), at(other)) {
            (Some(one), Some(other)) => natural(&one, &other),
            (None, Some(_)) => Ordering::Less,
            (Some(_), None) => Ordering::Greater,
            (None, None) => Ordering::Equal,
        };
        let found = if *down { found.reverse() } else { found };
        if found != Ordering::Equal {
            return found;
        }
    }
    Ordering::Equal
}

fn natural(one: &Value, other: &Value) -> Ordering {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.as_f64().partial_cmp(&other.as_f64()).unwrap_or(Ordering::Equal),
        (Value::Bool(one), Value::Bool(other)) => one.cmp(other),
        (Value::String(one), Value::String(other)) => one.cmp(other),
        _ => Ordering::Equal,
    }
}
