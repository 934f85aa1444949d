//! The clock: how it moves on, and moving it on.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::job::FAR_AHEAD;
use super::{Ctx, Operation, World, rules};
use crate::engine::{self, ClockMode};
use crate::model::{Noun, OpError, Policy};
use crate::units::{PartsPerMillion, SimSpan, SimTime};

/// Sets how the clock moves on: with the wall clock, faster or slower by a factor, or only when it is advanced.
///
/// Refused, in this order: `scaled` without a factor; a factor with another mode; a factor out of range.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ClockSet, examples(json!({"mode": "scaled", "factor": 60})))]
pub struct Set {
    /// How it moves on.
    pub mode: ClockMode,
    /// Virtual seconds per wall second in the mode `scaled`, 0.001 to 1,000,000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>)]
    pub factor: Option<Factor>,
}

/// A factor between virtual and wall time, kept in millionths and written as a plain number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Factor(PartsPerMillion);

impl Serialize for Factor {
    fn serialize<S: serde::Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        if self.0.0.is_multiple_of(1_000_000) { out.serialize_u64(self.0.0 / 1_000_000) } else { out.serialize_f64(self.0.factor()) }
    }
}
impl<'de> Deserialize<'de> for Factor {
    fn deserialize<D: serde::Deserializer<'de>>(input: D) -> Result<Factor, D::Error> {
        let number = f64::deserialize(input)?;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to lie in range; a cast saturates")]
        if number.is_finite() && number >= 0.0 {
            Ok(Factor(PartsPerMillion((number * 1e6).round() as u64)))
        } else {
            Err(serde::de::Error::custom("a factor is a positive number"))
        }
    }
}

impl Operation for Set {
    const NAME: &'static str = "clock.set";
    const POLICY: Policy = Policy::Emulation;
    const SINGLETON: Option<Noun> = Some(Noun::Clock);
    type Plan = (ClockMode, PartsPerMillion);
    type Output = ();

    fn check(&self, _: &World, _: &Ctx) -> Result<Self::Plan, OpError> {
        match (self.mode, self.factor) {
            (ClockMode::Scaled, None) => Err(OpError::Missing { noun: Noun::Clock, field: "factor".into(), because: "the mode 'scaled' needs one".into() }),
            (ClockMode::Scaled, Some(Factor(factor))) => {
                if (1_000..=1_000_000_000_000).contains(&factor.0) {
                    return Ok((self.mode, factor));
                }
                let value = factor.factor().to_string();
                Err(OpError::OutOfRange { noun: Noun::Clock, field: "factor".into(), value, least: "0.001".into(), most: "1000000".into() })
            }
            (_, Some(_)) => {
                let because = "a factor belongs to the mode 'scaled' only".into();
                Err(OpError::Conflicting { noun: Noun::Clock, fields: vec!["factor".into(), "mode".into()], because })
            }
            (mode, None) => Ok((mode, PartsPerMillion::ONE)),
        }
    }

    fn apply((mode, factor): Self::Plan, world: &mut World, _: &Ctx) {
        world.clock.mode = mode;
        world.clock.factor = factor;
    }
}

/// Moves virtual time on, in any mode: by a span, or until no job is running or queued (at most the array's limit).
///
/// Refused, in this order: neither or both of `by` and `until`; a span of more than ten years.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ClockAdvance, examples(json!({"by": "10m"})))]
pub struct Advance {
    /// How far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<SimSpan>,
    /// Until when: `idle`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Until>,
}

/// What to wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Until {
    /// No job is running or queued.
    Idle,
}

impl Operation for Advance {
    const NAME: &'static str = "clock.advance";
    const POLICY: Policy = Policy::Emulation;
    const SINGLETON: Option<Noun> = Some(Noun::Clock);
    type Plan = SimTime;
    type Output = ();

    fn check(&self, world: &World, _: &Ctx) -> Result<SimTime, OpError> {
        match (self.by, self.until) {
            (Some(by), None) => {
                rules::span_is_short(Noun::Clock, "by", by, FAR_AHEAD)?;
                Ok(world.now() + by)
            }
            (None, Some(Until::Idle)) => Ok(engine::idle_time(world)),
            (None, None) => {
                Err(OpError::Missing { noun: Noun::Clock, field: "by".into(), because: "the clock is advanced by a span, or until \"idle\"".into() })
            }
            (Some(_), Some(_)) => {
                let because = "the clock is advanced by a span or until \"idle\"".into();
                Err(OpError::Conflicting { noun: Noun::Clock, fields: vec!["by".into(), "until".into()], because })
            }
        }
    }

    fn apply(to: SimTime, world: &mut World, _: &Ctx) {
        engine::advance(world, to);
    }
}
