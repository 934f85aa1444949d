//! Creating volumes: in pools, RAID groups and containers.

use arrayplane::ops::World;
use arrayplane::units::Bytes;
use serde_json::json;

use super::ladder::{Ladder, Refusal};
use crate::given;

pub(super) fn ladders() -> Vec<Refusal> {
    [in_a_pool(), plain_in_a_pool(), in_raid_groups(), in_a_container(), without_reduction()].concat()
}

#[test]
fn volume_create_refuses_in_the_documented_order() {
    ladders();
}

/// P0 of 1.92 TB with reduction, RG0 and RG1 of as much; the volume V0 in P0.
pub(super) fn world() -> World {
    let operations = [
        json!({"settings.update": {"data_reduction": true}}),
        json!({"pool.create": {"name": "P0", "level": "raid1", "drive_count": 2, "deduplication": true, "compression": true}}),
        json!({"raid-group.create": {"name": "RG0", "level": "raid1", "drive_count": 2}}),
        json!({"raid-group.create": {"name": "RG1", "level": "raid1", "drive_count": 2}}),
        json!({"volume.create": {"name": "V0", "pool": "P0", "size": "1TB"}}),
        json!({"clock.set": {"mode": "manual"}}),
    ];
    given::with("eternus-af250", &operations)
}

fn in_a_pool() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"pool.update": {"pool": "P0", "over_provisioning_percent": 100}}));
    world.array.settings.data_reduction = false;
    world.array.personality.limits.volumes = 1;
    let request = json!({
        "name": "a,b", "size": "1MiB", "pool": "X", "raid_group": "X", "raid_groups": ["X"], "container": "X", "count": 0, "start_number": 65536,
        "digits": 6, "attention_percent": 0, "deduplication": true, "allocation": "thick",
    });
    Ladder::new(world, "volume.create", request)
        .also(("missing", "volume", "pool"), json!({"pool": null, "raid_group": null, "raid_groups": null, "container": null}))
        .refused(("conflicting", "volume", "raid_group"), json!({"raid_group": null, "raid_groups": null, "container": null}))
        .refused(("not_found", "pool", "pool"), json!({"pool": "P0"}))
        .also(("out_of_range", "volume", "count"), json!({"count": 1025}))
        .refused(("out_of_range", "volume", "count"), json!({"count": 2}))
        .refused(("out_of_range", "volume", "start_number"), json!({"start_number": 0}))
        .also(("out_of_range", "volume", "digits"), json!({"digits": 0}))
        .refused(("out_of_range", "volume", "digits"), json!({"digits": null, "count": null, "start_number": null}))
        .also(("name_invalid", "volume", "name"), json!({"name": "$SYSVOL1"}))
        .refused(("name_invalid", "volume", "name"), json!({"name": "V0"}))
        .refused(("name_taken", "volume", "name"), json!({"name": "V1"}))
        .also(("out_of_range", "volume", "size"), json!({"size": "129TiB"}))
        .also(("out_of_range", "volume", "size"), json!({"size": "1025GiB", "usage": "odx"}))
        .refused(("out_of_range", "volume", "size"), json!({"size": "100TB"}))
        .refused(("out_of_range", "volume", "attention_percent"), json!({"attention_percent": 1}))
        .refused_before(("reduction_off", "array", "deduplication"), [json!({"settings.update": {"data_reduction": true}})])
        .refused(("reduction_mismatch", "volume", "deduplication"), json!({"compression": true}))
        .refused(("not_supported", "volume", "allocation"), json!({"allocation": "thin"}))
        .also(("not_supported", "volume", "usage"), json!({"usage": "odx", "size": "1TiB"}))
        .refused_until(("limit_reached", "volume", ""), |world| world.array.personality.limits.volumes = 2)
        .refused_before(("over_provisioned", "pool", ""), [json!({"pool.update": {"pool": "P0", "over_provisioning_percent": 0}})])
        .refused(("reduction_promise", "pool", ""), json!({"size": "19TB"}))
        .done()
}

