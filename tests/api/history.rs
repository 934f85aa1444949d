//! Charts of the past and raw counters over the API.

use std::sync::Arc;

use arrayplane::catalogue;
use arrayplane::engine::{Actor, ClockMode};
use arrayplane::model::Noun;
use arrayplane::perf::history::counters;
use arrayplane::site::{DataOptions, Options, Site, WallClock};
use serde_json::{Value, json};

use super::Server;
use crate::folder::Folder;

/// The array of the review under its load, on a clock that stands still.
fn lab(site: &Site) {
    let mut world = catalogue::scenario("af250").expect("the scenario is known").play(None).expect("it can be played");
    world.clock.mode = ClockMode::Manual;
    site.create("t", world).expect("a new array");
}

fn server() -> Server {
    let server = Server::start();
    lab(&server.site);
    server
}

fn advance(server: &Server, by: &str) {
    server.post("clock/advance", json!({"by": by})).json(200);
}

fn values(series: &Value) -> Vec<f64> {
    series["values"].as_array().expect("values").iter().map(|value| value.as_f64().expect("a number")).collect()
}

fn chart(server: &Server, query: &str) -> Value {
    server.get(&format!("performance/history?{query}")).json(200)
}

#[test]
fn a_chart_shows_what_changed_at_any_resolution() {
    let server = server();
    let now = server.get("performance").json(200);
    advance(&server, "10m");
    server.patch("workloads/oltp", json!({"state": "paused"})).json(200);
    advance(&server, "5m");
    let minutes = chart(&server, "from=2026-01-01T00:00:00Z&step=1m&metric=iops");
    assert_eq!([&minutes["from"], &minutes["to"]], [&json!("2026-01-01T00:00:00Z"), &json!("2026-01-01T00:15:00Z")]);
    assert_eq!((&minutes["times"][10], &minutes["epoch"], &minutes["mean_until"]), (&json!("2026-01-01T00:10:00Z"), &json!(0), &Value::Null));
    let iops = values(&minutes["series"][0]);
    let rate = now["total"]["iops"].as_f64().expect("a number");
    assert!(iops[..10].iter().all(|one| (one / rate - 1.0).abs() < 1e-6) && iops[10..] == [0.0; 5], "{iops:?}");
    let whole = chart(&server, "from=-15m&step=15m&metric=iops,latency_ms,outstanding");
    let mean = values(&whole["series"][0])[0];
    assert!((mean / rate - 10.0 / 15.0).abs() < 1e-6, "{mean} of {rate}");
    let latency = now["total"]["latency_ms"].as_f64().expect("a number");
    assert!((values(&whole["series"][1])[0] / latency - 1.0).abs() < 1e-6, "weighted by operations, the rest does not count");
    let fine = chart(&server, "from=2026-01-01T00:09:59.5Z&to=2026-01-01T00:10:00.5Z&step=0.25&metric=iops,latency_ms");
    assert!(values(&fine["series"][0])[2..] == [0.0, 0.0] && fine["series"][1]["values"][3].is_null(), "{fine}");
    assert_eq!(chart(&server, "step=1m&from=2027-01-01T00:00:00Z&to=2027-01-02T00:00:00Z")["times"], json!([]), "the future is empty");
}

