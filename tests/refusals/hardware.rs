//! Controllers, host ports, parts, and what can be added.

use serde_json::{Value, json};

use super::ladder::{Ladder, Refusal};
use crate::given;

pub(super) fn ladders() -> Vec<Refusal> {
    [controllers(), giveback(), not_ready(), host_port(), roles(), fibre_channel(), iscsi(), host_port_faults(), parts(), enclosures(), drives()].concat()
}

#[test]
fn hardware_refuses_in_the_documented_order() {
    ladders();
}

fn af250(name: &'static str, request: Value) -> Ladder {
    Ladder::new(given::model("eternus-af250", 7), name, request)
}

fn controllers() -> Vec<Refusal> {
    let update = af250("controller.update", json!({"controller": "CM9", "auto_giveback": false}))
        .refused(("not_found", "controller", ""), json!({"controller": "1"}))
        .refused(("not_supported", "controller", "auto_giveback"), json!({"auto_giveback": true}))
        .done();
    let fail = Ladder::new(given::with("eternus-af250", &[json!({"controller.fail": {"controller": "CM0"}})]), "controller.fail", json!({"controller": "CM9"}))
        .refused(("not_found", "controller", ""), json!({"controller": "CM0"}))
        .refused(("wrong_state", "controller", ""), json!({"controller": "CM1"}))
        .done();
    let restore = af250("controller.restore", json!({"controller": "CM9"}))
        .refused(("not_found", "controller", ""), json!({"controller": "CM0"}))
        .refused_before(("wrong_state", "controller", ""), [json!({"controller.fail": {"controller": "CM0"}})])
        .done();
    [update, fail, restore].concat()
}

fn giveback() -> Vec<Refusal> {
    let world = given::with("aff-a250", &[json!({"controller.update": {"controller": "node-01", "auto_giveback": false}})]);
    let failed = json!({"controller.fail": {"controller": "node-01"}});
    let back = [json!({"controller.restore": {"controller": "node-01"}}), json!({"clock.advance": {"by": "1h"}})];
    let first = Ladder::new(world, "controller.giveback", json!({"controller": "node-09"}))
        .refused(("not_found", "controller", ""), json!({"controller": "node-01"}))
        .refused_before(("wrong_state", "controller", ""), [failed])
        .refused_before(("wrong_state", "controller", ""), back)
        .done();
    let automatic = [
        json!({"controller.fail": {"controller": "CM0"}}),
        json!({"clock.advance": {"by": "1m"}}),
        json!({"controller.restore": {"controller": "CM0"}}),
        json!({"clock.advance": {"by": "5m"}}),
    ];
    let mut world = given::with("eternus-af250", &automatic);
    world.array.personality.parts.giveback_automatic = true;
    let busy = given::operation(&json!({"controller.giveback": {"controller": "CM0"}}));
    let error = given::attempt(&mut world, &busy).expect_err("it is being given back");
    [first, vec![Refusal { operation: "controller.giveback", error }]].concat()
}

fn not_ready() -> Vec<Refusal> {
    let both = [
        json!({"raid-group.create": {"name": "RG0", "level": "raid1", "drive_count": 2}}),
        json!({"volume.create": {"name": "V", "raid_group": "RG0", "size": "1TB"}}),
        json!({"controller.fail": {"controller": "CM0"}}),
        json!({"controller.fail": {"controller": "CM1"}}),
    ];
    let back = || [json!({"controller.restore": {"controller": "CM1"}}), json!({"clock.advance": {"by": "5m"}})];
    let create = Ladder::new(given::with("eternus-af250", &both), "raid-group.create", json!({"name": "", "level": "raid1", "drive_count": 2}))
        .refused_before(("wrong_state", "array", ""), back())
        .refused(("name_invalid", "raid-group", "name"), json!({"name": "RG1"}))
        .done();
    let write = Ladder::new(given::with("eternus-af250", &both), "volume.write", json!({"volume": "W", "bytes": 0}))
        .refused(("not_found", "volume", ""), json!({"volume": "V"}))
        .refused_before(("wrong_state", "array", ""), back())
        .refused(("out_of_range", "volume", "bytes"), json!({"bytes": 1}))
        .done();
    [create, write].concat()
}

