//! Figures of the past.

use serde_json::{Value, json};

use super::Lab;

/// A lab in which load has run for ten minutes.
pub(super) fn loaded() -> Lab {
    let lab = Lab::scene("aff-a250");
    lab.does(json!({"workload.create": {"name": "w", "profile": "custom", "block_size": 8192, "outstanding": 16, "rate": 1000, "volumes": ["vol1/lun0"]}}));
    lab.does(json!({"clock.advance": {"by": "10m"}}));
    lab
}

fn number(value: &Value, path: &str) -> u64 {
    value.pointer(path).and_then(Value::as_u64).unwrap_or_else(|| panic!("no number at {path} of {value}"))
}

#[test]
fn counters_rise_and_samples_are_their_rates() {
    let lab = loaded();
    let read = || lab.get("/storage/aggregates?name=aggr1_node_01&fields=statistics,metric&statistics.timestamp=!%22-%22")["records"][0].clone();
    let before = read();
    lab.does(json!({"clock.advance": {"by": "60s"}}));
    let after = read();
    let done = number(&after, "/statistics/iops_raw/total") - number(&before, "/statistics/iops_raw/total");
    assert!((59_900..=60_100).contains(&done), "{done} operations in a minute of 1000 a second");
    assert_eq!(number(&after, "/metric/iops/total"), 1000, "{after}");
    assert_eq!(number(&after, "/statistics/iops_raw/other"), 0);
    let waited = number(&after, "/statistics/latency_raw/total") - number(&before, "/statistics/latency_raw/total");
    let latency = number(&after, "/metric/latency/total");
    assert!((waited / done).abs_diff(latency) <= 1, "{waited} us for {done} operations, but {latency} each");
    assert_eq!(number(&after, "/metric/throughput/total"), 8192 * 1000);
    let nodes = lab.get("/cluster/nodes?fields=statistics,metric");
    let busy = |node: usize| number(&nodes["records"][node], "/statistics/processor_utilization_raw");
    assert!(busy(0) > busy(1) && busy(1) > 0);
}

#[test]
fn metrics_come_newest_first_in_the_interval_that_is_wished() {
    let lab = loaded();
    let uuid = lab.get("/storage/aggregates?name=aggr1_node_01")["records"][0]["uuid"].as_str().expect("text").to_owned();
    let path = format!("/storage/aggregates/{uuid}/metrics");
    let hour = lab.get(&path);
    assert_eq!(hour["num_records"], json!(41));
    let stamps: Vec<&str> = hour["records"].as_array().expect("a list").iter().filter_map(|sample| sample["timestamp"].as_str()).collect();
    assert!(stamps.is_sorted_by(|one, other| one > other), "{stamps:?}");
    let root = lab.get("/storage/qtrees?fields=metric&max_records=1")["records"][0].clone();
    assert_eq!(root["metric"]["duration"], json!("PT4M"), "qtrees have no samples of 15 seconds");
    let of_root = format!("/storage/qtrees/{}/{}/metrics", root["volume"]["uuid"].as_str().expect("an identifier"), root["id"]);
    assert_eq!(lab.get(&of_root)["records"][0]["duration"], json!("PT4M"));
    for (interval, duration) in [("1h", "PT15S"), ("1d", "PT5M"), ("1w", "PT30M"), ("1m", "PT2H"), ("1y", "P1D")] {
        assert_eq!(lab.get(&format!("{path}?interval={interval}&max_records=1"))["records"][0]["duration"], json!(duration));
    }
    assert_eq!(lab.refused("GET", &format!("{path}?interval=2h"), &Value::Null), (400, "262185".into(), "interval".into()));
    assert_eq!(lab.refused("GET", &path.replace(&uuid, "nobody"), &Value::Null).0, 404);
    let node = lab.get("/cluster/nodes")["records"][0]["uuid"].as_str().expect("text").to_owned();
    assert!(number(&lab.get(&format!("/cluster/nodes/{node}/metrics"))["records"][0], "/processor_utilization") >= 1);
    assert_eq!(number(&lab.get("/cluster/metrics?fields=*")["records"][0], "/iops/total"), 1000);
}

#[test]
fn everything_that_works_has_figures() {
    let lab = loaded();
    for path in
        ["/cluster/nodes", "/storage/aggregates", "/storage/volumes", "/storage/luns", "/network/ethernet/ports", "/network/fc/ports", "/network/ip/interfaces"]
    {
        if lab.raw("GET", path, &Value::Null).status == 404 {
            continue;
        }
        let all = lab.get(&format!("{path}?fields=statistics,metric"));
        let missing = |record: &&Value| record["statistics"]["status"] != "ok" || record["metric"]["status"] != "ok";
        assert_eq!(all["records"].as_array().expect("a list").iter().find(missing), None, "{path}");
    }
    assert_eq!(number(&lab.get("/cluster?fields=statistics.iops_raw.total,metric"), "/metric/iops/total"), 1000);
}
