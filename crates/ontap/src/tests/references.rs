//! What bodies refer to, and what does not go together with it.

use serde_json::{Value, json};

use super::checks::{lab, path, with};

const H1: &str = "iqn.1994-05.com.example:h1";
const WWPN: &str = "10:00:00:90:fa:11:22:33";

fn lif(name: &str, address: &str) -> Value {
    json!({"name": name, "svm.name": "vs1", "ip": {"address": address, "netmask": 24}, "location.home_port": {"name": "e0c", "node.name": "lab-01"}})
}

#[test]
fn an_interface_has_a_place_an_address_and_references_that_are_there() {
    let lab = lab();
    let all = "/network/ip/interfaces";
    let nowhere = json!({"name": "x", "svm.name": "vs1", "ip": {"address": "10.0.0.9", "netmask": 24}});
    lab.refuses("POST", all, &nowhere, (400, "1967111", "location"));
    lab.refuses("POST", all, &with(&nowhere, json!({"location.failover": "default"})), (400, "1967111", "location"));
    lab.post(all, lif("i1", "10.0.0.1"));
    for (more, status, code, target) in [
        (json!({"ipspace.name": "none"}), 400, "1967082", "ipspace.name"),
        (json!({"location.broadcast_domain.name": "none"}), 400, "1967082", "location.broadcast_domain.name"),
        (json!({"subnet.name": "none"}), 400, "1967106", "subnet.name"),
        (json!({"service_policy.name": "none"}), 400, "1966373", "service_policy.name"),
        (json!({"location.auto_revert": true}), 400, "262185", "location.auto_revert"),
        (json!({"location.is_home": true}), 400, "262196", "location.is_home"),
        (json!({"ip": {"address": "10.0.0", "netmask": 24}}), 400, "1376663", "ip.address"),
        (json!({"ip": {"address": "224.0.0.1", "netmask": 24}}), 400, "1376663", "ip.address"),
        (json!({"ip": {"address": "0.0.0.0", "netmask": 24}}), 400, "1376663", "ip.address"),
        (json!({"ip": {"address": "127.0.0.1", "netmask": 24}}), 400, "1376663", "ip.address"),
        (json!({"ip": {"address": "10.0.0.9", "netmask": 64}}), 400, "1966269", "ip.netmask"),
        (json!({"ip": {"address": "10.0.0.9", "netmask": 0}}), 400, "1966269", "ip.netmask"),
        (json!({"ip": {"address": "2001:db8::1", "netmask": 0}}), 400, "1966267", "ip.netmask"),
        (json!({"ip": {"address": "10.0.0.9", "netmask": "255.0.255.0"}}), 400, "262185", "ip.netmask"),
        (json!({"ip": {"address": "10.0.0.1", "netmask": 24}}), 409, "1376963", "ip.address"),
    ] {
        lab.refuses("POST", all, &with(&lif("x", "10.0.0.9"), more), (status, code, target));
    }
    lab.post(all, lif("i2", "10.0.0.2"));
    let own = path(&lab, all, "i2");
    lab.refuses("PATCH", &own, &json!({"ip.address": "10.0.0.1"}), (409, "1376963", "ip.address"));
    lab.refuses("PATCH", &own, &json!({"ip.netmask": "64"}), (400, "1966269", "ip.netmask"));
    lab.refuses("PATCH", &own, &json!({"subnet.name": "none"}), (400, "1967106", "subnet.name"));
    lab.refuses("PATCH", &own, &json!({"location.auto_revert": "true"}), (400, "262185", "location.auto_revert"));
    lab.post(all, json!({"name": "six", "svm.name": "vs1", "ip": {"address": "2001:db8::5", "netmask": 64}, "location.home_node.name": "lab-02"}));
    for name in ["cluster_mgmt", "lab-01_mgmt1", "lab-02_mgmt1"] {
        lab.refuses("DELETE", &path(&lab, all, name), &json!({}), (409, "1966465", ""));
    }
    lab.delete(&own);
}

