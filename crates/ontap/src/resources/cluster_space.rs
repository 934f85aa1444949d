//! `/storage/cluster`: the space of all aggregates together.

use serde_json::{Value, json};

use crate::body::Body;
use crate::collection::{Call, Collection, Row, Shape, Timing, Verb, View};
use crate::fields::Want;
use crate::refusal::{Outcome, Refusal};
use crate::resources::aggregate;

/// The space of the cluster.
pub(crate) struct ClusterSpace;

impl Collection for ClusterSpace {
    fn path(&self) -> &'static str {
        "/storage/cluster"
    }
    fn shape(&self) -> Shape {
        Shape::One
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Update]
    }
    fn timing(&self, _: Verb) -> Timing {
        Timing::Job
    }
    fn rows(&self, _: &View<'_>) -> Outcome<Vec<Row>> {
        Ok(vec![Row::default()])
    }
    fn record(&self, view: &View<'_>, _: Row, _: &Want) -> Value {
        let pools = || view.array.pools.iter();
        let (size, used): (u64, u64) = pools().fold((0, 0), |(size, used), pool| (size + pool.capacity.get(), used + pool.used().get()));
        let efficiency = aggregate::efficiency(view, pools());
        let mut medias = json!([{
            "type": "ssd", "size": size, "used": used, "available": size.saturating_sub(used), "physical_used": used,
            "efficiency": efficiency, "efficiency_without_snapshots": efficiency, "efficiency_without_snapshots_flexclones": efficiency,
        }]);
        if view.array.pools.is_empty() {
            medias = json!([]);
        }
        json!({
            "block_storage": {
                "size": size, "used": used, "available": size.saturating_sub(used), "physical_used": used,
                "physical_used_percent": (used * 100).checked_div(size).unwrap_or(0), "total_metadata_used": 0, "log_and_recovery_metadata": 0,
                "delayed_frees": 0, "unusable_space": 0, "full_threshold_percent": 98, "nearly_full_threshold_percent": 95, "inactive_data": 0,
                "medias": medias,
            },
            "efficiency": efficiency, "efficiency_without_snapshots": efficiency, "efficiency_without_snapshots_flexclones": efficiency,
        })
    }
    fn update(&self, _: &Call<'_>, _: Row, _: &Body) -> Outcome<()> {
        Err(Refusal::bad(3, "Thresholds of the cluster's space cannot be changed.").at("block_storage"))
    }
}
