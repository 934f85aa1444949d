//! `/cluster`: the array itself.

use serde_json::{Value, json};

use crate::body::Body;
use crate::collection::{Call, Collection, Row, Shape, Verb, View};
use crate::fields::Want;
use crate::refusal::{Outcome, Refusal};

/// The cluster.
pub(crate) struct Cluster;

impl Collection for Cluster {
    fn path(&self) -> &'static str {
        "/cluster"
    }
    fn shape(&self) -> Shape {
        Shape::One
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Update]
    }
    fn rows(&self, _: &View<'_>) -> Outcome<Vec<Row>> {
        Ok(vec![Row::default()])
    }
    fn record(&self, view: &View<'_>, _: Row, _: &Want) -> Value {
        let (generation, major, minor) = view.version.numbers();
        let full = format!("NetApp Release {}: Thu Jan 01 00:00:00 UTC 2026", view.version);
        json!({
            "name": view.cluster,
            "uuid": view.array.identity.uuid(crate::model::Noun::Array, 0),
            "version": {"full": full, "generation": generation, "major": major, "minor": minor},
            "san_optimized": false,
            "disaggregated": false,
        })
    }
    fn update(&self, _: &Call<'_>, _: Row, _: &Body) -> Outcome<()> {
        Err(Refusal::method_not_allowed("PATCH"))
    }
}
