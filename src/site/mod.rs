//! The running thing: arrays by name, ONE lock each, wall clock -> virtual time, and the journal.
//!
//! Owns: who is who (`credentials`), and every lock of the house ([`Site`], [`Hosted`]); guards never leave this room, callers pass a closure instead. The order of
//! a change is lock -> advance to now -> check -> append to the journal -> apply -> render -> unlock.
//! Must not know: who transports requests, or how a refusal is worded for a client.
//! Read first: [`Hosted`], then [`Journal`].

mod alarm;
mod checkpoint;
mod credentials;
mod hosted;
mod journal;
mod pace;
mod registry;
mod replay;
mod site_error;
#[cfg(test)]
mod test_site;
#[cfg(test)]
mod tests;
mod time_source;

pub use checkpoint::{CheckpointError, FORMAT, VERSION, checkpoint, restore};
pub use credentials::{Credential, Denial, Identity, Opened, Recognition, SERVER_USER, SessionFacts};
pub use hosted::{Done, Hosted};
pub use journal::{Entry, Initial, Journal, Outcome};
pub use registry::{Options, Site};
pub use replay::{Difference, ReplayError, replay};
pub use site_error::SiteError;
pub use time_source::{TimeSource, WallClock};
