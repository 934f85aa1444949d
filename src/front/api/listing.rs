//! Lists: filters, order, chosen fields and pages, the same for every noun.
//!
//! Without filter and order a page builds no more than itself. With an order the page after a cursor begins behind the last object
//! that was shown, wherever it now stands, so nothing is shown twice when objects come and go.

use std::cmp::Ordering;

use actix_web::web;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::filter::{Scalar, Test};
use super::pick::{self, FieldPath};
use super::problem::{INVALID_PARAMETER, Problem, UNKNOWN_FIELD};
use super::shape::{Kind, Shape};

/// What a request asks of a list.
#[derive(Debug)]
pub(super) struct Listing {
    limit: usize,
    cursor: Option<Cursor>,
    filters: Vec<Filter>,
    order: Vec<By>,
    order_text: String,
    fields: Vec<FieldPath>,
}

/// The page sizes that can be asked for, and the one that is given unasked.
pub(super) const LIMITS: (usize, usize, usize) = (1, 1000, 100);

#[derive(Debug)]
struct Filter {
    path: FieldPath,
    kind: Kind,
    test: Test,
}

#[derive(Debug)]
struct By {
    path: FieldPath,
    kind: Kind,
    falling: bool,
}

/// Where a page ended.
#[derive(Debug, Serialize, Deserialize)]
struct Cursor {
    number: u64,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    order: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    values: Vec<Value>,
}

/// The `name=value` pairs of a query.
pub(super) fn pairs(query: &str) -> Result<Vec<(String, String)>, Problem> {
    let pairs = web::Query::<Vec<(String, String)>>::from_query(query);
    pairs.map(web::Query::into_inner).map_err(|_| Problem::new(INVALID_PARAMETER, "the query is not of the form name=value&name=value"))
}

/// Refuses a query where none is taken.
pub(super) fn no_query(query: &str) -> Result<(), Problem> {
    match pairs(query)?.into_iter().next() {
        Some((name, _)) => Err(Problem::new(UNKNOWN_FIELD, format!("this request takes no query parameter '{name}'")).field(name).cure("leave it out")),
        None => Ok(()),
    }
}

/// The `fields` of a query that takes nothing else.
pub(super) fn only_fields<V: ToSchema>(query: &str) -> Result<Vec<FieldPath>, Problem> {
    let mut fields = Vec::new();
    if query.is_empty() {
        return Ok(fields);
    }
    for (name, value) in pairs(query)? {
        if name != "fields" {
            return Err(Problem::new(UNKNOWN_FIELD, format!("this request takes no query parameter '{name}'")).field(name).cure("leave it out"));
        }
        fields = read_fields(&value, &Shape::of::<V>())?;
    }
    Ok(fields)
}

fn read_fields(text: &str, shape: &Shape) -> Result<Vec<FieldPath>, Problem> {
    text.split(',').map(|name| if shape.has(name) { Ok(FieldPath::new(name)) } else { Err(unknown(name, shape)) }).collect()
}

fn unknown(name: &str, shape: &Shape) -> Problem {
    let known: Vec<&str> = shape.scalars().collect();
    Problem::new(UNKNOWN_FIELD, format!("there is no field '{name}'")).field(name).cure(format!("use one of: {}", known.join(", ")))
}

