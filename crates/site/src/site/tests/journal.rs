//! The journal and checkpoints: what was, can be had again, byte by byte.

use crate::engine::{ClockMode, advance};
use crate::ops::World;
use crate::site::test_site::{group, lab, now, queue, renamed, somebody, world};
use crate::site::{CheckpointError, Difference, Journal, ReplayError, checkpoint, replay, restore};
use crate::units::{Bytes, SimSpan, SimTime};

fn text(world: &World) -> String {
    checkpoint(world).expect("a world can be written down")
}

#[test]
fn the_journal_rebuilds_the_value_byte_by_byte() {
    let mut busy = world(ClockMode::Real);
    queue(&mut busy, group("RG5").into(), SimSpan::seconds(15));
    let (time, _site, hosted) = lab(busy, Journal::BUDGET);
    for name in ["RG0", "RG1", "RG2"] {
        time.pass(7);
        hosted.execute(somebody(), group(name), |_, _| ()).expect("there are drives");
    }
    hosted.batch(somebody(), vec![renamed("a").into(), renamed("b").into()]).expect("names are never refused");
    time.pass(1000);
    let mut again = hosted.journal(replay).expect("it replays");
    assert_eq!(again.now(), SimTime(21_000_000), "the value right after the newest entry");
    advance(&mut again, now(&hosted));
    assert_eq!(text(&again), hosted.read(text));
}

#[test]
fn the_journal_tells_who_did_what_and_when() {
    let (time, _site, hosted) = lab(world(ClockMode::Real), Journal::BUDGET);
    time.pass(3);
    hosted.execute(somebody(), group("RG0"), |_, _| ()).expect("there are drives");
    let written = hosted.journal(|journal| serde_json::to_value(journal.entries()).expect("entries can be written"));
    assert_eq!(written[0]["sequence"], 1);
    assert_eq!(written[0]["at"], 3_000_000);
    assert_eq!(written[0]["actor"]["user"], "tester");
    assert_eq!(written[0]["operation"]["raid-group.create"]["name"], "RG0");
    assert!(written[0]["outcome"].is_string());
}

#[test]
fn replay_stops_at_the_first_entry_whose_outcome_differs() {
    let (_time, _site, hosted) = lab(world(ClockMode::Manual), Journal::BUDGET);
    for name in ["RG0", "RG1", "RG2"] {
        hosted.execute(somebody(), group(name), |_, _| ()).expect("there are drives");
    }
    let mut tampered = hosted.journal(Journal::clone);
    tampered.entry_mut(2).operation = group("RG9").into();
    let difference = replay(&tampered).expect_err("another name has another outcome");
    assert!(matches!(&difference, ReplayError::Differs { sequence: 2, difference: Difference::Outcome { .. }, .. }), "{difference}");

    let mut refused = hosted.journal(Journal::clone);
    refused.entry_mut(3).operation = group("RG0").into();
    let difference = replay(&refused).expect_err("the name is taken");
    assert_eq!(
        difference.to_string(),
        "entry 3 of the journal (raid-group.create): it was done then and is refused now: a RAID group named 'RG0' exists already"
    );

    let mut disordered = hosted.journal(Journal::clone);
    disordered.entry_mut(1).at = SimTime(9);
    let difference = replay(&disordered).expect_err("time runs back");
    assert!(matches!(difference, ReplayError::Differs { sequence: 2, difference: Difference::TimeRunsBack, .. }), "{difference}");
}

#[test]
fn a_journal_past_its_budget_begins_anew_with_the_value() {
    let (_time, _site, hosted) = lab(world(ClockMode::Manual), Bytes::new(2000));
    for count in 0..100 {
        hosted.execute(somebody(), renamed(&count.to_string()), |_, ()| ()).expect("names are never refused");
        let (size, budget) = hosted.journal(|journal| (journal.size(), journal.budget()));
        assert!(size <= budget, "{size} of {budget}");
    }
    let (initial, kept, dropped, last) =
        hosted.journal(|journal| (journal.initial().sequence, journal.entries().len() as u64, journal.dropped(), journal.last_sequence()));
    assert!(dropped > 0 && kept < 100);
    assert_eq!((initial, kept + dropped, last), (dropped, 100, 100));
    assert_eq!(hosted.journal(replay).map(|world| text(&world)), Ok(hosted.read(text)));
}

#[test]
fn a_checkpoint_is_read_back_byte_by_byte() {
    let mut busy = world(ClockMode::Real);
    queue(&mut busy, group("RG5").into(), SimSpan::seconds(15));
    let (time, _site, hosted) = lab(busy, Journal::BUDGET);
    time.pass(1);
    hosted.execute(somebody(), group("RG0"), |_, _| ()).expect("there are drives");
    let written = hosted.read(text);
    let mut restored = restore(&written).expect("it was written by this program");
    assert_eq!(text(&restored), written);
    time.pass(99);
    advance(&mut restored, now(&hosted));
    assert_eq!(text(&restored), hosted.read(text), "it also goes on in the same way");
}

#[test]
fn a_checkpoint_of_another_kind_is_refused_with_the_reason() {
    let written = text(&world(ClockMode::Manual));
    let foreign = written.replacen("arrayplane-world", "other-world", 1);
    assert_eq!(restore(&foreign).err(), Some(CheckpointError::UnknownFormat { format: Some("other-world".into()) }));
    let newer = written.replacen("\"version\":1", "\"version\":2", 1);
    let refusal = restore(&newer).expect_err("it is newer");
    assert_eq!(refusal.to_string(), "the checkpoint has version 2; this program reads versions up to 1: use a newer one");
    assert_eq!(restore("{}").err(), Some(CheckpointError::UnknownFormat { format: None }));
    assert!(matches!(restore("nonsense"), Err(CheckpointError::Unreadable { .. })));
    assert!(matches!(restore(&written[..written.len() / 2]), Err(CheckpointError::Unreadable { .. })));
}
