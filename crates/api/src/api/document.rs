//! The OpenAPI document, made of the same routes that the server is made of.

use utoipa::openapi::content::ContentBuilder;
use utoipa::openapi::path::{HttpMethod, Operation, OperationBuilder, PathItem, PathsBuilder};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::response::{ResponseBuilder, ResponsesBuilder};
use utoipa::openapi::schema::{ComponentsBuilder, ObjectBuilder, SchemaType, Type};
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme};
use utoipa::openapi::tag::TagBuilder;
use utoipa::openapi::{HeaderBuilder, InfoBuilder, LicenseBuilder, OpenApi, OpenApiBuilder, Ref, ServerBuilder};

use super::parameters;
use super::problem::{Document, KINDS};
use super::route::{Route, Words};
use super::schemas::Schemas;

const ABOUT: &str = "\
Arrayplane plays storage arrays for tests and demonstrations. This is its own API: every noun of an array, and the controls of the emulation.

**Objects** are named in paths and references by id, number or name, tried in that order; a volume or snapshot inside a container also by \
`container/name` (in a path with `%2F`). **Sizes** in requests are bytes as an integer or text with a unit (`5TiB`, `500GB`); in answers they are \
bytes as an integer. **Times** are virtual, in RFC 3339.

**Work** that takes virtual time answers 202 with a job; all other work is done when the answer comes. **Refusals** are problem documents (RFC 9457) \
with a stable `code`, the `field`, the `value`, the `limit` and a `cure`; 400 means that this array would never accept the request, 409 that it would \
in another state.

**Safe change.** Everything that is read or made one by one carries an `ETag`: which change from outside it saw last. What happens by itself, as progress, \
used space or the state of a part, goes on under the same tag. `If-Match` makes a change depend on the tag of what the path names (of the array, where it \
names nothing in it), `If-None-Match` saves reading again. A request with an `Idempotency-Key` is done once: sent again, it gets the same answer. `Prefer: \
wait=N` lets an answer wait for the end of the work.

**Credentials** are HTTP Basic or a bearer token from `POST .../sessions`. A server that was started with `--password` demands them of every request \
but those to `/healthz` and `/readyz`; one without takes a request that brings none as the server's user. The **server's user** `admin` may do everything; the \
**users of an array** may read it and change it as their roles allow (403 names the policy that is missing), and neither make arrays nor touch the clock.";

/// The headings, in the order of the document.
const TAGS: [(&str, &str); 42] = [
    ("arrays", "The arrays of this server"),
    ("models", "Hardware models that a new array can be"),
    ("scenarios", "Furnished arrays that a new array can begin as"),
    ("profiles", "What workloads can be like"),
    ("calibration", "How near the modelled arrays come to what was published"),
    ("enclosures", "Boxes that hold controllers and drives"),
    ("controllers", "The halves of the array that own RAID groups and do the work"),
    ("host-ports", "The connectors through which hosts reach volumes"),
    ("parts", "Power supply units, fans, temperature sensors, I/O modules, batteries, transceivers"),
    ("drives", "Drives in their bays"),
    ("raid-groups", "Drives joined into one protected space"),
    ("pools", "RAID groups joined into one space that is given out as data comes in"),
    ("containers", "Sized spaces inside a pool that are snapshotted and cloned as a whole"),
    ("snapshots", "Containers as they were"),
    ("volumes", "The units that are mapped to hosts"),
    ("copy-sessions", "Volumes that are copied to other volumes: once, as snapshots, or as mirrors"),
    ("hosts", "What connects from outside, one initiator each"),
    ("host-groups", "Hosts that are treated as one"),
    ("port-groups", "Host ports that are used together"),
    ("lun-groups", "Volumes under the numbers by which hosts see them"),
    ("affinities", "Which host group sees which LUN group through which port group"),
    ("mappings", "Single volumes for single hosts or host groups"),
    ("users", "Who may log in to the array, and what is demanded of passwords"),
    ("roles", "What users may do: sets of policies"),
    ("sessions", "Tokens that stand for a login, for a while"),
    ("tenants", "Parts of the array that belong to somebody"),
    ("services", "What tenants serve their hosts by"),
    ("interfaces", "Addresses under which the array, or a tenant, answers"),
    ("qos-policies", "How much of the array volumes and containers may use"),
    ("host-responses", "How the array answers hosts of one kind"),
    ("records", "Configuration that has a name and is referred to, and from which nothing in the array follows"),
    ("notes", "What somebody keeps beside objects, whatever their noun"),
    ("workloads", "The load that hosts put on volumes"),
    ("performance", "How fast the array is under that load"),
    ("jobs", "Work that takes virtual time, or waits for its turn"),
    ("events", "What the array says happened"),
    ("capacity", "The books of all space"),
    ("consistency", "Whether the array agrees with itself"),
    ("settings", "What is set once for the array"),
    ("clock", "Virtual time"),
    ("checkpoints", "States of the whole array, saved to come back to"),
    ("operations", "Lists of operations, and the journal of all that came from outside"),
];

