//! Settings of the whole array.

use actix_web::{HttpRequest, web};

use super::answer::Reply;
use super::listing::no_query;
use super::problem::Problem;
use super::resource::{Answered, array};
use super::terms;
use crate::model::{Noun, Settings};
use crate::ops::World;
use crate::ops::settings::Update;
use crate::site::Tag;

/// How settings look.
pub(super) type View = Settings;

/// What stands for the settings as they are.
fn tag(world: &World) -> Tag {
    Tag::of_singleton(world, Noun::Settings)
}

/// Reads the settings.
pub(super) async fn get(request: HttpRequest) -> Answered {
    let array = array(&request)?;
    no_query(request.query_string())?;
    let (tag, reply) = array.read(|world| (tag(world), Reply::view(200, &world.array.settings)));
    Ok(if terms::has_it(&request, tag)? { Reply::not_modified() } else { reply }.tagged(tag).into())
}

/// Changes settings.
pub(super) async fn update(request: HttpRequest, payload: web::Payload) -> Answered {
    let array = array(&request)?;
    let (operation, terms) = terms::asked::<Update>(&request, payload, (|world, _| Some(tag(world)), String::new())).await?;
    let done = array.perform(&terms, operation, |world, ()| Reply::view(200, &world.array.settings).tagged(tag(world)).into()).await;
    Ok(Reply::from(done.map_err(Problem::from)?).into())
}
