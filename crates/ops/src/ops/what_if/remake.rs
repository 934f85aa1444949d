//! The switches of a variant: the copy as it would be if the workloads' volumes had been made otherwise.
//!
//! What lies below the volumes is set as it would be, without the way there: no data moves, no job runs. The copy's books are not kept,
//! and nothing but its speed is asked for afterwards.

use std::collections::BTreeSet;

use super::Variant;
use crate::engine;
use crate::model::{
    Array, Controller, DriveModel, HostPort, Key, Noun, Object, OpError, Place, Pool, PortGroup, RaidGroup, RaidLevel, Reduction, Volume, Workload, reach,
};
use crate::ops::{self, Actor, Ctx, World, controller};
use crate::units::{Bytes, SimSpan};

/// Sets all switches of a variant, in the order of its fields.
pub(super) fn remake(world: &mut World, variant: &Variant, studied: &[Key<Workload>]) -> Result<(), OpError> {
    let volumes: BTreeSet<Key<Volume>> =
        studied.iter().filter_map(|key| world.workloads.get(*key)).flat_map(|workload| workload.volumes.iter().copied()).collect();
    if let Some(reduced) = variant.data_reduction {
        reduce(&mut world.array, &volumes, reduced, "data_reduction")?;
    }
    for (name, reduced) in &variant.pool_reduction {
        let pool = world.array.pools.find(name, Place::field("pool_reduction"))?.key();
        let inside = volumes.iter().copied().filter(|key| pool_of(&world.array, *key) == Some(pool)).collect();
        reduce(&mut world.array, &inside, *reduced, "pool_reduction")?;
    }
    let groups: BTreeSet<Key<RaidGroup>> =
        volumes.iter().filter_map(|key| world.array.volumes.get(*key)).flat_map(|volume| reach::raid_groups_of(&world.array, volume)).collect();
    if let Some(level) = variant.raid_level {
        set_level(&mut world.array, &groups, level)?;
    }
    if let Some(count) = variant.drives {
        set_drives(&mut world.array, &groups, count)?;
    }
    if let Some(count) = variant.ports {
        set_ports(&mut world.array, &volumes, count)?;
    }
    if let Some(count) = variant.controllers {
        set_controllers(world, &groups, count)?;
    }
    Ok(())
}

fn pool_of(array: &Array, volume: Key<Volume>) -> Option<Key<Pool>> {
    let volume = array.volumes.get(volume)?;
    volume.pool().or_else(|| array.containers.get(volume.container()?).map(|container| container.pool))
}

/// Volumes with all reductions that the model has, or with none; of a volume in a container the container counts.
fn reduce(array: &mut Array, volumes: &BTreeSet<Key<Volume>>, reduced: bool, field: &str) -> Result<(), OpError> {
    if reduced && array.personality.reduction_domain.is_none() {
        return Err(OpError::NotSupported { noun: Noun::Array, field: field.to_owned(), what: "data reduction".to_owned() });
    }
    let wanted = if reduced { Reduction { deduplication: true, compression: true } } else { Reduction::NONE };
    for key in volumes {
        let Some(volume) = array.volumes.get_mut(*key) else { continue };
        volume.reduction = wanted;
        if let Some(container) = volume.container().and_then(|key| array.containers.get_mut(key)) {
            container.reduction = wanted;
        }
    }
    Ok(())
}

fn set_level(array: &mut Array, groups: &BTreeSet<Key<RaidGroup>>, level: RaidLevel) -> Result<(), OpError> {
    if !array.personality.raid_levels.contains(&level) && !array.personality.pool_levels.contains(&level) {
        let what = level.refused("RAID groups", &array.personality.raid_levels);
        return Err(OpError::NotSupported { noun: Noun::RaidGroup, field: "raid_level".to_owned(), what });
    }
    for key in groups {
        let Some(group) = array.raid_groups.get_mut(*key) else { continue };
        rebuild(group, level, group.width())?;
    }
    Ok(())
}

/// A RAID group at another level or of another width, and with as much space as that gives. What was missing in it is not any more.
fn rebuild(group: &mut RaidGroup, level: RaidLevel, width: u32) -> Result<(), OpError> {
    if !level.accepts(width) {
        return Err(OpError::DriveCount { level, drives: width, accepted: level.accepted_counts() });
    }
    let of_one = group.member_capacity();
    (group.level, group.capacity) = (level, Bytes::new(of_one.get().saturating_mul(u64::from(level.data_drives(width)))));
    group.slots.clear();
    Ok(())
}

/// RAID groups of `count` drives each: the first of those that they have, or new ones of the same kind beside them.
fn set_drives(array: &mut Array, groups: &BTreeSet<Key<RaidGroup>>, count: u32) -> Result<(), OpError> {
    let most = array.hardware.enclosures.iter().map(|model| model.bays.saturating_mul(model.most)).fold(0, u32::saturating_add);
    let needed = u32::try_from(groups.len()).unwrap_or(u32::MAX).saturating_mul(count);
    if needed > most {
        return Err(OpError::NotEnoughDrives { needed, available: most, kind: "that fit into this model".to_owned() });
    }
    for key in groups {
        let Some(group) = array.raid_groups.get_mut(*key) else { continue };
        rebuild(group, group.level, count)?;
        group.drives.truncate(usize::try_from(count).unwrap_or(usize::MAX));
        let missing = count - group.width();
        let Some(drive) = group.drives.first().and_then(|key| array.drives.get(*key)) else { continue };
        let (enclosure, model) =
            (drive.enclosure, DriveModel { drive_type: drive.drive_type, capacity: drive.capacity, self_encrypting: drive.self_encrypting });
        for number in 0..missing {
            let drive = array.add_drive(enclosure, number, model, &format!(":what-if:{}", key.raw()));
            if let Some(drive) = array.drives.get_mut(drive) {
                drive.raid_group = Some(*key);
            }
            if let Some(group) = array.raid_groups.get_mut(*key) {
                group.drives.push(drive);
            }
        }
    }
    Ok(())
}

