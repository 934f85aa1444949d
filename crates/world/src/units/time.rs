//! Virtual time: instants and spans in microseconds.

use std::fmt;
use std::ops::Add;
use std::str::FromStr;

use jiff::{SignedDuration, Timestamp};
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Bytes;

/// An instant of an array's virtual time, in microseconds since the array's own beginning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SimTime(pub u64);

/// A length of virtual time in microseconds. Written in requests as `"10m"`, `"1h 30m"`, `"PT10M"` or a number of seconds, in answers as text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SimSpan(pub u64);

/// Text that is no span of time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpanError(String);

impl SimTime {
    /// The beginning.
    pub const START: SimTime = SimTime(0);
    /// The time passed since `earlier`; none when `earlier` is later.
    pub fn since(self, earlier: SimTime) -> SimSpan {
        SimSpan(self.0.saturating_sub(earlier.0))
    }
    /// From RFC 3339 text, for an array whose time 0 is `epoch` (seconds since 1970); what lies before that is its beginning.
    pub fn from_stamp(text: &str, epoch: i64) -> Option<SimTime> {
        let stamp: Timestamp = text.parse().ok()?;
        let since = stamp.as_microsecond().saturating_sub(epoch.saturating_mul(1_000_000));
        Some(SimTime(u64::try_from(since).unwrap_or(0)))
    }
    /// RFC 3339 text in UTC, for an array whose time 0 is `epoch` (seconds since 1970).
    pub fn stamp(self, epoch: i64) -> String {
        let micros = epoch.saturating_mul(1_000_000).saturating_add(i64::try_from(self.0).unwrap_or(i64::MAX));
        Timestamp::from_microsecond(micros).map_or_else(|_| "9999-12-30T22:00:00Z".to_owned(), |stamp| stamp.to_string())
    }
}

impl Add<SimSpan> for SimTime {
    type Output = SimTime;
    fn add(self, span: SimSpan) -> SimTime {
        SimTime(self.0.saturating_add(span.0))
    }
}

impl SimSpan {
    /// No time at all.
    pub const ZERO: SimSpan = SimSpan(0);
    /// Whole seconds.
    pub const fn seconds(count: u64) -> SimSpan {
        SimSpan(count.saturating_mul(1_000_000))
    }
    /// Whole days.
    pub const fn days(count: u64) -> SimSpan {
        SimSpan::seconds(count.saturating_mul(86_400))
    }
    /// The time that `amount` takes at `per_second`, rounded up to a microsecond; at no speed, none (the work is done at once).
    pub fn to_move(amount: Bytes, per_second: Bytes) -> SimSpan {
        let exact = (u128::from(amount.get()) * 1_000_000).checked_add(u128::from(per_second.get()).saturating_sub(1));
        let micros = exact.and_then(|m| m.checked_div(u128::from(per_second.get()))).unwrap_or(0);
        SimSpan(u64::try_from(micros).unwrap_or(u64::MAX))
    }
    /// In seconds, for answers.
    #[expect(clippy::cast_precision_loss, reason = "spans in use stay far below 2^53 microseconds")]
    pub fn as_seconds(self) -> f64 {
        self.0 as f64 / 1e6
    }
    /// In seconds, rounded up.
    pub const fn whole_seconds(self) -> u64 {
        self.0.div_ceil(1_000_000)
    }
}

impl fmt::Display for SimSpan {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let span = SignedDuration::from_micros(i64::try_from(self.0).unwrap_or(i64::MAX));
        write!(out, "{span:#}")
    }
}
impl fmt::Display for SpanError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "'{}' is not a span of time: give seconds as a number, or text such as \"10m\", \"1h 30m\" or \"PT10M\"", self.0)
    }
}
impl std::error::Error for SpanError {}

impl FromStr for SimSpan {
    type Err = SpanError;
    fn from_str(text: &str) -> Result<SimSpan, SpanError> {
        let refuse = || SpanError(text.to_owned());
        let days = text.trim().split_once('d').and_then(|(days, rest)| Some((days.trim().parse::<u64>().ok()?, rest.trim())));
        let (days, rest) = match days {
            Some((days, "")) => return Ok(SimSpan::days(days)),
            Some((days, rest)) => (SimSpan::days(days), rest),
            None => (SimSpan::ZERO, text),
        };
        let span: SignedDuration = rest.parse().map_err(|_| refuse())?;
        u64::try_from(span.as_micros()).map(|micros| SimSpan(days.0.saturating_add(micros))).map_err(|_| refuse())
    }
}

impl Serialize for SimSpan {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for SimSpan {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<SimSpan, D::Error> {
        struct Reader;
        impl Visitor<'_> for Reader {
            type Value = SimSpan;
            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a span of time: seconds as a number, or text such as \"10m\"")
            }
            fn visit_u64<E: de::Error>(self, seconds: u64) -> Result<SimSpan, E> {
                Ok(SimSpan::seconds(seconds))
            }
            fn visit_i64<E: de::Error>(self, seconds: i64) -> Result<SimSpan, E> {
                u64::try_from(seconds).map(SimSpan::seconds).map_err(|_| E::custom(SpanError(seconds.to_string())))
            }
            fn visit_f64<E: de::Error>(self, seconds: f64) -> Result<SimSpan, E> {
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to lie in range")]
                if (0.0..1e12).contains(&seconds) { Ok(SimSpan((seconds * 1e6).round() as u64)) } else { Err(E::custom(SpanError(seconds.to_string()))) }
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<SimSpan, E> {
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
    fn spans_are_read_and_print_back() {
        for (text, seconds) in [("10m", 600), ("1h 30m", 5400), ("PT10M", 600), ("2d", 172_800), ("1d 1h", 90_000), ("0d", 0), ("90s", 90), ("0s", 0)] {
            let span: SimSpan = text.parse().expect(text);
            assert_eq!(span, SimSpan::seconds(seconds), "{text}");
            assert_eq!(span.to_string().parse::<SimSpan>().expect(text), span, "{text}");
        }
        for text in ["", "soon", "1d soon", "1d -1h", "-10m", "10", "1y"] {
            assert!(text.parse::<SimSpan>().is_err(), "{text}");
        }
    }

    #[test]
    fn stamps_are_utc_and_never_fail() {
        assert_eq!(SimTime(1_500_000).stamp(1_767_225_600), "2026-01-01T00:00:01.5Z");
        assert!(SimTime(u64::MAX).stamp(i64::MAX).ends_with('Z'));
    }

    #[test]
    fn moving_takes_amount_over_speed() {
        assert_eq!(SimSpan::to_move(Bytes::gib(10), Bytes::gib(1)), SimSpan::seconds(10));
        assert_eq!(SimSpan::to_move(Bytes::gib(10), Bytes::ZERO), SimSpan::ZERO);
    }
}
