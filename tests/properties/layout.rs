//! Layouts against a table that holds one generation a block.

use arrayplane::model::Layout;
use arrayplane::units::Bytes;
use proptest::prelude::*;

/// The generation of every block, and where the next overwrite begins.
#[derive(Clone, Debug, Default)]
struct Blocks {
    written: Vec<u64>,
    cursor: usize,
}

impl Blocks {
    /// Writes block by block; answers how many different blocks were written.
    fn write(&mut self, bytes: u64, size: u64, generation: u64) -> u64 {
        let size = usize::try_from(size).expect("a small size");
        let mut touched = std::collections::BTreeSet::new();
        for _ in 0..bytes {
            if self.written.len() < size {
                touched.insert(self.written.len());
                self.written.push(generation);
            } else {
                touched.insert(self.cursor);
                self.written[self.cursor] = generation;
                self.cursor = (self.cursor + 1) % size;
            }
        }
        u64::try_from(touched.len()).expect("a small number")
    }
    fn unmap(&mut self, bytes: u64) {
        let keep = self.written.len().saturating_sub(usize::try_from(bytes).expect("a small number"));
        self.written.truncate(keep);
        self.cursor = if self.cursor < keep { self.cursor } else { 0 };
    }
}

fn blocks_of(layout: &Layout) -> Vec<u64> {
    layout.ranges().flat_map(|(start, end, generation)| (start.get()..end.get()).map(move |_| generation)).collect()
}

/// A source, and its snapshots one after the other: what each has kept because it was overwritten when it was the newest.
#[derive(Default)]
struct Chain {
    source: Blocks,
    kept: Vec<(usize, std::collections::BTreeSet<usize>)>,
}

impl Chain {
    fn snapshot(&mut self) {
        self.kept.push((self.source.written.len(), std::collections::BTreeSet::new()));
    }
    fn write(&mut self, bytes: u64, size: u64) {
        for _ in 0..bytes {
            let over = if self.source.written.len() < usize::try_from(size).expect("a small size") { self.source.written.len() } else { self.source.cursor };
            if let Some((_, kept)) = self.kept.last_mut().filter(|(held, _)| over < *held) {
                kept.insert(over);
            }
            self.source.write(1, size, 0);
        }
    }
}

proptest! {
    #[test]
    fn generations_keep_what_copying_block_by_block_would_keep(steps in prop::collection::vec((any::<bool>(), 0_u64..40), 1..30)) {
        let (mut layout, mut chain, mut images, mut generation, size) = (Layout::default(), Chain::default(), Vec::new(), 1, 20);
        for (snapshot, bytes) in steps {
            if snapshot {
                images.push(layout.clone());
                chain.snapshot();
                generation += 1;
            }
            layout = layout.after_write(Bytes::new(bytes), Bytes::new(size), generation);
            chain.write(bytes, size);
            for (place, (image, (_, kept))) in images.iter().zip(&chain.kept).enumerate() {
                let behind = images.get(place + 1).unwrap_or(&layout);
                prop_assert_eq!(image.missing_from(behind).get(), u64::try_from(kept.len()).expect("a small number"));
            }
        }
    }

    #[test]
    fn a_layout_is_what_block_by_block_would_be(steps in prop::collection::vec((any::<bool>(), 0_u64..60, 0_u64..4, 0_u64..5), 1..30)) {
        let (mut layout, mut blocks, mut size, mut generation) = (Layout::default(), Blocks::default(), 20, 1);
        for (write, bytes, newer, more) in steps {
            generation += newer;
            size += more;
            if write {
                let touched = layout.touched_by(Bytes::new(bytes), Bytes::new(size));
                layout = layout.after_write(Bytes::new(bytes), Bytes::new(size), generation);
                prop_assert_eq!(touched.get(), blocks.write(bytes, size, generation));
            } else {
                layout = layout.after_unmap(Bytes::new(bytes));
                blocks.unmap(bytes);
            }
            prop_assert_eq!(&blocks_of(&layout), &blocks.written);
            let cursor = usize::try_from(layout.cursor().get()).expect("a small number");
            prop_assert_eq!(cursor, blocks.cursor);
        }
    }
}
