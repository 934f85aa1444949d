//! Hosts, groups, affinities and mappings.

use arrayplane::ops::World;
use serde_json::json;

use super::ladder::{Ladder, Refusal};
use crate::given;

pub(super) fn ladders() -> Vec<Refusal> {
    let hosts = [host_create(), host_update(), host_delete()].concat();
    let host_groups = [host_group_create(), host_group_update(), host_group_delete()].concat();
    let port_groups = [port_group_create(), port_group_update(), port_group_delete()].concat();
    let lun_groups = [lun_group_create(), lun_group_update(), lun_group_delete()].concat();
    let ways = [affinity_create(), affinity_update(), affinity_delete(), mapping_create(), mapping_update(), mapping_delete()].concat();
    [hosts, host_groups, port_groups, lun_groups, ways].concat()
}

#[test]
fn hosts_groups_affinities_and_mappings_refuse_in_the_documented_order() {
    ladders();
}

/// Hosts H0 to H2 (fc) and I0 (iscsi); ports of both; HG0 with H0 sees V0 and V1 of LG0 through PG0; V2 is mapped to H2.
fn world() -> World {
    let operations = [
        json!({"raid-group.create": {"name": "RG0", "level": "raid1", "drive_count": 2}}),
        json!({"volume.create": {"name": "V", "raid_group": "RG0", "size": "1GiB", "count": 5}}),
        json!({"host.create": {"name": "H0", "protocol": "fc", "wwn": "10000090fa000000"}}),
        json!({"host.create": {"name": "H1", "protocol": "fc", "wwn": "10000090fa000001"}}),
        json!({"host.create": {"name": "H2", "protocol": "fc", "wwn": "10000090fa000002"}}),
        json!({"host.create": {"name": "I0", "protocol": "iscsi", "iscsi_name": "iqn.1991-05.com.example:0"}}),
        json!({"host-port.update": {"host_port": "CM1-CA0-P1", "protocol": "iscsi"}}),
        json!({"host-group.create": {"name": "HG0", "hosts": ["H0"]}}),
        json!({"host-group.create": {"name": "HG1", "hosts": ["H1"]}}),
        json!({"port-group.create": {"name": "PG0", "ports": ["CM0-CA0-P0"]}}),
        json!({"port-group.create": {"name": "PG1", "ports": ["CM0-CA0-P1"]}}),
        json!({"port-group.create": {"name": "PGI", "ports": ["CM1-CA0-P1"]}}),
        json!({"lun-group.create": {"name": "LG0", "luns": [{"lun": 0, "volume": "V0"}, {"lun": 1, "volume": "V1"}]}}),
        json!({"lun-group.create": {"name": "LG1", "luns": [{"lun": 5, "volume": "V3"}]}}),
        json!({"affinity.create": {"name": "A0", "host_group": "HG0", "port_group": "PG0", "lun_group": "LG0"}}),
        json!({"mapping.create": {"name": "M0", "volume": "V2", "host": "H2", "lun": 1, "port_group": "PG1"}}),
    ];
    given::with("eternus-af250", &operations)
}

fn host_create() -> Vec<Refusal> {
    let mut world = world();
    world.array.personality.limits.hosts = 4;
    Ladder::new(world, "host.create", json!({"name": "a,b", "protocol": "fc", "nqn": "x", "alias": "a".repeat(32)}))
        .refused(("conflicting", "host", "nqn"), json!({"nqn": null}))
        .refused(("missing", "host", "wwn"), json!({"wwn": "1234"}))
        .refused(("name_invalid", "host", "name"), json!({"name": "H0"}))
        .refused(("name_taken", "host", "name"), json!({"name": "H9"}))
        .also(("value_invalid", "host", "iscsi_name"), json!({"protocol": "iscsi", "wwn": null, "iscsi_name": "x"}))
        .also(("not_supported", "host", "protocol"), json!({"protocol": "nvme", "wwn": null, "nqn": "x"}))
        .refused(("value_invalid", "host", "wwn"), json!({"wwn": "10:00:00:90:FA:00:00:00"}))
        .refused(("value_invalid", "host", "alias"), json!({"alias": null}))
        .refused_until(("limit_reached", "host", ""), |world| world.array.personality.limits.hosts = 5)
        .refused(("initiator_taken", "host", ""), json!({"wwn": "10000090fa000009"}))
        .done()
}

