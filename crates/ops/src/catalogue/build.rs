//! A new array of a model.

use std::collections::BTreeMap;

use super::{CatalogueError, DriveOrder, DriveRequest, Model, profiles};
use crate::model::{
    Array, ArrayFacts, Controller, ControllerState, DriveModel, Enclosure, EnclosureKind, EnclosureModel, Events, HostPort, HostResponse, Identity,
    InitialUser, Key, Notes, Object, PartKind, PartPlace, Password, Pattern, PatternFilling, PortProtocol, Possession, Profile, QosPolicy, QosPreset, QosRule,
    Role, RoleRule, Settings, Table, Told, UsedStatus, User,
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
        let mut array = builder.bare_array(options.epoch, self.calibration()?);
        builder.add_enclosures(&mut array, orders.iter().map(|order| order.count).fold(0, u32::saturating_add));
        builder.add_controllers(&mut array);
        builder.add_host_ports(&mut array);
        builder.add_drives(&mut array, &orders);
        builder.add_host_responses(&mut array);
        builder.add_accounts(&mut array);
        super::built_in::add(&mut array, &self.records, &self.interfaces);
        builder.add_qos_policies(&mut array);
        Ok(array)
    }
}

struct Builder<'a> {
    model: &'a Model,
    identity: Identity,
}

impl Builder<'_> {
    const fn filling<'a>(&self, what: &'a str) -> PatternFilling<'a> {
        PatternFilling::of(self.identity, what)
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
            settings: Settings::new(&model.personality, &model.product),
            enclosures: Table::new(),
            controllers: Table::new(),
            host_ports: Table::new(),
            drives: Table::new(),
            parts: Table::new(),
            hardware: model.hardware(),
            told: Told::default(),
            raid_groups: Table::new(),
            pools: Table::new(),
            containers: Table::new(),
            snapshots: Table::new(),
            volumes: Table::new(),
            copy_sessions: Table::new(),
            snap_pool_reported: UsedStatus::Normal,
            hosts: Table::new(),
            host_groups: Table::new(),
            port_groups: Table::new(),
            lun_groups: Table::new(),
            affinities: Table::new(),
            mappings: Table::new(),
            tenants: Table::new(),
            interfaces: Table::new(),
            qos_policies: Table::new(),
            records: Table::new(),
            services: Table::new(),
            host_responses: Table::new(),
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
            let kind: Option<EnclosureModel> = array.hardware.enclosure(spec.kind).cloned();
            for model in kind.iter().cycle().take(usize::try_from(count).unwrap_or(0)) {
                array.add_enclosure(model);
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

    /// The QoS policies that a new array has.
    fn add_qos_policies(&self, array: &mut Array) {
        for QosPreset { name, limits } in &self.model.personality.offer.qos.presets {
            let rule = QosRule::Adaptive(*limits);
            let key = array.qos_policies.insert(self.identity, name.clone(), |head| QosPolicy { head, tenant: None, shared: false, rule });
            array.qos_policies.annotate(key, &Notes::from([("policy_class".to_owned(), "preset".into())]));
        }
    }

    fn add_controllers(&self, array: &mut Array) {
        let Some(enclosure) = array.enclosures.iter().find(|enclosure| enclosure.kind == EnclosureKind::Controller).map(Object::key) else { return };
        for (index, name) in self.model.controllers.value.iter().enumerate() {
            let serial_number = self.own(&self.model.identifiers.controller_serial, &format!("controller-serial:{index}"));
            let auto_giveback = self.model.personality.parts.giveback_automatic;
            let (state, possession) = (ControllerState::Online, Possession::Own);
            let controller = |head| Controller { head, enclosure, serial_number, state, possession, auto_giveback, locate: false };
            let key = array.controllers.insert(self.identity, name.clone(), controller);
            array.add_parts(PartKind::Battery, PartPlace::Controller(key));
        }
    }

    fn add_host_ports(&self, array: &mut Array) {
        let controllers: Vec<(Key<Controller>, String)> = array.controllers.iter().map(|controller| (controller.key(), controller.name().to_owned())).collect();
        for (controller, owner) in controllers {
            let patterns = self.model.host_ports.iter().flat_map(|spec| spec.names.value.iter().map(move |pattern| (spec, pattern)));
            for (place, (spec, pattern)) in (0x20 + 0x10 * controller.raw()..).zip(patterns) {
                let filling = |what| PatternFilling { controller: &owner, place, ..self.filling(what) };
                let wwn = self.model.identifiers.port_wwn.fill(&filling("wwn"));
                let speaks_iscsi = spec.modes.iter().any(|mode| mode.protocol == PortProtocol::Iscsi);
                let iscsi_name = speaks_iscsi.then(|| self.model.identifiers.iscsi_name.fill(&filling("iscsi")));
                let mac_address = with_colons(&self.model.identifiers.port_mac.fill(&filling("mac")));
                let modes = spec.modes.iter().map(|mode| (mode.protocol, mode.rate)).collect();
                let port = |head| HostPort { mac_address, ..HostPort::new(head, controller, modes, wwn, iscsi_name) };
                let key = array.host_ports.insert(self.identity, pattern.fill(&filling("")), port);
                if spec.transceiver.as_ref().is_none_or(|transceiver| transceiver.value) {
                    array.add_parts(PartKind::Transceiver, PartPlace::HostPort(key));
                }
            }
        }
    }

    fn add_host_responses(&self, array: &mut Array) {
        for offer in &self.model.personality.offer.host_responses {
            let make = |head| HostResponse { head, built_in: true, manners: offer.manners };
            array.host_responses.insert_numbered(self.identity, offer.number, offer.name.clone(), make);
        }
    }

    fn add_drives(&self, array: &mut Array, orders: &[DriveOrder]) {
        let enclosures: Vec<(Key<Enclosure>, u32)> = array.enclosures.iter().map(|enclosure| (enclosure.key(), enclosure.bays)).collect();
        let bays = enclosures.into_iter().flat_map(|(enclosure, bays)| (0..bays).map(move |bay| (enclosure, bay)));
        let wanted = orders.iter().flat_map(|order| (0..order.count).map(move |_| order));
        for ((enclosure, bay), order) in bays.zip(wanted) {
            let DriveOrder { drive_type, capacity, self_encrypting, .. } = *order;
            array.add_drive(enclosure, bay, DriveModel { drive_type, capacity, self_encrypting }, "");
        }
    }
}

/// Twelve hexadecimal digits as a MAC address.
fn with_colons(digits: &str) -> String {
    let pairs: Vec<&str> = (0..digits.len() / 2).filter_map(|pair| digits.get(2 * pair..2 * pair + 2)).collect();
    pairs.join(":")
}
