//! How requests find what answers them, with the document and its reader beside. The application knows one service for all of `/v1`;
//! the paths below it stand in a tree that all workers share.

use std::sync::{Arc, OnceLock};

use actix_web::http::Method;
use actix_web::http::header::{CONTENT_TYPE, LOCATION};
use actix_web::middleware::from_fn;
use actix_web::{HttpMessage, HttpRequest, HttpResponse, web};
use utoipa_swagger_ui::{Config, SwaggerUi};

use super::admission::{self, Access};
use super::document;
use super::problem::{METHOD_NOT_ALLOWED, NO_SUCH_ROUTE, Problem};
use super::resource::{Answered, Parts};
use super::route::Handler;
use super::tree::{self, Tree};
use crate::http::Gate;
use crate::site::Site;

/// Where the document is.
const DOCUMENT_PATH: &str = "/openapi.json";

/// What stands at one path.
#[derive(Debug)]
struct Place {
    /// The names of the path's parameters.
    names: Arc<[String]>,
    /// What answers, by method, and whom it is for. Where GET is, HEAD is.
    methods: Vec<(Method, Access, Handler)>,
}

/// Sets an application up to serve this front for a site: `/v1`, the document at `/openapi.json` and its reader at `/docs/`,
/// to which `/` leads. Everything demands credentials when the site does.
pub fn configure(site: &Arc<Site>) -> impl Fn(&mut web::ServiceConfig) + Clone + Send + use<> {
    let (site, gate, map) = (Arc::clone(site), Gate::new(site), Arc::new(map()));
    move |config| {
        config.app_data(web::Data::from(Arc::clone(&site))).app_data(web::Data::new(gate.clone()));
        let (map, at_v1) = (Arc::clone(&map), gate.clone());
        let answer = move |request: HttpRequest, payload: web::Payload| {
            let (map, gate) = (Arc::clone(&map), at_v1.clone());
            async move { answer(&map, &gate, request, payload).await }
        };
        config.service(web::scope("/v1").default_service(web::to(answer)));
        let mut rest = web::scope("").route(DOCUMENT_PATH, web::get().to(|| std::future::ready(json())));
        for path in ["/", "/docs"] {
            rest = rest.route(path, web::get().to(|| std::future::ready(HttpResponse::Found().insert_header((LOCATION, "/docs/")).finish())));
        }
        rest = rest.service(SwaggerUi::new("/docs/{_:.*}").config(Config::from(DOCUMENT_PATH)));
        let gate = gate.clone();
        config.service(rest.default_service(web::to(nothing_there)).wrap(from_fn(move |request, next| admission::guard(gate.clone(), request, next))));
    }
}

/// All paths below `/v1`.
fn map() -> Tree<Place> {
    let mut tree = Tree::default();
    for route in super::routes() {
        let names = || tree::parameters(&route.path).map(str::to_owned).collect();
        let place = tree.entry(&route.path).get_or_insert_with(|| Place { names: names(), methods: Vec::new() });
        place.methods.push((route.method, route.access, route.handler));
    }
    tree
}

/// Answers a request below `/v1`: first it must be known who asks, then there must be something that the user may use, and the method.
async fn answer(map: &Tree<Place>, gate: &Gate, request: HttpRequest, payload: web::Payload) -> Answered {
    admission::admit(gate, &request).await?;
    let found = request.path().strip_prefix("/v1").and_then(|path| map.find(path));
    let Some((place, values)) = found else { return Err(no_such_route(&request)) };
    let parts = Parts::new(&place.names, values.into_iter().map(std::borrow::Cow::into_owned).collect());
    request.extensions_mut().insert(parts);
    let Some((_, access, handler)) = place.methods.iter().find(|(method, ..)| answers(method, request.method())) else {
        admission::authorise(Access::Known, &request)?;
        return Err(method_not_allowed(&request, &place.methods));
    };
    admission::authorise(*access, &request)?;
    handler(request, payload).await
}

/// Where GET is, HEAD is.
fn answers(known: &Method, asked: &Method) -> bool {
    known == asked || (*known == Method::GET && *asked == Method::HEAD)
}

/// The document, made when somebody asks for it for the first time.
fn json() -> HttpResponse {
    static DOCUMENT: OnceLock<web::Bytes> = OnceLock::new();
    let document = DOCUMENT.get_or_init(|| web::Bytes::from(document::text())).clone();
    HttpResponse::Ok().insert_header((CONTENT_TYPE, "application/json")).body(document)
}

fn method_not_allowed(request: &HttpRequest, methods: &[(Method, Access, Handler)]) -> Problem {
    let allowed = methods.iter().flat_map(|(method, ..)| [method.as_str()].into_iter().chain((*method == Method::GET).then_some("HEAD")));
    let allowed = allowed.collect::<Vec<_>>().join(", ");
    let method = request.method().as_str();
    let problem = Problem::new(METHOD_NOT_ALLOWED, format!("{} does not take {method}", request.path()));
    problem.value(method).limit(&allowed).cure(format!("use one of: {allowed}")).allow(allowed)
}

fn no_such_route(request: &HttpRequest) -> Problem {
    let problem = Problem::new(NO_SUCH_ROUTE, format!("nothing answers at {}", request.path()));
    problem.value(request.path()).cure("see /docs/ for all paths")
}

async fn nothing_there(request: HttpRequest) -> Answered {
    Err(no_such_route(&request))
}
