//! The worlds on which random steps begin.

use arrayplane::ops::World;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::given;

/// A model, whether something is configured, and whether its limits are small enough to be met.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start {
    model: &'static str,
    furnished: bool,
    tight: bool,
    seed: u64,
}

/// Containers make the most of the books, so the model that has them comes more often.
const MODELS: [&str; 5] = ["eternus-af250", "aff-a250", "esds-s16f", "aff-a250", "eternus-af250"];

impl Start {
    /// Any beginning.
    pub(crate) fn any() -> impl Strategy<Value = Start> {
        let furnished = prop::bool::weighted(0.8);
        (prop::sample::select(&MODELS[..]), furnished, prop::bool::weighted(0.3), 0_u64..4).prop_map(|(model, furnished, tight, seed)| Start {
            model,
            furnished,
            tight,
            seed,
        })
    }
    /// The world.
    pub(crate) fn world(&self) -> World {
        let mut world = given::model(self.model, self.seed);
        if self.tight {
            tighten(&mut world);
        }
        if self.furnished {
            for operation in furniture(self.model) {
                given::done(&mut world, &operation);
            }
            if self.seed % 2 == 1 && world.array.personality.parts.giveback_option {
                without_groups(&mut world);
            }
            if world.array.calibration.is_some() {
                given::done(&mut world, &json!({"workload.create": {"name": "W0", "profile": "custom", "volumes": ["0"]}}));
            }
        }
        world
    }
}

/// Lets a controller wait for its RAID groups.
fn without_groups(world: &mut World) {
    for operation in [
        json!({"controller.update": {"controller": "1", "auto_giveback": false}}),
        json!({"controller.fail": {"controller": "1"}}),
        json!({"clock.advance": {"by": "1m"}}),
        json!({"controller.restore": {"controller": "1"}}),
        json!({"clock.advance": {"by": "5m"}}),
    ] {
        given::done(world, &operation);
    }
}

fn tighten(world: &mut World) {
    let limits = &mut world.array.personality.limits;
    (limits.raid_groups, limits.pools, limits.volumes, limits.snapshots_per_container, limits.containers) = (6, 3, 9, 2, 4);
    (limits.hosts, limits.host_groups, limits.hosts_per_group, limits.hosts_per_port, limits.workloads) = (4, 3, 2, 3, 3);
    if let Some(copies) = &mut world.array.personality.copy {
        (copies.sessions, copies.sessions_per_source, copies.generations, copies.cascade) = (5, 2, 3, 2);
    }
    let limits = &mut world.array.personality.limits;
    (limits.tenants, limits.interfaces, limits.qos_policies, limits.host_responses) = (2, 3, 3, 2);
    limits.records = 4;
    (limits.port_groups, limits.lun_groups, limits.luns_per_group, limits.affinities, limits.mappings) = (3, 3, 2, 2, 3);
}

fn furniture(model: &str) -> Vec<Value> {
    let storage = match model {
        "aff-a250" => aff(),
        "eternus-af250" => [vec![json!({"settings.update": {"data_reduction": true}})], plain(true)].concat(),
        _ => plain(false),
    };
    let hosts = vec![
        json!({"host.create": {"name": "H0", "protocol": "fc", "wwn": "10000090fa000000"}}),
        json!({"host.create": {"name": "H1", "protocol": "fc", "wwn": "10000090fa000001"}}),
        json!({"host-group.create": {"name": "HG0", "hosts": ["H0"]}}),
        json!({"port-group.create": {"name": "PG0", "ports": ["0"]}}),
        json!({"lun-group.create": {"name": "LG0", "luns": [{"volume": "0"}]}}),
        json!({"affinity.create": {"host_group": "HG0", "port_group": "PG0", "lun_group": "LG0"}}),
    ];
    [storage, hosts].concat()
}

fn plain(reduced: bool) -> Vec<Value> {
    let mut operations = vec![
        json!({"raid-group.create": {"name": "RG0", "level": "raid1+0", "drive_count": 4}}),
        json!({"raid-group.create": {"name": "RG1", "level": "raid5", "drive_count": 3}}),
        json!({"pool.create": {"name": "P0", "level": "raid1", "drive_count": 2, "deduplication": reduced, "compression": reduced}}),
        json!({"pool.create": {"name": "P1", "level": "raid1", "drive_count": 2}}),
        json!({"volume.create": {"name": "V0", "pool": "P0", "size": "300GB", "deduplication": reduced, "compression": reduced, "reducibility": 3.5}}),
        json!({"volume.create": {"name": "V1", "pool": "P1", "size": "300GB"}}),
        json!({"volume.create": {"name": "V2", "raid_group": "RG0", "size": "200GB"}}),
        json!({"volume.create": {"name": "V3", "pool": "P1", "size": "300GB"}}),
        json!({"volume.create": {"name": "V4", "raid_group": "RG0", "size": "300GB", "role": "snap_data"}}),
        json!({"volume.create": {"name": "V5", "raid_group": "RG1", "size": "40GiB", "role": "snap_pool"}}),
        json!({"copy-session.create": {"name": "S0", "kind": if reduced { "quick_opc" } else { "ec" }, "source": "V1", "destination": "V3"}}),
    ];
    if !reduced {
        operations.push(json!({"clock.advance": {"by": "1s"}}));
        operations.push(json!({"copy-session.suspend": {"copy_session": "S0"}}));
    }
    operations
}

fn aff() -> Vec<Value> {
    vec![
        json!({"pool.create": {"name": "P0", "level": "raid-dp", "drive_count": 3}}),
        json!({"container.create": {"name": "C0", "pool": "P0", "size": "900GB", "guarantee": "thick", "deduplication": true, "compression": true}}),
        json!({"container.create": {"name": "C1", "pool": "P0", "size": "1500GB", "guarantee": "thin"}}),
        json!({"volume.create": {"name": "V0", "container": "C0", "size": "300GB", "reducibility": 3.5}}),
        json!({"volume.create": {"name": "V1", "container": "C1", "size": "300GB", "allocation": "thick"}}),
        json!({"volume.write": {"volume": "V0", "bytes": "200GB"}}),
        json!({"snapshot.create": {"container": "C0", "name": "S0"}}),
        json!({"container.clone": {"snapshot": "C0/S0", "name": "C2"}}),
        json!({"pool.create": {"name": "P1", "level": "raid-dp", "drive_count": 3}}),
        json!({"volume.write": {"volume": "V1", "bytes": "200GB"}}),
        json!({"container.migrate": {"container": "C1", "pool": "P1"}}),
    ]
}
