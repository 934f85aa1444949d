//! Aggregates, disks, shelves, and the space of the cluster.

use serde_json::{Value, json};

use super::Lab;

fn aggregate(lab: &Lab, name: &str, node: usize, disks: u32) -> String {
    let nodes = lab.get("/cluster/nodes?order_by=name");
    let body = json!({"name": name, "node.name": nodes["records"][node]["name"], "block_storage": {"primary": {"disk_count": disks, "raid_type": "raid_dp"}}});
    let made = lab.post("/storage/aggregates", body);
    format!("/storage/aggregates/{}", made["uuid"].as_str().expect("an identifier"))
}

#[test]
fn an_aggregate_grows_disk_by_disk_from_the_spares_of_its_node() {
    let lab = Lab::factory();
    let node = lab.get("/cluster/nodes?order_by=name")["records"][1]["name"].as_str().expect("a name").to_owned();
    let spares =
        || lab.get(&format!("/storage/disks?container_type=spare&home_node.name={node}&return_records=false"))["num_records"].as_u64().expect("a number");
    let before = spares();
    let path = aggregate(&lab, "data1", 1, 4);
    assert_eq!(spares(), before - 4);
    assert_eq!(lab.get("/storage/disks?container_type=aggregate&aggregates.name=data1")["num_records"], json!(4));
    let size = |lab: &Lab| lab.get(&path)["space"]["block_storage"]["size"].as_u64().expect("a size");
    let first = size(&lab);
    lab.patch(&path, json!({"block_storage.primary.disk_count": 5}));
    assert_eq!((lab.get(&path)["block_storage"]["primary"]["disk_count"].clone(), spares()), (json!(5), before - 5));
    assert_eq!(size(&lab), first / 2 * 3, "two data disks have become three");
    let plex = lab.get(&format!("{path}/plexes/plex0"));
    assert_eq!(plex["raid_groups"][0]["disks"].as_array().map(Vec::len), Some(5));
    assert_eq!(lab.get(&format!("{path}/cloud-stores"))["num_records"], json!(0));
    assert_eq!(lab.refused("PATCH", &path, &json!({"block_storage.primary.disk_count": 4})).1, "787170");
    assert_eq!(lab.refused("PATCH", &path, &json!({"block_storage.primary.disk_count": 40})).1, "19726341");
    assert_eq!(lab.refused("PATCH", &path, &json!({"state": "offline"})).1, "3");
    lab.patch(&path, json!({"name": "data1b", "block_storage.primary.raid_type": "raid_dp"}));
    assert_eq!(lab.get(&path)["name"], json!("data1b"));
    assert!(lab.array().read(crate::engine::problems).is_empty());
    lab.delete(&path);
    assert_eq!(spares(), before);
}

#[test]
fn disks_are_named_and_belong_to_nodes() {
    let lab = Lab::factory();
    let disks = lab.get("/storage/disks?fields=*");
    let disk = disks["records"][0].clone();
    let name = disk["name"].as_str().expect("a name").to_owned();
    assert_eq!((&disk["container_type"], &disk["effective_type"], &disk["state"]), (&json!("spare"), &json!("ssd_nvm"), &json!("spare")));
    assert_eq!(lab.get(&format!("/storage/disks/{name}"))["serial_number"], disk["serial_number"]);
    let nodes = lab.get("/cluster/nodes?order_by=name");
    for node in nodes["records"].as_array().expect("a list") {
        let own = lab.get(&format!("/storage/disks?home_node.name={}&container_type=!unassigned&fields=name", node["name"].as_str().expect("a name")));
        assert_eq!(own["num_records"].as_u64().map(|own| own * 2), disks["num_records"].as_u64());
    }
    assert_eq!(lab.get("/storage/disks?container_type=unassigned")["num_records"], json!(0));
    lab.patch(&format!("/storage/disks?name={name}"), json!({"node": {"name": disk["home_node"]["name"]}}));
    assert_eq!(lab.refused("PATCH", &format!("/storage/disks?name={name}"), &json!({"node": {"name": nodes["records"][1]["name"]}})).1, "721066");
    lab.does(json!({"drive.fail": {"drive": name}}));
    assert_eq!(lab.get("/storage/disks?container_type=broken&fields=outage,state")["records"][0]["name"], json!(name));
}

