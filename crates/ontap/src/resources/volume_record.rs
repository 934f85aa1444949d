//! What is shown of a volume.

use serde_json::{Value, json};

use crate::body::Named;
use crate::collection::{View, refer};
use crate::engine::{JobStatus, Work};
use crate::fields::Want;
use crate::kept;
use crate::model::{Container, Guarantee, Object, RecordKind, space};
use crate::ops::AnyOperation;
use crate::resources::{aggregate, consistency_group, efficiency, volume, volume_change, volume_qos};
use crate::statistics::{Subject, metric, statistics};

/// The part of a volume's size that is kept for snapshots where nobody has said otherwise, in percent.
const RESERVE: u64 = 5;

pub(crate) fn record(view: &View<'_>, container: &Container, want: &Want) -> Value {
    let array = view.array;
    let mut record = json!({
        "uuid": container.id(), "name": container.name(), "style": "flexvol", "type": "rw", "state": container.state, "size": container.size.get(),
        "create_time": view.stamp(container.created), "language": "c.utf_8", "is_svm_root": volume::is_root(container), "is_object_store": false, "is_constituent": false,
        "snapshot_count": array.snapshots_of(container.key()).count(), "access_time_enabled": true, "snapshot_directory_access_enabled": true,
        "snapshot_locking_enabled": false, "cloud_retrieval_policy": "default", "scheduled_snapshot_naming_scheme": "create_time",
        "error_state": {"has_bad_blocks": false, "is_inconsistent": false}, "snaplock": {"type": "non_snaplock"},
        "guarantee": {"type": if container.guarantee == Guarantee::Thick { "volume" } else { "none" }, "honored": true},
        "tiering": {"policy": "none", "supported": false}, "encryption": encryption(view, container),
    });
    if let Some(svm) = container.tenant.and_then(|key| array.tenants.get(key)) {
        record["svm"] = refer(svm.name(), svm.id());
    }
    if let Some(pool) = array.pools.get(container.pool) {
        record["aggregates"] = json!([refer(pool.name(), pool.id())]);
        if want.has("nodes") {
            record["nodes"] = aggregate::acting(view, pool).map(|node| view.refer_node(node)).into_iter().collect();
        }
    }
    // Without a policy no snapshots are taken, which is what the policy `none` says.
    let none = || kept::find(array, RecordKind::SnapshotPolicy, &Named { uuid: None, name: Some("none".to_owned()) }, None);
    if let Some(policy) = kept::record(array, container.note("snapshot_policy")).or_else(none) {
        record["snapshot_policy"] = refer(policy.name(), policy.id());
    }
    if let Some(policy) = container.qos_policy.and_then(|key| array.qos_policies.get(key)) {
        record["qos"] = json!({"policy": volume_qos::record(policy)});
    }
    if want.has("consistency_group")
        && let Some(group) = consistency_group::group_of(array, container)
    {
        record["consistency_group"] = refer(group.name(), group.id());
    }
    if want.has("clone") {
        record["clone"] = clone(view, container);
    }
    if want.has("movement")
        && let Some(movement) = movement(view, container)
    {
        record["movement"] = movement;
    }
    if want.has("efficiency") {
        record["efficiency"] = efficiency::record(view, container);
    }
    if want.has("autosize") {
        let size = container.size.get();
        record["autosize"] = json!({"mode": "off", "grow_threshold": 85, "shrink_threshold": 50, "maximum": size / 5 * 6, "minimum": size});
    }
    // Kept for clients that look for it; no files are served.
    if want.has("nas") {
        record["nas"] = json!({"export_policy": {"name": "default"}, "security_style": "unix", "unix_permissions": 755, "uid": 0, "gid": 0});
    }
    if want.has("space") {
        record["space"] = of_space(view, container);
    }
    if want.has("metric") {
        record["metric"] = metric(view, &Subject::volume(container.key()), "/storage/volumes");
    }
    if want.has("statistics") {
        record["statistics"] = statistics(view, &Subject::volume(container.key()));
    }
    kept::show(&mut record, container, &volume_change::KEPT);
    record
}

fn encryption(view: &View<'_>, container: &Container) -> Value {
    let of_aggregate = view.array.pools.get(container.pool).is_some_and(|pool| pool.encryption);
    let of_volume = container.note("encryption.enabled").and_then(Value::as_bool).unwrap_or(false);
    let kind = match (of_aggregate, of_volume) {
        (true, _) => "aggregate",
        (false, true) => "volume",
        (false, false) => "none",
    };
    let on = kind != "none";
    json!({"enabled": on, "type": kind, "state": if on { "encrypted" } else { "unencrypted" }})
}

