//! The calibration report over the wire.

use serde_json::json;

use super::{Server, names};

#[test]
fn the_report_has_every_row_and_no_failure() {
    let server = Server::start();
    let report = server.get("/v1/calibration").json(200);
    let rows = report["rows"].as_array().expect("rows");
    assert_eq!((rows.len(), report["not_modelled"].as_array().map(Vec::len)), (278, Some(20)));
    assert_eq!([&report["summary"]["rows"], &report["summary"]["fail"]], [&json!(278), &json!(0)]);
    for row in rows {
        for field in ["array", "configuration", "workload", "metric", "qualifier", "verdict", "reason"] {
            assert!(row[field].is_string(), "{field} of {row}");
        }
        let (published, modelled, error) = (row["published"].as_f64(), row["modelled"].as_f64(), row["error"].as_f64());
        let (published, modelled, error) = (published.expect("a figure"), modelled.expect("a figure"), error.expect("an error"));
        assert!((modelled / published - 1.0 - error).abs() < 1e-9, "{row}");
        assert!(row["predicted"].is_boolean() && row["verdict"] != "fail", "{row}");
    }
    assert!(rows[0]["predicted"] == true && rows[277]["predicted"] == false, "predictions come first");
    let contradictions: Vec<_> = rows.iter().filter(|row| row["verdict"] == "contradiction").map(|row| &row["metric"]).collect();
    assert_eq!(contradictions, ["bandwidth_gbps_at_1ms", "bandwidth_gbps_at_1ms"]);
    assert!(report["assumptions"].as_array().is_some_and(|list| list.len() > 100 && list.iter().all(|one| one["source"].is_string())));
}

#[test]
fn the_report_is_a_page_for_who_wants_one() {
    let server = Server::start();
    let page = server.send("GET", "/v1/calibration", "Accept: text/markdown\r\n", b"");
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/markdown; charset=utf-8")));
    assert!(page.body.starts_with("# Calibration") && page.body.contains("| af250s2 |"));
    let both = server.send("GET", "/v1/calibration", "Accept: application/json, text/markdown\r\n", b"");
    assert_eq!(both.header("content-type"), Some("application/json"));
    server.get("/v1/calibration?fields=rows").refused("unknown_field");
}

#[test]
fn every_array_has_a_chart() {
    let server = Server::start();
    for name in ["af250", "af250.svg", "af250-transactions", "aff-a250-nvme", "flachesan1l-d"] {
        let chart = server.get(&format!("/v1/calibration/charts/{name}"));
        assert_eq!((chart.status, chart.header("content-type")), (200, Some("image/svg+xml")), "{name}");
        assert!(chart.body.contains("</svg>") && chart.body.contains("published"), "{name}");
    }
    let refusal = server.get("/v1/calibration/charts/af251").refused("not_found");
    assert!(refusal["cure"].as_str().is_some_and(|cure| cure.contains("aff-a250-fc")), "{refusal}");
}

#[test]
fn every_model_but_the_unlimited_one_runs_a_workload_when_it_is_made() {
    let server = Server::start();
    let models = server.get("/v1/models?calibrated=true&fields=name").json(200);
    assert_eq!(names(&models).len(), 8, "{models}");
}
