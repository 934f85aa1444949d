//! Cloning a volume inside its container.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::create::identity;
use crate::model::{Feature, Key, Noun, Object, OpError, Place, Policy, Volume, placement};
use crate::ops::{Ctx, Operation, World, belonging, health_rules, room, rules};
use crate::units::Bytes;

/// Makes a second volume in the same container that shares all written blocks with the first.
///
/// Refused, in this order: unknown volume; it does not live in a container; a licence is missing; a job works on it; it is not available; invalid name; name taken;
/// too many volumes; the tenant would have too many; the container has no space for what a thick clone keeps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = VolumeClone, examples(json!({"name": "Copy"})))]
pub struct Clone {
    /// Which one.
    #[schema(ignore)]
    pub volume: String,
    /// The clone's name.
    pub name: String,
}

impl Operation for Clone {
    const NAME: &'static str = "volume.clone";
    const POLICY: Policy = Policy::CopySessionManagement;
    type Plan = (Key<Volume>, String);
    type Output = Key<Volume>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Self::Plan, OpError> {
        let array = &world.array;
        let volume = array.find_volume(&self.volume, Place::Target)?;
        let Some(container) = volume.container() else {
            return Err(OpError::NotSupported { noun: Noun::Volume, field: "volume".into(), what: "clones of volumes outside containers".into() });
        };
        rules::is_licensed(array, Feature::Clones, "a clone")?;
        rules::volume_not_busy(world, volume)?;
        health_rules::volume_serves(array, volume)?;
        rules::name_is_valid(Noun::Volume, &self.name, &array.personality.volume_name)?;
        rules::name_is_free(&array.volumes, &self.name, volume.scope(), None)?;
        rules::within_limit(&array.volumes, 1, array.personality.limits.volumes)?;
        belonging::has_room(array, volume.tenant, 1, Bytes::ZERO)?;
        room::container_has(&array.containers[container], volume.reservation())?;
        Ok((volume.key(), self.name.clone()))
    }

    fn apply((origin, name): Self::Plan, world: &mut World, ctx: &Ctx) -> Key<Volume> {
        let array = &mut world.array;
        if let Some(volume) = array.volumes.get_mut(origin) {
            volume.frozen = true;
        }
        let image = array.volumes[origin].clone();
        let (dialect, seeds, wwn) = (array.personality.dialect, array.identity, array.facts.wwn.clone());
        let key = array.volumes.insert(seeds, name, |head| {
            let (uid, serial_number) = identity(dialect, seeds, &wwn, &head);
            Volume { head, uid, serial_number, created: ctx.now, custom_uid: false, ..image }
        });
        placement::move_in(array, key);
        key
    }
}
