//! Tests of hosts, groups, affinities and mappings: the order of refusals, what succeeds, and random sequences.
//!
//! Owns: the connected test world. Must not know: other nouns' rules. Read first: [`world`].

mod addresses;
mod happy;
mod properties;
mod refusals_of_groups;
mod refusals_of_paths;
mod tenants;

use serde_json::{Value, json};

use super::World;
use super::test_world::{self, attempt, run};
use crate::model::Limits;

/// Two clusters, `HG0` (`H0`) and `HG1` (`H1`), see volumes through `PG0`, and by mappings through `PG1`; `H2`, `H3`, the iSCSI host
/// `I0` and the NVMe host `N0` see nothing yet. The fourth port speaks iSCSI (`IPG`).
fn world() -> World {
    let mut world = test_world::world();
    run(
        &mut world,
        &[
            json!({"raid-group.create": {"name": "RG0", "level": "raid1+0", "drive_count": 12}}),
            json!({"volume.create": {"name": "V", "raid_group": "RG0", "size": "1GiB", "count": 8}}),
            json!({"host.create": {"name": "H0", "protocol": "fc", "wwn": "10000090fa000000"}}),
            json!({"host.create": {"name": "H1", "protocol": "fc", "wwn": "10000090fa000001"}}),
            json!({"host.create": {"name": "H2", "protocol": "fc", "wwn": "10000090fa000002"}}),
            json!({"host.create": {"name": "H3", "protocol": "fc", "wwn": "10000090fa000003"}}),
            json!({"host.create": {"name": "I0", "protocol": "iscsi", "iscsi_name": "iqn.1994-05.com.example:i0"}}),
            json!({"host.create": {"name": "N0", "protocol": "nvme", "nqn": "nqn.2014-08.com.example:n0"}}),
            json!({"host-group.create": {"name": "HG0", "hosts": ["H0"]}}),
            json!({"host-group.create": {"name": "HG1", "hosts": ["H1"]}}),
            json!({"host-group.create": {"name": "IG", "hosts": ["I0"]}}),
            json!({"host-port.update": {"host_port": "CM1-CA0-P1", "protocol": "iscsi"}}),
            json!({"port-group.create": {"name": "PG0", "ports": ["CM0-CA0-P0", "CM1-CA0-P0"]}}),
            json!({"port-group.create": {"name": "PG1", "ports": ["CM0-CA0-P1"]}}),
            json!({"port-group.create": {"name": "IPG", "ports": ["CM1-CA0-P1"]}}),
            json!({"lun-group.create": {"name": "LG0", "luns": [{"lun": 0, "volume": "V0"}, {"lun": 1, "volume": "V1"}]}}),
            json!({"lun-group.create": {"name": "LG1", "luns": [{"lun": 0, "volume": "V2"}]}}),
            json!({"affinity.create": {"name": "A0", "host_group": "HG0", "port_group": "PG0", "lun_group": "LG0"}}),
            json!({"affinity.create": {"name": "A1", "host_group": "HG1", "port_group": "PG0", "lun_group": "LG1"}}),
            json!({"mapping.create": {"name": "M0", "volume": "V3", "host": "H1", "port_group": "PG1", "lun": 1}}),
            json!({"mapping.create": {"name": "M1", "volume": "V4", "host_group": "HG0", "port_group": "PG1", "lun": 5}}),
        ],
    );
    world
}

/// A row of a table of refusals: the first rule that the operation breaks; where it can, it breaks the later ones, too.
struct Case {
    given: fn(&mut World),
    operation: Value,
    refusal: String,
}

fn case(operation: Value, refusal: impl Into<String>) -> Case {
    Case { given: |_| (), operation, refusal: refusal.into() }
}

impl Case {
    fn given(self, given: fn(&mut World)) -> Case {
        Case { given, ..self }
    }
}

fn refused(name: &str, cases: impl IntoIterator<Item = Case>) {
    for Case { given, operation, refusal } in cases {
        let mut world = world();
        given(&mut world);
        let outcome = attempt(&mut world, &json!({ name: operation.clone() }));
        assert_eq!(outcome.map_err(|refusal| refusal.to_string()), Err(refusal), "{name} {operation}");
    }
}

fn bad_name(noun: &str) -> String {
    format!("'a,b' is no name for a {noun}: it must not contain ','; printable ASCII without ',' '?' is accepted")
}

fn limits(world: &mut World) -> &mut Limits {
    &mut world.array.personality.limits
}
