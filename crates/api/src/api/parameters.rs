//! The query parameters that the document speaks of.

use utoipa::ToSchema;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn, ParameterStyle};
use utoipa::openapi::schema::{AdditionalProperties, ObjectBuilder, Schema, SchemaType, Type};
use utoipa::openapi::{RefOr, Required};

use super::listing::LIMITS;
use super::route::Route;
use super::schemas::Described;
use super::shape::Shape;
use super::terms::{KEY_LENGTH_MAX, WAIT_SECONDS_MAX};

const FILTER: &str = "Filters: any scalar field of an item is a query parameter of its own, nested ones with dots (`luns.volume=V1`), and all must \
    hold. Forms: `x`, `a|b` (either), `!x` (not), `>5`, `>=5`, `<5`, `<=5`, `a..b` (from a to b), `*wild*`, `null`, `\"taken as it is\"`. In a URL `>`, `<` \
    and `\"` are written `%3E`, `%3C` and `%22`. Sizes may carry a unit (`>=4TB`). A list of values matches when any of them does.";

fn query(name: &str, schema: impl Into<RefOr<Schema>>, description: impl Into<String>) -> ParameterBuilder {
    let parameter = ParameterBuilder::new().name(name).parameter_in(ParameterIn::Query).required(Required::False);
    parameter.schema(Some(schema)).description(Some(description))
}

fn text(example: &str) -> ObjectBuilder {
    let text = ObjectBuilder::new().schema_type(SchemaType::new(Type::String));
    if example.is_empty() { text } else { text.examples([serde_json::json!(example)]) }
}

/// A part of the path.
pub(super) fn in_path(name: &str) -> Parameter {
    let description = match name {
        "array" => "The array's name.".to_owned(),
        "model" | "scenario" => format!("The {name}'s name."),
        "licence" => "The licence's name.".to_owned(),
        "event" => "The event's number.".to_owned(),
        "session" => "The session's id.".to_owned(),
        "noun" => "The noun of the object, such as `volume` or `host-group`.".to_owned(),
        "kind" => "A kind of object, such as `volume`.".to_owned(),
        other => format!("The {} by id, number or name.", other.replace('_', " ")),
    };
    let parameter = ParameterBuilder::new().name(name).parameter_in(ParameterIn::Path).required(Required::True);
    parameter.schema(Some(text(""))).description(Some(description)).build()
}

/// The headers that a route takes.
pub(super) fn headers(route: &Route) -> Vec<Parameter> {
    let only_asks = route.words.id == "what_if";
    let changes = route.method.as_str() != "GET" && !only_asks;
    let key = format!(
        "A name for this request, 1 to {KEY_LENGTH_MAX} characters, such as a UUID. Sent again with the same fields within a day of virtual time, it gets the \
         same answer and is not done again; with others it is refused. Refusals are not remembered."
    );
    let wait = format!("`wait=N`: the answer waits up to N seconds of the wall clock, {WAIT_SECONDS_MAX} at most.");
    let known = [
        ("Idempotency-Key", changes, key.as_str()),
        ("If-Match", changes && route.path.contains('{'), "Only while what the path names has one of these tags; of the array, where it names nothing in it."),
        ("If-None-Match", route.words.conditional, "Only when it has none of these tags."),
        ("Prefer", route.words.waits, wait.as_str()),
    ];
    let header = |(name, _, text): (&str, bool, &str)| {
        let parameter = ParameterBuilder::new().name(name).parameter_in(ParameterIn::Header).required(Required::False);
        parameter.schema(Some(self::text(""))).description(Some(text)).build()
    };
    known.into_iter().filter(|(_, takes, _)| *takes).map(header).collect()
}

/// The parameters of a list of views.
pub(super) fn of_list<V: ToSchema>() -> Vec<Parameter> {
    let (least, most, usual) = LIMITS;
    let limit = ObjectBuilder::new().schema_type(SchemaType::new(Type::Integer)).minimum(Some(least)).maximum(Some(most));
    let mut all = vec![
        query("limit", limit.default(Some(usual.into())), "The most items of one page.").build(),
        query("cursor", text(""), "The `next_cursor` of the page before.").build(),
        query("sort", text("-number"), "Scalar fields in order of weight, `-` before a falling one.").build(),
    ];
    all.extend(of_one());
    let shape = Shape::of::<V>();
    let filters = shape.scalars().fold(ObjectBuilder::new(), |filters, field| filters.property(field, text("")));
    let filters = filters.additional_properties(Some(AdditionalProperties::FreeForm(false)));
    all.push(query("filter", filters, FILTER).style(Some(ParameterStyle::Form)).explode(Some(true)).build());
    all
}

/// The parameters of one view.
pub(super) fn of_one() -> Vec<Parameter> {
    vec![query("fields", text("name"), "Only these fields, separated by commas; nested ones with dots.").build()]
}

/// The fields of an operation that has no body.
pub(super) fn of_operation<O: Described>(target: &str) -> Vec<Parameter> {
    let RefOr::T(Schema::Object(object)) = O::schema() else { return Vec::new() };
    let fields = object.properties.into_iter().filter(|(name, _)| name != target);
    fields
        .map(|(name, schema)| {
            let description = if let RefOr::T(Schema::Object(object)) = &schema { object.description.clone() } else { None };
            query(&name, schema, description.unwrap_or_default()).build()
        })
        .collect()
}

/// The parameters of charts.
pub(super) fn of_history() -> Vec<Parameter> {
    let metrics: Vec<&str> = crate::perf::history::Metric::ALL.iter().map(|metric| metric.name()).collect();
    let instant = "An instant, or a span before now such as `-24h`.";
    vec![
        query("object", text("volume:V0"), "`array`, or kind and id, number or name; `volume:*` for all. Can stand several times. The array if left out.")
            .build(),
        query("metric", text("iops"), format!("Separated by commas, or several times: {}. `iops,latency_ms` if left out.", metrics.join(", "))).build(),
        query("from", text("2026-01-01T00:00:00Z"), format!("The beginning. {instant} An hour before the end if left out.")).build(),
        query("to", text("-5m"), format!("The end. {instant} Now if left out; never later than now.")).build(),
        query("step", text("1m"), "The length of a bucket; about 300 buckets if left out.").build(),
        query(
            "noise",
            text("5"),
            "Percent, 0 to 50, by which a bucket may differ from what it was. Deterministic; sums over objects and over the window stay.",
        )
        .build(),
        query("seed", text("1"), "Makes other noise.").build(),
    ]
}
