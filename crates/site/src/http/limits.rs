//! How much a client may send, and how long it may take.

use std::time::Duration;

use actix_web::dev::ServiceRequest;
use actix_web::{HttpResponse, web};

/// The largest body that a front reads.
pub const BODY_BYTES_MAX: usize = 2 << 20;
/// The largest head of a request, as the sum of its target, header names and values.
pub const HEAD_BYTES_MAX: usize = 32 << 10;
/// How long a client may take to send the head of a request.
pub(super) const HEAD_TIME: Duration = Duration::from_secs(10);
/// How long a client may take to agree on keys.
pub(super) const HANDSHAKE_TIME: Duration = Duration::from_secs(10);
/// How long a connection without requests is kept.
pub(super) const KEEP_ALIVE: Duration = Duration::from_secs(75);
/// How long a client may take to close a connection.
pub(super) const CLOSE_TIME: Duration = Duration::from_secs(2);
/// How long requests in progress may take after the server was told to stop.
pub(super) const STOP_TIME: Duration = Duration::from_secs(10);
/// How many seconds connections without requests are kept after that.
pub(super) const STOP_IDLE_SECONDS: u64 = 1;

/// How a front says that the head of a request is too large: application data that it sets where it is mounted.
#[derive(Clone, Copy, Debug)]
pub struct LargeHead(pub fn(&str) -> HttpResponse);

/// Refuses a request for its head, as the front says it; in plain text where it does not.
pub(super) fn refuse_head(request: &ServiceRequest) -> HttpResponse {
    let refusal = format!("The head of the request has more than {HEAD_BYTES_MAX} bytes.");
    match request.app_data::<LargeHead>() {
        Some(LargeHead(say)) => say(&refusal),
        None => HttpResponse::RequestHeaderFieldsTooLarge().content_type("text/plain; charset=utf-8").body(refusal + "\n"),
    }
}

/// Sets the limits of extractors.
pub(super) fn bodies(config: &mut web::ServiceConfig) {
    config.app_data(web::PayloadConfig::new(BODY_BYTES_MAX)).app_data(web::JsonConfig::default().limit(BODY_BYTES_MAX));
}

/// Whether the head of a request is larger than accepted.
pub(super) fn head_is_too_large(request: &ServiceRequest) -> bool {
    let target = request.uri().path_and_query().map_or(0, |target| target.as_str().len());
    let headers: usize = request.headers().iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
    target + headers > HEAD_BYTES_MAX
}
