//! The handlers that all nouns share: list, read one, and the operations.

use std::sync::Arc;
use std::time::Duration;

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::{Map, Value};

pub(super) use super::admission::actor;
use super::answer::{Answer, Asked, Purpose, Reply, Shown};
use super::body;
use super::lens::Lens;
use super::listing::{self, Listing};
use super::problem::Problem;
use super::terms::{self, tag_of, tag_of_array};
use crate::engine::Job;
use crate::model::{Noun, OpError};
use crate::ops::{AnyOperation, Operation, World};
use crate::site::{Hosted, Site, SiteError, Tag, TagOf};

/// What a handler gives.
pub(super) type Answered = Result<HttpResponse, Problem>;

/// A part of the path, decoded.
pub(super) fn part(request: &HttpRequest, name: &str) -> String {
    let parts = request.match_info();
    let place = parts.iter().position(|(known, _)| known == name);
    place.and_then(|place| parts.load::<Vec<String>>().ok()?.into_iter().nth(place)).unwrap_or_default()
}

/// The site that a request is for; there always is one where [`super::configure`] has set the application up.
pub(super) fn site(request: &HttpRequest) -> Option<&Site> {
    request.app_data::<web::Data<Site>>().map(|site| &***site)
}

/// The array that the path names.
pub(super) fn array(request: &HttpRequest) -> Result<Arc<Hosted>, Problem> {
    let name = part(request, "array");
    let found = site(request).and_then(|site| site.array(&name));
    found.ok_or_else(|| SiteError::NoSuchArray { name }.into())
}

/// The path of the array that a request is about.
pub(super) fn array_path(request: &HttpRequest) -> &str {
    let path = request.path();
    path.match_indices('/').nth(3).map_or(path, |(end, _)| &path[..end])
}

/// Lists objects.
pub(super) async fn list<T: Shown>(request: HttpRequest) -> Answered {
    let array = array(&request)?;
    let listing = Listing::read::<T::View<'static>>(request.query_string())?;
    let after = listing.after().map(|number| u32::try_from(number).unwrap_or(u32::MAX));
    let render = |world: &World| {
        let lens = Lens::on_many(world);
        listing.page(T::table(world).after(after).map(|item| (u64::from(item.number()), item.view(&lens))))
    };
    if T::LASTS {
        let asked = format!("{}?{}", T::PLURAL, request.query_string());
        return Ok(HttpResponse::Ok().content_type("application/json").body(web::Bytes::from_owner(array.page(&asked, render))));
    }
    Ok(Reply::json(array.read(render)).into())
}

/// Reads one object; of work, waits for its end if that is wished.
pub(super) async fn get<T: Shown>(request: HttpRequest) -> Answered {
    let array = array(&request)?;
    let fields = listing::only_fields::<T::View<'static>>(request.query_string())?;
    let reference = part(&request, &field(T::NOUN));
    let look = |world: &World| {
        T::find(world, &reference).map(|item| {
            let mut json = Vec::with_capacity(512);
            listing::write(&mut json, &item.view(&Lens::on_one(world)), &fields);
            (Tag::of(world, item), json)
        })
    };
    let wait = terms::wait_seconds(&request).filter(|_| T::IS_JOB);
    if let Some(seconds) = wait {
        let is_settled = |world: &World| T::find(world, &reference).map_or(Some(()), |item| item.is_settled().then_some(()));
        array.wait_for(Duration::from_secs(seconds), is_settled).await;
    }
    let (tag, json) = array.read(look)?;
    // Work goes on under one tag, so it is always shown.
    let known = !T::IS_JOB && terms::has_it(&request, tag)?;
    let reply = if known { Reply::not_modified() } else { Reply::json(json) }.tagged(tag);
    Ok(wait.into_iter().fold(reply, Reply::waited).into())
}

/// Makes an object: an operation whose body says everything.
pub(super) async fn create<T: Shown, O: Operation<Output: Answer>>(request: HttpRequest, payload: web::Payload) -> Answered {
    let array = array(&request)?;
    listing::no_query(request.query_string())?;
    let fields = body::fields(&request, payload).await?;
    run::<O>(&request, &array, fields, (Purpose::Makes, T::NOUN), ("", tag_of_array)).await
}

/// Does an operation on the object that the path names. `MAKES`: something new comes of it.
pub(super) async fn act<T: Shown, O: Operation<Output: Answer>, const MAKES: bool>(request: HttpRequest, payload: web::Payload) -> Answered {
    let array = array(&request)?;
    listing::no_query(request.query_string())?;
    let fields = body::fields(&request, payload).await?;
    let target = field(T::NOUN);
    let fields = body::with_target(fields, &target, part(&request, &target))?;
    run::<O>(&request, &array, fields, (if MAKES { Purpose::Makes } else { Purpose::Changes }, T::NOUN), (&target, tag_of::<T>)).await
}

/// Deletes the object that the path names; the operation's other fields stand in the query.
pub(super) async fn delete<T: Shown, O: Operation<Output: Answer>>(request: HttpRequest) -> Answered {
    let array = array(&request)?;
    let asked = listing::pairs(request.query_string())?;
    let fields = asked.into_iter().map(|(name, text)| (name, serde_json::from_str(&text).unwrap_or(Value::String(text)))).collect();
    let target = field(T::NOUN);
    let fields = body::with_target(fields, &target, part(&request, &target))?;
    run::<O>(&request, &array, fields, (Purpose::Changes, T::NOUN), (&target, tag_of::<T>)).await
}

/// Does an operation on what stands under `target` among its fields.
pub(super) async fn run<O: Operation<Output: Answer>>(
    request: &HttpRequest,
    array: &Hosted,
    fields: Map<String, Value>,
    (purpose, on): (Purpose, Noun),
    (target, tag_of): (&str, TagOf),
) -> Answered {
    let fields = Value::Object(fields);
    let terms = terms::of(request, &fields, (tag_of, part(request, target)))?;
    let operation: O = body::read(&fields, target)?;
    let asked = Asked { purpose, on, array_path: array_path(request) };
    let done = array.perform(&terms, operation, |world, output| output.reply(world, asked).into()).await;
    let reply = Reply::from(done.map_err(|refusal| Problem::at_target(refusal, target))?);
    Ok(awaited(request, array, reply, purpose).await.into())
}

/// When the answer tells of work that goes on and the client would wait: waits for its end, and tells that.
async fn awaited(request: &HttpRequest, array: &Hosted, reply: Reply, purpose: Purpose) -> Reply {
    let (Some(seconds), Some(job)) = (terms::wait_seconds(request), reply.job()) else { return reply };
    let ended = |world: &World| match Job::<AnyOperation>::find(world, job) {
        Ok(job) if job.is_settled() => {
            let mut json = Vec::with_capacity(512);
            listing::write(&mut json, &job.view(&Lens::on_one(world)), &[]);
            Some(Some(json))
        }
        Err(OpError::NotFound { .. }) => Some(None),
        _ => None,
    };
    let outcome = array.wait_for(Duration::from_secs(seconds), ended).await.flatten();
    let status = if purpose == Purpose::Makes { 201 } else { 200 };
    let reply = if let Some(json) = outcome { reply.with_outcome(status, json) } else { reply };
    reply.waited(seconds)
}

/// How operations and paths call the object that they are about: `raid_group`.
pub(super) fn field(noun: Noun) -> String {
    noun.name().replace('-', "_")
}
