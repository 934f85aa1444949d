//! What has space: RAID groups, pools, containers, snapshots, volumes.

use arrayplane::model::{
    Alua, Area, Array, Container, ContainerClone, ContainerMigration, CopySession, Expansion, Home, Key, Layer, Layout, Migration, Pool, QosPolicy, RaidGroup,
    Reduction, Relocation, Savings, Slice, Slot, Snapshot, StandIn, Thresholds, UsedStatus, Volume, snap_pool as pool_of_snapshots,
};
use arrayplane::units::Bytes;

use super::{exact, named, names, of_tenant, or_none, time, title, word, words};

pub(super) fn raid_group(array: &Array, group: &RaidGroup) -> Vec<String> {
    let RaidGroup { head: _, level, drives, drive_type, self_encrypting, controller, capacity, pool, made_by_pool, free_areas, .. } = group;
    let RaidGroup { slots, expansion, owner_moves_to, copybackless, rebuild_priority, reported, .. } = group;
    let owner = named(&array.controllers, *controller);
    let pool = or_none(pool.map(|key| named(&array.pools, key)));
    let free = words(free_areas.iter().map(|(start, length)| area(&Area { start: Bytes::new(*start), length: *length })));
    let mut lines = vec![
        format!("{}: {level} of {drive_type}, self-encrypting {self_encrypting}, owner {owner}, {}", title(group), exact(*capacity)),
        format!("    drives {}", names(&array.drives, drives)),
        format!("    pool {pool}, made by it {made_by_pool}, free {free}"),
        format!("    {}, copybackless {copybackless}, rebuild priority {}", word(reported), word(rebuild_priority)),
    ];
    lines.extend(slots.iter().map(|(place, Slot { current, stand_in })| {
        let spare = or_none(stand_in.map(|StandIn { drive, current }| format!("{} current {current}", named(&array.drives, drive))));
        format!("    slot {place}: current {current}, spare {spare}")
    }));
    lines.extend(expansion.iter().map(|Expansion { level, drives }| format!("    grows to {level} by {}", names(&array.drives, drives))));
    lines.extend(owner_moves_to.iter().map(|key| format!("    moves to {}", named(&array.controllers, *key))));
    lines
}

fn area(area: &Area) -> String {
    let Area { start, length } = area;
    format!("[{} at {}]", exact(*length), exact(*start))
}

pub(super) fn pool(array: &Array, pool: &Pool) -> Vec<String> {
    let Pool {
        head: _,
        raid_groups,
        level,
        drive_type,
        chunk_size,
        capacity,
        thresholds,
        over_provisioning_percent,
        reduction,
        encryption,
        allocated,
        savings: books,
        provisioned,
        provisioned_reduced,
        reported,
        layers,
        balancing,
    } = pool;
    let Thresholds { attention_percent, warning_percent } = thresholds;
    let (attention, over) = (or_none(*attention_percent), or_none(*over_provisioning_percent));
    let mut lines = vec![
        format!("{}: {level} of {drive_type}, chunks of {}, {}, encryption {encryption}", title(pool), exact(*chunk_size), exact(*capacity)),
        format!("    RAID groups {}", names(&array.raid_groups, raid_groups)),
        format!("    attention at {attention} %, warning at {warning_percent} %, over-provisioning {over} %, reported {}", word(reported)),
        format!("    allocated {}, provisioned {}, {} of it reduced", exact(*allocated), exact(*provisioned), exact(*provisioned_reduced)),
        format!("    {}", reduction_of(*reduction)),
        format!("    reduced data {}", savings(*books)),
    ];
    if !layers.is_empty() {
        let layer = |Layer { raid_groups, data }: &Layer| format!("{} on the first {raid_groups}", exact(*data));
        let layers = layers.iter().map(layer).collect::<Vec<_>>().join(", ");
        lines.push(format!("    unbalanced: {layers}; balancing {balancing}"));
    }
    lines
}

fn reduction_of(reduction: Reduction) -> String {
    let Reduction { deduplication, compression } = reduction;
    format!("deduplication {deduplication}, compression {compression}")
}

fn savings(savings: Savings) -> String {
    let Savings { before, after } = savings;
    format!("{} before, {} after", exact(before), exact(after))
}

pub(super) fn container(array: &Array, container: &Container) -> Vec<String> {
    let Container {
        head: _,
        pool,
        size,
        guarantee,
        reduction,
        savings: books,
        reserved,
        volumes,
        clone,
        created,
        tenant,
        qos_policy,
        state,
        migration,
        reported,
    } = container;
    let mut lines = vec![
        format!("{}: in pool {}, {}, {}, made at {}", title(container), named(&array.pools, *pool), exact(*size), word(guarantee), time(*created)),
        format!("    own data {}, reserved {}, {}", savings(*books), exact(*reserved), reduction_of(*reduction)),
        format!("    volumes {}", names(&array.volumes, volumes)),
    ];
    if tenant.is_some() || qos_policy.is_some() {
        lines.push(format!("    QoS policy {}{}", policy(array, *qos_policy), of_tenant(array, *tenant)));
    }
    if !state.is_online() {
        lines.push(format!("    {}", word(state)));
    }
    if !reported.is_normal() {
        lines.push(format!("    reported {}", word(reported)));
    }
    if let Some(ContainerMigration { pool, paused }) = migration {
        lines.push(format!("    migrates to pool {}{}", named(&array.pools, *pool), if *paused { ", paused" } else { "" }));
    }
    if let Some(ContainerClone { snapshot, shared, origin, splitting }) = clone {
        let snapshot = named(&array.snapshots, *snapshot);
        lines.push(format!("    clone of snapshot {snapshot}: shared {}, origin {}, splitting {splitting}", exact(*shared), savings(*origin)));
    }
    lines
}

