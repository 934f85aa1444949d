//! How a workload's load changes as time passes. Always in steps: load stays as it is between two changes.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::units::{PartsPerMillion, SimSpan, SimTime};

/// A course of load in percent. It scales the workload's rate, or its users where it has none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[schema(examples(json!({"ramp": {"from_percent": 10, "to_percent": 100, "over": "1h"}})))]
pub enum Schedule {
    /// Always the same: no schedule.
    Steady,
    /// From one load to another in even steps, then on with that.
    Ramp {
        /// Where it begins, 0 to 1,000.
        from_percent: u32,
        /// Where it ends, 0 to 1,000.
        to_percent: u32,
        /// How long that takes; at most 10,000 steps.
        over: SimSpan,
        /// The length of a step, at least a second; a minute if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        step: Option<SimSpan>,
    },
    /// With the hours of the virtual day (UTC), up and down in a cosine.
    Day {
        /// Twelve hours from the peak, 0 to 1,000.
        low_percent: u32,
        /// At the peak, 0 to 1,000.
        high_percent: u32,
        /// The hour of the peak, 0 to 23; 14 if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        peak_hour: Option<u32>,
        /// The length of a step, a minute to six hours, of which a whole number makes a day; 15 minutes if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        step: Option<SimSpan>,
    },
    /// One load after another, as VDBench does: the users stay, the rate is a share of the most that they can get. Then nothing any more.
    Steps {
        /// The loads, 1 to 100 of 0 to 1,000; 10, 20 .. 120 if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        percents: Option<Vec<u32>>,
        /// How long each lasts, at least a second; a minute if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        each: Option<SimSpan>,
        /// Requests per second that count as 100 %; what they can get when it begins if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        maximum: Option<u64>,
    },
    /// On and off again, beginning with on.
    OnOff {
        /// How long it is on, at least a minute.
        on: SimSpan,
        /// How long it is off, at least a minute.
        off: SimSpan,
    },
}

/// A schedule that has begun.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timetable {
    /// The schedule.
    pub schedule: Schedule,
    /// When it began.
    pub begins: SimTime,
    /// Requests per second that count as 100 %, where a schedule has its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maximum: Option<u64>,
}

/// A day in microseconds.
const DAY: u64 = 86_400_000_000;
/// An hour in microseconds.
const HOUR: u64 = DAY / 24;
/// (1 + cos) / 2 of the hours from the peak, in millionths.
const CURVE: [u64; 13] = [1_000_000, 982_963, 933_013, 853_553, 750_000, 629_410, 500_000, 370_590, 250_000, 146_447, 66_987, 17_037, 0];

impl Schedule {
    /// The length of a step of a ramp that does not say it.
    pub const RAMP_STEP: SimSpan = SimSpan::seconds(60);
    /// The length of a step of a day that does not say it.
    pub const DAY_STEP: SimSpan = SimSpan::seconds(900);
    /// How long each load of [`Schedule::Steps`] lasts that does not say it.
    pub const EACH: SimSpan = SimSpan::seconds(60);
    /// The most steps of a ramp.
    pub const RAMP_STEPS: u64 = 10_000;

    /// The loads of [`Schedule::Steps`] that do not say them.
    pub fn usual_percents() -> Vec<u32> {
        (1..=12).map(|step| step * 10).collect()
    }
    /// The load and when it changes next, if it does, `passed` after the beginning and at `time_of_day`.
    fn stands(&self, passed: u64, time_of_day: u64) -> (PartsPerMillion, Option<u64>) {
        match self {
            Schedule::Steady => (PartsPerMillion::ONE, None),
            Schedule::Ramp { from_percent, to_percent, over, step } => {
                let step = step.unwrap_or(Schedule::RAMP_STEP).0.max(1);
                let (done, steps) = (passed / step, over.0.div_ceil(step));
                if done >= steps {
                    return (percent(*to_percent), None);
                }
                let part = |percent: u32, parts: u64| u128::from(self::percent(percent).0) * u128::from(parts) / u128::from(steps);
                let level = part(*from_percent, steps - done) + part(*to_percent, done);
                (PartsPerMillion(u64::try_from(level).unwrap_or(u64::MAX)), Some((done + 1) * step - passed))
            }
            Schedule::Day { low_percent, high_percent, peak_hour, step } => {
                let step = step.unwrap_or(Schedule::DAY_STEP).0.max(1);
                let middle = (time_of_day - time_of_day % step + step / 2) % DAY;
                let part = curve(middle.abs_diff(u64::from(peak_hour.unwrap_or(14) % 24) * HOUR));
                let level = (percent(*low_percent).0 * (1_000_000 - part) + percent(*high_percent).0 * part) / 1_000_000;
                (PartsPerMillion(level), Some(step - time_of_day % step))
            }
            Schedule::Steps { percents, each, .. } => {
                let each = each.unwrap_or(Schedule::EACH).0.max(1);
                let done = passed / each;
                let percents = percents.clone().unwrap_or_else(Schedule::usual_percents);
                let level = usize::try_from(done).ok().and_then(|done| percents.get(done));
                (level.map_or(PartsPerMillion(0), |level| percent(*level)), level.map(|_| (done + 1) * each - passed))
            }
            Schedule::OnOff { on, off } => {
                let place = passed % (on.0 + off.0).max(1);
                if place < on.0 { (PartsPerMillion::ONE, Some(on.0 - place)) } else { (PartsPerMillion(0), Some((on.0 + off.0).max(1) - place)) }
            }
        }
    }
}

