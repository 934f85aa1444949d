//! The handlers that all nouns share: list, read one, and the operations.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use actix_web::{HttpMessage, HttpRequest, HttpResponse, web};
use serde_json::{Map, Value};

pub(super) use super::admission::actor;
use super::answer::{Answer, Asked, Purpose, Reply, Shown};
use super::body;
use super::lens::Lens;
use super::listing::{self, Listing};
use super::noted::Noted;
use super::problem::Problem;
use super::terms::{self, tag_of, tag_of_array};
use crate::engine::Job;
use crate::model::{Noun, OpError};
use crate::ops::{AnyOperation, Operation, World};
use crate::site::{ChangeError, Hosted, Performed, Rendered, Site, SiteError, Tag, TagOf, Terms};

/// What a handler gives.
pub(super) type Answered = Result<HttpResponse, Problem>;
/// The same on its way.
pub(super) type Answering = Pin<Box<dyn Future<Output = Answered>>>;

/// What stands in a path for the parameters of its pattern.
pub(super) struct Parts {
    names: Arc<[String]>,
    values: Vec<String>,
}

impl Parts {
    pub(super) fn new(names: &Arc<[String]>, values: Vec<String>) -> Parts {
        Parts { names: Arc::clone(names), values }
    }
    fn get(&self, name: &str) -> Option<&String> {
        self.names.iter().zip(&self.values).find_map(|(known, value)| (known == name).then_some(value))
    }
}

/// A part of the path, decoded.
pub(super) fn part(request: &HttpRequest, name: &str) -> String {
    request.extensions().get::<Parts>().and_then(|parts| parts.get(name).cloned()).unwrap_or_default()
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
    let listing = Listing::read::<Noted<'static, T::View<'static>>>(request.query_string())?;
    let after = listing.after().map(|number| u32::try_from(number).unwrap_or(u32::MAX));
    let render = |world: &World| {
        let lens = Lens::on_many(world);
        listing.page(T::table(world).after(after).map(|item| (u64::from(item.number()), item.shown(&lens))))
    };
    if T::LASTS {
        let asked = format!("{}?{}", T::PLURAL, request.query_string());
        let page = array.page(&asked, |world| Ok::<_, Problem>(Rendered::new(render(world))))?;
        return Ok(Reply::bytes(web::Bytes::from_owner(page.json)).into());
    }
    Ok(Reply::json(array.read(render)).into())
}

/// Reads one object; of work, waits for its end if that is wished.
pub(super) async fn get<T: Shown>(request: HttpRequest) -> Answered {
    let array = array(&request)?;
    let fields = listing::only_fields::<Noted<'static, T::View<'static>>>(request.query_string())?;
    let reference = part(&request, &field(T::NOUN));
    let look = |world: &World| {
        T::find(world, &reference).map(|item| {
            let mut json = Vec::with_capacity(512);
            listing::write(&mut json, &item.shown(&Lens::on_one(world)), &fields);
            (Tag::of(world, item), json)
        })
    };
    if T::LASTS {
        let asked = format!("{}/{reference}?{}", T::PLURAL, request.query_string());
        let kept = array.page(&asked, |world| look(world).map(|(tag, json)| Rendered { tag: Some(tag), ..Rendered::new(json) }))?;
        let known = kept.tag.map_or(Ok(false), |tag| terms::has_it(&request, tag))?;
        let reply = if known { Reply::not_modified() } else { Reply::bytes(web::Bytes::from_owner(kept.json)) };
        return Ok(kept.tag.into_iter().fold(reply, Reply::tagged).into());
    }
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

/// How a request becomes an operation, and what comes of it an answer. All operations go the same way; only this differs.
pub(super) struct Way {
    /// The field of the operation that stands in the path; none when empty.
    target: String,
    /// The tag of what the path names.
    tag_of: TagOf,
    purpose: Purpose,
    /// The noun that the path names.
    noun: Noun,
    perform: Perform,
}

/// Reads an operation and does it.
type Perform = for<'a> fn(&'a Hosted, &'a Terms, &Value, &str, Asked<'a>) -> Result<Performing<'a>, Problem>;
type Performing<'a> = Pin<Box<dyn Future<Output = Result<Performed, ChangeError>> + 'a>>;

