//! Changing copy sessions.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::model::{CopyPriority, CopySession, Key, Noun, Object, OpError, Place, Policy};
use crate::ops::{Ctx, Operation, World, rules};

/// Changes a session; what is left out stays. Another priority counts for what is copied from then on: a copy under way keeps its pace.
///
/// Refused, in this order: unknown session; invalid name; name taken.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = CopySessionUpdate, examples(json!({"priority": "high"})))]
pub struct Update {
    /// Which one.
    #[schema(ignore)]
    pub copy_session: String,
    /// Its new name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// How fast it copies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<CopyPriority>,
}

impl Operation for Update {
    const NAME: &'static str = "copy-session.update";
    const POLICY: Policy = Policy::CopySessionManagement;
    type Plan = (Key<CopySession>, Update);
    type Output = Key<CopySession>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Self::Plan, OpError> {
        let array = &world.array;
        let session = array.copy_sessions.find(&self.copy_session, Place::Target)?;
        if let Some(name) = &self.name {
            rules::name_is_valid(Noun::CopySession, name, &array.personality.volume_name)?;
            rules::name_is_free(&array.copy_sessions, name, None, Some(session.key()))?;
        }
        Ok((session.key(), self.clone()))
    }

    fn apply((key, change): Self::Plan, world: &mut World, _: &Ctx) -> Key<CopySession> {
        if let Some(name) = change.name {
            world.array.copy_sessions.rename(key, name);
        }
        if let (Some(session), Some(priority)) = (world.array.copy_sessions.get_mut(key), change.priority) {
            session.priority = priority;
        }
        key
    }
}
