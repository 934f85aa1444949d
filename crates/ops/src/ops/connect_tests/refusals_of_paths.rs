//! In which order operations on LUN groups, affinities, mappings and host ports are refused.

use serde_json::json;

use super::{World, bad_name, case, limits, refused, run};

const FAR: &str = "lun: 256 is outside 0 to 255";

#[test]
fn creating_a_lun_group() {
    let tight: fn(&mut World) = |world| (limits(world).lun_groups, limits(world).luns_per_group) = (2, 2);
    let narrow: fn(&mut World) = |world| limits(world).luns_per_group = 2;
    let far = json!([{"lun": 256, "volume": "V0"}, {"lun": 0, "volume": "V0"}, {"lun": 0, "volume": "V1"}]);
    let near = json!([{"lun": 0, "volume": "V0"}, {"lun": 0, "volume": "V0"}, {"lun": 0, "volume": "V1"}]);
    let unknown = json!([{"lun": 256, "volume": "V0"}, {"lun": 0, "volume": "V9"}]);
    let taken = json!([{"lun": 0, "volume": "V0"}, {"lun": 0, "volume": "V1"}]);
    refused(
        "lun-group.create",
        [
            case(json!({"name": "a,b", "luns": unknown}), "luns: no volume is called 'V9'").given(tight),
            case(json!({"name": "a,b", "luns": far}), bad_name("LUN group")).given(tight),
            case(json!({"name": "LG0", "luns": far}), "a LUN group named 'LG0' exists already").given(tight),
            case(json!({"name": "LG9", "luns": far}), FAR).given(tight),
            case(json!({"name": "LG9", "luns": near}), "the limit of 2 LUN groups in the array is reached").given(tight),
            case(json!({"name": "LG9", "luns": near}), "the limit of 2 volumes in the LUN group 'LG9' is reached").given(narrow),
            case(json!({"name": "LG9", "luns": near}), "the volume 'V0' is already in the LUN group 'LG9'"),
            case(json!({"name": "LG9", "luns": taken}), "LUN 0 in the LUN group 'LG9' is taken by the volume 'V0'"),
            case(json!({"name": "LG9", "luns": [{"volume": "V0"}, {"volume": "V1"}]}), "the limit of 1 volumes in the LUN group 'LG9' is reached")
                .given(highest_lun_0),
        ],
    );
}

/// Nothing is mapped, and 0 is the only number.
fn highest_lun_0(world: &mut World) {
    run(
        world,
        &[
            json!({"mapping.delete": {"mapping": "M0"}}),
            json!({"mapping.delete": {"mapping": "M1"}}),
            json!({"lun-group.update": {"lun_group": "LG0", "remove_luns": [1]}}),
        ],
    );
    world.array.personality.lun_max = 0;
}

#[test]
fn updating_a_lun_group() {
    let narrow: fn(&mut World) = |world| limits(world).luns_per_group = 3;
    let far = json!([{"lun": 256, "volume": "V0"}, {"lun": 0, "volume": "V6"}, {"lun": 5, "volume": "V7"}]);
    let near = json!([{"lun": 6, "volume": "V0"}, {"lun": 0, "volume": "V6"}, {"lun": 5, "volume": "V7"}]);
    let whole = "luns, add_luns, remove_luns: the LUNs are either given as a whole or added and removed";
    let seen = "LUN 5 in what the host 'H0' sees is taken by the volume 'V4'";
    let taken = json!([{"lun": 0, "volume": "V6"}, {"lun": 5, "volume": "V7"}]);
    refused(
        "lun-group.update",
        [
            case(json!({"lun_group": "LG9", "luns": [], "add_luns": [], "remove_luns": [], "name": "a,b"}), whole),
            case(json!({"lun_group": "LG9", "add_luns": [{"volume": "V9"}], "name": "a,b"}), "no LUN group is called 'LG9'"),
            case(json!({"lun_group": "LG0", "add_luns": [{"volume": "V9"}], "name": "a,b"}), "add_luns: no volume is called 'V9'"),
            case(json!({"lun_group": "LG0", "luns": [{"volume": "V9"}], "name": "a,b"}), "luns: no volume is called 'V9'"),
            case(json!({"lun_group": "LG0", "add_luns": far, "remove_luns": [7], "name": "a,b"}), "remove_luns: no volume is called '7'").given(narrow),
            case(json!({"lun_group": "LG0", "add_luns": far, "name": "a,b"}), bad_name("LUN group")).given(narrow),
            case(json!({"lun_group": "LG0", "add_luns": far, "name": "LG1"}), "a LUN group named 'LG1' exists already").given(narrow),
            case(json!({"lun_group": "LG0", "add_luns": far}), FAR).given(narrow),
            case(json!({"lun_group": "LG0", "add_luns": near}), "the limit of 3 volumes in the LUN group 'LG0' is reached").given(narrow),
            case(json!({"lun_group": "LG0", "add_luns": near}), "the volume 'V0' is already in the LUN group 'LG0'"),
            case(json!({"lun_group": "LG0", "add_luns": taken}), "LUN 0 in the LUN group 'LG0' is taken by the volume 'V0'"),
            case(json!({"lun_group": "LG0", "add_luns": [{"volume": "V6"}]}), "the limit of 1 volumes in the LUN group 'LG0' is reached").given(highest_lun_0),
            case(json!({"lun_group": "LG0", "add_luns": [{"lun": 5, "volume": "V7"}]}), seen),
        ],
    );
}

