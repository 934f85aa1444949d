//! Answers: the envelope of collections, links, and what follows a change.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_TYPE, HeaderName, LINK, LOCATION};
use actix_web::web::Bytes;
use serde_json::{Map, Value, json};

use crate::collection::Collection;
use crate::refusal::Refusal;
use crate::site::Rendered;
use crate::table;

/// An answer on its way.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) body: Value,
    pub(crate) location: Option<String>,
    /// The next page.
    pub(crate) next: Option<String>,
}

impl Answer {
    pub(crate) fn new(status: StatusCode, body: Value) -> Answer {
        Answer { status, body, location: None, next: None }
    }
    pub(crate) fn ok(body: Value) -> Answer {
        Answer::new(StatusCode::OK, body)
    }
}

impl From<Refusal> for Answer {
    fn from(refusal: Refusal) -> Answer {
        Answer::new(refusal.status, refusal.body())
    }
}

/// The type of all answers, and how the client wants them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    /// With links.
    pub(crate) links: bool,
    /// In several lines.
    pub(crate) pretty: bool,
    /// With what the message of an error is made of.
    pub(crate) arguments: bool,
}

impl Manner {
    const fn content_type(self) -> &'static str {
        if self.links { "application/hal+json" } else { "application/json" }
    }
    /// Writes an answer.
    pub(crate) fn respond(self, answer: &Answer) -> HttpResponse {
        let error = answer.body.get("error").filter(|_| self.arguments && answer.status.as_u16() >= 400);
        let argued = error.map(|error| Answer::new(answer.status, json!({"error": argued(error)})));
        let Rendered { next, json, .. } = self.render(argued.as_ref().unwrap_or(answer));
        let mut response = self.response(answer.status, next.as_deref());
        if let Some(location) = &answer.location {
            response.insert_header((LOCATION, location.as_str()));
        }
        if answer.status == StatusCode::UNAUTHORIZED {
            response.insert_header((actix_web::http::header::WWW_AUTHENTICATE, "Basic realm=\"ONTAP\""));
        }
        response.body(Bytes::from_owner(json))
    }
    /// The body of an answer.
    pub(crate) fn render(self, answer: &Answer) -> Rendered {
        let json = if self.pretty { serde_json::to_vec_pretty(&answer.body) } else { serde_json::to_vec(&answer.body) };
        let mut json = json.unwrap_or_default();
        json.push(b'\n');
        Rendered { next: answer.next.as_deref().map(Into::into), ..Rendered::new(json) }
    }
    /// Writes an answer that was rendered before.
    pub(crate) fn respond_rendered(self, rendered: Rendered) -> HttpResponse {
        self.response(StatusCode::OK, rendered.next.as_deref()).body(Bytes::from_owner(rendered.json))
    }
    fn response(self, status: StatusCode, next: Option<&str>) -> actix_web::HttpResponseBuilder {
        let mut response = HttpResponse::build(status);
        response.insert_header((CONTENT_TYPE, self.content_type()));
        response.insert_header((HeaderName::from_static("server"), "libzapid-httpd"));
        response.insert_header((actix_web::http::header::CACHE_CONTROL, "no-cache,no-store,must-revalidate"));
        if let Some(next) = next {
            response.insert_header((LINK, format!("<{next}>; rel=\"next\"")));
        }
        response
    }
}

/// An error with its arguments, as clients get them that ask for them.
fn argued(error: &Value) -> Value {
    let mut error = error.clone();
    error["arguments"] = json!([{"code": error["code"], "message": error["message"]}]);
    error
}

/// A page of a collection.
pub(crate) fn envelope(records: Option<Vec<Value>>, count: usize, own: &str, next: Option<&str>) -> Value {
    let mut body = Map::new();
    if let Some(records) = records {
        body.insert("records".into(), Value::Array(records));
    }
    body.insert("num_records".into(), json!(count));
    let mut links = json!({"self": {"href": own}});
    if let Some(next) = next {
        links["next"] = json!({"href": next});
    }
    body.insert("_links".into(), links);
    Value::Object(body)
}

/// Adds the links of a record, and of what it refers to.
pub(crate) fn link(record: &mut Value, collection: &dyn Collection, parents: &[String]) {
    if UNLINKED.contains(&collection.path()) {
        return;
    }
    let own = table::href(collection, parents, record);
    if let Some(fields) = record.as_object_mut() {
        link_references(fields);
        let links = fields.entry("_links").or_insert_with(|| json!({}));
        if links.get("self").is_none() {
            links["self"] = json!({"href": own});
        }
    }
}

/// What stands alone and has no links, by ONTAP's own description.
const UNLINKED: [&str; 2] = ["/storage/cluster", "/support/autosupport"];

/// Where the objects are that records refer to, by the name of the field.
const REFERENCES: [(&str, &str); 14] = [
    ("svm", "/api/svm/svms/"),
    ("volume", "/api/storage/volumes/"),
    ("aggregate", "/api/storage/aggregates/"),
    ("node", "/api/cluster/nodes/"),
    ("home_node", "/api/cluster/nodes/"),
    ("lun", "/api/storage/luns/"),
    ("igroup", "/api/protocols/san/igroups/"),
    ("namespace", "/api/storage/namespaces/"),
    ("subsystem", "/api/protocols/nvme/subsystems/"),
    ("snapshot_policy", "/api/storage/snapshot-policies/"),
    ("portset", "/api/protocols/san/portsets/"),
    ("ipspace", "/api/network/ipspaces/"),
    ("schedule", "/api/cluster/schedules/"),
    ("service_policy", "/api/network/ip/service-policies/"),
];

fn link_references(fields: &mut Map<String, Value>) {
    for (name, base) in REFERENCES {
        if let Some(Value::Object(reference)) = fields.get_mut(name)
            && let Some(Value::String(uuid)) = reference.get("uuid")
        {
            let href = format!("{base}{uuid}");
            reference.insert("_links".into(), json!({"self": {"href": href}}));
        }
    }
}
