//! QoS policies and host responses.

use arrayplane::ops::World;
use serde_json::json;

use super::ladder::{Ladder, Refusal};
use crate::given;

pub(super) fn ladders() -> Vec<Refusal> {
    let policies = [create_numbers(), create_level(), update(), delete()].concat();
    [policies, response_create(), response_without_flat_space(), response_update(), response_delete()].concat()
}

#[test]
fn qos_policies_and_host_responses_refuse_in_the_documented_order() {
    ladders();
}

/// The policy Q0 in use by the container C0, and Q1.
fn limited() -> World {
    let operations = [
        json!({"pool.create": {"name": "P0", "level": "raid-dp", "drive_count": 6}}),
        json!({"qos-policy.create": {"name": "Q0", "fixed": {"iops": 1000}}}),
        json!({"qos-policy.create": {"name": "Q1", "adaptive": {"expected_iops_per_tib": 10, "peak_iops_per_tib": 20}}}),
        json!({"container.create": {"name": "C0", "pool": "P0", "size": "1TB", "qos_policy": "Q0"}}),
        json!({"volume.create": {"name": "L0", "container": "C0", "size": "1GiB", "qos_policy": "Q0"}}),
    ];
    given::with("aff-a250", &operations)
}

fn create_numbers() -> Vec<Refusal> {
    let mut world = limited();
    world.array.personality.limits.qos_policies = 5;
    let adaptive = |fields: serde_json::Value| json!({"fixed": null, "adaptive": fields});
    Ladder::new(world, "qos-policy.create", json!({"name": "a/b", "tenant": "X", "fixed": {"read_iops": 0}, "level": 0}))
        .also(("missing", "qos-policy", "fixed"), json!({"fixed": null, "level": null}))
        .refused(("conflicting", "qos-policy", "fixed"), json!({"level": null}))
        .refused(("not_found", "tenant", "tenant"), json!({"tenant": null}))
        .also(("not_supported", "qos-policy", "level"), json!({"fixed": null, "level": 3}))
        .refused(("not_supported", "qos-policy", "fixed.read_iops"), json!({"fixed": {"iops": 0}}))
        .refused(("name_invalid", "qos-policy", "name"), json!({"name": "Q0"}))
        .refused(("name_taken", "qos-policy", "name"), json!({"name": "Q9"}))
        .also(("out_of_range", "qos-policy", "adaptive.expected_iops_per_tib"), adaptive(json!({"expected_iops_per_tib": 0, "peak_iops_per_tib": 0})))
        .also(("out_of_range", "qos-policy", "adaptive.peak_iops_per_tib"), adaptive(json!({"expected_iops_per_tib": 9, "peak_iops_per_tib": 8})))
        .also(("out_of_range", "qos-policy", "adaptive.block_size"), adaptive(json!({"expected_iops_per_tib": 9, "peak_iops_per_tib": 9, "block_size": 512})))
        .refused(("out_of_range", "qos-policy", "fixed.iops"), json!({"fixed": {}}))
        .refused(("missing", "qos-policy", "fixed.iops"), json!({"fixed": {"bytes_per_second": "10000TB"}}))
        .refused(("out_of_range", "qos-policy", "fixed.bytes_per_second"), json!({"fixed": {"iops": 10, "least_iops": 11}}))
        .refused(("out_of_range", "qos-policy", "fixed.least_iops"), json!({"fixed": {"iops": 10, "least_iops": 10, "bytes_per_second": 1}, "shared": true}))
        .refused_until(("limit_reached", "qos-policy", ""), |world| world.array.personality.limits.qos_policies = 6)
        .done()
}

fn create_level() -> Vec<Refusal> {
    let request = json!({"name": "Q9", "adaptive": {"expected_iops_per_tib": 9, "peak_iops_per_tib": 9}, "shared": true});
    Ladder::new(given::model("eternus-af250", 7), "qos-policy.create", request)
        .also(("missing", "qos-policy", "level"), json!({"adaptive": null}))
        .refused(("not_supported", "qos-policy", "adaptive"), json!({"adaptive": null, "fixed": {"iops": 9}}))
        .refused(("not_supported", "qos-policy", "fixed"), json!({"fixed": null, "level": 16}))
        .refused(("out_of_range", "qos-policy", "level"), json!({"level": 15}))
        .refused(("not_supported", "qos-policy", "shared"), json!({"shared": false}))
        .done()
}

