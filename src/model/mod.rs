//! What an array IS: one file per noun; plain data, local invariants, look-ups, and the error of refusals.
//!
//! Owns: the nouns, how they refer to each other ([`Key`]), how they are found ([`Table`]), the space they take ([`space`]),
//! the books ([`capacity`]) and the check that they agree ([`consistency`]).
//! Must not know: what an administrator may do (`ops`), time passing (`engine`), or any vendor's dialect (`front`);
//! where vendors differ on a rule, the rule is data in [`Personality`].
//! Read first: [`array`], then [`volume`].

mod affinity;
mod array;
mod calibration;
pub mod capacity;
mod condition;
mod connectivity;
pub mod consistency;
mod container;
mod controller;
mod cure;
mod drive;
mod enclosure;
mod event;
pub mod health;
mod host;
mod host_group;
mod host_port;
mod identity;
mod layout;
mod lun_group;
mod mapping;
mod noun;
mod personality;
pub mod placement;
mod policy;
mod pool;
mod port_group;
mod protocol;
mod raid_group;
mod raid_level;
pub mod reach;
mod reduction;
mod refusal;
mod settings;
mod snapshot;
pub mod space;
pub mod sparing;
mod table;
mod volume;
mod workload;

pub use affinity::Affinity;
pub use array::{Array, ArrayFacts};
pub use calibration::{Calibration, Corner, Corners, DriveRates, WorkloadDemand};
pub use condition::{Condition, DriveStatus, GroupStatus, VolumeHealth};
pub use container::{Clone as ContainerClone, Container, Guarantee};
pub use controller::Controller;
pub use drive::{Drive, DriveState, DriveType};
pub use enclosure::{Enclosure, EnclosureKind};
pub use event::{Event, Events, Severity};
pub use health::{Restoration, RestorationKind, Standing};
pub use host::{Host, Initiator};
pub use host_group::HostGroup;
pub use host_port::HostPort;
pub use identity::Identity;
pub use layout::{Extent, Layout};
pub use lun_group::LunGroup;
pub use mapping::{Mapping, Party};
pub use noun::Noun;
pub use personality::{Dialect, Limits, NameRule, Personality, ReductionDomain};
pub use policy::Policy;
pub use pool::{Pool, Thresholds, UsedStatus};
pub use port_group::PortGroup;
pub use protocol::{PortProtocol, Protocol};
pub use raid_group::{Area, Expansion, RaidGroup, Slot, StandIn};
pub use raid_level::{RaidLevel, Redundancy};
pub use reduction::{Reduction, Savings};
pub use refusal::{OpError, Place};
pub use settings::Settings;
pub use snapshot::Snapshot;
pub use sparing::{RebuildPriority, RebuildRates, Sparing};
pub use table::{Head, Key, Object, Table};
pub use volume::{Allocation, Home, Migration, Slice, Usage, Volume, VolumeKind};
pub use workload::{Profile, WorkUnit, Workload, WorkloadState};