impl Timetable {
    /// The load at `now` and when it changes next, if it does, in an array whose time 0 is `epoch` (seconds since 1970).
    pub fn stands(&self, now: SimTime, epoch: i64) -> (PartsPerMillion, Option<SimTime>) {
        let begin_of_day = u64::try_from(epoch.rem_euclid(86_400)).unwrap_or(0) * 1_000_000;
        let (level, next) = self.schedule.stands(now.since(self.begins).0, (begin_of_day + now.0 % DAY) % DAY);
        (level, next.map(|next| now + SimSpan(next.max(1))))
    }
}

const fn percent(percent: u32) -> PartsPerMillion {
    PartsPerMillion(percent as u64 * 10_000)
}

/// The height of the day's curve so far from its peak, in millionths.
fn curve(from_peak: u64) -> u64 {
    let from_peak = from_peak.min(DAY - from_peak.min(DAY));
    let hour = usize::try_from(from_peak / HOUR).unwrap_or(0).min(11);
    let within = from_peak - (hour as u64 * HOUR).min(from_peak);
    CURVE[hour] - (CURVE[hour] - CURVE[hour + 1]) * within.min(HOUR) / HOUR
}

#[cfg(test)]
mod tests {
    use super::*;

    fn course(schedule: Schedule, epoch: i64) -> Vec<(u64, u64)> {
        let timetable = Timetable { schedule, begins: SimTime(5), maximum: None };
        let (mut now, mut course) = (SimTime(5), Vec::new());
        loop {
            let (level, next) = timetable.stands(now, epoch);
            course.push(((now.0 - 5) / 1_000_000, level.0 / 10_000));
            match next {
                Some(next) if course.len() < 200 => now = next,
                _ => return course,
            }
        }
    }

    #[test]
    fn ramps_go_up_and_down_in_even_steps_and_stay() {
        let ramp = |from_percent, to_percent| Schedule::Ramp { from_percent, to_percent, over: SimSpan::seconds(240), step: None };
        assert_eq!(course(ramp(20, 100), 0), [(0, 20), (60, 40), (120, 60), (180, 80), (240, 100)]);
        assert_eq!(course(ramp(100, 0), 0), [(0, 100), (60, 75), (120, 50), (180, 25), (240, 0)]);
        let none = Schedule::Ramp { from_percent: 1, to_percent: 7, over: SimSpan::ZERO, step: None };
        assert_eq!(course(none, 0), [(0, 7)]);
    }

    #[test]
    fn steps_are_vdbenchs_and_end() {
        let steps = course(Schedule::Steps { percents: None, each: None, maximum: None }, 0);
        assert_eq!(steps.len(), 13);
        assert_eq!((steps[0], steps[11], steps[12]), ((0, 10), (660, 120), (720, 0)));
    }

    #[test]
    fn on_and_off_again() {
        let on_off = course(Schedule::OnOff { on: SimSpan::seconds(60), off: SimSpan::seconds(120) }, 0);
        assert_eq!(on_off[..4], [(0, 100), (60, 0), (180, 100), (240, 0)]);
    }

    #[test]
    fn a_day_has_its_peak_at_its_hour_wherever_time_begins() {
        for epoch in [0, 1_767_225_600, -3_600, 54_321] {
            let day = course(Schedule::Day { low_percent: 20, high_percent: 100, peak_hour: Some(14), step: Some(SimSpan::seconds(3600)) }, epoch);
            // The course began 5 microseconds late, so whole seconds fall just short of the hour.
            let hour = |(second, _): &(u64, u64)| (epoch.rem_euclid(86_400) + i64::try_from(*second).expect("small") + 1) / 3600 % 24;
            let highest = day.iter().map(|(_, level)| *level).max().expect("a day");
            assert!(day.iter().filter(|one| one.1 == highest).all(|one| [13, 14].contains(&hour(one))), "{epoch}");
            assert!(day.iter().filter(|one| hour(one) == 2).all(|one| one.1 <= 21) && highest >= 99, "{epoch}");
        }
    }
}
