//! How the whole array stands: what each part contributes, and the worst of it.
//!
//! States of other nouns join in [`contributions`]: each is one more iterator in the chain.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Array, Condition, ControllerState, Drive, Noun, Object, OperationMode, PartStatus, PortState, Possession, RaidGroup, Standing, health};

/// What the status of the array comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ArrayStatusDetail)]
pub enum Detail {
    /// All is in order.
    #[default]
    Normal,
    /// The array is being serviced; or a part is maintained, charged or started, or data is restored.
    Maintenance,
    /// RAID groups change hands between controllers (ETERNUS: Change Controlling CM).
    ChangingController,
    /// RAID groups are with the partner of a controller that runs, and wait for being given back.
    WaitingForGiveback,
    /// Writes go to drives before they are answered.
    WriteThrough,
    /// A part or drive should be replaced.
    PartWarning,
    /// Data is protected less than it should be, or by a spare.
    RaidGroupExposed,
    /// A port has lost its link or is broken.
    PortError,
    /// A part or drive does not work.
    PartError,
    /// Data cannot be reached, or is lost.
    RaidGroupBroken,
    /// The drives of an enclosure cannot be reached.
    EnclosureDown,
    /// A controller does not run.
    ControllerDown,
    /// No controller runs (ETERNUS: Not Ready).
    NotReady,
}

/// What one thing contributes to the status of the array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contribution<'a> {
    /// How bad it is.
    pub status: Condition,
    /// Why.
    pub detail: Detail,
    /// What it is about.
    pub noun: Noun,
    /// The name of that.
    pub name: &'a str,
}

/// Everything that keeps the array from being normal.
pub fn contributions(array: &Array) -> impl Iterator<Item = Contribution<'_>> {
    whole(array).chain(controllers(array)).chain(enclosures(array)).chain(parts(array)).chain(ports(array)).chain(drives(array)).chain(raid_groups(array))
}

/// The status of the array and what it comes from: the worst of all contributions.
pub fn of(array: &Array) -> (Condition, Detail) {
    contributions(array).map(|one| (one.status, one.detail)).max().unwrap_or_default()
}

fn whole(array: &Array) -> impl Iterator<Item = Contribution<'_>> {
    let of = |status, detail| Contribution { status, detail, noun: Noun::Array, name: &array.facts.product };
    let ready = (!array.is_ready()).then(|| of(Condition::Error, Detail::NotReady));
    let cache = array.is_write_through().then(|| of(Condition::Warning, Detail::WriteThrough));
    let serviced = (array.settings.operation_mode == OperationMode::Maintenance).then(|| of(Condition::Maintenance, Detail::Maintenance));
    ready.into_iter().chain(cache).chain(serviced)
}

fn drives(array: &Array) -> impl Iterator<Item = Contribution<'_>> {
    array.drives.iter().filter(|drive| !is_plain(array, drive)).filter_map(|drive| {
        let status = health::drive_status(array, drive).condition();
        let detail = match status {
            Condition::Normal => return None,
            Condition::Maintenance => Detail::Maintenance,
            Condition::Warning => Detail::PartWarning,
            Condition::Error => Detail::PartError,
        };
        Some(Contribution { status, detail, noun: Noun::Drive, name: drive.name() })
    })
}

/// Whether a drive is in order at first sight. This is asked after every change, of every drive.
fn is_plain(array: &Array, drive: &Drive) -> bool {
    let held_by = drive.raid_group.or(drive.stands_in).and_then(|group| array.raid_groups.get(group));
    drive.is_sound() && held_by.is_none_or(RaidGroup::is_ordinary)
}

fn raid_groups(array: &Array) -> impl Iterator<Item = Contribution<'_>> {
    array.raid_groups.iter().filter(|group| !group.is_ordinary()).filter_map(|group| {
        let status = Standing::of(array, group).status().condition();
        let detail = match status {
            Condition::Normal => return None,
            Condition::Maintenance => Detail::Maintenance,
            Condition::Warning => Detail::RaidGroupExposed,
            Condition::Error => Detail::RaidGroupBroken,
        };
        Some(Contribution { status, detail, noun: Noun::RaidGroup, name: group.name() })
    })
}

fn controllers(array: &Array) -> impl Iterator<Item = Contribution<'_>> {
    array.controllers.iter().flat_map(|controller| {
        let of = |status, detail| Contribution { status, detail, noun: Noun::Controller, name: controller.name() };
        let running = match controller.state {
            ControllerState::Online => None,
            ControllerState::Starting => Some(of(Condition::Maintenance, Detail::Maintenance)),
            ControllerState::Off | ControllerState::Failed => Some(of(Condition::Error, Detail::ControllerDown)),
        };
        let owning = match controller.possession {
            Possession::Own => None,
            Possession::Leaving | Possession::Returning => Some(of(Condition::Maintenance, Detail::ChangingController)),
            Possession::Away => controller.is_online().then(|| of(Condition::Maintenance, Detail::WaitingForGiveback)),
        };
        running.into_iter().chain(owning)
    })
}

fn enclosures(array: &Array) -> impl Iterator<Item = Contribution<'_>> {
    let down = array.enclosures_down();
    down.into_iter().filter_map(|key| array.enclosures.get(key)).map(|enclosure| Contribution {
        status: Condition::Error,
        detail: Detail::EnclosureDown,
        noun: Noun::Enclosure,
        name: enclosure.name(),
    })
}

fn parts(array: &Array) -> impl Iterator<Item = Contribution<'_>> {
    array.parts.iter().filter_map(|part| {
        let (status, detail) = match part.condition() {
            PartStatus::Normal | PartStatus::Unused => return None,
            PartStatus::Maintenance => (Condition::Maintenance, Detail::Maintenance),
            PartStatus::Warning => (Condition::Warning, Detail::PartWarning),
            PartStatus::Error | PartStatus::Missing => (Condition::Error, Detail::PartError),
        };
        Some(Contribution { status, detail, noun: Noun::Part, name: part.name() })
    })
}

fn ports(array: &Array) -> impl Iterator<Item = Contribution<'_>> {
    let faulty = array.host_ports.iter().filter(|port| port.fault.is_some());
    faulty.filter_map(|port| {
        let status = match array.port_state(port) {
            PortState::Error => Condition::Error,
            PortState::LinkDown => Condition::Warning,
            PortState::Offline | PortState::Disabled | PortState::Unused | PortState::Normal => return None,
        };
        Some(Contribution { status, detail: Detail::PortError, noun: Noun::HostPort, name: port.name() })
    })
}
