//! The ONTAP front as its clients see it.
//!
//! Read first: `lab`, which all tests use: whatever it receives is checked against the facts of the API.

mod decode;
mod dialect;
mod lab;
#[cfg(any())]
mod replay;
mod snapshot;
mod storage;
mod storage_policy;
mod volume;

pub(crate) use lab::Lab;
