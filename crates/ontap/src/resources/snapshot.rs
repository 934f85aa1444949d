//! `/storage/volumes/{volume.uuid}/snapshots`: snapshots of a volume.

use serde_json::{Value, json};

use crate::body::Body;
use crate::collection::{Call, Collection, Row, Timing, Verb, View, refer};
use crate::fields::Want;
use crate::kept;
use crate::model::{Container, Key, Object, Snapshot, space};
use crate::ops::{self, AnyOperation};
use crate::refusal::{Outcome, Refusal};
use crate::resources::{volume, volume_record};

/// Fields that are kept as they are given.
const KEPT: [&str; 4] = ["expiry_time", "snaplock.expiry_time", "snaplock_expiry_time", "snapmirror_label"];

/// The snapshots.
pub(crate) struct Snapshots;

impl Collection for Snapshots {
    fn path(&self) -> &'static str {
        "/storage/volumes/{volume.uuid}/snapshots"
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Create, Verb::Update, Verb::Delete]
    }
    fn timing(&self, _: Verb) -> Timing {
        Timing::Job
    }
    fn lasts(&self) -> bool {
        true
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        let container = parent(view, view.parent())?;
        Ok(view.array.snapshots_of(container.key()).map(|snapshot| Row(snapshot.key().raw(), 0)).collect())
    }
    fn find(&self, view: &View<'_>, keys: &[String]) -> Outcome<Option<Row>> {
        let container = parent(view, view.parent())?;
        let found = volume::snapshot_of(view, container, None, keys.first().map(String::as_str));
        Ok(found.map(|snapshot| Row(snapshot.key().raw(), 0)))
    }
    fn record(&self, view: &View<'_>, row: Row, want: &Want) -> Value {
        let Some(snapshot) = at(view, row) else { return json!({}) };
        let Some(container) = view.array.containers.get(snapshot.container) else { return json!({}) };
        let mut record = json!({
            "uuid": snapshot.id(), "name": snapshot.name(), "volume": refer(container.name(), container.id()), "create_time": view.stamp(snapshot.created),
            "state": "valid", "version_uuid": snapshot.id(),
        });
        if let Some(svm) = container.tenant.and_then(|key| view.array.tenants.get(key)) {
            record["svm"] = refer(svm.name(), svm.id());
        }
        if !snapshot.comment.is_empty() {
            record["comment"] = json!(snapshot.comment);
        }
        if view.array.containers.iter().any(|other| volume_record::is_of(other, snapshot)) {
            record["owners"] = json!(["volume_clone"]);
        }
        if want.has("size") || want.has("logical_size") {
            let bytes = space::image_bytes(snapshot);
            record["size"] = json!(container.reduced(bytes).get());
            record["logical_size"] = json!(bytes.get());
        }
        kept::show(&mut record, snapshot, &KEPT);
        record
    }
    fn create(&self, call: &Call<'_>, body: &Body) -> Outcome<Row> {
        let container = call.read(|view| parent(view, view.parent()).map(|container| container.id().to_string()))?;
        let (name, comment) = (body.required("name")?.to_owned(), body.text("comment").map(str::to_owned));
        let mut operations = vec![ops::snapshot::Create { container, name, comment }.into()];
        operations.extend(kept::keep("snapshot", "", kept::said(body, &KEPT)));
        call.make::<Snapshot>(operations).map(|key| Row(key.raw(), 0))
    }
    fn update(&self, call: &Call<'_>, row: Row, body: &Body) -> Outcome<()> {
        let (id, known) = call.read(|view| at(view, row).map(|snapshot| (snapshot.id().to_string(), snapshot.name().to_owned()))).unwrap_or_default();
        let name = body.text("name").filter(|name| *name != known).map(str::to_owned);
        let comment = body.has("comment").then(|| body.text("comment").unwrap_or_default().to_owned());
        let mut operations: Vec<AnyOperation> = Vec::new();
        if name.is_some() || comment.is_some() {
            operations.push(ops::snapshot::Update { snapshot: id.clone(), name, comment }.into());
        }
        operations.extend(kept::keep("snapshot", &id, kept::said(body, &KEPT)));
        call.run(operations).map(drop)
    }
    fn delete(&self, call: &Call<'_>, row: Row) -> Outcome<()> {
        let (snapshot, is_busy) = call.read(|view| {
            let snapshot = at(view, row);
            let is_busy = snapshot.is_some_and(|snapshot| view.array.containers.iter().any(|other| volume_record::is_of(other, snapshot)));
            (snapshot.map(|snapshot| snapshot.id().to_string()).unwrap_or_default(), is_busy)
        });
        let delete = ops::snapshot::Delete { snapshot }.into();
        // That a clone needs a snapshot is found by the job.
        if is_busy { call.submit(delete) } else { call.run(vec![delete]).map(drop) }
    }
    fn absent(&self) -> Refusal {
        Refusal::missing(1_638_600, "The snapshot does not exist in the volume.")
    }
}

fn at<'a>(view: &View<'a>, row: Row) -> Option<&'a Snapshot> {
    view.array.snapshots.get(Key::from_raw(row.0))
}

/// The volume in the path.
pub(crate) fn parent<'a>(view: &View<'a>, id: &str) -> Outcome<&'a Container> {
    volume::by_id(view, id).ok_or_else(|| Refusal::missing(918_235, format!("A volume with UUID \"{id}\" was not found.")))
}
