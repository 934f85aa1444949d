//! ONTAP's numbers for what the array refuses: one table over all refusals, by what happened, to which noun, and through which collection.

use actix_web::http::StatusCode;

use crate::model::{Noun, OpError, Place};
use crate::refusal::Refusal;
use crate::site::ChangeError;
use crate::units::Bytes;
use crate::words;

const BAD: StatusCode = StatusCode::BAD_REQUEST;
const CONFLICT: StatusCode = StatusCode::CONFLICT;
const NOT_FOUND: StatusCode = StatusCode::NOT_FOUND;

/// A change that was not done.
pub(crate) fn of_change(error: &ChangeError, path: &str) -> Refusal {
    match error {
        ChangeError::Refused(refusal) => of(refusal, path),
        ChangeError::TagDiffers { .. } | ChangeError::KeyReused { .. } => Refusal::conflict(8, words::said(&error.to_string(), path)),
        ChangeError::NotWritten { .. } => Refusal::new(StatusCode::INSUFFICIENT_STORAGE, 1_245_212, words::said(&error.to_string(), path)),
        ChangeError::BrokeOff { .. } | ChangeError::Broken { .. } => Refusal::new(StatusCode::SERVICE_UNAVAILABLE, 8, words::said(&error.to_string(), path)),
    }
}

/// What the array refuses, through the collection with that path.
pub(crate) fn of(error: &OpError, path: &str) -> Refusal {
    let (status, code) = number(error, path);
    let cause = if let OpError::InList { cause, .. } = error { cause } else { error };
    if let (OpError::Shrinking { size, asked, .. }, 1_254_226) = (cause, code) {
        // Clients look for these words.
        return Refusal::new(status, code, format!("New LUN size is the same as the old LUN size ({size}, asked for {asked}).")).at("space.size");
    }
    let field = match cause {
        OpError::WrongState { noun: Noun::PortGroup, .. } | OpError::ProtocolMismatch { noun: Noun::PortGroup, .. } => Some("port_group"),
        OpError::ProtocolMismatch { noun: Noun::Interface, .. } if path.starts_with("/protocols/san/portsets") => Some("interfaces"),
        OpError::TenantMismatch { noun: Noun::Pool, .. } => Some("pools"),
        cause => cause.field(),
    };
    let field = field.map(|field| target(path, field).map_or_else(|| words::field(field, path), str::to_owned));
    let refusal = Refusal::new(status, code, words::refusal(cause, path, field.as_deref()));
    match &field {
        Some(field) => refusal.at(field),
        None => refusal,
    }
}

/// The field of the API that stands for a field of an operation; of others the words are put into ONTAP's.
fn target(path: &str, field: &str) -> Option<&'static str> {
    Some(match (path, field) {
        ("/storage/luns" | "/storage/namespaces", "size") => "space.size",
        ("/storage/luns" | "/storage/namespaces", "container") => "location.volume.name",
        ("/storage/luns" | "/storage/namespaces", "qos_policy") => "qos_policy.name",
        ("/storage/qos/policies", "fixed.iops") => "fixed.max_throughput_iops",
        ("/storage/qos/policies", "fixed.bytes_per_second") => "fixed.max_throughput_mbps",
        ("/storage/qos/policies", "fixed.least_iops") => "fixed.min_throughput_iops",
        ("/storage/qos/policies", "adaptive.expected_iops_per_tib") => "adaptive.expected_iops",
        ("/storage/qos/policies", "adaptive.peak_iops_per_tib") => "adaptive.peak_iops",
        ("/storage/qos/policies", "adaptive.least_iops") => "adaptive.absolute_min_iops",
        ("/storage/volumes", "pool") => "movement.destination_aggregate",
        ("/storage/volumes", "fixed.iops") => "qos.policy.max_throughput_iops",
        ("/storage/volumes", "fixed.bytes_per_second") => "qos.policy.max_throughput_mbps",
        ("/storage/volumes", "fixed.least_iops") => "qos.policy.min_throughput_iops",
        (_, "pool" | "pools") => "aggregates",
        (_, "tenant") => "svm",
        ("/protocols/san/lun-maps", "volume") => "lun",
        ("/protocols/nvme/subsystem-maps", "volume") => "namespace",
        (_, "container") => "volume",
        (_, "host_group") => "igroup",
        ("/network/ip/interfaces", "address") => "ip.address",
        ("/network/ip/interfaces", "prefix_length") => "ip.netmask",
        ("/network/ip/interfaces" | "/network/fc/interfaces", "home_port" | "home_controller" | "port") => "location.home_port.name",
        ("/network/ip/interfaces", "services") => "service_policy.name",
        ("/storage/aggregates", "drive_count") => "block_storage.primary.disk_count",
        ("/protocols/san/iscsi/credentials", "name") => "initiator",
        (path, "lun") if path.starts_with("/protocols/san/igroups") => "name",
        (_, "lun") => "logical_unit_number",
        (_, "host_response") => "os_type",
        (_, "port_group") => "portset",
        (_, "initiator" | "wwn" | "iscsi_name" | "nqn") => "name",
        _ => return None,
    })
}

