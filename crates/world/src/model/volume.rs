//! Volumes: the units that are mapped to hosts.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Alua, Area, Container, Head, Key, Layout, Noun, Object, Pool, QosPolicy, QosPriority, RaidGroup, Reduction, Tenant};
use crate::units::{Bytes, Ratio, SimTime};

/// A volume (ETERNUS: Standard, WSV or TPV volume; ONTAP: LUN or namespace).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Volume {
    /// Identity; the name is unique in the array, or in the container that holds it.
    pub head: Head,
    /// Where it lives.
    pub home: Home,
    /// The size that hosts see.
    pub size: Bytes,
    /// What it is used for.
    pub usage: Usage,
    /// Whether its whole size is set aside.
    pub allocation: Allocation,
    /// Whether its data is encrypted.
    pub encryption: bool,
    /// Which reductions are on; in a container, the container's count.
    pub reduction: Reduction,
    /// How far the data that hosts write to it can be reduced.
    pub reducibility: Ratio,
    /// Used share, in percent of the size, at which a thin volume calls for attention.
    pub attention_percent: Option<u32>,
    /// What is written.
    pub layout: Layout,
    /// The generation that writes belong to now.
    pub generation: u64,
    /// Whether a snapshot or a clone holds that generation, so that the next write begins a new one.
    pub frozen: bool,
    /// Volumes, images and clones of one origin share blocks.
    pub lineage: u64,
    /// The name that hosts know it by, 32 hexadecimal digits.
    pub uid: String,
    /// The serial number that hosts see.
    pub serial_number: String,
    /// Whether it must not become the destination of a copy.
    #[serde(default)]
    pub copy_protection: bool,
    /// Whether it holds data of hosts, or of snapshots.
    #[serde(default)]
    pub role: VolumeRole,
    /// Set while it moves to another home.
    pub migration: Option<Migration>,
    /// Whether it is being written anew as a whole.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub formatting: bool,
    /// When it was made.
    pub created: SimTime,
    /// Whose it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<Key<Tenant>>,
    /// How much of the array it may use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub qos_policy: Option<Key<QosPolicy>>,
    /// What automatic QoS gives it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub qos_priority: Option<QosPriority>,
    /// Which paths to it the array calls the better ones.
    #[serde(default)]
    pub alua: Alua,
    /// Whether an administrator has given it its uid.
    #[serde(default)]
    pub custom_uid: bool,
    /// Whose command set it speaks, where that was said.
    #[serde(default, skip_serializing_if = "VolumeFormat::is_open")]
    pub format: VolumeFormat,
    /// Whether hosts are let in; mappings stay either way.
    #[serde(default = "online", skip_serializing_if = "is_online")]
    pub online: bool,
    /// Where it came from last, if it was moved or copied from another container.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relocation: Option<Relocation>,
}

/// What a volume is of which nothing is said.
const fn online() -> bool {
    true
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_online(online: &bool) -> bool {
    *online
}

/// Whether a volume in a container is for SCSI or for NVMe hosts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = VolumeCommandSet)]
pub enum VolumeFormat {
    /// Nobody has said it: for those to whom it is mapped.
    #[default]
    Open,
    /// For SCSI hosts (ONTAP: LUN).
    Lun,
    /// For NVMe hosts (ONTAP: namespace).
    Namespace,
}

impl VolumeFormat {
    /// Whether nobody has said it.
    pub const fn is_open(&self) -> bool {
        matches!(self, VolumeFormat::Open)
    }
}

/// A way from one container to another: the volume serves at once where it goes, and its data follows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Relocation {
    /// Whether it was copied; otherwise it was moved.
    pub copied: bool,
    /// The container that it came from.
    pub container: Key<Container>,
    /// The container's name then, and the volume's there.
    pub source: (String, String),
    /// When it began.
    pub began: SimTime,
    /// When all data is there.
    pub ends: SimTime,
}

/// Where a volume lives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Home {
    /// Pieces of RAID groups: of one (Standard) or striped over several (WSV).
    RaidGroups(Vec<Slice>),
    /// Chunks of a pool (TPV).
    Pool(Key<Pool>),
    /// Blocks of a container (LUN, namespace).
    Container(Key<Container>),
}

/// A piece of a RAID group that belongs to a volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Slice {
    /// The group.
    pub raid_group: Key<RaidGroup>,
    /// The piece.
    pub area: Area,
}

