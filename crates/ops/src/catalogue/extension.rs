//! What a model's arrays can be extended by, as the arrays carry it themselves.

use super::{Model, NewDrives};
use crate::model::{DriveModel, EnclosureModel, Hardware, Makes, PartKind, PartModel, Pattern, PowerModel, Temperature};

impl Model {
    /// Enclosures, drives and parts of this model. The default drive comes first.
    pub(super) fn hardware(&self) -> Hardware {
        let enclosures = self.enclosures.iter().map(|spec| EnclosureModel {
            kind: spec.kind,
            name: spec.name.clone(),
            drive: spec.drive.clone(),
            bays: spec.bays.value,
            most: spec.most.value,
        });
        let power = &self.parts.power;
        let makes = &self.identifiers;
        Hardware {
            enclosures: enclosures.collect(),
            drives: self.drive_models(),
            parts: self.part_models(),
            power: PowerModel { enclosure_watts: power.enclosure_watts, controller_watts: power.controller_watts, drive_watts: power.drive_watts },
            makes: Makes {
                enclosure_serial: makes.enclosure_serial.clone(),
                drive_serial: makes.drive_serial.clone(),
                drive_wwn: makes.drive_wwn.clone(),
                part_serial: makes.part_serial.clone(),
            },
        }
    }

    fn drive_models(&self) -> Vec<DriveModel> {
        let usual = self.drives.new.first().map(NewDrives::order);
        let usual = usual.map(|order| DriveModel { drive_type: order.drive_type, capacity: order.capacity, self_encrypting: order.self_encrypting });
        let offered = self.drives.offered.iter();
        let offered = offered.map(|drive| DriveModel { drive_type: drive.drive_type, capacity: drive.capacity, self_encrypting: drive.self_encrypting });
        let mut all: Vec<DriveModel> = usual.into_iter().collect();
        all.extend(offered.filter(|drive| usual != Some(*drive)));
        all
    }

    fn part_models(&self) -> Vec<PartModel> {
        let (parts, names) = (&self.parts, &self.identifiers.parts);
        let model = |kind, count: u32, name: &Pattern| PartModel { kind, count, name: name.clone(), temperature: None, expires: None };
        let sensor = |kind, name: &Pattern, temperature: Temperature| PartModel { temperature: Some(temperature), ..model(kind, 1, name) };
        vec![
            model(PartKind::PowerSupply, parts.power_supplies.value, &names.power_supply),
            model(PartKind::Fan, parts.fans.value, &names.fan),
            sensor(PartKind::InletTemperature, &names.inlet_temperature, parts.inlet.of_new_sensor()),
            sensor(PartKind::ExhaustTemperature, &names.exhaust_temperature, parts.exhaust.of_new_sensor()),
            model(PartKind::IoModule, parts.io_modules.value, &names.io_module),
            PartModel { expires: Some(parts.battery_expires.value.clone()), ..model(PartKind::Battery, parts.batteries.value, &names.battery) },
            model(PartKind::Transceiver, 1, &names.transceiver),
        ]
    }
}
