//! `/cluster/sensors`: what watches the enclosures of the nodes.

use serde_json::{Value, json};

use crate::collection::{Collection, Row, View};
use crate::fields::Want;
use crate::model::{Controller, Key, Object, Part, PartKind, PartPlace};
use crate::refusal::Outcome;

/// The sensors: parts of a node's enclosure, of a node each.
pub(crate) struct Sensors;

impl Collection for Sensors {
    fn path(&self) -> &'static str {
        "/cluster/sensors"
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        let mut rows = Vec::new();
        for node in view.array.controllers.iter() {
            let own = view.array.parts.iter().filter(|part| part.place == PartPlace::Enclosure(node.enclosure) && part.kind != PartKind::IoModule);
            rows.extend(own.map(|part| Row(node.key().raw(), part.key().raw())));
        }
        Ok(rows)
    }
    fn record(&self, view: &View<'_>, row: Row, _: &Want) -> Value {
        let (node, part) = (view.array.controllers.get(Key::<Controller>::from_raw(row.0)), view.array.parts.get(Key::<Part>::from_raw(row.1)));
        let (Some(node), Some(part)) = (node, part) else { return json!({}) };
        let state = if part.works() { "normal" } else { "failed" };
        let mut record = json!({"node": view.refer_node(node), "index": part.number(), "name": part.name(), "threshold_state": state});
        match (&part.temperature, part.kind) {
            (Some(temperature), _) => {
                record["type"] = json!("thermal");
                record["value"] = json!(temperature.celsius);
                record["value_units"] = json!("C");
                record["warning_high_threshold"] = json!(temperature.warning);
                record["critical_high_threshold"] = json!(temperature.error);
                let hot = if temperature.celsius >= temperature.error {
                    "crit_high"
                } else if temperature.celsius >= temperature.warning {
                    "warn_high"
                } else {
                    state
                };
                record["threshold_state"] = json!(hot);
            }
            (None, PartKind::Fan) => record["type"] = json!("fan"),
            (None, _) => {
                record["type"] = json!("discrete");
                record["discrete_state"] = json!(state);
                record["discrete_value"] = json!(if part.works() { "OK" } else { "FAULT" });
            }
        }
        record
    }
}