fn host_port() -> Vec<Refusal> {
    let furniture = [
        json!({"port-group.create": {"name": "PG0", "ports": ["CM0-CA0-P0"]}}),
        json!({"raid-group.create": {"name": "RG0", "level": "raid1", "drive_count": 2}}),
        json!({"volume.create": {"name": "V", "raid_group": "RG0", "size": "1GiB"}}),
        json!({"host.create": {"name": "I0", "protocol": "iscsi", "iscsi_name": "iqn.1991-05.com.example:0"}}),
        json!({"mapping.create": {"volume": "V", "host": "I0"}}),
        json!({"interface.create": {"name": "F0", "services": ["fc"], "home_port": "CM0-CA0-P0"}}),
    ];
    let mut world = given::with("eternus-af250", &furniture);
    world.array.personality.limits.hosts_per_port = 0;
    Ladder::new(world, "host-port.update", json!({"host_port": "CM0-CA9-P0", "protocol": "ethernet", "frame_size": 2048}))
        .refused(("not_found", "host-port", ""), json!({"host_port": "CM0-CA0-P0"}))
        .refused(("not_supported", "host-port", "protocol"), json!({"protocol": "iscsi"}))
        .refused_before(("in_use", "host-port", ""), [json!({"port-group.delete": {"port_group": "PG0"}})])
        .refused_before(("in_use", "host-port", ""), [json!({"interface.delete": {"interface": "F0"}})])
        .refused_until(("limit_reached", "host", ""), |world| world.array.personality.limits.hosts_per_port = 1)
        .refused(("wrong_state", "host-port", ""), json!({"frame_size": null}))
        .done()
}

fn roles() -> Vec<Refusal> {
    let group = |ports: &str| json!({"port-group.create": {"name": "PG0", "ports": [ports]}});
    let remote = Ladder::new(given::with("eternus-af250", &[group("CM0-CA0-P0")]), "host-port.update", json!({"host_port": "0", "role": "remote"}))
        .refused_before(("in_use", "host-port", ""), [json!({"port-group.delete": {"port_group": "PG0"}})])
        .done();
    let ontap = Ladder::new(given::model("aff-a250", 7), "host-port.update", json!({"host_port": "0", "role": "host_and_remote", "frame_size": 512}))
        .refused(("not_supported", "host-port", "role"), json!({"role": "host"}))
        .refused(("not_supported", "host-port", "frame_size"), json!({"frame_size": null, "transfer_rate": "16"}))
        .done();
    let world = given::with("eternus-af250", &[json!({"host-port.update": {"host_port": "1", "role": "remote"}})]);
    let grouped = Ladder::new(world, "port-group.create", json!({"name": "PG0", "ports": ["0", "1"]}))
        .refused(("wrong_state", "host-port", ""), json!({"ports": ["0"]}))
        .done();
    [remote, ontap, grouped].concat()
}

fn fibre_channel() -> Vec<Refusal> {
    let request = json!({
        "host_port": "CM0-CA0-P0", "transfer_rate": "32", "frame_size": 4096, "loop_id": 126, "loop_id_assignment": "ascending", "connection": "loop",
        "mtu": 9000,
    });
    af250("host-port.update", request)
        .refused(("wrong_state", "host-port", ""), json!({"mtu": null}))
        .refused(("out_of_range", "host-port", "transfer_rate"), json!({"transfer_rate": "16"}))
        .refused(("value_invalid", "host-port", "frame_size"), json!({"frame_size": 1024}))
        .refused(("out_of_range", "host-port", "loop_id"), json!({"loop_id": 125}))
        .refused(("conflicting", "host-port", "loop_id"), json!({"loop_id": null, "loop_id_assignment": "manual"}))
        .refused(("missing", "host-port", "loop_id"), json!({"loop_id": 125}))
        .refused(("value_invalid", "host-port", "transfer_rate"), json!({"transfer_rate": "8"}))
        .done()
}

