//! `/storage/aggregates`: pools. Their RAID groups are made of the spares of a node, and grow with them.

use serde_json::{Value, json};

use crate::body::Body;
use crate::collection::{Call, Collection, Row, Timing, Verb, View};
use crate::fields::Want;
use crate::model::{Container, Controller, Drive, Key, Object, Pool, RaidLevel};
use crate::ops::{self, AnyOperation};
use crate::query::Asked;
use crate::refusal::{Outcome, Refusal};
use crate::resources::by_uuid_or_name;

/// The aggregates.
pub(crate) struct Aggregates;

impl Collection for Aggregates {
    fn path(&self) -> &'static str {
        "/storage/aggregates"
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Create, Verb::Update, Verb::Delete]
    }
    fn timing(&self, _: Verb) -> Timing {
        Timing::Job
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        Ok(view.array.pools.iter().map(|pool| Row(pool.key().raw(), 0)).collect())
    }
    fn index(&self, view: &View<'_>, asked: &Asked) -> Option<Vec<Row>> {
        by_uuid_or_name(&view.array.pools, asked)
    }
    fn find(&self, view: &View<'_>, keys: &[String]) -> Outcome<Option<Row>> {
        let id = keys.first().and_then(|key| key.parse().ok());
        Ok(id.and_then(|id| view.array.pools.key_of(id)).map(|key| Row(key.raw(), 0)))
    }
    fn record(&self, view: &View<'_>, row: Row, want: &Want) -> Value {
        let Some(pool) = view.array.pools.get(Key::<Pool>::from_raw(row.0)) else { return json!({}) };
        let mut record = json!({
            "uuid": pool.id(), "name": pool.name(), "state": "online", "snaplock_type": "non_snaplock",
            "data_encryption": {"software_encryption_enabled": pool.encryption, "drive_protection_enabled": false},
        });
        if let Some(node) = owner(view, pool) {
            record["node"] = view.refer_node(node);
            record["home_node"] = view.refer_node(node);
        }
        if want.has("block_storage") {
            record["block_storage"] = block_storage(view, pool);
        }
        if want.has("space") {
            record["space"] = space(view, pool);
        }
        if want.has("volume-count") {
            record["volume-count"] = json!(containers(view, pool).count());
        }
        record
    }
    fn create(&self, call: &Call<'_>, body: &Body) -> Outcome<Row> {
        let name = body.required("name")?.to_owned();
        let count = body.number("block_storage.primary.disk_count").ok_or_else(|| Refusal::required("block_storage.primary.disk_count"))?;
        let node = body.named("node").ok_or_else(|| Refusal::required("node.name"))?;
        let controller = call.read(|view| view.find_node(&node).map(|node| node.id().to_string()));
        let unknown = || Refusal::bad(786_446, format!("Node \"{}\" is not a member of the cluster.", node.shown())).at("node.name");
        let create = ops::pool::Create {
            name,
            level: Some(level(body.text("block_storage.primary.raid_type"))?),
            drive_count: Some(u32::try_from(count).unwrap_or(u32::MAX)),
            controller: Some(controller.ok_or_else(unknown)?),
            encryption: body.flag("data_encryption.software_encryption_enabled").filter(|on| *on),
            ..ops::pool::Create::default()
        };
        call.make::<Pool>(vec![create.into()]).map(|key| Row(key.raw(), 0))
    }
    fn update(&self, call: &Call<'_>, row: Row, body: &Body) -> Outcome<()> {
        let (id, disks) = call.read(|view| {
            let pool = view.array.pools.get(Key::<Pool>::from_raw(row.0));
            pool.map_or_else(Default::default, |pool| (pool.id().to_string(), members(view, pool).count() as u64))
        });
        let mut operations: Vec<AnyOperation> = Vec::new();
        if let Some(name) = body.text("name") {
            operations.push(ops::pool::Update { pool: id.clone(), name: Some(name.to_owned()), ..ops::pool::Update::default() }.into());
        }
        match body.number("block_storage.primary.disk_count") {
            Some(count) if count < disks => {
                return Err(
                    Refusal::bad(787_170, format!("An aggregate cannot be reduced from {disks} disks to {count}.")).at("block_storage.primary.disk_count")
                );
            }
            Some(count) if count > disks => {
                let more = u32::try_from(count - disks).unwrap_or(u32::MAX);
                operations.push(ops::pool::Expand { pool: id, drive_count: Some(more), ..ops::pool::Expand::default() }.into());
            }
            _ => {}
        }
        call.run(operations).map(drop)
    }
    fn delete(&self, call: &Call<'_>, row: Row) -> Outcome<()> {
        let pool = call.read(|view| view.array.pools.get(Key::<Pool>::from_raw(row.0)).map(|pool| pool.id().to_string()));
        call.run(vec![ops::pool::Delete { pool: pool.unwrap_or_default() }.into()]).map(drop)
    }
}

