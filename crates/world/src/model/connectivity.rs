//! The part of the consistency check that is about hosts, ports, groups and the paths between them.

use std::collections::{BTreeMap, BTreeSet};

use super::consistency::dangling;
use super::reach::{self, Way};
use super::{Array, GroupProtocol, HostGroup, HostResponse, Initiator, Object, Party, PortGroup, PortGroupProtocol, Protocol};

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
        for inner in &group.groups {
            dangling(found, &array.host_groups, *inner, group.name());
        }
        if let Some(ports) = group.port_group {
            dangling(found, &array.port_groups, ports, group.name());
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
        for interface in &group.interfaces {
            dangling(found, &array.interfaces, *interface, group.name());
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
        for host in group.hosts.iter().map(|host| &array.hosts[*host]).filter(|host| !group.protocol.takes(host.initiator.protocol())) {
            found.push(format!("host '{}' does not speak {} like its host group '{}'", host.name(), group.protocol, group.name()));
        }
        let shares = !array.personality.offer.hosts_join_many_groups;
        for host in group.hosts.iter().map(|host| &array.hosts[*host]).filter(|host| shares && host.host_response != group.host_response) {
            found.push(format!("host '{}' has another host response than its host group '{}'", host.name(), group.name()));
        }
        nested(array, group, found);
    }
    port_groups(array, found);
    for group in array.lun_groups.iter() {
        if has_twice(group.luns.values()) {
            found.push(format!("LUN group '{}' has a volume twice", group.name()));
        }
        if let Some(lun) = group.luns.keys().find(|lun| **lun > array.lun_most()) {
            found.push(format!("LUN group '{}' has the number {lun}", group.name()));
        }
    }
    one_subsystem(array, found);
    if has_twice(array.mappings.iter().map(|mapping| (mapping.volume, mapping.party))) {
        found.push("a volume is mapped to one party twice".to_owned());
    }
}

/// Groups in groups: no circle, not too deep, and of one tenant.
fn nested(array: &Array, group: &HostGroup, found: &mut Vec<String>) {
    if has_twice(&group.groups) || reach::groups_inside(array, group, None).contains(&group.key()) {
        found.push(format!("host group '{}' has a group twice, or lies in itself", group.name()));
        return;
    }
    if group.depth(array) > HostGroup::DEPTH {
        found.push(format!("host group '{}' is nested too deeply", group.name()));
    }
    for inner in group.groups.iter().map(|inner| &array.host_groups[*inner]) {
        if inner.tenant != group.tenant || !group.protocol.takes_all_of(inner.protocol) {
            found.push(format!("host group '{}' does not belong into '{}'", inner.name(), group.name()));
        }
    }
}

fn port_groups(array: &Array, found: &mut Vec<String>) {
    for group in array.port_groups.iter() {
        let name = group.name();
        let counts = if array.personality.offer.portsets { group.ports.is_empty() || group.interfaces.is_empty() } else { !group.ports.is_empty() };
        if has_twice(&group.ports) || has_twice(&group.interfaces) || !counts {
            found.push(format!("port group '{name}' has no port, or one twice"));
        }
        for port in group.ports.iter().map(|port| &array.host_ports[*port]).filter(|port| PortGroupProtocol::of(port.protocol) != Some(group.protocol)) {
            found.push(format!("port '{}' does not speak {} like its port group '{name}'", port.name(), group.protocol));
        }
        for interface in group.interfaces.iter().map(|key| &array.interfaces[*key]) {
            let fits = [Protocol::Fc, Protocol::Iscsi].into_iter().any(|protocol| group.serves(protocol) && interface.speaks(protocol));
            if !fits || interface.tenant != group.tenant {
                found.push(format!("interface '{}' does not belong into the port group '{name}'", interface.name()));
            }
        }
    }
    for group in array.host_groups.iter() {
        let Some(ports) = group.port_group.map(|key| &array.port_groups[key]) else { continue };
        let serves = group.protocol.protocols().iter().any(|protocol| ports.serves(*protocol));
        if !serves || (ports.is_of_interfaces() && ports.interfaces.is_empty()) {
            found.push(format!("host group '{}' is bound to a port group that does not serve it", group.name()));
        }
    }
}

/// Where NVMe host groups are subsystems, a volume is in one, under a number from 1.
fn one_subsystem(array: &Array, found: &mut Vec<String>) {
    if !array.personality.offer.nvme_subsystems {
        return;
    }
    let is_nvme = |party: Party| matches!(party, Party::HostGroup(group) if array.host_groups[group].protocol == GroupProtocol::Nvme);
    let mappings = || array.mappings.iter().filter(|mapping| is_nvme(mapping.party));
    if has_twice(mappings().map(|mapping| mapping.volume)) {
        found.push("a volume is in two NVMe subsystems".to_owned());
    }
    if let Some(mapping) = mappings().find(|mapping| mapping.lun == 0) {
        found.push(format!("mapping '{}' has the number 0 in an NVMe subsystem", mapping.name()));
    }
}

fn protocols(array: &Array, found: &mut Vec<String>) {
    let mut fits = |name: &str, ports: &PortGroup, hosts: &[Protocol]| {
        if !hosts.iter().any(|host| ports.serves(*host)) {
            found.push(format!("'{name}' leads through ports of {} to hosts of {hosts:?}", ports.protocol));
        }
    };
    for affinity in array.affinities.iter() {
        fits(affinity.name(), &array.port_groups[affinity.port_group], array.host_groups[affinity.host_group].protocol.protocols());
    }
    for mapping in array.mappings.iter() {
        if let Some(group) = mapping.port_group {
            fits(mapping.name(), &array.port_groups[group], reach::party_protocols(array, mapping.party));
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
        for ((_, lun), seen) in reach::initiator_luns(array, host.key()) {
            if seen.len() > 1 && seen.iter().any(|(_, way)| matches!(way, Way::Mapping(_))) {
                found.push(format!("host '{}' sees LUN {lun} by a mapping and once more", host.name()));
            }
        }
    }
    for host in array.hosts.iter() {
        let most = HostResponse::lun_most(array, host.host_response);
        for (_, lun) in reach::initiator_luns(array, host.key()).into_keys().filter(|(_, lun)| *lun > most) {
            found.push(format!("host '{}' sees LUN {lun}, more than its host response allows", host.name()));
        }
    }
}
