//! Containers.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::answer::Shown;
use super::lens::Lens;
use crate::model::{Array, Container, ContainerClone, ContainerState, Guarantee, Object};
use crate::units::Ratio;

/// What a clone was made from.
#[derive(Serialize, ToSchema)]
#[schema(as = ContainerOrigin)]
pub(super) struct Origin<'a> {
    /// The container that the snapshot is of.
    #[schema(example = "C0")]
    container: &'a str,
    /// The snapshot.
    #[schema(example = "before-upgrade")]
    snapshot: &'a str,
    /// Bytes still shared with it, before reduction.
    shared: u64,
    /// Whether they are being copied, so that the clone becomes independent.
    splitting: bool,
}

/// What is going on with a container.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = ContainerStatus)]
pub(super) enum Status {
    /// Nothing.
    Available,
    /// What it shares with its origin is being copied.
    Splitting,
    /// It moves to another pool.
    Migrating,
    /// Its move to another pool stands still.
    Paused,
}

/// A container: a sized space inside a pool that holds volumes and is snapshotted and cloned as a whole.
#[derive(Serialize, ToSchema)]
#[schema(as = Container)]
pub(super) struct View<'a> {
    /// Identifier: it stays, whatever happens to number and name.
    id: Uuid,
    /// Number: the vendor's; it can be given out again.
    number: u32,
    /// Name.
    #[schema(example = "C0")]
    name: &'a str,
    /// The pool that it lives in.
    #[schema(example = "P0")]
    pool: &'a str,
    /// The pool to which it moves.
    #[schema(required = true, example = json!(null))]
    migrates_to: Option<&'a str>,
    /// The most bytes that its volumes and snapshots may take.
    size: u64,
    /// Whether the pool keeps its whole size for it.
    guarantee: Guarantee,
    /// Bytes taken out of its size: its own data, what it shares with its origin, and what it keeps for thick volumes.
    used: u64,
    /// Bytes left in it.
    free: u64,
    /// Used share of its size.
    used_percent: u64,
    /// Bytes kept for what thick volumes in it have not written yet.
    reserved: u64,
    /// Bytes that it takes from its pool.
    allocated: u64,
    /// Whether equal blocks are stored once.
    deduplication: bool,
    /// Whether blocks are compressed.
    compression: bool,
    /// Bytes of its own data before reduction: of its volumes and, where they differ, of its snapshots.
    data_before_reduction: u64,
    /// Bytes of that data after reduction.
    data_after_reduction: u64,
    /// Before over after.
    reduction_ratio: Ratio,
    /// How many volumes live in it (`GET ../volumes?container=C0` lists them).
    volume_count: usize,
    /// Set while it is a clone that shares blocks with its origin.
    #[schema(required = true)]
    clone: Option<Origin<'a>>,
    /// What is going on with it.
    status: Status,
    /// Whether its volumes are served.
    state: ContainerState,
    /// The job that works on it.
    #[schema(required = true)]
    job: Option<u32>,
    /// How far that is, in percent.
    #[schema(required = true)]
    progress: Option<u32>,
    /// Whose it is; `null`: the array's own.
    #[schema(required = true, example = json!(null))]
    tenant: Option<&'a str>,
    /// The QoS policy that limits its volumes.
    #[schema(required = true, example = json!(null))]
    qos_policy: Option<&'a str>,
    /// When it was made.
    #[schema(format = DateTime)]
    created_at: String,
}

impl Shown for Container {
    const PLURAL: &'static str = "containers";
    type View<'a> = View<'a>;
    fn view<'a>(&'a self, lens: &Lens<'a>) -> View<'a> {
        let array = &lens.world().array;
        let job = lens.job_on_container(self.key());
        View {
            id: self.id(),
            number: self.number(),
            name: self.name(),
            pool: Lens::name(&array.pools, self.pool),
            migrates_to: self.migration.map(|migration| Lens::name(&array.pools, migration.pool)),
            size: self.size.get(),
            guarantee: self.guarantee,
            used: self.used().get(),
            free: self.free().get(),
            used_percent: self.used().percent_of(self.size),
            reserved: self.reserved.get(),
            allocated: self.charge().get(),
            deduplication: self.reduction.deduplication,
            compression: self.reduction.compression,
            data_before_reduction: self.savings.before.get(),
            data_after_reduction: self.savings.after.get(),
            reduction_ratio: self.savings.ratio(),
            volume_count: self.volumes.len(),
            clone: self.clone.as_ref().and_then(|clone| Origin::of(array, clone)),
            status: match self.migration {
                Some(migration) if migration.paused => Status::Paused,
                Some(_) => Status::Migrating,
                None if job.is_some() => Status::Splitting,
                None => Status::Available,
            },
            state: self.state,
            job: job.map(Object::number),
            progress: job.map(|job| job.percent(lens.now())),
            tenant: self.tenant.map(|tenant| Lens::name(&array.tenants, tenant)),
            qos_policy: self.qos_policy.map(|policy| Lens::name(&array.qos_policies, policy)),
            created_at: lens.stamp(self.created),
        }
    }
}

impl<'a> Origin<'a> {
    fn of(array: &'a Array, clone: &ContainerClone) -> Option<Origin<'a>> {
        let snapshot = array.snapshots.get(clone.snapshot)?;
        let container = Lens::name(&array.containers, snapshot.container);
        Some(Origin { container, snapshot: snapshot.name(), shared: clone.shared.get(), splitting: clone.splitting })
    }
}
