//! A new array of a model.

use std::collections::BTreeMap;

use super::pattern::Filling;
use super::{CatalogueError, DriveOrder, DriveRequest, EnclosureSpec, Model, Pattern, profiles};
use crate::model::{
    Array, ArrayFacts, Controller, Drive, DriveState, Enclosure, EnclosureKind, Events, HostPort, Identity, InitialUser, Key, Object, Password, PortProtocol,
    Profile, Role, RoleRule, Settings, Table, User,
};
use crate::units::SimTime;

/// What a new array shall be like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildOptions {
    /// Where its identifiers come from: equal seeds give equal bytes.
    pub seed: u64,
    /// Its virtual time 0, in seconds since 1970.
    pub epoch: i64,
    /// Its drives; otherwise the model's own.
    pub drives: Option<DriveRequest>,
}

impl BuildOptions {
    /// 2026-01-01T00:00:00Z.
    pub const EPOCH: i64 = 1_767_225_600;
}

impl Default for BuildOptions {
    fn default() -> BuildOptions {
        BuildOptions { seed: 0, epoch: BuildOptions::EPOCH, drives: None }
    }
}

impl Model {
    /// A new array of this model, with drives in the bays and nothing configured.
    ///
    /// Refused when the drives do not fit: none of them, not offered, or more than the bays hold.
    pub fn build(&self, options: &BuildOptions) -> Result<Array, CatalogueError> {
        let orders = self.drives_for(options.drives.as_ref())?;
        let builder = Builder { model: self, identity: Identity::new(options.seed) };
        let mut array = builder.bare_array(options.epoch, self.calibration()?.cloned());
        builder.add_enclosures(&mut array, orders.iter().map(|order| order.count).fold(0, u32::saturating_add));
        builder.add_controllers(&mut array);
        builder.add_host_ports(&mut array);
        builder.add_drives(&mut array, &orders);
        builder.add_accounts(&mut array);
        Ok(array)
    }
}

struct Builder<'a> {
    model: &'a Model,
    identity: Identity,
}