/// The numbers of a collection: when an object is there already, and when one is not.
fn numbers(path: &str) -> (u32, u32) {
    match path {
        "/storage/luns" => (5_374_242, 5_374_875),
        "/storage/namespaces" => (72_089_725, 72_090_006),
        "/storage/volumes" => (917_526, 917_927),
        "/storage/volumes/{volume.uuid}/snapshots" => (525_059, 1_638_600),
        "/storage/aggregates" => (786_439, 786_771),
        "/storage/qos/policies" => (8_454_154, 4),
        "/storage/snapshot-policies" => (1_638_527, 4),
        "/storage/volume-efficiency-policies" => (6_881_349, 4),
        "/svm/svms" => (13_434_908, 2_621_462),
        "/protocols/san/igroups" => (5_374_023, 5_374_852),
        "/protocols/san/lun-maps" => (1_254_207, 5_374_922),
        "/protocols/san/portsets" => (1_254_259, 5_374_908),
        "/protocols/san/iscsi/services" => (5_374_077, 5_374_078),
        "/protocols/san/fcp/services" => (5_374_082, 5_374_078),
        "/protocols/nvme/services" => (72_089_650, 72_090_029),
        "/protocols/nvme/subsystems" => (72_090_025, 72_090_001),
        "/protocols/nvme/subsystems/{subsystem.uuid}/hosts" => (72_089_705, 4),
        "/protocols/nvme/subsystem-maps" => (72_089_790, 72_090_019),
        "/network/ip/interfaces" | "/network/fc/interfaces" => (1_966_140, 4),
        "/network/ipspaces" => (1_966_449, 4),
        "/network/ip/subnets" => (1_377_658, 4),
        "/application/consistency-groups" => (53_411_860, 53_411_842),
        "/application/consistency-groups/{consistency_group.uuid}/snapshots" => (53_411_921, 4),
        _ => (1, 4),
    }
}

/// The number of a noun that a field refers to and that is not there.
fn reference(noun: Noun, path: &str) -> u32 {
    match (noun, path) {
        (Noun::Tenant, _) => 2_621_462,
        (Noun::Pool, "/storage/volumes") => 917_508,
        (Noun::Pool, _) => 786_771,
        (Noun::Container, _) => 917_927,
        (Noun::Volume, "/protocols/nvme/subsystem-maps") => 72_090_006,
        (Noun::Volume, _) => 5_374_875,
        (Noun::HostGroup, "/protocols/nvme/subsystem-maps") => 72_090_001,
        (Noun::HostGroup, _) => 5_374_878,
        (Noun::PortGroup, _) => 5_374_908,
        (Noun::Interface, _) => 5_374_906,
        (Noun::QosPolicy, _) => 5_375_059,
        (Noun::HostPort, _) => 1_967_130,
        (Noun::Controller, _) => 786_446,
        (Noun::Snapshot, _) => 1_638_600,
        _ => 4,
    }
}

/// Names that cannot be.
fn bad_name(path: &str) -> u32 {
    match path {
        "/storage/luns" => 5_374_121,
        "/storage/namespaces" => 5_374_127,
        "/svm/svms" => 13_434_911,
        "/storage/volumes/{volume.uuid}/snapshots" => 1_638_518,
        _ => 262_185,
    }
}

fn too_small_or_large(path: &str, error: &OpError) -> u32 {
    let is_small = match error {
        OpError::OutOfRange { value, least, .. } => value.parse::<Bytes>().ok().zip(least.parse::<Bytes>().ok()).is_some_and(|(value, least)| value < least),
        _ => false,
    };
    if let OpError::OutOfRange { noun: Noun::QosPolicy, field, .. } = error {
        return match field.as_str() {
            "fixed.least_iops" => 8_454_194,
            field if field.starts_with("adaptive") => 8_454_273,
            _ => 8_454_260,
        };
    }
    match (path, is_small) {
        ("/storage/luns", true) => 5_374_124,
        ("/storage/luns", false) => 5_374_125,
        ("/storage/namespaces", true) => 72_089_723,
        ("/storage/namespaces", false) => 72_089_724,
        ("/storage/volumes", true) => 917_534,
        _ => 262_185,
    }
}

