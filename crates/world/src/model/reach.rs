//! Who reaches what: the paths that affinities and mappings open from hosts through ports to volumes.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use utoipa::ToSchema;

use super::{
    Affinity, Array, Controller, Host, HostGroup, HostPort, Key, LunGroup, Mapping, Noun, Object, Party, PortGroup, Protocol, RaidGroup, TenantState, Volume,
};

/// One way by which a host sees a volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// By an affinity.
    Affinity(Key<Affinity>),
    /// By a mapping.
    Mapping(Key<Mapping>),
}

/// What an affinity or a mapping opens: these hosts see these volumes through these ports.
#[derive(Clone, Debug)]
pub struct Link<'a> {
    /// Which one it is.
    pub way: Way,
    /// The hosts.
    pub hosts: &'a [Key<Host>],
    /// The ports.
    pub ports: Cow<'a, [Key<HostPort>]>,
    /// The volumes by logical unit number.
    pub luns: Cow<'a, BTreeMap<u32, Key<Volume>>>,
}

/// What all affinities and then all mappings open, each in order of number.
pub fn links(array: &Array) -> impl Iterator<Item = Link<'_>> {
    let affinities = array.affinities.iter().map(|affinity| affinity_link(array, affinity));
    affinities.chain(array.mappings.iter().map(|mapping| mapping_link(array, mapping)))
}

/// What is opened to a host group.
pub fn links_of_host_group(array: &Array, group: Key<HostGroup>) -> impl Iterator<Item = Link<'_>> {
    let affinities = array.affinities.iter().filter(move |affinity| affinity.host_group == group).map(|affinity| affinity_link(array, affinity));
    let mappings = array.mappings.iter().filter(move |mapping| mapping.party == Party::HostGroup(group));
    affinities.chain(mappings.map(|mapping| mapping_link(array, mapping)))
}

/// What is opened through a port group.
pub fn links_of_port_group(array: &Array, group: Key<PortGroup>) -> impl Iterator<Item = Link<'_>> {
    let affinities = array.affinities.iter().filter(move |affinity| affinity.port_group == group).map(|affinity| affinity_link(array, affinity));
    let mappings = array.mappings.iter().filter(move |mapping| mapping.port_group == Some(group));
    affinities.chain(mappings.map(|mapping| mapping_link(array, mapping)))
}

/// What opens a LUN group.
pub fn links_of_lun_group(array: &Array, group: Key<LunGroup>) -> impl Iterator<Item = Link<'_>> {
    array.affinities.iter().filter(move |affinity| affinity.lun_group == group).map(|affinity| affinity_link(array, affinity))
}

/// What an affinity opens.
pub fn affinity_link<'a>(array: &'a Array, affinity: &Affinity) -> Link<'a> {
    group_link(array, Way::Affinity(affinity.key()), (affinity.host_group, affinity.port_group, affinity.lun_group))
}

/// What groups open together.
pub fn group_link(array: &Array, way: Way, (hosts, ports, luns): (Key<HostGroup>, Key<PortGroup>, Key<LunGroup>)) -> Link<'_> {
    Link {
        way,
        hosts: &array.host_groups[hosts].hosts,
        ports: Cow::Borrowed(&array.port_groups[ports].ports),
        luns: Cow::Borrowed(&array.lun_groups[luns].luns),
    }
}

/// What a mapping opens.
pub fn mapping_link<'a>(array: &'a Array, mapping: &'a Mapping) -> Link<'a> {
    Link {
        way: Way::Mapping(mapping.key()),
        hosts: hosts_of(array, &mapping.party),
        ports: ports_to(array, mapping.port_group, party_protocol(array, mapping.party)),
        luns: Cow::Owned(BTreeMap::from([(mapping.lun, mapping.volume)])),
    }
}

/// What refers to a volume so that hosts see it, or would see it: the first LUN group or mapping by number.
pub fn volume_users(array: &Array, volume: Key<Volume>) -> Option<(Noun, &str)> {
    let group = array.lun_groups.iter().find(|group| group.luns.values().any(|held| *held == volume));
    let mapping = || array.mappings_of(volume).next();
    group.map(|group| (Noun::LunGroup, group.name())).or_else(|| mapping().map(|mapping| (Noun::Mapping, mapping.name())))
}

/// The hosts of a party, in order of number.
pub fn hosts_of<'a>(array: &'a Array, party: &'a Party) -> &'a [Key<Host>] {
    match party {
        Party::Host(host) => std::slice::from_ref(host),
        Party::HostGroup(group) => &array.host_groups[*group].hosts,
    }
}

/// The hosts of a party, in order of number.
pub fn party_hosts(array: &Array, party: Party) -> Vec<Key<Host>> {
    hosts_of(array, &party).to_vec()
}

/// The protocol of a party.
pub fn party_protocol(array: &Array, party: Party) -> Protocol {
    match party {
        Party::Host(host) => array.hosts[host].initiator.protocol(),
        Party::HostGroup(group) => array.host_groups[group].protocol,
    }
}

/// The ports of a port group; without one, all that serve the protocol.
pub fn ports_to(array: &Array, port_group: Option<Key<PortGroup>>, protocol: Protocol) -> Cow<'_, [Key<HostPort>]> {
    match port_group {
        Some(group) => Cow::Borrowed(&array.port_groups[group].ports),
        None => array.host_ports.iter().filter(|port| port.serves(protocol)).map(Object::key).collect(),
    }
}

