//! Checkpoints: states of the whole array that somebody has saved, and going back to them.

use actix_web::{HttpRequest, HttpResponse, web};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::answer::Reply;
use super::array::View as ArrayView;
use super::listing::{self, Listing, no_query};
use super::problem::Problem;
use super::resource::{Answered, array, part};
use super::terms::{self, tag_of_array};
use crate::ops::World;
use crate::site::{Saved, TagOf};

/// A state of the whole array that somebody has saved.
#[derive(Serialize, ToSchema)]
#[schema(as = Checkpoint)]
pub(super) struct View<'a> {
    /// Identifier.
    id: Uuid,
    /// Number, the lowest that was free.
    number: u32,
    /// Name.
    #[schema(example = "before-upgrade")]
    name: &'a str,
    /// Virtual time of the state.
    #[schema(format = DateTime)]
    time: String,
    /// The epoch in which it was saved.
    epoch: u32,
    /// The number of the last journal entry that is in it.
    journal_entry: u64,
    /// How many bytes it takes, written down.
    size: u64,
}

/// What a new checkpoint shall be called.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = CheckpointCreate, examples(json!({"name": "before-upgrade"})))]
pub(super) struct NewCheckpoint {
    /// Its name: 1 to 63 letters, digits, `-`, `_` and `.`; it begins with a letter or digit.
    name: String,
}

/// Nothing to say in a body.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

fn view<'a>(saved: &'a Saved, world: &World) -> View<'a> {
    View {
        id: saved.id(world.array.identity.seed()),
        number: saved.number,
        name: &saved.name,
        time: saved.at.stamp(world.array.facts.epoch),
        epoch: saved.epoch,
        journal_entry: saved.sequence,
        size: saved.size.get(),
    }
}

/// What stands for a checkpoint, which never changes.
fn tag(saved: &Saved, world: &World) -> String {
    format!("\"{}\"", saved.id(world.array.identity.seed()))
}

/// What conditions are about.
fn of_array() -> (TagOf, String) {
    (tag_of_array, String::new())
}

/// Lists checkpoints.
pub(super) async fn list(request: HttpRequest) -> Answered {
    let array = array(&request)?;
    let listing = Listing::read::<View<'static>>(request.query_string())?;
    let page = array.saved(|saved, world| {
        let behind = saved.iter().filter(|saved| listing.after().is_none_or(|after| u64::from(saved.number) > after));
        listing.page(behind.map(|saved| (u64::from(saved.number), view(saved, world))))
    });
    Ok(Reply::json(page).into())
}

/// Saves the array as it is now.
pub(super) async fn create(request: HttpRequest, payload: web::Payload) -> Answered {
    let array = array(&request)?;
    let (new, terms) = terms::asked::<NewCheckpoint>(&request, payload, of_array()).await?;
    let path = request.path().to_owned();
    let render = |saved: &Saved, world: &World| {
        let view = view(saved, world);
        Reply::view(201, &view).at(format!("{path}/{}", view.id)).tagged(tag(saved, world)).into()
    };
    let done = array.save(&terms, &new.name, render).await;
    Ok(Reply::from(done.map_err(Problem::from)?).into())
}

/// Reads one checkpoint.
pub(super) async fn get(request: HttpRequest) -> Answered {
    let array = array(&request)?;
    let fields = listing::only_fields::<View<'static>>(request.query_string())?;
    let reply = array.saved_one(&part(&request, "checkpoint"), |saved, world| {
        let mut json = Vec::new();
        listing::write(&mut json, &view(saved, world), &fields);
        Reply::json(json).tagged(tag(saved, world))
    });
    Ok(reply.map_err(Problem::from)?.into())
}

/// Shows the whole state that a checkpoint holds.
pub(super) async fn content(request: HttpRequest) -> Answered {
    let array = array(&request)?;
    no_query(request.query_string())?;
    let text = array.saved_text(&part(&request, "checkpoint")).map_err(Problem::from)?;
    Ok(HttpResponse::from(Reply::json(text.into_bytes())))
}

/// Forgets a checkpoint.
pub(super) async fn delete(request: HttpRequest) -> Answered {
    let array = array(&request)?;
    no_query(request.query_string())?;
    let terms = terms::of(&request, &Value::Null, of_array())?;
    let done = array.forget(&terms, &part(&request, "checkpoint"), Reply::nothing().into()).await;
    Ok(Reply::from(done.map_err(Problem::from)?).into())
}

/// Goes back to a checkpoint.
pub(super) async fn restore(request: HttpRequest, payload: web::Payload) -> Answered {
    let array = array(&request)?;
    let (Nothing {}, terms) = terms::asked(&request, payload, of_array()).await?;
    let done = array.go_back(&terms, &part(&request, "checkpoint"), |world| ArrayView::reply(200, &array, world).into()).await;
    Ok(Reply::from(done.map_err(Problem::from)?).into())
}

/// Goes back to the beginning.
pub(super) async fn reset(request: HttpRequest, payload: web::Payload) -> Answered {
    let array = array(&request)?;
    let (Nothing {}, terms) = terms::asked(&request, payload, of_array()).await?;
    let done = array.reset(&terms, |world| ArrayView::reply(200, &array, world).into()).await;
    Ok(Reply::from(done.map_err(Problem::from)?).into())
}
