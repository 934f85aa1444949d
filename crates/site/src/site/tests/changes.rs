//! Operations and lists of operations: done, or refused without a trace.

use std::sync::Arc;
use std::thread;

use crate::engine::{ClockMode, JobStatus};
use crate::model::{Object, OpError};
use crate::ops::{AnyOperation, controller, raid_group};
use crate::site::test_site::{group, lab, now, queue, renamed, somebody, world};
use crate::site::{ChangeError, Journal, Site, SiteError, checkpoint, replay};
use crate::units::SimSpan;

#[test]
fn a_name_can_be_given_once_and_again_after_its_array_is_gone() {
    let (_time, site, _) = lab(world(ClockMode::Real), Journal::BUDGET);
    assert_eq!(site.create("lab", world(ClockMode::Real)).err(), Some(SiteError::ArrayExists { name: "lab".into() }));
    assert_eq!(site.create("not/lab", world(ClockMode::Real)).err(), Some(SiteError::ArrayNameInvalid { name: "not/lab".into() }));
    site.create("alpha", world(ClockMode::Real)).expect("a free name");
    assert_eq!(site.names(), ["alpha", "lab"]);
    site.remove("lab").expect("it exists");
    assert_eq!(site.remove("lab").err(), Some(SiteError::NoSuchArray { name: "lab".into() }));
    assert!(site.array("lab").is_none());
    site.create("lab", world(ClockMode::Real)).expect("free again");
}

#[test]
fn an_operation_is_rendered_from_the_world_that_it_changed() {
    let (_time, _site, hosted) = lab(world(ClockMode::Manual), Journal::BUDGET);
    let name = hosted.execute(somebody(), group("RG0"), |world, key| world.array.raid_groups[key].name().to_owned());
    assert_eq!(name, Ok("RG0".to_owned()));
}

#[test]
fn a_refused_operation_changes_nothing_and_is_not_journalled() {
    let (_time, _site, hosted) = lab(world(ClockMode::Manual), Journal::BUDGET);
    hosted.execute(somebody(), group("RG0"), |_, _| ()).expect("there are drives");
    let before = hosted.read(checkpoint);
    let refusal = hosted.execute(somebody(), group("RG0"), |_, _| ());
    assert!(matches!(refusal, Err(ChangeError::Refused(OpError::NameTaken { .. }))), "{refusal:?}");
    assert_eq!(hosted.read(checkpoint), before);
    assert_eq!(hosted.journal(|journal| journal.entries().len()), 1);
}

#[test]
fn a_list_is_done_in_order_and_says_what_it_made() {
    let (_time, _site, hosted) = lab(world(ClockMode::Manual), Journal::BUDGET);
    let operations = vec![
        group("RG0").into(),
        controller::Update { controller: "CM1".into(), locate: Some(true), auto_giveback: None }.into(),
        raid_group::Update { raid_group: "RG0".into(), name: Some("RG9".into()), controller: None, copybackless: None, rebuild_priority: None }.into(),
    ];
    let done = hosted.batch(somebody(), operations).expect("all can be done");
    let told: Vec<(&str, Vec<&str>)> = done.iter().map(|done| (done.operation, done.made.iter().map(|made| made.name.as_str()).collect())).collect();
    assert_eq!(told, [("raid-group.create", vec!["RG0"]), ("controller.update", vec!["CM1"]), ("raid-group.update", vec!["RG9"])]);
    assert_eq!(hosted.journal(|journal| journal.entries().iter().map(|entry| entry.sequence).collect::<Vec<_>>()), [1, 2, 3]);
}

