//! What was answered is found again, however the process ended.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::engine::{ClockMode, JobStatus};
use crate::model::Object;
use crate::ops::{World, clock};
use crate::site::store::ArrayStore;
use crate::site::test_site::{Folder, Shared, SmallDisk, group, now, queue, renamed, somebody, world};
use crate::site::{ChangeError, DataOptions, Hosted, Options, Site, SiteError, StoreError, checkpoint};
use crate::units::{SimSpan, SimTime};

const LARGE: u64 = 1 << 24;

fn text(hosted: &Hosted) -> String {
    hosted.read(|world| checkpoint(world).expect("a world can be written down"))
}

fn rename(hosted: &Hosted, name: &str) -> Result<(), ChangeError> {
    hosted.execute(somebody(), renamed(name), |_, ()| ())
}

fn name(hosted: &Hosted) -> String {
    hosted.read(|world| world.array.settings.system_name.clone())
}

#[test]
fn what_was_answered_is_found_again_whether_or_not_the_end_was_clean() {
    for clean in [false, true] {
        let folder = Folder::new();
        let (time, site, found) = folder.open(LARGE).expect("an empty folder");
        assert!(found.is_empty());
        let hosted = site.create("lab", world(ClockMode::Real)).expect("a free name");
        time.pass(3);
        hosted.execute(somebody(), group("RG0"), |_, _| ()).expect("there are drives");
        hosted.batch(somebody(), vec![group("RG1").into(), renamed("a").into()]).expect("all can be done");
        let before = text(&hosted);
        if clean {
            site.close();
            assert!(matches!(rename(&hosted, "b"), Err(ChangeError::Broken { .. })), "nothing is answered that would be lost");
        }
        drop((site, hosted));
        let (_, site, found) = folder.open(LARGE).expect("it is found again");
        assert_eq!((found[0].name.as_str(), found[0].entries, found[0].cut, found[0].at), ("lab", if clean { 0 } else { 3 }, 0, SimTime(3_000_000)));
        let hosted = site.array("lab").expect("it was found");
        assert_eq!(text(&hosted), before);
        assert_eq!(hosted.journal(|journal| journal.last_sequence()), 3);
        hosted.execute(somebody(), group("RG2"), |_, _| ()).expect("it goes on");
        assert_eq!(hosted.journal(|journal| journal.last_sequence()), 4);
    }
}

#[test]
fn virtual_time_stands_still_while_nothing_runs_and_never_goes_back_behind_what_was_seen() {
    let folder = Folder::new();
    let (time, site, _) = folder.open(LARGE).expect("an empty folder");
    let mut busy = world(ClockMode::Real);
    let job = queue(&mut busy, group("RG0").into(), SimSpan::seconds(10));
    let hosted = site.create("lab", busy).expect("a free name");
    time.pass(4);
    assert_eq!(now(&hosted), SimTime(4_000_000));
    time.pass(6);
    assert_eq!(hosted.read(|world| world.jobs[job].status), JobStatus::Succeeded);
    drop((site, hosted));
    let (time, site, _) = folder.open(LARGE).expect("it is found again");
    let hosted = site.array("lab").expect("it was found");
    assert_eq!(hosted.read(|world| (world.jobs[job].status, world.now())), (JobStatus::Succeeded, SimTime(10_000_000)));
    time.pass(1);
    assert_eq!(now(&hosted), SimTime(11_000_000), "it goes on from there");
}

#[test]
fn while_somebody_looks_time_is_written_down_every_second_and_on_a_clock_that_stands_never() {
    let folder = Folder::new();
    let (time, site, _) = folder.open(LARGE).expect("an empty folder");
    let hosted = site.create("lab", world(ClockMode::Real)).expect("a free name");
    let length = || fs::metadata(folder.journal()).expect("a file").len();
    let empty = length();
    for _ in 0..5 {
        time.pass(1);
        now(&hosted);
        now(&hosted);
    }
    let marked = length();
    assert!(marked > empty);
    hosted.execute(somebody(), clock::Set { mode: ClockMode::Manual, factor: None }, |_, ()| ()).expect("clocks can stand");
    let still = length();
    time.pass(100);
    now(&hosted);
    assert_eq!(length(), still);
    drop((site, hosted));
    let (_, site, _) = folder.open(LARGE).expect("it is found again");
    assert_eq!(now(&site.array("lab").expect("it was found")), SimTime(5_000_000));
}

