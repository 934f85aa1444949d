//! Counter tables, as Cinder and Harvest read them.

use serde_json::{Value, json};

use super::Lab;
use super::statistics::loaded;

#[test]
fn a_filter_leaves_of_an_array_what_it_names() {
    let lab = Lab::factory();
    let busy = "average_processor_busy_percent";
    let table = lab.get(&format!("/cluster/counter/tables/system:constituent?counter_schemas.name={busy}&fields=counter_schemas.*&max_records=10000"));
    assert_eq!(table["counter_schemas"].as_array().map(Vec::len), Some(1), "{table}");
    assert_eq!(table["counter_schemas"][0]["denominator"]["name"], json!("cpu_elapsed_time"));
    let rows = lab.get(&format!("/cluster/counter/tables/system:constituent/rows?counters.name={busy}&fields=counters.*"));
    assert_eq!(rows["records"][0]["counters"].as_array().map(Vec::len), Some(1), "{rows}");
    assert!(rows["records"][0]["counters"][0]["value"].as_u64().is_some_and(|value| value > 0));
    assert_eq!(lab.refused("GET", "/cluster/counter/tables/nothing", &Value::Null), (404, "8585320".into(), String::new()));
    assert_eq!(lab.refused("GET", "/cluster/counter/tables/nothing/rows", &Value::Null).1, "8585320");
    assert!(lab.get("/cluster/counter/tables?return_records=false")["num_records"].as_u64().is_some_and(|count| count > 20));
}

#[test]
fn counters_of_a_node_grow_with_time() {
    let lab = loaded();
    let rows = lab.get("/cluster/counter/tables/wafl/rows?id=lab-01:*");
    assert_eq!(rows["num_records"], json!(1), "{rows}");
    let path = "/cluster/counter/tables/wafl/rows?id=lab-01:wafl&counters.name=total_cp_msecs|cp_phase_times&fields=id,counter_table.name,counters.*";
    let total = || lab.get(path)["records"][0]["counters"].as_array().and_then(|counters| counters.iter().find_map(|counter| counter["value"].as_u64()));
    let before = total().expect("a number");
    let phases = lab.get(path)["records"][0]["counters"].clone();
    let phases = phases.as_array().and_then(|counters| counters.iter().find(|counter| counter["name"] == "cp_phase_times")).cloned().expect("there");
    assert!(phases["labels"].as_array().expect("a list").contains(&json!("cp_p2_flush")));
    assert_eq!(phases["labels"].as_array().map(Vec::len), phases["values"].as_array().map(Vec::len));
    lab.does(json!({"clock.advance": {"by": "2s"}}));
    assert!(total().expect("a number") > before);
    assert_eq!(lab.get("/cluster/counter/tables/processor/rows?id=lab-01:*&fields=counters.*")["num_records"], json!(12));
}

#[test]
fn every_table_can_be_read_whole() {
    let lab = loaded();
    let tables = lab.get("/cluster/counter/tables?fields=*");
    for table in tables["records"].as_array().expect("a list") {
        let name = table["name"].as_str().expect("text");
        let rows = lab.get(&format!("/cluster/counter/tables/{name}/rows?return_records=true&fields=*&max_records=500"));
        for row in rows["records"].as_array().expect("a list") {
            let id = row["id"].as_str().expect("text").replace('/', "%2F").replace(':', "%3A");
            assert_eq!(lab.get(&format!("/cluster/counter/tables/{name}/rows/{id}"))["id"], row["id"]);
        }
    }
    let luns = lab.get("/cluster/counter/tables/lun/rows?fields=*&counters.name=read_ops|write_ops&id=*lun0*");
    let done: u64 = luns["records"][0]["counters"].as_array().expect("a list").iter().filter_map(|counter| counter["value"].as_u64()).sum();
    assert!((590_000..=610_000).contains(&done), "{luns}");
}
