//! Which parts of a volume are written, and which of those blocks it shares.
//!
//! No data is stored. Writes fill the unwritten space from the beginning, then overwrite from the beginning round and round, so
//! the written part is always a prefix, and a few extents tell for every address which *generation* of the data lies there. Taking
//! a snapshot freezes the present generation; the next write begins a new one. Two holders of one lineage share a block exactly
//! where they have the same generation at the same address; that makes unique, shared and snapshot bytes exact.

use serde::{Deserialize, Serialize};

use crate::units::Bytes;

/// Extents of a volume's written part, each up to the next.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layout {
    extents: Vec<Extent>,
    cursor: Bytes,
}

/// From the end of the extent before it to `end`, data of one generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extent {
    /// Where it ends.
    pub end: Bytes,
    /// When its data was written.
    pub generation: u64,
}

impl Layout {
    /// `bytes` of one generation, from the beginning.
    pub fn filled(bytes: Bytes, generation: u64) -> Layout {
        let extents = if bytes.is_zero() { Vec::new() } else { vec![Extent { end: bytes, generation }] };
        Layout { extents, cursor: Bytes::ZERO }
    }
    /// Bytes written: a prefix of the volume.
    pub fn written(&self) -> Bytes {
        self.extents.last().map_or(Bytes::ZERO, |extent| extent.end)
    }
    /// Where the next overwrite begins.
    pub const fn cursor(&self) -> Bytes {
        self.cursor
    }
    /// The extents as (start, end, generation).
    pub fn ranges(&self) -> impl Iterator<Item = (Bytes, Bytes, u64)> {
        let starts = std::iter::once(Bytes::ZERO).chain(self.extents.iter().map(|extent| extent.end));
        starts.zip(&self.extents).map(|(start, extent)| (start, extent.end, extent.generation))
    }
    /// After writing `bytes` of one generation to a volume of `size`: unwritten space first, then over what is there.
    #[must_use]
    pub fn after_write(&self, bytes: Bytes, size: Bytes, generation: u64) -> Layout {
        let mut after = self.clone();
        let written = self.written();
        let fill = bytes.min(size - written);
        after.paint(written, written + fill, generation);
        let over = bytes - fill;
        let whole = after.written();
        if over >= whole {
            after.paint(Bytes::ZERO, whole, generation);
        } else {
            let end = after.cursor + over;
            after.paint(after.cursor, end.min(whole), generation);
            after.paint(Bytes::ZERO, end - end.min(whole), generation);
        }
        if !whole.is_zero() {
            after.cursor = Bytes::new(u64::try_from((u128::from(after.cursor.get()) + u128::from(over.get())) % u128::from(whole.get())).unwrap_or(0));
        }
        after
    }
    /// How many different bytes such a write touches.
    pub fn touched_by(&self, bytes: Bytes, size: Bytes) -> Bytes {
        let written = self.written();
        let fill = bytes.min(size - written);
        let (over, whole) = (bytes - fill, written + fill);
        if over >= whole {
            return whole;
        }
        let end = self.cursor + over;
        fill + (end.min(written) - self.cursor) + (end - whole)
    }
    /// After the last `bytes` of the written part have been unmapped.
    #[must_use]
    pub fn after_unmap(&self, bytes: Bytes) -> Layout {
        let keep = self.written() - bytes;
        let mut after = Layout { extents: Vec::new(), cursor: if self.cursor < keep { self.cursor } else { Bytes::ZERO } };
        for (_, end, generation) in self.ranges().filter(|(start, ..)| *start < keep) {
            after.extents.push(Extent { end: end.min(keep), generation });
        }
        after
    }
    /// As much of it as a volume of `size` holds.
    #[must_use]
    pub fn fitted(&self, size: Bytes) -> Layout {
        if self.written() <= size { self.clone() } else { self.after_unmap(self.written() - size) }
    }
    /// Bytes that `other` has not, or has of another generation.
    pub fn missing_from(&self, other: &Layout) -> Bytes {
        union([self, other].into_iter()) - other.written()
    }
    fn paint(&mut self, from: Bytes, to: Bytes, generation: u64) {
        if from >= to {
            return;
        }
        let mut painted: Vec<Extent> = Vec::with_capacity(self.extents.len() + 2);
        let mut push = |end: Bytes, generation: u64| match painted.last_mut() {
            Some(last) if last.generation == generation => last.end = last.end.max(end),
            Some(last) if last.end >= end => {}
            _ => painted.push(Extent { end, generation }),
        };
        for (start, end, old) in self.ranges() {
            if start < from {
                push(end.min(from), old);
            }
            if end > from && start < to {
                push(to.min(end), generation);
            }
            if end > to {
                push(end, old);
            }
        }
        if self.written() < to {
            push(to, generation);
        }
        self.extents = painted;
    }
}

