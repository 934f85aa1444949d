//! The notes of one object, whatever its noun.

use actix_web::{HttpRequest, web};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::answer::Reply;
use super::listing::no_query;
use super::problem::Problem;
use super::resource::{Answered, array, part};
use super::{body, terms};
use crate::model::{Head, Notes, Noun, OpError, Place};
use crate::ops::{Output, World, find_listed, note};
use crate::site::Tag;

/// What somebody keeps beside an object.
#[derive(Serialize, ToSchema)]
#[schema(as = NotesOf)]
pub(super) struct View<'a> {
    /// The noun of the object.
    #[schema(example = "volume")]
    noun: &'static str,
    /// Its identifier.
    id: Uuid,
    /// Its number.
    number: u32,
    /// Its name.
    #[schema(example = "V1")]
    name: &'a str,
    /// Its notes by name.
    #[schema(value_type = Object)]
    notes: Notes,
}

/// Changes of notes.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NoteChanges, examples(json!({"notes": {"comment": "logs of the shop", "old": null}})))]
pub(super) struct Changes {
    /// Notes by name; null takes one away.
    #[schema(value_type = Object)]
    notes: Notes,
}

impl View<'_> {
    fn of(noun: Noun, head: &Head) -> View<'_> {
        View { noun: noun.name(), id: head.id(), number: head.number(), name: head.name(), notes: head.notes().cloned().unwrap_or_default() }
    }
}

fn find<'w>(world: &'w World, noun: &str, object: &str) -> Result<(Noun, &'w Head), OpError> {
    let noun = note::noun(noun)?;
    find_listed(world, noun, object, Place::Target).map(|head| (noun, head))
}

fn reply(world: &World, noun: Noun, head: &Head) -> Reply {
    Reply::view(200, &View::of(noun, head)).tagged(tag(world, head))
}

const fn tag(world: &World, head: &Head) -> Tag {
    Tag::of_head(world, head)
}

/// Reads the notes of the object that the path names.
pub(super) async fn get(request: HttpRequest) -> Answered {
    let array = array(&request)?;
    no_query(request.query_string())?;
    let (noun, object) = (part(&request, "noun"), part(&request, "object"));
    let (tag, reply) = array.read(|world| find(world, &noun, &object).map(|(noun, head)| (tag(world, head), reply(world, noun, head))))?;
    Ok(if terms::has_it(&request, tag)? { Reply::not_modified().tagged(tag) } else { reply }.into())
}

/// Changes them.
pub(super) async fn update(request: HttpRequest, payload: web::Payload) -> Answered {
    let array = array(&request)?;
    no_query(request.query_string())?;
    let fields = Value::Object(body::fields(&request, payload).await?);
    let (noun, object) = (part(&request, "noun"), part(&request, "object"));
    let tag_of = |world: &World, reference: &str| {
        let (noun, object) = reference.split_once(' ')?;
        find(world, noun, object).ok().map(|(_, head)| tag(world, head))
    };
    let terms = terms::of(&request, &fields, (tag_of, format!("{noun} {object}")))?;
    let Changes { notes } = body::read(&fields, "")?;
    let done = array.perform(&terms, note::Set { noun, object, notes }, |world, noted| {
        let references = noted.references(world);
        let found = references.first().and_then(|one| find_listed(world, one.noun, &one.id.to_string(), Place::Target).ok());
        found.map_or_else(Reply::nothing, |head| reply(world, noted.noun, head)).into()
    });
    Ok(Reply::from(done.await.map_err(Problem::from)?).into())
}
