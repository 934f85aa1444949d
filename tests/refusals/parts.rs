//! Settings and fixed parts.

use serde_json::{Value, json};

use super::ladder::{Ladder, Refusal};
use crate::given;

pub(super) fn ladders() -> Vec<Refusal> {
    [settings(), settings_unlicensed(), settings_in_use(), enclosure()].concat()
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
