//! The world, and what happens BY ITSELF as virtual time passes: jobs that progress and end, operations whose turn comes,
//! thresholds, rebuilds.
//!
//! Owns: [`World`], the agenda, jobs, the clock's state, and [`advance`].
//! Must not know: operations by name (it is generic over them), wall time, or who asks.
//! Read first: [`World`], then [`advance`].

mod advance;
mod agenda;
mod care;
mod clock;
mod consistency;
mod ctx;
mod failover;
mod filling;
mod finish;
mod history;
mod hold;
mod job;
mod outage;
mod revisions;
mod schedule;
mod state;
mod watch;
mod world;

pub use advance::{advance, idle_time, settle};
pub use agenda::{Agenda, Due, Entry};
pub use care::{engage, place_of, tend};
pub use clock::{Clock, ClockMode};
pub use consistency::problems;
pub use ctx::{Actor, Authority, Ctx};
pub use failover::give_back;
pub use filling::fill;
pub use hold::pause;
pub use job::{Job, JobStatus, Work};
pub use outage::undo;
pub use revisions::Revisions;
pub use schedule::follow as follow_timetable;
pub use watch::Seen;
use watch::watch;
pub use world::NewJob;
pub use world::{Execute, World};
