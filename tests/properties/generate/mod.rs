//! One generator for every operation: requests that are mostly valid on the world as it is.

mod access;
mod belonging;
mod containers;
mod copies;
mod drives;
mod faults;
mod parts;
mod records;
mod settings;
mod users;
mod volumes;
mod work;

use arrayplane::ops::{AnyOperation, World};
use serde_json::{Value, json};

use super::dice::Dice;
use crate::given;

type Generator = fn(&World, &mut Dice) -> Value;

/// How often each operation comes, and what makes its fields.
const KINDS: &[(u32, &str, Generator)] = &[
    (3, "clock.advance", work::clock_advance),
    (1, "clock.set", work::clock_set),
    (4, "volume.create", volumes::create),
    (7, "volume.write", volumes::write),
    (3, "volume.unmap", volumes::unmap),
    (2, "volume.update", volumes::update),
    (2, "volume.delete", volumes::delete),
    (2, "volume.expand", volumes::expand),
    (1, "volume.format", volumes::format),
    (3, "volume.migrate", volumes::migrate),
    (2, "volume.stop-migration", volumes::stop_migration),
    (2, "volume.clone", volumes::clone),
    (3, "volume.snapshot", copies::snapshot),
    (1, "volume.rotate-snapshots", copies::rotate),
    (1, "volume.resync", copies::resync),
    (1, "volume.initialize", copies::initialize),
    (5, "copy-session.create", copies::create),
    (1, "copy-session.update", copies::update),
    (3, "copy-session.suspend", copies::suspend),
    (2, "copy-session.resume", copies::resume),
    (2, "copy-session.restart", copies::restart),
    (2, "copy-session.restore", copies::restore),
    (3, "copy-session.reverse", copies::reverse),
    (3, "copy-session.delete", copies::delete),
    (2, "container.create", containers::create),
    (2, "container.update", containers::update),
    (1, "container.delete", containers::delete),
    (3, "container.clone", containers::clone),
    (2, "container.split", containers::split),
    (3, "container.migrate", containers::migrate),
    (1, "container.pause-migration", containers::migrating),
    (2, "container.resume-migration", containers::migrating),
    (1, "container.stop-migration", containers::migrating),
    (4, "snapshot.create", containers::snapshot_create),
    (1, "snapshot.update", containers::snapshot_update),
    (2, "snapshot.delete", containers::snapshot_delete),
    (3, "snapshot.restore", containers::snapshot_restore),
    (2, "raid-group.create", drives::raid_group_create),
    (1, "raid-group.update", drives::raid_group_update),
    (1, "raid-group.delete", drives::raid_group_delete),
    (2, "raid-group.expand", drives::raid_group_expand),
    (3, "drive.fail", faults::fail),
    (2, "drive.predict-failure", faults::predict_failure),
    (2, "drive.pull", faults::pull),
    (2, "drive.insert", faults::insert),
    (3, "drive.replace", faults::replace),
    (2, "drive.redundant-copy", faults::redundant_copy),
    (2, "pool.create", drives::pool_create),
    (2, "pool.update", drives::pool_update),
    (4, "pool.expand", drives::pool_expand),
    (1, "pool.delete", drives::pool_delete),
    (3, "pool.balance", drives::pool_balance),
    (3, "pool.stop-balancing", drives::pool_stop_balancing),
    (1, "settings.update", parts::settings),
    (1, "enclosure.update", parts::enclosure),
    (1, "enclosure.add", parts::enclosure_add),
    (1, "enclosure.remove", parts::enclosure_remove),
    (1, "controller.update", parts::controller),
    (1, "controller.fail", parts::controller_fault),
    (2, "controller.restore", parts::controller_restore),
    (1, "controller.giveback", parts::controller_giveback),
    (2, "host-port.update", parts::host_port),
    (1, "host-port.fail", parts::host_port_fail),
    (1, "host-port.restore", parts::host_port_restore),
    (1, "part.fail", parts::part_fail),
    (2, "part.restore", parts::part_restore),
    (1, "part.set-temperature", parts::part_temperature),
    (1, "drive.install", parts::drive_install),
    (3, "drive.update", faults::update),
    (2, "host.create", access::host_create),
    (1, "host.update", access::host_update),
    (1, "host.delete", access::host_delete),
    (1, "host-group.create", access::host_group_create),
    (1, "host-group.update", access::host_group_update),
    (1, "host-group.delete", access::host_group_delete),
    (1, "port-group.create", access::port_group_create),
    (1, "port-group.update", access::port_group_update),
    (1, "port-group.delete", access::port_group_delete),
    (1, "lun-group.create", access::lun_group_create),
    (1, "lun-group.update", access::lun_group_update),
    (1, "lun-group.delete", access::lun_group_delete),
    (2, "affinity.create", access::affinity_create),
    (1, "affinity.update", access::affinity_update),
    (1, "affinity.delete", access::affinity_delete),
    (5, "mapping.create", access::mapping_create),
    (3, "mapping.update", access::mapping_update),
    (1, "mapping.delete", access::mapping_delete),
    (2, "user.create", users::create),
    (2, "user.update", users::update),
    (1, "user.lock", users::lock),
    (1, "user.delete", users::delete),
    (1, "role.create", users::role_create),
    (1, "role.update", users::role_update),
    (1, "role.delete", users::role_delete),
    (1, "password-policy.update", users::password_policy),
    (2, "tenant.create", belonging::tenant_create),
    (2, "tenant.update", belonging::tenant_update),
    (1, "tenant.delete", belonging::tenant_delete),
    (2, "interface.create", belonging::interface_create),
    (1, "interface.update", belonging::interface_update),
    (3, "interface.migrate", belonging::interface_migrate),
    (2, "interface.revert", belonging::interface_revert),
    (1, "interface.delete", belonging::interface_delete),
    (2, "qos-policy.create", belonging::qos_policy_create),
    (1, "qos-policy.update", belonging::qos_policy_update),
    (1, "qos-policy.delete", belonging::qos_policy_delete),
    (2, "host-response.create", belonging::host_response_create),
    (1, "host-response.update", belonging::host_response_update),
    (1, "host-response.delete", belonging::host_response_delete),
    (4, "service.create", belonging::service_create),
    (4, "service.update", belonging::service_update),
    (1, "service.delete", belonging::service_delete),
    (1, "volume.move", volumes::relocate),
    (1, "network.update", settings::network),
    (1, "notification.update", settings::notification),
    (1, "licence.register", settings::licence_register),
    (1, "licence.remove", settings::licence_remove),
    (1, "firmware.update", settings::firmware),
    (1, "certificate.update", settings::certificate),
    (1, "encryption.update", settings::encryption),
    (1, "thin-provisioning.update", settings::thin_provisioning),
    (2, "workload.create", work::workload_create),
    (1, "workload.update", work::workload_update),
    (1, "workload.delete", work::workload_delete),
    (2, "job.submit", work::job_submit),
    (1, "job.cancel", work::job_cancel),
    (1, "job.delete", work::job_delete),
    (2, "note.set", records::note_set),
    (2, "record.create", records::create),
    (1, "record.update", records::update),
    (1, "record.delete", records::delete),
    (1, "job.note", records::job_note),
];

