//! Space: RAID groups, pools and volumes.

use serde_json::{Value, json};

use super::{Server, names};

const MIB: u64 = 1 << 20;

fn number(view: &Value, field: &str) -> u64 {
    view[field].as_u64().unwrap_or_else(|| panic!("no {field} in {view}"))
}

#[test]
fn a_raid_group_takes_named_or_counted_drives_and_gives_them_back() {
    let server = Server::playing("eternus-af250");
    let named = server.post("raid-groups", json!({"name": "RG0", "level": "raid1+0", "drives": ["CE-Disk#7", "1", "CE-Disk#3", "9"]})).json(201);
    assert_eq!(named["drives"], json!(["CE-Disk#1", "CE-Disk#3", "CE-Disk#7", "CE-Disk#9"]));
    let counted = server.post("raid-groups", json!({"name": "RG1", "level": "raid6", "drive_count": 6, "controller": "CM1"})).json(201);
    assert_eq!((&counted["controller"], &counted["free"]), (&json!("CM1"), &counted["capacity"]));
    assert_eq!(server.patch("raid-groups/RG1", json!({"controller": "CM0"})).json(200)["next_controller"], "CM0");
    server.post("clock/advance", json!({"until": "idle"})).json(200);
    assert_eq!(server.get("controllers/CM0?fields=raid_groups").json(200), json!({"raid_groups": ["RG0", "RG1"]}));
    assert_eq!(server.delete("raid-groups/RG0").status, 204);
    assert_eq!(names(&server.get("drives?usage=unused&limit=4").json(200)), ["CE-Disk#1", "CE-Disk#3", "CE-Disk#7", "CE-Disk#9"]);
}

#[test]
fn a_pool_grows_by_whole_raid_groups() {
    let server = Server::playing("eternus-af250");
    let pool = server.post("pools", json!({"name": "P0", "level": "raid5", "drive_count": 4, "chunk_size": "42MiB"})).json(201);
    assert_eq!(number(&pool, "chunk_size"), 42 * MIB);
    assert_eq!(number(&pool, "capacity") % (42 * MIB), 0);
    let grown = server.post("pools/P0/expand", json!({"drive_count": 8})).json(200);
    assert_eq!(number(&grown, "capacity"), 3 * number(&pool, "capacity"));
    assert_eq!(grown["raid_groups"], json!(["P0_0", "P0_1", "P0_2"]));
    assert_eq!(server.post("pools/P0/expand", json!({"drive_count": 3})).refused("drive_count")["field"], "drive_count");
    let changed = server.patch("pools/P0", json!({"attention_percent": 0, "warning_percent": 80, "over_provisioning_percent": 150})).json(200);
    assert_eq!(changed["thresholds"], json!({"attention_percent": null, "warning_percent": 80}));
    assert_eq!(changed["over_provisioning_percent"], 150);
}

#[test]
fn volumes_are_made_one_by_one_or_many_at_once_with_numbered_names() {
    let server = Server::playing("eternus-af250");
    server.post("pools", json!({"name": "P0", "level": "raid1+0", "drive_count": 8})).json(201);
    let one = server.post("volumes", json!({"name": "V", "pool": "P0", "size": 1_000_000_000})).json(201);
    assert_eq!(number(&one, "size"), 954 * MIB, "rounded up to whole MiB");
    let answer = server.post("volumes", json!({"name": "DB", "pool": "P0", "size": "1GiB", "count": 3, "start_number": 8, "digits": 3}));
    let several = answer.json(201);
    assert_eq!(names(&several), ["DB008", "DB009", "DB010"]);
    assert_eq!(answer.header("location"), None, "several things have no one place");
    let numbers: Vec<u64> = several["items"].as_array().into_iter().flatten().map(|view| number(view, "number")).collect();
    assert_eq!(numbers, [1, 2, 3]);
    let more = server.post("volumes", json!({"name": "DB", "pool": "P0", "size": "1GiB", "count": 2, "start_number": 10, "digits": 3})).json(201);
    assert_eq!(names(&more), ["DB011", "DB012"], "numbers that are taken are passed over");
    server.post("volumes", json!({"name": "W", "pool": "P0", "size": "100TB", "count": 1025})).refused("out_of_range");
    assert_eq!(names(&server.get("volumes").json(200)).len(), 6, "all or none");
}

#[test]
fn a_count_is_answered_with_a_list_even_of_one() {
    let server = Server::playing("eternus-af250");
    server.post("pools", json!({"name": "P0", "level": "raid1+0", "drive_count": 8})).json(201);
    let one = server.post("volumes", json!({"name": "V", "pool": "P0", "size": "1GiB", "count": 1})).json(201);
    assert_eq!(names(&one), ["V"]);
}

#[test]
fn a_number_that_is_also_the_name_of_another_is_refused_as_ambiguous() {
    let server = Server::playing("eternus-af250");
    server.post("pools", json!({"name": "P0", "level": "raid1+0", "drive_count": 8})).json(201);
    let first = server.post("volumes", json!({"name": "1", "pool": "P0", "size": "1GiB"})).json(201);
    server.post("volumes", json!({"name": "0", "pool": "P0", "size": "1GiB"})).json(201);
    server.delete("volumes/0").refused("ambiguous");
    server.delete("volumes/1").refused("ambiguous");
    assert_eq!(server.delete(&format!("volumes/{}", first["id"].as_str().expect("an id"))).status, 204);
    assert_eq!(server.get("volumes/1").json(200)["name"], "0", "now that nothing is called 1, the number counts");
}

