//! Who is let in, and whom a route is for. Every request of this front passes here before its handler: first it must be known who asks,
//! then the route must be open to that user. What an operation demands is asked once more by the site, under the array's lock.

use std::borrow::Cow;

use actix_web::body::BoxBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage, HttpRequest, ResponseError};
use percent_encoding::percent_decode_str;

use super::problem::Problem;
use super::resource;
use crate::http::{Gate, identity};
use crate::model::{Object, OpError, Place, Policy, PolicySet};
use crate::ops::{Actor, Authority};
use crate::site::Identity;

/// Whom a route is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// The server's user.
    Server,
    /// Users with one of these policies.
    Holds(PolicySet),
    /// Users with one of these policies, and the user that the path names.
    HoldsOrIs(PolicySet),
    /// Everybody who is known; what is asked for decides about the rest.
    Known,
    /// Everybody: who asks is what the request finds out.
    Anybody,
}

impl Access {
    /// Whom a route is for unless it says otherwise: a reading for who may see the state of the array, everything else and everything
    /// outside of arrays for the server's user.
    pub(super) fn usual(method: &Method, path: &str) -> Access {
        if path.contains("{array}") && *method == Method::GET { Access::Holds(PolicySet::of(Policy::StatusDisplay)) } else { Access::Server }
    }
}

/// The array that a path is about, decoded.
fn array_in(path: &str) -> Option<Cow<'_, str>> {
    let rest = path.strip_prefix("/v1/arrays/")?;
    rest.split('/').next().filter(|name| !name.is_empty()).map(|name| percent_decode_str(name).decode_utf8_lossy())
}

/// Whether a login can come in the body of a request.
fn is_login(request: &HttpRequest) -> bool {
    request.method() == Method::POST
        && matches!(request.path().split('/').collect::<Vec<_>>()[..], ["", "v1", "sessions"] | ["", "v1", "arrays", _, "sessions"])
}

/// Finds out who asks, and refuses whom nobody knows.
pub(super) async fn admit(gate: &Gate, request: &HttpRequest) -> Result<(), Problem> {
    if is_login(request) && !request.headers().contains_key(actix_web::http::header::AUTHORIZATION) {
        return Ok(());
    }
    gate.admit(request, array_in(request.path()).as_deref()).await.map_err(Problem::from)
}

/// The same as a layer around what stands outside of `/v1`.
pub(super) async fn guard(gate: Gate, request: ServiceRequest, next: Next<BoxBody>) -> Result<ServiceResponse<BoxBody>, Error> {
    match admit(&gate, request.request()).await {
        Ok(()) => next.call(request).await,
        Err(problem) => Ok(request.into_response(problem.error_response())),
    }
}

/// Refuses whom a route is not for.
pub(super) fn authorise(access: Access, request: &HttpRequest) -> Result<(), Problem> {
    if access == Access::Anybody || request.extensions().get::<Identity>().is_some_and(Identity::is_server) {
        return Ok(());
    }
    let name = resource::part(request, "array");
    let actor = identity(request).filter(|identity| identity.belongs_to(&name)).map_or_else(nobody, |identity| identity.actor("api", String::new()));
    let enough = match access {
        Access::Known if actor.authority != Authority::Nobody => return Ok(()),
        Access::HoldsOrIs(_) if is_named(request, &actor)? => return Ok(()),
        Access::Holds(policies) | Access::HoldsOrIs(policies) => policies,
        Access::Server | Access::Known | Access::Anybody => PolicySet::of(Policy::Emulation),
    };
    let doing = format!("{} {}", request.method(), request.path());
    match resource::array(request) {
        Ok(array) => Ok(array.allows(&actor, enough, &doing)?),
        Err(_) => Err(OpError::Forbidden { user: actor.user, role: "none".to_owned(), policy: Policy::Emulation, doing }.into()),
    }
}

/// Whether the path names the user who asks.
fn is_named(request: &HttpRequest, actor: &Actor) -> Result<bool, Problem> {
    let named = resource::part(request, "user");
    let found = resource::array(request)?.read(|world| world.array.users.find(&named, Place::Target).ok().map(Object::key));
    Ok(found.is_some_and(|key| actor.authority == Authority::User(key)))
}

fn nobody() -> Actor {
    Actor::new("api", "nobody", "").by(Authority::Nobody)
}

/// Who asks, as the journal notes it. The query is left out: nobody looks whether it holds a secret.
pub(super) fn actor(request: &HttpRequest) -> Actor {
    let said = format!("{} {}", request.method(), request.path());
    identity(request).map_or_else(nobody, |identity| identity.actor("api", said))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_names_its_array_or_none() {
        for (path, array) in [
            ("/v1/arrays/lab/volumes", Some("lab")),
            ("/v1/arrays/lab", Some("lab")),
            ("/v1/arrays/l%61b/volumes", Some("lab")),
            ("/v1/arrays/", None),
            ("/v1/arrays", None),
            ("/v1/models/lab", None),
            ("/docs/", None),
        ] {
            assert_eq!(array_in(path).as_deref(), array, "{path}");
        }
    }

    #[test]
    fn readings_of_an_array_are_for_who_may_see_its_state_and_all_else_is_for_the_servers_user() {
        let reader = Access::Holds(PolicySet::of(Policy::StatusDisplay));
        assert_eq!(Access::usual(&Method::GET, "/arrays/{array}/volumes"), reader);
        assert_eq!(Access::usual(&Method::POST, "/arrays/{array}/volumes"), Access::Server);
        assert_eq!(Access::usual(&Method::GET, "/arrays"), Access::Server);
    }
}