fn policy(array: &Array, policy: Option<Key<QosPolicy>>) -> String {
    or_none(policy.map(|policy| named(&array.qos_policies, policy)))
}

pub(super) fn snapshot(array: &Array, snapshot: &Snapshot) -> Vec<String> {
    let Snapshot { head: _, container, created, comment, images } = snapshot;
    let container = named(&array.containers, *container);
    let mut lines = vec![format!("{}: of {container}, taken at {}, comment '{comment}'", title(snapshot), time(*created))];
    lines.extend(images.iter().flat_map(|image| volume(array, image)).map(|line| format!("    {line}")));
    lines
}

pub(super) fn volume(array: &Array, volume: &Volume) -> Vec<String> {
    let Volume {
        head: _,
        home: place,
        size,
        usage,
        allocation,
        encryption,
        reduction,
        reducibility,
        attention_percent,
        layout: written,
        generation,
        frozen,
        lineage,
        uid,
        serial_number,
        copy_protection,
        role,
        migration,
        created,
        tenant,
        qos_policy,
        qos_priority,
        alua,
        custom_uid,
        formatting,
        format,
        online,
        relocation,
    } = volume;
    let (attention, reducible) = (or_none(*attention_percent), word(reducibility));
    let mut lines = vec![
        format!("{}: in {}, {}, {}, {}, made at {}", title(volume), home(array, place), exact(*size), word(usage), word(allocation), time(*created)),
        format!("    {}, reducibility {reducible}, encryption {encryption}, attention at {attention} %", reduction_of(*reduction)),
        format!("    uid {uid}, serial number {serial_number}, {}, copy protection {copy_protection}", word(role)),
        format!("    generation {generation}, frozen {frozen}, lineage {lineage}, written {}", layout(written)),
    ];
    if (tenant, qos_policy, qos_priority, *alua, *custom_uid) != (&None, &None, &None, Alua::FollowHostResponse, false) {
        let priority = or_none(qos_priority.as_ref().map(word));
        let owner = of_tenant(array, *tenant);
        lines.push(format!("    QoS policy {}, priority {priority}, {}, custom uid {custom_uid}{owner}", policy(array, *qos_policy), word(alua)));
    }
    if let Some(Migration { target, reduction, allocation }) = migration {
        lines.push(format!("    on its way to {}, {}, {}", home(array, target), reduction_of(*reduction), word(allocation)));
    }
    if !online {
        lines.push("    offline".to_owned());
    }
    if *formatting {
        lines.push("    being formatted".to_owned());
    }
    if !format.is_open() {
        lines.push(format!("    format {}", word(format)));
    }
    if let Some(Relocation { copied, container: _, source: (from, name), began, ends }) = relocation {
        lines.push(format!("    from '{name}' in '{from}', copied {copied}, from {} to {}", time(*began), time(*ends)));
    }
    lines
}

pub(super) fn copy_session(array: &Array, session: &CopySession) -> Vec<String> {
    let CopySession { head: _, kind, source, destination, status, task, amount, left, image, ending, priority, requestor, created, failed } = session;
    let (from, to) = (named(&array.volumes, *source), named(&array.volumes, *destination));
    let mut lines = vec![
        format!("{}: {} {from} to {to}, {}, {}, made at {} by {requestor}", title(session), word(kind), word(status), word(&session.phase()), time(*created)),
        format!(
            "    task {}, amount {}, left {}, ending {ending}, priority {}, failed at {}",
            or_none(task.as_ref().map(word)),
            exact(*amount),
            exact(*left),
            word(priority),
            or_none(failed.map(time))
        ),
    ];
    lines.extend(image.iter().map(|image| format!("    image {}", layout(image))));
    lines
}

pub(super) fn snap_pool(array: &Array, reported: UsedStatus) -> Vec<String> {
    let pool = pool_of_snapshots::snap_pool(array);
    vec![format!("{} of {} used, reported {}", exact(pool.used), exact(pool.capacity), word(&reported))]
}

fn layout(layout: &Layout) -> String {
    let extents = words(layout.ranges().map(|(start, end, generation)| format!("[{} of {generation}]", exact(end - start))));
    format!("{} {extents}, cursor {}", exact(layout.written()), exact(layout.cursor()))
}

fn home(array: &Array, home: &Home) -> String {
    match home {
        Home::RaidGroups(slices) => {
            let pieces = slices.iter().map(|Slice { raid_group, area: piece }| format!("{} {}", named(&array.raid_groups, *raid_group), area(piece)));
            words(pieces)
        }
        Home::Pool(pool) => format!("pool {}", named(&array.pools, *pool)),
        Home::Container(container) => format!("container {}", named(&array.containers, *container)),
    }
}
