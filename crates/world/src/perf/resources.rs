//! What an array's streams share: its controllers, host ports, RAID groups' drives and back-end links, numbered for the network.

use std::collections::BTreeMap;

use crate::model::{Array, Controller, HostPort, Key, Object, RaidGroup, Standing};

/// A part of the array that serves one request after another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Resource {
    /// A controller's own work.
    Controller(Key<Controller>),
    /// A host port.
    HostPort(Key<HostPort>),
    /// The drives of a RAID group.
    Drives(Key<RaidGroup>),
    /// The link between a controller and its drives.
    BackEnd(Key<Controller>),
}

/// All of them, with the number that each has in the network.
///
/// Fixed parts are in order of number, RAID groups in order of name: numbers follow the order in which things were made, and
/// that order must not move a bit of the answer.
pub(super) struct Resources {
    numbers: BTreeMap<Resource, usize>,
    list: Vec<Resource>,
    standings: BTreeMap<Key<RaidGroup>, (bool, u32)>,
}

impl Resources {
    /// Those of an array.
    pub(super) fn of(array: &Array) -> Self {
        let mut groups: Vec<&RaidGroup> = array.raid_groups.iter().collect();
        groups.sort_by_key(|group| group.name());
        let controllers = || array.controllers.iter().map(Object::key);
        let list: Vec<Resource> = controllers()
            .map(Resource::Controller)
            .chain(array.host_ports.iter().map(|port| Resource::HostPort(port.key())))
            .chain(groups.into_iter().map(|group| Resource::Drives(group.key())))
            .chain(controllers().map(Resource::BackEnd))
            .collect();
        let down = array.enclosures_down();
        let standing = |group: &RaidGroup| {
            let standing = Standing::of(array, group);
            let missing = standing.missing_without(&down);
            let short_of = missing.iter().filter(|slot| **slot < group.width()).count();
            (standing.is_alive_without(&missing), u32::try_from(short_of).unwrap_or(u32::MAX))
        };
        let standings = array.raid_groups.iter().map(|group| (group.key(), standing(group))).collect();
        Self { standings, numbers: list.iter().enumerate().map(|(number, resource)| (*resource, number)).collect(), list }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether a number stands for a controller.
    pub(super) fn is_controller(&self, number: usize) -> bool {
        matches!(self.list.get(number), Some(Resource::Controller(_)))
    }

    /// All of them, in order of number.
    pub(super) fn iter(&self) -> impl Iterator<Item = Resource> {
        self.list.iter().copied()
    }

    /// The number of one.
    pub(super) fn number(&self, resource: Resource) -> Option<usize> {
        self.numbers.get(&resource).copied()
    }

    /// Whether a RAID group's data can be read and written: enough of its drives serve and can be reached.
    pub(super) fn is_alive(&self, group: Key<RaidGroup>) -> bool {
        self.standings.get(&group).is_some_and(|(alive, _)| *alive)
    }

    /// How many of its members do not serve, or cannot be reached.
    pub(super) fn short_of(&self, group: Key<RaidGroup>) -> u32 {
        self.standings.get(&group).map_or(0, |(_, short_of)| *short_of)
    }

    /// What a number stands for, in words.
    pub(super) fn words(&self, array: &Array, number: usize) -> Option<String> {
        Some(match *self.list.get(number)? {
            Resource::Controller(key) => format!("controller {}", array.controllers.get(key)?.name()),
            Resource::HostPort(key) => format!("host port {}", array.host_ports.get(key)?.name()),
            Resource::Drives(key) => format!("drives of RAID group {}", array.raid_groups.get(key)?.name()),
            Resource::BackEnd(key) => format!("back end of controller {}", array.controllers.get(key)?.name()),
        })
    }
}
