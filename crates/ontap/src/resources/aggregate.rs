//! `/storage/aggregates`: pools. Their RAID groups are made of the spares of a node, and grow with them.

use serde_json::{Value, json};

use crate::body::Body;
use crate::collection::{Call, Collection, Row, Timing, Verb, View, refer};
use crate::fields::Want;
use crate::kept;
use crate::model::{Container, Controller, Drive, GroupStatus, Key, Object, Pool, RaidGroup, RaidLevel};
use crate::ops::{self, AnyOperation};
use crate::query::Asked;
use crate::refusal::{Outcome, Refusal};
use crate::resources::{aggregate_layout as layout, by_uuid_or_name};

/// Fields that are kept as they are given.
const KEPT: [&str; 1] = ["inactive_data_reporting.enabled"];

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
    fn lasts(&self) -> bool {
        true
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
            "uuid": pool.id(), "name": pool.name(), "state": state(view, pool), "snaplock_type": "non_snaplock",
            "inactive_data_reporting": {"enabled": false}, "sidl_enabled": false, "is_spare_low": false,
            "data_encryption": {"software_encryption_enabled": pool.encryption, "drive_protection_enabled": false},
        });
        if let Some(node) = owner(view, pool) {
            record["home_node"] = view.refer_node(node);
        }
        if let Some(node) = acting(view, pool) {
            record["node"] = view.refer_node(node);
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
        kept::show(&mut record, pool, &KEPT);
        if view.query.get("auto_provision_policy") == Some("expand") {
            layout::expanded(view, pool, &mut record);
        }
        record
    }
    fn instead(&self, view: &View<'_>) -> Option<Value> {
        layout::instead(view)
    }
    fn create(&self, call: &Call<'_>, body: &Body) -> Outcome<Row> {
        is_no_trial(call)?;
        stays(None, body)?;
        if !body.has("name") && !body.has("node") && !body.has("block_storage.primary.disk_count") {
            return provide(call);
        }
        let name = body.required("name")?.to_owned();
        let count = body.number("block_storage.primary.disk_count").ok_or_else(|| Refusal::required("block_storage.primary.disk_count"))?;
        let node = body.named("node").ok_or_else(|| Refusal::required("node.name"))?;
        let unknown = || Refusal::bad(786_446, format!("Node \"{}\" is not a member of the cluster.", node.shown())).at("node.name");
        let level = level(body.text("block_storage.primary.raid_type"))?;
        let controller = call.read(|view| view.find_node(&node).map(|node| node.id().to_string())).ok_or_else(unknown)?;
        let create = ops::pool::Create {
            name,
            level: Some(level),
            drive_count: Some(u32::try_from(count).unwrap_or(u32::MAX)),
            controller: Some(controller),
            encryption: body.flag("data_encryption.software_encryption_enabled").filter(|on| *on),
            ..ops::pool::Create::default()
        };
        let mut operations = vec![create.into()];
        operations.extend(kept::keep("pool", "", kept::said(body, &KEPT)));
        call.make::<Pool>(operations).map(|key| Row(key.raw(), 0))
    }
    fn update(&self, call: &Call<'_>, row: Row, body: &Body) -> Outcome<()> {
        let expands = call.query.get("auto_provision_policy") == Some("expand");
        let (id, known, disks, asked) = call.read(|view| {
            let pool = view.array.pools.get(Key::<Pool>::from_raw(row.0)).ok_or_else(|| self.absent())?;
            stays(Some((view, pool)), body)?;
            let disks = members(view, pool).count() as u64;
            let spares = owner(view, pool).map_or(0, |node| layout::spares(view, node).len()) as u64;
            let asked = if expands { Some(disks + spares.saturating_sub(1)) } else { body.number("block_storage.primary.disk_count") };
            Ok((pool.id().to_string(), pool.name().to_owned(), disks, asked))
        })?;
        let mut operations: Vec<AnyOperation> = Vec::new();
        if let Some(name) = body.text("name").filter(|name| *name != known) {
            operations.push(ops::pool::Update { pool: id.clone(), name: Some(name.to_owned()), ..ops::pool::Update::default() }.into());
        }
        operations.extend(kept::keep("pool", &id, kept::said(body, &KEPT)));
        match asked {
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

/// A new aggregate is not tried: GET recommends.
fn is_no_trial(call: &Call<'_>) -> Outcome<()> {
    match ["simulate", "recommend"].iter().find(|switch| call.is_on(switch)) {
        Some(switch) => Err(Refusal::bad(3, format!("\"{switch}\" is not supported.")).at(switch)),
        None => Ok(()),
    }
}

/// What an aggregate cannot be, or become.
fn stays(present: Option<(&View<'_>, &Pool)>, body: &Body) -> Outcome<()> {
    let refuse = |field: &str, text: &str| Err(Refusal::bad(3, text.to_owned()).at(field));
    if body.text("state").is_some_and(|state| state != "online") {
        return refuse("state", "Aggregates are always online.");
    }
    if body.text("snaplock_type").is_some_and(|kind| kind != "non_snaplock") {
        return refuse("snaplock_type", "SnapLock is not supported.");
    }
    if body.flag("block_storage.mirror.enabled") == Some(true) {
        return refuse("block_storage.mirror.enabled", "Mirrored aggregates are not supported.");
    }
    let Some((view, pool)) = present else { return Ok(()) };
    if body.text("block_storage.primary.raid_type").is_some_and(|asked| asked != word(pool.level)) {
        return refuse("block_storage.primary.raid_type", "The RAID type of an aggregate cannot be changed.");
    }
    if body.flag("data_encryption.software_encryption_enabled").is_some_and(|on| on != pool.encryption) {
        return refuse("data_encryption.software_encryption_enabled", "An aggregate is encrypted when it is made, or not at all.");
    }
    let node = body.named("node").or_else(|| body.named("home_node"));
    let moves = node.is_some_and(|named| view.find_node(&named).map(Object::key) != owner(view, pool).map(Object::key));
    if moves { refuse("node", "Aggregates stay with their node.") } else { Ok(()) }
}

/// Aggregates as ONTAP would lay them out by itself: one for each node that has spares enough, of all but one of them.
fn provide(call: &Call<'_>) -> Outcome<Row> {
    let operations: Vec<AnyOperation> = call.read(|view| {
        let create = |(node, name, disks): (&Controller, String, usize)| {
            let create = ops::pool::Create {
                name,
                level: Some(RaidLevel::RaidDp),
                drive_count: u32::try_from(disks).ok(),
                controller: Some(node.id().to_string()),
                ..ops::pool::Create::default()
            };
            create.into()
        };
        layout::recommended(view).into_iter().map(create).collect()
    });
    if operations.is_empty() {
        return Err(Refusal::bad(19_726_341, "No node has enough spare disks for a new aggregate."));
    }
    call.make::<Pool>(operations).map(|key| Row(key.raw(), 0))
}

/// How an aggregate is, after the worst of its RAID groups.
fn state(view: &View<'_>, pool: &Pool) -> &'static str {
    let groups = || pool.raid_groups.iter().filter_map(|group| view.array.raid_groups.get(*group));
    if groups().any(|group| group.reported == GroupStatus::Broken) { "failed" } else { "online" }
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
pub(super) fn word(level: RaidLevel) -> &'static str {
    match level {
        RaidLevel::RaidTec => "raid_tec",
        _ => "raid_dp",
    }
}

/// The node that an aggregate belongs to.
pub(crate) fn owner<'a>(view: &View<'a>, pool: &Pool) -> Option<&'a Controller> {
    view.array.controllers.get(first_group(view, pool)?.controller)
}

/// The node that works for an aggregate now: its own, or the partner that has taken over.
pub(crate) fn acting<'a>(view: &View<'a>, pool: &Pool) -> Option<&'a Controller> {
    let acting = view.array.acting_owner(first_group(view, pool)?);
    acting.and_then(|node| view.array.controllers.get(node)).or_else(|| owner(view, pool))
}

