//! Controllers are fixed; they fail, come back, and get their RAID groups back.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{AnyOperation, Ctx, Operation, World, rules};
use crate::engine::{self, Job, JobStatus, Work};
use crate::model::{Controller, ControllerState, Key, Noun, Object, OpError, Place, Policy, Possession, Severity};

/// Switches the identification light, or chooses whether the controller gets its RAID groups back by itself when it runs again.
///
/// Refused, in this order: unknown controller; choosing that where the array always does it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ControllerUpdate, examples(json!({"locate": true})))]
pub struct Update {
    /// Which one.
    #[schema(ignore)]
    pub controller: String,
    /// Whether its identification light is on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locate: Option<bool>,
    /// Whether it gets its RAID groups back by itself when it runs again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auto_giveback: Option<bool>,
}

impl Operation for Update {
    const NAME: &'static str = "controller.update";
    const POLICY: Policy = Policy::MaintenanceOperation;
    type Plan = (Key<Controller>, Option<bool>, Option<bool>);
    type Output = Key<Controller>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Self::Plan, OpError> {
        let controller = world.array.controllers.find(&self.controller, Place::Target)?;
        if self.auto_giveback.is_some_and(|wanted| wanted != controller.auto_giveback) && !world.array.personality.parts.giveback_option {
            let what = "choosing whether RAID groups are given back by themselves".into();
            return Err(OpError::NotSupported { noun: Noun::Controller, field: "auto_giveback".into(), what });
        }
        Ok((controller.key(), self.locate, self.auto_giveback))
    }

    fn apply((key, locate, auto_giveback): Self::Plan, world: &mut World, _: &Ctx) -> Key<Controller> {
        if let Some(part) = world.array.controllers.get_mut(key) {
            part.locate = locate.unwrap_or(part.locate);
            part.auto_giveback = auto_giveback.unwrap_or(part.auto_giveback);
        }
        key
    }
}

/// Breaks a controller. Its host ports go down, writes go through to drives, and its partner takes its RAID groups over.
///
/// Refused, in this order: unknown controller; it has failed already.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ControllerFail)]
pub struct Fail {
    /// Which one.
    #[schema(ignore)]
    pub controller: String,
}

impl Operation for Fail {
    const NAME: &'static str = "controller.fail";
    const POLICY: Policy = Policy::Emulation;
    type Plan = Key<Controller>;
    type Output = Key<Controller>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Self::Plan, OpError> {
        let controller = world.array.controllers.find(&self.controller, Place::Target)?;
        if controller.state == ControllerState::Failed {
            return Err(wrong_state(controller, "failed", "in order"));
        }
        Ok(controller.key())
    }

    fn apply(key: Self::Plan, world: &mut World, ctx: &Ctx) -> Key<Controller> {
        let starting = world.job_on(|work| matches!(work, Work::Boot(booting) if *booting == key)).map(Object::key);
        if let Some(job) = starting {
            world.end_job(job, JobStatus::Canceled, None);
        }
        if let Some(controller) = world.array.controllers.get_mut(key) {
            controller.state = ControllerState::Failed;
            let name = controller.name().to_owned();
            world.array.events.tell(ctx.now, Severity::Error, "controller_failed", (Noun::Controller, &name), format!("controller '{name}' has failed"));
        }
        key
    }
}

/// Mends a controller that has failed. It starts, if its enclosure has power; then its RAID groups come back.
///
/// Refused, in this order: unknown controller; it has not failed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ControllerRestore)]
pub struct Restore {
    /// Which one.
    #[schema(ignore)]
    pub controller: String,
}

impl Operation for Restore {
    const NAME: &'static str = "controller.restore";
    const POLICY: Policy = Policy::Emulation;
    type Plan = Key<Controller>;
    type Output = Key<Controller>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Self::Plan, OpError> {
        let controller = world.array.controllers.find(&self.controller, Place::Target)?;
        if controller.state != ControllerState::Failed {
            return Err(wrong_state(controller, controller.state.name(), "failed"));
        }
        Ok(controller.key())
    }

    fn apply(key: Self::Plan, world: &mut World, ctx: &Ctx) -> Key<Controller> {
        if let Some(controller) = world.array.controllers.get_mut(key) {
            controller.state = ControllerState::Off;
            let name = controller.name().to_owned();
            world.array.events.tell(ctx.now, Severity::Information, "controller_restored", (Noun::Controller, &name), format!("controller '{name}' is mended"));
        }
        key
    }
}

/// Gives a controller that runs again its RAID groups back, at once instead of by itself.
///
/// Refused, in this order: unknown controller; it does not run; its RAID groups are not with its partner; they are being given back.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ControllerGiveback)]
pub struct GiveBack {
    /// Which one.
    #[schema(ignore)]
    pub controller: String,
}

impl Operation for GiveBack {
    const NAME: &'static str = "controller.giveback";
    const POLICY: Policy = Policy::MaintenanceOperation;
    type Plan = Key<Controller>;
    type Output = Key<Job<AnyOperation>>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Self::Plan, OpError> {
        let controller = world.array.controllers.find(&self.controller, Place::Target)?;
        let key = controller.key();
        if !controller.is_online() {
            return Err(wrong_state(controller, controller.state.name(), "online"));
        }
        match controller.possession {
            Possession::Own | Possession::Leaving => Err(wrong_state(controller, "in possession of its RAID groups", "without them")),
            Possession::Away => Ok(key),
            Possession::Returning => {
                let returning = |work: &Work<AnyOperation>| matches!(work, Work::GiveBack(other) if *other == key);
                rules::not_busy(world, Noun::Controller, controller.name(), returning).map(|()| key)
            }
        }
    }

    fn apply(key: Self::Plan, world: &mut World, ctx: &Ctx) -> Self::Output {
        engine::give_back(world, key, &ctx.actor)
    }
}

fn wrong_state(controller: &Controller, state: &str, expected: &str) -> OpError {
    OpError::WrongState { noun: Noun::Controller, name: controller.name().to_owned(), state: state.into(), expected: expected.into() }
}
