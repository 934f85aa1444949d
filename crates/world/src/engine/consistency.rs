//! The check of the whole world: the array's own, and that jobs and workloads agree with it.

use super::{Execute, JobStatus, Work, World, hold};
use crate::model::{ControllerState, Key, Object, Possession, Standing, Told, consistency, notes, sparing};

/// Everything that is wrong, one sentence each; empty when all is well.
pub fn problems<O: Execute>(world: &World<O>) -> Vec<String> {
    let mut found = consistency::problems(&world.array);
    notes::problems(&world.array, &world.annotated(), &mut found);
    for workload in world.workloads.iter() {
        for volume in &workload.volumes {
            if !world.array.volumes.contains(*volume) {
                found.push(format!("workload '{}' refers to a volume that does not exist", workload.name()));
            }
        }
    }
    for entry in world.agenda.iter() {
        match entry.due {
            super::Due::JobStarts(job) | super::Due::JobEnds(job) if !world.jobs.contains(Key::from_raw(job)) => {
                found.push(format!("the agenda names a job that does not exist (#{job})"));
            }
            super::Due::WorkloadTurns(key) if world.workloads.get(Key::from_raw(key)).is_none_or(|workload| workload.timetable.is_none()) => {
                found.push(format!("the agenda names a workload that has no timetable (#{key})"));
            }
            _ => {}
        }
    }
    for job in world.jobs.iter() {
        let waits = world.agenda.iter().any(|entry| matches!(entry.due, super::Due::JobStarts(key) | super::Due::JobEnds(key) if key == job.key().raw()));
        if waits == job.status.is_over() {
            found.push(format!("job {} is {:?} but {} on the agenda", job.number(), job.status, if waits { "stands" } else { "does not stand" }));
        }
        if job.status == JobStatus::Running
            && let Work::Migrate(volume) = &job.work
            && world.array.volumes.get(*volume).is_none_or(|volume| volume.migration.is_none())
        {
            found.push(format!("job {} migrates a volume that does not migrate", job.number()));
        }
    }
    for container in world.array.containers.iter() {
        let (key, target) = (container.key(), container.migration.map(|migration| migration.pool));
        let goes = world.job_on(|work| matches!(work, Work::MigrateContainer(moved, _) if *moved == key)).map(|job| &job.work);
        if target != goes.and_then(|work| if let Work::MigrateContainer(_, pool) = work { Some(*pool) } else { None }) {
            found.push(format!("container '{}' migrates without a job, or has a job but does not migrate there", container.name()));
        }
        let splitting = container.clone.is_some_and(|clone| clone.splitting);
        if splitting != world.job_on(|work| matches!(work, Work::Split(split) if *split == container.key())).is_some() {
            found.push(format!("container '{}' splits without a job, or has a job but does not split", container.name()));
        }
    }
    for session in world.array.copy_sessions.iter() {
        if session.task.is_some() != world.copy_job(session.key()).is_some() {
            found.push(format!("copy session '{}' works without a job, or has a job but does not work", session.name()));
        }
        if session.status.is_failure() != session.failed.is_some() {
            found.push(format!("copy session '{}' has failed and nobody was told, or the other way round", session.name()));
        }
    }
    for pool in world.array.pools.iter().filter(|pool| pool.reported != pool.used_status()) {
        found.push(format!("pool '{}' is {:?}, but {:?} was told", pool.name(), pool.used_status(), pool.reported));
    }
    hardware(world, &mut found);
    raid_groups(world, &mut found);
    moving(world, &mut found);
    found
}

/// What moves, is balanced or formatted must have a job that does so.
fn moving<O: Execute>(world: &World<O>, found: &mut Vec<String>) {
    let moving = world.array.volumes.iter().filter(|volume| volume.migration.is_some());
    for volume in moving {
        if world.job_on(|work| matches!(work, Work::Migrate(moved) if *moved == volume.key())).is_none() {
            found.push(format!("volume '{}' migrates without a job", volume.name()));
        }
    }
    for pool in world.array.pools.iter() {
        if pool.balancing != world.job_on(|work| matches!(work, Work::Balance(balanced) if *balanced == pool.key())).is_some() {
            found.push(format!("pool '{}' is balanced without a job, or has a job but is not balanced", pool.name()));
        }
    }
    for volume in world.array.volumes.iter().filter(|volume| volume.formatting) {
        if world.job_on(|work| matches!(work, Work::Format(formatted) if *formatted == volume.key())).is_none() {
            found.push(format!("volume '{}' is formatted without a job", volume.name()));
        }
    }
}

