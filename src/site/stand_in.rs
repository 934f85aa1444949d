//! A small world and a wall clock held in the hand, for the tests of this room.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;

use super::{Hosted, Options, Site, TimeSource};
use crate::engine::{Actor, ClockMode, Ctx, Job};
use crate::model::{
    Array, ArrayFacts, Controller, Dialect, Drive, DriveState, DriveType, Enclosure, EnclosureKind, Events, Identity, Key, Limits, NameRule, Personality,
    RaidLevel, Settings, Table,
};
use crate::ops::{self, AnyOperation, World, job, raid_group, settings};
use crate::units::{Bytes, SimSpan, SimTime};

/// Wall time that a test moves.
#[derive(Debug, Default)]
pub(super) struct HeldTime(Mutex<Duration>);

impl HeldTime {
    pub(super) fn pass(&self, seconds: u64) {
        *self.0.lock() += Duration::from_secs(seconds);
    }
}

impl TimeSource for HeldTime {
    fn elapsed(&self) -> Duration {
        *self.0.lock()
    }
}

/// A site on held time with one array, `lab`.
pub(super) fn lab(world: World, journal_budget: Bytes) -> (Arc<HeldTime>, Arc<Site>, Arc<Hosted>) {
    let time = Arc::new(HeldTime::default());
    let site = Site::on(Arc::clone(&time) as Arc<dyn TimeSource>, Options { journal_budget });
    let hosted = site.create("lab", world).expect("a valid name");
    (time, site, hosted)
}

pub(super) fn somebody() -> Actor {
    Actor::new("api", "tester", "POST /v1/arrays/lab/raid-groups")
}

pub(super) fn group(name: &str) -> raid_group::Create {
    raid_group::Create {
        name: name.into(),
        level: RaidLevel::Raid10,
        drives: None,
        drive_count: Some(4),
        drive_type: None,
        drive_capacity: None,
        controller: Some("CM0".into()),
    }
}

pub(super) fn renamed(system: &str) -> settings::Update {
    settings::Update { system_name: Some(system.into()), ..settings::Update::default() }
}

/// A world of 24 drives whose clock is `mode`.
pub(super) fn world(mode: ClockMode) -> World {
    let mut world = World::new(array());
    world.clock.mode = mode;
    world
}

/// Queues an operation for a later time.
pub(super) fn queue(world: &mut World, operation: AnyOperation, after: SimSpan) -> Key<Job<AnyOperation>> {
    let ctx = Ctx { now: world.now(), actor: somebody() };
    ops::execute(&job::Submit { operation: Box::new(operation), after: Some(after) }, world, &ctx).expect("it can wait")
}

/// When the world believes that it is.
pub(super) fn now(hosted: &Hosted) -> SimTime {
    hosted.read(|world| world.now())
}

fn array() -> Array {
    let identity = Identity::new(7);
    let mut enclosures = Table::new();
    let enclosure = enclosures.insert(identity, "CE".into(), |head| Enclosure {
        head,
        kind: EnclosureKind::Controller,
        bays: 24,
        serial_number: "1".into(),
        locate: false,
    });
    let mut controllers = Table::new();
    for number in 0..2 {
        controllers.insert(identity, format!("CM{number}"), |head| Controller {
            head,
            enclosure,
            serial_number: number.to_string(),
            online: true,
            locate: false,
        });
    }
    Array {
        facts: facts(),
        identity,
        personality: personality(),
        calibration: None,
        profiles: BTreeMap::new(),
        settings: Settings::default(),
        enclosures,
        controllers,
        host_ports: Table::new(),
        drives: drives(identity, enclosure),
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
        events: Events::default(),
        generation: 0,
    }
}

fn drives(identity: Identity, enclosure: Key<Enclosure>) -> Table<Drive> {
    let mut drives = Table::new();
    for bay in 0..24 {
        drives.insert(identity, format!("CE-Disk#{bay}"), |head| Drive {
            head,
            enclosure,
            bay,
            drive_type: DriveType::SasSsd,
            capacity: Bytes::gib(960),
            self_encrypting: false,
            state: DriveState::Available,
            raid_group: None,
            spare: false,
            locate: false,
            serial_number: bay.to_string(),
            wwn: format!("{bay:016x}"),
        });
    }
    drives
}

fn facts() -> ArrayFacts {
    let text = |text: &str| text.to_owned();
    ArrayFacts {
        model: text("stand-in"),
        vendor: text("Nobody"),
        product: text("Stand-in"),
        serial_number: text("1"),
        wwn: text("500000e0d0000000"),
        firmware: text("1"),
        epoch: 1_767_225_600,
    }
}

fn personality() -> Personality {
    let name = NameRule { max: 32, forbidden: ",?".into(), reserved: Vec::new() };
    Personality {
        dialect: Dialect::Generic,
        size_unit: Bytes::mib(1),
        volume_size_min: Bytes::mib(1),
        volume_size_max: Bytes::gib(1024),
        container_size_min: None,
        container_size_max: Bytes::ZERO,
        volume_name: name.clone(),
        short_name: name,
        raid_levels: vec![RaidLevel::Raid10],
        pool_levels: vec![RaidLevel::Raid10],
        chunk_sizes: vec![Bytes::mib(21)],
        volumes_in_raid_groups: true,
        volumes_in_pools: true,
        reduction_switch: true,
        reduction_domain: None,
        reduction_promise_times: 10,
        lun_max: 255,
        bulk_max: 100,
        format_rate: Bytes::gib(1),
        copy_rate: Bytes::gib(1),
        idle_limit: SimSpan::days(365),
        limits: limits(),
    }
}

fn limits() -> Limits {
    Limits {
        raid_groups: 99,
        pools: 99,
        reduction_pools: 0,
        pool_capacity: Bytes::gib(1 << 20),
        containers: 0,
        snapshots_per_container: 0,
        volumes: 99,
        hosts: 99,
        host_groups: 99,
        hosts_per_group: 99,
        hosts_per_port: 99,
        port_groups: 99,
        lun_groups: 99,
        luns_per_group: 99,
        affinities: 99,
        mappings: 99,
        workloads: 99,
    }
}
