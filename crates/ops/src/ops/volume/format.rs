//! Formatting volumes.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::delete::no_workload;
use crate::engine::{Job, NewJob, Work};
use crate::model::{Key, Noun, Object, OpError, Place, Policy, Rewrite, Volume};
use crate::ops::{AnyOperation, Ctx, Operation, World, health_rules, rules};
use crate::units::SimSpan;

/// Formats a volume: its data is gone at once, and the whole volume is written anew by a job whose length follows from its size.
///
/// Refused, in this order: unknown volume; a job works on it; it is not available; a volume for snapshots; a workload uses it; a copy session uses it; its container has no space for what a
/// thick volume then keeps beside what snapshots hold.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = VolumeFormat)]
pub struct Format {
    /// Which one.
    #[schema(ignore)]
    pub volume: String,
}

impl Operation for Format {
    const NAME: &'static str = "volume.format";
    const POLICY: Policy = Policy::VolumeDeleteFormat;
    type Plan = Key<Volume>;
    type Output = Key<Job<AnyOperation>>;

    fn check(&self, world: &World, _: &Ctx) -> Result<Key<Volume>, OpError> {
        let volume = world.array.find_volume(&self.volume, Place::Target)?;
        rules::volume_not_busy(world, volume)?;
        health_rules::volume_serves(&world.array, volume)?;
        rules::holds_data(volume, "formats of volumes for snapshots")?;
        no_workload(world, volume)?;
        rules::volume_not_copied(world, volume)?;
        Rewrite::emptied(volume).fits(&world.array, volume)?;
        Ok(volume.key())
    }

    fn apply(key: Key<Volume>, world: &mut World, ctx: &Ctx) -> Self::Output {
        let volume = world.array.volumes[key].clone();
        Rewrite::emptied(&volume).apply(&mut world.array);
        if let Some(volume) = world.array.volumes.get_mut(key) {
            volume.formatting = true;
        }
        let span = SimSpan::to_move(volume.size, world.array.personality.format_rate);
        let job = NewJob { kind: Self::NAME, work: Work::Format(key), target: (Noun::Volume, volume.name()) };
        world.start_job(job, span, &ctx.actor)
    }
}
