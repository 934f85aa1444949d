//! The rules about paths from hosts through ports to volumes, which all changes of groups, affinities and mappings share.
//!
//! A change is judged by what it would open: each affinity and mapping that it touches, as it would be, against all others as they are.

use std::collections::BTreeSet;

use super::rules;
use crate::model::reach::{self, Link, Target, Way};
use crate::model::{Array, Host, HostPort, Key, Noun, Object, OpError, Party, PortGroup, PortProtocol, Protocol};

/// These links, as they would be, must go together with each other and with all that stays. Refused, in this order: a host would
/// have two affinities through one port; where hosts join many groups, a host would see a volume twice; a host would see a LUN twice, once
/// by a mapping; a port would serve too many hosts (those left out that come by interfaces).
pub(super) fn are_sound(array: &Array, changed: &[Link<'_>]) -> Result<(), OpError> {
    if changed.is_empty() {
        return Ok(());
    }
    let unchanged: Vec<Link<'_>> = reach::links(array).filter(|link| changed.iter().all(|other| other.way != link.way)).collect();
    let pairs = || changed.iter().enumerate().flat_map(|(place, link)| unchanged.iter().chain(&changed[..place]).map(move |other| (link, other)));
    pairs().try_for_each(|(link, other)| paths_are_free(array, link, other))?;
    if array.personality.offer.hosts_join_many_groups {
        pairs().try_for_each(|(link, other)| volumes_are_seen_once(array, link, other))?;
    }
    pairs().try_for_each(|(link, other)| luns_are_free(array, link, other))?;
    let fixed = |links: &mut dyn Iterator<Item = &Link<'_>>| -> BTreeSet<Key<HostPort>> {
        links.filter(|link| !link.follows_interfaces).flat_map(|link| link.ports.iter().copied()).collect()
    };
    let all = || unchanged.iter().chain(changed).filter(|link| !link.follows_interfaces);
    let through = |port: Key<HostPort>| all().filter(move |link| link.ports.contains(&port)).flat_map(|link| link.hosts.iter());
    fixed(&mut changed.iter()).into_iter().try_for_each(|port| port_has_room(array, port, through(port)))
}

/// A host that two links show one volume.
fn volumes_are_seen_once(array: &Array, link: &Link<'_>, other: &Link<'_>) -> Result<(), OpError> {
    let Some(volume) = link.luns.values().find(|volume| other.luns.values().any(|seen| seen == *volume)) else { return Ok(()) };
    let Some(host) = link.hosts.iter().find(|host| other.hosts.contains(host)) else { return Ok(()) };
    let (name, by_name) = (array.volumes[*volume].name().to_owned(), array.hosts[*host].name().to_owned());
    Err(OpError::InUse { noun: Noun::Volume, name, by: Noun::Host, by_name })
}

/// A host sees one LUN group through a port. Where interfaces are, is not looked at.
fn paths_are_free(array: &Array, link: &Link<'_>, other: &Link<'_>) -> Result<(), OpError> {
    let (Way::Affinity(_), Way::Affinity(by)) = (link.way, other.way) else { return Ok(()) };
    if link.follows_interfaces || other.follows_interfaces {
        return Ok(());
    }
    let Some(host) = link.hosts.iter().find(|host| other.hosts.contains(host)) else { return Ok(()) };
    let Some(port) = link.ports.iter().find(|port| other.ports.contains(port)) else { return Ok(()) };
    let (host, port) = (array.hosts[*host].name().to_owned(), array.host_ports[*port].name().to_owned());
    Err(OpError::PathTaken { host, port, by: format!("the {} '{}'", Noun::Affinity, array.affinities[by].name()) })
}

/// The number of a mapping stands for nothing else with any host that sees it.
fn luns_are_free(array: &Array, link: &Link<'_>, other: &Link<'_>) -> Result<(), OpError> {
    if matches!((link.way, other.way), (Way::Affinity(_), Way::Affinity(_))) || link.target != other.target {
        return Ok(());
    }
    let Some(host) = link.hosts.iter().find(|host| other.hosts.contains(host)) else { return Ok(()) };
    let Some((lun, volume)) = link.luns.keys().find_map(|lun| other.luns.get(lun).map(|volume| (*lun, *volume))) else { return Ok(()) };
    let within = format!("what the {} '{}' sees", Noun::Host, array.hosts[*host].name());
    Err(OpError::LunTaken { lun, within, by: array.volumes[volume].name().to_owned() })
}

