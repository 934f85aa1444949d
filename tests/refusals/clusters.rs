//! Access in a cluster whose tenants are targets of their own: services, groups in groups, port groups of interfaces, subsystems.

use arrayplane::ops::World;
use serde_json::json;

use super::ladder::{Ladder, Refusal};
use crate::given;

pub(super) fn ladders() -> Vec<Refusal> {
    let services = [service_create(), service_update(), service_delete()].concat();
    let groups = [host_group_create(), host_group_update(), host_group_delete(), not_offered()].concat();
    let ports = [port_group_create(), port_group_update(), port_group_delete(), interface_create(), interface_delete()].concat();
    [services, groups, ports, mapping_create(), subsystem(), tenant_update(), tenant_delete()].concat()
}

#[test]
fn access_in_a_cluster_refuses_in_the_documented_order() {
    ladders();
}

/// The tenants vs0 (container C0 with L0 and L1, interfaces F0 and I0, port groups PF of F0 and PE of nothing) and vs1 (interface F1); the
/// hosts H0 and I0 and N0 of nobody, H1 of vs1; the groups A (H0) and N (NVMe) of vs0, and O of vs1.
fn world() -> World {
    let host = |name: &str, protocol: &str, field: &str, address: &str| json!({"host.create": {"name": name, "protocol": protocol, field: address}});
    let operations = [
        json!({"pool.create": {"name": "P0", "level": "raid-dp", "drive_count": 6}}),
        json!({"tenant.create": {"name": "vs0"}}),
        json!({"tenant.create": {"name": "vs1", "protocols": ["fc"]}}),
        json!({"container.create": {"name": "C0", "pool": "P0", "size": "1TB", "tenant": "vs0"}}),
        json!({"volume.create": {"name": "L0", "container": "C0", "size": "1GiB"}}),
        json!({"volume.create": {"name": "L1", "container": "C0", "size": "1GiB"}}),
        json!({"interface.create": {"name": "F0", "tenant": "vs0", "services": ["fc"], "home_port": "node-01:0a"}}),
        json!({"interface.create": {"name": "F1", "tenant": "vs1", "services": ["fc"], "home_port": "node-01:0a"}}),
        json!({"interface.create": {"name": "I0", "tenant": "vs0", "services": ["iscsi"], "home_port": "node-01:e0c", "address": "10.0.0.1", "prefix_length": 24}}),
        json!({"port-group.create": {"name": "PF", "tenant": "vs0", "protocol": "fc", "interfaces": ["F0"]}}),
        json!({"port-group.create": {"name": "PE", "tenant": "vs0", "protocol": "iscsi"}}),
        host("H0", "fc", "wwn", "10000090fa000000"),
        host("I0", "iscsi", "iscsi_name", "iqn.1994-05.com.example:i0"),
        host("N0", "nvme", "nqn", "nqn.2014-08.com.example:n0"),
        json!({"host.create": {"name": "H1", "protocol": "fc", "wwn": "10000090fa000001", "tenant": "vs1"}}),
        json!({"host-group.create": {"name": "A", "tenant": "vs0", "hosts": ["H0"]}}),
        json!({"host-group.create": {"name": "N", "tenant": "vs0", "hosts": ["N0"]}}),
        json!({"host-group.create": {"name": "O", "tenant": "vs1", "protocol": "fc"}}),
    ];
    given::with("aff-a250", &operations)
}

fn service_create() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"tenant.update": {"tenant": "vs1", "state": "stopped"}}));
    given::done(&mut world, &json!({"service.create": {"tenant": "vs0", "protocol": "fc"}}));
    given::done(&mut world, &json!({"host-group.delete": {"host_group": "N"}}));
    given::done(&mut world, &json!({"host.delete": {"host": "N0"}}));
    given::done(&mut world, &json!({"licence.remove": {"licence": "nvme_of"}}));
    world.array.personality.offer.tenants_serve = false;
    Ladder::new(world, "service.create", json!({"tenant": "X", "protocol": "iscsi", "alias": "a".repeat(129)}))
        .refused_until(("not_supported", "service", "tenant"), |world| world.array.personality.offer.tenants_serve = true)
        .refused(("not_found", "tenant", "tenant"), json!({"tenant": "vs1"}))
        .refused(("protocol_mismatch", "service", "protocol"), json!({"tenant": "vs0"}))
        .also(("licence_missing", "licence", ""), json!({"protocol": "nvme"}))
        .also(("conflicting", "service", "alias"), json!({"protocol": "fc"}))
        .refused(("out_of_range", "service", "alias"), json!({"tenant": "vs1", "protocol": "fc", "alias": null}))
        .refused(("wrong_state", "tenant", ""), json!({"tenant": "vs0"}))
        .refused(("name_taken", "service", "name"), json!({"protocol": "iscsi"}))
        .done()
}