fn host_update() -> Vec<Refusal> {
    let request = json!({"host": "X", "name": "a,b", "wwn": "1234", "nqn": "x", "alias": "a".repeat(32)});
    Ladder::new(world(), "host.update", request)
        .refused(("conflicting", "host", "wwn"), json!({"wwn": null}))
        .refused(("not_found", "host", ""), json!({"host": "H1"}))
        .refused(("protocol_mismatch", "host", "protocol"), json!({"nqn": null, "wwn": "1234"}))
        .refused(("name_invalid", "host", "name"), json!({"name": "H0"}))
        .refused(("name_taken", "host", "name"), json!({"name": "H9"}))
        .refused(("value_invalid", "host", "wwn"), json!({"wwn": "10000090fa000000"}))
        .refused(("value_invalid", "host", "alias"), json!({"alias": ""}))
        .refused(("initiator_taken", "host", ""), json!({"wwn": "10000090fa000009"}))
        .done()
}

fn host_delete() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"host-group.update": {"host_group": "HG1", "add_hosts": ["H2"]}}));
    Ladder::new(world, "host.delete", json!({"host": "X"}))
        .refused(("not_found", "host", ""), json!({"host": "H2"}))
        .refused_before(("in_use", "host", ""), [json!({"host-group.update": {"host_group": "HG1", "hosts": []}})])
        .refused_before(("in_use", "host", ""), [json!({"mapping.delete": {"mapping": "M0"}})])
        .done()
}

fn host_group_create() -> Vec<Refusal> {
    let mut world = world();
    (world.array.personality.limits.host_groups, world.array.personality.limits.hosts_per_group) = (2, 1);
    Ladder::new(world, "host-group.create", json!({"name": "a,b"}))
        .refused(("missing", "host-group", "protocol"), json!({"hosts": ["X", "H1", "H1", "I0"]}))
        .refused(("not_found", "host", "hosts"), json!({"hosts": ["H1", "H1", "I0"]}))
        .refused(("conflicting", "host-group", "hosts"), json!({"hosts": ["H1", "I0"]}))
        .refused(("name_invalid", "host-group", "name"), json!({"name": "HG0"}))
        .refused(("name_taken", "host-group", "name"), json!({"name": "HG2"}))
        .refused(("protocol_mismatch", "host", "protocol"), json!({"hosts": ["H1", "H2"]}))
        .refused_until(("limit_reached", "host-group", ""), |world| world.array.personality.limits.host_groups = 3)
        .refused(("limit_reached", "host", ""), json!({"hosts": ["H1"]}))
        .done()
}

fn host_group_update() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"affinity.create": {"name": "A1", "host_group": "HG1", "port_group": "PG0", "lun_group": "LG0"}}));
    (world.array.personality.limits.hosts_per_group, world.array.personality.limits.hosts_per_port) = (1, 2);
    let request = json!({"host_group": "X", "name": "a,b", "hosts": ["X"], "add_hosts": ["X"], "remove_hosts": ["H1"]});
    Ladder::new(world, "host-group.update", request)
        .refused(("conflicting", "host-group", "hosts"), json!({"hosts": null}))
        .refused(("not_found", "host-group", ""), json!({"host_group": "HG0"}))
        .refused(("not_found", "host", "remove_hosts"), json!({"remove_hosts": null}))
        .refused(("not_found", "host", "add_hosts"), json!({"add_hosts": ["H0", "I0", "H1", "H2"]}))
        .refused(("conflicting", "host-group", "add_hosts"), json!({"add_hosts": ["I0", "H1", "H2"]}))
        .refused(("name_invalid", "host-group", "name"), json!({"name": "HG1"}))
        .refused(("name_taken", "host-group", "name"), json!({"name": "HG0"}))
        .refused(("protocol_mismatch", "host", "protocol"), json!({"add_hosts": ["H1", "H2"]}))
        .refused_until(("limit_reached", "host", ""), |world| world.array.personality.limits.hosts_per_group = 8)
        .refused(("path_taken", "host", ""), json!({"add_hosts": ["H2"]}))
        .refused(("lun_taken", "lun-group", "lun"), json!({"add_hosts": null}))
        .done()
}

