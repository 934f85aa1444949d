//! Test support: an AF250 built by hand, without the operations that would build it.

use std::collections::{BTreeMap, BTreeSet};

use super::fixture_reader::{calibration, workloads};
use super::report::{Report, Sample, measure};
use crate::model::{
    Allocation, Alua, Area, Array, ArrayFacts, Container, ContainerState, Controller, ControllerState, Dialect, Drive, DriveState, DriveType, Enclosure,
    EnclosureKind, Events, GroupStatus, Guarantee, Hardware, Home, Host, HostPort, Identity, Initiator, Key, Layout, Limits, Mapping, NameRule, Object, Offer,
    PartRules, Party, Personality, Pool, PortGroup, PortGroupProtocol, PortProtocol, Possession, Profile, RaidGroup, RaidLevel, RebuildPriority, RebuildRates,
    Reduction, ReductionDomain, Savings, Settings, Slice, Slot, Sparing, StandIn, Table, Thresholds, Told, Usage, UsedStatus, Volume, VolumeFormat, VolumeRole,
    WorkUnit, Workload, WorkloadState,
};
use crate::units::{Bytes, PartsPerMillion, Ratio, SimSpan, SimTime};

/// Deduplication and compression.
pub(super) const REDUCED: Reduction = Reduction { deduplication: true, compression: true };

thread_local! {
    /// Read from the fixtures once.
    static BARE: Array = bare();
    /// What all begin with, made once.
    static EMPTY: Rig = Rig::empty();
}

/// An array and the load on it.
#[derive(Clone)]
pub(super) struct Rig {
    pub(super) array: Array,
    pub(super) workloads: Table<Workload>,
}

impl Rig {
    /// Two controllers with two 16 Gbit/s Fibre Channel ports each, one host; nothing configured.
    pub(super) fn new() -> Self {
        EMPTY.with(Self::clone)
    }

    fn empty() -> Self {
        let mut rig = Self { array: BARE.with(Array::clone), workloads: Table::new() };
        let identity = rig.array.identity;
        let serial_number = String::new();
        let enclosure = rig.array.enclosures.insert(identity, "CE".into(), |head| Enclosure {
            head,
            kind: EnclosureKind::Controller,
            bays: 24,
            serial_number: serial_number.clone(),
            locate: false,
        });
        for number in 0..2 {
            let serial_number = serial_number.clone();
            let controller = rig.array.controllers.insert(identity, format!("CM{number}"), |head| Controller {
                head,
                enclosure,
                serial_number,
                state: ControllerState::Online,
                possession: Possession::Own,
                auto_giveback: true,
                locate: false,
            });
            for port in 0..2 {
                let modes = vec![(PortProtocol::Fc, Bytes::new(1_600_000_000))];
                let make = |head| HostPort::new(head, controller, modes, String::new(), None);
                rig.array.host_ports.insert(identity, format!("CM{number}-CA0-P{port}"), make);
            }
        }
        let initiator = Initiator::Wwn("10000090fa000001".into());
        rig.array.hosts.insert(identity, "H0".into(), |head| Host { head, initiator, alias: String::new(), tenant: None, host_response: None, chap: None });
        rig
    }

    /// Lets a controller fail; its partner, if there is one, has taken over.
    pub(super) fn lose(&mut self, number: u32) {
        let controller = self.array.controllers.get_mut(Key::from_raw(number)).expect("controller");
        (controller.state, controller.possession) = (ControllerState::Failed, Possession::Away);
    }

    /// The layout of the review: RG0 and RG1 of 12 drives in RAID1+0 on CM0 and CM1, a volume on each, mapped through all ports.
    pub(super) fn reference() -> Self {
        let mut rig = Self::new();
        for number in 0..2 {
            let group = rig.group(&format!("RG{number}"), RaidLevel::Raid10, 12, number);
            rig.volume(&format!("V{number}"), &[group]);
            rig.map(&format!("V{number}"), &[0, 1, 2, 3]);
        }
        rig
    }