fn service_update() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"service.create": {"tenant": "vs0", "protocol": "iscsi"}}));
    given::done(&mut world, &json!({"service.create": {"tenant": "vs0", "protocol": "fc"}}));
    Ladder::new(world, "service.update", json!({"service": "X", "alias": "a".repeat(129)}))
        .refused(("not_found", "service", ""), json!({"service": "vs0/iscsi"}))
        .also(("conflicting", "service", "alias"), json!({"service": "vs0/fc"}))
        .refused(("out_of_range", "service", "alias"), json!({"alias": "front"}))
        .done()
}

fn service_delete() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"service.create": {"tenant": "vs0", "protocol": "nvme"}}));
    given::done(&mut world, &json!({"interface.create": {"name": "NF", "tenant": "vs0", "services": ["nvme_fc"]}}));
    Ladder::new(world, "service.delete", json!({"service": "X"}))
        .refused(("not_found", "service", ""), json!({"service": "vs0/nvme"}))
        .refused_before(("wrong_state", "service", ""), [json!({"service.update": {"service": "vs0/nvme", "enabled": false}})])
        .refused_before(("in_use", "service", ""), [json!({"host-group.delete": {"host_group": "N"}})])
        .refused_before(("in_use", "service", ""), [json!({"interface.delete": {"interface": "NF"}})])
        .done()
}

fn host_group_create() -> Vec<Refusal> {
    let mut world = world();
    for (name, inner) in [("B", "A"), ("C", "B")] {
        given::done(&mut world, &json!({"host-group.create": {"name": name, "tenant": "vs0", "protocol": "mixed", "groups": [inner]}}));
    }
    let request = json!({"name": "A", "tenant": "vs0", "protocol": "nvme", "hosts": ["H1"], "groups": ["X"], "port_group": "X", "host_response": "xen"});
    Ladder::new(world, "host-group.create", request)
        .refused(("not_found", "host-group", "groups"), json!({"groups": ["N", "N"]}))
        .refused(("conflicting", "host-group", "groups"), json!({"groups": ["O"]}))
        .refused(("not_found", "port-group", "port_group"), json!({"port_group": "PE"}))
        .refused(("name_taken", "host-group", "name"), json!({"name": "G"}))
        .refused(("protocol_mismatch", "host", "protocol"), json!({"protocol": "fc"}))
        .refused(("tenant_mismatch", "host", "tenant"), json!({"hosts": ["H0"]}))
        .also(("protocol_mismatch", "host-group", "protocol"), json!({"groups": ["N"]}))
        .refused(("tenant_mismatch", "host-group", "tenant"), json!({"protocol": "mixed", "groups": ["C"]}))
        .also(("conflicting", "host-group", "groups"), json!({"protocol": "nvme", "hosts": ["N0"], "groups": ["N"]}))
        .refused(("conflicting", "host-group", "groups"), json!({"protocol": "fc", "groups": ["A"]}))
        .also(("tenant_mismatch", "port-group", "tenant"), json!({"tenant": "vs1", "hosts": [], "groups": ["O"]}))
        .refused(("protocol_mismatch", "port-group", "protocol"), json!({"protocol": "mixed"}))
        .refused(("wrong_state", "port-group", ""), json!({"port_group": "PF"}))
        .also(("not_supported", "host-group", "host_response"), json!({"protocol": "nvme", "hosts": ["N0"], "groups": [], "port_group": null}))
        .refused(("conflicting", "host-group", "host_response"), json!({"host_response": "linux"}))
        .done()
}

