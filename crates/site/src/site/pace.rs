//! How virtual time follows wall time: a straight line through an anchor.

use std::time::Duration;

use crate::engine::Clock;
use crate::units::{PartsPerMillion, SimSpan, SimTime};

const MICROS: u128 = PartsPerMillion::ONE.0 as u128;

/// An instant at which wall time and virtual time are known, and the speed from there on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pace {
    wall: Duration,
    virtual_time: SimTime,
    speed: PartsPerMillion,
}

impl Pace {
    /// The line that begins at `wall` with what the clock says.
    pub(super) const fn from(wall: Duration, clock: &Clock) -> Pace {
        Pace { wall, virtual_time: clock.now, speed: clock.speed() }
    }
    /// Virtual time at `wall`.
    pub(super) fn at(&self, wall: Duration) -> SimTime {
        let passed = wall.saturating_sub(self.wall).as_micros().saturating_mul(u128::from(self.speed.0)) / MICROS;
        self.virtual_time + SimSpan(u64::try_from(passed).unwrap_or(u64::MAX))
    }
    /// The wall time at which it will be `due`, rounded up; never, when the clock stands still.
    pub(super) fn wall_at(&self, due: SimTime) -> Option<Duration> {
        let ahead = u128::from(due.since(self.virtual_time).0) * MICROS;
        let wait = ahead.checked_add(u128::from(self.speed.0).saturating_sub(1))?.checked_div(u128::from(self.speed.0))?;
        self.wall.checked_add(Duration::from_micros(u64::try_from(wait).unwrap_or(u64::MAX)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::ClockMode;

    fn pace(mode: ClockMode, factor: u64) -> Pace {
        Pace::from(Duration::from_secs(100), &Clock { now: SimTime(5_000_000), mode, factor: PartsPerMillion(factor) })
    }

    #[test]
    fn a_real_clock_follows_wall_time() {
        let pace = pace(ClockMode::Real, 7);
        assert_eq!(pace.at(Duration::from_secs(103)), SimTime(8_000_000));
        assert_eq!(pace.at(Duration::from_secs(1)), SimTime(5_000_000), "wall time before the anchor is no time");
        assert_eq!(pace.wall_at(SimTime(8_000_000)), Some(Duration::from_secs(103)));
        assert_eq!(pace.wall_at(SimTime(0)), Some(Duration::from_secs(100)));
    }

    #[test]
    fn a_scaled_clock_runs_by_its_factor() {
        let fast = pace(ClockMode::Scaled, 60_000_000);
        assert_eq!(fast.at(Duration::from_secs(101)), SimTime(65_000_000));
        assert_eq!(fast.wall_at(SimTime(65_000_001)), Some(Duration::from_micros(101_000_001)), "rounded up");
        let slow = pace(ClockMode::Scaled, 500_000);
        assert_eq!(slow.at(Duration::from_secs(104)), SimTime(7_000_000));
    }

    #[test]
    fn a_manual_clock_stands_still() {
        let pace = pace(ClockMode::Manual, 1);
        assert_eq!(pace.at(Duration::from_secs(1_000_000)), SimTime(5_000_000));
        assert_eq!(pace.wall_at(SimTime(6_000_000)), None);
    }

    #[test]
    fn the_end_of_time_is_no_overflow() {
        let pace = pace(ClockMode::Scaled, u64::MAX);
        assert_eq!(pace.at(Duration::MAX), SimTime(u64::MAX));
        assert!(Pace::from(Duration::MAX, &Clock::default()).wall_at(SimTime(u64::MAX)).is_none());
    }
}