#[test]
fn cures_speak_json_and_not_the_language_of_the_source() {
    let server = Server::playing("eternus-af250");
    let cures = [
        (server.post("lun-groups", json!({"name": "LG", "luns": ["v1"]})), "give an object with the fields that /docs/ names"),
        (server.post("volumes", json!({"name": "V", "size": 1, "count": -1})), "give a whole number that is not negative"),
        (server.post("operations", json!([{"volume.delete": {"volume": "a"}, "host.delete": {"host": "b"}}])), "give an object with one key"),
    ];
    for (answer, start) in cures {
        let problem = answer.refused("invalid_body");
        assert!(problem["cure"].as_str().is_some_and(|cure| cure.starts_with(start)), "{problem}");
    }
}

#[test]
fn a_volume_lives_in_a_raid_group_in_several_or_in_a_pool() {
    let server = Server::playing("eternus-af250");
    for group in ["RG0", "RG1"] {
        server.post("raid-groups", json!({"name": group, "level": "raid1", "drive_count": 2})).json(201);
    }
    server.post("pools", json!({"name": "P0", "level": "raid1", "drive_count": 2})).json(201);
    let made = |body: Value| server.post("volumes", body).json(201);
    let thick = made(json!({"name": "T", "raid_group": "RG0", "size": "100GiB"}));
    assert_eq!([&thick["kind"], &thick["allocation"], &thick["raid_groups"]], [&json!("standard"), &json!("thick"), &json!(["RG0"])]);
    assert_eq!(thick["allocated"], thick["size"]);
    let wide = made(json!({"name": "W", "raid_groups": ["RG0", "RG1"], "size": "100GiB"}));
    assert_eq!([&wide["kind"], &wide["raid_groups"]], [&json!("wide_striped"), &json!(["RG0", "RG1"])]);
    let thin = made(json!({"name": "V", "pool": "P0", "size": "100GiB"}));
    assert_eq!([&thin["kind"], &thin["allocation"], &thin["pool"], &thin["allocated"]], [&json!("thin"), &json!("thin"), &json!("P0"), &json!(0)]);
    let group = server.get("raid-groups/RG0").json(200);
    assert_eq!(number(&group, "used"), 150 << 30);
    let grown = server.post("volumes/T/expand", json!({"size": "200GiB"})).json(200);
    assert_eq!(number(&grown, "size"), 200 << 30);
    server.post("volumes/T/expand", json!({"size": "200GiB"})).refused("shrinking");
    assert_eq!(server.patch("volumes/V", json!({"allocation": "thick", "usage": "odx"})).json(200)["allocation"], "thick");
    assert_eq!(number(&server.get("pools/P0").json(200), "used"), number(&server.get("volumes/V").json(200), "allocated"));
}

#[test]
fn writing_fills_a_pool_reduces_data_and_calls_for_attention() {
    let server = Server::playing("eternus-af250");
    server.patch("settings", json!({"data_reduction": true})).json(200);
    server.post("pools", json!({"name": "P0", "level": "raid1", "drive_count": 2, "deduplication": true, "compression": true})).json(201);
    let reduced = json!({"name": "D", "pool": "P0", "size": "4TB", "deduplication": true, "compression": true, "reducibility": 4});
    server.post("volumes", reduced).json(201);
    server.post("volumes", json!({"name": "V", "pool": "P0", "size": "4TB"})).json(201);
    let written = server.post("volumes/D/write", json!({"bytes": "2TB"})).json(200);
    assert_eq!(number(&written, "written"), 2_000_000_000_000);
    let pool = server.get("pools/P0").json(200);
    assert_eq!(
        [&pool["reduction_ratio"], &pool["data_before_reduction"], &pool["data_after_reduction"]],
        [&json!(4), &json!(2_000_000_000_000u64), &json!(500_000_000_000u64)]
    );
    server.post("volumes/V/write", json!({"bytes": "1TB"})).json(200);
    assert_eq!(server.get("pools/P0?fields=used_percent,used_status").json(200), json!({"used_percent": 78, "used_status": "attention"}));
    assert_eq!(server.get("events?noun=pool&fields=code,name").json(200)["items"], json!([{"code": "pool_attention", "name": "P0"}]));
    let full = server.post("volumes/V/write", json!({"bytes": "1TB"})).refused("pool_full");
    assert_eq!((&full["status"], &full["noun"]), (&json!(409), &json!("pool")));
    let unmapped = server.post("volumes/V/unmap", json!({"bytes": "1TB"})).json(200);
    assert_eq!((number(&unmapped, "written"), number(&unmapped, "allocated")), (0, 0));
    let books = server.get("capacity").json(200);
    assert_eq!(number(&books["pools"], "used") + number(&books["pools"], "free"), number(&books["pools"], "capacity"));
}
