//! Interfaces.

use arrayplane::ops::World;
use serde_json::json;

use super::ladder::{Ladder, Refusal};
use crate::given;

pub(super) fn ladders() -> Vec<Refusal> {
    [create(), update(), migrate(), revert(), delete()].concat()
}

#[test]
fn interfaces_refuse_in_the_documented_order() {
    ladders();
}

/// I0 for iSCSI and F0 for Fibre Channel on the first node, M0 for administration.
fn world() -> World {
    let operations = [
        json!({"interface.create": {"name": "I0", "services": ["iscsi"], "home_port": "node-01:e0c", "address": "10.0.0.1", "prefix_length": 24}}),
        json!({"interface.create": {"name": "F0", "services": ["fc"], "home_port": "node-01:0a"}}),
        json!({"interface.create": {"name": "M0", "services": ["management"], "home_controller": "node-01", "address": "10.0.0.2", "prefix_length": 24}}),
    ];
    given::with("aff-a250", &operations)
}

fn create() -> Vec<Refusal> {
    let operations = [
        json!({"tenant.create": {"name": "T0", "protocols": ["fc"]}}),
        json!({"host-port.update": {"host_port": "CM1-CA0-P1", "protocol": "iscsi"}}),
        json!({"interface.create": {"name": "I0", "services": ["iscsi"], "home_port": "CM1-CA0-P1", "address": "192.168.1.9", "prefix_length": 24}}),
    ];
    let mut world = given::with("eternus-af250", &operations);
    world.array.personality.limits.interfaces = 1;
    let request = json!({"name": "a,b", "services": [], "home_port": "X", "home_controller": "X", "tenant": "X", "address": "x", "gateway": "x"});
    Ladder::new(world, "interface.create", request)
        .also(("missing", "interface", "home_port"), json!({"home_port": null, "home_controller": null}))
        .refused(("conflicting", "interface", "home_port"), json!({"home_controller": null}))
        .refused(("not_found", "tenant", "tenant"), json!({"tenant": "T0"}))
        .also(("not_found", "controller", "home_controller"), json!({"home_port": null, "home_controller": "X"}))
        .refused(("not_found", "host-port", "home_port"), json!({"home_port": "CM0-CA0-P0"}))
        .refused(("missing", "interface", "services"), json!({"services": ["iscsi", "iscsi"]}))
        .refused(("conflicting", "interface", "services"), json!({"services": ["fc", "iscsi"]}))
        .refused(("conflicting", "interface", "services"), json!({"services": ["nvme_tcp"]}))
        .refused(("not_supported", "interface", "services"), json!({"services": ["iscsi"]}))
        .refused(("name_invalid", "interface", "name"), json!({"name": "I0"}))
        .refused(("name_taken", "interface", "name"), json!({"name": "I9"}))
        .refused(("protocol_mismatch", "interface", "protocol"), json!({"tenant": null}))
        .also(("protocol_mismatch", "controller", "protocol"), json!({"home_port": null, "home_controller": "CM0"}))
        .also(("conflicting", "interface", "address"), json!({"services": ["fc"]}))
        .refused(("protocol_mismatch", "host-port", "protocol"), json!({"home_port": "CM1-CA0-P1"}))
        .also(("missing", "interface", "address"), json!({"address": null}))
        .refused(("value_invalid", "interface", "address"), json!({"address": "192.168.1.1"}))
        .refused(("missing", "interface", "prefix_length"), json!({"prefix_length": 33}))
        .refused(("out_of_range", "interface", "prefix_length"), json!({"prefix_length": 24}))
        .refused(("value_invalid", "interface", "gateway"), json!({"gateway": "10.0.0.1"}))
        .refused(("value_invalid", "interface", "gateway"), json!({"gateway": "192.168.1.254"}))
        .refused_until(("limit_reached", "interface", ""), |world| world.array.personality.limits.interfaces = 2)
        .refused(("address_taken", "settings", "address"), json!({"address": "192.168.1.9"}))
        .refused(("address_taken", "interface", "address"), json!({"address": "192.168.1.10"}))
        .done()
}

fn update() -> Vec<Refusal> {
    let request = json!({
        "interface": "X", "name": "a/b", "home_port": "X", "home_controller": "X", "address": "x", "prefix_length": 0, "gateway": "x",
    });
    Ladder::new(world(), "interface.update", request)
        .refused(("conflicting", "interface", "home_port"), json!({"home_controller": null}))
        .refused(("not_found", "interface", ""), json!({"interface": "I0"}))
        .refused(("not_found", "host-port", "home_port"), json!({"home_port": "node-01:0a"}))
        .refused(("name_invalid", "interface", "name"), json!({"name": "M0"}))
        .refused(("name_taken", "interface", "name"), json!({"name": null}))
        .refused(("protocol_mismatch", "host-port", "protocol"), json!({"home_port": "node-02:e0c"}))
        .also(("conflicting", "interface", "address"), json!({"interface": "F0", "home_port": null}))
        .refused(("wrong_state", "interface", ""), json!({"enabled": false}))
        .refused(("value_invalid", "interface", "address"), json!({"address": "10.0.0.2"}))
        .refused(("out_of_range", "interface", "prefix_length"), json!({"prefix_length": null}))
        .refused(("value_invalid", "interface", "gateway"), json!({"gateway": ""}))
        .refused(("address_taken", "interface", "address"), json!({"address": "10.0.0.3"}))
        .done()
}

fn migrate() -> Vec<Refusal> {
    Ladder::new(world(), "interface.migrate", json!({"interface": "X", "port": "X", "controller": "X"}))
        .also(("missing", "interface", "port"), json!({"port": null, "controller": null}))
        .refused(("conflicting", "interface", "port"), json!({"controller": null}))
        .refused(("not_found", "interface", ""), json!({"interface": "I0"}))
        .also(("not_found", "controller", "controller"), json!({"port": null, "controller": "X"}))
        .refused(("not_found", "host-port", "port"), json!({"port": "node-02:0a"}))
        .refused(("protocol_mismatch", "host-port", "protocol"), json!({"port": "node-02:e0c"}))
        .refused_before(("wrong_state", "interface", ""), [json!({"interface.update": {"interface": "I0", "enabled": false}})])
        .done()
}

fn revert() -> Vec<Refusal> {
    let enabled = |enabled: bool| json!({"interface.update": {"interface": "I0", "enabled": enabled}});
    let away = json!({"interface.migrate": {"interface": "I0", "port": "node-02:e0c"}});
    Ladder::new(world(), "interface.revert", json!({"interface": "X"}))
        .refused(("not_found", "interface", ""), json!({"interface": "I0"}))
        .refused_before(("not_running", "interface", ""), [enabled(false), away, enabled(true)])
        .refused_before(("wrong_state", "interface", ""), [enabled(false)])
        .done()
}

fn delete() -> Vec<Refusal> {
    Ladder::new(world(), "interface.delete", json!({"interface": "X"})).refused(("not_found", "interface", ""), json!({"interface": "I0"})).done()
}
