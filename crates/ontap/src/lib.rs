//! ONTAP REST, as NetApp's own clients expect it.
//!
//! Owns: the wire format of `/api` and of what else stands on the port of an ONTAP cluster. What a client sends and reads decides.
//! Must not know: any rule; a request becomes operations, a refusal becomes ONTAP's number by one table (`refusals`).
//! Read first: `collection` (what a collection is), then `resources` (all of them), then `reading` and `changing` (what all share);
//! the dialect itself is in `query`, `filter`, `fields`, `body`, `answer`; what a call in an SVM sees, in `scope`; the words, in `words`; what
//! values must be besides what the facts say, in `rules`; what is done as a trial, in `trial`.

#[cfg(test)]
pub(crate) use arrayplane_ops::catalogue;
pub(crate) use arrayplane_ops::ops;
pub(crate) use arrayplane_site::{http, site};
pub(crate) use arrayplane_world::{engine, model, perf, units};

mod answer;
mod body;
mod changing;
mod cli;
mod collection;
mod counters;
mod creating;
mod document;
mod ems;
mod fields;
mod filter;
mod job;
mod kept;
mod many;
mod net;
mod place;
mod query;
mod reading;
mod refusal;
mod refusals;
mod resources;
mod rules;
mod schema;
mod scope;
mod server;
mod statistics;
mod table;
#[cfg(test)]
mod tests;
mod trial;
mod version;
mod words;
mod zapi;

pub use document::{document, support_table};
pub use server::{Options, configure};
pub use version::Version;
