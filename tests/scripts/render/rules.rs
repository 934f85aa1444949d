//! What the catalogue sets: the personality and the calibration.

use arrayplane::model::{
    Calibration, Corner, Corners, DriveRates, HostResponseOffer, LicenceOffer, Limits, ManagementPortOffer, NameRule, Offer, Personality, PoolCapacityOffer,
    QosLevel, QosOffer, WorkloadDemand,
};

use super::{belonging, exact, or_none, word, words};

pub(super) fn personality(personality: &Personality) -> Vec<String> {
    let Personality {
        dialect,
        size_unit,
        volume_size_min,
        volume_size_max,
        container_size_min,
        container_size_max,
        volume_name,
        short_name,
        raid_levels,
        pool_levels,
        chunk_sizes,
        volumes_in_raid_groups,
        volumes_in_pools,
        reduction_switch,
        reduction_domain,
        reduction_promise_times,
        lun_max,
        bulk_max,
        format_rate,
        copy_rate,
        idle_limit,
        limits,
        offer,
    } = personality;
    let mut lines = vec![
        format!("dialect {}", word(dialect)),
        format!("sizes in {}; volumes {} to {}", exact(*size_unit), exact(*volume_size_min), exact(*volume_size_max)),
        format!("containers {} to {}", or_none(container_size_min.map(exact)), exact(*container_size_max)),
        format!("names of volumes {}", name_rule(volume_name)),
        format!("short names {}", name_rule(short_name)),
        format!("RAID levels {}", words(raid_levels.iter().map(ToString::to_string))),
        format!("pool levels {}", words(pool_levels.iter().map(ToString::to_string))),
        format!("chunk sizes {}", words(chunk_sizes.iter().map(|size| format!("{},", exact(*size))))),
        format!("volumes in RAID groups {volumes_in_raid_groups}, in pools {volumes_in_pools}"),
        format!("reduction: switch {reduction_switch}, domain {}, promise times {reduction_promise_times}", or_none(reduction_domain.as_ref().map(word))),
        format!("highest LUN {lun_max}, volumes at once {bulk_max}"),
        format!("format {}/s, copy {}/s, idle limit {idle_limit}", exact(*format_rate), exact(*copy_rate)),
    ];
    lines.extend(limits_of(limits));
    lines.extend(offer_lines(offer));
    lines
}

fn name_rule(rule: &NameRule) -> String {
    let NameRule { max, forbidden, reserved } = rule;
    format!("up to {max} characters without '{forbidden}', reserved {}", words(reserved.iter().cloned()))
}

fn limits_of(limits: &Limits) -> Vec<String> {
    let Limits {
        raid_groups,
        pools,
        reduction_pools,
        pool_capacity,
        containers,
        snapshots_per_container,
        volumes,
        hosts,
        host_groups,
        hosts_per_group,
        hosts_per_port,
        port_groups,
        lun_groups,
        luns_per_group,
        affinities,
        mappings,
        workloads,
        tenants,
        interfaces,
        qos_policies,
        host_responses,
    } = limits;
    vec![
        format!("limits: {raid_groups} RAID groups, {pools} pools, {reduction_pools} with reduction, {} in pools", exact(*pool_capacity)),
        format!("limits: {containers} containers, {snapshots_per_container} snapshots in each, {volumes} volumes"),
        format!("limits: {hosts} hosts, {host_groups} host groups, {hosts_per_group} hosts in each, {hosts_per_port} hosts at a port"),
        format!("limits: {port_groups} port groups, {lun_groups} LUN groups, {luns_per_group} LUNs in each"),
        format!("limits: {affinities} affinities, {mappings} mappings, {workloads} workloads"),
        format!("limits: {tenants} tenants, {interfaces} interfaces, {qos_policies} QoS policies, {host_responses} more host responses"),
    ]
}

