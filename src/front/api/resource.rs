//! The handlers that all nouns share: list, read one, and the operations.

use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::{Map, Value};

use super::answer::{Answer, Asked, Purpose, Reply, Shown};
use super::body;
use super::lens::Lens;
use super::listing::{self, Listing};
use super::problem::Problem;
use crate::model::Noun;
use crate::ops::{Actor, Operation};
use crate::site::{Hosted, Site, SiteError};

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

/// Who asks.
pub(super) fn actor(request: &HttpRequest) -> Actor {
    Actor::new("api", "admin", format!("{} {}", request.method(), request.path()))
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
    let page = array.read(|world| {
        let lens = Lens::on_many(world);
        listing.page(T::table(world).after(after).map(|item| (u64::from(item.number()), item.view(&lens))))
    });
    Ok(Reply::json(page).into())
}

/// Reads one object.
pub(super) async fn get<T: Shown>(request: HttpRequest) -> Answered {
    let array = array(&request)?;
    let fields = listing::only_fields::<T::View<'static>>(request.query_string())?;
    let reference = part(&request, &field(T::NOUN));
    let json = array.read(|world| {
        T::find(world, &reference).map(|item| {
            let mut json = Vec::with_capacity(512);
            listing::write(&mut json, &item.view(&Lens::on_one(world)), &fields);
            json
        })
    })?;
    Ok(Reply::json(json).into())
}

/// Makes an object: an operation whose body says everything.
pub(super) async fn create<T: Shown, O: Operation<Output: Answer>>(request: HttpRequest, payload: web::Payload) -> Answered {
    let array = array(&request)?;
    listing::no_query(request.query_string())?;
    let fields = body::fields(&request, payload).await?;
    run::<O>(&request, &array, fields, (Purpose::Makes, T::NOUN), "")
}

/// Does an operation on the object that the path names. `MAKES`: something new comes of it.
pub(super) async fn act<T: Shown, O: Operation<Output: Answer>, const MAKES: bool>(request: HttpRequest, payload: web::Payload) -> Answered {
    let array = array(&request)?;
    listing::no_query(request.query_string())?;
    let fields = body::fields(&request, payload).await?;
    let target = field(T::NOUN);
    let fields = body::with_target(fields, &target, part(&request, &target))?;
    run::<O>(&request, &array, fields, (if MAKES { Purpose::Makes } else { Purpose::Changes }, T::NOUN), &target)
}

/// Deletes the object that the path names; the operation's other fields stand in the query.
pub(super) async fn delete<T: Shown, O: Operation<Output: Answer>>(request: HttpRequest) -> Answered {
    let array = array(&request)?;
    let asked = listing::pairs(request.query_string())?;
    let fields = asked.into_iter().map(|(name, text)| (name, serde_json::from_str(&text).unwrap_or(Value::String(text)))).collect();
    let target = field(T::NOUN);
    let fields = body::with_target(fields, &target, part(&request, &target))?;
    run::<O>(&request, &array, fields, (Purpose::Changes, T::NOUN), &target)
}

fn run<O: Operation<Output: Answer>>(
    request: &HttpRequest,
    array: &Hosted,
    fields: Map<String, Value>,
    (purpose, on): (Purpose, Noun),
    target: &str,
) -> Answered {
    let operation: O = body::read(&Value::Object(fields), target)?;
    let asked = Asked { purpose, on, array_path: array_path(request) };
    let done = array.execute(actor(request), operation, |world, output| output.reply(world, asked));
    Ok(done.map_err(|refusal| Problem::at_target(refusal, target))?.into())
}

/// How operations and paths call the object that they are about: `raid_group`.
pub(super) fn field(noun: Noun) -> String {
    noun.name().replace('-', "_")
}
