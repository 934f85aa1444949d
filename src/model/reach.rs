//! Who reaches what: the paths that affinities and mappings open from hosts through ports to volumes.

use std::collections::{BTreeMap, BTreeSet};

use super::{Affinity, Array, Host, HostPort, Key, Mapping, Noun, Object, Party, Volume};

/// One way by which a host sees a volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// By an affinity.
    Affinity(Key<Affinity>),
    /// By a mapping.
    Mapping(Key<Mapping>),
}

/// What refers to a volume so that hosts see it, or would see it: the first LUN group or mapping by number.
pub fn volume_users(array: &Array, volume: Key<Volume>) -> Option<(Noun, &str)> {
    let group = array.lun_groups.iter().find(|group| group.luns.values().any(|held| *held == volume));
    let mapping = || array.mappings.iter().find(|mapping| mapping.volume == volume);
    group.map(|group| (Noun::LunGroup, group.name())).or_else(|| mapping().map(|mapping| (Noun::Mapping, mapping.name())))
}

/// The hosts of a party, in order of number.
pub fn party_hosts(array: &Array, party: Party) -> Vec<Key<Host>> {
    match party {
        Party::Host(host) => vec![host],
        Party::HostGroup(group) => array.host_groups[group].hosts.clone(),
    }
}

/// The ports through which a mapping leads: its port group's, or all that serve the party's protocol.
pub fn mapping_ports(array: &Array, mapping: &Mapping) -> Vec<Key<HostPort>> {
    if let Some(group) = mapping.port_group {
        return array.port_groups[group].ports.clone();
    }
    let protocol = match mapping.party {
        Party::Host(host) => array.hosts[host].initiator.protocol(),
        Party::HostGroup(group) => array.host_groups[group].protocol,
    };
    array.host_ports.iter().filter(|port| port.protocol.serves(protocol)).map(Object::key).collect()
}

/// For every host and port: the affinity or the mappings that open the path.
pub fn open_paths(array: &Array) -> BTreeMap<(Key<Host>, Key<HostPort>), Vec<Way>> {
    let mut paths: BTreeMap<(Key<Host>, Key<HostPort>), Vec<Way>> = BTreeMap::new();
    for affinity in array.affinities.iter() {
        for host in &array.host_groups[affinity.host_group].hosts {
            for port in &array.port_groups[affinity.port_group].ports {
                paths.entry((*host, *port)).or_default().push(Way::Affinity(affinity.key()));
            }
        }
    }
    for mapping in array.mappings.iter() {
        for host in party_hosts(array, mapping.party) {
            for port in mapping_ports(array, mapping) {
                paths.entry((host, port)).or_default().push(Way::Mapping(mapping.key()));
            }
        }
    }
    paths
}

/// The LUNs that a host sees, by number, with the ways; a sound array has one volume a number.
pub fn initiator_luns(array: &Array, host: Key<Host>) -> BTreeMap<u32, BTreeSet<(Key<Volume>, Way)>> {
    let mut luns: BTreeMap<u32, BTreeSet<(Key<Volume>, Way)>> = BTreeMap::new();
    for affinity in array.affinities.iter().filter(|affinity| array.host_groups[affinity.host_group].hosts.contains(&host)) {
        for (lun, volume) in &array.lun_groups[affinity.lun_group].luns {
            luns.entry(*lun).or_default().insert((*volume, Way::Affinity(affinity.key())));
        }
    }
    for mapping in array.mappings.iter().filter(|mapping| party_hosts(array, mapping.party).contains(&host)) {
        luns.entry(mapping.lun).or_default().insert((mapping.volume, Way::Mapping(mapping.key())));
    }
    luns
}

/// The ports through which some host reaches a volume, enabled or not, in order of number.
pub fn volume_paths(array: &Array, volume: Key<Volume>) -> Vec<Key<HostPort>> {
    let mut ports: BTreeSet<Key<HostPort>> = BTreeSet::new();
    for affinity in array.affinities.iter() {
        let shown = array.lun_groups[affinity.lun_group].luns.values().any(|held| *held == volume);
        if shown && !array.host_groups[affinity.host_group].hosts.is_empty() {
            ports.extend(&array.port_groups[affinity.port_group].ports);
        }
    }
    for mapping in array.mappings.iter().filter(|mapping| mapping.volume == volume && !party_hosts(array, mapping.party).is_empty()) {
        ports.extend(mapping_ports(array, mapping));
    }
    ports.into_iter().collect()
}

/// The ports through which host I/O to a volume can flow now: enabled, on a controller that is online.
pub fn mapped_ports(array: &Array, volume: Key<Volume>) -> Vec<Key<HostPort>> {
    volume_paths(array, volume).into_iter().filter(|port| is_up(array, *port)).collect()
}

/// Whether a port carries I/O.
pub fn is_up(array: &Array, port: Key<HostPort>) -> bool {
    let port = &array.host_ports[port];
    port.enabled && array.controllers[port.controller].online
}

/// How many hosts may use each port.
pub fn hosts_by_port(array: &Array) -> BTreeMap<Key<HostPort>, BTreeSet<Key<Host>>> {
    let mut hosts: BTreeMap<Key<HostPort>, BTreeSet<Key<Host>>> = BTreeMap::new();
    for (host, port) in open_paths(array).into_keys() {
        hosts.entry(port).or_default().insert(host);
    }
    hosts
}
