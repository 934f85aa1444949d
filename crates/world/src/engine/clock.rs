//! The array's clock: how virtual time follows the world outside.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::units::{PartsPerMillion, SimTime};

/// The clock of one array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clock {
    /// The virtual time up to which everything has happened.
    pub now: SimTime,
    /// How it moves on.
    pub mode: ClockMode,
    /// Virtual over wall time in the mode `scaled`.
    pub factor: PartsPerMillion,
}

/// How a clock moves on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ClockMode {
    /// With the wall clock.
    Real,
    /// Faster or slower than the wall clock, by a factor.
    Scaled,
    /// Only when somebody advances it.
    Manual,
}

impl Default for Clock {
    fn default() -> Clock {
        Clock { now: SimTime::START, mode: ClockMode::Real, factor: PartsPerMillion::ONE }
    }
}

impl Clock {
    /// Virtual over wall time, in the present mode.
    pub const fn speed(&self) -> PartsPerMillion {
        match self.mode {
            ClockMode::Real => PartsPerMillion::ONE,
            ClockMode::Scaled => self.factor,
            ClockMode::Manual => PartsPerMillion(0),
        }
    }
}
