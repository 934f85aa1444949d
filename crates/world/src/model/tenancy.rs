//! The part of the consistency check that is about tenants, what belongs to them, interfaces and QoS policies.

use std::collections::BTreeMap;

use super::consistency::dangling;
use super::{Array, Key, Object, Party, Seat, TargetService, Tenant};

/// Everything that is wrong, one sentence each. Who belongs to whom is looked at only when all references lead somewhere.
pub(super) fn problems(array: &Array, found: &mut Vec<String>) {
    let before = found.len();
    tenants(array, found);
    policies(array, found);
    seats(array, found);
    if found.len() > before {
        return;
    }
    space(array, found);
    access(array, found);
    addresses(array, found);
}

fn owner<T: Object>(array: &Array, found: &mut Vec<String>, item: &T, tenant: Option<Key<Tenant>>) {
    if let Some(tenant) = tenant {
        dangling(found, &array.tenants, tenant, item.name());
    }
}

fn tenants(array: &Array, found: &mut Vec<String>) {
    for tenant in array.tenants.iter() {
        for pool in &tenant.pools {
            dangling(found, &array.pools, *pool, tenant.name());
        }
        if tenant.pools.windows(2).any(|pair| pair[0] == pair[1]) {
            found.push(format!("tenant '{}' has a pool twice", tenant.name()));
        }
    }
    array.volumes.iter().for_each(|item| owner(array, found, item, item.tenant));
    array.containers.iter().for_each(|item| owner(array, found, item, item.tenant));
    array.hosts.iter().for_each(|item| owner(array, found, item, item.tenant));
    array.host_groups.iter().for_each(|item| owner(array, found, item, item.tenant));
    array.port_groups.iter().for_each(|item| owner(array, found, item, item.tenant));
    array.lun_groups.iter().for_each(|item| owner(array, found, item, item.tenant));
    array.interfaces.iter().for_each(|item| owner(array, found, item, item.tenant));
    array.qos_policies.iter().for_each(|item| owner(array, found, item, item.tenant));
    array.records.iter().for_each(|item| owner(array, found, item, item.tenant));
    array.services.iter().for_each(|item| owner(array, found, item, Some(item.tenant)));
}

fn policies(array: &Array, found: &mut Vec<String>) {
    let images = array.snapshots.iter().flat_map(|snapshot| &snapshot.images);
    let volumes = array.volumes.iter().chain(images).map(|volume| (volume.name(), volume.tenant, volume.qos_policy));
    let containers = array.containers.iter().map(|container| (container.name(), container.tenant, container.qos_policy));
    for (name, tenant, policy) in volumes.chain(containers) {
        if let Some(policy) = policy
            && !dangling(found, &array.qos_policies, policy, name)
            && array.qos_policies[policy].tenant.is_some_and(|owner| Some(owner) != tenant)
        {
            found.push(format!("'{name}' uses the QoS policy '{}' of another tenant", array.qos_policies[policy].name()));
        }
    }
}

fn seats(array: &Array, found: &mut Vec<String>) {
    for interface in array.interfaces.iter() {
        for seat in [interface.home, interface.seat] {
            match seat {
                Seat::Port(port) => dangling(found, &array.host_ports, port, interface.name()),
                Seat::Controller(controller) => dangling(found, &array.controllers, controller, interface.name()),
            };
        }
        if let Some(port) = interface.port().and_then(|port| array.host_ports.get(port))
            && let Some(service) = interface.services.iter().find(|service| !service.carriers().contains(&port.protocol))
        {
            found.push(format!("interface '{}' carries {service} on a port of {}", interface.name(), port.protocol));
        }
    }
}

