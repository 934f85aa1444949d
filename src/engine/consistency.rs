//! The check of the whole world: the array's own, and that jobs and workloads agree with it.

use super::{Execute, JobStatus, Work, World};
use crate::model::{Key, Object, consistency};

/// Everything that is wrong, one sentence each; empty when all is well.
pub fn problems<O: Execute>(world: &World<O>) -> Vec<String> {
    let mut found = consistency::problems(&world.array);
    for workload in world.workloads.iter() {
        for volume in &workload.volumes {
            if !world.array.volumes.contains(*volume) {
                found.push(format!("workload '{}' refers to a volume that does not exist", workload.name()));
            }
        }
    }
    for entry in world.agenda.iter() {
        let (super::Due::JobStarts(job) | super::Due::JobEnds(job)) = entry.due;
        if !world.jobs.contains(Key::from_raw(job)) {
            found.push(format!("the agenda names a job that does not exist (#{job})"));
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
    let moving = world.array.volumes.iter().filter(|volume| volume.migration.is_some());
    for volume in moving {
        if world.job_on(|work| matches!(work, Work::Migrate(moved) if *moved == volume.key())).is_none() {
            found.push(format!("volume '{}' migrates without a job", volume.name()));
        }
    }
    found
}
