//! The password policy of the array.

use actix_web::{HttpRequest, web};

use super::answer::Reply;
use super::listing::no_query;
use super::problem::Problem;
use super::resource::{Answered, array};
use super::terms;
use crate::model::{Noun, PasswordPolicy};
use crate::ops::World;
use crate::ops::password_policy::Update;
use crate::site::Tag;

/// How the policy looks.
pub(super) type View = PasswordPolicy;

/// What stands for the policy as it is.
fn tag(world: &World) -> Tag {
    Tag::of_singleton(world, Noun::PasswordPolicy)
}

/// Reads the policy.
pub(super) async fn get(request: HttpRequest) -> Answered {
    let array = array(&request)?;
    no_query(request.query_string())?;
    let (tag, reply) = array.read(|world| (tag(world), Reply::view(200, &world.array.password_policy)));
    Ok(if terms::has_it(&request, tag)? { Reply::not_modified() } else { reply }.tagged(tag).into())
}

/// Changes the policy.
pub(super) async fn update(request: HttpRequest, payload: web::Payload) -> Answered {
    let array = array(&request)?;
    let (operation, terms) = terms::asked::<Update>(&request, payload, (|world, _| Some(tag(world)), String::new())).await?;
    let done = array.perform(&terms, operation, |world, ()| Reply::view(200, &world.array.password_policy).tagged(tag(world)).into()).await;
    Ok(Reply::from(done.map_err(Problem::from)?).into())
}
