//! The ONTAP front as its clients see it.
//!
//! Read first: `lab`, which all tests use: whatever it receives is checked against the facts of the API.

mod checks;
mod cli;
mod cluster;
mod counters;
mod decode;
mod dialect;
mod groups;
mod lab;
mod luns;
mod network;
mod qos;
mod references;
mod replay;
mod scope;
mod security;
mod several;
mod snapshot;
mod statistics;
mod storage;
mod storage_policy;
mod support;
mod svm;
mod volume;
mod zapi;

pub(crate) use lab::Lab;
mod san;

mod scenes;
