//! The three calls of the older XML interface that clients make before they use REST.

use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse, web};

use crate::refusal::{Outcome, Refusal};
use crate::site::Hosted;
use crate::version::Version;

/// Answers what is asked outside of `/api`.
pub(crate) async fn answer(_: &HttpRequest, _: web::Payload, _: &Arc<Hosted>, _: Version) -> Outcome<HttpResponse> {
    std::future::ready(Err(Refusal::no_such_api())).await
}
