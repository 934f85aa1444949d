//! Controllers are fixed; their identification light can be switched.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Ctx, Operation, World};
use crate::model::{Controller, Key, Object, OpError, Place, Policy};

/// Switches the identification light.
///
/// Refused: unknown controller.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ControllerUpdate, examples(json!({"locate": true})))]
pub struct Update {
    /// Which one.
    #[schema(ignore)]
    pub controller: String,
    /// Whether its identification light is on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locate: Option<bool>,
}

impl Operation for Update {
    const NAME: &'static str = "controller.update";
    const POLICY: Policy = Policy::MaintenanceOperation;
    type Plan = (Key<Controller>, Option<bool>);
    type Output = Key<Controller>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Self::Plan, OpError> {
        Ok((world.array.controllers.find(&self.controller, Place::Target)?.key(), self.locate))
    }

    fn apply((key, locate): Self::Plan, world: &mut World, _: &Ctx) -> Key<Controller> {
        if let (Some(part), Some(locate)) = (world.array.controllers.get_mut(key), locate) {
            part.locate = locate;
        }
        key
    }
}
