//! A small array for the tests of operations: two controllers, four converged host ports, 24 drives, the rules of an ETERNUS.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Actor, AnyOperation, Ctx, Reference, World};
use crate::engine::problems;
use crate::model::{
    Array, ArrayFacts, Controller, ControllerState, Dialect, Drive, DriveState, DriveType, Enclosure, EnclosureKind, Events, Hardware, HostPort, Identity, Key,
    Limits, NameRule, Offer, OpError, PartRules, Personality, PortProtocol, Possession, RaidLevel, ReductionDomain, Settings, Sparing, Table, Told, UsedStatus,
};
use crate::units::{Bytes, SimSpan};

/// The array, with nothing configured.
pub(crate) fn world() -> World {
    World::new(array())
}

/// The circumstances of every operation in tests.
pub(crate) fn ctx(world: &World) -> Ctx {
    Ctx { now: world.now(), actor: Actor::new("test", "tester", "a test") }
}

/// Reads an operation as lists carry it: `{"host.create": {...}}`.
pub(crate) fn operation(json: &Value) -> AnyOperation {
    serde_json::from_value(json.clone()).unwrap_or_else(|error| panic!("{json} is no operation: {error}"))
}

/// Tries an operation. A refusal must change nothing, and whatever comes of it, the world must agree with itself.
pub(crate) fn attempt(world: &mut World, json: &Value) -> Result<Vec<Reference>, OpError> {
    let (operation, ctx) = (operation(json), ctx(world));
    let before = serde_json::to_string(&*world).expect("a world is data");
    let outcome = operation.run(world, &ctx);
    if outcome.is_err() {
        assert!(serde_json::to_string(&*world).expect("a world is data") == before, "refused, yet changed: {json}");
    }
    assert_eq!(problems(world), Vec::<String>::new(), "after {json}");
    outcome
}

/// Does operations that must succeed.
pub(crate) fn run<'a>(world: &mut World, operations: impl IntoIterator<Item = &'a Value>) {
    for json in operations {
        attempt(world, json).unwrap_or_else(|refusal| panic!("{json} was refused: {refusal}"));
    }
}

fn bare() -> Array {
    Array {
        facts: ArrayFacts {
            model: "test-array".into(),
            vendor: "FUJITSU".into(),
            product: "ETERNUS AF250".into(),
            serial_number: "4601620378".into(),
            wwn: "500000e0da0a7d00".into(),
            firmware: "V10L90".into(),
            epoch: 1_767_225_600,
        },
        identity: Identity::new(7),
        personality: personality(),
        calibration: None,
        profiles: BTreeMap::new(),
        settings: Settings::default(),
        enclosures: Table::new(),
        controllers: Table::new(),
        host_ports: Table::new(),
        drives: Table::new(),
        parts: Table::new(),
        hardware: Hardware::default(),
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
        password_policy: crate::model::PasswordPolicy::default(),
        events: Events::default(),
        generation: 0,
    }
}

fn array() -> Array {
    let mut array = bare();
    let enclosure = array.enclosures.insert(array.identity, "CE".into(), |head| Enclosure {
        head,
        kind: EnclosureKind::Controller,
        bays: 24,
        serial_number: "PP00000001".into(),
        locate: false,
    });
    for number in 0..2 {
        let controller = array.controllers.insert(array.identity, format!("CM{number}"), |head| Controller {
            head,
            enclosure,
            serial_number: format!("PP0000001{number}"),
            state: ControllerState::Online,
            possession: Possession::Own,
            auto_giveback: true,
            locate: false,
        });
        for port in 0..2 {
            add_port(&mut array, controller, &format!("CM{number}-CA0-P{port}"));
        }
    }
    for bay in 0..24 {
        add_drive(&mut array, enclosure, bay);
    }
    array
}

fn add_port(array: &mut Array, controller: Key<Controller>, name: &str) {
    let rate = Bytes::new(1_600_000_000);
    let wwn = format!("{:016x}", array.identity.bits(name));
    let modes = [PortProtocol::Fc, PortProtocol::Fcoe, PortProtocol::Iscsi, PortProtocol::Ethernet].map(|mode| (mode, rate)).to_vec();
    let iscsi_name = Some(format!("iqn.2000-09.com.fujitsu:storage-system.{}", name.to_lowercase()));
    array.host_ports.insert(array.identity, name.into(), |head| HostPort::new(head, controller, modes, wwn, iscsi_name));
}

fn add_drive(array: &mut Array, enclosure: Key<Enclosure>, bay: u32) {
    array.drives.insert(array.identity, format!("CE-Disk#{bay}"), |head| Drive {
        head,
        enclosure,
        bay,
        drive_type: DriveType::SasSsd,
        capacity: Bytes::new(1_920_000_000_000),
        self_encrypting: false,
        state: DriveState::Available,
        pulled: false,
        raid_group: None,
        spare: false,
        dedicated_to: None,
        stands_in: None,
        locate: false,
        serial_number: format!("D{bay:07}"),
        wwn: format!("5000039{bay:09x}"),
    });
}

fn personality() -> Personality {
    let levels = [RaidLevel::Raid0, RaidLevel::Raid1, RaidLevel::Raid10, RaidLevel::Raid5, RaidLevel::Raid50, RaidLevel::Raid6];
    Personality {
        dialect: Dialect::Eternus,
        size_unit: Bytes::mib(1),
        volume_size_min: Bytes::mib(24),
        volume_size_max: Bytes::tib(128),
        container_size_min: Some(Bytes::mib(20)),
        container_size_max: Bytes::tib(100),
        volume_name: NameRule { max: 32, forbidden: ",?".into(), reserved: vec!["$DATA_CNTNR".into(), "$SYSVOL".into(), "$VVOL_META".into()] },
        short_name: NameRule { max: 16, forbidden: ",?".into(), reserved: Vec::new() },
        raid_levels: levels.to_vec(),
        pool_levels: levels.to_vec(),
        chunk_sizes: vec![Bytes::mib(21), Bytes::mib(42)],
        volumes_in_raid_groups: true,
        volumes_in_pools: true,
        reduction_switch: true,
        reduction_domain: Some(ReductionDomain::Pool),
        reduction_promise_times: 10,
        lun_max: 255,
        bulk_max: 128,
        format_rate: Bytes::new(400_000_000),
        copy_rate: Bytes::new(400_000_000),
        copy: None,
        idle_limit: SimSpan::days(365),
        parts: PartRules::default(),
        sparing: Sparing::default(),
        limits: limits(),
        offer: Offer { lun_max_flat: Some(1023), ..Offer::default() },
        accounts: crate::model::Accounts::default(),
    }
}

fn limits() -> Limits {
    Limits {
        raid_groups: 12,
        pools: 12,
        reduction_pools: 4,
        pool_capacity: Bytes::tib(500),
        containers: 64,
        snapshots_per_container: 1023,
        volumes: 4096,
        hosts: 1024,
        host_groups: 512,
        hosts_per_group: 8,
        hosts_per_port: 256,
        port_groups: 64,
        lun_groups: 256,
        luns_per_group: 256,
        affinities: 4096,
        mappings: 4096,
        workloads: 64,
        tenants: 4,
        interfaces: 16,
        qos_policies: 16,
        host_responses: 4,
        records: 8,
    }
}
