//! In which order operations on hosts, host groups, port groups and LUN groups are refused.

use serde_json::json;

use super::{World, bad_name, case, limits, refused, run};

const LONG: &str = "an alias of thirty-two character";
const NO_ALIAS: &str = "alias: 'an alias of thirty-two character' is not a text of up to 31 printable ASCII characters";
const NO_WWN: &str = "wwn: 'x' is not 16 hexadecimal digits, with or without a colon after every second, not all zero";

#[test]
fn creating_a_host() {
    let (full, taken): (fn(&mut World), _) = (|world| limits(world).hosts = 6, "10000090fa000001");
    let wrong = "iscsi_name, protocol: a host of the protocol fc is addressed by its wwn";
    let missing = "wwn is missing: a host of the protocol fc is addressed by it";
    refused(
        "host.create",
        [
            case(json!({"name": "a,b", "protocol": "fc", "iscsi_name": "x", "alias": LONG}), wrong).given(full),
            case(json!({"name": "a,b", "protocol": "fc", "alias": LONG}), missing).given(full),
            case(json!({"name": "a,b", "protocol": "fc", "wwn": "x", "alias": LONG}), bad_name("host")).given(full),
            case(json!({"name": "H1", "protocol": "fc", "wwn": "x", "alias": LONG}), "a host named 'H1' exists already").given(full),
            case(json!({"name": "H9", "protocol": "fc", "wwn": "x", "alias": LONG}), NO_WWN).given(full),
            case(json!({"name": "H9", "protocol": "fc", "wwn": taken, "alias": LONG}), NO_ALIAS).given(full),
            case(json!({"name": "H9", "protocol": "fc", "wwn": taken}), "the limit of 6 hosts in the array is reached").given(full),
            case(json!({"name": "H9", "protocol": "fc", "wwn": taken}), "the fc address '10000090fa000001' belongs to the host 'H1'"),
        ],
    );
}

#[test]
fn updating_a_host() {
    let taken = "10000090fa000001";
    refused(
        "host.update",
        [
            case(json!({"host": "H9", "wwn": "x", "nqn": "x", "name": "a,b", "alias": LONG}), "wwn, nqn: a host has one address"),
            case(json!({"host": "H9", "nqn": "x", "name": "a,b", "alias": LONG}), "no host is called 'H9'"),
            case(json!({"host": "H0", "nqn": "x", "name": "a,b", "alias": LONG}), "the host 'H0' speaks fc, not nvme"),
            case(json!({"host": "H0", "wwn": "x", "name": "a,b", "alias": LONG}), bad_name("host")),
            case(json!({"host": "H0", "wwn": "x", "name": "H1", "alias": LONG}), "a host named 'H1' exists already"),
            case(json!({"host": "H0", "wwn": "x", "name": "H9", "alias": LONG}), NO_WWN),
            case(json!({"host": "H0", "wwn": taken, "name": "H9", "alias": LONG}), NO_ALIAS),
            case(json!({"host": "H0", "wwn": taken, "name": "H9"}), "the fc address '10000090fa000001' belongs to the host 'H1'"),
        ],
    );
}

#[test]
fn deleting_a_host() {
    refused(
        "host.delete",
        [
            case(json!({"host": "H9"}), "no host is called 'H9'"),
            case(json!({"host": "H1"}), "the host 'H1' is in use by the host group 'HG1'"),
            case(json!({"host": "H1"}), "the host 'H1' is in use by the mapping 'M0'").given(|world| {
                run(world, &[json!({"host-group.update": {"host_group": "HG1", "hosts": []}})]);
            }),
        ],
    );
}

#[test]
fn creating_a_host_group() {
    let both: fn(&mut World) = |world| (limits(world).host_groups, limits(world).hosts_per_group) = (3, 1);
    let one: fn(&mut World) = |world| limits(world).hosts_per_group = 1;
    refused(
        "host-group.create",
        [
            case(json!({"name": "a,b"}), "protocol is missing: a host group without hosts needs it").given(both),
            case(json!({"name": "a,b", "hosts": ["H0", "H0", "H9"]}), "hosts: no host is called 'H9'").given(both),
            case(json!({"name": "a,b", "hosts": ["H0", "I0", "H0"]}), "hosts: the host 'H0' would be in the host group twice").given(both),
            case(json!({"name": "a,b", "hosts": ["H0", "I0"]}), bad_name("host group")).given(both),
            case(json!({"name": "HG0", "hosts": ["H0", "I0"]}), "a host group named 'HG0' exists already").given(both),
            case(json!({"name": "HG9", "hosts": ["H0", "I0"]}), "the host 'I0' speaks iscsi, not fc").given(both),
            case(json!({"name": "HG9", "hosts": ["H0"], "protocol": "nvme"}), "the host 'H0' speaks fc, not nvme").given(both),
            case(json!({"name": "HG9", "hosts": ["H0", "H1"]}), "the limit of 3 host groups in the array is reached").given(both),
            case(json!({"name": "HG9", "hosts": ["H0", "H1"]}), "the limit of 1 hosts in the host group 'HG9' is reached").given(one),
        ],
    );
}

