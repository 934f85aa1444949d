//! Aggregates as they could be: the spares of nodes, recommended aggregates, and what an aggregate would become.

use serde_json::{Value, json};

use crate::collection::View;
use crate::model::{Controller, Drive, Object, Pool, RaidLevel};
use crate::resources::aggregate::{RAID_SIZE, members, word};
use crate::units::Bytes;

/// The fewest spares of which the array makes an aggregate by itself.
const LEAST: usize = 6;

/// The spares of one kind that a node has.
pub(super) fn spares<'a>(view: &View<'a>, node: &Controller) -> Vec<&'a Drive> {
    let own = view.array.drives.iter().filter(|drive| drive.is_free() && view.array.home_of(drive) == Some(node.key()));
    let mut kinds: Vec<Vec<&Drive>> = Vec::new();
    for drive in own {
        match kinds.iter_mut().find(|kind| kind[0].drive_type == drive.drive_type && kind[0].capacity == drive.capacity) {
            Some(kind) => kind.push(drive),
            None => kinds.push(vec![drive]),
        }
    }
    kinds.into_iter().max_by_key(Vec::len).unwrap_or_default()
}

/// The nodes on which the array would make an aggregate by itself, each with its disks: all spares but one.
pub(super) fn recommended<'a>(view: &View<'a>) -> Vec<(&'a Controller, String, usize)> {
    let nodes = view.array.controllers.iter().map(|node| (node, spares(view, node).len())).filter(|(_, count)| *count >= LEAST);
    let named = |(node, count): (&'a Controller, usize)| {
        let names = (1..).map(|index| format!("{}_SSD_{index}", view.node_name(node).replace('-', "_")));
        let name = names.into_iter().find(|name| view.array.pools.named(name, None).is_none()).unwrap_or_default();
        (node, name, count - 1)
    };
    nodes.map(named).collect()
}

/// What a list of aggregates is with a switch that asks for something else: recommended ones, or spares.
pub(super) fn instead(view: &View<'_>) -> Option<Value> {
    if view.query.is_on("show_spares") {
        return Some(json!({"records": [], "num_records": 0, "spares": all_spares(view)}));
    }
    if !view.query.is_on("recommend") {
        return None;
    }
    let records: Vec<Value> = recommended(view).iter().map(|(node, name, disks)| proposal(view, node, name, *disks)).collect();
    Some(json!({"num_records": records.len(), "records": records, "recommendation_spares": all_spares(view), "warnings": []}))
}

fn proposal(view: &View<'_>, node: &Controller, name: &str, disks: usize) -> Value {
    let size = usable(&spares(view, node)).get() * data_disks(RaidLevel::RaidDp, disks);
    json!({
        "name": name, "node": view.refer_node(node), "space": {"block_storage": {"size": size}},
        "block_storage": {
            "primary": {
                "disk_count": disks, "raid_type": "raid_dp", "raid_size": RAID_SIZE, "disk_class": "solid_state", "disk_type": "ssd",
                "simulated_raid_groups": [simulated(&format!("{name}/plex0/rg0"), RaidLevel::RaidDp, disks, usable(&spares(view, node)))],
            },
            "hybrid_cache": {"enabled": false}, "mirror": {"enabled": false},
        },
    })
}

fn all_spares(view: &View<'_>) -> Vec<Value> {
    let one = |node: &Controller| {
        let own = spares(view, node);
        let first = own.first()?;
        Some(json!({
            "node": view.refer_node(node), "disk_class": "solid_state", "disk_type": "ssd", "size": first.capacity.get(), "checksum_style": "advanced_zoned",
            "syncmirror_pool": "pool0", "is_partition": false, "total": own.len(), "usable": own.len() - 1, "layout_requirements": layouts(),
        }))
    };
    view.array.controllers.iter().filter_map(one).collect()
}

/// How many disks aggregates and their RAID groups have.
fn layouts() -> Value {
    let one = |level: RaidLevel, usual: bool| {
        let (least, most) = level.drive_limits();
        json!({"raid_type": word(level), "default": usual, "aggregate_min_disks": least, "raid_group": {"min": least, "max": most, "default": RAID_SIZE}})
    };
    json!([one(RaidLevel::RaidDp, true), one(RaidLevel::RaidTec, false)])
}

/// An aggregate as it would be with all spares of its node but one.
pub(super) fn expanded(view: &View<'_>, pool: &Pool, record: &mut Value) {
    let Some(node) = super::aggregate::owner(view, pool) else { return };
    let (own, present) = (spares(view, node), members(view, pool).count());
    let disks = present + own.len().saturating_sub(1);
    let size = usable(&members(view, pool).collect::<Vec<_>>());
    record["block_storage"]["primary"]["disk_count"] = json!(disks);
    record["block_storage"]["primary"]["simulated_raid_groups"] = json!([simulated(&format!("{}/plex0/rg0", pool.name()), pool.level, disks, size)]);
    record["space"]["block_storage"]["size"] = json!(size.get() * data_disks(pool.level, disks));
}

fn simulated(name: &str, level: RaidLevel, disks: usize, usable: Bytes) -> Value {
    let data = data_disks(level, disks);
    json!({
        "name": name, "raid_type": word(level), "is_partition": false, "data_disk_count": data, "parity_disk_count": disks as u64 - data,
        "usable_size": usable.get(),
    })
}

fn data_disks(level: RaidLevel, disks: usize) -> u64 {
    u64::from(level.data_drives(u32::try_from(disks).unwrap_or(u32::MAX)))
}

/// What a disk gives to an aggregate.
fn usable(disks: &[&Drive]) -> Bytes {
    disks.iter().map(|drive| drive.capacity).min().unwrap_or_default().round_down(Bytes::mib(1))
}
