//! Lists that were rendered and are still true, because nothing was changed since and nothing is going on. Whoever asks for one again
//! and again gets the same bytes without the work.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::ops::World;

/// A state of an array in which nothing happens by itself: epoch and count of changes.
type Stamp = (u32, u64);

/// The newest pages of one array, few and small.
#[derive(Debug, Default)]
pub(super) struct Pages {
    kept: VecDeque<Page>,
}

#[derive(Debug)]
struct Page {
    asked: String,
    stamp: Stamp,
    json: Arc<[u8]>,
}

impl Pages {
    /// How many are kept.
    const MOST: usize = 4;
    /// What is larger is not kept.
    const BYTES_MAX: usize = 128 << 10;

    /// The page for what is asked, rendered now unless it is kept. It must follow from the value alone, not from the time.
    pub(super) fn page(&mut self, asked: &str, world: &World, render: impl FnOnce(&World) -> Vec<u8>) -> Arc<[u8]> {
        let Some(stamp) = Pages::stamp(world) else { return render(world).into() };
        if let Some(page) = self.kept.iter().find(|page| page.stamp == stamp && page.asked == asked) {
            return Arc::clone(&page.json);
        }
        let json: Arc<[u8]> = render(world).into();
        if json.len() <= Pages::BYTES_MAX {
            self.kept.retain(|page| page.asked != asked);
            self.kept.truncate(Pages::MOST - 1);
            self.kept.push_front(Page { asked: asked.to_owned(), stamp, json: Arc::clone(&json) });
        }
        json
    }
    /// What stands for the value, unless something is to come in it by itself.
    fn stamp(world: &World) -> Option<Stamp> {
        world.agenda.next_time().is_none().then(|| (world.revisions.epoch, world.revisions.changes()))
    }
}
