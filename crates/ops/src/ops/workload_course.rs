//! What of a workload goes on as time passes: its schedule, and the data that it writes.

use super::{World, rules};
use crate::model::{Key, Noun, Object, OpError, Schedule, Table, Timetable, Workload, WorkloadState, Writing};
use crate::perf::report::measure;
use crate::units::{Bytes, PartsPerMillion, SimSpan};

/// The highest load in percent.
const PERCENT_MAX: u64 = 1_000;
/// The shortest step of a schedule that comes to an end.
const SHORTEST: SimSpan = SimSpan::seconds(1);
/// The shortest step of a schedule that goes on for ever.
const SHORTEST_FOR_EVER: SimSpan = SimSpan::seconds(60);
/// The longest step.
const LONGEST: SimSpan = SimSpan::days(366);
/// A day.
const DAY: SimSpan = SimSpan::days(1);

/// Every number of a schedule must lie in its range.
pub(super) fn schedule_is_in_range(schedule: &Schedule) -> Result<(), OpError> {
    match schedule {
        Schedule::Steady => Ok(()),
        Schedule::Ramp { from_percent, to_percent, over, step } => {
            is_percent("schedule.ramp.from_percent", *from_percent)?;
            is_percent("schedule.ramp.to_percent", *to_percent)?;
            let step = step.unwrap_or(Schedule::RAMP_STEP);
            is_between("schedule.ramp.step", step, (SHORTEST, LONGEST))?;
            is_between("schedule.ramp.over", *over, (SHORTEST, SimSpan(step.0.saturating_mul(Schedule::RAMP_STEPS))))
        }
        Schedule::Day { low_percent, high_percent, peak_hour, step } => {
            is_percent("schedule.day.low_percent", *low_percent)?;
            is_percent("schedule.day.high_percent", *high_percent)?;
            rules::in_range(Noun::Workload, "schedule.day.peak_hour", u64::from(peak_hour.unwrap_or(0)), (0, 23))?;
            let step = step.unwrap_or(Schedule::DAY_STEP);
            is_between("schedule.day.step", step, (SHORTEST_FOR_EVER, SimSpan(DAY.0 / 4)))?;
            if DAY.0.is_multiple_of(step.0) {
                return Ok(());
            }
            let (field, expected) = ("schedule.day.step".into(), "a span of which a whole number makes a day".into());
            Err(OpError::ValueInvalid { noun: Noun::Workload, field, value: step.to_string(), expected })
        }
        Schedule::Steps { percents, each, maximum } => {
            let percents = percents.clone().unwrap_or_else(Schedule::usual_percents);
            rules::in_range(Noun::Workload, "schedule.steps.percents", percents.len() as u64, (1, 100))?;
            percents.iter().try_for_each(|percent| is_percent("schedule.steps.percents", *percent))?;
            is_between("schedule.steps.each", each.unwrap_or(Schedule::EACH), (SHORTEST, LONGEST))?;
            rules::in_range(Noun::Workload, "schedule.steps.maximum", maximum.unwrap_or(1), (1, 100_000_000))
        }
        Schedule::OnOff { on, off } => {
            is_between("schedule.on_off.on", *on, (SHORTEST_FOR_EVER, LONGEST))?;
            is_between("schedule.on_off.off", *off, (SHORTEST_FOR_EVER, LONGEST))
        }
    }
}

fn is_percent(field: &str, percent: u32) -> Result<(), OpError> {
    rules::in_range(Noun::Workload, field, u64::from(percent), (0, PERCENT_MAX))
}

fn is_between(field: &str, span: SimSpan, (least, most): (SimSpan, SimSpan)) -> Result<(), OpError> {
    if (least..=most).contains(&span) {
        return Ok(());
    }
    let (value, least, most) = (span.to_string(), least.to_string(), most.to_string());
    Err(OpError::OutOfRange { noun: Noun::Workload, field: field.to_owned(), value, least, most })
}

/// The timetable that begins now; none for a steady load. `trial` are the workloads as they would be, among them the one with that key.
/// What counts as 100 % of its steps is what it gets without a limit, beside what runs now.
pub(super) fn timetable(world: &World, schedule: &Schedule, mut trial: Table<Workload>, key: Key<Workload>) -> Result<Option<Timetable>, OpError> {
    let begins = world.now();
    match schedule {
        Schedule::Steady => Ok(None),
        Schedule::Steps { maximum: None, .. } => {
            if let Some(workload) = trial.get_mut(key) {
                (workload.rate_limit, workload.state, workload.timetable, workload.level) = (None, WorkloadState::Running, None, PartsPerMillion::ONE);
            }
            let number = trial.get(key).map(Object::number);
            let report = measure(&world.array, &trial);
            let sample = report.workloads.iter().find(|sample| Some(sample.number) == number);
            let most = sample.map_or(0.0, |sample| sample.tps.unwrap_or(sample.iops)) as u64;
            if most == 0 {
                let because = "the workload gets nothing done now that could count as 100 %".into();
                return Err(OpError::Missing { noun: Noun::Workload, field: "schedule.steps.maximum".into(), because });
            }
            Ok(Some(Timetable { schedule: schedule.clone(), begins, maximum: Some(most) }))
        }
        Schedule::Steps { maximum, .. } => Ok(Some(Timetable { schedule: schedule.clone(), begins, maximum: *maximum })),
        _ => Ok(Some(Timetable { schedule: schedule.clone(), begins, maximum: None })),
    }
}

/// Whether its writes bring in data; a working set says so, too.
pub(super) fn writing(writes_data: Option<bool>, working_set: Option<Bytes>, present: Option<Writing>) -> Result<Option<Writing>, OpError> {
    if writes_data == Some(false) && working_set.is_some() {
        let because = "a workload that writes no data has no working set".into();
        return Err(OpError::Conflicting { noun: Noun::Workload, fields: vec!["writes_data".into(), "working_set".into()], because });
    }
    if let Some(set) = working_set {
        rules::in_range(Noun::Workload, "working_set", set.get(), (1 << 20, 1 << 60))?;
    }
    Ok(match (writes_data, working_set) {
        (Some(false), _) => None,
        (None, None) => present,
        (_, working_set) => Some(Writing { working_set: working_set.or(present.and_then(|present| present.working_set)) }),
    })
}
