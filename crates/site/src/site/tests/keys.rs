//! Requests under a key, and changes on a condition.

use std::thread;

use crate::engine::ClockMode;
use crate::model::Object;
use crate::ops::{World, clock};
use crate::site::test_site::{Folder, keyed, perform, somebody, wait, world};
use crate::site::{Answer, ChangeError, Condition, Hosted, Site, Tag, Tags, Terms};
use crate::units::SimSpan;

const LARGE: u64 = 1 << 24;

fn made(hosted: &Hosted) -> usize {
    hosted.read(|world| world.array.raid_groups.len())
}

#[test]
fn a_request_under_a_key_is_done_once_and_a_refused_one_can_be_tried_again() {
    let site = Site::new();
    let hosted = site.create("lab", world(ClockMode::Manual)).expect("a free name");
    let first = perform(&hosted, &keyed("k", "RG0"), "RG0").expect("there are drives");
    let second = perform(&hosted, &keyed("k", "RG0"), "RG0").expect("it was done");
    assert_eq!((first.answer, first.again, second.again), (second.answer, false, true));
    assert_eq!(perform(&hosted, &keyed("k", "RG1"), "RG1"), Err(ChangeError::KeyReused { key: "k".into() }));
    assert!(matches!(perform(&hosted, &keyed("r", "RG0"), "RG0"), Err(ChangeError::Refused(_))));
    assert_eq!(perform(&hosted, &keyed("r", "RG1"), "RG1").map(|done| done.again), Ok(false), "a refusal is not remembered");
    assert_eq!(made(&hosted), 2);
}

#[test]
fn keys_are_found_again_after_a_restart_and_behind_a_checkpoint_for_a_day() {
    let folder = Folder::new();
    let (_, site, _) = folder.open(LARGE).expect("an empty folder");
    let hosted = site.create("lab", world(ClockMode::Manual)).expect("a free name");
    let first = perform(&hosted, &keyed("k", ""), "RG0").expect("there are drives").answer;
    let list = wait(hosted.perform_all(&keyed("l", ""), Vec::new(), |_| Answer { body: "list".into(), ..Answer::default() })).expect("nothing to refuse");
    wait(hosted.save(&keyed("s", ""), "one", |_, _| Answer { body: "saved".into(), ..Answer::default() })).expect("it can be saved");
    drop((site, hosted));
    for clean in [true, false] {
        let (_, site, _) = folder.open(LARGE).expect("it is found again");
        let hosted = site.array("lab").expect("it was found");
        assert_eq!(perform(&hosted, &keyed("k", ""), "RG0").map(|done| (done.answer, done.again)), Ok((first.clone(), true)));
        let again = wait(hosted.perform_all(&keyed("l", ""), Vec::new(), |_| Answer::default())).expect("nothing to refuse");
        assert_eq!((again.answer, again.again), (list.answer.clone(), true));
        let again = wait(hosted.save(&keyed("s", ""), "one", |_, _| Answer::default())).expect("it was saved");
        assert!(again.again);
        if clean {
            site.close();
        } else {
            hosted.execute(somebody(), clock::Advance { by: Some(SimSpan::days(1)), until: None }, |_, ()| ()).expect("clocks can be advanced");
            assert!(matches!(perform(&hosted, &keyed("k", ""), "RG0"), Err(ChangeError::Refused(_))), "after a day it is another request");
        }
    }
}

#[test]
fn of_two_requests_under_one_key_at_once_one_is_done() {
    let site = Site::new();
    let hosted = site.create("lab", world(ClockMode::Real)).expect("a free name");
    let done: Vec<bool> = thread::scope(|scope| {
        let clients: Vec<_> = (0..8).map(|_| scope.spawn(|| perform(&hosted, &keyed("k", ""), "RG0").expect("once, or again").again)).collect();
        clients.into_iter().map(|client| client.join().expect("it ends well")).collect()
    });
    assert_eq!((done.iter().filter(|again| !**again).count(), made(&hosted)), (1, 1));
}

fn first_tag(world: &World, _: &str) -> Option<Tag> {
    world.array.raid_groups.iter().next().map(|group| Tag::of(world, group))
}

fn on(tags: &str) -> Terms {
    let tags = Tags::read(tags).expect("well-formed tags");
    Terms { condition: Some(Condition { tags, tag_of: first_tag, reference: String::new() }), ..Terms::of(somebody()) }
}

#[test]
fn a_change_on_a_condition_is_done_only_while_it_holds() {
    let site = Site::new();
    let hosted = site.create("lab", world(ClockMode::Manual)).expect("a free name");
    perform(&hosted, &on("\"9-9\""), "RG0").expect("of what is not there, nothing is asked");
    let tag = hosted.read(|world| first_tag(world, "")).expect("a group").to_string();
    perform(&hosted, &on(&tag), "RG1").expect("it is as it was");
    assert_eq!(hosted.read(|world| first_tag(world, "")).expect("a group").to_string(), tag, "only what is changed gets another tag");
    assert_eq!(perform(&hosted, &on("\"0-0\""), "RG2"), Err(ChangeError::TagDiffers { is: tag, asked: "\"0-0\"".into() }));
    assert_eq!(made(&hosted), 2);
    let seconds = hosted.read(|world| world.array.raid_groups.iter().map(Object::revision).collect::<Vec<_>>());
    assert_eq!(seconds, [1, 2]);
}
