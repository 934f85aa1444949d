//! The variants of the error, listed so that a new one does not compile until somebody has thought of its ladder.

use arrayplane::model::OpError;

macro_rules! variants {
    ($($variant:ident => $name:literal,)+) => {
        /// Every variant, in snake case.
        pub(super) const ALL: &[&str] = &[$($name),+];

        /// The variant's name; an exhaustive match.
        const fn name(error: &OpError) -> &'static str {
            match error { $( OpError::$variant { .. } => $name, )+ }
        }
    };
}

variants! {
    NotFound => "not_found",
    Ambiguous => "ambiguous",
    NameTaken => "name_taken",
    NameInvalid => "name_invalid",
    ValueInvalid => "value_invalid",
    OutOfRange => "out_of_range",
    Missing => "missing",
    Conflicting => "conflicting",
    NotSupported => "not_supported",
    LimitReached => "limit_reached",
    InUse => "in_use",
    Busy => "busy",
    NotRunning => "not_running",
    WrongState => "wrong_state",
    NotEnoughDrives => "not_enough_drives",
    DriveNotFree => "drive_not_free",
    DrivesDiffer => "drives_differ",
    DriveCount => "drive_count",
    RaidGroupsDiffer => "raid_groups_differ",
    RaidGroupInPool => "raid_group_in_pool",
    NoSpace => "no_space",
    PoolFull => "pool_full",
    ContainerFull => "container_full",
    OverProvisioned => "over_provisioned",
    PoolCapacity => "pool_capacity",
    CopyCapacity => "copy_capacity",
    ThresholdOrder => "threshold_order",
    ReductionOff => "reduction_off",
    ReductionMismatch => "reduction_mismatch",
    ReductionInUse => "reduction_in_use",
    ReductionOn => "reduction_on",
    ReductionPromise => "reduction_promise",
    Shrinking => "shrinking",
    LunTaken => "lun_taken",
    AlreadyMapped => "already_mapped",
    NotMapped => "not_mapped",
    ProtocolMismatch => "protocol_mismatch",
    InitiatorTaken => "initiator_taken",
    PathTaken => "path_taken",
    TenantMismatch => "tenant_mismatch",
    TenantFull => "tenant_full",
    LunTooHigh => "lun_too_high",
    SwitchedOff => "switched_off",
    LicenceMissing => "licence_missing",
    AddressTaken => "address_taken",
    NotCalibrated => "not_calibrated",
    Forbidden => "forbidden",
    LastAdministrator => "last_administrator",
    OwnUser => "own_user",
    InList => "in_list",
}

#[test]
fn variants_are_written_by_their_names() {
    for refusal in super::all() {
        assert_eq!(name(&refusal.error), super::variant(&refusal.error));
    }
}
