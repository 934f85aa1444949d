//! `/cluster/chassis`: enclosures with nodes in them.

use serde_json::{Value, json};

use crate::collection::{Collection, Row, View};
use crate::fields::Want;
use crate::model::{Enclosure, EnclosureKind, Key, Object, Part, PartKind, PartPlace};
use crate::refusal::Outcome;

/// The chassis.
pub(crate) struct Chassis;

impl Collection for Chassis {
    fn path(&self) -> &'static str {
        "/cluster/chassis"
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        Ok(view
            .array
            .enclosures
            .iter()
            .filter(|enclosure| enclosure.kind == EnclosureKind::Controller)
            .map(|enclosure| Row(enclosure.key().raw(), 0))
            .collect())
    }
    fn record(&self, view: &View<'_>, row: Row, _: &Want) -> Value {
        let Some(enclosure) = view.array.enclosures.get(Key::<Enclosure>::from_raw(row.0)) else { return json!({}) };
        let own = |part: &&Part| part.place == PartPlace::Enclosure(enclosure.key()) && matches!(part.kind, PartKind::Fan | PartKind::PowerSupply);
        let fru = |part: &Part| json!({"id": part.name(), "type": if part.kind == PartKind::Fan { "fan" } else { "psu" }, "state": if part.works() { "ok" } else { "error" }});
        let parts: Vec<&Part> = view.array.parts.iter().filter(own).collect();
        let whole = parts.iter().all(|part| part.works());
        let place = |number: u32| if number == 0 { "top" } else { "bottom" };
        let nodes: Vec<Value> = view
            .array
            .controllers
            .iter()
            .filter(|node| node.enclosure == enclosure.key())
            .map(|node| json!({"name": view.node_name(node), "uuid": node.id(), "position": place(node.number())}))
            .collect();
        json!({
            "id": enclosure.serial_number, "state": if whole { "ok" } else { "error" }, "nodes": nodes,
            "frus": parts.into_iter().map(fru).collect::<Vec<_>>(), "shelves": [{"uid": enclosure.serial_number}],
        })
    }
}