#[test]
fn shelves_and_the_space_of_the_cluster_are_told() {
    let lab = Lab::factory();
    let shelves = lab.get("/storage/shelves?fields=*&local=true");
    let shelf = &shelves["records"][0];
    assert_eq!((&shelf["state"], &shelf["disk_count"]), (&json!("ok"), &lab.get("/storage/disks")["num_records"]));
    assert_eq!(lab.get(&format!("/storage/shelves/{}", shelf["uid"].as_str().expect("an identifier")))["name"], shelf["name"]);
    assert_eq!(lab.get("/storage/cluster")["block_storage"]["size"], json!(0));
    let path = aggregate(&lab, "data1", 0, 5);
    assert_eq!(lab.get("/storage/cluster?fields=*")["block_storage"]["size"], lab.get(&path)["space"]["block_storage"]["size"]);
    for path in ["/storage/pools", "/storage/ports"] {
        assert_eq!(lab.get(path)["num_records"], json!(0));
    }
}

#[test]
fn without_a_word_aggregates_are_laid_out_by_the_array() {
    let lab = Lab::factory();
    let (status, answer) = lab.ask("POST", "/storage/aggregates", &Value::Null);
    assert_eq!(status, 202, "{answer}");
    let made = lab.get("/storage/aggregates?fields=block_storage.primary.disk_count,node");
    assert_eq!(made["num_records"], json!(2), "{made}");
}

#[test]
fn what_is_only_kept_for_volumes_is_used_but_not_physically() {
    let lab = Lab::factory();
    lab.post("/storage/aggregates", json!({"name": "aggr1", "node": {"name": "lab-01"}, "block_storage": {"primary": {"disk_count": 6}}}));
    lab.post("/svm/svms", json!({"name": "svm1"}));
    let space = || lab.get("/storage/aggregates?fields=space")["records"][0]["space"]["block_storage"].clone();
    let before = space();
    lab.post(
        "/storage/volumes",
        json!({"name": "vol1", "svm": {"name": "svm1"}, "aggregates": [{"name": "aggr1"}], "size": 1_u64 << 40, "guarantee": {"type": "volume"}}),
    );
    let after = space();
    let grown = |name: &str| after[name].as_u64().expect("bytes") - before[name].as_u64().expect("bytes");
    assert_eq!(grown("used"), 1 << 40);
    assert_eq!((grown("physical_used"), grown("physical_used_percent")), (0, 0));
}

#[test]
fn aggregates_are_recommended_and_tried() {
    let lab = Lab::factory();
    let all = "/storage/aggregates";
    let recommended = lab.get(&format!("{all}?recommend=true"));
    assert_eq!((&recommended["num_records"], &recommended["records"][0]["name"]), (&json!(2), &json!("lab_01_SSD_1")));
    let path = aggregate(&lab, "data1", 0, 5);
    let spares = lab.get(&format!("{all}?show_spares=true"));
    assert_eq!((&spares["num_records"], &spares["spares"][0]["node"]["name"]), (&json!(0), &json!("lab-01")));
    let (own, usable) = (spares["spares"][0]["total"].as_u64().expect("a number"), spares["spares"][0]["usable"].as_u64().expect("a number"));
    assert_eq!(own, lab.get("/storage/disks?home_node.name=lab-01&container_type=spare")["num_records"].as_u64().expect("a number"));
    let size = |record: &Value| record["space"]["block_storage"]["size"].as_u64().expect("a size");
    let before = lab.get(&path);
    let (status, tried) = lab.ask("PATCH", &format!("{path}?simulate=true"), &json!({"block_storage.primary.disk_count": 6}));
    assert_eq!((status, &tried["records"][0]["block_storage"]["primary"]["disk_count"]), (200, &json!(6)), "{tried}");
    assert!(size(&tried["records"][0]) > size(&before));
    lab.refuses(
        "PATCH",
        &format!("{path}?simulate=true"),
        &json!({"block_storage.primary.disk_count": 99}),
        (400, "19726341", "block_storage.primary.disk_count"),
    );
    assert_eq!(lab.get(&path)["block_storage"]["primary"]["disk_count"], json!(5), "it was a trial");
    let expanded = lab.get(&format!("{path}?auto_provision_policy=expand"));
    assert_eq!(expanded["block_storage"]["primary"]["disk_count"], json!(5 + usable));
    lab.patch(&format!("{path}?auto_provision_policy=expand"), json!({}));
    let after = lab.get(&path);
    assert_eq!((after["block_storage"]["primary"]["disk_count"].as_u64(), size(&after)), (Some(5 + usable), size(&expanded)));
    lab.is_sound();
}