#[test]
fn a_list_with_one_refusal_does_nothing_at_all() {
    let (_time, _site, hosted) = lab(world(ClockMode::Manual), Journal::BUDGET);
    let before = hosted.read(checkpoint);
    let operations: Vec<AnyOperation> = vec![group("RG0").into(), group("RG1").into(), group("RG0").into()];
    let refusal = hosted.batch(somebody(), operations).expect_err("the name is taken by then");
    assert!(matches!(&refusal, ChangeError::Refused(OpError::InList { index: 2, operation, .. }) if operation == "raid-group.create"), "{refusal}");
    assert_eq!(hosted.read(checkpoint), before);
    assert_eq!(hosted.journal(|journal| journal.entries().len()), 0);
}

#[test]
fn what_was_tried_on_a_copy_is_done_unless_something_else_came_first() {
    let (_time, _site, hosted) = lab(world(ClockMode::Manual), Journal::BUDGET);
    let mut draft = hosted.draft(somebody());
    draft.run(vec![group("RG0").into()]).expect("there are drives");
    let taken = draft.run(vec![renamed("a").into(), group("RG0").into()]).expect_err("the copy has it by now");
    assert!(matches!(taken, OpError::InList { index: 1, .. }), "{taken}");
    assert_eq!((draft.world().array.raid_groups.len(), hosted.read(|world| world.array.raid_groups.len())), (1, 0));
    let mut draft = hosted.draft(somebody());
    draft.run(vec![group("RG0").into()]).and_then(|_| draft.run(vec![group("RG1").into()])).expect("there are drives");
    let mut late = hosted.draft(somebody());
    late.run(vec![group("RG2").into()]).expect("there are drives");
    assert_eq!(hosted.carry_out(draft).expect("nothing else has come").len(), 2);
    assert!(matches!(hosted.carry_out(late), Err(ChangeError::TagDiffers { .. })));
    assert_eq!((hosted.read(|world| world.array.raid_groups.len()), hosted.journal(|journal| journal.entries().len())), (2, 2));
}

#[test]
fn what_is_due_comes_before_an_operation() {
    let mut busy = world(ClockMode::Real);
    queue(&mut busy, group("RG0").into(), SimSpan::seconds(10));
    let (time, _site, hosted) = lab(busy, Journal::BUDGET);
    time.pass(10);
    assert!(matches!(hosted.execute(somebody(), group("RG0"), |_, _| ()), Err(ChangeError::Refused(OpError::NameTaken { .. }))));
}

#[test]
fn work_without_a_duration_is_over_when_the_operation_answers() {
    let mut busy = world(ClockMode::Manual);
    let job = queue(&mut busy, group("RG0").into(), SimSpan::ZERO);
    let (_time, _site, hosted) = lab(busy, Journal::BUDGET);
    let status = hosted.execute(somebody(), renamed("lab"), |world, ()| world.jobs[job].status);
    assert_eq!(status, Ok(JobStatus::Succeeded));
}

#[test]
fn two_threads_change_one_array_one_after_the_other() {
    let (_time, _site, hosted) = lab(world(ClockMode::Real), Journal::BUDGET);
    thread::scope(|scope| {
        for thread in 0..2 {
            let hosted = &hosted;
            scope.spawn(move || {
                for count in 0..100 {
                    hosted.execute(somebody(), renamed(&format!("{thread}.{count}")), |_, ()| ()).expect("a name is never refused");
                }
            });
        }
    });
    let sequences: Vec<u64> = hosted.journal(|journal| journal.entries().iter().map(|entry| entry.sequence).collect());
    assert_eq!(sequences, (1..=200).collect::<Vec<_>>());
    assert_eq!(hosted.read(checkpoint), hosted.journal(replay).map(|world| checkpoint(&world)).expect("it replays"));
}

#[test]
fn two_arrays_do_not_wait_for_each_other() {
    let site = Site::new();
    let one = site.create("one", world(ClockMode::Real)).expect("a free name");
    let other = site.create("other", world(ClockMode::Real)).expect("a free name");
    one.read(|_| {
        let other = Arc::clone(&other);
        thread::spawn(move || now(&other)).join().expect("it does not wait");
        assert_eq!(site.names(), ["one", "other"]);
    });
}
