//! Volumes.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::answer::Shown;
use super::lens::Lens;
use crate::engine::Job;
use crate::model::{
    Allocation, Alua, Condition, GroupStatus, Object, OpError, Place, QosPriority, Usage, Volume, VolumeFormat, VolumeHealth, VolumeKind, capacity, health,
    snap_pool, space,
};
use crate::ops::{AnyOperation, World};
use crate::units::Ratio;

/// How a volume stands, or what is going on with it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = VolumeStatus)]
pub(super) enum Status {
    /// In order, and nothing is going on.
    Available,
    /// It is being written anew.
    Formatting,
    /// It moves to another home.
    Migrating,
    /// In order, with a spare in the place of a drive.
    SpareInUse,
    /// A drive's data is copied to a spare before it fails.
    RedundantCopy,
    /// A drive gets its data back from a spare.
    Copyback,
    /// All missing drives are being rebuilt.
    Rebuild,
    /// Missing drives are being rebuilt; what is left to do will leave it partially exposed.
    PartiallyExposedRebuild,
    /// A drive is missing; another failure can be borne.
    PartiallyExposed,
    /// Missing drives are being rebuilt; what is left to do will leave it exposed.
    ExposedRebuild,
    /// A drive is missing; with the next failure it is gone.
    Exposed,
    /// A RAID group is broken, but would serve again if drives were put back.
    NotAvailable,
    /// A RAID group is broken, and its data is gone.
    DataLost,
}

/// A volume: the unit that is mapped to hosts.
#[derive(Serialize, ToSchema)]
#[schema(as = Volume)]
pub(super) struct View<'a> {
    /// Identifier: it stays, whatever happens to number and name.
    id: Uuid,
    /// Number: the vendor's; it can be given out again.
    number: u32,
    /// Name.
    #[schema(example = "V1")]
    name: &'a str,
    /// What it is, by its role and where it lives.
    kind: VolumeKind,
    /// How it stands, or what is going on with it.
    status: Status,
    /// How bad that is, by the RAID groups that hold it.
    condition: Condition,
    /// The RAID groups that it lives in directly: one, or several that it is striped over.
    #[schema(example = json!([]))]
    raid_groups: Vec<&'a str>,
    /// The pool that it lives in directly.
    #[schema(required = true, example = "P0")]
    pool: Option<&'a str>,
    /// The container that it lives in.
    #[schema(required = true, example = json!(null))]
    container: Option<&'a str>,
    /// The size that hosts see, in bytes.
    #[schema(example = 4_000_000_000_000_u64)]
    size: u64,
    /// What it is used for.
    usage: Usage,
    /// Whether its whole size is set aside.
    allocation: Allocation,
    /// Whether its data is encrypted.
    encryption: bool,
    /// Whether equal blocks are stored once.
    deduplication: bool,
    /// Whether blocks are compressed.
    compression: bool,
    /// How far the data that hosts write to it can be reduced: before over after.
    reducibility: Ratio,
    /// Whether it must not become the destination of a copy.
    copy_protection: bool,
    /// Whether a copy session copies it.
    copy_source: bool,
    /// Whether a copy session copies to it.
    copy_destination: bool,
    /// Bytes that lie in it: written by hosts, or copied; of a snapshot only what it keeps itself.
    written: u64,
    /// Bytes given to it directly: areas of RAID groups or chunks of a pool. Reduced data and data in containers is in their books.
    allocated: u64,
    /// Bytes that a snap data volume has taken from the snap data pool, in whole elements.
    taken_from_snap_pool: u64,
    /// Bytes that it answers for after reduction.
    physical: u64,
    /// Written share of its size.
    used_percent: u64,
    /// Written share at which a thin volume calls for attention.
    #[schema(required = true)]
    attention_percent: Option<u32>,
    /// The name that hosts know it by, 32 hexadecimal digits.
    uid: &'a str,
    /// The serial number that hosts see.
    serial_number: &'a str,
    /// Whether an affinity or a mapping shows it to hosts.
    mapped: bool,
    /// Whether hosts are let in; they are not either while its container is not online.
    online: bool,
    /// The job that works on it.
    #[schema(required = true)]
    job: Option<u32>,
    /// How far that is, in percent.
    #[schema(required = true)]
    progress: Option<u32>,
    /// Whose it is; `null`: the array's own.
    #[schema(required = true, example = json!(null))]
    tenant: Option<&'a str>,
    /// The QoS policy that limits it.
    #[schema(required = true, example = json!(null))]
    qos_policy: Option<&'a str>,
    /// What automatic QoS gives it.
    #[schema(required = true)]
    qos_priority: Option<QosPriority>,
    /// Which paths to it the array calls the better ones.
    alua: Alua,
    /// Whether an administrator has given it its uid.
    custom_uid: bool,
    /// Whether it is for SCSI or for NVMe hosts; `open`: for those to whom it is mapped.
    format: VolumeFormat,
    /// When it was made.
    #[schema(format = DateTime)]
    created_at: String,
}