#[test]
fn deleting_a_lun_group() {
    refused(
        "lun-group.delete",
        [
            case(json!({"lun_group": "LG9"}), "no LUN group is called 'LG9'"),
            case(json!({"lun_group": "LG0"}), "the LUN group 'LG0' is in use by the host affinity 'A0'"),
        ],
    );
}

/// `HG2` is `H0` and a host that no port serves yet; `LG2` has a number that `H0` sees by a mapping. A port serves no more hosts than now.
fn more_groups(world: &mut World) {
    run(
        world,
        &[
            json!({"host-group.create": {"name": "HG2", "hosts": ["H0", "H2"]}}),
            json!({"lun-group.create": {"name": "LG2", "luns": [{"lun": 5, "volume": "V5"}]}}),
        ],
    );
    limits(world).hosts_per_port = 2;
}

#[test]
fn creating_an_affinity() {
    let full: fn(&mut World) = |world| {
        more_groups(world);
        limits(world).affinities = 2;
    };
    let path = "the host 'H0' already sees LUNs through the port 'CM0-CA0-P0', by the host affinity 'A0'";
    let lun = "LUN 5 in what the host 'H0' sees is taken by the volume 'V4'";
    let limit = "the limit of 2 hosts in the host port 'CM0-CA0-P1' is reached";
    let speaks = "the port group 'IPG' speaks iscsi, not fc or fcoe";
    refused(
        "affinity.create",
        [
            case(json!({"host_group": "9", "port_group": "9", "lun_group": "9", "name": "a,b"}), "host_group: no host group is called '9'").given(full),
            case(json!({"host_group": "HG2", "port_group": "9", "lun_group": "9", "name": "a,b"}), "port_group: no port group is called '9'").given(full),
            case(json!({"host_group": "HG2", "port_group": "IPG", "lun_group": "9", "name": "a,b"}), "lun_group: no LUN group is called '9'").given(full),
            case(json!({"host_group": "HG2", "port_group": "IPG", "lun_group": "LG2", "name": "a,b"}), bad_name("host affinity")).given(full),
            case(json!({"host_group": "HG2", "port_group": "IPG", "lun_group": "LG2", "name": "A0"}), "a host affinity named 'A0' exists already").given(full),
            case(json!({"host_group": "HG2", "port_group": "IPG", "lun_group": "LG2"}), speaks).given(full),
            case(json!({"host_group": "HG2", "port_group": "PG0", "lun_group": "LG2"}), "the limit of 2 host affinities in the array is reached").given(full),
            case(json!({"host_group": "HG2", "port_group": "PG0", "lun_group": "LG2"}), path).given(more_groups),
            case(json!({"host_group": "HG2", "port_group": "PG1", "lun_group": "LG2"}), lun).given(more_groups),
            case(json!({"host_group": "HG2", "port_group": "PG1", "lun_group": "LG1"}), limit).given(more_groups),
        ],
    );
}

/// `HG2` sees an empty LUN group through a port that nobody else uses.
fn third_affinity(world: &mut World) {
    run(
        world,
        &[
            json!({"port-group.delete": {"port_group": "IPG"}}),
            json!({"host-port.update": {"host_port": "CM1-CA0-P1", "protocol": "fc"}}),
            json!({"port-group.create": {"name": "PG3", "ports": ["CM1-CA0-P1"]}}),
            json!({"lun-group.create": {"name": "LG3"}}),
            json!({"host-group.create": {"name": "NG", "hosts": ["N0"]}}),
        ],
    );
    more_groups(world);
    run(world, &[json!({"affinity.create": {"name": "A2", "host_group": "HG2", "port_group": "PG3", "lun_group": "LG3"}})]);
}