/// A move under way. The space at the target is already set aside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Migration {
    /// Where it goes.
    pub target: Home,
    /// Which reductions are on there.
    pub reduction: Reduction,
    /// How its space is allocated there.
    pub allocation: Allocation,
}

/// What a volume is, by its role and where it lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum VolumeKind {
    /// In one RAID group (ETERNUS: Standard).
    Standard,
    /// Striped over several RAID groups (ETERNUS: WSV).
    WideStriped,
    /// In a pool (ETERNUS: TPV).
    Thin,
    /// In a container (ONTAP: LUN, namespace).
    Contained,
    /// What a snapshot keeps (ETERNUS: SDV).
    SnapData,
    /// A part of the snap data pool (ETERNUS: SDPV).
    SnapDataPool,
}

/// Whether a volume holds data of hosts, or of snapshots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum VolumeRole {
    /// Data of hosts.
    #[default]
    Data,
    /// What a snapshot keeps: a small area of its own, and elements of the snap data pool (ETERNUS: SDV).
    SnapData,
    /// A part of the snap data pool (ETERNUS: SDPV); hosts do not see it.
    SnapPool,
}

/// What a volume is used for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Usage {
    /// Block storage for hosts.
    #[default]
    Block,
    /// Buffer for offloaded data transfer.
    Odx,
}

/// Whether a volume's whole size is set aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Allocation {
    /// It is.
    Thick,
    /// Space is taken as data comes in.
    Thin,
}

impl Volume {
    /// What it is, by its role and where it lives.
    pub fn kind(&self) -> VolumeKind {
        match &self.home {
            _ if self.role == VolumeRole::SnapData => VolumeKind::SnapData,
            _ if self.role == VolumeRole::SnapPool => VolumeKind::SnapDataPool,
            Home::RaidGroups(slices) if slices.iter().any(|slice| slice.raid_group != slices[0].raid_group) => VolumeKind::WideStriped,
            Home::RaidGroups(_) => VolumeKind::Standard,
            Home::Pool(_) => VolumeKind::Thin,
            Home::Container(_) => VolumeKind::Contained,
        }
    }
    /// Makes an image of a volume that of another one, which is gone: it has that identity, that uid and serial number.
    pub fn become_another(&mut self, head: &Head, (uid, serial_number): (String, String)) {
        self.head = self.head.clone().with_identity_of(head);
        (self.uid, self.serial_number, self.custom_uid) = (uid, serial_number, false);
    }
    /// The pool it lives in directly.
    pub fn pool(&self) -> Option<Key<Pool>> {
        if let Home::Pool(pool) = self.home { Some(pool) } else { None }
    }
    /// The container that holds it.
    pub fn container(&self) -> Option<Key<Container>> {
        if let Home::Container(container) = self.home { Some(container) } else { None }
    }
    /// Its pieces of RAID groups.
    pub fn slices(&self) -> &[Slice] {
        if let Home::RaidGroups(slices) = &self.home { slices } else { &[] }
    }
    /// The areas of RAID groups that it has.
    pub fn own_area(&self) -> Bytes {
        self.slices().iter().map(|slice| slice.area.length).sum()
    }
    /// Whether it lives in a RAID group, or is on its way to it.
    pub fn touches(&self, group: Key<RaidGroup>) -> bool {
        let coming = self.migration.iter().map(|migration| &migration.target);
        std::iter::once(&self.home).chain(coming).any(|home| matches!(home, Home::RaidGroups(slices) if slices.iter().any(|slice| slice.raid_group == group)))
    }
    /// Whether it lives in a pool directly, or is on its way to it.
    pub fn touches_pool(&self, pool: Key<Pool>) -> bool {
        let coming = self.migration.iter().map(|migration| &migration.target);
        std::iter::once(&self.home).chain(coming).any(|home| *home == Home::Pool(pool))
    }
    /// Unwritten space that is promised to it inside its container.
    pub fn reservation(&self) -> Bytes {
        self.reservation_with(&self.layout, self.size)
    }
    /// The promise if these were its data and size.
    pub fn reservation_with(&self, layout: &Layout, size: Bytes) -> Bytes {
        if self.allocation == Allocation::Thick { size - layout.written() } else { Bytes::ZERO }
    }
}

impl Object for Volume {
    const NOUN: Noun = Noun::Volume;
    fn head(&self) -> &Head {
        &self.head
    }
    fn head_mut(&mut self) -> &mut Head {
        &mut self.head
    }
    fn scope(&self) -> Option<u32> {
        self.container().map(Key::raw)
    }
}