impl Shown for Volume {
    const PLURAL: &'static str = "volumes";
    const LASTS: bool = true;
    type View<'a> = View<'a>;
    fn view<'a>(&'a self, lens: &Lens<'a>) -> View<'a> {
        let array = &lens.world().array;
        let job = lens.job_on_volume(self.key());
        let health = health::volume_health(array, self, |group| lens.status_of(group));
        View {
            id: self.id(),
            number: self.number(),
            name: self.name(),
            kind: self.kind(),
            status: Status::of(self, health, job),
            condition: health.condition(),
            raid_groups: Lens::names(&array.raid_groups, Lens::raid_groups_of(self)),
            pool: self.pool().map(|pool| Lens::name(&array.pools, pool)),
            container: self.container().map(|container| Lens::name(&array.containers, container)),
            size: self.size.get(),
            usage: self.usage,
            allocation: self.allocation,
            encryption: self.encryption,
            deduplication: self.reduction.deduplication,
            compression: self.reduction.compression,
            reducibility: self.reducibility,
            copy_protection: self.copy_protection,
            copy_source: lens.is_copied(self.key()),
            copy_destination: lens.is_copied_to(self.key()),
            written: self.layout.written().get(),
            allocated: capacity::allocated(array, self).get(),
            taken_from_snap_pool: snap_pool::taken(array, self, self.layout.written()).get(),
            physical: space::physical(array, self).get(),
            used_percent: self.layout.written().percent_of(self.size),
            attention_percent: self.attention_percent,
            uid: &self.uid,
            serial_number: &self.serial_number,
            mapped: lens.is_shown(self.key()),
            online: self.online,
            job: job.map(Object::number),
            progress: job.map(|job| job.percent(lens.now())),
            tenant: self.tenant.map(|tenant| Lens::name(&array.tenants, tenant)),
            qos_policy: self.qos_policy.map(|policy| Lens::name(&array.qos_policies, policy)),
            qos_priority: self.qos_priority,
            alua: self.alua,
            custom_uid: self.custom_uid,
            format: self.format,
            created_at: lens.stamp(self.created),
        }
    }
    fn find<'a>(world: &'a World, reference: &str) -> Result<&'a Volume, OpError> {
        world.array.find_volume(reference, Place::Target)
    }
}

impl Status {
    fn of(volume: &Volume, health: VolumeHealth, job: Option<&Job<AnyOperation>>) -> Status {
        let group = match health {
            VolumeHealth::DataLost => return Status::DataLost,
            VolumeHealth::NotAvailable => return Status::NotAvailable,
            VolumeHealth::Served(group) => group,
        };
        match (&volume.migration, job) {
            (Some(_), _) => Status::Migrating,
            (None, Some(_)) => Status::Formatting,
            (None, None) => Status::by(group),
        }
    }
    const fn by(group: GroupStatus) -> Status {
        match group {
            GroupStatus::Available => Status::Available,
            GroupStatus::SpareInUse => Status::SpareInUse,
            GroupStatus::RedundantCopy => Status::RedundantCopy,
            GroupStatus::Copyback => Status::Copyback,
            GroupStatus::Rebuild => Status::Rebuild,
            GroupStatus::PartiallyExposedRebuild => Status::PartiallyExposedRebuild,
            GroupStatus::PartiallyExposed => Status::PartiallyExposed,
            GroupStatus::ExposedRebuild => Status::ExposedRebuild,
            GroupStatus::Exposed => Status::Exposed,
            GroupStatus::Broken => Status::NotAvailable,
        }
    }
}