    /// The same in pools P0 and P1, with reduced volumes D0 and D1.
    pub(super) fn reduced() -> Self {
        let mut rig = Self::new();
        for number in 0..2 {
            let group = rig.group(&format!("RG{number}"), RaidLevel::Raid10, 12, number);
            let pool = rig.pool(&format!("P{number}"), &[group]);
            rig.home(&format!("D{number}"), Home::Pool(pool), REDUCED);
            rig.map(&format!("D{number}"), &[0, 1, 2, 3]);
        }
        rig
    }

    pub(super) fn group(&mut self, name: &str, level: RaidLevel, count: u32, controller: u32) -> Key<RaidGroup> {
        let (identity, capacity) = (self.array.identity, Bytes::tib(1));
        let controller = self.array.controllers.iter().nth(controller as usize).expect("controller").key();
        let key = self.array.raid_groups.next_key();
        let drives = (0..count).map(|_| self.drive(key)).collect();
        self.array.raid_groups.insert(identity, name.into(), |head| RaidGroup {
            head,
            level,
            drives,
            drive_type: DriveType::SasSsd,
            self_encrypting: false,
            controller,
            capacity: capacity.scaled(u64::from(level.data_drives(count).max(1)), 1),
            pool: None,
            made_by_pool: false,
            free_areas: BTreeMap::new(),
            slots: BTreeMap::new(),
            expansion: None,
            owner_moves_to: None,
            copybackless: false,
            rebuild_priority: RebuildPriority::Low,
            reported: GroupStatus::Available,
        })
    }

    fn drive(&mut self, raid_group: Key<RaidGroup>) -> Key<Drive> {
        let enclosure = self.array.enclosures.iter().next().expect("enclosure").key();
        let (identity, bay) = (self.array.identity, self.array.drives.len() as u32);
        self.array.drives.insert(identity, format!("CE-Disk#{bay}"), |head| Drive {
            head,
            enclosure,
            bay,
            drive_type: DriveType::SasSsd,
            capacity: Bytes::new(1_920_000_000_000),
            self_encrypting: false,
            state: DriveState::Available,
            pulled: false,
            raid_group: Some(raid_group),
            spare: false,
            dedicated_to: None,
            stands_in: None,
            locate: false,
            serial_number: String::new(),
            wwn: String::new(),
        })
    }

    /// A drive fails; with a priority, a spare is being rebuilt in its place.
    pub(super) fn lose_member(&mut self, number: u32, rebuilt: Option<RebuildPriority>) {
        let member = Key::from_raw(number);
        let group = self.array.drives[member].raid_group.expect("a member");
        self.array.drives.get_mut(member).expect("drive").state = DriveState::Failed;
        let spare = self.drive(group);
        let drive = self.array.drives.get_mut(spare).expect("drive");
        (drive.raid_group, drive.spare) = (None, true);
        let group = self.array.raid_groups.get_mut(group).expect("group");
        group.rebuild_priority = rebuilt.unwrap_or_default();
        group.set_slot(number, Slot { current: false, stand_in: rebuilt.map(|_| StandIn { drive: spare, current: false }) });
    }

    pub(super) fn pool(&mut self, name: &str, groups: &[Key<RaidGroup>]) -> Key<Pool> {
        let (identity, key) = (self.array.identity, self.array.pools.next_key());
        let mut capacity = Bytes::ZERO;
        for group in groups {
            let group = self.array.raid_groups.get_mut(*group).expect("group");
            group.pool = Some(key);
            capacity += group.capacity;
        }
        self.array.pools.insert(identity, name.into(), |head| Pool {
            head,
            raid_groups: groups.to_vec(),
            level: RaidLevel::Raid10,
            drive_type: DriveType::SasSsd,
            chunk_size: Bytes::mib(21),
            capacity,
            thresholds: Thresholds { attention_percent: None, warning_percent: 90 },
            over_provisioning_percent: None,
            reduction: REDUCED,
            encryption: false,
            allocated: Bytes::ZERO,
            savings: Savings::default(),
            provisioned: Bytes::ZERO,
            provisioned_reduced: Bytes::ZERO,
            reported: UsedStatus::Normal,
            layers: Vec::new(),
            balancing: false,
        })
    }

