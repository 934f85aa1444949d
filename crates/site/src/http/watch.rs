//! The way of every request: it gets a name, is counted, held to the limits, answered, and logged.

use std::fmt::{self, Display};
use std::iter::repeat;
use std::sync::Arc;
use std::time::Instant;

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Uri;
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage, web};

use super::doors::Entrance;
use super::request_id::{HEADER, RequestId};
use super::traffic::Traffic;
use super::{identity, limits};
use crate::site::Identity;

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
    let quiet = matches!(request.path(), "/healthz" | "/readyz");

    let mut response = if limits::head_is_too_large(&request) {
        let refusal = limits::refuse_head(&request);
        request.into_response(refusal)
    } else {
        next.call(request).await?.map_into_boxed_body()
    };
    if let Some(value) = id.header() {
        response.headers_mut().insert(HEADER, value);
    }
    log(&id, &response, began, quiet);
    Ok(response)
}

fn log(id: &RequestId, response: &ServiceResponse, began: Instant, quiet: bool) {
    let (status, micros) = (response.status().as_u16(), u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX));
    let request = response.request();
    let (method, target) = (request.method(), Target(request.uri()));
    let identity = identity(request);
    let user = identity.as_ref().map_or("-", Identity::user);
    let entrance = Entrance::of(request);
    let array = entrance.as_ref().map(Entrance::array);
    if quiet {
        tracing::debug!(target: "arrayplane::access", %id, array, user, status, micros, "{method} {target} -> {status}");
    } else {
        tracing::info!(target: "arrayplane::access", %id, array, user, status, micros, "{method} {target} -> {status}");
    }
}

/// What a request asks for, as the log shows it: without what looks like a secret in the query, and without a host or user.
struct Target<'a>(&'a Uri);

impl Display for Target<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.0.path())?;
        let pairs = self.0.query().into_iter().flat_map(|query| query.split('&'));
        for (pair, before) in pairs.zip(['?'].into_iter().chain(repeat('&'))) {
            match pair.split_once('=') {
                Some((name, _)) if is_secret(name) => write!(out, "{before}{name}=********")?,
                _ => write!(out, "{before}{pair}")?,
            }
        }
        Ok(())
    }
}

fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["password", "secret", "token", "authorization", "%"].iter().any(|word| name.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_shows_no_secret_of_a_query() {
        for (sent, shown) in [
            ("/v1/arrays?limit=1&name=a", "/v1/arrays?limit=1&name=a"),
            ("http://u:p@h/v1?x", "/v1?x"),
            ("/v1?a=1&new_Password=letters1&b=2", "/v1?a=1&new_Password=********&b=2"),
            ("/v1?access_token=x&p%61ssword=y", "/v1?access_token=********&p%61ssword=********"),
        ] {
            assert_eq!(Target(&sent.parse().expect("a URI")).to_string(), shown);
        }
    }
}
