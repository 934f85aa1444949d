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
mod connectivity;
pub mod consistency;
mod container;
mod controller;
mod cure;
mod drive;
mod enclosure;
mod event;
mod host;
mod host_group;
mod host_port;
mod identity;
mod layout;
mod lun_group;
mod mapping;
mod noun;
mod password_policy;
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
mod role;
mod secret;
mod settings;
mod snapshot;
pub mod space;
mod table;
mod user;
mod volume;
mod workload;

pub use affinity::Affinity;
pub use array::{Array, ArrayFacts};
pub use calibration::{Calibration, Corner, Corners, DriveRates, WorkloadDemand};
pub use container::{Clone as ContainerClone, Container, Guarantee};
pub use controller::Controller;
pub use drive::{Drive, DriveState, DriveType};
pub use enclosure::{Enclosure, EnclosureKind};
pub use event::{Event, Events, Severity};
pub use host::{Host, Initiator};
pub use host_group::HostGroup;
pub use host_port::HostPort;
pub use identity::Identity;
pub use layout::{Extent, Layout};
pub use lun_group::LunGroup;
pub use mapping::{Mapping, Party};
pub use noun::Noun;
pub use password_policy::PasswordPolicy;
pub use personality::{Accounts, Dialect, InitialUser, Limits, NameRule, Personality, ReductionDomain, RoleRule};
pub use policy::{Policy, PolicySet};
pub use pool::{Pool, Thresholds, UsedStatus};
pub use port_group::PortGroup;
pub use protocol::{PortProtocol, Protocol};
pub use raid_group::{Area, RaidGroup};
pub use raid_level::RaidLevel;
pub use reduction::{Reduction, Savings};
pub use refusal::{OpError, Place};
pub use role::Role;
pub use secret::{Secret, Traits};
pub use settings::Settings;
pub use snapshot::Snapshot;
pub use table::{Head, Key, Object, Table};
pub use user::{Lock, Password, User};
pub use volume::{Allocation, Home, Migration, Slice, Usage, Volume, VolumeKind};
pub use workload::{Profile, WorkUnit, Workload, WorkloadState};
