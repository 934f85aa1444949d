//! Drives are fixed; they can be kept as hot spares, and their identification light can be switched.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Ctx, Operation, World};
use crate::model::{Drive, Key, Noun, Object, OpError, Place, Policy};

/// Makes a drive a global hot spare, or no longer one, and switches its identification light.
///
/// Refused, in this order: unknown drive; a drive in a RAID group cannot become a spare.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = DriveUpdate, examples(json!({"spare": true})))]
pub struct Update {
    /// Which one.
    #[schema(ignore)]
    pub drive: String,
    /// Whether it is kept as a global hot spare.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spare: Option<bool>,
    /// Whether its identification light is on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locate: Option<bool>,
}

impl Operation for Update {
    const NAME: &'static str = "drive.update";
    const POLICY: Policy = Policy::RaidGroupManagement;
    type Plan = (Key<Drive>, Option<bool>, Option<bool>);
    type Output = Key<Drive>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Self::Plan, OpError> {
        let drive = world.array.drives.find(&self.drive, Place::Target)?;
        if let (Some(true), Some(group)) = (self.spare, drive.raid_group) {
            let by_name = world.array.raid_groups[group].name().to_owned();
            return Err(OpError::InUse { noun: Noun::Drive, name: drive.name().to_owned(), by: Noun::RaidGroup, by_name });
        }
        Ok((drive.key(), self.spare, self.locate))
    }

    fn apply((key, spare, locate): Self::Plan, world: &mut World, _: &Ctx) -> Key<Drive> {
        if let Some(drive) = world.array.drives.get_mut(key) {
            drive.spare = spare.unwrap_or(drive.spare);
            drive.locate = locate.unwrap_or(drive.locate);
        }
        key
    }
}
