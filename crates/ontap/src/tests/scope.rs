//! What a call in an SVM finds and changes: by the headers of an account of the cluster, or as an account of the SVM.

use serde_json::{Value, json};

use super::Lab;

/// A cluster with the same volume, LUN and igroup in two SVMs, and an account of the first.
fn lab() -> Lab {
    let lab = super::volume::lab();
    lab.does(json!({"tenant.create": {"name": "vs2"}}));
    for svm in ["vs1", "vs2"] {
        lab.post("/storage/volumes", json!({"name": "v", "svm.name": svm, "aggregates": [{"name": "data1"}], "size": "1GB"}));
        let lun = json!({"name": "/vol/v/l", "svm.name": svm, "os_type": "linux", "space": {"size": "20MB", "guarantee.requested": false}});
        lab.post("/storage/luns", lun);
        lab.post("/protocols/san/igroups", json!({"name": "g", "svm.name": svm, "os_type": "linux"}));
    }
    let applications = json!([{"application": "http", "authentication_methods": ["password"]}]);
    lab.post("/security/accounts", json!({"name": "vsadmin", "owner.name": "vs1", "role": "vsadmin", "password": "netapp-1234", "applications": applications}));
    lab
}

fn as_vsadmin(mut lab: Lab) -> Lab {
    lab.headers = vec![("authorization", "Basic dnNhZG1pbjpuZXRhcHAtMTIzNA==".to_owned())];
    lab
}

fn into(mut lab: Lab, svm: &str) -> Lab {
    lab.headers.push(("x-dot-svm-name", svm.to_owned()));
    lab
}

fn uuid(lab: &Lab, path: &str, svm: &str) -> String {
    lab.get(&format!("{path}?svm.name={svm}&is_svm_root=!true&ignore_unknown_fields=true"))["records"][0]["uuid"].as_str().expect("an identifier").to_owned()
}

/// Paths of one object each, of an SVM.
fn objects(lab: &Lab, svm: &str) -> Vec<(String, &'static str)> {
    [("/storage/volumes", "4"), ("/storage/luns", "5374875"), ("/protocols/san/igroups", "5374852")]
        .map(|(path, absent)| (format!("{path}/{}", uuid(lab, path, svm)), absent))
        .to_vec()
}

#[test]
fn objects_of_another_svm_are_not_there() {
    for enter in [|lab| into(lab, "vs1"), as_vsadmin] {
        let lab = lab();
        let (own, foreign) = (objects(&lab, "vs1"), objects(&lab, "vs2"));
        let mut lab = enter(lab);
        for (path, absent) in &foreign {
            for method in ["GET", "PATCH", "DELETE"] {
                assert_eq!(lab.refused(method, path, &json!({})), (404, (*absent).into(), String::new()), "{method} {path}");
            }
        }
        let (volume, lun, group) = (&foreign[0].0, &foreign[1].0, &foreign[2].0);
        assert_eq!(lab.refused("GET", &format!("{volume}/snapshots"), &Value::Null).1, "4");
        assert_eq!(lab.refused("POST", &format!("{volume}/snapshots"), &json!({"name": "s"})).1, "4");
        assert_eq!(lab.refused("POST", &format!("{lun}/attributes"), &json!({"name": "a", "value": "b"})).1, "5374875");
        assert_eq!(lab.refused("POST", &format!("{group}/initiators"), &json!({"name": "iqn.1994-05.com.example:a"})).1, "5374852");
        let id = |path: &str| path.rsplit('/').next().expect("a key").to_owned();
        let map = json!({"lun.uuid": id(lun), "igroup.name": "g"});
        assert_eq!(lab.refused("POST", "/protocols/san/lun-maps", &map).1, "5374875");
        let map = json!({"lun.name": "/vol/v/l", "igroup.uuid": id(group)});
        assert_eq!(lab.refused("POST", "/protocols/san/lun-maps", &map).1, "5374878");
        let clone = json!({"name": "c", "clone": {"is_flexclone": true, "parent_volume.uuid": id(volume)}});
        assert!(lab.refused("POST", "/storage/volumes?return_timeout=15", &clone).0 < 500);
        assert_eq!(lab.refused("DELETE", "/storage/luns", &json!({"records": [{"uuid": id(lun)}]})).1, "5374875");
        for (path, _) in &own {
            assert_eq!(lab.get(path)["svm"]["name"], json!("vs1"), "{path}");
        }
        lab.post(&format!("{}/snapshots", own[0].0), json!({"name": "s"}));
        assert_eq!(lab.get("/storage/luns?name=*")["num_records"], json!(1));
        lab.delete("/storage/luns?name=*");
        lab.headers = Lab::factory().headers;
        assert_eq!(lab.get("/storage/luns")["records"][0]["svm"]["name"], json!("vs2"));
    }
}

