//! `/storage/shelves`: enclosures, with their bays, supplies and fans.

use serde_json::{Value, json};

use crate::collection::{Collection, Row, View};
use crate::fields::Want;
use crate::model::{Enclosure, EnclosureKind, Key, Object};
use crate::refusal::Outcome;

/// The shelves.
pub(crate) struct Shelves;

impl Collection for Shelves {
    fn path(&self) -> &'static str {
        "/storage/shelves"
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        Ok(view.array.enclosures.iter().map(|shelf| Row(shelf.key().raw(), 0)).collect())
    }
    fn record(&self, view: &View<'_>, row: Row, want: &Want) -> Value {
        let Some(shelf) = view.array.enclosures.get(Key::<Enclosure>::from_raw(row.0)) else { return json!({}) };
        let drives = || view.array.drives.iter().filter(|drive| drive.enclosure == shelf.key() && !drive.pulled);
        let internal = shelf.kind == EnclosureKind::Controller;
        let capacity: u64 = drives().map(|drive| drive.capacity.get()).sum();
        let mut record = json!({
            "uid": shelf.id(), "name": shelf.name(), "id": shelf.name().rsplit('.').next().unwrap_or_default(), "serial_number": shelf.serial_number,
            "state": "ok", "disk_count": drives().count(), "internal": internal, "local": true, "connection_type": "nvme",
            "module_type": if internal { "psm3e" } else { "nsm100" }, "model": if internal { "FS4483" } else { "NS224" },
            "manufacturer": {"name": view.array.facts.vendor}, "raw_capacity": capacity, "location_led": if shelf.locate { "on" } else { "off" },
        });
        if want.has("bays") {
            let bay = |bay: u32| json!({"id": bay, "has_disk": drives().any(|drive| drive.bay == bay), "type": "single_disk", "state": "ok"});
            record["bays"] = (0..shelf.bays).map(bay).collect();
        }
        if want.has("paths") {
            let path = |node| json!({"name": shelf.name(), "node": view.refer_node(node)});
            record["paths"] = view.array.controllers.iter().map(path).collect();
        }
        record
    }
}
