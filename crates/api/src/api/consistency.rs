//! Consistency: whether the array agrees with itself.

use actix_web::HttpRequest;
use serde::Serialize;
use utoipa::ToSchema;

use super::answer::Reply;
use super::listing::no_query;
use super::resource::{Answered, array};
use crate::engine;

/// What the check found.
#[derive(Serialize, ToSchema)]
#[schema(as = Consistency)]
pub(super) struct View {
    /// Whether nothing is wrong.
    consistent: bool,
    /// What is wrong, one sentence each.
    problems: Vec<String>,
}

/// Checks the array.
pub(super) async fn get(request: HttpRequest) -> Answered {
    let array = array(&request)?;
    no_query(request.query_string())?;
    let problems = array.read(engine::problems);
    Ok(Reply::view(200, &View { consistent: problems.is_empty(), problems }).into())
}
