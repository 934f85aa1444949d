//! The vocabulary: sizes, times, rates and ratios as types, so that a number never travels without its unit.
//!
//! Owns: how a size or a span is written and read (`"5TiB"`, `"10m"`), and the integer arithmetic on them.
//! Must not know: anything else; this room imports nothing of the house.
//! Read first: [`bytes`].

mod bytes;
mod ratio;
mod time;

pub use bytes::{Bytes, BytesError};
pub use ratio::{PartsPerMillion, Ratio, RatioError};
pub use time::{SimSpan, SimTime, SpanError};

mod schema;
