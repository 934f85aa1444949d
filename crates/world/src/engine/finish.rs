//! What the end of a job brings about.

use super::{Job, JobStatus, Work, World, care, failover};
use crate::model::{Container, CopyKind, CopySession, CopyTask, Key, Noun, Object, Part, Pool, Severity, Volume, copying, placement, space};
use crate::units::Bytes;

/// Ends a job and lets its work take effect.
pub(super) fn job<O: Clone>(world: &mut World<O>, key: Key<Job<O>>) {
    let Some(job) = world.jobs.get(key) else { return };
    let work = job.work.clone();
    let changes_members = matches!(work, Work::Restore(_) | Work::Expand(_));
    match work {
        Work::Migrate(volume) => migrated(world, volume),
        Work::MigrateContainer(container, _) => container_migrated(world, container),
        Work::Split(container) => split(world, container),
        Work::Format(volume) => formatted(world, volume),
        Work::Firmware(version) => updated(world, version),
        Work::Boot(controller) => failover::started(world, controller),
        Work::TakeOver(controller) => failover::taken_over(world, controller),
        Work::GiveBack(controller) => failover::given_back(world, controller),
        Work::Charge(part) => charged(world, part),
        Work::Restore(restoration) => care::restored(world, restoration),
        Work::Expand(group) => care::expanded(world, group),
        Work::MoveOwner(group) => care::owner_changed(world, group),
        Work::Copy(session) => copied(world, session),
        Work::Balance(pool) => balanced(world, pool),
        Work::Operation(_) | Work::Request(_) => {}
    }
    world.end_job(key, JobStatus::Succeeded, None);
    if changes_members {
        care::tend(world);
    }
}

fn migrated<O: Clone>(world: &mut World<O>, key: Key<Volume>) {
    placement::arrive(&mut world.array, key);
    let name = world.array.volumes.get(key).map(|volume| volume.name().to_owned()).unwrap_or_default();
    let message = format!("the migration of volume '{name}' has ended");
    world.array.events.tell(world.clock.now, Severity::Information, "volume_migrated", (Noun::Volume, &name), message);
}

fn container_migrated<O: Clone>(world: &mut World<O>, key: Key<Container>) {
    space::arrive(&mut world.array, key);
    let Some(container) = world.array.containers.get(key) else { return };
    let pool = world.array.pools.get(container.pool).map_or("", Pool::name);
    let (name, message) = (container.name().to_owned(), format!("container '{}' has moved to pool '{pool}'", container.name()));
    world.array.events.tell(world.clock.now, Severity::Information, "container_migrated", (Noun::Container, &name), message);
}

fn balanced<O: Clone>(world: &mut World<O>, key: Key<Pool>) {
    let Some(pool) = world.array.pools.get_mut(key) else { return };
    (pool.balancing, pool.layers) = (false, Vec::new());
    let name = pool.name().to_owned();
    let message = format!("the data of pool '{name}' lies evenly on its RAID groups");
    world.array.events.tell(world.clock.now, Severity::Information, "pool_balanced", (Noun::Pool, &name), message);
}

fn formatted<O: Clone>(world: &mut World<O>, key: Key<Volume>) {
    if let Some(volume) = world.array.volumes.get_mut(key) {
        volume.formatting = false;
    }
    let name = world.array.volumes.get(key).map(|volume| volume.name().to_owned()).unwrap_or_default();
    let message = format!("the format of volume '{name}' has ended");
    world.array.events.tell(world.clock.now, Severity::Information, "volume_formatted", (Noun::Volume, &name), message);
}

fn updated<O: Clone>(world: &mut World<O>, version: String) {
    let (now, array) = (world.clock.now, &mut world.array);
    let message = format!("firmware {version} has been applied; before it was {}", array.facts.firmware);
    array.facts.firmware = version;
    array.settings.firmware_applied = Some(now);
    let product = array.facts.product.clone();
    array.events.tell(now, Severity::Information, "firmware_updated", (Noun::Array, &product), message);
}

fn charged<O: Clone>(world: &mut World<O>, key: Key<Part>) {
    let now = world.clock.now;
    let Some(part) = world.array.parts.get_mut(key) else { return };
    part.charging = false;
    let name = part.name().to_owned();
    world.array.events.tell(now, Severity::Information, "battery_charged", (Noun::Part, &name), format!("battery '{name}' is charged"));
}

fn split<O: Clone>(world: &mut World<O>, key: Key<Container>) {
    space::make_independent(&mut world.array, key);
    let name = world.array.containers.get(key).map(|container| container.name().to_owned()).unwrap_or_default();
    let message = format!("container '{name}' no longer shares blocks with its origin");
    world.array.events.tell(world.clock.now, Severity::Information, "container_split", (Noun::Container, &name), message);
}

/// A session's task is done: a copy that was made once is forgotten, others go on by themselves.
fn copied<O: Clone>(world: &mut World<O>, key: Key<CopySession>) {
    let Some(session) = world.array.copy_sessions.get_mut(key) else { return };
    let (task, session_name, what) = (session.task.take(), session.name().to_owned(), session.kind.words());
    let goes = task == Some(CopyTask::Clean) || session.kind == CopyKind::Opc || session.ending;
    let (source, destination, is_mirror) = (session.source, session.destination, session.kind == CopyKind::Ec);
    if goes {
        // Such a session holds no image, so no generation has to take anything over.
        drop(copying::forget(&mut world.array, key));
    }
    if task == Some(CopyTask::Clean) {
        copying::scramble(&mut world.array, destination, Bytes::ZERO);
    }
    let name = |volume: Key<Volume>| world.array.volumes.get(volume).map(|volume| volume.name().to_owned()).unwrap_or_default();
    let (source, destination) = (name(source), name(destination));
    let (code, message) = match task {
        Some(CopyTask::Restore) => ("copy_restored", format!("volume '{source}' has been restored from '{destination}' ({what})")),
        Some(CopyTask::Clean) => ("copy_cleaned", format!("the snapshot of volume '{source}' in '{destination}' has been cleared away ({what})")),
        _ if is_mirror => ("copy_equivalent", format!("volume '{destination}' is equivalent to '{source}' ({what})")),
        _ => ("copy_finished", format!("volume '{source}' has been copied to '{destination}' ({what})")),
    };
    world.array.events.tell(world.clock.now, Severity::Information, code, (Noun::CopySession, &session_name), message);
}
