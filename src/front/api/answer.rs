//! Answers: how objects are shown, and what comes of an operation becomes a status, a place and a view.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_TYPE, LOCATION};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{OneOfBuilder, Schema};

use super::lens::Lens;
use super::listing;
use super::schemas::Schemas;
use crate::model::{Key, Noun, OpError, Place, Volume};
use crate::ops::volume::Made;
use crate::ops::{Listed, Output, World};

/// A noun that this front shows.
pub(super) trait Shown: Listed {
    /// The plural in kebab-case: its place in paths, and its tag in the document.
    const PLURAL: &'static str;
    /// Whether it stands for work that goes on after the answer.
    const IS_JOB: bool = false;
    /// How it looks.
    type View<'a>: Serialize + ToSchema;
    /// Shows one.
    fn view<'a>(&'a self, lens: &Lens<'a>) -> Self::View<'a>;
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
    json: Vec<u8>,
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
    /// A view, whatever its status.
    pub(super) fn view<V: Serialize>(status: u16, view: &V) -> Reply {
        let mut json = Vec::with_capacity(512);
        listing::write(&mut json, view, &[]);
        Reply { status, location: None, json }
    }
    /// JSON that is written already.
    pub(super) fn json(json: Vec<u8>) -> Reply {
        Reply { status: 200, location: None, json }
    }
    /// Nothing.
    pub(super) const fn nothing() -> Reply {
        Reply { status: 204, location: None, json: Vec::new() }
    }
    /// Says where the new thing is.
    pub(super) fn at(mut self, location: String) -> Reply {
        self.location = Some(location);
        self
    }
}

impl From<Reply> for HttpResponse {
    fn from(reply: Reply) -> HttpResponse {
        let mut response = HttpResponse::build(StatusCode::from_u16(reply.status).unwrap_or(StatusCode::OK));
        if let Some(location) = reply.location {
            response.insert_header((LOCATION, location));
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
        Some(schemas.refer::<T::View<'static>>())
    }
    fn reply(self, world: &World, asked: Asked<'_>) -> Reply {
        let status = Self::status(asked.purpose, asked.on);
        let Some(item) = T::table(world).get(self) else { return Reply::nothing() };
        let reply = Reply::view(status, &item.view(&Lens::on_one(world)));
        if status == 200 { reply } else { reply.at(format!("{}/{}/{}", asked.array_path, T::PLURAL, item.id())) }
    }
}

impl Answer for Made {
    fn status(purpose: Purpose, on: Noun) -> u16 {
        Key::<Volume>::status(purpose, on)
    }
    fn schema(schemas: &mut Schemas) -> Option<RefOr<Schema>> {
        let (one, several) = (schemas.refer::<<Volume as Shown>::View<'static>>(), schemas.items::<<Volume as Shown>::View<'static>>());
        let either = OneOfBuilder::new().item(one).item(several);
        Some(either.description(Some("The view of the one that was made, or the list where a count was asked for.")).into())
    }
    fn reply(self, world: &World, asked: Asked<'_>) -> Reply {
        let keys = match self {
            Made::One(key) => return key.reply(world, asked),
            Made::Many(keys) => keys,
        };
        let lens = Lens::on_many(world);
        let items: Vec<_> = keys.iter().filter_map(|key| world.array.volumes.get(*key)).map(|item| item.view(&lens)).collect();
        Reply::view(Self::status(asked.purpose, asked.on), &Items { items })
    }
}

impl<T: Shown> Answer for Vec<Key<T>> {
    fn status(purpose: Purpose, on: Noun) -> u16 {
        Key::<T>::status(purpose, on)
    }
    fn schema(schemas: &mut Schemas) -> Option<RefOr<Schema>> {
        Some(schemas.items::<T::View<'static>>())
    }
    fn reply(self, world: &World, asked: Asked<'_>) -> Reply {
        let lens = Lens::on_many(world);
        let items: Vec<_> = self.iter().filter_map(|key| T::table(world).get(*key)).map(|item| item.view(&lens)).collect();
        Reply::view(Self::status(asked.purpose, asked.on), &Items { items })
    }
}

/// Several views.
#[derive(Serialize)]
pub(super) struct Items<V> {
    /// The views.
    pub items: Vec<V>,
}
