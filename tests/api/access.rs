//! Access: hosts, groups, affinities and mappings.

use serde_json::{Value, json};

use super::{Server, names};

fn furnished() -> Server {
    let server = Server::playing("eternus-af250");
    server.post("pools", json!({"name": "P0", "level": "raid1", "drive_count": 2})).json(201);
    server.post("volumes", json!({"name": "V", "pool": "P0", "size": "1GB", "count": 4})).json(201);
    for host in 0..3 {
        server.post("hosts", json!({"name": format!("H{host}"), "protocol": "fc", "wwn": format!("10000090fa00000{host}")})).json(201);
    }
    server
}

#[test]
fn a_host_has_one_address_of_its_protocol_in_its_normal_form() {
    let server = furnished();
    let made = |body: Value| server.post("hosts", body).json(201)["address"].clone();
    assert_eq!(made(json!({"name": "F", "protocol": "fc", "wwn": "10:00:00:90:FA:00:00:FF"})), "10000090fa0000ff");
    assert_eq!(made(json!({"name": "I", "protocol": "iscsi", "iscsi_name": "iqn.1998-01.com.vmware:esx-01"})), "iqn.1998-01.com.vmware:esx-01");
    let nvme = json!({"name": "N", "protocol": "nvme", "nqn": "nqn.2014-08.org.nvmexpress:uuid:1"});
    assert_eq!(server.post("hosts", nvme.clone()).refused("not_supported")["field"], "protocol", "an ETERNUS knows no NVMe hosts");
    server.make_still("o", "aff-a250", 7);
    assert_eq!(server.post("/v1/arrays/o/hosts", nvme).json(201)["address"], "nqn.2014-08.org.nvmexpress:uuid:1");
    server.post("hosts", json!({"name": "X", "protocol": "fc", "iscsi_name": "iqn.1998-01.com.vmware:x"})).refused("conflicting_fields");
    assert_eq!(server.post("hosts", json!({"name": "X", "protocol": "fc"})).refused("missing_field")["field"], "wwn");
    server.post("hosts", json!({"name": "X", "protocol": "fc", "wwn": "10000090FA000000"})).refused("initiator_taken");
    assert_eq!(names(&server.get("hosts?protocol=!fc&sort=-name").json(200)), ["I"]);
}

#[test]
fn members_are_added_taken_out_and_replaced() {
    let server = furnished();
    server.post("host-groups", json!({"name": "HG0", "hosts": ["H0", "H1"]})).json(201);
    let hosts = |change: Value| server.patch("host-groups/HG0", change).json(200)["hosts"].clone();
    assert_eq!(hosts(json!({"add_hosts": ["H2"], "remove_hosts": ["H0"]})), json!(["H1", "H2"]));
    assert_eq!(hosts(json!({"hosts": ["H0"]})), json!(["H0"]));
    server.patch("host-groups/HG0", json!({"hosts": ["H1"], "add_hosts": ["H2"]})).refused("conflicting_fields");
    assert_eq!(server.get("hosts/H0?fields=host_groups").json(200), json!({"host_groups": ["HG0"]}));
    server.post("port-groups", json!({"name": "PG0", "ports": ["CM0-CA0-P0", "CM1-CA0-P0"]})).json(201);
    let ports = server.patch("port-groups/PG0", json!({"add_ports": ["CM0-CA0-P1"], "remove_ports": ["CM1-CA0-P0"]})).json(200);
    assert_eq!(ports["ports"], json!(["CM0-CA0-P0", "CM0-CA0-P1"]));
    server.patch("port-groups/PG0", json!({"ports": []})).refused("missing_field");
    let group = server.post("lun-groups", json!({"name": "LG0", "luns": [{"lun": 1, "volume": "V0"}, {"volume": "V1"}, {"volume": "V2"}]})).json(201);
    assert_eq!(group["luns"], json!([{"lun": 0, "volume": "V1"}, {"lun": 1, "volume": "V0"}, {"lun": 2, "volume": "V2"}]));
    let changed = server.patch("lun-groups/LG0", json!({"remove_luns": [0], "add_luns": [{"lun": 255, "volume": "V3"}]})).json(200);
    assert_eq!(changed["luns"], json!([{"lun": 1, "volume": "V0"}, {"lun": 2, "volume": "V2"}, {"lun": 255, "volume": "V3"}]));
    let refused = server.patch("lun-groups/LG0", json!({"add_luns": [{"lun": 256, "volume": "V1"}]})).refused("out_of_range");
    assert_eq!((&refused["value"], &refused["limit"]), (&json!("256"), &json!("0 to 255")));
}

#[test]
fn an_affinity_shows_volumes_to_hosts() {
    let server = furnished();
    server.post("host-groups", json!({"name": "HG0", "hosts": ["H0"]})).json(201);
    server.post("port-groups", json!({"name": "PG0", "ports": ["CM0-CA0-P0"]})).json(201);
    server.post("lun-groups", json!({"name": "LG0", "luns": [{"volume": "V0"}]})).json(201);
    let affinity = server.post("affinities", json!({"host_group": "HG0", "port_group": "PG0", "lun_group": "LG0"})).json(201);
    assert_eq!(affinity["name"], "HG0-PG0");
    assert_eq!(names(&server.get("volumes?mapped=true").json(200)), ["V0"]);
    for (path, by) in [("host-groups/HG0", "affinity"), ("port-groups/PG0", "affinity"), ("lun-groups/LG0", "affinity"), ("volumes/V0", "LUN group")] {
        let detail = server.delete(path).refused("in_use")["detail"].clone();
        assert!(detail.as_str().is_some_and(|detail| detail.contains(by)), "{path}: {detail}");
    }
    assert_eq!(server.delete("affinities/HG0-PG0").status, 204);
    assert_eq!(names(&server.get("volumes?mapped=true").json(200)), [""; 0]);
}

#[test]
fn a_mapping_takes_the_lowest_free_number_or_the_one_asked_for() {
    let server = furnished();
    let map = |body: Value| server.post("mappings", body);
    assert_eq!(map(json!({"volume": "V0", "host": "H0"})).json(201)["lun"], 0);
    assert_eq!(map(json!({"volume": "V1", "host": "H0", "lun": 2})).json(201)["lun"], 2);
    assert_eq!(map(json!({"volume": "V2", "host": "H0"})).json(201)["lun"], 1);
    map(json!({"volume": "V0", "host": "H0"})).refused("already_mapped");
    assert_eq!(map(json!({"volume": "V3", "host": "H0", "lun": 2})).refused("lun_taken")["value"], "2");
    map(json!({"volume": "V3"})).refused("missing_field");
    map(json!({"volume": "V3", "host": "H0", "host_group": "HG0"})).refused("conflicting_fields");
    assert_eq!(map(json!({"volume": "V0", "host": "H1", "lun": 2})).json(201)["lun"], 2, "another host has its own numbers");
    server.delete("hosts/H0").refused("in_use");
}
