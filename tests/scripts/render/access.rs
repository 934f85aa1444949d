//! Who reaches what: hosts, groups, affinities, mappings.

use arrayplane::model::{Affinity, Array, Host, HostGroup, Initiator, LunGroup, Mapping, Party, PortGroup};

use super::{named, names, or_none, title, words};

pub(super) fn host(host: &Host) -> Vec<String> {
    let Host { head: _, initiator, alias } = host;
    let address = match initiator {
        Initiator::Wwn(wwn) => format!("wwn {wwn}"),
        Initiator::Iscsi(name) => format!("iscsi name {name}"),
        Initiator::Nqn(nqn) => format!("nqn {nqn}"),
    };
    vec![format!("{}: {address}, alias '{alias}'", title(host))]
}

pub(super) fn host_group(array: &Array, group: &HostGroup) -> Vec<String> {
    let HostGroup { head: _, protocol, hosts } = group;
    vec![format!("{}: {protocol}, hosts {}", title(group), names(&array.hosts, hosts))]
}

pub(super) fn port_group(array: &Array, group: &PortGroup) -> Vec<String> {
    let PortGroup { head: _, protocol, ports } = group;
    vec![format!("{}: {protocol}, ports {}", title(group), names(&array.host_ports, ports))]
}

pub(super) fn lun_group(array: &Array, group: &LunGroup) -> Vec<String> {
    let LunGroup { head: _, luns } = group;
    vec![format!("{}: {}", title(group), words(luns.iter().map(|(lun, volume)| format!("{lun}={}", named(&array.volumes, *volume)))))]
}

pub(super) fn affinity(array: &Array, affinity: &Affinity) -> Vec<String> {
    let Affinity { head: _, host_group, port_group, lun_group } = affinity;
    let hosts = named(&array.host_groups, *host_group);
    let ports = named(&array.port_groups, *port_group);
    vec![format!("{}: hosts of {hosts}, ports of {ports}, LUNs of {}", title(affinity), named(&array.lun_groups, *lun_group))]
}

pub(super) fn mapping(array: &Array, mapping: &Mapping) -> Vec<String> {
    let Mapping { head: _, volume, party, port_group, lun } = mapping;
    let party = match party {
        Party::Host(host) => format!("host {}", named(&array.hosts, *host)),
        Party::HostGroup(group) => format!("host group {}", named(&array.host_groups, *group)),
    };
    let ports = or_none(port_group.map(|key| named(&array.port_groups, key)));
    vec![format!("{}: volume {} for {party} as LUN {lun}, port group {ports}", title(mapping), named(&array.volumes, *volume))]
}
