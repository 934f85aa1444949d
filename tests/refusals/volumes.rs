//! What is done to volumes after they are made.

use arrayplane::ops::World;
use serde_json::json;

use super::ladder::{Ladder, Refusal};
use super::{containers, volume_create};
use crate::given;

pub(super) fn ladders() -> Vec<Refusal> {
    let changes = [update(), update_elsewhere(), delete(), expand(), expand_elsewhere(), format(), format_in_a_container()].concat();
    let moves = [migrate(), migrate_elsewhere(), migrate_contained(), stop_migration(), relocate()].concat();
    [changes, moves, write(), write_in_a_container(), unmap(), unmap_in_a_container(), clone(), clone_elsewhere()].concat()
}

#[test]
fn volumes_refuse_in_the_documented_order() {
    ladders();
}

/// V0, and D of 19 TB with reduction, in P0 of 1.92 TB, 100 GB written in each; S of 1.5 TB in RG0; P1; a host that sees them all; a format of S under way.
fn world() -> World {
    let mut world = volume_create::world();
    for operation in [
        json!({"pool.create": {"name": "P1", "level": "raid1", "drive_count": 2}}),
        json!({"volume.create": {"name": "D", "pool": "P0", "size": "19TB", "deduplication": true, "compression": true}}),
        json!({"volume.create": {"name": "S", "raid_group": "RG0", "size": "1.5TB"}}),
        json!({"volume.write": {"volume": "V0", "bytes": "100GB"}}),
        json!({"volume.write": {"volume": "D", "bytes": "100GB"}}),
        json!({"host.create": {"name": "H0", "protocol": "fc", "wwn": "10000090fa000001"}}),
        json!({"mapping.create": {"volume": "V0", "host": "H0"}}),
        json!({"mapping.create": {"volume": "S", "host": "H0"}}),
        json!({"lun-group.create": {"name": "LG0", "luns": [{"volume": "S"}]}}),
        json!({"volume.format": {"volume": "S"}}),
    ] {
        given::done(&mut world, &operation);
    }
    world
}

fn idle() -> serde_json::Value {
    json!({"clock.advance": {"until": "idle"}})
}

fn workload(volume: &str) -> serde_json::Value {
    json!({"workload.create": {"name": "load", "profile": "custom", "volumes": [volume]}})
}

fn update() -> Vec<Refusal> {
    let request = json!({"volume": "X", "name": "a,b", "usage": "odx", "attention_percent": 101, "allocation": "thin"});
    Ladder::new(world(), "volume.update", request)
        .refused(("not_found", "volume", ""), json!({"volume": "S"}))
        .refused_before(("busy", "volume", ""), [idle()])
        .refused(("name_invalid", "volume", "name"), json!({"name": "V0"}))
        .refused(("name_taken", "volume", "name"), json!({"name": "S"}))
        .refused(("out_of_range", "volume", "size"), json!({"usage": "block"}))
        .refused(("out_of_range", "volume", "attention_percent"), json!({"attention_percent": 0}))
        .refused(("not_supported", "volume", "allocation"), json!({"allocation": "thick"}))
        .also(("not_supported", "volume", "online"), json!({"online": false}))
        .done()
}

fn update_elsewhere() -> Vec<Refusal> {
    let mut pools = world();
    given::done(&mut pools, &json!({"volume.expand": {"volume": "V0", "size": "2TB"}}));
    let mut contained = containers::world();
    given::done(&mut contained, &json!({"volume.expand": {"volume": "vol1/lun0", "size": "900GB"}}));
    let pool = Ladder::new(pools, "volume.update", json!({"volume": "D", "allocation": "thick"}))
        .refused(("not_supported", "volume", "allocation"), json!({"volume": "V0"}))
        .refused_before(("pool_full", "pool", ""), [json!({"pool.expand": {"pool": "P0", "drive_count": 2}})])
        .done();
    let mut reduced = world();
    given::done(&mut reduced, &json!({"volume.create": {"name": "small", "pool": "P0", "size": "1GiB", "deduplication": true, "compression": true}}));
    let usage = Ladder::new(reduced, "volume.update", json!({"volume": "small", "usage": "odx", "attention_percent": 101}))
        .refused(("not_supported", "volume", "usage"), json!({"volume": "V0"}))
        .refused(("out_of_range", "volume", "attention_percent"), json!({"attention_percent": 100}))
        .done();
    let container = Ladder::new(contained, "volume.update", json!({"volume": "lun0", "allocation": "thick"}))
        .refused(("ambiguous", "volume", ""), json!({"volume": "vol1/lun0"}))
        .refused_before(("container_full", "container", ""), [json!({"container.update": {"container": "vol1", "size": "1TB"}})])
        .done();
    [pool, usage, container].concat()
}