fn plain_in_a_pool() -> Vec<Refusal> {
    let mut world = world();
    world.array.personality.limits.pool_capacity = Bytes::tib(3);
    Ladder::new(world, "volume.create", json!({"name": "V", "size": "2TB", "pool": "P0", "count": 2, "allocation": "thick"}))
        .refused_until(("over_provisioned", "pool", ""), |world| world.array.personality.limits.pool_capacity = Bytes::tib(30))
        .refused(("pool_full", "pool", ""), json!({"size": "500GB"}))
        .done()
}

fn in_raid_groups() -> Vec<Refusal> {
    let mut world = world();
    world.array.personality.limits.volumes = 1;
    let request = json!({
        "name": "V1", "size": "9TB", "raid_groups": ["X"], "count": 0, "attention_percent": 101, "allocation": "thin", "compression": true,
    });
    Ladder::new(world, "volume.create", request)
        .also(("not_found", "raid-group", "raid_group"), json!({"raid_groups": null, "raid_group": "X"}))
        .refused(("not_found", "raid-group", "raid_groups"), json!({"raid_groups": ["P0_0"]}))
        .also(("value_invalid", "volume", "raid_groups"), json!({"raid_groups": ["P0_0", "P0_0"]}))
        .refused(("value_invalid", "volume", "raid_groups"), json!({"raid_groups": ["RG0", "P0_0"]}))
        .refused(("raid_group_in_pool", "raid-group", ""), json!({"raid_groups": ["RG0", "RG1"]}))
        .refused(("out_of_range", "volume", "count"), json!({"count": null}))
        .refused(("out_of_range", "volume", "attention_percent"), json!({"attention_percent": 100}))
        .refused(("not_supported", "volume", "allocation"), json!({"allocation": null}))
        .refused(("not_supported", "volume", "compression"), json!({"compression": null}))
        .refused_until(("limit_reached", "volume", ""), |world| world.array.personality.limits.volumes = 2)
        .refused(("no_space", "raid-group", ""), json!({"size": "3TB"}))
        .done()
}

fn in_a_container() -> Vec<Refusal> {
    let mut world = super::containers::world();
    given::done(&mut world, &json!({"raid-group.create": {"name": "rg9", "level": "raid-dp", "drive_count": 3}}));
    world.array.personality.limits.volumes = 2;
    let request = json!({"name": "lun0", "size": 4096, "pool": "X", "count": 0, "allocation": "thick", "deduplication": true});
    Ladder::new(world, "volume.create", request)
        .refused(("not_found", "pool", "pool"), json!({"pool": "aggr1"}))
        .also(("not_supported", "volume", "raid_group"), json!({"pool": null, "raid_group": "rg9"}))
        .refused(("not_supported", "volume", "pool"), json!({"pool": null, "container": "X"}))
        .refused(("not_found", "container", "container"), json!({"container": "vol1"}))
        .refused(("out_of_range", "volume", "count"), json!({"count": 1}))
        .refused(("name_taken", "volume", "name"), json!({"name": "lun1"}))
        .also(("out_of_range", "volume", "size"), json!({"size": 0}))
        .refused(("not_supported", "volume", "deduplication"), json!({"deduplication": false, "size": "500GB"}))
        .refused_until(("limit_reached", "volume", ""), |world| world.array.personality.limits.volumes = 3)
        .refused(("container_full", "container", ""), json!({"size": "400GB"}))
        .done()
}

fn without_reduction() -> Vec<Refusal> {
    let world = given::with("esds-s16f", &[json!({"pool.create": {"name": "P0", "level": "raid5", "drive_count": 3}})]);
    Ladder::new(world, "volume.create", json!({"name": "V0", "size": "1TB", "pool": "P0", "compression": true, "allocation": "thick"}))
        .refused(("not_supported", "volume", "compression"), json!({"compression": false}))
        .refused(("pool_full", "pool", ""), json!({"allocation": "thin"}))
        .done()
}
