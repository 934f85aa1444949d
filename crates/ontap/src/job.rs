//! Jobs as answers: what is done at once is a job that is over.

use serde_json::{Value, json};

use crate::ops::{self, AnyOperation};

/// The operation that notes what a call did as a job.
pub(crate) fn note(description: &str) -> AnyOperation {
    ops::job::Note { description: description.to_owned(), ..ops::job::Note::default() }.into()
}

/// The note of a job that says what a call asked for.
pub(crate) const DESCRIPTION: &str = "description";

/// The operations that leave one to a job, which keeps what comes of it.
pub(crate) fn carrying(operation: AnyOperation, description: &str) -> Vec<AnyOperation> {
    let notes = crate::model::Notes::from([(DESCRIPTION.to_owned(), json!(description))]);
    vec![
        ops::job::Submit { operation: Box::new(operation), after: None }.into(),
        ops::note::Set { noun: "job".to_owned(), object: String::new(), notes }.into(),
    ]
}

/// How an answer names a job; the link stays whatever the client accepts.
pub(crate) fn link(uuid: &str) -> Value {
    json!({"uuid": uuid, "_links": {"self": {"href": format!("/api/cluster/jobs/{uuid}")}}})
}
