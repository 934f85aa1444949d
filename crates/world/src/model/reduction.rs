//! Data reduction: what is switched on, and what it saves.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::units::{Bytes, PartsPerMillion, Ratio};

/// Which reductions are on for a pool, container or volume.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reduction {
    /// Equal blocks are stored once.
    pub deduplication: bool,
    /// Blocks are compressed.
    pub compression: bool,
}

/// The books of one domain of reduction (a pool or a container): bytes before and after.
///
/// The domain keeps the totals; what a volume saves is attributed to it by the bytes it holds, so the sums always agree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Savings {
    /// Bytes held before reduction.
    pub before: Bytes,
    /// Bytes that they take.
    pub after: Bytes,
}

impl Reduction {
    /// Nothing is on.
    pub const NONE: Reduction = Reduction { deduplication: false, compression: false };
    /// Whether anything is on.
    pub const fn is_on(self) -> bool {
        self.deduplication || self.compression
    }
}

impl fmt::Display for Reduction {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match (self.deduplication, self.compression) {
            (true, true) => "deduplication and compression",
            (true, false) => "deduplication only",
            (false, true) => "compression only",
            (false, false) => "no data reduction",
        })
    }
}

impl Savings {
    /// After `bytes` of data with that ratio have come in.
    #[must_use]
    pub fn with(self, bytes: Bytes, ratio: Ratio) -> Savings {
        Savings { before: self.before + bytes, after: self.after + ratio.shrink(bytes) }
    }
    /// After `bytes` have come in that the domain holds already, so that they take nothing.
    #[must_use]
    pub fn sharing(self, bytes: Bytes) -> Savings {
        Savings { before: self.before + bytes, after: self.after }
    }
    /// After `bytes` have gone: they take the domain's average with them; the last ones take all that is left.
    #[must_use]
    pub fn without(self, bytes: Bytes) -> Savings {
        let gone = self.after.scaled(bytes.get().min(self.before.get()), self.before.get());
        Savings { before: self.before - bytes, after: self.after - gone }
    }
    /// The part of `after` that `held` bytes answer for.
    pub fn attributed(self, held: Bytes) -> Bytes {
        self.after.scaled(held.get().min(self.before.get()), self.before.get())
    }
    /// Bytes before over bytes after.
    pub fn ratio(self) -> Ratio {
        Ratio::of(self.before, self.after)
    }
    /// The share of bytes saved.
    pub fn saved(self) -> PartsPerMillion {
        let saved = self.before - self.after;
        PartsPerMillion(Bytes::new(1_000_000).scaled(saved.get(), self.before.get()).get())
    }
}
