//! Containers.

use arrayplane::model::ReductionDomain;
use arrayplane::ops::World;
use serde_json::json;

use super::ladder::{Ladder, Refusal};
use crate::given;

pub(super) fn ladders() -> Vec<Refusal> {
    [create_where_there_are_none(), create(), update(), update_busy(), offline(), delete(), clone(), split(), migrate(), migrating()].concat()
}

#[test]
fn containers_refuse_in_the_documented_order() {
    ladders();
}

/// An aggregate of 1.92 TB; vol1 with a LUN of 100 GB, a snapshot of it, and a clone of that.
pub(super) fn world() -> World {
    let operations = [
        json!({"pool.create": {"name": "aggr1", "level": "raid-dp", "drive_count": 3}}),
        json!({"container.create": {"name": "vol1", "pool": "aggr1", "size": "500GB", "guarantee": "thin"}}),
        json!({"volume.create": {"name": "lun0", "container": "vol1", "size": "200GB"}}),
        json!({"volume.write": {"volume": "lun0", "bytes": "100GB"}}),
        json!({"snapshot.create": {"container": "vol1", "name": "snap1"}}),
        json!({"container.clone": {"snapshot": "snap1", "name": "vol2"}}),
        json!({"clock.set": {"mode": "manual"}}),
    ];
    given::with("aff-a250", &operations)
}

fn create_where_there_are_none() -> Vec<Refusal> {
    let request = json!({"name": "", "pool": "X", "size": 1, "deduplication": true});
    Ladder::new(given::model("eternus-af250", 7), "container.create", request)
        .refused_until(("not_supported", "container", "pool"), |world| *world = self::world())
        .refused(("not_found", "pool", "pool"), json!({"pool": "aggr1"}))
        .refused(("name_invalid", "container", "name"), json!({"name": "vol9"}))
        .refused(("out_of_range", "container", "size"), json!({"size": "20MiB"}))
        .done()
}

fn create() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"pool.update": {"pool": "aggr1", "over_provisioning_percent": 100}}));
    given::done(&mut world, &json!({"volume.write": {"volume": "vol2/lun0", "bytes": "100GB"}}));
    world.array.personality.reduction_domain = None;
    world.array.personality.reduction_switch = true;
    world.array.personality.limits.containers = 2;
    let request = json!({"name": "a/b", "pool": "X", "size": "101TiB", "guarantee": "thick", "deduplication": true});
    Ladder::new(world, "container.create", request)
        .refused(("not_found", "pool", "pool"), json!({"pool": "aggr1"}))
        .refused(("name_invalid", "container", "name"), json!({"name": "vol1"}))
        .refused(("name_taken", "container", "name"), json!({"name": "vol3"}))
        .also(("out_of_range", "container", "size"), json!({"size": 1}))
        .refused(("out_of_range", "container", "size"), json!({"size": "1900GB"}))
        .refused_until(("not_supported", "container", "deduplication"), |world| {
            world.array.personality.reduction_domain = Some(ReductionDomain::Container);
        })
        .also(("reduction_off", "array", "compression"), json!({"deduplication": false, "compression": true}))
        .refused_before(("reduction_off", "array", "deduplication"), [json!({"settings.update": {"data_reduction": true}})])
        .refused_until(("limit_reached", "container", ""), |world| world.array.personality.limits.containers = 3)
        .refused_before(("over_provisioned", "pool", ""), [json!({"pool.update": {"pool": "aggr1", "over_provisioning_percent": 0}})])
        .refused(("pool_full", "pool", ""), json!({"size": "900GB"}))
        .done()
}

fn update() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"pool.update": {"pool": "aggr1", "over_provisioning_percent": 100}}));
    world.array.personality.reduction_domain = None;
    world.array.personality.reduction_switch = true;
    let request = json!({"container": "X", "name": "a/b", "size": 1, "guarantee": "thick", "compression": true, "state": "restricted"});
    Ladder::new(world, "container.update", request)
        .refused(("not_found", "container", ""), json!({"container": "vol1"}))
        .refused(("name_invalid", "container", "name"), json!({"name": "vol2"}))
        .refused(("name_taken", "container", "name"), json!({"name": "vol3"}))
        .refused(("wrong_state", "container", ""), json!({"state": "online"}))
        .also(("out_of_range", "container", "size"), json!({"size": "101TiB"}))
        .refused(("out_of_range", "container", "size"), json!({"size": "20MiB"}))
        .refused(("out_of_range", "container", "size"), json!({"size": "10TB"}))
        .refused_until(("not_supported", "container", "compression"), |world| {
            world.array.personality.reduction_domain = Some(ReductionDomain::Container);
        })
        .refused_before(("reduction_off", "array", "compression"), [json!({"settings.update": {"data_reduction": true}})])
        .refused_before(("over_provisioned", "pool", ""), [json!({"pool.update": {"pool": "aggr1", "over_provisioning_percent": 0}})])
        .refused(("pool_full", "pool", ""), json!({"size": "1TB"}))
        .done()
}

