//! Where wall time comes from.

use std::time::{Duration, Instant};

/// A clock that only runs forward. Passed in, so that tests hold time in their hands.
pub trait TimeSource: Send + Sync {
    /// Wall time since some beginning.
    fn elapsed(&self) -> Duration;
}

/// The clock of the machine.
#[derive(Clone, Copy, Debug)]
pub struct WallClock {
    began: Instant,
}

impl WallClock {
    /// Begins now.
    pub fn start() -> WallClock {
        WallClock { began: Instant::now() }
    }
}

impl TimeSource for WallClock {
    fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }
}
