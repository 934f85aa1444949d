//! A number of bytes.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub, SubAssign};
use std::str::FromStr;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// A size in bytes. Written in requests as an integer or as text with a unit (`"5TiB"`, `"1.92TB"`), in answers as an integer.
///
/// Addition and subtraction saturate: a size is never negative and never wraps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Bytes(u64);

/// Text that is not a size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BytesError(String);

const UNITS: [(&str, u64); 12] = [
    ("", 1),
    ("b", 1),
    ("kb", 1_000),
    ("mb", 1_000_000),
    ("gb", 1_000_000_000),
    ("tb", 1_000_000_000_000),
    ("pb", 1_000_000_000_000_000),
    ("kib", 1 << 10),
    ("mib", 1 << 20),
    ("gib", 1 << 30),
    ("tib", 1 << 40),
    ("pib", 1 << 50),
];

impl Bytes {
    /// No bytes.
    pub const ZERO: Bytes = Bytes(0);
    /// The largest size that can be written.
    pub const MAX: Bytes = Bytes(u64::MAX);

    /// A size of `count` bytes.
    pub const fn new(count: u64) -> Bytes {
        Bytes(count)
    }
    /// A size in MiB (1,048,576 bytes).
    pub const fn mib(count: u64) -> Bytes {
        Bytes(count << 20)
    }
    /// A size in GiB.
    pub const fn gib(count: u64) -> Bytes {
        Bytes(count << 30)
    }
    /// A size in TiB.
    pub const fn tib(count: u64) -> Bytes {
        Bytes(count << 40)
    }
    /// The plain number of bytes.
    pub const fn get(self) -> u64 {
        self.0
    }
    /// Whether there are none.
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }
    /// The next multiple of `unit` at or above this size. A unit of zero leaves it as it is; past the largest size it stays below.
    pub fn round_up(self, unit: Bytes) -> Bytes {
        if unit.0 == 0 { self } else { self.0.checked_next_multiple_of(unit.0).map_or_else(|| Bytes::MAX.round_down(unit), Bytes) }
    }
    /// The last multiple of `unit` at or below this size.
    pub fn round_down(self, unit: Bytes) -> Bytes {
        if unit.0 == 0 { self } else { Bytes(self.0 - self.0 % unit.0) }
    }
    /// `count` times this size.
    pub const fn times(self, count: u64) -> Bytes {
        Bytes(self.0.saturating_mul(count))
    }
    /// This size divided into `count` parts, rounded down; zero parts give zero.
    pub fn divided(self, count: u64) -> Bytes {
        Bytes(self.0.checked_div(count).unwrap_or(0))
    }
    /// `self x numerator / denominator`, rounded down, without overflow in between; a denominator of zero gives zero.
    pub fn scaled(self, numerator: u64, denominator: u64) -> Bytes {
        if denominator == 0 {
            return Bytes(0);
        }
        let exact = u128::from(self.0) * u128::from(numerator) / u128::from(denominator);
        Bytes(u64::try_from(exact).unwrap_or(u64::MAX))
    }
    /// Share of `whole` in whole percent, rounded down; of nothing it is 0.
    pub fn percent_of(self, whole: Bytes) -> u64 {
        if whole.0 == 0 { 0 } else { u64::try_from(u128::from(self.0) * 100 / u128::from(whole.0)).unwrap_or(u64::MAX) }
    }
}

impl Add for Bytes {
    type Output = Bytes;
    fn add(self, other: Bytes) -> Bytes {
        Bytes(self.0.saturating_add(other.0))
    }
}
impl Sub for Bytes {
    type Output = Bytes;
    fn sub(self, other: Bytes) -> Bytes {
        Bytes(self.0.saturating_sub(other.0))
    }
}
impl AddAssign for Bytes {
    fn add_assign(&mut self, other: Bytes) {
        *self = *self + other;
    }
}
impl SubAssign for Bytes {
    fn sub_assign(&mut self, other: Bytes) {
        *self = *self - other;
    }
}
impl Sum for Bytes {
    fn sum<I: Iterator<Item = Bytes>>(sizes: I) -> Bytes {
        sizes.fold(Bytes::ZERO, Add::add)
    }
}