fn host_group_update() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"host-group.create": {"name": "B", "tenant": "vs0", "protocol": "mixed", "groups": ["A"]}}));
    given::done(&mut world, &json!({"host-group.create": {"name": "E", "tenant": "vs0", "protocol": "mixed", "hosts": ["I0"]}}));
    given::done(&mut world, &json!({"mapping.create": {"volume": "C0/L0", "host_group": "B", "lun": 0}}));
    given::done(&mut world, &json!({"mapping.create": {"volume": "C0/L1", "host_group": "E", "lun": 0}}));
    let request = json!({"host_group": "E", "groups": ["X"], "add_groups": ["X"], "remove_groups": ["A"], "port_group": "X", "add_hosts": ["H0"]});
    Ladder::new(world, "host-group.update", request)
        .refused(("conflicting", "host-group", "groups"), json!({"groups": null}))
        .refused(("not_found", "host-group", "remove_groups"), json!({"remove_groups": null}))
        .refused(("not_found", "host-group", "add_groups"), json!({"add_groups": ["E"]}))
        .refused(("not_found", "port-group", "port_group"), json!({"port_group": "PE"}))
        .refused(("conflicting", "host-group", "groups"), json!({"add_groups": ["A"]}))
        .refused(("wrong_state", "port-group", ""), json!({"port_group": "PF"}))
        .refused_before(("lun_taken", "lun-group", "lun"), [json!({"mapping.update": {"mapping": "1", "lun": 1}})])
        .done()
}

fn host_group_delete() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"host-group.create": {"name": "B", "tenant": "vs0", "protocol": "mixed", "groups": ["A"]}}));
    Ladder::new(world, "host-group.delete", json!({"host_group": "A"}))
        .refused_before(("in_use", "host-group", ""), [json!({"host-group.update": {"host_group": "B", "groups": []}})])
        .done()
}

/// What other arrays do not offer.
fn not_offered() -> Vec<Refusal> {
    let operations = [
        json!({"host.create": {"name": "H", "protocol": "fc", "wwn": "10000090fa000001"}}),
        json!({"host-group.create": {"name": "G", "hosts": ["H"]}}),
        json!({"port-group.create": {"name": "PG", "ports": ["CM0-CA0-P0"]}}),
    ];
    let world = given::with("eternus-af250", &operations);
    let groups = Ladder::new(world.clone(), "host-group.create", json!({"name": "N", "protocol": "mixed", "groups": ["G"], "port_group": "PG"}))
        .refused(("not_supported", "host-group", "groups"), json!({"groups": null}))
        .refused(("not_supported", "host-group", "port_group"), json!({"port_group": null}))
        .refused(("not_supported", "host-group", "protocol"), json!({"protocol": "fc"}))
        .done();
    let ports = Ladder::new(world, "port-group.create", json!({"name": "N", "protocol": "fc", "interfaces": [], "ports": ["CM0-CA0-P0"]}))
        .refused(("conflicting", "port-group", "interfaces"), json!({"ports": []}))
        .refused(("not_supported", "port-group", "interfaces"), json!({"protocol": null, "interfaces": null}))
        .refused(("missing", "port-group", "ports"), json!({"ports": ["CM0-CA0-P0"]}))
        .done();
    [groups, ports].concat()
}

fn port_group_create() -> Vec<Refusal> {
    let mut world = world();
    world.array.personality.limits.port_groups = 2;
    Ladder::new(world, "port-group.create", json!({"name": "PF", "tenant": "X", "protocol": "fcoe", "interfaces": ["X"]}))
        .refused(("not_found", "tenant", "tenant"), json!({"tenant": "vs0"}))
        .refused(("not_found", "interface", "interfaces"), json!({"interfaces": ["I0", "I0"]}))
        .refused(("conflicting", "port-group", "interfaces"), json!({"interfaces": ["F1"]}))
        .refused(("name_taken", "port-group", "name"), json!({"name": "P"}))
        .refused(("not_supported", "port-group", "protocol"), json!({"protocol": "fc"}))
        .refused(("tenant_mismatch", "interface", "tenant"), json!({"interfaces": ["I0"]}))
        .refused(("protocol_mismatch", "interface", "protocol"), json!({"interfaces": ["F0"]}))
        .refused_until(("limit_reached", "port-group", ""), |world| world.array.personality.limits.port_groups = 3)
        .done()
}

fn port_group_update() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"host-group.update": {"host_group": "A", "port_group": "PF"}}));
    let request = json!({
        "port_group": "PF", "name": "PE", "interfaces": ["X"], "add_interfaces": ["I0"], "remove_interfaces": ["I0"], "add_ports": ["node-01:0a"],
    });
    Ladder::new(world, "port-group.update", request)
        .refused(("conflicting", "port-group", "interfaces"), json!({"interfaces": null}))
        .refused(("conflicting", "port-group", "add_ports"), json!({"add_ports": null}))
        .refused(("not_found", "interface", "remove_interfaces"), json!({"remove_interfaces": null}))
        .also(("conflicting", "port-group", "add_interfaces"), json!({"add_interfaces": ["F0"]}))
        .also(("in_use", "port-group", ""), json!({"add_interfaces": null, "interfaces": []}))
        .refused(("name_taken", "port-group", "name"), json!({"name": null}))
        .also(("tenant_mismatch", "interface", "tenant"), json!({"add_interfaces": ["F1"]}))
        .refused(("protocol_mismatch", "interface", "protocol"), json!({"add_interfaces": [], "name": "PX"}))
        .done()
}

