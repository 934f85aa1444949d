//! Collections of what a cluster of one HA pair without a partner does not have. Empty is right.

use serde_json::{Value, json};

use crate::collection::{Collection, Row, View};
use crate::fields::Want;
use crate::refusal::Outcome;

/// A collection without objects.
pub(crate) struct Empty(pub(crate) &'static str);

impl Collection for Empty {
    fn path(&self) -> &'static str {
        self.0
    }
    fn is_always_empty(&self) -> bool {
        true
    }
    fn rows(&self, _: &View<'_>) -> Outcome<Vec<Row>> {
        Ok(Vec::new())
    }
    fn record(&self, _: &View<'_>, _: Row, _: &Want) -> Value {
        json!({})
    }
}
