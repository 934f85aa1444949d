//! Pools.

use arrayplane::model::ReductionDomain;
use arrayplane::ops::World;
use arrayplane::units::Bytes;
use serde_json::json;

use super::ladder::{Ladder, Refusal};
use crate::given;

pub(super) fn ladders() -> Vec<Refusal> {
    [
        create(),
        create_by_count(),
        create_from_raid_groups(),
        update(),
        update_reduction(),
        expand(),
        expand_by_raid_groups(),
        delete(),
        delete_used(),
        balance(),
        stop_balancing(),
        while_balancing(),
    ]
    .concat()
}

#[test]
fn pools_refuse_in_the_documented_order() {
    ladders();
}

/// 12 drives of 1.92 TB, then 8 of 960 GB; P0 with reduction has the first three, P1 the next three.
fn world() -> World {
    let operations = [
        json!({"settings.update": {"data_reduction": true}}),
        json!({"pool.create": {"name": "P0", "level": "raid5", "drive_count": 3, "compression": true}}),
        json!({"pool.create": {"name": "P1", "level": "raid5", "drive_count": 3}}),
    ];
    given::with_drives("eternus-af250", given::two_kinds(), &operations)
}

fn create() -> Vec<Refusal> {
    let mut world = world();
    world.array.settings.data_reduction = false;
    world.array.personality.reduction_domain = None;
    let limits = &mut world.array.personality.limits;
    (limits.pools, limits.reduction_pools, limits.raid_groups, limits.pool_capacity) = (2, 1, 2, Bytes::ZERO);
    let request = json!({
        "name": "a,b", "drives": ["X"], "raid_groups": ["X"], "drive_count": 5, "drive_type": "sas_ssd", "drive_capacity": "1TB", "controller": "X", "chunk_size": "1MiB",
        "attention_percent": 81, "warning_percent": 100, "over_provisioning_percent": 99, "deduplication": true,
    });
    Ladder::new(world, "pool.create", request)
        .also(("missing", "pool", "drive_count"), json!({"drives": null, "drive_count": null, "raid_groups": null}))
        .also(("missing", "pool", "raid_groups"), json!({"drives": null, "drive_count": null, "raid_groups": []}))
        .refused(("conflicting", "pool", "raid_groups"), json!({"raid_groups": null}))
        .refused(("conflicting", "pool", "drives"), json!({"drive_count": null}))
        .also(("conflicting", "pool", "drive_type"), json!({"drives": null, "raid_groups": ["X"]}))
        .refused(("conflicting", "pool", "drive_type"), json!({"drive_type": null}))
        .refused(("conflicting", "pool", "drive_capacity"), json!({"drive_capacity": null}))
        .also(("conflicting", "pool", "controller"), json!({"drives": null, "raid_groups": ["X"]}))
        .refused(("not_found", "controller", "controller"), json!({"controller": "CM0"}))
        .also(("not_found", "raid-group", "raid_groups"), json!({"drives": null, "raid_groups": ["X"], "controller": null}))
        .refused(("not_found", "drive", "drives"), json!({"drives": ["0"]}))
        .refused(("name_invalid", "pool", "name"), json!({"name": "P0"}))
        .refused(("name_taken", "pool", "name"), json!({"name": "P2"}))
        .refused(("missing", "pool", "level"), json!({"level": "raid5+0"}))
        .refused(("not_supported", "pool", "level"), json!({"level": "raid5"}))
        .refused(("value_invalid", "pool", "chunk_size"), json!({"chunk_size": "42MiB"}))
        .refused(("out_of_range", "pool", "attention_percent"), json!({"attention_percent": 80}))
        .refused(("out_of_range", "pool", "warning_percent"), json!({"warning_percent": 80}))
        .refused(("threshold_order", "pool", "attention_percent"), json!({"warning_percent": 81}))
        .refused(("out_of_range", "pool", "over_provisioning_percent"), json!({"over_provisioning_percent": 100}))
        .refused_until(("not_supported", "pool", "deduplication"), |world| world.array.personality.reduction_domain = Some(ReductionDomain::Pool))
        .also(("reduction_off", "array", "compression"), json!({"deduplication": null, "compression": true}))
        .refused_before(("reduction_off", "array", "deduplication"), [json!({"settings.update": {"data_reduction": true}})])
        .refused_until(("limit_reached", "pool", ""), |world| world.array.personality.limits.reduction_pools = 2)
        .refused_until(("limit_reached", "pool", ""), |world| world.array.personality.limits.pools = 3)
        .refused(("drive_count", "raid-group", "drive_count"), json!({"drives": ["6", "0", "15", "16"]}))
        .also(("drive_not_free", "drive", "drives"), json!({"drives": ["6", "7", "6"]}))
        .refused(("drive_not_free", "drive", "drives"), json!({"drives": ["6", "7", "8", "15"]}))
        .refused(("drives_differ", "drive", "capacity"), json!({"drives": ["6", "7", "8", "9"]}))
        .refused_until(("limit_reached", "raid-group", ""), |world| world.array.personality.limits.raid_groups = 3)
        .refused_until(("pool_capacity", "pool", ""), |world| world.array.personality.limits.pool_capacity = Bytes::tib(100))
        .done()
}

