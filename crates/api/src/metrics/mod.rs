//! `GET /metrics`: the process and its arrays, as Prometheus scrapes them.
//!
//! Owns: the names, units and labels of metrics, and the text format. Names follow the conventions of Prometheus: base units (seconds,
//! bytes, ratios), `_total` for what only grows, one HELP and TYPE each.
//! Must not know: any rule; how other fronts look.
//! Read first: [`configure`], then `array` for what is told of an array, and `page` for how it is written.

mod array;
mod page;
mod process;
mod totals;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, WWW_AUTHENTICATE};
use actix_web::{HttpRequest, HttpResponse, web};
use serde::Deserialize;

use self::page::Page;
use crate::http::{CHALLENGE, Gate, Requests, identity};
use crate::model::{Policy, PolicySet};
use crate::site::{Denial, Hosted, Identity, Site};

/// Where it answers.
const PATH: &str = "/metrics";
/// The most objects of one noun of one array that are told of one by one.
const OBJECTS_MAX: usize = 256;
/// The most volumes of one array that can be asked for.
const VOLUMES_MAX: usize = 10_000;

/// What is asked for.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    /// One array only, and nothing of the process.
    #[serde(default)]
    array: Option<String>,
    /// How many volumes of each array are told of one by one.
    #[serde(default)]
    volumes: usize,
}

/// Sets an application up to serve metrics of a site. Demands the credentials that the site demands.
pub fn configure(site: &Arc<Site>) -> impl Fn(&mut web::ServiceConfig) + Clone + Send + use<> {
    let (site, gate) = (Arc::clone(site), Gate::new(site));
    move |config| {
        let (site, gate) = (Arc::clone(&site), gate.clone());
        let answer = move |request: HttpRequest| {
            let (site, gate) = (Arc::clone(&site), gate.clone());
            async move { metrics(&site, &gate, &request).await.unwrap_or_else(Refusal::response) }
        };
        config.service(web::resource(PATH).route(web::get().to(answer.clone())).route(web::head().to(answer)));
    }
}

/// The answer, or a refusal in plain words.
async fn metrics(site: &Arc<Site>, gate: &Gate, request: &HttpRequest) -> Result<HttpResponse, Refusal> {
    let asked = read(request)?;
    gate.admit(request, asked.array.as_deref()).await.map_err(|denial| Refusal::from(&denial))?;
    let arrays = arrays(site, request, &asked)?;
    let requests = Requests::of(request);
    let text = web::block(move || text(&arrays, &asked, requests)).await;
    let text = text.map_err(|cause| Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, &format!("the metrics were not made: {cause}")))?;
    Ok(HttpResponse::Ok().insert_header((CACHE_CONTROL, "no-store")).content_type(page::CONTENT_TYPE).body(text))
}

fn read(request: &HttpRequest) -> Result<Asked, Refusal> {
    let refuse =
        |cause: String| Refusal::new(StatusCode::BAD_REQUEST, &format!("{cause}; what can stand here: array=NAME, volumes=NUMBER up to {VOLUMES_MAX}"));
    let asked = web::Query::<Asked>::from_query(request.query_string()).map_err(|cause| refuse(cause.to_string()))?.into_inner();
    if asked.volumes > VOLUMES_MAX { Err(refuse(format!("volumes={} is too much", asked.volumes))) } else { Ok(asked) }
}

/// The arrays that are asked for, when whoever asks may see them: all for the server's user, one for who may see its state.
fn arrays(site: &Site, request: &HttpRequest, asked: &Asked) -> Result<Vec<Arc<Hosted>>, Refusal> {
    let who = identity(request);
    let is_server = who.as_ref().is_some_and(Identity::is_server);
    let Some(name) = &asked.array else {
        let refusal = || Refusal::new(StatusCode::FORBIDDEN, "only the server's user sees the process and all arrays; ask for one: /metrics?array=NAME");
        return if is_server { Ok(site.arrays()) } else { Err(refusal()) };
    };
    let array = site.array(name).ok_or_else(|| Refusal::new(StatusCode::NOT_FOUND, &format!("no array is called '{name}'; use a name from GET /v1/arrays")))?;
    let actor = who.filter(|identity| identity.belongs_to(name)).map(|identity| identity.actor("metrics", format!("GET {PATH}")));
    let allowed = actor.is_some_and(|actor| is_server || array.allows(&actor, PolicySet::of(Policy::StatusDisplay), PATH).is_ok());
    if allowed { Ok(vec![array]) } else { Err(Refusal::new(StatusCode::FORBIDDEN, &format!("this user may not see the state of the array '{name}'"))) }
}

/// Everything that was asked for, as text. An array's lock is held while its numbers are taken, one array at a time.
fn text(arrays: &[Arc<Hosted>], asked: &Asked, requests: Requests) -> String {
    let mut page = Page::default();
    if asked.array.is_none() {
        process::tell(&mut page, requests);
        page.gauge("arrayplane_arrays", "Arrays of this server.", &[], arrays.len() as f64);
    }
    for hosted in arrays {
        hosted.read(|world| {
            array::tell(&mut page, hosted.name(), world, asked.volumes);
            totals::tell(&mut page, hosted.name(), world);
        });
    }
    page.text()
}

/// Why there are no metrics, in plain words.
#[derive(Debug)]
struct Refusal {
    status: StatusCode,
    text: String,
}

impl Refusal {
    fn new(status: StatusCode, text: &str) -> Refusal {
        Refusal { status, text: text.to_owned() }
    }
    fn response(self) -> HttpResponse {
        let mut response = HttpResponse::build(self.status);
        if self.status == StatusCode::UNAUTHORIZED {
            response.insert_header((WWW_AUTHENTICATE, CHALLENGE));
        }
        response.content_type("text/plain; charset=utf-8").body(format!("{}\n", self.text))
    }
}

impl From<&Denial> for Refusal {
    fn from(denial: &Denial) -> Refusal {
        let status = match denial {
            Denial::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Denial::Missing | Denial::Malformed | Denial::Wrong | Denial::Locked { .. } | Denial::PasswordExpired { .. } | Denial::TokenInvalid => {
                StatusCode::UNAUTHORIZED
            }
        };
        Refusal::new(status, &format!("{denial}; {}", denial.cure()))
    }
}
