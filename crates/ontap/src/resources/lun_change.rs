//! Making, changing and deleting LUNs and namespaces.

use serde_json::{Value, json};

use crate::body::{Body, Named};
use crate::collection::{Call, Row, View};
use crate::kept;
use crate::model::{Allocation, Key, Notes, Object, QosPolicy, Tenant, Volume, VolumeFormat};
use crate::ops::{self, AnyOperation};
use crate::refusal::{Outcome, Refusal};
use crate::resources::lun::Units;
use crate::resources::lun_path::{self, Path, Spot, spot};
use crate::resources::{igroup, lun_map};
use crate::units::Bytes;

/// What is not offered of them.
const NOT_OFFERED: [&str; 3] = ["convert", "provisioning_options", "vvol"];

pub(super) fn create(units: &Units, call: &Call<'_>, body: &Body) -> Outcome<Row> {
    let operations = call.read(|view| {
        is_offered(body)?;
        let svm = kept::required_svm(view, body)?;
        let spot = spot(view, Some(svm.key()), body, units.namespaces, None)?;
        let maps = match units.namespaces {
            false => maps(view, svm, body, &spot.reference())?,
            true => in_subsystem(view, svm, body, spot.reference())?.into_iter().collect(),
        };
        let mut operations = match (body.named("clone.source"), body.named("copy.source")) {
            (Some(source), _) => clone(units, view, svm, body, (&spot, &source))?,
            (None, Some(source)) => copy(units, view, svm, body, (&spot, &source))?,
            (None, None) => fresh(units, view, svm, body, spot)?,
        };
        operations.extend(maps);
        Ok(operations)
    })?;
    call.make::<Volume>(operations).map(|key| Row(key.raw(), 0))
}

/// The maps with which a LUN is made.
pub(super) fn maps(view: &View<'_>, svm: &Tenant, body: &Body, volume: &str) -> Outcome<Vec<AnyOperation>> {
    let one = |map: &Body| {
        let named = map.named("igroup").ok_or_else(|| Refusal::bad(5_374_902, "The igroup must be specified.").at("lun_maps.igroup"))?;
        let made = lun_map::mapping(view, volume.to_owned(), Some(svm.key()), &named, map.number("logical_unit_number"));
        made.map_err(|refusal| refusal.at("lun_maps.igroup.name"))
    };
    body.bodies("lun_maps").unwrap_or_default().iter().map(one).collect()
}

/// The operation that puts a namespace into the subsystem that it names.
pub(super) fn in_subsystem(view: &View<'_>, svm: &Tenant, body: &Body, volume: String) -> Outcome<Option<AnyOperation>> {
    let Some(named) = body.named("subsystem_map.subsystem") else { return Ok(None) };
    let unknown = || Refusal::bad(72_090_001, format!("The NVMe subsystem \"{}\" does not exist.", named.shown())).at("subsystem_map.subsystem.name");
    let group = igroup::find(view.array, &named, false, Some(svm.key())).ok_or_else(unknown)?;
    Ok(Some(ops::mapping::Create { volume, host_group: Some(group.id().to_string()), ..ops::mapping::Create::default() }.into()))
}

fn is_offered(body: &Body) -> Outcome<()> {
    match NOT_OFFERED.iter().find(|field| body.has(field)) {
        Some(field) => Err(Refusal::bad(3, format!("\"{field}\" is not supported.")).at(field)),
        None => Ok(()),
    }
}

/// A new, empty one.
fn fresh(units: &Units, view: &View<'_>, svm: &Tenant, body: &Body, spot: Spot) -> Outcome<Vec<AnyOperation>> {
    let required = |field: &'static str| {
        let code = if units.namespaces { 262_177 } else { 5_374_884 };
        move || Refusal::bad(code, format!("\"{field}\" is required.")).at(field)
    };
    body.text("os_type").ok_or_else(required("os_type"))?;
    let size = body.get("space.size").ok_or_else(required("space.size"))?;
    let create = ops::volume::Create {
        name: spot.name.clone(),
        size: Bytes::new(size.as_u64().unwrap_or(0)),
        container: Some(spot.volume.clone()),
        allocation: allocation(body),
        qos_policy: policy(view, svm, body).filter(|policy| !policy.is_empty()),
        format: Some(if units.namespaces { VolumeFormat::Namespace } else { VolumeFormat::Lun }),
        ..ops::volume::Create::default()
    };
    let mut operations = vec![create.into()];
    operations.extend(kept::keep("volume", "", notes(units, body)));
    operations.extend(offline(body, &spot));
    Ok(operations)
}

