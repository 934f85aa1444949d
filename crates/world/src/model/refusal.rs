//! Why an operation is refused: one error for the whole house, free of any transport.
//!
//! A variant is a state of the world, not a failed request. Each front maps variants to its own dialect in one exhaustive match.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Noun, Policy, Protocol, RaidLevel};
use crate::units::Bytes;

/// A refusal. It names the noun and the field, quotes the value, and says the limit; [`OpError::cure`] says what to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the fields are the words of the message")]
pub enum OpError {
    /// Nothing is called that.
    NotFound { noun: Noun, reference: String, place: Place },
    /// Several are called that.
    Ambiguous { noun: Noun, reference: String, place: Place },
    /// The name is in use.
    NameTaken { noun: Noun, name: String },
    /// The name breaks the array's rule for names.
    NameInvalid { noun: Noun, name: String, objection: String },
    /// The value is not of the form that the field takes.
    ValueInvalid { noun: Noun, field: String, value: String, expected: String },
    /// The value lies outside its range.
    OutOfRange { noun: Noun, field: String, value: String, least: String, most: String },
    /// A field is needed.
    Missing { noun: Noun, field: String, because: String },
    /// Fields exclude each other.
    Conflicting { noun: Noun, fields: Vec<String>, because: String },
    /// This array cannot do that.
    NotSupported { noun: Noun, field: String, what: String },
    /// The most that the array allows is reached.
    LimitReached { noun: Noun, limit: u64, within: String },
    /// Something still depends on it.
    InUse { noun: Noun, name: String, by: Noun, by_name: String },
    /// A job is working on it.
    Busy { noun: Noun, name: String, doing: String, job: u32 },
    /// Nothing of that kind is going on.
    NotRunning { noun: Noun, name: String, what: String },
    /// It is in a state in which that cannot be done: `state` says which, `expected` in which it could.
    WrongState { noun: Noun, name: String, state: String, expected: String },
    /// There are not enough unused drives of one kind.
    NotEnoughDrives { needed: u32, available: u32, kind: String },
    /// A named drive is not free.
    DriveNotFree { drive: String, state: String },
    /// The drives of one group differ.
    DrivesDiffer { field: String, first: String, other: String },
    /// The level does not take that many drives.
    DriveCount { level: RaidLevel, drives: u32, accepted: String },
    /// RAID groups of one pool differ.
    RaidGroupsDiffer { raid_group: String, expected: String, found: String },
    /// The group belongs to a pool.
    RaidGroupInPool { raid_group: String, pool: String },
    /// No unused area of the RAID group is large enough.
    NoSpace { raid_group: String, needed: Bytes, largest_free_area: Bytes },
    /// The pool has too few free chunks.
    PoolFull { pool: String, needed: Bytes, free: Bytes },
    /// The container has too little space.
    ContainerFull { container: String, needed: Bytes, free: Bytes },
    /// The pool's over-provisioning limit would be passed.
    OverProvisioned { pool: String, provisioned: Bytes, limit: Bytes },
    /// The array's limit on the capacity of all pools would be passed.
    PoolCapacity { capacity: Bytes, limit: Bytes },
    /// Attention must lie below warning.
    ThresholdOrder { attention: u32, warning: u32 },
    /// Data reduction is not switched on for the array.
    ReductionOff { field: String },
    /// The volume wants another reduction than its pool has.
    ReductionMismatch { volume: String, wanted: String, pool: String, offered: String },
    /// Reduction cannot change while reduced volumes exist.
    ReductionInUse { noun: Noun, name: String, by: Noun, by_name: String },
    /// Data reduction must be switched off first.
    ReductionOn { pool: String },
    /// The reduced volumes of the pool would promise too much.
    ReductionPromise { pool: String, promised: Bytes, limit: Bytes },
    /// Things only grow.
    Shrinking { noun: Noun, name: String, size: Bytes, asked: Bytes },
    /// The logical unit number is in use.
    LunTaken { lun: u32, within: String, by: String },
    /// The volume is there already.
    AlreadyMapped { volume: String, within: String },
    /// Hosts cannot reach the volume.
    NotMapped { volume: String },
    /// Protocols do not fit.
    ProtocolMismatch { noun: Noun, name: String, protocol: String, expected: String },
    /// Another host has that address.
    InitiatorTaken { address: String, protocol: Protocol, host: String },
    /// The host already sees other LUNs through that port.
    PathTaken { host: String, port: String, by: String },
    /// It belongs to somebody else.
    TenantMismatch { noun: Noun, name: String, owner: String, expected: String },
    /// The tenant would have more than it may.
    TenantFull { tenant: String, promised: Bytes, limit: Bytes },
    /// The number is above what the host response allows.
    LunTooHigh { lun: u32, within: String, response: String, limit: u32 },
    /// A setting of the array stands in the way.
    SwitchedOff { setting: String, field: Option<String> },
    /// A licence is needed.
    LicenceMissing { licence: String, what: String },
    /// Something has that address.
    AddressTaken { field: String, address: String, noun: Noun, by: String },
    /// More would be copied at the same time than the array's copy capacity allows.
    CopyCapacity { capacity: Bytes, limit: Bytes },
    /// Nobody has calibrated that workload on that model.
    NotCalibrated { model: String, profile: String },
    /// The actor's role does not allow that.
    Forbidden { user: String, role: String, policy: Policy, doing: String },
    /// No user that can log in could manage users any more.
    LastAdministrator { user: String },
    /// A user cannot do that to itself.
    OwnUser { user: String },
    /// One operation of a list was refused.
    InList { index: usize, operation: String, cause: Box<OpError> },
}

