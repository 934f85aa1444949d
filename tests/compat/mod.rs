//! Arrays that earlier releases have written: one folder a release, which every later release must read to the same value.
//!
//! A folder holds what `--data-dir` keeps of the array `lab`: a journal, the value that it begins with, a saved checkpoint; and
//! `value.txt`, what the value after the last entry shows. `UPDATE_COMPAT=1 cargo test compat` writes the folder of the present version
//! anew; that is only right until the version is released.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use std::{env, fs};

use arrayplane::model::{Object, Table};
use arrayplane::ops::{Actor, World};
use arrayplane::site::{Answer, DataOptions, Hosted, Options, RequestKey, Site, Terms, TimeSource};
use serde_json::json;

use crate::folder::Folder;
use crate::given;

/// Wall time that stands still.
#[derive(Debug)]
struct Still;

impl TimeSource for Still {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

fn kept() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/compat")
}

fn open(folder: &Folder) -> Arc<Site> {
    let data = DataOptions { folder: folder.path().to_owned(), ..DataOptions::default() };
    Site::open_on(Arc::new(Still), Options::default(), &data).unwrap_or_else(|refusal| panic!("{refusal}; {}", refusal.cure())).0
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a place for files");
    for entry in fs::read_dir(from).unwrap_or_else(|error| panic!("{}: {error}", from.display())) {
        let path = entry.expect("a file").path();
        if path.extension().is_some_and(|extension| extension == "journal" || extension == "checkpoint") {
            fs::copy(&path, to.join(path.file_name().expect("a name"))).expect("a place for files");
        }
    }
}

fn objects<T: Object>(text: &mut String, table: &Table<T>) {
    for item in table.iter() {
        writeln!(text, "{} {} {} {} revision {}", T::NOUN.name(), item.number(), item.name(), item.id(), item.revision()).expect("text");
    }
}

/// What a value shows, in words that stay when it gets new parts.
fn shown(hosted: &Hosted) -> String {
    let mut text = String::new();
    writeln!(text, "journal entries: {}", hosted.journal(|journal| journal.last_sequence())).expect("text");
    hosted.saved(|saved, _| {
        saved.iter().for_each(|one| writeln!(text, "saved {} {} at {} after {}", one.number, one.name, one.at.0, one.sequence).expect("text"))
    });
    hosted.read(|world| of_world(&mut text, world));
    text
}

fn of_world(text: &mut String, world: &World) {
    let array = &world.array;
    writeln!(text, "time: {}, epoch: {}, changes: {}", world.now().0, world.revisions.epoch, world.revisions.changes()).expect("text");
    objects(text, &array.raid_groups);
    objects(text, &array.pools);
    objects(text, &array.volumes);
    objects(text, &array.hosts);
    objects(text, &array.host_groups);
    objects(text, &array.port_groups);
    objects(text, &array.lun_groups);
    objects(text, &array.affinities);
    objects(text, &world.workloads);
    objects(text, &world.jobs);
    for pool in array.pools.iter() {
        writeln!(text, "pool {} uses {} of {}", pool.name(), pool.used().get(), pool.capacity.get()).expect("text");
    }
    for job in world.jobs.iter() {
        writeln!(text, "job {} {:?} from {} to {}", job.number(), job.status, job.starts.0, job.ends.0).expect("text");
    }
    for event in array.events.iter() {
        writeln!(text, "event {} {} {} {}", event.id(), event.time.0, event.code, event.name).expect("text");
    }
}

fn wait<R>(answer: impl Future<Output = R>) -> R {
    tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime").block_on(answer)
}

/// What is done on an array before it is kept.
fn deeds(hosted: &Hosted) {
    let first = [
        json!({"clock.set": {"mode": "manual"}}),
        json!({"settings.update": {"data_reduction": true}}),
        json!({"pool.create": {"name": "P0", "level": "raid1+0", "drive_count": 4, "deduplication": true, "compression": true}}),
        json!({"raid-group.create": {"name": "RG0", "level": "raid5", "drive_count": 3}}),
        json!({"volume.create": {"name": "V", "raid_group": "RG0", "size": "100GB", "count": 2}}),
        json!({"host.create": {"name": "H0", "protocol": "fc", "wwn": "10000090fa000000"}}),
        json!({"host-group.create": {"name": "HG0", "hosts": ["H0"]}}),
        json!({"port-group.create": {"name": "PG0", "ports": ["0"]}}),
        json!({"lun-group.create": {"name": "LG0", "luns": [{"volume": "V0"}]}}),
        json!({"affinity.create": {"host_group": "HG0", "port_group": "PG0", "lun_group": "LG0"}}),
        json!({"workload.create": {"name": "W0", "profile": "custom", "volumes": ["V0"]}}),
        json!({"volume.migrate": {"volume": "V1", "pool": "P0", "deduplication": true, "compression": true}}),
        json!({"clock.advance": {"by": "1m"}}),
    ];
    let actor = || Actor::new("api", "admin", "POST /v1/arrays/lab/operations");
    hosted.batch(actor(), first.iter().map(given::operation).collect()).expect("nothing is refused");
    wait(hosted.save(&Terms::of(actor()), "one", |_, _| Answer::default())).expect("it can be saved");
    let key = RequestKey::new("admin", "key-1", &[b"POST", b"/v1/arrays/lab/operations"]);
    let terms = Terms { key: Some(key), ..Terms::of(actor()) };
    let second = [
        json!({"clock.advance": {"until": "idle"}}),
        json!({"volume.write": {"volume": "V1", "bytes": "10GB", "reducibility": 4}}),
        json!({"job.submit": {"operation": {"volume.delete": {"volume": "V0"}}, "after": "1h"}}),
    ];
    let answer = |done: Vec<_>| Answer { status: 200, body: format!("{} done", done.len()), ..Answer::default() };
    wait(hosted.perform_all(&terms, second.iter().map(given::operation).collect(), answer)).expect("nothing is refused");
}

/// Writes the folder of the present version anew.
fn write_anew() {
    let folder = Folder::new();
    let site = open(&folder);
    let hosted = site.create("lab", given::model("eternus-af250", 7)).expect("a free name");
    deeds(&hosted);
    let release = kept().join(env!("CARGO_PKG_VERSION"));
    let _ = fs::remove_dir_all(&release);
    copy(&folder.path().join("arrays/lab"), &release);
    fs::write(release.join("value.txt"), shown(&hosted)).expect("a place for files");
}

#[test]
fn arrays_of_every_release_are_read_to_the_value_that_they_had() {
    if env::var_os("UPDATE_COMPAT").is_some_and(|asked| asked == "1") {
        write_anew();
    }
    let mut releases: Vec<PathBuf> = fs::read_dir(kept()).expect("a folder").map(|entry| entry.expect("a name").path()).filter(|path| path.is_dir()).collect();
    releases.sort();
    assert!(releases.iter().any(|path| path.ends_with(env!("CARGO_PKG_VERSION"))), "nothing is kept of this version: UPDATE_COMPAT=1 cargo test compat");
    for release in releases {
        let folder = Folder::new();
        copy(&release, &folder.path().join("arrays/lab"));
        let site = open(&folder);
        let hosted = site.find("lab").expect("it was found");
        let expected = fs::read_to_string(release.join("value.txt")).expect("what it shows");
        assert_eq!(shown(&hosted), expected, "{}", release.display());
        assert_eq!(hosted.read(arrayplane::engine::problems), Vec::<String>::new(), "{}", release.display());
        hosted.saved_text("one").expect("what was saved can be read");
    }
}
