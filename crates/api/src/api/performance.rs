//! Performance: how fast the array is under its workloads.

use actix_web::HttpRequest;

use super::answer::Reply;
use super::listing::no_query;
use super::resource::{Answered, array};
use crate::perf::report::{Report, measure};

/// How performance looks.
pub(super) type View = Report;

/// Measures the array now.
pub(super) async fn get(request: HttpRequest) -> Answered {
    let array = array(&request)?;
    no_query(request.query_string())?;
    let report = array.read(|world| measure(&world.array, &world.workloads));
    Ok(Reply::view(200, &report).into())
}
