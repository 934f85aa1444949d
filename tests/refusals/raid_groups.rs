//! RAID groups.

use arrayplane::ops::World;
use serde_json::json;

use super::ladder::{Ladder, Refusal};
use crate::given;

pub(super) fn ladders() -> Vec<Refusal> {
    [create(), create_by_count(), update(), delete()].concat()
}

#[test]
fn raid_groups_refuse_in_the_documented_order() {
    ladders();
}

/// 12 drives of 1.92 TB, then 8 of 960 GB; the first four in RG0, the fifth a spare.
fn world() -> World {
    let operations = [
        json!({"raid-group.create": {"name": "RG0", "level": "raid5", "drive_count": 4}}),
        json!({"drive.update": {"drive": "4", "spare": true}}),
        json!({"pool.create": {"name": "P0", "level": "raid1", "drives": ["18", "19"]}}),
    ];
    given::with_drives("eternus-af250", given::two_kinds(), &operations)
}

fn create() -> Vec<Refusal> {
    let mut world = world();
    world.array.personality.limits.raid_groups = 2;
    let request =
        json!({"name": "a,b", "level": "raid-tec", "drives": ["X"], "drive_count": 9, "drive_type": "sas_ssd", "drive_capacity": "1TB", "controller": "X"});
    Ladder::new(world, "raid-group.create", request)
        .also(("missing", "raid-group", "drive_count"), json!({"drives": null, "drive_count": null}))
        .refused(("conflicting", "raid-group", "drives"), json!({"drive_count": null}))
        .refused(("conflicting", "raid-group", "drive_type"), json!({"drive_type": null}))
        .refused(("conflicting", "raid-group", "drive_capacity"), json!({"drive_capacity": null}))
        .refused(("not_found", "controller", "controller"), json!({"controller": "CM1"}))
        .refused(("not_found", "drive", "drives"), json!({"drives": ["0"]}))
        .also(("name_invalid", "raid-group", "name"), json!({"name": ""}))
        .also(("name_invalid", "raid-group", "name"), json!({"name": "seventeen letters"}))
        .also(("name_invalid", "raid-group", "name"), json!({"name": " a"}))
        .refused(("name_invalid", "raid-group", "name"), json!({"name": "RG0"}))
        .refused(("name_taken", "raid-group", "name"), json!({"name": "RG1"}))
        .refused(("not_supported", "raid-group", "level"), json!({"level": "raid5"}))
        .refused_until(("limit_reached", "raid-group", ""), |world| world.array.personality.limits.raid_groups = 3)
        .refused(("drive_count", "raid-group", "drive_count"), json!({"drives": ["0", "15", "4"]}))
        .also(("drive_not_free", "drive", "drives"), json!({"drives": ["4", "15", "0"]}))
        .also(("drive_not_free", "drive", "drives"), json!({"drives": ["5", "15", "5"]}))
        .refused(("drive_not_free", "drive", "drives"), json!({"drives": ["5", "6", "15"]}))
        .refused(("drives_differ", "drive", "capacity"), json!({"drives": ["5", "6", "7"]}))
        .done()
}

fn create_by_count() -> Vec<Refusal> {
    Ladder::new(world(), "raid-group.create", json!({"name": "RG1", "level": "raid1+0", "drive_count": 9}))
        .also(("drive_count", "raid-group", "drive_count"), json!({"level": "raid1"}))
        .refused(("drive_count", "raid-group", "drive_count"), json!({"drive_count": 8}))
        .also(("not_enough_drives", "drive", "drive_count"), json!({"drive_type": "nvme_ssd"}))
        .refused(("not_enough_drives", "drive", "drive_count"), json!({"drive_count": 6, "drive_capacity": "960GB"}))
        .done()
}

fn update() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"volume.create": {"name": "V", "raid_group": "RG0", "size": "1GiB"}}));
    given::done(&mut world, &json!({"volume.format": {"volume": "V"}}));
    Ladder::new(world, "raid-group.update", json!({"raid_group": "X", "name": "a,b", "controller": "X"}))
        .refused(("not_found", "raid-group", ""), json!({"raid_group": "RG0"}))
        .refused(("not_found", "controller", "controller"), json!({"controller": "CM1"}))
        .refused(("name_invalid", "raid-group", "name"), json!({"name": "P0_0"}))
        .refused(("name_taken", "raid-group", "name"), json!({"name": "RG0"}))
        .refused_before(("busy", "volume", ""), [json!({"clock.advance": {"until": "idle"}})])
        .done()
}

fn delete() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"volume.create": {"name": "V", "raid_group": "RG0", "size": "1GiB"}}));
    Ladder::new(world, "raid-group.delete", json!({"raid_group": "X"}))
        .refused(("not_found", "raid-group", ""), json!({"raid_group": "P0_0"}))
        .refused(("raid_group_in_pool", "raid-group", ""), json!({"raid_group": "RG0"}))
        .refused_before(("in_use", "raid-group", ""), [json!({"volume.delete": {"volume": "V"}})])
        .done()
}