fn first_group<'a>(view: &View<'a>, pool: &Pool) -> Option<&'a RaidGroup> {
    pool.raid_groups.first().and_then(|group| view.array.raid_groups.get(*group))
}

pub(crate) fn members<'a>(view: &View<'a>, pool: &'a Pool) -> impl Iterator<Item = &'a Drive> {
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

/// The disks of a RAID group, as many as are its default on systems with SSDs.
pub(super) const RAID_SIZE: usize = 24;

fn block_storage(view: &View<'_>, pool: &Pool) -> Value {
    let count = members(view, pool).count();
    let largest = pool.raid_groups.iter().filter_map(|group| view.array.raid_groups.get(*group)).map(|group| group.members().count()).max().unwrap_or(0);
    json!({
        "primary": {
            "disk_count": count, "disk_class": "solid_state", "disk_type": "ssd", "raid_type": word(pool.level), "raid_size": largest.max(RAID_SIZE),
            "checksum_style": "advanced_zoned",
        },
        "hybrid_cache": {"enabled": false}, "mirror": {"enabled": false, "state": "unmirrored"}, "storage_type": "ssd", "uses_partitions": false,
        "plexes": [{"name": "plex0"}],
    })
}

/// What data reduction saves in aggregates.
pub(crate) fn efficiency<'a>(view: &View<'_>, pools: impl Iterator<Item = &'a Pool>) -> Value {
    let keys: Vec<Key<Pool>> = pools.map(Object::key).collect();
    let inside = view.array.containers.iter().filter(|container| keys.contains(&container.pool));
    let (before, after) = inside.fold((0, 0), |(before, after), container| (before + container.savings.before.get(), after + container.savings.after.get()));
    #[expect(clippy::cast_precision_loss, reason = "a ratio that is shown")]
    let ratio = if after == 0 { 1.0 } else { before as f64 / after as f64 };
    json!({"savings": before.saturating_sub(after), "ratio": ratio, "logical_used": before})
}

