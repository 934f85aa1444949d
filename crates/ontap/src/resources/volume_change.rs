//! What bodies for volumes become: operations on containers, and notes.

use serde_json::{Value, json};

use crate::body::{Body, Named};
use crate::collection::{View, resolve};
use crate::kept;
use crate::model::{Container, ContainerState, Guarantee, Notes, Object, Pool, RecordKind, Tenant};
use crate::ops::{self, AnyOperation};
use crate::refusal::{Outcome, Refusal};
use crate::resources::volume::{is_root, snapshot_of};
use crate::resources::{efficiency, svm_change, volume_qos};
use crate::units::Bytes;

/// The note of a snapshot that was taken to make a clone.
pub(crate) const FOR_A_CLONE: &str = "for_a_clone";

/// The size of a volume for which nobody has asked.
const SIZE: u64 = 20 * 1024 * 1024;

/// Fields that are kept as they are given.
pub(crate) const KEPT: [&str; 39] = [
    "comment",
    "language",
    "access_time_enabled",
    "autosize.mode",
    "autosize.grow_threshold",
    "autosize.shrink_threshold",
    "autosize.maximum",
    "autosize.minimum",
    "cloud_retrieval_policy",
    "cloud_write_enabled",
    "convert_unicode",
    "encryption.enabled",
    "files.maximum",
    "granular_data",
    "max_dir_size",
    "movement.cutover_window",
    "nas.export_policy.name",
    "nas.gid",
    "nas.path",
    "nas.security_style",
    "nas.uid",
    "nas.unix_permissions",
    "scheduled_snapshot_naming_scheme",
    "snapshot_directory_access_enabled",
    "snapshot_locking_enabled",
    "space.filesystem_size_fixed",
    "space.fractional_reserve",
    "space.full_threshold_percent",
    "space.large_size_enabled",
    "space.logical_space.enforcement",
    "space.logical_space.reporting",
    "space.nearly_full_threshold_percent",
    "space.snapshot.autodelete.commitment",
    "space.snapshot.autodelete.delete_order",
    "space.snapshot.autodelete.enabled",
    "space.snapshot.autodelete.trigger",
    "space.snapshot.reserve_percent",
    "tiering.min_cooling_days",
    "tiering.policy",
];

/// A new volume, or a clone of one.
pub(crate) fn create(view: &View<'_>, body: &Body) -> Outcome<Vec<AnyOperation>> {
    is_served(body)?;
    let svm = kept::required_svm(view, body)?;
    let name = body.required("name")?;
    svm_change::has_room(view, svm, 1)?;
    if body.has("clone.parent_volume") || body.flag("clone.is_flexclone") == Some(true) {
        return clone(view, svm, name, body);
    }
    let (reduction, mut notes) = efficiency::said(view, None, Some(svm), body)?;
    notes.extend(kept::said(body, &KEPT));
    notes.extend(snapshot_policy(view, svm, body, true)?);
    let qos = volume_qos::asked(view, Some(svm), None, body)?;
    let create = ops::container::Create {
        name: name.to_owned(),
        pool: aggregate(view, body)?.id().to_string(),
        size: Bytes::new(body.number("size").or_else(|| body.number("space.size")).unwrap_or(SIZE)),
        guarantee: guarantee(body).or(Some(Guarantee::Thick)),
        deduplication: reduction.map(|reduction| reduction.deduplication),
        compression: reduction.map(|reduction| reduction.compression),
        tenant: Some(svm.id().to_string()),
        qos_policy: qos.policy.filter(|policy| !policy.is_empty()),
    };
    let mut operations = qos.before;
    operations.push(create.into());
    operations.extend(kept::keep("container", "", notes));
    Ok(operations)
}