fn iscsi() -> Vec<Refusal> {
    let other = json!({"host-port.update": {
        "host_port": "CM1-CA0-P0", "protocol": "iscsi", "ipv4_address": "10.0.0.1", "ipv4_mask": "255.255.255.0",
        "ipv6_address": "2001:db8::1", "ipv6_prefix": 64,
    }});
    let request = json!({
        "host_port": "CM0-CA0-P0", "protocol": "iscsi", "iscsi_name": "x", "alias": "a".repeat(32), "ipv4_address": "127.0.0.1", "ipv4_mask": "255.0.255.0",
        "ipv4_gateway": "10.0.1", "ipv6_address": "::1", "ipv6_gateway": "2001:db8::g", "ipv6_prefix": 129, "mtu": 9001, "tcp_port": 0, "vlan_id": 4095,
        "bandwidth_limit_mbit": 10_001,
    });
    let port = "host-port";
    Ladder::new(given::with("eternus-af250", &[other]), "host-port.update", request)
        .refused(("value_invalid", port, "iscsi_name"), json!({"iscsi_name": "iqn.2000-01.com.example:port"}))
        .refused(("out_of_range", port, "alias"), json!({"alias": "first"}))
        .refused(("value_invalid", port, "ipv4_address"), json!({"ipv4_address": "10.0.0.1"}))
        .refused(("value_invalid", port, "ipv4_mask"), json!({"ipv4_mask": ""}))
        .refused(("value_invalid", port, "ipv4_gateway"), json!({"ipv4_gateway": "10.0.1.1"}))
        .refused(("value_invalid", port, "ipv6_address"), json!({"ipv6_address": "2001:db8::1"}))
        .refused(("value_invalid", port, "ipv6_gateway"), json!({"ipv6_gateway": "2001:db8::f"}))
        .refused(("out_of_range", port, "ipv6_prefix"), json!({"ipv6_prefix": null}))
        .refused(("out_of_range", port, "mtu"), json!({"mtu": 9000}))
        .refused(("out_of_range", port, "tcp_port"), json!({"tcp_port": 3260}))
        .refused(("out_of_range", port, "vlan_id"), json!({"vlan_id": 4094}))
        .refused(("out_of_range", port, "bandwidth_limit_mbit"), json!({"bandwidth_limit_mbit": 10_000}))
        .also(("missing", port, "ipv4_address"), json!({"ipv4_address": ""}))
        .refused(("missing", port, "ipv4_mask"), json!({"ipv4_mask": "255.255.255.0"}))
        .also(("missing", port, "ipv6_address"), json!({"ipv6_address": ""}))
        .refused(("missing", port, "ipv6_prefix"), json!({"ipv6_prefix": 64}))
        .refused(("value_invalid", port, "ipv4_gateway"), json!({"ipv4_gateway": "10.0.0.254"}))
        .refused(("value_invalid", port, "ipv4_address"), json!({"ipv4_address": "10.0.0.2"}))
        .refused(("value_invalid", port, "ipv6_address"), json!({"ipv6_address": "2001:db8::2"}))
        .done()
}

fn host_port_faults() -> Vec<Refusal> {
    let fail = Ladder::new(given::model("aff-a250", 7), "host-port.fail", json!({"host_port": "99", "fault": "transceiver"}))
        .refused(("not_found", "host-port", ""), json!({"host_port": "node-01:e0a"}))
        .refused(("not_supported", "host-port", "fault"), json!({"host_port": "node-01:0a"}))
        .done();
    let broken = given::with("eternus-af250", &[json!({"host-port.fail": {"host_port": "0"}})]);
    let again = Ladder::new(broken, "host-port.fail", json!({"host_port": "0"})).refused(("wrong_state", "host-port", ""), json!({"fault": "hardware"})).done();
    let restore = af250("host-port.restore", json!({"host_port": "99"}))
        .refused(("not_found", "host-port", ""), json!({"host_port": "0"}))
        .refused_before(("wrong_state", "host-port", ""), [json!({"host-port.fail": {"host_port": "0", "fault": "transceiver"}})])
        .done();
    [fail, again, restore].concat()
}