fn create_by_count() -> Vec<Refusal> {
    Ladder::new(world(), "pool.create", json!({"name": "P2", "level": "raid5", "drive_count": 35}))
        .refused(("not_enough_drives", "drive", "drive_count"), json!({"drive_count": 2}))
        .refused(("drive_count", "raid-group", "drive_count"), json!({"drive_count": 6}))
        .done()
}

fn create_from_raid_groups() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"raid-group.create": {"name": "RG0", "level": "raid5", "drives": ["6", "7", "8"]}}));
    given::done(&mut world, &json!({"raid-group.create": {"name": "RG1", "level": "raid5", "drives": ["12", "13", "14"]}}));
    given::done(&mut world, &json!({"raid-group.create": {"name": "RG2", "level": "raid6", "drives": ["15", "16", "17", "18", "19"]}}));
    given::done(&mut world, &json!({"volume.create": {"name": "V", "raid_group": "RG1", "size": "1GiB"}}));
    world.array.personality.limits.pool_capacity = Bytes::ZERO;
    Ladder::new(world, "pool.create", json!({"name": "P2", "raid_groups": ["RG0", "P0_0", "P0_0", "RG1", "RG2"]}))
        .refused(("raid_group_in_pool", "raid-group", ""), json!({"raid_groups": ["RG0", "RG0", "RG1", "RG2"]}))
        .refused(("conflicting", "pool", "raid_groups"), json!({"raid_groups": ["RG0", "RG1", "RG2"]}))
        .refused_before(("in_use", "raid-group", ""), [json!({"volume.delete": {"volume": "V"}})])
        .refused(("raid_groups_differ", "raid-group", "raid_groups"), json!({"raid_groups": ["RG0", "RG2"]}))
        .refused(("raid_groups_differ", "raid-group", "raid_groups"), json!({"raid_groups": ["RG0"]}))
        .refused_until(("pool_capacity", "pool", ""), |world| world.array.personality.limits.pool_capacity = Bytes::tib(100))
        .done()
}

fn update() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"volume.create": {"name": "D", "pool": "P0", "size": "6TB", "compression": true}}));
    world.array.personality.reduction_domain = None;
    world.array.settings.data_reduction = false;
    world.array.personality.limits.reduction_pools = 0;
    let request = json!({
        "pool": "X", "name": "a,b", "attention_percent": 4, "warning_percent": 4, "over_provisioning_percent": 10001, "deduplication": true,
    });
    Ladder::new(world, "pool.update", request)
        .refused(("not_found", "pool", ""), json!({"pool": "P0"}))
        .refused(("name_invalid", "pool", "name"), json!({"name": "P1"}))
        .refused(("name_taken", "pool", "name"), json!({"name": "P2"}))
        .refused(("out_of_range", "pool", "attention_percent"), json!({"attention_percent": 50}))
        .refused(("out_of_range", "pool", "warning_percent"), json!({"warning_percent": 50}))
        .refused(("threshold_order", "pool", "attention_percent"), json!({"attention_percent": 0}))
        .refused(("out_of_range", "pool", "over_provisioning_percent"), json!({"over_provisioning_percent": 100}))
        .refused(("over_provisioned", "pool", ""), json!({"over_provisioning_percent": 0}))
        .refused_until(("not_supported", "pool", "deduplication"), |world| world.array.personality.reduction_domain = Some(ReductionDomain::Pool))
        .refused_before(("reduction_off", "array", "deduplication"), [json!({"settings.update": {"data_reduction": true}})])
        .refused_until(("limit_reached", "pool", ""), |world| world.array.personality.limits.reduction_pools = 1)
        .refused_before(("reduction_in_use", "pool", ""), [json!({"volume.delete": {"volume": "D"}})])
        .done()
}