#[test]
fn updating_a_host_group() {
    let tight: fn(&mut World) = |world| (limits(world).hosts_per_group, limits(world).hosts_per_port) = (2, 2);
    let alone: fn(&mut World) = |world| {
        run(world, &[json!({"affinity.delete": {"affinity": "A1"}})]);
        limits(world).hosts_per_port = 2;
    };
    let whole = "hosts, add_hosts, remove_hosts: the members are either given as a whole or added and removed";
    let path = "the host 'H1' already sees LUNs through the port 'CM0-CA0-P0', by the host affinity 'A1'";
    let lun = "LUN 1 in what the host 'H1' sees is taken by the volume 'V3'";
    refused(
        "host-group.update",
        [
            case(json!({"host_group": "HG9", "hosts": ["H9"], "add_hosts": [], "remove_hosts": [], "name": "a,b"}), whole),
            case(json!({"host_group": "HG9", "add_hosts": ["H9"], "name": "a,b"}), "no host group is called 'HG9'"),
            case(json!({"host_group": "HG0", "add_hosts": ["H0", "H9"], "name": "a,b"}), "add_hosts: no host is called 'H9'"),
            case(json!({"host_group": "HG0", "remove_hosts": ["H9"], "add_hosts": ["H0"], "name": "a,b"}), "remove_hosts: no host is called 'H9'"),
            case(json!({"host_group": "HG0", "remove_hosts": ["H1"], "add_hosts": ["H0"], "name": "a,b"}), "remove_hosts: no host is called 'H1'"),
            case(json!({"host_group": "HG0", "add_hosts": ["H0"], "name": "a,b"}), "add_hosts: the host 'H0' would be in the host group twice"),
            case(json!({"host_group": "HG0", "hosts": ["H1", "H1"], "name": "a,b"}), "hosts: the host 'H1' would be in the host group twice"),
            case(json!({"host_group": "HG0", "add_hosts": ["I0", "H1", "H2"], "name": "a,b"}), bad_name("host group")).given(tight),
            case(json!({"host_group": "HG0", "add_hosts": ["I0", "H1", "H2"], "name": "HG1"}), "a host group named 'HG1' exists already").given(tight),
            case(json!({"host_group": "HG0", "add_hosts": ["I0", "H1", "H2"]}), "the host 'I0' speaks iscsi, not fc").given(tight),
            case(json!({"host_group": "HG0", "add_hosts": ["H1", "H2"]}), "the limit of 2 hosts in the host group 'HG0' is reached").given(tight),
            case(json!({"host_group": "HG0", "add_hosts": ["H1", "H2"]}), path).given(|world| limits(world).hosts_per_port = 2),
            case(json!({"host_group": "HG0", "add_hosts": ["H1", "H2"]}), lun).given(alone),
            case(json!({"host_group": "HG0", "hosts": ["H2", "H3"]}), "the limit of 2 hosts in the host port 'CM0-CA0-P0' is reached")
                .given(|world| limits(world).hosts_per_port = 2),
        ],
    );
}

#[test]
fn deleting_a_host_group() {
    refused(
        "host-group.delete",
        [
            case(json!({"host_group": "HG9"}), "no host group is called 'HG9'"),
            case(json!({"host_group": "HG0"}), "the host group 'HG0' is in use by the host affinity 'A0'"),
            case(json!({"host_group": "HG0"}), "the host group 'HG0' is in use by the mapping 'M1'").given(|world| {
                run(world, &[json!({"affinity.delete": {"affinity": "A0"}})]);
            }),
        ],
    );
}

/// The fourth port carries no host I/O.
fn idle_port(world: &mut World) {
    run(world, &[json!({"port-group.delete": {"port_group": "IPG"}}), json!({"host-port.update": {"host_port": "CM1-CA0-P1", "protocol": "ethernet"}})]);
    limits(world).port_groups = 2;
}