#[test]
fn objects_of_a_kind_add_up_also_with_noise() {
    let server = server();
    advance(&server, "1h");
    for query in ["", "&noise=20", "&noise=20&seed=2"] {
        let all = chart(&server, &format!("object=array&object=volume:*&object=host-port:*&metric=iops,bytes_per_second&step=10m{query}"));
        let series = all["series"].as_array().expect("series");
        let of = |noun: &str, metric: &str, bucket: usize| -> f64 {
            let fitting = series.iter().filter(|one| one["noun"] == noun && one["metric"] == metric);
            fitting.map(|one| values(one)[bucket]).sum()
        };
        for metric in ["iops", "bytes_per_second"] {
            for bucket in 0..6 {
                let total = of("array", metric, bucket);
                assert!(total > 0.0);
                for noun in ["volume", "host-port"] {
                    assert!((of(noun, metric, bucket) / total - 1.0).abs() < 1e-9, "{noun} {metric} {bucket}{query}");
                }
            }
        }
    }
    let one = chart(&server, "noise=20&step=10m&metric=iops");
    let (plain, other) = (chart(&server, "step=10m&metric=iops"), chart(&server, "noise=20&seed=2&step=10m&metric=iops"));
    assert_eq!(one, chart(&server, "noise=20&step=10m&metric=iops"));
    assert!(one != plain && one != other);
    let busy = chart(&server, "object=controller:CM0&metric=utilization,p99_latency_ms,read_latency_ms&step=10m&noise=50");
    assert!(values(&busy["series"][0]).iter().all(|busy| (0.0..1.0).contains(busy)));
    assert_eq!(values(&chart(&server, "object=workload:oltp&metric=tps&step=1h")["series"][0]).len(), 1);
}

#[test]
fn what_cannot_be_drawn_is_refused_with_a_cure() {
    let server = server();
    advance(&server, "1d");
    for (query, code, field) in [
        ("colour=red", "unknown_field", "colour"),
        ("metric=colour", "invalid_parameter", "metric"),
        ("object=volume:V99", "reference_not_found", "object"),
        ("object=drive:0", "invalid_parameter", "object"),
        ("object=V1", "invalid_parameter", "object"),
        ("from=yesterday", "invalid_parameter", "from"),
        ("to=-1x", "invalid_parameter", "to"),
        ("from=-1h&to=-2h", "invalid_parameter", "from"),
        ("step=0s", "invalid_parameter", "step"),
        ("step=", "invalid_parameter", "step"),
        ("noise=51", "invalid_parameter", "noise"),
        ("noise=NaN", "invalid_parameter", "noise"),
        ("seed=-1", "invalid_parameter", "seed"),
        ("metric=utilization", "invalid_parameter", "metric"),
        ("object=volume:0&metric=tps", "invalid_parameter", "metric"),
        ("from=-1d&step=1s&metric=iops", "out_of_range", "step"),
    ] {
        let problem = server.get(&format!("performance/history?{query}")).refused(code);
        assert_eq!(problem["field"], field, "{query}: {problem}");
    }
    let problem = server.get("performance/history?from=-1d&step=1us&metric=iops").problem();
    assert!(["out_of_range", "invalid_parameter"].contains(&problem["code"].as_str().expect("a code")), "{problem}");
    server.get("performance/counters/drive/0").refused("not_found");
    server.get("performance/counters/volume/V99").refused("not_found");
    server.get("performance/counters?colour=red").refused("unknown_field");
}

#[test]
fn counters_are_read_one_by_one_and_in_pages_and_belong_to_an_epoch() {
    let server = server();
    let rate = server.get("performance").json(200)["total"]["iops"].as_f64().expect("a rate");
    let total = |server: &Server| server.get("performance/counters/array/total").json(200);
    let operations = |view: &Value| view["counters"]["operations"]["total"].as_u64().expect("a count");
    assert_eq!(operations(&total(&server)), 0);
    advance(&server, "100s");
    let first = total(&server);
    assert!((operations(&first) as f64 - rate * 100.0).abs() <= 1.0, "{first} at {rate}");
    let volumes = server.get("performance/counters?noun=volume&fields=name,counters").json(200);
    let sum: u64 = volumes["items"].as_array().expect("items").iter().map(operations).sum();
    assert!(operations(&first) - sum <= 4);
    let page = server.get("performance/counters?limit=3").json(200);
    let rest = server.get(&format!("performance/counters?limit=1000&cursor={}", page["next_cursor"].as_str().expect("more"))).json(200);
    let all = server.get("performance/counters?limit=1000").json(200)["items"].as_array().expect("items").len();
    assert_eq!(rest["items"].as_array().expect("items").len(), all - 3);
    assert_eq!(server.get("performance/counters/controller/CM0?fields=counters.busy_microseconds").json(200).as_object().expect("an object").len(), 1);
    server.post("controllers/CM0/fail", json!({})).json(200);
    advance(&server, "100s");
    assert!(operations(&total(&server)) > operations(&first), "a controller that fails takes no counter with it");
    server.post("checkpoints", json!({"name": "c"})).json(201);
    let kept = total(&server);
    advance(&server, "1h");
    server.post("checkpoints/c/restore", json!({})).json(200);
    let back = total(&server);
    assert_eq!((operations(&back), &back["time"]), (operations(&kept), &kept["time"]));
    assert_eq!([&kept["epoch"], &back["epoch"]], [&json!(0), &json!(1)], "whoever reads them sees that they begin anew");
    server.post("reset", json!({})).json(200);
    assert_eq!(operations(&total(&server)), 0);
}