impl Builder<'_> {
    fn filling<'a>(&self, what: &'a str) -> Filling<'a> {
        Filling { identity: self.identity, what, controller: "", number: 0, bay: 0, place: 0 }
    }

    /// A serial number or address that belongs to `what`.
    fn own(&self, pattern: &Pattern, what: &str) -> String {
        pattern.fill(&self.filling(what))
    }

    fn bare_array(&self, epoch: i64, calibration: Option<crate::model::Calibration>) -> Array {
        let (model, make) = (self.model, &self.model.identifiers);
        let facts = ArrayFacts {
            model: model.name.clone(),
            vendor: model.vendor.clone(),
            product: model.product.clone(),
            serial_number: self.own(&make.array_serial, "array-serial"),
            wwn: self.own(&make.array_wwn, "wwn"),
            firmware: model.firmware.value.clone(),
            epoch,
        };
        let known: BTreeMap<String, Profile> = profiles().into_iter().map(|known| (known.name.clone(), known.profile())).collect();
        Array {
            facts,
            identity: self.identity,
            personality: model.personality.clone(),
            calibration,
            profiles: known,
            settings: Settings { system_name: model.product.clone(), ..Settings::default() },
            enclosures: Table::new(),
            controllers: Table::new(),
            host_ports: Table::new(),
            drives: Table::new(),
            raid_groups: Table::new(),
            pools: Table::new(),
            containers: Table::new(),
            snapshots: Table::new(),
            volumes: Table::new(),
            hosts: Table::new(),
            host_groups: Table::new(),
            port_groups: Table::new(),
            lun_groups: Table::new(),
            affinities: Table::new(),
            mappings: Table::new(),
            roles: Table::new(),
            users: Table::new(),
            password_policy: model.personality.accounts.password_policy.clone(),
            events: Events::default(),
            generation: 0,
        }
    }

    /// As many enclosures as a new array has, and more while the drives need them.
    fn add_enclosures(&self, array: &mut Array, drives: u32) {
        let mut bays = self.model.enclosures.iter().map(|spec| spec.bays.value.saturating_mul(spec.new.value)).fold(0, u32::saturating_add);
        for spec in &self.model.enclosures {
            let mut count = spec.new.value;
            while count < spec.most.value && bays < drives {
                (count, bays) = (count + 1, bays + spec.bays.value);
            }
            for _ in 0..count {
                self.add_enclosure(array, spec);
            }
        }
    }

    /// The array's own roles, and its first users with the password of the server.
    fn add_accounts(&self, array: &mut Array) {
        let rules = &self.model.personality.accounts;
        for RoleRule { name, policies, web_login } in &rules.roles {
            let (policies, web_login) = (*policies, *web_login);
            array.roles.insert(self.identity, name.clone(), |head| Role { head, policies, built_in: true, web_login });
        }
        for InitialUser { name, role } in &rules.initial_users {
            let Some(role) = array.roles.named(role, None).map(Object::key) else { continue };
            let (password, password_changed) = (Password::Server, SimTime::START);
            let user = |head| User { head, role, enabled: true, password, password_changed, former: Vec::new(), lock: None };
            array.users.insert(self.identity, name.clone(), user);
        }
    }

    fn add_enclosure(&self, array: &mut Array, spec: &EnclosureSpec) {
        let number = array.enclosures.next_key().raw();
        let name = spec.name.fill(&Filling { number, ..self.filling("") });
        let serial_number = self.own(&self.model.identifiers.enclosure_serial, &format!("enclosure-serial:{number}"));
        array.enclosures.insert(self.identity, name, |head| Enclosure { head, kind: spec.kind, bays: spec.bays.value, serial_number, locate: false });
    }

    fn add_controllers(&self, array: &mut Array) {
        let Some(enclosure) = array.enclosures.iter().find(|enclosure| enclosure.kind == EnclosureKind::Controller).map(Object::key) else { return };
        for (index, name) in self.model.controllers.value.iter().enumerate() {
            let serial_number = self.own(&self.model.identifiers.controller_serial, &format!("controller-serial:{index}"));
            array.controllers.insert(self.identity, name.clone(), |head| Controller { head, enclosure, serial_number, online: true, locate: false });
        }
    }

    fn add_host_ports(&self, array: &mut Array) {
        let controllers: Vec<(Key<Controller>, String)> = array.controllers.iter().map(|controller| (controller.key(), controller.name().to_owned())).collect();
        for (controller, owner) in controllers {
            let patterns = self.model.host_ports.iter().flat_map(|spec| spec.names.value.iter().map(move |pattern| (spec, pattern)));
            for (place, (spec, pattern)) in (0x20 + 0x10 * controller.raw()..).zip(patterns) {
                let filling = |what| Filling { controller: &owner, place, ..self.filling(what) };
                let wwn = self.model.identifiers.port_wwn.fill(&filling("wwn"));
                let speaks_iscsi = spec.modes.iter().any(|mode| mode.protocol == PortProtocol::Iscsi);
                let iscsi_name = speaks_iscsi.then(|| self.model.identifiers.iscsi_name.fill(&filling("iscsi")));
                let modes = spec.modes.iter().map(|mode| (mode.protocol, mode.rate)).collect();
                let protocol = spec.modes.first().map_or(PortProtocol::Ethernet, |mode| mode.protocol);
                let port = |head| HostPort { head, controller, protocol, modes, wwn, iscsi_name, enabled: true };
                array.host_ports.insert(self.identity, pattern.fill(&filling("")), port);
            }
        }
    }

    fn add_drives(&self, array: &mut Array, orders: &[DriveOrder]) {
        let drive_name = |kind| self.model.enclosures.iter().find(|spec| spec.kind == kind).map(|spec| &spec.drive);
        let enclosures: Vec<(Key<Enclosure>, u32, u32, &Pattern)> = array
            .enclosures
            .iter()
            .filter_map(|enclosure| drive_name(enclosure.kind).map(|pattern| (enclosure.key(), enclosure.number(), enclosure.bays, pattern)))
            .collect();
        let bays = enclosures.into_iter().flat_map(|(enclosure, number, bays, pattern)| (0..bays).map(move |bay| (enclosure, number, bay, pattern)));
        let wanted = orders.iter().flat_map(|order| (0..order.count).map(move |_| order));
        for ((enclosure, number, bay, pattern), order) in bays.zip(wanted) {
            let name = pattern.fill(&Filling { number, bay, ..self.filling("") });
            let make = &self.model.identifiers;
            let serial_number = self.own(&make.drive_serial, &format!("drive-serial:{number}:{bay}"));
            let wwn = self.own(&make.drive_wwn, &format!("drive-wwn:{number}:{bay}"));
            let DriveOrder { drive_type, capacity, self_encrypting, .. } = *order;
            array.drives.insert(self.identity, name, |head| Drive {
                head,
                enclosure,
                bay,
                drive_type,
                capacity,
                self_encrypting,
                state: DriveState::Available,
                raid_group: None,
                spare: false,
                locate: false,
                serial_number,
                wwn,
            });
        }
    }
}
