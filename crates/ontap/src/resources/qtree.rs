//! `/storage/qtrees`: records beside their volume. Every volume has the qtree without a name, number 0.

use serde_json::{Value, json};

use crate::body::Body;
use crate::collection::{Call, Collection, Row, Timing, Verb, View, refer, resolve};
use crate::fields::Want;
use crate::kept;
use crate::model::{Array, Container, Key, Object, Record, RecordKind, Volume};
use crate::ops::{self, AnyOperation};
use crate::refusal::{Outcome, Refusal};

/// Fields that are kept as they are given.
const KEPT: [&str; 5] = ["export_policy.name", "security_style", "unix_permissions", "user.name", "group.name"];

/// The highest number of a qtree.
const MOST: u32 = 4994;

/// The qtrees.
pub(crate) struct Qtrees;

impl Collection for Qtrees {
    fn path(&self) -> &'static str {
        "/storage/qtrees"
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Create, Verb::Update, Verb::Delete]
    }
    fn timing(&self, _: Verb) -> Timing {
        Timing::Job
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        let array = view.array;
        let volumes = array.containers.iter().filter(|container| container.tenant.is_some()).map(|container| Row(container.key().raw(), 0));
        let named = array.records.iter().filter_map(|record| place(array, record));
        let mut rows: Vec<Row> = volumes.chain(named).collect();
        rows.sort_unstable_by_key(|row| (row.0, row.1));
        Ok(rows)
    }
    fn record(&self, view: &View<'_>, row: Row, _: &Want) -> Value {
        let Some(container) = view.array.containers.get(Key::<Container>::from_raw(row.0)) else { return json!({}) };
        let qtree = at(view.array, row);
        let mut record = json!({
            "id": row.1, "name": qtree.map_or("", name), "volume": refer(container.name(), container.id()), "security_style": "unix", "unix_permissions": 755,
            "export_policy": {"name": "default"},
        });
        if let Some(svm) = container.tenant.and_then(|key| view.array.tenants.get(key)) {
            record["svm"] = refer(svm.name(), svm.id());
        }
        if let Some(qtree) = qtree {
            kept::show(&mut record, qtree, &KEPT);
        }
        record
    }
    fn create(&self, call: &Call<'_>, body: &Body) -> Outcome<Row> {
        let (create, row) = call.read(|view| {
            let array = view.array;
            let svm = kept::required_svm(view, body)?;
            let missing = || Refusal::bad(918_232, "Either \"volume.name\" or \"volume.uuid\" must be provided.").at("volume.name");
            let named = body.named("volume").ok_or_else(missing)?;
            let unknown = || Refusal::bad(917_927, format!("The volume \"{}\" does not exist in the SVM.", named.shown())).at("volume.name");
            let container = resolve(&array.containers, &named, |container| container.tenant == Some(svm.key())).ok_or_else(unknown)?;
            let name = free_name(array, container, body.required("name")?, None)?;
            let id = (1..=MOST).find(|id| at(array, Row(container.key().raw(), *id)).is_none());
            let id = id.ok_or_else(|| Refusal::conflict(7, format!("A volume has at most {MOST} qtrees.")))?;
            let mut notes = kept::said(body, &KEPT);
            notes.extend([("name".to_owned(), json!(name)), ("volume".to_owned(), json!(container.id().to_string())), ("id".to_owned(), json!(id))]);
            let create =
                ops::record::Create { kind: RecordKind::Qtree, name: record_name(container, id), tenant: Some(svm.id().to_string()), notes: Some(notes) };
            Ok((create, Row(container.key().raw(), id)))
        })?;
        call.run(vec![create.into()]).map(|_| row)
    }
    fn update(&self, call: &Call<'_>, row: Row, body: &Body) -> Outcome<()> {
        let operations = call.read(|view| {
            let Some(qtree) = at(view.array, row) else {
                return Err(Refusal::bad(5_242_945, "The qtree without a name cannot be changed; it is the volume.").at("id"));
            };
            let mut notes = kept::said(body, &KEPT);
            let mut operations: Vec<AnyOperation> = Vec::new();
            if let (Some(new), Some(container)) = (body.text("name").filter(|new| *new != name(qtree)), view.array.containers.get(Key::from_raw(row.0))) {
                notes.insert("name".into(), json!(free_name(view.array, container, new, Some(qtree))?));
                operations.extend(inside(view.array, container, qtree).map(|volume| {
                    let leaf = volume.name().split_once('/').map_or("", |(_, leaf)| leaf);
                    let update = ops::volume::Update { volume: volume.id().to_string(), name: Some(format!("{new}/{leaf}")), ..ops::volume::Update::default() };
                    update.into()
                }));
            }
            operations.push(ops::record::Update { record: qtree.id().to_string(), name: None, notes: Some(notes) }.into());
            Ok(operations)
        })?;
        call.run(operations).map(drop)
    }
    fn delete(&self, call: &Call<'_>, row: Row) -> Outcome<()> {
        let operation = call.read(|view| {
            let Some(qtree) = at(view.array, row) else {
                return Err(Refusal::conflict(5_242_894, "The qtree without a name goes with its volume.").at("id"));
            };
            let container = view.array.containers.get(Key::from_raw(row.0));
            match container.and_then(|container| inside(view.array, container, qtree).next()) {
                Some(volume) => {
                    let message = format!("The qtree \"{}\" is not empty: \"{}\" lies in it.", name(qtree), volume.name());
                    Err(Refusal::conflict(5_242_894, message))
                }
                None => Ok(deletion(qtree)),
            }
        })?;
        call.run(vec![operation]).map(drop)
    }
}

