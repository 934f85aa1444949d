//! Several objects of one POST: all or nothing.

use serde_json::{Value, json};

use super::Lab;
use super::volume::lab;

fn volume(name: &str) -> Value {
    json!({"name": name, "svm.name": "vs1", "aggregates": [{"name": "data1"}], "size": "1GB"})
}

fn names(page: &Value) -> Vec<&str> {
    page["records"].as_array().expect("records").iter().map(|record| record["name"].as_str().expect("a name")).collect()
}

/// Posts records and gives the job's identifier.
fn job(lab: &Lab, path: &str, records: &Value) -> String {
    let (status, answer) = lab.ask("POST", path, &json!({"records": records}));
    assert_eq!(status, 202, "{answer}");
    answer["job"]["uuid"].as_str().expect("a job").to_owned()
}

#[test]
fn volumes_are_made_together_and_the_job_tells_which() {
    let lab = lab();
    let clone = json!({"name": "c", "svm.name": "vs1", "clone": {"parent_volume.name": "a", "is_flexclone": true}});
    let (status, answer) = lab.ask("POST", "/storage/volumes", &json!({"records": [volume("a"), volume("b"), clone]}));
    assert_eq!(status, 202, "{answer}");
    let results = answer["job"]["_links"]["results"]["href"].as_str().expect("a link").to_owned();
    let uuid = answer["job"]["uuid"].as_str().expect("a job");
    assert_eq!(results, format!("/api/storage/volumes?job_results_uuid={uuid}"));
    assert_eq!(lab.get(&format!("/cluster/jobs/{uuid}"))["state"], json!("success"));
    let page = lab.get(results.trim_start_matches("/api"));
    assert_eq!((names(&page), &page["num_records"], page.get("errors")), (vec!["a", "b", "c"], &json!(3), None));
    let path = format!("/storage/volumes/{}", page["records"][1]["uuid"].as_str().expect("an identifier"));
    lab.delete(&path);
    let left = lab.get(&format!("{}&fields=size", results.trim_start_matches("/api")));
    assert_eq!((names(&left), &left["records"][0]["size"]), (vec!["a", "c"], &json!(1 << 30)));
    assert_eq!(lab.refused("GET", &format!("/storage/aggregates?job_results_uuid={uuid}"), &Value::Null).0, 404, "of another collection");
    assert_eq!(lab.refused("GET", "/storage/volumes?job_results_uuid=x", &Value::Null).0, 404);
    let (status, answer) = lab.ask("POST", "/storage/volumes?return_timeout=15&return_records=true", &json!({"records": [volume("d")]}));
    assert_eq!((status, names(&answer)), (201, vec!["d"]));
}

#[test]
fn one_refused_member_and_nothing_is_made() {
    let lab = lab();
    let uuid = job(&lab, "/storage/volumes", &json!([volume("a"), volume("b"), volume("a")]));
    assert_eq!(lab.get("/storage/volumes?is_svm_root=false")["num_records"], json!(0));
    let failed = lab.get(&format!("/cluster/jobs/{uuid}"));
    assert_eq!((&failed["state"], &failed["code"], &failed["error"]["code"]), (&json!("failure"), &json!(917_526), &json!("917526")));
    let results = lab.get(&format!("/storage/volumes?job_results_uuid={uuid}"));
    assert_eq!((&results["records"], &results["errors"][0]["target"]), (&json!([]), &json!("records[2].name")));
    assert!(results["errors"][0]["message"].as_str().is_some_and(|text| text.starts_with("records[2]: ")), "{results}");
    let waiting = json!({"records": [volume("a"), volume("a")]});
    assert_eq!(lab.refused("POST", "/storage/volumes?return_timeout=15", &waiting), (409, "917526".into(), "records[1].name".into()));
    let wrong = json!({"records": [volume("a"), {"name": "b", "nonsense": 1}]});
    assert_eq!(lab.refused("POST", "/storage/volumes", &wrong), (400, "262179".into(), "records[1].nonsense".into()));
    assert_eq!(lab.get("/storage/volumes?is_svm_root=false")["num_records"], json!(0));
}

#[test]
fn what_answers_at_once_is_all_or_nothing_too() {
    let lab = lab();
    lab.post("/storage/volumes", volume("v"));
    let lun = |name: &str, size: &str| json!({"svm.name": "vs1", "name": format!("/vol/v/{name}"), "os_type": "linux", "space": {"size": size, "guarantee.requested": false}});
    let refused = lab.refused("POST", "/storage/luns", &json!({"records": [lun("a", "1MB"), lun("b", "1MB"), lun("a", "1MB")]}));
    assert_eq!(refused, (409, "5374242".into(), "records[2].name".into()));
    assert_eq!(lab.get("/storage/luns")["num_records"], json!(0));
    let (status, made) = lab.ask("POST", "/storage/luns?return_records=true", &json!({"records": [lun("a", "1MB"), lun("b", "2MB")]}));
    assert_eq!((status, names(&made), made.get("job")), (201, vec!["/vol/v/a", "/vol/v/b"], None));
    let group = lab.post("/protocols/san/igroups", json!({"svm.name": "vs1", "name": "g", "os_type": "linux"}));
    let path = format!("/protocols/san/igroups/{}/initiators", group["uuid"].as_str().expect("an identifier"));
    let initiators =
        |names: &[&str]| json!({"records": names.iter().map(|name| json!({"name": format!("iqn.1994-05.com.example:{name}")})).collect::<Vec<_>>()});
    assert_eq!(lab.refused("POST", &path, &initiators(&["a", "b", "a"])).2, "records[2].name");
    assert_eq!(lab.get(&path)["num_records"], json!(0));
    assert_eq!(lab.ask("POST", &path, &initiators(&["a", "b"])).0, 201);
    assert_eq!(lab.get(&path)["num_records"], json!(2));
    assert!(lab.array().read(|world| crate::engine::problems(world).is_empty()));
}