fn delete() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &workload("S"));
    Ladder::new(world, "volume.delete", json!({"volume": "X"}))
        .refused(("not_found", "volume", ""), json!({"volume": "S"}))
        .refused_before(("busy", "volume", ""), [idle()])
        .refused_before(("in_use", "volume", ""), [json!({"lun-group.delete": {"lun_group": "LG0"}})])
        .refused_before(("in_use", "volume", ""), [json!({"mapping.delete": {"mapping": "1"}})])
        .refused_before(("in_use", "volume", ""), [json!({"workload.delete": {"workload": "load"}})])
        .done()
}

fn expand() -> Vec<Refusal> {
    let (migration, unlimited) =
        (json!({"volume.migrate": {"volume": "V0", "pool": "P1"}}), json!({"pool.update": {"pool": "P0", "over_provisioning_percent": 0}}));
    let mut world = world();
    given::done(&mut world, &json!({"volume.update": {"volume": "V0", "allocation": "thick"}}));
    given::done(&mut world, &json!({"pool.update": {"pool": "P0", "over_provisioning_percent": 1100}}));
    given::done(&mut world, &migration);
    Ladder::new(world, "volume.expand", json!({"volume": "X", "size": "1TB"}))
        .refused(("not_found", "volume", ""), json!({"volume": "V0"}))
        .refused_before(("busy", "volume", ""), [json!({"volume.stop-migration": {"volume": "V0"}})])
        .refused(("shrinking", "volume", "size"), json!({"size": "129TiB"}))
        .refused(("out_of_range", "volume", "size"), json!({"size": "100TB"}))
        .refused_before(("over_provisioned", "pool", ""), [unlimited])
        .refused(("pool_full", "pool", ""), json!({"size": "1.5TB"}))
        .done()
}

fn expand_elsewhere() -> Vec<Refusal> {
    let group = Ladder::new(world(), "volume.expand", json!({"volume": "S", "size": "3TB"}))
        .refused_before(("busy", "volume", ""), [idle()])
        .refused(("no_space", "raid-group", ""), json!({"size": "1.6TB"}))
        .done();
    let reduced = Ladder::new(world(), "volume.expand", json!({"volume": "D", "size": "20TB"}))
        .refused(("reduction_promise", "pool", ""), json!({"size": "19.1TB"}))
        .done();
    let mut contained = containers::world();
    given::done(&mut contained, &json!({"volume.update": {"volume": "vol1/lun0", "allocation": "thick"}}));
    let contained = Ladder::new(contained, "volume.expand", json!({"volume": "vol1/lun0", "size": "600GB"}))
        .refused(("container_full", "container", ""), json!({"size": "500GB"}))
        .done();
    [group, reduced, contained].concat()
}

fn format() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &workload("S"));
    Ladder::new(world, "volume.format", json!({"volume": "X"}))
        .refused(("not_found", "volume", ""), json!({"volume": "S"}))
        .refused_before(("busy", "volume", ""), [idle()])
        .refused_before(("in_use", "volume", ""), [json!({"workload.delete": {"workload": "load"}})])
        .done()
}

/// A container of 250 GB with a thick LUN of 200 GB, of which a snapshot holds 100 GB.
fn full_container() -> World {
    let mut world = containers::world();
    given::done(&mut world, &json!({"volume.update": {"volume": "vol1/lun0", "allocation": "thick"}}));
    given::done(&mut world, &json!({"container.update": {"container": "vol1", "size": "250GB"}}));
    world
}

