//! Who reaches what: hosts, groups, affinities, mappings.

use arrayplane::model::{Affinity, Array, Chap, Host, HostGroup, HostResponse, Initiator, Key, LunGroup, Mapping, Party, PortGroup};

use super::{named, names, of_tenant, or_none, title, words};

/// How hosts are answered; nothing when it is by the standard host response.
fn by(array: &Array, response: Option<Key<HostResponse>>) -> String {
    response.map_or_else(String::new, |response| format!(", answered by {}", named(&array.host_responses, response)))
}

pub(super) fn host(array: &Array, host: &Host) -> Vec<String> {
    let Host { head: _, initiator, alias, tenant, host_response, chap } = host;
    let proof = chap.as_ref().map_or_else(String::new, |Chap { user, secret }| format!(", CHAP {user} {secret:?}"));
    let address = match initiator {
        Initiator::Wwn(wwn) => format!("wwn {wwn}"),
        Initiator::Iscsi(name) => format!("iscsi name {name}"),
        Initiator::Nqn(nqn) => format!("nqn {nqn}"),
    };
    vec![format!("{}: {address}, alias '{alias}'{proof}{}{}", title(host), of_tenant(array, *tenant), by(array, *host_response))]
}

pub(super) fn host_group(array: &Array, group: &HostGroup) -> Vec<String> {
    let HostGroup { head: _, protocol, hosts, tenant, host_response } = group;
    let (tenant, response) = (of_tenant(array, *tenant), by(array, *host_response));
    vec![format!("{}: {protocol}, hosts {}{tenant}{response}", title(group), names(&array.hosts, hosts))]
}

pub(super) fn port_group(array: &Array, group: &PortGroup) -> Vec<String> {
    let PortGroup { head: _, protocol, ports, tenant } = group;
    vec![format!("{}: {protocol}, ports {}{}", title(group), names(&array.host_ports, ports), of_tenant(array, *tenant))]
}

pub(super) fn lun_group(array: &Array, group: &LunGroup) -> Vec<String> {
    let LunGroup { head: _, luns, tenant } = group;
    let luns = words(luns.iter().map(|(lun, volume)| format!("{lun}={}", named(&array.volumes, *volume))));
    vec![format!("{}: {luns}{}", title(group), of_tenant(array, *tenant))]
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
