//! Files that were cut off or changed: what was not written whole is cut off and told; all else is refused, and nothing is overwritten.

use std::fs;
use std::path::{Path, PathBuf};

use crate::engine::ClockMode;
use crate::site::store::frame_for_tests;
use crate::site::test_site::{Folder, group, renamed, somebody, wait, world};
use crate::site::{Answer, Difference, Hosted, ReplayError, StoreError, Terms};

const LARGE: u64 = 1 << 24;

/// An array with three records: one group, a list of two operations, and one name. Answers with the bytes of its journal.
fn three_records(folder: &Folder) -> (PathBuf, Vec<u8>) {
    let (_, site, _) = folder.open(LARGE).expect("an empty folder");
    let hosted = site.create("lab", world(ClockMode::Manual)).expect("a free name");
    hosted.execute(somebody(), group("RG0"), |_, _| ()).expect("there are drives");
    hosted.batch(somebody(), vec![group("RG1").into(), renamed("a").into()]).expect("all can be done");
    hosted.execute(somebody(), renamed("b"), |_, ()| ()).expect("there is room");
    let journal = folder.journal();
    let bytes = fs::read(&journal).expect("a file");
    (journal, bytes)
}

/// Where the lines of a file begin, and its end.
fn lines(bytes: &[u8]) -> Vec<usize> {
    [0].into_iter().chain(bytes.iter().zip(1..).filter(|(byte, _)| **byte == b'\n').map(|(_, place)| place)).collect()
}

fn entries(hosted: &Hosted) -> usize {
    hosted.journal(|journal| journal.entries().len())
}

#[test]
fn a_journal_that_was_cut_off_anywhere_gives_all_whole_records_and_no_half_list() {
    let folder = Folder::new();
    let (journal, bytes) = three_records(&folder);
    let starts = lines(&bytes);
    assert_eq!(starts.len(), 5, "a heading and three records");
    for length in starts[1]..=bytes.len() {
        fs::write(&journal, &bytes[..length]).expect("a file");
        let (_, site, found) = folder.open(LARGE).expect("it is read as far as it goes");
        let hosted = site.array("lab").expect("it was found");
        let whole = starts.iter().rposition(|start| *start <= length).expect("the heading is whole");
        assert_eq!((entries(&hosted), found[0].cut as usize), ([0, 0, 1, 3, 4][whole], length - starts[whole]), "{length}");
        hosted.execute(somebody(), renamed("again"), |_, ()| ()).expect("it goes on");
        drop((site, hosted));
        let (_, site, found) = folder.open(LARGE).expect("it is whole again");
        assert_eq!((entries(&site.array("lab").expect("it was found")), found[0].cut), ([0, 0, 1, 3, 4][whole] + 1, 0), "{length}");
    }
}

fn refusal(folder: &Folder) -> StoreError {
    folder.open(LARGE).expect_err("it is damaged")
}

fn is_damaged(refusal: &StoreError, file: &Path, place: usize) -> bool {
    matches!(refusal, StoreError::Damaged { path, offset, .. } if path == file && *offset == place)
}

#[test]
fn a_record_that_was_changed_is_named_with_its_place_and_nothing_is_overwritten() {
    let folder = Folder::new();
    let (journal, bytes) = three_records(&folder);
    let starts = lines(&bytes);
    for record in 1..4 {
        let head = [starts[record], starts[record] + 9].into_iter().filter(|_| record < 3);
        for place in head.chain([starts[record] + 40, starts[record + 1] - 2]) {
            let mut damaged = bytes.clone();
            damaged[place] ^= 0x15;
            fs::write(&journal, &damaged).expect("a file");
            let refusal = refusal(&folder);
            assert!(is_damaged(&refusal, &journal, starts[record]), "{record} {place}: {refusal}");
            assert!(refusal.to_string().contains(&journal.display().to_string()), "{refusal}");
            assert_eq!(fs::read(&journal).expect("a file"), damaged);
        }
    }
    fs::write(&journal, &bytes[..10]).expect("a file");
    assert!(is_damaged(&refusal(&folder), &journal, 0), "the heading is written whole or not at all");
    fs::write(&journal, String::from_utf8_lossy(&bytes).replacen("arrayplane-journal 1", "arrayplane-journal 2", 1)).expect("a file");
    assert_eq!(refusal(&folder), StoreError::Newer { path: journal, version: 2, rules: 1 });
}

#[test]
fn an_entry_with_another_outcome_than_it_had_stops_the_start() {
    let folder = Folder::new();
    let (journal, bytes) = three_records(&folder);
    let text = String::from_utf8(bytes).expect("text");
    let lines: Vec<&str> = text.lines().collect();
    let tampered = lines[1].splitn(3, ' ').nth(2).expect("content").replace("\"RG0\"", "\"RG9\"");
    let mut file = format!("{}\n", lines[0]).into_bytes();
    frame_for_tests(&mut file, tampered.as_bytes());
    fs::write(&journal, &file).expect("a file");
    let refusal = refusal(&folder);
    let StoreError::Differs { path, cause } = &refusal else { panic!("{refusal}") };
    assert_eq!(*path, journal);
    assert!(matches!(cause, ReplayError::Differs { sequence: 1, difference: Difference::Outcome { .. }, .. }), "{cause}");
    assert!(refusal.to_string().contains("entry 1 of the journal (raid-group.create)"), "{refusal}");
}

#[test]
fn entries_that_are_missing_and_checkpoints_that_cannot_be_read_are_named() {
    let folder = Folder::new();
    let (journal, bytes) = three_records(&folder);
    let starts = lines(&bytes);
    let without_the_second = [&bytes[..starts[2]], &bytes[starts[3]..]].concat();
    fs::write(&journal, without_the_second).expect("a file");
    assert!(matches!(refusal(&folder), StoreError::Gap { after: 1, found: 4, .. }));
    fs::write(&journal, &bytes).expect("a file");
    let initial = folder.lab().join("initial.checkpoint");
    let kept = fs::read(&initial).expect("a file");
    fs::write(&initial, &kept[..kept.len() / 2]).expect("a file");
    assert!(matches!(refusal(&folder), StoreError::Damaged { path, .. } if path == initial));
    fs::remove_file(&initial).expect("a file");
    assert!(matches!(refusal(&folder), StoreError::NoValue { .. }));
}

#[test]
fn a_state_that_was_put_back_is_not_silently_undone_when_its_file_is_damaged() {
    let folder = Folder::new();
    drop(three_records(&folder));
    let (_, site, _) = folder.open(LARGE).expect("it is whole");
    let hosted = site.array("lab").expect("it was found");
    wait(hosted.reset(&Terms::of(somebody()), |_| Answer::default())).expect("it can be reset");
    drop((site, hosted));
    let checkpoint = folder.lab().join("00000000000000000005.checkpoint");
    let bytes = fs::read(&checkpoint).expect("a file");
    fs::write(&checkpoint, &bytes[..bytes.len() - 9]).expect("a file");
    assert!(matches!(refusal(&folder), StoreError::Damaged { path, .. } if path == checkpoint));
    fs::write(&checkpoint, &bytes).expect("a file");
    assert_eq!(folder.open(LARGE).expect("it is whole again").2[0].entries, 0);
}
