//! Who reaches what: the paths that affinities and mappings open from hosts through ports to volumes.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use utoipa::ToSchema;

use super::{
    Affinity, Array, Controller, Door, GroupProtocol, Host, HostGroup, HostPort, Key, LunGroup, Mapping, Noun, Object, Party, PortGroup, Protocol, RaidGroup,
    Tenant, TenantState, Volume,
};

/// One way by which a host sees a volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// By an affinity.
    Affinity(Key<Affinity>),
    /// By a mapping.
    Mapping(Key<Mapping>),
}

/// What an affinity or a mapping opens: these hosts see these volumes through these ports. One that is given to hosts of several protocols
/// opens one link for each.
#[derive(Clone, Debug)]
pub struct Link<'a> {
    /// Which one it is.
    pub way: Way,
    /// Where the numbers count.
    pub target: Target,
    /// The hosts, nested groups' among them.
    pub hosts: Cow<'a, [Key<Host>]>,
    /// The ports.
    pub ports: Cow<'a, [Key<HostPort>]>,
    /// Whether the ports are those of interfaces, wherever these go.
    pub follows_interfaces: bool,
    /// The volumes by logical unit number.
    pub luns: Cow<'a, BTreeMap<u32, Key<Volume>>>,
}

/// What a host sees as one target: a number stands for one volume in it. Usually all of the array.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Target {
    /// The tenant, where each is a target of its own.
    pub tenant: Option<Key<Tenant>>,
    /// The subsystem, where NVMe host groups are such.
    pub subsystem: Option<Key<HostGroup>>,
}

/// What all affinities and then all mappings open, each in order of number.
pub fn links(array: &Array) -> impl Iterator<Item = Link<'_>> {
    let affinities = array.affinities.iter().flat_map(|affinity| affinity_links(array, affinity, None));
    affinities.chain(array.mappings.iter().flat_map(|mapping| mapping_links(array, mapping, None)))
}

/// What is opened to a host group.
pub fn links_of_host_group(array: &Array, group: Key<HostGroup>) -> impl Iterator<Item = Link<'_>> {
    links_to_group(array, group, None)
}

/// What would be opened to a host group, and to all groups in which it lies, if it were as it is given.
pub fn links_if<'a>(array: &'a Array, changed: &'a HostGroup) -> impl Iterator<Item = Link<'a>> {
    std::iter::once(changed.key()).chain(groups_around(array, changed.key())).flat_map(move |group| links_to_group(array, group, Some(changed)))
}

fn links_to_group<'a>(array: &'a Array, group: Key<HostGroup>, changed: Option<&'a HostGroup>) -> impl Iterator<Item = Link<'a>> {
    let affinities = array.affinities.iter().filter(move |affinity| affinity.host_group == group);
    let mappings = array.mappings.iter().filter(move |mapping| mapping.party == Party::HostGroup(group));
    affinities
        .flat_map(move |affinity| affinity_links(array, affinity, changed))
        .chain(mappings.flat_map(move |mapping| mapping_links(array, mapping, changed)))
}

/// What is opened through a port group that a mapping or an affinity names.
pub fn links_of_port_group(array: &Array, group: Key<PortGroup>) -> impl Iterator<Item = Link<'_>> {
    let affinities = array.affinities.iter().filter(move |affinity| affinity.port_group == group);
    let mappings = array.mappings.iter().filter(move |mapping| way_through(array, mapping.party, mapping.port_group) == Some(group));
    affinities.flat_map(|affinity| affinity_links(array, affinity, None)).chain(mappings.flat_map(|mapping| mapping_links(array, mapping, None)))
}

/// What opens a LUN group.
pub fn links_of_lun_group(array: &Array, group: Key<LunGroup>) -> impl Iterator<Item = Link<'_>> {
    array.affinities.iter().filter(move |affinity| affinity.lun_group == group).flat_map(|affinity| affinity_links(array, affinity, None))
}

fn affinity_links<'a>(array: &'a Array, affinity: &'a Affinity, changed: Option<&'a HostGroup>) -> impl Iterator<Item = Link<'a>> {
    let (party, groups) = (Party::HostGroup(affinity.host_group), (affinity.port_group, affinity.lun_group));
    party_links(array, Way::Affinity(affinity.key()), party, Some(groups.0), Cow::Borrowed(&array.lun_groups[groups.1].luns), changed)
}