/// One that shares its blocks with another in the same volume, or with what that was in a snapshot.
fn clone(units: &Units, view: &View<'_>, svm: &Tenant, body: &Body, (spot, source): (&Spot, &Named)) -> Outcome<Vec<AnyOperation>> {
    for field in ["os_type", "space.size", "class", "space.block_size"] {
        if body.has(field) {
            return Err(Refusal::bad(5_374_883, format!("\"{field}\" cannot be given for a clone: it is as the source is.")).at(field));
        }
    }
    let (volume, snapshot) = origin(units, view, svm, spot, source)?;
    let clone = ops::volume::Clone { volume, name: spot.name.clone(), snapshot, ..ops::volume::Clone::default() };
    let mut notes = notes(units, body);
    notes.insert("created_as_clone".into(), json!(true));
    Ok(adapted(clone, view, svm, body, (spot, notes)))
}

/// The clone, and what it shall have of its own.
fn adapted(clone: ops::volume::Clone, view: &View<'_>, svm: &Tenant, body: &Body, (spot, notes): (&Spot, Notes)) -> Vec<AnyOperation> {
    let update = ops::volume::Update {
        volume: spot.reference(),
        allocation: allocation(body),
        qos_policy: Some(policy(view, svm, body).unwrap_or_default()),
        online: body.flag("enabled"),
        ..ops::volume::Update::default()
    };
    let mut operations: Vec<AnyOperation> = vec![clone.into(), update.into()];
    operations.extend(kept::keep("volume", "", notes));
    operations
}

/// The source of a clone: how operations find it, and the snapshot that has it.
fn origin(units: &Units, view: &View<'_>, svm: &Tenant, spot: &Spot, source: &Named) -> Outcome<(String, Option<String>)> {
    let elsewhere = || Refusal::bad(918_236, "The source of a clone must be in the same volume.").at("clone.source");
    if let (None, Some(path)) = (&source.uuid, source.name.as_deref().and_then(Path::read))
        && let Some(snapshot) = &path.snapshot
    {
        let container = view.array.containers.all_named(&path.volume).find(|container| container.tenant == Some(svm.key()));
        let snapshot = container.and_then(|container| view.array.snapshots.named(snapshot, Some(container.key().raw())));
        let snapshot = snapshot.ok_or_else(|| unknown(units, source, "clone.source.name"))?;
        if !snapshot.images.iter().any(|image| image.name() == path.name) {
            return Err(unknown(units, source, "clone.source.name"));
        }
        return if snapshot.container == spot.container { Ok((path.name, Some(snapshot.id().to_string()))) } else { Err(elsewhere()) };
    }
    let volume = lun_path::find(view.array, source, units.namespaces, Some(svm.key())).ok_or_else(|| unknown(units, source, "clone.source"))?;
    if volume.container() == Some(spot.container) { Ok((volume.id().to_string(), None)) } else { Err(elsewhere()) }
}

fn unknown(units: &Units, source: &Named, field: &str) -> Refusal {
    let (code, noun) = match (units.namespaces, source.uuid.is_some()) {
        (true, false) => (72_090_006, "namespace"),
        (true, true) => (72_090_007, "namespace"),
        (false, false) => (5_374_876, "LUN"),
        (false, true) => (5_374_875, "LUN"),
    };
    Refusal::bad(code, format!("The {noun} \"{}\" was not found.", source.shown())).at(field)
}

/// One that has all data of another, in whatever volume of the SVM.
fn copy(units: &Units, view: &View<'_>, svm: &Tenant, body: &Body, (spot, source): (&Spot, &Named)) -> Outcome<Vec<AnyOperation>> {
    let volume = lun_path::find(view.array, source, units.namespaces, Some(svm.key())).ok_or_else(|| unknown(units, source, "copy.source"))?;
    let container = (volume.container() != Some(spot.container)).then(|| spot.volume.clone());
    let clone = ops::volume::Clone { volume: volume.id().to_string(), name: spot.name.clone(), container, ..ops::volume::Clone::default() };
    Ok(adapted(clone, view, svm, body, (spot, notes(units, body))))
}

pub(super) fn update(units: &Units, call: &Call<'_>, row: Row, body: &Body) -> Outcome<()> {
    let operations = call.read(|view| changes(units, view, row, body))?;
    call.run(operations).map(drop).map_err(|refusal| if refusal.code == 5_374_242 { Refusal { code: 1_254_196, ..refusal } } else { refusal })
}