fn space(array: &Array, found: &mut Vec<String>) {
    for volume in array.volumes.iter() {
        let name = volume.name();
        if let Some(container) = volume.container().map(|key| &array.containers[key]).filter(|container| container.tenant != volume.tenant) {
            found.push(format!("volume '{name}' has another tenant than its container '{}'", container.name()));
        }
        let Some(tenant) = volume.tenant.map(|key| &array.tenants[key]) else { continue };
        let coming = volume.migration.as_ref().map(|migration| &migration.target);
        for home in std::iter::once(&volume.home).chain(coming) {
            match home {
                super::Home::RaidGroups(_) => found.push(format!("volume '{name}' of tenant '{}' lives in RAID groups", tenant.name())),
                super::Home::Pool(pool) if !tenant.may_use(array, *pool) => found.push(format!("volume '{name}' lives in a pool that its tenant may not use")),
                super::Home::Pool(_) | super::Home::Container(_) => {}
            }
        }
    }
    for container in array.containers.iter() {
        if container.tenant.is_some_and(|tenant| !container.pools().all(|pool| array.tenants[tenant].may_use(array, pool))) {
            found.push(format!("container '{}' lives in a pool that its tenant may not use", container.name()));
        }
    }
}

fn access(array: &Array, found: &mut Vec<String>) {
    for host in array.hosts.iter() {
        if host.tenant.is_some_and(|tenant| !array.tenants[tenant].protocols.contains(&host.initiator.protocol())) {
            found.push(format!("host '{}' speaks what its tenant may not", host.name()));
        }
    }
    for service in array.services.iter() {
        let (tenant, protocol) = (&array.tenants[service.tenant], service.protocol);
        if !tenant.protocols.contains(&protocol) || service.name() != TargetService::name_for(tenant.name(), protocol) {
            found.push(format!("service '{}' does not fit the tenant '{}'", service.name(), tenant.name()));
        }
        if array.services.owned_by(service.tenant.raw()).filter(|other| other.protocol == protocol).count() > 1 {
            found.push(format!("tenant '{}' has two services for {protocol}", tenant.name()));
        }
    }
    for group in array.host_groups.iter() {
        if group.port_group.and_then(|ports| array.port_groups[ports].tenant).is_some_and(|owner| Some(owner) != group.tenant) {
            found.push(format!("host group '{}' is bound to a port group of another tenant", group.name()));
        }
        let many = array.personality.offer.hosts_join_many_groups;
        let belongs = |tenant: Option<Key<Tenant>>| tenant == group.tenant || (many && tenant.is_none());
        if group.hosts.iter().any(|host| !belongs(array.hosts[*host].tenant)) {
            found.push(format!("host group '{}' has a host of another tenant", group.name()));
        }
    }
    for group in array.lun_groups.iter() {
        if group.luns.values().any(|volume| array.volumes[*volume].tenant != group.tenant) {
            found.push(format!("LUN group '{}' has a volume of another tenant", group.name()));
        }
    }
    for affinity in array.affinities.iter() {
        let (hosts, luns) = (array.host_groups[affinity.host_group].tenant, array.lun_groups[affinity.lun_group].tenant);
        let ports = array.port_groups[affinity.port_group].tenant;
        if hosts != luns || ports.is_some_and(|owner| Some(owner) != hosts) {
            found.push(format!("affinity '{}' joins several tenants", affinity.name()));
        }
    }
    for mapping in array.mappings.iter() {
        let party = match mapping.party {
            Party::Host(host) => array.hosts[host].tenant,
            Party::HostGroup(group) => array.host_groups[group].tenant,
        };
        let ports = mapping.port_group.and_then(|group| array.port_groups[group].tenant);
        if party != array.volumes[mapping.volume].tenant || ports.is_some_and(|owner| Some(owner) != party) {
            found.push(format!("mapping '{}' joins several tenants", mapping.name()));
        }
    }
}

fn addresses(array: &Array, found: &mut Vec<String>) {
    let ports = array.settings.network.ports.iter().filter_map(|port| port.address.as_ref().map(|setup| (setup.address.as_str(), port.name.as_str())));
    let host_ports = array.host_ports.iter().map(|port| (port.wwn.as_str(), port.name()));
    let mut known: BTreeMap<&str, &str> = ports.chain(host_ports).collect();
    for interface in array.interfaces.iter() {
        if let Some(other) = known.insert(interface.address(), interface.name()) {
            found.push(format!("'{other}' and the interface '{}' have one address", interface.name()));
        }
    }
    let mut uids: BTreeMap<&str, &str> = BTreeMap::new();
    for volume in array.volumes.iter().filter(|volume| !volume.uid.is_empty()) {
        if let Some(other) = uids.insert(&volume.uid, volume.name()) {
            found.push(format!("volumes '{other}' and '{}' have one uid", volume.name()));
        }
    }
}
