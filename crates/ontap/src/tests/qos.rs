//! QoS policies, and what they limit.

use serde_json::{Value, json};

use super::Lab;
use super::luns::lab;

fn made(lab: &Lab, body: Value) -> String {
    let made = lab.post("/storage/qos/policies", body);
    format!("/storage/qos/policies/{}", made["uuid"].as_str().expect("an identifier"))
}

#[test]
fn a_new_cluster_has_three_adaptive_policies() {
    let lab = Lab::factory();
    let all = lab.get("/storage/qos/policies?fields=*&order_by=name");
    let names: Vec<&Value> = all["records"].as_array().expect("a list").iter().map(|policy| &policy["name"]).collect();
    assert_eq!(names, ["extreme", "performance", "value"]);
    assert_eq!(all["records"][2]["adaptive"]["expected_iops"], json!(128));
    assert_eq!((&all["records"][0]["scope"], &all["records"][0]["policy_class"]), (&json!("cluster"), &json!("preset")));
}

#[test]
fn fixed_limits_are_made_changed_and_deleted() {
    let lab = lab();
    let body = json!({"name": "limit", "svm.name": "vs1", "fixed": {"max_throughput_iops": 5000, "min_throughput_iops": 100, "capacity_shared": false}});
    let (status, answer) = lab.ask("POST", "/storage/qos/policies", &body);
    assert_eq!((status, answer["job"]["uuid"].is_string()), (202, true));
    assert_eq!(lab.refused("POST", "/storage/qos/policies", &body), (409, "8454154".into(), "name".into()));
    let found = lab.get("/storage/qos/policies?name=limit&svm.name=vs1&fields=name,svm,fixed");
    let policy = &found["records"][0];
    assert_eq!(policy["fixed"]["max_throughput_iops"], json!(5000));
    assert_eq!((&policy["fixed"]["min_throughput_iops"], &policy["fixed"]["capacity_shared"]), (&json!(100), &json!(false)));
    let path = format!("/storage/qos/policies/{}", policy["uuid"].as_str().expect("an identifier"));
    lab.patch(&path, json!({"fixed": {"max_throughput_iops": 8000, "max_throughput_mbps": 200}}));
    let fixed = lab.get(&path)["fixed"].clone();
    assert_eq!(
        (&fixed["max_throughput_iops"], &fixed["max_throughput_mbps"], &fixed["max_throughput"]),
        (&json!(8000), &json!(200), &json!("8000IOPS,200MB/s"))
    );
    for (body, code, target) in [
        (json!({"fixed": {"min_throughput_iops": 9000}}), "8454194", "fixed.min_throughput_iops"),
        (json!({"adaptive": {"expected_iops": 1, "peak_iops": 2}}), "8454278", "adaptive"),
        (json!({"fixed": {"max_throughput": "fast"}}), "262185", "fixed.max_throughput"),
    ] {
        assert_eq!(lab.refused("PATCH", &path, &body), (400, code.into(), target.into()), "{body}");
    }
    let both = json!({"name": "x", "svm.name": "vs1", "fixed": {"max_throughput_iops": 1}, "adaptive": {"expected_iops": 1, "peak_iops": 2}});
    assert_eq!(lab.refused("POST", "/storage/qos/policies", &both).1, "8454277");
    lab.patch("/storage/qos/policies?name=limit", json!({"name": "deleted_cinder_limit"}));
    let (status, answer) = lab.ask("DELETE", "/storage/qos/policies?name=deleted_cinder_*", &Value::Null);
    assert_eq!((status, &answer["num_records"]), (200, &json!(1)));
    let (status, answer) = lab.ask("DELETE", "/storage/qos/policies?name=deleted_cinder_*", &Value::Null);
    assert_eq!((status, &answer["num_records"]), (200, &json!(0)));
}