#[test]
fn a_list_that_is_none_is_refused() {
    let lab = lab();
    for records in [json!([]), json!({}), json!("x"), json!([1]), json!(vec![json!({}); 1001]), Value::Null] {
        assert_eq!(lab.refused("POST", "/storage/volumes", &json!({"records": records})), (400, "262185".into(), "records".into()));
    }
    let both = json!({"records": [volume("a")], "name": "b"});
    assert_eq!(lab.refused("POST", "/storage/volumes", &both), (400, "262186".into(), "name".into()));
}

#[test]
fn an_account_of_the_cluster_may_do_all_that_becomes_a_job() {
    let mut lab = lab();
    lab.post("/security/accounts", json!({"name": "ops", "applications": [{"application": "http", "authentication_methods": ["password"]}], "password": "netapp-1234", "role.name": "admin"}));
    lab.headers = vec![("authorization", "Basic b3BzOm5ldGFwcC0xMjM0".to_owned())];
    let uuid = job(&lab, "/storage/volumes", &json!([volume("a"), volume("b")]));
    assert_eq!(lab.get(&format!("/storage/volumes?job_results_uuid={uuid}"))["num_records"], json!(2));
    let parent = lab.get("/storage/volumes?name=a")["records"][0]["uuid"].as_str().expect("an identifier").to_owned();
    lab.post("/storage/volumes", json!({"name": "c", "svm.name": "vs1", "clone": {"parent_volume.name": "a", "is_flexclone": true}}));
    let busy = lab.get(&format!("/storage/volumes/{parent}/snapshots"))["records"][0]["uuid"].as_str().expect("an identifier").to_owned();
    assert_eq!(lab.ask("DELETE", &format!("/storage/volumes/{parent}/snapshots/{busy}"), &json!({})).0, 202, "the job fails, not the call");
}

/// LUNs `a`, `b` and `c`, of which the second is mapped and cannot be deleted.
fn with_a_mapped_one() -> Lab {
    let lab = lab();
    lab.post("/storage/volumes", volume("v"));
    for name in ["a", "b", "c"] {
        let size = if name == "b" { "40MB" } else { "20MB" };
        let lun = json!({"svm.name": "vs1", "name": format!("/vol/v/{name}"), "os_type": "linux", "space": {"size": size, "guarantee.requested": false}});
        lab.post("/storage/luns", lun);
    }
    lab.post("/protocols/san/igroups", json!({"svm.name": "vs1", "name": "g", "os_type": "linux"}));
    lab.post("/protocols/san/lun-maps", json!({"svm.name": "vs1", "lun.name": "/vol/v/b", "igroup.name": "g"}));
    lab
}

#[test]
fn the_first_failure_ends_a_call_on_many_objects() {
    let lab = with_a_mapped_one();
    let (status, answer) = lab.ask("DELETE", "/storage/luns?name=*&order_by=name", &json!({}));
    assert_eq!((status, &answer["error"]["code"], &answer["num_records"]), (409, &json!("1254197"), &json!(1)), "{answer}");
    assert!(answer["error"]["message"].as_str().is_some_and(|text| text.starts_with("\"/vol/v/b\": ")), "{answer}");
    assert_eq!(answer["errors"], json!([answer["error"]]));
    assert_eq!(names(&lab.get("/storage/luns")), ["/vol/v/b", "/vol/v/c"]);
    let (status, _) = lab.ask("PATCH", "/storage/luns?name=*", &json!({"space.size": "30MB"}));
    assert_eq!((status, &lab.get("/storage/luns?name=*c&fields=space.size")["records"][0]["space"]["size"]), (400, &json!(20 << 20)));
}

#[test]
fn a_call_on_many_objects_goes_on_where_that_is_wished() {
    let lab = with_a_mapped_one();
    let (status, answer) = lab.ask("PATCH", "/storage/luns?name=*&continue_on_failure=true&return_records=true", &json!({"space.size": "30MB"}));
    assert_eq!((status, &answer["num_records"], names(&answer)), (200, &json!(2), vec!["/vol/v/a", "/vol/v/c"]), "{answer}");
    assert_eq!(answer["errors"].as_array().map(Vec::len), Some(1));
    let (status, answer) = lab.ask("DELETE", "/storage/luns?name=*&continue_on_failure=true", &json!({}));
    assert_eq!((status, &answer["num_records"], &answer["errors"][0]["code"]), (200, &json!(2), &json!("1254197")), "{answer}");
    assert_eq!(names(&lab.get("/storage/luns")), ["/vol/v/b"]);
    let (status, answer) = lab.ask("DELETE", "/storage/luns?name=*&continue_on_failure=true", &json!({}));
    assert_eq!((status, &answer["num_records"], &answer["error"]["code"]), (409, &json!(0), &json!("1254197")), "{answer}");
    assert_eq!(lab.refused("DELETE", "/storage/luns?name=*&continue_on_failure=perhaps", &json!({})).1, "262185");
    lab.delete("/protocols/san/lun-maps?igroup.name=g");
    let listed = json!({"records": [{"name": "/vol/v/none"}, {"name": "/vol/v/b"}]});
    assert_eq!(lab.refused("DELETE", "/storage/luns", &listed), (404, "5374875".into(), "records[0]".into()));
    let (status, answer) = lab.ask("DELETE", "/storage/luns?continue_on_failure=true", &listed);
    assert_eq!((status, &answer["num_records"], &answer["errors"][0]["target"]), (200, &json!(1), &json!("records[0]")), "{answer}");
}
