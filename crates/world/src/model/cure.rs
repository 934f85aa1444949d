//! What to do about a refusal.

use super::{Noun, OpError};

impl OpError {
    /// One sentence that says what to do.
    pub fn cure(&self) -> String {
        match self {
            OpError::NotFound { noun, .. } => format!("list the {} and use an id, a number or a name from there, or create it first", noun.plural()),
            OpError::Ambiguous { .. } => "use the id, or 'container/name'".into(),
            OpError::NameTaken { .. } => "choose another name, or rename or delete the other one".into(),
            OpError::NameInvalid { .. } => "choose a name that follows the rule".into(),
            OpError::ValueInvalid { expected, .. } => format!("give {expected}"),
            OpError::OutOfRange { least, most, .. } => format!("give a value from {least} to {most}"),
            OpError::Missing { field, .. } => format!("add the field {field}"),
            OpError::Conflicting { .. } => "give only one of them".into(),
            OpError::NotSupported { noun: Noun::Role, .. } => "create a role of your own, and give users that one".into(),
            OpError::NotSupported { .. } => "use what this array supports (GET /v1/models tells), or another model".into(),
            OpError::LimitReached { noun, .. } => format!("delete {} that are no longer needed, or use a larger model", noun.plural()),
            OpError::InUse { noun: Noun::Container, by: Noun::Volume, .. } => {
                "delete the volumes in it first, or delete it with them (with_volumes=true)".into()
            }
            OpError::InUse { by, by_name, .. } => format!("remove or change the {by} '{by_name}' first"),
            OpError::Busy { job, .. } => format!("wait until job {job} has ended (advance the clock), or stop it"),
            OpError::NotRunning { .. } => "nothing needs to be done".into(),
            OpError::WrongState { state, .. } if state == "data_lost" => "delete it, and make it anew".into(),
            OpError::WrongState { noun: Noun::RaidGroup | Noun::Pool | Noun::Volume, state, .. } if state == "broken" || state == "not_available" => {
                "put back the drives that were pulled; if they have failed, delete what lies there and make it anew".into()
            }
            OpError::WrongState { noun, expected, .. } => format!("bring the {noun} into the state '{expected}' first"),
            OpError::NotEnoughDrives { .. } => "use fewer drives, free drives by deleting RAID groups, or create the array with more drives".into(),
            OpError::DriveNotFree { .. } => "name a drive whose usage is 'unused'".into(),
            OpError::DrivesDiffer { .. } => "name drives of one type and capacity".into(),
            OpError::DriveCount { accepted, .. } => format!("the number of drives must be {accepted}"),
            OpError::RaidGroupsDiffer { .. } => "use RAID groups of one level, drive type and number of drives".into(),
            OpError::RaidGroupInPool { .. } => "create volumes in the pool, or use another RAID group".into(),
            OpError::NoSpace { .. } => "use a smaller size or another RAID group, or delete volumes".into(),
            OpError::PoolFull { .. } => "expand the pool, unmap or delete data, or migrate volumes to another pool".into(),
            OpError::ContainerFull { .. } => "grow the container, or delete snapshots or data in it".into(),
            OpError::OverProvisioned { .. } => "raise over_provisioning_percent, expand the pool, or use a smaller size".into(),
            OpError::PoolCapacity { .. } => "use fewer drives in pools".into(),
            OpError::CopyCapacity { .. } => "delete copy sessions that are no longer needed, or copy smaller volumes".into(),
            OpError::ThresholdOrder { .. } => "set attention below warning".into(),
            OpError::ReductionOff { .. } => "set data_reduction to true in the array's settings first".into(),
            OpError::ReductionMismatch { .. } => "ask for exactly what the pool has, or for no data reduction".into(),
            OpError::ReductionInUse { by, by_name, .. } => format!("migrate or delete the {by} '{by_name}' first, or switch its reduction off"),
            OpError::ReductionOn { .. } => "switch deduplication and compression off first".into(),
            OpError::ReductionPromise { .. } => "expand the pool, or create volumes without data reduction".into(),
            OpError::Shrinking { .. } => "give a larger size".into(),
            OpError::LunTaken { .. } => "use another LUN, or leave it out to get the lowest free one".into(),
            OpError::AlreadyMapped { .. } => "remove the present mapping first".into(),
            OpError::NotMapped { volume } => format!("give a host access to '{volume}' by an affinity or a mapping through an enabled port"),
            OpError::ProtocolMismatch { expected, .. } => format!("use one that speaks {expected}"),
            OpError::InitiatorTaken { host, .. } => format!("use the host '{host}', or delete it first"),
            OpError::PathTaken { .. } => "change that affinity or mapping, or use other ports".into(),
            OpError::TenantMismatch { expected, .. } => format!("use one that belongs to {expected}"),
            OpError::TenantFull { .. } => "raise the tenant's capacity_limit, use a smaller size, or delete what it no longer needs".into(),
            OpError::LunTooHigh { limit, .. } => format!("use numbers up to {limit}, or a host response with flat_space_addressing"),
            OpError::SwitchedOff { setting, .. } => format!("switch {setting} on in the array's settings first"),
            OpError::LicenceMissing { licence, .. } => format!("register the licence '{licence}' in the array's settings first"),
            OpError::AddressTaken { .. } => "use another address, or free this one first".into(),
            OpError::NotCalibrated { .. } => "use a model with a calibration (see GET /v1/models), such as eternus-af250, and one of its profiles".into(),
            OpError::Forbidden { policy, .. } => format!("log in as a user whose role has the policy {policy}, or as the server's user"),
            OpError::LastAdministrator { .. } => "give another user a role with the policy user_management first".into(),
            OpError::OwnUser { .. } => "do it as another user".into(),
            OpError::InList { cause, .. } => cause.cure(),
        }
    }
}