/// The workloads' volumes reached through `count` ports, which are spread over controllers.
fn set_ports(array: &mut Array, volumes: &BTreeSet<Key<Volume>>, count: u32) -> Result<(), OpError> {
    let now: BTreeSet<Key<HostPort>> = volumes.iter().flat_map(|key| reach::mapped_ports(array, *key)).collect();
    let more: Vec<Key<HostPort>> = if follow_interfaces(array, volumes) {
        Vec::new()
    } else {
        array.host_ports.iter().filter(|port| could_join(array, port, &now)).map(Object::key).collect()
    };
    let most = now.len() + more.len();
    let wanted = usize::try_from(count).unwrap_or(usize::MAX);
    if wanted == 0 || wanted > most {
        let (value, least, most) = (count.to_string(), "1".to_owned(), most.to_string());
        return Err(OpError::OutOfRange { noun: Noun::HostPort, field: "ports".to_owned(), value, least, most });
    }
    let keep: BTreeSet<Key<HostPort>> = spread(array, now.iter().copied()).into_iter().take(wanted).collect();
    for key in now.difference(&keep) {
        if let Some(port) = array.host_ports.get_mut(*key) {
            port.enabled = false;
        }
    }
    let joining: Vec<Key<HostPort>> = spread(array, more.into_iter()).into_iter().take(wanted.saturating_sub(now.len())).collect();
    for key in groups_before(array, volumes) {
        if let Some(group) = array.port_groups.get_mut(key) {
            group.ports.extend(joining.iter().copied());
        }
    }
    Ok(())
}

/// Whether a port works, speaks what the others speak, and is not among them.
fn could_join(array: &Array, port: &HostPort, now: &BTreeSet<Key<HostPort>>) -> bool {
    let alike = |other: &Key<HostPort>| array.host_ports.get(*other).is_some_and(|other| other.protocol == port.protocol);
    !now.contains(&port.key()) && reach::is_up(array, port.key()) && now.iter().any(alike)
}

/// The first port of every controller, then the second of every one, and so on.
fn spread(array: &Array, ports: impl Iterator<Item = Key<HostPort>>) -> Vec<Key<HostPort>> {
    let mut placed: Vec<(usize, Key<Controller>, Key<HostPort>)> = Vec::new();
    for key in ports {
        let Some(port) = array.host_ports.get(key) else { continue };
        let before = placed.iter().filter(|(_, controller, _)| *controller == port.controller).count();
        placed.push((before, port.controller, key));
    }
    placed.sort();
    placed.into_iter().map(|(_, _, key)| key).collect()
}

/// Whether hosts reach some of the volumes through interfaces: these do not come with a port.
fn follow_interfaces(array: &Array, volumes: &BTreeSet<Key<Volume>>) -> bool {
    reach::links(array).any(|link| link.follows_interfaces && link.luns.values().any(|volume| volumes.contains(volume)))
}

/// The port groups through which hosts reach volumes.
fn groups_before(array: &Array, volumes: &BTreeSet<Key<Volume>>) -> BTreeSet<Key<PortGroup>> {
    let seen = reach::links(array).filter(|link| link.luns.values().any(|volume| volumes.contains(volume)));
    seen.filter_map(|link| match link.way {
        reach::Way::Affinity(key) => array.affinities.get(key).map(|affinity| affinity.port_group),
        reach::Way::Mapping(key) => array.mappings.get(key).and_then(|mapping| reach::way_through(array, mapping.party, mapping.port_group)),
    })
    .collect()
}

/// The last controllers fail until `count` run, and what they owned is worked for by others.
fn set_controllers(world: &mut World, groups: &BTreeSet<Key<RaidGroup>>, count: u32) -> Result<(), OpError> {
    let running: Vec<String> =
        world.array.controllers.iter().filter(|controller| controller.is_online()).map(|controller| controller.name().to_owned()).collect();
    let wanted = usize::try_from(count).unwrap_or(usize::MAX);
    if wanted == 0 || wanted > running.len() {
        let (value, least, most) = (count.to_string(), "1".to_owned(), running.len().to_string());
        return Err(OpError::OutOfRange { noun: Noun::Controller, field: "controllers".to_owned(), value, least, most });
    }
    for name in running.into_iter().skip(wanted) {
        let ctx = Ctx { now: world.now(), actor: Actor::new("what-if", "admin", "controller.fail") };
        ops::execute(&controller::Fail { controller: name }, world, &ctx)?;
    }
    let latest = world.now() + SimSpan::days(1);
    let owned = |world: &World| groups.iter().filter_map(|key| world.array.raid_groups.get(*key)).all(|group| world.array.acting_owner(group).is_some());
    while !owned(world) {
        let Some(next) = world.agenda.next_time().filter(|next| *next <= latest) else { break };
        engine::advance(world, next);
    }
    Ok(())
}
