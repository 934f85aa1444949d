//! What a client sees: one folder a front, each in the same shape.
//!
//! Owns: wire formats, status codes, routes. A front decides nothing: no capacity, limit, state or name rule is here.
//! Must not know: another front; what a rule says.
//! Read first: [`http`], then a front such as [`api`].

pub use arrayplane_api::{api, metrics};
pub use arrayplane_ontap as ontap;
pub use arrayplane_site::http;

use std::sync::Arc;

use actix_web::web::ServiceConfig;

use crate::site::Site;

/// Sets an application up to serve all fronts of a site. The native API is the last: what nobody answers, it refuses.
pub fn configure(site: &Arc<Site>) -> impl Fn(&mut ServiceConfig) + Clone + Send + use<> {
    let (metrics, api) = (metrics::configure(site), api::configure(site));
    move |config| {
        metrics(config);
        api(config);
    }
}
