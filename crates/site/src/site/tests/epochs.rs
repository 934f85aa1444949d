//! Saving states of the whole array and going back to them.

use std::sync::Arc;

use crate::engine::ClockMode;
use crate::model::{Noun, Object, OpError};
use crate::ops::clock;
use crate::site::test_site::{Folder, group, now, perform, renamed, somebody, wait, world};
use crate::site::{Answer, ChangeError, Hosted, Performed, Saved, Site, Tag, Terms, checkpoint};
use crate::units::{SimSpan, SimTime};

const LARGE: u64 = 1 << 24;

fn terms() -> Terms {
    Terms::of(somebody())
}

fn save(hosted: &Hosted, name: &str) -> Result<Performed, ChangeError> {
    wait(hosted.save(&terms(), name, |saved, _| Answer { body: saved.number.to_string(), ..Answer::default() }))
}

fn go_back(hosted: &Hosted, reference: &str) -> Result<Performed, ChangeError> {
    wait(hosted.go_back(&terms(), reference, |world| Answer { body: world.revisions.epoch.to_string(), ..Answer::default() }))
}

fn groups(hosted: &Hosted) -> Vec<String> {
    hosted.read(|world| world.array.raid_groups.iter().map(|group| group.name().to_owned()).collect())
}

fn advance(hosted: &Hosted, seconds: u64) {
    hosted.execute(somebody(), clock::Advance { by: Some(SimSpan::seconds(seconds)), until: None }, |_, ()| ()).expect("clocks can be advanced");
}

/// Does the same in memory and on disk; on disk, `again` starts the server anew.
fn both(test: impl Fn(Arc<Hosted>, &dyn Fn() -> Option<Arc<Hosted>>)) {
    let site = Site::new();
    test(site.create("lab", world(ClockMode::Manual)).expect("a free name"), &|| None);
    let folder = Folder::new();
    let (_, site, _) = folder.open(LARGE).expect("an empty folder");
    let hosted = site.create("lab", world(ClockMode::Manual)).expect("a free name");
    let running = std::cell::RefCell::new(Some(site));
    test(hosted, &|| {
        running.borrow_mut().take();
        let (_, site, _) = folder.open(LARGE).expect("it is found again");
        let hosted = site.array("lab");
        *running.borrow_mut() = Some(site);
        hosted
    });
}

#[test]
fn a_state_that_was_saved_comes_back_byte_by_byte_in_a_new_epoch() {
    both(|hosted, again| {
        perform(&hosted, &terms(), "RG0").expect("there are drives");
        advance(&hosted, 60);
        save(&hosted, "before").expect("it can be saved");
        let before = hosted.read(|world| checkpoint(world).expect("a world can be written down"));
        let tag = hosted.read(|world| Tag::of(world, world.array.raid_groups.iter().next().expect("a group")).to_string());
        perform(&hosted, &terms(), "RG1").expect("there are drives");
        advance(&hosted, 60);
        assert_eq!(go_back(&hosted, "before").map(|done| done.answer.body), Ok("1".into()));
        let hosted = again().unwrap_or(hosted);
        assert_eq!((groups(&hosted), now(&hosted)), (vec!["RG0".into()], SimTime(60_000_000)));
        let mut world = hosted.read(Clone::clone);
        world.begin_epoch(0);
        assert_eq!(checkpoint(&world).expect("a world can be written down"), before, "but for the epoch");
        let other = hosted.read(|world| Tag::of(world, world.array.raid_groups.iter().next().expect("a group")).to_string());
        assert_ne!(tag, other, "a tag from before is not met again");
        let initial = hosted.journal(|journal| (journal.initial().sequence, journal.entries().len()));
        assert_eq!(initial, (5, 0), "the journal begins with that value");
        perform(&hosted, &terms(), "RG7").expect("there are drives");
        let hosted = again().unwrap_or(hosted);
        assert_eq!((groups(&hosted), hosted.journal(|journal| journal.last_sequence())), (vec!["RG0".into(), "RG7".into()], 6));
        go_back(&hosted, "0").expect("it can be gone back to once more");
        assert_eq!((groups(&hosted).len(), hosted.read(|world| world.revisions.epoch)), (1, 2));
    });
}

