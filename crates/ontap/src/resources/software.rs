//! `/cluster/software`: the release that is played. It is not updated.

use serde_json::{Value, json};

use crate::collection::{Collection, Row, Shape, View};
use crate::fields::Want;
use crate::refusal::Outcome;

/// The software of the cluster.
pub(crate) struct Software;

impl Collection for Software {
    fn path(&self) -> &'static str {
        "/cluster/software"
    }
    fn shape(&self) -> Shape {
        Shape::One
    }
    fn rows(&self, _: &View<'_>) -> Outcome<Vec<Row>> {
        Ok(vec![Row::default()])
    }
    fn record(&self, view: &View<'_>, _: Row, _: &Want) -> Value {
        let version = view.version.to_string();
        let nodes = view
            .array
            .controllers
            .iter()
            .map(|node| json!({"name": view.node_name(node), "model": view.array.facts.product.replace(' ', "-"), "version": version}));
        json!({"version": version, "state": "completed", "elapsed_duration": 0, "estimated_duration": 0, "nodes": nodes.collect::<Vec<_>>()})
    }
}
