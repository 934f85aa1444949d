//! The routes as actix-web wants them, with the document and its reader beside them.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use actix_web::dev::HttpServiceFactory;
use actix_web::guard::{Any, Guard, Method as IsMethod};
use actix_web::http::Method;
use actix_web::http::header::{CONTENT_TYPE, LOCATION};
use actix_web::middleware::from_fn;
use actix_web::{HttpRequest, HttpResponse, Resource, Scope, web};
use utoipa_swagger_ui::{Config, SwaggerUi};

use super::admission::{Doors, admit, authorise};
use super::document;
use super::problem::{METHOD_NOT_ALLOWED, NO_SUCH_ROUTE, Problem};
use super::route::Route;
use crate::front::http::Gate;
use crate::site::Site;

/// Where the document is.
const DOCUMENT_PATH: &str = "/openapi.json";

/// What the paths of an array begin with.
const OF_ARRAY: &str = "/v1/arrays/{array}";

/// Sets an application up to serve this front for a site: `/v1`, the document at `/openapi.json` and its reader at `/docs/`,
/// to which `/` leads. Everything demands credentials when the site does.
pub fn configure(site: &Arc<Site>) -> impl Fn(&mut web::ServiceConfig) + Clone + Send + use<> {
    let (site, gate) = (Arc::clone(site), Gate::new(site));
    move |config| {
        let gate = gate.clone();
        config.app_data(web::Data::from(Arc::clone(&site))).app_data(web::Data::new(gate.clone()));
        let mut front = web::scope("").route(DOCUMENT_PATH, web::get().to(|| std::future::ready(json())));
        front = of_arrays(front);
        for path in ["/", "/docs"] {
            front = front.route(path, web::get().to(|| std::future::ready(HttpResponse::Found().insert_header((LOCATION, "/docs/")).finish())));
        }
        for (path, routes) in by_path().into_iter().filter(|(path, _)| !path.starts_with(OF_ARRAY)) {
            front = front.service(guarded(&path, routes));
        }
        front = front.service(SwaggerUi::new("/docs/{_:.*}").config(Config::from(DOCUMENT_PATH)));
        config.service(front.default_service(web::to(no_such_route)).wrap(from_fn(move |request, next| admit(gate.clone(), request, next))));
    }
}

/// Adds everything about one array. Paths are looked for in order, so this comes first, and what belongs to one noun stands under that noun: few patterns
/// are tried.
fn of_arrays(front: Scope) -> Scope {
    let mut array = web::scope(OF_ARRAY).default_service(web::to(no_such_route));
    let mut nouns: BTreeMap<String, Vec<(String, Vec<Route>)>> = BTreeMap::new();
    for (path, routes) in by_path() {
        match path.strip_prefix(OF_ARRAY).map(|rest| rest.strip_prefix('/')) {
            None => {}
            Some(None) => array = array.service(guarded("", routes)),
            Some(Some(rest)) => {
                let (noun, tail) = rest.find('/').map_or((rest, ""), |end| rest.split_at(end));
                nouns.entry(noun.to_owned()).or_default().push((tail.to_owned(), routes));
            }
        }
    }
    for (noun, paths) in nouns {
        let scope = web::scope(&format!("/{noun}")).default_service(web::to(no_such_route));
        array = array.service(paths.into_iter().fold(scope, |scope, (tail, routes)| scope.service(guarded(&tail, routes))));
    }
    front.service(array)
}

/// The document, made when somebody asks for it for the first time.
fn json() -> HttpResponse {
    static DOCUMENT: OnceLock<web::Bytes> = OnceLock::new();
    let document = DOCUMENT.get_or_init(|| web::Bytes::from(document::text())).clone();
    HttpResponse::Ok().insert_header((CONTENT_TYPE, "application/json")).body(document)
}

/// The routes of every path.
fn by_path() -> BTreeMap<String, Vec<Route>> {
    let mut by_path: BTreeMap<String, Vec<Route>> = BTreeMap::new();
    for route in super::routes() {
        by_path.entry(format!("/v1{}", route.path)).or_default().push(route);
    }
    by_path
}

/// One resource for a path, behind its doors.
fn guarded(path: &str, routes: Vec<Route>) -> impl HttpServiceFactory + 'static {
    let doors = Doors::new(routes.iter().map(|route| (route.method.clone(), route.access)));
    resource(path, routes).wrap(from_fn(move |request, next| authorise(doors.clone(), request, next)))
}

/// One resource for a path, with all its methods.
fn resource(path: &str, routes: Vec<Route>) -> Resource {
    let allowed: Vec<&str> = routes.iter().flat_map(|route| methods(&route.method)).map(Method::as_str).collect();
    let allowed = allowed.join(", ");
    let resource = routes.iter().fold(web::resource(path), |resource, route| resource.route((route.handler)().guard(guard(&route.method))));
    resource.default_service(web::to(move |request: HttpRequest| std::future::ready(method_not_allowed(&request, &allowed))))
}

/// Where GET is, HEAD is.
fn methods(method: &Method) -> &'static [Method] {
    match *method {
        Method::GET => &[Method::GET, Method::HEAD],
        Method::POST => &[Method::POST],
        Method::PATCH => &[Method::PATCH],
        _ => &[Method::DELETE],
    }
}

fn guard(method: &Method) -> impl Guard + 'static {
    methods(method).iter().fold(Any(IsMethod(method.clone())), |any, method| any.or(IsMethod(method.clone())))
}

fn method_not_allowed(request: &HttpRequest, allowed: &str) -> Result<HttpResponse, Problem> {
    let method = request.method().as_str();
    let problem = Problem::new(METHOD_NOT_ALLOWED, format!("{} does not take {method}", request.path()));
    Err(problem.value(method).limit(allowed).cure(format!("use one of: {allowed}")).allow(allowed.to_owned()))
}

async fn no_such_route(request: HttpRequest) -> Result<HttpResponse, Problem> {
    let problem = Problem::new(NO_SUCH_ROUTE, format!("nothing answers at {}", request.path()));
    Err(problem.value(request.path()).cure("see /docs/ for all paths"))
}
