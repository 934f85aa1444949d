//! Whether the server lives, and whether it is ready.

use std::sync::Arc;

use actix_web::http::header::{CACHE_CONTROL, HeaderValue};
use actix_web::{HttpResponse, HttpResponseBuilder, web};

use super::traffic::Traffic;

/// Mounts `/healthz` and `/readyz`.
pub(super) fn mount(config: &mut web::ServiceConfig) {
    let live = || async { say(HttpResponse::Ok(), "ok\n") };
    config.service(web::resource("/healthz").route(web::get().to(live)).route(web::head().to(live)));
    config.service(web::resource("/readyz").route(web::get().to(ready)).route(web::head().to(ready)));
}

async fn ready(traffic: web::ThinData<Arc<Traffic>>) -> HttpResponse {
    if traffic.is_ready() { say(HttpResponse::Ok(), "ready\n") } else { say(HttpResponse::ServiceUnavailable(), "not ready\n") }
}

fn say(mut response: HttpResponseBuilder, text: &'static str) -> HttpResponse {
    response.insert_header((CACHE_CONTROL, HeaderValue::from_static("no-store"))).content_type("text/plain; charset=utf-8").body(text)
}