    pub(super) fn container(&mut self, name: &str, pool: Key<Pool>, reduction: Reduction) -> Key<Container> {
        let identity = self.array.identity;
        self.array.containers.insert(identity, name.into(), |head| Container {
            head,
            pool,
            size: Bytes::tib(1),
            guarantee: Guarantee::Thin,
            reduction,
            savings: Savings::default(),
            reserved: Bytes::ZERO,
            volumes: BTreeSet::new(),
            clone: None,
            created: SimTime::START,
            tenant: None,
            qos_policy: None,
            state: ContainerState::Online,
            migration: None,
            reported: UsedStatus::Normal,
        })
    }

    /// A volume in equal slices of these groups.
    pub(super) fn volume(&mut self, name: &str, groups: &[Key<RaidGroup>]) -> Key<Volume> {
        let area = Area { start: Bytes::ZERO, length: Bytes::gib(100) };
        let slices = groups.iter().map(|raid_group| Slice { raid_group: *raid_group, area }).collect();
        self.home(name, Home::RaidGroups(slices), Reduction::NONE)
    }

    pub(super) fn home(&mut self, name: &str, home: Home, reduction: Reduction) -> Key<Volume> {
        let identity = self.array.identity;
        self.array.volumes.insert(identity, name.into(), |head| Volume {
            head,
            home,
            size: Bytes::gib(100),
            usage: Usage::Block,
            allocation: Allocation::Thin,
            encryption: false,
            reduction,
            reducibility: Ratio::ONE,
            attention_percent: None,
            layout: Layout::default(),
            generation: 0,
            frozen: false,
            lineage: 0,
            uid: String::new(),
            serial_number: String::new(),
            copy_protection: false,
            role: VolumeRole::Data,
            migration: None,
            created: SimTime::START,
            tenant: None,
            qos_policy: None,
            qos_priority: None,
            alua: Alua::FollowHostResponse,
            custom_uid: false,
            format: VolumeFormat::Open,
            online: true,
            relocation: None,
            formatting: false,
        })
    }

    /// Maps a volume to the host through the ports of these numbers.
    pub(super) fn map(&mut self, volume: &str, ports: &[u32]) {
        let volume = self.array.volumes.named(volume, None).expect("volume").key();
        self.map_key(volume, ports);
    }

    pub(super) fn map_key(&mut self, volume: Key<Volume>, ports: &[u32]) {
        let identity = self.array.identity;
        let lun = self.array.mappings.len() as u32;
        let ports = ports.iter().map(|number| self.array.host_ports.iter().nth(*number as usize).expect("port").key()).collect();
        let port_group = self.array.port_groups.insert(identity, format!("PG{lun}"), |head| PortGroup {
            head,
            protocol: PortGroupProtocol::Fc,
            ports,
            interfaces: Vec::new(),
            tenant: None,
        });
        let party = Party::Host(self.array.hosts.iter().next().expect("host").key());
        self.array.mappings.insert(identity, format!("M{lun}"), |head| Mapping { head, volume, party, port_group: Some(port_group), lun });
    }

    /// Starts a workload of a named profile; without a population, the one that the calibration or the profile implies.
    pub(super) fn run(&mut self, name: &str, profile: &str, population: Option<u64>, volumes: &[&str]) -> Key<Workload> {
        let profile = self.array.profiles[profile].clone();
        let implied = self.array.calibration.as_ref().and_then(|calibration| calibration.workloads[&profile.name].population);
        let population = population.or(implied).unwrap_or(profile.population);
        self.start(name, profile, population, volumes)
    }

    pub(super) fn start(&mut self, name: &str, profile: Profile, population: u64, volumes: &[&str]) -> Key<Workload> {
        let volumes = volumes.iter().map(|volume| self.array.volumes.named(volume, None).expect("volume").key()).collect();
        self.start_on(name, profile, population, volumes)
    }

