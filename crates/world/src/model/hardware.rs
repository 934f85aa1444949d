//! What an array can be made of and extended by: enclosures, drives and parts of its model, and how they are named. It is part of the
//! value, so that a changed fixture never changes an array that exists.

use serde::{Deserialize, Serialize};

use super::{
    Array, Drive, DriveState, DriveType, Enclosure, EnclosureKind, HostPort, Identity, Key, Object, Part, PartKind, PartPlace, Pattern, PatternFilling,
    Temperature,
};
use crate::units::Bytes;

/// What a model is made of. Empty for an array that cannot be extended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Hardware {
    /// Its kinds of enclosures, the one with the controllers first.
    pub enclosures: Vec<EnclosureModel>,
    /// The drives that fit, the one that is taken when no other is asked for first.
    pub drives: Vec<DriveModel>,
    /// The parts that are watched.
    pub parts: Vec<PartModel>,
    /// What it draws.
    pub power: PowerModel,
    /// How serial numbers and addresses are made.
    pub makes: Makes,
}

/// Enclosures of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnclosureModel {
    /// Controller or drive enclosure.
    pub kind: EnclosureKind,
    /// Their names; `{number}` counts all enclosures of the array from 0.
    pub name: Pattern,
    /// The names of drives in them.
    pub drive: Pattern,
    /// Drive bays of each.
    pub bays: u32,
    /// How many an array can have.
    pub most: u32,
}

/// A drive that fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DriveModel {
    /// What kind of drive it is.
    pub drive_type: DriveType,
    /// Capacity as sold.
    pub capacity: Bytes,
    /// Whether it encrypts itself.
    pub self_encrypting: bool,
}

/// Parts of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartModel {
    /// What they are.
    pub kind: PartKind,
    /// How many of them everything has that has any: every enclosure, or drive enclosure, or controller, or host port.
    pub count: u32,
    /// Their names; `{owner}` is what they belong to, `{index}` counts them from 0.
    pub name: Pattern,
    /// Of sensors: what they measure.
    pub temperature: Option<Temperature>,
    /// Of batteries: the month in which they should be replaced.
    pub expires: Option<String>,
}

/// Average draw in watts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PowerModel {
    /// Of an enclosure without what is in it.
    pub enclosure_watts: u32,
    /// Of a controller.
    pub controller_watts: u32,
    /// Of a drive.
    pub drive_watts: u32,
}

/// How serial numbers and addresses of what can be added are made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Makes {
    /// Serial numbers of enclosures.
    pub enclosure_serial: Pattern,
    /// Serial numbers of drives.
    pub drive_serial: Pattern,
    /// World-wide names of drives.
    pub drive_wwn: Pattern,
    /// Serial numbers of parts.
    pub part_serial: Pattern,
}

impl PatternFilling<'_> {
    /// A blank one, with which `what` belongs to an identity.
    pub const fn of(identity: Identity, what: &str) -> PatternFilling<'_> {
        PatternFilling { identity, what, controller: "", owner: "", number: 0, bay: 0, index: 0, place: 0 }
    }
}

impl Hardware {
    /// The enclosures of one kind.
    pub fn enclosure(&self, kind: EnclosureKind) -> Option<&EnclosureModel> {
        self.enclosures.iter().find(|model| model.kind == kind)
    }
}

