//! `/storage/disks`: drives.

use serde_json::{Value, json};

use crate::body::Body;
use crate::collection::{Call, Collection, Row, Verb, View, refer};
use crate::fields::Want;
use crate::model::{Drive, DriveState, DriveType, Key, Object, Pool};
use crate::query::Asked;
use crate::refusal::{Outcome, Refusal};
use crate::resources::ha;

/// The disks.
pub(crate) struct Disks;

/// Bytes of a sector.
const SECTOR: u64 = 4096;

impl Collection for Disks {
    fn path(&self) -> &'static str {
        "/storage/disks"
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Update]
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        Ok(view.array.drives.iter().map(row).collect())
    }
    fn index(&self, view: &View<'_>, asked: &Asked) -> Option<Vec<Row>> {
        let name = asked.filters.iter().find(|(path, _)| path == "name").and_then(|(_, filter)| filter.exact())?;
        Some(view.array.drives.all_named(name).map(row).collect())
    }
    fn find(&self, view: &View<'_>, keys: &[String]) -> Outcome<Option<Row>> {
        Ok(keys.first().and_then(|name| view.array.drives.all_named(name).next()).map(row))
    }
    fn record(&self, view: &View<'_>, row: Row, want: &Want) -> Value {
        let Some(drive) = view.array.drives.get(Key::<Drive>::from_raw(row.0)) else { return json!({}) };
        let kind = match drive.drive_type {
            DriveType::NvmeSsd => "ssd_nvm",
            DriveType::SasSsd | DriveType::SataSsd => "ssd",
        };
        let (container, state) = standing(drive);
        let usable = drive.capacity.round_down(crate::units::Bytes::mib(1)).get();
        let mut record = json!({
            "name": drive.name(), "uid": drive.wwn.to_uppercase(), "serial_number": drive.serial_number, "bay": drive.bay, "type": kind, "effective_type": kind,
            "class": "solid_state", "container_type": container, "state": state, "usable_size": usable, "physical_size": drive.capacity.get(),
            "bytes_per_sector": SECTOR, "sector_count": drive.capacity.get() / SECTOR, "right_size_sector_count": usable / SECTOR, "pool": "pool0",
            "self_encrypting": drive.self_encrypting, "local": true, "model": model(drive), "vendor": "NETAPP", "protection_mode": "open",
            "fips_certified": false,
        });
        if let Some(shelf) = view.array.enclosures.get(drive.enclosure) {
            record["shelf"] = json!({"uid": shelf.id()});
        }
        if let Some(node) = view.array.home_of(drive).and_then(|key| view.array.controllers.get(key)) {
            record["home_node"] = view.refer_node(node);
            record["node"] = view.refer_node(ha::acting(view, node));
        }
        if drive.state == DriveState::Failed {
            record["outage"] = json!({"persistently_failed": true, "reason": {"message": "failed", "code": "721064"}});
        }
        if want.has("aggregates")
            && let Some(pool) = aggregate(view, drive)
        {
            record["aggregates"] = json!([refer(pool.name(), pool.id())]);
        }
        record
    }
    /// A disk stays with the node that it belongs to.
    fn update(&self, call: &Call<'_>, row: Row, body: &Body) -> Outcome<()> {
        call.read(|view| {
            let home = view.array.drives.get(Key::<Drive>::from_raw(row.0)).and_then(|drive| view.array.home_of(drive));
            for field in ["node", "home_node"] {
                let Some(named) = body.named(field) else { continue };
                let unknown = || Refusal::bad(720_951, format!("The node \"{}\" does not exist.", named.shown())).at(&format!("{field}.name"));
                let node = view.find_node(&named).ok_or_else(unknown)?;
                if Some(node.key()) != home {
                    return Err(Refusal::conflict(721_066, "The disk belongs to the other node; disks are not given away here.").at(&format!("{field}.name")));
                }
            }
            Ok(())
        })?;
        match body.names().find(|name| !matches!(*name, "node" | "home_node" | "pool" | "name")) {
            Some(name) => Err(Refusal::bad(3, format!("Changing \"{name}\" of a disk is not supported.")).at(name)),
            None => Ok(()),
        }
    }
}

fn row(drive: &Drive) -> Row {
    Row(drive.key().raw(), 0)
}

/// What a disk is used for, and how it is.
fn standing(drive: &Drive) -> (&'static str, &'static str) {
    match (drive.state, drive.raid_group.is_some() || drive.stands_in.is_some()) {
        _ if drive.pulled => ("unknown", "removed"),
        (DriveState::Failed | DriveState::FailedUsable, _) => ("broken", "broken"),
        (_, true) => ("aggregate", "present"),
        (_, false) => ("spare", "spare"),
    }
}

/// What the maker calls a drive of that kind: the array only knows kind and capacity.
pub(crate) fn model(drive: &Drive) -> String {
    let terabytes = drive.capacity.get() / 10_000_000_000;
    format!("X{}_{}", terabytes, if drive.drive_type == DriveType::NvmeSsd { "NVMESSD" } else { "SASSSD" })
}

/// The aggregate that a disk is part of.
fn aggregate<'a>(view: &View<'a>, drive: &Drive) -> Option<&'a Pool> {
    let group = drive.raid_group.or(drive.stands_in).and_then(|group| view.array.raid_groups.get(group))?;
    group.pool.and_then(|pool| view.array.pools.get(pool))
}