    pub(super) fn start_on(&mut self, name: &str, profile: Profile, population: u64, mut volumes: Vec<Key<Volume>>) -> Key<Workload> {
        volumes.sort_by_key(|key| self.array.volumes[*key].number());
        let (identity, state, created) = (self.array.identity, WorkloadState::Running, SimTime::START);
        let cache_hits_ppm = PartsPerMillion::default();
        let (timetable, level, writing) = (None, PartsPerMillion::ONE, None);
        self.workloads.insert(identity, name.into(), |head| Workload {
            head,
            profile,
            volumes,
            population,
            rate_limit: None,
            cache_hits_ppm,
            state,
            created,
            timetable,
            level,
            writing,
        })
    }

    pub(super) fn measure(&self) -> Report {
        measure(&self.array, &self.workloads)
    }

    /// The sample of the only workload.
    pub(super) fn workload(&self) -> Sample {
        let mut samples = self.measure().workloads;
        assert_eq!(samples.len(), 1);
        samples.remove(0)
    }
}

/// A profile of single I/Os whose cost comes from the corners.
pub(super) fn custom(block_size: u64, read_ppm: u64, sequential_ppm: u64) -> Profile {
    Profile {
        name: "custom".into(),
        unit: WorkUnit::Io,
        ios_per_unit: 1,
        block_size: Bytes::new(block_size),
        read_ppm: PartsPerMillion(read_ppm),
        sequential_ppm: PartsPerMillion(sequential_ppm),
        think: SimSpan::ZERO,
        population: 32,
    }
}

fn bare() -> Array {
    let text = String::new;
    let facts = ArrayFacts {
        model: "eternus-af250".into(),
        vendor: "Fujitsu".into(),
        product: "ETERNUS AF250".into(),
        serial_number: text(),
        wwn: text(),
        firmware: text(),
        epoch: 0,
    };
    Array {
        facts,
        identity: Identity::new(7),
        personality: personality(),
        calibration: Some(calibration().model()),
        profiles: workloads().iter().map(|workload| (workload.name.clone(), workload.profile())).collect(),
        settings: Settings { data_reduction: true, ..Settings::default() },
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

/// Rules that nothing here looks at.
fn personality() -> Personality {
    let any_name = || NameRule { max: 255, forbidden: String::new(), reserved: Vec::new() };
    let limits = Limits {
        raid_groups: 0,
        pools: 0,
        reduction_pools: 0,
        pool_capacity: Bytes::ZERO,
        containers: 0,
        snapshots_per_container: 0,
        volumes: 0,
        hosts: 0,
        host_groups: 0,
        hosts_per_group: 0,
        hosts_per_port: 0,
        port_groups: 0,
        lun_groups: 0,
        luns_per_group: 0,
        affinities: 0,
        mappings: 0,
        workloads: 0,
        tenants: 0,
        interfaces: 0,
        qos_policies: 0,
        host_responses: 0,
        records: 0,
    };
    Personality {
        dialect: Dialect::Eternus,
        size_unit: Bytes::mib(1),
        volume_size_min: Bytes::mib(24),
        volume_size_max: Bytes::tib(128),
        container_size_min: None,
        container_size_max: Bytes::ZERO,
        volume_name: any_name(),
        short_name: any_name(),
        raid_levels: RaidLevel::ALL.to_vec(),
        pool_levels: RaidLevel::ALL.to_vec(),
        chunk_sizes: vec![Bytes::mib(21)],
        volumes_in_raid_groups: true,
        volumes_in_pools: true,
        reduction_switch: true,
        reduction_domain: Some(ReductionDomain::Pool),
        reduction_promise_times: 10,
        lun_max: 511,
        bulk_max: 100,
        format_rate: Bytes::gib(1),
        copy_rate: Bytes::gib(1),
        copy: None,
        idle_limit: SimSpan::days(365),
        parts: PartRules::default(),
        sparing: Sparing {
            rebuild_rates: RebuildRates { low: Bytes::new(100_000_000), middle: Bytes::new(200_000_000), high: Bytes::new(400_000_000) },
            expansion_rate: Bytes::new(200_000_000),
            ..Sparing::default()
        },
        limits,
        offer: Offer::default(),
        accounts: crate::model::Accounts::default(),
    }
}