impl Array {
    /// Puts an enclosure in, with its parts. Its number is the lowest free one.
    pub fn add_enclosure(&mut self, model: &EnclosureModel) -> Key<Enclosure> {
        let (identity, key) = (self.identity, self.enclosures.next_key());
        let number = self.next_enclosure_number();
        let name = model.name.fill(&PatternFilling { number, ..PatternFilling::of(identity, "") });
        let serial_number = self.hardware.makes.enclosure_serial.fill(&PatternFilling::of(identity, &format!("enclosure-serial:{}", key.raw())));
        let (kind, bays) = (model.kind, model.bays);
        self.enclosures.insert(identity, name, |head| Enclosure { head, kind, bays, serial_number, locate: false });
        for kind in [PartKind::PowerSupply, PartKind::Fan, PartKind::InletTemperature, PartKind::ExhaustTemperature] {
            self.add_parts(kind, PartPlace::Enclosure(key));
        }
        if model.kind == EnclosureKind::Drive {
            self.add_parts(PartKind::IoModule, PartPlace::Enclosure(key));
        }
        key
    }
    fn next_enclosure_number(&self) -> u32 {
        (0..u32::MAX).find(|number| self.enclosures.iter().all(|enclosure| enclosure.number() != *number)).unwrap_or(u32::MAX)
    }
    /// Takes an enclosure out, with its parts; no drive must be in it.
    pub fn remove_enclosure(&mut self, key: Key<Enclosure>) {
        let parts: Vec<Key<Part>> = self.parts_at(PartPlace::Enclosure(key)).map(Object::key).collect();
        for part in parts {
            self.parts.remove(part);
        }
        self.enclosures.remove(key);
    }
    /// Puts the parts of one kind where they belong.
    pub fn add_parts(&mut self, kind: PartKind, place: PartPlace) {
        let models: Vec<PartModel> = self.hardware.parts.iter().filter(|model| model.kind == kind).cloned().collect();
        for (model, index) in models.iter().flat_map(|model| (0..model.count).map(move |index| (model, index))) {
            self.add_part(model, place, index);
        }
    }
    fn add_part(&mut self, model: &PartModel, place: PartPlace, index: u32) {
        let owner = match place {
            PartPlace::Enclosure(key) => self.enclosures.get(key).map(Object::name),
            PartPlace::Controller(key) => self.controllers.get(key).map(Object::name),
            PartPlace::HostPort(key) => self.host_ports.get(key).map(Object::name),
        };
        let owner = owner.unwrap_or_default().to_owned();
        let name = model.name.fill(&PatternFilling { owner: &owner, index, ..PatternFilling::of(self.identity, "") });
        let what = format!("part-serial:{}", self.parts.next_key().raw());
        let serial_number = model.temperature.is_none().then(|| self.hardware.makes.part_serial.fill(&PatternFilling::of(self.identity, &what)));
        let (kind, temperature, expires) = (model.kind, model.temperature, model.expires.clone());
        let part = |head| Part { head, kind, place, serial_number, fault: None, temperature, charging: false, expires };
        self.parts.insert(self.identity, name, part);
    }
    /// Puts a drive into an empty bay. `again` tells it from others that were in this bay before.
    pub fn add_drive(&mut self, enclosure: Key<Enclosure>, bay: u32, model: DriveModel, again: &str) -> Key<Drive> {
        let (identity, holder) = (self.identity, &self.enclosures[enclosure]);
        let number = holder.number();
        let pattern = self.hardware.enclosure(holder.kind).map(|model| model.drive.clone()).unwrap_or_default();
        let name = pattern.fill(&PatternFilling { number, bay, ..PatternFilling::of(identity, "") });
        let makes = &self.hardware.makes;
        let serial_number = makes.drive_serial.fill(&PatternFilling::of(identity, &format!("drive-serial:{number}:{bay}{again}")));
        let wwn = makes.drive_wwn.fill(&PatternFilling::of(identity, &format!("drive-wwn:{number}:{bay}{again}")));
        let DriveModel { drive_type, capacity, self_encrypting } = model;
        self.drives.insert(identity, name, |head| Drive {
            head,
            enclosure,
            bay,
            drive_type,
            capacity,
            self_encrypting,
            state: DriveState::Available,
            pulled: false,
            raid_group: None,
            spare: false,
            dedicated_to: None,
            stands_in: None,
            locate: false,
            serial_number,
            wwn,
        })
    }
    /// The bays of an enclosure in which no drive sits, lowest first.
    pub fn empty_bays(&self, enclosure: &Enclosure) -> Vec<u32> {
        let taken: std::collections::BTreeSet<u32> = self.drives.iter().filter(|drive| drive.enclosure == enclosure.key()).map(|drive| drive.bay).collect();
        (0..enclosure.bays).filter(|bay| !taken.contains(bay)).collect()
    }
    /// The transceiver of a port, if it has one.
    pub fn transceiver(&self, port: Key<HostPort>) -> Option<&Part> {
        self.parts_at(PartPlace::HostPort(port)).find(|part| part.kind == PartKind::Transceiver)
    }
}
