//! The headers that set terms: `If-Match`, `If-None-Match`, `Idempotency-Key`, `Prefer`.

use actix_web::http::header::{HeaderName, IF_MATCH, IF_NONE_MATCH};
use actix_web::{HttpRequest, web};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::answer::Shown;
use super::listing::no_query;
use super::problem::{INVALID_HEADER, Problem};
use super::resource::actor;
use super::{body, masked};
use crate::ops::World;
use crate::site::{Condition, RequestKey, Tag, TagOf, Tags, Terms};

/// The header that carries the key of a request.
pub(super) const KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// The header that says that an answer was given before.
pub(super) const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");
/// The header that says how to answer.
pub(super) const PREFER: HeaderName = HeaderName::from_static("prefer");
/// The header that says which wish was followed.
pub(super) const PREFERENCE_APPLIED: HeaderName = HeaderName::from_static("preference-applied");

/// The longest key, in characters.
pub(super) const KEY_LENGTH_MAX: usize = 255;
/// The longest that an answer waits, in seconds of the wall clock.
pub(super) const WAIT_SECONDS_MAX: u64 = 60;

/// The tag of an object that a path names.
pub(super) fn tag_of<T: Shown>(world: &World, reference: &str) -> Option<Tag> {
    T::find(world, reference).ok().map(|item| Tag::of(world, item))
}

/// The tag of the array, for requests that name nothing in it.
pub(super) fn tag_of_array(world: &World, _: &str) -> Option<Tag> {
    Some(Tag::of_array(world))
}

/// The terms of a request that changes what a reference names. `fields` are those of the request: one that is sent twice under a key has
/// them twice alike.
///
/// Refused, in this order: a malformed key; a malformed list of tags.
pub(super) fn of(request: &HttpRequest, fields: &Value, (tag_of, reference): (TagOf, String)) -> Result<Terms, Problem> {
    let actor = actor(request);
    let key = key(request, &actor.user, fields)?;
    let tags = tags(request, &IF_MATCH)?;
    Ok(Terms { actor, key, condition: tags.map(|tags| Condition { tags, tag_of, reference }) })
}

/// Reads a request whole: the fields of its body as what they ask for, and its terms.
pub(super) async fn asked<O: DeserializeOwned>(request: &HttpRequest, payload: web::Payload, target: (TagOf, String)) -> Result<(O, Terms), Problem> {
    no_query(request.query_string())?;
    let fields = Value::Object(body::fields(request, payload).await?);
    let terms = of(request, &fields, target)?;
    Ok((body::read(&fields, "")?, terms))
}

/// The key of a request.
pub(super) fn key(request: &HttpRequest, user: &str, fields: &Value) -> Result<Option<RequestKey>, Problem> {
    let Some(value) = request.headers().get(KEY) else { return Ok(None) };
    let text = value.to_str().unwrap_or_default().trim();
    let plain = !text.is_empty() && text.len() <= KEY_LENGTH_MAX && text.bytes().all(|byte| byte.is_ascii_graphic());
    if !plain {
        let problem = Problem::new(INVALID_HEADER, format!("Idempotency-Key: a key has 1 to {KEY_LENGTH_MAX} printable ASCII characters and no blanks"));
        return Err(problem.field("Idempotency-Key").limit(KEY_LENGTH_MAX.to_string()).cure("use a new UUID for every new request"));
    }
    // The digest of a request is written to the journal, and a secret could be guessed from it: a request is the same whatever its secrets are.
    let mut shown = fields.clone();
    masked::mask(&mut shown);
    let fields = serde_json::to_vec(&shown).unwrap_or_default();
    Ok(Some(RequestKey::new(user, text, &[request.method().as_str().as_bytes(), request.path().as_bytes(), &fields])))
}

/// The tags in a header.
pub(super) fn tags(request: &HttpRequest, name: &HeaderName) -> Result<Option<Tags>, Problem> {
    let values: Vec<&str> = request.headers().get_all(name).map(|value| value.to_str().unwrap_or_default()).collect();
    if values.is_empty() {
        return Ok(None);
    }
    let text = values.join(", ");
    let shown = if *name == IF_MATCH { "If-Match" } else { "If-None-Match" };
    let malformed = || {
        let problem = Problem::new(INVALID_HEADER, format!("{shown}: '{text}' is neither * nor a list of tags"));
        problem.field(shown).value(&text).cure("give an ETag as it came, with its quotes, several with commas between them, or *")
    };
    Tags::read(&text).map(Some).ok_or_else(malformed)
}

/// Whether the client has what has that tag.
pub(super) fn has_it(request: &HttpRequest, tag: Tag) -> Result<bool, Problem> {
    Ok(tags(request, &IF_NONE_MATCH)?.is_some_and(|tags| tags.hold_weakly(tag)))
}

/// How many seconds the client would wait; what it says otherwise is not for us.
pub(super) fn wait_seconds(request: &HttpRequest) -> Option<u64> {
    let mut wishes = request.headers().get_all(PREFER).filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(','));
    wishes.find_map(|wish| {
        let (name, value) = wish.split(';').next()?.split_once('=')?;
        let seconds: u64 = value.trim().trim_matches('"').parse().ok()?;
        name.trim().eq_ignore_ascii_case("wait").then_some(seconds.min(WAIT_SECONDS_MAX))
    })
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn what_is_kept_of_a_request_tells_nothing_of_its_secrets() {
        let request = TestRequest::post().uri("/v1/arrays/a/users").insert_header((KEY, "k1")).to_http_request();
        let kept = |fields: Value| key(&request, "admin", &fields).ok().flatten().expect("a key");
        let mona = |password: &str| kept(serde_json::json!({"name": "mona", "role": "Monitor", "password": password}));
        assert_eq!(mona("letters1"), mona("letters2"));
        assert_ne!(mona("letters1"), kept(serde_json::json!({"name": "lena", "role": "Monitor", "password": "letters1"})));
    }

    #[test]
    fn a_wish_to_wait_is_found_among_others_and_capped() {
        let wait = |text: &str| wait_seconds(&TestRequest::get().insert_header((PREFER, text)).to_http_request());
        assert_eq!(wait("wait=5"), Some(5));
        assert_eq!(wait("respond-async, Wait=\"7\"; x=1"), Some(7));
        assert_eq!(wait("wait=100000"), Some(WAIT_SECONDS_MAX));
        for other in ["wait", "wait=soon", "wait=-1", "return=minimal", ""] {
            assert_eq!(wait(other), None, "{other}");
        }
    }
}
