//! What the catalogue sets: the personality and the calibration.

use arrayplane::model::{
    Accounts, AutomaticQos, Calibration, CopyRates, CopyRules, Corner, Corners, DriveRates, HostResponseOffer, InitialUser, LicenceOffer, Limits,
    ManagementPortOffer, NameRule, Offer, PartRules, PasswordPolicy, Personality, PoolCapacityOffer, QosLevel, QosOffer, RebuildRates, RoleRule, Sparing,
    Variant, WorkloadDemand,
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
        copy,
        idle_limit,
        parts,
        sparing,
        limits,
        accounts,
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
    lines.extend(parts_of(parts));
    lines.extend(copy.iter().flat_map(copies));
    lines.extend(sparing_of(sparing));
    lines.extend(limits_of(limits));
    lines.extend(accounts_of(accounts));
    lines.extend(offer_lines(offer));
    lines
}

fn parts_of(rules: &PartRules) -> Vec<String> {
    let PartRules {
        takeover_time,
        boot_time,
        giveback_automatic,
        giveback_option,
        giveback_delay,
        giveback_time,
        battery_charge_time,
        write_through,
        port_roles,
        fc_parameters,
        iscsi_parameters,
        status_codes,
    } = rules;
    let codes = words(status_codes.iter().map(|(status, code)| format!("{status} {code}")));
    vec![
        format!("controllers: take over in {takeover_time}, start in {boot_time}, charge batteries in {battery_charge_time}"),
        format!("giveback: automatic {giveback_automatic}, optional {giveback_option}, after {giveback_delay}, in {giveback_time}"),
        format!("write-through for {}", words(write_through.iter().map(word))),
        format!("ports: roles {}, fc parameters {fc_parameters}, iscsi parameters {iscsi_parameters}", words(port_roles.iter().map(word))),
        format!("status codes {codes}"),
    ]
}

fn copies(rules: &CopyRules) -> Vec<String> {
    let CopyRules {
        kinds,
        rate_percent: CopyRates { low, middle, high },
        capacity,
        sessions,
        sessions_per_source,
        generations,
        cascade,
        snap_data_base,
        snap_data_ppm,
        snap_pool_element,
        snap_pool_volume_max,
        snap_pool_attention_percent,
        snap_pool_warning_percent,
    } = rules;
    let (element, most) = (exact(*snap_pool_element), exact(*snap_pool_volume_max));
    vec![
        format!("copies {}; low {low} %, middle {middle} %, high {high} %", words(kinds.iter().map(word))),
        format!("copies: {} at once, {sessions} sessions, {sessions_per_source} a source, {generations} generations, {cascade} in a row", exact(*capacity)),
        format!("snap data volumes: {} and {snap_data_ppm} ppm; snap data pool: elements of {element}, volumes up to {most}", exact(*snap_data_base)),
        format!("snap data pool: attention at {snap_pool_attention_percent} %, warning at {snap_pool_warning_percent} %"),
    ]
}

fn sparing_of(sparing: &Sparing) -> [String; 2] {
    let Sparing { copybackless, unused_drives_are_spares, dedicated_in_pools, rebuild_rates, expandable_levels, expansion_rate, owner_change } = sparing;
    let RebuildRates { low, middle, high } = rebuild_rates;
    [
        format!("spares: copybackless {copybackless}, every unused drive {unused_drives_are_spares}, of pools' groups alone {dedicated_in_pools}"),
        format!(
            "rebuild {}, {} or {}/s; expansion of {} at {}/s, change of the owner in {owner_change}",
            exact(*low),
            exact(*middle),
            exact(*high),
            words(expandable_levels.iter().map(ToString::to_string)),
            exact(*expansion_rate)
        ),
    ]
}

fn accounts_of(accounts: &Accounts) -> Vec<String> {
    let Accounts { user_name, role_name, users, custom_roles, password_length_max, roles, initial_users, password_policy } = accounts;
    let mut lines = vec![
        format!("names of users {}; of roles {}", name_rule(user_name), name_rule(role_name)),
        format!("limits: {users} users, {custom_roles} roles of one's own, {password_length_max} characters of a password"),
        format!("a new array: {}", password_policy_line(password_policy)),
    ];
    for RoleRule { name, policies, web_login } in roles {
        lines.push(format!("a new array has role {name}: {}, web login {web_login}", words(policies.iter().map(|policy| policy.to_string()))));
    }
    for InitialUser { name, role } in initial_users {
        lines.push(format!("a new array has user {name}: {role}"));
    }
    lines
}

