//! Capacity: the books of all space.

use actix_web::HttpRequest;

use super::answer::Reply;
use super::listing::no_query;
use super::resource::{Answered, array};
use crate::model::capacity::{self, Capacity};

/// How the books look.
pub(super) type View = Capacity;

/// Reads the books.
pub(super) async fn get(request: HttpRequest) -> Answered {
    let array = array(&request)?;
    no_query(request.query_string())?;
    let books = array.read(|world| capacity::capacity(&world.array));
    Ok(Reply::view(200, &books).into())
}
