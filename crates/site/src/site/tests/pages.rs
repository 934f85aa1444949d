//! Pages that are kept while nothing happens.

use crate::engine::ClockMode;
use crate::model::OpError;
use crate::ops::{AnyOperation, World};
use crate::site::test_site::{group, lab, somebody, world};
use crate::site::{Hosted, Journal, Rendered};
use crate::units::SimSpan;

/// What the page of RAID groups says, and whether it was rendered for this.
fn page(hosted: &Hosted, asked: &str) -> (String, bool) {
    let mut rendered = false;
    let page = hosted.page(asked, |world: &World| {
        rendered = true;
        Ok::<_, OpError>(Rendered::new(world.array.raid_groups.len().to_string().into_bytes()))
    });
    (String::from_utf8_lossy(&page.expect("it is rendered").json).into_owned(), rendered)
}

#[test]
fn a_page_is_rendered_once_and_again_when_something_has_changed() {
    let (time, _site, hosted) = lab(world(ClockMode::Real), Journal::BUDGET);
    assert_eq!(page(&hosted, "a"), ("0".into(), true));
    time.pass(60);
    assert_eq!(page(&hosted, "a"), ("0".into(), false), "time alone changes nothing");
    assert_eq!(page(&hosted, "b"), ("0".into(), true), "another question");
    hosted.execute(somebody(), group("RG0"), |_, _| ()).expect("there are drives");
    assert_eq!(page(&hosted, "a"), ("1".into(), true));
    assert_eq!(page(&hosted, "a"), ("1".into(), false));
    for other in 0..16 {
        assert!(page(&hosted, &other.to_string()).1);
    }
    assert!(page(&hosted, "a").1, "few are kept");
}

#[test]
fn no_page_is_kept_while_something_is_to_come() {
    let (time, _site, hosted) = lab(world(ClockMode::Real), Journal::BUDGET);
    let operation: AnyOperation = group("RG0").into();
    let submit = crate::ops::job::Submit { operation: Box::new(operation), after: Some(SimSpan::seconds(10)) };
    hosted.execute(somebody(), submit, |_, _| ()).expect("it can wait");
    assert_eq!(page(&hosted, "a"), ("0".into(), true));
    assert_eq!(page(&hosted, "a"), ("0".into(), true));
    time.pass(11);
    assert_eq!(page(&hosted, "a"), ("1".into(), true), "its turn has come, with nobody asking");
    assert_eq!(page(&hosted, "a"), ("1".into(), false));
}
