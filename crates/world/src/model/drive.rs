//! Drives.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Array, Controller, Enclosure, Head, Identity, Key, Noun, Object, RaidGroup};
use crate::units::Bytes;

/// A drive in a bay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Drive {
    /// Identity; the name is the vendor's location (`CE-Disk#0`).
    pub head: Head,
    /// The enclosure.
    pub enclosure: Key<Enclosure>,
    /// The bay, from 0.
    pub bay: u32,
    /// What kind of drive it is.
    pub drive_type: DriveType,
    /// Capacity as sold.
    pub capacity: Bytes,
    /// Whether it encrypts itself.
    pub self_encrypting: bool,
    /// Health.
    pub state: DriveState,
    /// Whether it has been taken out of its bay; it can be put back.
    #[serde(default)]
    pub pulled: bool,
    /// The RAID group that it is a member of.
    pub raid_group: Option<Key<RaidGroup>>,
    /// Whether it is kept as a hot spare.
    pub spare: bool,
    /// The only RAID group that it is a spare for; `None`: for all.
    #[serde(default)]
    pub dedicated_to: Option<Key<RaidGroup>>,
    /// The RAID group in which it stands in for a member, or is being written to do so.
    #[serde(default)]
    pub stands_in: Option<Key<RaidGroup>>,
    /// Whether its identification light is on.
    pub locate: bool,
    /// Serial number.
    pub serial_number: String,
    /// World-wide name, 16 hexadecimal digits.
    pub wwn: String,
}

/// The kind of a drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DriveType {
    /// SAS solid-state drive.
    SasSsd,
    /// SATA solid-state drive.
    SataSsd,
    /// NVMe solid-state drive.
    NvmeSsd,
}

/// The health of a drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DriveState {
    /// In order.
    Available,
    /// It serves, but says that it will fail.
    PredictiveFailure,
    /// Taken out of service before it failed.
    FailedUsable,
    /// Broken; it serves nothing.
    Failed,
}

impl Drive {
    /// Whether it can be taken into a RAID group: in order, in none, no spare and not standing in.
    pub const fn is_free(&self) -> bool {
        self.is_sound() && self.raid_group.is_none() && !self.spare && self.stands_in.is_none()
    }
    /// Whether it is there and in order, so that data can be brought to it.
    pub const fn is_sound(&self) -> bool {
        matches!(self.state, DriveState::Available) && !self.pulled
    }
    /// Whether data on it can be read and written now.
    pub const fn serves(&self) -> bool {
        self.keeps_data() && !self.pulled
    }
    /// Whether data on it can be read and written as long as it is in its bay.
    pub const fn keeps_data(&self) -> bool {
        matches!(self.state, DriveState::Available | DriveState::PredictiveFailure)
    }
    /// A new drive of the same kind for the same bay and role, with a serial number and a name of its own from the seed.
    pub fn successor(&self, head: Head, identity: Identity) -> Drive {
        let number = identity.bits(&format!("drive-serial-of:{}", head.key()));
        let name = identity.bits(&format!("drive-wwn-of:{}", head.key()));
        Drive {
            head,
            state: DriveState::Available,
            pulled: false,
            stands_in: None,
            locate: false,
            serial_number: renewed(&self.serial_number, number, 10),
            wwn: renewed(&self.wwn, name, 16),
            ..self.clone()
        }
    }
}

/// The same text with other digits at its end: those that follow one another there, at most nine.
fn renewed(text: &str, mut bits: u64, radix: u32) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for letter in letters.iter_mut().rev().take_while(|letter| letter.is_digit(radix)).take(9) {
        *letter = u32::try_from(bits % u64::from(radix)).ok().and_then(|digit| char::from_digit(digit, radix)).unwrap_or('0');
        bits /= u64::from(radix);
    }
    letters.into_iter().collect()
}

impl fmt::Display for DriveType {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            DriveType::SasSsd => "sas_ssd",
            DriveType::SataSsd => "sata_ssd",
            DriveType::NvmeSsd => "nvme_ssd",
        })
    }
}

impl Array {
    /// The controller that a drive belongs to: that of its RAID group; else the drives of an enclosure are divided evenly, in order of bays.
    pub fn home_of(&self, drive: &Drive) -> Option<Key<Controller>> {
        if let Some(group) = drive.raid_group.or(drive.stands_in).and_then(|group| self.raid_groups.get(group)) {
            return Some(group.controller);
        }
        let beside = || self.drives.iter().filter(|other| other.enclosure == drive.enclosure);
        let (count, before) = (beside().count(), beside().filter(|other| other.bay < drive.bay).count());
        let place = before * self.controllers.len() / count.max(1);
        self.controllers.iter().nth(place).map(Object::key)
    }
}

impl Object for Drive {
    const NOUN: Noun = Noun::Drive;
    fn head(&self) -> &Head {
        &self.head
    }
    fn head_mut(&mut self) -> &mut Head {
        &mut self.head
    }
}

#[cfg(test)]
mod tests {
    use super::renewed;

    #[test]
    fn a_renewed_number_keeps_its_form() {
        assert_eq!(renewed("S4NN0123456789", 42, 10), "S4NN0000000042");
        assert_eq!(renewed("DR12", 345, 10), "DR45");
        assert_eq!(renewed("5002538abcdef012", 0x1f, 16), "500253800000001f");
        assert_eq!(renewed("", 7, 10), "");
    }
}
