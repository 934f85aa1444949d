//! What an array offers besides space: protocols, interfaces, QoS, host responses, licences, settings. Data, set by the catalogue.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{AdaptiveLimits, EncryptionMode, Manners, Protocol, Service};
use crate::units::{Bytes, SimSpan};

/// What an array offers besides space. The default is what arrays offered before there were such rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Offer {
    /// What hosts may speak.
    pub host_protocols: Vec<Protocol>,
    /// The highest logical unit number of hosts whose response has flat space addressing, if that is higher than the ordinary one.
    pub lun_max_flat: Option<u32>,
    /// The host responses that the array comes with.
    pub host_responses: Vec<HostResponseOffer>,
    /// What interfaces can be for.
    pub services: Vec<Service>,
    /// Whether interfaces for block I/O move only while they are disabled.
    pub data_interfaces_stay: bool,
    /// Whether containers and volumes must belong to a tenant.
    pub tenant_required: bool,
    /// Whether a tenant to which no pool is assigned may use all.
    pub tenants_without_pools_use_all: bool,
    /// Limits on the use of volumes.
    pub qos: QosOffer,
    /// The licences that there are, by name.
    pub licences: BTreeMap<String, LicenceOffer>,
    /// The ports for administration.
    pub management_ports: Vec<ManagementPortOffer>,
    /// The services of the management network, by name: whether the firewall lets them through in a new array.
    pub network_services: BTreeMap<String, bool>,
    /// The choices for the most capacity of all pools, each with the chunk size that follows, smallest first; the first is a new
    /// array's. None: pools cannot be switched off.
    pub pool_capacities: Vec<PoolCapacityOffer>,
    /// How data can be encrypted, the one of a new array first. None: it cannot.
    pub encryption_modes: Vec<EncryptionMode>,
    /// Whether the data of a pool can be spread over RAID groups that joined later.
    pub pool_balancing: bool,
    /// The most drives of a pool's RAID group where pools grow drive by drive: their RAID groups are filled up first. None: pools grow by
    /// RAID groups that are like theirs.
    pub pool_group_most: Option<u32>,
    /// Whether every drive belongs to a controller, which takes its own first.
    pub drives_have_homes: bool,
    /// How long it takes to apply firmware to one controller after the other.
    pub firmware_span: SimSpan,
    /// Whether names of containers, host groups, port groups and interfaces are unique in their tenant only.
    pub names_per_tenant: bool,
    /// Whether hosts belong to whoever groups them: a host without a tenant joins groups of any tenant, groups are nested, take Fibre Channel
    /// and iSCSI together, and have host responses of their own.
    pub hosts_join_many_groups: bool,
    /// Whether an NVMe host group is a subsystem: volumes have numbers of their own in it, from 1, and are mapped to one only.
    pub nvme_subsystems: bool,
    /// The host responses that NVMe host groups can have, by name. None: all.
    pub nvme_host_responses: Vec<String>,
    /// Whether port groups can be made of interfaces, and be bound to host groups.
    pub portsets: bool,
    /// Whether each tenant is a target of its own: its volumes are reached by its target services, through its interfaces.
    pub tenants_serve: bool,
    /// Whether the array finds a place for an interface when none is named.
    pub interface_placement: bool,
}

/// A host response that the array comes with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HostResponseOffer {
    /// Its number.
    pub number: u32,
    /// Its name.
    pub name: String,
    /// How the array answers.
    #[serde(default)]
    pub manners: Manners,
}