/// An initiator would see a LUN through two igroups.
const SEEN_TWICE: u32 = 1_254_193;

fn in_use(error: &OpError, path: &str) -> u32 {
    let by = if let OpError::InUse { by, .. } = error { *by } else { Noun::Array };
    if path.starts_with("/protocols/san/")
        && let OpError::InUse { noun: Noun::Volume, by: Noun::Host, .. } = error
    {
        return SEEN_TWICE;
    }
    match (path, by) {
        ("/storage/luns" | "/storage/namespaces", Noun::Workload | Noun::CopySession) => 8,
        ("/storage/luns", _) => 1_254_197,
        ("/storage/qos/policies", _) => 8_454_286,
        ("/storage/namespaces", _) => 72_089_796,
        ("/storage/volumes", Noun::Snapshot | Noun::Container) => 524_615,
        ("/storage/volumes/{volume.uuid}/snapshots", _) => 1_638_555,
        ("/storage/snapshot-policies", _) => 1_638_416,
        ("/storage/volume-efficiency-policies", _) => 6_881_346,
        ("/storage/aggregates", _) => 786_497,
        ("/protocols/san/igroups" | "/protocols/san/igroups/{igroup.uuid}/initiators", _) => 1_254_213,
        ("/protocols/san/portsets", _) => 5_374_063,
        ("/protocols/nvme/subsystems", Noun::Host) => 72_090_024,
        ("/protocols/nvme/subsystems", _) => 72_090_023,
        ("/protocols/nvme/services", _) => 72_089_653,
        ("/svm/svms", _) => 2_621_525,
        ("/cluster/schedules", _) => 459_758,
        ("/network/ipspaces", _) => 1_966_309,
        ("/network/ethernet/broadcast-domains", _) => 1_967_103,
        ("/network/ip/service-policies", _) => 53_281_927,
        ("/network/ip/subnets", _) => 1_377_663,
        _ => 8,
    }
}

