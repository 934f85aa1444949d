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
#[derive(Debug, Default)]
pub(super) struct Listing {
    limit: usize,
    cursor: Option<Cursor>,
    filters: Vec<Filter>,
    filter_paths: Vec<FieldPath>,
    order: Vec<By>,
    order_paths: Vec<FieldPath>,
    order_text: String,
    fields: Vec<FieldPath>,
}

/// The page sizes that can be asked for, and the one that is given unasked.
pub(super) const LIMITS: (usize, usize, usize) = (1, 1000, 100);

#[derive(Debug)]
struct Filter {
    kind: Kind,
    test: Test,
}

#[derive(Debug)]
struct By {
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
    pairs
        .map(web::Query::into_inner)
        .map_err(|_| Problem::new(INVALID_PARAMETER, "the query is not of the form name=value&name=value").cure("percent-encode what stands for itself"))
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
    Problem::new(UNKNOWN_FIELD, format!("there is no field '{name}'"))
        .field(name)
        .cure(format!("use limit, cursor, sort, fields, or a field of the items: {}", known.join(", ")))
}

impl Listing {
    /// Reads a query. Refused, in this order, parameter by parameter: a value that cannot be read, an unknown field; then a cursor of another order.
    pub(super) fn read<V: ToSchema>(query: &str) -> Result<Listing, Problem> {
        let mut listing = Listing { limit: LIMITS.2, ..Listing::default() };
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
        (self.order, self.order_paths, self.order_text) = (Vec::new(), Vec::new(), text.to_owned());
        for name in text.split(',') {
            let (falling, name) = name.strip_prefix('-').map_or((false, name), |name| (true, name));
            let kind = shape.kind(name).ok_or_else(|| unknown(name, shape))?;
            self.order.push(By { kind, falling });
            self.order_paths.push(FieldPath::new(name));
        }
        Ok(())
    }
    fn add_filter(&mut self, name: &str, value: &str, shape: &Shape) -> Result<(), Problem> {
        let kind = shape.kind(name).ok_or_else(|| unknown(name, shape))?;
        self.filters.push(Filter { kind, test: Test::read(name, value, kind)? });
        self.filter_paths.push(FieldPath::new(name));
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
        let keyed = items.map(|(number, view)| (self.key(&self.order_values(&view)), number, view));
        let start = self.cursor.as_ref().map(|cursor| (self.key(&cursor.values), cursor.number));
        let behind = |key: &[Scalar], number: u64| start.as_ref().is_none_or(|(from, after)| self.compare((key, number), (from, *after)).is_gt());
        let mut sorted: Vec<_> = keyed.filter(|(key, number, _)| behind(key, *number)).collect();
        sorted.sort_by(|a, b| self.compare((&a.0, a.1), (&b.0, b.1)));
        let mut page = Page::begin();
        sorted.iter().take(self.limit).for_each(|(.., view)| page.add(view, &self.fields));
        let end = sorted.get(self.limit - 1).filter(|_| sorted.len() > self.limit);
        let cursor = end.map(|(_, number, view)| Cursor { number: *number, order: self.order_text.clone(), values: self.order_values(view) });
        page.end(cursor.as_ref())
    }
    fn order_values<V: Serialize>(&self, view: &V) -> Vec<Value> {
        self.order_paths.iter().zip(pick::tops(view, &self.order_paths)).map(|(path, top)| path.first(&top)).collect()
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
        let found = self.filters.iter().zip(&self.filter_paths).zip(pick::tops(view, &self.filter_paths));
        found.into_iter().all(|((filter, path), top)| filter.test.passes(path, &top, filter.kind))
    }
}

fn read_limit(text: &str) -> Result<usize, Problem> {
    let (least, most, _) = LIMITS;
    let limit = text.parse().ok().filter(|limit| (least..=most).contains(limit));
    limit.ok_or_else(|| {
        let range = format!("{least} to {most}");
        Problem::new(INVALID_PARAMETER, format!("limit: '{text}' is not {range}"))
            .field("limit")
            .value(text)
            .limit(range.clone())
            .cure(format!("give a number from {range}"))
    })
}

