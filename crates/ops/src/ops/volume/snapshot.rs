//! Snapshots of volumes: the destination and the copy session in one operation, and what is done to them by the source.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Create;
use super::clone::make_and_begin;
use super::create::CreatePlan;
use crate::model::{CopyKind, CopySession, Key, Noun, Object, OpError, Place, Policy, Volume, VolumeRole, copying};
use crate::ops::copy_session::{self, Beginning, admission};
use crate::ops::{Ctx, Operation, World, rules};

/// Takes a snapshot of a volume: a new volume that keeps what is overwritten in the first, thin in a pool or a snap data volume in a RAID group,
/// and a session of the kind SnapOPC+, a generation of several, or SnapOPC, which stands alone.
///
/// Refused, in this order: an array without such copies; unknown volume; a kind of volume that cannot be copied; no home or several named; a job
/// works on it; a copy of a snapshot; too many copies in a row; what refuses a new volume there; too many generations or sessions; copy
/// capacity.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = VolumeSnapshot, examples(json!({"name": "R0-monday", "pool": "P0"})))]
pub struct Snapshot {
    /// Which one.
    #[schema(ignore)]
    pub volume: String,
    /// The name of the new volume.
    pub name: String,
    /// The pool that it shall live in, as a thin volume.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pool: Option<String>,
    /// The RAID group that it shall live in, as a snap data volume.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raid_group: Option<String>,
    /// Whether it stands alone (SnapOPC) instead of being one of several generations (SnapOPC+).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub manual: Option<bool>,
}

impl Operation for Snapshot {
    const NAME: &'static str = "volume.snapshot";
    const POLICY: Policy = Policy::CopySessionManagement;
    type Plan = (CreatePlan, CopyKind, Key<Volume>);
    type Output = Key<Volume>;

    fn check(&self, world: &World, ctx: &Ctx) -> Result<Self::Plan, OpError> {
        let array = &world.array;
        let kind = if self.manual == Some(true) { CopyKind::SnapOpc } else { CopyKind::SnapOpcPlus };
        let rule = admission::kind_is_offered(array, kind)?;
        let source = array.find_volume(&self.volume, Place::Target)?;
        admission::source_is_data(source, "volume")?;
        super::home::Named { pool: self.pool.as_ref(), raid_group: self.raid_group.as_ref(), ..Default::default() }.is_one()?;
        rules::volume_not_busy(world, source)?;
        admission::can_follow(array, source, None, kind)?;
        admission::cascade_is_short(array, (source.key(), None), None)?;
        let request = Create {
            name: self.name.clone(),
            size: source.size,
            pool: self.pool.clone(),
            raid_group: self.raid_group.clone(),
            role: self.raid_group.as_ref().map(|_| VolumeRole::SnapData),
            reducibility: Some(source.reducibility),
            ..Create::default()
        };
        let plan = request.check(world, ctx)?;
        admission::within_limits(array, rule, source, kind)?;
        Ok((plan, kind, source.key()))
    }

    fn apply((plan, kind, source): Self::Plan, world: &mut World, ctx: &Ctx) -> Key<Volume> {
        make_and_begin(plan, kind, source, world, ctx)
    }
}

/// Takes a new snapshot (SnapOPC+) in the volume of the oldest generation, which ends.
///
/// Refused, in this order: unknown volume; it has no generations; a job works for the oldest one; that is copied on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = VolumeRotateSnapshots)]
pub struct RotateSnapshots {
    /// Which one.
    #[schema(ignore)]
    pub volume: String,
}

impl Operation for RotateSnapshots {
    const NAME: &'static str = "volume.rotate-snapshots";
    const POLICY: Policy = Policy::CopySessionManagement;
    type Plan = Key<CopySession>;
    type Output = Key<CopySession>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Key<CopySession>, OpError> {
        let array = &world.array;
        let volume = array.find_volume(&self.volume, Place::Target)?;
        let Some(oldest) = copying::generations(array, volume.key()).first().copied() else {
            return Err(OpError::NotRunning { noun: Noun::Volume, name: volume.name().to_owned(), what: "generations of snapshots".into() });
        };
        let session = &array.copy_sessions[oldest];
        copy_session::not_working(world, session)?;
        copy_session::is_not_copied_on(array, session)?;
        Ok(oldest)
    }

    fn apply(oldest: Key<CopySession>, world: &mut World, ctx: &Ctx) -> Key<CopySession> {
        let CopySession { head: _, kind, source, destination, priority, .. } = world.array.copy_sessions[oldest].clone();
        let name = Some(world.array.copy_sessions[oldest].name().to_owned());
        copy_session::forget(world, oldest);
        copy_session::begin(Beginning { name, kind, source, destination, priority }, world, ctx)
    }
}

/// Restarts the QuickOPC session from this volume to its backup: what differs is copied.
///
/// Refused, in this order: unknown volume or backup; no session from the one to the other; not QuickOPC; a job works for it; no space in
/// the backup.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = VolumeResync, examples(json!({"backup": "R0-copy"})))]
pub struct Resync {
    /// Which one.
    #[schema(ignore)]
    pub volume: String,
    /// The volume that it was copied to.
    pub backup: String,
}

impl Operation for Resync {
    const NAME: &'static str = "volume.resync";
    const POLICY: Policy = Policy::CopySessionManagement;
    type Plan = Key<CopySession>;
    type Output = Key<CopySession>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Key<CopySession>, OpError> {
        let array = &world.array;
        let volume = array.find_volume(&self.volume, Place::Target)?;
        let backup = array.find_volume(&self.backup, Place::field("backup"))?;
        match copying::into(array, backup.key()).filter(|session| session.source == volume.key()) {
            Some(session) => copy_session::may_restart(world, session),
            None => Err(OpError::NotRunning { noun: Noun::Volume, name: volume.name().to_owned(), what: format!("copy session to '{}'", backup.name()) }),
        }
    }

    fn apply(key: Key<CopySession>, world: &mut World, ctx: &Ctx) -> Key<CopySession> {
        copy_session::catch_up(world, key, ctx);
        key
    }
}
