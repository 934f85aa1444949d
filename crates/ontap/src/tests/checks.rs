//! What values fields take: ranges, words, names, what is set once; and that a refusal changes nothing.

use serde_json::{Value, json};

use super::Lab;

/// A cluster with an aggregate, the SVM `vs1` with all services, and a volume, a LUN and an igroup in it.
pub(super) fn lab() -> Lab {
    let lab = Lab::factory();
    lab.post("/storage/aggregates", json!({"name": "aggr1", "node": {"name": "lab-01"}, "block_storage.primary.disk_count": 6}));
    lab.post("/svm/svms", json!({"name": "vs1", "iscsi.enabled": true, "fcp.enabled": true, "nvme.enabled": true}));
    lab.post("/storage/volumes", json!({"name": "v1", "svm.name": "vs1", "aggregates": [{"name": "aggr1"}], "size": "50GB", "guarantee.type": "none"}));
    lab.post("/storage/luns", json!({"svm.name": "vs1", "name": "/vol/v1/l1", "os_type": "linux", "space.size": "1GB"}));
    lab.post("/protocols/san/igroups", json!({"svm.name": "vs1", "name": "ig1", "os_type": "linux", "protocol": "iscsi"}));
    lab
}

/// The path of the object of a name.
pub(super) fn path(lab: &Lab, collection: &str, name: &str) -> String {
    let found = lab.get(&format!("{collection}?name={}", name.replace('/', "%2F")));
    format!("{collection}/{}", found["records"][0]["uuid"].as_str().expect("an identifier"))
}

/// An object with some fields more.
pub(super) fn with(base: &Value, more: Value) -> Value {
    let mut all = base.clone();
    all.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    all
}

#[test]
fn sizes_and_percents_have_ranges() {
    let lab = lab();
    let volume = json!({"name": "v", "svm.name": "vs1", "aggregates": [{"name": "aggr1"}], "size": "1GB"});
    let lun = json!({"name": "/vol/v1/x", "svm.name": "vs1", "os_type": "linux", "space.size": "1GB"});
    let (own, unit) = (path(&lab, "/storage/volumes", "v1"), path(&lab, "/storage/luns", "/vol/v1/l1"));
    for size in [json!(-1), json!("-1"), json!(0), json!(i64::MIN), json!("19MB")] {
        lab.refuses("POST", "/storage/volumes", &with(&volume, json!({"size": size})), (400, "917534", "size"));
        lab.refuses("PATCH", &own, &json!({"size": size}), (400, "917534", "size"));
        lab.refuses("PATCH", &own, &json!({"space": {"size": size}}), (400, "917534", "space.size"));
    }
    for size in [json!(u64::MAX), json!("400TB")] {
        lab.refuses("POST", "/storage/volumes", &with(&volume, json!({"size": size})), (400, "262185", "size"));
    }
    for (collection, small, large) in [("/storage/luns", "5374124", "5374125"), ("/storage/namespaces", "72089723", "72089724")] {
        for (size, code) in [(json!(-4096), small), (json!("-1"), small), (json!(1024), small), (json!("200TB"), large), (json!(u64::MAX), large)] {
            lab.refuses("POST", collection, &with(&lun, json!({"space.size": size})), (400, code, "space.size"));
        }
    }
    lab.refuses("PATCH", &unit, &json!({"space.size": -1}), (400, "5374124", "space.size"));
    lab.refuses("POST", "/storage/luns", &with(&lun, json!({"space.size": 1.5})), (400, "262185", "space.size"));
    for field in ["space.snapshot.reserve_percent", "space.nearly_full_threshold_percent", "autosize.grow_threshold"] {
        for percent in [json!(-1), json!(101), json!("150")] {
            lab.refuses("PATCH", &own, &json!({field: percent}), (400, "262185", field));
        }
    }
    lab.refuses("PATCH", &path(&lab, "/svm/svms", "vs1"), &json!({"storage.limit_threshold_alert": 101}), (400, "262185", "storage.limit_threshold_alert"));
    lab.refuses("PATCH", &path(&lab, "/svm/svms", "vs1"), &json!({"storage.limit": -1}), (400, "262185", "storage.limit"));
    lab.refuses(
        "POST",
        "/storage/aggregates",
        &json!({"name": "a", "node.name": "lab-01", "block_storage.primary.disk_count": -3}),
        (400, "262185", "block_storage.primary.disk_count"),
    );
    lab.patch(&own, json!({"space.snapshot.reserve_percent": "10"}));
}

