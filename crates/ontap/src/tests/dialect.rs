//! What is the same for all collections.

use serde_json::{Value, json};

use super::Lab;
use crate::resources::COLLECTIONS;

#[test]
fn paths_are_tolerated_as_ontap_tolerates_them() {
    let lab = Lab::factory();
    for path in ["/cluster", "//cluster/", "/cluster/", "/./cluster", "/storage/../cluster"] {
        assert_eq!(lab.get(path)["version"]["generation"], json!(9), "{path}");
    }
    assert_eq!(lab.refused("GET", "/nonsense", &Value::Null), (404, "3".into(), String::new()));
    assert_eq!(lab.refused("PUT", "/cluster", &json!({})), (405, "3".into(), String::new()));
    assert_eq!(lab.refused("GET", "/cluster/nodes/nobody", &Value::Null), (404, "4".into(), String::new()));
}

#[test]
fn another_release_says_so() {
    assert_eq!(Lab::factory().release("9.12.1").get("/cluster")["version"]["minor"], json!(1));
    assert_eq!(Lab::factory().release("9.8P2").get("/cluster")["version"]["major"], json!(8));
}

#[test]
fn a_collection_comes_in_its_envelope_page_by_page() {
    let lab = Lab::factory();
    let nodes = lab.get("/cluster/nodes");
    assert_eq!(nodes["num_records"], json!(2));
    assert_eq!(nodes["_links"]["self"]["href"], json!("/api/cluster/nodes"));
    let first = lab.get("/cluster/nodes?max_records=1&fields=state");
    let next = first["_links"]["next"]["href"].as_str().expect("a next page").to_owned();
    assert!(next.starts_with("/api/cluster/nodes?") && next.contains("fields=state"), "{next}");
    for _ in 0..2 {
        let answer = lab.raw("GET", "/cluster/nodes?max_records=1&fields=state", &Value::Null);
        assert_eq!(answer.header("link"), Some(format!("<{next}>; rel=\"next\"").as_str()));
    }
    let second = lab.get(next.trim_start_matches("/api"));
    assert_eq!((&second["num_records"], second["_links"].get("next")), (&json!(1), None));
    assert_ne!(first["records"][0]["name"], second["records"][0]["name"]);
    assert_eq!(
        lab.get("/cluster/nodes?return_records=false"),
        json!({"num_records": 2, "_links": {"self": {"href": "/api/cluster/nodes?return_records=false"}}})
    );
    assert_eq!(lab.get("/cluster/peers")["records"], json!([]));
}

#[test]
fn what_is_kept_is_alike_at_whatever_time_and_at_every_reading() {
    let lab = Lab::scene("aff-a250");
    let kept = COLLECTIONS.iter().filter(|collection| collection.lasts() && !collection.path().contains('{'));
    let paths: Vec<&str> = kept.map(|collection| collection.path()).collect();
    assert!(paths.contains(&"/storage/luns") && paths.contains(&"/storage/volumes"), "{paths:?}");
    let read =
        |ask: &str| -> Vec<Value> { paths.iter().map(|path| lab.get(&format!("{path}?fields=*,!metric,!statistics&{ask}"))["records"].clone()).collect() };
    let (first, again) = (read("pretty=false"), read("pretty=false"));
    lab.does(json!({"clock.advance": {"by": "3h"}}));
    let later = read("offset=0");
    for (path, ((first, again), later)) in paths.iter().zip(first.iter().zip(&again).zip(&later)) {
        assert_eq!((first, first), (again, later), "{path}");
    }
    let pages = || lab.raw("GET", "/storage/luns?max_records=1", &Value::Null);
    let (first, again) = (pages(), pages());
    assert!(first.header("link").is_some_and(|link| link.ends_with("rel=\"next\"")));
    assert_eq!((first.header("link"), &first.body), (again.header("link"), &again.body));
}

#[test]
fn filters_and_order_work_on_every_field() {
    let lab = Lab::factory();
    let names = |query: &str| -> Vec<String> {
        let nodes = lab.get(&format!("/cluster/nodes?{query}"));
        nodes["records"].as_array().expect("a list").iter().map(|node| node["name"].as_str().expect("a name").to_owned()).collect()
    };
    let all = names("order_by=name");
    assert_eq!(all.len(), 2);
    assert_eq!(names("order_by=name%20desc"), [all[1].clone(), all[0].clone()]);
    assert_eq!(names(&format!("name={}", all[1])), [all[1].clone()]);
    assert_eq!(names(&format!("name=!{}", all[1])), [all[0].clone()]);
    assert_eq!(names("name=*02&state=up").len(), 1);
    assert_eq!(lab.refused("GET", "/cluster/nodes?nonsense=1", &Value::Null), (400, "262179".into(), "nonsense".into()));
}

