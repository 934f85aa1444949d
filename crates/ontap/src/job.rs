//! Jobs as answers: what is done at once is a job that is over.

use serde_json::{Value, json};

use crate::ops::{self, AnyOperation};

/// The operation that notes what a call did as a job.
pub(crate) fn note(description: &str) -> AnyOperation {
    ops::job::Note { description: description.to_owned(), ..ops::job::Note::default() }.into()
}

/// How an answer names a job; the link stays whatever the client accepts.
pub(crate) fn link(uuid: &str) -> Value {
    json!({"uuid": uuid, "_links": {"self": {"href": format!("/api/cluster/jobs/{uuid}")}}})
}