/// Controllers and batteries must agree with the jobs on them, and what was told with how the array stands.
fn hardware<O: Execute>(world: &World<O>, found: &mut Vec<String>) {
    let array = &world.array;
    let runs = |matches: &dyn Fn(&Work<O>) -> bool| world.job_on(matches).is_some_and(|job| job.status == JobStatus::Running);
    for controller in array.controllers.iter() {
        let key = controller.key();
        for (what, is, works) in [
            ("starts", controller.state == ControllerState::Starting, runs(&|work| matches!(work, Work::Boot(other) if *other == key))),
            ("is taken over", controller.possession == Possession::Leaving, runs(&|work| matches!(work, Work::TakeOver(other) if *other == key))),
            ("is given back to", controller.possession == Possession::Returning, runs(&|work| matches!(work, Work::GiveBack(other) if *other == key))),
        ] {
            if is != works {
                found.push(format!("controller '{}' {what}: {is}, but a job does so: {works}", controller.name()));
            }
        }
    }
    for part in array.parts.iter() {
        if part.charging != runs(&|work| matches!(work, Work::Charge(charged) if *charged == part.key())) {
            found.push(format!("battery '{}' is charged without a job, or has a job but is not charged", part.name()));
        }
    }
    for job in world.jobs.iter().filter(|job| !job.status.is_over()) {
        if job.held.is_some() != (job.work.is_of_controllers() && (!array.is_ready() || hold::is_paused(array, &job.work))) {
            found.push(format!("job {} stands still though nothing holds it, or works though something does", job.number()));
        }
    }
    let told = Told::of(array);
    if told != array.told {
        found.push(format!("the array is {told:?}, but {:?} was told", array.told));
    }
}

/// Work on RAID groups follows from how they stand, and no spare waits while one is needed.
fn raid_groups<O: Execute>(world: &World<O>, found: &mut Vec<String>) {
    let running: Vec<&Work<O>> = world.jobs.iter().filter(|job| job.status == JobStatus::Running).map(|job| &job.work).collect();
    let mut due = 0;
    for group in world.array.raid_groups.iter() {
        let (name, standing) = (group.name(), Standing::of(&world.array, group));
        for restoration in standing.restorations() {
            due += 1;
            if running.iter().filter(|work| matches!(work, Work::Restore(other) if *other == restoration)).count() != 1 {
                found.push(format!("slot {} of RAID group '{name}' is not worked on by one job", restoration.slot));
            }
        }
        let waits = standing.needs().into_iter().next().and_then(|_| sparing::choose(&world.array, group));
        if let Some(spare) = waits.and_then(|spare| world.array.drives.get(spare)) {
            found.push(format!("RAID group '{name}' needs a spare, and '{}' waits", spare.name()));
        }
        if standing.status() != group.reported {
            found.push(format!("RAID group '{name}' is {}, but {} was told", standing.status(), group.reported));
        }
        let at = |matches: &dyn Fn(&Work<O>) -> bool| running.iter().filter(|work| matches(work)).count();
        if at(&|work| matches!(work, Work::Expand(grown) if *grown == group.key())) != usize::from(group.expansion.is_some()) {
            found.push(format!("RAID group '{name}' is expanded without a job, or has a job but is not expanded"));
        }
        if at(&|work| matches!(work, Work::MoveOwner(moved) if *moved == group.key())) != usize::from(group.owner_moves_to.is_some()) {
            found.push(format!("the owner of RAID group '{name}' changes without a job, or has a job but does not change"));
        }
    }
    let jobs = running.iter().filter(|work| matches!(work, Work::Restore(_))).count();
    if jobs != due {
        found.push(format!("{jobs} jobs work on slots of RAID groups; {due} are due"));
    }
}
