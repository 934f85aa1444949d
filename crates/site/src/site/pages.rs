//! What was rendered and is still true, because nothing was changed since and nothing is going on. Whoever asks for it again and again gets
//! the same bytes without the work.

use std::collections::VecDeque;
use std::sync::Arc;

use super::Tag;
use crate::ops::World;

/// A state of an array in which nothing happens by itself: epoch and count of changes.
type Stamp = (u32, u64);

/// Something rendered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    /// The tag of what it shows, if it shows one thing.
    pub tag: Option<Tag>,
    /// Where the next page is, for fronts that say so beside the body.
    pub next: Option<Arc<str>>,
    /// As JSON.
    pub json: Arc<[u8]>,
}

impl Rendered {
    /// Of JSON alone.
    pub fn new(json: Vec<u8>) -> Rendered {
        Rendered { tag: None, next: None, json: json.into() }
    }
}

/// The newest answers of one array, few and small.
#[derive(Debug, Default)]
pub(super) struct Pages {
    kept: VecDeque<Page>,
}

#[derive(Debug)]
struct Page {
    asked: String,
    stamp: Stamp,
    rendered: Rendered,
}

impl Pages {
    /// How many are kept.
    const MOST: usize = 16;
    /// How much is kept, in bytes.
    const BYTES_MAX: usize = 256 << 10;

    /// The answer to what is asked, rendered now unless it is kept. It must follow from the value alone, not from the time. A refusal is not
    /// kept.
    pub(super) fn page<E>(&mut self, asked: &str, world: &World, render: impl FnOnce(&World) -> Result<Rendered, E>) -> Result<Rendered, E> {
        let Some(stamp) = Pages::stamp(world) else { return render(world) };
        if let Some(page) = self.kept.iter().find(|page| page.stamp == stamp && page.asked == asked) {
            return Ok(page.rendered.clone());
        }
        let rendered = render(world)?;
        self.kept.retain(|page| page.stamp == stamp);
        self.kept.push_front(Page { asked: asked.to_owned(), stamp, rendered: rendered.clone() });
        self.kept.truncate(Pages::MOST);
        while self.kept.iter().map(|page| page.rendered.json.len()).sum::<usize>() > Pages::BYTES_MAX {
            self.kept.pop_back();
        }
        Ok(rendered)
    }
    /// What stands for the value, unless something is to come in it by itself.
    fn stamp(world: &World) -> Option<Stamp> {
        world.agenda.next_time().is_none().then(|| (world.revisions.epoch, world.revisions.changes()))
    }
}