/// A clone of a snapshot, which is taken if none is named.
fn clone(view: &View<'_>, svm: &Tenant, name: &str, body: &Body) -> Outcome<Vec<AnyOperation>> {
    let named = body.named("clone.parent_volume").ok_or_else(|| Refusal::required("clone.parent_volume.name"))?;
    let unknown = || Refusal::bad(524_601, format!("The parent volume \"{}\" does not exist in the SVM.", named.shown())).at("clone.parent_volume.name");
    let parent = resolve(&view.array.containers, &named, |container| container.tenant == Some(svm.key())).ok_or_else(unknown)?;
    let mut operations = Vec::new();
    let snapshot = match body.named("clone.parent_snapshot") {
        Some(Named { uuid, name }) => {
            let found = snapshot_of(view, parent, name.as_deref(), uuid.as_deref());
            let unknown = || Refusal::bad(1_638_400, "The parent snapshot does not exist in the parent volume.").at("clone.parent_snapshot.name");
            found.ok_or_else(unknown)?.id().to_string()
        }
        None => {
            let taken = automatic_name(view, parent, name);
            operations.push(ops::snapshot::Create { container: parent.id().to_string(), name: taken.clone(), comment: None }.into());
            operations.extend(kept::keep("snapshot", "", Notes::from([(FOR_A_CLONE.to_owned(), json!(true))])));
            format!("{}/{taken}", parent.name())
        }
    };
    let qos = volume_qos::of_clone(view, svm, parent, body)?;
    operations.extend(qos.before);
    operations.push(ops::container::Clone { snapshot, name: name.to_owned() }.into());
    let update = ops::container::Update {
        container: name.to_owned(),
        size: body.number("size").or_else(|| body.number("space.size")).map(Bytes::new),
        guarantee: guarantee(body),
        qos_policy: qos.policy,
        ..ops::container::Update::default()
    };
    if update != (ops::container::Update { container: name.to_owned(), ..ops::container::Update::default() }) {
        operations.push(update.into());
    }
    let mut notes: Notes = parent.notes().cloned().unwrap_or_default();
    notes.retain(|name, _| name != "comment" && name != crate::resources::volume::ROOT);
    notes.extend(kept::said(body, &KEPT));
    notes.extend(snapshot_policy(view, svm, body, false)?);
    operations.extend(kept::keep("container", "", notes));
    Ok(operations)
}

/// What ONTAP calls a snapshot that it takes for a clone.
fn automatic_name(view: &View<'_>, parent: &Container, clone: &str) -> String {
    let stamp = view.stamp(view.now());
    let when: String = stamp.chars().take(19).filter(|c| *c != ':').map(|c| if c == 'T' { '_' } else { c }).collect();
    let mut names = (0..).map(|index| format!("clone_{clone}.{when}.{index}"));
    names.find(|name| snapshot_of(view, parent, Some(name), None).is_none()).unwrap_or_default()
}

/// Changes of a volume.
pub(crate) fn update(view: &View<'_>, container: &Container, body: &Body) -> Outcome<Vec<AnyOperation>> {
    is_served(body)?;
    stays(view, container, body)?;
    let svm = container.tenant.and_then(|key| view.array.tenants.get(key));
    let id = container.id().to_string();
    let (reduction, mut notes) = efficiency::said(view, Some(container), svm, body)?;
    notes.extend(kept::said(body, &KEPT));
    if let Some(svm) = svm {
        notes.extend(snapshot_policy(view, svm, body, false)?);
    }
    let qos = volume_qos::asked(view, svm, Some(container), body)?;
    let update = ops::container::Update {
        container: id.clone(),
        name: body.text("name").filter(|name| *name != container.name()).map(str::to_owned),
        size: body.number("size").or_else(|| body.number("space.size")).map(Bytes::new),
        guarantee: guarantee(body),
        deduplication: reduction.map(|reduction| reduction.deduplication),
        compression: reduction.map(|reduction| reduction.compression),
        qos_policy: qos.policy,
        state: state(body)?,
    };
    let mut operations = qos.before;
    if update != (ops::container::Update { container: id.clone(), ..ops::container::Update::default() }) {
        operations.push(update.into());
    }
    operations.extend(kept::keep("container", &id, notes));
    operations.extend(qos.after);
    if body.flag("clone.split_initiated") == Some(true) {
        operations.push(ops::container::Split { container: id.clone() }.into());
    }
    operations.extend(movement(view, id, body)?);
    Ok(operations)
}

/// What a volume can be here: a FlexVol that hosts read and write.
fn is_served(body: &Body) -> Outcome<()> {
    let one_of = |field: &str, accepted: &[&str]| match body.text(field) {
        Some(word) if !accepted.contains(&word) => Err(Refusal::bad(3, format!("\"{word}\" is not supported for field \"{field}\".")).at(field)),
        _ => Ok(()),
    };
    one_of("style", &["flexvol"])?;
    one_of("type", &["rw"])?;
    one_of("snaplock.type", &["non_snaplock"])?;
    if body.list("aggregates").is_some_and(|list| list.len() > 1) || body.number("constituent_count").is_some_and(|count| count > 1) {
        return Err(Refusal::bad(3, "FlexGroup volumes are not supported; name one aggregate.").at("aggregates"));
    }
    Ok(())
}