/// The level that a word of ONTAP stands for; RAID-DP if nothing is said.
fn level(word: Option<&str>) -> Outcome<RaidLevel> {
    match word {
        None | Some("raid_dp") => Ok(RaidLevel::RaidDp),
        Some("raid_tec") => Ok(RaidLevel::RaidTec),
        Some(other) => Err(Refusal::bad_value("block_storage.primary.raid_type", &json!(other), "one of: raid_dp, raid_tec")),
    }
}

/// The word of ONTAP for a level.
fn word(level: RaidLevel) -> &'static str {
    match level {
        RaidLevel::RaidTec => "raid_tec",
        _ => "raid_dp",
    }
}

/// The node that an aggregate belongs to.
pub(crate) fn owner<'a>(view: &View<'a>, pool: &Pool) -> Option<&'a Controller> {
    let group = pool.raid_groups.first().and_then(|group| view.array.raid_groups.get(*group))?;
    view.array.controllers.get(group.controller)
}

fn members<'a>(view: &View<'a>, pool: &'a Pool) -> impl Iterator<Item = &'a Drive> {
    let array = view.array;
    pool.raid_groups
        .iter()
        .filter_map(move |group| array.raid_groups.get(*group))
        .flat_map(|group| group.members())
        .filter_map(move |(_, drive)| array.drives.get(drive))
}

fn containers<'a>(view: &View<'a>, pool: &'a Pool) -> impl Iterator<Item = &'a Container> {
    view.array.containers.iter().filter(move |container| container.pool == pool.key())
}

fn block_storage(view: &View<'_>, pool: &Pool) -> Value {
    let count = members(view, pool).count();
    let largest = pool.raid_groups.iter().filter_map(|group| view.array.raid_groups.get(*group)).map(|group| group.members().count()).max().unwrap_or(0);
    json!({
        "primary": {"disk_count": count, "disk_class": "solid_state", "disk_type": "ssd", "raid_type": word(pool.level), "raid_size": largest.max(24), "checksum_style": "advanced_zoned"},
        "hybrid_cache": {"enabled": false}, "mirror": {"enabled": false, "state": "unmirrored"}, "storage_type": "ssd", "uses_partitions": false,
    })
}

fn space(view: &View<'_>, pool: &Pool) -> Value {
    let (size, used) = (pool.capacity.get(), pool.used().get());
    let promised: u64 = containers(view, pool).map(|container| container.charge().get()).sum();
    let (before, after) =
        containers(view, pool).fold((0, 0), |(before, after), container| (before + container.savings.before.get(), after + container.savings.after.get()));
    #[expect(clippy::cast_precision_loss, reason = "a ratio that is shown")]
    let ratio = if after == 0 { 1.0 } else { before as f64 / after as f64 };
    json!({
        "block_storage": {
            "size": size, "available": size.saturating_sub(used), "used": used, "physical_used": used, "full_threshold_percent": 98, "volume_footprints_percent": (promised * 100).checked_div(size).unwrap_or(0),
            "used_including_snapshot_reserve": used, "used_including_snapshot_reserve_percent": (used * 100).checked_div(size).unwrap_or(0), "data_compaction_space_saved": 0, "volume_deduplication_space_saved": before.saturating_sub(after),
        },
        "snapshot": {"used_percent": 0, "available": 0, "total": 0, "used": 0, "reserve_percent": 0},
        "footprint": promised, "cloud_storage": {"used": 0},
        "efficiency": {"savings": before.saturating_sub(after), "ratio": ratio, "logical_used": before},
        "efficiency_without_snapshots": {"savings": before.saturating_sub(after), "ratio": ratio, "logical_used": before},
    })
}
