//! What a client sees: one folder a front, each in the same shape.
//!
//! Owns: wire formats, status codes, routes. A front decides nothing: no capacity, limit, state or name rule is here.
//! Must not know: another front; what a rule says.
//! Read first: [`http`], then a front such as [`api`].

mod ontap_options;

pub use arrayplane_api::{api, metrics};
pub use arrayplane_site::http;
pub use ontap_options::{OntapOptions, OntapVersion};

use std::sync::Arc;

use actix_web::HttpResponse;
use actix_web::web::{self, ServiceConfig};

use crate::site::Site;

/// Sets an application up to serve all fronts of a site. The native API is the last: what nobody answers, it refuses.
pub fn configure(site: &Arc<Site>) -> impl Fn(&mut ServiceConfig) + Clone + Send + use<> {
    let (metrics, api) = (metrics::configure(site), api::configure(site));
    move |config| {
        metrics(config);
        api(config);
    }
}

/// Sets an application up to serve the ONTAP front at the doors of arrays.
pub fn ontap(_site: &Arc<Site>, options: &OntapOptions) -> impl Fn(&mut ServiceConfig) + Clone + Send + Sync + use<> {
    let version = options.version.to_string();
    move |config| {
        let version = version.clone();
        config.default_service(web::to(move || {
            let error = serde_json::json!({"error": {"message": "API not found", "code": "3", "target": version}});
            async move { HttpResponse::NotFound().json(error) }
        }));
    }
}