#[test]
fn another_svm_than_that_of_the_call_contradicts_it() {
    let lab = into(lab(), "vs1");
    let other = |field: &str| (400, "2621706".to_owned(), field.to_owned());
    let group = json!({"name": "h", "svm.name": "vs2", "os_type": "linux"});
    assert_eq!(lab.refused("POST", "/protocols/san/igroups", &group), other("svm"));
    let own = format!("/protocols/san/igroups/{}", uuid(&lab, "/protocols/san/igroups", "vs1"));
    assert_eq!(lab.refused("PATCH", &own, &json!({"svm.name": "vs2", "name": "h"})), (400, "262203".into(), "svm".into()));
    for method in ["GET", "DELETE"] {
        assert_eq!(lab.refused(method, "/storage/luns?svm.name=vs2", &Value::Null), other("svm.name"));
    }
    let account = json!({"name": "ann", "owner.name": "vs2", "password": "netapp-1234", "applications": [{"application": "http"}]});
    assert_eq!(lab.refused("POST", "/security/accounts", &account), other("owner"));
    let mut lab = into(lab, "vs1");
    let second = lab.array().read(|world| world.array.tenants.iter().map(crate::model::Object::id).nth(1)).expect("two");
    lab.headers.push(("x-dot-svm-uuid", second.to_string()));
    assert_eq!(lab.refused("GET", "/storage/luns", &Value::Null), other("svm"));
}

#[test]
fn an_account_of_an_svm_does_not_see_the_cluster() {
    let lab = as_vsadmin(lab());
    let cluster = lab.get("/cluster?fields=**");
    assert!(cluster["version"]["generation"].is_u64() && cluster.get("name").is_none() && cluster.get("contact").is_none(), "{cluster}");
    for path in
        ["/cluster/nodes", "/storage/aggregates", "/storage/disks", "/cluster/licensing/licenses", "/support/ems/events", "/security", "/network/ipspaces"]
    {
        assert_eq!(lab.refused("GET", path, &Value::Null), (403, "6".into(), String::new()), "{path}");
    }
    let (_, answer) = lab.ask("GET", "/cluster/nodes", &Value::Null);
    assert_eq!(answer["error"]["message"], json!("not authorized for that command"));
    assert_eq!(lab.refused("PATCH", "/cluster", &json!({"contact": "me"})).0, 403);
    assert_eq!(lab.refused("POST", "/svm/svms", &json!({"name": "vs3"})).0, 403);
    let names = |path: &str| -> Vec<Value> { lab.get(path)["records"].as_array().expect("records").iter().map(|record| record["name"].clone()).collect() };
    assert_eq!(names("/svm/svms"), ["vs1"]);
    assert_eq!(names("/security/accounts"), ["vsadmin"]);
    assert_eq!(lab.get("/network/ip/interfaces")["num_records"], json!(0));
    assert!(names("/storage/snapshot-policies").contains(&json!("default")), "policies of the cluster are for all");
    let default = lab.get("/storage/snapshot-policies?name=default")["records"][0]["uuid"].as_str().expect("an identifier").to_owned();
    assert_eq!(lab.refused("PATCH", &format!("/storage/snapshot-policies/{default}"), &json!({"comment": "mine"})).0, 404);
    lab.post("/protocols/san/igroups", json!({"name": "h", "os_type": "linux"}));
    assert_eq!(lab.get("/protocols/san/igroups?name=h")["records"][0]["svm"]["name"], json!("vs1"));
    let own = lab.get("/svm/svms?name=vs1")["records"][0]["uuid"].as_str().expect("an identifier").to_owned();
    lab.patch(&format!("/security/accounts/{own}/vsadmin"), json!({"password": "netapp-5678"}));
}

