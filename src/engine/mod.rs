//! The world, and what happens BY ITSELF as virtual time passes: jobs that progress and end, operations whose turn comes, thresholds.
//!
//! Owns: [`World`], the agenda, jobs, the clock's state, and [`advance`].
//! Must not know: operations by name (it is generic over them), wall time, or who asks.
//! Read first: [`World`], then [`advance`].

mod advance;
mod agenda;
mod clock;
mod consistency;
mod ctx;
mod finish;
mod job;
mod watch;
mod world;

pub use advance::{advance, idle_time, settle};
pub use agenda::{Agenda, Due, Entry};
pub use clock::{Clock, ClockMode};
pub use consistency::problems;
pub use ctx::{Actor, Authority, Ctx};
pub use job::{Job, JobStatus, Work};
use watch::watch;
pub(crate) use world::NewJob;
pub use world::{Execute, World};