fn host_group_delete() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"mapping.create": {"name": "M1", "volume": "V4", "host_group": "HG0"}}));
    Ladder::new(world, "host-group.delete", json!({"host_group": "X"}))
        .refused(("not_found", "host-group", ""), json!({"host_group": "HG0"}))
        .refused_before(("in_use", "host-group", ""), [json!({"affinity.delete": {"affinity": "A0"}})])
        .refused_before(("in_use", "host-group", ""), [json!({"mapping.delete": {"mapping": "M1"}})])
        .done()
}

fn port_group_create() -> Vec<Refusal> {
    let mut world = world();
    world.array.personality.limits.port_groups = 3;
    Ladder::new(world, "port-group.create", json!({"name": "a,b", "ports": []}))
        .refused(("missing", "port-group", "ports"), json!({"ports": ["X", "0", "0", "3"]}))
        .refused(("not_found", "host-port", "ports"), json!({"ports": ["0", "0", "3"]}))
        .refused(("conflicting", "port-group", "ports"), json!({"ports": ["0", "3"]}))
        .refused(("name_invalid", "port-group", "name"), json!({"name": "PG0"}))
        .refused(("name_taken", "port-group", "name"), json!({"name": "PG2"}))
        .refused(("protocol_mismatch", "host-port", "protocol"), json!({"ports": ["0", "1"]}))
        .refused_until(("limit_reached", "port-group", ""), |world| world.array.personality.limits.port_groups = 4)
        .done()
}

fn port_group_update() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"affinity.create": {"name": "A1", "host_group": "HG0", "port_group": "PG1", "lun_group": "LG1"}}));
    let request = json!({"port_group": "X", "name": "a,b", "ports": ["X"], "remove_ports": ["1"]});
    Ladder::new(world, "port-group.update", request)
        .refused(("conflicting", "port-group", "ports"), json!({"ports": null}))
        .refused(("not_found", "port-group", ""), json!({"port_group": "PG0"}))
        .refused(("not_found", "host-port", "remove_ports"), json!({"remove_ports": ["0"]}))
        .also(("conflicting", "port-group", "add_ports"), json!({"remove_ports": null, "add_ports": ["0"]}))
        .refused(("missing", "port-group", "ports"), json!({"remove_ports": null, "add_ports": ["1", "3"]}))
        .refused(("name_invalid", "port-group", "name"), json!({"name": "PG1"}))
        .refused(("name_taken", "port-group", "name"), json!({"name": "PG0"}))
        .refused(("protocol_mismatch", "host-port", "protocol"), json!({"add_ports": ["1"]}))
        .refused_until(("path_taken", "host", ""), |world| {
            given::done(world, &json!({"affinity.delete": {"affinity": "A1"}}));
            world.array.personality.limits.hosts_per_port = 1;
        })
        .refused_until(("limit_reached", "host", ""), |world| world.array.personality.limits.hosts_per_port = 2)
        .done()
}

fn port_group_delete() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"mapping.create": {"name": "M1", "volume": "V4", "host": "H1", "port_group": "PG0"}}));
    Ladder::new(world, "port-group.delete", json!({"port_group": "X"}))
        .refused(("not_found", "port-group", ""), json!({"port_group": "PG0"}))
        .refused_before(("in_use", "port-group", ""), [json!({"affinity.delete": {"affinity": "A0"}})])
        .refused_before(("in_use", "port-group", ""), [json!({"mapping.delete": {"mapping": "M1"}})])
        .done()
}

fn lun_group_create() -> Vec<Refusal> {
    let furniture = [
        json!({"raid-group.create": {"name": "RG0", "level": "raid1", "drive_count": 2}}),
        json!({"volume.create": {"name": "V", "raid_group": "RG0", "size": "1GiB", "count": 2}}),
        json!({"lun-group.create": {"name": "LG0"}}),
    ];
    let mut world = given::with("eternus-af250", &furniture);
    world.array.personality.lun_max = 0;
    (world.array.personality.limits.lun_groups, world.array.personality.limits.luns_per_group) = (1, 1);
    let luns = |volumes: &[(u32, &str)]| volumes.iter().map(|(lun, volume)| json!({"lun": lun, "volume": volume})).collect::<serde_json::Value>();
    Ladder::new(world, "lun-group.create", json!({"name": "a,b", "luns": luns(&[(256, "X")])}))
        .refused(("not_found", "volume", "luns"), json!({"luns": luns(&[(256, "V0"), (0, "V1"), (0, "V1")])}))
        .refused(("name_invalid", "lun-group", "name"), json!({"name": "LG0"}))
        .refused(("name_taken", "lun-group", "name"), json!({"name": "LG2"}))
        .refused(("out_of_range", "lun-group", "lun"), json!({"luns": luns(&[(0, "V0"), (0, "V1"), (0, "V1")])}))
        .refused_until(("limit_reached", "lun-group", ""), |world| world.array.personality.limits.lun_groups = 2)
        .refused_until(("limit_reached", "volume", ""), |world| world.array.personality.limits.luns_per_group = 8)
        .refused(("already_mapped", "volume", "volume"), json!({"luns": luns(&[(0, "V0"), (0, "V1")])}))
        .refused(("lun_taken", "lun-group", "lun"), json!({"luns": [{"volume": "V0"}, {"lun": 0, "volume": "V1"}]}))
        .refused_until(("limit_reached", "volume", ""), |world| world.array.personality.lun_max = 255)
        .done()
}

