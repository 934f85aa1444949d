//! Letting virtual time pass.

use super::{Ctx, Due, Execute, JobStatus, Work, World, failover, filling, finish, history, schedule, watch};
use crate::model::Key;
use crate::units::SimTime;

/// Lets everything happen that is due by `to`, in order, and sets the clock. A time in the past changes nothing.
///
/// `advance(a); advance(b)` leaves the same bytes as `advance(b)` for a <= b.
pub fn advance<O: Execute>(world: &mut World<O>, to: SimTime) {
    while let Some(entry) = world.agenda.pop(to) {
        world.clock.now = world.clock.now.max(entry.time);
        match entry.due {
            Due::JobStarts(job) => start(world, job),
            Due::JobEnds(job) => finish::job(world, Key::from_raw(job)),
            Due::WorkloadTurns(workload) => schedule::follow(world, Key::from_raw(workload)),
            Due::DataArrives => filling::fill(world),
        }
        watch(world);
        history::notice(world);
    }
    world.clock.now = world.clock.now.max(to);
}

/// Lets what is due at this very moment happen, and the array notice what changed. Work without a duration is done here.
pub fn settle<O: Execute>(world: &mut World<O>) {
    watch(world);
    history::notice(world);
    advance(world, world.now());
}

/// When nothing will be running or queued any more, as far as can be told now, or the personality's limit from now, whichever comes first.
pub fn idle_time<O: Execute>(world: &World<O>) -> SimTime {
    let latest = world.now() + world.array.personality.idle_limit;
    let mut ahead = world.clone();
    while let Some(next) = ahead.agenda.next_job_time().filter(|next| *next <= latest) {
        advance(&mut ahead, next);
    }
    if ahead.agenda.next_job_time().is_some() { latest } else { ahead.now() }
}

fn start<O: Execute>(world: &mut World<O>, job: u32) {
    let key = Key::from_raw(job);
    let Some(job) = world.jobs.get(key) else { return };
    let operation = match job.work.clone() {
        Work::Operation(operation) => operation,
        Work::GiveBack(controller) => return failover::begin_giveback(world, key, controller),
        Work::Copy(_)
        | Work::Format(_)
        | Work::Migrate(_)
        | Work::MigrateContainer(..)
        | Work::Split(_)
        | Work::Restore(_)
        | Work::Expand(_)
        | Work::MoveOwner(_)
        | Work::Firmware(_)
        | Work::Boot(_)
        | Work::TakeOver(_)
        | Work::Charge(_)
        | Work::Balance(_)
        | Work::Request(_) => return,
    };
    let ctx = Ctx { now: world.now(), actor: job.actor.clone() };
    let outcome = operation.execute(world, &ctx);
    let status = if outcome.is_ok() { JobStatus::Succeeded } else { JobStatus::Failed };
    world.end_job(key, status, outcome.err());
}