#[test]
fn words_of_enumerations_are_known() {
    let lab = lab();
    let volume = json!({"name": "v", "svm.name": "vs1", "aggregates": [{"name": "aggr1"}], "size": "1GB"});
    for field in ["guarantee.type", "tiering.policy", "autosize.mode", "language", "state", "space.snapshot.autodelete.trigger"] {
        lab.refuses("POST", "/storage/volumes", &with(&volume, json!({field: "nonsense"})), (400, "262197", field));
    }
    let lif = json!({"name": "x", "svm.name": "vs1", "ip": {"address": "10.0.0.9", "netmask": 24}, "location.home_node.name": "lab-01"});
    lab.refuses("POST", "/network/ip/interfaces", &with(&lif, json!({"location.failover": "sideways"})), (400, "262197", "location.failover"));
    let namespace = json!({"name": "/vol/v1/n", "svm.name": "vs1", "os_type": "linux", "space": {"size": "1GB", "block_size": 777}});
    lab.refuses("POST", "/storage/namespaces", &namespace, (400, "262197", "space.block_size"));
    lab.refuses(
        "POST",
        "/storage/namespaces",
        &json!({"name": "/vol/v1/n", "svm.name": "vs1", "os_type": "solaris", "space.size": 4096}),
        (400, "262197", "os_type"),
    );
    lab.refuses("POST", "/protocols/san/igroups", &json!({"name": "x", "svm.name": "vs1", "os_type": "linux", "protocol": 5}), (400, "262197", "protocol"));
}

#[test]
fn names_have_forms_and_lengths() {
    let lab = lab();
    let long = "n".repeat(300);
    let aggregate = json!({"node.name": "lab-01", "block_storage.primary.disk_count": 5});
    let volume = json!({"svm.name": "vs1", "aggregates": [{"name": "aggr1"}], "size": "1GB"});
    let igroup = json!({"svm.name": "vs1", "os_type": "linux"});
    let lif = json!({"svm.name": "vs1", "ip": {"address": "10.0.0.9", "netmask": 24}, "location.home_node.name": "lab-01"});
    let svm = json!({});
    for (collection, base, wrong, code) in [
        ("/storage/aggregates", &aggregate, &["1a", "a b", "a-b", &long][..], "262185"),
        ("/storage/volumes", &volume, &["1v", "v-1", "v 1", "v/1", &long], "262185"),
        ("/protocols/san/igroups", &igroup, &["a b", "a/b", &long[..97]], "262185"),
        ("/protocols/nvme/subsystems", &igroup, &["a b", &long[..65]], "262185"),
        ("/protocols/san/portsets", &json!({"svm.name": "vs1"}), &["a b", &long[..97]], "262185"),
        ("/network/ip/interfaces", &lif, &["a b", "a/b", &long], "262185"),
        ("/storage/qos/policies", &json!({"svm.name": "vs1", "fixed.max_throughput_iops": 100}), &["a b", &long], "262185"),
        ("/storage/qtrees", &json!({"svm.name": "vs1", "volume.name": "v1"}), &["a/b", &long[..65]], "262185"),
        ("/svm/svms", &svm, &["1svm", "a b", &long[..48]], "13434911"),
    ] {
        for name in wrong {
            lab.refuses("POST", collection, &with(base, json!({"name": name})), (400, code, "name"));
        }
    }
    let volume = path(&lab, "/storage/volumes", "v1");
    lab.refuses("PATCH", &volume, &json!({"name": "v-2"}), (400, "262185", "name"));
    for name in ["a/b", "a b", &long] {
        lab.refuses("POST", &format!("{volume}/snapshots"), &json!({"name": name}), (400, "1638518", "name"));
    }
    lab.refuses(
        "POST",
        "/storage/luns",
        &json!({"svm.name": "vs1", "name": "/vol/v1/l", "os_type": "linux", "space.size": "1GB", "comment": &long[..255]}),
        (400, "262185", "comment"),
    );
    lab.refuses(
        "POST",
        "/security/accounts",
        &json!({"name": "ab", "password": "netapp1!netapp", "applications": ["http"], "role": "admin"}),
        (400, "262185", "name"),
    );
}