/// The state that a body asks for.
fn state(body: &Body) -> Outcome<Option<ContainerState>> {
    match body.text("state") {
        None => Ok(None),
        Some("online") => Ok(Some(ContainerState::Online)),
        Some("offline") => Ok(Some(ContainerState::Offline)),
        Some("restricted") => Ok(Some(ContainerState::Restricted)),
        Some(other) => Err(Refusal::bad(3, format!("The volume cannot become {other}.")).at("state")),
    }
}

/// A volume keeps its SVM, and its aggregate unless it is moved.
fn stays(view: &View<'_>, container: &Container, body: &Body) -> Outcome<()> {
    if kept::svm(view, body)?.is_some_and(|svm| Some(svm.key()) != container.tenant) {
        return Err(Refusal::bad(3, "A volume cannot be given to another SVM.").at("svm"));
    }
    if body.has("aggregates") && aggregate(view, body)?.key() != container.pool {
        let message = "A volume is moved to another aggregate by \"movement.destination_aggregate\", not by \"aggregates\".";
        return Err(Refusal::bad(787_141, message).at("aggregates"));
    }
    match body.text("state") {
        Some(state) if state != "online" && is_root(container) => Err(Refusal::conflict(917_617, "The root volume of an SVM stays online.").at("state")),
        _ => Ok(()),
    }
}

fn aggregate<'a>(view: &View<'a>, body: &Body) -> Outcome<&'a Pool> {
    let named = body.bodies("aggregates").and_then(|list| list.first().map(|item| Named { uuid: text(item, "uuid"), name: text(item, "name") }));
    let named = named.filter(|named| *named != Named::default());
    let missing = || Refusal::bad(787_140, "One of \"aggregates.uuid\", \"aggregates.name\" must be provided.").at("aggregates.name");
    let named = named.ok_or_else(missing)?;
    find_aggregate(view, &named, "aggregates.name")
}

fn find_aggregate<'a>(view: &View<'a>, named: &Named, field: &str) -> Outcome<&'a Pool> {
    let unknown = || Refusal::bad(917_508, format!("The aggregate \"{}\" does not exist.", named.shown())).at(field);
    resolve(&view.array.pools, named, |_| true).ok_or_else(unknown)
}

/// A move to another aggregate that shall begin, stand still, go on or be broken off. The cutover follows by itself.
fn movement(view: &View<'_>, container: String, body: &Body) -> Outcome<Option<AnyOperation>> {
    if let Some(named) = body.named("movement.destination_aggregate") {
        let pool = find_aggregate(view, &named, "movement.destination_aggregate.name")?.id().to_string();
        return Ok(Some(ops::container_migration::Migrate { container, pool }.into()));
    }
    Ok(match body.text("movement.state") {
        None => None,
        Some("paused") => Some(ops::container_migration::PauseMigration { container }.into()),
        Some("replicating") => Some(ops::container_migration::ResumeMigration { container }.into()),
        Some("aborted") => Some(ops::container_migration::StopMigration { container }.into()),
        Some(other) => {
            let message = format!(
                "A volume move is not brought to \"{other}\" by hand: the cutover follows as soon as all data is there. Ask for paused, replicating or aborted."
            );
            return Err(Refusal::bad(3, message).at("movement.state"));
        }
    })
}

fn text(body: &Body, path: &str) -> Option<String> {
    body.text(path).filter(|text| !text.is_empty()).map(str::to_owned)
}

fn guarantee(body: &Body) -> Option<Guarantee> {
    body.text("guarantee.type").map(|word| if word == "none" { Guarantee::Thin } else { Guarantee::Thick })
}

/// The snapshot policy that is named, as a note; that of the SVM, or `default`, for a new volume.
fn snapshot_policy(view: &View<'_>, svm: &Tenant, body: &Body, is_new: bool) -> Outcome<Option<(String, Value)>> {
    let note = |record| Some(("snapshot_policy".to_owned(), kept::reference(record)));
    if let Some(named) = body.named("snapshot_policy") {
        let unknown = || Refusal::bad(917_551, format!("The snapshot policy \"{}\" does not exist.", named.shown())).at("snapshot_policy.name");
        return kept::find(view.array, RecordKind::SnapshotPolicy, &named, Some(svm)).map(note).ok_or_else(unknown);
    }
    if !is_new {
        return Ok(None);
    }
    let of_svm = kept::record(view.array, svm.note("snapshot_policy"));
    let usual = || kept::find(view.array, RecordKind::SnapshotPolicy, &Named { uuid: None, name: Some("default".to_owned()) }, Some(svm));
    Ok(of_svm.or_else(usual).and_then(note))
}
