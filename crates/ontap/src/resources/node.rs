//! `/cluster/nodes`: controllers.

use serde_json::{Value, json};

use crate::collection::{Collection, Row, View};
use crate::fields::Want;
use crate::model::{Controller, ControllerState, Key, Object};
use crate::refusal::Outcome;

/// The nodes.
pub(crate) struct Nodes;

impl Collection for Nodes {
    fn path(&self) -> &'static str {
        "/cluster/nodes"
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        Ok(view.array.controllers.iter().map(|node| Row(node.key().raw(), 0)).collect())
    }
    fn record(&self, view: &View<'_>, row: Row, _: &Want) -> Value {
        let Some(node) = view.array.controllers.get(Key::<Controller>::from_raw(row.0)) else { return json!({}) };
        let state = if node.state == ControllerState::Online { "up" } else { "down" };
        json!({"name": view.node_name(node), "uuid": node.id(), "model": view.array.facts.product, "state": state})
    }
}
