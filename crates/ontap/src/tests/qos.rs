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
