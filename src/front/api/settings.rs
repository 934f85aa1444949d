//! Settings of the whole array.

use actix_web::{HttpRequest, web};

use super::answer::Reply;
use super::body;
use super::listing::no_query;
use super::problem::Problem;
use super::resource::{Answered, actor, array};
use crate::model::Settings;
use crate::ops::settings::Update;

/// How settings look.
pub(super) type View = Settings;

/// Reads the settings.
pub(super) async fn get(request: HttpRequest) -> Answered {
    let array = array(&request)?;
    no_query(request.query_string())?;
    Ok(array.read(|world| Reply::view(200, &world.array.settings)).into())
}

/// Changes settings.
pub(super) async fn update(request: HttpRequest, payload: web::Payload) -> Answered {
    let array = array(&request)?;
    no_query(request.query_string())?;
    let operation: Update = body::asked(&request, payload).await?;
    let done = array.execute(actor(&request), operation, |world, ()| Reply::view(200, &world.array.settings));
    Ok(done.map_err(Problem::from)?.into())
}
