//! Writing and unmapping: what hosts do to the space, without any data.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::model::{Key, Noun, Object, OpError, Place, Policy, Rewrite, Volume, copying};
use crate::ops::{Ctx, Operation, World, health_rules, rules};
use crate::units::{Bytes, Ratio};

/// Writes to a volume: unwritten space first, from the beginning; then over what is there, from the beginning, round and round. No data is kept.
/// Mirrors of the volume follow, and snapshots of it keep what is overwritten; those for which there is no space break off.
///
/// Refused, in this order: unknown volume; no controller runs; a job works on it; it is not available; snap data pool volume; a mirror that is not suspended; no bytes, or more than the largest volume; its pool or container has no
/// space for what it takes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = VolumeWrite, examples(json!({"bytes": "100GB", "reducibility": 3})))]
pub struct Write {
    /// Which one.
    #[schema(ignore)]
    pub volume: String,
    /// How much.
    pub bytes: Bytes,
    /// How far it can be reduced; the volume's own figure if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reducibility: Option<Ratio>,
}

/// Gives written space back, from the end of what is written.
///
/// Refused, in this order: unknown volume; no controller runs; a job works on it; it is not available; snap data pool volume; a mirror that is not suspended; no bytes, or more than the largest volume; its container has no space for
/// what a thick volume then keeps beside what snapshots hold.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = VolumeUnmap, examples(json!({"bytes": "50GB"})))]
pub struct Unmap {
    /// Which one.
    #[schema(ignore)]
    pub volume: String,
    /// How much; what is not written is left alone.
    pub bytes: Bytes,
}

impl Operation for Write {
    const NAME: &'static str = "volume.write";
    const POLICY: Policy = Policy::Emulation;
    type Plan = Rewrite;
    type Output = Key<Volume>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Rewrite, OpError> {
        let array = &world.array;
        let volume = target(world, &self.volume, self.bytes)?;
        let rewrite = Rewrite::of_write(array, volume, self.bytes, volume.size, self.reducibility);
        rewrite.fits(array, volume)?;
        Ok(rewrite)
    }

    fn apply(plan: Rewrite, world: &mut World, _: &Ctx) -> Key<Volume> {
        plan.apply(&mut world.array)
    }
}

impl Operation for Unmap {
    const NAME: &'static str = "volume.unmap";
    const POLICY: Policy = Policy::Emulation;
    type Plan = Rewrite;
    type Output = Key<Volume>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Rewrite, OpError> {
        let volume = target(world, &self.volume, self.bytes)?;
        let rewrite = Rewrite::of_unmap(&world.array, volume, self.bytes);
        rewrite.fits(&world.array, volume)?;
        Ok(rewrite)
    }

    fn apply(plan: Rewrite, world: &mut World, _: &Ctx) -> Key<Volume> {
        plan.apply(&mut world.array)
    }
}

fn target<'a>(world: &'a World, reference: &str, bytes: Bytes) -> Result<&'a Volume, OpError> {
    let volume = world.array.find_volume(reference, Place::Target)?;
    rules::array_is_ready(&world.array)?;
    rules::volume_not_busy(world, volume)?;
    health_rules::volume_serves(&world.array, volume)?;
    health_rules::volume_is_online(&world.array, volume)?;
    rules::is_for_hosts(volume, "volume")?;
    if let Some(mirror) = copying::into(&world.array, volume.key()).filter(|session| session.mirrors()) {
        return Err(rules::used_by_session(volume, mirror));
    }
    let most = world.array.personality.volume_size_max;
    if bytes.is_zero() || bytes > most {
        return Err(OpError::OutOfRange {
            noun: Noun::Volume,
            field: "bytes".into(),
            value: bytes.get().to_string(),
            least: "1".into(),
            most: most.get().to_string(),
        });
    }
    Ok(volume)
}
