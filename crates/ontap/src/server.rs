//! How a request becomes a call: who asks, for which array, what the path leads to.

use std::sync::Arc;

use actix_web::http::{Method, StatusCode};
use actix_web::{HttpRequest, HttpResponse, web};
use percent_encoding::percent_decode_str;
use serde_json::json;

use crate::answer::{Answer, Manner};
use crate::body;
use crate::changing::Changing;
use crate::collection::{Collection, Verb, View, method};
use crate::http::{Entrance, Gate, LargeHead, identity};
use crate::model::{Dialect, Policy, PolicySet};
use crate::ops::{Actor, Authority};
use crate::query::Query;
use crate::reading::Reading;
use crate::refusal::{Outcome, Refusal};
use crate::refusals;
use crate::scope::Scope;
use crate::site::{Hosted, Site};
use crate::table::{self, Place};
use crate::version::Version;
use crate::{cli, schema};

/// How the front is set up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The release that is played.
    pub version: Version,
}

/// What every request needs.
struct Front {
    site: Arc<Site>,
    gate: Gate,
    options: Options,
}

/// The most bytes of a body.
const BODY_MAX: usize = 8 << 20;

/// Sets an application up to serve this front: `/api` and what else stands on the port of an ONTAP cluster.
pub fn configure(site: &Arc<Site>, options: Options) -> impl Fn(&mut web::ServiceConfig) + Clone + Send + use<> {
    let front = Arc::new(Front { site: Arc::clone(site), gate: Gate::of_vendor(site), options });
    move |config| {
        let front = Arc::clone(&front);
        let answer = move |request: HttpRequest, payload: web::Payload| {
            let front = Arc::clone(&front);
            async move { front.answer(request, payload).await }
        };
        config.app_data(LargeHead(large_head)).default_service(web::to(answer));
    }
}

/// The parts of a request that are needed once its body is read.
struct Request {
    method: Method,
    /// The path below `/api`, decoded.
    segments: Vec<String>,
    /// The path and the query as they were sent, slashes put right.
    own: String,
    query: Query,
    manner: Manner,
    svm_name: Option<String>,
    svm_uuid: Option<String>,
    body: web::Bytes,
}

impl Front {
    async fn answer(&self, request: HttpRequest, payload: web::Payload) -> HttpResponse {
        let manner = manner(&request);
        match self.respond(&request, payload).await {
            Ok(response) => response,
            Err(refusal) => manner.respond(&refusal.into()),
        }
    }
    async fn respond(&self, request: &HttpRequest, payload: web::Payload) -> Outcome<HttpResponse> {
        let hosted = self.array(request)?;
        self.admit(request, hosted.name()).await?;
        let Some(path) = request.path().trim_start_matches('/').strip_prefix("api") else {
            let actor = actor(request, format!("{} {}", request.method(), request.path()));
            return crate::zapi::answer(request, payload, &hosted, &actor, self.options.version).await;
        };
        let segments = segments(path);
        let own = own(&segments, request.query_string());
        let actor = actor(request, format!("{} {}", request.method(), own.split('?').next().unwrap_or_default()));
        let bytes = payload.to_bytes_limited(BODY_MAX).await;
        let bytes = bytes
            .map_err(|_| Refusal::bad(262_199, "The body of the request is too large."))?
            .map_err(|_| Refusal::bad(262_199, "The body of the request cannot be read."))?;
        let header = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let request = Request {
            method: request.method().clone(),
            segments,
            own,
            query: Query::read(request.query_string()),
            manner: manner(request),
            svm_name: header("x-dot-svm-name"),
            svm_uuid: header("x-dot-svm-uuid"),
            body: bytes,
        };
        self.call(&hosted, actor, &request)
    }
    /// The array that a request came in for.
    fn array(&self, request: &HttpRequest) -> Outcome<Arc<Hosted>> {
        let by_door = Entrance::of(request).and_then(|entrance| self.site.array(entrance.array()));
        let is_ontap = |hosted: &Arc<Hosted>| hosted.read(|world| world.array.personality.dialect == Dialect::Ontap);
        by_door.or_else(|| self.site.arrays().into_iter().find(is_ontap)).ok_or_else(Refusal::no_such_api)
    }
    async fn admit(&self, request: &HttpRequest, array: &str) -> Outcome<()> {
        self.gate.admit(request, Some(array)).await.map_err(|denial| {
            let message = if matches!(denial, crate::site::Denial::Locked { .. }) { "The account is locked." } else { "User is not authorized." };
            Refusal::new(StatusCode::UNAUTHORIZED, 6_691_623, message)
        })
    }
    fn call(&self, hosted: &Arc<Hosted>, actor: Actor, request: &Request) -> Outcome<HttpResponse> {
        hosted.allows(&actor, PolicySet::of(Policy::StatusDisplay), "reading").map_err(|refusal| refusals::of(&refusal, ""))?;
        let (name, uuid) = (request.svm_name.as_deref(), request.svm_uuid.as_deref());
        let scope = hosted.read(|world| Scope::of(world, &actor, name, uuid))?;
        if request.segments.first().map(String::as_str) == Some("private") {
            let asked = cli::Asked { method: &request.method, words: &request.segments[1..], query: &request.query, body: &request.body, scope };
            return cli::answer(hosted, &actor, &asked, self.options.version).map(|answer| request.manner.respond(&answer));
        }
        let Some(place) = table::find(&request.segments) else { return Err(self.not_served(hosted, request)) };
        if request.method == Method::OPTIONS {
            return Ok(options(request, &place));
        }
        let (collection, parents, keys) = match place {
            Place::All(collection, parents) => (collection, parents, None),
            Place::One(collection, parents, keys) => (collection, parents, Some(keys)),
        };
        if let Some(scope) = scope {
            scope.admits(collection, &request.method, keys.as_deref(), &actor.user)?;
        }
        if request.method == Method::GET || request.method == Method::HEAD {
            let reading = Reading { collection, query: &request.query, scope, links: request.manner.links, own: &request.own };
            return self.read(hosted, &reading, request, &parents, keys.as_deref());
        }
        let changing = Changing {
            hosted,
            actor,
            collection,
            parents,
            query: request.query.clone(),
            scope,
            version: self.options.version,
            links: request.manner.links,
            own: &request.own,
        };
        let sent = body::parse(&request.body)?;
        let answer = match request.method.as_str() {
            "POST" if keys.is_none() => changing.create(sent)?,
            "PATCH" => changing.update(keys.as_deref(), sent)?,
            "DELETE" => changing.delete(keys.as_deref(), sent)?,
            other => return Err(Refusal::method_not_allowed(other)),
        };
        Ok(request.manner.respond(&answer))
    }
    fn read(&self, hosted: &Arc<Hosted>, reading: &Reading<'_>, request: &Request, parents: &[String], keys: Option<&[String]>) -> Outcome<HttpResponse> {
        let version = self.options.version;
        let look = |view: &View<'_>| match keys {
            None => reading.all(view),
            Some(keys) => reading.one(view, keys),
        };
        let render = |world: &crate::ops::World| look(&View { parents, ..View::of(world, hosted, version, &request.query) });
        if keys.is_none() && reading.lasts()? {
            let asked = format!("ontap {:?} {:?} {}", request.manner, reading.scope, request.own);
            let rendered = hosted.page(&asked, |world| render(world).map(|answer| request.manner.render(&answer)))?;
            return Ok(request.manner.respond_rendered(rendered));
        }
        Ok(request.manner.respond(&hosted.read(render)?))
    }
    /// A path that leads to nothing: ONTAP may have it, and then it is counted.
    fn not_served(&self, hosted: &Hosted, request: &Request) -> Refusal {
        let segments: Vec<&str> = request.segments.iter().map(String::as_str).collect();
        if let Some(template) = unserved(&segments) {
            hosted.count_unserved(request.method.as_str(), &format!("/api{template}"));
        }
        Refusal::no_such_api()
    }
}

