//! Settings and fixed parts.

use serde_json::{Value, json};

use super::ladder::{Ladder, Refusal};
use crate::given;

pub(super) fn ladders() -> Vec<Refusal> {
    [settings(), settings_unlicensed(), settings_in_use(), enclosure(), controller(), host_port(), drive()].concat()
}

#[test]
fn parts_refuse_in_the_documented_order() {
    ladders();
}

fn settings() -> Vec<Refusal> {
    let long = "x".repeat(257);
    let request = json!({
        "system_name": long, "location": long, "contact": long, "description": long, "time_zone": "here", "box_id": "two words", "data_reduction": true,
    });
    Ladder::new(given::model("esds-s16f", 7), "settings.update", request)
        .refused(("out_of_range", "settings", "system_name"), json!({"system_name": "x".repeat(64)}))
        .refused(("out_of_range", "settings", "location"), json!({"location": "x".repeat(256)}))
        .refused(("out_of_range", "settings", "contact"), json!({"contact": ""}))
        .refused(("out_of_range", "settings", "description"), json!({"description": null}))
        .refused(("value_invalid", "settings", "time_zone"), json!({"time_zone": "UTC+09:00"}))
        .refused(("value_invalid", "settings", "box_id"), json!({"box_id": "00#ONE"}))
        .refused(("not_supported", "settings", "data_reduction"), json!({"data_reduction": false}))
        .done()
}

fn settings_unlicensed() -> Vec<Refusal> {
    let world = given::with("eternus-af250", &[json!({"licence.remove": {"licence": "data_reduction"}})]);
    let register = json!({"licence.register": {"licence": "data_reduction", "key": "ABCD-EFGH-IJKL-MNOP"}});
    Ladder::new(world, "settings.update", json!({"automatic_qos": true, "data_reduction": true, "time_zone": "Europe/Berlin"}))
        .refused(("not_supported", "settings", "automatic_qos"), json!({"automatic_qos": false}))
        .refused_before(("licence_missing", "licence", ""), [register])
        .done()
}

fn settings_in_use() -> Vec<Refusal> {
    let world = given::with("eternus-af250", &pool_with_reduction());
    Ladder::new(world, "settings.update", json!({"system_name": "x".repeat(65), "data_reduction": false}))
        .refused(("out_of_range", "settings", "system_name"), json!({"system_name": null}))
        .refused_before(("reduction_in_use", "array", ""), [json!({"pool.update": {"pool": "P0", "compression": false}})])
        .done()
}

fn pool_with_reduction() -> [Value; 2] {
    [json!({"settings.update": {"data_reduction": true}}), json!({"pool.create": {"name": "P0", "level": "raid5", "drive_count": 3, "compression": true}})]
}

fn enclosure() -> Vec<Refusal> {
    Ladder::new(given::model("eternus-af250", 7), "enclosure.update", json!({"enclosure": "DE09", "locate": true}))
        .refused(("not_found", "enclosure", ""), json!({"enclosure": "CE"}))
        .done()
}

fn controller() -> Vec<Refusal> {
    Ladder::new(given::model("eternus-af250", 7), "controller.update", json!({"controller": "CM9", "locate": true}))
        .refused(("not_found", "controller", ""), json!({"controller": "1"}))
        .done()
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
    Ladder::new(world, "host-port.update", json!({"host_port": "CM0-CA9-P0", "protocol": "ethernet"}))
        .refused(("not_found", "host-port", ""), json!({"host_port": "CM0-CA0-P0"}))
        .refused(("not_supported", "host-port", "protocol"), json!({"protocol": "iscsi"}))
        .refused_before(("in_use", "host-port", ""), [json!({"port-group.delete": {"port_group": "PG0"}})])
        .refused_before(("in_use", "host-port", ""), [json!({"interface.delete": {"interface": "F0"}})])
        .refused_until(("limit_reached", "host", ""), |world| world.array.personality.limits.hosts_per_port = 1)
        .done()
}

fn drive() -> Vec<Refusal> {
    let world = given::with("eternus-af250", &pool_with_reduction());
    Ladder::new(world, "drive.update", json!({"drive": "CE-Disk#24", "spare": true}))
        .refused(("not_found", "drive", ""), json!({"drive": "CE-Disk#0"}))
        .refused(("in_use", "drive", ""), json!({"drive": "CE-Disk#23"}))
        .done()
}
