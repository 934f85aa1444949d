//! PATCH and DELETE of several objects, one after the other: each is changed by itself, so one that is refused leaves the others as they are.

use serde_json::Value;

use crate::answer::Answer;
use crate::changing::Changing;
use crate::collection::{Call, Row};
use crate::query::Query;
use crate::refusal::{Outcome, Refusal};
use crate::table;

/// What came of it.
#[derive(Debug, Default)]
pub(crate) struct Several {
    /// The places of those that were changed.
    pub(crate) done: Vec<usize>,
    /// Why others were not.
    failed: Vec<Refusal>,
}

impl Several {
    /// The same with more that was refused.
    pub(crate) fn with(mut self, refusals: Vec<Refusal>) -> Several {
        self.failed.extend(refusals);
        self
    }
}

impl Changing<'_> {
    /// Changes objects until one is refused; to the last one where the client wants that.
    pub(crate) fn each(&self, rows: &[Row], query: &Query, change: impl Fn(Row) -> Outcome<()>) -> Outcome<Several> {
        let goes_on = query.flag("continue_on_failure")?.unwrap_or(false);
        let mut several = Several::default();
        for (place, row) in rows.iter().enumerate() {
            let name = self.called(*row);
            match change(*row) {
                Ok(()) => several.done.push(place),
                Err(refusal) => several.failed.push(Refusal { message: format!("\"{name}\": {}", refusal.message), ..refusal }),
            }
            if !several.failed.is_empty() && !goes_on {
                break;
            }
        }
        Ok(several)
    }
    /// What a call on a collection answers: how many were changed, their jobs, and what was refused. Where nothing was changed, or the client
    /// does not want to go on, the first refusal is the answer.
    pub(crate) fn done_by_query(&self, call: &Call<'_>, query: &Query, several: &Several) -> Answer {
        let mut body = self.page_of(call, several.done.len());
        let Some(first) = several.failed.first() else { return Answer::ok(body) };
        body["errors"] = several.failed.iter().map(Refusal::error).collect();
        if !several.done.is_empty() && query.is_on("continue_on_failure") {
            return Answer::ok(body);
        }
        body["error"] = first.error();
        Answer::new(first.status, body)
    }
    /// What an object is called in the answer.
    fn called(&self, row: Row) -> String {
        let record: Value = self.view(|view| self.collection.record(view, row, &table::keys_only(self.collection.path())));
        ["name", "uuid"].iter().find_map(|key| table::text_at(&record, key)).unwrap_or_default()
    }
}