#[test]
fn creating_a_port_group() {
    let full: fn(&mut World) = |world| limits(world).port_groups = 3;
    let twice = "ports: the host port 'CM0-CA0-P0' would be in the port group twice";
    let idle = "the host port 'CM1-CA0-P1' speaks ethernet, not fc, fcoe or iscsi";
    refused(
        "port-group.create",
        [
            case(json!({"name": "a,b", "ports": []}), "ports is missing: a port group has at least one port").given(full),
            case(json!({"name": "a,b", "ports": ["CM0-CA0-P0", "CM0-CA0-P0", "P9"]}), "ports: no host port is called 'P9'").given(full),
            case(json!({"name": "a,b", "ports": ["CM0-CA0-P0", "CM0-CA0-P0", "CM1-CA0-P1"]}), twice).given(idle_port),
            case(json!({"name": "a,b", "ports": ["CM0-CA0-P0", "CM1-CA0-P1"]}), bad_name("port group")).given(idle_port),
            case(json!({"name": "PG0", "ports": ["CM0-CA0-P0", "CM1-CA0-P1"]}), "a port group named 'PG0' exists already").given(idle_port),
            case(json!({"name": "PG9", "ports": ["CM0-CA0-P0", "CM1-CA0-P1"]}), idle).given(idle_port),
            case(json!({"name": "PG9", "ports": ["CM0-CA0-P0", "CM1-CA0-P1"]}), "the host port 'CM1-CA0-P1' speaks iscsi, not fc").given(full),
            case(json!({"name": "PG9", "ports": ["CM0-CA0-P0"]}), "the limit of 3 port groups in the array is reached").given(full),
        ],
    );
}

/// `PG1` leads `H0` to a LUN group, too, and `H2` to a volume; a port serves no more hosts than now.
fn second_path(world: &mut World) {
    run(world, &[json!({"affinity.create": {"name": "A2", "host_group": "HG0", "port_group": "PG1", "lun_group": "LG1"}})]);
    third_host(world);
}

fn third_host(world: &mut World) {
    run(world, &[json!({"mapping.delete": {"mapping": "M0"}}), json!({"mapping.create": {"volume": "V5", "host": "H2", "port_group": "PG1"}})]);
    limits(world).hosts_per_port = 2;
}

#[test]
fn updating_a_port_group() {
    let whole = "ports, add_ports: the members are either given as a whole or added and removed";
    let path = "the host 'H0' already sees LUNs through the port 'CM0-CA0-P0', by the host affinity 'A0'";
    let twice = "add_ports: the host port 'CM0-CA0-P1' would be in the port group twice";
    let idle = "the host port 'CM1-CA0-P1' speaks ethernet, not fc, fcoe or iscsi";
    let limit = "the limit of 2 hosts in the host port 'CM0-CA0-P0' is reached";
    let bad = ["CM0-CA0-P0", "CM1-CA0-P1"];
    refused(
        "port-group.update",
        [
            case(json!({"port_group": "PG9", "ports": ["P9"], "add_ports": ["P9"], "name": "a,b"}), whole),
            case(json!({"port_group": "PG9", "add_ports": ["P9"], "name": "a,b"}), "no port group is called 'PG9'"),
            case(json!({"port_group": "PG1", "add_ports": ["CM0-CA0-P1", "P9"], "name": "a,b"}), "add_ports: no host port is called 'P9'"),
            case(json!({"port_group": "PG1", "remove_ports": ["CM0-CA0-P0"], "name": "a,b"}), "remove_ports: no host port is called 'CM0-CA0-P0'"),
            case(json!({"port_group": "PG1", "add_ports": ["CM0-CA0-P1"], "name": "a,b"}), twice),
            case(json!({"port_group": "PG1", "remove_ports": ["CM0-CA0-P1"], "name": "a,b"}), "ports is missing: a port group has at least one port"),
            case(json!({"port_group": "PG1", "add_ports": bad, "name": "a,b"}), bad_name("port group")).given(second_path),
            case(json!({"port_group": "PG1", "add_ports": bad, "name": "PG0"}), "a port group named 'PG0' exists already").given(second_path),
            case(json!({"port_group": "PG1", "add_ports": bad}), idle).given(idle_port),
            case(json!({"port_group": "PG1", "add_ports": bad}), "the host port 'CM1-CA0-P1' speaks iscsi, not fc").given(second_path),
            case(json!({"port_group": "PG1", "add_ports": ["CM0-CA0-P0"]}), path).given(second_path),
            case(json!({"port_group": "PG1", "add_ports": ["CM0-CA0-P0"]}), limit).given(third_host),
        ],
    );
}

#[test]
fn deleting_a_port_group() {
    refused(
        "port-group.delete",
        [
            case(json!({"port_group": "PG9"}), "no port group is called 'PG9'"),
            case(json!({"port_group": "PG1"}), "the port group 'PG1' is in use by the host affinity 'A2'").given(second_path),
            case(json!({"port_group": "PG1"}), "the port group 'PG1' is in use by the mapping 'M0'"),
        ],
    );
}