#[test]
fn a_journal_past_its_budget_goes_on_from_a_checkpoint_and_what_is_older_goes() {
    let folder = Folder::new();
    let (_, site, _) = folder.open(4000).expect("an empty folder");
    let hosted = site.create("lab", world(ClockMode::Manual)).expect("a free name");
    for count in 0..200 {
        rename(&hosted, &count.to_string()).expect("there is room");
        hosted.inside(|state| state.store.iter_mut().for_each(ArrayStore::wait_for_writer));
    }
    let before = text(&hosted);
    drop((site, hosted));
    let (_, site, found) = folder.open(4000).expect("it is found again");
    let hosted = site.array("lab").expect("it was found");
    assert_eq!((text(&hosted), hosted.journal(|journal| journal.last_sequence())), (before, 200));
    assert!(found[0].entries < 100, "{found:?}");
    site.close();
    assert_eq!(folder.files(), ["00000000000000000200.checkpoint", "00000000000000000200.journal", "initial.checkpoint"]);
}

#[test]
fn when_a_checkpoint_cannot_be_written_the_journal_keeps_everything() {
    let folder = Folder::new();
    let disk = SmallDisk::new();
    let (_, site, _) = folder.open_on(3000, Arc::new(Shared(Arc::clone(&disk)))).expect("an empty folder");
    let hosted = site.create("lab", world(ClockMode::Manual)).expect("a free name");
    *disk.refused.lock() = "0.checkpoint";
    for count in 0..50 {
        rename(&hosted, &count.to_string()).expect("there is room");
    }
    let before = text(&hosted);
    site.close();
    drop((site, hosted));
    let (_, site, found) = folder.open(3000).expect("it is found again");
    assert_eq!(text(&site.array("lab").expect("it was found")), before);
    assert!(found[0].entries > 0);
}

#[test]
fn a_change_for_which_there_is_no_room_is_refused_and_nothing_is_lost() {
    let folder = Folder::new();
    let disk = SmallDisk::new();
    let (_, site, _) = folder.open_on(LARGE, Arc::new(Shared(Arc::clone(&disk)))).expect("an empty folder");
    let hosted = site.create("lab", world(ClockMode::Manual)).expect("a free name");
    rename(&hosted, "first").expect("there is room");
    let before = text(&hosted);
    for room in [0, 1, 20, 100, 200] {
        disk.room.store(room, Ordering::Relaxed);
        for _ in 0..2 {
            assert!(matches!(rename(&hosted, "second"), Err(ChangeError::NotWritten { .. })), "{room}");
        }
        let list = hosted.batch(somebody(), vec![renamed("x").into(), group("RG0").into()]);
        assert!(matches!(list, Err(ChangeError::NotWritten { .. })), "{room}");
        assert_eq!(text(&hosted), before, "the value is unchanged, and reading goes on");
        assert!(matches!(site.create("other", world(ClockMode::Manual)), Err(SiteError::NotWritten { .. })), "{room}");
        assert_eq!(hosted.journal(|journal| journal.entries().len()), 1);
    }
    disk.room.store(u64::MAX, Ordering::Relaxed);
    rename(&hosted, "third").expect("there is room again");
    site.create("other", world(ClockMode::Manual)).expect("there is room again");
    let after = text(&hosted);
    drop((site, hosted));
    let (_, site, found) = folder.open(LARGE).expect("it is found again");
    assert_eq!((found.len(), found[0].entries, found[0].cut), (2, 2, 0));
    assert_eq!(text(&site.array("lab").expect("it was found")), after);
}

#[test]
fn a_directory_belongs_to_one_process_at_a_time() {
    let folder = Folder::new();
    let (_, site, _) = folder.open(LARGE).expect("an empty folder");
    let refusal = folder.open(LARGE).expect_err("it is in use");
    assert_eq!(refusal, StoreError::InUse { folder: folder.0.clone(), holder: Some(std::process::id().to_string()) });
    assert!(refusal.to_string().contains(&folder.0.display().to_string()), "{refusal}");
    drop(site);
    folder.open(LARGE).expect("it is free again");
}