#[test]
fn what_is_set_once_is_not_changed_and_identifiers_come_from_the_array() {
    let lab = lab();
    let igroup = path(&lab, "/protocols/san/igroups", "ig1");
    for (field, value) in [("protocol", json!("fcp")), ("svm", json!({"name": "vs1"})), ("initiators", json!([{"name": "iqn.1994-05.com.example:h1"}]))] {
        lab.refuses("PATCH", &igroup, &json!({field: value}), (400, "262203", field));
    }
    lab.post("/protocols/san/portsets", json!({"svm.name": "vs1", "name": "ps1", "protocol": "iscsi"}));
    lab.refuses("PATCH", &path(&lab, "/protocols/san/portsets", "ps1"), &json!({"protocol": "fcp"}), (400, "262203", "protocol"));
    lab.post("/network/fc/interfaces", json!({"name": "f1", "svm.name": "vs1", "data_protocol": "fcp", "location.home_node.name": "lab-01"}));
    lab.refuses("PATCH", &path(&lab, "/network/fc/interfaces", "f1"), &json!({"data_protocol": "fc_nvme"}), (400, "262203", "data_protocol"));
    let service = format!("/protocols/san/iscsi/services/{}", lab.get("/svm/svms?name=vs1")["records"][0]["uuid"].as_str().expect("an identifier"));
    lab.refuses("PATCH", &service, &json!({"target": {"name": "iqn.1992-08.com.netapp:sn.0:vs.1"}}), (400, "262203", "target.name"));
    lab.refuses("PATCH", &path(&lab, "/svm/svms", "vs1"), &json!({"ip_interfaces": [{"name": "x"}]}), (400, "262203", "ip_interfaces"));
    lab.post("/protocols/nvme/subsystems", json!({"svm.name": "vs1", "name": "s1", "os_type": "linux"}));
    let subsystem = path(&lab, "/protocols/nvme/subsystems", "s1");
    for (field, value) in [("name", json!("s2")), ("os_type", json!("vmware")), ("hosts", json!([{"nqn": "nqn.2014-08.org.nvmexpress:uuid:1"}]))] {
        lab.refuses("PATCH", &subsystem, &json!({field: value}), (400, "262203", field));
    }
    let uuid = "00000000-0000-4000-8000-000000000000";
    lab.refuses("POST", "/protocols/san/igroups", &json!({"uuid": uuid, "name": "x", "svm.name": "vs1", "os_type": "linux"}), (400, "262196", "uuid"));
    lab.refuses(
        "POST",
        "/protocols/san/iscsi/services",
        &json!({"svm.name": "vs1", "target.name": "iqn.1992-08.com.netapp:sn.0:vs.1"}),
        (400, "262196", "target.name"),
    );
    lab.refuses(
        "POST",
        "/storage/volumes",
        &json!({"name": "v", "svm.name": "vs1", "aggregates": "aggr1", "movement.state": "paused"}),
        (400, "262196", "movement.state"),
    );
}