fn lun_group_update() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"mapping.create": {"name": "M1", "volume": "V4", "host": "H0", "lun": 7}}));
    world.array.personality.limits.luns_per_group = 2;
    let request = json!({"lun_group": "X", "name": "a,b", "luns": [], "add_luns": [{"lun": 256, "volume": "X"}], "remove_luns": [9]});
    Ladder::new(world, "lun-group.update", request)
        .refused(("conflicting", "lun-group", "luns"), json!({"luns": null}))
        .refused(("not_found", "lun-group", ""), json!({"lun_group": "LG0"}))
        .refused(("not_found", "volume", "add_luns"), json!({"add_luns": [{"lun": 256, "volume": "V0"}]}))
        .refused(("not_found", "volume", "remove_luns"), json!({"remove_luns": null}))
        .refused(("name_invalid", "lun-group", "name"), json!({"name": "LG1"}))
        .refused(("name_taken", "lun-group", "name"), json!({"name": "LG0"}))
        .refused(("out_of_range", "lun-group", "lun"), json!({"add_luns": [{"lun": 0, "volume": "V0"}]}))
        .refused_until(("limit_reached", "volume", ""), |world| world.array.personality.limits.luns_per_group = 8)
        .refused(("already_mapped", "volume", "volume"), json!({"add_luns": [{"lun": 0, "volume": "V4"}]}))
        .refused(("lun_taken", "lun-group", "lun"), json!({"add_luns": [{"lun": 7, "volume": "V4"}]}))
        .refused(("lun_taken", "lun-group", "lun"), json!({"add_luns": [{"volume": "V4"}]}))
        .done()
}

fn lun_group_delete() -> Vec<Refusal> {
    Ladder::new(world(), "lun-group.delete", json!({"lun_group": "X"}))
        .refused(("not_found", "lun-group", ""), json!({"lun_group": "LG0"}))
        .refused_before(("in_use", "lun-group", ""), [json!({"affinity.delete": {"affinity": "A0"}})])
        .done()
}

fn affinity_create() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"mapping.create": {"name": "M1", "volume": "V4", "host": "H0", "lun": 5, "port_group": "PG0"}}));
    (world.array.personality.limits.affinities, world.array.personality.limits.hosts_per_port) = (1, 1);
    Ladder::new(world, "affinity.create", json!({"name": "a,b", "host_group": "X", "port_group": "X", "lun_group": "X"}))
        .refused(("not_found", "host-group", "host_group"), json!({"host_group": "HG0"}))
        .refused(("not_found", "port-group", "port_group"), json!({"port_group": "PGI"}))
        .refused(("not_found", "lun-group", "lun_group"), json!({"lun_group": "LG1"}))
        .refused(("name_invalid", "affinity", "name"), json!({"name": "A0"}))
        .refused(("name_taken", "affinity", "name"), json!({"name": "A1"}))
        .refused(("protocol_mismatch", "port-group", "protocol"), json!({"port_group": "PG0"}))
        .refused_until(("limit_reached", "affinity", ""), |world| world.array.personality.limits.affinities = 2)
        .refused(("path_taken", "host", ""), json!({"port_group": "PG1"}))
        .refused_before(("lun_taken", "lun-group", "lun"), [json!({"mapping.update": {"mapping": "M1", "lun": 9}})])
        .refused_until(("limit_reached", "host", ""), |world| world.array.personality.limits.hosts_per_port = 2)
        .done()
}

