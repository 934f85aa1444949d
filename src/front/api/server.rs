//! The routes as actix-web wants them, with the document and its reader beside them.

use std::collections::BTreeMap;
use std::sync::Arc;

use actix_web::guard::{Any, Guard, Method as IsMethod};
use actix_web::http::Method;
use actix_web::http::header::{CONTENT_TYPE, LOCATION};
use actix_web::middleware::from_fn;
use actix_web::{HttpRequest, HttpResponse, Resource, web};
use utoipa_swagger_ui::{Config, SwaggerUi};

use super::admission::{Doors, admit, authorise};
use super::document;
use super::problem::{METHOD_NOT_ALLOWED, NO_SUCH_ROUTE, Problem};
use super::route::Route;
use crate::front::http::Gate;
use crate::site::Site;

/// Where the document is.
const DOCUMENT_PATH: &str = "/openapi.json";

/// Sets an application up to serve this front for a site: `/v1`, the document at `/openapi.json` and its reader at `/docs/`,
/// to which `/` leads. Everything demands credentials when the site does.
pub fn configure(site: &Arc<Site>) -> impl Fn(&mut web::ServiceConfig) + Clone + Send + use<> {
    let (site, document, gate) = (Arc::clone(site), web::Bytes::from(document::text()), Gate::new(site));
    move |config| {
        let (document, gate) = (document.clone(), gate.clone());
        config.app_data(web::Data::from(Arc::clone(&site))).app_data(web::Data::new(gate.clone()));
        let mut front = web::scope("").route(DOCUMENT_PATH, web::get().to(move || std::future::ready(json(document.clone()))));
        for path in ["/", "/docs"] {
            front = front.route(path, web::get().to(|| std::future::ready(HttpResponse::Found().insert_header((LOCATION, "/docs/")).finish())));
        }
        front = front.service(SwaggerUi::new("/docs/{_:.*}").config(Config::from(DOCUMENT_PATH)));
        for (path, routes) in by_path() {
            let doors = Doors::new(routes.iter().map(|route| (route.method.clone(), route.access)));
            front = front.service(resource(&path, routes).wrap(from_fn(move |request, next| authorise(doors.clone(), request, next))));
        }
        config.service(front.default_service(web::to(no_such_route)).wrap(from_fn(move |request, next| admit(gate.clone(), request, next))));
    }
}

fn json(document: web::Bytes) -> HttpResponse {
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
