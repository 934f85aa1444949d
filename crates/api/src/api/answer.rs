//! Answers: how objects are shown, and what comes of an operation becomes a status, a place and a view.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_TYPE, ETAG, LOCATION};
use actix_web::web::Bytes;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{OneOfBuilder, Schema};

use super::lens::Lens;
use super::listing;
use super::noted::Noted;
use super::schemas::Schemas;
use super::terms::{PREFERENCE_APPLIED, REPLAYED};
use crate::model::{Key, Noun, OpError, Place, Volume};
use crate::ops::volume::Made;
use crate::ops::{Listed, Output, World};
use crate::site::{self, Performed, Tag};

/// A noun that this front shows.
pub(super) trait Shown: Listed {
    /// The plural in kebab-case: its place in paths, and its tag in the document.
    const PLURAL: &'static str;
    /// Whether it stands for work that goes on after the answer.
    const IS_JOB: bool = false;
    /// Whether it is what it will be; of work, whether it is over.
    fn is_settled(&self) -> bool {
        true
    }
    /// Whether how it looks follows from the value alone, and from the time only while a job works on it.
    const LASTS: bool = false;
    /// How it looks.
    type View<'a>: Serialize + ToSchema;
    /// Shows one.
    fn view<'a>(&'a self, lens: &Lens<'a>) -> Self::View<'a>;
    /// The same with what somebody keeps beside it.
    fn shown<'a>(&'a self, lens: &Lens<'a>) -> Noted<'a, Self::View<'a>> {
        Noted { view: self.view(lens), notes: self.notes() }
    }
    /// Finds the one that a path names.
    fn find<'a>(world: &'a World, reference: &str) -> Result<&'a Self, OpError> {
        Self::table(world).find(reference, Place::Target)
    }
}

/// Whether an operation makes its output or changes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// It makes it: 201.
    Makes,
    /// It changes it: 200.
    Changes,
}

/// An answer that is ready to be sent.
#[derive(Debug)]
pub(super) struct Reply {
    status: u16,
    location: Option<String>,
    tag: Option<String>,
    json: Bytes,
    again: bool,
    waited_at_most: Option<u64>,
}

/// Circumstances of an answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked<'p> {
    /// What the operation does with its output.
    pub purpose: Purpose,
    /// The noun that the request's path names.
    pub on: Noun,
    /// The path of the array.
    pub array_path: &'p str,
}

