//! What an array's streams share: its controllers, host ports, RAID groups' drives and back-end links, numbered for the network.

use std::collections::BTreeMap;

use crate::model::{Array, Controller, HostPort, Key, Object, RaidGroup};

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
        Self { numbers: list.iter().enumerate().map(|(number, resource)| (*resource, number)).collect(), list }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// All of them, in order of number.
    pub(super) fn iter(&self) -> impl Iterator<Item = Resource> {
        self.list.iter().copied()
    }

    /// The number of one.
    pub(super) fn number(&self, resource: Resource) -> Option<usize> {
        self.numbers.get(&resource).copied()
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