/// What groups open together.
pub fn group_links(array: &Array, way: Way, (hosts, ports, luns): (Key<HostGroup>, Key<PortGroup>, Key<LunGroup>)) -> impl Iterator<Item = Link<'_>> {
    party_links(array, way, Party::HostGroup(hosts), Some(ports), Cow::Borrowed(&array.lun_groups[luns].luns), None)
}

fn mapping_links<'a>(array: &'a Array, mapping: &Mapping, changed: Option<&'a HostGroup>) -> impl Iterator<Item = Link<'a>> {
    let luns = Cow::Owned(BTreeMap::from([(mapping.lun, mapping.volume)]));
    party_links(array, Way::Mapping(mapping.key()), mapping.party, mapping.port_group, luns, changed)
}

/// What opens volumes to a party through a port group, or else through the one that is bound to its host group.
pub fn party_links<'a>(
    array: &'a Array,
    way: Way,
    party: Party,
    port_group: Option<Key<PortGroup>>,
    luns: Cow<'a, BTreeMap<u32, Key<Volume>>>,
    changed: Option<&'a HostGroup>,
) -> impl Iterator<Item = Link<'a>> {
    let (target, spoken) = (target_of(array, party), party_protocols(array, party));
    spoken.iter().map(move |protocol| {
        let door = door_to(array, party, port_group, *protocol, changed);
        let all = hosts_if(array, party, changed);
        let hosts = if spoken.len() == 1 { all } else { all.iter().copied().filter(|host| array.hosts[*host].initiator.protocol() == *protocol).collect() };
        Link { way, target, hosts, ports: door.ports(array), follows_interfaces: door.follows_interfaces(array), luns: luns.clone() }
    })
}

/// Where the numbers of what a party sees count.
pub fn target_of(array: &Array, party: Party) -> Target {
    let offer = &array.personality.offer;
    let subsystem = match party {
        Party::HostGroup(group) if array.host_groups[group].protocol == GroupProtocol::Nvme => Some(group),
        _ => None,
    };
    Target { tenant: party_tenant(array, party).filter(|_| offer.tenants_serve), subsystem: subsystem.filter(|_| offer.nvme_subsystems) }
}

/// The doors through which a mapping leads, one for each protocol of the party.
pub fn doors_of(array: &Array, mapping: &Mapping) -> Vec<Door> {
    let spoken = party_protocols(array, mapping.party);
    spoken.iter().map(|protocol| door_to(array, mapping.party, mapping.port_group, *protocol, None)).collect()
}

/// The port group through which a way to a party leads: its own, or else the one that is bound to the host group.
pub fn way_through(array: &Array, party: Party, port_group: Option<Key<PortGroup>>) -> Option<Key<PortGroup>> {
    door_to(array, party, port_group, Protocol::Fc, None).port_group
}

fn door_to(array: &Array, party: Party, port_group: Option<Key<PortGroup>>, protocol: Protocol, changed: Option<&HostGroup>) -> Door {
    let bound = || match party {
        Party::Host(_) => None,
        Party::HostGroup(group) => as_if(array, group, changed).port_group,
    };
    Door { tenant: party_tenant(array, party), port_group: port_group.or_else(bound), protocol }
}

/// What refers to a volume so that hosts see it, or would see it: the first LUN group or mapping by number.
pub fn volume_users(array: &Array, volume: Key<Volume>) -> Option<(Noun, &str)> {
    let group = array.lun_groups.iter().find(|group| group.luns.values().any(|held| *held == volume));
    let mapping = || array.mappings_of(volume).next();
    group.map(|group| (Noun::LunGroup, group.name())).or_else(|| mapping().map(|mapping| (Noun::Mapping, mapping.name())))
}

/// A host group as it is, or as it would be.
fn as_if<'a>(array: &'a Array, group: Key<HostGroup>, changed: Option<&'a HostGroup>) -> &'a HostGroup {
    changed.filter(|changed| changed.key() == group).unwrap_or_else(|| &array.host_groups[group])
}

/// The hosts of a party, in order of number; those of nested groups are among them.
pub fn hosts_of(array: &Array, party: Party) -> Cow<'_, [Key<Host>]> {
    hosts_if(array, party, None)
}

fn hosts_if<'a>(array: &'a Array, party: Party, changed: Option<&'a HostGroup>) -> Cow<'a, [Key<Host>]> {
    match party {
        Party::Host(host) => Cow::Owned(vec![host]),
        Party::HostGroup(group) => hosts_under(array, as_if(array, group, changed), changed),
    }
}