fn update() -> Vec<Refusal> {
    let both = json!({"qos_policy": "X", "name": "a/b", "fixed": {}, "adaptive": {"expected_iops_per_tib": 9, "peak_iops_per_tib": 9}});
    Ladder::new(limited(), "qos-policy.update", both)
        .refused(("conflicting", "qos-policy", "fixed"), json!({"fixed": null}))
        .refused(("not_found", "qos-policy", ""), json!({"qos_policy": "Q0"}))
        .refused(("conflicting", "qos-policy", "adaptive"), json!({"adaptive": null, "fixed": {"write_iops": 1}}))
        .refused(("not_supported", "qos-policy", "fixed.write_iops"), json!({"fixed": {}}))
        .refused(("name_invalid", "qos-policy", "name"), json!({"name": "Q1"}))
        .refused(("name_taken", "qos-policy", "name"), json!({"name": "Q9"}))
        .refused(("missing", "qos-policy", "fixed.iops"), json!({"fixed": {"iops": 5}}))
        .done()
}

fn delete() -> Vec<Refusal> {
    Ladder::new(limited(), "qos-policy.delete", json!({"qos_policy": "X"}))
        .refused(("not_found", "qos-policy", ""), json!({"qos_policy": "Q0"}))
        .refused_before(("in_use", "qos-policy", ""), [json!({"volume.update": {"volume": "L0", "qos_policy": ""}})])
        .refused(("in_use", "qos-policy", ""), json!({"force": true}))
        .done()
}

fn response_create() -> Vec<Refusal> {
    let mut world = given::model("eternus-af250", 7);
    world.array.personality.limits.host_responses = 0;
    let manners = json!({"inquiry_version": 2, "command_timeout_seconds": 256});
    Ladder::new(world, "host-response.create", json!({"name": "a,b", "manners": manners}))
        .refused(("name_invalid", "host-response", "name"), json!({"name": "AIX"}))
        .refused(("name_taken", "host-response", "name"), json!({"name": "R9"}))
        .refused(("out_of_range", "host-response", "manners.inquiry_version"), json!({"manners": {"command_timeout_seconds": 4}}))
        .refused(("out_of_range", "host-response", "manners.command_timeout_seconds"), json!({"manners": {"alua": "active_active"}}))
        .refused_until(("limit_reached", "host-response", ""), |world| world.array.personality.limits.host_responses = 1)
        .done()
}

fn response_without_flat_space() -> Vec<Refusal> {
    Ladder::new(given::model("esds-s16f", 7), "host-response.create", json!({"name": "R9", "manners": {"flat_space_addressing": true}}))
        .refused(("not_supported", "host-response", "manners.flat_space_addressing"), json!({"manners": null}))
        .done()
}

/// R0 has flat space addressing; H0 has it and sees V as LUN 300, and LG holds LUN 400.
fn flat() -> World {
    let operations = [
        json!({"host-response.create": {"name": "R0", "manners": {"flat_space_addressing": true}}}),
        json!({"raid-group.create": {"name": "RG0", "level": "raid1", "drive_count": 2}}),
        json!({"volume.create": {"name": "V", "raid_group": "RG0", "size": "1GiB"}}),
        json!({"host.create": {"name": "H0", "protocol": "fc", "wwn": "10000090fa000000", "host_response": "R0"}}),
        json!({"mapping.create": {"name": "M0", "volume": "V", "host": "H0", "lun": 300}}),
        json!({"lun-group.create": {"name": "LG", "luns": [{"lun": 400, "volume": "V"}]}}),
    ];
    given::with("eternus-af250", &operations)
}

fn response_update() -> Vec<Refusal> {
    let request = json!({"host_response": "X", "name": "a,b", "manners": {"flat_space_addressing": false, "inquiry_version": 7}});
    Ladder::new(flat(), "host-response.update", request)
        .refused(("not_found", "host-response", ""), json!({"host_response": "AIX"}))
        .refused(("not_supported", "host-response", "host_response"), json!({"host_response": "R0"}))
        .refused(("name_invalid", "host-response", "name"), json!({"name": "AIX"}))
        .refused(("name_taken", "host-response", "name"), json!({"name": null}))
        .refused(("out_of_range", "host-response", "manners.inquiry_version"), json!({"manners": {"flat_space_addressing": false}}))
        .refused_before(("lun_too_high", "host-response", "lun"), [json!({"mapping.delete": {"mapping": "M0"}})])
        .refused_before(("lun_too_high", "host-response", "lun"), [json!({"lun-group.delete": {"lun_group": "LG"}})])
        .done()
}

fn response_delete() -> Vec<Refusal> {
    let freed = [json!({"mapping.delete": {"mapping": "M0"}}), json!({"host.update": {"host": "H0", "host_response": "Default"}})];
    Ladder::new(flat(), "host-response.delete", json!({"host_response": "X"}))
        .refused(("not_found", "host-response", ""), json!({"host_response": "0"}))
        .refused(("not_supported", "host-response", "host_response"), json!({"host_response": "R0"}))
        .refused_before(("in_use", "host-response", ""), freed)
        .refused_before(("lun_too_high", "host-response", "lun"), [json!({"lun-group.delete": {"lun_group": "LG"}})])
        .done()
}