/// The document.
pub fn document() -> OpenApi {
    let mut schemas = Schemas::default();
    let _ = schemas.refer::<Document>();
    let paths = super::routes()
        .iter()
        .fold(PathsBuilder::new(), |paths, route| paths.path(format!("/v1{}", route.path), PathItem::new(method(route), operation(route, &mut schemas))));
    let operations: Vec<_> = super::routes().iter().filter_map(|route| route.words.operation).map(|operation| operation(&mut schemas)).collect();
    schemas.take_operations(operations);
    let (named, _) = schemas.into_parts();
    let components = refusals().into_iter().fold(ComponentsBuilder::new(), |components, (status, response)| components.response(name(status), response));
    let components = components.schemas_from_iter(named);
    let basic = SecurityScheme::Http(HttpBuilder::new().scheme(HttpAuthScheme::Basic).build());
    let bearer = SecurityScheme::Http(HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build());
    let components = components.security_scheme("basic", basic).security_scheme("bearer", bearer);
    let none: [&str; 0] = [];
    let security = [SecurityRequirement::new("basic", none), SecurityRequirement::new("bearer", none), SecurityRequirement::default()];
    let license = LicenseBuilder::new().name(env!("CARGO_PKG_LICENSE")).identifier(Some(env!("CARGO_PKG_LICENSE"))).build();
    let info = InfoBuilder::new().title("Arrayplane").version(env!("CARGO_PKG_VERSION")).description(Some(ABOUT)).license(Some(license));
    let tags = TAGS.iter().map(|(name, text)| TagBuilder::new().name(*name).description(Some(*text)).build());
    let server = ServerBuilder::new().url("/").build();
    let document = OpenApiBuilder::new().info(info).servers(Some([server])).tags(Some(tags)).security(Some(security));
    document.paths(paths).components(Some(components.build())).build()
}

/// The document as text: what `/openapi.json` answers and what is checked in.
pub fn text() -> String {
    let mut text = document().to_pretty_json().unwrap_or_default();
    text.push('\n');
    text
}

fn method(route: &Route) -> HttpMethod {
    match route.method.as_str() {
        "POST" => HttpMethod::Post,
        "PUT" => HttpMethod::Put,
        "PATCH" => HttpMethod::Patch,
        "DELETE" => HttpMethod::Delete,
        _ => HttpMethod::Get,
    }
}