/// The ports through which a mapping leads: its port group's, or all that serve the party's protocol.
pub fn mapping_ports(array: &Array, mapping: &Mapping) -> Vec<Key<HostPort>> {
    ports_to(array, mapping.port_group, party_protocol(array, mapping.party)).into_owned()
}

/// For every host and port: the affinity or the mappings that open the path.
pub fn open_paths(array: &Array) -> BTreeMap<(Key<Host>, Key<HostPort>), Vec<Way>> {
    let mut paths: BTreeMap<(Key<Host>, Key<HostPort>), Vec<Way>> = BTreeMap::new();
    for link in links(array) {
        for host in link.hosts {
            for port in link.ports.iter() {
                paths.entry((*host, *port)).or_default().push(link.way);
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
    for mapping in array.mappings.iter().filter(|mapping| hosts_of(array, &mapping.party).contains(&host)) {
        luns.entry(mapping.lun).or_default().insert((mapping.volume, Way::Mapping(mapping.key())));
    }
    luns
}

/// The ports through which some host reaches a volume, enabled or not, in order of number.
pub fn volume_paths(array: &Array, volume: Key<Volume>) -> Vec<Key<HostPort>> {
    let shows = |affinity: &&Affinity| array.lun_groups[affinity.lun_group].luns.values().any(|held| *held == volume);
    let affinities = array.affinities.iter().filter(shows).map(|affinity| affinity_link(array, affinity));
    let mappings = array.mappings_of(volume).map(|mapping| mapping_link(array, mapping));
    let mut ports: BTreeSet<Key<HostPort>> = BTreeSet::new();
    for link in affinities.chain(mappings).filter(|link| !link.hosts.is_empty()) {
        ports.extend(link.ports.iter());
    }
    ports.into_iter().collect()
}

/// Whether hosts are let in to a volume: it is online, and so is the container that holds it.
pub fn is_online(array: &Array, volume: &Volume) -> bool {
    volume.online && volume.container().and_then(|key| array.containers.get(key)).is_none_or(|container| container.state.is_online())
}

/// The ports through which host I/O to a volume can flow now: enabled, on a controller that is online. None while its tenant is stopped, or
/// it or its container is offline.
pub fn mapped_ports(array: &Array, volume: Key<Volume>) -> Vec<Key<HostPort>> {
    let known = array.volumes.get(volume);
    let stopped = known.and_then(|volume| volume.tenant).is_some_and(|tenant| array.tenants[tenant].state == TenantState::Stopped);
    if stopped || !known.is_some_and(|volume| is_online(array, volume)) {
        return Vec::new();
    }
    volume_paths(array, volume).into_iter().filter(|port| is_up(array, *port)).collect()
}

/// Whether a port carries host I/O: enabled, for hosts, nothing wrong with it or its transceiver, and its controller runs.
pub fn is_up(array: &Array, port: Key<HostPort>) -> bool {
    let port = &array.host_ports[port];
    let linked = port.enabled && port.fault.is_none() && port.role.serves_hosts();
    linked && array.controllers[port.controller].is_online() && array.transceiver_works(port.key())
}

/// The protocols of the hosts that reach a volume, whether their ports are up or not.
pub fn volume_protocols(array: &Array, volume: Key<Volume>) -> BTreeSet<Protocol> {
    let shows = |affinity: &&Affinity| array.lun_groups[affinity.lun_group].luns.values().any(|held| *held == volume);
    let affinities = array.affinities.iter().filter(shows).map(|affinity| Party::HostGroup(affinity.host_group));
    let parties = affinities.chain(array.mappings_of(volume).map(|mapping| mapping.party));
    parties.filter(|party| !hosts_of(array, party).is_empty()).map(|party| party_protocol(array, party)).collect()
}

/// How many hosts may use each port.
pub fn hosts_by_port(array: &Array) -> BTreeMap<Key<HostPort>, BTreeSet<Key<Host>>> {
    let mut hosts: BTreeMap<Key<HostPort>, BTreeSet<Key<Host>>> = BTreeMap::new();
    for link in links(array).filter(|link| !link.hosts.is_empty()) {
        for port in link.ports.iter() {
            hosts.entry(*port).or_default().extend(link.hosts);
        }
    }
    hosts
}

/// How well a volume is reached through a port (ALUA).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PathState {
    /// Its controller works for the volume.
    Optimized,
    /// Another controller works for the volume; requests are passed on to it.
    NonOptimized,
    /// The port carries nothing, no controller works for a part of the volume, or it is offline.
    Unavailable,
}

/// How well a volume is reached through a port now.
pub fn path_state(array: &Array, volume: &Volume, port: Key<HostPort>) -> PathState {
    let acting: Option<BTreeSet<Key<Controller>>> =
        raid_groups_of(array, volume).into_iter().map(|group| array.acting_owner(&array.raid_groups[group])).collect();
    match acting {
        Some(acting) if is_up(array, port) && is_online(array, volume) => {
            if acting.contains(&array.host_ports[port].controller) {
                PathState::Optimized
            } else {
                PathState::NonOptimized
            }
        }
        _ => PathState::Unavailable,
    }
}

/// The RAID groups in which a volume lives, directly, by its pool or by its container's pool.
pub fn raid_groups_of(array: &Array, volume: &Volume) -> Vec<Key<RaidGroup>> {
    let pool = volume.pool().or_else(|| volume.container().map(|container| array.containers[container].pool));
    match pool {
        Some(pool) => array.pools[pool].raid_groups.clone(),
        None => volume.slices().iter().map(|slice| slice.raid_group).collect(),
    }
}
