//! Firmware: apply another version.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::engine::{Job, JobStatus, NewJob, Work};
use crate::model::{Key, Noun, Object, OpError, Policy};
use crate::ops::{AnyOperation, Ctx, Operation, World};

/// Applies firmware, one controller after the other, by a job; hosts are served all the time.
///
/// Refused, in this order: a version that is none, or the present one; a job is running.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = FirmwareUpdate, examples(json!({"version": "V10L90-0000"})))]
pub struct Update {
    /// The version, 1 to 32 letters, digits, `.`, `-` and `_`.
    pub version: String,
}

impl Operation for Update {
    const NAME: &'static str = "firmware.update";
    const POLICY: Policy = Policy::FirmwareManagement;
    type Plan = String;
    type Output = Key<Job<AnyOperation>>;

    fn check(&self, world: &World, _: &Ctx) -> Result<String, OpError> {
        let refuse = |expected: String| Err(OpError::ValueInvalid { noun: Noun::Settings, field: "version".into(), value: self.version.clone(), expected });
        let good = |c: char| c.is_ascii_alphanumeric() || ".-_".contains(c);
        if !(1..=32).contains(&self.version.len()) || !self.version.chars().all(good) {
            return refuse("a version of 1 to 32 letters, digits, '.', '-' and '_'".into());
        }
        if self.version == world.array.facts.firmware {
            return refuse("another version than the array has".into());
        }
        match world.jobs.iter().find(|job| job.status == JobStatus::Running) {
            Some(job) => {
                let (name, doing) = (world.array.facts.product.clone(), job.name().to_owned());
                Err(OpError::Busy { noun: Noun::Array, name, doing, job: job.number() })
            }
            None => Ok(self.version.clone()),
        }
    }

    fn apply(version: String, world: &mut World, ctx: &Ctx) -> Self::Output {
        let (span, product) = (world.array.personality.offer.firmware_span, world.array.facts.product.clone());
        let job = NewJob { kind: Self::NAME, work: Work::Firmware(version), target: (Noun::Array, &product) };
        world.start_job(job, span, &ctx.actor)
    }
}
