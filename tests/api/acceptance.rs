//! The acceptance of the first issue: the figures of the review, over the wire.

use serde_json::{Value, json};

use super::Server;

/// The workload of that name in the measured performance.
fn measured(server: &Server, array: &str, workload: &str) -> Value {
    let report = server.get(&format!("/v1/arrays/{array}/performance")).json(200);
    let samples = report["workloads"].as_array().expect("workloads");
    samples.iter().find(|sample| sample["name"] == workload).unwrap_or_else(|| panic!("no {workload} in {report}")).clone()
}

/// A figure must lie within so many percent of the published one.
fn is_close(sample: &Value, field: &str, published: f64, percent: f64) {
    let found = sample[field].as_f64().unwrap_or_else(|| panic!("no {field} in {sample}"));
    let off = (found / published - 1.0).abs() * 100.0;
    assert!(off <= percent, "{field} is {found}, {off:.2} % off {published}");
}

fn is_raw(sample: &Value) {
    is_close(sample, "tps", 12_622.0, 0.5);
    is_close(sample, "latency_ms", 9.8, 5.0);
}

fn is_reduced(sample: &Value) {
    is_close(sample, "tps", 9_837.0, 1.0);
    is_close(sample, "latency_ms", 1_356.0, 3.0);
}

fn is_consistent(server: &Server, array: &str) {
    assert_eq!(server.get(&format!("/v1/arrays/{array}/consistency")).json(200), json!({"consistent": true, "problems": []}));
}

/// A host that sees these volumes through all ports.
fn give_access(server: &Server, volumes: &[&str]) {
    let luns: Vec<Value> = (0..).zip(volumes).map(|(lun, volume): (u32, _)| json!({"lun": lun, "volume": volume})).collect();
    server.post("hosts", json!({"name": "H0", "protocol": "fc", "wwn": "10000090fa000001"})).json(201);
    server.post("host-groups", json!({"name": "HG0", "hosts": ["H0"]})).json(201);
    server.post("port-groups", json!({"name": "PG0", "ports": ["CM0-CA0-P0", "CM0-CA0-P1", "CM1-CA0-P0", "CM1-CA0-P1"]})).json(201);
    server.post("lun-groups", json!({"name": "LG0", "luns": luns})).json(201);
    server.post("affinities", json!({"host_group": "HG0", "port_group": "PG0", "lun_group": "LG0"})).json(201);
}

fn start_load(server: &Server) {
    server.post("workloads", json!({"name": "oltp", "profile": "sqlserver-tpcc", "users": 60000, "volumes": ["R0", "R1"]})).json(201);
}

#[test]
fn data_reduction_costs_what_the_review_measured() {
    let server = Server::playing("eternus-af250");
    let drives = server.get("drives").json(200);
    assert_eq!(drives["items"].as_array().map(Vec::len), Some(24));
    assert!(drives["items"].as_array().into_iter().flatten().all(|drive| drive["capacity"] == 1_920_000_000_000u64));
    server.patch("settings", json!({"data_reduction": true})).json(200);
    for (pool, controller) in [("P0", "CM0"), ("P1", "CM1")] {
        let body = json!({"name": pool, "level": "raid1+0", "drive_count": 12, "controller": controller, "deduplication": true, "compression": true});
        server.post("pools", body).json(201);
    }
    for (name, pool, reduced) in [("R0", "P0", false), ("R1", "P1", false), ("D0", "P0", true), ("D1", "P1", true)] {
        let mut body = json!({"name": name, "pool": pool, "size": "4TB"});
        if reduced {
            (body["deduplication"], body["compression"]) = (json!(true), json!(true));
        }
        server.post("volumes", body).json(201);
    }
    give_access(&server, &["R0", "R1", "D0", "D1"]);
    start_load(&server);
    is_raw(&measured(&server, "t", "oltp"));
    server.patch("workloads/oltp", json!({"volumes": ["D0", "D1"]})).json(200);
    is_reduced(&measured(&server, "t", "oltp"));
    server.patch("workloads/oltp", json!({"volumes": ["R0", "R1"]})).json(200);
    is_raw(&measured(&server, "t", "oltp"));
    is_consistent(&server, "t");
}

#[test]
fn thick_volumes_in_raid_groups_are_as_fast_as_plain_ones_in_pools() {
    let server = Server::playing("eternus-af250");
    for (number, controller) in [(0, "CM0"), (1, "CM1")] {
        server.post("raid-groups", json!({"name": format!("RG{number}"), "level": "raid1+0", "drive_count": 12, "controller": controller})).json(201);
        let volume = server.post("volumes", json!({"name": format!("R{number}"), "raid_group": format!("RG{number}"), "size": "4TB"})).json(201);
        assert_eq!(volume["allocation"], "thick");
    }
    give_access(&server, &["R0", "R1"]);
    start_load(&server);
    is_raw(&measured(&server, "t", "oltp"));
    is_consistent(&server, "t");
}

#[test]
fn the_scenarios_of_the_review_show_its_figures_at_once() {
    let server = Server::start();
    for (scenario, is_right) in [("af250", is_raw as fn(&Value)), ("af250-dr", is_reduced)] {
        server.make(json!({"name": scenario, "scenario": scenario}));
        is_right(&measured(&server, scenario, "oltp"));
        is_consistent(&server, scenario);
        for group in ["RG0", "RG1"] {
            let free = server.get(&format!("/v1/arrays/{scenario}/raid-groups/{group}")).json(200)["free"].as_u64();
            assert!(free >= Some(1_000_000_000_000), "{group} has {free:?}");
        }
    }
    server.patch("/v1/arrays/af250/workloads/oltp", json!({"volumes": ["D0", "D1"]})).json(200);
    is_reduced(&measured(&server, "af250", "oltp"));
}
