//! Enclosures are fixed; their identification light can be switched.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Ctx, Operation, World};
use crate::model::{Enclosure, Key, Object, OpError, Place, Policy};

/// Switches the identification light.
///
/// Refused: unknown enclosure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = EnclosureUpdate, examples(json!({"locate": true})))]
pub struct Update {
    /// Which one.
    #[schema(ignore)]
    pub enclosure: String,
    /// Whether its identification light is on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locate: Option<bool>,
}

impl Operation for Update {
    const NAME: &'static str = "enclosure.update";
    const POLICY: Policy = Policy::MaintenanceOperation;
    type Plan = (Key<Enclosure>, Option<bool>);
    type Output = Key<Enclosure>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Self::Plan, OpError> {
        Ok((world.array.enclosures.find(&self.enclosure, Place::Target)?.key(), self.locate))
    }

    fn apply((key, locate): Self::Plan, world: &mut World, _: &Ctx) -> Key<Enclosure> {
        if let (Some(part), Some(locate)) = (world.array.enclosures.get_mut(key), locate) {
            part.locate = locate;
        }
        key
    }
}