#[test]
fn adaptive_limits_take_cinders_spelling() {
    let lab = lab();
    let adaptive = json!({"expected_iops": 100, "peak_iops": "200", "expected_iops_allocation": "used-space", "peak_iops_allocation": "used-space", "absolute_min_iops": 75, "block_size": "ANY"});
    let path = made(&lab, json!({"name": "scale", "svm.name": "vs1", "adaptive": adaptive}));
    let shown = json!({
        "expected_iops": 100, "peak_iops": 200, "expected_iops_allocation": "used_space", "peak_iops_allocation": "used_space", "absolute_min_iops": 75,
        "block_size": "any",
    });
    assert_eq!(lab.get(&path)["adaptive"], shown);
    lab.patch(&path, json!({"adaptive": {"peak_iops": 400, "block_size": "32k"}}));
    assert_eq!((&lab.get(&path)["adaptive"]["peak_iops"], &lab.get(&path)["adaptive"]["block_size"]), (&json!(400), &json!("32k")));
    let wrong = json!({"name": "y", "svm.name": "vs1", "adaptive": {"expected_iops": 10, "peak_iops": 5}});
    assert_eq!(lab.refused("POST", "/storage/qos/policies", &wrong), (400, "8454273".into(), "adaptive.peak_iops".into()));
    lab.delete(&path);
}

#[test]
fn limits_of_a_volume_are_a_policy_of_its_own() {
    let lab = lab();
    let body = json!({"name": "own", "svm.name": "vs1", "aggregates": [{"name": "aggr1"}], "size": "1GB", "qos.policy.max_throughput_iops": 500, "qos.policy.min_throughput_iops": "100"});
    let path = format!("/storage/volumes/{}", lab.post("/storage/volumes", body)["uuid"].as_str().expect("an identifier"));
    let policies = || lab.get("/storage/qos/policies?name=vs1_auto_gen_policy_*&fields=fixed,object_count");
    let qos = || lab.get(&format!("{path}?fields=qos"))["qos"]["policy"].clone();
    assert_eq!((&qos()["max_throughput_iops"], &qos()["min_throughput_iops"], &qos()["max_throughput"]), (&json!(500), &json!(100), &json!("500IOPS")));
    let all = policies();
    assert_eq!((&all["records"][0]["name"], &all["records"][0]["object_count"]), (&qos()["name"], &json!(1)));
    assert_eq!(all["records"][0]["fixed"]["capacity_shared"], json!(false));

    lab.patch(&path, json!({"qos": {"policy": {"max_throughput_mbps": 200, "min_throughput_iops": 0, "min_throughput_mbps": 10}}}));
    assert_eq!(policies()["num_records"], json!(1), "it is changed, not made again");
    let shown = qos();
    let (iops, megabytes, least) = (&shown["max_throughput_iops"], &shown["max_throughput_mbps"], &shown["min_throughput_mbps"]);
    assert_eq!((iops, megabytes, least, shown.get("min_throughput_iops")), (&json!(500), &json!(200), &json!(10), None));
    let limited = lab.get("/storage/qos/workloads?volume=own&fields=**");
    assert_eq!(limited["records"][0]["max_throughput"], json!("500IOPS,200MB/s"));

    let clone = json!({"name": "copy", "svm.name": "vs1", "clone": {"parent_volume.name": "own", "is_flexclone": true}});
    let clone = format!("/storage/volumes/{}", lab.post("/storage/volumes", clone)["uuid"].as_str().expect("an identifier"));
    lab.patch(&clone, json!({"qos.policy.max_throughput": "900IOPS"}));
    assert_eq!((&lab.get(&format!("{clone}?fields=qos"))["qos"]["policy"]["max_throughput_iops"], &qos()["max_throughput_iops"]), (&json!(900), &json!(500)));
    lab.delete(&clone);
    assert_eq!(policies()["num_records"], json!(1), "limits go with their volume");

    made(&lab, json!({"name": "limit", "svm.name": "vs1", "fixed": {"max_throughput_iops": 5000}}));
    let both = json!({"qos.policy.name": "limit", "qos.policy.max_throughput_iops": 5});
    assert_eq!(lab.refused("PATCH", &path, &both), (400, "262186".into(), "qos.policy.max_throughput_iops".into()));
    let wrong = json!({"qos.policy.min_throughput_iops": 501});
    assert_eq!(lab.refused("PATCH", &path, &wrong), (400, "8454194".into(), "qos.policy.min_throughput_iops".into()));
    assert_eq!(lab.refused("PATCH", &path, &json!({"qos.policy.max_throughput": "fast"})).2, "qos.policy.max_throughput");
    lab.patch(&path, json!({"qos.policy.name": qos()["name"], "qos.policy.max_throughput_iops": 600}));
    lab.patch(&path, json!({"qos.policy.name": qos()["name"]}));
    assert_eq!(qos()["max_throughput_iops"], json!(600));
    lab.patch(&path, json!({"qos.policy.name": "limit"}));
    assert_eq!((&qos()["name"], &qos()["max_throughput_iops"], &policies()["num_records"]), (&json!("limit"), &json!(5000), &json!(0)));
    lab.patch(&path, json!({"qos.policy.max_throughput_iops": 700}));
    assert_eq!((&qos()["max_throughput_iops"], &policies()["num_records"]), (&json!(700), &json!(1)), "limits take the place of a policy");
    lab.patch(&path, json!({"qos.policy.max_throughput_iops": 0}));
    assert_eq!((qos(), &policies()["num_records"]), (Value::Null, &json!(0)));
    for off in [json!({"qos.policy.max_throughput": "none"}), json!({"qos.policy.name": "none"})] {
        lab.patch(&path, json!({"qos.policy.max_throughput_iops": 800}));
        lab.patch(&path, off);
        assert_eq!((qos(), &policies()["num_records"]), (Value::Null, &json!(0)));
    }
    let lun = json!({"svm.name": "vs1", "name": "/vol/vol1/lun1", "os_type": "linux", "space.size": "1GB", "qos_policy.max_throughput_iops": 5});
    assert_eq!(lab.refused("POST", "/storage/luns", &lun), (400, "262179".into(), "qos_policy.max_throughput_iops".into()), "a LUN has policies only");
}

