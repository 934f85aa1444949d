//! What the end of a job brings about.

use super::{Job, JobStatus, Work, World, care, failover};
use crate::model::{Container, Key, Noun, Object, Part, Severity, Volume, placement, space};

/// Ends a job and lets its work take effect.
pub(super) fn job<O: Clone>(world: &mut World<O>, key: Key<Job<O>>) {
    let Some(job) = world.jobs.get(key) else { return };
    let work = job.work.clone();
    let changes_members = matches!(work, Work::Restore(_) | Work::Expand(_));
    match work {
        Work::Migrate(volume) => migrated(world, volume),
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
        Work::Operation(_) => {}
    }
    world.end_job(key, JobStatus::Succeeded, None);
    if changes_members {
        care::tend(world);
    }
}

fn migrated<O>(world: &mut World<O>, key: Key<Volume>) {
    placement::arrive(&mut world.array, key);
    let name = world.array.volumes.get(key).map(|volume| volume.name().to_owned()).unwrap_or_default();
    let message = format!("the migration of volume '{name}' has ended");
    world.array.events.tell(world.clock.now, Severity::Information, "volume_migrated", (Noun::Volume, &name), message);
}

fn formatted<O>(world: &mut World<O>, key: Key<Volume>) {
    let name = world.array.volumes.get(key).map(|volume| volume.name().to_owned()).unwrap_or_default();
    let message = format!("the format of volume '{name}' has ended");
    world.array.events.tell(world.clock.now, Severity::Information, "volume_formatted", (Noun::Volume, &name), message);
}

fn updated<O>(world: &mut World<O>, version: String) {
    let (now, array) = (world.clock.now, &mut world.array);
    let message = format!("firmware {version} has been applied; before it was {}", array.facts.firmware);
    array.facts.firmware = version;
    array.settings.firmware_applied = Some(now);
    let product = array.facts.product.clone();
    array.events.tell(now, Severity::Information, "firmware_updated", (Noun::Array, &product), message);
}

fn charged<O>(world: &mut World<O>, key: Key<Part>) {
    let now = world.clock.now;
    let Some(part) = world.array.parts.get_mut(key) else { return };
    part.charging = false;
    let name = part.name().to_owned();
    world.array.events.tell(now, Severity::Information, "battery_charged", (Noun::Part, &name), format!("battery '{name}' is charged"));
}

fn split<O>(world: &mut World<O>, key: Key<Container>) {
    space::make_independent(&mut world.array, key);
    let name = world.array.containers.get(key).map(|container| container.name().to_owned()).unwrap_or_default();
    let message = format!("container '{name}' no longer shares blocks with its origin");
    world.array.events.tell(world.clock.now, Severity::Information, "container_split", (Noun::Container, &name), message);
}
