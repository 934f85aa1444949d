//! Lists of operations, all or nothing.

use actix_web::{HttpRequest, web};
use serde_json::Value;
use utoipa::openapi::schema::{ArrayBuilder, Schema};
use utoipa::openapi::{RefOr, Required};

use super::answer::{Items, Reply};
use super::body;
use super::listing::no_query;
use super::problem::Problem;
use super::resource::{Answered, array};
use super::schemas::Schemas;
use super::terms;
use crate::ops::AnyOperation;

/// The schema of the body.
pub(super) fn body(_: &mut Schemas) -> (RefOr<Schema>, Required) {
    let example = serde_json::json!([
        {"pool.create": {"name": "P0", "level": "raid1+0", "drive_count": 12}},
        {"volume.create": {"name": "V1", "pool": "P0", "size": "4TB"}}
    ]);
    (ArrayBuilder::new().items(Schemas::any_operation()).examples([example]).into(), Required::True)
}

/// Does all operations of a list, or none.
pub(super) async fn run(request: HttpRequest, payload: web::Payload) -> Answered {
    let array = array(&request)?;
    no_query(request.query_string())?;
    let list = body::json(&request, payload).await?;
    let terms = terms::of(&request, &list, (terms::tag_of_array, String::new()))?;
    let operations = body::list(list)?.into_iter().enumerate().map(|(index, item)| read(index, item)).collect::<Result<Vec<_>, _>>()?;
    let done = array.perform_all(&terms, operations, |items| Reply::view(200, &Items { items }).into()).await;
    Ok(Reply::from(done.map_err(Problem::from)?).into())
}

fn read(index: usize, item: Value) -> Result<AnyOperation, Problem> {
    let name = item.as_object().and_then(|fields| fields.keys().next().cloned());
    body::read(&item, "").map_err(|problem: Problem| problem.in_list(index, name))
}