pub(super) fn password_policy_line(policy: &PasswordPolicy) -> String {
    let PasswordPolicy { length_min, letter_required, digit_required, age_days_max, history, lockout_failures, lockout_minutes } = policy;
    format!(
        "passwords of {length_min} characters, letter {letter_required}, digit {digit_required}, {age_days_max} days, history {history}; \
         lock-out after {lockout_failures} for {lockout_minutes} minutes"
    )
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
        records,
    } = limits;
    vec![
        format!("limits: {raid_groups} RAID groups, {pools} pools, {reduction_pools} with reduction, {} in pools", exact(*pool_capacity)),
        format!("limits: {containers} containers, {snapshots_per_container} snapshots in each, {volumes} volumes"),
        format!("limits: {hosts} hosts, {host_groups} host groups, {hosts_per_group} hosts in each, {hosts_per_port} hosts at a port"),
        format!("limits: {port_groups} port groups, {lun_groups} LUN groups, {luns_per_group} LUNs in each"),
        format!("limits: {affinities} affinities, {mappings} mappings, {workloads} workloads"),
        format!("limits: {tenants} tenants, {interfaces} interfaces, {qos_policies} QoS policies, {host_responses} more host responses, {records} records"),
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
        pool_balancing,
        pool_group_most,
        drives_have_homes,
        firmware_span,
        names_per_tenant,
        hosts_join_many_groups,
        nvme_subsystems,
        nvme_host_responses,
        portsets,
        tenants_serve,
        interface_placement,
    } = offer;
    let licence = |(name, LicenceOffer { features, new }): (&String, &LicenceOffer)| format!("{name}={}{}", word(features), if *new { " new" } else { "" });
    let port = |ManagementPortOffer { name, address, prefix_length }: &ManagementPortOffer| format!("{name}={}/{prefix_length}", or_none(address.as_ref()));
    let choice = |PoolCapacityOffer { capacity, chunk_size }: &PoolCapacityOffer| format!("{} by {},", exact(*capacity), exact(*chunk_size));
    let mut lines = vec![
        format!("hosts speak {}, highest LUN when flat {}", words(host_protocols.iter().map(word)), or_none(*lun_max_flat)),
        format!("interfaces for {}, stay {data_interfaces_stay}", words(services.iter().map(word))),
        format!("tenants required {tenant_required}, without pools use all {tenants_without_pools_use_all}"),
        format!("names per tenant {names_per_tenant}, hosts join many groups {hosts_join_many_groups}, portsets {portsets}"),
        format!("tenants serve {tenants_serve}, NVMe subsystems {nvme_subsystems} answered by {}", words(nvme_host_responses.iter().map(word))),
        format!("interfaces find places {interface_placement}"),
        format!("licences {}", words(licences.iter().map(licence))),
        format!("management ports {}, services {}", words(management_ports.iter().map(port)), word(network_services)),
        format!(
            "pools up to {}, balancing {pool_balancing}, RAID groups filled up to {}, drives have homes {drives_have_homes}",
            words(pool_capacities.iter().map(choice)),
            or_none(*pool_group_most)
        ),
        format!("encryption {}, firmware takes {firmware_span}", words(encryption_modes.iter().map(word))),
    ];
    lines.extend(qos_lines(qos));
    lines.extend(
        host_responses.iter().map(|HostResponseOffer { number, name, manners }| format!("answers {number} '{name}': {}", belonging::manners_text(manners))),
    );
    lines
}

fn qos_lines(qos: &QosOffer) -> Vec<String> {
    let QosOffer { fixed, split, least, adaptive, shared, levels, iops_max, bytes_unit, bytes_max, automatic, automatic_rule, presets } = qos;
    let AutomaticQos { low_percent, middle_percent, slack_percent } = automatic_rule;
    let level = |QosLevel { number, iops, bytes_per_second }: &QosLevel| format!("{number}={iops}/{}", exact(*bytes_per_second));
    vec![
        format!("QoS: fixed {fixed}, split {split}, least {least}, adaptive {adaptive}, shared {shared}, automatic {automatic}"),
        format!("automatic QoS leaves low {low_percent} %, middle {middle_percent} %, within {slack_percent} %"),
        format!("QoS: up to {iops_max}/s, {} in {}", exact(*bytes_max), exact(*bytes_unit)),
        format!("QoS levels {}, presets {}", words(levels.iter().map(level)), words(presets.iter().map(|preset| preset.name.clone()))),
    ]
}

pub(super) fn calibration(calibration: &Calibration) -> Vec<String> {
    let Calibration { workloads, corners, reduction_read_ppm, reduction_write_ppm, tail_ppm, tail_rise_ppm, drives, back_end_link, variants } = calibration;
    let mut lines: Vec<String> = workloads.iter().map(|(name, demand)| format!("{name}: {}", workload_demand(demand))).collect();
    lines.extend(corners_of(corners));
    lines.push(format!("reduction: read x {} ppm, write x {} ppm; tail {} ppm", reduction_read_ppm.0, reduction_write_ppm.0, tail_ppm.0));
    lines.extend(drives.iter().map(|(kind, rates)| format!("{kind}: {}", drive_rates(rates))));
    lines.push(format!("back-end link {}/s", exact(*back_end_link)));
    if tail_rise_ppm.0 > 0 {
        lines.push(format!("tail rises by {} ppm", tail_rise_ppm.0));
    }
    for Variant { protocol, raid_level, calibration } in variants {
        lines.push(format!(
            "of volumes by protocol {}, of RAID level {}:",
            or_none(*protocol),
            raid_level.map_or_else(|| "none".to_owned(), |level| word(&level))
        ));
        lines.extend(self::calibration(calibration).into_iter().map(|line| format!("  {line}")));
    }
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