#[test]
fn an_svm_is_made_with_its_interfaces_or_not_at_all() {
    let lab = lab();
    let place = json!({"home_node": {"name": "lab-01"}, "broadcast_domain": {"name": "Default"}});
    let wanted = |address: &str| {
        json!({
            "name": "vs2", "iscsi.enabled": true, "fcp.enabled": true,
            "ip_interfaces": [
                {"name": "a", "ip": {"address": "10.1.0.1", "netmask": "24"}, "location": place, "service_policy": "default-data-blocks"},
                {"name": "b", "ip": {"address": address, "netmask": "24"}, "location": place},
            ],
            "fc_interfaces": [{"name": "f", "data_protocol": "fcp", "location": {"port": {"name": "0a", "node": {"name": "lab-02"}}}}],
        })
    };
    lab.refuses("POST", "/svm/svms", &wanted("10.1.0.1"), (409, "1376963", "ip_interfaces.ip.address"));
    lab.refuses("POST", "/svm/svms", &wanted("10.1.0"), (400, "1376663", "ip_interfaces.ip.address"));
    lab.post("/svm/svms", wanted("10.1.0.2"));
    let shown = lab.get(&format!("{}?fields=ip_interfaces,fc_interfaces", path(&lab, "/svm/svms", "vs2")));
    assert_eq!((&shown["ip_interfaces"][1]["name"], &shown["fc_interfaces"][0]["name"]), (&json!("b"), &json!("f")));
    assert_eq!(lab.get("/network/ip/interfaces?svm.name=vs2&services=data_iscsi")["num_records"], json!(2));
    let (status, answer) = lab.ask(
        "POST",
        "/svm/svms",
        &json!({"name": "vs3", "ip_interfaces": [{"name": "c", "ip": {"address": "10.1.0.3", "netmask": "24"}, "location": place}]}),
    );
    assert_eq!(status, 202, "{answer}");
    let job = lab.get(&format!("/cluster/jobs/{}", answer["job"]["uuid"].as_str().expect("a job")));
    assert_eq!(job["state"], json!("success"));
    lab.is_sound();
}

#[test]
fn a_lun_is_made_with_its_maps_or_not_at_all() {
    let lab = lab();
    let lun = |maps: Value| json!({"svm.name": "vs1", "name": "/vol/v1/l2", "os_type": "linux", "space.size": "1GB", "lun_maps": maps});
    lab.refuses("POST", "/storage/luns", &lun(json!([{"igroup.name": "none"}])), (400, "5374878", "lun_maps.igroup.name"));
    lab.refuses("POST", "/storage/luns", &lun(json!([{"logical_unit_number": 1}])), (400, "5374902", "lun_maps.igroup"));
    lab.refuses("POST", "/storage/luns", &lun(json!([{"igroup.name": "ig1", "logical_unit_number": 4096}])), (400, "262185", "lun_maps.logical_unit_number"));
    lab.post("/storage/luns", lun(json!([{"igroup": {"name": "ig1"}, "logical_unit_number": 5}])));
    assert_eq!(lab.get("/protocols/san/lun-maps?lun.name=/vol/v1/l2&fields=logical_unit_number")["records"][0]["logical_unit_number"], json!(5));
    lab.refuses("PATCH", &path(&lab, "/storage/luns", "/vol/v1/l2"), &json!({"lun_maps": [{"igroup.name": "ig1"}]}), (400, "262203", "lun_maps"));
}