fn parts() -> Vec<Refusal> {
    let worn = given::with("eternus-af250", &[json!({"part.fail": {"part": "CM0-BBU", "state": "warning"}})]);
    let fail = Ladder::new(worn, "part.fail", json!({"part": "CM0-BBU#9", "state": "warning"}))
        .refused(("not_found", "part", ""), json!({"part": "CM0-BBU"}))
        .refused(("wrong_state", "part", ""), json!({"state": null}))
        .done();
    let restore = af250("part.restore", json!({"part": "CE-PSU#9"}))
        .refused(("not_found", "part", ""), json!({"part": "CE-PSU#0"}))
        .refused_before(("wrong_state", "part", ""), [json!({"part.fail": {"part": "CE-PSU#0"}})])
        .done();
    let broken = given::with("eternus-af250", &[json!({"part.fail": {"part": "CE-Inlet"}})]);
    let warm = Ladder::new(broken, "part.set-temperature", json!({"part": "CE-Inlet#9", "celsius": 126}))
        .refused(("not_found", "part", ""), json!({"part": "CE-PSU#0"}))
        .refused(("value_invalid", "part", "part"), json!({"part": "CE-Inlet"}))
        .refused_before(("wrong_state", "part", ""), [json!({"part.restore": {"part": "CE-Inlet"}})])
        .refused(("out_of_range", "part", "celsius"), json!({"celsius": 30}))
        .done();
    [fail, restore, warm].concat()
}

fn enclosures() -> Vec<Refusal> {
    let none = given::model("esds-s16f", 7);
    let unsupported = Ladder::new(none, "enclosure.add", json!({}))
        .refused_until(("not_supported", "enclosure", "kind"), |world| *world = given::model("eternus-af250", 7))
        .done();
    let full = given::with("eternus-af250", &[json!({"enclosure.add": {}})]);
    let limit = Ladder::new(full, "enclosure.add", json!({}))
        .refused_before(("limit_reached", "enclosure", ""), [json!({"enclosure.remove": {"enclosure": "DE01"}})])
        .done();
    let installed = [json!({"enclosure.add": {}}), json!({"drive.install": {"enclosure": "DE01", "count": 1}})];
    let mut world = given::with("eternus-af250", &installed);
    world.array.hardware.enclosures[1].most = 2;
    let remove = Ladder::new(world, "enclosure.remove", json!({"enclosure": "DE09"}))
        .refused(("not_found", "enclosure", ""), json!({"enclosure": "CE"}))
        .refused(("in_use", "enclosure", ""), json!({"enclosure": "DE01"}))
        .refused_before(("in_use", "enclosure", ""), [json!({"enclosure.add": {}})])
        .also(("in_use", "enclosure", ""), json!({}));
    let remove = remove.refused(("in_use", "enclosure", ""), json!({"enclosure": "DE02"})).done();
    [unsupported, limit, remove].concat()
}

fn drives() -> Vec<Refusal> {
    let world = given::with("eternus-af250", &[json!({"enclosure.add": {}}), json!({"drive.install": {"enclosure": "DE01", "bays": [3]}})]);
    let drive = "drive";
    let named = Ladder::new(world.clone(), "drive.install", json!({"enclosure": "DE09", "bays": [], "count": 1, "capacity": "500GB"}))
        .refused(("conflicting", drive, "bays"), json!({"count": null, "bays": null}))
        .refused(("missing", drive, "count"), json!({"bays": []}))
        .refused(("not_found", "enclosure", "enclosure"), json!({"enclosure": "DE01"}))
        .refused(("out_of_range", drive, "bays"), json!({"bays": [3, 24, 3]}))
        .refused(("not_supported", drive, "capacity"), json!({"capacity": "3.84TB"}))
        .refused(("out_of_range", drive, "bays"), json!({"bays": [3, 3]}))
        .refused(("value_invalid", drive, "bays"), json!({"bays": [3, 4]}))
        .refused(("in_use", "enclosure", ""), json!({"bays": [4, 23]}))
        .done();
    let counted = Ladder::new(world, "drive.install", json!({"enclosure": "DE01", "count": 25, "self_encrypting": true}))
        .refused(("out_of_range", drive, "count"), json!({"count": 24}))
        .refused(("limit_reached", drive, ""), json!({"count": 23}))
        .done();
    [named, counted].concat()
}
