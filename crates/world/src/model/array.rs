//! The array: everything that it has.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{
    Affinity, Calibration, Condition, Container, Controller, CopySession, Drive, Enclosure, Events, Hardware, Host, HostGroup, HostPort, HostResponse,
    Identity, Interface, Key, LunGroup, Mapping, OpError, Part, PasswordPolicy, Personality, Place, Policy, PolicySet, Pool, PortGroup, Profile, QosPolicy,
    RaidGroup, Record, Role, Settings, Snapshot, Table, TargetService, Tenant, UsedStatus, User, Volume,
};

/// A storage array: plain data. [`crate::engine::World`] adds what moves.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Array {
    /// What it is.
    pub facts: ArrayFacts,
    /// Where its identifiers come from.
    pub identity: Identity,
    /// The rules by which it decides.
    pub personality: Personality,
    /// What was measured of its model; `None` while nobody has calibrated it.
    pub calibration: Option<Calibration>,
    /// The workload profiles that it knows by name.
    pub profiles: BTreeMap<String, Profile>,
    /// Settings.
    pub settings: Settings,
    /// Enclosures.
    pub enclosures: Table<Enclosure>,
    /// Controllers.
    pub controllers: Table<Controller>,
    /// Host ports.
    pub host_ports: Table<HostPort>,
    /// Drives.
    pub drives: Table<Drive>,
    /// Parts that are watched and replaced.
    #[serde(default)]
    pub parts: Table<Part>,
    /// What it can be extended by.
    #[serde(default)]
    pub hardware: Hardware,
    /// What events have told of the state of the whole array.
    #[serde(default)]
    pub told: Told,
    /// RAID groups.
    pub raid_groups: Table<RaidGroup>,
    /// Pools.
    pub pools: Table<Pool>,
    /// Containers.
    pub containers: Table<Container>,
    /// Snapshots of containers.
    pub snapshots: Table<Snapshot>,
    /// Volumes.
    pub volumes: Table<Volume>,
    /// Copy sessions between volumes.
    #[serde(default)]
    pub copy_sessions: Table<CopySession>,
    /// The status of the snap data pool that was last told in an event.
    #[serde(default)]
    pub snap_pool_reported: UsedStatus,
    /// Hosts.
    pub hosts: Table<Host>,
    /// Host groups.
    pub host_groups: Table<HostGroup>,
    /// Port groups.
    pub port_groups: Table<PortGroup>,
    /// LUN groups.
    pub lun_groups: Table<LunGroup>,
    /// Host affinities.
    pub affinities: Table<Affinity>,
    /// Single mappings.
    pub mappings: Table<Mapping>,
    /// Tenants.
    #[serde(default)]
    pub tenants: Table<Tenant>,
    /// Interfaces.
    #[serde(default)]
    pub interfaces: Table<Interface>,
    /// QoS policies.
    #[serde(default)]
    pub qos_policies: Table<QosPolicy>,
    /// Host responses.
    #[serde(default)]
    pub host_responses: Table<HostResponse>,
    /// Roles.
    #[serde(default)]
    pub roles: Table<Role>,
    /// Users.
    #[serde(default)]
    pub users: Table<User>,
    /// What is demanded of their passwords.
    #[serde(default)]
    pub password_policy: PasswordPolicy,
    /// Records.
    #[serde(default)]
    pub records: Table<Record>,
    /// Target services of tenants.
    #[serde(default)]
    pub services: Table<TargetService>,
    /// What happened.
    pub events: Events,
    /// The last generation of data that was begun.
    pub generation: u64,
}

/// What an array is: fixed when it is made, but for the firmware.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArrayFacts {
    /// The model's name in the catalogue.
    pub model: String,
    /// Who makes it.
    pub vendor: String,
    /// What they call it.
    pub product: String,
    /// Serial number.
    pub serial_number: String,
    /// World-wide name, 16 hexadecimal digits.
    pub wwn: String,
    /// Firmware version.
    pub firmware: String,
    /// Virtual time 0, in seconds since 1970.
    pub epoch: i64,
}

/// What events have last told of the state of the whole array.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Told {
    /// Its status.
    pub status: Condition,
    /// Whether it is not ready.
    pub not_ready: bool,
    /// Whether writes go to drives before they are answered.
    pub write_through: bool,
    /// The enclosures whose drives cannot be reached.
    pub enclosures_down: BTreeSet<Key<Enclosure>>,
}

/// What the standing of an array follows from, as counts that stay while nothing of it changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grounds {
    counts: [u64; 6],
    mode: super::OperationMode,
}

impl Grounds {
    /// Those of an array as it is.
    pub fn of(array: &Array) -> Grounds {
        let counts = [
            array.controllers.stirred(),
            array.enclosures.stirred(),
            array.parts.stirred(),
            array.host_ports.stirred(),
            array.drives.stirred(),
            array.raid_groups.stirred(),
        ];
        Grounds { counts, mode: array.settings.operation_mode }
    }
}

impl Told {
    /// What is to be told of the array as it stands.
    pub fn of(array: &Array) -> Told {
        Told {
            status: super::array_status::of(array).0,
            not_ready: !array.is_ready(),
            write_through: array.is_write_through(),
            enclosures_down: array.enclosures_down(),
        }
    }
}

impl Array {
    /// Finds a volume by id, number or name; inside a container also by `container/name`.
    pub fn find_volume(&self, reference: &str, place: Place) -> Result<&Volume, OpError> {
        self.volumes
            .find(reference, place)
            .or_else(|refusal| self.in_container(reference).and_then(|(scope, name)| self.volumes.named(name, Some(scope))).ok_or(refusal))
    }
    /// Finds a snapshot by id, number or name, or by `container/name`.
    pub fn find_snapshot(&self, reference: &str, place: Place) -> Result<&Snapshot, OpError> {
        self.snapshots
            .find(reference, place)
            .or_else(|refusal| self.in_container(reference).and_then(|(scope, name)| self.snapshots.named(name, Some(scope))).ok_or(refusal))
    }
    fn in_container<'a>(&self, reference: &'a str) -> Option<(u32, &'a str)> {
        let (container, name) = reference.split_once('/')?;
        let container = self.containers.find(container, Place::Target).ok()?;
        Some((super::Object::key(container).raw(), name))
    }
    /// The snapshots of a container, oldest first.
    pub fn snapshots_of(&self, container: super::Key<Container>) -> impl Iterator<Item = &Snapshot> {
        self.snapshots.owned_by(container.raw())
    }
    /// The mappings of a volume, oldest first.
    pub fn mappings_of(&self, volume: super::Key<Volume>) -> impl Iterator<Item = &Mapping> {
        self.mappings.owned_by(volume.raw())
    }
    /// The volumes that live in a container, in order of number.
    pub fn volumes_in(&self, container: super::Key<Container>) -> impl Iterator<Item = &Volume> {
        let mut found: Vec<&Volume> =
            self.containers.get(container).map(|held| held.volumes.iter().filter_map(|key| self.volumes.get(*key)).collect()).unwrap_or_default();
        found.sort_by_key(|volume| super::Object::number(*volume));
        found.into_iter()
    }
    /// The policies of a user's role.
    pub fn policies_of(&self, user: &User) -> PolicySet {
        self.roles.get(user.role).map_or(PolicySet::EMPTY, |role| role.policies)
    }
    /// Users that can log in and manage users, in order of number.
    pub fn administrators(&self) -> impl Iterator<Item = &User> {
        self.users.iter().filter(|user| user.enabled && self.policies_of(user).has(Policy::UserManagement))
    }
}