/// The hosts of a host group and of the groups in it, in order of number. `changed` stands for the group of its key.
pub fn hosts_under<'a>(array: &'a Array, group: &'a HostGroup, changed: Option<&'a HostGroup>) -> Cow<'a, [Key<Host>]> {
    if group.groups.is_empty() {
        return Cow::Borrowed(&group.hosts);
    }
    let mut hosts: Vec<Key<Host>> = group.hosts.clone();
    for inner in groups_inside(array, group, changed) {
        hosts.extend(&as_if(array, inner, changed).hosts);
    }
    hosts.sort_by_key(|host| array.hosts[*host].number());
    hosts.dedup();
    Cow::Owned(hosts)
}

/// The groups in a group, and in those, each once.
pub fn groups_inside(array: &Array, group: &HostGroup, changed: Option<&HostGroup>) -> BTreeSet<Key<HostGroup>> {
    let mut found: BTreeSet<Key<HostGroup>> = BTreeSet::new();
    let mut open: Vec<Key<HostGroup>> = group.groups.clone();
    while let Some(inner) = open.pop() {
        if found.insert(inner) {
            open.extend(&as_if(array, inner, changed).groups);
        }
    }
    found
}

/// The groups in which a group lies, directly or not, each once.
pub fn groups_around(array: &Array, group: Key<HostGroup>) -> BTreeSet<Key<HostGroup>> {
    let mut found: BTreeSet<Key<HostGroup>> = BTreeSet::new();
    let mut open = vec![group];
    while let Some(inner) = open.pop() {
        let around = array.host_groups.iter().filter(|outer| outer.groups.contains(&inner)).map(Object::key);
        open.extend(around.filter(|outer| found.insert(*outer)));
    }
    found
}

/// The protocols of a party.
pub fn party_protocols(array: &Array, party: Party) -> &'static [Protocol] {
    match party {
        Party::Host(host) => array.hosts[host].initiator.protocol().alone(),
        Party::HostGroup(group) => array.host_groups[group].protocol.protocols(),
    }
}

/// Whose a party is.
pub fn party_tenant(array: &Array, party: Party) -> Option<Key<Tenant>> {
    match party {
        Party::Host(host) => array.hosts[host].tenant,
        Party::HostGroup(group) => array.host_groups[group].tenant,
    }
}

/// For every host and port: the affinity or the mappings that open the path; those left out that follow interfaces.
pub fn open_paths(array: &Array) -> BTreeMap<(Key<Host>, Key<HostPort>), Vec<Way>> {
    let mut paths: BTreeMap<(Key<Host>, Key<HostPort>), Vec<Way>> = BTreeMap::new();
    for link in links(array).filter(|link| !link.follows_interfaces) {
        for host in link.hosts.iter() {
            for port in link.ports.iter() {
                paths.entry((*host, *port)).or_default().push(link.way);
            }
        }
    }
    paths
}

/// What is seen by target and number, and by which ways.
pub type Seen = BTreeMap<(Target, u32), BTreeSet<(Key<Volume>, Way)>>;

/// The LUNs that a host sees, by target and number, with the ways; a sound array has one volume a number of a target.
pub fn initiator_luns(array: &Array, host: Key<Host>) -> Seen {
    let mut luns = Seen::new();
    let sees = |party: Party| hosts_of(array, party).contains(&host);
    for affinity in array.affinities.iter().filter(|affinity| sees(Party::HostGroup(affinity.host_group))) {
        let target = target_of(array, Party::HostGroup(affinity.host_group));
        for (lun, volume) in &array.lun_groups[affinity.lun_group].luns {
            luns.entry((target, *lun)).or_default().insert((*volume, Way::Affinity(affinity.key())));
        }
    }
    for mapping in array.mappings.iter().filter(|mapping| sees(mapping.party)) {
        luns.entry((target_of(array, mapping.party), mapping.lun)).or_default().insert((mapping.volume, Way::Mapping(mapping.key())));
    }
    luns
}

/// What opens a volume to hosts: to whom, and through which port group.
fn ways_to(array: &Array, volume: Key<Volume>) -> impl Iterator<Item = (Party, Option<Key<PortGroup>>)> {
    let shows = move |affinity: &&Affinity| array.lun_groups[affinity.lun_group].luns.values().any(|held| *held == volume);
    let affinities = array.affinities.iter().filter(shows).map(|affinity| (Party::HostGroup(affinity.host_group), Some(affinity.port_group)));
    affinities.chain(array.mappings_of(volume).map(|mapping| (mapping.party, mapping.port_group)))
}

