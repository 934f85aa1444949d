//! `/storage/volumes/{volume.uuid}/snapshots`: snapshots of a volume.

use serde_json::{Value, json};

use crate::body::Body;
use crate::collection::{Call, Collection, Row, Timing, Verb, View, refer, resolve};
use crate::fields::Want;
use crate::kept;
use crate::model::{Container, Key, Object, Snapshot, space};
use crate::ops::{self, AnyOperation};
use crate::refusal::{Outcome, Refusal};
use crate::resources::{volume, volume_record};

/// Fields that are kept as they are given.
const KEPT: [&str; 4] = ["expiry_time", "snaplock.expiry_time", "snaplock_expiry_time", "snapmirror_label"];

/// The refusal of what is locked, and of what a clone is made of: clients look for it.
const LOCKED: u32 = 1_638_555;

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
        let row = |snapshot: &Snapshot| Row(snapshot.key().raw(), 0);
        if view.is_of_all() {
            let of_volumes = |snapshot: &&Snapshot| view.array.containers.get(snapshot.container).is_some_and(|container| container.tenant.is_some());
            return Ok(view.array.snapshots.iter().filter(of_volumes).map(row).collect());
        }
        let container = parent(view, view.parent())?;
        Ok(view.array.snapshots_of(container.key()).map(row).collect())
    }
    fn find(&self, view: &View<'_>, keys: &[String]) -> Outcome<Option<Row>> {
        let id = keys.first().map(String::as_str);
        let known = id.and_then(|id| view.array.snapshots.get(view.array.snapshots.key_of(id.parse().ok()?)?));
        let found = if view.is_of_all() { known } else { volume::snapshot_of(view, parent(view, view.parent())?, None, id) };
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
        let container = call.read(|view| home(view, body).map(|container| container.id().to_string()))?;
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
            let snapshot = at(view, row).ok_or_else(|| self.absent())?;
            may_go(view, snapshot)?;
            let is_busy = view.array.containers.iter().any(|other| volume_record::is_of(other, snapshot));
            Ok((snapshot.id().to_string(), is_busy))
        })?;
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

/// A snapshot stays until it has expired.
pub(crate) fn may_go(view: &View<'_>, snapshot: &Snapshot) -> Outcome<()> {
    let ends = |field: &str| snapshot.note(field).and_then(Value::as_str).and_then(|text| text.parse::<jiff::Timestamp>().ok());
    let now = view.stamp(view.now()).parse::<jiff::Timestamp>().unwrap_or(jiff::Timestamp::MIN);
    match ["expiry_time", "snaplock.expiry_time", "snaplock_expiry_time"].into_iter().filter_map(ends).max() {
        Some(end) if end > now => {
            let message = format!("The snapshot \"{}\" is locked: it expires at {end}.", snapshot.name());
            Err(Refusal::conflict(LOCKED, message))
        }
        _ => Ok(()),
    }
}

/// The volume of a new snapshot: that of the path, or, below all volumes, the one that the body names.
fn home<'a>(view: &View<'a>, body: &Body) -> Outcome<&'a Container> {
    if !view.is_of_all() {
        return parent(view, view.parent());
    }
    let named = body.named("volume").ok_or_else(|| Refusal::required("volume.uuid"))?;
    let svm = kept::svm(view, body)?.map(Object::key);
    let unknown = || Refusal::bad(917_927, format!("The volume \"{}\" does not exist.", named.shown())).at("volume");
    resolve(&view.array.containers, &named, |container| container.tenant.is_some() && (svm.is_none() || container.tenant == svm)).ok_or_else(unknown)
}

/// The volume in the path.
pub(crate) fn parent<'a>(view: &View<'a>, id: &str) -> Outcome<&'a Container> {
    volume::by_id(view, id).ok_or_else(|| Refusal::missing(918_235, format!("A volume with UUID \"{id}\" was not found.")))
}