#[test]
fn a_deleted_array_takes_its_files_with_it_and_its_name_is_free() {
    let folder = Folder::new();
    let (_, site, _) = folder.open(LARGE).expect("an empty folder");
    let hosted = site.create("lab", world(ClockMode::Manual)).expect("a free name");
    rename(&hosted, "old").expect("there is room");
    site.remove("lab").expect("it is there");
    assert!(!folder.lab().exists());
    assert!(matches!(rename(&hosted, "late"), Err(ChangeError::Broken { .. })), "who still holds it can only read");
    let hosted = site.create("lab", world(ClockMode::Manual)).expect("free again");
    rename(&hosted, "new").expect("there is room");
    drop((site, hosted));
    fs::create_dir_all(folder.0.join("arrays/.new-half")).expect("a folder that a killed process left");
    fs::create_dir_all(folder.0.join("arrays/.gone-old")).expect("another one");
    let (_, site, found) = folder.open(LARGE).expect("it is found again");
    assert_eq!((found.len(), name(&site.array("lab").expect("it was found"))), (1, "new".to_owned()));
    assert_eq!(fs::read_dir(folder.0.join("arrays")).expect("a folder").count(), 1, "what was half made or half gone is gone");
}

#[test]
fn an_array_that_is_skipped_keeps_its_files_and_its_name() {
    let folder = Folder::new();
    let (_, site, _) = folder.open(LARGE).expect("an empty folder");
    site.create("lab", world(ClockMode::Manual)).expect("a free name");
    drop(site);
    let journal = folder.journal();
    let whole = fs::read(&journal).expect("a file");
    fs::write(&journal, b"nonsense\n").expect("a file");
    assert!(matches!(folder.open(LARGE), Err(StoreError::Damaged { .. })));
    let data = DataOptions { folder: folder.0.clone(), sync: false, skip: vec!["lab".into()] };
    let (site, found) = Site::open(Options::default(), &data).expect("the rest can be read");
    assert!(found.is_empty() && site.array("lab").is_none());
    assert_eq!(site.create("lab", world(ClockMode::Manual)).err(), Some(SiteError::FilesExist { name: "lab".into() }));
    drop(site);
    fs::write(&journal, whole).expect("a file");
    assert_eq!(folder.open(LARGE).expect("it is whole again").2.len(), 1);
}

#[test]
fn many_threads_share_the_waiting_for_the_disk() {
    let folder = Folder::new();
    let data = DataOptions { folder: folder.0.clone(), sync: true, skip: Vec::new() };
    let (site, _) = Site::open(Options { journal_budget: crate::units::Bytes::new(20_000) }, &data).expect("an empty folder");
    let hosted = site.create("lab", world(ClockMode::Manual)).expect("a free name");
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let hosted = &hosted;
            scope.spawn(move || {
                for count in 0..30 {
                    let key = format!("{thread}.{count}");
                    let answer = |world: &World, ()| crate::site::Answer { body: world.array.settings.system_name.clone(), ..Default::default() };
                    let done = crate::site::test_site::wait(hosted.perform(&crate::site::test_site::keyed(&key, ""), renamed(&key), answer));
                    assert_eq!(done.map(|done| done.answer.body), Ok(key));
                }
            });
        }
    });
    rename(&hosted, "last").expect("there is room");
    let before = text(&hosted);
    drop((site, hosted));
    let (_, site, _) = folder.open(LARGE).expect("it is found again");
    let hosted = site.array("lab").expect("it was found");
    assert_eq!((text(&hosted), hosted.journal(|journal| journal.last_sequence())), (before, 121));
}

#[test]
fn a_program_that_breaks_in_a_change_leaves_the_array_as_it_was() {
    for on_disk in [false, true] {
        let folder = Folder::new();
        let site = if on_disk { folder.open(LARGE).expect("an empty folder").1 } else { Site::new() };
        let hosted = site.create("lab", world(ClockMode::Manual)).expect("a free name");
        hosted.execute(somebody(), group("RG0"), |_, _| ()).expect("there are drives");
        let before = text(&hosted);
        let broken = hosted.inside(|state| {
            state.attempt(std::time::Duration::ZERO, "a test", |world| -> Result<(), _> {
                let key = world.array.raid_groups.iter().next().expect("one group").key();
                world.array.raid_groups.remove(key);
                panic!("in the middle of a change");
            })
        });
        assert_eq!(broken, Err(ChangeError::BrokeOff { what: "a test".into() }));
        assert_eq!(text(&hosted), before);
        hosted.execute(somebody(), group("RG1"), |_, _| ()).expect("it goes on");
    }
}