fn space(view: &View<'_>, pool: &Pool) -> Value {
    let (size, used) = (pool.capacity.get(), pool.used().get());
    let claims = view.array.containers.iter().flat_map(Container::claims).filter(|claim| claim.pool == pool.key());
    let promised: u64 = claims.map(|claim| claim.taken.get()).sum();
    let written = written(view, pool, used);
    let efficiency = efficiency(view, std::iter::once(pool));
    let percent = |part: u64| u64::try_from(u128::from(part) * 100 / u128::from(size.max(1))).unwrap_or(0);
    let saved = efficiency["savings"].clone();
    json!({
        "block_storage": {
            "size": size, "available": size.saturating_sub(used), "used": used, "used_percent": percent(used), "physical_used": written,
            "physical_used_percent": percent(written), "full_threshold_percent": 98, "volume_footprints_percent": percent(promised),
            "used_including_snapshot_reserve": used, "used_including_snapshot_reserve_percent": percent(used), "data_compaction_space_saved": 0,
            "data_compaction_space_saved_percent": 0, "data_compacted_count": 0, "volume_deduplication_space_saved": saved, "aggregate_metadata": 0,
            "aggregate_metadata_percent": 0, "inactive_user_data": 0, "inactive_user_data_percent": 0,
        },
        "snapshot": {"used_percent": 0, "available": 0, "total": 0, "used": 0, "reserve_percent": 0},
        "footprint": promised, "total_provisioned_space": pool.provisioned.get(), "cloud_storage": {"used": 0},
        "efficiency": efficiency, "efficiency_without_snapshots": efficiency, "efficiency_without_snapshots_flexclones": efficiency,
    })
}

/// What is written of the space that is used: all but what is only kept for FlexVol volumes.
fn written(view: &View<'_>, pool: &Pool, used: u64) -> u64 {
    let claims = |container: &Container| container.claims().iter().filter(|claim| claim.pool == pool.key()).map(|claim| claim.taken.get()).sum::<u64>();
    let kept = |container: &Container| claims(container).saturating_sub(if container.pool == pool.key() { container.savings.after.get() } else { 0 });
    used.saturating_sub(view.array.containers.iter().map(kept).sum())
}

/// The one plex of an aggregate, with its RAID groups.
pub(crate) struct Plexes;

impl Collection for Plexes {
    fn path(&self) -> &'static str {
        "/storage/aggregates/{aggregate.uuid}/plexes"
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        let pool = view.parent().parse().ok().and_then(|id| view.array.pools.key_of(id));
        pool.map(|key| vec![Row(key.raw(), 0)]).ok_or_else(|| Refusal::missing(786_771, "The aggregate does not exist."))
    }
    fn record(&self, view: &View<'_>, row: Row, _: &Want) -> Value {
        let Some(pool) = view.array.pools.get(Key::<Pool>::from_raw(row.0)) else { return json!({}) };
        let groups = pool.raid_groups.iter().filter_map(|group| view.array.raid_groups.get(*group));
        let groups: Vec<Value> = groups.enumerate().map(|(index, group)| raid_group(view, index, group)).collect();
        json!({
            "name": "plex0", "aggregate": refer(pool.name(), pool.id()), "online": true, "state": "normal", "pool": "pool0", "resync": {"active": false},
            "raid_groups": groups,
        })
    }
}

fn raid_group(view: &View<'_>, index: usize, group: &RaidGroup) -> Value {
    let position = |slot: u32| match (group.level, slot) {
        (_, 0) => "dparity",
        (_, 1) => "parity",
        (RaidLevel::RaidTec, 2) => "tparity",
        _ => "data",
    };
    let disk = |(slot, key)| {
        let drive: &Drive = view.array.drives.get(key)?;
        Some(json!({
            "disk": {"name": drive.name()}, "position": position(slot), "state": if drive.serves() { "normal" } else { "failed" }, "type": "ssd",
            "usable_size": group.member_capacity().get(),
        }))
    };
    let disks: Vec<Value> = group.members().filter_map(disk).collect();
    let degraded = group.reported != GroupStatus::Available;
    json!({
        "name": format!("rg{index}"), "raid_type": word(group.level), "cache_tier": false, "degraded": degraded, "disks": disks,
        "recomputing_parity": {"active": false}, "reconstruct": {"active": degraded},
    })
}