/// Status and number of a refusal.
fn number(error: &OpError, path: &str) -> (StatusCode, u32) {
    let (exists, unknown) = numbers(path);
    match error {
        OpError::NotFound { place: Place::Target, .. } => (NOT_FOUND, unknown),
        OpError::NotFound { noun, place: Place::Field(_), .. } => (BAD, reference(*noun, path)),
        OpError::Ambiguous { .. } => (BAD, 2),
        OpError::NameTaken { .. } => (CONFLICT, exists),
        OpError::NameInvalid { .. } => (BAD, bad_name(path)),
        OpError::ValueInvalid { .. } => (BAD, 262_185),
        OpError::OutOfRange { .. } => (BAD, too_small_or_large(path, error)),
        OpError::Missing { .. } => (BAD, 262_177),
        OpError::Conflicting { fields, .. } if path == "/storage/qos/policies" => {
            (BAD, if fields.first().is_some_and(|field| field == "adaptive") { 8_454_278 } else { 8_454_277 })
        }
        OpError::Conflicting { fields, .. } if path.starts_with("/protocols/san/igroups") && fields.first().is_some_and(|field| field == "host_response") => {
            (CONFLICT, other_os_type(path))
        }
        OpError::Conflicting { .. } => (BAD, 262_186),
        OpError::NotSupported { noun: Noun::Record, .. } => (CONFLICT, built_in(path)),
        OpError::NotSupported { .. } => (BAD, 3),
        OpError::LimitReached { .. } if path.ends_with("/snapshots") => (CONFLICT, 525_062),
        OpError::LimitReached { .. } => (CONFLICT, 7),
        OpError::InUse { .. } => (CONFLICT, in_use(error, path)),
        OpError::Busy { .. } if path == "/storage/volumes" => (CONFLICT, 524_486),
        OpError::Busy { .. } => (CONFLICT, 8),
        OpError::NotRunning { .. } => (CONFLICT, 262_190),
        OpError::WrongState { .. } => (CONFLICT, wrong_state(path)),
        OpError::NotEnoughDrives { .. } => (BAD, 19_726_341),
        OpError::DriveNotFree { .. } | OpError::DrivesDiffer { .. } => (BAD, 19_726_341),
        OpError::DriveCount { .. } => (BAD, 786_973),
        OpError::RaidGroupsDiffer { .. } | OpError::RaidGroupInPool { .. } => (CONFLICT, 8),
        OpError::NoSpace { .. } | OpError::PoolFull { .. } | OpError::ContainerFull { .. } | OpError::OverProvisioned { .. } => (CONFLICT, no_space(path)),
        OpError::PoolCapacity { .. } | OpError::CopyCapacity { .. } | OpError::ReductionPromise { .. } => (CONFLICT, 7),
        OpError::ThresholdOrder { .. } => (BAD, 262_185),
        OpError::ReductionOff { .. } | OpError::ReductionMismatch { .. } | OpError::ReductionOn { .. } | OpError::ReductionInUse { .. } => {
            (CONFLICT, 6_881_332)
        }
        OpError::Shrinking { .. } if path == "/storage/aggregates" => (BAD, 787_170),
        OpError::Shrinking { .. } if path == "/storage/namespaces" => (BAD, 72_089_730),
        OpError::Shrinking { size, asked, .. } if path == "/storage/luns" && asked == size => (BAD, 1_254_226),
        OpError::Shrinking { .. } => (BAD, 5_374_892),
        OpError::LunTaken { .. } if path.starts_with("/protocols/san/igroups") => (CONFLICT, 1_254_324),
        OpError::LunTaken { .. } => (CONFLICT, 5_374_053),
        OpError::AlreadyMapped { .. } => (CONFLICT, exists),
        OpError::NotMapped { .. } => (CONFLICT, 5_374_922),
        OpError::ProtocolMismatch { noun: Noun::PortGroup, .. } if path == "/protocols/san/igroups" => (BAD, 5_374_028),
        OpError::ProtocolMismatch { .. } => (BAD, if path.starts_with("/protocols/san/portsets") { 5_374_914 } else { 2_621_507 }),
        OpError::InitiatorTaken { .. } => (CONFLICT, 5_374_035),
        OpError::PathTaken { .. } => (CONFLICT, SEEN_TWICE),
        OpError::TenantMismatch { noun: Noun::Pool, .. } => (BAD, 917_508),
        OpError::TenantMismatch { .. } => (BAD, 2_621_706),
        OpError::TenantFull { .. } => (CONFLICT, 7),
        OpError::LunTooHigh { .. } => (BAD, 262_185),
        OpError::SwitchedOff { .. } => (CONFLICT, 2),
        OpError::LicenceMissing { .. } => (CONFLICT, 1_115_127),
        OpError::AddressTaken { .. } => (CONFLICT, 1_376_963),
        OpError::NotCalibrated { .. } => (BAD, 2),
        OpError::Forbidden { .. } | OpError::LastAdministrator { .. } | OpError::OwnUser { .. } => (StatusCode::FORBIDDEN, 6),
        OpError::InList { cause, .. } => number(cause, path),
    }
}

/// What the cluster came with is not deleted.
fn built_in(path: &str) -> u32 {
    match path {
        "/cluster/schedules" => 459_762,
        "/network/ipspaces" => 1_966_333,
        "/network/ethernet/broadcast-domains" => 1_967_103,
        "/network/ip/service-policies" => 53_281_928,
        "/storage/snapshot-policies" => 1_638_415,
        "/storage/volume-efficiency-policies" => 6_881_431,
        _ => 3,
    }
}

/// An initiator is in an igroup of another operating system: while one is made, gets initiators, or gets igroups.
fn other_os_type(path: &str) -> u32 {
    match path {
        "/protocols/san/igroups/{igroup.uuid}/initiators" => 5_374_734,
        "/protocols/san/igroups/{igroup.uuid}/igroups" => 5_374_736,
        _ => 5_374_732,
    }
}

fn wrong_state(path: &str) -> u32 {
    match path {
        "/protocols/san/igroups" => 5_374_027,
        "/protocols/san/iscsi/services" | "/protocols/san/fcp/services" => 5_373_960,
        "/protocols/nvme/services" => 72_090_028,
        "/storage/luns" => 5_374_865,
        "/storage/volumes" => 917_775,
        _ => 2,
    }
}

fn no_space(path: &str) -> u32 {
    if path.ends_with("/snapshots") { 524_479 } else { 1_245_212 }
}