fn port_has_room<'a>(array: &Array, port: Key<HostPort>, hosts: impl Iterator<Item = &'a Key<Host>>) -> Result<(), OpError> {
    let hosts: BTreeSet<&Key<Host>> = hosts.collect();
    let within = format!("the {} '{}'", Noun::HostPort, array.host_ports[port].name());
    rules::count_within(Noun::Host, hosts.len(), array.personality.limits.hosts_per_port, &within)
}

/// A port that is in no port group must have room for all hosts that would reach it when it speaks `protocol`: those of the
/// mappings that lead through all ports.
pub(super) fn port_may_speak(array: &Array, port: Key<HostPort>, protocol: PortProtocol) -> Result<(), OpError> {
    let through_all = array.mappings.iter().filter(|mapping| {
        let doors = reach::doors_of(array, mapping);
        doors.into_iter().all(|door| door.port_group.is_none() && !door.follows_interfaces(array))
    });
    let hosts = through_all.flat_map(|mapping| reach::hosts_of(array, mapping.party).into_owned());
    let coming: Vec<Key<Host>> = hosts.filter(|host| protocol.serves(array.hosts[*host].initiator.protocol())).collect();
    port_has_room(array, port, coming.iter())
}

/// The ports of the group must serve hosts of one of these protocols.
pub(super) fn ports_serve(array: &Array, port_group: Key<PortGroup>, hosts: &[Protocol]) -> Result<(), OpError> {
    let group = &array.port_groups[port_group];
    if hosts.iter().any(|protocol| group.serves(*protocol)) {
        return Ok(());
    }
    let all = [PortProtocol::Fc, PortProtocol::Fcoe, PortProtocol::Iscsi];
    let accepted = all.into_iter().filter(|ports| hosts.iter().any(|protocol| ports.serves(*protocol)));
    let expected = accepted.map(|ports| ports.to_string()).collect::<Vec<_>>().join(" or ");
    Err(OpError::ProtocolMismatch { noun: Noun::PortGroup, name: group.name().to_owned(), protocol: group.protocol.to_string(), expected })
}

/// The numbers under which any of the hosts sees a volume of that target by one of the ways that `counts` accepts.
pub(super) fn luns_seen(array: &Array, hosts: &[Key<Host>], target: Target, counts: impl Fn(Way) -> bool) -> BTreeSet<u32> {
    let seen = reach::links(array).filter(|link| counts(link.way) && link.target == target && link.hosts.iter().any(|host| hosts.contains(host)));
    seen.flat_map(|link| link.luns.keys().copied().collect::<Vec<_>>()).collect()
}

/// A logical unit number must lie between these.
pub(super) fn lun_is_in_range(noun: Noun, lun: u32, (least, most): (u32, u32)) -> Result<(), OpError> {
    rules::in_range(noun, "lun", u64::from(lun), (u64::from(least), u64::from(most)))
}

/// The lowest number that is not taken.
pub(super) fn lowest_lun((least, most): (u32, u32), taken: &BTreeSet<u32>, within: &str) -> Result<u32, OpError> {
    let refusal = || OpError::LimitReached { noun: Noun::Volume, limit: u64::from(most) + 1 - u64::from(least), within: within.to_owned() };
    (least..=most).find(|lun| !taken.contains(lun)).ok_or_else(refusal)
}

/// A party in running text.
pub(super) fn party_text(array: &Array, party: Party) -> String {
    let noun = match party {
        Party::Host(_) => Noun::Host,
        Party::HostGroup(_) => Noun::HostGroup,
    };
    format!("the {noun} '{}'", party_name(array, party))
}

/// A party's name.
pub(super) fn party_name(array: &Array, party: Party) -> &str {
    match party {
        Party::Host(host) => array.hosts[host].name(),
        Party::HostGroup(group) => array.host_groups[group].name(),
    }
}