/// The operation that deletes one.
pub(crate) fn deletion(qtree: &Record) -> AnyOperation {
    ops::record::Delete { record: qtree.id().to_string() }.into()
}

/// The qtrees of a volume that have a name.
pub(crate) fn records_in<'a>(array: &'a Array, container: &Container) -> impl Iterator<Item = &'a Record> {
    let key = container.key().raw();
    array.records.iter().filter(move |record| place(array, record).is_some_and(|row| row.0 == key))
}

/// The LUNs and namespaces that lie in a qtree.
fn inside<'a>(array: &'a Array, container: &Container, qtree: &'a Record) -> impl Iterator<Item = &'a Volume> {
    let within = move |volume: &&Volume| volume.name().split_once('/').is_some_and(|(above, _)| above == name(qtree));
    array.volumes_in(container.key()).filter(within)
}

/// The qtree of that name in a volume.
pub(crate) fn named<'a>(array: &'a Array, container: &Container, wanted: &str) -> Option<&'a Record> {
    records_in(array, container).find(|record| name(record) == wanted)
}

/// What a qtree is called; names of records are unique in the SVM, those of qtrees in the volume.
pub(crate) fn name(qtree: &Record) -> &str {
    qtree.note("name").and_then(Value::as_str).unwrap_or_default()
}

fn record_name(container: &Container, id: u32) -> String {
    format!("{}/{id}", container.id())
}

/// The volume and the number of a qtree.
fn place(array: &Array, record: &Record) -> Option<Row> {
    if record.kind != RecordKind::Qtree {
        return None;
    }
    let volume = record.note("volume")?.as_str()?.parse().ok()?;
    let id = record.note("id")?.as_u64().and_then(|id| u32::try_from(id).ok())?;
    array.containers.key_of(volume).map(|key| Row(key.raw(), id))
}

fn at(array: &Array, row: Row) -> Option<&Record> {
    let container = array.containers.get(Key::<Container>::from_raw(row.0))?;
    array.records.named(&record_name(container, row.1), Some(Record::scope_of(RecordKind::Qtree, container.tenant)))
}

/// A name that no other qtree of the volume has, nor a LUN in it.
fn free_name(array: &Array, container: &Container, name: &str, own: Option<&Record>) -> Outcome<String> {
    if name.contains('/') || name.chars().count() > 64 {
        return Err(Refusal::bad(5_242_952, format!("\"{name}\" is no name of a qtree: at most 64 characters, without \"/\".")).at("name"));
    }
    let taken = named(array, container, name).is_some_and(|other| own.is_none_or(|own| own.key() != other.key()));
    if taken || array.volumes_in(container.key()).any(|volume| volume.name() == name) {
        return Err(Refusal::conflict(5_242_886, format!("The volume \"{}\" already has something called \"{name}\".", container.name())).at("name"));
    }
    Ok(name.to_owned())
}
