//! Work that controllers do stands still while none of them runs, or while somebody has paused it, and goes on where it stopped.

use super::{Agenda, Due, Job, JobStatus, Work, World};
use crate::model::{Array, Container, Key, Object};

/// Holds work when the last controller has stopped, and lets it go on when one runs again. `told` is still what was told before.
pub(super) fn follow<O: Clone>(world: &mut World<O>) {
    let (held, ready) = (world.array.told.not_ready, world.array.is_ready());
    if held != ready {
        return;
    }
    let works = |job: &&Job<O>| job.status == JobStatus::Running && job.work.is_of_controllers() && !is_paused(&world.array, &job.work);
    let keys: Vec<Key<Job<O>>> = world.jobs.iter().filter(works).map(Object::key).collect();
    for key in keys {
        if ready { go_on(world, key) } else { stand_still(world, key) }
    }
}

/// Whether somebody has paused such work.
pub(super) fn is_paused<O: Clone>(array: &Array, work: &Work<O>) -> bool {
    let Work::MigrateContainer(container, _) = work else { return false };
    array.containers.get(*container).and_then(|container| container.migration).is_some_and(|migration| migration.paused)
}

/// Lets the migration of a container stand still, or go on.
pub fn pause<O: Clone>(world: &mut World<O>, key: Key<Container>, paused: bool) {
    let Some(migration) = world.array.containers.get_mut(key).and_then(|container| container.migration.as_mut()) else { return };
    migration.paused = paused;
    let Some(job) = world.job_on(|work| matches!(work, Work::MigrateContainer(moved, _) if *moved == key)).map(Object::key) else { return };
    if paused { stand_still(world, job) } else { go_on(world, job) }
}

fn stand_still<O: Clone>(world: &mut World<O>, key: Key<Job<O>>) {
    let now = world.now();
    let Some(job) = world.jobs.get_mut(key) else { return };
    job.held = Some(now);
    world.agenda.forget_job(key.raw());
    world.agenda.add(Agenda::NEVER, Due::JobEnds(key.raw()));
}

fn go_on<O: Clone>(world: &mut World<O>, key: Key<Job<O>>) {
    let now = world.now();
    let Some(job) = world.jobs.get_mut(key) else { return };
    let Some(held) = job.held.take() else { return };
    let pause = now.since(held);
    (job.starts, job.ends) = (job.starts + pause, job.ends + pause);
    let ends = job.ends;
    world.agenda.forget_job(key.raw());
    world.agenda.add(ends, Due::JobEnds(key.raw()));
}
