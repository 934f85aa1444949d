//! The running thing: arrays by name, ONE lock each, wall clock -> virtual time, the journal, and what is kept on disk.
//!
//! Owns: who is who (`credentials`), and every lock of the house ([`Site`], [`Hosted`]); guards never leave this room, callers pass a closure instead. The order of
//! a change is lock -> advance to now -> check -> apply -> render -> write to the journal -> unlock -> answer. If it cannot be written,
//! the value is put back: nobody has seen it.
//! Must not know: who transports requests, or how a refusal is worded for a client.
//! Read first: [`Hosted`], then [`Journal`] and `store`.

mod alarm;
mod change_error;
mod checkpoint;
mod credentials;
mod door;
mod draft;
mod hosted;
mod journal;
mod keys;
mod pace;
mod pages;
mod registry;
mod replay;
mod saved;
mod site_error;
mod state;
mod store;
mod terms;
#[cfg(test)]
mod test_site;
#[cfg(test)]
mod tests;
mod time_source;
mod unserved;

pub use change_error::ChangeError;
pub use checkpoint::{CheckpointError, FORMAT, VERSION, checkpoint, restore};
pub use credentials::{Credential, Denial, Identity, Opened, Reception, Recognition, SERVER_USER, SessionFacts, VENDOR_PASSWORD};
pub use door::Door;
pub use draft::Draft;
pub use hosted::{Done, Hosted, Performed};
pub use journal::{Entry, Initial, Journal, Outcome};
pub use keys::{Answer, RequestKey};
pub use pages::Rendered;
pub use registry::{DataOptions, Found, Options, Site};
pub use replay::{Difference, ReplayError, replay};
pub use saved::Saved;
pub use site_error::SiteError;
pub use store::StoreError;
pub use terms::{Condition, NamedTag, Tag, TagOf, Tags, Terms};
pub use time_source::{TimeSource, WallClock};