fn offer_lines(offer: &Offer) -> Vec<String> {
    let Offer {
        host_protocols,
        lun_max_flat,
        host_responses,
        services,
        data_interfaces_stay,
        tenant_required,
        tenants_without_pools_use_all,
        qos,
        licences,
        management_ports,
        network_services,
        pool_capacities,
        encryption_modes,
        firmware_span,
    } = offer;
    let licence = |(name, LicenceOffer { features, new }): (&String, &LicenceOffer)| format!("{name}={}{}", word(features), if *new { " new" } else { "" });
    let port = |ManagementPortOffer { name, address, prefix_length }: &ManagementPortOffer| format!("{name}={}/{prefix_length}", or_none(address.as_ref()));
    let choice = |PoolCapacityOffer { capacity, chunk_size }: &PoolCapacityOffer| format!("{} by {},", exact(*capacity), exact(*chunk_size));
    let mut lines = vec![
        format!("hosts speak {}, highest LUN when flat {}", words(host_protocols.iter().map(word)), or_none(*lun_max_flat)),
        format!("interfaces for {}, stay {data_interfaces_stay}", words(services.iter().map(word))),
        format!("tenants required {tenant_required}, without pools use all {tenants_without_pools_use_all}"),
        format!("licences {}", words(licences.iter().map(licence))),
        format!("management ports {}, services {}", words(management_ports.iter().map(port)), word(network_services)),
        format!("pools up to {}", words(pool_capacities.iter().map(choice))),
        format!("encryption {}, firmware takes {firmware_span}", words(encryption_modes.iter().map(word))),
    ];
    lines.extend(qos_lines(qos));
    lines.extend(
        host_responses.iter().map(|HostResponseOffer { number, name, manners }| format!("answers {number} '{name}': {}", belonging::manners_text(manners))),
    );
    lines
}

fn qos_lines(qos: &QosOffer) -> Vec<String> {
    let QosOffer { fixed, split, least, adaptive, shared, levels, iops_max, bytes_unit, bytes_max, automatic } = qos;
    let level = |QosLevel { number, iops, bytes_per_second }: &QosLevel| format!("{number}={iops}/{}", exact(*bytes_per_second));
    vec![
        format!("QoS: fixed {fixed}, split {split}, least {least}, adaptive {adaptive}, shared {shared}, automatic {automatic}"),
        format!("QoS: up to {iops_max}/s, {} in {}", exact(*bytes_max), exact(*bytes_unit)),
        format!("QoS levels {}", words(levels.iter().map(level))),
    ]
}

pub(super) fn calibration(calibration: &Calibration) -> Vec<String> {
    let Calibration { workloads, corners, reduction_read_ppm, reduction_write_ppm, tail_ppm, drives, back_end_link } = calibration;
    let mut lines: Vec<String> = workloads.iter().map(|(name, demand)| format!("{name}: {}", workload_demand(demand))).collect();
    lines.extend(corners_of(corners));
    lines.push(format!("reduction: read x {} ppm, write x {} ppm; tail {} ppm", reduction_read_ppm.0, reduction_write_ppm.0, tail_ppm.0));
    lines.extend(drives.iter().map(|(kind, rates)| format!("{kind}: {}", drive_rates(rates))));
    lines.push(format!("back-end link {}/s", exact(*back_end_link)));
    lines
}

fn workload_demand(demand: &WorkloadDemand) -> String {
    let WorkloadDemand { controller_demand_ps, base_latency_ns, burstiness_ppm, population } = demand;
    let population = or_none(*population);
    format!("controller {controller_demand_ps} ps, base {base_latency_ns} ns, burstiness {} ppm, population {population}", burstiness_ppm.0)
}

fn corners_of(corners: &Corners) -> Vec<String> {
    let Corners { small_read, small_write, large_read, large_write, sequential_operation_ppm } = corners;
    let named = [("small read", small_read), ("small write", small_write), ("large read", large_read), ("large write", large_write)];
    let mut lines: Vec<String> = named.iter().map(|(name, one)| format!("{name}: {}", corner(one))).collect();
    lines.push(format!("a sequential operation costs {} ppm", sequential_operation_ppm.0));
    lines
}

fn corner(corner: &Corner) -> String {
    let Corner { controller_demand_ps, base_latency_ns, burstiness_ppm } = corner;
    format!("controller {controller_demand_ps} ps, base {base_latency_ns} ns, burstiness {} ppm", burstiness_ppm.0)
}

fn drive_rates(rates: &DriveRates) -> String {
    let DriveRates { read_iops, write_iops, read_bytes, write_bytes } = rates;
    format!("{read_iops} reads/s, {write_iops} writes/s, {}/s read, {}/s written", exact(*read_bytes), exact(*write_bytes))
}
