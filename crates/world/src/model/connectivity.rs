//! The part of the consistency check that is about hosts, ports, groups and the paths between them.

use std::collections::{BTreeMap, BTreeSet};

use super::consistency::dangling;
use super::reach::{self, Way};
use super::{Array, HostResponse, Initiator, Object, Party, PortProtocol, Protocol};

/// Everything that is wrong, one sentence each. Paths are looked at only when all references lead somewhere.
pub(super) fn problems(array: &Array, found: &mut Vec<String>) {
    let before = found.len();
    references(array, found);
    if found.len() > before {
        return;
    }
    initiators(array, found);
    members(array, found);
    protocols(array, found);
    paths(array, found);
    luns(array, found);
}

fn references(array: &Array, found: &mut Vec<String>) {
    for group in array.host_groups.iter() {
        for host in &group.hosts {
            dangling(found, &array.hosts, *host, group.name());
        }
        if let Some(response) = group.host_response {
            dangling(found, &array.host_responses, response, group.name());
        }
    }
    for host in array.hosts.iter() {
        if let Some(response) = host.host_response {
            dangling(found, &array.host_responses, response, host.name());
        }
    }
    for group in array.port_groups.iter() {
        for port in &group.ports {
            dangling(found, &array.host_ports, *port, group.name());
        }
    }
    for group in array.lun_groups.iter() {
        for volume in group.luns.values() {
            dangling(found, &array.volumes, *volume, group.name());
        }
    }
    for affinity in array.affinities.iter() {
        dangling(found, &array.host_groups, affinity.host_group, affinity.name());
        dangling(found, &array.port_groups, affinity.port_group, affinity.name());
        dangling(found, &array.lun_groups, affinity.lun_group, affinity.name());
    }
    for mapping in array.mappings.iter() {
        match mapping.party {
            Party::Host(host) => dangling(found, &array.hosts, host, mapping.name()),
            Party::HostGroup(group) => dangling(found, &array.host_groups, group, mapping.name()),
        };
        if let Some(group) = mapping.port_group {
            dangling(found, &array.port_groups, group, mapping.name());
        }
        dangling(found, &array.volumes, mapping.volume, mapping.name());
    }
}

fn initiators(array: &Array, found: &mut Vec<String>) {
    let mut hosts: BTreeMap<&Initiator, &str> = BTreeMap::new();
    for host in array.hosts.iter() {
        if let Some(other) = hosts.insert(&host.initiator, host.name()) {
            found.push(format!("hosts '{other}' and '{}' have one address", host.name()));
        }
    }
}

fn has_twice<T: Ord>(members: impl IntoIterator<Item = T>) -> bool {
    let mut seen = BTreeSet::new();
    members.into_iter().any(|member| !seen.insert(member))
}

fn members(array: &Array, found: &mut Vec<String>) {
    for group in array.host_groups.iter() {
        if has_twice(&group.hosts) {
            found.push(format!("host group '{}' has a host twice", group.name()));
        }
        for host in group.hosts.iter().map(|host| &array.hosts[*host]).filter(|host| host.initiator.protocol() != group.protocol) {
            found.push(format!("host '{}' does not speak {} like its host group '{}'", host.name(), group.protocol, group.name()));
        }
        for host in group.hosts.iter().map(|host| &array.hosts[*host]).filter(|host| host.host_response != group.host_response) {
            found.push(format!("host '{}' has another host response than its host group '{}'", host.name(), group.name()));
        }
    }
    for group in array.port_groups.iter() {
        if has_twice(&group.ports) || group.ports.is_empty() {
            found.push(format!("port group '{}' has no port, or one twice", group.name()));
        }
        for port in group.ports.iter().map(|port| &array.host_ports[*port]).filter(|port| port.protocol != group.protocol) {
            found.push(format!("port '{}' does not speak {} like its port group '{}'", port.name(), group.protocol, group.name()));
        }
        if group.protocol == PortProtocol::Ethernet {
            found.push(format!("port group '{}' carries no host I/O", group.name()));
        }
    }
    for group in array.lun_groups.iter() {
        if has_twice(group.luns.values()) {
            found.push(format!("LUN group '{}' has a volume twice", group.name()));
        }
        if let Some(lun) = group.luns.keys().find(|lun| **lun > array.lun_most()) {
            found.push(format!("LUN group '{}' has the number {lun}", group.name()));
        }
    }
    if has_twice(array.mappings.iter().map(|mapping| (mapping.volume, mapping.party))) {
        found.push("a volume is mapped to one party twice".to_owned());
    }
}

fn protocols(array: &Array, found: &mut Vec<String>) {
    let mut fits = |name: &str, ports: PortProtocol, hosts: Protocol| {
        if !ports.serves(hosts) {
            found.push(format!("'{name}' leads through ports of {ports} to hosts of {hosts}"));
        }
    };
    for affinity in array.affinities.iter() {
        fits(affinity.name(), array.port_groups[affinity.port_group].protocol, array.host_groups[affinity.host_group].protocol);
    }
    for mapping in array.mappings.iter() {
        if let Some(group) = mapping.port_group {
            fits(mapping.name(), array.port_groups[group].protocol, reach::party_protocol(array, mapping.party));
        }
    }
}

fn paths(array: &Array, found: &mut Vec<String>) {
    for ((host, port), ways) in reach::open_paths(array) {
        if ways.iter().filter(|way| matches!(way, Way::Affinity(_))).count() > 1 {
            found.push(format!("host '{}' has two affinities through port '{}'", array.hosts[host].name(), array.host_ports[port].name()));
        }
    }
    for (port, hosts) in reach::hosts_by_port(array) {
        if u64::try_from(hosts.len()).unwrap_or(u64::MAX) > array.personality.limits.hosts_per_port {
            found.push(format!("port '{}' serves {} hosts", array.host_ports[port].name(), hosts.len()));
        }
    }
}

fn luns(array: &Array, found: &mut Vec<String>) {
    for host in array.hosts.iter() {
        for (lun, seen) in reach::initiator_luns(array, host.key()) {
            if seen.len() > 1 && seen.iter().any(|(_, way)| matches!(way, Way::Mapping(_))) {
                found.push(format!("host '{}' sees LUN {lun} by a mapping and once more", host.name()));
            }
        }
    }
    for host in array.hosts.iter() {
        let most = HostResponse::lun_most(array, host.host_response);
        for lun in reach::initiator_luns(array, host.key()).into_keys().filter(|lun| *lun > most) {
            found.push(format!("host '{}' sees LUN {lun}, more than its host response allows", host.name()));
        }
    }
}