/// The doors through which some host gets at a volume.
fn doors_to(array: &Array, volume: Key<Volume>) -> impl Iterator<Item = Door> {
    ways_to(array, volume)
        .flat_map(move |(party, port_group)| protocols_spoken(array, party).into_iter().map(move |protocol| door_to(array, party, port_group, protocol, None)))
}

/// What the hosts of a party speak; nothing while it has none.
fn protocols_spoken(array: &Array, party: Party) -> Vec<Protocol> {
    let (all, hosts) = (party_protocols(array, party), hosts_of(array, party));
    let speaks = |protocol: &Protocol| hosts.iter().any(|host| all.len() == 1 || array.hosts[*host].initiator.protocol() == *protocol);
    all.iter().copied().filter(speaks).collect()
}

/// The ports through which some host reaches a volume, enabled or not, in order of number.
pub fn volume_paths(array: &Array, volume: Key<Volume>) -> Vec<Key<HostPort>> {
    let ports: BTreeSet<Key<HostPort>> = doors_to(array, volume).flat_map(|door| door.ports(array).into_owned()).collect();
    ports.into_iter().collect()
}

/// Whether hosts are let in to a volume: it is online, and so is the container that holds it.
pub fn is_online(array: &Array, volume: &Volume) -> bool {
    volume.online && volume.container().and_then(|key| array.containers.get(key)).is_none_or(|container| container.state.is_online())
}

/// The ports through which host I/O to a volume can flow now: enabled, on a controller that is online; of a tenant that is a target, under
/// an interface of it that is up, while the target service is enabled. None while its tenant is stopped, or it or its container is offline.
pub fn mapped_ports(array: &Array, volume: Key<Volume>) -> Vec<Key<HostPort>> {
    let known = array.volumes.get(volume);
    let stopped = known.and_then(|volume| volume.tenant).is_some_and(|tenant| array.tenants[tenant].state == TenantState::Stopped);
    if stopped || !known.is_some_and(|volume| is_online(array, volume)) {
        return Vec::new();
    }
    let ports: BTreeSet<Key<HostPort>> = doors_to(array, volume).flat_map(|door| door.open_ports(array)).collect();
    ports.into_iter().collect()
}

/// Whether a port carries host I/O: enabled, for hosts, nothing wrong with it or its transceiver, and its controller runs.
pub fn is_up(array: &Array, port: Key<HostPort>) -> bool {
    let port = &array.host_ports[port];
    let linked = port.enabled && port.fault.is_none() && port.role.serves_hosts();
    linked && array.controllers[port.controller].is_online() && array.transceiver_works(port.key())
}

/// The protocols of the hosts that reach a volume, whether their ports are up or not.
pub fn volume_protocols(array: &Array, volume: Key<Volume>) -> BTreeSet<Protocol> {
    ways_to(array, volume).flat_map(|(party, _)| protocols_spoken(array, party)).collect()
}

/// How many hosts may use each port, those left out that come by interfaces.
pub fn hosts_by_port(array: &Array) -> BTreeMap<Key<HostPort>, BTreeSet<Key<Host>>> {
    let mut hosts: BTreeMap<Key<HostPort>, BTreeSet<Key<Host>>> = BTreeMap::new();
    for link in links(array).filter(|link| !link.hosts.is_empty() && !link.follows_interfaces) {
        for port in link.ports.iter() {
            hosts.entry(*port).or_default().extend(link.hosts.iter());
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

/// Whether a port is up; where a tenant is a target, whether it leads to the volume now.
fn is_open(array: &Array, volume: &Volume, port: Key<HostPort>) -> bool {
    if volume.tenant.is_some() && array.personality.offer.tenants_serve { mapped_ports(array, volume.key()).contains(&port) } else { is_up(array, port) }
}

/// How well a volume is reached through a port now.
pub fn path_state(array: &Array, volume: &Volume, port: Key<HostPort>) -> PathState {
    let acting: Option<BTreeSet<Key<Controller>>> =
        raid_groups_of(array, volume).into_iter().map(|group| array.acting_owner(&array.raid_groups[group])).collect();
    match acting {
        Some(acting) if is_open(array, volume, port) && is_online(array, volume) => {
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
