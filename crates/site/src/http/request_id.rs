//! The name of a request, by which a client and the log speak of the same one.

use std::fmt;

use actix_web::dev::ServiceRequest;
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::{HttpMessage, HttpRequest};

/// The header that carries it both ways.
pub(super) const HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// The name of a request: the client's own, if it sent 1 to 64 letters, digits, `-`, `_` and `.`; otherwise a running number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestId(String);

impl RequestId {
    /// The client's name for a request, or the server's.
    pub(super) fn of(request: &ServiceRequest, number: u64) -> RequestId {
        let sent = request.headers().get(HEADER).and_then(|value| value.to_str().ok()).filter(|name| is_acceptable(name));
        RequestId(sent.map_or_else(|| format!("req-{number}"), ToOwned::to_owned))
    }
    /// The name that was given to this request; none for a request that did not come through a server of this room.
    pub fn get(request: &HttpRequest) -> Option<RequestId> {
        request.extensions().get::<RequestId>().cloned()
    }
    /// As text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
    pub(super) fn header(&self) -> Option<HeaderValue> {
        HeaderValue::from_str(&self.0).ok()
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

fn is_acceptable(name: &str) -> bool {
    (1..=64).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
}