/// Where a reference stood.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// It named what the operation acts on.
    Target,
    /// It stood in a field.
    Field(String),
}

impl Place {
    /// A field.
    pub fn field(name: &str) -> Place {
        Place::Field(name.to_owned())
    }
}

impl OpError {
    /// The noun that it is about.
    pub fn noun(&self) -> Noun {
        match self {
            OpError::NotFound { noun, .. }
            | OpError::Ambiguous { noun, .. }
            | OpError::NameTaken { noun, .. }
            | OpError::NameInvalid { noun, .. }
            | OpError::ValueInvalid { noun, .. }
            | OpError::OutOfRange { noun, .. }
            | OpError::Missing { noun, .. }
            | OpError::Conflicting { noun, .. }
            | OpError::NotSupported { noun, .. }
            | OpError::LimitReached { noun, .. }
            | OpError::InUse { noun, .. }
            | OpError::Busy { noun, .. }
            | OpError::NotRunning { noun, .. }
            | OpError::WrongState { noun, .. }
            | OpError::ReductionInUse { noun, .. }
            | OpError::Shrinking { noun, .. }
            | OpError::ProtocolMismatch { noun, .. }
            | OpError::AddressTaken { noun, .. }
            | OpError::TenantMismatch { noun, .. } => *noun,
            OpError::NotEnoughDrives { .. } | OpError::DriveNotFree { .. } | OpError::DrivesDiffer { .. } => Noun::Drive,
            OpError::DriveCount { .. } | OpError::RaidGroupsDiffer { .. } | OpError::RaidGroupInPool { .. } | OpError::NoSpace { .. } => Noun::RaidGroup,
            OpError::PoolFull { .. }
            | OpError::OverProvisioned { .. }
            | OpError::PoolCapacity { .. }
            | OpError::ThresholdOrder { .. }
            | OpError::ReductionOn { .. }
            | OpError::ReductionPromise { .. } => Noun::Pool,
            OpError::ContainerFull { .. } => Noun::Container,
            OpError::ReductionOff { .. } => Noun::Array,
            OpError::ReductionMismatch { .. } | OpError::AlreadyMapped { .. } | OpError::NotMapped { .. } => Noun::Volume,
            OpError::LunTaken { .. } => Noun::LunGroup,
            OpError::InitiatorTaken { .. } | OpError::PathTaken { .. } => Noun::Host,
            OpError::TenantFull { .. } => Noun::Tenant,
            OpError::LunTooHigh { .. } => Noun::HostResponse,
            OpError::SwitchedOff { .. } => Noun::Settings,
            OpError::LicenceMissing { .. } => Noun::Licence,
            OpError::CopyCapacity { .. } => Noun::CopySession,
            OpError::NotCalibrated { .. } => Noun::Workload,
            OpError::Forbidden { .. } | OpError::LastAdministrator { .. } | OpError::OwnUser { .. } => Noun::User,
            OpError::InList { cause, .. } => cause.noun(),
        }
    }

