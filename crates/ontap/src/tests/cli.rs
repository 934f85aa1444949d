//! Commands of the command line as paths.

use serde_json::{Value, json};

use super::Lab;

#[test]
fn commands_show_what_collections_have_under_other_names() {
    let lab = Lab::scene("aff-a250");
    let aggregates = lab.get("/private/cli/aggr?fields=node,root,size&aggregate=*01");
    assert_eq!(aggregates["num_records"], json!(1));
    assert_eq!(aggregates["records"][0]["node"], json!("lab-01"));
    assert!(aggregates["records"][0]["size"].as_u64().is_some_and(|size| size > 0) && aggregates["records"][0].get("uuid").is_none());
    let first = lab.get("/private/cli/storage/aggregate?max_records=1");
    let next = first["_links"]["next"]["href"].as_str().expect("a next page").trim_start_matches("/api");
    assert_ne!(lab.get(next)["records"][0]["aggregate"], first["records"][0]["aggregate"]);
    assert_eq!(lab.get("/private/cli/aggr/show-space?fields=bin-num,tier-name&tier_name=!%22%20%22%7C%22%22")["num_records"], json!(2));
    assert_eq!(lab.get("/private/cli/aggr?root=true&return_records=false")["num_records"], json!(0));
    assert_eq!(lab.get("/private/cli/snapmirror?fields=source_path&expand=true")["records"], json!([]));
    assert_eq!(lab.refused("GET", "/private/cli/aggr?fields=*", &Value::Null), (400, "262220".into(), "fields".into()));
}

#[test]
fn what_no_collection_has_is_shown_all_the_same() {
    let lab = Lab::factory();
    for one in ["debug/smdb/table/OntapMode", "debug/smdb/table/OntapPersonality", "version"] {
        assert_eq!(lab.get(&format!("/private/cli/{one}"))["num_records"], json!(1), "{one}");
    }
    assert!(lab.get("/private/cli/cluster/date?fields=date")["records"][0]["date"].as_str().is_some_and(|date| date.ends_with("+00:00")));
    assert_eq!(lab.get("/private/cli/storage/failover?possible=!true&fields=node")["num_records"], json!(0));
    assert!(lab.get("/private/cli/system/health/subsystem?fields=health")["num_records"].as_u64().is_some_and(|count| count > 3));
    assert!(lab.get("/private/cli/system/controller/fru?fields=fru_name,status")["num_records"].as_u64().is_some_and(|count| count > 0));
    lab.does(json!({"controller.fail": {"controller": "node-02"}}));
    assert_eq!(lab.get("/private/cli/storage/failover?possible=!true&fields=node")["num_records"], json!(2));
}

#[test]
fn options_of_disks_are_kept() {
    let lab = Lab::factory();
    let path = "/private/cli/storage/disk/option?node=lab-01";
    let options = format!("{path}&fields=node,autoassign,bkg-firmware-update,autocopy,autoassign-policy");
    assert_eq!(
        lab.get(&options)["records"],
        json!([{"node": "lab-01", "autoassign": true, "autocopy": true, "bkg_firmware_update": true, "autoassign_policy": "default"}])
    );
    lab.patch(path, json!({"autoassign": false}));
    assert_eq!(lab.get(&options)["records"][0]["autoassign"], json!(false));
    assert_eq!(lab.get("/private/cli/storage/disk/option?node=lab-02")["records"][0]["autoassign"], json!(true));
    assert_eq!(lab.refused("PATCH", path, &json!({"autoassign": "perhaps"})).0, 400);
}

#[test]
fn unknown_commands_are_counted() {
    let lab = Lab::factory();
    assert_eq!(lab.refused("GET", "/private/cli/vserver/nfs/show", &Value::Null), (404, "3".into(), String::new()));
    assert_eq!(lab.refused("GET", "/private/support/alerts", &Value::Null).0, 404);
    assert_eq!(lab.refused("POST", "/private/cli/volume/rehost", &json!({})).0, 404);
    let unserved: Vec<String> = lab.array().unserved().into_iter().map(|(method, path, _)| format!("{method} {path}")).collect();
    assert_eq!(unserved, ["POST /api/private/cli/volume/rehost", "GET /api/private/cli/vserver/nfs/show", "GET /api/private/support/alerts"]);
}

#[test]
fn a_lun_is_cloned_and_ports_change_their_broadcast_domain() {
    let lab = Lab::scene("aff-a250");
    let body = json!({"vserver": "nobody", "volume": "vol1", "source-path": "lun0", "destination-path": "copy", "no-reserve": true});
    assert_eq!(lab.refused("POST", "/private/cli/volume/file/clone", &body), (400, "2621462".into(), "vserver".into()));
    assert_eq!(lab.refused("POST", "/private/cli/volume/file/clone", &json!({"vserver": "vs0"})), (400, "262177".into(), "volume".into()));
    let path = "/private/cli/network/port/broadcast-domain/remove-ports?broadcast-domain=none&ipspace=Default";
    assert_eq!(lab.refused("PATCH", path, &json!({"ports": ["lab-01:e0d"]})).0, 404);
}
