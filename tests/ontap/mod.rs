//! The ONTAP front over a socket.
//!
//! Read first: `lab`, which all tests use: whatever it receives is checked against the facts of the API.

mod dialect;
mod facts;
mod lab;

pub(crate) use lab::Lab;
