//! The way of every request: it gets a name, is counted, held to the limits, answered, and logged.

use std::sync::Arc;
use std::time::Instant;

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage, HttpResponse, web};

use super::limits;
use super::request_id::{HEADER, RequestId};
use super::traffic::Traffic;

/// Ends the count of a request, also when its client goes away.
struct InProgress(Arc<Traffic>);

impl Drop for InProgress {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// The outermost layer of a server.
pub(super) async fn watch<B: MessageBody + 'static>(
    traffic: web::ThinData<Arc<Traffic>>,
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let number = traffic.begin();
    let _in_progress = InProgress(Arc::clone(&traffic));
    let began = Instant::now();
    let id = RequestId::of(&request, number);
    request.extensions_mut().insert(id.clone());
    let said = format!("{} {}", request.method(), request.uri());
    let quiet = matches!(request.path(), "/healthz" | "/readyz");

    let mut response = if limits::head_is_too_large(&request) {
        let refusal = format!("The head of the request has more than {} bytes.\n", limits::HEAD_BYTES_MAX);
        request.into_response(HttpResponse::RequestHeaderFieldsTooLarge().content_type("text/plain; charset=utf-8").body(refusal))
    } else {
        next.call(request).await?.map_into_boxed_body()
    };
    if let Some(value) = id.header() {
        response.headers_mut().insert(HEADER, value);
    }
    log(&said, &id, &response, began, quiet);
    Ok(response)
}

fn log(said: &str, id: &RequestId, response: &ServiceResponse, began: Instant, quiet: bool) {
    let (status, micros) = (response.status().as_u16(), began.elapsed().as_micros());
    if quiet {
        tracing::debug!(target: "arrayplane::access", %id, status, micros, "{said} -> {status}");
    } else {
        tracing::info!(target: "arrayplane::access", %id, status, micros, "{said} -> {status}");
    }
}
