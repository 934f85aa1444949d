//! What clients of another front asked for although it is not served.

use actix_web::HttpRequest;
use serde::Serialize;
use utoipa::ToSchema;

use super::answer::Reply;
use super::listing::Listing;
use super::resource::{Answered, array};

/// A call that a client of the vendor's own interface made, and that is not served. Counted since the program started.
#[derive(Serialize, ToSchema)]
#[schema(as = UnservedCall)]
pub(super) struct View {
    /// The place in the list, from 1.
    number: u64,
    /// The method.
    #[schema(example = "GET")]
    method: String,
    /// The path, with braces where it names an object.
    #[schema(example = "/api/protocols/nfs/services")]
    path: String,
    /// How often it was asked for.
    count: u64,
}

/// Lists the calls, in order of paths.
pub(super) async fn list(request: HttpRequest) -> Answered {
    let array = array(&request)?;
    let listing = Listing::read::<View>(request.query_string())?;
    let numbered = (1..).zip(array.unserved());
    let views = numbered.map(|(number, (method, path, count))| (number, View { number, method, path, count }));
    let page = listing.page(views.filter(|(number, _)| listing.after().is_none_or(|after| *number > after)));
    Ok(Reply::json(page).into())
}
