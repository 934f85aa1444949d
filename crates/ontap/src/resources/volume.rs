//! `/storage/volumes`: containers that belong to an SVM.
//!
//! Read first: this, then `volume_record` (what is shown), `volume_change` (what bodies become).

use serde_json::{Value, json};

use crate::body::Body;
use crate::collection::{Call, Collection, Row, Timing, Verb, View};
use crate::fields::Want;
use crate::model::{Container, Key, Object, Snapshot};
use crate::ops::{self, AnyOperation};
use crate::query::Asked;
use crate::refusal::{Outcome, Refusal};
use crate::resources::{by_uuid_or_name, consistency_group, qtree, volume_change, volume_qos, volume_record};

/// The note of a volume that is the root of its SVM.
pub(crate) const ROOT: &str = "root";

/// The volumes.
pub(crate) struct Volumes;

impl Collection for Volumes {
    fn path(&self) -> &'static str {
        "/storage/volumes"
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
        Ok(view.array.containers.iter().filter(|container| container.tenant.is_some()).map(row).collect())
    }
    fn index(&self, view: &View<'_>, asked: &Asked) -> Option<Vec<Row>> {
        let mut rows = by_uuid_or_name(&view.array.containers, asked)?;
        rows.retain(|row| at(view, *row).is_some_and(|container| container.tenant.is_some()));
        Some(rows)
    }
    fn find(&self, view: &View<'_>, keys: &[String]) -> Outcome<Option<Row>> {
        Ok(keys.first().and_then(|id| by_id(view, id)).map(row))
    }
    fn record(&self, view: &View<'_>, row: Row, want: &Want) -> Value {
        at(view, row).map_or_else(|| json!({}), |container| volume_record::record(view, container, want))
    }
    fn create(&self, call: &Call<'_>, body: &Body) -> Outcome<Row> {
        let operations = call.read(|view| volume_change::create(view, body))?;
        call.make::<Container>(operations).map(|key| Row(key.raw(), 0))
    }
    fn update(&self, call: &Call<'_>, row: Row, body: &Body) -> Outcome<()> {
        let restore = ["name", "uuid"].map(|key| call.query.get(&format!("restore_to.snapshot.{key}")).filter(|text| !text.is_empty()).map(str::to_owned));
        let operations = call.read(|view| {
            let container = at(view, row).ok_or_else(|| self.absent())?;
            let mut operations = Vec::new();
            if restore.iter().any(Option::is_some) {
                let snapshot = snapshot_of(view, container, restore[0].as_deref(), restore[1].as_deref()).ok_or_else(no_snapshot)?;
                operations.push(ops::snapshot::Restore { snapshot: snapshot.id().to_string() }.into());
            }
            operations.extend(volume_change::update(view, container, body)?);
            Ok(operations)
        })?;
        call.run(operations).map(drop)
    }
    fn delete(&self, call: &Call<'_>, row: Row) -> Outcome<()> {
        let operations = call.read(|view| deletion(view, at(view, row).ok_or_else(|| self.absent())?))?;
        call.run(operations).map(drop)
    }
}

fn row(container: &Container) -> Row {
    Row(container.key().raw(), 0)
}

fn at<'a>(view: &View<'a>, row: Row) -> Option<&'a Container> {
    view.array.containers.get(Key::from_raw(row.0))
}

/// The volume with an identifier.
pub(crate) fn by_id<'a>(view: &View<'a>, id: &str) -> Option<&'a Container> {
    let key = view.array.containers.key_of(id.parse().ok()?)?;
    view.array.containers.get(key).filter(|container| container.tenant.is_some())
}

/// Whether it is the root of its SVM.
pub(crate) fn is_root(container: &Container) -> bool {
    container.note(ROOT).and_then(Value::as_bool).unwrap_or(false)
}

/// A snapshot of a volume by name, by identifier, or by both.
pub(crate) fn snapshot_of<'a>(view: &View<'a>, container: &Container, name: Option<&str>, uuid: Option<&str>) -> Option<&'a Snapshot> {
    let fits = |snapshot: &&Snapshot| name.is_none_or(|name| name == snapshot.name()) && uuid.is_none_or(|uuid| uuid == snapshot.id().to_string());
    view.array.snapshots_of(container.key()).find(fits)
}

fn no_snapshot() -> Refusal {
    Refusal::bad(1_638_600, "The snapshot to restore does not exist in the volume.").at("restore_to.snapshot.name")
}

/// Everything that goes with a volume: the LUNs in it, its qtrees, and the snapshot that the array took to make it as a clone.
fn deletion(view: &View<'_>, container: &Container) -> Outcome<Vec<AnyOperation>> {
    if is_root(container) {
        return Err(Refusal::conflict(917_531, format!("The volume \"{}\" is the root volume of its SVM and goes with it.", container.name())));
    }
    let mut operations: Vec<AnyOperation> = qtree::records_in(view.array, container).map(qtree::deletion).collect();
    operations.push(ops::container::Delete { container: container.id().to_string(), with_volumes: Some(true) }.into());
    operations.extend(consistency_group::deletion_with(view.array, container));
    operations.extend(volume_qos::deletion(view.array, container));
    operations.extend(own_origin(view, container).map(|snapshot| ops::snapshot::Delete { snapshot: snapshot.id().to_string() }.into()));
    Ok(operations)
}

/// The snapshot that was taken for this clone alone.
fn own_origin<'a>(view: &View<'a>, container: &Container) -> Option<&'a Snapshot> {
    let snapshot = view.array.snapshots.get(container.clone?.snapshot)?;
    let is_automatic = snapshot.note(volume_change::FOR_A_CLONE).is_some();
    let others = || view.array.containers.iter().filter(|other| other.clone.is_some_and(|clone| clone.snapshot == snapshot.key())).count() > 1;
    (is_automatic && !others()).then_some(snapshot)
}