#[test]
fn an_account_of_an_svm_sees_the_jobs_of_its_svm() {
    let lab = lab();
    let before = lab.get("/cluster/jobs?return_records=false")["num_records"].as_u64().expect("a number");
    let others = json!({"records": [{"name": "o", "svm.name": "vs2", "aggregates": [{"name": "data1"}], "size": "1GB"}]});
    let (_, answer) = lab.ask("POST", "/storage/volumes", &others);
    let other = answer["job"]["uuid"].as_str().expect("a job").to_owned();
    let lab = as_vsadmin(lab);
    assert!(before > 0);
    for path in [format!("/cluster/jobs/{other}"), format!("/storage/volumes?job_results_uuid={other}")] {
        assert_eq!(lab.refused("GET", &path, &Value::Null).0, 404, "{path}");
    }
    assert_eq!(lab.get("/cluster/jobs")["num_records"], json!(0));
    let (status, answer) = lab.ask("POST", "/storage/volumes", &json!({"name": "w", "aggregates": [{"name": "data1"}], "size": "1GB"}));
    assert_eq!(status, 202, "{answer}");
    let job = lab.get(&format!("/cluster/jobs/{}", answer["job"]["uuid"].as_str().expect("a job")));
    assert_eq!((&job["state"], &job["svm"]["name"]), (&json!("success"), &json!("vs1")));
    let (_, answer) = lab.ask("POST", "/storage/volumes", &json!({"records": [{"name": "x", "aggregates": [{"name": "data1"}], "size": "1GB"}]}));
    let results = answer["job"]["_links"]["results"]["href"].as_str().expect("a link").to_owned();
    assert_eq!(lab.get(results.trim_start_matches("/api"))["records"][0]["name"], json!("x"));
    let mut lab = lab;
    lab.headers.push(("x-dot-svm-name", "vs2".to_owned()));
    assert_eq!(lab.refused("GET", "/storage/luns", &Value::Null).1, "2621462");
}

#[test]
fn commands_stay_in_the_svm() {
    for enter in [|lab| into(lab, "vs1"), as_vsadmin] {
        let lab = enter(lab());
        for command in ["volume", "lun", "snapshot", "vserver", "qos/policy-group", "network/interface"] {
            let page = lab.get(&format!("/private/cli/{command}?fields=vserver"));
            let names = page["records"].as_array().expect("records").iter().map(|row| row["vserver"].as_str().expect("a name").to_owned());
            assert!(names.clone().all(|name| name == "vs1") && (command.contains('/') || command == "snapshot" || names.count() > 0), "{command}: {page}");
        }
        let clone = |svm: &str| json!({"vserver": svm, "volume": "v", "source-path": "l", "destination-path": "copy"});
        assert_eq!(lab.refused("POST", "/private/cli/volume/file/clone", &clone("vs2")), (400, "2621706".into(), "vserver".into()));
        assert_eq!(lab.refused("GET", "/private/cli/lun?vserver=vs2", &Value::Null).1, "2621706");
        assert_eq!(lab.ask("POST", "/private/cli/volume/file/clone", &clone("vs1")).0, 201);
        assert_eq!(lab.get("/storage/luns?name=/vol/v/copy")["records"][0]["svm"]["name"], json!("vs1"));
    }
    let lab = as_vsadmin(lab());
    for command in ["aggr", "node", "disk", "storage/failover", "cluster/date"] {
        assert_eq!(lab.refused("GET", &format!("/private/cli/{command}"), &Value::Null), (403, "6".into(), String::new()), "{command}");
    }
    assert_eq!(lab.refused("PATCH", "/private/cli/storage/disk/option", &json!({"autoassign": false})).0, 403);
    assert_eq!(lab.get("/private/cli/version")["num_records"], json!(1));
}

#[test]
fn calls_in_xml_stay_in_the_svm() {
    let lab = as_vsadmin(lab());
    let call = |name: &str, svm: &str| {
        let body = format!("<netapp xmlns=\"x\" version=\"1.15\" vfiler=\"{svm}\"><{name}/></netapp>");
        lab.send("POST", "/servlets/netapp.servlets.admin.XMLrequest_filer", body.into_bytes()).body
    };
    assert!(call("system-get-version", "vs1").contains("status=\"passed\""));
    assert!(call("system-get-version", "vs2").contains("Specified vserver not found: vs2"));
    assert!(call("system-node-get-iter", "vs1").contains("Unable to find API: system-node-get-iter on data vserver vs1"));
}
