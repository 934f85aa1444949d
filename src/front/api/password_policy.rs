//! The password policy of the array.

use actix_web::{HttpRequest, web};

use super::answer::Reply;
use super::body;
use super::listing::no_query;
use super::problem::Problem;
use super::resource::{Answered, actor, array};
use crate::model::PasswordPolicy;
use crate::ops::password_policy::Update;

/// How the policy looks.
pub(super) type View = PasswordPolicy;

/// Reads the policy.
pub(super) async fn get(request: HttpRequest) -> Answered {
    let array = array(&request)?;
    no_query(request.query_string())?;
    Ok(array.read(|world| Reply::view(200, &world.array.password_policy)).into())
}

/// Changes the policy.
pub(super) async fn update(request: HttpRequest, payload: web::Payload) -> Answered {
    let array = array(&request)?;
    no_query(request.query_string())?;
    let operation: Update = body::asked(&request, payload).await?;
    let done = array.execute(actor(&request), operation, |world, ()| Reply::view(200, &world.array.password_policy));
    Ok(done.map_err(Problem::from)?.into())
}