    /// The field of the request that is to blame, where one is.
    pub fn field(&self) -> Option<&str> {
        match self {
            OpError::NotFound { place, .. } | OpError::Ambiguous { place, .. } => match place {
                Place::Field(field) => Some(field),
                Place::Target => None,
            },
            OpError::ValueInvalid { field, .. }
            | OpError::OutOfRange { field, .. }
            | OpError::Missing { field, .. }
            | OpError::NotSupported { field, .. }
            | OpError::DrivesDiffer { field, .. }
            | OpError::AddressTaken { field, .. }
            | OpError::ReductionOff { field } => Some(field),
            OpError::SwitchedOff { field, .. } => field.as_deref(),
            OpError::Conflicting { fields, .. } => fields.first().map(String::as_str),
            OpError::NameTaken { .. } | OpError::NameInvalid { .. } => Some("name"),
            OpError::NotEnoughDrives { .. } | OpError::DriveCount { .. } => Some("drive_count"),
            OpError::DriveNotFree { .. } => Some("drives"),
            OpError::RaidGroupsDiffer { .. } => Some("raid_groups"),
            OpError::Shrinking { .. } => Some("size"),
            OpError::ThresholdOrder { .. } => Some("attention_percent"),
            OpError::ReductionMismatch { .. } => Some("deduplication"),
            OpError::LunTaken { .. } | OpError::LunTooHigh { .. } => Some("lun"),
            OpError::TenantMismatch { .. } => Some("tenant"),
            OpError::AlreadyMapped { .. } => Some("volume"),
            OpError::NotMapped { .. } => Some("volumes"),
            OpError::ProtocolMismatch { .. } => Some("protocol"),
            OpError::NotCalibrated { .. } => Some("profile"),
            OpError::InList { cause, .. } => cause.field(),
            OpError::LimitReached { .. }
            | OpError::InUse { .. }
            | OpError::Busy { .. }
            | OpError::NotRunning { .. }
            | OpError::WrongState { .. }
            | OpError::RaidGroupInPool { .. }
            | OpError::NoSpace { .. }
            | OpError::PoolFull { .. }
            | OpError::ContainerFull { .. }
            | OpError::OverProvisioned { .. }
            | OpError::PoolCapacity { .. }
            | OpError::CopyCapacity { .. }
            | OpError::ReductionPromise { .. }
            | OpError::ReductionInUse { .. }
            | OpError::ReductionOn { .. }
            | OpError::InitiatorTaken { .. }
            | OpError::TenantFull { .. }
            | OpError::LicenceMissing { .. }
            | OpError::PathTaken { .. }
            | OpError::Forbidden { .. }
            | OpError::LastAdministrator { .. }
            | OpError::OwnUser { .. } => None,
        }
    }

    /// The value that was refused, where one can be quoted.
    pub fn value(&self) -> Option<String> {
        match self {
            OpError::NotFound { reference, .. } | OpError::Ambiguous { reference, .. } => Some(reference.clone()),
            OpError::NameTaken { name, .. } | OpError::NameInvalid { name, .. } => Some(name.clone()),
            OpError::ValueInvalid { value, .. } | OpError::OutOfRange { value, .. } => Some(value.clone()),
            OpError::DriveNotFree { drive, .. } => Some(drive.clone()),
            OpError::DriveCount { drives, .. } | OpError::NotEnoughDrives { needed: drives, .. } => Some(drives.to_string()),
            OpError::Shrinking { asked, .. } => Some(asked.get().to_string()),
            OpError::LunTaken { lun, .. } | OpError::LunTooHigh { lun, .. } => Some(lun.to_string()),
            OpError::TenantMismatch { name, .. } => Some(name.clone()),
            OpError::AddressTaken { address, .. } => Some(address.clone()),
            OpError::NoSpace { needed, .. } | OpError::PoolFull { needed, .. } | OpError::ContainerFull { needed, .. } => Some(needed.get().to_string()),
            OpError::ThresholdOrder { attention, .. } => Some(attention.to_string()),
            OpError::ProtocolMismatch { name, .. } => Some(name.clone()),
            OpError::InitiatorTaken { address, .. } => Some(address.clone()),
            OpError::NotCalibrated { profile, .. } => Some(profile.clone()),
            OpError::Forbidden { user, .. } | OpError::LastAdministrator { user } | OpError::OwnUser { user } => Some(user.clone()),
            OpError::InList { cause, .. } => cause.value(),
            _ => None,
        }
    }