fn port_group_delete() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"host-group.update": {"host_group": "A", "port_group": "PF"}}));
    Ladder::new(world, "port-group.delete", json!({"port_group": "PF"}))
        .refused_before(("in_use", "port-group", ""), [json!({"host-group.update": {"host_group": "A", "port_group": ""}})])
        .done()
}

fn interface_create() -> Vec<Refusal> {
    Ladder::new(world(), "interface.create", json!({"name": "F0", "tenant": "vs1", "services": ["management"], "home_controller": "X"}))
        .refused(("not_found", "controller", "home_controller"), json!({"home_controller": null}))
        .refused(("missing", "interface", "address"), json!({"services": ["fc"]}))
        .done()
}

fn interface_delete() -> Vec<Refusal> {
    Ladder::new(world(), "interface.delete", json!({"interface": "F0"}))
        .refused_before(("in_use", "interface", ""), [json!({"port-group.delete": {"port_group": "PF"}})])
        .done()
}

fn mapping_create() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"host-group.create": {"name": "B", "tenant": "vs0", "protocol": "mixed", "hosts": ["H0"]}}));
    given::done(&mut world, &json!({"host-group.create": {"name": "E", "tenant": "vs0", "protocol": "mixed"}}));
    given::done(&mut world, &json!({"mapping.create": {"volume": "C0/L0", "host_group": "B"}}));
    given::done(&mut world, &json!({"mapping.create": {"volume": "C0/L0", "host_group": "E"}}));
    Ladder::new(world, "mapping.create", json!({"volume": "C0/L0", "host_group": "B", "lun": 5000}))
        .refused(("out_of_range", "mapping", "lun"), json!({"lun": 0}))
        .refused(("already_mapped", "volume", "volume"), json!({"host_group": "A"}))
        .refused(("in_use", "volume", ""), json!({"volume": "C0/L1"}))
        .refused(("lun_taken", "lun-group", "lun"), json!({"host_group": "E"}))
        .refused(("lun_taken", "lun-group", "lun"), json!({"lun": 1}))
        .done()
}

fn subsystem() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"host-group.create": {"name": "M", "tenant": "vs0", "protocol": "nvme"}}));
    given::done(&mut world, &json!({"mapping.create": {"volume": "C0/L0", "host_group": "N"}}));
    Ladder::new(world, "mapping.create", json!({"volume": "C0/L0", "host_group": "M", "lun": 0}))
        .refused(("out_of_range", "mapping", "lun"), json!({"lun": 1}))
        .refused(("already_mapped", "volume", "volume"), json!({"volume": "C0/L1"}))
        .done()
}

fn tenant_update() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"tenant.create": {"name": "vs2"}}));
    given::done(&mut world, &json!({"service.create": {"tenant": "vs2", "protocol": "iscsi"}}));
    given::done(&mut world, &json!({"service.update": {"service": "vs2/iscsi", "enabled": false}}));
    Ladder::new(world, "tenant.update", json!({"tenant": "vs2", "protocols": ["fc"]}))
        .refused_before(("in_use", "tenant", ""), [json!({"service.delete": {"service": "vs2/iscsi"}})])
        .done()
}

fn tenant_delete() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"service.create": {"tenant": "vs0", "protocol": "iscsi"}}));
    let volumes = || [json!({"volume.delete": {"volume": "C0/L0"}}), json!({"volume.delete": {"volume": "C0/L1"}})];
    Ladder::new(world, "tenant.delete", json!({"tenant": "X"}))
        .refused(("not_found", "tenant", ""), json!({"tenant": "vs0", "with_contents": true}))
        .refused_before(("in_use", "tenant", ""), volumes())
        .also(("in_use", "tenant", ""), json!({"with_contents": null}))
        .refused_before(("in_use", "tenant", ""), [json!({"container.delete": {"container": "C0"}})])
        .done()
}
