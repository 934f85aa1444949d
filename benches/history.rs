//! What charts of the past cost: thirty virtual days of an array of 1,000 volumes under 10 workloads, with a change every hour.
//!
//! `cargo bench --bench history`

use std::hint::black_box;
use std::time::{Duration, Instant};

use arrayplane::catalogue::{self, BuildOptions, DriveRequest};
use arrayplane::engine::{self, Actor};
use arrayplane::model::{Noun, Object};
use arrayplane::ops::{AnyOperation, Ctx, World};
use arrayplane::perf::history::{Metric, Subject, Window, chart, counters};
use arrayplane::perf::report::measure;
use arrayplane::units::{SimSpan, SimTime};
use criterion::Criterion;
use serde_json::{Value, json};

const VOLUMES: usize = 1_000;
const WORKLOADS: usize = 10;
const HOURS: u64 = 30 * 24;

fn done(world: &mut World, operation: &Value) {
    let operation: AnyOperation = serde_json::from_value(operation.clone()).expect("an operation");
    let ctx = Ctx { now: world.now(), actor: Actor::new("bench", "admin", "a bench") };
    operation.run(world, &ctx).unwrap_or_else(|refusal| panic!("{}: {refusal}", operation.name()));
}

/// An AF250 with two pools, 1,000 volumes that four hosts see, and 10 workloads on 100 volumes each.
fn furnished() -> World {
    let options = BuildOptions { drives: Some(DriveRequest::Count(24)), ..BuildOptions::default() };
    let mut world = World::new(catalogue::model("eternus-af250").and_then(|model| model.build(&options)).expect("the model is there"));
    let half = VOLUMES / 2;
    for operation in [
        json!({"pool.create": {"name": "P0", "level": "raid1+0", "drive_count": 12, "controller": "CM0"}}),
        json!({"pool.create": {"name": "P1", "level": "raid1+0", "drive_count": 12, "controller": "CM1"}}),
        json!({"volume.create": {"name": "A", "pool": "P0", "size": "10GB", "count": half}}),
        json!({"volume.create": {"name": "B", "pool": "P1", "size": "10GB", "count": half}}),
        json!({"port-group.create": {"name": "PG0", "ports": ["CM0-CA0-P0", "CM0-CA0-P1", "CM1-CA0-P0", "CM1-CA0-P1"]}}),
    ] {
        done(&mut world, &operation);
    }
    let names: Vec<String> = world.array.volumes.iter().map(|volume| volume.name().to_owned()).collect();
    // A LUN group of this array has 256 numbers.
    for (number, some) in names.chunks(VOLUMES / 4).enumerate() {
        let luns: Vec<Value> = some.iter().map(|volume| json!({"volume": volume})).collect();
        let [host, hosts, group] = ["H", "HG", "LG"].map(|prefix| format!("{prefix}{number}"));
        done(&mut world, &json!({"host.create": {"name": host, "protocol": "fc", "wwn": format!("10000090fa00000{number}")}}));
        done(&mut world, &json!({"host-group.create": {"name": hosts, "hosts": [host]}}));
        done(&mut world, &json!({"lun-group.create": {"name": group, "luns": luns}}));
        done(&mut world, &json!({"affinity.create": {"host_group": hosts, "port_group": "PG0", "lun_group": group}}));
    }
    for workload in 0..WORKLOADS {
        let volumes: Vec<&String> = names.iter().skip(workload).step_by(WORKLOADS).collect();
        done(
            &mut world,
            &json!({"workload.create": {"name": format!("w{workload}"), "profile": "custom", "block_size": 8192, "outstanding": 100 + workload,
                "volumes": volumes}}),
        );
    }
    world
}

/// Thirty days in which something changes every hour; answers with the time that each change took.
fn thirty_days(world: &mut World) -> Duration {
    let mut spent = Duration::ZERO;
    for hour in 1..=HOURS {
        engine::advance(world, SimTime(SimSpan::seconds(3_600 * hour).0));
        let workload = format!("w{}", hour % WORKLOADS as u64);
        let change = match hour % 24 {
            3 => json!({"controller.fail": {"controller": "CM1"}}),
            4 => json!({"controller.restore": {"controller": "CM1"}}),
            _ => json!({"workload.update": {"workload": workload, "outstanding": 50 + hour}}),
        };
        let start = Instant::now();
        done(world, &change);
        spent += start.elapsed();
    }
    spent
}

fn window(world: &World) -> Window {
    Window { from: SimTime::START, to: world.now(), step: SimSpan(world.now().0.div_ceil(300)) }
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args().sample_size(20);
    let mut world = furnished();
    let spent = thirty_days(&mut world);
    let log = serde_json::to_string(&world.load).map(|text| text.len()).unwrap_or_default();
    let segments = world.load.segments().count();
    println!("{segments} segments; {:.0} us for each change, entered; the log is {} kB of JSON", spent.as_secs_f64() * 1e6 / HOURS as f64, log / 1000);
    let start = Instant::now();
    black_box(measure(&world.array, &world.workloads));
    println!("a report of now takes {:.0} us, and most of a change is the same work", start.elapsed().as_secs_f64() * 1e6);
    let first = |noun| Subject { noun, key: 0, operations: 1 };
    let kinds = [Noun::Array, Noun::Controller, Noun::HostPort, Noun::RaidGroup, Noun::Pool, Noun::Volume, Noun::Workload];
    let mut slowest = Duration::ZERO;
    for noun in kinds {
        let draw = || {
            let window = window(&world);
            let sums = chart(&world.load, world.now(), first(noun), window, None);
            Metric::ALL.map(|metric| sums.iter().filter_map(|sum| metric.of(sum, window.step, first(noun))).sum::<f64>())
        };
        let start = Instant::now();
        black_box(draw());
        slowest = slowest.max(start.elapsed());
        criterion.bench_function(&format!("history/300_points_of_thirty_days/{}", noun.name()), |bench| bench.iter(draw));
    }
    println!("the slowest first chart of 300 points with all metrics took {:.2} ms (100 are allowed)", slowest.as_secs_f64() * 1e3);
    criterion.bench_function("history/counters_of_a_volume", |bench| bench.iter(|| counters(&world.load, world.now(), Noun::Volume, 7)));
    criterion.final_summary();
}
