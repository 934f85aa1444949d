//! Shares in parts per million and reduction ratios in thousandths.

use std::fmt;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Bytes;

/// A share or a factor in millionths: 1,000,000 is the whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PartsPerMillion(pub u64);

impl PartsPerMillion {
    /// The whole.
    pub const ONE: PartsPerMillion = PartsPerMillion(1_000_000);
    /// As a plain factor, for `perf`, which computes in floating point and stores nothing.
    #[expect(clippy::cast_precision_loss, reason = "millionths in use stay far below 2^53")]
    pub fn factor(self) -> f64 {
        self.0 as f64 / 1e6
    }
}

/// How far data shrinks: bytes before over bytes after, 1 to 1000, kept in thousandths. Written as a plain number (`2.5` is 2.5 : 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ratio(u32);

/// A number that is no reduction ratio.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RatioError(String);

impl Ratio {
    /// Nothing is saved.
    pub const ONE: Ratio = Ratio(1000);

    /// From thousandths, 1,000 to 1,000,000.
    pub fn from_thousandths(thousandths: u32) -> Result<Ratio, RatioError> {
        if (1000..=1_000_000).contains(&thousandths) { Ok(Ratio(thousandths)) } else { Err(RatioError(format!("{}", f64::from(thousandths) / 1000.0))) }
    }
    /// Bytes before over bytes after; of nothing it is 1, and it is never shown below 1.
    pub fn of(before: Bytes, after: Bytes) -> Ratio {
        let thousandths = (u128::from(before.get()) * 1000).checked_div(u128::from(after.get())).unwrap_or(1000);
        Ratio(u32::try_from(thousandths).unwrap_or(u32::MAX).clamp(1000, 1_000_000))
    }
    /// What `bytes` shrink to, rounded up to whole bytes.
    pub fn shrink(self, bytes: Bytes) -> Bytes {
        let exact = (u128::from(bytes.get()) * 1000).div_ceil(u128::from(self.0));
        Bytes::new(u64::try_from(exact).unwrap_or(u64::MAX))
    }
    /// In thousandths.
    pub const fn thousandths(self) -> u32 {
        self.0
    }
}

impl Default for Ratio {
    fn default() -> Ratio {
        Ratio::ONE
    }
}
impl fmt::Display for RatioError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} is not a reduction ratio: give bytes before over bytes after, 1 to 1000", self.0)
    }
}
impl std::error::Error for RatioError {}

impl Serialize for Ratio {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        if self.0.is_multiple_of(1000) { out.serialize_u32(self.0 / 1000) } else { out.serialize_f64(f64::from(self.0) / 1000.0) }
    }
}

impl<'de> Deserialize<'de> for Ratio {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Ratio, D::Error> {
        struct Reader;
        impl Visitor<'_> for Reader {
            type Value = Ratio;
            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a reduction ratio: bytes before over bytes after, 1 to 1000, such as 2.5")
            }
            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Ratio, E> {
                u32::try_from(value.saturating_mul(1000))
                    .ok()
                    .and_then(|t| Ratio::from_thousandths(t).ok())
                    .ok_or_else(|| E::custom(RatioError(value.to_string())))
            }
            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Ratio, E> {
                u64::try_from(value).map_err(|_| E::custom(RatioError(value.to_string()))).and_then(|v| self.visit_u64(v))
            }
            fn visit_f64<E: de::Error>(self, value: f64) -> Result<Ratio, E> {
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to lie between 1 and 1000")]
                if (1.0..=1000.0).contains(&value) { Ok(Ratio((value * 1000.0).round() as u32)) } else { Err(E::custom(RatioError(value.to_string()))) }
            }
        }
        input.deserialize_any(Reader)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_read_and_print_as_plain_numbers() {
        for text in ["1", "2.5", "1000", "1.333"] {
            let ratio: Ratio = serde_json::from_str(text).expect(text);
            assert_eq!(serde_json::to_string(&ratio).expect(text), text);
        }
        for text in ["0", "0.99", "1001", "-3", "\"two\""] {
            assert!(serde_json::from_str::<Ratio>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn shrinking_rounds_up_and_ratio_of_nothing_is_one() {
        assert_eq!(Ratio(3000).shrink(Bytes::new(10)), Bytes::new(4));
        assert_eq!(Ratio::of(Bytes::ZERO, Bytes::ZERO), Ratio::ONE);
        assert_eq!(Ratio::of(Bytes::new(10), Bytes::new(4)).thousandths(), 2500);
    }
}