#[test]
fn initiators_and_igroups_go_together_by_their_own_numbers() {
    let lab = lab();
    let all = "/protocols/san/igroups";
    let own = path(&lab, all, "ig1");
    let inside = format!("{own}/initiators");
    for (name, code) in [("iqn.", "5373969"), ("iqn.x.com", "5373977"), ("eui.1", "5373971"), ("10:00", "5373982"), ("nobody", "5374040"), (WWPN, "5374039")] {
        lab.refuses("POST", &inside, &json!({"name": name}), (400, code, "name"));
    }
    let igroup = |name: &str, more: Value| with(&json!({"name": name, "svm.name": "vs1", "os_type": "linux"}), more);
    lab.refuses("POST", all, &igroup("x", json!({"protocol": "fcp", "initiators": [{"name": H1}]})), (400, "5374038", "initiators.name"));
    lab.post(&inside, json!({"name": H1}));
    lab.refuses("POST", all, &igroup("w", json!({"os_type": "windows", "initiators": [{"name": H1}]})), (409, "5374732", "os_type"));
    lab.post(all, igroup("w", json!({"os_type": "windows"})));
    let windows = path(&lab, all, "w");
    lab.refuses("POST", &format!("{windows}/initiators"), &json!({"name": H1}), (409, "5374734", "os_type"));
    lab.post(all, igroup("ig2", json!({"initiators": [{"name": H1}]})));
    lab.refuses("PATCH", &path(&lab, all, "ig2"), &json!({"os_type": "aix"}), (409, "5374733", "os_type"));
    lab.post("/protocols/san/lun-maps", json!({"svm.name": "vs1", "lun.name": "/vol/v1/l1", "igroup.name": "ig1"}));
    lab.refuses("POST", "/protocols/san/lun-maps", &json!({"svm.name": "vs1", "lun.name": "/vol/v1/l1", "igroup.name": "ig2"}), (409, "1254193", ""));
    lab.post(all, igroup("outer", json!({"igroups": [{"name": "ig2"}]})));
    lab.refuses("POST", "/protocols/san/lun-maps", &json!({"svm.name": "vs1", "lun.name": "/vol/v1/l1", "igroup.name": "outer"}), (409, "1254193", ""));
    lab.post(all, igroup("ig3", json!({})));
    lab.post("/storage/luns", json!({"svm.name": "vs1", "name": "/vol/v1/l2", "os_type": "linux", "space.size": "1GB"}));
    lab.post("/protocols/san/lun-maps", json!({"svm.name": "vs1", "lun.name": "/vol/v1/l1", "igroup.name": "ig3"}));
    let third = format!("{}/initiators", path(&lab, all, "ig3"));
    lab.refuses("POST", &third, &json!({"name": H1}), (409, "1254193", ""));
    lab.post(all, igroup("ig4", json!({})));
    lab.post("/protocols/san/lun-maps", json!({"svm.name": "vs1", "lun.name": "/vol/v1/l2", "igroup.name": "ig4", "logical_unit_number": 0}));
    lab.refuses("POST", &format!("{}/initiators", path(&lab, all, "ig4")), &json!({"name": H1}), (409, "1254324", "name"));
}

#[test]
fn portsets_take_what_fits_and_are_bound_when_they_have_something() {
    let lab = lab();
    lab.post("/network/ip/interfaces", lif("i1", "10.0.0.1"));
    lab.post("/network/fc/interfaces", json!({"name": "f1", "svm.name": "vs1", "data_protocol": "fcp", "location.home_node.name": "lab-01"}));
    let all = "/protocols/san/portsets";
    lab.post(all, json!({"svm.name": "vs1", "name": "empty", "protocol": "iscsi"}));
    lab.post(all, json!({"svm.name": "vs1", "name": "fc", "protocol": "fcp", "interfaces": [{"fc.name": "f1"}]}));
    let own = path(&lab, all, "empty");
    lab.refuses("POST", &format!("{own}/interfaces"), &json!({"fc": {"name": "f1"}}), (400, "5374914", "interfaces"));
    lab.refuses("POST", all, &json!({"svm.name": "vs1", "name": "x", "protocol": "fcp", "interfaces": [{"ip.name": "i1"}]}), (400, "5374914", "interfaces"));
    let igroup = path(&lab, "/protocols/san/igroups", "ig1");
    lab.refuses("PATCH", &igroup, &json!({"portset.name": "empty"}), (409, "5374027", "portset"));
    lab.refuses("PATCH", &igroup, &json!({"portset.name": "fc"}), (400, "5374028", "portset"));
    lab.refuses("PATCH", &igroup, &json!({"portset.name": "none"}), (400, "5374911", "portset.name"));
}

