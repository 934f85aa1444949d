//! Sessions: a token instead of a password, for a while. They are the server's, not the array's: no journal knows them.

use actix_web::{HttpRequest, web};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::answer::Reply;
use super::body;
use super::listing::{self, Listing};
use super::problem::{MISSING_FIELD, NOT_FOUND, Problem};
use super::resource::{Answered, actor, part, site};
use crate::http::{Gate, identity};
use crate::model::{Policy, PolicySet};
use crate::ops::password::Password;
use crate::site::{Identity, Opened, SessionFacts, Site};

/// A login for a token; or send the name and the password as HTTP Basic and no body.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SessionCreate, examples(json!({"user": "mona", "password": "watch-0nly"})))]
pub(super) struct Login {
    /// The user's name.
    #[serde(default)]
    user: Option<String>,
    /// The user's password.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = Password, write_only)]
    password: Option<Password>,
}

/// A session.
#[derive(Serialize, ToSchema)]
#[schema(as = Session)]
pub(super) struct View {
    /// Its number, rising over all arrays of the server.
    id: u64,
    /// Whose it is.
    #[schema(example = "mona")]
    user: String,
    /// How long it lasts in all, in seconds of wall time; use makes it no longer.
    lifetime_seconds: u64,
    /// How long it still lasts, rounded up.
    remaining_seconds: u64,
    /// Whether this request came by it.
    current: bool,
}

/// A session that has just been opened.
#[derive(Serialize, ToSchema)]
#[schema(as = NewSession)]
pub(super) struct New {
    /// Its number, rising over all arrays of the server.
    id: u64,
    /// Whose it is.
    #[schema(example = "mona")]
    user: String,
    /// Send it as `Authorization: Bearer`; it is never shown again.
    token: String,
    /// How long it lasts, in seconds of wall time; use makes it no longer.
    lifetime_seconds: u64,
}

impl View {
    fn of(facts: SessionFacts, current: Option<u64>) -> View {
        let SessionFacts { id, user, lifetime, remaining } = facts;
        let remaining_seconds = remaining.as_secs() + u64::from(remaining.subsec_nanos() > 0);
        View { id, user, lifetime_seconds: lifetime.as_secs(), remaining_seconds, current: current == Some(id) }
    }
}

/// The array that the path names, if it names one.
fn array_name(request: &HttpRequest) -> Option<String> {
    Some(part(request, "array")).filter(|name| !name.is_empty())
}

/// The array that the path names must be there, if it names one. Whom nobody knows does not learn it.
fn array_is_there(request: &HttpRequest) -> Result<(), Problem> {
    if array_name(request).is_some() { super::resource::array(request).map(drop) } else { Ok(()) }
}

/// Opens a session.
pub(super) async fn create(request: HttpRequest, payload: web::Payload) -> Answered {
    listing::no_query(request.query_string())?;
    let login: Login = body::asked(&request, payload).await?;
    let identity = who(&request, login).await?;
    array_is_there(&request)?;
    let Some(site) = site(&request) else { return Ok(Reply::nothing().into()) };
    let Opened { facts, token } = site.open_session(&identity)?;
    let place = identity.array().map_or_else(|| "/v1/sessions".to_owned(), |array| format!("/v1/arrays/{array}/sessions"));
    let new = New { id: facts.id, user: facts.user, token, lifetime_seconds: facts.lifetime.as_secs() };
    Ok(Reply::view(201, &new).at(format!("{place}/{}", facts.id)).into())
}

/// Who logs in: who stands in the body, or who came with a password. A token opens no further session, or it would last for ever.
async fn who(request: &HttpRequest, login: Login) -> Result<Identity, Problem> {
    let array = array_name(request);
    match (login.user, login.password.and_then(Password::into_plain), identity(request)) {
        (Some(user), Some(password), _) => {
            let gate = request.app_data::<web::Data<Gate>>().ok_or_else(|| missing("user"))?;
            Ok(gate.log_in(array.as_deref(), user, password).await?)
        }
        (Some(_), None, _) => Err(missing("password")),
        (None, Some(_), _) => Err(missing("user")),
        (None, None, Some(identity)) if identity.session().is_none() => Ok(identity),
        (None, None, _) if site(request).is_some_and(Site::is_open) => Ok(Identity::server()),
        (None, None, _) => Err(missing("user")),
    }
}

fn missing(field: &str) -> Problem {
    let detail = format!("{field} is missing: a session is opened with a name and a password");
    Problem::new(MISSING_FIELD, detail).field(field).cure("send user and password, or HTTP Basic")
}

/// The sessions that a user may see: its own, and those of others with the policies for that.
fn visible(request: &HttpRequest) -> Result<Vec<SessionFacts>, Problem> {
    array_is_there(request)?;
    let (Some(site), Some(identity)) = (site(request), identity(request)) else { return Ok(Vec::new()) };
    let array = array_name(request);
    let all = site.sessions(array.as_deref());
    let enough = PolicySet::of(Policy::StatusDisplay).and(Policy::UserManagement);
    Ok(if may(request, site, enough) { all } else { all.into_iter().filter(|session| session.user == identity.user()).collect() })
}

/// Whether the user of a request has one of these policies.
fn may(request: &HttpRequest, site: &Site, enough: PolicySet) -> bool {
    let actor = actor(request);
    let array = array_name(request).and_then(|name| site.array(&name));
    actor.authority.is_server() || array.is_some_and(|array| array.allows(&actor, enough, "sessions").is_ok())
}

/// Lists sessions.
pub(super) async fn list(request: HttpRequest) -> Answered {
    let listing = Listing::read::<View>(request.query_string())?;
    let current = identity(&request).and_then(|identity| identity.session());
    let after = listing.after().unwrap_or(0);
    let views = visible(&request)?.into_iter().filter(|session| session.id > after).map(|session| (session.id, View::of(session, current)));
    Ok(Reply::json(listing.page(views)).into())
}

/// The session that the path names, if the user may see it.
fn named(request: &HttpRequest) -> Result<SessionFacts, Problem> {
    let reference = part(request, "session");
    let found = visible(request)?.into_iter().find(|session| session.id.to_string() == reference);
    found.ok_or_else(|| {
        Problem::new(NOT_FOUND, format!("no session is called '{reference}'")).value(reference).cure("list the sessions and use an id from there")
    })
}

/// Reads a session.
pub(super) async fn get(request: HttpRequest) -> Answered {
    let fields = listing::only_fields::<View>(request.query_string())?;
    let current = identity(&request).and_then(|identity| identity.session());
    let mut json = Vec::new();
    listing::write(&mut json, &View::of(named(&request)?, current), &fields);
    Ok(Reply::json(json).into())
}

/// Ends a session: one's own, or another's with the policy to manage users.
pub(super) async fn delete(request: HttpRequest) -> Answered {
    listing::no_query(request.query_string())?;
    let session = named(&request)?;
    let Some(site) = site(&request) else { return Ok(Reply::nothing().into()) };
    let own = identity(&request).is_some_and(|identity| identity.user() == session.user);
    if !own && !may(&request, site, PolicySet::of(Policy::UserManagement)) {
        let array = super::resource::array(&request)?;
        array.allows(&actor(&request), PolicySet::of(Policy::UserManagement), "ending another user's session")?;
    }
    site.close_session(array_name(&request).as_deref(), session.id);
    Ok(Reply::nothing().into())
}