/// Limits on the use of volumes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct QosOffer {
    /// Whether limits can be given as numbers.
    pub fixed: bool,
    /// Whether reads and writes can have limits of their own.
    pub split: bool,
    /// Whether a policy can promise what is there at least.
    pub least: bool,
    /// Whether limits can grow with the size.
    pub adaptive: bool,
    /// Whether those that use a policy can share its limits.
    pub shared: bool,
    /// Levels that the array comes with, by number.
    pub levels: Vec<QosLevel>,
    /// The most I/O operations a second.
    pub iops_max: u64,
    /// Bytes a second are counted in this.
    pub bytes_unit: Bytes,
    /// The most bytes a second.
    pub bytes_max: Bytes,
    /// Whether the array can share out its speed by priorities.
    pub automatic: bool,
    /// How it does so.
    pub automatic_rule: AutomaticQos,
    /// Policies that a new array has, with limits that grow.
    pub presets: Vec<QosPreset>,
}

/// A policy that a new array has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QosPreset {
    /// Its name.
    pub name: String,
    /// Its limits.
    pub limits: AdaptiveLimits,
}

/// How far automatic QoS holds back whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AutomaticQos {
    /// What is left to volumes of low priority at least, in percent of what they would do unlimited.
    pub low_percent: u32,
    /// The same for those of middle priority.
    pub middle_percent: u32,
    /// By how many percent latencies of volumes of more priority may be above the best that limits can give them.
    pub slack_percent: u32,
}

impl Default for AutomaticQos {
    fn default() -> AutomaticQos {
        AutomaticQos { low_percent: 10, middle_percent: 50, slack_percent: 10 }
    }
}

/// A level of QoS that the array comes with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QosLevel {
    /// Its number.
    pub number: u32,
    /// I/O operations a second.
    pub iops: u64,
    /// Bytes a second.
    pub bytes_per_second: Bytes,
}

/// A licence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LicenceOffer {
    /// What cannot be done without it.
    pub features: Vec<Feature>,
    /// Whether a new array has it.
    pub new: bool,
}

/// What a licence can be needed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Feature {
    /// Hosts that speak Fibre Channel.
    Fc,
    /// Hosts that speak iSCSI.
    Iscsi,
    /// Hosts that speak NVMe.
    Nvme,
    /// Data reduction.
    DataReduction,
    /// Copies of volumes by the array.
    Copies,
    /// Copies between arrays.
    RemoteCopies,
    /// Clones that share blocks.
    Clones,
    /// Taking a container back to a snapshot.
    Restore,
    /// Two arrays that stand in for each other.
    Cluster,
}

/// A port for administration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManagementPortOffer {
    /// Its name.
    pub name: String,
    /// Its address in a new array.
    #[serde(default)]
    pub address: Option<String>,
    /// The length of its network's prefix.
    #[serde(default)]
    pub prefix_length: u8,
}

/// A choice for the most capacity of all pools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PoolCapacityOffer {
    /// The most capacity.
    pub capacity: Bytes,
    /// The chunk size that follows.
    pub chunk_size: Bytes,
}

impl Default for Offer {
    fn default() -> Offer {
        Offer {
            host_protocols: vec![Protocol::Fc, Protocol::Iscsi, Protocol::Nvme],
            lun_max_flat: None,
            host_responses: Vec::new(),
            services: Vec::new(),
            data_interfaces_stay: false,
            tenant_required: false,
            tenants_without_pools_use_all: false,
            qos: QosOffer::default(),
            licences: BTreeMap::new(),
            management_ports: Vec::new(),
            network_services: BTreeMap::new(),
            pool_capacities: Vec::new(),
            encryption_modes: vec![EncryptionMode::Controller],
            pool_balancing: false,
            pool_group_most: None,
            drives_have_homes: false,
            firmware_span: SimSpan::ZERO,
            names_per_tenant: false,
            hosts_join_many_groups: false,
            nvme_subsystems: false,
            nvme_host_responses: Vec::new(),
            portsets: false,
            tenants_serve: false,
            interface_placement: false,
        }
    }
}

impl Protocol {
    /// What a licence for it is needed for.
    pub const fn feature(self) -> Feature {
        match self {
            Protocol::Fc => Feature::Fc,
            Protocol::Iscsi => Feature::Iscsi,
            Protocol::Nvme => Feature::Nvme,
        }
    }
}