/// The template of a path that ONTAP has and this front does not serve.
fn unserved(segments: &[&str]) -> Option<&'static str> {
    let fits = |template: &str| {
        let parts: Vec<&str> = template.split('/').skip(1).collect();
        parts.len() == segments.len() && parts.iter().zip(segments).all(|(part, segment)| part.starts_with('{') || part == segment)
    };
    schema::unserved()
        .keys()
        .map(String::as_str)
        .chain(schema::all().keys().map(String::as_str))
        .chain(schema::all().values().filter_map(|resource| resource.item.as_deref()))
        .find(|template| fits(template))
}

/// Who asks, and for what.
fn actor(request: &HttpRequest, said: String) -> Actor {
    let nobody = || Actor::new("ontap", "nobody", "").by(Authority::Nobody);
    identity(request).map_or_else(nobody, |identity| identity.actor("ontap", said))
}

/// How this front says that the head of a request is too large.
fn large_head(message: &str) -> HttpResponse {
    let manner = Manner { links: true, pretty: false, arguments: false };
    manner.respond(&Refusal::new(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, 2, message).into())
}

fn options(request: &Request, place: &Place) -> HttpResponse {
    let (collection, is_one): (&dyn Collection, bool) = match place {
        Place::All(collection, _) => (*collection, false),
        Place::One(collection, ..) => (*collection, true),
    };
    let mut allowed = vec!["GET".to_owned(), "HEAD".to_owned(), "OPTIONS".to_owned()];
    allowed.extend(collection.verbs().iter().filter(|verb| !(is_one && **verb == Verb::Create)).map(|verb| method(*verb).to_string()));
    let mut response = request.manner.respond(&Answer::ok(json!({})));
    if let Ok(value) = allowed.join(", ").parse() {
        response.headers_mut().insert(actix_web::http::header::ALLOW, value);
    }
    response
}

/// The segments of a path, decoded one by one; empty ones are passed over, dots resolved.
fn segments(path: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for segment in path.split('/').filter(|segment| !segment.is_empty()) {
        match segment {
            "." => {}
            ".." => drop(all.pop()),
            segment => all.push(percent_decode_str(segment).decode_utf8_lossy().into_owned()),
        }
    }
    all
}

fn own(segments: &[String], query: &str) -> String {
    let path: String = segments.iter().map(|segment| format!("/{}", table::encoded(segment))).collect();
    if query.is_empty() { format!("/api{path}") } else { format!("/api{path}?{query}") }
}

fn manner(request: &HttpRequest) -> Manner {
    let accept = request.headers().get(actix_web::http::header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let plain = accept.contains("application/json") && !accept.contains("hal+json");
    let query = Query::read(request.query_string());
    let arguments = request.headers().get("x-dot-error-arguments").is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"true"));
    Manner { links: !plain, pretty: query.get("pretty").is_some_and(|text| text != "false"), arguments }
}
