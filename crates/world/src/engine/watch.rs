//! What the array notices by itself after every change: controllers that lose power or partner, pools that pass a threshold, RAID groups
//! that need care, copies that ran out of space, the state of the whole.

use super::{JobStatus, World, care, failover, hold, state};
use crate::model::snap_pool::{SnapPool, snap_pool};
use crate::model::{
    Array, Container, CopySession, CopyStatus, Grounds, Key, Noun, Object, Pool, Severity, Standing, Told, UsedStatus, VolumeHealth, VolumeRole, health,
};

/// What was there when the array looked last, as counts that stay while nothing of it changes: most changes are about volumes, and
/// nothing that the hardware or the containers do follows from them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    hardware: Grounds,
    jobs: u64,
    containers: u64,
}

impl Seen {
    fn of<O: Clone>(world: &World<O>) -> Seen {
        Seen { hardware: Grounds::of(&world.array), jobs: world.jobs.stirred(), containers: world.array.containers.stirred() }
    }
}

/// Lets controllers and RAID groups find together, sees to RAID groups and copies, and tells what is no longer as it was last told.
pub(super) fn watch<O: Clone>(world: &mut World<O>) {
    let now_is = Seen::of(world);
    let (hardware, filled) = match world.seen.take() {
        Some(seen) => (seen.hardware != now_is.hardware || seen.jobs != now_is.jobs, seen.containers != now_is.containers),
        None => (true, true),
    };
    if hardware {
        failover::settle(world);
        care::watch(world);
    }
    copies(world);
    if hardware {
        hold::follow(world);
    }
    pools(world);
    if filled {
        containers(world);
    }
    snap_data_pool(world);
    if hardware {
        state::tell(world);
    } else {
        debug_assert_eq!(Told::of(&world.array), world.array.told, "Grounds leaves out something that the standing of the array follows from");
    }
    world.seen = Some(now_is);
}

/// Ends the jobs of copies that failed, and tells an event for each.
fn copies<O: Clone>(world: &mut World<O>) {
    let failed: Vec<Key<CopySession>> =
        world.array.copy_sessions.iter().filter(|one| one.status.is_failure() && one.failed.is_none()).map(Object::key).collect();
    for key in failed {
        world.stop_copy(key, JobStatus::Failed);
        let now = world.now();
        let Some(session) = world.array.copy_sessions.get_mut(key) else { continue };
        session.failed = Some(now);
        let (name, what, lost) = (session.name().to_owned(), session.kind.words(), session.status == CopyStatus::Error);
        let (source, destination) = (world.array.volumes[session.source].name(), world.array.volumes[session.destination].name());
        let because = if is_gone(&world.array, key) { "a RAID group has broken" } else { "the destination has no space" };
        let (code, message) = if lost {
            ("copy_error", format!("the snapshot of volume '{source}' in '{destination}' is lost: {because} ({what})"))
        } else {
            ("copy_error_suspend", format!("the copy of volume '{source}' to '{destination}' was suspended: {because} ({what})"))
        };
        world.array.events.tell(now, Severity::Error, code, (Noun::CopySession, &name), message);
    }
}

/// Whether a volume of the session is on a RAID group that is broken.
fn is_gone(array: &Array, session: Key<CopySession>) -> bool {
    let session = &array.copy_sessions[session];
    let gone = |volume| !matches!(health::volume_health(array, &array.volumes[volume], |group| Standing::of(array, group).status()), VolumeHealth::Served(_));
    gone(session.source) || gone(session.destination)
}

/// Tells an event when the used status of the snap data pool is no longer the one last told.
fn snap_data_pool<O: Clone>(world: &mut World<O>) {
    let array = &world.array;
    let kept = array.copy_sessions.iter().any(|session| array.volumes[session.destination].role == VolumeRole::SnapData);
    if !kept && array.snap_pool_reported == UsedStatus::Normal {
        return;
    }
    let pool = snap_pool(&world.array);
    let (status, percent, name) = (pool.used_status(&world.array), pool.used.percent_of(pool.capacity), SnapPool::NAME);
    if status == std::mem::replace(&mut world.array.snap_pool_reported, status) {
        return;
    }
    let (severity, code, message) = match status {
        UsedStatus::Normal => (Severity::Information, "snap_pool_normal", format!("the {name} is below its thresholds again ({percent} % used)")),
        UsedStatus::Attention => (Severity::Warning, "snap_pool_attention", format!("the {name} is at or above its attention threshold ({percent} % used)")),
        UsedStatus::Warning => (Severity::Warning, "snap_pool_warning", format!("the {name} is at or above its warning threshold ({percent} % used)")),
        UsedStatus::Over => (Severity::Error, "snap_pool_over", format!("the {name} has no free element left ({percent} % used)")),
    };
    world.array.events.tell(world.clock.now, severity, code, (Noun::Pool, name), message);
}

/// Tells an event for every pool whose used status is no longer the one last told.
fn pools<O: Clone>(world: &mut World<O>) {
    let now = world.now();
    let changed: Vec<(Key<Pool>, UsedStatus)> = world
        .array
        .pools
        .iter()
        .map(|pool| (pool.key(), pool.used_status(), pool.reported))
        .filter(|(_, is, was)| is != was)
        .map(|(key, is, _)| (key, is))
        .collect();
    for (key, status) in changed {
        let Some(pool) = world.array.pools.get_mut(key) else { continue };
        pool.reported = status;
        let (name, percent) = (pool.name().to_owned(), pool.used().percent_of(pool.capacity));
        let (severity, code, message) = match status {
            UsedStatus::Normal => (Severity::Information, "pool_normal", format!("pool '{name}' is below its thresholds again ({percent} % used)")),
            UsedStatus::Attention => (Severity::Warning, "pool_attention", format!("pool '{name}' is at or above its attention threshold ({percent} % used)")),
            UsedStatus::Warning => (Severity::Warning, "pool_warning", format!("pool '{name}' is at or above its warning threshold ({percent} % used)")),
            UsedStatus::Over => (Severity::Error, "pool_over", format!("pool '{name}' has no free chunk left ({percent} % used)")),
        };
        world.array.events.tell(now, severity, code, (Noun::Pool, &name), message);
    }
}

/// Tells an event for every container whose used status is no longer the one last told.
fn containers<O: Clone>(world: &mut World<O>) {
    let now = world.now();
    let changed = |container: &Container| (container.used_status() != container.reported).then(|| (container.key(), container.used_status()));
    let changed: Vec<(Key<Container>, UsedStatus)> = world.array.containers.iter().filter_map(changed).collect();
    for (key, status) in changed {
        let Some(container) = world.array.containers.get_mut(key) else { continue };
        container.reported = status;
        let (name, percent) = (container.name().to_owned(), container.used().percent_of(container.size));
        let (severity, code, what) = match status {
            UsedStatus::Normal => (Severity::Information, "container_normal", "has enough space again"),
            UsedStatus::Attention => (Severity::Warning, "container_attention", "is nearly full"),
            UsedStatus::Warning | UsedStatus::Over => (Severity::Warning, "container_warning", "is full"),
        };
        world.array.events.tell(now, severity, code, (Noun::Container, &name), format!("container '{name}' {what} ({percent} % used)"));
    }
}