fn operation(route: &Route, schemas: &mut Schemas) -> Operation {
    let words = &route.words;
    let text = words.text.read();
    let (summary, rest) = text.split_once("\n\n").unwrap_or((&text, ""));
    let mut operation = OperationBuilder::new().operation_id(Some(words.id.clone())).tag(words.tag).summary(Some(one_line(summary).trim_end_matches('.')));
    if !rest.is_empty() {
        operation = operation.description(Some(rest.split("\n\n").map(one_line).collect::<Vec<_>>().join("\n\n")));
    }
    let named = route.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let parameters = named.map(parameters::in_path).chain((words.query)()).chain(parameters::headers(route));
    operation = parameters.fold(operation, |operation, parameter| operation.parameter(parameter));
    if let Some(body) = &words.body {
        let (schema, needed) = body(schemas);
        let content = ContentBuilder::new().schema(Some(schema)).build();
        operation = operation.request_body(Some(RequestBodyBuilder::new().content("application/json", content).required(Some(needed)).build()));
    }
    operation.responses(responses(route, schemas)).build()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn responses(route: &Route, schemas: &mut Schemas) -> ResponsesBuilder {
    let words = &route.words;
    let text = match words.status {
        201 => "It has been made.",
        202 => "The work has begun, or waits for its turn: the job.",
        204 => "It is done.",
        _ => "How it is now.",
    };
    let mut answer = ResponseBuilder::new().description(text);
    if let Some(schema) = (words.answer)(schemas) {
        answer = answer.content(words.media, ContentBuilder::new().schema(Some(schema)).build());
    }
    for media in words.also {
        let text = ObjectBuilder::new().schema_type(SchemaType::new(Type::String));
        answer = answer.content(*media, ContentBuilder::new().schema(Some(text)).build());
    }
    answer = headers(route).into_iter().fold(answer, |answer, (name, text)| {
        let schema = ObjectBuilder::new().schema_type(SchemaType::new(Type::String));
        answer.header(name, HeaderBuilder::new().schema(Some(schema)).description(Some(text)).build())
    });
    let mut answers = ResponsesBuilder::new();
    if words.status == 202 {
        let ended = ResponseBuilder::new().description("The client would wait, and the work has ended: the job, which says how.");
        let schema = (words.answer)(schemas);
        let status = if words.id == "job_submit" { "201" } else { "200" };
        answers = answers.response(status, ended.content("application/json", ContentBuilder::new().schema(schema).build()));
    }
    answers = answers.response(words.status.to_string(), answer);
    if words.conditional {
        answers = answers.response("304", ResponseBuilder::new().description("The client has it already."));
    }
    refused(route, words).fold(answers, |answers, status| answers.response(status.to_string(), Ref::from_response_name(name(status))))
}

/// The headers of an answer, and what they say.
fn headers(route: &Route) -> Vec<(&'static str, &'static str)> {
    let words = &route.words;
    let known = [
        ("Location", matches!(words.status, 201 | 202), "The path of what was made, when it is one thing."),
        ("ETag", words.tagged, "What stands for the state that is shown, when it is one thing."),
        ("Idempotency-Replayed", route.method.as_str() != "GET", "`true` when this answer was given before, under the same key."),
        ("Preference-Applied", words.waits, "How long the answer was willing to wait: `wait=N`."),
    ];
    known.into_iter().filter(|(_, is_there, _)| *is_there).map(|(name, _, text)| (name, text)).collect()
}

/// The statuses with which a route can refuse.
fn refused(route: &Route, words: &Words) -> impl Iterator<Item = u16> {
    let named = route.path.contains('{');
    let changes = route.method.as_str() != "GET";
    let has_body = words.body.is_some();
    [
        (400, true),
        (401, true),
        (403, true),
        (404, named),
        (409, changes),
        (412, changes && named),
        (413, has_body),
        (415, has_body),
        (422, changes),
        (507, changes),
    ]
    .into_iter()
    .filter(|(_, can)| *can)
    .map(|(status, _)| status)
}

const fn name(status: u16) -> &'static str {
    match status {
        401 => "NotKnown",
        403 => "Forbidden",
        404 => "NotFound",
        409 => "Conflict",
        412 => "ChangedMeanwhile",
        422 => "KeyReused",
        507 => "NotStored",
        413 => "TooLarge",
        415 => "NotJson",
        _ => "BadRequest",
    }
}

/// The refusals, once each, with the codes that they can have.
fn refusals() -> Vec<(u16, ResponseBuilder)> {
    let made = [400, 401, 403, 404, 409, 412, 413, 415, 422, 507].map(|status| {
        let codes: Vec<String> = KINDS.iter().filter(|kind| kind.status == status).map(|kind| format!("`{}`: {}", kind.code, kind.title)).collect();
        let content = ContentBuilder::new().schema(Some(Ref::from_schema_name("Problem"))).build();
        let text = format!("The request is refused. Codes:\n\n{}.", codes.join(".\n\n"));
        (status, ResponseBuilder::new().description(text).content("application/problem+json", content))
    });
    made.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_schema_name_stands_for_two_things() {
        let mut schemas = Schemas::default();
        for route in super::super::routes() {
            operation(&route, &mut schemas);
        }
        assert_eq!(schemas.into_parts().1, Vec::<String>::new());
    }

    #[test]
    fn every_operation_has_a_route() {
        let mut schemas = Schemas::default();
        let routed: Vec<_> = super::super::routes().iter().filter_map(|route| route.words.operation).map(|operation| operation(&mut schemas).0).collect();
        for operation in crate::ops::OPERATIONS {
            assert_eq!(routed.iter().filter(|name| **name == operation.name).count(), 1, "{}", operation.name);
        }
    }

    #[test]
    fn every_heading_is_used_and_every_identifier_is_used_once() {
        let routes = super::super::routes();
        for (tag, _) in TAGS {
            assert!(routes.iter().any(|route| route.words.tag == tag), "{tag}");
        }
        for route in &routes {
            assert!(TAGS.iter().any(|(tag, _)| *tag == route.words.tag), "{}", route.words.tag);
            assert_eq!(routes.iter().filter(|other| other.words.id == route.words.id).count(), 1, "{}", route.words.id);
            assert!(!route.words.text.read().is_empty(), "{}", route.words.id);
        }
    }
}