#[test]
fn history_and_counters_are_there_after_a_restart() {
    let folder = Folder::new();
    let open = || {
        let data = DataOptions { folder: folder.path().to_owned(), ..DataOptions::default() };
        Site::open_on(Arc::new(WallClock::start()), Options::default(), &data).expect("a data directory").0
    };
    let mut site = open();
    lab(&site);
    let does = |site: &Site, operation: Value| {
        let operation = serde_json::from_value(operation).expect("an operation");
        site.find("t").expect("it is there").batch(Actor::new("test", "tester", "a test"), vec![operation]).expect("it can be done");
    };
    for operation in [
        json!({"clock.advance": {"by": "1h"}}),
        json!({"workload.update": {"workload": "oltp", "users": 1000, "writes_data": true}}),
        json!({"clock.advance": {"by": "1h"}}),
    ] {
        does(&site, operation);
    }
    let told = |site: &Site| {
        site.find("t").expect("it is there").read(|world| {
            let (array, volume) = (counters(&world.load, world.now(), Noun::Array, 0), counters(&world.load, world.now(), Noun::Volume, 0));
            (world.now(), world.load.clone(), array, volume)
        })
    };
    let before = told(&site);
    assert!(before.2.operations.total > before.3.operations.total && before.3.operations.total > 0);
    for clean in [false, true, false] {
        if clean {
            site.close();
        }
        drop(site);
        site = open();
        assert_eq!(told(&site), before);
    }
}

#[test]
fn a_schedule_and_written_data_are_shown_with_the_workload() {
    let server = server();
    let schedule = json!({"steps": {"percents": [50, 100], "each": "1h"}});
    let view = server.patch("workloads/oltp", json!({"schedule": schedule, "working_set": "100GB"})).json(200);
    assert_eq!((&view["schedule"]["steps"]["percents"], &view["load_percent"]), (&json!([50, 100]), &json!(50.0)));
    assert_eq!((&view["writes_data"], &view["working_set"]), (&json!(true), &json!(100_000_000_000_u64)));
    assert!(view["schedule_maximum"].as_u64().is_some_and(|most| (12_500..12_700).contains(&most)), "{view}");
    advance(&server, "90m");
    assert_eq!(server.get("workloads/oltp").json(200)["load_percent"], json!(100.0));
    assert!(server.get("capacity").json(200)["volumes"]["written"].as_u64().expect("bytes") > 99_000_000_000);
    let view = server.patch("workloads/oltp", json!({"schedule": "steady", "writes_data": false})).json(200);
    assert_eq!((&view["schedule"], &view["schedule_began_at"], &view["writes_data"]), (&json!("steady"), &Value::Null, &json!(false)));
    server.patch("workloads/oltp", json!({"schedule": {"steps": {"each": "0s"}}})).refused("out_of_range");
    server.patch("workloads/oltp", json!({"schedule": {"sometimes": {}}})).refused("invalid_body");
}