fn update_busy() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"container.split": {"container": "vol2"}}));
    Ladder::new(world, "container.update", json!({"container": "vol2", "state": "offline"}))
        .refused_before(("busy", "container", ""), [json!({"clock.advance": {"until": "idle"}})])
        .done()
}

/// What needs the container, and a write needs the volume, to be online.
fn offline() -> Vec<Refusal> {
    let state = |state: &str| json!({"container.update": {"container": "vol1", "state": state}});
    let away = |online: bool| json!({"volume.update": {"volume": "vol1/lun0", "online": online}});
    let needs = |operation: &'static str, request: serde_json::Value| {
        let mut world = world();
        given::done(&mut world, &state("restricted"));
        Ladder::new(world, operation, request).refused_before(("wrong_state", "container", ""), [state("online")]).done()
    };
    let mut world = world();
    given::done(&mut world, &state("offline"));
    given::done(&mut world, &away(false));
    let write = Ladder::new(world, "volume.write", json!({"volume": "vol1/lun0", "bytes": "1GB"}))
        .refused_before(("wrong_state", "container", ""), [state("online")])
        .refused_before(("wrong_state", "volume", ""), [away(true)])
        .done();
    let others = [
        needs("volume.create", json!({"container": "vol1", "name": "lun1", "size": "1GB"})),
        needs("volume.expand", json!({"volume": "vol1/lun0", "size": "201GB"})),
        needs("volume.clone", json!({"volume": "vol1/lun0", "name": "lun1"})),
        needs("snapshot.create", json!({"container": "vol1", "name": "snap2"})),
        needs("snapshot.restore", json!({"snapshot": "vol1/snap1"})),
        needs("container.clone", json!({"snapshot": "vol1/snap1", "name": "vol3"})),
    ];
    [write, others.concat()].concat()
}

fn delete() -> Vec<Refusal> {
    let mut world = world();
    for operation in [
        json!({"snapshot.create": {"container": "vol2", "name": "snap2"}}),
        json!({"container.clone": {"snapshot": "snap2", "name": "vol3"}}),
        json!({"host.create": {"name": "esx", "protocol": "fc", "wwn": "10000090fa000001"}}),
        json!({"mapping.create": {"volume": "vol2/lun0", "host": "esx"}}),
        json!({"volume.format": {"volume": "vol2/lun0"}}),
        json!({"container.split": {"container": "vol2"}}),
    ] {
        given::done(&mut world, &operation);
    }
    Ladder::new(world, "container.delete", json!({"container": "X"}))
        .refused(("not_found", "container", ""), json!({"container": "vol2"}))
        .refused(("in_use", "container", ""), json!({"with_volumes": true}))
        .refused_before(("busy", "volume", ""), [json!({"clock.advance": {"by": "220s"}})])
        .refused_before(("in_use", "volume", ""), [json!({"mapping.delete": {"mapping": "0"}})])
        .refused_before(("in_use", "snapshot", ""), [json!({"container.delete": {"container": "vol3", "with_volumes": true}})])
        .refused_before(("busy", "container", ""), [json!({"clock.advance": {"until": "idle"}})])
        .done()
}

fn clone() -> Vec<Refusal> {
    let mut world = world();
    for operation in [
        json!({"volume.create": {"name": "thick", "container": "vol1", "size": "300GB", "allocation": "thick"}}),
        json!({"snapshot.create": {"container": "vol1", "name": "snap2"}}),
        json!({"volume.delete": {"volume": "thick"}}),
        json!({"container.update": {"container": "vol1", "size": "200GB"}}),
        json!({"pool.update": {"pool": "aggr1", "over_provisioning_percent": 100}}),
        json!({"container.create": {"name": "filler", "pool": "aggr1", "size": "1100GB", "guarantee": "thin"}}),
    ] {
        given::done(&mut world, &operation);
    }
    (world.array.personality.limits.containers, world.array.personality.limits.volumes) = (3, 2);
    Ladder::new(world, "container.clone", json!({"snapshot": "X", "name": "a/b"}))
        .refused(("not_found", "snapshot", ""), json!({"snapshot": "vol1/snap2"}))
        .refused(("name_invalid", "container", "name"), json!({"name": "vol1"}))
        .refused(("name_taken", "container", "name"), json!({"name": "vol3"}))
        .refused_until(("limit_reached", "container", ""), |world| world.array.personality.limits.containers = 4)
        .refused_until(("limit_reached", "volume", ""), |world| world.array.personality.limits.volumes = 4)
        .refused_before(("over_provisioned", "pool", ""), [json!({"pool.update": {"pool": "aggr1", "over_provisioning_percent": 0}})])
        .refused_before(("container_full", "container", ""), [json!({"container.update": {"container": "vol1", "size": "401GB"}})])
        .done()
}

