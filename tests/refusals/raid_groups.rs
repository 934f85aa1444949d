//! RAID groups.

use arrayplane::ops::World;
use serde_json::json;

use super::ladder::{Ladder, Refusal};
use crate::given;

pub(super) fn ladders() -> Vec<Refusal> {
    [create(), create_by_count(), update(), expand(), delete()].concat()
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
    given::done(&mut world, &json!({"drive.update": {"drive": "4", "spare": true}}));
    given::done(&mut world, &json!({"volume.create": {"name": "V", "raid_group": "RG0", "size": "1TiB"}}));
    given::done(&mut world, &json!({"volume.format": {"volume": "V"}}));
    given::done(&mut world, &json!({"drive.fail": {"drive": "0"}}));
    given::done(&mut world, &json!({"controller.fail": {"controller": "CM1"}}));
    Ladder::new(world, "raid-group.update", json!({"raid_group": "X", "name": "a,b", "controller": "X", "rebuild_priority": "high"}))
        .refused(("not_found", "raid-group", ""), json!({"raid_group": "RG0"}))
        .refused(("not_found", "controller", "controller"), json!({"controller": "CM1"}))
        .refused(("name_invalid", "raid-group", "name"), json!({"name": "P0_0"}))
        .refused(("name_taken", "raid-group", "name"), json!({"name": "RG0"}))
        .refused(("busy", "raid-group", ""), json!({"rebuild_priority": "low"}))
        .refused_before(("wrong_state", "controller", ""), [json!({"controller.restore": {"controller": "CM1"}}), json!({"clock.advance": {"by": "7m"}})])
        .refused_before(("busy", "volume", ""), [json!({"clock.advance": {"by": "30m"}})])
        .refused_before(("busy", "raid-group", ""), [json!({"drive.fail": {"drive": "4"}})])
        .refused_before(("wrong_state", "raid-group", ""), [json!({"drive.replace": {"drive": "0"}}), json!({"clock.advance": {"until": "idle"}})])
        .done()
}

fn delete() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"volume.create": {"name": "V", "raid_group": "RG0", "size": "1GiB"}}));
    given::done(&mut world, &json!({"drive.fail": {"drive": "0"}}));
    Ladder::new(world, "raid-group.delete", json!({"raid_group": "X"}))
        .refused(("not_found", "raid-group", ""), json!({"raid_group": "P0_0"}))
        .refused(("raid_group_in_pool", "raid-group", ""), json!({"raid_group": "RG0"}))
        .refused_before(("in_use", "raid-group", ""), [json!({"volume.delete": {"volume": "V"}})])
        .refused_before(("busy", "raid-group", ""), [json!({"drive.fail": {"drive": "4"}})])
        .done()
}

fn expand() -> Vec<Refusal> {
    let mut world = world();
    for operation in [
        json!({"raid-group.create": {"name": "RG5", "level": "raid1", "drives": ["16", "17"]}}),
        json!({"raid-group.create": {"name": "RG6", "level": "raid5+0", "drives": ["5", "6", "7", "8", "9", "10"]}}),
        json!({"raid-group.expand": {"raid_group": "RG5", "drives": ["14", "15"], "level": "raid1+0"}}),
        json!({"volume.create": {"name": "V", "raid_group": "RG0", "size": "1GiB"}}),
        json!({"volume.create": {"name": "W", "raid_groups": ["RG0", "RG5"], "size": "1GiB"}}),
        json!({"volume.format": {"volume": "V"}}),
        json!({"drive.fail": {"drive": "3"}}),
        json!({"controller.fail": {"controller": "CM1"}}),
    ] {
        given::done(&mut world, &operation);
    }
    let grown = [json!({"clock.advance": {"by": "80m"}})];
    let whole = [json!({"drive.replace": {"drive": "3"}}), json!({"clock.advance": {"until": "idle"}})];
    let restored =
        [json!({"controller.restore": {"controller": "CM1"}}), json!({"clock.advance": {"until": "idle"}}), json!({"volume.format": {"volume": "V"}})];
    Ladder::new(world, "raid-group.expand", json!({"raid_group": "X", "drives": ["X"], "drive_count": 3, "level": "raid5+0"}))
        .refused(("not_found", "raid-group", ""), json!({"raid_group": "P0_0"}))
        .also(("missing", "raid-group", "drive_count"), json!({"drives": null, "drive_count": null, "level": null}))
        .refused(("conflicting", "raid-group", "drives"), json!({"drive_count": null}))
        .refused(("not_found", "drive", "drives"), json!({"drives": ["4"]}))
        .refused(("raid_group_in_pool", "raid-group", ""), json!({"raid_group": "RG6"}))
        .refused(("not_supported", "raid-group", "level"), json!({"raid_group": "RG0"}))
        .also(("not_supported", "raid-group", "level"), json!({"level": "raid0"}))
        .refused(("not_supported", "raid-group", "level"), json!({"level": "raid1"}))
        .refused_before(("busy", "raid-group", ""), grown)
        .refused_before(("busy", "raid-group", ""), [json!({"clock.advance": {"until": "idle"}})])
        .refused_before(("wrong_state", "raid-group", ""), whole)
        .refused_before(("wrong_state", "controller", ""), restored)
        .refused_before(("in_use", "raid-group", ""), [json!({"volume.delete": {"volume": "W"}})])
        .refused_before(("busy", "volume", ""), [json!({"clock.advance": {"until": "idle"}})])
        .refused(("drive_count", "raid-group", "drive_count"), json!({"drives": null, "level": "raid1+0"}))
        .refused(("shrinking", "raid-group", "size"), json!({"level": null, "drives": ["0"]}))
        .refused(("drive_not_free", "drive", "drives"), json!({"drives": ["12"]}))
        .also(("not_enough_drives", "drive", "drive_count"), json!({"drives": null, "drive_count": 9}))
        .refused(("drives_differ", "drive", "capacity"), json!({"drives": ["11"]}))
        .done()
}