#[test]
fn one_initiator_has_one_credential() {
    let lab = lab();
    let all = "/protocols/san/iscsi/credentials";
    let body = json!({"svm.name": "vs1", "initiator": H1, "authentication_type": "chap", "chap.inbound": {"user": "u", "password": "a-long-secret-2"}});
    lab.post(all, body.clone());
    lab.refuses("POST", all, &body, (409, "1", "initiator"));
    let other = |more: Value| with(&json!({"svm.name": "vs1", "initiator": "iqn.1994-05.com.example:h2", "authentication_type": "chap"}), more);
    lab.refuses("POST", all, &other(json!({"chap.inbound": {"user": "x".repeat(129), "password": "p"}})), (400, "262185", "chap.inbound.user"));
    lab.refuses("POST", all, &other(json!({"chap.inbound": {"user": "u", "password": "p".repeat(513)}})), (400, "262185", "chap.inbound.password"));
    lab.refuses("POST", all, &with(&body, json!({"initiator": WWPN})), (400, "5374039", "initiator"));
}

#[test]
fn hosts_and_units_have_names_of_their_form() {
    let lab = lab();
    let subsystem = lab.post("/protocols/nvme/subsystems", json!({"svm.name": "vs1", "name": "s1", "os_type": "linux"}));
    let hosts = format!("/protocols/nvme/subsystems/{}/hosts", subsystem["uuid"].as_str().expect("an identifier"));
    for (nqn, code) in [("iqn.x".to_owned(), "72089771"), ("nqn.2014".to_owned(), "72089773"), (format!("nqn.2014-08.org.x:{}", "y".repeat(220)), "72089772")] {
        lab.refuses("POST", &hosts, &json!({"nqn": nqn}), (400, code, "nqn"));
    }
    for leaf in ["a b".to_owned(), "ä".to_owned(), "x".repeat(256)] {
        let body = json!({"svm.name": "vs1", "name": format!("/vol/v1/{leaf}"), "os_type": "linux", "space.size": "1GB"});
        lab.refuses("POST", "/storage/luns", &body, (400, "5374352", "name"));
        lab.refuses("POST", "/storage/namespaces", &body, (400, "5374352", "name"));
    }
}

#[test]
fn a_volume_with_mapped_luns_stays() {
    let lab = lab();
    lab.post("/protocols/san/lun-maps", json!({"svm.name": "vs1", "lun.name": "/vol/v1/l1", "igroup.name": "ig1"}));
    let own = path(&lab, "/storage/volumes", "v1");
    lab.refuses("DELETE", &own, &json!({}), (409, "8", ""));
    lab.delete(&format!("{}?allow_delete_while_mapped=true", path(&lab, "/storage/luns", "/vol/v1/l1")));
    lab.delete(&own);
}

#[test]
fn an_svm_keeps_to_its_aggregates_and_its_number_of_volumes() {
    let lab = lab();
    lab.post("/storage/aggregates", json!({"name": "aggr2", "node": {"name": "lab-02"}, "block_storage.primary.disk_count": 6}));
    lab.patch(&path(&lab, "/svm/svms", "vs1"), json!({"aggregates": [{"name": "aggr1"}], "max_volumes": "3"}));
    let volume = |name: &str, aggregate: &str| json!({"name": name, "svm.name": "vs1", "aggregates": [{"name": aggregate}], "size": "1GB"});
    lab.refuses("POST", "/storage/volumes", &volume("v2", "aggr2"), (400, "917508", "aggregates"));
    lab.post("/storage/volumes", volume("v2", "aggr1"));
    lab.refuses("POST", "/storage/volumes", &volume("v3", "aggr1"), (409, "7", "svm"));
    for wrong in ["many", "-1", "0"] {
        lab.refuses("PATCH", &path(&lab, "/svm/svms", "vs1"), &json!({"max_volumes": wrong}), (400, "262185", "max_volumes"));
    }
    lab.patch(&path(&lab, "/svm/svms", "vs1"), json!({"max_volumes": "unlimited"}));
    lab.post("/storage/volumes", volume("v3", "aggr1"));
}