fn format_in_a_container() -> Vec<Refusal> {
    Ladder::new(full_container(), "volume.format", json!({"volume": "vol1/lun0"}))
        .refused_before(("container_full", "container", ""), [json!({"container.update": {"container": "vol1", "size": "300GB"}})])
        .done()
}

fn migrate() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"pool.update": {"pool": "P1", "over_provisioning_percent": 100}}));
    given::done(&mut world, &json!({"volume.create": {"name": "F", "pool": "P1", "size": "1TB", "allocation": "thick"}}));
    let request = json!({"volume": "X", "pool": "X", "raid_group": "X", "allocation": "thick", "compression": true});
    Ladder::new(world, "volume.migrate", request)
        .also(("missing", "volume", "pool"), json!({"pool": null, "raid_group": null}))
        .refused(("conflicting", "volume", "raid_group"), json!({"raid_group": null}))
        .refused(("not_found", "volume", ""), json!({"volume": "S"}))
        .refused_before(("busy", "volume", ""), [idle()])
        .refused(("not_found", "pool", "pool"), json!({"pool": "P1"}))
        .also(("value_invalid", "volume", "pool"), json!({"volume": "D", "pool": "P0"}))
        .refused(("reduction_mismatch", "volume", "deduplication"), json!({"compression": false}))
        .refused_before(("over_provisioned", "pool", ""), [json!({"pool.update": {"pool": "P1", "over_provisioning_percent": 0}})])
        .refused(("pool_full", "pool", ""), json!({"allocation": "thin"}))
        .done()
}

fn migrate_elsewhere() -> Vec<Refusal> {
    let request = json!({"volume": "S", "raid_groups": ["X"], "allocation": "thin", "compression": true});
    Ladder::new(world(), "volume.migrate", request)
        .refused_before(("busy", "volume", ""), [idle()])
        .refused(("not_found", "raid-group", "raid_groups"), json!({"raid_groups": ["P0_0"]}))
        .refused(("value_invalid", "volume", "raid_groups"), json!({"raid_groups": ["P0_0", "RG0"]}))
        .refused(("raid_group_in_pool", "raid-group", ""), json!({"raid_groups": ["RG0", "RG1"]}))
        .refused(("value_invalid", "volume", "raid_groups"), json!({"raid_groups": null, "raid_group": "RG1", "volume": "D"}))
        .refused(("not_supported", "volume", "allocation"), json!({"allocation": "thick"}))
        .refused(("not_supported", "volume", "compression"), json!({"compression": null}))
        .refused(("no_space", "raid-group", ""), json!({"volume": "S"}))
        .done()
}

fn migrate_contained() -> Vec<Refusal> {
    let mut world = containers::world();
    given::done(&mut world, &json!({"volume.format": {"volume": "vol1/lun0"}}));
    let met = Ladder::new(world, "volume.migrate", json!({"volume": "X", "pool": "X"}))
        .refused(("not_found", "volume", ""), json!({"volume": "vol1/lun0"}))
        .refused_until(("not_supported", "volume", "volume"), |world| *world = self::world())
        .refused(("not_found", "volume", ""), json!({"volume": "V0"}))
        .refused(("not_found", "pool", "pool"), json!({"pool": "P1"}));
    met.done()
}

fn stop_migration() -> Vec<Refusal> {
    Ladder::new(world(), "volume.stop-migration", json!({"volume": "X"}))
        .refused(("not_found", "volume", ""), json!({"volume": "V0"}))
        .refused_before(("not_running", "volume", ""), [json!({"volume.migrate": {"volume": "V0", "pool": "P1"}})])
        .done()
}