/// The next step on this world.
pub(crate) fn operation(world: &World, dice: &Dice) -> AnyOperation {
    given::operation(&any_operation(world, &mut dice.clone()))
}

/// The next step of what befalls drives, and of what is done about it.
pub(crate) fn failure(world: &World, dice: &Dice) -> AnyOperation {
    let about =
        |name: &str| (name.starts_with("drive.") && name != "drive.install") || matches!(name, "clock.advance" | "raid-group.update" | "raid-group.expand");
    let kinds: Vec<_> = KINDS.iter().filter(|(_, name, _)| about(name)).collect();
    let dice = &mut dice.clone();
    let (_, name, make) = dice.one(&kinds);
    given::operation(&json!({ *name: make(world, dice) }))
}

/// Whether this array can do such things at all.
fn makes_sense(world: &World, name: &str) -> bool {
    let contained = world.array.personality.container_size_min.is_some();
    if !parts::makes_sense(world, name) {
        return false;
    }
    match name.split('.').next() {
        Some("container" | "snapshot") => contained,
        Some("copy-session") => !contained && copies::makes_sense(world, name),
        Some("workload") => world.array.calibration.is_some(),
        Some("host-response") => world.array.personality.limits.host_responses > 0,
        Some("service") => world.array.personality.offer.tenants_serve,
        Some("licence") => !world.array.personality.offer.licences.is_empty(),
        Some("thin-provisioning") => !world.array.personality.offer.pool_capacities.is_empty(),
        _ => match name {
            "volume.move" => contained,
            "pool.balance" => world.array.pools.iter().any(|pool| !pool.unbalanced().is_zero()),
            "pool.stop-balancing" => world.array.pools.iter().any(|pool| pool.balancing),
            "volume.migrate" | "volume.snapshot" => !contained,
            "volume.stop-migration" => world.array.volumes.iter().any(|volume| volume.migration.is_some()),
            "volume.rotate-snapshots" | "volume.resync" | "volume.initialize" => copies::makes_sense(world, name),
            _ => true,
        },
    }
}

fn any_operation(world: &World, dice: &mut Dice) -> Value {
    let sensible: Vec<_> = KINDS.iter().filter(|(_, name, _)| makes_sense(world, name)).collect();
    let kinds = if dice.once_in(25) { KINDS.iter().collect() } else { sensible };
    let all: u32 = kinds.iter().map(|(weight, ..)| weight).sum();
    let mut left = dice.throw(usize::try_from(all).expect("a small number"));
    for (weight, name, make) in kinds {
        let weight = usize::try_from(*weight).expect("a small number");
        if left < weight {
            return json!({ *name: make(world, dice) });
        }
        left -= weight;
    }
    unreachable!("the throw lies below the sum of the weights")
}

#[test]
fn every_operation_is_generated() {
    let mut generated: Vec<&str> = KINDS.iter().map(|(_, name, _)| *name).collect();
    let mut known: Vec<&str> = arrayplane::ops::OPERATIONS.iter().map(|facts| facts.name).collect();
    generated.sort_unstable();
    known.sort_unstable();
    assert_eq!(generated, known);
}