impl Way {
    /// To something new, of which the body says everything.
    fn to_new<T: Shown, O: Operation<Output: Answer>>() -> Way {
        Way { target: String::new(), tag_of: tag_of_array, purpose: Purpose::Makes, noun: T::NOUN, perform: perform::<O> }
    }
    /// To what the path names.
    fn to_one<T: Shown, O: Operation<Output: Answer>>(purpose: Purpose) -> Way {
        Way { target: field(T::NOUN), tag_of: tag_of::<T>, purpose, noun: T::NOUN, perform: perform::<O> }
    }
    /// To something of which there is only one.
    pub(super) fn to_only<O: Operation<Output: Answer>>(noun: Noun, tag_of: TagOf) -> Way {
        Way { target: String::new(), tag_of, purpose: Purpose::Changes, noun, perform: perform::<O> }
    }
}

fn perform<'a, O: Operation<Output: Answer>>(
    array: &'a Hosted,
    terms: &'a Terms,
    fields: &Value,
    target: &str,
    asked: Asked<'a>,
) -> Result<Performing<'a>, Problem> {
    let operation: O = body::read(fields, target)?;
    Ok(Box::pin(array.perform(terms, operation, move |world, output| output.reply(world, asked).into())))
}

/// Makes an object.
pub(super) fn create<T: Shown, O: Operation<Output: Answer>>(request: HttpRequest, payload: web::Payload) -> Answering {
    Box::pin(with_body(request, payload, Way::to_new::<T, O>()))
}

/// Does an operation on the object that the path names. `MAKES`: something new comes of it.
pub(super) fn act<T: Shown, O: Operation<Output: Answer>, const MAKES: bool>(request: HttpRequest, payload: web::Payload) -> Answering {
    Box::pin(with_body(request, payload, Way::to_one::<T, O>(if MAKES { Purpose::Makes } else { Purpose::Changes })))
}

/// Deletes the object that the path names; the operation's other fields stand in the query.
pub(super) fn delete<T: Shown, O: Operation<Output: Answer>>(request: HttpRequest, _: web::Payload) -> Answering {
    Box::pin(with_query(request, Way::to_one::<T, O>(Purpose::Changes)))
}

async fn with_query(request: HttpRequest, way: Way) -> Answered {
    let array = array(&request)?;
    let asked = listing::pairs(request.query_string())?;
    let fields = asked.into_iter().map(|(name, text)| (name, serde_json::from_str(&text).unwrap_or(Value::String(text)))).collect();
    run(&request, &array, fields, way).await
}

/// Does an operation whose fields are the body's.
pub(super) async fn with_body(request: HttpRequest, payload: web::Payload, way: Way) -> Answered {
    let array = array(&request)?;
    listing::no_query(request.query_string())?;
    let fields = body::fields(&request, payload).await?;
    run(&request, &array, fields, way).await
}

async fn run(request: &HttpRequest, array: &Hosted, fields: Map<String, Value>, way: Way) -> Answered {
    let Way { target, tag_of, purpose, noun: on, perform } = way;
    let reference = part(request, &target);
    let fields = if target.is_empty() { fields } else { body::with_target(fields, &target, reference.clone())? };
    let fields = Value::Object(fields);
    let terms = terms::of(request, &fields, (tag_of, reference))?;
    let asked = Asked { purpose, on, array_path: array_path(request) };
    let done = perform(array, &terms, &fields, &target, asked)?.await;
    let reply = Reply::from(done.map_err(|refusal| Problem::at_target(refusal, &target))?);
    Ok(awaited(request, array, reply, purpose).await.into())
}

/// When the answer tells of work that goes on and the client would wait: waits for its end, and tells that.
async fn awaited(request: &HttpRequest, array: &Hosted, reply: Reply, purpose: Purpose) -> Reply {
    let (Some(seconds), Some(job)) = (terms::wait_seconds(request), reply.job()) else { return reply };
    let ended = |world: &World| match Job::<AnyOperation>::find(world, job) {
        Ok(job) if job.is_settled() => {
            let mut json = Vec::with_capacity(512);
            listing::write(&mut json, &job.shown(&Lens::on_one(world)), &[]);
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