fn update_reduction() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"volume.create": {"name": "R", "pool": "P1", "size": "1TB"}}));
    given::done(&mut world, &json!({"volume.write": {"volume": "R", "bytes": "100GB"}}));
    given::done(&mut world, &json!({"volume.migrate": {"volume": "R", "pool": "P0", "compression": true}}));
    Ladder::new(world, "pool.update", json!({"pool": "P0", "compression": false}))
        .refused_before(("reduction_in_use", "pool", ""), [json!({"volume.stop-migration": {"volume": "R"}})])
        .done()
}

fn expand() -> Vec<Refusal> {
    let mut world = world();
    (world.array.personality.limits.raid_groups, world.array.personality.limits.pool_capacity) = (2, Bytes::ZERO);
    Ladder::new(world, "pool.expand", json!({"pool": "X", "drives": ["X"], "drive_count": 9, "raid_groups": ["X"], "controller": "X"}))
        .refused(("not_found", "pool", ""), json!({"pool": "P1"}))
        .also(("missing", "pool", "drive_count"), json!({"drives": null, "drive_count": null, "raid_groups": null}))
        .refused(("conflicting", "pool", "raid_groups"), json!({"raid_groups": null}))
        .refused(("conflicting", "pool", "drives"), json!({"drive_count": null}))
        .also(("conflicting", "pool", "controller"), json!({"drives": null, "raid_groups": ["X"]}))
        .refused(("not_found", "controller", "controller"), json!({"controller": "CM1"}))
        .also(("not_found", "raid-group", "raid_groups"), json!({"drives": null, "raid_groups": ["X"], "controller": null}))
        .refused(("not_found", "drive", "drives"), json!({"drives": ["0"]}))
        .refused(("drive_count", "raid-group", "drive_count"), json!({"drives": ["0", "12", "6"]}))
        .refused(("drive_not_free", "drive", "drives"), json!({"drives": ["12", "13", "6"]}))
        .also(("not_enough_drives", "drive", "drive_count"), json!({"drives": null, "drive_count": 9}))
        .refused(("drives_differ", "drive", "capacity"), json!({"drives": ["12", "13", "14"]}))
        .refused(("drives_differ", "drive", "capacity"), json!({"drives": ["6", "7", "8"]}))
        .refused_until(("limit_reached", "raid-group", ""), |world| world.array.personality.limits.raid_groups = 3)
        .refused_until(("pool_capacity", "pool", ""), |world| world.array.personality.limits.pool_capacity = Bytes::tib(100))
        .done()
}

fn expand_by_raid_groups() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"raid-group.create": {"name": "RG0", "level": "raid5", "drives": ["6", "7", "8"]}}));
    given::done(&mut world, &json!({"raid-group.create": {"name": "RG1", "level": "raid5", "drives": ["9", "10", "11"]}}));
    given::done(&mut world, &json!({"raid-group.create": {"name": "RG2", "level": "raid5", "drives": ["12", "13", "14"]}}));
    given::done(&mut world, &json!({"volume.create": {"name": "V", "raid_group": "RG1", "size": "1GiB"}}));
    Ladder::new(world, "pool.expand", json!({"pool": "P1", "raid_groups": ["RG0", "P1_0", "RG0", "RG1", "RG2"]}))
        .refused(("raid_group_in_pool", "raid-group", ""), json!({"raid_groups": ["RG0", "RG0", "RG1", "RG2"]}))
        .refused(("conflicting", "pool", "raid_groups"), json!({"raid_groups": ["RG0", "RG1", "RG2"]}))
        .refused_before(("in_use", "raid-group", ""), [json!({"volume.delete": {"volume": "V"}})])
        .refused(("raid_groups_differ", "raid-group", "raid_groups"), json!({"raid_groups": ["RG0", "RG1"]}))
        .done()
}

