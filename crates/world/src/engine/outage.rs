//! What stops when a RAID group breaks: work on the volumes whose data lies on it, or is on its way to it.

use super::{Due, Job, JobStatus, Work, World};
use crate::model::{Array, Container, CopySession, GroupStatus, Home, Key, Noun, Object, OpError, RaidGroup, Volume, copying, health, placement, space};

/// Ends the formats, migrations and splits that need the group, and breaks copies off; what migrates stays where it is.
pub(super) fn stop_work<O: Clone>(world: &mut World<O>, group: Key<RaidGroup>) {
    let running = world.agenda.iter().filter_map(|entry| match entry.due {
        Due::JobEnds(job) => Some(Key::<Job<O>>::from_raw(job)),
        Due::JobStarts(_) | Due::WorkloadTurns(_) | Due::DataArrives => None,
    });
    let concerned: Vec<Key<Job<O>>> = running.filter(|job| world.jobs.get(*job).is_some_and(|job| needs(&world.array, &job.work, group))).collect();
    let name = world.array.raid_groups.get(group).map(|group| group.name().to_owned()).unwrap_or_default();
    for job in concerned {
        undo(world, job);
        let (state, expected) = (GroupStatus::Broken.to_string(), GroupStatus::Available.to_string());
        world.end_job(job, JobStatus::Failed, Some(OpError::WrongState { noun: Noun::RaidGroup, name: name.clone(), state, expected }));
    }
    let sessions: Vec<Key<CopySession>> =
        world.array.copy_sessions.iter().filter(|session| is_copied_on(&world.array, session, group)).map(Object::key).collect();
    for session in sessions {
        copying::break_off(&mut world.array, session);
    }
}

fn is_copied_on(array: &Array, session: &CopySession, group: Key<RaidGroup>) -> bool {
    [session.source, session.destination]
        .into_iter()
        .filter_map(|volume| array.volumes.get(volume))
        .any(|volume| health::groups_of(array, volume).contains(&group))
}

fn needs<O: Clone>(array: &Array, work: &Work<O>, group: Key<RaidGroup>) -> bool {
    let pool = array.raid_groups.get(group).and_then(|group| group.pool);
    let holds = |container: Key<Container>| pool.is_some() && array.containers.get(container).map(|container| container.pool) == pool;
    let lives = |volume: &Volume| volume.touches(group) || pool.is_some_and(|pool| volume.touches_pool(pool));
    match work {
        Work::Format(volume) | Work::Migrate(volume) => {
            array.volumes.get(*volume).is_some_and(|volume| lives(volume) || matches!(volume.home, Home::Container(container) if holds(container)))
        }
        Work::MigrateContainer(container, target) => holds(*container) || pool == Some(*target),
        Work::Split(container) => holds(*container),
        Work::Balance(balanced) => pool == Some(*balanced),
        Work::Copy(_)
        | Work::Restore(_)
        | Work::Expand(_)
        | Work::MoveOwner(_)
        | Work::Firmware(_)
        | Work::Boot(_)
        | Work::TakeOver(_)
        | Work::GiveBack(_)
        | Work::Charge(_)
        | Work::Operation(_)
        | Work::Request(_) => false,
    }
}

/// Takes back what a job that is stopped had set aside.
pub fn undo<O: Clone>(world: &mut World<O>, job: Key<Job<O>>) {
    match world.jobs.get(job).map(|job| &job.work) {
        Some(Work::Migrate(volume)) => placement::turn_back(&mut world.array, *volume),
        Some(Work::Format(volume)) => {
            if let Some(volume) = world.array.volumes.get_mut(*volume) {
                volume.formatting = false;
            }
        }
        Some(Work::Balance(_)) => stop_balancing(world, job),
        Some(Work::MigrateContainer(container, _)) => space::change(&mut world.array, *container, |container| container.migration = None),
        Some(Work::Split(container)) => space::change(&mut world.array, *container, |container| {
            if let Some(clone) = &mut container.clone {
                clone.splitting = false;
            }
        }),
        Some(Work::Restore(restoration)) => {
            let (key, place) = (restoration.raid_group, restoration.slot);
            let Some(group) = world.array.raid_groups.get_mut(key) else { return };
            let mut slot = group.slot(place);
            let spare = slot.stand_in.take();
            group.set_slot(place, slot);
            if let Some(spare) = spare {
                crate::model::health::release(&mut world.array, spare.drive);
            }
        }
        Some(
            Work::Copy(_)
            | Work::Expand(_)
            | Work::MoveOwner(_)
            | Work::Firmware(_)
            | Work::Boot(_)
            | Work::TakeOver(_)
            | Work::GiveBack(_)
            | Work::Charge(_)
            | Work::Operation(_)
            | Work::Request(_),
        )
        | None => {}
    }
}

/// What has been moved stays where it is.
fn stop_balancing<O: Clone>(world: &mut World<O>, job: Key<Job<O>>) {
    let now = world.now();
    let Some(job) = world.jobs.get(job) else { return };
    let Work::Balance(pool) = job.work else { return };
    if let Some(pool) = world.array.pools.get_mut(pool) {
        pool.balancing = false;
        pool.layers.iter_mut().for_each(|layer| layer.data = job.left(layer.data, now));
        pool.layers.retain(|layer| !layer.data.is_zero());
    }
}