fn changes(units: &Units, view: &View<'_>, row: Row, body: &Body) -> Outcome<Vec<AnyOperation>> {
    is_offered(body)?;
    if let Some(field) = ["clone", "copy", "attributes"].into_iter().find(|field| body.has(field)) {
        return Err(Refusal::bad(262_203, format!("Field \"{field}\" cannot be set in this operation.")).at(field));
    }
    let Some(volume) = Units::get(view, row) else { return Ok(Vec::new()) };
    let id = volume.id().to_string();
    let mut operations: Vec<AnyOperation> = Vec::new();
    let spot = spot(view, volume.tenant, body, units.namespaces, Some(volume))?;
    let moves = volume.container() != Some(spot.container);
    if moves {
        operations.push(ops::volume::Move { volume: id.clone(), container: spot.volume.clone(), name: Some(spot.name.clone()) }.into());
    }
    let update = ops::volume::Update {
        volume: id.clone(),
        name: (!moves && spot.name != volume.name()).then_some(spot.name),
        allocation: allocation(body),
        qos_policy: volume.tenant.and_then(|svm| policy(view, &view.array.tenants[svm], body)),
        online: body.flag("enabled"),
        ..ops::volume::Update::default()
    };
    if update != (ops::volume::Update { volume: id.clone(), ..ops::volume::Update::default() }) {
        operations.push(update.into());
    }
    if let Some(size) = body.number("space.size") {
        operations.push(ops::volume::Expand { volume: id.clone(), size: Bytes::new(size) }.into());
    }
    operations.extend(kept::keep("volume", &id, notes(units, body)));
    Ok(operations)
}

/// Deletes one; with the switch, its maps go with it.
pub(super) fn delete(call: &Call<'_>, row: Row) -> Outcome<()> {
    let operations = call.read(|view| {
        let Some(volume) = Units::get(view, row) else { return Vec::new() };
        let maps = view.array.mappings_of(volume.key()).filter(|_| call.is_on("allow_delete_while_mapped"));
        let mut operations: Vec<AnyOperation> = maps.map(|map| ops::mapping::Delete { mapping: map.id().to_string() }.into()).collect();
        operations.push(ops::volume::Delete { volume: volume.id().to_string(), ..ops::volume::Delete::default() }.into());
        operations
    });
    call.run(operations).map(drop)
}

/// What stands beside it; an empty comment is none.
fn notes(units: &Units, body: &Body) -> Notes {
    let mut notes = kept::said(body, units.kept());
    if notes.get("comment").and_then(Value::as_str) == Some("") {
        notes.insert("comment".into(), Value::Null);
    }
    notes
}

fn allocation(body: &Body) -> Option<Allocation> {
    body.flag("space.guarantee.requested").map(|thick| if thick { Allocation::Thick } else { Allocation::Thin })
}

fn offline(body: &Body, spot: &Spot) -> Option<AnyOperation> {
    let update = || ops::volume::Update { volume: spot.reference(), online: Some(false), ..ops::volume::Update::default() };
    (body.flag("enabled") == Some(false)).then(|| update().into())
}

/// The QoS policy that a body asks for, as operations find it; empty for none.
fn policy(view: &View<'_>, svm: &Tenant, body: &Body) -> Option<String> {
    if !body.has("qos_policy") {
        return None;
    }
    let Some(named) = body.named("qos_policy").filter(|named| named.name.as_deref() != Some("none")) else { return Some(String::new()) };
    let is_open = |policy: &&QosPolicy| policy.tenant.is_none() || policy.tenant == Some(svm.key());
    let is_it = |policy: &&QosPolicy| {
        is_open(policy)
            && named.uuid.as_ref().is_none_or(|uuid| *uuid == policy.id().to_string())
            && named.name.as_ref().is_none_or(|name| name == policy.name())
    };
    let found = view.array.qos_policies.iter().find(is_it).map(|policy| policy.id().to_string());
    Some(found.unwrap_or_else(|| named.shown().to_owned()))
}

/// The LUN whose attributes are meant.
pub(super) fn lun_of(view: &View<'_>, id: &str) -> Option<Key<Volume>> {
    let named = Named { uuid: Some(id.to_owned()), name: None };
    lun_path::find(view.array, &named, false, None).map(Object::key)
}