fn write() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"volume.migrate": {"volume": "D", "pool": "P1", "deduplication": false, "compression": false}}));
    Ladder::new(world, "volume.write", json!({"volume": "X", "bytes": 0}))
        .refused(("not_found", "volume", ""), json!({"volume": "D"}))
        .refused_before(("busy", "volume", ""), [json!({"volume.stop-migration": {"volume": "D"}})])
        .also(("out_of_range", "volume", "bytes"), json!({"bytes": "129TiB"}))
        .refused(("out_of_range", "volume", "bytes"), json!({"bytes": "4TB"}))
        .refused(("pool_full", "pool", ""), json!({"reducibility": 3}))
        .done()
}

fn write_in_a_container() -> Vec<Refusal> {
    let mut world = containers::world();
    given::done(&mut world, &json!({"container.create": {"name": "filler", "pool": "aggr1", "size": "1750GB"}}));
    given::done(&mut world, &json!({"volume.expand": {"volume": "vol1/lun0", "size": "600GB"}}));
    Ladder::new(world, "volume.write", json!({"volume": "vol1/lun0", "bytes": "600GB"}))
        .refused(("container_full", "container", ""), json!({"bytes": "200GB"}))
        .refused_before(("pool_full", "pool", ""), [json!({"container.delete": {"container": "filler"}})])
        .done()
}

fn unmap() -> Vec<Refusal> {
    Ladder::new(world(), "volume.unmap", json!({"volume": "X", "bytes": 0}))
        .refused(("not_found", "volume", ""), json!({"volume": "S"}))
        .refused_before(("busy", "volume", ""), [idle()])
        .also(("out_of_range", "volume", "bytes"), json!({"bytes": "129TiB"}))
        .refused(("out_of_range", "volume", "bytes"), json!({"bytes": "4TB"}))
        .done()
}

fn unmap_in_a_container() -> Vec<Refusal> {
    Ladder::new(full_container(), "volume.unmap", json!({"volume": "vol1/lun0", "bytes": 0}))
        .refused(("out_of_range", "volume", "bytes"), json!({"bytes": "60GB"}))
        .refused(("container_full", "container", ""), json!({"bytes": "50GB"}))
        .done()
}

fn relocate() -> Vec<Refusal> {
    Ladder::new(containers::world(), "volume.move", json!({"volume": "X", "container": "X", "name": "a/b/c"}))
        .refused(("not_found", "volume", ""), json!({"volume": "vol1/lun0"}))
        .refused(("not_found", "container", "container"), json!({"container": "vol1"}))
        .refused(("value_invalid", "volume", "container"), json!({"container": "vol2"}))
        .refused(("name_invalid", "volume", "name"), json!({"name": "lun0"}))
        .refused(("name_taken", "volume", "name"), json!({"name": "lun9"}))
        .done()
}

fn clone() -> Vec<Refusal> {
    let mut world = containers::world();
    given::done(&mut world, &json!({"volume.create": {"name": "big", "container": "vol1", "size": "210GB", "allocation": "thick"}}));
    given::done(&mut world, &json!({"volume.format": {"volume": "big"}}));
    world.array.personality.limits.volumes = 3;
    Ladder::new(world, "volume.clone", json!({"volume": "X", "name": "a/b/c"}))
        .refused(("not_found", "volume", ""), json!({"volume": "big"}))
        .refused_before(("busy", "volume", ""), [idle()])
        .refused(("name_invalid", "volume", "name"), json!({"name": "lun0"}))
        .refused(("name_taken", "volume", "name"), json!({"name": "copy"}))
        .refused_until(("limit_reached", "volume", ""), |world| world.array.personality.limits.volumes = 4)
        .refused_before(("container_full", "container", ""), [json!({"container.update": {"container": "vol1", "size": "600GB"}})])
        .done()
}

fn clone_elsewhere() -> Vec<Refusal> {
    Ladder::new(containers::world(), "volume.clone", json!({"volume": "lun9", "name": "copy", "pool": "aggr1", "data_tracking": true}))
        .refused(("not_found", "volume", ""), json!({"volume": "vol1/lun0"}))
        .refused(("not_supported", "volume", "pool"), json!({"pool": null}))
        .refused(("not_supported", "volume", "data_tracking"), json!({"data_tracking": null}))
        .done()
}
