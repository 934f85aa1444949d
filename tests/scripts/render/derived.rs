//! What follows from the value: how the array and its things stand, the books of space, how fast it is. Only shown where a script asks for it.

use arrayplane::model::capacity::{self, Capacity};
use arrayplane::model::{Object, Standing, health};
use arrayplane::ops::World;

use super::{Section, exact, hardware, section, word, work};

/// The sections `status`, `standing`, `books` and `performance`.
pub(crate) fn sections(world: &World) -> Vec<Section> {
    vec![
        section("status", hardware::status(&world.array)),
        section("standing", standing(world)),
        section("books", books(world)),
        section("performance", work::performance(world)),
    ]
}

/// Everything that stands somehow; of drives, those that are in use or not in order.
fn standing(world: &World) -> Vec<String> {
    let array = &world.array;
    let drives = array.drives.iter().map(|drive| (drive, health::drive_status(array, drive))).filter(|(_, status)| word(status) != "present");
    let mut lines: Vec<String> = Vec::new();
    for (drive, status) in drives {
        let group = drive.raid_group.or(drive.stands_in).and_then(|group| array.raid_groups.get(group)).map_or("-", Object::name);
        lines.push(format!("drive {} <{}>: {} ({}), {group}", drive.name(), drive.serial_number, word(&status), word(&status.condition())));
    }
    for group in array.raid_groups.iter() {
        let status = Standing::of(array, group).status();
        lines.push(format!("RAID group {}: {} ({}), {} of {}", group.name(), word(&status), word(&status.condition()), group.level, exact(group.capacity)));
    }
    for pool in array.pools.iter() {
        let status = health::pool_status(array, pool);
        lines.push(format!("pool {}: {} ({})", pool.name(), word(&status), word(&status.condition())));
    }
    for volume in array.volumes.iter() {
        let status = health::volume_health(array, volume, |group| Standing::of(array, group).status());
        lines.push(format!("volume {}: {} ({})", volume.name(), status.name(), word(&status.condition())));
    }
    let running = world.jobs.iter().filter(|job| !job.status.is_over());
    lines.extend(running.map(|job| format!("job {} {}: {} %, {} left", job.number(), job.name(), job.percent(world.now()), job.remaining(world.now()))));
    lines
}

fn books(world: &World) -> Vec<String> {
    let Capacity { drives, raid_groups: groups, .. } = capacity::capacity(&world.array);
    vec![
        format!(
            "drives: {} in all, {} in RAID groups, {} spare, {} unused, {} failed",
            exact(drives.total),
            exact(drives.in_raid_groups),
            exact(drives.spare),
            exact(drives.unused),
            exact(drives.failed)
        ),
        format!(
            "RAID groups: {} raw, {} missing, {} protection, {} for data, {} allocated, {} free",
            exact(groups.raw),
            exact(groups.missing),
            exact(groups.protection),
            exact(groups.capacity),
            exact(groups.allocated),
            exact(groups.free)
        ),
    ]
}
