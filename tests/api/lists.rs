//! Lists: pages, every form of a filter, order and chosen fields, over the wire.

use serde_json::{Value, json};

use super::{Server, names};

fn furnished() -> Server {
    let server = Server::start();
    server.make_still("t", "eternus-af250", 7);
    server.post("pools", json!({"name": "P0", "level": "raid1", "drive_count": 2})).json(201);
    server.post("raid-groups", json!({"name": "RG0", "level": "raid1", "drive_count": 2})).json(201);
    server.post("volumes", json!({"name": "thin-", "pool": "P0", "size": "10GB", "count": 7})).json(201);
    server.post("clock/advance", json!({"by": "1h"})).json(200);
    server.post("volumes", json!({"name": "thick-", "raid_group": "RG0", "size": "20GB", "count": 5, "encryption": true})).json(201);
    server
}

/// All names, page by page; every page but the last is full.
fn walked(server: &Server, query: &str, limit: usize) -> Vec<String> {
    let (mut all, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = server.get(&format!("volumes?limit={limit}&{query}{cursor}")).json(200);
        let found: Vec<String> = names(&page).into_iter().map(str::to_owned).collect();
        let full = found.len() == limit;
        all.extend(found);
        let Some(next) = page["next_cursor"].as_str() else { return all };
        assert!(full, "a page with a next one is full");
        cursor = format!("&cursor={next}");
    }
}

#[test]
fn pages_lead_through_the_whole_list_in_every_order() {
    let server = furnished();
    for query in ["", "sort=-size,name", "sort=pool", "pool=P0&sort=-number", "size=%3E15GB"] {
        let whole: Vec<String> = names(&server.get(&format!("volumes?{query}")).json(200)).into_iter().map(str::to_owned).collect();
        assert!(!whole.is_empty());
        for limit in [1, 4, 5, 12, 1000] {
            assert_eq!(walked(&server, query, limit), whole, "{query} by {limit}");
        }
    }
}

#[test]
fn a_page_goes_on_behind_what_was_deleted_meanwhile() {
    let server = furnished();
    let page = server.get("volumes?limit=3&sort=name").json(200);
    assert_eq!(names(&page), ["thick-0", "thick-1", "thick-2"]);
    for gone in ["thick-2", "thick-3"] {
        assert_eq!(server.delete(&format!("volumes/{gone}")).status, 204);
    }
    let cursor = page["next_cursor"].as_str().expect("there is more");
    assert_eq!(names(&server.get(&format!("volumes?limit=3&sort=name&cursor={cursor}")).json(200)), ["thick-4", "thin-0", "thin-1"]);
    let refused = server.get(&format!("volumes?limit=3&sort=size&cursor={cursor}")).refused("invalid_parameter");
    assert_eq!(refused["field"], "cursor");
}

#[test]
fn every_form_of_a_filter_works_over_the_wire() {
    let server = furnished();
    for (query, count) in [
        ("name=thin-3", 1),
        ("name=thin-3|thick-0", 2),
        ("name=!thin-3", 11),
        ("name=th*-0", 2),
        ("name=%22th*-0%22", 0),
        ("number=%3E9", 2),
        ("number=%3E=9", 3),
        ("number=%3C2", 2),
        ("number=%3C=2", 3),
        ("number=2..5", 4),
        ("size=%3E=15GB", 5),
        ("pool=null", 5),
        ("pool=!null", 7),
        ("raid_groups=RG0", 5),
        ("raid_groups=!RG0", 7),
        ("encryption=true", 5),
        ("created_at=%3E2026-01-01T00:30:00Z", 5),
        ("pool=P0&number=%3C3&mapped=false", 3),
        ("name=nothing", 0),
    ] {
        let found = server.get(&format!("volumes?{query}")).json(200);
        assert_eq!(names(&found).len(), count, "{query}");
        assert_eq!(found["next_cursor"], Value::Null);
    }
}

#[test]
fn fields_choose_what_is_shown_also_of_nested_things() {
    let server = furnished();
    server.post("lun-groups", json!({"name": "LG0", "luns": [{"volume": "thin-0"}, {"lun": 9, "volume": "thin-1"}]})).json(201);
    let shown = |path: &str| server.get(path).json(200);
    assert_eq!(shown("volumes?number=0&fields=size,name")["items"], json!([{"size": 10_000_269_312u64, "name": "thin-0"}]));
    assert_eq!(shown("lun-groups/LG0?fields=luns.volume"), json!({"luns": [{"volume": "thin-0"}, {"volume": "thin-1"}]}));
    assert_eq!(names(&shown("lun-groups?luns.volume=thin-1")), ["LG0"]);
    assert_eq!(names(&shown("lun-groups?luns.lun=8")), Vec::<&str>::new());
    assert_eq!(shown("pools/P0?fields=thresholds.warning_percent"), json!({"thresholds": {"warning_percent": 90}}));
}

#[test]
fn queries_that_make_no_sense_are_refused_by_name() {
    let server = furnished();
    for (query, code, field) in [
        ("limit=0", "invalid_parameter", "limit"),
        ("limit=1001", "invalid_parameter", "limit"),
        ("limit=-1", "invalid_parameter", "limit"),
        ("cursor=nonsense", "invalid_parameter", "cursor"),
        ("sort=colour", "unknown_field", "colour"),
        ("sort=", "unknown_field", ""),
        ("fields=colour", "unknown_field", "colour"),
        ("colour=red", "unknown_field", "colour"),
        ("size=large", "invalid_parameter", "size"),
        ("encryption=yes", "invalid_parameter", "encryption"),
        ("created_at=yesterday", "invalid_parameter", "created_at"),
    ] {
        let problem = server.get(&format!("volumes?{query}")).refused(code);
        assert_eq!((&problem["status"], &problem["field"]), (&json!(400), &json!(field)), "{query}");
    }
    assert_eq!(server.get("volumes/thin-0?limit=1").refused("unknown_field")["field"], "limit");
    assert_eq!(server.post("volumes?dry_run=true", json!({"name": "x", "pool": "P0", "size": 1})).refused("unknown_field")["field"], "dry_run");
}