fn delete() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"volume.create": {"name": "D", "pool": "P0", "size": "6TB", "compression": true}}));
    given::done(&mut world, &json!({"volume.create": {"name": "R", "pool": "P1", "size": "1TB"}}));
    given::done(&mut world, &json!({"volume.write": {"volume": "R", "bytes": "100GB"}}));
    given::done(&mut world, &json!({"volume.migrate": {"volume": "R", "pool": "P0"}}));
    Ladder::new(world, "pool.delete", json!({"pool": "X"}))
        .refused(("not_found", "pool", ""), json!({"pool": "P0"}))
        .refused_before(("in_use", "pool", ""), [json!({"volume.delete": {"volume": "D"}})])
        .refused_before(("in_use", "pool", ""), [json!({"volume.stop-migration": {"volume": "R"}})])
        .refused_before(("reduction_on", "pool", ""), [json!({"pool.update": {"pool": "P0", "compression": false}})])
        .done()
}

fn delete_used() -> Vec<Refusal> {
    let furniture = [
        json!({"pool.create": {"name": "aggr1", "level": "raid-dp", "drive_count": 3}}),
        json!({"container.create": {"name": "vol1", "pool": "aggr1", "size": "1GiB"}}),
    ];
    Ladder::new(given::with("aff-a250", &furniture), "pool.delete", json!({"pool": "aggr1"}))
        .refused_before(("in_use", "pool", ""), [json!({"container.delete": {"container": "vol1"}})])
        .done()
}

/// P1 has been expanded since data came in.
fn uneven() -> World {
    let operations = [
        json!({"clock.set": {"mode": "manual"}}),
        json!({"volume.create": {"name": "V", "pool": "P1", "size": "1TB"}}),
        json!({"volume.write": {"volume": "V", "bytes": "1TB"}}),
        json!({"pool.expand": {"pool": "P1", "drives": ["6", "7", "8"]}}),
    ];
    let mut world = world();
    operations.iter().for_each(|operation| drop(given::done(&mut world, operation)));
    world
}

fn balance() -> Vec<Refusal> {
    let mut world = uneven();
    world.array.personality.offer.pool_balancing = false;
    given::done(&mut world, &json!({"pool.create": {"name": "P2", "level": "raid5", "drives": ["9", "10", "11"]}}));
    let steps = Ladder::new(world, "pool.balance", json!({"pool": "X"}))
        .refused(("not_found", "pool", ""), json!({"pool": "P2"}))
        .refused_until(("not_supported", "pool", "pool"), |world| world.array.personality.offer.pool_balancing = true)
        .refused(("wrong_state", "pool", ""), json!({"pool": "P1"}))
        .done();
    let mut world = uneven();
    given::done(&mut world, &json!({"pool.balance": {"pool": "P1"}}));
    let busy =
        Ladder::new(world, "pool.balance", json!({"pool": "P1"})).refused_before(("busy", "pool", ""), [json!({"pool.stop-balancing": {"pool": "P1"}})]).done();
    [steps, busy].concat()
}

fn stop_balancing() -> Vec<Refusal> {
    Ladder::new(uneven(), "pool.stop-balancing", json!({"pool": "X"}))
        .refused(("not_found", "pool", ""), json!({"pool": "P1"}))
        .refused_before(("not_running", "pool", ""), [json!({"pool.balance": {"pool": "P1"}})])
        .done()
}

fn while_balancing() -> Vec<Refusal> {
    let mut world = uneven();
    given::done(&mut world, &json!({"volume.delete": {"volume": "V"}}));
    given::done(&mut world, &json!({"volume.create": {"name": "V", "pool": "P1", "size": "1TB"}}));
    given::done(&mut world, &json!({"volume.write": {"volume": "V", "bytes": "1TB"}}));
    given::done(&mut world, &json!({"pool.balance": {"pool": "P1"}}));
    let idle = [json!({"clock.advance": {"until": "idle"}})];
    let expand = Ladder::new(world.clone(), "pool.expand", json!({"pool": "P1", "drives": ["9", "10", "11"]}));
    let expand = expand.refused_before(("busy", "pool", ""), idle.clone()).done();
    given::done(&mut world, &json!({"volume.delete": {"volume": "V"}}));
    let delete = Ladder::new(world, "pool.delete", json!({"pool": "P1"})).refused_before(("busy", "pool", ""), idle).done();
    [expand, delete].concat()
}
