//! What the array did in the past, from its log of load ([`crate::model::LoadLog`]).
//!
//! Load and configuration stay as they are between two changes. At each change the data path is computed once ([`load`]) and entered
//! in the log as whole numbers; any chart ([`chart`]) of any window and resolution, and every counter ([`counters`]), is then a matter of
//! adding. In every bucket operations, bytes, busy time and queues are weighted by time, latencies by operations, so what is true at an
//! instant is true of buckets: volumes, ports and RAID groups each add up to the total, and fine buckets to coarse ones.
//!
//! Read [`load`] first, then [`chart`].

mod chart;
mod counters;
mod load;
mod noise;

#[cfg(test)]
mod chart_check;

pub use chart::{Metric, Subject, Window, chart};
pub use counters::{Counters, counters};
pub use load::{is_idle, load};
pub use noise::Noise;