#[test]
fn updating_an_affinity() {
    let iscsi: fn(&mut World) = |world| {
        more_groups(world);
        limits(world).hosts_per_port = 3;
        run(
            world,
            &[
                json!({"lun-group.create": {"name": "LG3"}}),
                json!({"affinity.create": {"name": "A2", "host_group": "HG2", "port_group": "PG1", "lun_group": "LG3"}}),
            ],
        );
    };
    let path = "the host 'H0' already sees LUNs through the port 'CM0-CA0-P0', by the host affinity 'A0'";
    let lun = "LUN 5 in what the host 'H0' sees is taken by the volume 'V4'";
    let limit = "the limit of 2 hosts in the host port 'CM0-CA0-P1' is reached";
    let speaks = "the port group 'IPG' speaks iscsi, not fc or fcoe";
    refused(
        "affinity.update",
        [
            case(json!({"affinity": "A9", "port_group": "9", "lun_group": "9", "name": "a,b"}), "no host affinity is called 'A9'").given(third_affinity),
            case(json!({"affinity": "A2", "port_group": "9", "lun_group": "9", "name": "a,b"}), "port_group: no port group is called '9'")
                .given(third_affinity),
            case(json!({"affinity": "A2", "port_group": "IPG", "lun_group": "9", "name": "a,b"}), "lun_group: no LUN group is called '9'").given(iscsi),
            case(json!({"affinity": "A2", "port_group": "IPG", "lun_group": "LG2", "name": "a,b"}), bad_name("host affinity")).given(iscsi),
            case(json!({"affinity": "A2", "port_group": "IPG", "lun_group": "LG2", "name": "A0"}), "a host affinity named 'A0' exists already").given(iscsi),
            case(json!({"affinity": "A2", "port_group": "IPG", "lun_group": "LG2"}), speaks).given(iscsi),
            case(json!({"affinity": "A2", "port_group": "PG0", "lun_group": "LG2"}), path).given(third_affinity),
            case(json!({"affinity": "A2", "port_group": "PG1", "lun_group": "LG2"}), lun).given(third_affinity),
            case(json!({"affinity": "A2", "port_group": "PG1"}), limit).given(third_affinity),
        ],
    );
}

#[test]
fn deleting_an_affinity_or_a_mapping() {
    refused("affinity.delete", [case(json!({"affinity": "A9"}), "no host affinity is called 'A9'")]);
    refused("mapping.delete", [case(json!({"mapping": "M9"}), "no mapping is called 'M9'")]);
}

/// `H2` sees a volume through `PG1`; a port serves no more hosts than now.
fn third_mapping(world: &mut World) {
    run(world, &[json!({"mapping.delete": {"mapping": "M0"}}), json!({"mapping.create": {"name": "M2", "volume": "V5", "host": "H2", "port_group": "PG1"}})]);
    limits(world).hosts_per_port = 2;
}

#[test]
fn creating_a_mapping() {
    let full: fn(&mut World) = |world| {
        third_mapping(world);
        limits(world).mappings = 2;
    };
    let scarce: fn(&mut World) = |world| {
        run(world, &[json!({"mapping.update": {"mapping": "M1", "lun": 2}})]);
        world.array.personality.lun_max = 2;
        limits(world).hosts_per_port = 2;
    };
    let both = "host, host_group: a volume is mapped to a host or to a host group";
    let neither = "host is missing: a volume is mapped to a host or to a host group (host_group)";
    let again = "the volume 'V5' is already in the mappings of the host 'H2'";
    let no_number = "the limit of 3 volumes in what the host 'H0' sees is reached";
    refused(
        "mapping.create",
        [
            case(json!({"volume": "V9", "host": "H9", "host_group": "9", "lun": 256, "name": "a,b"}), both).given(full),
            case(json!({"volume": "V9", "port_group": "PG9", "lun": 256, "name": "a,b"}), neither).given(full),
            case(json!({"volume": "V9", "host": "H9", "port_group": "9", "lun": 256, "name": "a,b"}), "volume: no volume is called 'V9'").given(full),
            case(json!({"volume": "V5", "host": "H9", "port_group": "9", "lun": 256, "name": "a,b"}), "host: no host is called 'H9'").given(full),
            case(json!({"volume": "V5", "host_group": "9", "port_group": "9", "lun": 256}), "host_group: no host group is called '9'").given(full),
            case(json!({"volume": "V5", "host": "H2", "port_group": "9", "lun": 256, "name": "a,b"}), "port_group: no port group is called '9'").given(full),
            case(json!({"volume": "V5", "host": "H2", "port_group": "IPG", "lun": 256, "name": "a,b"}), bad_name("mapping")).given(full),
            case(json!({"volume": "V5", "host": "H2", "port_group": "IPG", "lun": 256, "name": "M1"}), "a mapping named 'M1' exists already").given(full),
            case(json!({"volume": "V5", "host": "H2", "port_group": "IPG", "lun": 256}), "the port group 'IPG' speaks iscsi, not fc or fcoe").given(full),
            case(json!({"volume": "V5", "host": "H2", "port_group": "PG0", "lun": 256}), FAR).given(full),
            case(json!({"volume": "V5", "host": "H2", "port_group": "PG0", "lun": 0}), "the limit of 2 mappings in the array is reached").given(full),
            case(json!({"volume": "V5", "host": "H2", "port_group": "PG0", "lun": 0}), again).given(third_mapping),
            case(json!({"volume": "V6", "host": "H2", "port_group": "PG0", "lun": 0}), "LUN 0 in what the host 'H2' sees is taken by the volume 'V5'")
                .given(third_mapping),
            case(json!({"volume": "V6", "host": "H0"}), no_number).given(scarce),
            case(json!({"volume": "V6", "host": "H2", "port_group": "PG0"}), "the limit of 2 hosts in the host port 'CM0-CA0-P0' is reached")
                .given(third_mapping),
            case(json!({"volume": "V6", "host": "N0"}), "the limit of 2 hosts in the host port 'CM0-CA0-P0' is reached").given(third_mapping),
        ],
    );
}