#[test]
fn a_reset_goes_back_to_the_beginning_and_saved_states_stay() {
    both(|hosted, again| {
        let beginning = hosted.read(|world| checkpoint(world).expect("a world can be written down"));
        perform(&hosted, &terms(), "RG0").expect("there are drives");
        save(&hosted, "one").expect("it can be saved");
        let hosted = again().unwrap_or(hosted);
        wait(hosted.reset(&terms(), |_| Answer::default())).expect("it can be reset");
        let hosted = again().unwrap_or(hosted);
        assert_eq!(groups(&hosted), Vec::<String>::new());
        let mut world = hosted.read(Clone::clone);
        world.begin_epoch(0);
        assert_eq!(checkpoint(&world).expect("a world can be written down"), beginning);
        go_back(&hosted, "one").expect("it is still there");
        assert_eq!(groups(&hosted), ["RG0"]);
    });
}

#[test]
fn events_told_in_another_epoch_have_another_identifier() {
    let site = Site::new();
    let hosted = site.create("lab", world(ClockMode::Manual)).expect("a free name");
    save(&hosted, "start").expect("it can be saved");
    let tell = |hosted: &Hosted| {
        let submit = crate::ops::job::Submit { operation: Box::new(renamed(&"x".repeat(100)).into()), after: None };
        hosted.execute(somebody(), submit, |world, _| world.array.events.iter().last().expect("a job that fails is told of").id()).expect("it can wait")
    };
    assert_eq!((tell(&hosted), tell(&hosted)), ("0-1".into(), "0-2".into()));
    go_back(&hosted, "start").expect("it can be gone back to");
    assert_eq!(tell(&hosted), "1-1");
}

#[test]
fn saved_states_are_found_by_number_name_and_id_and_their_names_are_theirs() {
    both(|hosted, again| {
        assert_eq!(save(&hosted, "a").map(|done| done.answer.body), Ok("0".into()));
        assert_eq!(save(&hosted, "b").map(|done| done.answer.body), Ok("1".into()));
        assert_eq!(save(&hosted, "b"), Err(OpError::NameTaken { noun: Noun::Checkpoint, name: "b".into() }.into()));
        assert!(matches!(save(&hosted, "a/b"), Err(ChangeError::Refused(OpError::NameInvalid { .. }))));
        wait(hosted.forget(&terms(), "a", Answer::default())).expect("it is there");
        assert!(matches!(wait(hosted.forget(&terms(), "a", Answer::default())), Err(ChangeError::Refused(OpError::NotFound { .. }))));
        save(&hosted, "1").expect("it can be saved");
        let hosted = again().unwrap_or(hosted);
        let list = |hosted: &Hosted| hosted.saved(|all, _| all.iter().map(|saved| (saved.number, saved.name.clone())).collect::<Vec<_>>());
        assert_eq!(list(&hosted), [(0, "1".into()), (1, "b".into())]);
        let named = |reference: &str| hosted.saved_one(reference, |saved, _| saved.name.clone());
        assert_eq!((named("0"), named("b")), (Ok("1".into()), Ok("b".into())));
        assert!(matches!(named("1"), Err(OpError::Ambiguous { .. })));
        let id = hosted.saved_one("b", |saved, world| saved.id(world.array.identity.seed()).to_string()).expect("it is there");
        assert_eq!(named(&id), Ok("b".into()));
        let size = hosted.saved_one("b", |saved, _| saved.size.get()).expect("it is there");
        let text = hosted.saved_text("b").expect("it can be read");
        assert!(size.abs_diff(text.len() as u64) < 500, "{size} of {}", text.len());
    });
}

#[test]
fn no_more_than_a_hundred_states_are_saved() {
    let site = Site::new();
    let hosted = site.create("lab", world(ClockMode::Manual)).expect("a free name");
    for count in 0..Saved::MOST {
        save(&hosted, &count.to_string()).expect("there is room");
    }
    assert!(matches!(save(&hosted, "more"), Err(ChangeError::Refused(OpError::LimitReached { .. }))));
    hosted.execute(somebody(), group("RG0"), |_, _| ()).expect("changes go on");
}