/// An output that can be answered with.
pub(super) trait Answer: Output {
    /// The status it is answered with.
    fn status(purpose: Purpose, on: Noun) -> u16;
    /// The schema of the answer, if it has a body.
    fn schema(schemas: &mut Schemas) -> Option<RefOr<Schema>>;
    /// The answer.
    fn reply(self, world: &World, asked: Asked<'_>) -> Reply;
}

impl Reply {
    const fn new(status: u16, json: Bytes) -> Reply {
        Reply { status, location: None, tag: None, json, again: false, waited_at_most: None }
    }
    /// A view, whatever its status.
    pub(super) fn view<V: Serialize>(status: u16, view: &V) -> Reply {
        let mut json = Vec::with_capacity(512);
        listing::write(&mut json, view, &[]);
        Reply::new(status, json.into())
    }
    /// JSON that is written already.
    pub(super) fn json(json: Vec<u8>) -> Reply {
        Reply::bytes(json.into())
    }
    /// The same, held by others too.
    pub(super) const fn bytes(json: Bytes) -> Reply {
        Reply::new(200, json)
    }
    /// Nothing.
    pub(super) const fn nothing() -> Reply {
        Reply::new(204, Bytes::new())
    }
    /// The client has it already.
    pub(super) const fn not_modified() -> Reply {
        Reply::new(304, Bytes::new())
    }
    /// Says where the new thing is.
    pub(super) fn at(mut self, location: String) -> Reply {
        self.location = Some(location);
        self
    }
    /// Says what stands for the state that is shown.
    pub(super) fn tagged(mut self, tag: impl ToString) -> Reply {
        self.tag = Some(tag.to_string());
        self
    }
    /// The job that it tells of, when that work goes on after the answer.
    pub(super) fn job(&self) -> Option<&str> {
        let (_, job) = self.location.as_deref().filter(|_| self.status == 202)?.rsplit_once("/jobs/")?;
        Some(job)
    }
    /// Tells how the work has ended.
    pub(super) fn with_outcome(mut self, status: u16, json: Vec<u8>) -> Reply {
        (self.status, self.json, self.again) = (status, json.into(), false);
        self
    }
    /// Says that it was willing to wait so many seconds.
    pub(super) const fn waited(mut self, seconds: u64) -> Reply {
        self.waited_at_most = Some(seconds);
        self
    }
}

impl From<Reply> for site::Answer {
    fn from(reply: Reply) -> site::Answer {
        let body = String::from_utf8(reply.json.into()).unwrap_or_default();
        site::Answer { status: reply.status, location: reply.location, tag: reply.tag, body }
    }
}

impl From<Performed> for Reply {
    fn from(performed: Performed) -> Reply {
        let site::Answer { status, location, tag, body } = performed.answer;
        Reply { status, location, tag, json: body.into_bytes().into(), again: performed.again, waited_at_most: None }
    }
}

impl From<Reply> for HttpResponse {
    fn from(reply: Reply) -> HttpResponse {
        let mut response = HttpResponse::build(StatusCode::from_u16(reply.status).unwrap_or(StatusCode::OK));
        if let Some(location) = reply.location {
            response.insert_header((LOCATION, location));
        }
        if let Some(tag) = reply.tag {
            response.insert_header((ETAG, tag));
        }
        if reply.again {
            response.insert_header((REPLAYED, "true"));
        }
        if let Some(seconds) = reply.waited_at_most {
            response.insert_header((PREFERENCE_APPLIED, format!("wait={seconds}")));
        }
        if reply.json.is_empty() { response.finish() } else { response.insert_header((CONTENT_TYPE, "application/json")).body(reply.json) }
    }
}

impl Answer for () {
    fn status(_: Purpose, _: Noun) -> u16 {
        204
    }
    fn schema(_: &mut Schemas) -> Option<RefOr<Schema>> {
        None
    }
    fn reply(self, _: &World, _: Asked<'_>) -> Reply {
        Reply::nothing()
    }
}

impl<T: Shown> Answer for Key<T> {
    fn status(purpose: Purpose, on: Noun) -> u16 {
        match purpose {
            Purpose::Makes if T::IS_JOB => 202,
            Purpose::Changes if T::IS_JOB && on != T::NOUN => 202,
            Purpose::Makes => 201,
            Purpose::Changes => 200,
        }
    }
    fn schema(schemas: &mut Schemas) -> Option<RefOr<Schema>> {
        Some(schemas.refer::<Noted<'static, T::View<'static>>>())
    }
    fn reply(self, world: &World, asked: Asked<'_>) -> Reply {
        let status = Self::status(asked.purpose, asked.on);
        let Some(item) = T::table(world).get(self) else { return Reply::nothing() };
        let reply = Reply::view(status, &item.shown(&Lens::on_one(world))).tagged(Tag::of(world, item));
        if status == 200 { reply } else { reply.at(format!("{}/{}/{}", asked.array_path, T::PLURAL, item.id())) }
    }
}

type NotedVolume = Noted<'static, <Volume as Shown>::View<'static>>;

impl Answer for Made {
    fn status(purpose: Purpose, on: Noun) -> u16 {
        Key::<Volume>::status(purpose, on)
    }
    fn schema(schemas: &mut Schemas) -> Option<RefOr<Schema>> {
        let (one, several) = (schemas.refer::<NotedVolume>(), schemas.items::<NotedVolume>());
        let either = OneOfBuilder::new().item(one).item(several);
        Some(either.description(Some("The view of the one that was made, or the list where a count was asked for.")).into())
    }
    fn reply(self, world: &World, asked: Asked<'_>) -> Reply {
        let keys = match self {
            Made::One(key) => return key.reply(world, asked),
            Made::Many(keys) => keys,
        };
        let lens = Lens::on_many(world);
        let items: Vec<_> = keys.iter().filter_map(|key| world.array.volumes.get(*key)).map(|item| item.shown(&lens)).collect();
        Reply::view(Self::status(asked.purpose, asked.on), &Items { items })
    }
}

impl<T: Shown> Answer for Vec<Key<T>> {
    fn status(purpose: Purpose, on: Noun) -> u16 {
        Key::<T>::status(purpose, on)
    }
    fn schema(schemas: &mut Schemas) -> Option<RefOr<Schema>> {
        Some(schemas.items::<Noted<'static, T::View<'static>>>())
    }
    fn reply(self, world: &World, asked: Asked<'_>) -> Reply {
        let lens = Lens::on_many(world);
        let items: Vec<_> = self.iter().filter_map(|key| T::table(world).get(*key)).map(|item| item.shown(&lens)).collect();
        Reply::view(Self::status(asked.purpose, asked.on), &Items { items })
    }
}

/// Several views.
#[derive(Serialize)]
pub(super) struct Items<V> {
    /// The views.
    pub items: Vec<V>,
}