fn split() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"container.split": {"container": "vol2"}}));
    let full = [json!({"job.cancel": {"job": "1"}}), json!({"container.create": {"name": "filler", "pool": "aggr1", "size": "1800GB"}})];
    Ladder::new(world, "container.split", json!({"container": "X"}))
        .refused(("not_found", "container", ""), json!({"container": "vol1"}))
        .refused(("not_running", "container", ""), json!({"container": "vol2"}))
        .refused_before(("busy", "container", ""), full)
        .refused_before(("pool_full", "pool", ""), [json!({"container.delete": {"container": "filler"}})])
        .done()
}

/// Besides what is in [`world`], two aggregates: aggr2 of 1.92 TB and aggr3, which is nearly full.
fn with_more_pools() -> World {
    let mut world = world();
    for step in [
        json!({"pool.create": {"name": "aggr2", "level": "raid-dp", "drive_count": 3}}),
        json!({"pool.create": {"name": "aggr3", "level": "raid-dp", "drive_count": 3}}),
        json!({"container.create": {"name": "vol8", "pool": "aggr3", "size": "1700GB", "guarantee": "thick"}}),
        json!({"pool.update": {"pool": "aggr3", "over_provisioning_percent": 100}}),
        json!({"container.split": {"container": "vol2"}}),
    ] {
        given::done(&mut world, &step);
    }
    world
}

fn migrate() -> Vec<Refusal> {
    Ladder::new(with_more_pools(), "container.migrate", json!({"container": "X", "pool": "X"}))
        .refused(("not_found", "container", ""), json!({"container": "vol2"}))
        .refused(("not_found", "pool", "pool"), json!({"pool": "aggr1"}))
        .refused(("value_invalid", "container", "pool"), json!({"pool": "aggr3"}))
        .refused_before(
            ("busy", "container", ""),
            [json!({"clock.advance": {"until": "idle"}}), json!({"container.update": {"container": "vol2", "state": "offline"}})],
        )
        .refused_before(
            ("wrong_state", "container", ""),
            [
                json!({"container.update": {"container": "vol2", "state": "online"}}),
                json!({"snapshot.create": {"container": "vol2", "name": "own"}}),
                json!({"container.clone": {"snapshot": "own", "name": "vol3"}}),
            ],
        )
        .refused_before(("in_use", "snapshot", ""), [json!({"container.delete": {"container": "vol3", "with_volumes": true}})])
        .refused_before(
            ("over_provisioned", "pool", ""),
            [
                json!({"pool.update": {"pool": "aggr3", "over_provisioning_percent": 0}}),
                json!({"container.update": {"container": "vol2", "guarantee": "thick"}}),
            ],
        )
        .refused(("pool_full", "pool", ""), json!({"pool": "aggr2"}))
        .done()
}

fn migrating() -> Vec<Refusal> {
    let begun = || {
        let mut world = with_more_pools();
        given::done(&mut world, &json!({"clock.advance": {"until": "idle"}}));
        world
    };
    let go = json!({"container.migrate": {"container": "vol2", "pool": "aggr2"}});
    let (pause, resume) = (json!({"container.pause-migration": {"container": "vol2"}}), json!({"container.resume-migration": {"container": "vol2"}}));
    let to_pause = Ladder::new(begun(), "container.pause-migration", json!({"container": "X"}))
        .refused(("not_found", "container", ""), json!({"container": "vol2"}))
        .refused_before(("not_running", "container", ""), [go.clone(), pause.clone()])
        .refused_before(("wrong_state", "container", ""), [resume])
        .done();
    let to_resume = Ladder::new(begun(), "container.resume-migration", json!({"container": "X"}))
        .refused(("not_found", "container", ""), json!({"container": "vol2"}))
        .refused_before(("not_running", "container", ""), [go.clone()])
        .refused_before(("wrong_state", "container", ""), [pause])
        .done();
    let to_stop = Ladder::new(begun(), "container.stop-migration", json!({"container": "X"}))
        .refused(("not_found", "container", ""), json!({"container": "vol2"}))
        .refused_before(("not_running", "container", ""), [go])
        .done();
    [to_pause, to_resume, to_stop].concat()
}
