//! Jobs as answers: what is done at once is a job that is over. A job that made several objects keeps which; one that made none, why not.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::collection::Row;
use crate::engine::Job;
use crate::model::{Notes, Object};
use crate::ops::{self, AnyOperation};
use crate::refusal::Refusal;

/// The note of a job with the SVM into which the call went.
pub(crate) const SVM: &str = "svm";

/// The notes of a job of an SVM.
fn of_svm(svm: Option<Uuid>) -> Notes {
    svm.map(|id| (SVM.to_owned(), json!(id))).into_iter().collect()
}

/// The operation that notes what a call did as a job.
pub(crate) fn note(description: &str, svm: Option<Uuid>) -> AnyOperation {
    ops::job::Note { description: description.to_owned(), notes: of_svm(svm), ..ops::job::Note::default() }.into()
}

/// The note of a job with the rows of what it made.
const ROWS: &str = "rows";
/// The note of a job with what went wrong.
const ERRORS: &str = "errors";

/// The operation that notes a call as a job that made several objects.
pub(crate) fn made(description: &str, rows: &[Row], svm: Option<Uuid>) -> AnyOperation {
    let rows: Vec<Value> = rows.iter().map(|row| json!([row.0, row.1])).collect();
    let mut notes = of_svm(svm);
    notes.insert(ROWS.to_owned(), json!(rows));
    ops::job::Note { description: description.to_owned(), notes, ..ops::job::Note::default() }.into()
}

/// The operation that notes a call as a job that made nothing.
pub(crate) fn failed(description: &str, refusal: &Refusal, svm: Option<Uuid>) -> AnyOperation {
    let mut notes = of_svm(svm);
    notes.insert(ERRORS.to_owned(), json!([refusal.error()]));
    ops::job::Note { description: description.to_owned(), failed: true, notes, ..ops::job::Note::default() }.into()
}

/// The objects that a job made.
pub(crate) fn rows(job: &Job<AnyOperation>) -> Vec<Row> {
    let number = |value: &Value| value.as_u64().and_then(|number| u32::try_from(number).ok());
    let row = |pair: &Value| Some(Row(number(pair.get(0)?)?, number(pair.get(1)?)?));
    job.note(ROWS).and_then(Value::as_array).into_iter().flatten().filter_map(row).collect()
}

/// What went wrong in a job.
pub(crate) fn errors(job: &Job<AnyOperation>) -> &[Value] {
    job.note(ERRORS).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The note of a job that says what a call asked for.
pub(crate) const DESCRIPTION: &str = "description";

/// The operations that leave one to a job, which keeps what comes of it.
pub(crate) fn carrying(operation: AnyOperation, description: &str, svm: Option<Uuid>) -> Vec<AnyOperation> {
    let mut notes = of_svm(svm);
    notes.insert(DESCRIPTION.to_owned(), json!(description));
    vec![
        ops::job::Submit { operation: Box::new(operation), after: None }.into(),
        ops::note::Set { noun: "job".to_owned(), object: String::new(), notes }.into(),
    ]
}

/// How an answer names a job; the link stays whatever the client accepts.
pub(crate) fn link(uuid: &str) -> Value {
    json!({"uuid": uuid, "_links": {"self": {"href": format!("/api/cluster/jobs/{uuid}")}}})
}

/// The same where a collection tells what the job made.
pub(crate) fn link_with_results(uuid: &str, collection: &str) -> Value {
    let mut named = link(uuid);
    named["_links"]["results"] = json!({"href": format!("{collection}?job_results_uuid={uuid}")});
    named
}