#[test]
fn updating_a_mapping() {
    let second: fn(&mut World) = |world| {
        run(world, &[json!({"mapping.create": {"volume": "V6", "host": "H2", "port_group": "PG1", "lun": 7}})]);
        third_mapping(world);
    };
    let seen = "LUN 7 in what the host 'H2' sees is taken by the volume 'V6'";
    refused(
        "mapping.update",
        [
            case(json!({"mapping": "M9", "port_group": "9", "lun": 256, "name": "a,b"}), "no mapping is called 'M9'"),
            case(json!({"mapping": "M2", "port_group": "9", "lun": 256, "name": "a,b"}), "port_group: no port group is called '9'").given(second),
            case(json!({"mapping": "M2", "port_group": "IPG", "lun": 256, "name": "a,b"}), bad_name("mapping")).given(second),
            case(json!({"mapping": "M2", "port_group": "IPG", "lun": 256, "name": "M1"}), "a mapping named 'M1' exists already").given(second),
            case(json!({"mapping": "M2", "port_group": "IPG", "lun": 256}), "the port group 'IPG' speaks iscsi, not fc or fcoe").given(second),
            case(json!({"mapping": "M2", "port_group": "PG0", "lun": 256}), FAR).given(second),
            case(json!({"mapping": "M2", "port_group": "PG0", "lun": 7}), seen).given(second),
            case(json!({"mapping": "M2", "port_group": "PG0", "lun": 8}), "the limit of 2 hosts in the host port 'CM0-CA0-P0' is reached").given(second),
            case(json!({"mapping": "M2", "port_group": ""}), "the limit of 2 hosts in the host port 'CM0-CA0-P0' is reached").given(second),
        ],
    );
}

/// Three iSCSI hosts, more than a port serves, have mappings, and no port speaks iSCSI.
fn waiting_hosts(world: &mut World) {
    run(
        world,
        &[
            json!({"port-group.delete": {"port_group": "IPG"}}),
            json!({"host-port.update": {"host_port": "CM1-CA0-P1", "protocol": "ethernet"}}),
            json!({"host.create": {"name": "I1", "protocol": "iscsi", "iscsi_name": "iqn.1994-05.com.example:i1"}}),
            json!({"host.create": {"name": "I2", "protocol": "iscsi", "iscsi_name": "iqn.1994-05.com.example:i2"}}),
            json!({"host-group.create": {"name": "IG2", "hosts": ["I0", "I1"]}}),
            json!({"mapping.create": {"volume": "V6", "host_group": "IG2"}}),
            json!({"mapping.create": {"volume": "V6", "host": "I2"}}),
        ],
    );
    limits(world).hosts_per_port = 2;
}

#[test]
fn setting_the_protocol_of_a_port() {
    let plain: fn(&mut World) = |world| {
        let port = world.array.host_ports.find("CM1-CA0-P1", crate::model::Place::Target).map(crate::model::Object::key).expect("the port");
        world.array.host_ports.get_mut(port).expect("the port").modes.retain(|(mode, _)| *mode == crate::model::PortProtocol::Iscsi);
    };
    let grouped = "the host port 'CM1-CA0-P1' is in use by the port group 'IPG'";
    let limit = "the limit of 2 hosts in the host port 'CM1-CA0-P1' is reached";
    refused(
        "host-port.update",
        [
            case(json!({"host_port": "P9", "protocol": "fcoe"}), "no host port is called 'P9'").given(plain),
            case(json!({"host_port": "CM1-CA0-P1", "protocol": "fcoe"}), "this array does not support fcoe on the port 'CM1-CA0-P1'").given(plain),
            case(json!({"host_port": "CM1-CA0-P1", "protocol": "fcoe"}), grouped),
            case(json!({"host_port": "CM1-CA0-P1", "protocol": "iscsi"}), limit).given(waiting_hosts),
        ],
    );
}
