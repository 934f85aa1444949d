//! What flowed through something: operations, bytes, waiting and work, as whole numbers.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::units::SimSpan;

/// One of the things that are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gauge {
    /// Operations that read.
    Reads,
    /// Operations that write.
    Writes,
    /// Bytes read.
    ReadBytes,
    /// Bytes written.
    WriteBytes,
    /// Seconds that reads took together.
    ReadWait,
    /// Seconds that writes took together.
    WriteWait,
    /// The same if every read had taken as long as the slowest hundredth at least.
    ReadTail,
    /// The same of writes.
    WriteTail,
    /// Seconds of work.
    Busy,
}

/// An amount of each. Per second it is counted in billionths; what came together over time in [`Amounts::PARTS`] of one.
///
/// All sums are exact: what is attributed to the parts of something adds up to the whole, and so does what is counted in the parts of a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Amounts([u128; Amounts::GAUGES]);

impl Amounts {
    /// How many things are counted.
    const GAUGES: usize = 9;
    /// Nothing.
    pub const NONE: Amounts = Amounts([0; Amounts::GAUGES]);
    /// Billionths.
    pub const PER_SECOND: u128 = 1_000_000_000;
    /// What came together is counted in parts of one: billionths a second, times microseconds.
    pub const PARTS: u128 = Amounts::PER_SECOND * 1_000_000;

    /// One of them.
    pub const fn get(&self, gauge: Gauge) -> u128 {
        self.0[gauge as usize]
    }
    /// The same with another amount of one thing.
    #[must_use]
    pub const fn with(mut self, gauge: Gauge, amount: u128) -> Amounts {
        self.0[gauge as usize] = amount;
        self
    }
    /// Whether there is nothing.
    pub fn is_none(&self) -> bool {
        *self == Amounts::NONE
    }
    /// Adds others.
    pub fn add(&mut self, other: &Amounts) {
        self.0.iter_mut().zip(other.0).for_each(|(one, more)| *one = one.saturating_add(more));
    }
    /// What is left without others.
    #[must_use]
    pub fn without(mut self, other: &Amounts) -> Amounts {
        self.0.iter_mut().zip(other.0).for_each(|(one, less)| *one = one.saturating_sub(less));
        self
    }
    /// So many times as much.
    #[must_use]
    pub fn times(mut self, count: u128) -> Amounts {
        self.0.iter_mut().for_each(|one| *one = one.saturating_mul(count));
        self
    }
    /// What comes together in a time, if these are amounts per second.
    #[must_use]
    pub fn over(self, span: SimSpan) -> Amounts {
        self.times(u128::from(span.0))
    }
    /// The part between two marks of a whole; parts that lie side by side add up to it exactly.
    #[must_use]
    pub fn between(mut self, from: u128, to: u128, whole: u128) -> Amounts {
        let up_to = |amount: u128, mark: u128| amount.saturating_mul(mark).checked_div(whole).unwrap_or(0);
        self.0.iter_mut().for_each(|one| *one = up_to(*one, to).saturating_sub(up_to(*one, from)));
        self
    }
    /// Operations and bytes alone.
    #[must_use]
    pub fn of_operations(self) -> Amounts {
        self.only(&[Gauge::Reads, Gauge::Writes, Gauge::ReadBytes, Gauge::WriteBytes])
    }
    /// What operations took alone.
    #[must_use]
    pub fn of_waiting(self) -> Amounts {
        self.only(&[Gauge::ReadWait, Gauge::WriteWait, Gauge::ReadTail, Gauge::WriteTail])
    }
    fn only(&self, gauges: &[Gauge]) -> Amounts {
        gauges.iter().fold(Amounts::NONE, |some, gauge| some.with(*gauge, self.get(*gauge)))
    }
}

/// Each as the whole ones and the parts of one, so that no reader of JSON loses a digit.
impl Serialize for Amounts {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let split = |amount: &u128| [u64::try_from(amount / Amounts::PARTS).unwrap_or(u64::MAX), u64::try_from(amount % Amounts::PARTS).unwrap_or(0)];
        self.0.iter().flat_map(split).collect::<Vec<u64>>().serialize(out)
    }
}
impl<'de> Deserialize<'de> for Amounts {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Amounts, D::Error> {
        let parts = Vec::<u64>::deserialize(input)?;
        if parts.len() != 2 * Amounts::GAUGES {
            return Err(D::Error::invalid_length(parts.len(), &"two numbers for each thing that is counted"));
        }
        let mut amounts = Amounts::NONE;
        for (amount, pair) in amounts.0.iter_mut().zip(parts.chunks_exact(2)) {
            *amount = u128::from(pair[0]).saturating_mul(Amounts::PARTS).saturating_add(u128::from(pair[1]));
        }
        Ok(amounts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_add_up_to_the_whole() {
        let all = Amounts::NONE.with(Gauge::Reads, 1_000_000_007).with(Gauge::WriteBytes, 13);
        let mut sum = Amounts::NONE;
        for (from, to) in [(0, 3), (3, 4), (4, 7)] {
            sum.add(&all.between(from, to, 7));
        }
        assert_eq!(sum, all);
    }

    #[test]
    fn amounts_are_read_as_they_are_written() {
        let all = Amounts::NONE.with(Gauge::Reads, 7 * Amounts::PARTS + 5).with(Gauge::Busy, u128::from(u64::MAX) * Amounts::PARTS);
        let text = serde_json::to_string(&all).expect("data");
        assert_eq!(serde_json::from_str::<Amounts>(&text).expect("data"), all);
        assert!(serde_json::from_str::<Amounts>("[1,2]").is_err());
    }
}
