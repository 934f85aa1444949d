//! How drives fail: on demand of whoever tests what follows.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::in_state;
use crate::engine;
use crate::model::{Drive, DriveState, DriveStatus, Key, Noun, Object, OpError, Place, Policy, Severity};
use crate::ops::{Ctx, Operation, World};

/// Breaks a drive: from now on it serves nothing, and what it held is gone.
///
/// What follows, the array does by itself: a spare that fits is taken and rebuilt, or the RAID group is exposed, or broken.
/// Refused, in this order: unknown drive; it is broken already, or not in its bay.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = DriveFail)]
pub struct Fail {
    /// Which one.
    #[schema(ignore)]
    pub drive: String,
}

impl Operation for Fail {
    const NAME: &'static str = "drive.fail";
    const POLICY: Policy = Policy::Emulation;
    type Plan = Key<Drive>;
    type Output = Key<Drive>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Key<Drive>, OpError> {
        let drive = world.array.drives.find(&self.drive, Place::Target)?;
        if drive.pulled || drive.state == DriveState::Failed {
            return Err(in_state(&world.array, drive, DriveStatus::Available.name()));
        }
        Ok(drive.key())
    }

    fn apply(key: Key<Drive>, world: &mut World, ctx: &Ctx) -> Key<Drive> {
        if let Some(drive) = world.array.drives.get_mut(key) {
            drive.state = DriveState::Failed;
        }
        tell(world, ctx, key, (Severity::Error, "drive_failed", "has failed"));
        engine::tend(world);
        key
    }
}

/// Lets a drive say that it will fail. It goes on serving while the array copies it to a spare, if one fits, and is then taken out of service.
///
/// Refused, in this order: unknown drive; it is not in order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = DrivePredictFailure)]
pub struct PredictFailure {
    /// Which one.
    #[schema(ignore)]
    pub drive: String,
}

impl Operation for PredictFailure {
    const NAME: &'static str = "drive.predict-failure";
    const POLICY: Policy = Policy::Emulation;
    type Plan = Key<Drive>;
    type Output = Key<Drive>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Key<Drive>, OpError> {
        let drive = world.array.drives.find(&self.drive, Place::Target)?;
        if drive.is_sound() { Ok(drive.key()) } else { Err(in_state(&world.array, drive, DriveStatus::Available.name())) }
    }

    fn apply(key: Key<Drive>, world: &mut World, ctx: &Ctx) -> Key<Drive> {
        if let Some(drive) = world.array.drives.get_mut(key) {
            drive.state = DriveState::PredictiveFailure;
        }
        tell(world, ctx, key, (Severity::Warning, "drive_predictive_failure", "says that it will fail"));
        engine::tend(world);
        key
    }
}

/// Takes a drive out of its bay. It can be put back, or a new one can be put in its place.
///
/// As long as its RAID group lives on, what it holds grows stale at once. A drive without which its RAID group is broken stays as it is: put
/// back, it brings the RAID group back.
/// Refused, in this order: unknown drive; it is not in its bay.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = DrivePull)]
pub struct Pull {
    /// Which one.
    #[schema(ignore)]
    pub drive: String,
}

impl Operation for Pull {
    const NAME: &'static str = "drive.pull";
    const POLICY: Policy = Policy::Emulation;
    type Plan = Key<Drive>;
    type Output = Key<Drive>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Key<Drive>, OpError> {
        let drive = world.array.drives.find(&self.drive, Place::Target)?;
        if drive.pulled { Err(in_state(&world.array, drive, DriveStatus::Available.name())) } else { Ok(drive.key()) }
    }

    fn apply(key: Key<Drive>, world: &mut World, ctx: &Ctx) -> Key<Drive> {
        let was_broken = world.array.drives.get(key).is_some_and(|drive| !drive.keeps_data());
        if let Some(drive) = world.array.drives.get_mut(key) {
            drive.pulled = true;
        }
        let severity = if was_broken { Severity::Information } else { Severity::Error };
        tell(world, ctx, key, (severity, "drive_pulled", "was taken out of its bay"));
        engine::tend(world);
        key
    }
}

/// Puts a drive back that was taken out of its bay. It is treated like a new one, unless its RAID group has been broken since.
///
/// Refused, in this order: unknown drive; it is in its bay.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = DriveInsert)]
pub struct Insert {
    /// Which one.
    #[schema(ignore)]
    pub drive: String,
}

impl Operation for Insert {
    const NAME: &'static str = "drive.insert";
    const POLICY: Policy = Policy::Emulation;
    type Plan = Key<Drive>;
    type Output = Key<Drive>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Key<Drive>, OpError> {
        let drive = world.array.drives.find(&self.drive, Place::Target)?;
        if drive.pulled { Ok(drive.key()) } else { Err(in_state(&world.array, drive, "pulled")) }
    }

    fn apply(key: Key<Drive>, world: &mut World, ctx: &Ctx) -> Key<Drive> {
        if let Some(drive) = world.array.drives.get_mut(key) {
            drive.pulled = false;
        }
        tell(world, ctx, key, (Severity::Information, "drive_inserted", "was put back"));
        engine::tend(world);
        key
    }
}

fn tell(world: &mut World, ctx: &Ctx, key: Key<Drive>, (severity, code, what): (Severity, &str, &str)) {
    let message = format!("{} {what}", engine::place_of(&world.array, key));
    let name = world.array.drives.get(key).map(|drive| drive.name().to_owned()).unwrap_or_default();
    world.array.events.tell(ctx.now, severity, code, (Noun::Drive, &name), message);
}
