//! The part of the consistency check that is about enclosures, controllers, host ports and the parts in them.

use std::collections::BTreeSet;

use super::consistency::dangling;
use super::{Array, ControllerState, LoopIdAssignment, Object, PartKind, PartPlace, Possession};

/// Everything that is wrong, one sentence each. States are looked at only when all references lead somewhere.
pub(super) fn problems(array: &Array, found: &mut Vec<String>) {
    let before = found.len();
    references(array, found);
    if found.len() > before {
        return;
    }
    parts(array, found);
    bays(array, found);
    controllers(array, found);
    ports(array, found);
}

fn references(array: &Array, found: &mut Vec<String>) {
    for controller in array.controllers.iter() {
        dangling(found, &array.enclosures, controller.enclosure, controller.name());
    }
    for port in array.host_ports.iter() {
        dangling(found, &array.controllers, port.controller, port.name());
    }
    for drive in array.drives.iter() {
        dangling(found, &array.enclosures, drive.enclosure, drive.name());
    }
    for part in array.parts.iter() {
        match part.place {
            PartPlace::Enclosure(key) => dangling(found, &array.enclosures, key, part.name()),
            PartPlace::Controller(key) => dangling(found, &array.controllers, key, part.name()),
            PartPlace::HostPort(key) => dangling(found, &array.host_ports, key, part.name()),
        };
    }
    for enclosure in &array.told.enclosures_down {
        dangling(found, &array.enclosures, *enclosure, "what was told");
    }
}

fn parts(array: &Array, found: &mut Vec<String>) {
    for part in array.parts.iter() {
        let measures = matches!(part.kind, PartKind::InletTemperature | PartKind::ExhaustTemperature);
        if measures != part.temperature.is_some() {
            found.push(format!("part '{}' measures a temperature and is no sensor, or the other way round", part.name()));
        }
        if (part.charging || part.expires.is_some()) && part.kind != PartKind::Battery {
            found.push(format!("part '{}' is charged, but is no battery", part.name()));
        }
        let fits = match part.kind {
            PartKind::Battery => matches!(part.place, PartPlace::Controller(_)),
            PartKind::Transceiver => matches!(part.place, PartPlace::HostPort(_)),
            _ => matches!(part.place, PartPlace::Enclosure(_)),
        };
        if !fits {
            found.push(format!("part '{}' is where no {} is", part.name(), part.kind.words()));
        }
    }
}

fn bays(array: &Array, found: &mut Vec<String>) {
    for drive in array.drives.iter() {
        let enclosure = &array.enclosures[drive.enclosure];
        if drive.bay >= enclosure.bays {
            found.push(format!("drive '{}' sits in bay {} of {} in '{}'", drive.name(), drive.bay, enclosure.bays, enclosure.name()));
        }
    }
    for model in &array.hardware.enclosures {
        let there = array.enclosures.iter().filter(|enclosure| enclosure.kind == model.kind).count();
        if u32::try_from(there).unwrap_or(u32::MAX) > model.most {
            found.push(format!("there are {there} enclosures of a kind of which there can be {}", model.most));
        }
    }
}

fn controllers(array: &Array, found: &mut Vec<String>) {
    for controller in array.controllers.iter() {
        let (name, state, partner) = (controller.name(), controller.state, array.partner_of(controller.key()));
        let powered = array.enclosure_is_powered(controller.enclosure);
        let has_power = match state {
            ControllerState::Online | ControllerState::Starting => powered,
            ControllerState::Off => !powered,
            ControllerState::Failed => true,
        };
        if !has_power {
            found.push(format!("controller '{name}' is {}, but its enclosure has {}", state.name(), if powered { "power" } else { "no power" }));
        }
        let agrees = match controller.possession {
            Possession::Own => controller.is_online() || partner.is_none(),
            Possession::Leaving => !controller.is_online() && partner.is_some(),
            Possession::Away => partner.is_some(),
            Possession::Returning => controller.is_online() && partner.is_some(),
        };
        if !agrees {
            found.push(format!("controller '{name}' is {}, but its RAID groups are '{:?}'", state.name(), controller.possession));
        }
    }
}

fn ports(array: &Array, found: &mut Vec<String>) {
    let mut addresses = BTreeSet::new();
    for port in array.host_ports.iter() {
        let name = port.name();
        if port.highest_rate(port.protocol).is_zero() {
            found.push(format!("port '{name}' speaks {}, which it cannot", port.protocol));
        }
        if port.fc.loop_id.is_some() != (port.fc.loop_id_assignment == LoopIdAssignment::Manual) {
            found.push(format!("port '{name}' has a loop id that nobody assigned, or none"));
        }
        for address in [&port.iscsi.ipv4_address, &port.iscsi.ipv6_address].into_iter().flatten() {
            if !addresses.insert(address) {
                found.push(format!("port '{name}' has the address {address} of another one"));
            }
        }
        if !port.role.serves_hosts() && array.port_groups.iter().any(|group| group.ports.contains(&port.key())) {
            found.push(format!("port '{name}' is in a port group, but not for hosts"));
        }
    }
}