impl Listing {
    /// Reads a query. Refused, in this order, parameter by parameter: a value that cannot be read, an unknown field; then a cursor of another order.
    pub(super) fn read<V: ToSchema>(query: &str) -> Result<Listing, Problem> {
        let mut listing = Listing { limit: LIMITS.2, cursor: None, filters: Vec::new(), order: Vec::new(), order_text: String::new(), fields: Vec::new() };
        if query.is_empty() {
            return Ok(listing);
        }
        let mut shape: Option<Shape> = None;
        for (name, value) in pairs(query)? {
            match name.as_str() {
                "limit" => listing.limit = read_limit(&value)?,
                "cursor" => listing.cursor = Some(read_cursor(&value)?),
                "sort" => listing.set_order(&value, shape.get_or_insert_with(Shape::of::<V>))?,
                "fields" => listing.fields = read_fields(&value, shape.get_or_insert_with(Shape::of::<V>))?,
                _ => listing.add_filter(&name, &value, shape.get_or_insert_with(Shape::of::<V>))?,
            }
        }
        if listing.cursor.as_ref().is_some_and(|cursor| cursor.order != listing.order_text || cursor.values.len() != listing.order.len()) {
            return Err(Problem::new(INVALID_PARAMETER, "cursor: it belongs to a list in another order")
                .field("cursor")
                .cure("repeat the first request's sort"));
        }
        Ok(listing)
    }
    fn set_order(&mut self, text: &str, shape: &Shape) -> Result<(), Problem> {
        text.clone_into(&mut self.order_text);
        self.order = text
            .split(',')
            .map(|name| {
                let (falling, name) = name.strip_prefix('-').map_or((false, name), |name| (true, name));
                let kind = shape.kind(name).ok_or_else(|| unknown(name, shape))?;
                Ok(By { path: FieldPath::new(name), kind, falling })
            })
            .collect::<Result<_, Problem>>()?;
        Ok(())
    }
    fn add_filter(&mut self, name: &str, value: &str, shape: &Shape) -> Result<(), Problem> {
        let kind = shape.kind(name).ok_or_else(|| unknown(name, shape))?;
        self.filters.push(Filter { path: FieldPath::new(name), kind, test: Test::read(name, value, kind)? });
        Ok(())
    }
    /// The number behind which the page begins, when the list is in order of number.
    pub(super) fn after(&self) -> Option<u64> {
        self.cursor.as_ref().filter(|_| self.order.is_empty()).map(|cursor| cursor.number)
    }
    /// The page as JSON. `items` are views with their numbers, in order of number, behind [`Listing::after`].
    pub(super) fn page<V: Serialize>(&self, items: impl Iterator<Item = (u64, V)>) -> Vec<u8> {
        let passing = items.filter(|(_, view)| self.passes(view));
        if self.order.is_empty() { self.page_by_number(passing) } else { self.page_in_order(passing) }
    }
    fn page_by_number<V: Serialize>(&self, items: impl Iterator<Item = (u64, V)>) -> Vec<u8> {
        let mut page = Page::begin();
        let mut last = 0;
        for (index, (number, view)) in items.enumerate() {
            if index == self.limit {
                return page.end(Some(&Cursor { number: last, order: String::new(), values: Vec::new() }));
            }
            page.add(&view, &self.fields);
            last = number;
        }
        page.end(None)
    }
    fn page_in_order<V: Serialize>(&self, items: impl Iterator<Item = (u64, V)>) -> Vec<u8> {
        let paths: Vec<FieldPath> = self.order.iter().map(|by| by.path.clone()).collect();
        let keyed = items.map(|(number, view)| {
            let values: Vec<Value> = paths.iter().zip(pick::tops(&view, &paths)).map(|(path, top)| path.first(&top)).collect();
            (self.key(&values), number, view)
        });
        let start = self.cursor.as_ref().map(|cursor| (self.key(&cursor.values), cursor.number));
        let behind = |key: &[Scalar], number: u64| start.as_ref().is_none_or(|(from, after)| self.compare((key, number), (from, *after)).is_gt());
        let mut sorted: Vec<_> = keyed.filter(|(key, number, _)| behind(key, *number)).collect();
        sorted.sort_by(|a, b| self.compare((&a.0, a.1), (&b.0, b.1)));
        let mut page = Page::begin();
        sorted.iter().take(self.limit).for_each(|(.., view)| page.add(view, &self.fields));
        let end = sorted.get(self.limit - 1).filter(|_| sorted.len() > self.limit);
        page.end(end.map(|(_, number, view)| self.cursor_at(*number, view, &paths)).as_ref())
    }
    fn cursor_at<V: Serialize>(&self, number: u64, view: &V, paths: &[FieldPath]) -> Cursor {
        let values = paths.iter().zip(pick::tops(view, paths)).map(|(path, top)| path.first(&top)).collect();
        Cursor { number, order: self.order_text.clone(), values }
    }
    fn key(&self, values: &[Value]) -> Vec<Scalar> {
        self.order.iter().zip(values).map(|(by, value)| Scalar::of(value, by.kind)).collect()
    }
    fn compare(&self, (a, a_number): (&[Scalar], u64), (b, b_number): (&[Scalar], u64)) -> Ordering {
        let by_field = self.order.iter().zip(a.iter().zip(b)).map(|(by, (a, b))| if by.falling { b.order(a) } else { a.order(b) });
        by_field.fold(Ordering::Equal, Ordering::then).then(a_number.cmp(&b_number))
    }
    fn passes<V: Serialize>(&self, view: &V) -> bool {
        if self.filters.is_empty() {
            return true;
        }
        let paths: Vec<FieldPath> = self.filters.iter().map(|filter| filter.path.clone()).collect();
        let tops = pick::tops(view, &paths);
        self.filters.iter().zip(&tops).all(|(filter, top)| filter.test.passes(&mut |found| filter.path.any(top, found), filter.kind))
    }
}

fn read_limit(text: &str) -> Result<usize, Problem> {
    let (least, most, _) = LIMITS;
    let limit = text.parse().ok().filter(|limit| (least..=most).contains(limit));
    limit.ok_or_else(|| {
        let range = format!("{least} to {most}");
        Problem::new(INVALID_PARAMETER, format!("limit: '{text}' is not {range}")).field("limit").value(text).limit(range)
    })
}

fn read_cursor(text: &str) -> Result<Cursor, Problem> {
    let read = URL_SAFE_NO_PAD.decode(text).ok().and_then(|json| serde_json::from_slice(&json).ok());
    read.ok_or_else(|| {
        Problem::new(INVALID_PARAMETER, "cursor: it is none of this server's").field("cursor").value(text).cure("use a next_cursor as it was given")
    })
}

/// A page that is being written.
struct Page {
    json: Vec<u8>,
    empty: bool,
}

impl Page {
    fn begin() -> Page {
        Page { json: br#"{"items":["#.to_vec(), empty: true }
    }
    fn add<V: Serialize>(&mut self, view: &V, fields: &[FieldPath]) {
        if !self.empty {
            self.json.push(b',');
        }
        self.empty = false;
        write(&mut self.json, view, fields);
    }
    fn end(mut self, next: Option<&Cursor>) -> Vec<u8> {
        let cursor = next.map(|cursor| URL_SAFE_NO_PAD.encode(serde_json::to_vec(cursor).unwrap_or_default()));
        self.json.extend_from_slice(br#"],"next_cursor":"#);
        write(&mut self.json, &cursor, &[]);
        self.json.push(b'}');
        self.json
    }
}

/// Writes a view, or the chosen fields of it.
pub(super) fn write<V: Serialize>(json: &mut Vec<u8>, view: &V, fields: &[FieldPath]) {
    let written = if fields.is_empty() { serde_json::to_writer(&mut *json, view) } else { serde_json::to_writer(&mut *json, &pick::project(view, fields)) };
    debug_assert!(written.is_ok(), "views are plain data");
}