/// Bytes of the union of several layouts of one lineage: each block counted once however many hold it.
pub(super) fn union<'a>(layouts: impl Iterator<Item = &'a Layout>) -> Bytes {
    let mut ranges: Vec<(u64, Bytes, Bytes)> = layouts.flat_map(Layout::ranges).map(|(start, end, generation)| (generation, start, end)).collect();
    ranges.sort_unstable();
    let mut total = Bytes::ZERO;
    let mut reached: Option<(u64, Bytes)> = None;
    for (generation, start, end) in ranges {
        let from = match reached {
            Some((same, upto)) if same == generation => start.max(upto),
            _ => start,
        };
        total += end - from;
        reached = Some((generation, end.max(from)));
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extents(layout: &Layout) -> Vec<(u64, u64)> {
        layout.extents.iter().map(|extent| (extent.end.get(), extent.generation)).collect()
    }

    #[test]
    fn writes_fill_then_go_round() {
        let size = Bytes::new(100);
        let first = Layout::default().after_write(Bytes::new(60), size, 1);
        assert_eq!(extents(&first), [(60, 1)]);
        let full = first.after_write(Bytes::new(70), size, 2);
        assert_eq!((extents(&full), full.cursor().get()), (vec![(30, 2), (60, 1), (100, 2)], 30));
        let round = full.after_write(Bytes::new(90), size, 3);
        assert_eq!((extents(&round), round.cursor().get()), (vec![(20, 3), (30, 2), (100, 3)], 20));
        assert_eq!(extents(&round.after_write(Bytes::new(1000), size, 4)), [(100, 4)]);
    }

    #[test]
    fn unmapping_takes_the_tail() {
        let layout = Layout::default().after_write(Bytes::new(60), Bytes::new(100), 1).after_write(Bytes::new(70), Bytes::new(100), 2);
        assert_eq!(extents(&layout.after_unmap(Bytes::new(50))), [(30, 2), (50, 1)]);
        assert_eq!(layout.after_unmap(Bytes::MAX), Layout::default());
        assert_eq!((extents(&layout.fitted(Bytes::new(40))), layout.fitted(Bytes::new(100))), (vec![(30, 2), (40, 1)], layout.clone()));
        assert_eq!((extents(&Layout::filled(Bytes::new(9), 3)), Layout::filled(Bytes::ZERO, 3)), (vec![(9, 3)], Layout::default()));
    }

    #[test]
    fn shared_blocks_count_once() {
        let size = Bytes::new(100);
        let frozen = Layout::default().after_write(Bytes::new(100), size, 1);
        let live = frozen.after_write(Bytes::new(30), size, 2);
        assert_eq!(union([&frozen, &live].into_iter()), Bytes::new(130));
        assert_eq!(union([&live].into_iter()), Bytes::new(100));
        let other = frozen.after_write(Bytes::new(50), size, 3);
        assert_eq!(union([&other, &live].into_iter()), Bytes::new(150), "70 of the first generation, 30 and 50 of the later ones");
        assert_eq!((frozen.missing_from(&live), live.missing_from(&frozen), other.missing_from(&live)), (Bytes::new(30), Bytes::new(30), Bytes::new(50)));
        assert_eq!(frozen.missing_from(&Layout::default()), Bytes::new(100));
    }
}