impl fmt::Display for Bytes {
    /// A round number exactly, with the largest unit that gives at most five digits (`5 TiB`, `1920 GB`, `513 B`); others to two decimals (`11.52 TB`).
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: [(u64, &str); 10] = [
            (1 << 50, "PiB"),
            (1_000_000_000_000_000, "PB"),
            (1 << 40, "TiB"),
            (1_000_000_000_000, "TB"),
            (1 << 30, "GiB"),
            (1_000_000_000, "GB"),
            (1 << 20, "MiB"),
            (1_000_000, "MB"),
            (1 << 10, "KiB"),
            (1_000, "kB"),
        ];
        let round = SHOWN.iter().find(|(unit, _)| self.0 >= *unit && self.0.is_multiple_of(*unit) && self.0 / unit < 100_000);
        let decimal = || SHOWN.iter().find(|(unit, name)| self.0 >= *unit && !name.contains('i'));
        match (round, decimal()) {
            (Some((unit, name)), _) => write!(out, "{} {name}", self.0 / unit),
            (None, Some((unit, name))) if self.0 >= 100_000 => {
                let hundredths = u128::from(self.0) * 100 / u128::from(*unit);
                write!(out, "{}.{:02} {name}", hundredths / 100, hundredths % 100)
            }
            (None, _) => write!(out, "{} B", self.0),
        }
    }
}

impl fmt::Display for BytesError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "'{}' is not a size: give bytes as an integer, or a number with B, kB, MB, GB, TB, PB, KiB, MiB, GiB, TiB or PiB", self.0)
    }
}
impl std::error::Error for BytesError {}

impl FromStr for Bytes {
    type Err = BytesError;

    /// Reads `"512"`, `"5TiB"`, `"1.92 TB"`; letters of either case. Exact: decimals that do not come out in whole bytes are refused.
    fn from_str(text: &str) -> Result<Bytes, BytesError> {
        let refuse = || BytesError(text.to_owned());
        let trimmed = text.trim();
        let split = trimmed.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(trimmed.len());
        let (number, unit) = (&trimmed[..split], trimmed[split..].trim().to_ascii_lowercase());
        let unit = UNITS.iter().find(|(name, _)| *name == unit).ok_or_else(refuse)?.1;
        let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
        if whole.is_empty() || fraction.is_empty() || fraction.len() > 15 {
            return Err(refuse());
        }
        let whole: u64 = whole.parse().map_err(|_| refuse())?;
        let digits: u128 = fraction.parse().map_err(|_| refuse())?;
        let ten = 10u128.pow(u32::try_from(fraction.len()).map_err(|_| refuse())?);
        let part = digits * u128::from(unit);
        if !part.is_multiple_of(ten) {
            return Err(refuse());
        }
        let total = u128::from(whole) * u128::from(unit) + part / ten;
        u64::try_from(total).map(Bytes).map_err(|_| refuse())
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Bytes, D::Error> {
        struct Reader;
        impl Visitor<'_> for Reader {
            type Value = Bytes;
            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a size: bytes as an integer, or text with a unit such as \"5TiB\" or \"500GB\"")
            }
            fn visit_u64<E: de::Error>(self, count: u64) -> Result<Bytes, E> {
                Ok(Bytes(count))
            }
            fn visit_i64<E: de::Error>(self, count: i64) -> Result<Bytes, E> {
                u64::try_from(count).map(Bytes).map_err(|_| E::custom(BytesError(count.to_string())))
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Bytes, E> {
                text.parse().map_err(E::custom)
            }
        }
        input.deserialize_any(Reader)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_exactly() {
        for (text, bytes) in
            [("0", 0), ("512", 512), ("1.92TB", 1_920_000_000_000), ("5TiB", 5 << 40), (" 15.36 tb", 15_360_000_000_000), ("0.5KiB", 512), ("3B", 3)]
        {
            assert_eq!(text.parse::<Bytes>(), Ok(Bytes(bytes)), "{text}");
        }
        for text in ["", "-1", "1.", ".5GB", "1.0005kB1", "5 parsecs", "1e9", "20000000PB", "0.3B", "99999999999999999999"] {
            assert!(text.parse::<Bytes>().is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_are_shown_with_the_largest_unit_that_fits() {
        for (bytes, shown) in
            [(0, "0 B"), (513, "513 B"), (1 << 40, "1 TiB"), (1_920_000_000_000, "1920 GB"), (24 << 20, "24 MiB"), (4_000_000_000_000, "4 TB")]
        {
            assert_eq!(Bytes(bytes).to_string(), shown);
        }
    }

    #[test]
    fn rounding_never_wraps() {
        assert_eq!(Bytes(1).round_up(Bytes::mib(1)), Bytes::mib(1));
        assert_eq!(Bytes::MAX.round_up(Bytes::mib(1)), Bytes::MAX.round_down(Bytes::mib(1)));
        assert_eq!(Bytes(7).round_up(Bytes::ZERO), Bytes(7));
    }
}
