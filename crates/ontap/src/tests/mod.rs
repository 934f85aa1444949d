//! The ONTAP front as its clients see it.
//!
//! Read first: `lab`, which all tests use: whatever it receives is checked against the facts of the API.

mod cli;
mod counters;
mod decode;
mod dialect;
mod lab;
mod snapshot;
mod volume;
#[cfg(any())]
mod replay;
mod statistics;
mod zapi;

pub(crate) use lab::Lab;
