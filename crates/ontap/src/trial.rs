//! PATCH with `simulate`: what objects would be, done on a copy of the array that is thrown away.

use serde_json::{Value, json};

use crate::answer::Answer;
use crate::body::Body;
use crate::changing::Changing;
use crate::collection::{Call, Row};
use crate::fields::Want;
use crate::reading::facts;
use crate::refusal::Outcome;

impl Changing<'_> {
    /// What objects would be after a change.
    pub(crate) fn tried(&self, call: &Call<'_>, rows: &[Row], body: &Body) -> Outcome<Answer> {
        let want = Want::read(facts(self.collection)?, self.collection.defaults(), &self.query.fields(), true);
        let records = call.trial(|call| {
            rows.iter().try_for_each(|row| self.collection.update(call, *row, body))?;
            let shown = |row: &Row| {
                let mut record = call.read(|view| self.collection.record(view, *row, &want));
                want.prune(&mut record);
                record
            };
            Ok(rows.iter().map(shown).collect::<Vec<Value>>())
        })?;
        Ok(Answer::ok(json!({"num_records": records.len(), "records": records, "warnings": []})))
    }
}
