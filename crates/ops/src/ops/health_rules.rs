//! Rules about what is broken or being worked on: RAID groups, and the pools and volumes on them.

use super::{AnyOperation, World, rules};
use crate::engine::Work;
use crate::model::{Array, Container, ContainerState, GroupStatus, Key, Noun, Object, OpError, Pool, RaidGroup, Standing, Volume, VolumeHealth, health};

fn wrong(noun: Noun, name: &str, state: &str) -> OpError {
    OpError::WrongState { noun, name: name.to_owned(), state: state.to_owned(), expected: GroupStatus::Available.name().to_owned() }
}

/// The RAID group must not be broken.
pub(super) fn group_serves(array: &Array, group: &RaidGroup) -> Result<(), OpError> {
    if Standing::of(array, group).is_alive() { Ok(()) } else { Err(wrong(Noun::RaidGroup, group.name(), GroupStatus::Broken.name())) }
}

/// No RAID group of the pool must be broken.
pub(super) fn pool_serves(array: &Array, pool: &Pool) -> Result<(), OpError> {
    let broken = pool.raid_groups.iter().filter_map(|group| array.raid_groups.get(*group)).any(|group| group_serves(array, group).is_err());
    if broken { Err(wrong(Noun::Pool, pool.name(), GroupStatus::Broken.name())) } else { Ok(()) }
}

/// No RAID group below the container must be broken, and it must be online.
pub(super) fn container_serves(array: &Array, container: Key<Container>) -> Result<(), OpError> {
    let Some(container) = array.containers.get(container) else { return Ok(()) };
    array.pools.get(container.pool).map_or(Ok(()), |pool| pool_serves(array, pool))?;
    is_online(Noun::Container, container.name(), container.state)
}

/// Something must be online.
pub(super) fn is_online(noun: Noun, name: &str, state: ContainerState) -> Result<(), OpError> {
    if state.is_online() {
        return Ok(());
    }
    let expected = ContainerState::Online.name().to_owned();
    Err(OpError::WrongState { noun, name: name.to_owned(), state: state.name().to_owned(), expected })
}

/// Hosts must be let in to the volume: it and its container are online.
pub(super) fn volume_is_online(array: &Array, volume: &Volume) -> Result<(), OpError> {
    volume.container().map_or(Ok(()), |container| container_serves(array, container))?;
    is_online(Noun::Volume, volume.name(), if volume.online { ContainerState::Online } else { ContainerState::Offline })
}

/// The volume must be there: no RAID group that holds it is broken, and its container is online.
pub(super) fn volume_serves(array: &Array, volume: &Volume) -> Result<(), OpError> {
    match health::volume_health(array, volume, |group| if Standing::of(array, group).is_alive() { GroupStatus::Available } else { GroupStatus::Broken }) {
        VolumeHealth::Served(_) => volume.container().map_or(Ok(()), |container| container_serves(array, container)),
        gone => Err(OpError::WrongState {
            noun: Noun::Volume,
            name: volume.name().to_owned(),
            state: gone.name().to_owned(),
            expected: "served by its RAID groups".into(),
        }),
    }
}

/// All members of the RAID group must be served.
pub(super) fn group_is_whole(array: &Array, group: &RaidGroup) -> Result<(), OpError> {
    match Standing::of(array, group).status() {
        GroupStatus::Available | GroupStatus::SpareInUse => Ok(()),
        other => Err(wrong(Noun::RaidGroup, group.name(), other.name())),
    }
}

/// The RAID group must be in order, with no spare in use.
pub(super) fn group_is_available(array: &Array, group: &RaidGroup) -> Result<(), OpError> {
    match Standing::of(array, group).status() {
        GroupStatus::Available => Ok(()),
        other => Err(wrong(Noun::RaidGroup, group.name(), other.name())),
    }
}

/// No job must be working on the RAID group itself.
pub(super) fn group_not_busy(world: &World, group: &RaidGroup) -> Result<(), OpError> {
    rules::not_busy(world, Noun::RaidGroup, group.name(), |work| works_on(work, group.key()))
}

/// The RAID group must not be growing.
pub(super) fn group_not_growing(world: &World, group: &RaidGroup) -> Result<(), OpError> {
    rules::not_busy(world, Noun::RaidGroup, group.name(), |work| matches!(work, Work::Expand(grown) if *grown == group.key()))
}

fn works_on(work: &Work<AnyOperation>, key: Key<RaidGroup>) -> bool {
    match work {
        Work::Restore(restoration) => restoration.raid_group == key,
        Work::Expand(group) | Work::MoveOwner(group) => *group == key,
        Work::Copy(_)
        | Work::Format(_)
        | Work::Migrate(_)
        | Work::MigrateContainer(..)
        | Work::Split(_)
        | Work::Balance(_)
        | Work::Firmware(_)
        | Work::Boot(_)
        | Work::TakeOver(_)
        | Work::GiveBack(_)
        | Work::Charge(_)
        | Work::Operation(_)
        | Work::Request(_) => false,
    }
}
