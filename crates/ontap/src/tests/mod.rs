//! The ONTAP front as its clients see it.
//!
//! Read first: `lab`, which all tests use: whatever it receives is checked against the facts of the API.

mod cluster;
mod decode;
mod dialect;
mod lab;
mod network;
#[cfg(any())]
mod replay;
mod svm;

pub(crate) use lab::Lab;