    /// The limit that was hit, where there is one.
    pub fn limit(&self) -> Option<String> {
        match self {
            OpError::OutOfRange { least, most, .. } => Some(format!("{least} to {most}")),
            OpError::LimitReached { limit, .. } => Some(limit.to_string()),
            OpError::NotEnoughDrives { available, .. } => Some(available.to_string()),
            OpError::DriveCount { accepted, .. } => Some(accepted.clone()),
            OpError::NoSpace { largest_free_area: free, .. } | OpError::PoolFull { free, .. } | OpError::ContainerFull { free, .. } => {
                Some(free.get().to_string())
            }
            OpError::TenantFull { limit, .. } => Some(limit.get().to_string()),
            OpError::LunTooHigh { limit, .. } => Some(limit.to_string()),
            OpError::OverProvisioned { limit, .. }
            | OpError::PoolCapacity { limit, .. }
            | OpError::CopyCapacity { limit, .. }
            | OpError::ReductionPromise { limit, .. } => Some(limit.get().to_string()),
            OpError::Shrinking { size, .. } => Some(size.get().to_string()),
            OpError::ThresholdOrder { warning, .. } => Some(format!("below {warning}")),
            OpError::Forbidden { policy, .. } => Some(policy.to_string()),
            OpError::InList { cause, .. } => cause.limit(),
            _ => None,
        }
    }
}

impl OpError {
    /// The sentence of a refusal that is about who asks, or about users.
    fn about_users(&self) -> String {
        match self {
            OpError::Forbidden { user, role, policy, doing } => {
                format!("the user '{user}' with the role '{role}' may not do that: {doing} needs the policy {policy}")
            }
            OpError::LastAdministrator { user } => format!("without '{user}' no user could manage users any more"),
            OpError::OwnUser { user } => format!("'{user}' is the user who asks, and cannot delete itself"),
            _ => String::new(),
        }
    }
    /// The sentence about space and data reduction.
    fn write_of_space(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpError::NoSpace { raid_group, needed, largest_free_area } => {
                write!(out, "the RAID group '{raid_group}' has no contiguous free area of {needed}; the largest is {largest_free_area}")
            }
            OpError::PoolFull { pool, needed, free } => write!(out, "the pool '{pool}' is out of space: {needed} are needed, {free} are free"),
            OpError::ContainerFull { container, needed, free } => {
                write!(out, "the container '{container}' is out of space: {needed} are needed, {free} are free")
            }
            OpError::OverProvisioned { pool, provisioned, limit } => {
                write!(out, "the pool '{pool}' would promise {provisioned}; its over-provisioning limit is {limit}")
            }
            OpError::PoolCapacity { capacity, limit } => write!(out, "all pools together would have {capacity}; the array's limit is {limit}"),
            OpError::CopyCapacity { capacity, limit } => write!(out, "all copies together would be of {capacity}; the array's copy capacity is {limit}"),
            OpError::ThresholdOrder { attention, warning } => {
                write!(out, "the attention threshold ({attention} %) must lie below the warning threshold ({warning} %)")
            }
            OpError::ReductionOff { .. } => write!(out, "data reduction is switched off for the array"),
            OpError::ReductionMismatch { volume, wanted, pool, offered } => {
                write!(out, "the volume '{volume}' asks for {wanted}, but the pool '{pool}' has {offered}")
            }
            OpError::ReductionInUse { noun, name, by, by_name } => write!(out, "data reduction of the {noun} '{name}' is in use by the {by} '{by_name}'"),
            OpError::ReductionOn { pool } => write!(out, "data reduction of the pool '{pool}' is switched on"),
            OpError::ReductionPromise { pool, promised, limit } => {
                write!(out, "the reduced volumes of the pool '{pool}' would promise {promised}; the limit is {limit}")
            }
            OpError::Shrinking { noun, name, size, asked } => write!(out, "the {noun} '{name}' has {size} and cannot become {asked}: it only grows"),
            OpError::TenantFull { tenant, promised, limit } => write!(out, "the tenant '{tenant}' would have {promised}; its limit is {limit}"),
            other => other.write_of_access(out),
        }
    }
    /// The sentence about who reaches what, and whose it is.
    fn write_of_access(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpError::LunTaken { lun, within, by } => write!(out, "LUN {lun} in {within} is taken by the volume '{by}'"),
            OpError::AlreadyMapped { volume, within } => write!(out, "the volume '{volume}' is already in {within}"),
            OpError::NotMapped { volume } => write!(out, "no host can reach the volume '{volume}'"),
            OpError::ProtocolMismatch { noun, name, protocol, expected } => write!(out, "the {noun} '{name}' speaks {protocol}, not {expected}"),
            OpError::InitiatorTaken { address, protocol, host } => write!(out, "the {protocol} address '{address}' belongs to the host '{host}'"),
            OpError::PathTaken { host, port, by } => write!(out, "the host '{host}' already sees LUNs through the port '{port}', by {by}"),
            OpError::TenantMismatch { noun, name, owner, expected } => write!(out, "the {noun} '{name}' belongs to {owner}, not to {expected}"),
            OpError::LunTooHigh { lun, within, response, limit } => {
                write!(out, "LUN {lun} in {within} is too high: the host response '{response}' allows numbers up to {limit}")
            }
            OpError::AddressTaken { field, address, noun, by } => write!(out, "{field}: '{address}' belongs to the {noun} '{by}'"),
            other => out.write_str(&other.about_users()),
        }
    }
}