fn read_cursor(text: &str) -> Result<Cursor, Problem> {
    let read = URL_SAFE_NO_PAD.decode(text).ok().and_then(|json| serde_json::from_slice(&json).ok());
    read.ok_or_else(|| {
        Problem::new(INVALID_PARAMETER, "cursor: it is none of this server's").field("cursor").value(text).cure("use a next_cursor as it was given")
    })
}

/// Whether a page has no items.
pub(super) fn is_empty(page: &[u8]) -> bool {
    page.starts_with(br#"{"items":[]"#)
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[derive(Serialize, ToSchema)]
    struct Thing {
        number: u32,
        name: String,
        size: u64,
        pool: Option<&'static str>,
        parts: Vec<Part>,
    }

    #[derive(Serialize, ToSchema)]
    struct Part {
        weight: u32,
    }

    fn things() -> impl Iterator<Item = (u64, Thing)> {
        (0..7u32).map(|number| {
            let pool = if number % 2 == 0 { Some("even") } else { None };
            let parts = vec![Part { weight: number }, Part { weight: number + 10 }];
            (u64::from(number), Thing { number, name: format!("V{number}"), size: u64::from(number % 3), pool, parts })
        })
    }

    fn page(query: &str) -> Value {
        let listing = Listing::read::<Thing>(query).expect(query);
        let after = listing.after();
        serde_json::from_slice(&listing.page(things().filter(|(number, _)| after.is_none_or(|after| *number > after)))).expect(query)
    }

    fn numbers(page: &Value) -> Vec<u64> {
        page["items"].as_array().into_iter().flatten().filter_map(|item| item["number"].as_u64()).collect()
    }

    #[test]
    fn filters_and_orders_choose_what_is_listed() {
        for (query, listed) in [
            ("", vec![0, 1, 2, 3, 4, 5, 6]),
            ("pool=even&size=>0", vec![2, 4]),
            ("pool=null", vec![1, 3, 5]),
            ("parts.weight=13|5", vec![3, 5]),
            ("sort=-size,name", vec![2, 5, 1, 4, 0, 3, 6]),
            ("sort=pool,-number", vec![5, 3, 1, 6, 4, 2, 0]),
        ] {
            assert_eq!(numbers(&page(query)), listed, "{query}");
        }
    }

    #[test]
    fn pages_follow_each_other_without_gap_or_repetition() {
        for query in ["limit=3", "limit=2&sort=-size", "limit=1&pool=even&sort=name", "limit=7"] {
            let (mut all, mut cursor) = (Vec::new(), String::new());
            loop {
                let page = page(&format!("{query}{cursor}"));
                all.extend(numbers(&page));
                let Some(next) = page["next_cursor"].as_str() else { break };
                cursor = format!("&cursor={next}");
            }
            let whole = numbers(&page(query.split_once('&').map_or("", |(_, rest)| rest)));
            assert_eq!(all, whole, "{query}");
        }
    }

    #[test]
    fn chosen_fields_come_in_the_order_asked_for() {
        assert_eq!(page("number=3&fields=name,parts.weight")["items"], json!([{"name": "V3", "parts": [{"weight": 3}, {"weight": 13}]}]));
    }

    #[test]
    fn what_a_list_does_not_know_is_refused() {
        for query in ["colour=red", "sort=colour", "fields=colour", "limit=0", "limit=1001", "limit=x", "cursor=x", "size=big", "sort=parts"] {
            assert!(Listing::read::<Thing>(query).is_err(), "{query}");
        }
        let cursor = page("limit=1&sort=name")["next_cursor"].as_str().map(str::to_owned).unwrap_or_default();
        assert!(Listing::read::<Thing>(&format!("limit=1&sort=size&cursor={cursor}")).is_err());
    }
}