fn clone(view: &View<'_>, container: &Container) -> Value {
    let array = view.array;
    let has_clones = array.snapshots_of(container.key()).any(|snapshot| array.containers.iter().any(|other| is_of(other, snapshot)));
    let Some(clone) = container.clone else { return json!({"is_flexclone": false, "has_flexclone": has_clones, "split_initiated": false}) };
    let mut record = json!({
        "is_flexclone": true, "has_flexclone": has_clones, "split_initiated": clone.splitting, "split_estimate": clone.size_of_shared().get(),
        "inherited_physical_used": clone.size_of_shared().get(), "inherited_savings": clone.shared.get().saturating_sub(clone.size_of_shared().get()),
    });
    let working = view.world.jobs.iter().find(|job| matches!(job.work, Work::Split(key) if key == container.key()) && !job.status.is_over());
    if let Some(job) = working {
        record["split_complete_percent"] = json!(job.percent(view.now()));
    }
    if let Some(snapshot) = array.snapshots.get(clone.snapshot) {
        record["parent_snapshot"] = refer(snapshot.name(), snapshot.id());
        if let Some(parent) = array.containers.get(snapshot.container) {
            record["parent_volume"] = refer(parent.name(), parent.id());
            if let Some(svm) = parent.tenant.and_then(|key| array.tenants.get(key)) {
                record["parent_svm"] = refer(svm.name(), svm.id());
            }
        }
    }
    record
}

/// The last move of a volume to another aggregate, as its job tells.
fn movement(view: &View<'_>, container: &Container) -> Option<Value> {
    let moves = |work: &Work<AnyOperation>| if let Work::MigrateContainer(moved, pool) = work { (*moved == container.key()).then_some(*pool) } else { None };
    let (job, pool) = view.world.jobs.iter().filter_map(|job| Some((job, moves(&job.work)?))).next_back()?;
    let state = match job.status {
        JobStatus::Queued => "queued",
        JobStatus::Running if container.migration.is_some_and(|migration| migration.paused) => "paused",
        JobStatus::Running => "replicating",
        JobStatus::Succeeded => "success",
        JobStatus::Failed => "failed",
        JobStatus::Canceled => "aborted",
    };
    let mut record = json!({"state": state, "percent_complete": job.percent(view.now()), "start_time": view.stamp(job.created), "cutover_window": 30});
    if let Some(pool) = view.array.pools.get(pool) {
        record["destination_aggregate"] = refer(pool.name(), pool.id());
    }
    Some(record)
}

/// Whether a volume is a clone of that snapshot.
pub(crate) fn is_of(container: &Container, snapshot: &crate::model::Snapshot) -> bool {
    container.clone.is_some_and(|clone| clone.snapshot == snapshot.key())
}

/// Space as ONTAP counts it: a part of the size is kept for snapshots, the rest is the file system that holds LUNs. What snapshots take
/// beyond their part is taken from the file system.
fn of_space(view: &View<'_>, container: &Container) -> Value {
    let array = view.array;
    let percent = container.note("space.snapshot.reserve_percent").and_then(Value::as_u64).unwrap_or(RESERVE).min(100);
    let size = container.size.get();
    let reserve = size / 100 * percent + size % 100 * percent / 100;
    let frozen = space::kept_by_snapshots(array, container.key());
    let of_snapshots = container.reduced(frozen).get();
    let (file_system, of_luns) = (size - reserve, container.used().get().saturating_sub(of_snapshots));
    let spill = of_snapshots.saturating_sub(reserve);
    let mut available = file_system.saturating_sub(of_luns).saturating_sub(spill);
    if container.guarantee == Guarantee::Thin {
        available = available.min(array.pools.get(container.pool).map_or(0, |pool| pool.free().get()));
    }
    let logical = container.savings.before.get() + container.shared().get();
    let (physical, footprint) = (container.savings.after.get(), container.charge().get());
    let percent_of = |part: u64, whole: u64| u64::try_from(u128::from(part) * 100 / u128::from(whole.max(1))).unwrap_or(100);
    let thick = container.guarantee == Guarantee::Thick;
    json!({
        "size": size, "available": available, "used": of_luns + spill, "afs_total": file_system, "used_by_afs": of_luns, "filesystem_size": size,
        "percent_used": percent_of(of_luns + spill, file_system), "available_percent": percent_of(available, size),
        "physical_used": physical, "physical_used_percent": percent_of(physical, size), "user_data": physical,
        "footprint": footprint, "total_footprint": footprint, "local_tier_footprint": footprint,
        "volume_guarantee_footprint": if thick { footprint.saturating_sub(physical) } else { 0 },
        "over_provisioned": 0, "capacity_tier_footprint": 0, "total_metadata": 0, "metadata": 0, "fractional_reserve": if thick { 100 } else { 0 },
        "full_threshold_percent": Container::FULL_PERCENT, "nearly_full_threshold_percent": Container::NEARLY_FULL_PERCENT, "filesystem_size_fixed": false, "large_size_enabled": false,
        "size_available_for_snapshots": available + reserve.saturating_sub(of_snapshots), "snapshot_spill": spill,
        "logical_space": {
            "available": available, "used": logical, "used_percent": percent_of(logical, size), "used_by_afs": logical.saturating_sub(frozen.get()),
            "used_by_snapshots": frozen.get(), "reporting": false, "enforcement": false,
        },
        "snapshot": {
            "reserve_percent": percent, "reserve_size": reserve, "reserve_available": reserve.saturating_sub(of_snapshots), "used": of_snapshots,
            "space_used_percent": percent_of(of_snapshots, reserve), "autodelete_enabled": false, "autodelete_trigger": "volume",
            "autodelete": {"enabled": false, "trigger": "volume", "commitment": "try", "delete_order": "oldest_first"},
        },
    })
}