impl fmt::Display for OpError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpError::NotFound { noun, reference, place: Place::Target } => write!(out, "no {noun} is called '{reference}'"),
            OpError::NotFound { noun, reference, place: Place::Field(field) } => write!(out, "{field}: no {noun} is called '{reference}'"),
            OpError::Ambiguous { noun, reference, .. } => write!(out, "more than one {noun} is called '{reference}'"),
            OpError::NameTaken { noun, name } => write!(out, "a {noun} named '{name}' exists already"),
            OpError::NameInvalid { noun, name, objection } => write!(out, "'{name}' is no name for a {noun}: {objection}"),
            OpError::ValueInvalid { field, value, expected, .. } => write!(out, "{field}: '{value}' is not {expected}"),
            OpError::OutOfRange { field, value, least, most, .. } => write!(out, "{field}: {value} is outside {least} to {most}"),
            OpError::Missing { field, because, .. } => write!(out, "{field} is missing: {because}"),
            OpError::Conflicting { fields, because, .. } => write!(out, "{}: {because}", fields.join(", ")),
            OpError::NotSupported { what, .. } => write!(out, "this array does not support {what}"),
            OpError::LimitReached { noun, limit, within } => write!(out, "the limit of {limit} {} in {within} is reached", noun.plural()),
            OpError::InUse { noun, name, by, by_name } => write!(out, "the {noun} '{name}' is in use by the {by} '{by_name}'"),
            OpError::Busy { noun, name, doing, job } => write!(out, "the {noun} '{name}' is busy: {doing} (job {job})"),
            OpError::NotRunning { noun, name, what } => write!(out, "the {noun} '{name}' has no {what}"),
            OpError::WrongState { noun, name, state, expected } => write!(out, "the {noun} '{name}' is {state}, not {expected}"),
            OpError::NotEnoughDrives { needed, available, kind } => {
                write!(out, "{needed} unused drives of one kind ({kind}) are needed; {available} are there")
            }
            OpError::DriveNotFree { drive, state } => write!(out, "the drive '{drive}' is not free: {state}"),
            OpError::DrivesDiffer { first, other, .. } => write!(out, "all drives of a RAID group must be alike: {other} differs from {first}"),
            OpError::DriveCount { level, drives, accepted } => write!(out, "{level} does not take {drives} drives, but {accepted}"),
            OpError::RaidGroupsDiffer { raid_group, expected, found } => {
                write!(out, "all RAID groups of a pool must be alike: '{raid_group}' has {found}, not {expected}")
            }
            OpError::RaidGroupInPool { raid_group, pool } => write!(out, "the RAID group '{raid_group}' belongs to the pool '{pool}'"),
            OpError::SwitchedOff { setting, .. } => write!(out, "{setting} is switched off for the array"),
            OpError::LicenceMissing { licence, what } => write!(out, "{what} needs the licence '{licence}', which is not registered"),
            OpError::NotCalibrated { model, profile } => write!(out, "no calibration of the workload '{profile}' on the model {model} is known"),
            OpError::InList { index, operation, cause } => write!(out, "operation {index} ({operation}) was refused: {cause}"),
            other => other.write_of_space(out),
        }
    }
}
impl std::error::Error for OpError {}