fn affinity_update() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"affinity.create": {"name": "A1", "host_group": "HG0", "port_group": "PG1", "lun_group": "LG0"}}));
    given::done(&mut world, &json!({"mapping.create": {"name": "M1", "volume": "V4", "host": "H0", "lun": 5, "port_group": "PG1"}}));
    Ladder::new(world, "affinity.update", json!({"affinity": "X", "name": "a,b", "port_group": "X", "lun_group": "X"}))
        .refused(("not_found", "affinity", ""), json!({"affinity": "A0"}))
        .refused(("not_found", "port-group", "port_group"), json!({"port_group": "PGI"}))
        .refused(("not_found", "lun-group", "lun_group"), json!({"lun_group": "LG1"}))
        .refused(("name_invalid", "affinity", "name"), json!({"name": "A1"}))
        .refused(("name_taken", "affinity", "name"), json!({"name": "A0"}))
        .refused(("protocol_mismatch", "port-group", "protocol"), json!({"port_group": "PG1"}))
        .refused(("path_taken", "host", ""), json!({"port_group": "PG0"}))
        .refused(("lun_taken", "lun-group", "lun"), json!({"lun_group": "LG0"}))
        .done()
}

fn affinity_delete() -> Vec<Refusal> {
    Ladder::new(world(), "affinity.delete", json!({"affinity": "X"})).refused(("not_found", "affinity", ""), json!({"affinity": "A0"})).done()
}

fn mapping_create() -> Vec<Refusal> {
    let mut world = world();
    (world.array.personality.limits.mappings, world.array.personality.limits.hosts_per_port) = (1, 1);
    Ladder::new(world, "mapping.create", json!({"name": "a,b", "volume": "X", "host": "X", "host_group": "X", "port_group": "X", "lun": 256}))
        .also(("missing", "mapping", "host"), json!({"host": null, "host_group": null}))
        .refused(("conflicting", "mapping", "host"), json!({"host_group": null}))
        .refused(("not_found", "volume", "volume"), json!({"volume": "V2"}))
        .also(("not_found", "host-group", "host_group"), json!({"host": null, "host_group": "X"}))
        .refused(("not_found", "host", "host"), json!({"host": "H2"}))
        .refused(("not_found", "port-group", "port_group"), json!({"port_group": "PGI"}))
        .refused(("name_invalid", "mapping", "name"), json!({"name": "M0"}))
        .refused(("name_taken", "mapping", "name"), json!({"name": "M1"}))
        .refused(("protocol_mismatch", "port-group", "protocol"), json!({"port_group": "PG0"}))
        .refused(("out_of_range", "mapping", "lun"), json!({"lun": 1}))
        .refused_until(("limit_reached", "mapping", ""), |world| world.array.personality.limits.mappings = 2)
        .refused(("already_mapped", "volume", "volume"), json!({"volume": "V4"}))
        .refused(("lun_taken", "lun-group", "lun"), json!({"lun": null}))
        .refused_until(("limit_reached", "host", ""), |world| world.array.personality.limits.hosts_per_port = 2)
        .done()
}

fn mapping_update() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"mapping.create": {"name": "M1", "volume": "V3", "host": "H2", "port_group": "PG1", "lun": 7}}));
    world.array.personality.limits.hosts_per_port = 1;
    Ladder::new(world, "mapping.update", json!({"mapping": "X", "name": "a,b", "port_group": "X", "lun": 256}))
        .refused(("not_found", "mapping", ""), json!({"mapping": "M1"}))
        .refused(("not_found", "port-group", "port_group"), json!({"port_group": "PGI"}))
        .refused(("name_invalid", "mapping", "name"), json!({"name": "M0"}))
        .refused(("name_taken", "mapping", "name"), json!({"name": "M1"}))
        .refused(("protocol_mismatch", "port-group", "protocol"), json!({"port_group": "PG0"}))
        .refused(("out_of_range", "mapping", "lun"), json!({"lun": 1}))
        .refused(("lun_taken", "lun-group", "lun"), json!({"lun": 8}))
        .refused_until(("limit_reached", "host", ""), |world| world.array.personality.limits.hosts_per_port = 2)
        .done()
}

fn mapping_delete() -> Vec<Refusal> {
    Ladder::new(world(), "mapping.delete", json!({"mapping": "X"})).refused(("not_found", "mapping", ""), json!({"mapping": "M0"})).done()
}
