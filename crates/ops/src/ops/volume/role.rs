//! Volumes for snapshots: where they may live, and how much of it they take.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Create;
use super::home::{Site, unsupported};
use crate::model::{Array, Key, Noun, Object, OpError, Place, Policy, Usage, Volume, VolumeRole, copying};
use crate::ops::{Ctx, Operation, World, rules};
use crate::units::Bytes;

/// What a new volume takes of its home: its size, or of a snap data volume its own area.
///
/// Volumes for snapshots live in one RAID group; those of the snap data pool have their own range of sizes.
pub(super) fn space_at_home(array: &Array, site: &Site, size: Bytes, request: &Create) -> Result<Bytes, OpError> {
    let role = request.role.unwrap_or_default();
    if request.own_area.is_some() && role != VolumeRole::SnapData {
        let because = "only snap data volumes have an area of their own that is smaller than they are".into();
        return Err(OpError::Conflicting { noun: Noun::Volume, fields: vec!["own_area".into(), "role".into()], because });
    }
    if role == VolumeRole::Data {
        return Ok(size);
    }
    let Some(rule) = &array.personality.copy else { return Err(unsupported("role", "volumes for snapshots")) };
    if !matches!(site, Site::RaidGroups(groups) if groups.len() == 1) {
        return Err(unsupported("role", "volumes for snapshots elsewhere than in one RAID group"));
    }
    if request.usage == Some(Usage::Odx) {
        return Err(unsupported("usage", "buffers for offloaded data transfer that hold snapshots"));
    }
    let unit = array.personality.size_unit;
    match role {
        VolumeRole::SnapPool => in_range("size", size, (rule.snap_pool_element, rule.snap_pool_volume_max)).map(|()| size),
        _ => {
            let area = request.own_area.map(|area| in_range("own_area", area, (unit, size)).map(|()| area)).transpose()?;
            Ok(area.unwrap_or_else(|| rule.own_area(size)).round_up(unit).min(size))
        }
    }
}

fn in_range(field: &str, size: Bytes, (least, most): (Bytes, Bytes)) -> Result<(), OpError> {
    if (least..=most).contains(&size) {
        return Ok(());
    }
    let (value, least, most) = (size.to_string(), least.to_string(), most.to_string());
    Err(OpError::OutOfRange { noun: Noun::Volume, field: field.into(), value, least, most })
}

/// Empties a snap data volume that no snapshot uses; what it had taken of the snap data pool becomes free.
///
/// Refused, in this order: unknown volume; no snap data volume; a copy session uses it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = VolumeInitialize)]
pub struct Initialize {
    /// Which one.
    #[schema(ignore)]
    pub volume: String,
}

impl Operation for Initialize {
    const NAME: &'static str = "volume.initialize";
    const POLICY: Policy = Policy::AdvancedCopyManagement;
    type Plan = Key<Volume>;
    type Output = Key<Volume>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Key<Volume>, OpError> {
        let volume = world.array.find_volume(&self.volume, Place::Target)?;
        if volume.role != VolumeRole::SnapData {
            return Err(unsupported("volume", "initializing other volumes than snap data volumes"));
        }
        rules::volume_not_copied(world, volume)?;
        Ok(volume.key())
    }

    fn apply(key: Key<Volume>, world: &mut World, _: &Ctx) -> Key<Volume> {
        copying::scramble(&mut world.array, key, Bytes::ZERO);
        key
    }
}
