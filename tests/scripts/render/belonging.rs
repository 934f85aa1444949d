//! Tenants, interfaces, QoS policies, host responses.

use arrayplane::model::{
    AdaptiveLimits, Array, FixedLimits, HostResponse, Interface, InterfaceAddress, IpSetup, Manners, QosPolicy, QosRule, Record, Seat, TargetService, Tenant,
};

use super::{exact, named, names, of_tenant, or_none, time, title, word, words};

pub(super) fn tenant(array: &Array, tenant: &Tenant) -> Vec<String> {
    let Tenant { head: _, state, comment, protocols, pools, capacity_limit, volume_limit, created } = tenant;
    vec![
        format!("{}: {}, '{comment}', made at {}", title(tenant), word(state), time(*created)),
        format!("    speaks {}, pools {}", words(protocols.iter().map(ToString::to_string)), names(&array.pools, pools)),
        format!("    capacity {}, volumes {}", or_none(capacity_limit.map(exact)), or_none(*volume_limit)),
    ]
}

pub(super) fn service(array: &Array, service: &TargetService) -> Vec<String> {
    let TargetService { head: _, tenant, protocol, enabled, target, alias, created } = service;
    let (tenant, target) = (of_tenant(array, Some(*tenant)), or_none(target.as_ref()));
    vec![format!("{}: {protocol}, enabled {enabled}, target {target}, alias '{alias}', made at {}{tenant}", title(service), time(*created))]
}

fn seat(array: &Array, seat: Seat) -> String {
    match seat {
        Seat::Port(port) => format!("port {}", named(&array.host_ports, port)),
        Seat::Controller(controller) => format!("controller {}", named(&array.controllers, controller)),
    }
}

pub(super) fn interface(array: &Array, interface: &Interface) -> Vec<String> {
    let Interface { head: _, tenant, services, home, seat: now, address, enabled } = interface;
    let address = match address {
        InterfaceAddress::Ip(IpSetup { address, prefix_length, gateway }) => format!("{address}/{prefix_length} by {}", or_none(gateway.as_ref())),
        InterfaceAddress::Wwn { port, node } => format!("wwn {port}, node {node}"),
    };
    vec![format!(
        "{}: {} at {address}, home {}, now {}, enabled {enabled}{}",
        title(interface),
        words(services.iter().map(ToString::to_string)),
        seat(array, *home),
        seat(array, *now),
        of_tenant(array, *tenant)
    )]
}

pub(super) fn qos_policy(array: &Array, policy: &QosPolicy) -> Vec<String> {
    let QosPolicy { head: _, tenant, shared, rule } = policy;
    let rule = match rule {
        QosRule::Level(number) => format!("level {number}"),
        QosRule::Fixed(limits) => fixed(limits),
        QosRule::Adaptive(limits) => adaptive(limits),
    };
    vec![format!("{}: {rule}, shared {shared}{}", title(policy), of_tenant(array, *tenant))]
}

pub(super) fn record(array: &Array, record: &Record) -> Vec<String> {
    let Record { head: _, kind, tenant, built_in } = record;
    let origin = if *built_in { ", built in" } else { "" };
    vec![format!("{}: {}{}{origin}", title(record), word(kind), of_tenant(array, *tenant))]
}

fn fixed(limits: &FixedLimits) -> String {
    let FixedLimits { iops, read_iops, write_iops, bytes_per_second, read_bytes_per_second, write_bytes_per_second, least_iops } = limits;
    let counts = [iops, read_iops, write_iops, least_iops].map(|count| or_none(*count)).join(" ");
    let bytes = [bytes_per_second, read_bytes_per_second, write_bytes_per_second].map(|bytes| or_none(bytes.map(exact))).join(" ");
    format!("fixed {counts}, {bytes}")
}

fn adaptive(limits: &AdaptiveLimits) -> String {
    let AdaptiveLimits { expected_iops_per_tib, peak_iops_per_tib, least_iops, block_size, expected_by, peak_by } = limits;
    let (expected, peak) = (word(expected_by), word(peak_by));
    let (least, block) = (or_none(*least_iops), or_none(block_size.map(exact)));
    format!("adaptive {expected_iops_per_tib} by {expected}, {peak_iops_per_tib} by {peak}, least {least}, block {block}")
}

pub(super) fn host_response(response: &HostResponse) -> Vec<String> {
    let HostResponse { head: _, built_in, manners } = response;
    vec![format!("{}: built in {built_in}, {}", title(response), manners_text(manners))]
}

/// How the array answers.
pub(super) fn manners_text(manners: &Manners) -> String {
    let Manners {
        alua,
        flat_space_addressing,
        report_lun_changes,
        report_expansion,
        reservation_conflict,
        vendor_sense,
        inquiry_version,
        identification,
        command_timeout_seconds,
    } = manners;
    format!(
        "{}, flat {flat_space_addressing}, tells changes {report_lun_changes} expansion {report_expansion}, conflict {reservation_conflict}, \
         sense {vendor_sense}, version {inquiry_version}, {}, {command_timeout_seconds} s",
        word(alua),
        word(identification)
    )
}