#[test]
fn aggregates_are_made_grown_and_deleted_from_spares() {
    let lab = Lab::factory();
    let node = lab.get("/cluster/nodes")["records"][0]["name"].as_str().expect("a name").to_owned();
    let body = json!({"name": "aggr1", "node.name": node, "block_storage.primary.disk_count": "5"});
    let (status, answer) = lab.ask("POST", "/storage/aggregates", &body);
    assert_eq!(status, 202, "{answer}");
    let made = lab.get("/storage/aggregates?name=aggr1&fields=*");
    let aggregate = &made["records"][0];
    assert_eq!(aggregate["block_storage"]["primary"]["disk_count"], json!(5));
    let path = format!("/storage/aggregates/{}", aggregate["uuid"].as_str().expect("an identifier"));
    assert_eq!(lab.refused("POST", "/storage/aggregates", &body), (409, "786439".into(), "name".into()));
    lab.patch(&path, json!({"block_storage": {"primary": {"disk_count": 10}}}));
    assert_eq!(lab.get(&path)["block_storage"]["primary"]["disk_count"], json!(10));
    lab.delete(&path);
    assert_eq!(lab.refused("GET", &path, &Value::Null).0, 404);
}

#[test]
fn what_a_query_says_is_read_before_anything_is_done() {
    let lab = super::volume::lab();
    let refused = |method: &str, path: &str| lab.refused(method, path, &json!({}));
    for path in ["/cluster", "/svm/svms", "/storage/volumes"] {
        assert_eq!(refused("GET", &format!("{path}?return_timeout=121")), (400, "262185".into(), "return_timeout".into()), "{path}");
        assert_eq!(refused("GET", &format!("{path}?return_timeout=soon")).1, "262185");
        assert_eq!(refused("GET", &format!("{path}?fields=name{{")), (400, "262286".into(), "fields".into()));
        assert_eq!(refused("GET", &format!("{path}?fields=nonsense&ignore_unknown_fields=false")), (400, "262197".into(), "fields".into()));
        lab.get(&format!("{path}?fields=nonsense&return_timeout=120"));
    }
    assert_eq!(refused("POST", "/cluster/schedules?fields=name}").1, "262286");
    assert_eq!(refused("GET", "/svm/svms?state=sleeping"), (400, "262197".into(), "state".into()));
    assert_eq!(refused("GET", "/storage/volumes?size=huge"), (400, "262185".into(), "size".into()));
    assert_eq!(refused("GET", "/svm/svms?order_by=aggregates").1, "262268");
}

#[test]
fn lists_and_objects_are_there_or_not() {
    let lab = super::volume::lab();
    lab.post("/storage/volumes", json!({"name": "v", "svm.name": "vs1", "aggregates": [{"name": "data1"}], "size": "1GB"}));
    for name in ["a", "b"] {
        let lun = json!({"name": format!("/vol/v/{name}"), "svm.name": "vs1", "os_type": "linux", "space": {"size": "20MB", "guarantee.requested": false}});
        lab.post("/storage/luns", lun);
    }
    lab.post("/protocols/san/igroups", json!({"name": "g", "svm.name": "vs1", "os_type": "linux"}));
    lab.post("/protocols/san/lun-maps", json!({"svm.name": "vs1", "lun.name": "/vol/v/a", "igroup.name": "g"}));
    let names = |query: &str| -> Vec<Value> {
        let luns = lab.get(&format!("/storage/luns?{query}"));
        luns["records"].as_array().expect("records").iter().map(|lun| lun["name"].clone()).collect()
    };
    assert_eq!(names("lun_maps=null"), ["/vol/v/b"]);
    assert_eq!(names("lun_maps=!null"), ["/vol/v/a"]);
    assert_eq!(names("lun_maps.igroup.name=null"), ["/vol/v/b"]);
    assert_eq!(names("svm=!null&svm=vs1").len(), 2);
    assert_eq!(names("order_by=name%20DESC"), ["/vol/v/b", "/vol/v/a"]);
    let shown = lab.get("/storage/luns?fields=*,!name,!svm&max_records=1")["records"][0].clone();
    assert_eq!((&shown["name"], &shown["svm"]["name"]), (&json!("/vol/v/a"), &json!("vs1")));
}

#[test]
fn a_change_that_names_no_field_is_none() {
    let lab = super::volume::lab();
    let svm = lab.get("/svm/svms")["records"][0]["uuid"].as_str().expect("an identifier").to_owned();
    let nothing = (400, "262190".to_owned(), String::new());
    for path in [format!("/svm/svms/{svm}"), "/svm/svms?name=vs1".into(), "/cluster".into(), format!("/svm/svms/{svm}?return_timeout=10")] {
        assert_eq!(lab.refused("PATCH", &path, &Value::Null), nothing, "{path}");
        assert_eq!(lab.refused("PATCH", &path, &json!({"return_timeout": 5})), nothing, "{path}");
    }
    assert_eq!(lab.refused("PATCH", "/svm/svms/none", &json!({})).0, 404);
    let lists = json!({"name": "v", "svm.name": "vs1", "aggregates.name": ["data1"], "size": "1GB"});
    lab.post("/storage/volumes", lists);
    let path = format!("/svm/svms/{svm}");
    lab.patch(&path, json!({"nsswitch.hosts": ["files"], "nsswitch": {"group": ["files"]}}));
    assert_eq!(lab.get(&format!("{path}?fields=nsswitch"))["nsswitch"]["hosts"], json!(["files"]));
}