#[test]
fn a_policy_limits_what_it_is_given_to() {
    let lab = lab();
    let path = made(&lab, json!({"name": "limit", "svm.name": "vs1", "fixed": {"max_throughput_iops": 5000}}));
    let body = json!({"svm.name": "vs1", "name": "/vol/vol1/lun1", "os_type": "linux", "space.size": "1GB", "qos_policy.name": "limit"});
    let lun = lab.post("/storage/luns", body);
    let lun = format!("/storage/luns/{}", lun["uuid"].as_str().expect("an identifier"));
    assert_eq!(lab.get(&lun)["qos_policy"]["name"], json!("limit"));
    assert_eq!(lab.get(&path)["object_count"], json!(1));
    let workloads = lab.get("/storage/qos/workloads?workload_class=user_defined&fields=*");
    let workload = &workloads["records"][0];
    assert_eq!((&workload["policy"]["name"], &workload["lun"], &workload["volume"]), (&json!("limit"), &json!("/vol/vol1/lun1"), &json!("vol1")));
    assert!(lab.get("/storage/qos/workloads?workload_class=system_defined")["num_records"].as_u64() > Some(2));
    assert_eq!(lab.refused("DELETE", &path, &json!({})), (409, "8454286".into(), String::new()));
    lab.patch(&lun, json!({"qos_policy": {"name": ""}}));
    assert_eq!(lab.get(&lun).get("qos_policy"), None);
    lab.patch(&lun, json!({"qos_policy.name": "extreme"}));
    lab.delete(&path);
    assert_eq!(lab.get("/storage/qos/qos-options")["background_task_reserve"], json!(40));
    lab.patch("/storage/qos/qos-options", json!({"background_task_reserve": 30}));
    assert_eq!(lab.get("/storage/qos/qos-options")["background_task_reserve"], json!(30));
}
