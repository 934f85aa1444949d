//! Who reaches what: hosts, groups, affinities, mappings; and who may do what: users and roles.

use arrayplane::model::{
    Affinity, Array, Chap, Host, HostGroup, HostResponse, Initiator, Key, Lock, LunGroup, Mapping, Party, Password, PortGroup, Role, User,
};

use super::{named, names, of_tenant, or_none, time, title, words};

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
    let HostGroup { head: _, protocol, hosts, groups, tenant, host_response, port_group } = group;
    let (tenant, response) = (of_tenant(array, *tenant), by(array, *host_response));
    let inner = if groups.is_empty() { String::new() } else { format!(", groups {}", names(&array.host_groups, groups)) };
    let ports = port_group.map_or_else(String::new, |ports| format!(", through {}", named(&array.port_groups, ports)));
    vec![format!("{}: {protocol}, hosts {}{inner}{ports}{tenant}{response}", title(group), names(&array.hosts, hosts))]
}

pub(super) fn port_group(array: &Array, group: &PortGroup) -> Vec<String> {
    let PortGroup { head: _, protocol, ports, interfaces, tenant } = group;
    let made_of =
        if ports.is_empty() { format!("interfaces {}", names(&array.interfaces, interfaces)) } else { format!("ports {}", names(&array.host_ports, ports)) };
    vec![format!("{}: {protocol}, {made_of}{}", title(group), of_tenant(array, *tenant))]
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

pub(super) fn role(role: &Role) -> Vec<String> {
    let Role { head: _, policies, built_in, web_login } = role;
    vec![format!("{}: built in {built_in}, web login {web_login}, {}", title(role), words(policies.iter().map(|policy| policy.to_string())))]
}

pub(super) fn user(array: &Array, user: &User) -> Vec<String> {
    let User { head: _, role, enabled, password, password_changed, former, lock } = user;
    let password = match password {
        Password::Server => "of the server",
        Password::Own(_) => "of its own",
    };
    let lock = lock.map(|Lock { since, until }| format!("since {} until {}", time(since), or_none(until.map(time))));
    let (role, former) = (named(&array.roles, *role), former.len());
    vec![format!(
        "{}: role {role}, enabled {enabled}, password {password} set at {}, {former} before it, lock {}",
        title(user),
        time(*password_changed),
        or_none(lock)
    )]
}
