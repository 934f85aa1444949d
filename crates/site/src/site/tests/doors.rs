//! Doors of arrays, and what a server keeps beside its arrays.

use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::engine::ClockMode;
use crate::site::test_site::{Folder, lab, world};
use crate::site::{Door, Journal, Site};

#[derive(Debug)]
struct Flap(&'static str, Arc<AtomicBool>);

impl Door for Flap {
    fn address(&self) -> SocketAddr {
        ([127, 0, 0, 1], 443).into()
    }
    fn url(&self) -> String {
        self.0.to_owned()
    }
}

impl Drop for Flap {
    fn drop(&mut self) {
        self.1.store(true, Ordering::Release);
    }
}

fn flap(url: &'static str) -> (Box<dyn Door>, Arc<AtomicBool>) {
    let closed = Arc::new(AtomicBool::new(false));
    (Box::new(Flap(url, Arc::clone(&closed))), closed)
}

#[test]
fn an_array_has_one_door_which_goes_with_it() {
    let (_time, site, hosted) = lab(world(ClockMode::Manual), Journal::BUDGET);
    let url = || hosted.door(Door::url);
    assert_eq!((url(), hosted.close_door()), (None, false));
    let (one, one_closed) = flap("one");
    hosted.set_door(one);
    assert_eq!(url().as_deref(), Some("one"));
    let (two, two_closed) = flap("two");
    hosted.set_door(two);
    assert!(one_closed.load(Ordering::Acquire) && !two_closed.load(Ordering::Acquire));
    assert_eq!((url().as_deref(), hosted.close_door(), url()), (Some("two"), true, None));
    let (three, three_closed) = flap("three");
    hosted.set_door(three);
    site.remove("lab").expect("it is there");
    assert!(three_closed.load(Ordering::Acquire), "somebody still holds the array");
}

#[test]
fn what_a_server_keeps_is_for_nobody_else_to_read() {
    let folder = Folder::new();
    let (_, site, _) = folder.open(1 << 24).expect("an empty folder");
    assert_eq!(site.kept("tls.pem").expect("readable"), None);
    site.keep("tls.pem", "secret").expect("there is room");
    drop(site);
    let (_, site, found) = folder.open(1 << 24).expect("it is no array");
    assert!(found.is_empty());
    assert_eq!(site.kept("tls.pem").expect("readable").as_deref(), Some("secret"));
    let mode = std::fs::metadata(folder.0.join("tls.pem")).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let site = Site::new();
    site.keep("tls.pem", "secret").expect("nothing to do");
    assert_eq!(site.kept("tls.pem").expect("nothing to read"), None);
}
