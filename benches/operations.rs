//! What creating a volume costs in an array of 100, 10,000 and 100,000 volumes: lock, check, journal, apply and view, without the network.
//!
//! `cargo bench --bench operations`

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use arrayplane::catalogue::{self, BuildOptions};
use arrayplane::engine::Actor;
use arrayplane::model::RaidLevel;
use arrayplane::ops::{World, pool, volume};
use arrayplane::site::{Hosted, Site};
use arrayplane::units::Bytes;
use criterion::{BenchmarkId, Criterion};

/// An array without limits with that many volumes in one pool.
fn array_with(site: &Site, volumes: u32) -> Arc<Hosted> {
    let array = catalogue::model("unlimited").and_then(|model| model.build(&BuildOptions::default())).expect("the model is there");
    let hosted = site.create(&format!("of-{volumes}"), World::new(array)).expect("a name of its own");
    let create = pool::Create { name: "P0".into(), level: Some(RaidLevel::Raid6), drive_count: Some(24), ..pool::Create::default() };
    hosted.execute(somebody(), create, |_, _| ()).expect("a pool");
    let create = volume::Create { name: "V".into(), pool: Some("P0".into()), size: Bytes::gib(1), count: Some(volumes), ..volume::Create::default() };
    hosted.execute(somebody(), create, |_, _| ()).expect("volumes");
    hosted
}

fn somebody() -> Actor {
    Actor::new("bench", "admin", "POST /v1/arrays/bench/volumes")
}

/// The time that `times` creations take. What is created is deleted again, untimed, so that the array keeps its size.
fn create(hosted: &Hosted, times: u64) -> Duration {
    const AT_ONCE: u64 = 50;
    let mut total = Duration::ZERO;
    let mut left = times;
    while left > 0 {
        let now = left.min(AT_ONCE);
        let start = Instant::now();
        for number in 0..now {
            let create = volume::Create { name: format!("new-{number}"), pool: Some("P0".into()), size: Bytes::gib(1), ..volume::Create::default() };
            black_box(hosted.execute(somebody(), create, |_, made| made).expect("room for one more"));
        }
        total += start.elapsed();
        for number in 0..now {
            hosted.execute(somebody(), volume::Delete { volume: format!("new-{number}"), force: None }, |_, _| ()).expect("it is there");
        }
        left -= now;
    }
    total
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args().sample_size(30);
    let site = Site::new();
    let mut means = Vec::new();
    for volumes in [100, 10_000, 100_000] {
        let (mut spent, mut hosted) = ((Duration::ZERO, 0), None);
        criterion.bench_with_input(BenchmarkId::new("volume_create_in_an_array_of", volumes), &volumes, |bench, volumes| {
            // Criterion comes here for warming up and again for measuring.
            let hosted = hosted.get_or_insert_with(|| array_with(&site, *volumes));
            bench.iter_custom(|times| {
                let took = create(hosted, times);
                spent = (spent.0 + took, spent.1 + times);
                took
            });
        });
        // Nothing is measured of what the command line leaves out.
        if spent.1 > 0 {
            means.push((volumes, spent.0.as_secs_f64() / f64::from(u32::try_from(spent.1).unwrap_or(u32::MAX))));
        }
    }
    let first = means.first().map_or(1.0, |(_, mean)| *mean);
    for (volumes, mean) in means {
        println!("creating in an array of {volumes:>7} volumes: {:>7.2} us, {:.2} times the first", mean * 1e6, mean / first);
    }
    criterion.final_summary();
}