#[test]
fn a_portset_holds_its_interfaces() {
    let lab = lab();
    let lif =
        json!({"name": "i1", "svm.name": "vs1", "ip": {"address": "10.0.0.1", "netmask": 24}, "location.home_port": {"name": "e0c", "node.name": "lab-01"}});
    lab.post("/network/ip/interfaces", lif);
    lab.post("/protocols/san/portsets", json!({"svm.name": "vs1", "name": "ps1", "protocol": "iscsi", "interfaces": [{"ip": {"name": "i1"}}]}));
    let own = path(&lab, "/network/ip/interfaces", "i1");
    lab.refuses("PATCH", &own, &json!({"service_policy.name": "default-data-nvme-tcp"}), (409, "8", "service_policy.name"));
    lab.refuses("PATCH", &own, &json!({"location.home_port": {"name": "e0c", "node.name": "lab-02"}}), (409, "8", "location.home_port"));
    lab.refuses("PATCH", &own, &json!({"location.home_node.name": "lab-02"}), (409, "8", "location.home_port"));
    lab.refuses("PATCH", &own, &json!({"location.node.name": "lab-02"}), (409, "8", "location.port"));
    lab.refuses("DELETE", &own, &json!({}), (409, "8", ""));
    lab.is_sound();
    lab.patch(&own, json!({"enabled": false, "location.home_port": {"name": "e0d", "node.name": "lab-01"}}));
    lab.delete(&format!("{}/interfaces/{}", path(&lab, "/protocols/san/portsets", "ps1"), own.rsplit('/').next().expect("an identifier")));
    lab.patch(&own, json!({"location.home_node.name": "lab-02"}));
    lab.patch(&own, json!({"service_policy.name": "default-data-nvme-tcp"}));
}

#[test]
fn what_lies_in_all_objects_above_is_found_with_a_star() {
    let lab = lab();
    lab.post("/storage/volumes", json!({"name": "v2", "svm.name": "vs1", "aggregates": [{"name": "aggr1"}], "size": "1GB", "guarantee.type": "none"}));
    for name in ["v1", "v2"] {
        lab.post(&format!("{}/snapshots", path(&lab, "/storage/volumes", name)), json!({"name": "s", "comment": name}));
    }
    let all = lab.get("/storage/volumes/*/snapshots?name=s&fields=comment&order_by=volume.name");
    assert_eq!((&all["num_records"], &all["records"][1]["comment"], &all["records"][1]["volume"]["name"]), (&json!(2), &json!("v2"), &json!("v2")));
    let link = all["records"][1]["_links"]["self"]["href"].as_str().expect("a link");
    assert_eq!(lab.get(link.trim_start_matches("/api"))["comment"], json!("v2"), "the link leads to the snapshot");
    assert_eq!(lab.get("/storage/volumes/*/snapshots?volume.name=v1")["num_records"], json!(1));
    let (status, changed) = lab.ask("PATCH", "/storage/volumes/*/snapshots?name=s", &json!({"comment": "both"}));
    assert_eq!((status, &changed["num_records"]), (200, &json!(2)));
    assert_eq!(lab.get("/storage/volumes/*/snapshots?comment=both")["num_records"], json!(2));
    lab.post("/storage/volumes/*/snapshots", json!({"name": "t", "volume.name": "v2", "svm.name": "vs1"}));
    let (status, gone) = lab.ask("DELETE", "/storage/volumes/*/snapshots?name=s", &json!({}));
    assert_eq!((status, &gone["num_records"]), (200, &json!(2)));
    assert_eq!(lab.get("/storage/volumes/*/snapshots?fields=name")["records"][0]["name"], json!("t"));
    lab.refuses("DELETE", "/storage/volumes/*/snapshots", &json!({}), (400, "262212", ""));
    lab.post("/protocols/san/igroups", json!({"svm.name": "vs1", "name": "ig2", "os_type": "linux", "initiators": [{"name": "iqn.1994-05.com.example:h1"}]}));
    assert_eq!(lab.get("/protocols/san/igroups/*/initiators?igroup.name=ig2")["num_records"], json!(1));
    assert_eq!(lab.get("/protocols/nvme/subsystems/*/hosts")["num_records"], json!(0));
    assert_eq!(lab.get("/protocols/san/portsets/*/interfaces")["num_records"], json!(0));
}
